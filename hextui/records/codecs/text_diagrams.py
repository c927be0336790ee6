"""Read positions drawn as text: letters above, then a line for each row, ``B W .`` or ``V H .``.

They are written by ``hextui export --as text``, by Six, and by engines (``showboard``).
Other marks stand in empty cells. A diagram says nothing of whose turn it is: it is Black's unless
Black has more stones.
"""

import re
from collections.abc import Mapping

from hextui.engine.board import Board, Color
from hextui.records.codecs.codec import Codec, GameText
from hextui.records.record import Record
from hextui.records.tree import Node, Setup

_HEAD = re.compile(
    r"^[ \t]*a(?:[ \t]+[a-z]{1,2})*[ \t]*\r?\n[ \t]*1[ \t\\]", re.IGNORECASE | re.MULTILINE
)
_ROW = re.compile(r"[ \t]*([0-9]+)[ \t\\]+(\S(?:[ \t]+\S)*?)(?:[ \t\\]+\1)?[ \t]*(?:\r?\n|\Z)")
_STONES = {"B": Color.BLACK, "V": Color.BLACK, "R": Color.BLACK, "W": Color.WHITE, "H": Color.WHITE}


def position_record(board: Board, cells: Mapping[int, int]) -> Record:
    """Return the record of a position of these stones in which the usual side moves."""
    counts = [list(cells.values()).count(color) for color in Color]
    to_move = Color.WHITE if counts[0] > counts[1] else None
    return Record(board, Node(setup=Setup(cells, to_move)))


def read_diagram(game: GameText) -> Record:
    """Return the record of the first diagram of a text. Raises RecordError."""
    head = _HEAD.search(game.text)
    if head is None:
        raise game.error("not a diagram: a line of letters, then row 1 are missing", 0)
    columns = len(head[0].splitlines()[0].split())
    rows: list[list[str]] = []
    offset = game.text.index("\n", head.start()) + 1
    while (row := _ROW.match(game.text, offset)) and int(row[1][:9]) == len(rows) + 1:
        marks = row[2].split()
        if len(marks) != columns:
            raise game.error(f"row {row[1]} has {len(marks)} cells, not {columns}", offset)
        rows.append(marks)
        offset = row.end()
    board = game.board_of_size(str(columns), str(len(rows)), head.start())
    marks = [mark for row in rows for mark in row]
    stones = {cell: _STONES[mark] for cell, mark in enumerate(marks) if mark in _STONES}
    return position_record(board, stones)


class TextDiagram(Codec):
    """Positions drawn as text, which `export` writes."""

    name = "text"
    starts = _HEAD
    writes = False

    def read(self, game: GameText) -> Record:
        return read_diagram(game)
