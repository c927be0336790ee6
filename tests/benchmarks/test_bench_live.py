"""From an edit on 11x11 to a contribution and the first lines of the minimax.

Run: ``pytest tests/benchmarks/test_bench_live.py -s``; kernels must be warm. Positions of games
between equal choices of the network are looked at in turn, as the workstation does, by an engine of
its own process. Aim: both within 1 s in 95 of 100 cases on a quiet machine.
"""

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

import pytest

from hextui.analysis.analyst import Analyst
from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.engine.search.lines import DEFAULT_EVALUATOR, DEFAULT_SEARCH, LIVE_EVALUATORS
from hextui.engine.solver.mustplay import DEFAULT
from hextui.engines.engine import ask_engine
from hextui.engines.limits import SolverBudget
from hextui.engines.process import EngineProcess
from hextui.engines.questions import Tries
from hextui.engines.snapshot import Snapshot
from hextui.ui.panels.must_play_panel import PAUSE

EDITS = int(os.environ.get("HEXTUI_BENCH_EDITS", "60"))
CONTRIBUTION = "contribution-both:1"


def edits(board: Board) -> list[Position]:
    """Return positions that follow each other in games, one move of the network's best five on."""
    chance, positions = random.Random(11), list[Position]()
    while len(positions) < EDITS:
        position = Position.empty(board)
        while position.winner is None and len(position.empties) > 0.58 * board.cells:
            (ranking,) = evaluator("network").rank(bench_at(position))
            position = position.play(chance.choice(ranking.moves[:5]).cell)
            positions.append(position)
    return positions[:EDITS]


def seconds_to(analyst: Analyst, heard: "Queue[Snapshot]", position: Position) -> dict[str, float]:
    """Return the seconds after which each result of a position has come; 10 without it."""
    begun = time.perf_counter()
    generation = analyst.request(position)
    found = {"contribution": 10.0, "minimax lines": 10.0}
    while max(found.values()) == 10 and (left := begun + 10 - time.perf_counter()) > 0:
        try:
            snapshot = heard.get(timeout=left)
        except Empty:
            break
        if snapshot.generation != generation:
            continue
        seconds = time.perf_counter() - begun
        if CONTRIBUTION in snapshot.rankings and found["contribution"] == 10:
            found["contribution"] = seconds
        if snapshot.lines is not None and snapshot.lines.lines and found["minimax lines"] == 10:
            found["minimax lines"] = seconds
    return found


@contextmanager
def live_analysis(engine: EngineProcess, board: Board) -> Iterator[tuple[Analyst, Queue[Snapshot]]]:
    """Yield an analyst as the workstation's, with its engine imported, and what it hears."""
    heard = Queue[Snapshot]()
    analyst = Analyst(
        heard.put,
        open_lane=engine.lane,
        evaluators=LIVE_EVALUATORS,
        lines_by=DEFAULT_SEARCH,
        minimax_by=DEFAULT_EVALUATOR,
        budget=SolverBudget(),
    )
    seconds_to(analyst, heard, Position.empty(board))
    yield analyst, heard
    analyst.close()


def show(times: list[dict[str, float]], label: str) -> None:
    """Print the quantiles of each result."""
    for name in times[0]:
        ordered = sorted(found[name] for found in times)
        p50, p95 = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
        print(f"\n{label}{name}: p50 {p50:.3f}, p95 {p95:.3f}, max {ordered[-1]:.3f} s")


def test_contribution_and_lines_after_an_edit(tmp_path: Path) -> None:
    board = Board(11, 11)
    engine = EngineProcess(tmp_path / "engine.log")
    with live_analysis(engine, board) as (analyst, heard):
        show([seconds_to(analyst, heard, position) for position in edits(board)], "")
    engine.close()


@pytest.mark.parametrize("pause", [None, 0.0, PAUSE])
def test_answers_beside_the_tries_of_the_must_play_panel(
    tmp_path: Path, pause: float | None
) -> None:
    """The tries, plain Python in the engine's process, begin after a pause, or never (None)."""
    board = Board(7, 7)
    times = []
    engine = EngineProcess(tmp_path / "engine.log")
    with live_analysis(engine, board) as (analyst, heard):
        for position in edits(board):
            given_up = threading.Event()
            question = Tries(position.without_swap, DEFAULT, 60.0)
            words = (engine.lane, question, given_up.is_set, lambda *_: None)
            tries = threading.Timer(pause or 0.0, ask_engine, words)
            if pause is not None:
                tries.start()
            times.append(seconds_to(analyst, heard, position))
            given_up.set()
            tries.cancel()
            if pause is not None:
                tries.join()
    engine.close()
    label = "no tries" if pause is None else f"tries after {pause} s"
    show(times, f"{label}; ")
