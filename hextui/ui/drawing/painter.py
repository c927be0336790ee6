"""Painting a board: from a `BoardView` to the look of each cell, and from looks to lines."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import color
from textual.filter import LineFilter
from textual.strip import Strip

from hextui.engine.board import EMPTY, Color, Edge
from hextui.records.board_view import BoardView, Mode
from hextui.records.record_text import harmless
from hextui.ui.drawing.geometry import Piece, Slot
from hextui.ui.drawing.palette import Palette, contrasting, heat_color, readable


class Harmless(LineFilter):
    """Removes control characters, and those that reorder the text around them.

    What is meant to command the terminal is a control: the picture of the board.
    """

    def apply(self, segments: list[Segment], background: color.Color) -> list[Segment]:
        """Return the pieces of a line without them."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        kept = []
        for segment in segments:
            clean = segment if segment.control else Segment(harmless(segment.text), segment.style)
            kept.append(clean)
        return kept


HARMLESS = Harmless()


class _OfTexts(LineFilter):
    def __init__(self, line_filter: LineFilter) -> None:
        super().__init__()
        self._filter = line_filter

    def apply(self, segments: list[Segment], background: color.Color) -> list[Segment]:
        controls = [segment for segment in segments if segment.control]
        if controls:
            segments = [segment for segment in segments if not segment.control]
        return [*self._filter.apply(segments, background), *controls]


@lru_cache(8)
def of_texts(line_filter: LineFilter) -> LineFilter:
    """Return a filter of texts alone: Textual's make texts of the controls at the end of a line."""
    return _OfTexts(line_filter)


STONES = {Color.BLACK: "()", Color.WHITE: "<>"}
CURSORS = {Mode.PLAY: ("[", "]"), Mode.SETUP: ("{", "}"), Mode.REGION: ("|", "|")}
UPPER_HALF = "▀"
FRAME, SPOT = "▌▐", "▐▌"  # in a cell of two characters: its sides, its middle
FRAME_OF_LAST = "▙▟"  # the sides of one that has both the cursor and the last move
WALL = "▏ "  # a line at the left of such a cell: the cells of the next row are half a cell on
_BLANK = " .·▏" + UPPER_HALF  # the characters that lines between cells replace
SPOT_COLOR = "#ffffff"
CHECK = "✓"
LOSES = "·"
FEW = 8
"""The most wins that all have a border; of more only those with a rank have one."""
CARRIER = "++"
END = "**"
KEY = "@@"
MUST_PLAY = "::"
DOT = "."
OUTSIDE_REGION = "//"
ALLOWED = "=="
AVOIDED = "--"


class Look(NamedTuple):
    """How one owner of pixels looks: a colour, that of its border, and what is written on it.

    ``rim`` and ``back`` (behind the text alone) are "" for ``color``. ``left`` and ``right`` are
    single characters beside the text, in ``side_ink`` on the border.
    """

    color: str
    rim: str = ""
    text: str = "  "
    ink: str = "#000000"
    back: str = ""
    left: str = ""
    right: str = ""
    side_ink: str = ""


def looks(
    view: BoardView, palette: Palette, background: str, narrow: bool, mirrored: bool = False
) -> tuple[Look, ...]:
    """Return the look of every owner: cells, then the four edges, then what lies outside.

    ``narrow`` cells (compact zoom) have neither a border nor columns beside their two characters.
    ``mirrored``: rows are seen as columns.
    """
    painter = _CellPainter(
        view, palette=palette, background=background, narrow=narrow, mirrored=mirrored
    )
    cells = [painter.look(cell) for cell in range(view.position.board.cells)]
    edges = [painter.edge(edge) for edge in Edge]
    outside = Look(background, ink=readable(palette.coordinates, background))
    return (*cells, *edges, outside)


