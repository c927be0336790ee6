"""Reviews of many games: each is made once and stored at once, the same from any worker."""

import json
import tempfile
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from hextui.analysis import review_run
from hextui.analysis.review_run import ReviewBudget, ReviewRun, ReviewTask, review
from hextui.analysis.stored_analysis import ReviewStore, review_entry
from hextui.records.codecs.sgf import read_sgf
from hextui.runs.claims import Claims

GAMES = [f"(;GM[11]SZ[4];B[a1];W[d4];B[d1];W[a4];B[a2];W[d3];B[{last}])" for last in ("b3", "c2")]
BUDGET = ReviewBudget(("resistance",), 0.5)


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as threads:
        yield threads


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> list[ReviewTask]:
    """The tasks that were done."""
    done: list[ReviewTask] = []

    def noting(task: ReviewTask):
        done.append(task)
        return review(task)

    monkeypatch.setattr(review_run, "review", noting)
    return done


def test_a_game_that_another_program_reviews_is_taken_over(
    tmp_path: Path, executor: Executor, tasks: list[ReviewTask]
) -> None:
    """The other program is a second set of claims that is asked what it holds."""
    records = dict(enumerate(map(read_sgf, GAMES)))
    path = tmp_path / "reviews.sqlite"
    with closing(ReviewStore(path)) as store, closing(ReviewStore(path)) as others:

        class Shared(Claims):
            """Claims of which another program has the first game, and reviews it meanwhile."""

            def claim(self, key: bytes) -> bool:
                return key != first or bool(waited)

            def release(self, key: bytes) -> None:
                pass

            def wait(self, key: bytes) -> None:
                waited.append(key)
                theirs = ReviewRun(others, None)
                list(theirs.reviewed({0: records[0]}, BUDGET, executor, 1))

        waited: list[bytes] = []
        first = review_run.key_of(records[0])
        run = ReviewRun(store, Shared(tmp_path / "claims"))
        numbers = [number for number, _ in run.reviewed(records, BUDGET, executor, 2)]
        assert numbers == [1, 0]
        assert waited == [first]
        assert len(tasks) == 2, "each game is reviewed once"
        assert run.known(records[0]).is_complete(BUDGET)


def test_a_game_that_is_there_twice_is_reviewed_once(
    tmp_path: Path, executor: Executor, tasks: list[ReviewTask]
) -> None:
    records = {number: read_sgf(GAMES[0]) for number in range(3)}
    with closing(ReviewStore(tmp_path / "reviews.sqlite")) as store:
        claims = Claims(tmp_path / "claims")
        run = ReviewRun(store, claims)
        entries = {}
        for number, game in run.reviewed(records, BUDGET, executor, 3):
            entries[number] = review_entry(game.positions, game.estimates)
        claims.close()
    assert len(tasks) == 1
    assert set(entries) == {0, 1, 2}
    assert entries[0] == entries[1] == entries[2]


def test_what_is_kept_survives_an_error_in_the_next_game(
    tmp_path: Path, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = dict(enumerate(map(read_sgf, GAMES)))

    def failing(task: ReviewTask):
        if task.record is records[1]:
            raise OSError("no space")
        return review(task)

    monkeypatch.setattr(review_run, "review", failing)
    with closing(ReviewStore(tmp_path / "reviews.sqlite")) as store:
        run = ReviewRun(store, None)
        with pytest.raises(OSError, match="no space"):
            list(run.reviewed(records, BUDGET, executor, 1))
        assert run.known(records[0]).is_complete(BUDGET)
        assert not run.known(records[1]).is_complete(BUDGET)


def test_a_review_makes_no_file_that_a_killed_worker_would_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    assert not review(ReviewTask(read_sgf(GAMES[0]), EMPTY, BUDGET)).failure


def test_a_review_does_not_depend_on_what_was_solved_before() -> None:
    """Not even on the disk: the second time, and after the other game, nothing differs."""
    records = list(map(read_sgf, GAMES))
    entries = []
    for record in (*records, *reversed(records)):
        entries.append(json.dumps(review(ReviewTask(record, EMPTY, BUDGET)).entry))
    assert entries == entries[::-1]


EMPTY = {"spent": 0.0, "evaluators": {}, "plies": []}
