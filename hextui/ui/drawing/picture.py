"""A board as it is painted and as the mouse finds it: one frozen value for both.

View and layout come from the same board, so that no cell of another board can be painted or hit.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from textual.strip import Strip

from hextui.engine.board import Board
from hextui.ui.drawing.board_view import BoardView
from hextui.ui.drawing.geometry import BoardGeometry, View, Zoom
from hextui.ui.drawing.painter import Look, looks, paint_line, pixel_colors
from hextui.ui.drawing.palette import DARK, Palette


@dataclass(frozen=True)
class BoardPicture:
    """What a board shows, its zoom and how it is turned, the colours, and the one around it."""

    view: BoardView
    zoom: Zoom = Zoom.COMPACT
    turned: View = View.NORMAL
    palette: Palette = DARK
    background: str = "#000000"

    @property
    def board(self) -> Board:
        """The board."""
        return self.view.position.board

    @cached_property
    def geometry(self) -> BoardGeometry:
        """Where its cells lie."""
        return layout(self.board, self.zoom, self.turned)

    @cached_property
    def looks(self) -> tuple[Look, ...]:
        """How cells, edges and what lies outside look."""
        return looks(self.view, self.palette, self.background, self.zoom is Zoom.COMPACT)

    @cached_property
    def colors(self) -> tuple[str, ...]:
        """The colour of every owner of pixels."""
        return pixel_colors(self.looks)

    def line(self, y: int) -> Strip:
        """Return a line of the board."""
        return paint_line(self.geometry.lines[y], self.looks, self.colors)

    def changed(self, before: "BoardPicture") -> set[int] | None:
        """Return the lines that look different; None if everything may."""
        alike = before.geometry == self.geometry and before.background == self.background
        if not alike:
            return None
        return {
            line
            for owner, (old, new) in enumerate(zip(before.looks, self.looks, strict=True))
            if old != new
            for line in self.geometry.lines_of(owner)
        }


@lru_cache(64)
def layout(board: Board, zoom: Zoom, turned: View) -> BoardGeometry:
    """Return a layout, made once."""
    return BoardGeometry(board, zoom, turned)
