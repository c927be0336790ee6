"""Where every cell of a board lies on a character grid: shared by painting and by the mouse.

The board is drawn in pixels that are one character wide and half a character high. Each row lies
half a cell right of the row above, and a ring of edge cells around the board carries the
coordinates. A *place* is the (row, column) of a cell as it is seen; a `View` maps places to
cells, and the names of cells do not change with it.
"""

import enum
from dataclasses import dataclass
from functools import cached_property

from hextui.engine.board import Board, Color, Edge, edges_of

OUTSIDE = -1


class Zoom(enum.StrEnum):
    """How large a cell is: 4 x 2, 4 x 1.5 or 2 x 1 characters."""

    LARGE = "large"
    MEDIUM = "medium"
    COMPACT = "compact"


class View(enum.StrEnum):
    """How the board is seen: the four ways to lay the same rhombus."""

    NORMAL = "normal"
    ROTATED = "rotated"
    MIRRORED = "mirrored"
    BOTH = "rotated and mirrored"

    @property
    def rotated(self) -> bool:
        """Whether the board is turned by 180 degrees."""
        return self in (View.ROTATED, View.BOTH)

    @property
    def mirrored(self) -> bool:
        """Whether rows and columns are exchanged (the mirror is the long diagonal)."""
        return self in (View.MIRRORED, View.BOTH)


@dataclass(frozen=True)
class _Shape:
    """The outline of a cell: the columns it fills in each row of pixels, and how cells follow."""

    spans: tuple[tuple[int, int], ...]
    column_step: int
    row_step: int  # pixels
    beside: int  # columns of an edge cell at the left or right end of a row
    label: int  # where the two characters of text begin


_SHAPES = {
    Zoom.LARGE: _Shape(((1, 3), (0, 4), (0, 4), (0, 4), (1, 3)), 4, 4, beside=4, label=1),
    Zoom.MEDIUM: _Shape(((1, 3), (0, 4), (0, 4), (1, 3)), 4, 3, beside=4, label=1),
    Zoom.COMPACT: _Shape(((0, 2), (0, 2)), 2, 2, beside=3, label=0),
}


class Slot(enum.IntEnum):
    """What a piece of a line shows."""

    FILL = 0  # colour only
    TEXT = 1  # the two characters in the middle of a cell
    LEFT = 2  # the column beside them, which that cell may take too
    RIGHT = 3
    LABEL = 4  # a coordinate on an edge


@dataclass(frozen=True)
class Piece:
    """A run of characters of one line.

    ``upper`` and ``lower`` own its pixels: a cell, ``cells + edge`` for an edge cell, or OUTSIDE.
    ``cell`` is the cell that TEXT, LEFT and RIGHT belong to; ``text`` is what a LABEL says.
    """

    upper: int
    lower: int
    length: int
    slot: Slot = Slot.FILL
    cell: int = OUTSIDE
    text: str = ""


@dataclass(frozen=True)
class Label:
    """A coordinate on an edge: ``text`` starts at column ``x`` of line ``y``."""

    x: int
    y: int
    text: str
    edge: Edge


