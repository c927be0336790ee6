"""Where everything of the main screen stands: pure decisions from the size of the terminal."""

import enum
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from textual.geometry import Region, Size

from hextui.engine.board import Board
from hextui.ui.drawing.geometry import View, Zoom, arrange, fitting, layout


class Activity(enum.StrEnum):
    """What the main screen is arranged for; the value is its name in settings."""

    REVIEW = "review"
    EXPLAIN = "explain"
    COMPARE = "compare"
    EXPLORE = "explore"


@dataclass(frozen=True)
class Places:
    """The ids of the panels of an activity: beside the board, the first one first, and below it.

    ``below_first``: the panel below the board has its place before the board grows, and in a roomy
    terminal the whole width; ``columns`` are those that the panels beside a board larger than 2 x 1
    need, 0 as many as anywhere. ``least``: the lines of the first panel that is not the only one in
    its column, and of each other one.
    """

    beside: tuple[str, ...]
    below: str
    below_first: bool = False
    columns: int = 0
    least: tuple[int, int] = (11, 11)


PLACES = {
    Activity.REVIEW: Places(("moves", "mistakes", "record"), "graph", below_first=True),
    Activity.EXPLAIN: Places(("explain", "connections"), "solver", columns=44, least=(20, 11)),
    Activity.COMPARE: Places(("agree",), "moves", columns=36),
    Activity.EXPLORE: Places(("explorer",), "record", columns=48),
}

SMALLEST = Size(40, 16)  # a terminal in which the program can be used
BOARD = "board"
LEGEND = "legend"
DIFFERENCES = "differences"
_NO_PANELS = {BOARD, LEGEND, DIFFERENCES}
_WIDE = 100  # columns from which a panel may stand below the board
_ROOMY = 140  # columns of a screen on which panels are not made narrow for a large board
_NARROW_PANEL = 36  # columns of panels beside a board of 2 x 1 on a narrow screen, at least
_ROOMY_PANEL = 40  # columns of panels on a roomy one
LEAST_COLUMNS = 28
"""Columns of what is beside a board that would be drawn at 2 x 1 otherwise."""
_AGREEMENT = 60  # columns of evaluators and, beside them, how far they agree
_LEAST_BOARD = 20  # columns of a board that scrolls, at least
_WIDEST_OF_CORNER = 24  # columns of the longest line of texts in a corner, at least
_CORNER = 300  # columns of all its lines together
LINES_BELOW = 5
"""Lines of texts below the only board of a screen."""
_GAP = 2  # columns between board and panels, where there is room
_LEAST_BELOW = 6  # lines of a panel below the board
_LEAST_GRAPH = 4  # lines of the graph there: its title and its curve
_MOST_BELOW = 19  # lines that a panel over the whole width can use
_LEAST_ABOVE = (10, 6)  # the least lines of panels above one over the whole width (see Places)


@dataclass(frozen=True)
class Wish:
    """What the user chose of the screen.

    ``zoom``: None follows the size of the terminal. ``guest``: a panel that is wanted though the
    activity has no place for it. ``alone``: what is to be seen alone, a panel or the board.
    ``at_panels``: the user is at the panels, so they are shown even if the board must shrink.
    ``boards``: those of Compare, if there is room.
    """

    activity: Activity = Activity.REVIEW
    zoom: Zoom | None = None
    view: View = View.NORMAL
    guest: str = ""
    alone: str = ""
    at_panels: bool = False
    boards: int = 2


@dataclass(frozen=True)
class Frame:
    """Where each part stands, by its id; what is not named is not shown."""

    zoom: Zoom
    places: Mapping[str, Region]
    boards: int = 1

    @property
    def panels(self) -> Iterator[str]:
        """The ids of the panels on the screen: those beside the board, then the one below it."""
        yield from (name for name in self.places if name not in _NO_PANELS)


def frame(wish: Wish, board: Board, body: Size) -> Frame:
    """Return the places in ``body`` for a wish.

    The largest board that leaves room for the panels stands beside them. Without room for both
    there is the board, or, for who is at the panels, a compact board that scrolls beside them.
    """
    room = _Room(wish, board, body)
    if wish.alone == BOARD:
        return room.board_alone(None)
    if wish.alone:
        return Frame(zooms(board, wish.view, body)[0], {wish.alone: body.region})
    several = room.several_boards() if wish.activity is Activity.COMPARE else None
    return several or room.one_board() or room.board_alone(wish.zoom)


