"""Write records: save, convert, export. What is written is read again before it replaces anything.

SGF must give an equal record. The other formats hold less, and must give that: lists of moves the
line with its winner, links every position (see ``Codec.difference``).
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.position import MoveKind
from hextui.locations import named_path
from hextui.records import codecs
from hextui.records.board_view import BoardView
from hextui.records.codecs import Codec, codec_named, codec_of_file
from hextui.records.codecs.codec import VIEW_FLAGS
from hextui.records.codecs.diagrams import DIAGRAM_SUFFIXES, draw
from hextui.records.codecs.sgf import unreadable_property
from hextui.records.formats import Source, read_collection, read_record, source_of_argument
from hextui.records.record import Origin, Record
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.records.summary import LeftOut, ReadSummary
from hextui.records.tree import Node
from hextui.text import Names

_NOT_READ_BACK = "it would not read back as the same record: {}"

_COLLECTIONS = ("sgf", "json")  # formats whose games do not depend on the others of the file
DEFAULT = "sgf"  # the format in which records are saved where a file's ending names no other


class NotReadBackError(RecordError):
    """A record was not written, because the text would not read back as the same record."""


@dataclass(frozen=True)
class Written:
    """The text of a record, and what the format leaves out of it."""

    text: str
    lost: tuple[LeftOut, ...] = ()


def written(record: Record, form: str, node: Node | None = None) -> Written:
    """Return a record in a format, see `Codec.write`.

    Raises RecordError, and NotReadBackError if the text would not read back.
    """
    codec = codec_named(form)
    text = codec.write(record, node)
    try:
        again = read_record(text.encode(errors="replace"), strict=True)
    except RecordError as error:
        what = unreadable_property(record) or f"it cannot be read again: {error}"
        raise NotReadBackError(_NOT_READ_BACK.format(what)) from None
    try:
        assert again.origin is not None
        if not again.origin.alone:
            what = "it would be several games"
        elif record.board != again.board:
            what = f"the board, {record.board}"
        else:
            what = codec.difference(record, again, node)
        if what:
            raise NotReadBackError(_NOT_READ_BACK.format(what))
        return Written(text, _left_out(record, again))
    finally:
        again.take_apart()


def _left_out(record: Record, again: Record) -> tuple[LeftOut, ...]:
    """Return what a record holds that is not in the one that was read."""
    read = _contents(again)
    lost = [loss for loss in _contents(record) if loss not in read]
    if _other_properties(record) - _other_properties(again):
        lost.append(LeftOut.OTHER)
    if not lost and record.turns() != again.turns():
        lost.append(LeftOut.MAIN_LINE)  # one that ends with a node without a turn
    return tuple(lost)


def _contents(record: Record) -> list[LeftOut]:
    """Return what a record holds that a format may leave out, but for other properties."""
    nodes = list(record.nodes())
    names = _property_names(record)
    there = {
        LeftOut.VARIATIONS: any(len(node.children) > 1 for node in nodes),
        LeftOut.SETUP: any(node.setup for node in nodes),
        LeftOut.TURNS_OUT_OF_ORDER: any(_is_out_of_order(record, node) for node in nodes),
        LeftOut.COMMENTS: "C" in names,
        LeftOut.PLAYERS: not names.isdisjoint({"PB", "PW"}),
        LeftOut.RESULT: "RE" in names,
        LeftOut.HOW_WON: bool(record.result.winner and record.result.how),
    }
    return [loss for loss, is_there in there.items() if is_there]


def _property_names(record: Record) -> set[str]:
    return {name for node in record.nodes() for name in node.properties}


def _other_properties(record: Record) -> set[str]:
    """Return the names of the properties that are no kind of loss of their own."""
    return _property_names(record) - {"C", "PB", "PW", "RE", "IP", VIEW_FLAGS}


def _is_out_of_order(record: Record, node: Node) -> bool:
    turn, parent = node.turn, node.parent
    if turn is None or parent is None or turn.move.kind is MoveKind.RESIGN:
        return False
    return turn.color is not record.position(parent).to_move


def _check_collection(texts: Sequence[str], codec: Codec) -> None:
    """Raise NotReadBackError if texts, each of which reads back, do not as one file."""
    games = read_collection("".join(texts).encode(errors="replace"), strict=True)
    for number, (text, game) in enumerate(zip_longest(texts, games), start=1):
        again = codec.write(game) if isinstance(game, Record) else None
        if text is None or again is None or again.rstrip("\n") != text.rstrip("\n"):
            what = f"game {number} would not read back as the same, being one of several"
            raise NotReadBackError(what)


@dataclass(frozen=True)
class Saved:
    """What the format of a saved file left out, and the file's SHA-256 in hexadecimal."""

    lost: tuple[LeftOut, ...]
    digest: str


