"""The worker: the newest request wins, late answers are marked, results are kept."""

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hextui.analysis import Analyst, Snapshot
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engines.own.stages import Stop

WAIT = 120.0


class Ear:
    """Collects snapshots."""

    def __init__(self) -> None:
        self.heard: queue.Queue[Snapshot] = queue.Queue()

    def until_final(self, generation: int) -> list[Snapshot]:
        snapshots = []
        while True:
            snapshot = self.heard.get(timeout=WAIT)
            snapshots.append(snapshot)
            if snapshot.generation == generation and (snapshot.final or snapshot.error):
                return snapshots


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def analyst(ear: Ear) -> Iterator[Analyst]:
    analyst = Analyst(ear.heard.put, ["k-paths:1", "resistance"])
    yield analyst
    analyst.close()
    assert "analyst" not in {thread.name for thread in threading.enumerate()}


def test_a_request_is_answered_to_the_end(analyst: Analyst, ear: Ear) -> None:
    position = Position.empty(Board(5, 5))
    last = ear.until_final(analyst.request(position))[-1]
    assert last.position == position
    assert list(last.rankings) == ["k-paths:1", "resistance"]


def test_an_evaluator_that_is_none_is_told_and_left_out(analyst: Analyst, ear: Ear) -> None:
    position = Position.empty(Board(4, 4))
    analyst.choose_evaluators(["resistance", "k-paths:9", "nobody"])
    generation = analyst.request(position)
    errors = [ear.heard.get(timeout=WAIT).error or "" for _ in range(2)]
    assert "k-paths:9" in errors[0]
    assert "nobody" in errors[1]
    assert list(ear.until_final(generation)[-1].rankings) == ["resistance"]
    assert analyst.evaluators == ("resistance",)


def test_positions_that_a_held_key_passes_are_not_analysed(analyst: Analyst, ear: Ear) -> None:
    board = Board(4, 4)
    ear.until_final(analyst.request(Position.empty(board)))
    for cell in range(10):
        last = analyst.request(Position.empty(board).play(cell))
        time.sleep(0.01)
    heard = {snapshot.generation for snapshot in ear.until_final(last)}
    assert heard <= {last - 9, last}
    assert last in heard


def test_nothing_is_begun_while_the_screen_has_the_way(analyst: Analyst, ear: Ear) -> None:
    board = Board(4, 4)
    ear.until_final(analyst.request(Position.empty(board)))
    until = time.monotonic() + 0.3
    analyst.give_way(until)
    analyst.request(Position.empty(board).play(1))
    ear.heard.get(timeout=WAIT)
    assert time.monotonic() >= until


def test_a_stage_at_work_rests_while_the_screen_has_the_way(ear: Ear) -> None:
    rested = []

    def stage(snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        until = time.monotonic() + 0.2
        analyst.give_way(until)
        assert not stop()
        rested.append(time.monotonic() >= until)
        yield snapshot

    analyst = Analyst(ear.heard.put, ["resistance"], later=lambda: [stage])
    ear.until_final(analyst.request(Position.empty(Board(3, 3))))
    analyst.close()
    assert rested == [True]


def test_the_newest_request_wins(analyst: Analyst, ear: Ear) -> None:
    board = Board(6, 6)
    generations = [analyst.request(Position.empty(board).play(cell)) for cell in range(30)]
    snapshots = ear.until_final(generations[-1])
    for snapshot in snapshots:
        assert snapshot.position == Position.empty(board).play(snapshot.generation - 1)
    numbers = [snapshot.generation for snapshot in snapshots]
    assert numbers == sorted(numbers)
    assert len({s.generation for s in snapshots if s.final}) < len(generations)


def test_what_was_finished_comes_back_at_once(analyst: Analyst, ear: Ear) -> None:
    first = Position.empty(Board(5, 5))
    done = ear.until_final(analyst.request(first))[-1]
    ear.until_final(analyst.request(first.play(3)))
    (again,) = ear.until_final(analyst.request(first))
    assert again.rankings is done.rankings
    assert again.generation == done.generation + 2


def test_what_is_kept_is_bounded(
    analyst: Analyst, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(5, 5)
    first = ear.until_final(analyst.request(Position.empty(board)))[-1]
    one = sum(table.nbytes for table in first.connections.values())
    monkeypatch.setattr("hextui.analysis.analyst.KEPT_BYTES", 3 * one)
    for cell in range(8):
        ear.until_final(analyst.request(Position.empty(board).play(cell)))
    assert len(ear.until_final(analyst.request(Position.empty(board).play(7)))) == 1
    assert len(ear.until_final(analyst.request(Position.empty(board)))) > 1


def test_other_evaluators_are_other_results(analyst: Analyst, ear: Ear) -> None:
    position = Position.empty(Board(4, 4))
    ear.until_final(analyst.request(position))
    analyst.choose_evaluators(["two-distance"])
    last = ear.until_final(analyst.request(position))[-1]
    assert list(last.rankings) == ["two-distance"]


def test_boards_of_several_sizes_follow_each_other(analyst: Analyst, ear: Ear) -> None:
    for board in (Board(4, 5), Board(3, 3), Board(5, 4)):
        last = ear.until_final(analyst.request(Position.empty(board)))[-1]
        assert last.error is None


def test_after_cancel_nothing_more_comes(analyst: Analyst, ear: Ear) -> None:
    generation = analyst.request(Position.empty(Board(9, 9)))
    analyst.cancel()
    last = ear.until_final(analyst.request(Position.empty(Board(3, 3))))
    assert not any(s.final for s in last if s.generation == generation)


def test_an_error_in_the_engine_reaches_the_screen(ear: Ear) -> None:
    analyst = Analyst(ear.heard.put, ["no such evaluator"])
    last = ear.until_final(analyst.request(Position.empty(Board(3, 3))))[-1]
    assert last.error is not None
    assert "no such evaluator" in last.error
    analyst.close()


def test_the_analysis_room_starts_without_numba_or_the_screen() -> None:
    code = (
        "import hextui.analysis, sys;"
        "print([m for m in ('numba', 'networkx', 'textual') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_position_asked_again_is_taken_up_by_the_later_stages() -> None:
    ear = Ear()
    seen = []

    def stage(snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        seen.append(snapshot)
        yield replace(snapshot, must_play=frozenset({len(seen)}))

    analyst = Analyst(ear.heard.put, ["resistance"], later=lambda: (stage,))
    position = Position.empty(Board(4, 4))
    ear.until_final(analyst.request(position))
    kept = ear.until_final(analyst.request(position))
    again = ear.until_final(analyst.request(position, again=True))
    analyst.close()
    assert len(kept) == 1
    assert [snapshot.final for snapshot in again] == [False, False, True]
    assert [snapshot.must_play for snapshot in seen] == [seen[0].must_play, frozenset({1})]
    assert again[-1].must_play == frozenset({2})
