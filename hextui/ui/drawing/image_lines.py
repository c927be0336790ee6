"""Lines of a picture for the terminal: as half blocks, and over these as Sixel or Kitty graphics.

Each line of characters is a picture of its own. It is written right after the half blocks of its
line, so that it comes back with these, and what is written over these removes it.
"""

import base64
import zlib
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.segment import ControlType, Segment

from hextui.ui.drawing.painter import UPPER_HALF, style
from hextui.ui.safety.graphics import GraphicsProtocol

Pixels = NDArray[np.uint8]
"""Rows, columns and the three colours."""
_PLACEHOLDER, _FIRST = "\U0010eeee", "\u0305\u0305"  # a part of a picture, and which: the first
_BLANK = (UPPER_HALF, " ")
_CHUNK = 4096  # characters in a command of Kitty's
_PART = 10  # characters in one picture of Sixel; an unchanged one is made once
_MOST_COLORS = 16  # in such a picture: xterm has no more registers unless told otherwise
_RED, _GREEN = 1 << 16, 1 << 8


def blocks(
    pixels: Pixels, columns: int, texts: Mapping[int, tuple[str, str, str]]
) -> list[Segment]:
    """Return half blocks in the mean colours of what they cover, with texts at their columns."""
    half = len(pixels) // 2
    upper, lower = _means(pixels[:half], columns), _means(pixels[half:], columns)
    cells = [(UPPER_HALF if u != d else " ", u, d) for u, d in zip(upper, lower, strict=True)]
    for column, (text, ink, back) in texts.items():
        cells[column : column + len(text)] = [(letter, ink, back) for letter in text]
    segments = []
    for (blank, ink, back), run in groupby(cells, lambda c: (c[0] in _BLANK, c[1], c[2])):
        text = "".join(letter for letter, _, _ in run)
        segments.append(Segment(text, style(ink, back, not blank)))
    return segments


def _means(pixels: Pixels, columns: int) -> list[str]:
    cells = pixels.reshape(len(pixels), columns, -1, 3).mean(axis=(0, 2))
    return [f"#{value:06x}" for value in _packed(np.rint(cells)).tolist()]


def _packed(colors: NDArray[Any]) -> NDArray[np.int_]:
    """Return colours as one number each."""
    packed: NDArray[np.int_] = colors.astype(int) @ np.array((_RED, _GREEN, 1))
    return packed


def over_blocks(
    protocol: GraphicsProtocol, pixels: Pixels, column: int, columns: int, number: int
) -> Segment:
    """Return the control that shows a line of a picture from a column of the screen on."""
    if protocol is GraphicsProtocol.KITTY:
        parts = {0: _kitty(pixels, columns, number)}
    else:
        width = pixels.shape[1] // columns
        parts = {}
        for at in range(0, columns, _PART):
            part = pixels[:, at * width : (at + _PART) * width]
            parts[at] = _sixel(part.tobytes(), *part.shape[:2])
    shown = "".join(f"\x1b[{column + at + 1}G{text}" for at, text in parts.items())
    # the cursor's place and colours are saved and restored around it
    return Segment(f"\x1b7{shown}\x1b8", None, [(ControlType.CURSOR_MOVE_TO_COLUMN, column)])


def _kitty(pixels: Pixels, columns: int, number: int) -> str:
    """Return a picture and the placeholders that show it.

    See https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders: the colour of the
    placeholders is the number of the picture.
    """
    height, width, _ = pixels.shape
    data = base64.b64encode(zlib.compress(pixels.tobytes(), 1)).decode()
    head = f"a=T,U=1,q=2,f=24,o=z,s={width},v={height},i={number},c={columns},r=1,"
    parts = []
    for at in range(0, len(data), _CHUNK):
        more = int(at + _CHUNK < len(data))
        parts.append(f"\x1b_G{head}m={more};{data[at : at + _CHUNK]}\x1b\\")
        head = "q=2,"
    red, green, blue = number // _RED, number // _GREEN % 256, number % 256
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
    found, which, counts = np.unique(_packed(pixels), return_inverse=True, return_counts=True)
    apart = np.stack([found // _RED, found // _GREEN % 256, found % 256], axis=-1)
    colors = apart[np.argsort(-counts, kind="stable")[:_MOST_COLORS]]
    nearest = np.abs(apart[:, None] - colors[None]).sum(axis=-1).argmin(axis=1)
    return colors, nearest[which].reshape(pixels.shape[:2])
