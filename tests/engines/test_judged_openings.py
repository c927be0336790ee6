"""What the engine says of first moves: it grows, stops, goes on, agrees with exhaustive play."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.front import searched_moves
from hextui.engine.solver import opening_map, solution_cache
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import JudgeOpenings, OpeningsJudged
from tests.oracles.play import winning_moves

BOARD, LIMIT = Board(3, 4), Limit(nodes=200)


@pytest.fixture
def answerer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnAnswerer]:
    monkeypatch.setattr(solution_cache, "default_path", lambda: tmp_path / "solved.sqlite")
    monkeypatch.setattr(opening_map, "_table", dict)  # so everything is searched
    made = OwnAnswerer()
    yield made
    made.close()


def judged(answerer: OwnAnswerer, question: JudgeOpenings, most: int = 99) -> list[OpeningsJudged]:
    """Return the answers to a question, which is stopped after so many."""
    found: list[OpeningsJudged] = []
    for one in answerer.answers(question, lambda: len(found) >= most):
        assert isinstance(one, OpeningsJudged)
        found.append(one)
    return found


def test_the_first_moves_that_are_to_be_swapped_are_those_that_win(answerer: OwnAnswerer) -> None:
    answers = judged(answerer, JudgeOpenings.of(BOARD, LIMIT))
    last = answers[-1].openings
    assert [len(answer.openings) for answer in answers] == list(range(1, len(last) + 1))
    assert all(answer.total == len(last) for answer in answers)
    cells = {cell for one in last for cell in (one.cell, BOARD.rotate(one.cell))}
    assert cells == set(range(BOARD.cells))
    swaps = {c for one in last if one.swap for c in (one.cell, BOARD.rotate(one.cell))}
    assert swaps == set(winning_moves(Position.empty(BOARD)))
    assert all(one.proved and one.chance in (0, 1) for one in last)


def test_once_stopped_it_goes_on_with_those_that_are_left(
    answerer: OwnAnswerer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = judged(answerer, JudgeOpenings.of(BOARD, LIMIT))[-1]
    (tmp_path / "judged.json").unlink()
    *_, begun = judged(answerer, JudgeOpenings.of(BOARD, LIMIT), most=2)
    assert len(begun.openings) == 2
    searched: list[Position] = []

    def noted(search, position, *rest):
        searched.append(position)
        return searched_moves(search, position, *rest)

    monkeypatch.setattr("hextui.engine.search.front.searched_moves", noted)
    rest = judged(answerer, JudgeOpenings.of(BOARD, LIMIT, begun.openings))
    assert rest[-1] == whole
    assert len(searched) == whole.total - 2
