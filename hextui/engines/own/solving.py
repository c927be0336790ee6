"""The stage of the solver: the winner of the position first, then the verdict of every move.

It comes last, with a budget of time and memory. What was solved is kept on disk, and is there at
once when the position comes back, in this run or another.
"""

from collections.abc import Iterator
from dataclasses import replace

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.front import in_front
from hextui.engine.search.minimax import Proved
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.kept import KeptSolutions
from hextui.engine.solver.solution import Solution
from hextui.engine.warm import WaitForSolver
from hextui.engines.budget import SolverBudget
from hextui.engines.engine import Stop
from hextui.engines.snapshot import Progress, Snapshot

NEAR = 64
"""Up to so many empty cells a position gets the whole budget of time."""
FAR_SHARE = 0.1
"""The share of the budget that positions with more empty cells get: few of them end in hours."""


class SolverStage:
    """Solves the positions of one board after the other; used by one thread.

    A snapshot that has a solution already gets the whole budget: the user asked again.
    ``wait`` has the solver compiled before it is used.
    """

    def __init__(
        self, budget: SolverBudget, wait: WaitForSolver, kept: KeptSolutions | None = None
    ) -> None:
        self._budget = budget
        self._wait = wait
        self._kept = kept or KeptSolutions(room=budget.disk_bytes)
        self._solver: Solver | None = None

    def __call__(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add what is known of the position, again and again."""
        position = snapshot.position
        if position.winner is not None:
            return
        asked_again = snapshot.solution is not None
        known = self._kept.get(position)
        if problem := self._kept.new_problem():
            yield replace(snapshot, error=problem)
        if known is not None:
            snapshot = replace(snapshot, solution=known)
            yield snapshot
            if known.complete:
                return
        for done, total in self._wait(position.board):
            yield replace(snapshot, progress=Progress(done, total, "compiling the solver"))
            if stop():
                return
        progress = Progress(0, 0, "solving")
        limit = Limit(seconds=self._seconds(len(position.empties), asked_again))
        for found in self._solver_of(position.board).solve(position, limit, stop, all_moves=True):
            solution = found if known is None else joined(known, found)
            yield replace(snapshot, solution=solution, progress=progress)
            if found.final and found.nodes and found.winner is not None:
                self._kept.put(solution)

    def close(self) -> None:
        """End the solver's threads, and close the file of what was solved."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None
        self._kept.close()

    def in_front(self, position: Position, stop: Stop) -> Proved:
        """Look at a position for a moment; return what says what the solver knows.

        Nothing, as long as the solver is not compiled.
        """
        if position.winner is not None or next(self._wait(position.board), None) is not None:
            return lambda _: None
        return in_front(self._solver_of(position.board), position, stop)

    def _seconds(self, empties: int, asked_again: bool) -> float:
        whole = empties <= NEAR or asked_again
        return self._budget.seconds * (1.0 if whole else FAR_SHARE)

    def _solver_of(self, board: Board) -> Solver:
        if self._solver is None or self._solver.board != board:
            if self._solver is not None:
                self._solver.close()
            self._solver = Solver(board, SolverSettings(table_bytes=self._budget.table_bytes))
        return self._solver


def joined(known: Solution, found: Solution) -> Solution:
    """Return a new solution with what was known before; the winner must have been known."""
    wins = {**known.winning_moves, **found.winning_moves}
    losses = {**known.losing_moves, **found.losing_moves}
    unknown = tuple(cell for cell in found.unknown_moves if cell not in wins | losses)
    base = known if found.winner is None else found
    return replace(
        found,
        winner=known.winner,
        winning_moves=dict(sorted(wins.items())),
        losing_moves=dict(sorted(losses.items())),
        unknown_moves=unknown,
        carrier=base.carrier,
        line=base.line,
        complete=not unknown,
    )