def zooms(board: Board, view: View, body: Size) -> list[Zoom]:
    """Return the sizes at which a board fits into ``body``, the largest first; at least one."""
    return fitting(board, view, body.width, body.height - 1) or [Zoom.COMPACT]


class TextPlace(enum.Enum):
    """Where the texts about the only board of a screen stand."""

    BESIDE = enum.auto()
    CORNER = enum.auto()  # right of the board, where its slant leaves room
    BELOW = enum.auto()


def place_texts(
    board: Board, view: View, room: Size, least: int, *, in_corner: bool
) -> tuple[Zoom, TextPlace]:
    """Return the largest size of a board that leaves its texts room, and their place.

    ``least``: the columns of texts beside it. ``in_corner``: they may stand in its corner.
    """
    beside, _ = largest(board, view, room, least)
    whole = fitting(board, view, *room) if in_corner else []
    around = [zoom for zoom in whole if _has_corner(layout(board, zoom, view).corner(room.width))]
    if around and around[0] is not beside:
        return around[0], TextPlace.CORNER
    if beside:
        return beside, TextPlace.BESIDE
    above = fitting(board, view, room.width, room.height - LINES_BELOW) or [Zoom.COMPACT]
    return above[0], TextPlace.BELOW


def largest(
    board: Board, view: View, room: Size, least: int, among: Collection[Zoom] = tuple(Zoom)
) -> tuple[Zoom | None, int]:
    """Return the largest of some sizes of a board, and the columns that it leaves at least.

    It leaves ``least``, or fewer if it would be drawn at 2 x 1 otherwise. None: none fits.
    """

    def beside(columns: int) -> Zoom | None:
        sizes = fitting(board, view, room.width - columns, room.height)
        return next((zoom for zoom in sizes if zoom in among), None)

    usual = beside(least)
    if usual not in (None, Zoom.COMPACT):
        return usual, least
    larger = beside(min(least, LEAST_COLUMNS))
    return (usual, least) if larger is usual else (larger, LEAST_COLUMNS)


def _has_corner(columns: Sequence[int]) -> bool:
    """Return whether texts have room in lines of so many columns, those at a board's right."""
    return max(columns) >= _WIDEST_OF_CORNER and sum(columns) >= _CORNER


