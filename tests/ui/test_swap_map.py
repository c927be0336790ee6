"""The swap map: what each first move is worth, on the board while it is looked at."""

import threading

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.engines.questions import JudgeOpenings, OpeningsJudged
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, board_view, legend
from hextui.ui.drawing.swap_map import SwapMap, swap_marks, swap_verdicts, swap_words
from hextui.words.names import Names
from tests.oracles.play import winning_moves

from .helpers import become, game, press, running, settle, shown, until
from .resting import threads_go_on

BOARD = Board(3, 3)
EMPTY_BOARD = Position.empty(BOARD)
A1, B1, C1, A2, B2 = range(5)
JUDGED = (
    JudgedOpening(B2, 1.0, True),
    JudgedOpening(A1, 0.0, True),
    JudgedOpening(B1, 0.623, False),
    JudgedOpening(C1, 0.497, False),
    JudgedOpening(A2, 0.999, False),
)
WHOLE = SwapMap(BOARD, JUDGED, 5)


def test_a_chance_stands_on_a_cell_and_on_the_turned_one_in_the_colour_that_leads() -> None:
    marks = swap_marks(EMPTY_BOARD, WHOLE)
    assert {cell: (mark.text, mark.tint) for cell, mark in marks.items()} == {
        B1: ("62", Color.BLACK),
        BOARD.rotate(B1): ("62", Color.BLACK),
        C1: ("50", Color.WHITE),
        BOARD.rotate(C1): ("50", Color.WHITE),
        A2: ("99", Color.BLACK),
        BOARD.rotate(A2): ("99", Color.BLACK),
    }
    assert marks[A2].strength > marks[B1].strength > marks[C1].strength > 0


def test_a_move_to_be_swapped_never_says_50() -> None:
    known = SwapMap(BOARD, (JudgedOpening(B1, 0.501, False),), 5)
    assert swap_marks(EMPTY_BOARD, known)[B1].text == "51"


def test_what_is_proved_is_a_verdict_and_no_chance() -> None:
    assert swap_verdicts(EMPTY_BOARD, WHOLE) == {B2: True, A1: False, BOARD.rotate(A1): False}


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (B1, "b1 wins 62 %: swap"),
        (BOARD.rotate(C1), "a3 wins 50 %: play on"),
        (B2, "b2 wins, proved: swap"),
        (A1, "a1 loses, proved: play on"),
    ],
)
def test_of_the_first_move_on_the_board_it_says_whether_to_swap(first: int, words: str) -> None:
    after = Position(BOARD, EMPTY_BOARD.play(first).stones, Color.WHITE, swap_legal=True)
    assert swap_words(after, WHOLE, "+", Names.RED_BLUE).split("  ") == [
        words,
        "Red wins, %",
        "over 50: swap",
        "+ dim: proved",
    ]


def test_as_long_as_some_are_not_judged_it_says_how_many_are() -> None:
    begun = SwapMap(BOARD, JUDGED[2:3], 5)
    assert "  1 of 5 judged  " in swap_words(EMPTY_BOARD, begun, "+", Names.RED_BLUE)
    after = Position(BOARD, EMPTY_BOARD.play(B2).stones, Color.WHITE, swap_legal=True)
    assert swap_words(after, begun, "+", Names.RED_BLUE).startswith(
        "b2: not judged yet  1 of 5 judged  "
    )
    assert swap_words(EMPTY_BOARD, None, "+", Names.RED_BLUE) == "swap map: asking"
    failed = SwapMap(BOARD, note="the engine was killed")
    assert swap_words(EMPTY_BOARD, failed, "+", Names.RED_BLUE) == "swap map: the engine was killed"


def test_the_board_shows_it_at_the_first_move_and_the_swap_alone() -> None:
    session, choice = game("b1", "c3", side=3), DisplayOptions(overlay=Overlay.SWAP, swap_map=WHOLE)
    of_blue = {B2: False}  # a proved move of Blue says nothing of Red's first moves
    view = board_view(session, choice, None, of_blue)
    assert view.marks[B1].text == "62"
    assert view.verdicts[B2] is True
    session.forward()
    view = board_view(session, choice, None, of_blue)
    assert B1 not in view.marks
    assert view.verdicts[B2] is True
    assert legend(view, choice).startswith("b1 wins 62 %: swap")
    session.forward()
    view = board_view(session, choice, None, {})
    assert not view.marks
    assert not view.verdicts
    assert legend(view, choice) == "swap map: of the first move alone"
    other = board_view(game(side=4), choice)
    assert not other.marks, "it is a map of another board"
    joined = board_view(
        game(side=3), DisplayOptions(overlay=Overlay.SWAP, connected=Connected(Color.BLACK))
    )
    assert not joined.marks


async def test_the_engine_judges_first_moves_and_the_board_shows_them() -> None:
    async with running(game("b2", side=3)) as pilot:
        main = pilot.app.main
        await press(pilot, "o", "8")
        await until(pilot, lambda: len(main.board.view.verdicts) == BOARD.cells)
        wins = {cell for cell, wins in main.board.view.verdicts.items() if wins}
        assert wins == set(winning_moves(EMPTY_BOARD))
        await press(pilot, "n")
        await until(pilot, lambda: "b2 wins, proved: swap" in shown(pilot))


class Lane:
    """A lane that judges one first move and then another, when the test lets it."""

    def __init__(self) -> None:
        self.asked: list[JudgeOpenings] = []
        self.go_on = threading.Semaphore(0)
        self.ended = 0

    def __call__(self) -> "Lane":
        return self

    def answers(self, question, stop):
        self.asked.append(question)
        openings = question.judged
        yield Progress(1, 4, "compiling")
        for one in JUDGED[len(openings) :]:
            while not self.go_on.acquire(timeout=0.01):
                if stop():
                    self.ended += 1
                    return
            openings = (*openings, one)
            yield OpeningsJudged(openings, len(JUDGED))
        self.ended += 1

    def close(self) -> None:
        pass


async def test_it_ends_where_it_is_not_looked_at_and_goes_on_where_it_is() -> None:
    lane = Lane()
    with threads_go_on():
        async with running(game("b1", "c3", side=3), open_lane=lane) as pilot:
            main = pilot.app.main
            main.analysis_actions.take_overlay(Overlay.SWAP)
            await become(pilot, lambda: "swap map: 1 of 4 compiling" in shown(pilot))
            lane.go_on.release(3)
            await become(pilot, lambda: "3 of 5 judged" in shown(pilot))
            await press(pilot, "n", "n")
            await become(pilot, lambda: lane.ended == 1)
            await press(pilot, "p")
            await become(pilot, lambda: len(lane.asked) == 2)
            assert lane.asked[1].judged == JUDGED[:3]
            lane.go_on.release(2)
            await become(pilot, lambda: lane.ended == 2)
            await become(pilot, lambda: "b1 wins 62 %: swap" in shown(pilot))
            await press(pilot, "p")
            await settle(pilot)
            assert len(lane.asked) == 2, "all are judged, so nobody is asked"
            assert "50" in {mark.text for mark in main.board.view.marks.values()}


async def test_without_an_engine_it_says_so() -> None:
    async with running(game(side=3), open_lane=None) as pilot:
        await press(pilot, "o", "8")
        await until(pilot, lambda: "swap map: no engine" in shown(pilot))
