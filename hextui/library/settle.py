"""Have the solver settle late positions, so that "possibly" turns into certain.

Each game is gone through from its end towards its beginning, until a position is too hard for the
limit. What was tried with a limit is not tried again with it, so this can be stopped and gone
on with at any time.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver
from hextui.engine.warm import WaitForSolver
from hextui.library.library import Library
from hextui.library.schema import reported
from hextui.records.formats import read_record

NODES = 1000
"""Nodes that the solver may take for a position."""


@dataclass(frozen=True)
class Settled:
    """What has been done: games gone through, of how many, and positions settled.

    ``compiling``: the solver is being compiled for the next game, by (done, total) steps.
    """

    games: int = 0
    of: int = 0
    positions: int = 0
    stopped: bool = False
    compiling: tuple[int, int] | None = None


def settle_games(
    library: Library,
    nodes: int = NODES,
    progress: Callable[[Settled], None] | None = None,
    stop: Callable[[], bool] | None = None,
    wait_for_solver: WaitForSolver | None = None,
) -> Settled:
    """Settle late positions of all games that were not tried with so many nodes before.

    ``progress`` is called at the start and after each position; ``stop`` ends the solver too.
    ``wait_for_solver`` has the solver compiled before it is used.

    Raises LibraryError if the library cannot be written.
    """
    ids = library.untried(nodes)
    done = Settled(of=len(ids))
    tell = progress or (lambda done: None)
    stopped = stop or (lambda: False)
    solvers: dict[Board, Solver] = {}
    try:
        for number in ids:
            tell(done)
            text = library.text(number)
            if text is None:  # removed meanwhile
                continue
            with reported(library.path):
                record = read_record(text)
            if record.board not in solvers:
                for step in wait_for_solver(record.board) if wait_for_solver else ():
                    tell(replace(done, compiling=step))
                    if stopped():
                        return replace(done, stopped=True)
                solvers[record.board] = Solver(record.board)
            solver = solvers[record.board]
            wins: dict[int, bool] = {}
            for ply in range(record.plies, -1, -1):
                position = record.position(record.node_at(ply))
                if position.winner or _swap_matters(position):
                    continue
                known = library.value(position)
                if known is None or known.certain:
                    continue
                won = _wins(solver, position, nodes, stop)
                if won is None:
                    break
                wins[ply] = won
                tell(replace(done, positions=done.positions + len(wins)))
            if stopped():
                return replace(done, stopped=True)
            settled = library.settle(number, wins, nodes)
            done = Settled(done.games + 1, done.of, done.positions + settled)
    finally:
        for solver in solvers.values():
            solver.close()
    return done


def _swap_matters(position: Position) -> bool:
    """Whether somebody may swap now or after the next move: the solver knows no swaps."""
    return position.swap_legal or not any(position.stones)


def _wins(
    solver: Solver, position: Position, nodes: int, stop: Callable[[], bool] | None
) -> bool | None:
    """Return whether the side to move wins, None if that is too hard."""
    winner = None
    for solution in solver.solve(position, Limit(nodes=nodes), stop):
        winner = solution.winner
        if winner is not None:
            break
    return None if winner is None else winner is position.to_move
