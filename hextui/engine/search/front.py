"""A solver in front of a search: it solves for a moment, and the search uses its verdicts."""

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
