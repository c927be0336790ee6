"""Read logs of the text protocols, GTP and HTP: ``boardsize 7 7``, ``play black d4``.

``genmove`` plays what is answered; ``undo`` takes a move back. ``boardsize`` and ``clear_board``
begin a game where moves were played before. Prompts and ids before commands, other commands and
their answers are skipped.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from hextui.engine.board import Color
from hextui.records.codecs.codec import (
    DEFAULT_SIDE,
    Codec,
    FileText,
    GameText,
    board_of,
    read_board,
)
from hextui.records.record import Record
from hextui.records.text import START
from hextui.records.tree import Turn, point_name

_BEFORE = r"^[ \t]*+(?:[\w.-]*+[>:\]]++[ \t]*+)?(?:[0-9]++[ \t]++)?"
_PLAY = (
    r"(?P<word>play|genmove)[ \t]++(?P<color>black|white|red|blue|b|w)\b[ \t]*+(?P<move>[\w-]*+)"
)
_FIRST = re.compile(_BEFORE + _PLAY, re.IGNORECASE | re.MULTILINE)
_ANSWER = r"(?:[\w.-]*+[<:\]]++[ \t]*+)?=[0-9]*+[ \t]*+(?P<answer>[a-z][\w-]*+)?"
_EVENT = re.compile(
    rf"{_BEFORE}(?:{_PLAY}|play-game(?P<line>(?:[ \t]++[\w-]++)++)|(?P<undo>undo)\b"
    r"|(?P<new>clear_board\b|boardsize[ \t]++(?P<columns>[0-9]++)(?:[ \t]++(?P<rows>[0-9]++))?))"
    rf"|^[ \t]*+{_ANSWER}",
    re.IGNORECASE | re.MULTILINE,
)


class ProtocolLog(Codec):
    """Logs of GTP and HTP, which are only read."""

    name = "gtp"
    suffixes = (".log", ".gtp")
    writes = False

    def detects(self, head: str) -> bool:
        return _FIRST.search(head) is not None

    def split(self, file: FileText) -> Iterator[GameText]:
        begin, start, played = 0, START, False
        board = sized = file.board
        for event in _EVENT.finditer(file.text):
            if played and event["new"]:
                text = file.text[begin : event.start()]
                yield file.game(self, text, start, board)
                begin, start, played, board = event.start(), start.after(text), False, sized
            if event["columns"]:
                with suppress(ValueError):  # which is an error of the game
                    sized = read_board(event["columns"], event["rows"])
            played = played or bool(event["color"] or event["line"])
        yield file.game(self, file.text[begin:], start, board)

    def read(self, game: GameText) -> Record:
        record = Record(game.board or board_of(DEFAULT_SIDE, DEFAULT_SIDE))
        node = record.root
        asked: Color | None = None  # who was asked for a move
        for event in _EVENT.finditer(game.text):
            if event["columns"]:
                board = game.board_of_size(event["columns"], event["rows"], event.start())
                record = Record(board)
                node = record.root
            words = (event["line"] or event["move"] or "").split()
            color = Color.parse(event["color"]) if event["color"] else None
            if event["answer"] and asked:
                words, color = [event["answer"]], asked
            asked = color if (event["word"] or "").lower() == "genmove" and not words else None
            if event["undo"] and node.parent:
                node = node.parent
                node.children.clear()
            for word in words:
                mover = color or record.position(node).to_move
                try:
                    turn = Turn.parse(mover, point_name(word.lower()), record.board)
                    node = record.append(node, turn)
                except ValueError as error:
                    game.flaw(error, event.start())
        return record
