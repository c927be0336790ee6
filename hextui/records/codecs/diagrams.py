"""Draw a position: as text, SVG, PNG, and as HexWiki shows it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from math import sqrt
from pathlib import Path

from hextui.engine.board import EMPTY, Board, Color
from hextui.records.board_view import BoardView
from hextui.records.markup import WIKI_SIGNS, marks_of, move_numbers
from hextui.records.record import Record
from hextui.records.record_text import printable
from hextui.records.tree import Node
from hextui.text import Names

FONT = Path(__file__).parent.with_name("picture_font.ttf")
"""DejaVu Sans without what is neither Latin nor a sign here: a system without fonts has texts too.

From DejaVuSans.ttf 2.37 by ``pyftsubset --no-hinting --layout-features=''``, with
``--unicodes=20-7e,a0-17f,2010-2027,25b2,25a0,25cf,2713,2715``.
"""

_SIGNS = {"triangle": "▲", "square": "■", "circle": "●", "cross": "✕"}
_WORDS = {
    "+": "wins", "-": "loses", "@": "key", "*": "carrier", ":": "must-play", "o": "played next",
}  # fmt: skip

_SIZE = re.compile(r'\b(?:width|height)="(\d+)"')
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_SIDE = 20.0  # of a hexagon, in pixels
_WIDTH = _SIDE * sqrt(3)
_HEIGHT = _SIDE * 1.5
_MARGIN = 2.2 * _SIDE
_LEGEND = 1.6 * _SIDE  # height of the line below the board
STONE_COLORS = {Color.BLACK: "#e4572e", Color.WHITE: "#3b8fe0"}
_CELL = "#f3efe4"
_LINE = "#8a8471"
_INK = "#111111"
_HEAT = ("#e9e2f7", "#a58ade")  # one hue, which is no player's
_PALE = 0.45  # of a stone's colour where it is not played yet
_WON = "#1f8a3b"
_WON_CELL = "#c4e6c8"
_LOST_CELL = "#fdfcf9"
_MUST_PLAY = "#c98a00"
_DIFFERING = "#77746c"
_DOT = "#ffffff"


DIAGRAM_SUFFIXES = {"text": ".txt", "svg": ".svg", "png": ".png", "hexwiki": ".wiki"}
"""The kinds of diagrams and the endings of their files."""


def draw(
    form: str, record: Record, node: Node, numbers: bool, shown: Sequence[BoardView], names: Names
) -> str | bytes:
    """Return a diagram of the position after a node with its marks, and what else is shown of it.

    Pictures have all that is shown, beside each other; others have the first. ``numbers``: whether
    the stones get the numbers of their moves.
    """
    views = shown or [BoardView(record.position(node))]
    if form == "text":
        return text_diagram(views[0], names)
    signs = WIKI_SIGNS if form == "hexwiki" else _SIGNS
    marks = marks_of(node, record.board)
    marked = {cell: signs.get(mark) or mark[1:] for cell, mark in marks.items()}
    if numbers:
        plies = move_numbers(node, record.board)
        marked = {cell: str(ply) for cell, ply in plies.items()} | marked
    views = [replace(view, labels={**view.labels, **marked}) for view in views]
    if form == "hexwiki":
        return _hexwiki(views[0])
    pictures = [svg_diagram(view) for view in views]
    svg = _beside(pictures) if len(pictures) > 1 else pictures[0]
    if form == "svg":
        return svg
    import resvg_py

    return resvg_py.svg_to_bytes(
        svg, zoom=2, font_files=[str(FONT)], sans_serif_family="DejaVu Sans"
    )


def _hexwiki(view: BoardView) -> str:
    """Return HexWiki's ``<hexboard>``, whose size is rows x columns.

    Of what is shown it holds labels, and ``*`` for winning moves.
    """
    position, board = view.position, view.position.board
    labels = {cell: "*" for cell, won in view.verdicts.items() if won} | dict(view.labels)
    words: dict[int, list[str]] = {Color.BLACK: [], Color.WHITE: [], EMPTY: []}
    for cell, stone in enumerate(position.stones):
        label = "".join(c for c in labels.get(cell, "") if c.isalnum() or c in "*+-")
        if stone != EMPTY or label:
            words[stone].append(f"{label}:{board.name(cell)}" if label else board.name(cell))
    contents = " ".join(
        f"{letter} {' '.join(cells)}"
        for letter, cells in zip("RBE", words.values(), strict=True)
        if cells
    )
    return f'<hexboard size="{board.rows}x{board.columns}" contents="{contents}"/>\n'


def text_diagram(view: BoardView, names: Names) -> str:
    """Return the board as text: letters above and below, numbers at both sides, ``B W .``.

    An empty cell that is shown has one character in place of the dot. Below the board stands what
    the characters mean.
    """
    position, board = view.position, view.position.board
    letters = " ".join(board.name(column)[:-1] for column in range(board.columns))
    signs = {cell: _sign(cell, view) for cell in position.empties}
    lines = [f"  {letters}"]
    for row in range(board.rows):
        cells = range(row * board.columns, (row + 1) * board.columns)
        marks = (signs.get(cell) or ".BW"[position.stones[cell]] for cell in cells)
        lines.append(f"{' ' * row}{row + 1:>2} {' '.join(marks)} {row + 1}")
    lines.append(f"{' ' * (board.rows + 2)}{letters}")
    sides = {Color.BLACK: "B {} (top to bottom)", Color.WHITE: "W {} (left to right)"}
    there = [color for color in sides if color in position.stones]
    played = [sides[color].format(names.player(color)) for color in there]
    lines += [", ".join([*played, ". empty"])] if played else []
    used = {sign for sign in signs.values() if sign}
    words = _WORDS | ({"o": "tried next"} if view.tried else {})
    legend = [f"{sign} {word}" for sign, word in words.items() if sign in used]
    numbered = [f"1 2 {view.source}"] if any(map(str.isdigit, used)) else []
    lines += [", ".join([*numbered, *legend])] if numbered or legend else []
    return "\n".join(lines) + "\n"


def _sign(cell: int, view: BoardView) -> str:
    """Return the most important character of an empty cell, '' for none."""
    if cell in view.verdicts:
        return "+" if view.verdicts[cell] else "-"
    if len(view.labels.get(cell, "")) == 1:
        return view.labels[cell]
    signs = {
        "@": cell == view.connection.key,
        "*": cell in view.connection.carrier,
        ":": cell in view.must_play,
        "o": cell == view.played,
    }
    return next((sign for sign, true in signs.items() if true), "")


def svg_diagram(view: BoardView) -> str:
    """Return the board as SVG: its stones, what is known of the cells, its labels and legend."""
    board = view.position.board
    width, height = svg_size(board)
    below = _LEGEND if view.legend else 0.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height + below:.0f}"'
        f' viewBox="0 0 {width:.1f} {height + below:.1f}" font-family="sans-serif"'
        ' text-anchor="middle">',
        f'<rect width="{width:.1f}" height="{height + below:.1f}" fill="#ffffff"/>',
        *_edges(board),
        *(_hexagon(board, cell, _fill(view, cell)) for cell in range(board.cells)),
        *_outline(view),
    ]
    for cell in range(board.cells):
        parts += _on_cell(view, cell)
    parts += _coordinates(board)
    if view.legend:
        parts.append(_text(width / 2, height + 0.2 * _SIDE, view.legend, _INK, 13))
    return "\n".join([*parts, "</svg>\n"])


def svg_empty_board(board: Board, name: str) -> str:
    """Return an SVG group with the id ``name``: the empty board of all `svg_position` of a page."""
    cells = (_hexagon(board, cell, _CELL) for cell in range(board.cells))
    return "\n".join([f'<g id="{name}">', *_edges(board), *cells, *_coordinates(board), "</g>"])


def svg_position(view: BoardView, empty_board: str, title: str) -> str:
    """Return the board as SVG for a page that holds the group of `svg_empty_board`.

    ``title`` describes the picture to those who cannot see it. The legend is left to the page.
    """
    board = view.position.board
    width, height = svg_size(board)
    parts = [
        f'<svg viewBox="0 0 {width:.1f} {height:.1f}" font-family="sans-serif" '
        f'text-anchor="middle" role="img" aria-label="{xml_text(title, quote=True)}">',
        f'<use href="#{empty_board}"/>',
    ]
    fills = {cell: _fill(view, cell) for cell in range(board.cells)}
    parts += [_hexagon(board, cell, fill) for cell, fill in fills.items() if fill != _CELL]
    parts += _outline(view)
    for cell in range(board.cells):
        parts += _on_cell(view, cell)
    return "\n".join([*parts, "</svg>"])


def svg_size(board: Board) -> tuple[float, float]:
    """Return the width and height of a board's picture, without a legend."""
    width = 2 * _MARGIN + _WIDTH * (board.columns - 1 + (board.rows - 1) / 2) + _WIDTH
    return width, 2 * _MARGIN + _HEIGHT * (board.rows - 1) + 2 * _SIDE


