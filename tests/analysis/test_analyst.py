"""The analyst: the newest request wins, late answers are marked, a death costs an answer."""

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hextui.analysis.analyst import Analyst
from hextui.engine.board import Board, Color
from hextui.engine.connection import Connection
from hextui.engine.connections import find_connections
from hextui.engine.position import Position
from hextui.engines.limits import SolverBudget
from hextui.engines.process import EngineProcess
from hextui.engines.questions import ListConnections, Premises
from hextui.engines.snapshot import Snapshot

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


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    engine = EngineProcess(tmp_path_factory.mktemp("engine") / "engine.log")
    yield engine
    engine.close()


@pytest.fixture
def analyst(ear: Ear, engine: EngineProcess) -> Iterator[Analyst]:
    analyst = Analyst(ear.heard.put, engine.lane, ("k-paths:1", "resistance"))
    yield analyst
    analyst.close()


def test_a_request_is_answered_to_the_end(analyst: Analyst, ear: Ear) -> None:
    position = Position.empty(Board(5, 5))
    last = ear.until_final(analyst.request(position))[-1]
    assert last.position == position
    assert list(last.rankings) == ["k-paths:1", "resistance"]


def test_an_unknown_evaluator_is_reported_and_left_out(analyst: Analyst, ear: Ear) -> None:
    position = Position.empty(Board(4, 4))
    analyst.choose_evaluators(["resistance", "k-paths:x", "nobody"])
    generation = analyst.request(position)
    errors = [ear.heard.get(timeout=WAIT).error or "" for _ in range(2)]
    assert "k-paths:x" in errors[0]
    assert "nobody" in errors[1]
    assert list(ear.until_final(generation)[-1].rankings) == ["resistance"]
    assert analyst.evaluators == ("resistance",)


def test_the_newest_request_wins(analyst: Analyst, ear: Ear) -> None:
    board = Board(6, 6)
    generations = [analyst.request(Position.empty(board).play(cell)) for cell in range(30)]
    snapshots = ear.until_final(generations[-1])
    first = generations[0]
    for snapshot in snapshots:
        assert snapshot.position == Position.empty(board).play(snapshot.generation - first)
    numbers = [snapshot.generation for snapshot in snapshots]
    assert numbers == sorted(numbers)
    assert len({s.generation for s in snapshots if s.final}) < len(generations)


def test_what_was_finished_comes_back_at_once(analyst: Analyst, ear: Ear) -> None:
    first = Position.empty(Board(5, 5))
    done = ear.until_final(analyst.request(first))[-1]
    ear.until_final(analyst.request(first.play(3)))
    (again,) = ear.until_final(analyst.request(first))
    assert again.rankings == done.rankings
    assert again.generation > done.generation


def test_boards_of_several_sizes_follow_each_other(analyst: Analyst, ear: Ear) -> None:
    for board in (Board(4, 5), Board(3, 3), Board(5, 4)):
        last = ear.until_final(analyst.request(Position.empty(board)))[-1]
        assert last.error is None


def test_after_cancel_nothing_more_comes(analyst: Analyst, ear: Ear) -> None:
    generation = analyst.request(Position.empty(Board(9, 9)))
    analyst.cancel()
    last = ear.until_final(analyst.request(Position.empty(Board(3, 3))))
    assert not any(s.final for s in last if s.generation == generation)


def test_connections_are_looked_up_in_the_engine(analyst: Analyst) -> None:
    position = Position.empty(Board(5, 5)).play(12)
    table = find_connections(position, Color.BLACK)
    derived = [one for one in table if one.premises]
    heard: queue.Queue[tuple[Connection, ...]] = queue.Queue()
    analyst.look_up(ListConnections(position, Color.BLACK, None, 2, 5), heard.put)
    assert list(heard.get(timeout=WAIT)) == derived[2:7]
    analyst.look_up(Premises(position, Color.BLACK, derived[0].id), heard.put)
    expected = tuple(map(table.connection, derived[0].premises))
    assert heard.get(timeout=WAIT) == expected
    analyst.look_up(Premises(position, Color.BLACK, 1 << 20), heard.put)
    assert heard.get(timeout=WAIT) == ()


def test_after_a_death_what_was_known_stays_until_there_is_more(ear: Ear, tmp_path: Path) -> None:
    engine = EngineProcess(tmp_path / "log")
    budget = SolverBudget(seconds=60)
    analyst = Analyst(ear.heard.put, engine.lane, ("resistance",), budget=budget)
    generation = analyst.request(Position.empty(Board(11, 11)))
    while not (before := ear.heard.get(timeout=WAIT)).rankings:
        pass
    os.kill(engine._process.pid, signal.SIGKILL)
    while (after := ear.heard.get(timeout=WAIT)).progress.label != "the engine is restarting":
        before = after
    assert (after.rankings, after.generation) == (before.rankings, generation)
    assert not after.final
    assert ear.heard.get(timeout=WAIT).generation == generation
    analyst.close()
    engine.close()


def test_the_analysis_room_starts_without_numba_or_the_screen() -> None:
    code = (
        "import hextui.analysis.analyst, hextui.analysis.whole_game, sys;"
        "print([m for m in ('numba', 'networkx', 'textual') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_position_asked_again_is_taken_up_by_the_solver(ear: Ear, engine: EngineProcess) -> None:
    budget = SolverBudget(seconds=1e-9)
    analyst = Analyst(ear.heard.put, engine.lane, ("resistance",), budget=budget)
    position = Position.empty(Board(7, 7))
    first = ear.until_final(analyst.request(position))
    # what was found before the first is read is told with it
    assert list(first[-1].rankings) == ["resistance"]
    assert len(ear.until_final(analyst.request(position))) == 1
    again = ear.until_final(analyst.request(position, again=True))
    assert [snapshot.final for snapshot in again] == [False] * (len(again) - 1) + [True]
    assert all(snapshot.rankings for snapshot in again)
    analyst.close()
