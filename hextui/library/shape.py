"""A shape to search for: stones and empty cells side by side, its text, and its images.

Its text has rows from above, with ``/`` between them, each half a cell right of the one before:
``R`` and ``B`` for Red and Blue, or ``B`` and ``W`` for Black and White, ``.`` for an empty cell,
``?`` for any. Names of sides behind the rows hold the shape there: ``R.B/.?? top left``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from hextui.engine.board import MAX_SIDE, Board, Color, Edge
from hextui.engine.position import Position
from hextui.text import Names, listed

_LETTERS = "RBW"
_EDGES = {str(edge): edge for edge in Edge}
_TURNED = (Edge.BOTTOM, Edge.TOP, Edge.RIGHT, Edge.LEFT)
_MIRRORED = (Edge.LEFT, Edge.RIGHT, Edge.TOP, Edge.BOTTOM)
_EXCHANGED = str.maketrans("BW", "WB")
_LONGEST = 2000  # characters of a text, which has signs for 361 cells at most


@dataclass(frozen=True)
class Shape:
    """Rows of the signs ``B W . ?``, black, white, empty, any; sides of the board it lies at.

    Raises ValueError in one line for a shape without stones, or too large for any board.

    >>> shape = Shape.parse("r.b/.?? top")
    >>> shape.rows, shape.text(Names.RED_BLUE)
    (('B.W', '.??'), 'R.B/.?? top')
    """

    rows: tuple[str, ...]
    edges: frozenset[Edge] = frozenset()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.rows[0]):
                lengths = f"row 1 has {len(self.rows[0])} cells, row {number} has {len(row)}"
                raise ValueError(f"the rows of a shape are equally long: {lengths}")
        if not self.stones:
            raise ValueError("a shape needs a stone: R or B (B or W)")
        if max(self.height, self.width) > MAX_SIDE:
            raise ValueError(f"a shape has at most {MAX_SIDE} rows and columns")

    @staticmethod
    def parse(text: str) -> "Shape":
        """Read a text, in capitals or small letters. Raises ValueError in one line."""
        if len(text) > _LONGEST:
            raise ValueError(f"a shape has at most {MAX_SIDE} rows and columns")
        lines = text.replace("/", "\n").splitlines() or [""]
        lines[-1], edges = _row_and_edges(lines[-1])
        rows = ["".join(line.split()).upper() for line in lines]
        signs = _signs(set("".join(rows)))
        return Shape(tuple(row.translate(signs) for row in rows if row), edges)

    @staticmethod
    def marked(position: Position, cells: Iterable[int]) -> "Shape":
        """Return the shape of some cells of a position, held at the sides that they touch.

        Raises ValueError in one line if there is no stone among them.
        """
        board = position.board
        wanted = frozenset(cells)
        rows: dict[int, str] = {}
        for cell in board.rectangle(*wanted) if wanted else ():
            sign = ".BW"[position.stones[cell]] if cell in wanted else "?"
            row = cell // board.columns
            rows[row] = rows.get(row, "") + sign
        touched = {edge for edge in Edge if wanted.intersection(board.edge_cells[edge])}
        return Shape(tuple(rows.values()), frozenset(touched))

    def text(self, names: Names) -> str:
        """Return the text that ``parse`` reads; stones of one colour alone are ``R`` or ``W``."""
        rows = "/".join(self.rows)
        if self.stones == rows.count("B") or names is Names.RED_BLUE:
            rows = rows.replace("B", "R")
        if "R" in rows:
            rows = rows.replace("W", "B")
        return " ".join([rows, *map(str, sorted(self.edges))])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def stones(self) -> int:
        """The number of stones."""
        rows = "".join(self.rows)
        return rows.count("B") + rows.count("W")

    def cells(self, signs: str) -> list[tuple[int, int]]:
        """Return the rows and columns of the cells with some of the signs, in row order."""
        places = product(range(self.height), range(self.width))
        return [(row, column) for row, column in places if self.rows[row][column] in signs]

    def corners(self, board: Board) -> Iterator[tuple[int, int]]:
        """Yield the rows and columns of a board where the shape can begin, in row order."""
        top, bottom, left, right = (edge in self.edges for edge in Edge)
        first_rows = _starts(board.rows - self.height, top, bottom)
        first_columns = _starts(board.columns - self.width, left, right)
        return product(first_rows, first_columns)

    def images(self, *, exchange: bool) -> "list[ShapeImage]":
        """Return the different images that are the same on a Hex board, the shape itself first.

        They are turned by 180 degrees, or mirrored with the colours exchanged; with ``exchange``
        there are also those with the colours exchanged alone.
        """
        images: dict[Shape, ShapeImage] = {}
        for image in self._all_images(exchange=exchange):
            images.setdefault(image.shape, image)
        return list(images.values())

    def symmetries(self, *, exchange: bool) -> "list[ShapeImage]":
        """Return the images that are the shape itself, the plain one first; see ``images``."""
        return [image for image in self._all_images(exchange=exchange) if image.shape == self]

    def _all_images(self, *, exchange: bool) -> "Iterator[ShapeImage]":
        exchanges = (False, True) if exchange else (False,)
        for exchanged, mirrored, turned in product(exchanges, (False, True), (False, True)):
            yield _image(self, mirrored=mirrored, turned=turned, exchanged=exchanged)


@dataclass(frozen=True)
class ShapeImage:
    """An image of a shape: mirrored in the long diagonal, then turned by 180 degrees.

    ``exchanged``: the colours are those of the other player.
    """

    shape: Shape
    mirrored: bool
    turned: bool
    exchanged: bool

    def back(self, row: int, column: int) -> tuple[int, int]:
        """Return the row and column of the shape itself that a place of the image is."""
        if self.turned:
            row = self.shape.height - 1 - row
            column = self.shape.width - 1 - column
        return (column, row) if self.mirrored else (row, column)

    def color_back(self, color: Color) -> Color:
        """Return the colour of the shape itself that a colour of the image is."""
        return color.opponent if self.exchanged else color


def _image(shape: Shape, *, mirrored: bool, turned: bool, exchanged: bool) -> ShapeImage:
    """Return an image; a mirrored one has the colours exchanged unless ``exchanged`` again."""
    rows = shape.rows
    edges = shape.edges
    if mirrored:
        rows = tuple("".join(column) for column in zip(*rows, strict=True))
        edges = frozenset(_MIRRORED[edge] for edge in edges)
        exchanged = not exchanged
    if turned:
        rows = tuple(row[::-1] for row in reversed(rows))
        edges = frozenset(_TURNED[edge] for edge in edges)
    if exchanged:
        rows = tuple(row.translate(_EXCHANGED) for row in rows)
    return ShapeImage(Shape(rows, edges), mirrored=mirrored, turned=turned, exchanged=exchanged)


def _row_and_edges(line: str) -> tuple[str, frozenset[Edge]]:
    """Return the last row of a text and the sides named behind it. Raises ValueError."""
    words = line.split()
    edges = set()
    while words and words[-1].isalpha() and words[-1].upper().strip(_LETTERS):
        name = words.pop().lower()
        if name not in _EDGES:
            raise ValueError(f"{name!r} is no side of a board: {listed(_EDGES)}")
        edges.add(_EDGES[name])
    return "".join(words), frozenset(edges)


def _signs(used: set[str]) -> dict[int, int]:
    """Return what translates signs of a text to those of rows. Raises ValueError."""
    for sign in sorted(used.difference(_LETTERS, ".?")):
        raise ValueError(f"a shape has the signs R B (or B W) . ? and /, not {sign!r}")
    if "B" in used and ("R" in used) is ("W" in used):
        raise ValueError("B is Blue beside R, Black beside W: write R and B, B and W, or R or W")
    return str.maketrans("RB", "BW" if "R" in used else "BB")


def _starts(most: int, at_first: bool, at_last: bool) -> list[int]:
    """Return where a shape can begin, from 0 to ``most``, at the first side or the last."""
    starts = range(most + 1)
    if at_first:
        starts = starts[:1]
    return [start for start in starts if start == most or not at_last]
