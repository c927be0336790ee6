"""Looks at positions, several at once: each looker has a thread of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.search.tree_look import Looker, Seen

MOST_THREADS = 16


class Lookers:
    """Looks at positions that follow a root, so many at once; one thread at a time may use it.

    Looks are dealt out in turn, and each looker sees the root first. So what is seen does not
    depend on who is faster. ``ahead``: how many looks are to be begun before the first of them is
    waited for, so that no looker is idle.
    """

    def __init__(self, board: Board, threads: int) -> None:
        """The caller's thread is the first of the ``threads``: it looks when it waits."""
        self._lookers = [Looker(board) for _ in range(threads)]
        self._helpers = [ThreadPoolExecutor(1, "search") for _ in range(threads - 1)]
        self._turn = 0
        self.ahead = 1 if threads == 1 else 2 * threads

    def begin(self, root: Position, moves: Sequence[int]) -> Callable[[], Seen]:
        """Begin to look at the position after moves; return what waits for what is seen.

        Moves are empty cells in what is filled in at the root. Raises ValueError for a position of
        another board.
        """
        turn, self._turn = self._turn, (self._turn + 1) % len(self._lookers)
        look = partial(_look, self._lookers[turn], root, tuple(moves))
        return self._helpers[turn - 1].submit(look).result if turn else look


def _look(looker: Looker, root: Position, moves: Sequence[int]) -> Seen:
    """Look at the position after moves from a root, at the root first."""
    if looker.root is not root:
        looker.start(root)
        if moves:
            looker.look(())
    return looker.look(moves)