def save(record: Record, path: Path, node: Node | None = None, as_it_stands: bool = False) -> Saved:
    """Write the record to a file in the format of its ending (see ``format_of``).

    The SGF file that it was read from stays SGF, whatever its ending. The file is replaced as a
    whole or not at all. ``record.modified`` is not changed. ``as_it_stands``: to a new file, though
    the record does not read back. Raises RecordError, also where saving would lose the other games
    of the file the record was read from, and NotReadBackError.
    """
    if as_it_stands and os.path.lexists(path):
        raise RecordError("exists already: use another name", source=str(path))
    form = format_of(path)
    origin = record.origin
    if origin and origin.path and same_file(origin.path, path):
        _check_holds_no_more(origin, path)
        form = DEFAULT if origin.format == DEFAULT else form
    try:
        if as_it_stands:
            made = Written(codec_named(form).write(record, node))
        else:
            made = written(record, form, node)
    except RecordError as error:
        raise error.in_source(str(path)) from None
    data = (made.text.rstrip("\n") + "\n").encode(errors="replace")
    save_file(path, data)
    return Saved(made.lost, hashlib.sha256(data).hexdigest())


def _check_holds_no_more(origin: Origin, path: Path) -> None:
    """Raise RecordError if the file of a record holds more than the record."""
    if not origin.alone:
        what = "holds other games too: save this one under another name"
        raise RecordError(what, source=str(path))
    if not origin.whole:
        what = "is packed, or holds more than could be read: save under another name"
        raise RecordError(what, source=str(path))


def format_of(path: Path) -> str:
    """Return the format that a file's ending stands for: SGF, if it is not a known one."""
    codec = codec_of_file(path)
    return codec.name if codec else DEFAULT


def same_file(first: Path, second: Path) -> bool:
    """Whether both are the same file, which is there."""
    try:
        return first.samefile(second)
    except (OSError, ValueError):
        return False


@dataclass(frozen=True)
class Conversion:
    """The ``games`` that were converted, as one ``text``, and the file they were saved to, if any.

    ``lost`` says what the format left out; ``broken`` are the errors of games, by their
    numbers, that could not be read or that the format cannot hold. ``notes`` say what was guessed;
    ``summary`` counts what was read and lists what was passed over.
    """

    text: str
    games: int
    path: Path | None
    lost: tuple[LeftOut, ...]
    broken: Mapping[int, RecordError]
    notes: tuple[str, ...] = ()
    summary: ReadSummary = field(default_factory=ReadSummary)


def convert(
    source: str,
    target: str,
    board: Board | None = None,
    text: str | None = None,
    strict: bool = False,
    as_hex: bool = False,
    charset: str | None = None,
) -> Conversion:
    """Convert a POSITION of the command line, all its games, to a format or a file.

    ``target`` is the name of a format (``sgf``, ``hexworld``, ...), or a file whose ending says the
    format. ``text`` is that of the source, if it is known; for the others see ``read_collection``.
    Raises RecordError, also if no game could be converted, and if the file is the source and games,
    or parts of them, would be left out.
    """
    codec, path = target_of(target)  # its errors come before the source is read
    given: Source = source_of_argument(source) if text is None else text
    summary = ReadSummary()
    games = read_collection(given, board, strict, as_hex, charset, summary)
    made = _WrittenGames()
    texts = list(_texts_of(enumerate(games, start=1), codec, made))
    if not texts:
        raise next(iter(made.broken.values()), RecordError("there is no game here", source=source))
    _check_collection(texts, codec)
    converted = "".join(texts)
    if path is not None:
        if isinstance(given, Path) and same_file(given, path):
            _check_nothing_is_lost(made, codec, path)
        save_file(path, converted)
    return Conversion(
        text=converted,
        games=made.games,
        path=path,
        lost=tuple(made.lost),
        broken=made.broken,
        notes=tuple(made.notes),
        summary=summary,
    )


