"""Opening and saving records for the screen, in whatever format they are."""

import asyncio
import hashlib
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.engine.board import Board
from hextui.locations import is_pipe, named_path, open_file
from hextui.records.record import Edit, Origin, Record
from hextui.records.record_text import RecordError
from hextui.records.tree import Node
from hextui.text import Names
from hextui.ui.record.session import Session

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.records.writing import Saved


SAMPLE = Path(__file__).parents[2] / "samples" / "sample.sgf"
SAMPLE_PLY = 41
"""The ply at which the sample opens: before the deciding mistake, at the comment of the tour."""


def open_sample(ply: int = SAMPLE_PLY, number: int = 1) -> Session:
    """Open the sample game at a ply; its review came with the program. Raises RecordError."""
    from hextui.analysis import stored_analysis

    session = open_session(str(SAMPLE), number)
    stored_analysis.sign(session.record)
    session.path = None  # so that saving asks for a name
    session.first()
    session.forward(ply)
    return session


def open_session(
    source: str,
    number: int = 1,
    board: Board | None = None,
    charset: str | None = None,
    pipes: bool = False,
) -> Session:
    """Open the game ``number`` of a file, a link, or the text of a record. Raises RecordError.

    ``board`` is that of games without a size, ``charset`` the character set (default: guessed).
    A session is saved to the file that its record came from if that is SGF with one game, else
    under a new name. ``pipes``: wait for the writer of a pipe, if it is one.
    """
    from hextui.records.decoding import MAX_FILE
    from hextui.records.formats import parse_position_argument, read_bytes, read_record

    if source in ("", "-"):
        raise RecordError("a file or a link is needed")
    path = named_path(source)
    if is_pipe(path):
        if not pipes:
            what = "a pipe, which is opened from the command line only: hextui FILE"
            raise RecordError(what, source=source)
        record = read_record(read_bytes(source, MAX_FILE), number, board, charset=charset)
        return Session(record, name=path.name)

    mark = mark_of(path)
    record = parse_position_argument(source, number, board, charset=charset)
    origin = record.origin
    if origin is None or origin.path is None:
        return _session_of_link(record)
    return _session_of_file(record, origin, origin.path, mark)


def _session_of_link(record: Record) -> Session:
    session = Session(record, name="link")
    if record.shown() is None:
        session.last()
    return session


def _session_of_file(record: Record, origin: Origin, path: Path, mark: str | None) -> Session:
    """Return the session of a record from a file that has this mark; see `open_session`."""
    own = origin.alone and origin.whole and origin.format == "sgf"
    name = path.name if origin.alone else f"{path.name}, game {origin.number}"
    session = Session(record, path if own else None, name)
    session.mark = mark
    if record.shown() is None:
        session.go_to(first_stones(record))
    return session


async def fetched_session(link: str) -> Session:
    """Open the game that a link leads to; raises RecordError.

    A thread of its own fetches it: the end of the program waits for those of the loop.
    """
    session: Future[Session] = Future()
    session.set_running_or_notify_cancel()

    def fetch() -> None:
        try:
            session.set_result(open_session(link))
        except RecordError as error:
            session.set_exception(error)

    threading.Thread(target=fetch, name="open-link", daemon=True).start()
    return await asyncio.wrap_future(session)


def open_other(origin: Origin, number: int) -> Session:
    """Open another game of the file that a record came from. Raises RecordError."""
    return open_session(str(origin.path), number, origin.board, origin.charset)


def first_stones(record: Record) -> Node:
    """Return the node where stones are set before anybody moves, the root if none are."""
    for node in record.main_line():
        if node.turn is not None:
            break
        if any(node.setup.cells.values()):
            return node
    return record.root


def is_puzzle(session: Session) -> bool:
    """Return whether a session is at a position whose stones were set, in a file of several."""
    origin = session.record.origin
    set_up = bool(session.node.setup) and any(session.position.stones)
    return set_up and origin is not None and origin.path is not None and not origin.alone


@contextmanager
def opened_library(path: Path, names: Names = Names.RED_BLUE) -> "Iterator[Library]":
    """Open the library, in any thread. What goes wrong with it raises RecordError."""
    from hextui.library.library import Library
    from hextui.library.schema import LibraryError

    try:
        with Library(path, names) as library:
            yield library
    except LibraryError as error:
        raise RecordError(str(error)) from None


def library_players(path: Path | None) -> list[str]:
    """Return the names of the library's players, [] without a library. Raises RecordError."""
    if path is None or not path.is_file():
        return []
    with opened_library(path) as library:
        return library.players()


def open_game(path: Path, number: int, ply: int = 0) -> Session:
    """Open a game of the library by its id, at a ply of its main line. Raises RecordError."""
    from hextui.records.formats import read_record

    with opened_library(path) as library:
        row = library.row(number)
        text = library.text(number)
    if row is None or text is None:
        raise RecordError(f"there is no game {number} in the library")
    record = read_record(text)
    session = Session(record, name=row.label)
    session.first()
    while session.node.ply < ply and session.forward():
        pass
    return session


def write(session: Session, path: Path, as_it_stands: bool = False) -> "tuple[Saved, Edit | None]":
    """Write the record in the format of the file's ending, SGF by default; in any thread.

    Returns the last edit of what was written too. ``as_it_stands``: to a new file, even if it will
    not read back as the same record. Raises RecordError.
    """
    from hextui.records.writing import save

    with closing(session.record.snapshot(session.node)) as snapshot:
        saved = save(snapshot.record, path, snapshot.node, as_it_stands)
        return saved, snapshot.last


def mark_of(path: Path) -> str | None:
    """Return a digest of what a file holds; None if there is none or it cannot be read."""
    try:
        with open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def overwriting(session: Session, path: Path) -> str:
    """Return what saving there would destroy without the user knowing, in words; '' if nothing."""
    mark = mark_of(path)
    if mark is None or (path == session.path and mark == session.mark):
        return ""
    if path == session.path:
        return f"{path} was changed by another program since it was opened."
    return f"{path} exists already."
