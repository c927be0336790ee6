"""Who answers the questions of one lane one after the other, and what is kept for the next.

Questions about one board share a workbench, a solver and its table.
"""

import threading
import time
from collections.abc import Iterator
from typing import Any

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.solver.dfpn import Solver
from hextui.engine.solver.mustplay import MustPlay, StoppedError
from hextui.engine.solver.mustplay_steps import Step, steps
from hextui.engine.solver.search import SolverSettings
from hextui.engines.engine import Stop
from hextui.engines.own.live import PositionAnalysis
from hextui.engines.own.stages import verdict
from hextui.engines.own.tables import Tables
from hextui.engines.own.warmup import Warmup
from hextui.engines.questions import (
    Analyse,
    Judge,
    Judged,
    ListConnections,
    Premises,
    Proved,
    Question,
    Trace,
    Traced,
    WhoWins,
)
from hextui.engines.snapshot import Progress

TOLD_SECONDS = 0.2
"""So often the trace tells how far it is."""


class OwnAnswerer:
    """Answers questions; one thread at a time may use it.

    ``tables`` may be shared by several answerers. Without a ``warmup`` kernels are compiled on use.
    """

    def __init__(self, tables: Tables | None = None, warmup: Warmup | None = None) -> None:
        self._tables = tables or Tables()
        self._warmup = warmup
        self._live: PositionAnalysis | None = None
        self._bench: Workbench | None = None
        self._solver: Solver | None = None

    def answers(self, question: Question[Any], stop: Stop = lambda: False) -> Iterator[Any]:
        """Yield what is answered; ends soon once it is to ``stop``.

        Raises ValueError for what cannot be answered.
        """
        match question:
            case Analyse():
                self._live = self._live or PositionAnalysis(self._tables, self._warmup)
                yield from self._live.answers(question, stop)
            case Judge():
                yield from self._judge(question, stop)
            case WhoWins():
                yield from self._who_wins(question, stop)
            case Trace():
                yield from _trace(question, stop)
            case ListConnections():
                yield self._tables.listed(question)
            case Premises():
                yield self._tables.premises(question)
            case _:
                raise ValueError(f"our engine does not answer {type(question).__name__}")

    def close(self) -> None:
        """End the threads of the solvers."""
        if self._solver is not None:
            self._solver.close()
        if self._live is not None:
            self._live.close()

    def _judge(self, question: Judge, stop: Stop) -> Iterator[Judged | Progress]:
        position = question.position
        evaluators = {name: evaluator(name) for name in question.evaluators}
        if self._warmup is not None:
            for done, total in self._warmup.wait(position.board):
                yield Progress(done, total, "compiling (first run)")
        if self._bench is None or self._bench.board != position.board:
            self._bench = Workbench(position.board)
        bench = self._bench
        bench.look_at(position)
        tables = {color: bench.table(color) for color in Color}
        proved = verdict(position, tables[Color.BLACK], tables[Color.WHITE])
        judged = Judged(proved)
        yield judged
        if position.winner is not None:
            return
        for name, chosen in evaluators.items():
            for ranking in chosen.rank(bench):
                if stop():
                    return
                if ranking.final:
                    judged = Judged(proved, {**judged.rankings, name: ranking})
                    yield judged

    def _who_wins(self, question: WhoWins, stop: Stop) -> Iterator[Proved | Progress]:
        board = question.position.board
        if self._warmup is not None:
            for done, total in self._warmup.wait_for_solver(board):
                yield Progress(done, total, "compiling the solver")
        solver = self._solver_of(board, question.table_bytes)
        asked, begun = (question.position, question.limit, stop), time.process_time()
        *_, solution = solver.solve(*asked, all_moves=question.all_moves)
        complete = solution.winner is not None and not solution.unknown_moves
        # other lanes may have used a processor meanwhile, but the solver no more than one
        spent = min(time.process_time() - begun, solution.seconds)
        yield Proved(solution.winner, tuple(solution.winning_moves), complete, spent)

    def _solver_of(self, board: Board, table_bytes: int | None) -> Solver:
        settings = SolverSettings() if table_bytes is None else SolverSettings(table_bytes)
        if self._solver is None or (self._solver.board, self._solver.settings) != (board, settings):
            if self._solver is not None:
                self._solver.close()
            self._solver = Solver(board, settings)
        return self._solver


def _trace(question: Trace, stop: Stop) -> Iterator[Traced]:
    """Solve on a thread beside, and tell meanwhile how far it is."""
    ended = threading.Event()
    solver = MustPlay(question.remember, lambda: ended.is_set())
    story: list[Step] = []
    problem: list[Exception] = []

    def solve() -> None:
        try:
            story.extend(steps(solver.win_move(question.position), question.position))
        except StoppedError:
            pass
        except Exception as error:  # told by who waits
            problem.append(error)

    thread = threading.Thread(target=solve, name="trace", daemon=True)
    thread.start()
    try:
        while thread.is_alive() and not stop():
            thread.join(TOLD_SECONDS)
            yield Traced(solver.calls)
    finally:
        ended.set()
        thread.join()
    if problem:
        raise problem[0]
    if not stop():
        yield Traced(solver.calls, tuple(story))
