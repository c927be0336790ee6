"""The kernel's side of the evaluator ``blocking``: scores, Ev of a colour, and what was drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Color
from hextui.engine.guards import check_color
from hextui.engine.kernels import blocking
from hextui.engine.kernels.memory import Handle, make_handle
from hextui.engine.position import Position


@dataclass(frozen=True)
class Blocked:
    """The cell that is blocked in one of Ev's paths, and the path from there to its end."""

    cell: int
    rest: tuple[int, ...]


class BlockingRoom:
    """One position as the kernels take it; see `Blocking` for the options."""

    def __init__(
        self, position: Position, seed: int = 0, average: bool = False, samples: int = 0
    ) -> None:
        board = position.board
        self._position = position
        self._ints = np.zeros(blocking.INTS, np.int32)
        self._words = np.zeros(blocking.WORDS, np.uint64)
        self._ints[blocking.ROWS : blocking.CELLS] = 2 * [board.rows, board.columns]
        self._ints[blocking.CELLS] = board.cells
        self._ints[blocking.RANDOM] = not average
        self._ints[blocking.AVERAGE] = average
        self._ints[blocking.SAMPLES] = samples
        self._words[blocking.SEED] = seed
        stones = np.frombuffer(position.stones, np.uint8).reshape(board.rows, board.columns)
        views = ((Color.BLACK, stones), (Color.WHITE, stones.T))
        turned = tuple((color, seen[::-1, ::-1]) for color, seen in views)
        for side, (color, seen) in enumerate((*views, *turned)):
            sets = ((blocking.FREE, seen == EMPTY), (blocking.OWN, seen == color))
            for offset, cells in sets:
                start = offset + side * blocking.STRIDE + 1
                self._words[start : start + len(seen)] = _rows(cells)

    @property
    def _handle(self) -> Handle:
        return make_handle(self._ints, self._words, 0)

    def scores(self, cells: Sequence[int]) -> NDArray[np.float64]:
        """Return the scores of moves of the side to move, float64[n]."""
        scores = np.zeros(len(cells))
        blocking.score_moves(
            self._handle,
            np.array(cells, np.int32),
            self._position.board.columns,
            int(self._position.to_move) - 1,
            scores,
        )
        return scores

    def value(self, color: Color) -> float:
        """Return Ev of a colour, from 0 to 1."""
        check_color(color)
        return float(blocking.value(self._handle, int(color) - 1))

    def drawn(self, color: Color) -> tuple[Blocked, ...]:
        """Return what was drawn for Ev of a colour: of each path but the last."""
        paths = self._ints[blocking.PATH : blocking.PATH + blocking.PATHS * blocking.PATH_SIZE]
        paths[:] = 0  # rows are numbered from 1
        self.value(color)
        found, turned = [], self.is_turned(color)
        for path in paths.reshape(blocking.PATHS, -1, 2):
            cells = [self._cell(color, turned, *place) for place in path[path[:, 0] > 0].tolist()]
            if cells:
                # the blocked cell stands first, and once more where the path was begun to be drawn
                rest = cells[1:] if cells[0] in cells[1:] else cells
                found.append(Blocked(cells[0], tuple(rest)))
        return tuple(found)

    def is_turned(self, color: Color) -> bool:
        """Return whether the kernel turns the position by 180 degrees: to the smaller rows."""
        upright, turned = (self._seen(int(color) - 1 + side) for side in (0, 2))
        return turned < upright

    def _seen(self, side: int) -> tuple[tuple[int, ...], ...]:
        """Return own and empty cells of a side, row by row."""
        rows = int(self._ints[blocking.ROWS + side])
        starts = (offset + side * blocking.STRIDE + 1 for offset in (blocking.OWN, blocking.FREE))
        return tuple(tuple(self._words[start : start + rows].tolist()) for start in starts)

    def _cell(self, color: Color, turned: bool, row: int, column: int) -> int:
        """Return the cell in a row, from 1 on, and a column as the colour sees the board."""
        board, down = self._position.board, row - 1
        if color is Color.WHITE:
            down, column = column, down
        cell = down * board.columns + column
        return board.rotate(cell) if turned else cell


def _rows(cells: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return a word for each row: bit ``c`` is column ``c``."""
    bits = np.uint64(1) << np.arange(cells.shape[1], dtype=np.uint64)
    return np.asarray((cells * bits).sum(axis=1), np.uint64)