@dataclass
class _WrittenGames:
    """Games that were written, for all of which it is what `Conversion` says.

    ``whole``: see `Origin`.
    """

    games: int = 0
    lost: dict[LeftOut, None] = field(default_factory=dict)  # in the order found
    broken: dict[int, RecordError] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    whole: bool = True


def _texts_of(
    games: Iterable[tuple[int, Record | RecordError]], codec: Codec, made: _WrittenGames
) -> Iterator[str]:
    """Yield the texts of those games, by their numbers, that can be read and written."""
    for number, game in games:
        if isinstance(game, RecordError):
            made.broken[number] = game
            continue
        try:
            text_and_losses = written(game, codec.name)
        except RecordError as error:
            made.broken[number] = error
            continue
        made.games += 1
        made.lost.update(dict.fromkeys(text_and_losses.lost))
        assert game.origin
        made.notes.update(dict.fromkeys(game.origin.notes))
        made.whole = made.whole and game.origin.whole
        yield text_and_losses.text.rstrip("\n") + "\n"


def save_collection(games: Iterable[tuple[int, Record | RecordError]], path: Path) -> Conversion:
    """Write games, by their numbers, to one file of SGF or JSON lines, as they come.

    The file is replaced as a whole or not at all. Raises RecordError.
    """
    codec = codec_of_file(path)
    if codec is None or codec.name not in _COLLECTIONS:
        raise RecordError("use a file that ends in .sgf or .jsonl", source=str(path))
    made = _WrittenGames()
    save_file(path, _texts_of(games, codec, made))
    return Conversion(
        text="", games=made.games, path=path, lost=tuple(made.lost), broken=made.broken
    )


def _check_nothing_is_lost(made: _WrittenGames, codec: Codec, path: Path) -> None:
    """Raise RecordError if a file that is to be overwritten holds more than what is written."""
    if made.lost:
        what = f"holds what {codec.name} has no place for"
    elif made.broken:
        what = "holds games that cannot be converted"
    elif not made.whole:
        what = "holds more than could be read"
    else:
        return
    raise RecordError(f"{what}: convert it to another file", source=str(path))


def target_of(target: str) -> tuple[Codec, Path | None]:
    """Return the format that a target names, and its file if it is one. Raises RecordError."""
    codec = codecs.find_codec(target)
    if codec is not None:
        return codec, None
    path = named_path(target)
    of_file = codec_of_file(path)
    if of_file is None:
        writable = [codec.name for codec in codecs.CODECS if codec.writes]
        endings = ", ".join([*writable, *(f"*{end}" for end in codecs.suffixes(written=True))])
        raise RecordError(f"unknown format: use {endings}", source=target)
    return of_file, path


EXPORT_SUFFIXES = DIAGRAM_SUFFIXES | {"hexworld": ".url"}
"""The kinds of export, diagrams and the game as a link, and the endings of their files."""


def export_form_of(path: Path, others: Iterable[str] = ()) -> str:
    """Return the kind of export that a file's ending stands for.

    Raises RecordError for no such ending; ``others``, which the caller knows, are listed with it.
    """
    for form, suffix in EXPORT_SUFFIXES.items():
        if path.suffix.lower() == suffix:
            return form
    endings = ", ".join([*EXPORT_SUFFIXES.values(), *others])
    raise RecordError(f"unknown ending: an export ends in {endings}", source=str(path))


def export(
    record: Record,
    node: Node,
    form: str,
    numbers: bool = False,
    shown: Sequence[BoardView] = (),
    names: Names = Names.RED_BLUE,
) -> str | bytes:
    """Return the position of a node, or for ``hexworld`` the game, in a form of EXPORT_SUFFIXES.

    Diagrams carry what is ``shown`` besides, as far as they can: pictures all of several views of
    the position. Raises RecordError.
    """
    if form in DIAGRAM_SUFFIXES:
        return draw(form, record, node, numbers, shown, names)
    if form in EXPORT_SUFFIXES:
        return written(record, form, node).text + "\n"
    raise RecordError(f"{form!r} is not an export: use {', '.join(EXPORT_SUFFIXES)}")
