"""Plain lists of moves: ``a3 c9 e8``, ``1. a5 2. swap 3. d4``, with a size before, a winner after.

Colours follow from the order, Black (Red) first; ``swap`` is swap-pieces. A list may start with
the board's size, columns x rows (``11``, ``11x11``, ``size 13``). Without one the board is the
smallest of the usual 11, 13, 14, 15 and 19 that holds all the moves of all such lists in the file.
A list may end with the winner: ``red``, ``blue``, ``black``, ``white``, ``B+R``, ...
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from hextui.engine.board import Board, Color
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.records.codecs.codec import (
    HEAD,
    SIZE,
    Codec,
    GameText,
    LineGatherer,
    TextStream,
    board_of,
    is_size,
    read_board,
    split_lines,
)
from hextui.records.errors import START, Place, RecordError
from hextui.records.record import Record
from hextui.records.text import shorten
from hextui.records.tree import Node, Turn

USUAL_SIDES = (11, 13, 14, 15, 19)

_SIZE = re.compile(
    r"\s*+(?:board\s*+)?(?:size)?[\s:=]*+([0-9]++)(?:\s*+x\s*+([0-9]++))?+(?![.)x])\s*+",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:[\s,;]+|[0-9]+\s*[.)]+)*")
# Starts after no letter, so that a long word is gone through once.
_CELL = re.compile(r"(?<![a-z])[a-z]++[1-9][0-9]*", re.IGNORECASE)
_BEYOND = {  # of a side, the cells that do not fit it
    side: re.compile(
        rf"(?<![a-z])(?:[{chr(ord('a') + side)}-z][1-9][0-9]?"
        rf"|[a-z](?:1[{side % 10 + 1}-9]|[2-9][0-9]))(?![0-9])",
        re.IGNORECASE,
    )
    for side in USUAL_SIDES[:-1]
}
_WORD = re.compile(r"swap-pieces|swap-sides|swap|pass|resigns?|forfeits?", re.IGNORECASE)
_NUMBERED = re.compile(rf"(?:{SIZE}\s++)?+\s*+1\s*+[.)]", re.IGNORECASE)
_SIZED = re.compile(r"\s*+(?:board|size|[0-9]++\s*+x\s*+[0-9])", re.IGNORECASE)
_WINNER = re.compile(r"(red|blue|black|white)(?:\s+wins)?|([bw])\+(\w*)", re.IGNORECASE)


def usual_board(lists: Iterable[str]) -> Board:
    """Return the smallest usual board that holds all cells of these lists, else the largest."""
    sides = iter(USUAL_SIDES)
    side = next(sides)
    for text in lists:
        while side in _BEYOND and _BEYOND[side].search(text):
            side = next(sides)
    return board_of(side, side)


def _has_size(text: str) -> bool:
    """Whether a list begins with its board's size."""
    return _SIZE.match(text) is not None


def read_plain(text: str, start: Place = START, board: Board | None = None) -> Record:
    """Return the record of one list of moves, which starts at the place ``start`` of its file.

    ``board`` is used if the list does not give its size, by default the smallest usual one. Raises
    RecordError with line and column.
    """
    return _Reader(text, start, board).record


class _Reader:
    """Builds a record from one list."""

    def __init__(self, text: str, start: Place, board: Board | None) -> None:
        self._text = text
        self._start = start
        size = _SIZE.match(text)
        self._at = size.end() if size else 0
        self.record = Record(self._board(size) if size else board or usual_board([text]))
        self._read_moves()

    def _error(self, what: str, at: int) -> RecordError:
        place = self._start.after(self._text[:at])
        return RecordError(what, place.line, place.column)

    def _board(self, size: re.Match[str]) -> Board:
        try:
            return read_board(size[1], size[2])
        except ValueError as error:
            raise self._error(str(error), size.start(1)) from None

    def _read_moves(self) -> None:
        node = self.record.root
        while True:
            between = _BETWEEN.match(self._text, self._at)
            assert between
            self._at = at = between.end()
            if at == len(self._text):
                return
            match = _WINNER.match(self._text, at)
            if match and not self._text[match.end() :].strip():
                winner = "BW"[Color.parse(match[1] or match[2]) - 1]
                self.record.root.properties["RE"] = (f"{winner}+{match[3] or ''}",)
                return
            match = _WORD.match(self._text, at) or _CELL.match(self._text, at)
            if match is None:
                word = shorten(self._text[at:].split(maxsplit=1)[0], 20)
                raise self._error(f"{word!r} is not a move", at)
            node = self._play(node, match[0].lower(), at)
            self._at = match.end()

    def _play(self, node: Node, word: str, at: int) -> Node:
        color = self.record.position(node).to_move
        word = word.removesuffix("s") if word in ("resigns", "forfeits") else word
        try:
            if word == "swap":
                return self.record.append(node, Turn(color, Move(MoveKind.SWAP_PIECES)))
            return self.record.append(node, Turn.parse(color, word, self.record.board))
        except (ValueError, IllegalMoveError) as error:
            raise self._error(str(error), at) from None


