"""What a record format is to the rest of the program, and the text of a file split into games."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise
from typing import ClassVar

from hextui.engine.board import MAX_RECORD_SIDE, MAX_SIDE, Board, LargeBoard
from hextui.records.decoding import MAX_FILE, Decoding
from hextui.records.record import Record
from hextui.records.record_text import START, Place, RecordError, shorten
from hextui.records.tree import Node
from hextui.records.unpacking import Read

MIB = 1024 * 1024
MAX_GAME = 64 * MIB  # characters of an SGF game; the largest real trees have a few million
MAX_LIST = MIB  # bytes of a game in another format: hundreds of thousands of moves
HEAD = 4096  # characters that are enough to recognise a format

DEFAULT_SIDE = 11  # the side of the board where SGF or a HexWorld link gives no size
VIEW_FLAGS = "HEXWORLD"
"""The root property that keeps the flags of a HexWorld link; they belong to the view."""

SIDES = f"boards have 1 to {MAX_RECORD_SIDE} rows and columns"
SIZE = r"\s*+(?:board\s*+)?(?:size)?[\s:=]*+[0-9]++(?:\s*+x\s*+[0-9]++)?+"
"""The size of a board before a list of moves; possessive, so that no line is read twice."""

_SIZE_ONLY = re.compile(rf"{SIZE}\s*+", re.IGNORECASE)
# A line of a list that holds no game; a link may begin with "#", too.
_COMMENT = re.compile(r"\s*+(?:#(?![0-9]|(?:r[0-9]+|m|n|c[0-9]+)*,)|//)[^\r\n]*+")
_BLANK = re.compile(rf"(?:{_COMMENT.pattern})*+\s*+")
_QUOTES = re.compile(r"^[ \t]*+(?:>[ \t]?)++", re.MULTILINE)
_QUOTED_GAME = re.compile(rf"{_QUOTES.pattern}\s*+\(\s*+;|\A\s*+>", re.MULTILINE)
_LINE = re.compile(r"([^\r\n]*+)(?:\r\n|[\r\n]|\Z)")
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")


@dataclass(frozen=True)
class Site:
    """A site with games; group 1 of both patterns is the {0} of a record's ``address``."""

    name: str
    link: re.Pattern[str]
    bare: re.Pattern[str]
    address: str


@dataclass
class Flaws:
    """The first of the errors in spite of which a game was read, and how many more there are.

    ``guesses`` say what its text left open, one line each.
    """

    first: RecordError | None = None
    more: int = 0
    guesses: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class GameText:
    """The decoded text of one game, where it starts in its file, and notes of what was guessed.

    ``charset``: its character set if that was guessed, else ''.
    ``board`` is the one for a game that does not give its size. A ``strict`` reading refuses what
    others leave out and note in ``flaws``; one ``as_hex`` reads SGF that declares another game.
    """

    codec: "Codec"
    text: str
    start: Place = START
    board: Board | None = None
    notes: tuple[str, ...] = ()
    strict: bool = False
    as_hex: bool = False
    flaws: Flaws = field(default_factory=Flaws)
    charset: str = ""

    def error(self, what: object, offset: int) -> RecordError:
        """Return the error that says ``what`` at a character of the text."""
        return self.start.after(self.text[:offset]).error(what)

    def board_of_size(self, columns: str, rows: str | None, offset: int) -> Board:
        """Return the board with these numbers, which stand there. Raises RecordError."""
        try:
            return read_board(columns, rows)
        except ValueError as error:
            raise self.error(error, offset) from None

    def flaw(self, what: object, offset: int) -> None:
        """Note what is wrong at a character and is left out; if ``strict`` raise RecordError."""
        if self.flaws.first is not None:
            self.flaws.more += 1  # without its place, which takes time to find
            return
        self.flaws.first = self.error(what, offset)
        if self.strict:
            raise self.flaws.first


