"""Where every cell of a board lies on a character grid: shared by painting and by the mouse.

The board is drawn in pixels that are one character wide and half a character high. Each row lies
half a cell right of the row above. A thin band runs along each side, with the coordinates outside
it, or on it at the smallest zoom. A *place* is the (row, column) of a cell as it is seen; a `View`
maps places to cells.
"""

import enum
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, product
from math import dist
from typing import NamedTuple

from hextui.engine.board import Board, Color, Edge, edges_of

OUTSIDE = -1


class Zoom(enum.StrEnum):
    """How large a cell is: 6 x 3, 4 x 2, 4 x 1.5 or 2 x 1 characters."""

    HUGE = "huge"
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
    """The outline of a cell, how cells follow each other, and what is around them.

    ``spans``: the columns that a cell fills in each row of pixels. The first and the last of each
    are its border, if the cell has text with columns beside it.
    """

    spans: tuple[tuple[int, int], ...]
    column_step: int
    row_step: int  # pixels
    text: int  # where the two characters of text begin
    top: int  # pixels above the first row
    band: tuple[int, int]  # columns of a band at a left or right side, pixels of one above or below
    gap: int  # columns between a band and the number beside it

    @property
    def margin(self) -> int:
        """Columns beside the first row: number, gap and band."""
        return _DIGITS + self.gap + self.band[0]


_DIGITS = 2  # of the largest row number
_BETWEEN = 3  # columns between two boards
_BRAILLE = 0x2800
_DOTS = ((1, 8), (2, 16), (4, 32), (64, 128))

_SHAPES = {
    Zoom.HUGE: _Shape(
        ((2, 4), (1, 5), (0, 6), (0, 6), (0, 6), (0, 6), (1, 5), (2, 4)),
        column_step=6, row_step=6, text=2, top=5, band=(2, 2), gap=1,
    ),
    Zoom.LARGE: _Shape(
        ((1, 3), (0, 4), (0, 4), (0, 4), (1, 3)),
        column_step=4, row_step=4, text=1, top=4, band=(1, 1), gap=1,
    ),
    Zoom.MEDIUM: _Shape(
        ((1, 3), (0, 4), (0, 4), (1, 3)),
        column_step=4, row_step=3, text=1, top=3, band=(1, 1), gap=1,
    ),
    Zoom.COMPACT: _Shape(
        ((0, 2), (0, 2)),
        column_step=2, row_step=2, text=0, top=2, band=(1, 2), gap=0,
    ),
}  # fmt: skip


class Slot(enum.IntEnum):
    """What a piece of a line shows."""

    FILL = 0  # colour only
    TEXT = 1  # the two characters in the middle of a cell
    LEFT = 2  # the column beside them, which that cell may take too
    RIGHT = 3
    LABEL = 4  # a coordinate


