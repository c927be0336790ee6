"""One way in and one way out for all formats of records."""

import io
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from hextui.engine.board import Board
from hextui.engine.position import MoveKind
from hextui.locations import named_path, open_file
from hextui.records import standard_input
from hextui.records.errors import RecordError
from hextui.records.fetching import fetch_link, is_game_link
from hextui.records.hexata import write_hexata
from hextui.records.hexworld import FLAGS, is_hexworld, read_hexworld, write_hexworld
from hextui.records.jsongames import read_json_game, write_json_game
from hextui.records.littlegolem import read_little_golem
from hextui.records.plain import read_plain, write_plain
from hextui.records.playhex import write_playhex
from hextui.records.record import Origin, Record
from hextui.records.sgf import read_sgf, write_sgf
from hextui.records.splitting import MAX_GAME, GameText, parts_of_broken, split_games
from hextui.records.splitting import Format as Format
from hextui.records.tree import Node
from hextui.words.names import did_you_mean

Source = Path | str | bytes

SUFFIXES = {
    ".sgf": Format.SGF,
    ".hsgf": Format.LITTLE_GOLEM,
    ".txt": Format.PLAIN,
    ".json": Format.JSON,
    ".jsonl": Format.JSON,
}
_WRITERS: dict[Format, Callable[[Record, Node | None], str]] = {
    Format.SGF: lambda record, node: write_sgf(record),
    Format.HEXWORLD: write_hexworld,
    Format.HEXATA: write_hexata,
    Format.PLAIN: write_plain,
    Format.JSON: write_json_game,
    Format.PLAYHEX: write_playhex,
}
# How a game was won, as far as formats that keep the winner can say it, in capitals.
_WON = {
    Format.PLAIN: {""},
    Format.JSON: {"", "R", "RESIGN"},
    Format.PLAYHEX: {"", "R", "RESIGN", "T", "TIME", "F", "FORFEIT"},
}
# Root properties that formats keep, beside the result.
_KEPT = {
    Format.JSON: {"GN", "PB", "PW", "EV", "DT"},
    Format.PLAYHEX: {"GN", "PB", "PW", "BR", "WR", "DT", "PC", "RU"},
}
_LINKS = (Format.HEXWORLD, Format.HEXATA)


@dataclass(frozen=True)
class BrokenGame:
    """A game of a file that could not be read: its number in the file, from 1, and why."""

    number: int
    error: RecordError


def read_record(source: Source, number: int = 1, board: Board | None = None) -> Record:
    """Return one record, the first by default, of a file (Path) or of a file's text or bytes.

    ``board`` is that of lists of moves without a size (default: guessed). ``record.origin`` says
    where it is from, whether other games stand beside it, and what was guessed. Raises
    RecordError, with the file's name, line and column as far as they are known.
    """
    if number < 1:
        raise RecordError(f"games are numbered from 1 on: there is no game {number}")
    with _opened(source) as file:
        games = _each(split_games(file, board))
        found = deque(enumerate(islice(games, number), start=1), maxlen=1)
        if not found:
            raise RecordError("there is no game here")
        last, (game, record) = found.pop()
        if last < number:
            raise RecordError(f"there is no game {number}: the last is {last}")
        if isinstance(record, RecordError):
            raise record
        alone = number == 1 and next(games, None) is None
    path = source if isinstance(source, Path) else None
    record.origin = Origin(path, game.format, number, alone, game.notes, board)
    return record


def read_collection(source: Source, board: Board | None = None) -> Iterator[Record | BrokenGame]:
    """Yield every game of a file (Path) or of a file's text or bytes, one at a time.

    ``board`` is that of lists of moves without a size (default: guessed). A game that cannot be
    read is yielded as a BrokenGame and does not stop the rest. Raises RecordError if the file
    cannot be read or a part of it belongs to no game.
    """
    path = source if isinstance(source, Path) else None
    with _opened(source) as file:
        for number, (game, found) in enumerate(_each(split_games(file, board)), start=1):
            if isinstance(found, Record):
                found.origin = Origin(path, game.format, number, False, game.notes, board)
                yield found
            else:
                yield BrokenGame(number, found.in_source(str(path) if path else None))


def _each(games: Iterator[GameText]) -> Iterator[tuple[GameText, Record | RecordError]]:
    for game in games:
        result = _try(game)
        whole = True
        for part in parts_of_broken(game) if isinstance(result, RecordError) else ():
            whole = False
            yield part, _try(part)
        if whole:
            yield game, result


def _try(game: GameText) -> Record | RecordError:
    try:
        return _read(game)
    except RecordError as error:
        return error


