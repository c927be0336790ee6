"""Geometry of a rows x columns Hex board: cells, names, neighbours, edges, symmetries.

A cell is the int ``row * columns + column``; users see ``a1`` (column letter, row number,
a1 top-left). Row ``r`` lies half a cell to the right of row ``r - 1``, so a cell has the six
neighbours (r-1, c), (r-1, c+1), (r, c-1), (r, c+1), (r+1, c-1), (r+1, c).
"""

import enum
import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

MAX_SIDE = 19
"""The longest side of a board that is analysed."""
MAX_RECORD_SIDE = 53
"""The longest side of a board of records."""

SQUARE = -1
"""Stands for as many columns as rows."""

_NEIGHBOUR_STEPS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
_SIZE = re.compile(r"\s*(\d{1,3})(?:\s*x\s*(\d{1,3}))?\s*", re.IGNORECASE | re.ASCII)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = [a + b for a in ("", "a", "b") for b in _ALPHABET][:MAX_RECORD_SIDE]
_PLACES = {
    f"{letter}{row + 1}": (row, column)
    for row in range(MAX_RECORD_SIDE)
    for column, letter in enumerate(_LETTERS)
}


class Color(enum.IntEnum):
    """A player, and the value of a cell with that player's stone (an empty cell is 0).

    Black (Red) moves first and joins top and bottom; White (Blue) joins left and right.

    >>> Color.parse("red"), str(Color.parse("Blue")), Color.BLACK.opponent
    (<Color.BLACK: 1>, 'white', <Color.WHITE: 2>)
    """

    BLACK = 1
    WHITE = 2

    @property
    def opponent(self) -> "Color":
        """The other player."""
        return _OPPONENT[self]

    def __str__(self) -> str:
        return self.name.lower()

    @staticmethod
    def parse(text: str) -> "Color":
        """Read ``black``, ``white``, ``red``, ``blue``, ``b`` or ``w``; raises ValueError else."""
        color = _COLOR_NAMES.get(text.strip().lower())
        if color is None:
            raise ValueError(f"not a colour: {text!r} (red, blue, black or white)")
        return color


_OPPONENT = (Color.BLACK, Color.WHITE, Color.BLACK)  # by colour; there is no colour 0
_COLOR_NAMES = {
    "black": Color.BLACK,
    "red": Color.BLACK,
    "b": Color.BLACK,
    "white": Color.WHITE,
    "blue": Color.WHITE,
    "w": Color.WHITE,
}

EMPTY = 0


class Edge(enum.IntEnum):
    """A side of the board."""

    TOP = 0
    BOTTOM = 1
    LEFT = 2
    RIGHT = 3

    @property
    def color(self) -> Color:
        """The player who owns this side."""
        return Color.BLACK if self in (Edge.TOP, Edge.BOTTOM) else Color.WHITE

    def __str__(self) -> str:
        return self.name.lower()


def edges_of(color: Color) -> tuple[Edge, Edge]:
    """Return the two sides that ``color`` joins, top or left first."""
    return (Edge.TOP, Edge.BOTTOM) if color is Color.BLACK else (Edge.LEFT, Edge.RIGHT)


@dataclass(frozen=True)
class Board:
    """A board of ``rows`` x ``columns`` cells, each 1 to 19; square without ``columns``.

    >>> board = Board(3, 4)
    >>> board.cell("d2"), board.name(7)
    (7, 'd2')
    >>> Board(5)
    Board(rows=5, columns=5)
    >>> [board.name(n) for n in board.neighbours[board.cell("b2")]]
    ['b1', 'c1', 'a2', 'c2', 'a3', 'b3']
    """

    rows: int
    columns: int = SQUARE

    _longest: ClassVar[int] = MAX_SIDE

    def __post_init__(self) -> None:
        if self.columns == SQUARE:
            object.__setattr__(self, "columns", self.rows)
        for side in (self.rows, self.columns):
            if not 1 <= side <= self._longest:
                raise ValueError(f"a board has 1 to {self._longest} rows and columns, not {self}")

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    @staticmethod
    def parse(text: str) -> "Board":
        """Read a size: ``11``, or ``4x3``, which has 4 columns and 3 rows.

        Raises ValueError for anything else.

        >>> Board.parse("4x3")
        Board(rows=3, columns=4)
        """
        match = _SIZE.fullmatch(text)
        if match is None:
            raise ValueError(f"not the size of a board: {text!r} (write 11, or 4x3)")
        columns = match[1]
        rows = match[2] or match[1]
        return Board(int(rows), int(columns))

    @cached_property
    def cells(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def middle(self) -> int:
        """The cell in the middle, or next after it where a side is even."""
        return self.rows // 2 * self.columns + self.columns // 2

    def name(self, cell: int) -> str:
        """Return the name users see, such as ``c4``."""
        row, column = divmod(cell, self.columns)
        return f"{_LETTERS[column]}{row + 1}"

    def cell(self, name: str) -> int:
        """Return the cell with this name (any case); raises ValueError if there is none."""
        place = _PLACES.get(name.strip().lower())
        if place:
            row, column = place
            if column < self.columns and row < self.rows:
                return row * self.columns + column
        raise ValueError(f"no cell {name!r} on a {self} board")

    def rectangle(self, *corners: int) -> list[int]:
        """Return the cells of the smallest rectangle around these, in row order.

        >>> board = Board(5, 5)
        >>> " ".join(map(board.name, board.rectangle(board.cell("c2"), board.cell("b3"))))
        'b2 c2 b3 c3'
        """
        rows, columns = zip(*(divmod(cell, self.columns) for cell in corners), strict=True)
        return [
            row * self.columns + column
            for row in range(min(rows), max(rows) + 1)
            for column in range(min(columns), max(columns) + 1)
        ]

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The adjacent cells of each cell, in row order."""
        rows = range(self.rows)
        columns = range(self.columns)
        neighbours = []
        for cell in range(self.cells):
            row, column = divmod(cell, self.columns)
            near = tuple(
                (row + down) * self.columns + column + right
                for down, right in _NEIGHBOUR_STEPS
                if row + down in rows and column + right in columns
            )
            neighbours.append(near)
        return tuple(neighbours)

    @cached_property
    def edge_cells(self) -> dict[Edge, tuple[int, ...]]:
        """The cells along each side, in row order."""
        rows, columns = self.rows, self.columns
        return {
            Edge.TOP: tuple(range(columns)),
            Edge.BOTTOM: tuple(range((rows - 1) * columns, rows * columns)),
            Edge.LEFT: tuple(range(0, rows * columns, columns)),
            Edge.RIGHT: tuple(range(columns - 1, rows * columns, columns)),
        }

    def rotate(self, cell: int) -> int:
        """Return where a turn of the board by 180 degrees takes the cell."""
        return self.cells - 1 - cell

    def mirror(self, cell: int) -> int:
        """Return the cell's image in the long diagonal, a cell of ``self.transposed``."""
        row, column = divmod(cell, self.columns)
        return column * self.rows + row

    def image(self, cell: int, mirrored: bool, turned: bool) -> int:
        """Return where a cell is on the board mirrored, which exchanges the colours, and turned."""
        cell = self.mirror(cell) if mirrored else cell
        return self.rotate(cell) if turned else cell

    @cached_property
    def transposed(self) -> "Board":
        """The board with rows and columns exchanged."""
        return type(self)(self.columns, self.rows)


class LargeBoard(Board):
    """A board of up to 53 rows and columns, as records have them: it is not analysed."""

    _longest = MAX_RECORD_SIDE
