"""What a tree search sees at a position: who has won, or the moves worth looking at.

The solver's look at a position (docs/solver.md): dead and captured cells filled in, a win by
connection or the must-play region, no inferior moves, and both circuits' resistances. Where that
decides nothing, the network's glance (docs/network.md): how likely each move is, and the chance
to win.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.guards import check_board
from hextui.engine.kernels.solver import layout
from hextui.engine.kernels.solver.look import look
from hextui.engine.kernels.solver.proofs import LOST, WON, make_store
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Position
from hextui.engine.solver.search import SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width

SETTINGS = SolverSettings(order="plain", deduce=False, rotation=False)
"""Of the solver's rules those that need nothing from other positions."""

LEAST_SHARE = 1e-4
"""What a move has at least, so that every one is looked at some time."""


@dataclass(frozen=True)
class Seen:
    """One look at a position, as the side to move sees it.

    ``won``: True or False where connections decide it, else None, and then: ``cells`` int32[n]
    are the moves worth looking at, if any wins one of them does; ``keys`` uint64[n, 2] name the
    positions they lead to, equal ones of those that differ in filled cells only; ``shares``
    float64[n] are how likely they are, and add up to 1; ``chance`` is that of a win, by the
    network; ``resistances`` are the own one and the other side's. ``best`` is a winning move where
    it is won, -1 where any will do.
    """

    won: bool | None
    cells: NDArray[np.int32]
    keys: NDArray[np.uint64]
    shares: NDArray[np.float64]
    chance: float
    resistances: tuple[float, float]
    best: int

    @staticmethod
    def decided(won: bool, best: int = -1) -> "Seen":
        """Return what is seen where the game is decided."""
        return Seen(won, _NO_CELLS, _NO_KEYS, _NO_SHARES, float(won), (0.0, 0.0), best)


class Looker:
    """Looks at positions that follow a root; one thread at a time may use it.

    ``width``: the words of a set of cells, by which kernels are chosen; those that serve the board
    now if not given.
    """

    def __init__(self, board: Board, width: int | None = None) -> None:
        self.board = board
        width = width or serving_width(board.cells, Kernels.SEARCH)
        self._worker = Worker(board, SETTINGS, 0, width)
        self._proofs = make_store(1, 0)
        self._judge = shipped_judge()
        self.root: Position | None = None

    def start(self, root: Position) -> None:
        """Take a root; raises ValueError for a position of another board."""
        check_board("the tree search", self.board, root.board)
        self.root = root
        self._worker.set_root(root)

    def look(self, moves: Sequence[int]) -> Seen:
        """Look at the position after moves from the root, each empty in what is filled in there.

        Raises ValueError if there is no root.
        """
        if self.root is None:
            raise ValueError("no position has been started yet")
        worker = self._worker
        links = worker.links
        outcome, own, other = look(
            worker.room,
            self._proofs,
            links[Color.BLACK].handle,
            links[Color.WHITE].handle,
            np.array(moves, np.int32),
        )
        desk, ints, words = worker.desk, worker.ints, worker.words
        level = len(moves)
        fields = desk["fields"] + level * layout.LEVEL_FIELDS
        if outcome in (WON, LOST):
            best = int(ints[fields + layout.L_BEST]) if outcome == WON else -1
            return Seen.decided(outcome == WON, best)
        count = int(ints[fields + layout.L_COUNT])
        first = level * self.board.cells
        cells = ints[desk["child_cell"] + first :][:count].copy()
        keys = words[desk["child_hash"] + 2 * first :][: 2 * count].reshape(count, 2).copy()
        # a position and the turned one share a hash, but not their moves
        keys[:, 0] ^= ints[desk["child_turned"] + first :][:count].astype(np.uint64)
        shares, chance = self._opinion(self.root, moves, cells)
        return Seen(None, cells, keys, shares, chance, (own, other), -1)

    def _opinion(
        self, root: Position, moves: Sequence[int], cells: NDArray[np.int32]
    ) -> tuple[NDArray[np.float64], float]:
        """Return what the network says after moves: shares of cells, and the chance of a win.

        The root is looked at from both sides, all else from one, in half the time.
        """
        position = after(root, moves)
        found = self._judge.glance([position]) if moves else self._judge.judge([position])
        shares = found.policy[0, cells].astype(np.float64) + LEAST_SHARE
        return shares / shares.sum(), float(found.win[0])


def after(root: Position, moves: Sequence[int]) -> Position:
    """Return the position after moves, each on an empty cell."""
    stones = bytearray(root.stones)
    mover = root.to_move
    for move in moves:
        stones[move] = mover
        mover = mover.opponent
    return Position(root.board, bytes(stones), mover)


_NO_CELLS = np.empty(0, np.int32)
_NO_KEYS = np.empty((0, 2), np.uint64)
_NO_SHARES = np.empty(0)