@dataclass(frozen=True)
class BoardGeometry:
    """The layout of one board at one zoom and view; sizes and offsets are in characters.

    >>> geometry = BoardGeometry(Board(11, 11), Zoom.LARGE)
    >>> geometry.width, geometry.height
    (72, 27)
    >>> geometry.hit(*geometry.centre(60))
    60
    """

    board: Board
    zoom: Zoom
    view: View = View.NORMAL

    @property
    def rows(self) -> int:
        """The number of rows as seen."""
        return self.board.columns if self.view.mirrored else self.board.rows

    @property
    def columns(self) -> int:
        """The number of columns as seen."""
        return self.board.rows if self.view.mirrored else self.board.columns

    @cached_property
    def width(self) -> int:
        """The number of characters from the leftmost to the rightmost edge cell."""
        return max(stop for _, _, stop, _ in self._spans)

    @cached_property
    def height(self) -> int:
        """The number of lines."""
        return (max(y for y, _, _, _ in self._spans) + 2) // 2

    def cell_at(self, row: int, column: int) -> int:
        """Return the cell at a place of the board as seen."""
        if self.view.rotated:
            row, column = self.rows - 1 - row, self.columns - 1 - column
        if self.view.mirrored:
            row, column = column, row
        return row * self.board.columns + column

    def place_of(self, cell: int) -> tuple[int, int]:
        """Return the place, ``(row, column)``, at which a cell is seen."""
        row, column = divmod(cell, self.board.columns)
        if self.view.mirrored:
            row, column = column, row
        if self.view.rotated:
            row, column = self.rows - 1 - row, self.columns - 1 - column
        return row, column

    def step(self, cell: int, down: int, right: int) -> int:
        """Return the cell that many places away as seen, held inside the board."""
        row, column = self.place_of(cell)
        row = min(max(row + down, 0), self.rows - 1)
        column = min(max(column + right, 0), self.columns - 1)
        return self.cell_at(row, column)

    def centre(self, cell: int) -> tuple[int, int]:
        """Return column and line of the first of the two characters in the middle of a cell."""
        return self._centre(*self.place_of(cell))

    def hit(self, x: int, y: int) -> int:
        """Return the cell under the character in column ``x`` of line ``y``, or OUTSIDE.

        A character shared by two cells belongs to the one whose centre is nearer.
        """
        if not (0 <= x < self.width and 0 <= y < self.height):
            return OUTSIDE
        owners = (row[x] for row in self._pixels[2 * y : 2 * y + 2])
        cells = [owner for owner in owners if 0 <= owner < self.board.cells]
        return min(cells, key=lambda cell: self._distance(cell, x, y), default=OUTSIDE)

    def lines_of(self, owner: int) -> range:
        """Return the lines with pixels of an owner: a cell, or ``cells + edge``."""
        return self._lines_of[owner]

    @cached_property
    def lines(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces of every line from left to right; their lengths add up to ``width``."""
        fixed: list[dict[int, Piece]] = [{} for _ in range(self.height)]
        for label in self.labels:
            edge = self.board.cells + label.edge
            piece = Piece(edge, edge, len(label.text), Slot.LABEL, text=label.text)
            fixed[label.y][label.x] = piece
        for cell in range(self.board.cells):
            x, y = self.centre(cell)
            fixed[y][x] = Piece(cell, cell, 2, Slot.TEXT, cell)
            if _SHAPES[self.zoom].label > 0:
                upper, lower = self._pixels[2 * y : 2 * y + 2]
                fixed[y][x - 1] = Piece(upper[x - 1], lower[x - 1], 1, Slot.LEFT, cell)
                fixed[y][x + 2] = Piece(upper[x + 2], lower[x + 2], 1, Slot.RIGHT, cell)
        return tuple(
            _pieces(self._pixels[2 * y], self._pixels[2 * y + 1], fixed[y])
            for y in range(self.height)
        )

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """The coordinates: one at each end of every row and column of cells."""
        beside = [(row, column) for row in range(self.rows) for column in (-1, self.columns)]
        above = [(row, column) for column in range(self.columns) for row in (-1, self.rows)]
        return tuple(self._label(row, column) for row, column in beside + above)

    def edge_at(self, row: int, column: int) -> Edge:
        """Return the board's side seen at a place of the ring around the board."""
        beside = 0 <= row < self.rows
        far = column > 0 if beside else row > 0
        color = Color.WHITE if beside != self.view.mirrored else Color.BLACK
        return edges_of(color)[far != self.view.rotated]

    def _label(self, row: int, column: int) -> Label:
        edge = self.edge_at(row, column)
        beside = 0 <= row < self.rows
        cell = self.cell_at(row, 0) if beside else self.cell_at(0, column)
        name = self.board.name(cell)
        text = name[0] if edge in (Edge.TOP, Edge.BOTTOM) else name[1:]
        x, y = self._centre(row, column)
        if beside and column < 0:
            text = text.rjust(2)
        elif beside:
            x += _SHAPES[self.zoom].beside - _SHAPES[self.zoom].column_step
        return Label(x, y, text, edge)

    def _corner(self, row: int, column: int) -> tuple[int, int]:
        """Return the left column and top pixel of the cell at a place, edge cells included."""
        shape = _SHAPES[self.zoom]
        left = shape.beside + column * shape.column_step + row * shape.column_step // 2
        if column < 0 <= row < self.rows:
            left += shape.column_step - shape.beside
        return left, (row + 1) * shape.row_step

    def _centre(self, row: int, column: int) -> tuple[int, int]:
        # The middle columns belong to the cell at its full height, so that every line that lies
        # wholly in that height can carry the text.
        shape = _SHAPES[self.zoom]
        left, top = self._corner(row, column)
        return left + shape.label, (top + len(shape.spans) // 2) // 2

    def _distance(self, cell: int, x: int, y: int) -> int:
        """Return a measure of the distance from a character to a cell's middle."""
        shape = _SHAPES[self.zoom]
        left, top = self._corner(*self.place_of(cell))
        across = 2 * (x - left) + 1 - shape.column_step
        down = 2 * (2 * y - top) + 2 - len(shape.spans)
        return across * across + down * down

    @cached_property
    def _spans(self) -> tuple[tuple[int, int, int, int], ...]:
        """Every run of pixels of one owner: pixel row, first column, end column, owner."""
        shape = _SHAPES[self.zoom]
        middle = shape.column_step // 2
        rows, columns = self.rows, self.columns
        found = []

        def add(
            row: int, column: int, owner: int, first: int = 0, last: int = 9, shift: int = 0
        ) -> None:
            left, top = self._corner(row, column)
            left += shift
            for y, (start, stop) in enumerate(shape.spans, top):
                found.append((y, left + max(start, first), left + min(stop, last), owner))

        def edge(row: int, column: int) -> int:
            return self.board.cells + self.edge_at(row, column)

        for row in range(rows):
            for column in (-1, columns):
                add(row, column, edge(row, column))
                if shape.beside > shape.column_step:
                    add(row, column, edge(row, column), shift=shape.beside - shape.column_step)
            for column in range(columns):
                add(row, column, self.cell_at(row, column))
        for column in range(columns):
            add(-1, column, edge(-1, column))
            add(rows, column, edge(rows, column))
        # The two blunt corners lie between two sides; each side takes half of them.
        add(-1, columns, edge(-1, 0), last=middle)
        add(-1, columns, edge(0, columns), first=middle)
        add(rows, -1, edge(0, -1), last=middle)
        add(rows, -1, edge(rows, 0), first=middle)
        return tuple(found)

    @cached_property
    def _pixels(self) -> tuple[tuple[int, ...], ...]:
        """The owner of every pixel: ``2 * height`` rows of ``width``."""
        grid = [[OUTSIDE] * self.width for _ in range(2 * self.height)]
        for y, start, stop, owner in self._spans:
            grid[y][start:stop] = [owner] * (stop - start)
        return tuple(map(tuple, grid))

    @cached_property
    def _lines_of(self) -> tuple[range, ...]:
        first = [self.height] * (self.board.cells + len(Edge))
        last = [0] * len(first)
        for y, _, _, owner in self._spans:
            first[owner] = min(first[owner], y // 2)
            last[owner] = max(last[owner], y // 2)
        return tuple(range(a, b + 1) for a, b in zip(first, last, strict=True))


def _pieces(
    upper: tuple[int, ...], lower: tuple[int, ...], fixed: dict[int, Piece]
) -> tuple[Piece, ...]:
    """Cut one line into pieces: the ``fixed`` ones by first column, and runs of colour between."""
    found: list[Piece] = []
    x = 0
    while x < len(upper):
        if x in fixed:
            found.append(fixed[x])
            x += fixed[x].length
            continue
        start = x
        while (
            x < len(upper)
            and x not in fixed
            and (upper[x], lower[x]) == (upper[start], lower[start])
        ):
            x += 1
        found.append(Piece(upper[start], lower[start], x - start))
    return tuple(found)
