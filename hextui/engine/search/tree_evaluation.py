"""How a tree search evaluates a node: who has won, or the moves worth searching.

First by the solver's rules for one position (docs/solver.md), with both circuits' resistances;
where these decide nothing, by the network (docs/network.md): policy and win probability.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.guards import check_board
from hextui.engine.kernels.solver import layout
from hextui.engine.kernels.solver.descent import look
from hextui.engine.kernels.solver.proofs import LOST, WON, make_store
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Position
from hextui.engine.solver.search import SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width

SETTINGS = SolverSettings(order="plain", deduce=False, rotation=False)
"""Of the solver's rules those that need nothing from other positions."""

LEAST_SHARE = 1e-4  # the least prior of a move, so that every one is visited some time


@dataclass(frozen=True)
class NodeEvaluation:
    """The evaluation of a position, for the side to move.

    ``won``: True or False where connections decide it, and then ``best`` is a winning move, or -1.
    Else ``cells`` int32[n] are the moves worth searching, one of which wins if any does; ``keys``
    uint64[n, 2] name the positions that they lead to, equal for those that differ in filled cells
    only; ``shares`` float64[n] are their priors, which add up to 1; ``win`` is the network's win
    probability; ``resistances`` are the own one and the opponent's.
    """

    won: bool | None
    cells: NDArray[np.int32]
    keys: NDArray[np.uint64]
    shares: NDArray[np.float64]
    win: float
    resistances: tuple[float, float]
    best: int

    @staticmethod
    def decided(won: bool, best: int = -1) -> "NodeEvaluation":
        """Return the evaluation of a decided position."""
        cells, keys = np.empty(0, np.int32), np.empty((0, 2), np.uint64)
        return NodeEvaluation(won, cells, keys, np.empty(0), float(won), (0.0, 0.0), best)


class NodeEvaluator:
    """Evaluates positions that follow a root; one thread at a time may use it."""

    def __init__(self, board: Board, width: int | None = None) -> None:
        self.board = board
        width = width or serving_width(board.cells, Kernels.SEARCH)
        self._worker = Worker(board, SETTINGS, 0, width)
        self._proofs = make_store(1, 0)
        self._judge = shipped_judge()
        self._root: Position | None = None

    def evaluate(self, root: Position, moves: Sequence[int]) -> NodeEvaluation:
        """Evaluate the position after moves, empty cells of the filled-in root; a new root first.

        Raises ValueError for a position of another board.
        """
        worker = self._worker
        if self._root is not root:
            check_board("the tree search", self.board, root.board)
            self._root = root
            worker.set_root(root)
            if moves:
                self.evaluate(root, ())
        links = worker.links
        outcome, own, other = look(
            worker.memory,
            self._proofs,
            links[Color.BLACK].handle,
            links[Color.WHITE].handle,
            np.array(moves, np.int32),
        )
        header, ints, words = worker.header, worker.ints, worker.words
        level = len(moves)
        fields = header["fields"] + level * layout.LEVEL_FIELDS
        if outcome in (WON, LOST):
            best = int(ints[fields + layout.L_BEST]) if outcome == WON else -1
            return NodeEvaluation.decided(outcome == WON, best)
        count = int(ints[fields + layout.L_COUNT])
        first = level * self.board.cells
        cells = ints[header["child_cell"] + first :][:count].copy()
        keys = words[header["child_hash"] + 2 * first :][: 2 * count].reshape(count, 2).copy()
        # a position and the turned one share a hash, but not their moves
        keys[:, 0] ^= ints[header["child_turned"] + first :][:count].astype(np.uint64)
        shares, win = self._by_network(root, moves, cells)
        return NodeEvaluation(None, cells, keys, shares, win, (own, other), -1)

    def _by_network(
        self, root: Position, moves: Sequence[int], cells: NDArray[np.int32]
    ) -> tuple[NDArray[np.float64], float]:
        """Return the network's priors and win probability, the root's by two orientations."""
        found = self._judge.judge([after(root, moves)], one_side=bool(moves))
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


class NodeEvaluators:
    """Evaluates several positions that follow a root at once; one thread at a time may use it.

    Positions are assigned in turn, and each thread evaluates the root first, so results do not
    depend on timing. ``ahead``: so many evaluations are begun before the first is waited for.
    """

    def __init__(self, board: Board, threads: int) -> None:
        """The caller's thread is the first of the ``threads``: it evaluates when it waits."""
        self._evaluators = [NodeEvaluator(board) for _ in range(threads)]
        self._helpers = [ThreadPoolExecutor(1, "search") for _ in range(threads - 1)]
        self._turn = 0
        self.ahead = 1 if threads == 1 else 2 * threads

    def begin(self, root: Position, moves: Sequence[int]) -> Callable[[], NodeEvaluation]:
        """Begin to evaluate the position after moves; return a function that waits for it."""
        turn, self._turn = self._turn, (self._turn + 1) % len(self._evaluators)
        work = partial(self._evaluators[turn].evaluate, root, tuple(moves))
        return self._helpers[turn - 1].submit(work).result if turn else work
