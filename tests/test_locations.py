"""What the program keeps is for the user alone, and what others could have written is not used."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from hextui import locations
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.entry_file import EntryFile
from hextui.engine.kernels.folders import compiled_folder, note_use
from hextui.engine.position import Position
from hextui.engine.solver.solution import MoveVerdict, Reason, Solution
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.widths import Kernels, holds, mark, marker_of
from hextui.library.library import Library
from hextui.records.saving import save_file
from hextui.ui.app.settings import Settings, UserState
from hextui.ui.safety.recovery import Keeper, find_left_behind, write_log
from tests.compiling import use_home
from tests.library.generated import write_games
from tests.ui.helpers import game

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")


@pytest.fixture
def solved_positions() -> None:
    """Leave the file where it belongs: that is what is tried here."""


any_umask = pytest.mark.parametrize("umask", [0o000, 0o022, 0o077], ids=oct, indirect=True)


@pytest.fixture(autouse=True)
def umask(request: pytest.FixtureRequest):
    mask: int = getattr(request, "param", 0o022)
    before = os.umask(mask)
    yield mask
    os.umask(before)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_home(monkeypatch, tmp_path / "home")
    monkeypatch.setenv("HEXTUI_COMPILER", "refined")
    locations._report.cache_clear()
    return tmp_path / "home"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def modes(home: Path) -> dict[str, int]:
    """Return the modes of all files and folders of a home."""
    paths = [path for path in home.rglob("*") if not path.is_symlink()]
    return {str(path.relative_to(home)): mode(path) for path in paths}


def private(home: Path) -> bool:
    """Whether nobody else can read or enter anything."""
    return all(not found & 0o077 for found in modes(home).values())


def fill(home: Path) -> list[EntryFile | Library]:
    """Have the program keep one of everything; returns what is still open."""
    session = game()
    session.play(3)
    Keeper(locations.state_folder() / "recovery").flush(session)
    memory = UserState(locations.state_folder())
    memory.keep(Settings(theme="x"))
    memory.use(home / "a.sgf")
    write_log(locations.state_folder(), ValueError("x"))
    kept = SolutionCache()
    win = {0: MoveVerdict(Reason.CONNECTED, frozenset({0}))}
    one = Position.empty(Board(1, 1))
    cell = Cells(one.board, (0,))
    solution = Solution(
        position=one,
        winner=Color.BLACK,
        wins=win,
        losses={},
        carrier=cell,
        line=cell,
        proof_number=0,
        disproof_number=1,
        nodes=1,
        seconds=0,
        table_used=0,
        must_play=cell,
    )
    kept.put(solution)
    reviews, estimates = ReviewStore(), Estimates()
    line = game_positions(session.record, session.record.main_line())
    estimates.keep_balance(line[-1].position, 0.5)
    reviews.keep(line, estimates)
    note_use(compiled_folder())
    (compiled_folder() / "some.code").touch(0o600)
    mark(marker_of(Kernels.RANKINGS, 1))
    write_games(home.parent / "games.jsonl", 5, Board(5, 5), seed=4)
    library = Library()
    library.import_paths([home.parent / "games.jsonl"])
    assert memory.problem == kept.problem == reviews.problem == ""
    return [kept, library, reviews]


@any_umask
def test_all_that_is_kept_is_for_the_user_alone(home: Path) -> None:
    open_ones = fill(home)
    found = modes(home)
    names = {Path(name).name for name in found}
    assert {"settings.json", "recent.json", "solved.sqlite", "library.sqlite"} <= names
    assert {"reviews.sqlite", "reviews.sqlite-wal"} <= names
    assert {"used", "rankings-1"} <= names
    assert {"solved.sqlite-wal", "library.sqlite-wal", "library.sqlite-shm"} <= names
    assert any(name.startswith("crash-") for name in names)
    for name, bits in found.items():
        assert bits == (0o700 if (home / name).is_dir() else 0o600), name
    for each in open_ones:
        each.close()


@any_umask
def test_no_file_can_be_read_by_others_even_for_a_moment(home: Path, monkeypatch) -> None:
    """Every file is made with its mode, not corrected afterwards."""
    seen = {}
    real = os.open

    def watched(path, flags, mode=0o777, **how):
        if flags & os.O_CREAT:
            seen[str(path)] = mode
        return real(path, flags, mode, **how)

    monkeypatch.setattr(os, "open", watched)
    monkeypatch.setattr(os, "chmod", lambda *_: pytest.fail("a mode was corrected"))
    for each in fill(home):
        each.close()
    monkeypatch.undo()
    ours = {path: mode for path, mode in seen.items() if path.startswith(str(home))}
    assert len(ours) >= 6
    assert set(ours.values()) == {0o600}


@any_umask
def test_older_folders_are_corrected_at_the_start(home: Path) -> None:
    for each in fill(home):
        each.close()
    mine = home.parent / "mine.sgf"
    mine.write_text("mine")
    mine.chmod(0o644)
    (home / "state" / "link").symlink_to(mine)
    for path in (home, *home.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    locations.correct_older_folders()
    assert mode(mine) == 0o644
    (home / "state" / "link").unlink()
    assert private(home)
    assert mode(home) == 0o755


@any_umask
def test_each_part_corrects_its_folder_by_itself(home: Path) -> None:
    for each in fill(home):
        each.close()
    for path in home.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    for each in fill(home):
        each.close()
    assert private(home)


@any_umask
def test_folders_of_the_user_stay_as_they_are(home: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    mine.chmod(0o755)
    (mine / "notes").write_text("")
    (mine / "notes").chmod(0o644)
    Library(mine / "games.sqlite").close()
    assert (mode(mine), mode(mine / "notes"), mode(mine / "games.sqlite")) == (0o755, 0o644, 0o600)


@any_umask
@pytest.mark.parametrize("bits", [0o600, 0o640, 0o644, 0o664])
def test_a_file_of_the_user_keeps_its_mode_when_it_is_saved(tmp_path: Path, bits: int) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("before")
    path.chmod(bits)
    save_file(path, "after")
    assert (path.read_text(), mode(path)) == ("after", bits)


@any_umask
def test_a_new_file_of_the_user_has_the_mode_of_any_new_file(tmp_path: Path, umask: int) -> None:
    save_file(tmp_path / "a.sgf", "new")
    assert mode(tmp_path / "a.sgf") == 0o666 & ~umask


def test_a_database_that_can_only_be_read_stays_so(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    sqlite3.connect(path).close()
    path.chmod(0o444)
    locations.make_private_file(path)
    assert mode(path) == 0o400


def expose_file(path: Path) -> None:
    path.chmod(0o606)


def expose_folder(path: Path) -> None:
    path.parent.chmod(0o770)


def expose_top(path: Path) -> None:
    for folder in (locations.cache_folder(), locations.state_folder()):
        if folder in path.parents:
            folder.chmod(0o777)


def give_away(path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files away")
    os.chown(path, 65534, -1)


def link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


EXPOSURES = [expose_file, expose_folder, expose_top, give_away, link]


def recovered() -> tuple[bool, str]:
    """Return whether the edits are offered again, and what is said."""
    found, aside = find_left_behind(locations.state_folder() / "recovery")
    return bool(found), str(aside[0]) if aside else ""


def remembered() -> tuple[bool, str]:
    memory = UserState(locations.state_folder())
    return bool(memory.recent()), memory.problem


def solved() -> tuple[bool, str]:
    kept = SolutionCache()
    found = kept.get(Position.empty(Board(1, 1)))
    kept.close()
    return found is not None, kept.problem


def reviewed() -> tuple[bool, str]:
    session, estimates = game(), Estimates()
    session.play(3)
    line = game_positions(session.record, session.record.main_line())
    with closing(ReviewStore()) as store:
        store.read(line, estimates)
        return estimates.balance(line[-1].position) is not None, store.problem


def marked() -> tuple[bool, str]:
    return holds(marker_of(Kernels.RANKINGS, 1)), "nothing to say"


READERS = {
    "state/recovery/1-1-x.json": recovered,
    "state/recent.json": remembered,
    "cache/solved.sqlite": solved,
    "state/reviews.sqlite": reviewed,
    "cache/kernels/*/rankings-1": marked,
}


@pytest.fixture
def filled(home: Path) -> Path:
    for each in fill(home):
        each.close()
    (recovery,) = (home / "state" / "recovery").iterdir()
    recovery.rename(recovery.with_name("1-1-x.json"))  # process 1 began at another time
    return home


@pytest.mark.parametrize("name", READERS)
def test_what_others_could_only_read_is_used(filled: Path, name: str) -> None:
    (path,) = filled.glob(name)
    path.chmod(0o644)
    path.parent.chmod(0o755)
    assert READERS[name]()[0]


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("expose", EXPOSURES)
@pytest.mark.parametrize("at_start", [False, True])
def test_what_others_could_have_written_is_not_used(
    filled: Path, name: str, expose, at_start: bool, caplog: pytest.LogCaptureFixture
) -> None:
    (path,) = filled.glob(name)
    expose(path)
    if at_start:
        locations.correct_older_folders()
    used, problem = READERS[name]()
    assert not used
    assert problem or caplog.text
    assert "\n" not in problem


@pytest.mark.parametrize("kind", ["cache", "state", "data"])
def test_the_cache_is_emptied_and_nothing_else_is_lost(
    filled: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder that others could write to, and all in it."""
    (filled / "data" / "studies").mkdir(0o700)
    (filled / "data" / "studies" / "results.json").touch(0o600)
    before = {path.name for path in filled.rglob("*") if path.is_file()}
    (filled / kind).chmod(0o777)
    (filled / kind / "planted").symlink_to("/etc")
    locations.correct_older_folders()
    after = {path.name.partition(".untrusted")[0] for path in filled.rglob("*") if path.is_file()}
    inside = {path.name for path in (filled / kind).rglob("*") if path.is_file()}
    assert private(filled)
    if kind == "cache":
        assert (inside, len(caplog.messages)) == (set(), 2)  # a line for each folder
    else:
        assert after == before
        assert len(caplog.messages) == len(set(caplog.messages)) > 0
        kept = {"library.sqlite", "results.json"}
        assert all(".untrusted" in name for name in inside - kept)
        assert (kind == "data") == (kept <= inside)


def test_folders_of_another_user_are_left_alone(filled: Path) -> None:
    for folder in (filled / "cache", *(filled / "state").rglob("."), filled / "data"):
        give_away(folder)
        folder.chmod(0o755)
    before = modes(filled)
    locations.correct_older_folders()
    assert {used for used, _ in (read() for read in READERS.values())} == {False}
    assert all(problem for _, problem in (remembered(), solved(), reviewed()))
    assert modes(filled) == before
    with Library() as library:  # root's use of a user's games
        assert library.count() == 5


def test_what_is_no_file_keeps_its_rights(tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe, 0o622)
    pipe.chmod(0o622)
    file.touch()
    file.chmod(0o644)
    for path in (pipe, file):
        locations.make_private_file(path)
    assert stat.S_IMODE(pipe.stat().st_mode) == 0o622
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
