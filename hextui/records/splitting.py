"""Find the games in a file of any size: one after another, each as text with its place.

SGF games end with their last bracket, those of a JSON list with its last object. In the other
formats a game is a line, but a plain list of moves may go on for lines: until the next size or the
next ``1.`` in numbered lists, and until the next size where no line has more than two words. A
size on a line of its own counts for all the lists behind it.
"""

import enum
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise, repeat
from typing import BinaryIO, NoReturn

from hextui.engine.board import Board
from hextui.records.decoding import Decoding
from hextui.records.errors import START, Place, RecordError
from hextui.records.hexworld import is_hexworld
from hextui.records.littlegolem import is_little_golem
from hextui.records.plain import has_size, read_plain, usual_board
from hextui.records.tree import MAX_NODES

MIB = 1024 * 1024
MAX_GAME = 64 * MIB  # characters of an SGF game; the largest real trees have a few millions
MAX_VALUE = 8 * MIB  # characters of a value, because one that is not complete is read again
MAX_LIST = MIB  # bytes of a game in another format, hundreds of thousands of moves
_HEAD = 4096

_SGF_START = re.compile(r"\(\s*;")
_MAYBE_SGF_START = re.compile(r"\(\s*\Z")
# Where games are taken up again after one that is never closed.
_NEXT_GAME = re.compile(r"^[ \t]*+\(\s*+;\s*+(?:FF|GM|SZ|CA|AP)\s*\[", re.MULTILINE)
_LITTLE_GOLEM_START = re.compile(r"\(\s*;\s*FF\[4\]\s*(?:EV|PB)\[")
_BLANKS = re.compile(r"[ \t\r\n]*+")
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")
# Possessive, so that no line, however long, is gone through twice.
_SIZE = r"\s*+(?:board\s*+)?(?:size)?[\s:=]*+[0-9]++(?:\s*+x\s*+[0-9]++)?+"
_SIZE_ONLY = re.compile(rf"{_SIZE}\s*+", re.IGNORECASE)
_NUMBERED = re.compile(rf"(?:{_SIZE}\s++)?+\s*+1\s*+[.)]", re.IGNORECASE)
_SIZED = re.compile(r"\s*+(?:board|size|[0-9]++\s*+x\s*+[0-9])", re.IGNORECASE)


class Format(enum.StrEnum):
    """The formats of records, by the names users give them."""

    SGF = "sgf"
    LITTLE_GOLEM = "hsgf"
    HEXWORLD = "hexworld"
    HEXATA = "hexata"
    PLAIN = "plain"
    JSON = "json"
    PLAYHEX = "playhex"


@dataclass(frozen=True)
class GameText:
    """The text of one game, and where it starts; ``board`` is that of a list without its size.

    ``notes`` say in lines for the user what was guessed.
    """

    format: Format
    text: str
    start: Place
    board: Board | None = None
    notes: tuple[str, ...] = ()


def split_games(file: BinaryIO, board: Board | None = None) -> Iterator[GameText]:
    """Yield the games of a file, read as they are asked for; none if there is no text at all.

    ``board`` is that of lists of moves without a size; else it is guessed, once for all of them.
    A broken game is yielded as it stands. Raises RecordError for a game of more than ``MAX_GAME``
    characters or text that cannot belong to a game, and OSError from reading.
    """
    decoding = Decoding(file)
    pieces = decoding.pieces()
    head = ""
    while len(head.lstrip()) < _HEAD and (piece := next(pieces, None)) is not None:
        head += piece
        _check_length(head, START, MAX_GAME)
    carried = chain([head], pieces)
    first_line = next((line for line, _ in _ended(head) if line.strip()), "").strip()
    if not first_line:
        return
    decoded: Callable[[str], tuple[str, str]] = decoding.text
    if first_line.startswith("["):
        listed, note = decoded(_whole(carried))
        decoded = lambda part: (part, note)  # noqa: E731
        games = _json_objects(listed)
    elif first_line.startswith("{"):
        lines = _lines(carried)
        one_a_line = first_line.endswith("}")
        games = (
            _line_games(lines, Format.JSON) if one_a_line else iter([_joined(lines, Format.JSON)])
        )
    elif is_hexworld(first_line) and not _SIZE_ONLY.fullmatch(first_line):
        games = _line_games(_lines(carried), Format.HEXWORLD)
    elif is_little_golem(head.lstrip()[:_HEAD]):
        games = _little_golem_games(carried)
    elif _SGF_START.search(head):
        games = _sgf_games(carried, lead_bytes=decoding.lead_bytes)
    else:
        games = _plain_games(_lines(carried), head)
    guessed: Board | None = None
    for game in games:
        text, note = decoded(game.text)
        notes = [note] if note else []
        of_list = game.board or board
        if game.format is Format.PLAIN and of_list is None and not has_size(text):
            of_list = guessed = guessed or usual_board(_without_size(file, head))
            notes.append(f"no board size is given: {guessed} fits every list (--size N sets it)")
        little = game.format is Format.SGF and is_little_golem(text[:_HEAD])
        form = Format.LITTLE_GOLEM if little else game.format
        yield GameText(form, text, game.start, of_list, tuple(notes))


