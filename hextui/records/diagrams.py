"""Pictures of a position: text, SVG, PNG and the diagram that HexWiki shows."""

import re
from collections.abc import Mapping
from html import escape
from math import sqrt

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import MoveKind, Position
from hextui.records.errors import RecordError
from hextui.records.markup import marks_of
from hextui.records.record import Record
from hextui.records.text import printable
from hextui.records.tree import Node

DIAGRAMS = ("text", "svg", "png", "hexwiki")

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_SIDE = 20.0  # of a hexagon, in pixels
_WIDTH, _HEIGHT = _SIDE * sqrt(3), _SIDE * 1.5
_MARGIN = 2.2 * _SIDE
_STONES = {Color.BLACK: "#e4572e", Color.WHITE: "#3b8fe0"}
_SIGNS = {"triangle": "▲", "square": "■", "circle": "●", "cross": "✕"}
_WIKI_SIGNS = {"triangle": "+", "square": "-", "circle": "*", "cross": "x"}


def text_diagram(position: Position) -> str:
    """Return the board as text: letters above and below, numbers at both sides, ``B W .``."""
    board = position.board
    letters = " ".join(chr(ord("a") + column) for column in range(board.columns))
    lines = [f"  {letters}"]
    for row in range(board.rows):
        start = row * board.columns
        marks = (".BW"[stone] for stone in position.stones[start : start + board.columns])
        lines.append(f"{' ' * row}{row + 1:>2} {' '.join(marks)} {row + 1}")
    lines.append(f"{' ' * (board.rows + 2)}{letters}")
    return "\n".join(lines) + "\n"


def svg_diagram(record: Record, node: Node, numbers: bool = False) -> str:
    """Return the position of a node as SVG, with its marks, and with move numbers if asked."""
    return svg_position(record.position(node), _labels(record, node, numbers))


def svg_position(position: Position, labels: Mapping[int, str]) -> str:
    """Return a position as SVG, with a text on some of the cells."""
    board = position.board
    width = 2 * _MARGIN + _WIDTH * (board.columns - 1 + (board.rows - 1) / 2) + _WIDTH
    height = 2 * _MARGIN + _HEIGHT * (board.rows - 1) + 2 * _SIDE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" font-family="sans-serif" text-anchor="middle">',
        f'<rect width="{width:.1f}" height="{height:.1f}" fill="#ffffff"/>',
        *_edges(board),
    ]
    for cell, stone in enumerate(position.stones):
        x, y = _centre(board, cell)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in _corners(x, y))
        parts.append(f'<polygon points="{points}" fill="#f3efe4" stroke="#8a8471"/>')
        color = "#222222"
        if stone != EMPTY:
            fill, color = _STONES[Color(stone)], "#ffffff"
            radius = _SIDE * 0.72
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"/>')
        if cell in labels:
            parts.append(_text(x, y, labels[cell], color, _SIDE * 0.75))
    parts += _coordinates(board)
    return "\n".join([*parts, "</svg>\n"])


def png_diagram(record: Record, node: Node, numbers: bool = False) -> bytes:
    """Return the same as PNG. Raises RecordError where the library that draws it is missing."""
    try:
        import cairosvg
    except (ImportError, OSError):
        what = "PNG needs cairosvg: pip install 'hextui[pictures]'; SVG needs nothing"
        raise RecordError(what) from None
    return bytes(cairosvg.svg2png(svg_diagram(record, node, numbers).encode(), scale=2))


def hexwiki_diagram(record: Record, node: Node, numbers: bool = False) -> str:
    """Return the position as HexWiki's ``<hexboard>``; its size is rows x columns.

    Raises RecordError for a board of more columns than the wiki has letters for.
    """
    board, position = record.board, record.position(node)
    labels = _labels(record, node, numbers, _WIKI_SIGNS)
    words: dict[int, list[str]] = {Color.BLACK: [], Color.WHITE: [], EMPTY: []}
    for cell, stone in enumerate(position.stones):
        label = "".join(c for c in labels.get(cell, "") if c.isalnum() or c in "*+-")
        if stone != EMPTY or label:
            words[stone].append(f"{label}:{board.name(cell)}" if label else board.name(cell))
    contents = [
        f"{letter} {' '.join(words[stone])}"
        for letter, stone in (("R", Color.BLACK), ("B", Color.WHITE), ("E", EMPTY))
        if words[stone]
    ]
    return f'<hexboard size="{board.rows}x{board.columns}" contents="{" ".join(contents)}"/>\n'


