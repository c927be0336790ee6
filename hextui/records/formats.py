"""Read records: of any format, from files, texts, standard input and other sites."""

import errno
import io
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from hextui.engine.board import Board, LargeBoard
from hextui.engine.limit import NOT_ANALYSED
from hextui.locations import named_path, open_file_or_pipe
from hextui.records import codecs
from hextui.records.codecs.codec import (
    HEAD,
    MAX_GAME,
    MIB,
    Codec,
    FileText,
    Flaws,
    GameCounter,
    GameText,
    Site,
)
from hextui.records.fetching import FETCH_SECONDS, fetched_text
from hextui.records.record import Origin, Record
from hextui.records.record_text import NoGamesError, RecordError, bare_link
from hextui.records.summary import PassedKind, PassedOver, ReadSummary
from hextui.records.unpacking import Unpacked, Unreadable, unpacked
from hextui.text import counted, did_you_mean

Source = Path | str | bytes
STANDARD_INPUT = "standard input"  # what errors call it


def read_record(
    source: Source,
    number: int = 1,
    board: Board | None = None,
    strict: bool = False,
    charset: str | None = None,
) -> Record:
    """Return one record, the first by default, of a file (Path) or of a file's text or bytes.

    ``board`` is that of games without a size (default: guessed), ``charset`` the character set
    (see ``charset_called``; default: the declared one, or guessed). ``record.origin`` says where it
    is from, and the first thing that is wrong with it, unless ``strict``: then that is an error.
    Raises RecordError, with the place as far as it is known.
    """
    if number < 1:
        raise RecordError(f"games are numbered from 1: there is no game {number}")
    name = str(source) if isinstance(source, Path) else None
    counter = GameCounter(number)
    reading = _Reading(source, board=board, strict=strict, charset=charset, counter=counter)
    with _opened(source) as file, closing(reading.games(file)) as games:
        record = next(games, None)
        alone = number == 1 and next(games, None) is None
    if record is None and not counter.number:
        raise reading.nothing_here or RecordError("there is no game here", source=name)
    if record is None:
        what = f"there is no game {number}: the last is {counter.number}"
        raise RecordError(what, source=name)
    if isinstance(record, RecordError):
        raise record
    assert record.origin is not None
    record.origin = replace(record.origin, alone=alone)
    return record


def read_collection(
    source: Source,
    board: Board | None = None,
    strict: bool = False,
    as_hex: bool = False,
    charset: str | None = None,
    summary: ReadSummary | None = None,
) -> Generator[Record | RecordError]:
    """Yield every game of a source like ``read_record``, or the error of one that is broken.

    With ``as_hex`` SGF that declares another game is read, too. Of an archive each member is read
    on its own. ``summary`` gets what was read and passed over; without any game in a source the
    first thing that was passed over is raised. Raises RecordError if the file cannot be read.
    """
    reading = _Reading(
        source,
        board=board,
        strict=strict,
        as_hex=as_hex,
        charset=charset,
        summary=ReadSummary() if summary is None else summary,
    )
    with _opened(source) as file:
        yield from reading.games(file)
    if reading.nothing_here:
        raise reading.nothing_here