def parts_of_broken(game: GameText) -> Iterator[GameText]:
    """Yield the games that a broken SGF game seems to consist of, none if it is one game.

    A bracket that is not closed swallows what follows it; only a new game's root says so.
    """
    if game.format is not Format.SGF or _NEXT_GAME.search(game.text, 1) is None:
        return
    marks = (match.start() for match in _NEXT_GAME.finditer(game.text, 1))
    start = game.start
    for mark, end in pairwise(chain([0], marks, [len(game.text)])):
        text = game.text[mark:end]
        for part in _sgf_games(iter([text]), start):
            yield replace(part, notes=game.notes)
        start = start.after(text)


def _little_golem_games(pieces: Iterator[str]) -> Iterator[GameText]:
    """Split at the beginnings of games, because brackets in names need not match."""
    start = START
    text = ""
    for piece in pieces:
        text += piece
        while following := _LITTLE_GOLEM_START.search(text, 1):
            game, text = text[: following.start()], text[following.start() :]
            yield GameText(Format.LITTLE_GOLEM, game, start)
            start = start.after(game)
        _check_length(text, start, MAX_LIST)
    yield GameText(Format.LITTLE_GOLEM, text, start)


@cache
def _to_parenthesis(leads: str) -> re.Pattern[str]:
    """Return what matches up to the next parenthesis, past whole values.

    ``leads``: see ``Decoding.lead_bytes``. Double bytes of ISO-2022-JP stand between escapes.
    """
    plain = rf"[^\]\\\x1b{leads}]++"
    japanese = r"\x1b\$[^\x1b]*+\x1b\(.|\x1b(?!\$)"
    double = rf"[{leads}].|" if leads else ""
    value = rf"\[(?:{plain}|{double}{japanese}|\\(?:{double}.))*+\]"
    return re.compile(rf"(?:[^\[()]++|{value})*+", re.DOTALL)


def _sgf_games(
    pieces: Iterator[str],
    start: Place = START,
    lead_bytes: Callable[[str], str] = lambda decoded: "",
) -> Iterator[GameText]:
    """Split at the end of each game.

    A game is split as if no bracket were half a character, and once more if that proves wrong.
    """
    text = ""  # what has been read and not yielded; it begins at ``start``
    at = 0  # what is before has been looked at
    depth = 0
    leads = ""
    for piece in chain(pieces, [""]):
        text += piece
        while True:
            if depth == 0:
                found = _SGF_START.search(text)
                kept = found or _MAYBE_SGF_START.search(text)
                skipped = text[: kept.start() if kept else len(text)]
                _check_between_games(skipped, start)
                start, text = start.after(skipped), text[len(skipped) :]
                if found is None:
                    break
                depth, at = 1, 1
            between = _to_parenthesis(leads).match(text, at)
            assert between
            at = between.end()
            if at == len(text) or text[at] == "[":  # the rest of it is still to come
                too_long = len(text) - at > MAX_VALUE
                if (too_long or not piece) and not leads and (leads := lead_bytes(text)):
                    depth, at = 1, 1  # or a bracket was half a character
                    continue
                if too_long:
                    _refuse("value", start.after(text[:at]), MAX_VALUE)
                break
            if text[at] == "(" and (depth == MAX_NODES or _NEXT_GAME.match(text, at)):
                depth = 0
            else:
                depth += 1 if text[at] == "(" else -1
                at += 1
            if depth == 0 and not leads and (leads := lead_bytes(text[:at])):
                depth, at = 1, 1
            elif depth == 0:
                yield GameText(Format.SGF, text[:at], start)
                start, text, leads = start.after(text[:at]), text[at:], ""
        _check_length(text, start, MAX_GAME)
    if depth:
        yield GameText(Format.SGF, text, start)


def _check_between_games(text: str, start: Place) -> None:
    """Raise RecordError if text outside the games looks like a piece of one."""
    stripped = text.lstrip()
    if stripped.startswith((")", ";")):
        place = start.after(text[: len(text) - len(stripped)])
        what = f"{stripped[0]!r} outside of a game, which begins with '(;'"
        raise RecordError(what, place.line, place.column)


def _check_length(text: str, start: Place, longest: int) -> None:
    if len(text) > longest:
        _refuse("game", start, longest)


def _refuse(thing: str, start: Place, longest: int) -> NoReturn:
    what = f"a {thing} of more than {longest // MIB} MiB, which no real record has"
    raise RecordError(what, start.line, start.column)


