"""First moves: the engine's answers, and what comes back from the disk in another run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.judged_openings import judged_openings
from hextui.engine.search.tree_search import SearchedMove, searched_moves
from hextui.engine.solver import opening_map, solution_cache
from hextui.engine.solver.opening_map import OpeningMap
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import JudgeOpenings, OpeningsJudged
from tests.oracles.play import winning_moves

BOARD, LIMIT = Board(3, 3), Limit(visits=40)
JUDGED_BY = "hextui.engine.search.judged_openings.judged_by"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "solved.sqlite"


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The first moves that are searched; what follows each is worth a little more."""
    found: list[int] = []

    def search(search: object, position: object, *rest: object) -> list[SearchedMove]:
        found.append(len(found))
        return [SearchedMove(0, 0.3 + len(found) / 64, False, 5, (0,))]

    monkeypatch.setattr("hextui.engine.search.tree_search.searched_moves", search)
    return found


def judged(
    path: Path, limit: Limit = LIMIT, openings: OpeningMap | None = None
) -> dict[int, float]:
    """What a new run is told of each first move."""
    kept = SolutionCache(path)
    openings = openings or OpeningMap(BOARD)
    told = {one.cell: one.win_probability for one in judged_openings(openings, limit, kept)}
    kept.close()
    assert kept.problem == ""
    return told


def test_what_was_judged_comes_back_in_another_run(path: Path, searched: list[int]) -> None:
    first = judged(path)
    assert len(first) == len(OpeningMap(BOARD).openings) == len(searched)
    assert judged(path) == first
    assert len(searched) == len(first)


def test_a_run_that_was_stopped_is_gone_on_with(path: Path, searched: list[int]) -> None:
    begun = judged_openings(OpeningMap(BOARD), LIMIT, SolutionCache(path))
    two = [next(begun), next(begun)]
    rest = judged(path)
    assert [rest[one.cell] for one in two] == [one.win_probability for one in two]
    assert len(searched) == len(rest)


def test_boards_and_numbers_of_looks_are_kept_apart(path: Path, searched: list[int]) -> None:
    here = judged(path)
    more = judged(path, Limit(visits=41))
    there = judged(path, openings=OpeningMap(Board(3, 4)))
    assert len(searched) == len(here) + len(more) + len(there)
    assert (judged(path), judged(path, Limit(visits=41))) == (here, more)


def test_a_search_of_seconds_is_not_kept(path: Path, searched: list[int]) -> None:
    for _ in range(2):
        found = judged(path, Limit(seconds=0.01))
    assert len(searched) == 2 * len(found)


def test_a_proof_that_came_since_is_told_instead(path: Path, searched: list[int]) -> None:
    first = judged(path)
    decided = OpeningMap(BOARD)
    cell = decided.openings[0].cell
    decided.decide(cell, Color.BLACK, 1, 0.0, "search")
    assert judged(path, openings=decided) == {**first, cell: 1.0}


def test_what_another_network_has_judged_is_judged_again(
    path: Path, searched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = judged(path)
    monkeypatch.setattr(JUDGED_BY, lambda: "another network")
    assert judged(path) != first
    assert len(searched) == 2 * len(first)


@pytest.mark.parametrize(
    "entry", [[], {}, 7, [0.5], ["much", False], [2.0, False], [0.5, "no"], [0.5, False, 1]]
)
def test_an_entry_of_another_shape_is_reported_and_searched_again(
    path: Path, searched: list[int], monkeypatch: pytest.MonkeyPatch, entry: Any
) -> None:
    kept = SolutionCache(path)
    put_entry = SolutionCache.put_entry
    monkeypatch.setattr(
        SolutionCache, "put_entry", lambda cache, key, _: put_entry(cache, key, entry)
    )
    list(judged_openings(OpeningMap(BOARD), LIMIT, kept))
    monkeypatch.undo()
    monkeypatch.setattr(
        "hextui.engine.search.tree_search.searched_moves",
        lambda *_: [SearchedMove(0, 0.25, False, 5, (0,))],
    )
    found = list(judged_openings(OpeningMap(BOARD), LIMIT, kept))
    assert {one.win_probability for one in found} == {0.75}
    assert "dropped, it was damaged" in kept.new_problem()


SMALL, WIDE = Board(3, 4), Limit(visits=200)


@pytest.fixture
def answerer(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnAnswerer]:
    monkeypatch.setattr(solution_cache, "default_path", lambda: path)
    monkeypatch.setattr(opening_map, "_table", dict)  # so everything is searched
    made = OwnAnswerer()
    yield made
    made.close()


def answers_to(
    answerer: OwnAnswerer, question: JudgeOpenings, most: int = 99
) -> list[OpeningsJudged]:
    """Return the answers to a question, which is stopped after so many."""
    found: list[OpeningsJudged] = []
    for one in answerer.answers(question, lambda: len(found) >= most):
        assert isinstance(one, OpeningsJudged)
        found.append(one)
    return found


def test_the_first_moves_that_are_to_be_swapped_are_those_that_win(answerer: OwnAnswerer) -> None:
    answers = answers_to(answerer, JudgeOpenings(Position.empty(SMALL), WIDE))
    last = answers[-1].openings
    assert [len(answer.openings) for answer in answers] == list(range(1, len(last) + 1))
    assert all(answer.total == len(last) for answer in answers)
    cells = {cell for one in last for cell in (one.cell, SMALL.rotate(one.cell))}
    assert cells == set(range(SMALL.cells))
    swaps = {c for one in last if one.swap for c in (one.cell, SMALL.rotate(one.cell))}
    assert swaps == set(winning_moves(Position.empty(SMALL)))
    assert all(one.proved and one.win_probability in (0, 1) for one in last)


def test_once_stopped_it_goes_on_with_those_that_are_left(
    answerer: OwnAnswerer, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = answers_to(answerer, JudgeOpenings(Position.empty(SMALL), WIDE))[-1]
    monkeypatch.setattr(JUDGED_BY, lambda: "another network")
    *_, begun = answers_to(answerer, JudgeOpenings(Position.empty(SMALL), WIDE), most=2)
    assert len(begun.openings) == 2
    searched: list[Position] = []

    def noted(search, position, *rest):
        searched.append(position)
        return searched_moves(search, position, *rest)

    monkeypatch.setattr("hextui.engine.search.tree_search.searched_moves", noted)
    rest = answers_to(answerer, JudgeOpenings(Position.empty(SMALL), WIDE, begun.openings))
    assert rest[-1] == whole
    assert len(searched) == whole.total - 2
