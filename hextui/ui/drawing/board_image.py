"""The board as a picture: hexagons, stones and texts in pixels, from the looks of its cells.

Every pixel belongs to one cell or to none, so that a cell that changes is drawn again by itself.

The terminal gets half blocks, and over these Sixel or Kitty graphics: each line of characters is a
picture of its own. It is written right after the half blocks of its line, so that it comes back
with these, and what is written over these removes it.
"""

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from itertools import groupby
from math import ceil, sqrt
from typing import Any

import numpy as np
import resvg_py
from numpy.typing import NDArray
from rich.segment import ControlType, Segment

from hextui.engine.board import EMPTY
from hextui.records.board_view import BoardView
from hextui.records.codecs.diagrams import FONT
from hextui.ui.drawing.geometry import OUTSIDE, BoardGeometry
from hextui.ui.drawing.painter import UPPER_HALF, Look, style
from hextui.ui.drawing.palette import channels
from hextui.ui.safety.graphics import (
    PICTURES,
    PICTURES_OF_BOARD,
    GraphicsProtocol,
    TerminalGraphics,
)

_BESIDE, _ABOVE = 1.8, 1.5  # room for bands and coordinates: in steps of columns, of rows
_GAP = 1.5  # pixels between two cells
_LARGEST = 12  # characters across a cell, at most
_SIDES = {(-1, 0): (5, 0, 1), (1, 0): (4, 3, 2), (0, -1): (5, 4, 3), (0, 1): (0, 1, 2)}
"""The corners of a cell along a side of the board, by rows down and columns right from the cell."""
Pixels = NDArray[np.uint8]
"""Rows, columns and the three colours."""
_PLACEHOLDER, _FIRST = "\U0010eeee", "\u0305\u0305"  # a part of a picture, and which: the first
_BLANK = (UPPER_HALF, " ")
_CHUNK = 4096  # characters in a command of Kitty's
_PART = 10  # characters in one picture of Sixel; an unchanged one is made once
_MOST_COLORS = 16  # in such a picture: xterm has no more registers unless told otherwise
_RED = 1 << 16
_GREEN = 1 << 8


@dataclass(frozen=True)
class ImageLayout:
    """Where the cells of a board lie in a picture, which takes whole characters of the terminal.

    ``character`` is the width and height of one in pixels. Cells begin at multiples of ``grain``
    pixels, the least that can be seen: 1, or the width of a character where half blocks show it.
    """

    geometry: BoardGeometry
    width: int
    height: int
    character: tuple[int, int]
    grain: int = 1

    @property
    def extent(self) -> tuple[int, int, int]:
        """The width, the height and the columns from one board to the next."""
        return self.width, self.height, self.width + 1

    @property
    def size(self) -> tuple[int, int]:
        """The width and height in pixels."""
        return self.width * self.character[0], self.height * self.character[1]

    @cached_property
    def step(self) -> int:
        """The pixels from one column of cells to the next: as many as have room, and even."""
        rows, columns = self.geometry.rows, self.geometry.columns
        across = self.size[0] / (columns + (rows - 1) / 2 + _BESIDE)
        row_step = self.size[1] / (rows + 1 / 3 + _ABOVE) // self.grain * self.grain
        room = min(across, row_step * 2 / sqrt(3), _LARGEST * self.character[0])
        return int(room) // (2 * self.grain) * 2 * self.grain

    @property
    def legible(self) -> bool:
        """Whether a cell is large enough: in half blocks, as large as the largest of characters."""
        width, height = self.character
        return self.row_step >= height and self.step >= width * (2 if self.grain == 1 else 6)

    @property
    def row_step(self) -> int:
        """The pixels from one row of cells to the next."""
        return round(self.step * sqrt(3) / 2 / self.grain) * self.grain

    def middle(self, row: int, column: int) -> tuple[int, int]:
        """Return the pixel in the middle of a place on the board or in the ring around it."""
        rows = self.geometry.rows - 1
        columns = self.geometry.columns - 1
        x = self.size[0] // 2 + self.step * (4 * column - 2 * columns + 2 * row - rows) // 4
        y = self.size[1] // 2 + self.row_step * (2 * row - rows) // 2
        return x - x % self.grain, y - y % self.grain

    @cached_property
    def middles(self) -> NDArray[np.int_]:
        """The pixel in the middle of each cell."""
        places = map(self.geometry.place_of, range(self.geometry.board.cells))
        return np.array([self.middle(row, column) for row, column in places])

    def hit(self, x: int, y: int) -> int:
        """Return the cell nearest to the middle of a character of the picture, or OUTSIDE."""
        width, height = self.character
        away = self.middles - ((x + 0.5) * width, (y + 0.5) * height)
        distances = np.hypot(away[:, 0], away[:, 1])
        cell = int(distances.argmin())
        return cell if distances[cell] <= self.row_step * 2 / 3 else OUTSIDE


