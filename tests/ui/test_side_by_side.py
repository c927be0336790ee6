"""Two boards beside each other, letters on the best moves, and the agreement panel."""

from hextui.engine.ranking import rank_by_value
from hextui.ui.drawing.geometry import View
from hextui.ui.drawing.overlays import Overlay, letter_heat, letter_marks

from .helpers import analysing, game, give_focus, press, ranking, resize, shown, tell, told

MOVES = ("a1", "b2", "c3", "d4")


def rankings(position):
    return {
        "k-paths:1": ranking("k-paths:1", position, ["c3", "b2"]),
        "resistance": ranking("resistance", position, ["d4", "c3"]),
    }


async def test_two_boards_show_two_evaluators_and_share_the_cursor():
    session = game(*MOVES)
    session.first()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main = pilot.app.main
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        assert not main.second_board.display
        await press(pilot, "3")
        assert main.second_board.display
        labels = [board.view.labels for board in (main.board, main.second_board)]
        board = session.board
        assert labels[0][board.cell("c3")] == "1"
        assert labels[1][board.cell("d4")] == "1"
        assert labels[1][board.cell("c3")] == "2"
        assert [b.caption for b in (main.board, main.second_board)] == ["k-paths:1", "resistance"]
        assert "resistance" in shown(pilot)
        await press(pilot, "down", "right")
        assert main.board.view.cursor == main.second_board.view.cursor == session.cursor
        await give_focus(pilot, main.second_board)
        await press(pilot, "up")
        assert main.board.view.cursor == main.second_board.view.cursor == session.cursor
        await press(pilot, "y")
        assert main.second_board.caption == "k-paths:1"
        await press(pilot, "n", "n", "r")
        assert main.board.view.position == main.second_board.view.position == session.position
        assert main.board.turned is main.second_board.turned is View.ROTATED
        await press(pilot, "1")
        assert not main.second_board.display
        assert main.board.caption == ""


async def test_a_small_terminal_has_one_board():
    async with analysing(game(*MOVES, side=11), (140, 45)) as (pilot, _):
        second = pilot.app.main.second_board
        await press(pilot, "3")
        for size, there in (((80, 24), False), ((140, 45), True), ((80, 24), False)):
            await resize(pilot, *size)
            assert second.display == there
        await press(pilot, "1", "3")
        assert "no room" in told(pilot)
        await press(pilot, "y")
        assert "one board" in told(pilot)


def test_letters_by_hand():
    found = {
        "x": rank_by_value("x", {0: 3.0, 1: 2.0, 2: 1.0}),
        "y": rank_by_value("y", {0: 3.0, 1: 3.0, 2: 1.0}),
        "z": rank_by_value("z", {0: 4.0, 1: 3.0, 2: 1.0}),
        "all the same": rank_by_value("all the same", dict.fromkeys(range(9), 1.0)),
    }
    marks = {cell: mark.text for cell, mark in letter_marks(found).items()}
    assert marks == {0: "A+", 1: "B "}
    del found["z"], found["all the same"]
    marks = {cell: mark.text for cell, mark in letter_marks(found).items()}
    assert marks == {0: "AB", 1: "B "}
    assert letter_heat(found).values == {0: 1.0, 1: 1.0, 2: 1.0}


async def test_the_overlay_and_the_panel_use_the_same_letters():
    session = game(*MOVES)
    session.first()
    async with analysing(session, (100, 30)) as (pilot, analyst):
        main = pilot.app.main
        main.workspace.choose(overlay=Overlay.LETTERS)
        main.workspace.bring("agree")
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        board = session.board
        assert main.board.view.marks[board.cell("c3")].text == "A "
        assert main.board.view.marks[board.cell("d4")].text == "B "
        text = shown(pilot)
        assert "A paths:1" in text
        assert "B resist" in text
        line = next(line for line in text.splitlines() if "A B " in line)
        assert line.rstrip().endswith("of 5")
        assert session.next_cell is not None
        played = board.name(session.next_cell)
        assert text.count(f"rank of {played}") == 1
        one = {"k-paths:1": rankings(session.position)["k-paths:1"]}
        await tell(pilot, analyst, rankings=one, final=True)
        assert "Choose two evaluators" in shown(pilot)