class Codec:
    """A record format. Each is a subclass in a file of its own, listed in ``codecs.CODECS``.

    ``name`` is what users call the format, ``suffixes`` are the endings of its files. Its games
    begin with what ``starts`` matches; without it each line is one. A
    ``dialect_of`` another format is recognised game by game in files of that format. ``writes`` is
    False for a format that is only read. Games of a ``site`` can be fetched.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    starts: ClassVar[re.Pattern[str] | None] = None
    dialect_of: ClassVar[str] = ""
    writes: ClassVar[bool] = True
    site: ClassVar[Site | None] = None

    def detects(self, head: str) -> bool:
        """Return whether a file, or a game, that begins with ``head`` is in this format.

        The head has no white space before it; characters that are not ASCII may not be decoded.
        """
        return bool(self.starts and self.starts.search(head))

    def recognizes(self, word: str, bare: bool = False) -> bool:
        """Return whether a word is a game, and no file's name unless ``bare``."""
        return bool(self.starts and self.starts.match(word))

    def split(self, file: "FileText") -> Iterator[GameText]:
        """Yield the games of a file, broken ones too. Raises RecordError."""
        if self.starts is None:
            for number, line in file.lines_as_they_come():
                yield file.game(self, line, Place(number, 1))
            return
        for text, start in split_before(self.starts, file.text):
            check_length(len(text), start, MAX_LIST)
            if self.starts.search(text):  # other text may stand before the first game
                yield file.game(self, text, start)

    def split_broken(self, game: GameText) -> Iterator[GameText]:
        """Yield the games that one which cannot be read seems to consist of, if any."""
        return iter(())

    def read(self, game: GameText) -> Record:
        """Return the record of one game. Raises RecordError with line and column."""
        raise NotImplementedError

    def read_text(self, text: str, board: Board | None = None) -> Record:
        """Return the record of one game without flaws; ``board``: see ``GameText``."""
        return self.read(GameText(self, text, board=board, strict=True))

    def write(self, record: Record, node: Node | None = None) -> str:
        """Return the record, or its line through ``node``, as text. Raises RecordError."""
        raise RecordError(f"records are not written as {self.name}: save it as sgf")

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        """Return, in words, the first thing that ``again``, read from the text, lacks; '' if none.

        By default the turns of the line and the winner count. ``node`` is the one of ``write``.
        """
        if record.turns((node or record.root).end()) != again.turns():
            return "the moves"
        return "" if record.result.winner is again.result.winner else "the winner"


@dataclass
class GameCounter:
    """The number of games of a source that have been read or left out, and the ``first`` wanted.

    A format leaves out games before that one where it finds their ends without reading them.
    """

    first: int = 1
    number: int = 0

    @property
    def is_before_first(self) -> bool:
        """Whether the next game comes before the first one wanted."""
        return self.number + 1 < self.first


class TextWindow:
    """A text; ``window`` is what has been read of it and has not been dropped.

    ``counter`` counts the games that are left out.
    """

    def __init__(self, text: str, counter: GameCounter | None = None) -> None:
        self.window = text
        self.counter = counter or GameCounter()

    def more(self) -> bool:
        """Read on, as much again as there is; return False at the end."""
        return False

    def drop(self, length: int) -> None:
        """Forget so many characters at the begin of the window."""
        self.window = self.window[length:]


