"""Ev: how likely an opponent who plays at random leaves one of four short paths open.

Source: https://github.com/GigaCronos/ai-hex-2025; see docs/methods.md#blocking. Ev(B, X) takes a
shortest winning path of X, in empty cells, own stones counting 0; blocks one of its cells; and so
on, until there are four. With their lengths L[0..3] on a board of tot cells, Ev = P[0], where P[i]
= (tot - L[i]) / tot + L[i] / tot * P[i + 1] and P[4] = 0. A path of length 0 is a finished chain,
P = 1; where no path is left, that P and the later ones are 0.

The score of X's move is max(Ev(B, X), 1 - Ev(B, Y)) for the board B after it. Equally short
paths and the blocked cell are drawn by lot. The numbers depend on the seed and on the stones
alone: one position has one Ev.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Color
from hextui.engine.evaluators.base import Workbench, rank_by_value
from hextui.engine.evaluators.chunks import in_chunks
from hextui.engine.guards import check_color
from hextui.engine.kernels import blocking
from hextui.engine.kernels.views import Handle, make_handle
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking


@dataclass(frozen=True)
class Blocking:
    """Ranks moves by their score.

    ``average``: take the mean over the blocked cells, of all choices or of so many
    ``samples``; of equally short paths it takes a fixed one (from the bottom or right edge on,
    the first cell in row order as the colour sees the board, which it may turn by 180 degrees).
    """

    seed: int = 0
    average: bool = False
    samples: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed is 0 to 2^63 - 1, not {self.seed}")
        if (self.samples and not self.average) or not 0 <= self.samples < 2**31:
            raise ValueError("samples are for the average, 1 or more")

    @property
    def name(self) -> str:
        """The name in the registry."""
        options = (
            "average" if self.average else "",
            f"samples={self.samples}" if self.samples else "",
            f"seed={self.seed}" if self.seed else "",
        )
        return ":".join(["blocking", *filter(None, [",".join(filter(None, options))])])

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "Ev(B, X) and the score of a move: docs/methods.md#blocking"

    def with_seed(self, seed: int) -> "Blocking":
        """Return the same evaluator with another seed."""
        return replace(self, seed=seed)

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking; until then partial ones that are not."""
        position = bench.position
        total = len(position.empties)
        if not total:
            yield Ranking(self.name, ())
        room = _Room(position, self)
        values: dict[int, float] = {}
        for chunk, scores in in_chunks(position.empties, room.scores):
            values |= zip(chunk, scores.tolist(), strict=True)
            yield rank_by_value(self.name, values, final=len(values) == total)

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the score of the best move."""
        return ranking.moves[0].value

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return 1 - worth


def path_value(position: Position, color: Color, evaluator: Blocking = Blocking()) -> float:
    """Return Ev(B, X) of a position for a colour, from 0 to 1."""
    check_color(color)
    return _Room(position, evaluator).value(color)


@dataclass(frozen=True)
class Blocked:
    """What was drawn of one of Ev's paths: the blocked cell, and the path from there to its end.

    A path ends at the colour's second side, or at its first one if it looks at the board turned.
    """

    cell: int
    rest: tuple[int, ...]


def is_turned(position: Position, color: Color) -> bool:
    """Return whether a colour looks at a position turned by 180 degrees."""
    check_color(color)
    return _Room(position, Blocking()).is_turned(color)


def drawn(position: Position, color: Color, evaluator: Blocking) -> tuple[Blocked, ...]:
    """Return what was drawn for Ev of a colour: of each path but the last.

    Raises ValueError for an average, which draws many times or takes all cells in turn.
    """
    check_color(color)
    if evaluator.average:
        raise ValueError("an average has no paths of its own")
    return _Room(position, evaluator).drawn(color)


class _Room:
    """One position as the kernels take it."""

    def __init__(self, position: Position, evaluator: Blocking) -> None:
        board = position.board
        self._position = position
        self._ints = np.zeros(blocking.INTS, np.int32)
        self._words = np.zeros(blocking.WORDS, np.uint64)
        self._ints[blocking.ROWS : blocking.CELLS] = 2 * [board.rows, board.columns]
        self._ints[blocking.CELLS] = board.cells
        self._ints[blocking.RANDOM] = not evaluator.average
        self._ints[blocking.AVERAGE] = evaluator.average
        self._ints[blocking.SAMPLES] = evaluator.samples
        self._words[blocking.SEED] = evaluator.seed
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
        """Return Ev of a colour."""
        return float(blocking.value(self._handle, int(color) - 1))

    def drawn(self, color: Color) -> tuple[Blocked, ...]:
        """Return what a run for a colour leaves of its paths."""
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
        """Return whether the kernel looks at the position turned: the smaller rows are taken."""
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
