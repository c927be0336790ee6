"""``hextui best-move``: each game, and games of others."""

import os
import subprocess
import sys

import pytest

from hextui.engine.search.small_games import game_called
from hextui.engines.messages import decoded, encoded
from hextui.entry_points import entries_of


def test_tic_tac_toe(run, document) -> None:
    words = ("best-move", "--game", "tic-tac-toe")
    found = document(*words, "XX./OO./...")
    assert found == {"move": "c1", "score": 1, "positions": 1}
    found = document(*words, "XOX/XOO/OXX")
    assert found == {"move": None, "score": 0, "positions": 1}
    assert run(*words, "X.O/.X./..O")[1] == "c2 draws (23 positions visited)\n"


def test_nim(run, document) -> None:
    found = document("best-move", "--game", "nim", "1,2", "--scores")
    assert found == {
        "move": "b-1", "score": 1, "positions": 5, "scores": {"a-1": -1, "b-1": 1, "b-2": -1},
    }  # fmt: skip
    assert run("best-move", "--game", "nim", "1,1", "--scores")[1].splitlines()[1] == ("a-1  loses")


def test_a_swap_that_wins(document) -> None:
    found = document("best-move", "#3,b2", "--scores")
    assert (found["move"], found["score"]) == ("swap-pieces", 1)
    assert set(found["scores"].values()) == {1, -1}
    assert document("best-move", "#3,a1")["move"] == "b2"
    assert document("best-move", "#3x2,b1")["move"] == "swap-sides"


def test_hex(run, document) -> None:
    found = document("best-move", "#3,b2c1")
    assert (found["move"], found["score"]) == ("a1", 1)
    assert document("best-move", "#2,")["if_nobody_swaps"] is True
    assert run("best-move", "#2,")[1].startswith("b1 wins if nobody swaps (")


HALVES = '''
from dataclasses import dataclass


@dataclass(frozen=True)
class Halves:
    """A heap; a move takes one stone or two, and who takes the last one wins."""

    heap: int
    to_move: int = 0
    EXAMPLE = "4"

    @staticmethod
    def parse(text):
        return Halves(int(text))

    @property
    def winner(self):
        return None if self.heap else 1 - self.to_move

    @property
    def moves(self):
        return tuple(range(1, min(self.heap, 2) + 1))

    def play(self, move):
        return Halves(self.heap - move, 1 - self.to_move)

    def move_name(self, move):
        return f"take {move}"

    def player_name(self, player):
        return str(player)
'''


def test_a_game_of_a_file(run, document, tmp_path) -> None:
    file = tmp_path / "halves.py"
    file.write_text(HALVES)
    game = ("best-move", "--game", f"{file}:Halves")
    for heap in range(1, 12):
        wins = heap % 3 > 0
        found = document(*game, str(heap))
        assert found["score"] == (1 if wins else -1)
        assert not wins or found["move"] == f"take {heap % 3}"
    for words, says in (
        ((*game, "x"), "invalid literal"),
        (game, "give a STATE such as 4"),
        (("best-move", "--game", f"{file}:Nobody", "1"), "cannot be loaded: KeyError"),
        (("best-move", "--game", f"{tmp_path / 'none.py'}:Halves", "1"), "FileNotFoundError"),
        (("best-move", "--game", f"{file}:dataclass", "1"), "has no EXAMPLE"),
    ):
        code, out, err = run(*words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert says in err


MAIN = "import sys; from hextui.commands import main; sys.exit(main())"


@pytest.mark.parametrize("named", [".", "", None])
def test_a_game_of_a_module(named: str | None, tmp_path) -> None:
    """It is found on the path of modules, but never in the current folder, whatever names that."""
    installed, folder = tmp_path / "installed", tmp_path / "folder"
    for place, word in ((installed / "good", "take"), (folder / "bad", "stolen")):
        place.mkdir(parents=True)
        (place / "__init__.py").write_text("")
        (place / "halves.py").write_text(HALVES.replace("take {", f"{word} {{"))
    (folder / "good").mkdir()
    (folder / "good" / "__init__.py").write_text("print('loaded')")
    path = str(installed) if named is None else os.pathsep.join((named, str(installed)))

    def ran(game: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", MAIN, "best-move", "--game", game, "4"],
            cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    good = ran("good.halves:Halves")
    assert (good.returncode, good.stdout.split(" (")[0]) == (0, "take 1 wins"), good.stderr
    for game, says in (
        ("bad.halves:Halves", "No module named 'bad' (the current folder is not searched"),
        ("good.halves:Nobody", "cannot be loaded: AttributeError"),
        ("good.halves:dataclass", "has no EXAMPLE"),
    ):
        bad = ran(game)
        assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (2, "", 1)
        assert says in bad.stderr


@pytest.fixture
def _fresh_entries():
    """Forget, before and after, what packages offer."""
    entries_of.cache_clear()
    yield
    entries_of.cache_clear()


@pytest.mark.usefixtures("_fresh_entries")
def test_a_game_of_an_installed_package(document, run, tmp_path, monkeypatch) -> None:
    """It is found by its entry point alone, never by the folder that it lies in."""
    (tmp_path / "halves.py").write_text(HALVES)
    about = tmp_path / "halves-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: halves\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    code, _, err = run("best-move", "--game", "halves", "4")
    assert code == 2
    assert "choose from tic-tac-toe, nim, FILE.py:CLASS, MODULE:CLASS" in err
    (about / "entry_points.txt").write_text("[hextui.games]\nhalves = halves:Halves\n")
    entries_of.cache_clear()
    assert document("best-move", "--game", "halves", "4")["move"] == "take 1"
    assert "choose from tic-tac-toe, nim, halves," in run("best-move", "--game", "chess", "x")[2]

    state = game_called("halves").parse("4")
    (back,) = decoded(encoded([state]))
    assert back == state