class FileText(TextWindow):
    """The text of a file, which is read as it is needed, and decoded game by game.

    ``head`` is what follows white space and comments, at most ``HEAD`` characters. ``board`` is
    the one for games without a size, None to guess it; for ``strict`` and ``as_hex`` see
    ``GameText``, for ``charset`` ``Decoding``. Raises OSError, and RecordError for a file of which
    more than ``MAX_FILE`` would have to be held at once.
    """

    def __init__(
        self,
        read: Read,
        board: Board | None = None,
        strict: bool = False,
        as_hex: bool = False,
        charset: str | None = None,
        counter: GameCounter | None = None,
    ) -> None:
        super().__init__("", counter)
        self._read = read
        self._ended = False
        self.board = board
        self.strict = strict
        self.as_hex = as_hex
        data = self._next_bytes(MIB)
        self._decoding = Decoding(data, charset)
        self.lead_bytes, self.decoded = self._decoding.lead_bytes, self._decoding.text
        self._take(data)
        while not self._ended and len(self.window) < self._begin_of_head() + HEAD:
            self.more()
        if _QUOTED_GAME.search(self.window, 0, HEAD):
            self.window = _QUOTES.sub("", self.text)  # mails are short
        begin = self._begin_of_head()
        self.head = self.window[begin : begin + HEAD]

    @property
    def text(self) -> str:
        """All of the file, of which nothing is to be dropped then."""
        while not self._ended:
            self.more()
        return self.window

    def more(self) -> bool:
        if self._ended:
            return False
        self._take(self._next_bytes(max(MIB, len(self.window))))
        return True

    def _next_bytes(self, size: int) -> bytes:
        """Return the next bytes, so many if there are; sets the end."""
        pieces = []
        while size > 0 and not self._ended:
            piece = self._read(min(size, MIB))
            pieces.append(piece)
            size -= len(piece)
            self._ended = not piece
        return b"".join(pieces)

    def _take(self, data: bytes) -> None:
        self.window += self._decoding.carry(data, self._ended)
        if len(self.window) > MAX_FILE:
            raise RecordError(f"more than {MAX_FILE // MIB} MiB: split the file")

    def _begin_of_head(self) -> int:
        blank = _BLANK.match(self.window)
        assert blank
        return blank.end()

    def lines(self) -> Iterator[tuple[int, int, str]]:
        """Yield number, from 1, place in the text, and text of each line that may hold a game."""
        for number, match in enumerate(_LINE.finditer(self.text), start=1):
            check_length(len(match[1]), Place(number, 1), MAX_LIST)
            if _may_hold_a_game(match[1]):
                yield number, match.start(), match[1]

    def lines_as_they_come(self) -> Iterator[tuple[int, str]]:
        """Yield number, from 1, and text of each line that may hold a game, and drop it then."""
        number = 0
        while True:
            end = len(self.window) if self._ended else self.window.rfind("\n") + 1
            lines = self.window[:end].replace("\r\n", "\n").replace("\r", "\n").split("\n")
            if not self._ended:
                lines.pop()  # the next line begins there
            for line in lines:
                number += 1
                check_length(len(line), Place(number, 1), MAX_LIST)
                if _may_hold_a_game(line):
                    yield number, line
            self.drop(end)
            check_length(len(self.window), Place(number + 1, 1), MAX_LIST)
            if not self.more():
                return

    def game(
        self, codec: Codec, text: str, start: Place, board: Board | None = None, *notes: str
    ) -> GameText:
        """Return a stretch of the text as a game, decoded; what was guessed is noted."""
        decoded = self.decoded(text)
        return GameText(
            codec,
            text=decoded.text,
            start=start,
            board=board,
            notes=(*decoded.notes, *notes),
            strict=self.strict,
            as_hex=self.as_hex,
            charset=decoded.guessed,
        )


def _may_hold_a_game(line: str) -> bool:
    return bool(line.strip()) and not _COMMENT.match(line)


def split_before(
    pattern: re.Pattern[str], text: str, start: Place = START
) -> Iterator[tuple[str, Place]]:
    """Split a text, which stands at ``start``, before each match behind its first character."""
    marks = (match.start() for match in pattern.finditer(text, 1))
    for begin, end in pairwise(chain([0], marks, [len(text)])):
        yield text[begin:end], start
        start = start.after(text[begin:end])


def split_lines(text: str, at_most: int = 0) -> list[str]:
    """Return the lines of a text without their ends; ``at_most`` so many, then the rest."""
    return _LINE_END.split(text, at_most)


def is_size(line: str) -> bool:
    """Return whether a line is the size of a board and nothing else: ``11``, ``size 13x9``."""
    return _SIZE_ONLY.fullmatch(line) is not None


def check_length(length: int, start: Place, longest: int) -> None:
    """Raise RecordError if a game of that length starts there that is longer than ``longest``."""
    if length > longest:
        raise start.error(f"a game of more than {longest // MIB} MiB, which no real record has")


def read_board(columns: str, rows: str | None = None) -> Board:
    """Return the board with these numbers, square without rows. Raises ValueError for others."""
    rows = rows or columns
    if not all(
        len(digits) < 3 and 1 <= int(digits) <= MAX_RECORD_SIDE for digits in (columns, rows)
    ):
        size = columns if rows == columns else f"{columns}x{rows}"
        raise ValueError(f"{SIDES}, not {shorten(size, 20)}")
    return board_of(int(rows), int(columns))


@cache
def board_of(rows: int, columns: int) -> Board:
    """Return the one board of this size that all records share, with its tables."""
    return (LargeBoard if max(rows, columns) > MAX_SIDE else Board)(rows, columns)
