"""A solver in front of a search: it looks at the root for a moment, and what it knows is used."""

import math
import time
from collections.abc import Callable, Iterator

from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Evaluator
from hextui.engine.evaluators.workbench import DEFAULT, bench_of
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.lines import Lines, LineSettings, Proved
from hextui.engine.search.minimax import find_lines
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.search.tree_search import SearchedMove, TreeSearch
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.search import Stop

NODES = 250
"""Positions that the solver expands: some 0.2 s on 11x11, and the same answer every time."""
TABLE_BYTES = 16 << 20
"""Memory of a solver that does nothing else."""


def in_front(solver: Solver, position: Position, stop: Stop = None) -> Proved:
    """Let a solver look at a position; return what says what it knows, also of what follows."""
    for _ in solver.solve(position, Limit(nodes=NODES), stop):
        pass
    return solver.look_up


def best_lines(
    position: Position,
    evaluator: Evaluator,
    settings: LineSettings,
    connections: ConnectionSettings = DEFAULT,
    stop: Callable[[], bool] = lambda: False,
    scope: MoveScope = ALL_MOVES,
) -> Iterator[Lines]:
    """Yield the best lines, better and better, with a solver in front unless they are literal.

    The solver is a new one: what it knows of other positions does not count. ``scope``: which
    moves are thought of; raises ValueError if none of them can be played. Ends without a final
    result soon after ``stop()`` is true.
    """
    bench = bench_of(position.board, connections)
    bench.look_at(position)
    if settings.literal:
        yield from find_lines(bench, evaluator, settings, stop, scope=scope)
        return
    solver = Solver(position.board, SolverSettings(table_bytes=TABLE_BYTES))
    try:
        proved = in_front(solver, position, stop)
        yield from find_lines(bench, evaluator, settings, stop, proved, scope)
    finally:
        solver.close()


def searched_moves(
    search: TreeSearch,
    position: Position,
    limit: Limit,
    stop: Callable[[], bool] = lambda: False,
    scope: MoveScope = ALL_MOVES,
) -> list[SearchedMove]:
    """Return the last that `growing_moves` yields."""
    *_, moves = growing_moves(search, position, limit, stop, scope)
    return moves


def growing_moves(
    search: TreeSearch,
    position: Position,
    limit: Limit,
    stop: Callable[[], bool] = lambda: False,
    scope: MoveScope = ALL_MOVES,
    often: float = math.inf,
) -> Iterator[list[SearchedMove]]:
    """Yield the moves that a tree search has looked at, the best first, a solver in front.

    They come every ``often`` seconds, and at the end. The solver is a new one. Seconds of the
    limit are for both. Where the solver knows a move that wins it is the only one. ``scope``:
    which moves are thought of; raises ValueError if none of them can be played. Ends soon after
    ``stop()`` is true.
    """
    scope.check(position.empties)
    begun = time.perf_counter()
    solver = Solver(position.board, SolverSettings(table_bytes=TABLE_BYTES))
    try:
        proved = in_front(solver, position, stop)
        answer = proved(position)
        best = answer.best if answer and answer.winner is position.to_move else None
        if best is not None and scope.allows(best, first=True):
            yield [SearchedMove(best, 1.0, True, 0, (best,))]
            return
        search.look_at(position, proved=proved, scope=scope)
        now = time.perf_counter()
        left = None if limit.seconds is None else max(limit.seconds - (now - begun), 0.0)
        due = now + often
        for _ in _steps(search, Limit(left, limit.nodes)):
            if stop():
                break
            if time.perf_counter() >= due:
                yield search.moves()
                due = time.perf_counter() + often
        yield search.moves()
    finally:
        solver.close()


def _steps(search: TreeSearch, limit: Limit) -> Iterator[None]:
    """Let the tree grow; if no move that is thought of is in it, look once at each."""
    yield from search.grow(limit)
    lost = search.root.proved and not search.root.won
    if not lost and not search.moves():
        yield from search.evaluate_others()
