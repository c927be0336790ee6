"""From an edit on 11x11 to a contribution and the first lines of the minimax.

Run: ``pytest tests/benchmarks/test_bench_live.py -s``; kernels must be warm. Positions of games
between equal choices of the network are looked at in turn, as the workstation does, by an engine of
its own process. Aim: both within 1 s in 95 of 100 cases on a quiet machine.
"""

import os
import random
import time
from pathlib import Path
from queue import Empty, Queue

from hextui.analysis.analyst import Analyst
from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.engine.search.lines import DEFAULT_EVALUATOR, DEFAULT_SEARCH, LIVE_EVALUATORS
from hextui.engines.limits import SolverBudget
from hextui.engines.process import EngineProcess
from hextui.engines.snapshot import Snapshot

EDITS = int(os.environ.get("HEXTUI_BENCH_EDITS", "60"))
CONTRIBUTION = "contribution-both:1"


def edits() -> list[Position]:
    """Return positions that follow each other in games, one move of the network's best five on."""
    chance, positions = random.Random(11), list[Position]()
    while len(positions) < EDITS:
        position = Position.empty(Board(11, 11))
        while position.winner is None and len(position.empties) > 70:
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


def test_contribution_and_lines_after_an_edit(tmp_path: Path) -> None:
    engine = EngineProcess(tmp_path / "engine.log")
    heard = Queue[Snapshot]()
    analyst = Analyst(
        heard.put,
        open_lane=engine.lane,
        evaluators=LIVE_EVALUATORS,
        lines_by=DEFAULT_SEARCH,
        minimax_by=DEFAULT_EVALUATOR,
        budget=SolverBudget(),
    )
    seconds_to(analyst, heard, Position.empty(Board(11, 11)))  # imports the engine
    times = [seconds_to(analyst, heard, position) for position in edits()]
    analyst.close()
    engine.close()
    for name in times[0]:
        ordered = sorted(found[name] for found in times)
        p50, p95 = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
        print(f"\n{name}: p50 {p50:.2f}, p95 {p95:.2f}, max {ordered[-1]:.2f} s")