def _ended(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a text, one at a time, and whether each is ended, as only the last is not.

    The last may be empty.
    """
    start = 0
    for end in _LINE_END.finditer(text):
        yield text[start : end.start()], True
        start = end.end()
    yield text[start:], False


def _lines(pieces: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers from 1, without their ends."""
    number = 1
    rest = ""
    for piece in pieces:
        for line, ended in _ended(rest + piece):
            _check_length(line, Place(number, 1), MAX_LIST)
            if not ended:
                rest = line
                break
            if line.strip():
                yield number, line
            number += 1
    if rest.strip():
        yield number, rest


def _line_games(lines: Iterable[tuple[int, str]], form: Format) -> Iterator[GameText]:
    for number, line in lines:
        yield GameText(form, line, Place(number, 1))


class _Gathering:
    """A game of several lines that is being gathered, with the blank lines between them."""

    def __init__(self) -> None:
        self._text = bytearray()  # as strings, short lines would take fifty times their size
        self._first = self._last = 0

    def __bool__(self) -> bool:
        return self._first > 0

    def add(self, number: int, line: str) -> None:
        """Add the line of this number; raises RecordError if the game grows too long."""
        breaks = number - (self._last or number)
        self._first, self._last = self._first or number, number
        data = line.encode("utf-8", "surrogatepass")
        if len(self._text) + breaks + len(data) > MAX_LIST:
            _refuse("game", Place(self._first, 1), MAX_LIST)
        self._text += b"\n" * breaks + data

    def game(self, form: Format, board: Board | None = None) -> GameText:
        """Return what was gathered."""
        text = self._text.decode("utf-8", "surrogatepass")
        return GameText(form, text, Place(self._first, 1), board)


def _whole(pieces: Iterator[str]) -> str:
    text = ""
    for piece in pieces:
        text += piece
        _check_length(text, START, MAX_GAME)
    return text


def _json_objects(text: str) -> Iterator[GameText]:
    """Yield the objects of a JSON list, each as text with its place."""
    decoder = json.JSONDecoder()
    start, at = START, 0
    for separator in chain("[", repeat(",")):
        between = _BLANKS.match(text, at)
        assert between
        end = between.end()
        if separator == "," and text[end : end + 1] == "]":
            _check_end(text, end + 1)
            return
        if text[end : end + 1] != separator:
            place = START.after(text[:end])
            raise RecordError(f"{separator!r} is due in a JSON list", place.line, place.column)
        between = _BLANKS.match(text, end + 1)
        assert between
        start, at = start.after(text[at : between.end()]), between.end()
        if separator == "[" and text[at : at + 1] == "]":
            _check_end(text, at + 1)
            return
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield GameText(Format.JSON, text[at:], start)  # whoever reads it says what is wrong
            return
        yield GameText(Format.JSON, text[at:end], start)
        start, at = start.after(text[at:end]), end


def _check_end(text: str, at: int) -> None:
    """Raise RecordError for what follows a JSON list."""
    if text[at:].strip():
        place = START.after(text[:at])
        raise RecordError("text behind a JSON list", place.line, place.column)


def _joined(lines: Iterable[tuple[int, str]], form: Format) -> GameText:
    game = _Gathering()
    for number, line in lines:
        game.add(number, line)
    return game.game(form)


def _without_size(file: BinaryIO, head: str) -> Iterator[str]:
    """Yield the lists of a file that do not give their size; of a pipe, those in its head."""
    if not file.seekable():
        file = io.BytesIO(head.encode())
    place = file.tell()
    file.seek(0)
    try:
        for game in _plain_games(_lines(Decoding(file).pieces()), head):
            if game.board is None and not has_size(game.text):
                yield game.text
    except RecordError:  # raised again where the games behind this place are read
        pass
    finally:
        file.seek(place)


def _plain_games(lines: Iterable[tuple[int, str]], head: str) -> Iterator[GameText]:
    """Split lists of moves; the first lines, in ``head``, show how they stand in the file."""
    first = _LINE_END.split(head.lstrip()[:_HEAD])
    lists = [line for line in first if line.strip() and not _SIZE_ONLY.fullmatch(line)]
    numbered = any(_NUMBERED.match(line) for line in lists)
    one_a_line = not numbered and any(len(line.split()) > 2 for line in lists)
    board = None
    waiting: GameText | None = None  # a size that no list has taken: else it is a game
    game = _Gathering()
    for number, line in lines:
        is_size = _SIZE_ONLY.fullmatch(line) is not None
        starts = _SIZED.match(line) or (numbered and _NUMBERED.match(line))
        if game and (is_size or one_a_line or starts):
            yield game.game(Format.PLAIN, board)
            game = _Gathering()
        if waiting and (is_size or has_size(line)):
            yield waiting
        if is_size:
            board = read_plain(line, Place(number, 1)).board
            waiting = GameText(Format.PLAIN, line, Place(number, 1))
        else:
            waiting = None
            game.add(number, line)
    if game:
        yield game.game(Format.PLAIN, board)
    if waiting:
        yield waiting
