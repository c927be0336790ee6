"""Painting a board: from a `BoardView` to the look of each cell, and from looks to lines."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from hextui.engine.board import EMPTY, Color, Edge
from hextui.ui.drawing.board_view import BoardView, Connected, Mode
from hextui.ui.drawing.geometry import Piece, Slot
from hextui.ui.drawing.palette import Palette, blend, contrasting, heat_color, luminance, readable

STONES = {Color.BLACK: "()", Color.WHITE: "<>"}
CURSORS = {Mode.PLAY: ("[", "]"), Mode.SETUP: ("{", "}")}
UPPER_HALF = "▀"
CARRIER, END, KEY, MUST_PLAY, DOT = "++", "**", "@@", "::", "."


class Look(NamedTuple):
    """How one owner of pixels looks: a colour, two characters of text and columns beside it."""

    color: str
    text: str = "  "
    text_color: str = "#000000"
    text_back: str = ""  # behind the text alone, "" for ``color``
    bold: bool = False
    left: str = ""
    right: str = ""
    side_color: str = ""
    side_back: str = ""


def looks(view: BoardView, palette: Palette, background: str, narrow: bool) -> tuple[Look, ...]:
    """Return the look of every owner: cells, then the four edges, then what lies outside.

    ``narrow`` cells (compact zoom) have no columns beside their two characters: the cursor then
    takes their place, or the first of a stone's, and there is no room for values.
    """
    painter = _CellPainter(view, palette, narrow)
    cells = [painter.look(cell) for cell in range(view.position.board.cells)]
    edges = [painter.edge(edge) for edge in Edge]
    return (*cells, *edges, Look(background))


class _CellPainter:
    """Works out the look of single cells of one view."""

    def __init__(self, view: BoardView, palette: Palette, narrow: bool) -> None:
        self.view = view
        self.palette = palette
        self.narrow = narrow
        self.columns = view.position.board.columns
        self.line = {cell: f"#{n}"[-2:] for n, cell in reversed(list(enumerate(view.line, 1)))}
        told = (view.heat, view.labels, view.marks, view.markup, view.must_play, view.line)
        joined = view.connected or Connected(Color.BLACK)
        self.told = {joined.key}.union(joined.carrier, joined.ends, *told)
        """Cells of which there is more to say than the stone on them."""
        self.plain = [self._plain(shade) for shade in palette.shades]

    def edge(self, edge: Edge) -> Look:
        color = self.palette.bands[edge.color - 1]
        connected = self.view.connected
        if connected and edge in connected.edges:
            color = blend(color, "#ffffff", 0.35)
        return Look(color)

    def look(self, cell: int) -> Look:
        stone = self.view.position.stones[cell]
        if stone != EMPTY:
            look = self._stone(cell, Color(stone))
        elif cell in self.told:
            look = self._empty(cell)
        else:
            look = self.plain[self._shade(cell)]
        return self._with_cursor(look) if cell == self.view.cursor else look

    def _shade(self, cell: int) -> int:
        """Return which of the three shades a cell has; rows can be counted by them."""
        row, column = divmod(cell, self.columns)
        return (column - row) % 3

    def _plain(self, shade: str) -> Look:
        """Return the look of an empty cell of which there is nothing to say."""
        ink = contrasting(shade)
        return Look(shade, DOT + " " if self.palette.dotted else "  ", ink, side_color=ink)

    def _stone(self, cell: int, color: Color) -> Look:
        view = self.view
        back = self.palette.stones[color - 1]
        text_color = self.palette.stone_texts[color - 1]
        if view.connected and cell in view.connected.ends:
            back = blend(back, "#ffffff", 0.4)
        text = STONES[color]
        number = str(view.numbers.get(cell, ""))
        if cell in self.line:
            text = self.line[cell]
        elif cell in view.markup:
            text = view.markup[cell]
        elif number and not self.narrow:
            text = number[-2:].rjust(2)
            if len(number) > 2:
                more = number[0]
                return Look(back, text, text_color, bold=True, left=more, side_color=text_color)
        if cell == view.last_move:
            light = luminance(self.palette.stones[color - 1]) > 0.5
            return Look(back, text, back, "#000000" if light else "#ffffff", True)
        return Look(back, text, text_color, bold=True)

    def _empty(self, cell: int) -> Look:
        color = self.palette.shades[self._shade(cell)]
        if cell in self.line:
            mover = self.view.position.to_move
            side = mover if self.view.line.index(cell) % 2 == 0 else mover.opponent
            color = blend(color, self.palette.stones[side - 1], 0.6)
            return Look(color, self.line[cell], readable(self.palette.mark, color), bold=True)
        if cell in self.view.markup:
            text = self.view.markup[cell]
            return Look(color, text, readable(self.palette.mark, color), bold=True)
        text, bold = "  ", False
        if self.palette.dotted:
            text = DOT + " "
        if cell in self.view.must_play:
            color, text = blend(color, self.palette.must_play, 0.4), MUST_PLAY
        heat = self.view.heat.get(cell)
        if heat is not None:
            color = heat_color(self.palette, heat)
            if cell in self.view.must_play:
                color = blend(color, self.palette.must_play, 0.4)
        note = self.view.marks.get(cell)
        if note is not None:
            text, bold = note.text, True
            if note.tint is not None:
                color = blend(color, self.palette.stones[note.tint - 1], note.strength)
        mark = self._connection_mark(cell)
        if mark and self.view.connected:
            tint = self.palette.stones[self.view.connected.color - 1]
            color, text, bold = blend(color, tint, 0.75 if mark != CARRIER else 0.45), mark, True
        label = "" if self.narrow else self.view.labels.get(cell, "")
        if label and not (mark or note):
            text, bold = label.rjust(2), True
        ink = contrasting(color)
        # What stands in the place of the region's mark has it on both sides.
        beside = ":" if cell in self.view.must_play and text != MUST_PLAY else ""
        return Look(color, text, ink, bold=bold, left=beside, right=beside, side_color=ink)

    def _connection_mark(self, cell: int) -> str:
        connected = self.view.connected
        if connected is None:
            return ""
        if cell == connected.key:
            return KEY
        if cell in connected.ends:
            return END
        return CARRIER if cell in connected.carrier else ""

    def _with_cursor(self, look: Look) -> Look:
        """Put brackets around the cell, on the colour of the stone that Enter would place."""
        left, right = CURSORS[self.view.mode]
        placing = self.view.placing
        back = self.palette.stones[placing - 1] if placing else look.color
        if self.narrow:
            stone = self.view.position.stones[self.view.cursor or 0]
            if stone == EMPTY:
                look = look._replace(color=blend(look.color, back, 0.5))
            else:
                right = STONES[Color(stone)][1]
            mark = readable(self.palette.mark, look.color)
            return look._replace(text=left + right, text_color=mark, text_back="", bold=True)
        mark = readable(self.palette.mark, back)
        return look._replace(left=left, right=right, side_color=mark, side_back=back)


def paint_line(pieces: Sequence[Piece], looks: Sequence[Look]) -> Strip:
    """Return one line of the board; ``looks`` are those of `looks`."""
    segments = []
    width = 0
    for piece in pieces:
        segments.append(_segment(piece, looks))
        width += piece.length
    return Strip(segments, width)


def _segment(piece: Piece, looks: Sequence[Look]) -> Segment:
    slot = piece.slot
    if slot is Slot.TEXT:
        look = looks[piece.cell]
        return _text(look.text, look.text_color, look.text_back or look.color, look.bold)
    if slot is Slot.LEFT or slot is Slot.RIGHT:
        look = looks[piece.cell]
        side = look.left if slot is Slot.LEFT else look.right
        if side:
            return _text(side, look.side_color, look.side_back or look.color, True)
    elif slot is Slot.LABEL:
        back = looks[piece.upper].color
        return _text(piece.text, contrasting(back), back, True)
    return _fill(looks[piece.upper].color, looks[piece.lower].color, piece.length)


# Segments never change, and a board shows few different ones: each is made once.


@lru_cache(8192)
def _text(text: str, color: str, back: str, bold: bool) -> Segment:
    return Segment(text, style(color, back, bold))


@lru_cache(8192)
def _fill(upper: str, lower: str, length: int) -> Segment:
    if upper == lower:
        return Segment(" " * length, style(upper, upper, False))
    return Segment(UPPER_HALF * length, style(upper, lower, False))


@lru_cache(8192)
def style(color: str, back: str, bold: bool) -> Style:
    """Return the style with these colours (``#rrggbb``)."""
    return Style(color=color, bgcolor=back, bold=bold)
