"""Plain lists of moves: ``a3 c9 e8``, ``1. a5 2. swap 3. d4``, with a size before, a winner after.

Colours follow from the order, Black (Red) first; ``swap`` is swap-pieces. A list may start with
the board's size, columns x rows (``11``, ``11x11``, ``size 13``). Without one the board is the
smallest of the usual 11, 13, 14, 15 and 19 that holds all the moves of all such lists in the file.
A list may end with the winner: ``red``, ``blue``, ``black``, ``white``, ``B+R``, ... Lists in the
simple hex format are read, too: ``B[a3] W[d4] 1``, where the player to move next wins (-1: loses).

Moves may be numbered, also without dots: in ``1 d4 c3`` the 1 is no size. Comments in braces are
kept, and so are the signs of chess behind moves, ``d4!``, as SGF has them.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from hextui.engine.board import Board, Color
from hextui.records.codecs.codec import (
    MAX_LIST,
    SIZE,
    Codec,
    FileText,
    GameText,
    board_of,
    check_length,
    is_size,
    split_lines,
)
from hextui.records.record import Record
from hextui.records.record_text import NoGamesError, Place, RecordError, escape, shorten
from hextui.records.tree import Node, Turn

USUAL_SIDES = (11, 13, 14, 15, 19)

_WORD = re.compile(r"swap-pieces|swap-sides|swap|pass|resigns?|forfeits?", re.IGNORECASE)
_MOVE = rf"(?:{_WORD.pattern}|[a-z]{{1,2}}[1-9][0-9]?)(?![a-z0-9])"
_BEFORE_MOVE = rf"[ \t|]++(?:{_MOVE}|[bw]\[[a-z])"
# The number of a move or of a row of moves; without a sign behind it only before a move.
_NUMBER = (
    r"(?:\([0-9]++\)|\[[0-9]++\]"
    rf"|[0-9]++(?:(?:\s*+[.):/-])++|(?={_BEFORE_MOVE})))"
)
_SIZE = re.compile(
    rf"(?!\s*+0*+1{_BEFORE_MOVE})\s*+(?:board\s*+)?(?:size)?[\s:=]*+"
    r"([0-9]++)(?:\s*+x\s*+([0-9]++))?+(?![.):/\]x-])\s*+",
    re.IGNORECASE,
)
_BETWEEN = re.compile(rf"(?:[\s,;|]+|[-\u2013](?=\s*+[a-z])|{_NUMBER})*", re.IGNORECASE)
_SIGNS = r"(?:[!?]{1,2}|[+#=*])*+"
_ANNOTATION = re.compile(rf"({_SIGNS})\s*+(?:\{{([^{{}}]*+)\}})?+")
_COMMENT = re.compile(r"\{([^{}]*+)\}")
_ASIDE = re.compile(r"\(([^(){}]*+)\)")  # a comment, or a variation, which is kept as one
_ANNOTATIONS = {
    "!": ("TE", "1"), "!!": ("TE", "2"), "?": ("BM", "1"), "??": ("BM", "2"), "!?": ("IT", ""),
    "?!": ("DO", ""),
}  # fmt: skip
"""What SGF writes for the signs of chess."""
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
_MOVES = re.compile(
    rf"(?:{_SIZE.pattern})?+(?:{_BETWEEN.pattern}{_MOVE}{_ANNOTATION.pattern}){{2,}}+\s*+",
    re.IGNORECASE,
)
# Simple hex format: B[a3] W[d4] 1, or -1 if the player to move next loses.
_COLORED = re.compile(r"([bw])\[([a-z]+[1-9][0-9]*|swap)\]", re.IGNORECASE)
_WINS = re.compile(r"(-?)1\s*\Z")
MEANT = {"swap": "swap-pieces", "resigns": "resign", "forfeits": "forfeit"}
"""What words in lists mean, by the names of turns."""
_START = re.compile(
    rf"{_BETWEEN.pattern}(?:{SIZE}|{_WORD.pattern}|[a-z]+[1-9]|[bw]\[)", re.IGNORECASE
)
_NUMBERED = re.compile(
    rf"(?:(?!\s*+0*+1{_BEFORE_MOVE}){SIZE}\s++)?+[\s|]*+[(\[]?0*+1(?:\s*+[.):/\]-]|{_BEFORE_MOVE})",
    re.IGNORECASE,
)
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


def line_words(record: Record, node: Node | None = None) -> list[str]:
    """Return the turns of the line through ``node``. Raises RecordError for what fits no list."""
    words = []
    for step in (node or record.root).end().line():
        if step.setup:
            raise RecordError("a list of moves cannot hold stones set outside the turns")
        if step.turn and step.parent:
            name = step.turn.name(record.board)
            if step.turn.color is not record.position(step.parent).to_move:
                what = f"a list of moves cannot hold move {step.ply}, {name}"
                raise RecordError(f"{what}: it is the other player's turn")
            words.append(name)
    return words


def read_moves(game: GameText, record: Record, offset: int) -> Record:
    """Append to a record the moves from a character of a text on, up to the first flaw.

    Raises RecordError for a text that has no moves.
    """
    text = game.text
    node = record.root
    colored = None
    while True:
        between = _BETWEEN.match(text, offset)
        assert between
        offset = between.end()
        if comment := _COMMENT.match(text, offset):
            _annotate(node, "", comment[1])
            offset = comment.end()
            continue
        if node.ply and (aside := _ASIDE.match(text, offset)):
            if _CELL.search(aside[1]):
                game.flaw("a variation in a list is kept as a comment", offset)
            _annotate(node, "", aside[1])
            offset = aside.end()
            continue
        if offset == len(text):
            return record
        to_move = record.position(node).to_move
        match = _WINNER.match(text, offset)
        if match and not text[match.end() :].strip():
            winner = Color.parse(match[1] or match[2])
            record.root.properties["RE"] = (f"{'BW'[winner - 1]}+{match[3] or ''}",)
            return record
        if colored and (match := _WINS.match(text, offset)):
            winner = to_move.opponent if match[1] else to_move
            record.root.properties["RE"] = (f"{'BW'[winner - 1]}+",)
            return record
        colored = _COLORED.match(text, offset)
        match = colored or _WORD.match(text, offset) or _CELL.match(text, offset)
        if match is None:
            what = f"{shorten(text[offset:].split(maxsplit=1)[0], 20)!r} is not a move"
            if node.ply < 2:  # a sentence may begin with the name of a cell
                raise game.error(what, offset)
            game.flaw(what, offset)
            return record
        word = (colored[2] if colored else match[0]).lower()
        try:
            color = Color.parse(colored[1]) if colored else to_move
            node = record.append(node, Turn.parse(color, MEANT.get(word, word), record.board))
        except ValueError as error:
            game.flaw(error, offset)
            return record
        annotation = _ANNOTATION.match(text, match.end())
        assert annotation
        _annotate(node, annotation[1].rstrip("+#=*"), annotation[2] or "")
        offset = annotation.end()


def _annotate(node: Node, signs: str, comment: str) -> None:
    """Add to a node what stands behind a move: the signs of chess and a comment."""
    if signs in _ANNOTATIONS:
        name, value = _ANNOTATIONS[signs]
        node.properties[name] = (value,)
    if comment.strip():
        comments = node.properties.get("C", ())
        node.properties["C"] = ("\n".join([*comments, escape(comment.strip())]),)


class PlainList(Codec):
    """Lists of moves. What does not begin with a move, or a board's size, holds no lists."""

    name = "plain"
    suffixes = (".txt",)

    def detects(self, head: str) -> bool:
        return True  # what is in no other format

    def recognizes(self, word: str, bare: bool = False) -> bool:
        return bool((bare or _NUMBERED.match(word)) and _MOVES.fullmatch(word))

    def split(self, file: FileText) -> Iterator[GameText]:
        """Yield the lists; all that give no size get the board that holds each of them.

        A list is a line, but may go on for lines: in numbered lists until the next ``1.``, and
        where no line has more than two words until the next size. A size on a line of its own
        counts for all the lists behind it; one that no list takes is a game without moves.
        """
        if not _START.match(file.head):  # such as a mail, some lines of which may look like lists
            line = 1 + file.text.count("\n", 0, file.text.find(file.head))
            what = f"{shorten(file.head.split()[0], 20)!r} is not a move"
            raise NoGamesError(what, line, 1)
        guessed: Board | None = None
        for text, number, size in self._lists(file):
            board = size or file.board
            if board is not None or _SIZE.match(text):
                yield file.game(self, text, Place(number, 1), board)
                continue
            guessed = guessed or usual_board(self._lists_without_size(file))
            note = f"no board size is given: {guessed} fits every list (--size N sets it)"
            yield file.game(self, text, Place(number, 1), guessed, note)

    def read(self, game: GameText) -> Record:
        text, offset = game.text, 0
        board = game.board
        if size := _SIZE.match(text):
            board = game.board_of_size(size[1], size[2], size.start(1))
            offset = size.end()
        return read_moves(game, Record(board or usual_board([_COMMENT.sub("", text)])), offset)

    def _lists(self, file: FileText) -> Iterator[tuple[str, int, Board | None]]:
        """Yield the text of each list, the number of its first line, and the size in force."""
        lists = [line for line in split_lines(file.head) if not is_size(line)]
        numbered = any(_NUMBERED.match(line) for line in lists)
        words = [_COMMENT.sub("", line).split() for line in lists]
        one_a_line = not numbered and any(len(line) > 2 for line in words)
        board = None
        waiting: tuple[str, int] | None = None  # a size that no list has taken yet
        started: tuple[int, int] | None = None  # where the list begins, and in which line
        end = 0
        for number, offset, line in file.lines():
            size_only = is_size(line)
            starts = _SIZED.match(line) or (numbered and _NUMBERED.match(line))
            if started and (size_only or one_a_line or starts):
                yield file.text[started[0] : end], started[1], board
                started = None
            if waiting and (size_only or _SIZE.match(line)):
                yield *waiting, None
            waiting = None
            if size_only:
                board = self.read(GameText(self, line, Place(number, 1))).board
                waiting = line, number
                continue
            started = started or (offset, number)
            end = offset + len(line)
            check_length(end - started[0], Place(started[1], 1), MAX_LIST)
        if started:
            yield file.text[started[0] : end], started[1], board
        if waiting:
            yield *waiting, None

    def _lists_without_size(self, file: FileText) -> Iterator[str]:
        """Yield the lists of a file that do not give their size."""
        with suppress(RecordError):  # raised again while splitting
            for text, _, size in self._lists(file):
                if size is None and not _SIZE.match(text):
                    yield _COMMENT.sub("", text)

    def write(self, record: Record, node: Node | None = None) -> str:
        words = [str(record.board), *line_words(record, node)]
        winner = record.result.winner
        if winner:
            words.append("red" if winner is Color.BLACK else "blue")
        return " ".join(words)
