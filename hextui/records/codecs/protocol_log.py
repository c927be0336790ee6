"""Read logs of the text protocols, GTP and HTP: ``boardsize 7 7``, ``play black d4``.

``genmove`` plays what is answered; ``undo`` takes a move back. ``boardsize`` and ``clear_board``
begin a game where moves were played before. What is answered with an error does not count. Prompts
and ids before commands, other commands and their answers are skipped.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from hextui.engine.board import Board, Color
from hextui.engine.position import MoveKind
from hextui.records.codecs.codec import (
    DEFAULT_SIDE,
    Codec,
    FileText,
    GameText,
    board_of,
    read_board,
)
from hextui.records.record import Record
from hextui.records.record_text import START
from hextui.records.tree import Turn, point_name

_SPEAKER = r"^[ \t]*+(?:(?P<speaker>[\w.-]*+)[<>:\]]++[ \t]*+)?"
_EVENT = re.compile(
    rf"{_SPEAKER}(?:(?P<mark>[=?])[0-9]*+[ \t]*+(?P<answer>[a-z][\w-]*+)?|(?:[0-9]++[ \t]++)?(?:"
    r"(?:play|genmove)[ \t]++(?P<color>black|white|red|blue|b|w)\b[ \t]*+(?P<move>[\w-]*+)"
    r"|play-game(?P<line>(?:[ \t]++[\w-]++)++)|(?P<undo>undo)\b"
    r"|(?P<new>clear_board\b|boardsize[ \t]++(?P<columns>[0-9]++)(?:[ \t]++(?P<rows>[0-9]++))?)))",
    re.IGNORECASE | re.MULTILINE,
)
_Said = tuple[Color | None, str, int]  # a move, its colour if that is given, and where it stands


class ProtocolLog(Codec):
    """Logs of GTP and HTP, which are only read."""

    name = "gtp"
    suffixes = (".log", ".gtp")
    writes = False

    def detects(self, head: str) -> bool:
        return _first(head) is not None

    def split(self, file: FileText) -> Iterator[GameText]:
        begin = 0
        start = START
        played = False
        board = sized = file.board
        for event in _commands(file.text):
            if played and event["new"]:
                text = file.text[begin : event.start()]
                yield file.game(self, text, start, board)
                begin = event.start()
                start = start.after(text)
                played = False
                board = sized
            if event["columns"]:
                with suppress(ValueError):  # which is an error of the game
                    sized = read_board(event["columns"], event["rows"])
            played = played or bool(event["color"] or event["line"])
        yield file.game(self, file.text[begin:], start, board)

    def read(self, game: GameText) -> Record:
        board = game.board or board_of(DEFAULT_SIDE, DEFAULT_SIDE)
        moves: list[_Said] = []
        asked: Color | None = None  # who was asked for a move
        for event in _commands(game.text):
            if event["mark"]:
                if asked and event["answer"]:
                    moves.append((asked, event["answer"], event.start()))
                asked = None
                continue
            asked = None
            if event["columns"]:
                board = game.board_of_size(event["columns"], event["rows"], event.start())
            color = Color.parse(event["color"]) if event["color"] else None
            words = (event["line"] or event["move"] or "").split()
            moves += [(color, word, event.start()) for word in words]
            if event["undo"]:
                del moves[-1:]
            elif not words:
                asked = color
        return _record(game, board, moves)


def _first(text: str) -> re.Match[str] | None:
    """Return the first command to play moves, None if there is none."""
    return next((event for event in _EVENT.finditer(text) if event["color"] or event["line"]), None)


def _commands(text: str) -> Iterator[re.Match[str]]:
    """Yield the commands that a program does not refuse, each followed by its answer."""
    command = None
    for event in _heard(text):
        if event["mark"] == "?":
            command = None
            continue
        if command is not None:
            yield command
        command = None
        if event["mark"]:
            yield event
        else:
            command = event
    if command is not None:
        yield command


def _heard(text: str) -> Iterator[re.Match[str]]:
    """Yield the commands to one program, and the answers to them.

    In the log of a match both hear each move. The one that hears the first move is taken.
    """
    first = _first(text)
    speaker = first and first["speaker"]
    heard = True
    for event in _EVENT.finditer(text):
        if not event["mark"]:
            heard = not speaker or event["speaker"] in (speaker, None)
        if heard:
            yield event


def _record(game: GameText, board: Board, moves: list[_Said]) -> Record:
    record = Record(board)
    node = record.root
    for number, (color, word, offset) in enumerate(moves, start=1):
        mover = color or record.position(node).to_move
        word = point_name(word.lower())
        if word in ("swap", MoveKind.SWAP_PIECES):
            # Benzene says swap-pieces and lets stones stay: the same colour moves next
            stay = color is not None and moves[number : number + 1] and moves[number][0] is color
            word = MoveKind.SWAP_SIDES if stay else MoveKind.SWAP_PIECES
        try:
            node = record.append(node, Turn.parse(mover, word, record.board))
        except ValueError as error:
            game.flaw(error, offset)
    return record
