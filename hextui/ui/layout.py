"""How board and panels share the screen: pure decisions from the size of the terminal."""

from dataclasses import dataclass

from textual.geometry import Size

from hextui.engine.board import Board
from hextui.ui.drawing.geometry import BoardGeometry, View, Zoom

SMALLEST = Size(40, 16)  # a terminal in which the program can be used
WIDE, FULL = 100, 140  # columns from which two panels, and more, are shown
_ROOMY = 156  # columns from which two boards may be larger than compact
_TALL = 40  # lines from which a third row of panels has room
_NARROW_PANEL = 36
_WIDE_PANEL = 28
_LEAST_BOARD = 20  # columns of a board that scrolls, at least
_GAP = 2  # columns between board and panels, where there is room


@dataclass(frozen=True)
class Arrangement:
    """One way to share the body of the screen: the board's zoom and columns, panels or none.

    A board of no columns is not shown.
    """

    zoom: Zoom
    board_columns: int
    panels: bool


def arrangements(board: Board, view: View, body: Size) -> tuple[Arrangement, ...]:
    """Return the ways that make sense in ``body``, the one to start with first.

    First the largest board that fits beside the panels, then larger ones in their place, then
    smaller ones beside them. A board that fits nowhere is shown compact and scrolls; panels
    without room beside any board are shown in its place.
    """
    panel = _NARROW_PANEL if body.width < WIDE else _WIDE_PANEL
    room = Size(body.width - panel, body.height)
    sizes = {zoom: BoardGeometry(board, zoom, view) for zoom in Zoom}
    beside = [zoom for zoom in Zoom if _fits(sizes[zoom], room)]
    alone = [zoom for zoom in Zoom if _fits(sizes[zoom], body) and zoom not in beside]
    with_panels = [
        Arrangement(zoom, min(sizes[zoom].width + _GAP, room.width), True) for zoom in beside
    ]
    without = [Arrangement(zoom, body.width, False) for zoom in alone]
    beside_panels = room.width if room.width >= _LEAST_BOARD else 0
    scrolled = Arrangement(Zoom.COMPACT, beside_panels, True)
    if with_panels:
        return (with_panels[0], *without, *with_panels[1:])
    if without:
        return (*without, scrolled)
    whole = Arrangement(Zoom.COMPACT, body.width, False)
    return (scrolled, whole) if room.width >= panel else (whole, scrolled)


def side_by_side(board: Board, view: View, body: Size) -> tuple[Arrangement, ...]:
    """Return the ways to show two boards beside each other, the largest first.

    Panels stand beside them where they have room; ``board_columns`` are those of one board. A
    line above each board is kept for its caption. Boards that do not fit are shown compact and
    scroll.
    """
    found = []
    for zoom in Zoom if body.width >= _ROOMY else (Zoom.COMPACT,):
        geometry = BoardGeometry(board, zoom, view)
        columns = geometry.width + _GAP
        if 2 * columns <= body.width and geometry.height + 2 <= body.height:
            panels = body.width - 2 * columns >= _WIDE_PANEL
            found.append(Arrangement(zoom, columns if panels else body.width // 2, panels))
    scrolled = Arrangement(Zoom.COMPACT, (body.width - _WIDE_PANEL) // 2, True)
    return tuple(found) or (scrolled,)


def panel_count(screen: Size) -> int:
    """Return how many panels are shown at once on a terminal of this size, at most."""
    if screen.width < WIDE:
        return 1
    if screen.width < FULL:
        return 2
    return 3 if screen.height < _TALL else 4


def _fits(geometry: BoardGeometry, room: Size) -> bool:
    return geometry.width <= room.width and geometry.height <= room.height
