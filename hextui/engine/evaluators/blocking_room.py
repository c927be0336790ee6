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
class BlockedPath:
    """The empty cells of a shortest path, and its blocked cell, -1 for none."""

    cells: tuple[int, ...]
    blocked: int


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
        turned = tuple((color, view[::-1, ::-1]) for color, view in views)
        for side, (color, view) in enumerate((*views, *turned)):
            sets = ((blocking.FREE, view == EMPTY), (blocking.OWN, view == color))
            for offset, cells in sets:
                start = offset + side * blocking.STRIDE + 1
                self._words[start : start + len(view)] = _rows(cells)

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

    def paths(self, color: Color) -> tuple[BlockedPath, ...]:
        """Return the paths of Ev of a colour, each around the cells that were blocked before.

        The last one has no blocked cell if it is the last that Ev takes, or empty.
        """
        options = self._ints[blocking.AVERAGE : blocking.WHOLE + 1]
        before = options.copy()
        options[:] = 0, 1
        self.value(color)
        options[:] = before
        turned = bool(self._ints[blocking.SIDE] >= 2)
        paths = []
        for level, length in enumerate(self._ints[blocking.LENGTH :][: blocking.PATHS].tolist()):
            if length < 0:
                break
            path = self._ints[blocking.PATH + level * blocking.PATH_SIZE :][: 2 * length]
            cells = [self._cell(color, turned, *place) for place in path.reshape(-1, 2).tolist()]
            last = length == 0 or level == blocking.PATHS - 1
            blocked = -1 if last else cells[self._ints[blocking.BLOCKED + level]]
            paths.append(BlockedPath(tuple(cells[::-1] if turned else cells), blocked))
            if last:
                break
        return tuple(paths)

    def _cell(self, color: Color, turned: bool, row: int, column: int) -> int:
        """Return the cell in a row, from 1 on, and a column as the colour sees the board."""
        board = self._position.board
        down = row - 1
        if color is Color.WHITE:
            down, column = column, down
        cell = down * board.columns + column
        return board.rotate(cell) if turned else cell


def _rows(cells: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return a word for each row: bit ``c`` is column ``c``."""
    bits = np.uint64(1) << np.arange(cells.shape[1], dtype=np.uint64)
    return np.asarray((cells * bits).sum(axis=1), np.uint64)