@dataclass
class _Reading:
    """The reading of one source: how, and what came of it.

    Games before the first one wanted are counted, and not read unless that takes it.
    """

    source: Source
    board: Board | None
    strict: bool
    charset: str | None
    as_hex: bool = False
    summary: ReadSummary = field(default_factory=ReadSummary)
    counter: GameCounter = field(default_factory=GameCounter)
    passed: PassedOver | None = None  # the first thing that should hold games and does not

    @property
    def path(self) -> Path | None:
        """The file that is read, None for a text."""
        return self.source if isinstance(self.source, Path) else None

    @property
    def nothing_here(self) -> RecordError | None:
        """Why there was no game, if something should hold games and does not."""
        if self.counter.number or self.passed is None:
            return None
        return RecordError(self.passed.reason, source=self.passed.source)

    def games(self, file: BufferedReader) -> Generator[Record | RecordError]:
        """Yield the games of a file, and count in the summary the bytes read so far."""
        before = self.summary.read_bytes
        seekable = file.seekable()
        for game in self._games_of_members(file):
            if seekable:
                self.summary.read_bytes = before + file.tell()
            yield game

    def _games_of_members(self, file: BufferedReader) -> Iterator[Record | RecordError]:
        """Yield the games of a file, or of the members of an archive."""
        for member in unpacked(file, codecs.suffixes()):
            where = ": ".join(filter(None, [str(self.path or ""), member.name]))
            if isinstance(member, Unreadable):
                self._pass_over(PassedOver(where, member.reason, member.kind))
                continue
            try:
                for game in self._games_of(member):
                    yield game if isinstance(game, Record) else game.in_source(where or None)
            except RecordError as error:
                if not member.name:
                    raise
                empty = isinstance(error, NoGamesError)
                kind = PassedKind.NO_GAMES if empty else PassedKind.BROKEN
                self._pass_over(PassedOver(where, str(error.in_source(None)), kind))

    def _games_of(self, member: Unpacked) -> Iterator[Record | RecordError]:
        text = FileText(
            member.read,
            board=self.board,
            strict=self.strict,
            as_hex=self.as_hex,
            charset=self.charset,
            counter=self.counter,
        )
        name = member.name or str(self.path or "")
        for game, result in _each(self._to_be_read(split_games(text, name))):
            if isinstance(result, Record):
                result.origin = self._origin(game, result.board, member.packed)
                self._count(game)
            yield from self._counted(result)
        if member.error:
            yield from self._counted(member.error)

    def _counted(self, game: Record | RecordError) -> Iterator[Record | RecordError]:
        """Count a game; yield it if it is not before the first one."""
        wanted = not self.counter.is_before_first
        self.counter.number += 1
        if wanted:
            yield game

    def _to_be_read(self, games: Iterator[GameText]) -> Iterator[GameText]:
        """Count games before the first one that may not be several; yield the others."""
        for game in games:
            if self.counter.is_before_first and not any(game.codec.split_broken(game)):
                self.counter.number += 1
            else:
                yield game

    def _count(self, game: GameText) -> None:
        """Count a game that was read in the summary."""
        self.summary.games += 1
        if game.flaws.first is not None:
            self.summary.repaired += 1
        if game.notes or game.flaws.guesses:
            self.summary.guessed += 1

    def _origin(self, game: GameText, board: Board, packed: bool) -> Origin:
        large = [NOT_ANALYSED] if isinstance(board, LargeBoard) else []
        return Origin(
            path=self.path,
            format=game.codec.name,
            number=self.counter.number + 1,
            alone=False,
            notes=(*game.notes, *game.flaws.guesses, *large, *_described(game.flaws)),
            board=self.board,
            whole=not (packed or game.flaws.first),
            charset=self.charset,
            guessed_charset=game.charset,
        )

    def _pass_over(self, passed: PassedOver) -> None:
        self.summary.passed_over.append(passed)
        if passed.kind is PassedKind.BROKEN:
            self.passed = self.passed or passed


def _described(flaws: Flaws) -> Iterator[str]:
    """Yield one line for the user about what is wrong with a game that was read, if anything is."""
    if flaws.first is not None:
        more = f" (and {counted(flaws.more, 'more error')})" if flaws.more else ""
        yield f"read as far as possible: {flaws.first}{more}"


def split_games(whole: FileText, name: str = "") -> Iterator[GameText]:
    """Yield the games of a file, broken ones as they stand, read as they are asked for.

    The board of lists of moves without a size is guessed once for all of them. Raises RecordError
    for a game that is too long, and NoGamesError for what is no record. The ``name`` of the file
    counts only for tables, which could be anything, and for formats of other packages.
    """
    if not whole.head:
        return
    codec = _codec_of(whole, name)
    if codec is codecs.CODECS[-1] and codecs.is_table(name):
        raise NoGamesError("no column is named moves or sgf")
    dialects = [other for other in codecs.CODECS if other.dialect_of == codec.name]
    for game in codec.split(whole):
        dialect = next((d for d in dialects if d.detects(game.text[:HEAD])), None)
        yield replace(game, codec=dialect) if dialect else game


def _codec_of(whole: FileText, name: str) -> Codec:
    """Return the format of another package by the file's ending, else ours by what it holds."""
    of_ending = codecs.codec_of_file(Path(name))
    if of_ending is not None and of_ending not in codecs.CODECS:
        return of_ending
    # what a file holds counts, as endings are often wrong
    return next(codec for codec in codecs.CODECS if codec.detects(whole.head))


def _each(games: Iterator[GameText]) -> Iterator[tuple[GameText, Record | RecordError]]:
    for game in games:
        result = _read(game)
        broken = game.flaws.first or isinstance(result, RecordError)
        parts = game.codec.split_broken(game) if broken else iter(())
        first = next(parts, None)
        if first is None:
            yield game, result
        else:
            yield from ((part, _read(part)) for part in chain([first], parts))


def _read(game: GameText) -> Record | RecordError:
    try:
        record = game.codec.read(game)
    except RecordError as error:
        return error
    first = game.flaws.first
    return first if first is not None and (game.strict or record.is_empty) else record