def _labels(
    record: Record, node: Node, numbers: bool, signs: Mapping[str, str] = _SIGNS
) -> dict[int, str]:
    labels = _numbers(node, record.board) if numbers else {}
    for cell, mark in marks_of(node, record.board).items():
        labels[cell] = signs.get(mark) or mark[1:]
    return labels


def _numbers(node: Node, board: Board) -> dict[int, str]:
    return {cell: str(ply) for cell, ply in move_numbers(node, board).items()}


def move_numbers(node: Node, board: Board) -> dict[int, int]:
    """Return the ply at which each stone on the board was played, by cell."""
    found: dict[int, int] = {}
    for at in node.line():
        for cell in (*at.setup.black, *at.setup.white, *at.setup.empty):
            found.pop(cell, None)
        if at.turn is None:
            continue
        if at.turn.move.kind is MoveKind.PLAY:
            found[at.turn.move.cell] = at.ply
        elif at.turn.move.kind is MoveKind.SWAP_PIECES:
            found = {board.mirror(cell): ply for cell, ply in found.items()}
    return found


def _centre(board: Board, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, board.columns)
    return (
        _MARGIN + _WIDTH * (column + row / 2 + 0.5),
        _MARGIN + _HEIGHT * row + _SIDE,
    )


def _corners(x: float, y: float, side: float = _SIDE) -> list[tuple[float, float]]:
    """Return the corners of a hexagon from the top on, clockwise."""
    half = side * sqrt(3) / 2
    return [
        (x, y - side), (x + half, y - side / 2), (x + half, y + side / 2),
        (x, y + side), (x - half, y + side / 2), (x - half, y - side / 2),
    ]  # fmt: skip


def _edges(board: Board) -> list[str]:
    """Return a thick line in the owner's colour along each side, below the cells."""
    last = (board.rows - 1) * board.columns
    sides = (
        (Color.BLACK, range(board.columns), (5, 0, 1)),
        (Color.BLACK, range(last, board.cells), (4, 3, 2)),
        (Color.WHITE, range(0, board.cells, board.columns), (5, 4, 3)),
        (Color.WHITE, range(board.columns - 1, board.cells, board.columns), (1, 2, 3)),
    )
    lines = []
    for color, cells, corners in sides:
        points: list[tuple[float, float]] = []
        for cell in cells:
            around = _corners(*_centre(board, cell))
            points += [around[corner] for corner in corners]
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        lines.append(
            f'<polyline points="{text}" fill="none" stroke="{_STONES[color]}" '
            f'stroke-width="{_SIDE * 0.5:.1f}" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    return lines


def _coordinates(board: Board) -> list[str]:
    texts = []
    for column in range(board.columns):
        bottom = board.cells - board.columns + column
        for cell, dx, dy in ((column, -0.5, -1.35), (bottom, 0.5, 1.35)):
            x, y = _centre(board, cell)
            name = chr(ord("a") + column)
            texts.append(_text(x + dx * _WIDTH * 0.6, y + dy * _SIDE * 1.15, name, "#444444", 13))
    for row in range(board.rows):
        for cell, dx in ((row * board.columns, -1.0), ((row + 1) * board.columns - 1, 1.0)):
            x, y = _centre(board, cell)
            texts.append(_text(x + dx * _WIDTH, y, str(row + 1), "#444444", 13))
    return texts


def _text(x: float, y: float, text: str, color: str, size: float) -> str:
    shown = escape(_NOT_XML.sub("?", printable(text)), quote=False)
    return (
        f'<text x="{x:.1f}" y="{y + size * 0.36:.1f}" font-size="{size:.1f}" '
        f'fill="{color}">{shown}</text>'
    )