def pixel_colors(looks: Sequence[Look]) -> tuple[str, ...]:
    """Return the colour of every owner of pixels, borders of cells included."""
    *inside, outside = looks
    cells = inside[: -len(Edge)]
    rims = [look.rim or look.color for look in cells]
    return (*[look.color for look in inside], *rims, outside.color)


class _CellPainter:
    """Works out the look of single cells of one view."""

    def __init__(
        self, view: BoardView, palette: Palette, background: str, narrow: bool, mirrored: bool
    ) -> None:
        self.view = view
        self.palette = palette
        self.background = background
        self.narrow = narrow
        self.mirrored = mirrored
        self.has_walls = narrow and not palette.spelt
        self.columns = view.position.board.columns
        self.line = {cell: f"#{n}"[-2:] for cell, n in view.line_numbers.items()}
        self.written = {**view.markup, **self.line}
        self.connected = view.connection
        self.links = dict.fromkeys(self.connected.carrier, CARRIER)
        self.links |= dict.fromkeys(self.connected.ends, END)
        if self.connected.key is not None:
            self.links[self.connected.key] = KEY
        self.scope: dict[int, str] = {}
        """The user's marks for the search, and what lies outside of the region."""
        for cell, is_allowed in view.first.items():
            self.scope[cell] = ALLOWED if is_allowed else AVOIDED
        self.scope |= dict.fromkeys(view.outside, OUTSIDE_REGION)
        self.marked = {view.cursor, view.played, view.last_move}.union(
            *(self.links, self.scope, self.written, view.verdicts, view.numbers, view.heat),
            *(view.labels, view.marks, view.must_play, view.differing),
        )
        """Cells that show more than their stone."""
        self.must_play_rim = palette.mix(palette.shades[1], palette.must_play, 0.7)
        """The border of cells of the must-play region."""
        self.few_wins = sum(view.verdicts.values()) <= FEW
        self.plain = [self._plain(shade) for shade in palette.shades]
        self.stones: dict[Color, list[Look]] = {}
        for stone in Color:
            self.stones[stone] = [self._plain_stone(stone, shade) for shade in range(3)]

    def edge(self, edge: Edge) -> Look:
        color = self.palette.bands[edge.color - 1]
        if edge in self.connected.edges:
            color = self.palette.stones[edge.color - 1]
        return Look(color, ink=readable(self.palette.coordinates, color))

    def look(self, cell: int) -> Look:
        stone = self.view.position.stones[cell]
        if cell in self.marked:
            return self._stone(cell, Color(stone)) if stone != EMPTY else self._empty(cell)
        alike = self.plain if stone == EMPTY else self.stones[Color(stone)]
        return alike[self._shade(cell)]

    def _shade(self, cell: int) -> int:
        """Return which of the three shades a cell has, of two by rows between walls; rows can be
        counted by them.
        """
        row, column = divmod(cell, self.columns)
        if self.has_walls:
            return 1 + (column if self.mirrored else row) % 2
        return (column - row) % 3

    def _plain(self, shade: str) -> Look:
        ink = contrasting(shade)
        return Look(shade, text=self._blank, ink=self._blank_ink(shade), side_ink=ink)

    def _plain_stone(self, color: Color, shade: int) -> Look:
        """Return the look of a stone, shaded or dotted like a cell: stones can be counted."""
        back = self.palette.stones[color - 1]
        back = self.palette.mix(back, self.background, self.palette.stone_shade * shade)
        ink = contrasting(back)
        if self.palette.letters:
            return Look(back, text=STONES[color], ink=ink, side_ink=ink)
        return Look(back, text=self._blank, ink=self._blank_ink(back), side_ink=ink)

    # Stones

    def _stone(self, cell: int, color: Color) -> Look:
        look = self._with_text(self.stones[color][self._shade(cell)], cell)
        if cell in self.connected.ends:
            look = look._replace(rim=self.palette.end)
        has_cursor = cell == self.view.cursor
        if cell == self.view.last_move:
            look = self._with_dot(look, has_cursor)
        return self._with_cursor(look) if has_cursor else look

    def _with_text(self, look: Look, cell: int) -> Look:
        """Return a stone with what is written on it: two characters, a third left of them."""
        ink = contrasting(look.color)
        if cell in self.written:
            return look._replace(text=self.written[cell], ink=ink)
        number = str(self.view.numbers.get(cell, ""))
        if not number:
            return look
        if self.palette.letters and not (self.narrow and len(number) > 1):
            return self._with_signed_number(look, cell, number)
        if self.narrow and len(number) > 2:
            return look
        return look._replace(text=number[-2:].rjust(2), ink=ink, left=number[:-2])

    def _with_signed_number(self, look: Look, cell: int, number: str) -> Look:
        """Return a stone without colours, whose signs tell its number from a rank."""
        ink = contrasting(look.color)
        sign = STONES[Color(self.view.position.stones[cell])]
        if self.narrow:
            return look._replace(text=sign[0] + number, ink=ink)
        text = number[-2:].rjust(2)
        return look._replace(text=text, ink=ink, left=number[:-2] or sign[0], right=sign[1])

    def _with_dot(self, look: Look, has_cursor: bool) -> Look:
        """Return the last stone played: with a spot, unlike the cursor's frame.

        It leaves the stone's colour to be seen in a cell without a border, or one that the border
        covers; there a text on the stone stands for the spot.
        """
        spot = contrasting(self.palette.cursor) if has_cursor else SPOT_COLOR
        is_covered = self.narrow or has_cursor or bool(look.rim)
        if self.palette.letters:
            spot = contrasting(look.color)
        if look.text != self._blank:
            text_covers = is_covered and not self.palette.letters
            return look if text_covers else look._replace(back=spot, ink=contrasting(spot))
        if is_covered:
            return look._replace(text=SPOT, ink=spot)
        return look._replace(text="  ", back=spot)

    # Empty cells

    def _empty(self, cell: int) -> Look:
        color = self._color(cell)
        text = self._text(cell)
        rim = self._rim(cell)
        look = Look(color, rim, text, self._ink(cell, color, text))
        unseen = self.palette.spelt or rim != self.must_play_rim
        if cell in self.view.must_play and text != MUST_PLAY and unseen:
            # What stands in the place of the region's border has its mark on both sides.
            look = look._replace(left=MUST_PLAY[0], right=MUST_PLAY[1])
        look = look._replace(side_ink=contrasting(look.rim or look.color))
        if cell == self.view.played:
            look = self._as_played(look)
        return self._with_cursor(look) if cell == self.view.cursor else look

    def _ink(self, cell: int, color: str, text: str) -> str:
        """Return the colour of the text on an empty cell of this colour."""
        if cell in self.written:
            return readable(self.palette.mark, color)
        if text in (OUTSIDE_REGION, AVOIDED, self._losing):
            return readable(self.palette.coordinates, color)
        return self._blank_ink(color) if text == self._blank else contrasting(color)

    def _color(self, cell: int) -> str:
        """Return the colour of an empty cell: what matters most about it."""
        view, palette = self.view, self.palette
        color = palette.shades[self._shade(cell)]
        if cell in self.line:
            mover = view.position.to_move
            side = mover if view.line.index(cell) % 2 == 0 else mover.opponent
            return palette.mix(color, palette.stones[side - 1], 0.6)
        if cell in self.links:
            share = 0.38 if self.links[cell] == CARRIER else 0.75
            return palette.mix(color, palette.stones[self.connected.color - 1], share)
        color = self._rated(cell, color)
        mark = view.marks.get(cell)
        if mark is not None and mark.tint is not None:
            color = palette.mix(color, palette.stones[mark.tint - 1], mark.strength)
        return color

    def _rated(self, cell: int, color: str) -> str:
        """Return the colour of an empty cell, tinted by its verdict, its heat or its region."""
        view, palette = self.view, self.palette
        won = view.verdicts.get(cell)
        if won:
            return palette.mix(color, palette.good, 0.4)
        if won is False:
            return palette.mix(color, self.background, 0.65)
        if cell in view.differing and self.narrow:
            return palette.mix(color, palette.coordinates, 0.45 + 0.25 * (cell % 2))
        if cell in view.heat:
            return heat_color(palette, view.heat[cell])
        if self.scope.get(cell) in (OUTSIDE_REGION, AVOIDED):
            return palette.mix(color, self.background, 0.5)
        if cell in view.must_play:
            return palette.mix(color, palette.must_play, 0.3)
        return color

    def _rim(self, cell: int) -> str:
        """Return the colour of an empty cell's border, "" for that of the cell."""
        view, palette = self.view, self.palette
        if self.links.get(cell) == CARRIER:
            shade = palette.shades[self._shade(cell)]
            return palette.mix(shade, palette.stones[self.connected.color - 1], 0.6)
        if view.verdicts.get(cell) and (self.few_wins or cell in view.labels):
            return palette.good
        if cell in view.differing:
            return palette.coordinates
        if cell in view.must_play:
            return self.must_play_rim
        return ""

    def _text(self, cell: int) -> str:
        """Return what is written on an empty cell: what matters most about it."""
        sign = self.links.get(cell, "")
        if cell in self.written:
            return self.written[cell]
        if sign in (KEY, END):
            return sign
        if cell in self.view.marks:
            return self.view.marks[cell].text
        if sign:
            return CARRIER if self.palette.spelt else "  "
        return self._rating(cell) or self._region_sign(cell)

    def _rating(self, cell: int) -> str:
        """Return the sign of a proved win and the label of a cell; '' without either."""
        label = self.view.labels.get(cell, "")
        if self.view.verdicts.get(cell):
            check = "+" if self.palette.spelt else CHECK
            return check + (label if len(label) == 1 else " ")
        return label.rjust(2) if label else ""

    def _region_sign(self, cell: int) -> str:
        """Return the sign of the search's or the must-play region, or the text of a blank cell."""
        view = self.view
        if cell in self.scope:
            return self.scope[cell]
        if cell in view.must_play and (self.palette.spelt or self.narrow):
            return MUST_PLAY
        return self._losing if view.verdicts.get(cell) is False else self._blank

    @property
    def _losing(self) -> str:
        """The text of a cell whose move is proved to lose."""
        return "- " if self.palette.spelt else LOSES + " "

    @property
    def _blank(self) -> str:
        """The text of a cell without marks."""
        if self.has_walls:
            return WALL
        return DOT + " " if self.palette.dotted else "  "

    def _blank_ink(self, color: str) -> str:
        return self.background if self.has_walls else contrasting(color)

    # Frames

    def _as_played(self, look: Look) -> Look:
        """Return the cell of the record's next move: a ring in its player's colour."""
        mover = self.view.position.to_move
        ring = self.palette.stones[mover - 1]
        if self.palette.letters:
            sign = STONES[mover]
            if self.narrow:
                return look._replace(text=sign[0] + look.text.strip(" .").ljust(1)[0])
            return look._replace(left=sign[0], right=sign[1])
        if not self.narrow:
            return look._replace(rim=ring, side_ink=contrasting(ring))
        if look.text in (self._blank, self._losing):
            return look._replace(text=FRAME, ink=ring)
        back = self.palette.mix(look.color, ring, 0.45)
        return look._replace(color=back, ink=contrasting(back))

    def _with_cursor(self, look: Look) -> Look:
        """Put a frame around the cell; a plain one is tinted like the stone Enter would place."""
        placing = self.view.placing
        if placing and look.color in self.palette.shades:
            back = self.palette.mix(look.color, self.palette.stones[placing - 1], 0.3)
            look = look._replace(color=back, ink=readable(look.ink, back))
        if self.narrow:
            return self._with_narrow_cursor(look)
        cursor = self.palette.cursor
        look = look._replace(rim=cursor, side_ink=contrasting(cursor))
        if self.palette.letters or self.view.mode is not Mode.PLAY:
            left, right = CURSORS[self.view.mode]
            look = look._replace(left=left, right=right)
        return look

    def _with_narrow_cursor(self, look: Look) -> Look:
        """Mark the cell by its text, or by the colour behind it: it has no border."""
        cursor = self.palette.cursor
        mode = self.view.mode
        written = look.text not in ("  ", self._blank, self._losing)
        if self.palette.letters:
            return self._in_brackets(look, written)
        if mode is Mode.SETUP or (mode is Mode.REGION and not written):
            brackets = "".join(CURSORS[mode])
            return look._replace(text=brackets, ink=readable(cursor, look.color), back="")
        on_stone = self.view.position.stones[self.view.cursor or 0] != EMPTY
        if written and not on_stone:
            return look._replace(back=cursor, ink=contrasting(cursor))
        is_last = look.text == SPOT
        return look._replace(text=FRAME_OF_LAST if is_last else FRAME, ink=cursor)

    def _in_brackets(self, look: Look, written: bool) -> Look:
        """Return the cell with a bracket, then a sign of its stone or mark, or another bracket."""
        left, right = CURSORS[self.view.mode]
        stone = self.view.position.stones[self.view.cursor or 0]
        if stone:
            right = STONES[Color(stone)][1]
        elif written and self.view.mode is Mode.REGION:
            right = look.text[0]  # what the cell is marked as
        return look._replace(text=left + right, ink=contrasting(look.color), back="")