class _Room:
    """The body of the screen and what is to stand in it.

    ``under``: the lines that explain what a board shows. ``room_of_board``: the columns that the
    panels leave to a board, unless it would be drawn at 2 x 1 (see `largest`).
    """

    def __init__(self, wish: Wish, board: Board, body: Size) -> None:
        self.wish = wish
        self.board = board
        self.body = body
        self.places = PLACES[wish.activity]
        self.panels = [*self.places.beside, self.places.below]
        self.wide = body.width >= _WIDE
        self.under = 2 if wish.activity is Activity.COMPARE else 1
        self.roomy = body.width >= _ROOMY
        least = max(self.places.columns, _ROOMY_PANEL if self.roomy else LEAST_COLUMNS)
        self.room_of_board = max(body.width - (least if self.wide else _NARROW_PANEL), 0)
        self.zooms = [wish.zoom] if wish.zoom else list(Zoom)

    def board_alone(self, zoom: Zoom | None) -> Frame:
        """Return the places of the board and its legend."""
        places = {}
        places[BOARD], places[LEGEND] = self.body.region.split_horizontal(-1)
        return Frame(zoom or zooms(self.board, self.wish.view, self.body)[0], places)

    def one_board(self) -> Frame | None:
        """Return the places of one board and what is around it, if there is room."""
        kept_below = (_LEAST_GRAPH, 0) if self.wide and self.places.below_first else (0,)
        whole = list(filter(None, map(self._whole_board, kept_below)))
        if whole:
            return next((each for each in whole if each.zoom is not Zoom.COMPACT), whole[0])
        if not self.wish.at_panels:
            return None
        if self.wish.zoom:
            return _Room(replace(self.wish, zoom=None), self.board, self.body).one_board()
        columns = self.room_of_board if self.room_of_board >= _LEAST_BOARD else 0
        return Frame(Zoom.COMPACT, self._beside(columns, self.body.height - self.under))

    def _whole_board(self, below: int) -> Frame | None:
        """Return the places of the largest board that leaves so many lines, if one has room."""
        lines = self.body.height - self.under - below
        whole = Size(self.body.width, lines)
        least = self.body.width - self.room_of_board
        zoom, least = largest(self.board, self.wish.view, whole, least, self.zooms)
        if zoom is None:
            return None
        room = self.body.width - least
        board = layout(self.board, zoom, self.wish.view)
        columns = min(board.width + _GAP, room)
        if self.wide:
            columns = max(columns, min(self.body.width // 2, room))
        return Frame(zoom, self._beside(columns, board.height))

    def several_boards(self) -> Frame | None:
        """Return the places of as many boards as wanted, or fewer, if panels fit below them."""
        for boards in range(self.wish.boards, 1, -1):
            for zoom in self.zooms:
                geometry = layout(self.board, zoom, self.wish.view)
                width, lines, _ = arrange(geometry.extent, boards, self.body.width)
                least = lines + self.under + _LEAST_BELOW
                if width <= self.body.width and least <= self.body.height:
                    return Frame(zoom, self._above(lines), boards)
        return None

    def _beside(self, columns: int, lines: int) -> dict[str, Region]:
        """Return the places of a board of this size and of panels at its right and below it.

        Without ``columns`` there is no board.
        """
        places: dict[str, Region] = {}
        rest, full_width = self._split_full_width_panel(lines + self.under)
        left, right = rest.split_vertical(columns)
        if columns:
            board_places, left = self._place_board(left, lines)
            places |= board_places

        below: dict[str, Region] = {}  # last, as Tab goes from panel to panel in this order
        if room := full_width or self._room_under_board(left):
            below[self.places.below] = room
        least = self.places.least
        if full_width and not self.wish.guest:
            least = _LEAST_ABOVE
        beside = [panel for panel in self.panels if panel not in below]
        return places | self._column(beside, below, right, least) | below

    def _room_under_board(self, room: Region) -> Region | None:
        """Return the room below a board if a panel fits there."""
        least = _LEAST_GRAPH if self.places.below_first else _LEAST_BELOW
        return room if self.wide and room.height >= least else None

    def _split_full_width_panel(self, lines: int) -> tuple[Region, Region | None]:
        """Return what a panel below all others leaves of the body, and its room if it has one.

        ``lines``: of the board and what explains it.
        """
        body = self.body.region
        left = body.height - lines
        if not self.places.below_first or not self.roomy or left < _LEAST_BELOW:
            return body, None
        first, other = _LEAST_ABOVE
        beside = first + other * (len(self.places.beside) - 1)
        height = max(min(left, body.height - beside, _MOST_BELOW), _LEAST_BELOW)
        return body.split_horizontal(-height)

    def _above(self, lines: int) -> dict[str, Region]:
        """Return the places of boards over the whole width and of panels beside each other."""
        places, rest = self._place_board(self.body.region, lines)
        shown = self.panels[: 2 if rest.width >= _WIDE else 1]
        if self.wish.guest and self.wish.guest not in shown:
            shown[-1:] = [self.wish.guest]
        columns = max(rest.width // 2, _AGREEMENT) if len(shown) > 1 else rest.width
        return places | dict(zip(shown, rest.split_vertical(columns), strict=False))

    def _place_board(self, room: Region, lines: int) -> tuple[dict[str, Region], Region]:
        """Return the places of a board and of the lines below that explain it, and the rest."""
        places = {}
        places[BOARD], rest = room.split_horizontal(lines)
        for name in (LEGEND, DIFFERENCES)[: self.under]:
            places[name], rest = rest.split_horizontal(1)
        return places, rest

    def _column(
        self, panels: Sequence[str], taken: Collection[str], room: Region, least: tuple[int, int]
    ) -> dict[str, Region]:
        """Return the places of as many panels as have room; a guest stands in for the last."""
        first, other = least
        shown = list(panels[: max(1, 1 + (room.height - first) // other)])
        if self.wish.guest and self.wish.guest not in {*shown, *taken}:
            shown[-1:] = [self.wish.guest]
        places = {}
        for place, panel in enumerate(shown):
            left = len(shown) - place
            height = -(-room.height // left)
            if place == 0 and left > 1:
                height = max(height, first)
            places[panel], room = room.split_horizontal(height)
        return places
