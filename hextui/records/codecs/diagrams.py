"""Diagrams of a position: as text, SVG, PNG, and as HexWiki shows them. They are only written."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import MoveKind, Position
from hextui.records.markup import NOTHING, Highlights, marks_of
from hextui.records.record import Record
from hextui.records.tree import Node
from hextui.words.names import Names

_FONT = Path(__file__).parent.with_name("picture_font.ttf")
"""DejaVu Sans without what is neither Latin nor a sign here: a system without fonts has texts too.

From DejaVuSans.ttf 2.37 by ``pyftsubset --no-hinting --layout-features=''``, with
``--unicodes=20-7e,a0-17f,2010-2027,25b2,25a0,25cf,2715``.
"""

_SIGNS = {"triangle": "▲", "square": "■", "circle": "●", "cross": "✕"}
_WIKI_SIGNS = {"triangle": "+", "square": "-", "circle": "*", "cross": "x"}


_WORDS = {
    "+": "wins", "-": "loses", "@": "key", "*": "carrier", ":": "must-play", "o": "played next",
}  # fmt: skip


class Diagram:
    """A kind of diagram; ``name`` is what users call it, ``suffix`` the ending of its files.

    Each shows the marks of the node, move numbers if asked for, and the ``Highlights`` it can show.
    """

    name: ClassVar[str]
    suffix: ClassVar[str]

    def draw(
        self,
        record: Record,
        node: Node,
        numbers: bool = False,
        shown: Highlights = NOTHING,
        names: Names = Names.RED_BLUE,
    ) -> str | bytes:
        """Return the position after ``node``. Raises RecordError for what it cannot hold."""
        raise NotImplementedError


class TextDiagram(Diagram):
    """The board in letters, without marks and move numbers (see ``text_diagram``)."""

    name = "text"
    suffix = ".txt"

    def draw(
        self,
        record: Record,
        node: Node,
        numbers: bool = False,
        shown: Highlights = NOTHING,
        names: Names = Names.RED_BLUE,
    ) -> str:
        """Return lines of text."""
        return text_diagram(record.position(node), names, shown)


class SvgDiagram(Diagram):
    """An SVG drawing."""

    name = "svg"
    suffix = ".svg"

    def draw(
        self,
        record: Record,
        node: Node,
        numbers: bool = False,
        shown: Highlights = NOTHING,
        names: Names = Names.RED_BLUE,
    ) -> str:
        """Return the text of an SVG file."""
        from hextui.records.codecs.svg_board import svg_position

        return svg_position(record.position(node), _labels(record, node, numbers, shown), shown)


class PngDiagram(Diagram):
    """The SVG drawing as PNG, twice as large."""

    name = "png"
    suffix = ".png"

    def draw(
        self,
        record: Record,
        node: Node,
        numbers: bool = False,
        shown: Highlights = NOTHING,
        names: Names = Names.RED_BLUE,
    ) -> bytes:
        """Return the bytes of a PNG file."""
        import resvg_py

        return resvg_py.svg_to_bytes(
            SvgDiagram().draw(record, node, numbers, shown),
            zoom=2,
            font_files=[str(_FONT)],
            sans_serif_family="DejaVu Sans",
        )


class HexWikiDiagram(Diagram):
    """HexWiki's ``<hexboard>``, whose size is rows x columns.

    Of what is shown it holds labels, and ``*`` for what wins.
    """

    name = "hexwiki"
    suffix = ".wiki"

    def draw(
        self,
        record: Record,
        node: Node,
        numbers: bool = False,
        shown: Highlights = NOTHING,
        names: Names = Names.RED_BLUE,
    ) -> str:
        """Return one line."""
        board, position = record.board, record.position(node)
        wins = {cell: "*" for cell, won in shown.verdicts.items() if won}
        labels = wins | _labels(record, node, numbers, shown, _WIKI_SIGNS)
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


DIAGRAMS: tuple[Diagram, ...] = (TextDiagram(), SvgDiagram(), PngDiagram(), HexWikiDiagram())


def text_diagram(position: Position, names: Names, shown: Highlights = NOTHING) -> str:
    """Return the board as text: letters above and below, numbers at both sides, ``B W .``.

    An empty cell that is shown has one character in place of the dot. Below the board stands what
    the characters mean.
    """
    board = position.board
    letters = " ".join(chr(ord("a") + column) for column in range(board.columns))
    signs = {cell: _sign(cell, shown) for cell in position.empties}
    lines = [f"  {letters}"]
    for row in range(board.rows):
        cells = range(row * board.columns, (row + 1) * board.columns)
        marks = (signs.get(cell) or ".BW"[position.stones[cell]] for cell in cells)
        lines.append(f"{' ' * row}{row + 1:>2} {' '.join(marks)} {row + 1}")
    lines.append(f"{' ' * (board.rows + 2)}{letters}")
    played = [
        f"{letter} {names.player(color)} ({ends})"
        for letter, color, ends in (
            ("B", Color.BLACK, "top to bottom"),
            ("W", Color.WHITE, "left to right"),
        )
        if color in position.stones
    ]
    lines += [", ".join([*played, ". empty"])] if played else []
    used = {sign for sign in signs.values() if sign}
    told = [f"{sign} {word}" for sign, word in _WORDS.items() if sign in used]
    numbered = [f"1 2 {shown.name}"] if any(map(str.isdigit, used)) else []
    lines += [", ".join([*numbered, *told])] if numbered or told else []
    return "\n".join(lines) + "\n"


def _sign(cell: int, shown: Highlights) -> str:
    """Return the one character that tells most about an empty cell, '' for nothing."""
    if cell in shown.verdicts:
        return "+" if shown.verdicts[cell] else "-"
    if len(shown.labels.get(cell, "")) == 1:
        return shown.labels[cell]
    held = {
        "@": cell == shown.key,
        "*": cell in shown.carrier,
        ":": cell in shown.must_play,
        "o": cell == shown.played,
    }
    return next((sign for sign, true in held.items() if true), "")


def _labels(
    record: Record,
    node: Node,
    numbers: bool,
    shown: Highlights,
    signs: Mapping[str, str] = _SIGNS,
) -> dict[int, str]:
    """Return the text of each cell: marks of the record before numbers and what is shown."""
    labels = {**shown.labels, **(_numbers(node, record.board) if numbers else {})}
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