def image_layout(
    geometry: BoardGeometry, boards: int, width: int, height: int, graphics: TerminalGraphics
) -> ImageLayout:
    """Return the layout of equal boards beside and below each other that makes them largest."""
    caption = int(boards > 1)
    size = graphics.character
    grain = size[0] if graphics.protocol is GraphicsProtocol.BLOCKS else 1
    layouts = []
    for rows in range(1, boards + 1):
        columns = (width + 1) // -(-boards // rows) - 1
        lines = height // rows - caption
        layouts.append(
            ImageLayout(geometry, width=columns, height=lines, character=size, grain=grain)
        )
    return max(layouts, key=lambda layout: layout.step)


class BoardImage:
    """A picture of a board that is drawn again where the board has changed.

    ``number`` is that of the board, from 0, among those on the screen. In half blocks the texts on
    cells are characters.
    """

    def __init__(self, layout: ImageLayout, protocol: GraphicsProtocol, number: int) -> None:
        self.layout = layout
        self._protocol = protocol
        self._first = PICTURES + number * PICTURES_OF_BOARD
        width, height = layout.size
        self.pixels: Pixels = np.zeros((height, width, 3), np.uint8)
        self._around: tuple[Look, ...] = ()
        self._drawn: list[tuple[Look, str]] = []

    def draw(self, view: BoardView, looks: Sequence[Look], shade: str) -> set[int]:
        """Draw a board with these looks; return the lines of characters that changed.

        ``shade`` is the colour of a cell under its stone.
        """
        layout, cells = self.layout, view.position.board.cells
        stones = view.position.stones
        wanted: list[tuple[Look, str]] = []
        for cell in range(cells):
            under = shade if stones[cell] != EMPTY else ""
            wanted.append((looks[cell], under))
        around = tuple(looks[cells:])
        before = self._drawn
        if around != self._around:
            self._around = around
            before = []
            self._draw_around()
        changed = [cell for cell in range(cells) if not before or wanted[cell] != before[cell]]
        self._drawn = wanted
        own = own_pixels(layout.step, layout.row_step)
        half = len(own) // 2
        line = layout.character[1]
        lines = set() if before else set(range(layout.height))
        for cell in changed:
            look, under = wanted[cell]
            tile = _tile(look, under, around[-1].color, layout.step, layout.row_step, layout.grain)
            x, y = layout.middles[cell]
            self._part(x, y, own)[own] = tile[own]
            lines.update(range((y - half) // line, (y + half - 1) // line + 1))
        return lines

    def blocks(self, y: int) -> list[Segment]:
        """Return a line in half blocks in the mean colours of what they cover, with texts.

        Below a picture there are no texts, and one pixel stands for each half block.
        """
        pixels = self._line(y)
        columns = self.layout.width
        texts: dict[int, tuple[str, str, str]] = {}
        if self._protocol is GraphicsProtocol.BLOCKS:
            texts = self._texts(y)
        else:
            width, height = self.layout.character
            pixels = pixels[height // 4 :: height // 2][:2, width // 2 :: width]
        half = len(pixels) // 2
        upper = _means(pixels[:half], columns)
        lower = _means(pixels[half:], columns)
        cells = []
        for above, below in zip(upper, lower, strict=True):
            block = " " if above == below else UPPER_HALF
            cells.append((block, above, below))
        for column, (text, ink, back) in texts.items():
            cells[column : column + len(text)] = [(letter, ink, back) for letter in text]
        segments = []
        for (is_blank, ink, back), run in groupby(cells, lambda c: (c[0] in _BLANK, c[1], c[2])):
            text = "".join(letter for letter, _, _ in run)
            segments.append(Segment(text, style(ink, back, not is_blank)))
        return segments

    def over_blocks(self, y: int, column: int) -> list[Segment]:
        """Return what shows the picture of a line over its half blocks, from a column on."""
        if self._protocol is GraphicsProtocol.BLOCKS:
            return []
        pixels = self._line(y)
        columns = self.layout.width
        parts = {}
        if self._protocol is GraphicsProtocol.KITTY:
            parts[0] = _kitty(pixels, columns, self._first + y)
        else:
            width = self.layout.character[0]
            for first in range(0, columns, _PART):
                part = pixels[:, first * width : (first + _PART) * width]
                parts[first] = _sixel(part.tobytes(), *part.shape[:2])
        shown = "".join(f"\x1b[{column + first + 1}G{text}" for first, text in parts.items())
        # the cursor's place and colours are saved and restored around it
        control = [(ControlType.CURSOR_MOVE_TO_COLUMN, column)]
        return [Segment(f"\x1b7{shown}\x1b8", None, control)]

    def _line(self, y: int) -> Pixels:
        height = self.layout.character[1]
        return self.pixels[y * height : (y + 1) * height]

    def _texts(self, y: int) -> dict[int, tuple[str, str, str]]:
        """Return the texts in a line by their columns, with their colour and that behind."""
        layout, geometry = self.layout, self.layout.geometry
        width, height = layout.character
        outside = self._around[-1]
        labels = zip(geometry.labels, geometry.ring, strict=True)
        written = [
            (layout.middle(*place), label.text.strip(), outside.ink, outside.color)
            for label, place in labels
        ]
        for (look, _), middle in zip(self._drawn, layout.middles.tolist(), strict=True):
            written.append((middle, _written(look), look.ink, look.back or look.color))
        return {
            round(across / width - len(text) / 2): (text, ink, back)
            for (across, down), text, ink, back in written
            if text and down // height == y
        }

    def _part(self, x: int, y: int, mask: NDArray[np.generic]) -> Pixels:
        """Return the pixels around one that a mask covers."""
        height, width = mask.shape
        top = y - height // 2
        left = x - width // 2
        return self.pixels[top : top + height, left : left + width]

    def _draw_around(self) -> None:
        """Draw all but the cells: the background, the four bands and the coordinates."""
        layout, geometry = self.layout, self.layout.geometry
        *edges, outside = self._around
        step = layout.step
        width = max(layout.step * 0.3, 2 * layout.grain)
        corners = _corners(step, layout.row_step)
        self.pixels[:] = channels(outside.color)
        for label, (row, column) in zip(geometry.labels, geometry.ring, strict=True):
            cell = min(max(row, 0), geometry.rows - 1), min(max(column, 0), geometry.columns - 1)
            side = _SIDES[row - cell[0], column - cell[1]]
            line = " ".join(corners[corner] for corner in side)
            band = f'<polyline points="{line}" fill="none" stroke="#000" stroke-width="{width}"/>'
            sizes = step * 7 // 8 * 2, step // 2
            drawn = [(cell, band, sizes[0], edges[label.edge].color)]
            if layout.grain == 1:
                text = _text(label.text.strip(), step * 0.42)
                drawn.append(((row, column), text, sizes[1], outside.ink))
            for place, drawing, size, color in drawn:
                mask = _mask(drawing, max(size, step * 6 // 10), size)
                part = self._part(*layout.middle(*place), mask)
                part[:] = _painted(part, mask, color)


@lru_cache(16)
def own_pixels(step: int, row_step: int) -> NDArray[np.bool_]:
    """Return which pixels around the middle of a cell are nearer to it than to any other."""
    width = step
    height = 2 * ceil(row_step * 2 / 3)
    y, x = np.mgrid[:height, :width] + 0.5
    y = y - height / 2
    x = x - width / 2
    right = (step, 0)
    below = (step / 2, row_step)
    half = [right, below, (below[0] - step, row_step)]
    own = np.ones((height, width), bool)
    for dx, dy in half:
        own &= x**2 + y**2 < (x - dx) ** 2 + (y - dy) ** 2
        own &= x**2 + y**2 <= (x + dx) ** 2 + (y + dy) ** 2
    return own


@lru_cache(1024)
def _tile(look: Look, under: str, around: str, step: int, row_step: int, grain: int) -> Pixels:
    """Return the picture of a cell; ``under`` is the colour under its stone, "" without one."""
    height, width = own_pixels(step, row_step).shape
    tile: Pixels = np.full((height, width, 3), channels(around), np.uint8)
    layers = _shapes(look, under, step, row_step, grain)
    text = _written(look)
    if text and grain == 1:
        layers.append((_text(text, step * 0.44), look.ink))
    for drawing, color in layers:
        tile = _painted(tile, _mask(drawing, width, height), color)
    return tile


def _shapes(look: Look, under: str, step: int, row_step: int, grain: int) -> list[tuple[str, str]]:
    """Return the shapes of a cell from the lowest to the uppermost, with their colours."""
    fill = under or look.color
    gap = _GAP if grain == 1 else 0
    layers = [(_hexagon(step, row_step, gap), look.rim or fill)]
    if look.rim:
        layers.append((_hexagon(step, row_step, gap + max(step * 0.2, 2 * grain)), fill))
    if under:
        layers.append((_circle(step * (0.38 if grain == 1 else 0.5)), look.color))
    if look.back:
        layers.append((_circle(step * (0.31 if _written(look) else 0.14)), look.back))
    return layers


def _written(look: Look) -> str:
    return f"{look.left}{look.text}{look.right}".strip()


def _painted(under: Pixels, mask: NDArray[np.float32], color: str) -> Pixels:
    """Return pixels with a colour laid over them as far as a mask says."""
    over = np.array(channels(color), np.float32)
    mixed: Pixels = np.rint(under + (over - under) * mask[..., None]).astype(np.uint8)
    return mixed


# What is drawn around a middle at (0, 0), in pixels, as SVG


def _corners(step: float, row_step: float) -> list[str]:
    """Return the corners of a cell from the top on, clockwise."""
    across = step / 2
    down = row_step * 2 / 3
    return [
        f"{x:.2f},{y:.2f}"
        for x, y in (
            *((0, -down), (across, -down / 2), (across, down / 2)),
            *((0, down), (-across, down / 2), (-across, -down / 2)),
        )
    ]


def _hexagon(step: int, row_step: int, gap: float) -> str:
    share = max(1 - gap / step, 0.5)
    return f'<polygon points="{" ".join(_corners(step * share, row_step * share))}"/>'


def _circle(radius: float) -> str:
    return f'<circle r="{radius:.2f}"/>'


def _text(text: str, size: float) -> str:
    return f'<text y="{size * 0.36:.1f}" font-size="{size:.1f}">{escape(text)}</text>'


@lru_cache(1024)
def _mask(drawing: str, width: int, height: int) -> NDArray[np.float32]:
    """Return how much of each pixel a drawing covers, from 0 to 1."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{-width / 2} {-height / 2} {width} {height}" text-anchor="middle" '
        f'font-family="sans-serif">{drawing}</svg>'
    )
    png = resvg_py.svg_to_bytes(
        svg, skip_system_fonts=True, font_files=[str(FONT)], sans_serif_family="DejaVu Sans"
    )
    return alpha_channel(png, width, height).astype(np.float32) / np.float32(255)


def alpha_channel(png: bytes, width: int, height: int) -> NDArray[np.uint8]:
    """Return the last of four channels, of 8 bits each, of a PNG (its filters: section 9.2)."""
    offset = 8
    packed = b""
    while offset < len(png):
        length, kind = struct.unpack_from(">I4s", png, offset)
        if kind == b"IDAT":
            packed += png[offset + 8 : offset + 8 + length]
        offset += length + 12
    data = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 4 * width + 1)
    alpha: NDArray[np.uint8] = data[:, 4::4].copy()
    above = np.zeros(width, np.uint8)
    for kind, row in zip(data[:, 0].tolist(), alpha, strict=True):
        if kind == 1:
            np.cumsum(row, out=row)
        elif kind == 2:
            row += above
        elif kind > 2:
            row[:] = _unfiltered(kind, row.tolist(), above.tolist())
        above = row
    return alpha


def _unfiltered(kind: int, row: list[int], above: list[int]) -> list[int]:
    """Undo the filter Average (3) or Paeth (4) of a row, given the row above it."""
    left = 0
    corner = 0
    values = []
    for byte, up in zip(row, above, strict=True):
        predicted = (left + up) // 2
        if kind == 4:  # the neighbour nearest to this estimate, the first of equals
            estimate = left + up - corner
            predicted = min((left, up, corner), key=lambda value: abs(estimate - value))
        left = byte + predicted & 255
        corner = up
        values.append(left)
    return values


# Lines of a picture for the terminal


def _means(pixels: Pixels, columns: int) -> list[str]:
    cells = pixels.reshape(len(pixels), columns, -1, 3).mean(axis=(0, 2))
    return [f"#{value:06x}" for value in _packed(np.rint(cells)).tolist()]


def _packed(colors: NDArray[Any]) -> NDArray[np.int_]:
    packed: NDArray[np.int_] = colors.astype(int) @ np.array((_RED, _GREEN, 1))
    return packed


def _kitty(pixels: Pixels, columns: int, number: int) -> str:
    """Return a picture and the placeholders that show it.

    See https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders: the colour of the
    placeholders is the number of the picture.
    """
    height, width, _ = pixels.shape
    data = base64.b64encode(zlib.compress(pixels.tobytes(), 1)).decode()
    head = f"a=T,U=1,q=2,f=24,o=z,s={width},v={height},i={number},c={columns},r=1,"
    parts = []
    for start in range(0, len(data), _CHUNK):
        end = start + _CHUNK
        more = int(end < len(data))
        parts.append(f"\x1b_G{head}m={more};{data[start:end]}\x1b\\")
        head = "q=2,"
    red = number // _RED
    green = number // _GREEN % 256
    blue = number % 256
    cells = _PLACEHOLDER + _FIRST + _PLACEHOLDER * (columns - 1)
    return f"{''.join(parts)}\x1b[0;38;2;{red};{green};{blue}m{cells}"


@lru_cache(2048)
def _sixel(data: bytes, height: int, width: int) -> str:
    """Return a picture as Sixel (DEC STD 070): for each colour, columns of six pixels."""
    colors, chosen = _palette(np.frombuffer(data, np.uint8).reshape(height, width, 3))
    head = f'\x1bP0;1;0q"1;1;{width};{height}'
    for number, (red, green, blue) in enumerate(np.rint(colors / 2.55).astype(int).tolist()):
        head += f"#{number};2;{red};{green};{blue}"
    bits = np.zeros((-(-height // 6), len(colors), width), int)
    for row, line in enumerate(chosen):
        bits[row // 6, line, np.arange(width)] |= 1 << row % 6
    starts = np.flatnonzero(np.diff(bits, axis=2, prepend=-1))
    lengths = np.diff(starts, append=bits.size)
    rows = [""] * (len(bits) * len(colors))  # of each colour in each band
    runs = (starts // width, bits.ravel()[starts], lengths)
    for row, bit, length in zip(*(part.tolist() for part in runs), strict=True):
        code = chr(63 + bit)
        rows[row] += f"!{length}{code}" if length > 3 else code * length
    bands = []
    for band in range(len(bits)):
        used = np.flatnonzero(bits[band].any(axis=1)).tolist()
        bands.append("$".join(f"#{color}{rows[band * len(colors) + color]}" for color in used))
    return f"{head}{'-'.join(bands)}\x1b\\"


def _palette(pixels: Pixels) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return the most frequent colours, and which of them is the nearest to each pixel."""
    packed, which, counts = np.unique(_packed(pixels), return_inverse=True, return_counts=True)
    apart = np.stack([packed // _RED, packed // _GREEN % 256, packed % 256], axis=-1)
    colors = apart[np.argsort(-counts, kind="stable")[:_MOST_COLORS]]
    nearest = np.abs(apart[:, None] - colors[None]).sum(axis=-1).argmin(axis=1)
    return colors, nearest[which].reshape(pixels.shape[:2])
