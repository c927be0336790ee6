"""How a tree search evaluates a node: how likely a win is, who has won, and the moves to search.

The network (docs/network.md) gives policy and win probability at the first visit; the solver's
rules for one position (docs/solver.md) decide it or choose the moves at the second; its search
proves who wins where more visits go.
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
from hextui.engine.neural.judge import NetworkJudge, shipped_judge
from hextui.engine.position import Position
from hextui.engine.solver.search import CELL_LIMITS, Search, SearchAnswer, SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width

SETTINGS = SolverSettings(order="plain", deduce=False, rotation=False)
"""Of the solver's rules those that need nothing from other positions."""

PROVER = SolverSettings(table_bytes=16 << 20, cell_limits=CELL_LIMITS)
"""Of the solver that proves nodes: short proofs gain nothing by larger carriers."""


@dataclass(frozen=True)
class NetworkOpinion:
    """What the network says of a position, for the side to move.

    ``policy`` float32[cells]: how likely each move is; ``win``: the win probability, 0 to 1.
    """

    policy: NDArray[np.float32]
    win: float


@dataclass(frozen=True)
class StaticAnalysis:
    """What the solver's rules for one position say, for the side to move.

    ``won``: True or False where connections decide it, and then ``best`` is a winning move, or -1.
    Else ``cells`` int32[n] are the moves worth searching, one of which wins if any does; ``keys``
    uint64[n, 2] name the positions that they lead to, equal for those that differ in filled cells
    only.
    """

    won: bool | None
    cells: NDArray[np.int32]
    keys: NDArray[np.uint64]
    best: int

    @staticmethod
    def decided(won: bool, best: int = -1) -> "StaticAnalysis":
        """Return the analysis of a decided position."""
        return StaticAnalysis(won, np.empty(0, np.int32), np.empty((0, 2), np.uint64), best)


def after(root: Position, moves: Sequence[int]) -> Position:
    """Return the position after moves, each on an empty cell."""
    stones = bytearray(root.stones)
    mover = root.to_move
    for move in moves:
        stones[move] = mover
        mover = mover.opponent
    return Position(root.board, bytes(stones), mover)


class NodeEvaluator:
    """Evaluates positions that follow a root, and proves who wins; for one thread at a time.

    Opinions are begun in turn by each of its threads. ``ahead``: so many are begun before the first
    is waited for.
    """

    def __init__(
        self,
        board: Board,
        threads: int = 1,
        width: int | None = None,
        judge: NetworkJudge | None = None,
    ) -> None:
        """The caller's thread is the first of the ``threads``: it evaluates when it waits.

        ``judge``: the network that is asked, by default the own one.
        """
        self.board = board
        width = width or serving_width(board, Kernels.SEARCH)
        self._worker = Worker(board, SETTINGS, 0, width)
        self._no_proofs = make_store(1, 0)
        self._solver = Search(board, PROVER, width)
        self._judge = judge or shipped_judge()
        self._root: Position | None = None
        self._helpers = [ThreadPoolExecutor(1, "search") for _ in range(threads - 1)]
        self._turn = 0
        self.ahead = 1 if threads == 1 else 2 * threads

    def begin(self, position: Position, *, root: bool = False) -> Callable[[], NetworkOpinion]:
        """Begin to ask the network, of a root by two orientations; return a function that waits."""
        turn = self._turn
        self._turn = (self._turn + 1) % (1 + len(self._helpers))
        work = partial(self._opinion, position, root)
        return self._helpers[turn - 1].submit(work).result if turn else work

    def _opinion(self, position: Position, both: bool) -> NetworkOpinion:
        opinions = self._judge.judge([position], one_side=not both)
        return NetworkOpinion(opinions.policy[0], float(opinions.win[0]))

    def analyse(self, root: Position, moves: Sequence[int]) -> StaticAnalysis:
        """Analyse the position after moves, empty cells of the filled-in root; a new root first.

        Raises ValueError for a position of another board.
        """
        worker = self._worker
        if self._root is not root:
            check_board("the tree search", self.board, root.board)
            self._root = root
            worker.set_root(root)
            if moves:
                self.analyse(root, ())
        links = worker.links
        outcome = look(
            worker.memory,
            self._no_proofs,
            links[Color.BLACK].handle,
            links[Color.WHITE].handle,
            np.array(moves, np.int32),
        )
        header = worker.header
        ints = worker.ints
        words = worker.words
        level = len(moves)
        fields = header["fields"] + level * layout.LEVEL_FIELDS
        if outcome in (WON, LOST):
            best = int(ints[fields + layout.L_BEST]) if outcome == WON else -1
            return StaticAnalysis.decided(outcome == WON, best)
        count = int(ints[fields + layout.L_COUNT])
        first = level * self.board.cells
        cells = ints[header["child_cell"] + first :][:count].copy()
        keys = words[header["child_hash"] + 2 * first :][: 2 * count].reshape(count, 2).copy()
        # a position and the turned one share a hash, but not their moves
        keys[:, 0] ^= ints[header["child_turned"] + first :][:count].astype(np.uint64)
        return StaticAnalysis(None, cells, keys, -1)

    def prove(self, position: Position, expansions: int) -> SearchAnswer:
        """Return what the solver knows of a position after so many ``expansions`` at most."""
        answer = self.look_up(position)
        if answer is None:
            self._solver.start(position)
            self._solver.go_on(expansions, lambda: False)
            answer = self._solver.answer()
        return answer

    def look_up(self, position: Position) -> SearchAnswer | None:
        """Return the solver's proof of who wins a position, None if it has none."""
        answer = self._solver.look_up(position)
        return None if answer is None or answer.winner is None else answer

    @property
    def expansions(self) -> int:
        """How many positions the solver has expanded."""
        return self._solver.expansions

    def forget(self) -> None:
        """Forget what the solver knows, so that answers do not depend on earlier positions."""
        self._solver.forget()
