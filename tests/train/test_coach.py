"""The coach: remarks on proved blunders and on large estimated losses, each once, and no others."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.engine.ranking import rank_by_value
from hextui.engine.verdicts import Verdicts
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine import EngineError
from hextui.engines.questions import Judge, Judged, Proved, Question
from hextui.records.record import Record
from hextui.text import Names
from hextui.train.coach import SEARCH, Coach
from tests.oracles.winners import Exhaustive

FOUR, FIVE = Board(4, 4), Board(5, 5)


def record_of(board: Board, moves: str, swap: bool = False) -> Record:
    record = Record.of_moves(board, [Move.parse(name, board) for name in moves.split()])
    if not swap:
        record.root.properties["RU"] = ("no swap",)
    return record


def judged(coach: Coach, record: Record, ply: int) -> None:
    """Have the coach judge the newest positions at a ply."""
    ended = threading.Event()
    coach.judge(record, record.node_at(ply), ended.set)
    assert ended.wait(60)


class SearchLane:
    """Answers with these win probabilities of the side to move, by ply, and proves nothing."""

    def __init__(self, *rates: float) -> None:
        self.rates = rates

    def answers(self, question: Question[Any], stop: Any = None) -> Iterator[Any]:
        position = question.position
        if not isinstance(question, Judge):
            yield Proved(None)
            return
        values = dict.fromkeys(position.empties, 0.0)
        values[position.empties[-1]] = self.rates[plies(position)]
        yield Judged(None, {SEARCH: rank_by_value(SEARCH, values)})

    def close(self) -> None:
        pass


def plies(position: Position) -> int:
    return position.board.cells - len(position.empties)


def by_search(*rates: float, color: Color = Color.BLACK) -> Coach:
    return Coach(color, lambda: SearchLane(*rates), Verdicts())


@pytest.mark.parametrize("color", Color)
def test_what_is_proved_to_give_a_win_away_is_said_and_nothing_else(color: Color) -> None:
    record = record_of(FOUR, "b2 a3 d4 c3 c2 b3 d1 a4")
    solver, coach = Exhaustive(FOUR), Coach(color, OwnAnswerer, Verdicts())
    said = set()
    for ply in range(record.plies + 1):
        judged(coach, record, ply)
        node = record.node_at(ply)
        remark = coach.remark(record, node)
        if remark is not None:
            assert remark.is_proved
            assert remark.node is node
            assert "gives the win away (proved)." in remark.words(Names.RED_BLUE)
            said.add(ply)
        assert coach.remark(record, node) is None, "it is said once"
    winners = [solver.winner(record.position(ply=ply)) for ply in range(record.plies + 1)]
    lost = {
        ply
        for ply in range(1, record.plies + 1)
        if record.position(ply=ply).to_move is not color
        and winners[ply - 1] is color
        and winners[ply] is not color
    }
    assert said == lost
    assert lost


def test_a_loss_by_the_search_is_named_an_estimate() -> None:
    record = record_of(FIVE, "c3 d2 b4")
    coach = by_search(0.5, 0.55, 0.7, 0.5)
    judged(coach, record, 2)
    assert coach.remark(record, record.node_at(2)) is None
    judged(coach, record, 3)
    remark = coach.remark(record, record.node_at(3))
    assert remark is not None
    assert not remark.is_proved
    assert remark.words(Names.RED_BLUE) == (
        "Coach: 3. b4 loses 20% win probability (estimate: 70% to 50%)."
    )


@pytest.mark.parametrize("after", [0.41, 0.2])
def test_small_losses_are_not_worth_a_remark(after: float) -> None:
    record = record_of(FIVE, "c3 d2 b4")
    coach = by_search(0.5, 0.55, 0.7, after)
    judged(coach, record, 3)
    assert coach.remark(record, record.node_at(3)) is None


def test_a_first_stone_is_judged_by_the_swap_rule_once_it_is_answered() -> None:
    record = record_of(FIVE, "c3 swap-pieces", swap=True)
    coach = by_search(0.9, 0.1, 0.9)
    judged(coach, record, 1)
    assert coach.remark(record, record.node_at(1)) is None
    judged(coach, record, 2)
    remark = coach.remark(record, record.node_at(2))
    assert remark is not None
    assert remark.node is record.node_at(1)
    assert remark.words(Names.RED_BLUE) == (
        "Coach: 1. c3: gives 90% to the side that swaps (estimate)."
    )


def test_who_should_have_swapped_hears_it_at_once() -> None:
    record = record_of(FIVE, "c3 d2", swap=True)
    coach = by_search(0.9, 0.1, 0.9, color=Color.WHITE)
    judged(coach, record, 1)
    judged(coach, record, 2)
    remark = coach.remark(record, record.node_at(2))
    assert remark is not None
    assert "should have swapped 1. c3, worth 90% (estimate)." in remark.words(Names.RED_BLUE)


def test_what_is_proved_already_needs_no_judgement() -> None:
    solver, empty = Exhaustive(FOUR), Position.empty(FOUR)
    win = FOUR.name(min(solver.winning_moves(empty)))
    loss = next(FOUR.name(cell) for cell in range(FOUR.cells) if FOUR.name(cell) != win)
    record = record_of(FOUR, f"{win} {loss}")
    for color, ply in ((Color.BLACK, 1), (Color.WHITE, 2)):  # it keeps its win, or has lost
        coach = Coach(color, OwnAnswerer, Verdicts())
        assert coach.needs_to_judge(record, record.node_at(ply))
        judged(coach, record, ply)
        assert not coach.needs_to_judge(record, record.node_at(ply))


def test_an_engine_that_fails_ends_the_judgement_without_a_remark() -> None:
    class Failing(SearchLane):
        def answers(self, question: Question[Any], stop: Any = None) -> Iterator[Any]:
            raise EngineError("the engine is gone")
            yield

    record = record_of(FIVE, "c3")
    coach = Coach(Color.BLACK, Failing, Verdicts())
    judged(coach, record, 1)
    assert coach.remark(record, record.node_at(1)) is None
