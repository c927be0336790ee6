"""Read the games of Six, a program for KDE: ``BoardSize: 11x11``, ``First: V``, moves with times.

V is the vertical player, who is Black (Red) here; ``Swap`` says whether a swap is allowed. A game
may start from an ``InitialBoard``, a diagram. Source: ``HexGame::save`` in Six's hexgame.cpp.
"""

import re
from dataclasses import replace

from hextui.engine.board import Color
from hextui.records.codecs.codec import Codec, GameText
from hextui.records.codecs.plain import read_moves
from hextui.records.codecs.text_diagrams import read_diagram
from hextui.records.record import Record
from hextui.records.tree import Setup

_START = re.compile(
    r"^[ \t]*(?:BoardSize:\s*+(?:([0-9]+)\s*x\s*([0-9]+))\s*First:|InitialBoard:)",
    re.IGNORECASE | re.MULTILINE,
)
_FIRST = re.compile(r"^[ \t]*First:\s*([VH])\b", re.IGNORECASE | re.MULTILINE)
_NO_SWAP = re.compile(r"^[ \t]*Swap:\s*0\b", re.IGNORECASE | re.MULTILINE)
_MOVES = re.compile(r"^[ \t]*Moves:", re.IGNORECASE | re.MULTILINE)
_TIME = re.compile(r"\([^()\n]*\)")


class Six(Codec):
    """The games of Six, which are only read."""

    name = "six"
    suffixes = (".six",)
    starts = _START
    writes = False

    def read(self, game: GameText) -> Record:
        start = _START.search(game.text)
        first = _FIRST.search(game.text)
        moves = _MOVES.search(game.text)
        if start is None or first is None or moves is None:
            raise game.error("a game of Six has a board, 'First:' and 'Moves:'", 0)
        if start[1]:
            record = Record(game.board_of_size(start[1], start[2], start.start(1)))
        else:
            record = read_diagram(replace(game, text=game.text[: first.start()]))
        color = Color.BLACK if first[1].upper() == "V" else Color.WHITE
        if color is not record.position().to_move:
            record.root.setup = Setup(record.root.setup.cells, color)
            record.root.known_position = None
        if _NO_SWAP.search(game.text[: moves.start()]):
            record.root.properties["RU"] = ("no swap",)
        text = _TIME.sub(lambda time: " " * len(time[0]), game.text)
        return read_moves(replace(game, text=text), record, moves.end())
