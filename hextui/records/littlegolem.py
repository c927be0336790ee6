"""Read the ``.hsgf`` files of littlegolem.net, which look like SGF and mean something else.

The file says nothing of its game (no ``GM``). Points are two letters, column and row from ``aa``.
The first player's nodes are labelled W although the first player is ``PB``, who is Black here and
joins top and bottom; ``RE[B]`` says that ``PB`` won. ``swap`` reflects the stone and changes its
colour. Values are not escaped: ``PW[some;]]``.
"""

import re
from collections.abc import Sequence

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind
from hextui.records.errors import START, Place
from hextui.records.record import Record
from hextui.records.sgf import FILE_PROPERTIES, SETUP_PROPERTIES, read_size
from hextui.records.sgf_syntax import RawProperty, SgfSyntax
from hextui.records.text import escape
from hextui.records.tree import Node, Turn

# As nothing is escaped, a value ends where something that can follow a value does follow.
_VALUE = re.compile(
    r"\s*\[(.*?)\](?=\s*(?:[A-Z]{1,2}\[|;\s*(?:[A-Z]{1,2}\[|\(|\))|\(\s*;|\)\s*(?:[()]|\Z)))",
    re.DOTALL,
)
_HEAD = re.compile(r"\s*\(\s*;(?:(?!;\s*[WB]\[).)*+", re.DOTALL)
_MOVE = re.compile(r";\s*[WB]\[(?:[a-z]{2}|swap|resign)\]")
_SPECIAL = {"swap": MoveKind.SWAP_PIECES, "resign": MoveKind.RESIGN, "pass": MoveKind.PASS}


def is_little_golem(text: str) -> bool:
    """Whether SGF text is written as Little Golem does: no ``GM``, and its site or its points."""
    head = _HEAD.match(text)
    if head is None or "GM[" in head[0]:
        return False
    return "littlegolem" in head[0] or _MOVE.match(text, head.end()) is not None


def read_little_golem(text: str, start: Place = START) -> Record:
    """Return the record of one game; ``text`` starts at the place ``start`` of its file.

    Raises RecordError with line and column.
    """
    syntax = SgfSyntax(text, start, _VALUE)
    head = {p.name: p for p in syntax.nodes[0].properties}
    board = read_size(syntax, head.get("SZ"))
    first = next((p.name for raw in syntax.nodes for p in _moves(raw.properties)), "")
    record = Record(board)
    added: list[Node] = []  # the tree's node for each node of the text
    for raw in syntax.nodes:
        moves = _moves(raw.properties)
        node = added[raw.parent] if added else record.root
        if added and not moves:
            try:
                node = record.append(node)
            except ValueError as error:
                raise syntax.error(str(error), raw.offset) from None
        for p in moves:
            turn = _turn(p, first, syntax, board)
            try:
                node = record.append(node, turn)
            except ValueError as error:
                raise syntax.error(f"{p.name}[{p.values[0]}]: {error}", p.offset) from None
        added.append(node)
        holder = node if raw.parent >= 0 else record.root
        for p in raw.properties:
            if p.name in SETUP_PROPERTIES:
                raise syntax.error(f"{p.name}: files of Little Golem hold no setup", p.offset)
            known = p in moves or p.name in FILE_PROPERTIES or p.name == "RE"
            if not known and p.values != ("null",):
                values = tuple(escape(value.strip()) for value in p.values)
                record.add_properties(holder, {p.name: values})
    if "RE" in head:
        record.add_properties(record.root, {"RE": (_result(head["RE"], record),)})
    return record


def _moves(properties: Sequence[RawProperty]) -> list[RawProperty]:
    return [p for p in properties if p.name in ("B", "W")]


def _turn(p: RawProperty, first: str, syntax: SgfSyntax, board: Board) -> Turn:
    """Return the turn of a node; ``first`` is the label of the first player's nodes."""
    color = Color.BLACK if p.name == first else Color.WHITE
    word = p.values[0].strip().lower()
    if word in _SPECIAL:
        return Turn(color, Move(_SPECIAL[word]))
    try:
        if re.fullmatch("[a-z]{2}", word) is None:
            raise ValueError("a point has two letters, column and row")
        cell = board.cell(f"{word[0]}{ord(word[1]) - ord('a') + 1}")
    except ValueError as error:
        raise syntax.error(f"{p.name}[{p.values[0]}]: {error}", p.offset) from None
    return Turn(color, Move.play(cell))


def _result(p: RawProperty, record: Record) -> str:
    value = p.values[0].strip().upper()
    if value not in ("B", "W"):
        return escape(p.values[0])
    turns = record.turns()
    resigned = bool(turns) and turns[-1].move.kind is MoveKind.RESIGN
    return f"{value}+R" if resigned else f"{value}+"
