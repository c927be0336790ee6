"""Marks of cells and glyphs of moves, as SGF keeps them, and what diagrams show of an analysis."""

from collections.abc import Mapping

from hextui.engine.board import Board
from hextui.engine.position import MoveKind
from hextui.records.record import Record
from hextui.records.record_text import escape, unescape_line
from hextui.records.tree import Node, cells_of

MARKS = {"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA"}
"""The marks of a cell by their names, and their properties. Source: SGF FF[4], "Markup"."""

SIGNS = {"triangle": "/\\", "square": "##", "circle": "oo", "cross": "><"}
"""The two characters that a mark is shown by; a label is shown by its own first two."""

WIKI_SIGNS = {"triangle": "+", "square": "-", "circle": "*", "cross": "x"}
"""What HexWiki shows marks by."""

GLYPHS = ("!", "!!", "!?", "?!", "?", "??")  # the glyphs of a move, from good to very bad

_OF_GLYPH = {
    "!": ("TE", "1"), "!!": ("TE", "2"), "!?": ("IT", ""),
    "?!": ("DO", ""), "?": ("BM", "1"), "??": ("BM", "2"),
}  # fmt: skip


def marks_of(node: Node, board: Board) -> dict[int, str]:
    """Return the marks of a node by cell: a name of MARKS, or ``=`` and the text of a label."""
    marks: dict[int, str] = {}
    for name, property_name in MARKS.items():
        for value in node.properties.get(property_name, ()):
            for cell in _cells(value, board):
                marks[cell] = name
    for value in node.properties.get("LB", ()):
        point, _, text = value.partition(":")
        for cell in _cells(point, board):
            marks[cell] = "=" + unescape_line(text)
    return marks


def move_numbers(node: Node, board: Board) -> dict[int, int]:
    """Return the ply at which each stone on the board was played, by cell."""
    numbers: dict[int, int] = {}
    for turn_node in node.line():
        for cell in turn_node.setup.cells:
            numbers.pop(cell, None)
        if turn_node.cell is not None:
            numbers[turn_node.cell] = turn_node.ply
        elif turn_node.turn and turn_node.turn.move.kind is MoveKind.SWAP_PIECES:
            numbers = {board.mirror(cell): ply for cell, ply in numbers.items()}
    return numbers


def signs_of(marks: Mapping[int, str]) -> dict[int, str]:
    """Return the two characters that show each mark."""
    return {cell: (SIGNS.get(mark) or mark[1:3]).ljust(2) for cell, mark in marks.items()}


def set_mark(record: Record, node: Node, cell: int, mark: str) -> None:
    """Give a cell a mark (see ``marks_of``) in place of what it had; '' takes that away."""
    name = record.board.name(cell)
    kept = {p: _others(node, p, cell, record.board) for p in (*MARKS.values(), "LB")}
    if mark.startswith("="):
        kept["LB"].append(f"{name}:{escape(mark[1:])}")
    elif mark:
        kept[MARKS[mark]].append(name)
    record.set_properties({node: kept})


def glyph_of(node: Node) -> str:
    """Return the glyph of a move, '' without one."""
    for glyph, (name, value) in _OF_GLYPH.items():
        values = node.properties.get(name)
        if values and (values[0].strip() == "2") == (value == "2"):
            return glyph
    return ""


def set_glyph(record: Record, node: Node, glyph: str) -> None:
    """Give a move one of GLYPHS in place of the one it had; '' takes it away."""
    wanted, value = _OF_GLYPH.get(glyph, ("", ""))
    values: dict[str, tuple[str, ...]] = dict.fromkeys(("TE", "IT", "DO", "BM"), ())
    if wanted:
        values[wanted] = (value,)
    record.set_properties({node: values})


def _cells(value: str, board: Board) -> list[int]:
    try:
        return cells_of(value, board)
    except ValueError:
        return []


def _others(node: Node, name: str, cell: int, board: Board) -> list[str]:
    """Return the values of a property that are not of this cell, rectangles taken apart."""
    kept = []
    for value in node.properties.get(name, ()):
        point = value.partition(":")[0] if name == "LB" else value
        cells = _cells(point, board)
        if cell not in cells:
            kept.append(value)
        else:
            kept += [board.name(other) for other in cells if other != cell]
    return kept
