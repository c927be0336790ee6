"""My opening positions: asked as puzzles when due, judged, and said what was played."""

import pytest

from hextui.engine.position import Position
from hextui.library.library import Library
from hextui.train.progress import TrainingStore
from hextui.ui.screens.own_openings_screen import OwnOpeningsScreen
from tests.oracles.winners import Exhaustive

from .helpers import press, running, shown, told, until

GAMES = (
    "(;GM[11]SZ[4]PB[Ann]PW[Bob];B[a4];W[b2];B[c2];W[d3])",
    "(;GM[11]SZ[4]PB[Ann]PW[Cy];B[a4];W[b2];B[d1];W[c4])",
    "(;GM[11]SZ[4]PB[Bob]PW[Cy];B[b3];W[c2])",
)


@pytest.fixture
def library(tmp_path):
    path = tmp_path / "library.sqlite"
    (tmp_path / "games.sgf").write_text("\n".join(GAMES))
    with Library(path) as opened:
        opened.import_paths([tmp_path / "games.sgf"])
    return path


def said(pilot, name="verdict"):
    return str(pilot.app.screen.query_one(f"#{name}").content)


async def try_move(pilot, cell):
    pilot.app.screen.point(cell)
    await press(pilot, "enter")
    await until(pilot, lambda: "You played" in said(pilot))


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_own_moves_are_asked_and_judged(library, tmp_path, size):
    training = tmp_path / "training.sqlite"
    async with running(size=size, library=library, training=training) as pilot:
        await press(pilot, "5", "r")
        await until(pilot, lambda: "Ann" in shown(pilot))
        await press(pilot, *"ann", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, OwnOpeningsScreen))
        assert "My openings 1 of 1  met in 2 games" in shown(pilot)
        task = "Red to move, as in 2 games of yours. What do you play?"
        assert said(pilot, "task") == task
        position = pilot.app.screen.view.position
        wins = Exhaustive(position.board).winning_moves(position)
        loses = next(cell for cell in position.empties if cell not in wins)
        name = position.board.name
        await try_move(pilot, loses)
        assert said(pilot).startswith(f"No: {name(loses)} loses (proved).")
        assert said(pilot).endswith("You played d1 in 1, c2 in 1 of 2 games.")
        await try_move(pilot, min(wins))
        assert said(pilot).startswith(f"Right: {name(min(wins))} wins (proved).")
        await press(pilot, "w")
        assert told(pilot) == "There is no proof here: v shows the analysis"
        puzzle = pilot.app.screen.subject.puzzle
    with_results = TrainingStore(training)
    progress = with_results.of(puzzle)
    with_results.close()
    assert progress is not None
    assert progress.attempts == (False,)  # the first try counts


async def test_the_usual_move_is_shown_instead(library):
    async with running(library=library) as pilot:
        pilot.app.main.workspace.player = "Ann"
        await press(pilot, "5", "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, OwnOpeningsScreen))
        await press(pilot, "s")
        await until(pilot, lambda: "You played" in said(pilot))
        assert said(pilot).startswith("Your usual move. ")
        position: Position = pilot.app.screen.view.position
        assert any(position.stones)


async def test_a_player_without_frequent_positions_is_told(library):
    async with running(library=library) as pilot:
        pilot.app.main.workspace.player = "Cy"
        await press(pilot, "5", "r")
        await until(pilot, lambda: "Cy met no early position in two games" in told(pilot))