@contextmanager
def _opened(source: Source) -> Iterator[BufferedReader]:
    """Open a source; errors from within are raised with the file's name, in one line."""
    if isinstance(source, Path):
        try:
            with open_file_or_pipe(source) as file:
                yield file
        except RecordError as error:
            raise error.in_source(str(source)) from None
        except OSError as error:
            what = f"cannot be read: {error.strerror or error}"
            raise RecordError(what, source=str(source)) from None
    else:
        # A command line that is not valid UTF-8 arrives with its bytes as half surrogate pairs.
        data = _bytes(source) if isinstance(source, str) else source
        yield BufferedReader(io.BytesIO(data))


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def parse_position_argument(
    text: str,
    number: int = 1,
    board: Board | None = None,
    strict: bool = False,
    charset: str | None = None,
) -> Record:
    """Return the record that a POSITION of the command line names. Raises RecordError."""
    source = source_of_argument(text)
    try:
        return read_record(source, number, board, strict, charset)
    except RecordError as error:
        raise error.in_source(STANDARD_INPUT) if isinstance(source, bytes) else error from None


def source_of_argument(text: str) -> Source:
    """Return what a POSITION of the command line names: a file, or the text or bytes of one.

    That is a file, ``-`` for standard input, a HexWorld link or fragment, a link to a game, which
    is fetched, or SGF text. A fragment without ``#`` that is also a file's name means the file.
    Raises RecordError if it is none of these.
    """
    stripped = text.strip()
    if stripped == "-":
        return read_bytes("-", MAX_GAME)
    if is_game_link(stripped):
        return fetch_game(stripped)
    if codecs.is_game(stripped):
        return stripped
    path = named_path(text)
    named = bool(text) and os.path.exists(path)
    if not named and codecs.is_game(stripped, bare=True):
        return stripped
    if named:
        return path
    if os.path.islink(path):
        raise RecordError("a symbolic link to a missing file", source=text)
    what = "no such file, and it is neither a HexWorld link nor SGF"
    raise RecordError(what + did_you_mean(path.name, _beside(path)), source=text)


def _beside(path: Path) -> list[str]:
    """Return the names of what lies in a file's folder."""
    try:
        return os.listdir(path.parent)
    except (OSError, ValueError):
        return []


def read_bytes(source: str, most: int) -> bytes:
    """Return a file, or standard input (``-``). Raises RecordError for more than ``most`` bytes."""
    with _standard_input() if source == "-" else _opened(named_path(source)) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        where = STANDARD_INPUT if source == "-" else source
        raise RecordError(f"more than {most // MIB} MiB", source=where)
    return data


def standard_input_lines(most: int) -> Iterator[str | RecordError]:
    """Yield the lines of standard input, one of more than ``most`` bytes as a RecordError.

    Bytes that are not UTF-8 become halves of surrogate pairs, as in the words of a command line.
    Raises RecordError if it cannot be read.
    """
    number = 0
    with _standard_input() as stream:
        while line := stream.readline(most + 1):
            number += 1
            if len(line) > most:
                while line and not line.endswith(b"\n"):
                    line = stream.readline(most)
                yield RecordError(f"more than {most // MIB} MiB", number, source=STANDARD_INPUT)
            else:
                yield line.rstrip(b"\r\n").decode(errors="surrogateescape")


@contextmanager
def _standard_input() -> Iterator[BinaryIO]:
    """Yield standard input; errors from reading it become RecordError."""
    try:
        if sys.stdin is None or sys.stdin.closed:
            raise OSError(errno.EBADF, "it is closed")
        yield sys.stdin.buffer
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise RecordError(what, source=STANDARD_INPUT) from None


def _found(text: str, bare: bool = False) -> tuple[Site, str] | None:
    """Return the site and the name of a game from its link; with ``bare`` also from its name."""
    text = bare_link(text.strip())
    for site in (codec.site for codec in codecs.CODECS if codec.site):
        if match := site.link.fullmatch(text) or (bare and site.bare.fullmatch(text)):
            return site, match[1].lower()
    return None


def is_game_link(text: str) -> bool:
    """Whether a text is a link to a game that can be fetched."""
    return _found(text) is not None


def fetch_game(text: str, seconds: float = FETCH_SECONDS) -> str:
    """Return a record's text by its link, number (Little Golem) or id. Raises RecordError."""
    link = _found(text, bare=True)
    if link is None:
        sites = " or ".join(codec.site.name for codec in codecs.CODECS if codec.site)
        raise RecordError(f"not a link to a game of {sites}", source=text)
    site, game = link
    text = fetched_text(site.name, site.address.format(game), f"game {game}", seconds)
    if not text.lstrip("\ufeff \r\n\t").startswith(("(", "{")):
        raise RecordError(f"there is no game {game}", source=site.name)
    return text
