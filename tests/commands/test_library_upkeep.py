"""``hextui library export``, ``merge`` and ``compact``: files, messages and exit codes."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library.integrity import check
from hextui.library.library import Library
from hextui.records.formats import read_collection
from hextui.records.record import Record
from tests.library.generated import write_games

GAMES = """\
(;GM[11]SZ[3]PB[Ann]PW[Bob]RE[B+R];B[b2];W[a1];B[c3])
(;GM[11]SZ[3]PB[Cy]RE[W+R];B[b2];W[c1])
(;GM[11]SZ[4]PB[Dee];B[a4]C[first];W[b2])
"""
ANNOTATED = "(;GM[11]SZ[3]RE[B+R];B[b2];W[a1]C[a mistake](;B[c3])(;B[a3];W[c1]))"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    (tmp_path / "games.sgf").write_text(GAMES)
    main(["library", "import", str(tmp_path / "games.sgf")])
    return tmp_path


@pytest.mark.parametrize("suffix", ["sgf", "jsonl"])
def test_games_are_exported(home: Path, run: Run, suffix: str) -> None:
    target = home / f"out.{suffix}"
    assert run("library", "export", "size=3", "--date", "", "-o", str(target)) == (
        0, f"2 games written to {target}\n", ""
    )  # fmt: skip
    games = [game for game in read_collection(target) if isinstance(game, Record)]
    assert [game.info("PB") for game in games] == ["Ann", "Cy"]
    code, out, err = run("library", "export", "-o", str(target), "--json")
    assert (code, '"games": 3' in out) == (0, True)
    assert ("left out: comments" in err) == (suffix == "jsonl")


@pytest.mark.parametrize("suffix", ["sgf", "jsonl"])
def test_exported_games_are_imported_as_the_same(home: Path, run: Run, suffix: str) -> None:
    write_games(home / "many.jsonl", 60, Board(5, 5), seed=3)
    run("library", "import", str(home / "many.jsonl"))
    target = home / f"out.{suffix}"
    run("library", "export", "-o", str(target))
    with Library() as library, Library(home / "again.sqlite") as again:
        done = again.import_paths([target])
        assert (done.added, done.broken) == (library.count(), ())
        for ours, theirs in zip(library.games(), again.games(), strict=True):
            assert replace(ours, source="", number=0) == replace(theirs, source="", number=0)
        start = Position.empty(Board(5, 5))
        assert library.explore(start) == again.explore(start)
        assert library.import_paths([target]).added == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["player=nobody"], "no game matches player=nobody"),
        (["who=ann"], "'who' is not one of"),
        (["color=red"], "add player=NAME"),
        (["least=2"], "about moves"),
    ],
)
def test_a_failed_export_leaves_the_file(home: Path, run: Run, words: list[str], said: str) -> None:
    (home / "out.sgf").write_text("old")
    code, out, err = run("library", "export", *words, "-o", str(home / "out.sgf"))
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert (home / "out.sgf").read_text() == "old"


def test_an_export_needs_a_file_of_games(home: Path, run: Run) -> None:
    for name, said in (("out.png", "ends in .sgf or .jsonl"), ("no/out.sgf", "cannot be saved")):
        code, _, err = run("library", "export", "-o", str(home / name))
        assert (code, err.count("\n")) == (2, 1)
        assert said in err
    assert run("library", "export")[0] == 2


def test_merging_by_command(home: Path, run: Run) -> None:
    (home / "others.sgf").write_text(ANNOTATED + "(;GM[11]SZ[3];B[a1])")
    other = home / "other.sqlite"
    with Library(other) as library:
        library.import_paths([home / "others.sgf"])
    text = "1 added, 1 there already, 0 skipped; 1 game got comments and variations\n"
    assert run("library", "merge", str(other)) == (0, text, "")
    assert run("library", "merge", str(home / "none.sqlite"))[0] == 2
    shutil.copy(home / "games.sgf", other)
    code, out, err = run("library", "merge", str(other))
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "not a database" in err


def test_compacting_gives_room_back(home: Path, run: Run) -> None:
    write_games(home / "many.jsonl", 500, Board(9, 9), seed=1)
    run("library", "import", str(home / "many.jsonl"))
    run("library", "remove", "--source", str(home / "many.jsonl"))
    code, out, err = run("library", "compact", "--json")
    assert (code, err) == (0, "")
    done = json.loads(out)
    assert done["after"] == Path(done["path"]).stat().st_size
    assert done["after"] < done["before"] / 2
    assert check(home / "home" / "data" / "library.sqlite").games == 3


def test_compacting_on_a_full_disk_loses_nothing(home: Path, run: Run) -> None:
    write_games(home / "many.jsonl", 500, Board(9, 9), seed=1)
    run("library", "import", str(home / "many.jsonl"))
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, hard))
    try:
        code, out, err = run("library", "compact")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "not compacted" in err
    assert check(home / "home" / "data" / "library.sqlite").problems == ()
    assert run("library", "compact")[0] == 0


def test_compacting_killed_at_any_moment_loses_nothing(home: Path, run: Run) -> None:
    write_games(home / "many.jsonl", 2000, Board(9, 9), seed=1)
    run("library", "import", str(home / "many.jsonl"))
    path = home / "home" / "data" / "library.sqlite"
    with Library(path) as library:
        library.remove(library.ids()[::2])
        kept = library.ids()
        texts = [library.text(number) for number in kept]
    for number in range(6):
        code = f"""
from pathlib import Path
from hextui.library.library import Library
library = Library(Path({str(path)!r}))
print("open", flush=True)
while True:
    library.compact()
"""
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        with child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(0.03 * number)
            child.kill()
        assert check(path).problems == ()
    with Library(path) as library:
        assert library.ids() == kept
        assert [library.text(number) for number in kept] == texts


def test_without_a_library_nothing_is_compacted(tmp_path: Path, monkeypatch, run: Run) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    code, out, err = run("library", "compact")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "there is no library yet" in err
