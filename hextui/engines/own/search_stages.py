"""The later stages of an analysis: the solver, lines of play, and the tree search.

A stage takes a snapshot and yields it again with its results, which improve. The solver works for a
moment before lines are searched, because who wins is what users ask first, and later for the rest
of its budget. What it has solved is kept on disk.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, zip_longest

from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator, improves
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.front import in_front
from hextui.engine.search.lines import LineSettings, Proved, split_literal
from hextui.engine.search.minimax import find_lines
from hextui.engine.search.move_scope import MoveScope
from hextui.engine.search.tree_search import SearchedMove, TreeSearch, ranked
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.search import SearchAnswer
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.widths import Kernels
from hextui.engines import limits
from hextui.engines.engine import Stop
from hextui.engines.limits import SolverBudget
from hextui.engines.own.warmup import Wait
from hextui.engines.snapshot import Examined, ExaminedMove, Progress, Snapshot
from hextui.words.names import counted

ASKED_FIRST = 8
"""The moves that are judged before the others: the one played, then the best by each evaluator."""
NEAR = 64
"""Up to so many empty cells a position gets the whole budget of time."""
FIRST_SHARE = 0.1
"""The share of the budget for the moment before lines. Positions with more empty cells get no more
unless a winner is found: few of them end in hours."""
FIRST_NODES = 60
"""Of the tree search before the solver begins: so there is an answer within 0.1 s."""


class SolverStages:
    """Solve positions, those of one board with one solver; used by one thread.

    A snapshot that has a solution before ``begin`` gets the whole budget: the user asked again.
    ``wait`` has the solver compiled first.
    """

    def __init__(self, budget: SolverBudget, wait: Wait, kept: SolutionCache | None = None) -> None:
        self._budget = budget
        self._wait = wait
        self._kept = kept or SolutionCache(most_bytes=budget.disk_bytes)
        self._solver: Solver | None = None
        self._asked_again = False

    def begin(
        self, snapshot: Snapshot, stop: Stop, *, played: int | None = None
    ) -> Iterator[Snapshot]:
        """Add the results on disk, and those of a first share of the time.

        ``played``: the move of the game there, which is judged before the others. Without a
        compiled solver the search is left to ``go_on``.
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
        """Add the results of the rest of the time."""
        share = self._left(snapshot)
        if snapshot.position.winner is not None or share <= 0:
            return
        for progress in self._wait(snapshot.position.board, Kernels.SOLVER):
            yield replace(snapshot, progress=progress)
            if stop():
                return
        yield from self._search(snapshot, share, stop, played)

    def _left(self, snapshot: Snapshot) -> float:
        """Return the share of the budget that is left for a position."""
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
        """Search for a share of the budget, and keep what that proves on disk."""
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
        """End the solver's threads, and close the file of solutions."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None
        self._kept.close()

    def in_front(self, position: Position, stop: Stop) -> Proved:
        """Search a position for a moment; return a function of the solver's verdicts.

        It knows none as long as the solver is not compiled.
        """
        if position.winner is not None or not self._compiled(position.board):
            return lambda _: None
        return in_front(self._solver_of(position.board), position, stop)

    def known(self, position: Position) -> SearchAnswer | None:
        """Return what the solver knows of a position."""
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
    """Return the moves of most interest: the one played, and the best ones."""
    best = [ranking.moves[:ASKED_FIRST] for ranking in snapshot.rankings.values()]
    in_turn = [move.cell for placed in zip_longest(*best) for move in placed if move]
    first = in_turn if played is None else [played, *in_turn]
    return tuple(dict.fromkeys(first))[:ASKED_FIRST]


def joined(known: Solution, found: Solution) -> Solution:
    """Return a new solution with the verdicts of an old one, whose winner must be known."""
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


class LineStage:
    """Adds lines by the evaluator that the snapshot names, of moves in its scope.

    ``in_front`` has the solver search the position first, unless the name asks for the literal
    search.
    """

    def __init__(
        self,
        settings: LineSettings,
        in_front: Callable[[Position, Stop], Proved] = lambda _position, _stop: lambda _: None,
    ) -> None:
        self._settings = settings
        self._in_front = in_front
        self._bench: Workbench | None = None

    def __call__(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Yield the snapshot with the lines found so far, unless it has lines already.

        The tree search finds its lines itself.
        """
        if not snapshot.lines_by or snapshot.lines is not None or improves(snapshot.lines_by):
            return
        position = snapshot.position
        if self._bench is None or self._bench.board != position.board:
            self._bench = Workbench(position.board)
        self._bench.look_at(position)
        name, literal = split_literal(snapshot.lines_by)
        try:
            chosen = evaluator(name)
        except ValueError as error:  # a name that another version kept, say
            yield replace(snapshot, error=f"{error}; no lines are searched")
            yield snapshot
            return
        settings = replace(self._settings, literal=literal)
        proved: Proved = (lambda _: None) if literal else self._in_front(position, stop)
        scope = snapshot.scope
        for found in find_lines(self._bench, chosen, settings, stop, proved, scope):
            progress = Progress(found.searched, found.moves, f"lines, depth {found.depth},")
            yield replace(snapshot, lines=found, progress=progress)