def line_words(record: Record, node: Node | None = None) -> list[str]:
    """Return the names of the turns of the line through ``node`` (default: the main line).

    Raises RecordError where colours do not follow from the order, and for setups.
    """
    words = []
    for at in (node or record.root).end().line():
        if at.setup:
            raise RecordError("a list of moves cannot hold stones set outside the turns")
        if at.turn and at.parent:
            name = at.turn.name(record.board)
            if at.turn.color is not record.position(at.parent).to_move:
                what = f"a list of moves cannot hold move {at.ply}, {name}"
                raise RecordError(f"{what}: it is the other player's turn")
            words.append(name)
    return words


class PlainList(Codec):
    """Lists of moves."""

    name = "plain"
    suffixes = (".txt",)
    outcomes = frozenset({""})

    def detects(self, head: str) -> bool:
        return True  # what is in no other format

    def split(self, stream: TextStream) -> Iterator[GameText]:
        """Yield the lists; all that give no size get the board that holds each of them.

        A list is a line, but may go on for lines: in numbered lists until the next ``1.``, and
        where no line has more than two words until the next size. A size on a line of its own
        counts for all the lists behind it; one that no list takes is a game without moves.
        """
        guessed: Board | None = None
        for text, number, size in _split(stream):
            board = size or stream.board
            if board is not None or _has_size(text):
                yield stream.game(self, text, Place(number, 1), board)
                continue
            guessed = guessed or usual_board(_lists_without_size(stream))
            note = f"no board size is given: {guessed} fits every list (--size N sets it)"
            yield stream.game(self, text, Place(number, 1), guessed, note)

    def read(self, game: GameText) -> Record:
        return read_plain(game.text, game.start, game.board)

    def write(self, record: Record, node: Node | None = None) -> str:
        words = [str(record.board), *line_words(record, node)]
        winner = record.result.winner
        if winner:
            words.append("red" if winner is Color.BLACK else "blue")
        return " ".join(words)


def _split(stream: TextStream) -> Iterator[tuple[str, int, Board | None]]:
    """Yield the text of each list, the number of its first line, and the size in force."""
    lists = [line for line in split_lines(stream.head.lstrip()[:HEAD]) if not is_size(line)]
    numbered = any(_NUMBERED.match(line) for line in lists)
    one_a_line = not numbered and any(len(line.split()) > 2 for line in lists)
    board = None
    waiting: tuple[str, int] | None = None  # a size that no list has taken yet
    game = LineGatherer()
    for number, line in stream.lines():
        size_only = is_size(line)
        starts = _SIZED.match(line) or (numbered and _NUMBERED.match(line))
        if game.first and (size_only or one_a_line or starts):
            yield game.text, game.first, board
            game = LineGatherer()
        if waiting and (size_only or _has_size(line)):
            yield *waiting, None
        if size_only:
            board = read_plain(line, Place(number, 1)).board
            waiting = line, number
        else:
            waiting = None
            game.add(number, line)
    if game.first:
        yield game.text, game.first, board
    if waiting:
        yield *waiting, None


def _lists_without_size(stream: TextStream) -> Iterator[str]:
    """Yield the lists of a file that do not give their size; of a pipe, those in its head."""
    with suppress(RecordError), stream.reopened() as again:  # it is raised again while splitting
        for text, _, size in _split(again):
            if size is None and not _has_size(text):
                yield text
