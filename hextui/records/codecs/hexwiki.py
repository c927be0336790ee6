"""Read the diagrams of hexwiki.net: ``<hexboard size="4x5" contents="R a1 B 2:b3 E *:c4"/>``.

The size is rows x columns. ``R``, ``B`` and ``E`` are followed by cells with stones and without,
``S`` by shaded cells; a cell may have a label before a colon. In the old form, ``<hex> R4 C5 Va1
Hb3 Mc4 </hex>``, ``V`` or ``R`` is Red, ``H`` or ``B`` Blue, and ``M`` are moves of both in turn.
"""

import re
from itertools import cycle

from hextui.engine.board import Color
from hextui.records.codecs.codec import Codec, GameText
from hextui.records.codecs.text_diagrams import position_record
from hextui.records.markup import MARKS, WIKI_SIGNS
from hextui.records.record import Record
from hextui.records.record_text import escape

_START = re.compile(r"<hex(?:board\b|>)", re.IGNORECASE)
_NEW = re.compile(r"<hexboard\b([^>]*+)>", re.IGNORECASE)
_OLD = re.compile(r"<hex>([^<]*+)</hex>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(size|contents)\s*+=\s*+["']([^"'>]*+)["']""", re.IGNORECASE)
_SIZE = re.compile(r"\s*([0-9]+)\s*(?:x\s*([0-9]+)\s*)?")
_WORD = r"[^\s:()]++(?:\([^()]*+\))?"
_ITEM = re.compile(rf"([RBES])(?!\S)|(?:({_WORD}):)?(?:\(([^()]*+)\)|({_WORD}))")
_OLD_SIZE = re.compile(r"(?<![^\s>])([RC])([0-9]+)(?![^\s<])")
_OLD_ITEM = re.compile(r"(?<![^\s>])(?:([VRHBM])([0-9]*)([a-z]+[0-9]+)|([0-9]+):([^\s<]+))")
_STONES = {"R": Color.BLACK, "V": Color.BLACK, "B": Color.WHITE, "H": Color.WHITE}
_SIGNS = {sign: MARKS[mark] for mark, sign in WIKI_SIGNS.items()}


class HexWiki(Codec):
    """The diagrams of HexWiki, which `export` writes."""

    name = "hexwiki"
    suffixes = (".wiki",)
    starts = _START
    writes = False

    def read(self, game: GameText) -> Record:
        if new := _NEW.search(game.text):
            return _read_new(game, new)
        if old := _OLD.search(game.text):
            return _read_old(game, old)
        raise game.error("this diagram is never closed", 0)


def _read_new(game: GameText, tag: re.Match[str]) -> Record:
    attributes = {item[1].lower(): item for item in _ATTRIBUTE.finditer(game.text, *tag.span(1))}
    size = _SIZE.fullmatch(attributes["size"][2]) if "size" in attributes else None
    if size is None:
        raise game.error("a hexboard needs its size, rows x columns", tag.start())
    board = game.board_of_size(size[2] or size[1], size[1], tag.start())
    stones: dict[int, int] = {}
    marks: dict[str, list[str]] = {}
    kind = "S"
    contents = attributes.get("contents")
    for item in _ITEM.finditer(game.text, *contents.span(2)) if contents else ():
        kind = item[1] or kind
        if item[1] or kind == "S":
            continue
        places = (item[3] or item[4] or "").split()
        for name in map(board.name, range(board.cells)) if places == ["all"] else places:
            try:
                cell = board.cell(name)
            except ValueError as error:
                game.flaw(error, item.start())
                continue
            if kind in _STONES:
                stones[cell] = _STONES[kind]
            if label := item[2]:
                text = name if label in _SIGNS else f"{name}:{escape(label)}"
                marks.setdefault(_SIGNS.get(label, "LB"), []).append(text)
    record = position_record(board, stones)
    record.root.properties = {name: tuple(values) for name, values in marks.items()}
    return record


def _read_old(game: GameText, tag: re.Match[str]) -> Record:
    sides = {item[1]: item[2] for item in _OLD_SIZE.finditer(game.text, *tag.span(1))}
    if sides.keys() != {"R", "C"}:
        raise game.error("a diagram needs its rows and columns: R4 C5", tag.start())
    board = game.board_of_size(sides["C"], sides["R"], tag.start())
    stones: dict[int, int] = {}
    turns = cycle(Color)
    for item in _OLD_ITEM.finditer(game.text, *tag.span(1)):
        try:
            if item[5]:
                row = (int(item[4][:9]) - 1) * board.columns
                cells = {row + column: mark for column, mark in enumerate(item[5])}
                inside = 0 <= row < board.cells and len(item[5]) <= board.columns
                stones |= {c: _STONES[m] for c, m in cells.items() if m in _STONES and inside}
            else:
                stone = next(turns) if item[1] == "M" else _STONES[item[1]]
                stones[board.cell(item[3])] = stone
        except ValueError as error:
            game.flaw(error, item.start())
    return position_record(board, stones)
