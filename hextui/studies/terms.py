"""The terms of a game between players: what a move may take, and when a lost game ends."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings

TABLE_BYTES = 32 << 20


@dataclass(frozen=True)
class Terms:
    """What a move may take, and how hard a loss is looked for.

    ``seconds`` a move, None for as long as the player likes; a player of ours plays the best move
    found by then. ``visits`` a move of another engine, None for as many as it is set to.
    ``resign_nodes``: positions that the solver may expand before each move to prove that its player
    has lost, which then resigns; 0: games are played to the chain.
    """

    seconds: float | None = None
    visits: int | None = None
    resign_nodes: int = 0

    @property
    def limit(self) -> Limit:
        """What another engine gets for a move."""
        return Limit(self.seconds, self.visits)

    def clock(self) -> Callable[[], bool]:
        """Start the time of a move; return what tells whether it is over."""
        if self.seconds is None:
            return lambda: False
        end = time.monotonic() + self.seconds
        return lambda: time.monotonic() >= end


class Adjudicator:
    """Tells whether the side to move is proved to have lost, by our solver; one board a time."""

    def __init__(self, board: Board, nodes: int) -> None:
        self._nodes = nodes
        self._solver = Solver(board, SolverSettings(table_bytes=TABLE_BYTES)) if nodes else None

    def __enter__(self) -> "Adjudicator":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._solver is not None:
            self._solver.close()

    def lost(self, position: Position) -> bool:
        """Whether the side to move loses, if nobody swaps, as far as the nodes prove it."""
        if self._solver is None:
            return False
        *_, solution = self._solver.solve(position, Limit(nodes=self._nodes))
        return solution.winner is position.to_move.opponent
