"""A plain reader of games for shapes: tries each place of each image after each ply."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from hextui.engine.board import Board

Place = tuple[int, int]
Next = tuple[int, int, int]
Course = Sequence[tuple[bytes, tuple[int, int] | None]]
"""The stones after each ply, from 0 on; cell and colour of the stone that was played."""


@dataclass(frozen=True, eq=False)
class Image:
    """Signs by place, with the place of the shape itself that each is; sides of the board."""

    signs: dict[Place, str]
    rows: int
    columns: int
    sides: frozenset[str]
    mirrored: bool
    turned: bool
    exchanged: bool

    def back(self, row: int, column: int) -> Place:
        if self.turned:
            row, column = self.rows - 1 - row, self.columns - 1 - column
        return (column, row) if self.mirrored else (row, column)


@dataclass(frozen=True)
class Found:
    """Where a shape stands first in a game, for how many plies, and the stone played next.

    ``following``: row, column and colour in the shape; ``at_once``: no other stone came between;
    ``won``: who played it won. ``elsewhere``: colour of the next stone if that was not near, and
    whether its player won.
    """

    ply: int
    plies: int
    cells: tuple[str, ...]
    following: Next | None
    at_once: bool
    won: bool | None
    elsewhere: tuple[int, bool | None] | None


Spot = tuple[Image, int, int]
Wanted = tuple[tuple[int, int], ...]

OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
REFLECTED = {"top": "left", "left": "top", "bottom": "right", "right": "bottom"}
OTHER = {"B": "W", "W": "B", ".": ".", "?": "?"}


def image(
    rows: Sequence[str], sides: frozenset[str], exchange: bool, mirror: bool, turn: bool
) -> Image:
    height, width = len(rows), len(rows[0])
    signs = {}
    for row, column in product(range(height), range(width)):
        place = (row, column)
        sign = rows[row][column]
        if mirror:
            place = (column, row)
        if turn:
            tall, wide = (width, height) if mirror else (height, width)
            place = (tall - 1 - place[0], wide - 1 - place[1])
        signs[place] = OTHER[sign] if mirror != exchange else sign
    if mirror:
        height, width = width, height
        sides = frozenset(REFLECTED[side] for side in sides)
    if turn:
        sides = frozenset(OPPOSITE[side] for side in sides)
    return Image(signs, height, width, sides, mirror, turn, mirror != exchange)


@cache
def images(rows: tuple[str, ...], sides: frozenset[str], exchange: bool) -> tuple[Image, ...]:
    """Return all images, the same ones for the same shape."""
    kinds = product((False, True) if exchange else (False,), (False, True), (False, True))
    return tuple(image(rows, sides, *kind) for kind in kinds)


def fits(board: Board, image: Image, row: int, column: int) -> bool:
    needed = {
        "top": row == 0,
        "left": column == 0,
        "bottom": row + image.rows == board.rows,
        "right": column + image.columns == board.columns,
    }
    return all(needed[side] for side in image.sides)


def places(board: Board, all_images: tuple[Image, ...]) -> Iterator[Spot]:
    for each in all_images:
        for row in range(board.rows - each.rows + 1):
            for column in range(board.columns - each.columns + 1):
                if fits(board, each, row, column):
                    yield each, row, column


@cache
def wanted(board: Board, all_images: tuple[Image, ...]) -> list[tuple[Spot, Wanted]]:
    """Return every place of every image, and the cells with what must be there."""
    everywhere = []
    for spot in places(board, all_images):
        each, row, column = spot
        cells = [
            ((row + down) * board.columns + column + right, ".BW".index(sign))
            for (down, right), sign in each.signs.items()
            if sign != "?"
        ]
        everywhere.append((spot, tuple(cells)))
    return everywhere


def stands(stones: bytes, cells: Wanted) -> bool:
    return all(stones[cell] == stone for cell, stone in cells)


def find(
    board: Board,
    course: Course,
    winner: int | None,
    rows: tuple[str, ...],
    sides: frozenset[str] = frozenset(),
    exchange: bool = False,
) -> Found | None:
    """Return where the shape stands first, None if nowhere."""
    all_images = images(rows, sides, exchange)
    for ply, (stones, _) in enumerate(course):
        for spot, cells in wanted(board, all_images):
            if stands(stones, cells):
                return _found(board, course[ply:], ply, winner, spot, cells, all_images)
    return None


def _found(
    board: Board,
    course: Course,
    ply: int,
    winner: int | None,
    spot: Spot,
    wanted_cells: Wanted,
    all_images: tuple[Image, ...],
) -> Found:
    plies = 1
    while plies < len(course) and stands(course[plies][0], wanted_cells):
        plies += 1
    each, row, column = spot
    in_shape = {}
    for (down, right), sign in each.signs.items():
        if sign != "?":
            in_shape[each.back(down, right)] = board.name(
                (row + down) * board.columns + column + right
            )
    cells = tuple(in_shape[key] for key in sorted(in_shape))
    stones = [played for _, played in course[1 : plies + 1] if played is not None]
    for later, (cell, color) in enumerate(stones):
        down, right = cell // board.columns - row, cell % board.columns - column
        if -1 <= down <= each.rows and -1 <= right <= each.columns:
            following = _plain(all_images, each, (down, right), color)
            won = None if winner is None else winner == color
            elsewhere = _elsewhere(all_images, each, stones[0][1], winner) if later else None
            return Found(ply, plies, cells, following, later == 0, won, elsewhere)
    elsewhere = _elsewhere(all_images, each, stones[0][1], winner) if stones else None
    return Found(ply, plies, cells, None, False, None, elsewhere)


def _elsewhere(
    all_images: tuple[Image, ...], each: Image, color: int, winner: int | None
) -> tuple[int, bool | None]:
    own = 3 - color if each.exchanged else color
    colors = {3 - own if i.exchanged else own for i in _symmetries(all_images)}
    return min(colors), None if winner is None else winner == color


def _symmetries(all_images: tuple[Image, ...]) -> list[Image]:
    first = all_images[0]
    return [i for i in all_images if i.signs == first.signs and i.sides == first.sides]


def _plain(all_images: tuple[Image, ...], each: Image, place: Place, color: int) -> Next:
    """Return a stone as it is in the shape, the least of those that are one by symmetry."""
    row, column = each.back(*place)
    if each.exchanged:
        color = 3 - color
    same = _symmetries(all_images)
    return min((*i.back(row, column), 3 - color if i.exchanged else color) for i in same)