def _beside(drawings: Sequence[str]) -> str:
    """Return SVG drawings of one size beside each other."""
    width, height = map(int, _SIZE.findall(drawings[0])[:2])
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * len(drawings)}"'
    placed = (svg.replace("<svg", f'<svg x="{width * n}"', 1) for n, svg in enumerate(drawings))
    return "\n".join([f'{head} height="{height}">', *placed, "</svg>\n"])


def _fill(view: BoardView, cell: int) -> str:
    """Return the colour of a cell."""
    if cell in view.connection.carrier:
        return _mixed(_CELL, STONE_COLORS[view.connection.color], 0.35)
    if cell in view.verdicts:
        return _WON_CELL if view.verdicts[cell] else _LOST_CELL
    if cell in view.heat:
        return _mixed(*_HEAT, view.heat[cell])
    return _CELL


def _hexagon(board: Board, cell: int, fill: str) -> str:
    points = _points(_corners(*_centre(board, cell)))
    return f'<polygon points="{points}" fill="{fill}" stroke="{_LINE}"/>'


def _outline(view: BoardView) -> Iterator[str]:
    """Yield the outline of the carrier, and borders on cells of must-play or differing ranks."""
    board, connection = view.position.board, view.connection
    borders = dict.fromkeys(view.must_play, _MUST_PLAY) | dict.fromkeys(view.differing, _DIFFERING)
    for cell, color in sorted(borders.items()):
        points = _points(_corners(*_centre(board, cell), _SIDE * 0.85))
        yield f'<polygon points="{points}" fill="none" stroke="{color}" stroke-width="2.5"/>'
    sides: Counter[tuple[str, ...]] = Counter()
    for cell in connection.carrier:
        corners = [_points([corner]) for corner in _corners(*_centre(board, cell))]
        sides.update(tuple(sorted(side)) for side in pairwise([*corners, corners[0]]))
    for side, cells in sorted(sides.items()):
        if cells == 1:  # the others are between two cells of the carrier
            yield _line(" ".join(side), STONE_COLORS[connection.color], 3)


