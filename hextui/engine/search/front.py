"""A solver in front of a search: it solves for a moment, and the search uses its verdicts."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Evaluator
from hextui.engine.evaluators.workbench import DEFAULT, bench_at
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.lines import Lines, LineSettings, SolverLookup
from hextui.engine.search.minimax import find_lines
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.search.tree_search import SearchedMove, TreeSearch
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.search import Stop

NODES = 250  # expansions of the solver: about 0.2 s on 11x11, and deterministic
TABLE_BYTES = 16 << 20  # memory of such a solver


def in_front(solver: Solver, position: Position, stop: Stop = None) -> SolverLookup:
    """Solve a position for a moment; return a function of the verdicts on it and what follows."""
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
    """Yield the best lines, better and better, with a new solver in front unless they are literal.

    Raises ValueError if no move of the ``scope`` can be played. Ends without a final result soon
    after ``stop()`` is true.
    """
    bench = bench_at(position, connections)
    if settings.literal:
        yield from find_lines(bench, evaluator, settings, stop, scope=scope)
        return
    with closing(Solver(position.board, SolverSettings(table_bytes=TABLE_BYTES))) as solver:
        proved = in_front(solver, position, stop)
        yield from find_lines(bench, evaluator, settings, stop, proved, scope)


def searched_moves(
    search: TreeSearch,
    position: Position,
    limit: Limit,
    stop: Callable[[], bool] = lambda: False,
    scope: MoveScope = ALL_MOVES,
    show: Callable[[list[SearchedMove]], object] = lambda moves: None,
    often: float = math.inf,
) -> list[SearchedMove]:
    """Return the evaluated moves of a tree search, the best first, a new solver in front.

    ``show`` gets them every ``often`` seconds; the limit's seconds are for both. A win that the
    solver knows comes alone. Raises ValueError if no move of the ``scope`` can be played.
    """
    scope.check(position.empties)
    begun = time.perf_counter()
    with closing(Solver(position.board, SolverSettings(table_bytes=TABLE_BYTES))) as solver:
        proved = in_front(solver, position, stop)
        answer = proved(position)
        best = answer.best if answer and answer.winner is position.to_move else None
        if best is not None and scope.allows(best, first=True):
            return [SearchedMove(best, 1.0, True, 0, (best,))]
        search.look_at(position, proved=proved, scope=scope)
        now = time.perf_counter()
        left = None if limit.seconds is None else max(limit.seconds - (now - begun), 0.0)
        due = now + often
        for _ in _steps(search, Limit(left, limit.nodes)):
            if stop():
                break
            if time.perf_counter() >= due:
                show(search.moves())
                due = time.perf_counter() + often
        return search.moves()


def _steps(search: TreeSearch, limit: Limit) -> Iterator[None]:
    """Let the tree grow; if no move of the scope is in it, evaluate each once."""
    yield from search.grow(limit)
    lost = search.root.proved and not search.root.won
    if not lost and not search.moves():
        yield from search.evaluate_others()
