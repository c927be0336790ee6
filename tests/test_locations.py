"""What the program keeps is for the user alone, whatever the umask says."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from hextui import locations
from hextui.engine.board import Board
from hextui.engine.solver.kept import KeptSolutions
from hextui.library.library import Library
from hextui.records.saving import save_text
from hextui.ui.safety.crash import write_log
from hextui.ui.safety.memory import Memory
from hextui.ui.safety.recovery import Keeper
from hextui.ui.settings import Settings
from tests.library.generated import write_games
from tests.ui.helpers import game

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")


@pytest.fixture
def solved_positions() -> None:
    """Leave the file where it belongs: that is what is tried here."""


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct, autouse=True)
def umask(request: pytest.FixtureRequest):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def modes(home: Path) -> dict[str, int]:
    """Return the modes of all files and folders of a home."""
    return {str(path.relative_to(home)): mode(path) for path in home.rglob("*")}


def private(home: Path) -> bool:
    """Whether nobody else can read or enter anything."""
    return all(not found & 0o077 for found in modes(home).values())


def fill(home: Path) -> list[KeptSolutions | Library]:
    """Have the program keep one of everything; returns what is still open."""
    session = game()
    session.play(3)
    Keeper(locations.state_folder() / "recovery").flush(session)
    memory = Memory(locations.state_folder())
    memory.keep(Settings(theme="x"))
    memory.use(home / "a.sgf")
    write_log(locations.state_folder(), ValueError("x"))
    kept = KeptSolutions()
    kept._database.execute("UPDATE solved SET used = 1")
    write_games(home.parent / "games.jsonl", 5, Board(5, 5), seed=4)
    library = Library()
    library.import_paths([home.parent / "games.jsonl"])
    assert memory.problem == kept.problem == ""
    return [kept, library]


def test_all_that_is_kept_is_for_the_user_alone(home: Path) -> None:
    open_ones = fill(home)
    found = modes(home)
    names = {Path(name).name for name in found}
    assert {"settings.json", "recent.json", "solved.sqlite", "library.sqlite"} <= names
    assert {"solved.sqlite-wal", "library.sqlite-wal", "library.sqlite-shm"} <= names
    assert any(name.startswith("crash-") for name in names)
    for name, bits in found.items():
        assert bits == (0o700 if (home / name).is_dir() else 0o600), name
    for each in open_ones:
        each.close()


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


def test_each_part_corrects_its_folder_by_itself(home: Path) -> None:
    for each in fill(home):
        each.close()
    for path in home.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    for each in fill(home):
        each.close()
    assert private(home)


def test_folders_of_the_user_stay_as_they_are(home: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    mine.chmod(0o755)
    (mine / "notes").write_text("")
    (mine / "notes").chmod(0o644)
    Library(mine / "games.sqlite").close()
    assert (mode(mine), mode(mine / "notes"), mode(mine / "games.sqlite")) == (0o755, 0o644, 0o600)


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o644, 0o664])
def test_a_file_of_the_user_keeps_its_mode_when_it_is_saved(tmp_path: Path, bits: int) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("before")
    path.chmod(bits)
    save_text(path, "after")
    assert (path.read_text(), mode(path)) == ("after", bits)


def test_a_new_file_of_the_user_has_the_mode_of_any_new_file(tmp_path: Path, umask: int) -> None:
    save_text(tmp_path / "a.sgf", "new")
    assert mode(tmp_path / "a.sgf") == 0o666 & ~umask


def test_a_database_that_can_only_be_read_stays_so(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    sqlite3.connect(path).close()
    path.chmod(0o444)
    locations.make_private_file(path)
    assert mode(path) == 0o400
