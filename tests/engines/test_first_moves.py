"""First moves: the engine's answers, and what comes back from the disk in another run."""

import json
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.front import searched_moves
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.engine.search.tree_search import SearchedMove
from hextui.engine.solver import opening_map, solution_cache
from hextui.engine.solver.opening_map import OpeningMap
from hextui.engines import opening_cache
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.opening_cache import OpeningCache, judge_or_recall
from hextui.engines.questions import JudgeOpenings, OpeningsJudged
from tests.oracles.play import winning_moves

BOARD, LIMIT = Board(3, 3), Limit(nodes=40)


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The first moves that are searched; what follows each is worth a little more."""
    found: list[int] = []

    def search(search: object, position: object, *rest: object) -> list[SearchedMove]:
        found.append(len(found))
        return [SearchedMove(0, 0.3 + len(found) / 64, False, 5, (0,))]

    monkeypatch.setattr("hextui.engine.search.front.searched_moves", search)
    return found


def judged(
    path: Path, limit: Limit = LIMIT, openings: OpeningMap | None = None
) -> dict[int, float]:
    """What a new run is told of each first move."""
    cache = OpeningCache(path)
    found = judge_or_recall(openings or OpeningMap(BOARD), limit, cache)
    told = {one.cell: one.chance for one in found}
    assert cache.problem == ""
    return told


def test_what_was_judged_comes_back_in_another_run(tmp_path: Path, searched: list[int]) -> None:
    first = judged(tmp_path / "judged.json")
    assert len(first) == len(OpeningMap(BOARD).openings) == len(searched)
    assert judged(tmp_path / "judged.json") == first
    assert len(searched) == len(first)
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "judged.json").stat().st_mode) == 0o600


def test_a_run_that_was_stopped_is_gone_on_with(tmp_path: Path, searched: list[int]) -> None:
    path = tmp_path / "judged.json"
    begun = judge_or_recall(OpeningMap(BOARD), LIMIT, OpeningCache(path))
    two = [next(begun), next(begun)]
    rest = judged(path)
    assert [rest[one.cell] for one in two] == [one.chance for one in two]
    assert len(searched) == len(rest)


def test_boards_and_numbers_of_looks_are_kept_apart(tmp_path: Path, searched: list[int]) -> None:
    path = tmp_path / "judged.json"
    here = judged(path)
    more = judged(path, Limit(nodes=41))
    there = judged(path, openings=OpeningMap(Board(3, 4)))
    assert len(searched) == len(here) + len(more) + len(there)
    assert (judged(path), judged(path, Limit(nodes=41))) == (here, more)


def test_a_search_of_seconds_is_not_kept(tmp_path: Path, searched: list[int]) -> None:
    judged(tmp_path / "judged.json", Limit(seconds=0.01))
    assert not (tmp_path / "judged.json").exists()


def test_a_proof_that_came_since_is_told_instead(tmp_path: Path, searched: list[int]) -> None:
    first = judged(tmp_path / "judged.json")
    decided = OpeningMap(BOARD)
    cell = decided.openings[0].cell
    decided.decide(cell, Color.BLACK, 1, 0.0, "search")
    assert judged(tmp_path / "judged.json", openings=decided) == {**first, cell: 1.0}


def test_what_another_network_has_judged_is_judged_again(
    tmp_path: Path, searched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = judged(tmp_path / "judged.json")
    monkeypatch.setattr(opening_cache, "judged_by", lambda: "another network")
    assert judged(tmp_path / "judged.json") != first
    assert len(searched) == 2 * len(first)


def _with_other_chance(text: str) -> str:
    document = json.loads(text)
    document["judged"] = document["judged"].replace("0.", "0.0", 1)
    return json.dumps(document)


def _of_wrong_shape(judged: Any) -> Callable[[str], str]:
    """What makes of a file one with the right checksum that holds something else."""
    text = json.dumps(judged)
    return lambda before: json.dumps(
        json.loads(before) | {"judged": text, "checksum": zlib.crc32(text.encode())}
    )


DAMAGES: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "list": lambda text: "[]",
    "deep": lambda text: "[" * 200_000,
    "renamed": lambda text: text.replace("checksum", "other"),
    "changed": _with_other_chance,
    "no names": _of_wrong_shape([]),
    "no moves": _of_wrong_shape({"3x3 40": []}),
    "no cell": _of_wrong_shape({"3x3 40": {"z9": [0.5, False]}}),
    "no proof": _of_wrong_shape({"3x3 40": {"a1": [0.5]}}),
    "no number": _of_wrong_shape({"3x3 40": {"a1": ["much", False]}}),
    "no probability": _of_wrong_shape({"3x3 40": {"a1": [2.0, False]}}),
    "no truth": _of_wrong_shape({"3x3 40": {"a1": [0.5, "no"]}}),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_dropped_with_one_line(tmp_path: Path, damage, searched) -> None:
    path = tmp_path / "judged.json"
    judged(path)
    path.write_text(damage(path.read_text()))
    cache = OpeningCache(path)
    assert cache.get(BOARD, 40) == []
    assert cache.problem == f"{path}: dropped, it was damaged"
    cache.put(BOARD, 40, JudgedOpening(4, 0.75, False))
    assert OpeningCache(path).get(BOARD, 40) == [JudgedOpening(4, 0.75, False)]


def test_a_file_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "judged.json").mkdir()
    cache = OpeningCache(tmp_path / "judged.json")
    assert cache.get(BOARD, 40) == []
    cache.put(BOARD, 40, JudgedOpening(4, 0.75, False))
    assert len(cache.problem.splitlines()) == 1
    assert "judged.json" in cache.problem


SMALL, WIDE = Board(3, 4), Limit(nodes=200)


@pytest.fixture
def answerer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnAnswerer]:
    monkeypatch.setattr(solution_cache, "default_path", lambda: tmp_path / "solved.sqlite")
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
    answers = answers_to(answerer, JudgeOpenings.of(SMALL, WIDE))
    last = answers[-1].openings
    assert [len(answer.openings) for answer in answers] == list(range(1, len(last) + 1))
    assert all(answer.total == len(last) for answer in answers)
    cells = {cell for one in last for cell in (one.cell, SMALL.rotate(one.cell))}
    assert cells == set(range(SMALL.cells))
    swaps = {c for one in last if one.swap for c in (one.cell, SMALL.rotate(one.cell))}
    assert swaps == set(winning_moves(Position.empty(SMALL)))
    assert all(one.proved and one.chance in (0, 1) for one in last)


def test_once_stopped_it_goes_on_with_those_that_are_left(
    answerer: OwnAnswerer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = answers_to(answerer, JudgeOpenings.of(SMALL, WIDE))[-1]
    (tmp_path / "judged.json").unlink()
    *_, begun = answers_to(answerer, JudgeOpenings.of(SMALL, WIDE), most=2)
    assert len(begun.openings) == 2
    searched: list[Position] = []

    def noted(search, position, *rest):
        searched.append(position)
        return searched_moves(search, position, *rest)

    monkeypatch.setattr("hextui.engine.search.front.searched_moves", noted)
    rest = answers_to(answerer, JudgeOpenings.of(SMALL, WIDE, begun.openings))
    assert rest[-1] == whole
    assert len(searched) == whole.total - 2