def _on_cell(view: BoardView, cell: int) -> Iterator[str]:
    """Yield what stands on a cell: its stone and dot, or its check and ring, and its text."""
    position = view.position
    label = view.labels.get(cell, "")
    stone = position.stones[cell]
    x, y = _centre(position.board, cell)
    size = _SIDE * 0.75
    if stone != EMPTY:
        yield _circle(x, y, 0.72, f'fill="{STONE_COLORS[Color(stone)]}"')
        if cell == view.last_move and not label:
            yield _circle(x, y, 0.22, f'fill="{_DOT}"')
    elif cell in view.line:
        color = _mixed(_CELL, STONE_COLORS[_mover_in_line(view, cell)], _PALE)
        yield _circle(x, y, 0.72, f'fill="{color}"')
    elif view.verdicts.get(cell):
        tick = ((x - 6, y - 4), (x - 2, y), (x + 6, y - 9)) if label else (
            (x - 7, y), (x - 2, y + 5), (x + 8, y - 7)
        )  # fmt: skip
        yield _line(_points(tick), _WON, 3)
        y, size = (y + 8, _SIDE * 0.55) if label else (y, size)
    if cell == view.played:
        ring = f'fill="none" stroke="{STONE_COLORS[position.to_move]}" stroke-width="3"'
        yield _circle(x, _centre(position.board, cell)[1], 0.72, ring)
    if label:
        yield _text(x, y, label, _INK, size)