def paint_line(pieces: Sequence[Piece], looks: Sequence[Look], colors: Sequence[str]) -> Strip:
    """Return one line of the board; ``looks`` are those of `looks`, ``colors`` of its pixels."""
    width = sum(piece.length for piece in pieces)
    return Strip([_segment(piece, looks, colors) for piece in pieces], width)


def draw_over(strip: Strip, patterns: Mapping[int, int], color: str) -> Strip:
    """Return a line with characters, by column and as codes, in place of what is no text."""
    ink = Style(color=color)
    segments: list[Segment] = []
    for text, back in ((text, segment.style) for segment in strip for text in segment.text):
        if text in _BLANK and len(segments) in patterns:
            segments.append(Segment(chr(patterns[len(segments)]), (back or ink) + ink))
        else:
            segments.append(Segment(text, back))
    return Strip(segments, strip.cell_length)


def _segment(piece: Piece, looks: Sequence[Look], colors: Sequence[str]) -> Segment:
    slot = piece.slot
    if slot is Slot.TEXT:
        look = looks[piece.cell]
        if look.text != "  " or look.back:
            return _text(look.text, look.ink, look.back or look.color)
    elif slot in (Slot.LEFT, Slot.RIGHT):
        look = looks[piece.cell]
        side = look.left if slot is Slot.LEFT else look.right
        if side:
            return _text(side, look.side_ink, look.rim or look.color)
    elif slot is Slot.LABEL:
        look = looks[piece.upper]
        return _text(piece.text, look.ink, look.color)
    return _fill(colors[piece.upper], colors[piece.lower], piece.length)


# Segments never change, and a board shows few different ones: each is made once.


@lru_cache(8192)
def _text(text: str, color: str, back: str) -> Segment:
    return Segment(text, style(color, back, True))


@lru_cache(8192)
def _fill(upper: str, lower: str, length: int) -> Segment:
    if upper == lower:
        return Segment(" " * length, style(upper, upper, False))
    return Segment(UPPER_HALF * length, style(upper, lower, False))


@lru_cache(8192)
def style(color: str, back: str, bold: bool) -> Style:
    """Return the style with these colours (``#rrggbb``)."""
    return Style(color=color, bgcolor=back, bold=bold)
