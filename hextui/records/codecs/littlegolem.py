"""Read the ``.hsgf`` files of littlegolem.net, which look like SGF and mean something else.

The file says nothing of its game (no ``GM``). Points are two letters, column and row from ``aa``.
The first player's nodes are labelled W although the first player is ``PB``, who is Black here and
joins top and bottom; ``RE[B]`` says that ``PB`` won. ``swap`` reflects the stone and changes its
colour. Values are not escaped: ``PW[some;]]``.
"""

import re
from collections.abc import Iterator

from hextui.engine.board import Color
from hextui.engine.position import Move, MoveKind
from hextui.records.codecs.codec import (
    HEAD,
    MAX_LIST,
    Codec,
    FileText,
    GameText,
    Site,
    check_length,
    split_before,
)
from hextui.records.codecs.sgf import FILE_PROPERTIES, SETUP_PROPERTIES, SgfReader
from hextui.records.codecs.sgf_syntax import RawNode, RawProperty, SgfSyntax
from hextui.records.record import Record
from hextui.records.record_text import escape
from hextui.records.tree import Node, Setup, Turn, point_name

# As nothing is escaped, a value ends where something that can follow a value does follow.
_VALUE = re.compile(
    r"\s*\[(.*?)\](?=\s*(?:[A-Z]{1,2}\[|;\s*(?:[A-Z]{1,2}\[|\(|\))|\(\s*;|\)\s*(?:[()]|\Z)))",
    re.DOTALL,
)
_START = re.compile(r"\(\s*;\s*FF\[4\]\s*(?:EV|PB)\[")
_HEAD = re.compile(r"\s*\(\s*;(?:(?!;\s*[WB]\[).)*+", re.DOTALL)
_MOVE = re.compile(r";\s*[WB]\[(?:[a-z]{2}|swap|resign)\]")
_SPECIAL = {"swap": MoveKind.SWAP_PIECES, "resign": MoveKind.RESIGN, "pass": MoveKind.PASS}


class LittleGolem(Codec):
    """The files of littlegolem.net, which are only read."""

    name = "hsgf"
    suffixes = (".hsgf",)
    dialect_of = "sgf"
    writes = False
    site = Site(
        "littlegolem.net",
        re.compile(
            r"https?://(?:www\.)?littlegolem\.net/"
            r"(?:jsp/game/game\.jsp\?(?:[^#]*&)?gid=|servlet/sgf/)([0-9]{1,12})(?![0-9]).*",
            re.IGNORECASE,
        ),
        re.compile(r"([0-9]{3,12})"),
        "https://littlegolem.net/servlet/sgf/{0}/game{0}.hsgf",
    )

    def detects(self, head: str) -> bool:
        head_match = _HEAD.match(head[:HEAD])
        if head_match is None or "GM[" in head_match[0]:
            return False
        return "littlegolem" in head_match[0] or _MOVE.match(head, head_match.end()) is not None

    def split(self, file: FileText) -> Iterator[GameText]:
        # where games begin: brackets in names need not match
        for text, start in split_before(_START, file.text):
            check_length(len(text), start, MAX_LIST)
            yield file.game(self, text, start)

    def read(self, game: GameText) -> Record:
        syntax = SgfSyntax(game, _VALUE)
        result = [p for p in syntax.nodes[0].properties if p.name == "RE"]
        record = _LittleGolemReader(syntax).record
        if result:
            record.root.properties["RE"] = (_result(result[-1], record),)
        return record


class _LittleGolemReader(SgfReader):
    """Builds a record from nodes whose labels, points and values mean something else than SGF's."""

    first_label = ""  # of the first player's nodes

    def turn(self, p: RawProperty, index: int) -> Turn:
        self.first_label = self.first_label or p.name
        color = Color.BLACK if p.name == self.first_label else Color.WHITE
        word = p.values[0].strip().lower()
        if word in _SPECIAL:
            return Turn(color, Move(_SPECIAL[word]))
        if (name := point_name(word)) == word:
            raise ValueError("a point has two letters, column and row")
        return Turn(color, Move.play(self.board.cell(name)))

    def swaps(self, node: Node, p: RawProperty, index: int, setup: Setup) -> bool:
        return False  # a swap is written as such

    def others(self, raw: RawNode) -> dict[str, tuple[str, ...]]:
        left = [p for p in raw.properties if p.name not in ("B", "W", "RE", *FILE_PROPERTIES)]
        for p in left:
            if p.name in SETUP_PROPERTIES:
                what = f"{p.name}: files of Little Golem hold no setup"
                raise self.syntax.error(what, p.offset)
        properties = {}
        for p in left:
            if p.values != ("null",):
                properties[p.name] = tuple(escape(value.strip()) for value in p.values)
        return properties


def _result(p: RawProperty, record: Record) -> str:
    value = p.values[0].strip().upper()
    if value not in ("B", "W"):
        return escape(p.values[0])
    turns = record.turns()
    resigned = bool(turns) and turns[-1].move.kind is MoveKind.RESIGN
    return f"{value}+R" if resigned else f"{value}+"