def _mover_in_line(view: BoardView, cell: int) -> Color:
    to_move = view.position.to_move
    return to_move if view.line.index(cell) % 2 == 0 else to_move.opponent


def _circle(x: float, y: float, radius: float, paint: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_SIDE * radius:.1f}" {paint}/>'


def _line(points: str, color: str, width: float) -> str:
    return (
        f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="{width:g}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _points(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _mixed(first: str, second: str, share: float) -> str:
    """Return the colour that is ``share`` (0 to 1) of the way from ``first`` to ``second``."""
    pairs = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _centre(board: Board, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, board.columns)
    return _MARGIN + _WIDTH * (column + row / 2 + 0.5), _MARGIN + _HEIGHT * row + _SIDE


def _corners(x: float, y: float, side: float = _SIDE) -> list[tuple[float, float]]:
    """Return the corners of a hexagon from the top on, clockwise."""
    half = side * sqrt(3) / 2
    return [
        (x, y - side), (x + half, y - side / 2), (x + half, y + side / 2),
        (x, y + side), (x - half, y + side / 2), (x - half, y - side / 2),
    ]  # fmt: skip


def _edges(board: Board) -> Iterator[str]:
    """Yield a thick line in the owner's colour along each side, below the cells."""
    last = (board.rows - 1) * board.columns
    sides = (
        (Color.BLACK, range(board.columns), (5, 0, 1)),
        (Color.BLACK, range(last, board.cells), (4, 3, 2)),
        (Color.WHITE, range(0, board.cells, board.columns), (5, 4, 3)),
        (Color.WHITE, range(board.columns - 1, board.cells, board.columns), (1, 2, 3)),
    )
    for color, cells, corners in sides:
        points: list[tuple[float, float]] = []
        for cell in cells:
            around = _corners(*_centre(board, cell))
            points += [around[corner] for corner in corners]
        yield _line(_points(points), STONE_COLORS[color], _SIDE * 0.5)


def _coordinates(board: Board) -> Iterator[str]:
    names = []  # each with its cell, and how far it is away from that
    for column in range(board.columns):
        name = board.name(column)[:-1]
        bottom = board.cells - board.columns + column
        dx = 0.3 * _WIDTH
        dy = 1.5525 * _SIDE
        names += [(column, name, -dx, -dy), (bottom, name, dx, dy)]
    for row in range(board.rows):
        first = row * board.columns
        name = str(row + 1)
        names += [(first, name, -_WIDTH, 0.0), (first + board.columns - 1, name, _WIDTH, 0.0)]
    for cell, name, dx, dy in names:
        x, y = _centre(board, cell)
        yield _text(x + dx, y + dy, name, "#444444", 13)


def _text(x: float, y: float, text: str, color: str, size: float) -> str:
    return (
        f'<text x="{x:.1f}" y="{y + size * 0.36:.1f}" font-size="{size:.1f}" '
        f'fill="{color}">{xml_text(text)}</text>'
    )


def xml_text(text: str, quote: bool = False) -> str:
    """Return text, which may come from a record, escaped for XML or HTML; ``quote``: attributes."""
    return escape(_NOT_XML.sub("?", printable(text)), quote=quote)
