"""The stages of the solver: the winner of the position first, then the verdict of every move.

It works for a moment before lines are searched, because who wins is what users ask first, and then
goes on for the rest of its budget of time. What was solved is kept on disk, and is there at once
when the position comes back, in this run or another.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.front import in_front
from hextui.engine.search.solver_knowledge import Proved
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.kept import KeptSolutions
from hextui.engine.solver.search import SearchAnswer
from hextui.engine.solver.solution import Solution
from hextui.engine.widths import Kernels
from hextui.engines.engine import Stop
from hextui.engines.limits import SolverBudget
from hextui.engines.own.warmup import Wait
from hextui.engines.snapshot import Progress, Snapshot

ASKED_FIRST = 8
"""So many moves are judged before the others: the one played, then the best by each evaluator."""
NEAR = 64
"""Up to so many empty cells a position gets the whole budget of time."""
FIRST_SHARE = 0.1
"""The share of the budget for the moment before lines. Positions with more empty cells get no more
unless somebody is found to win: few of them end in hours."""


class SolverStages:
    """Solve the positions of one board after the other; used by one thread.

    A snapshot that has a solution before ``begin`` gets the whole budget: the user asked again.
    ``wait`` has the solver compiled before it is used.
    """

    def __init__(self, budget: SolverBudget, wait: Wait, kept: KeptSolutions | None = None) -> None:
        self._budget = budget
        self._wait = wait
        self._kept = kept or KeptSolutions(room=budget.disk_bytes)
        self._solver: Solver | None = None
        self._asked_again = False

    def begin(
        self, snapshot: Snapshot, stop: Stop, *, played: int | None = None
    ) -> Iterator[Snapshot]:
        """Add what is on disk, and what a first share of the time finds, again and again.

        ``played``: the move of the game there, which is judged before the others.
        As long as the solver is not compiled the search is left to ``go_on``.
        """
        position = snapshot.position
        if position.winner is not None:
            return
        self._asked_again = snapshot.solution is not None
        known = self._kept.get(position)
        if problem := self._kept.new_problem():
            yield replace(snapshot, error=problem)
        if known is not None:
            snapshot = replace(snapshot, solution=known)
            yield snapshot
        if not (known and known.complete) and self._compiled(position.board):
            yield from self._search(snapshot, FIRST_SHARE, stop, played)

    def go_on(
        self, snapshot: Snapshot, stop: Stop, *, played: int | None = None
    ) -> Iterator[Snapshot]:
        """Add what the rest of the time finds."""
        share = self._left(snapshot)
        if snapshot.position.winner is not None or share <= 0:
            return
        for progress in self._wait(snapshot.position.board, Kernels.SOLVER):
            yield replace(snapshot, progress=progress)
            if stop():
                return
        yield from self._search(snapshot, share, stop, played)

    def _left(self, snapshot: Snapshot) -> float:
        """Return which share of the budget is left for a position."""
        known = snapshot.solution
        if known is not None and known.complete:
            return 0.0
        solved = known is not None and known.winner is not None
        near = len(snapshot.position.empties) <= NEAR
        whole = solved or near or self._asked_again
        return (1.0 if whole else FIRST_SHARE) - (FIRST_SHARE if known is not None else 0.0)

    def _search(
        self, snapshot: Snapshot, share: float, stop: Stop, played: int | None
    ) -> Iterator[Snapshot]:
        """Search for a share of the budget, and keep on disk what that proves."""
        position, known = snapshot.position, snapshot.solution
        if known is not None and known.winner is None:
            known = None
        progress, limit = Progress(0, 0, "solving"), Limit(seconds=share * self._budget.seconds)
        solver, first = self._solver_of(position.board), _asked_first(snapshot, played)
        for found in solver.solve(position, limit, stop, all_moves=True, first=first):
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
        if position.winner is not None or not self._compiled(position.board):
            return lambda _: None
        return in_front(self._solver_of(position.board), position, stop)

    def known(self, position: Position) -> SearchAnswer | None:
        """Return what the solver has found out about a position so far."""
        if self._solver is None or self._solver.board != position.board:
            return None
        return self._solver.look_up(position)

    def _compiled(self, board: Board) -> bool:
        return next(iter(self._wait(board, Kernels.SOLVER)), None) is None

    def _solver_of(self, board: Board) -> Solver:
        if self._solver is None or self._solver.board != board:
            if self._solver is not None:
                self._solver.close()
            self._solver = Solver(board, SolverSettings(table_bytes=self._budget.table_bytes))
        return self._solver


def _asked_first(snapshot: Snapshot, played: int | None) -> tuple[int, ...]:
    """Return the moves that a person asks about first: the one played, and the best ones."""
    best = [ranking.moves[:ASKED_FIRST] for ranking in snapshot.rankings.values()]
    in_turn = [move.cell for placed in zip_longest(*best) for move in placed if move]
    first = in_turn if played is None else [played, *in_turn]
    return tuple(dict.fromkeys(first))[:ASKED_FIRST]


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