class TreeStages:
    """Search positions, those of one board in one tree; used by one thread.

    ``wait`` has the kernels compiled first. ``proved`` tells what the solver knows.
    """

    def __init__(self, wait: Wait, proved: Proved = lambda _: None) -> None:
        self._wait = wait
        self._proved = proved
        self._search: TreeSearch | None = None
        self._at: tuple[Position, MoveScope] | None = None

    def begin(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add what the tree knows after a few nodes, if the kernels are compiled."""
        names = _wanted(snapshot)
        if names and next(iter(self._wait(snapshot.position.board, Kernels.SEARCH)), None) is None:
            first = replace(_tree_search(names[0]), nodes=FIRST_NODES, seconds=0.0)
            yield from self._grown(snapshot, names[:1], first, stop)

    def go_on(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Search to the limits of the evaluators, and visit every move in the end."""
        names = _wanted(snapshot)
        for progress in self._wait(snapshot.position.board, Kernels.SEARCH) if names else ():
            yield replace(snapshot, progress=progress)
            if stop():
                return
        for name in names:
            chosen = _tree_search(name)
            found = snapshot
            for found in self._grown(snapshot, [name], chosen, stop, to_the_end=True):
                yield found
            snapshot = found

    def _grown(
        self,
        snapshot: Snapshot,
        names: list[str],
        chosen: TreeEvaluator,
        stop: Stop,
        *,
        to_the_end: bool = False,
    ) -> Iterator[Snapshot]:
        """Add results as the tree grows."""
        limit = chosen.limit
        search = self._search_at(snapshot.position, snapshot.scope, chosen.threads)
        begun, due = time.perf_counter(), 0.0
        steps = chain(search.grow(limit), search.evaluate_others() if to_the_end else ())
        for _ in steps:
            if stop():
                return
            if time.perf_counter() >= due:
                yield _with(snapshot, names, search, begun, limit)
                due = time.perf_counter() + limits.UPDATE
        yield _with(snapshot, names, search, begun, limit, final=to_the_end)

    def _search_at(self, position: Position, scope: MoveScope, threads: int) -> TreeSearch:
        """Return the search, at a position; its tree is kept where it holds the position."""
        search = self._search
        if search is None or (search.board, search.threads) != (position.board, threads):
            search, self._at = TreeSearch(position.board, threads=threads), None
            self._search = search
        if (position, scope) != self._at:
            search.look_at(position, afresh=False, proved=self._proved, scope=scope)
            self._at = position, scope
        return search


def _tree_search(name: str) -> TreeEvaluator:
    """Return the tree search with a name."""
    chosen = evaluator(name)
    assert isinstance(chosen, TreeEvaluator)
    return chosen


def _wanted(snapshot: Snapshot) -> list[str]:
    """Return the tree searches that a snapshot still needs."""
    if not snapshot.position.empties or snapshot.position.winner is not None:
        return []
    names = dict.fromkeys((*snapshot.evaluators, snapshot.lines_by))
    done = {name for name, found in snapshot.examined.items() if found.final}
    return [name for name in names if improves(name) and name not in done]


def _with(
    snapshot: Snapshot,
    names: list[str],
    search: TreeSearch,
    begun: float,
    limit: Limit,
    *,
    final: bool = False,
) -> Snapshot:
    """Return a snapshot with the results of a search."""
    looks = search.evaluated
    known = search.moves()
    moves = tuple(map(_examined, known))
    seconds = time.perf_counter() - begun
    found = {
        name: Examined(snapshot.position, name, moves, looks, seconds, final=final)
        for name in names
    }
    note = f"{counted(looks, 'position')} evaluated"
    rankings = {
        name: ranked(name, known, final=final, note=note)
        for name in names
        if name in snapshot.evaluators
    }
    return replace(
        snapshot,
        examined={**snapshot.examined, **found},
        rankings={**snapshot.rankings, **rankings},
        progress=Progress(min(looks, limit.nodes or looks), limit.nodes or 0, "searching,"),
    )


def _examined(move: SearchedMove) -> ExaminedMove:
    """Return a move in the form of other engines' moves."""
    proved = bool(move.value) if move.proved else None
    return ExaminedMove(move.cell, move.visits, move.value, line=move.line, proved=proved)