@dataclass(frozen=True)
class Piece:
    """A run of characters of one line.

    ``upper`` and ``lower`` own its pixels: a cell, ``cells + edge`` for the band of an edge,
    ``cells + 4 + cell`` for the border of a cell, or OUTSIDE. ``cell`` is the cell that TEXT, LEFT
    and RIGHT belong to; ``text`` is that of a LABEL.
    """

    upper: int
    lower: int
    length: int
    slot: Slot = Slot.FILL
    cell: int = OUTSIDE
    text: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether it shows nothing of the board."""
        return self.slot is Slot.FILL and self.upper == self.lower == OUTSIDE


class Label(NamedTuple):
    """A coordinate outside an edge: ``text`` starts at column ``x`` of line ``y``."""

    x: int
    y: int
    text: str
    edge: Edge


@dataclass(frozen=True)
class BoardGeometry:
    """The layout of one board at one zoom and view; sizes and offsets are in characters.

    >>> geometry = BoardGeometry(Board(11, 11), Zoom.LARGE)
    >>> geometry.width, geometry.height
    (72, 26)
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

    @property
    def width(self) -> int:
        """The number of characters from the leftmost number to the rightmost."""
        return self._corner(self.rows - 1, self.columns)[0] + self._shape.margin

    @property
    def height(self) -> int:
        """The number of lines, those of the letters included."""
        return self._last_line + 1

    @cached_property
    def spans(self) -> tuple[range, ...]:
        """The columns of each line from the first to the last that shows the board."""
        sides = [(line[0], line[-1]) for line in self.lines]
        return tuple(
            range(first.length * first.is_blank, self.width - last.length * last.is_blank)
            for first, last in sides
        )

    @cached_property
    def pitch(self) -> int:
        """The columns from one board to the next, which begins where the slant leaves room."""
        return max(map(len, self.spans)) + _BETWEEN

    def corner(self, columns: int) -> list[int]:
        """Return how many of so many columns each line leaves at the right of the board."""
        return [columns - span.stop for span in self.spans]

    @property
    def extent(self) -> tuple[int, int, int]:
        """The width, the height and the pitch."""
        return self.width, self.height, self.pitch

    def cell_at(self, row: int, column: int) -> int:
        """Return the cell at a place of the board as seen."""
        if self.view.rotated:
            row = self.rows - 1 - row
            column = self.columns - 1 - column
        if self.view.mirrored:
            row, column = column, row
        return row * self.board.columns + column

    def place_of(self, cell: int) -> tuple[int, int]:
        """Return the place, ``(row, column)``, at which a cell is seen."""
        row, column = divmod(cell, self.board.columns)
        if self.view.mirrored:
            row, column = column, row
        if self.view.rotated:
            row = self.rows - 1 - row
            column = self.columns - 1 - column
        return row, column

    def step(self, cell: int, down: int, right: int) -> int:
        """Return the cell that many places away as seen, held inside the board."""
        row, column = self.place_of(cell)
        row = min(max(row + down, 0), self.rows - 1)
        column = min(max(column + right, 0), self.columns - 1)
        return self.cell_at(row, column)

    def centre(self, cell: int) -> tuple[int, int]:
        """Return column and line of the first of the two characters in the middle of a cell."""
        row, column = self.place_of(cell)
        return self._corner(row, column)[0] + self._shape.text, self._text_line(row)

    def hit(self, x: int, y: int) -> int:
        """Return the cell under the character in column ``x`` of line ``y``, or OUTSIDE.

        A character shared by two cells belongs to the one whose centre is nearer.
        """
        if not (0 <= x < self.width and 0 <= y < self.height):
            return OUTSIDE
        shape = self._shape

        def distance(cell: int) -> int:
            left, top = self._corner(*self.place_of(cell))
            across = 2 * (x - left) + 1 - shape.column_step
            down = 2 * (2 * y - top) + 2 - len(shape.spans)
            return across * across + down * down

        owners = (self._without_rim(row[x]) for row in self._pixels[2 * y : 2 * y + 2])
        cells = [owner for owner in owners if 0 <= owner < self.board.cells]
        return min(cells, key=distance, default=OUTSIDE)

    @cached_property
    def lines(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces of every line from left to right; their lengths add up to ``width``."""
        fixed: list[dict[int, Piece]] = [{} for _ in range(self.height)]
        for x, y, text, _ in self.labels:
            # What is under a letter is the band or nothing, in both of its pixels.
            under = self._pixels[2 * y][x]
            fixed[y][x] = Piece(
                upper=under, lower=under, length=len(text), slot=Slot.LABEL, text=text
            )
        for cell in range(self.board.cells):
            x, y = self.centre(cell)
            fixed[y][x] = Piece(upper=cell, lower=cell, length=2, slot=Slot.TEXT, cell=cell)
            if self._shape.text > 0:
                fixed[y][x - 1] = self._beside(cell, x - 1, y, Slot.LEFT)
                fixed[y][x + 2] = self._beside(cell, x + 2, y, Slot.RIGHT)
        rows = self._pixels
        return tuple(map(_pieces, rows[::2], rows[1::2], fixed))

    def _beside(self, cell: int, x: int, y: int, slot: Slot) -> Piece:
        """Return the piece in column ``x`` of line ``y``, left or right of a cell's text."""
        upper, lower = self._pixels[2 * y : 2 * y + 2]
        return Piece(upper=upper[x], lower=lower[x], length=1, slot=slot, cell=cell)

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """The coordinates: one at each end of every row and column of cells."""
        return tuple(self._label(row, column) for row, column in self.ring)

    def drawn_links(
        self, links: Iterable[tuple[int, int]], color: Color
    ) -> dict[int, dict[int, int]]:
        """Return the lines that join nodes, as codes of Braille patterns by line and column.

        Nodes are cells, then the two sides of a colour: lines end at their nearest place.
        """
        cells = range(self.board.cells)
        dots = {cell: [self._dot(*self.place_of(cell))] for cell in cells}
        for side, edge in enumerate(edges_of(color), start=len(cells)):
            dots[side] = [self._dot(*place) for place in self.ring if self.edge_at(*place) is edge]
        patterns: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for ends in links:
            between = product(*(dots[end] for end in ends))
            (x, y), (to_x, to_y) = min(between, key=lambda line: dist(*line))
            steps = max(abs(to_x - x), abs(to_y - y))
            for step in range(steps + 1):
                column, dot = divmod(round(x + (to_x - x) * step / steps), 2)
                line, row = divmod(round(y + (to_y - y) * step / steps), 4)
                before = patterns[line].get(column, _BRAILLE)
                patterns[line][column] = before | _DOTS[row][dot]
        return patterns

    def _dot(self, row: int, column: int) -> tuple[int, int]:
        """Return the middle of a place in dots: two across a character, four down."""
        left, top = self._corner(row, column)
        return 2 * left + self._shape.column_step, 2 * top + len(self._shape.spans)

    @property
    def ring(self) -> list[tuple[int, int]]:
        """The places of the coordinates around the board."""
        beside = [(row, column) for row in range(self.rows) for column in (-1, self.columns)]
        return beside + [(row, column) for column in range(self.columns) for row in (-1, self.rows)]

    def edge_at(self, row: int, column: int) -> Edge:
        """Return the board's side seen at a place of the ring around the board."""
        beside = 0 <= row < self.rows
        far = column > 0 if beside else row > 0
        color = Color.WHITE if beside != self.view.mirrored else Color.BLACK
        return edges_of(color)[far != self.view.rotated]

    @property
    def _shape(self) -> _Shape:
        return _SHAPES[self.zoom]

    @property
    def _rims(self) -> int:
        """The first owner that is the border of a cell."""
        return self.board.cells + len(Edge)

    def _without_rim(self, owner: int) -> int:
        """Return the cell of a border; other owners are themselves."""
        return owner - self._rims if owner >= self._rims else owner

    @property
    def _bottom(self) -> int:
        """The first row of pixels below the cells."""
        shape = self._shape
        return shape.top + (self.rows - 1) * shape.row_step + len(shape.spans)

    @property
    def _last_line(self) -> int:
        """The line of the lower letters: below the band, or on one that is a line high."""
        across, thick = self._shape.band
        return (self._bottom + (thick if thick <= across else 0) + 1) // 2

    def _label(self, row: int, column: int) -> Label:
        edge = self.edge_at(row, column)
        beside = 0 <= row < self.rows
        cell = self.cell_at(row, 0) if beside else self.cell_at(0, column)
        name = self.board.name(cell)
        text = name[0] if edge in (Edge.TOP, Edge.BOTTOM) else name[1:]
        shape = self._shape
        if beside:
            y = self._text_line(row)
            (left, _) = self._corner(row, max(column, 0))
            if column < 0:
                return Label(left - shape.margin, y, text.rjust(_DIGITS), edge)
            return Label(left + shape.band[0] + shape.gap, y, text, edge)
        # Columns run downwards to the right: so do their letters, half a step above and below.
        left, _ = self._corner(min(max(row, 0), self.rows - 1), column)
        half = shape.column_step // 4
        if row < 0:
            return Label(left + shape.text - half, 0, text, edge)
        return Label(left + shape.text + half + 1, self._last_line, text, edge)

    def _corner(self, row: int, column: int) -> tuple[int, int]:
        """Return the left column and top pixel of the cell at a place."""
        shape = self._shape
        left = shape.margin + column * shape.column_step + row * shape.column_step // 2
        return left, shape.top + row * shape.row_step

    def _text_line(self, row: int) -> int:
        # The middle columns belong to the cell at its full height, so that every line that lies
        # wholly in that height can carry the text.
        _, top = self._corner(row, 0)
        return (top + len(self._shape.spans) // 2) // 2

    @cached_property
    def _pixels(self) -> tuple[tuple[int, ...], ...]:
        """The owner of every pixel: ``2 * height`` rows of ``width``."""
        grid = [[OUTSIDE] * self.width for _ in range(2 * self.height)]
        for row in range(self.rows):
            for column in range(self.columns):
                cell = self.cell_at(row, column)
                left, top = self._corner(row, column)
                for y, (start, end) in enumerate(self._shape.spans, top):
                    grid[y][left + start : left + end] = [cell] * (end - start)
                    if self._shape.text > 0:
                        grid[y][left + start] = grid[y][left + end - 1] = self._rims + cell
        self._add_bands(grid)
        return tuple(map(tuple, grid))

    def _add_bands(self, grid: list[list[int]]) -> None:
        """Lay the four bands along the outline of the cells."""
        across, thick = self._shape.band
        top, bottom = self._shape.top, self._bottom

        def edge(row: int, column: int) -> int:
            return self.board.cells + self.edge_at(row, column)

        inward = {-1: range(top - thick, bottom), self.rows: range(bottom + thick - 1, top, -1)}
        for row, side in inward.items():
            left, _ = self._corner(min(max(row, 0), self.rows - 1), 0)
            for x in range(left, left + self.columns * self._shape.column_step):
                for y in side:
                    if grid[y][x] != OUTSIDE:
                        break
                    grid[y][x] = edge(row, 0)
        for y in range(top, bottom):
            inside = [x for x, owner in enumerate(grid[y]) if owner != OUTSIDE]
            for x in range(inside[0] - across, inside[0]):
                grid[y][x] = edge(0, -1)
            for x in range(inside[-1] + 1, inside[-1] + 1 + across):
                grid[y][x] = edge(0, self.columns)

    @cached_property
    def extents(self) -> tuple[tuple[range, range], ...]:
        """The columns and lines that show each owner: the cells, then the four edges."""
        places: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for y, line in enumerate(self.lines):
            x = 0
            for piece in line:
                for owner in map(self._without_rim, (piece.upper, piece.lower, piece.cell)):
                    xs, ys = places[owner]
                    xs += (x, x + piece.length - 1)
                    ys.append(y)
                x += piece.length
        return tuple(
            (range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1))
            for xs, ys in map(places.__getitem__, range(self._rims))
        )


def fitting(board: Board, view: View, columns: int, lines: int) -> list[Zoom]:
    """Return the sizes at which a board fits into so many columns and lines, the largest first.

    >>> fitting(Board(11, 11), View.NORMAL, 80, 24)
    [<Zoom.MEDIUM: 'medium'>, <Zoom.COMPACT: 'compact'>]
    """
    layouts = [layout(board, zoom, view) for zoom in Zoom]
    return [each.zoom for each in layouts if each.width <= columns and each.height <= lines]


@lru_cache(64)
def layout(board: Board, zoom: Zoom, view: View) -> BoardGeometry:
    """Return a layout, made once."""
    return BoardGeometry(board, zoom, view)


class Arrangement(NamedTuple):
    """Where each of several boards begins, column and line, and what they take together.

    The line above each of several boards is for its caption.
    """

    width: int
    height: int
    origins: tuple[tuple[int, int], ...]


def arrange(extent: tuple[int, int, int], boards: int, columns: int) -> Arrangement:
    """Arrange equal boards in as few rows as have room in so many columns, in one at least.

    >>> arrange(BoardGeometry(Board(11, 11), Zoom.LARGE).extent, 2, 140)
    Arrangement(width=127, height=27, origins=((0, 1), (55, 1)))
    """
    width, height, pitch = extent
    beside = max((columns - width) // pitch + 1, 1)
    rows = -(-boards // beside)
    beside = -(-boards // rows)
    caption = int(boards > 1)
    lines = height + caption
    places = [divmod(board, beside) for board in range(boards)]
    origins = tuple((pitch * column, lines * row + caption) for row, column in places)
    return Arrangement(width + pitch * (beside - 1), lines * rows, origins)


def _pieces(
    upper: tuple[int, ...], lower: tuple[int, ...], fixed: dict[int, Piece]
) -> tuple[Piece, ...]:
    """Cut one line into pieces: the ``fixed`` ones by first column, and runs of colour between."""
    columns: list[tuple[int, int] | Piece] = list(zip(upper, lower, strict=True))
    for x, piece in fixed.items():
        columns[x : x + piece.length] = [piece] * piece.length
    pieces = []
    for owner, run in groupby(columns):
        if isinstance(owner, Piece):
            pieces.append(owner)
        else:
            above, below = owner
            pieces.append(Piece(above, below, len(list(run))))
    return tuple(pieces)