def _read(game: GameText) -> Record:
    match game.format:
        case Format.SGF:
            return read_sgf(game.text, game.start)
        case Format.LITTLE_GOLEM:
            return read_little_golem(game.text, game.start)
        case Format.JSON | Format.PLAYHEX:
            return read_json_game(game.text, game.start)
        case Format.PLAIN:
            return read_plain(game.text, game.start, game.board)
        case Format.HEXWORLD | Format.HEXATA:
            return read_hexworld(game.text, game.start.line)


@contextmanager
def _opened(source: Source) -> Iterator[BinaryIO]:
    """Open a source; errors from within are raised with the file's name, in one line."""
    if isinstance(source, Path):
        try:
            with open_file(source) as file:
                yield file
        except RecordError as error:
            raise error.in_source(str(source)) from None
        except OSError as error:
            what = f"cannot be read: {error.strerror or error}"
            raise RecordError(what, source=str(source)) from None
    else:
        # A command line that is not valid UTF-8 arrives with its bytes as half surrogate pairs.
        yield io.BytesIO(_bytes(source) if isinstance(source, str) else source)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def parse_position_argument(text: str, number: int = 1, board: Board | None = None) -> Record:
    """Return the record that a POSITION of the command line names (see ``source_of_argument``).

    ``board``: see ``read_record``. Raises RecordError.
    """
    source = source_of_argument(text)
    try:
        return read_record(source, number, board)
    except RecordError as error:
        raise error.in_source(standard_input.NAME) if isinstance(source, bytes) else error from None


def source_of_argument(text: str) -> Source:
    """Return what a POSITION of the command line names: a file, or the text or bytes of one.

    That is a file, ``-`` for standard input, a HexWorld link or fragment with or without ``#``, a
    link to a game of littlegolem.net or playhex.org, which is fetched, or SGF text, which starts
    with ``(;``. A fragment without ``#`` that is also a file's name means the file. Raises
    RecordError if it is none of these.
    """
    stripped = text.strip()
    if stripped == "-":
        return standard_input.read_all(MAX_GAME)
    if is_game_link(stripped):
        return fetch_link(stripped)
    if stripped.startswith("(") and stripped[1:].lstrip().startswith(";"):
        return stripped
    path = named_path(text)
    named = bool(text) and _exists(path)
    if is_hexworld(stripped) and (stripped.startswith(("#", "http")) or not named):
        return stripped
    if not named and os.path.islink(path):
        raise RecordError("a link that leads to no file", source=text)
    if not named:
        what = "no such file, and it is neither a HexWorld link nor SGF"
        raise RecordError(what + did_you_mean(path.name, _beside(path)), source=text)
    return path


def _beside(path: Path) -> list[str]:
    """Return the names of what lies in a file's folder."""
    try:
        return os.listdir(path.parent)
    except (OSError, ValueError):
        return []


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that is too long, or holds a null character
        return False


def write_record(record: Record, form: Format, node: Node | None = None) -> str:
    """Return the record in a format; a format of single lines takes the one through ``node``.

    Raises RecordError if the format cannot hold it (see ``losses`` for what it leaves out), and
    for Little Golem's format, which is only read.
    """
    if form not in _WRITERS:
        raise RecordError(f"records are not written as {form}: save it as sgf")
    return _WRITERS[form](record, node)


def losses(record: Record, form: Format) -> tuple[str, ...]:
    """Return what a record holds that a format leaves out, in words for the user."""
    if form is Format.SGF:
        return ()
    nodes = list(record.nodes())
    names = {name for node in nodes for name in node.properties}
    found = []
    if form is not Format.HEXATA and any(len(node.children) > 1 for node in nodes):
        found.append("variations")
    if any(node.setup for node in nodes):
        found.append("setup, which is written as moves")
    if form in _LINKS and any(_is_out_of_order(record, node) for node in nodes):
        found.append("turns out of order, which get passes before them")
    if "C" in names:
        found.append("comments")
    kept = _KEPT.get(form, set())
    if names & {"PB", "PW"} - kept:
        found.append("names of players")
    if "RE" in names:
        result = record.result
        if result.winner is None or form in _LINKS:
            found.append("the result")
        elif result.how.upper() not in _WON[form]:
            found.append("how the game was won")
    if names - kept - {"C", "PB", "PW", "RE", "IP", FLAGS}:
        found.append("other properties")
    return tuple(found)


def _is_out_of_order(record: Record, node: Node) -> bool:
    if node.turn is None or node.parent is None or node.turn.move.kind is MoveKind.RESIGN:
        return False
    return node.turn.color is not record.position(node.parent).to_move


def format_of(path: Path) -> Format:
    """Return the format that a file's ending stands for: SGF, if it is not a known one."""
    return SUFFIXES.get(path.suffix.lower(), Format.SGF)
