"""Records written so that they read back as the same record: what is saved goes through here.

A text is read again before it replaces anything. SGF must give an equal record. The other formats
hold less, and must give that: lists of moves the line with its winner, links every position.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from hextui.engine.board import Color
from hextui.records.difference import difference, place, unreadable_property
from hextui.records.errors import RecordError
from hextui.records.formats import (
    Format,
    format_of,
    losses,
    read_collection,
    read_record,
    write_record,
)
from hextui.records.playhex import resignations
from hextui.records.record import Record
from hextui.records.saving import save_bytes
from hextui.records.tree import Node


class NotReadBackError(RecordError):
    """A record was not written, because the text would not read back as the same record."""


def written(record: Record, form: Format, node: Node | None = None) -> str:
    """Return what ``write_record`` does, read back.

    Raises RecordError like ``write_record``, and NotReadBackError with what would differ.
    """
    text = write_record(record, form, node)
    what = _lost_in(text, record, form, node)
    if what:
        raise NotReadBackError(f"it would not read back as the same record: {what}")
    return text


def check_collection(texts: Sequence[str], form: Format) -> None:
    """Check that texts which are read back one by one are so one after another, too.

    Raises NotReadBackError.
    """
    games = read_collection("".join(texts).encode(errors="replace"))
    for number, (text, game) in enumerate(zip_longest(texts, games), start=1):
        again = write_record(game, form) if isinstance(game, Record) else None
        if text is None or again is None or again.rstrip("\n") != text.rstrip("\n"):
            what = f"game {number} would not read back as the same, being one of several"
            raise NotReadBackError(what)


@dataclass(frozen=True)
class Saved:
    """What was saved: ``lost`` is what its format left out, in words (see ``losses``).

    ``digest`` is the SHA-256 of the file, in hexadecimal digits.
    """

    lost: tuple[str, ...]
    digest: str


def save(record: Record, path: Path, node: Node | None = None) -> Saved:
    """Write the record to a file in the format of its ending (see ``format_of``).

    The SGF file that it was read from stays SGF, whatever its ending. The file is replaced as a
    whole or not at all. ``record.modified`` is not changed. Raises RecordError, also where saving
    would lose the other games of the file the record was read from, and NotReadBackError.
    """
    form = _form(record, path)
    try:
        text = written(record, form, node)
    except RecordError as error:
        raise error.in_source(str(path)) from None
    return _save(text, path, losses(record, form))


def save_as_it_stands(record: Record, path: Path, node: Node | None = None) -> Saved:
    """Do what ``save`` does with a record that does not read back, for which no file is replaced.

    Raises RecordError, also if there is anything at ``path``.
    """
    if os.path.lexists(path):
        raise RecordError("exists already: a new name is needed", source=str(path))
    form = _form(record, path)
    return _save(write_record(record, form, node), path, losses(record, form))


def _save(text: str, path: Path, lost: tuple[str, ...]) -> Saved:
    data = (text.rstrip("\n") + "\n").encode(errors="replace")
    save_bytes(path, data)
    return Saved(lost, hashlib.sha256(data).hexdigest())


def _form(record: Record, path: Path) -> Format:
    """Return the format to save in; raises RecordError if other games would be lost."""
    origin = record.origin
    if origin and origin.path and same_file(origin.path, path):
        if not origin.alone:
            what = "holds other games too: save this one under another name"
            raise RecordError(what, source=str(path))
        if origin.format == Format.SGF:
            return Format.SGF
    return format_of(path)


def same_file(first: Path, second: Path) -> bool:
    """Whether both are the same file, which is there."""
    try:
        return first.samefile(second)
    except (OSError, ValueError):
        return False


def _lost_in(text: str, record: Record, form: Format, node: Node | None) -> str:
    """Return what of a record the text does not give back, in words; '' if nothing."""
    try:
        again = read_record(text.encode(errors="replace"))
    except RecordError as error:
        return unreadable_property(record) or f"it cannot be read again: {error}"
    try:
        assert again.origin is not None
        if not again.origin.alone:
            return "it would be several games"
        if record.board != again.board:
            return f"the board, {record.board}"
        return _DIFFERENCE[form](record, again, node)
    finally:
        again.take_apart()


def _of_line(record: Record, again: Record, node: Node | None) -> str:
    """Compare what lists of moves hold."""
    if record.turns((node or record.root).end()) != again.turns():
        return "the moves"
    return "" if record.result.winner is again.result.winner else "the winner"


def _of_game(record: Record, again: Record, node: Node | None) -> str:
    """Compare what a JSON object holds."""
    kept = {
        "GN": "the name",
        "PB": "a player",
        "PW": "a player",
        "EV": "the event",
        "DT": "the date",
    }
    lost = (what for code, what in kept.items() if record.info(code) != again.info(code))
    return _of_line(record, again, node) or next(lost, "")


def _of_playhex(record: Record, again: Record, node: Node | None) -> str:
    """Compare what a game of PlayHex holds: a resignation is its outcome, not one of its moves."""
    end = (node or record.root).end()
    turns = record.turns(end)
    if turns[: len(turns) - resignations(end)] != again.turns():
        return "the moves"
    same = all(record.player(color) == again.player(color) for color in Color)
    if not same:
        return "the names of the players"
    return "" if record.result.winner is again.result.winner else "the winner"


def _of_link(record: Record, again: Record, node: Node | None) -> str:
    """Compare what a link holds: the positions of a line, in order, and the cursor."""
    cursor = _cursor(record, node)
    positions = iter([_seen(again, other) for other in again.main_line()])
    last = None
    for at in [*cursor.line(), *cursor.onward()]:
        seen = _seen(record, at)
        if seen != last and seen not in positions:  # which takes what comes before it, too
            return f"the position {place(at, record.board)}"
        last = seen
    return _of_cursor(record, again, cursor)


def _of_tree(record: Record, again: Record, node: Node | None) -> str:
    """Compare what a text with variations holds: all positions, and the cursor."""
    positions = {_seen(again, other) for other in again.nodes()}
    for at in record.nodes():
        if _seen(record, at) not in positions:
            return f"the position {place(at, record.board)}"
    return _of_cursor(record, again, _cursor(record, node))


def _of_cursor(record: Record, again: Record, cursor: Node) -> str:
    same = _seen(record, cursor) == _seen(again, _cursor(again, None))
    return "" if same else "the cursor"


def _cursor(record: Record, node: Node | None) -> Node:
    return node or record.shown() or record.root.end()


def _seen(record: Record, node: Node) -> tuple[bytes, int]:
    """Return a position as a link gives it back: turns out of order become passes."""
    position = record.position(node)
    return position.stones, position.to_move


_DIFFERENCE: dict[Format, Callable[[Record, Record, Node | None], str]] = {
    Format.SGF: lambda record, again, node: difference(record, again),
    Format.HEXWORLD: _of_link,
    Format.HEXATA: _of_tree,
    Format.PLAIN: _of_line,
    Format.JSON: _of_game,
    Format.PLAYHEX: _of_playhex,
}
