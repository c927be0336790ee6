"""Recovery files: unsaved edits, kept for the next start after a crash; and the log of the crash.

A running program keeps a file for each edited record in the folder ``recovery``. Its name holds the
process number, the time at which the process started, and a random number. A file whose process is
gone was left behind by a crash, and the next start offers it. A file that cannot be read is set
aside, never removed: the user may still find the edits in it.
"""

import asyncio
import json
import os
import platform
import re
import secrets
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from hextui.locations import (
    PRIVATE,
    is_foreign,
    make_private_folder,
    new_private_file,
    open_private_file,
)
from hextui.records.codecs.sgf import read_sgf, unreadable_property, write_sgf
from hextui.records.record import Edit, Record
from hextui.records.record_text import RecordError, printable
from hextui.records.saving import save_file
from hextui.text import counted
from hextui.ui.app.talk import Talk
from hextui.ui.record.session import Session
from hextui.version import __version__

_SYNCHRONIZE = 0x100000  # the right to wait for the end of a process of Windows
_NAME = re.compile(r"([1-9][0-9]{0,18})-([0-9]+)-", re.ASCII)


@dataclass(frozen=True)
class Rescue:
    """The contents of a recovery file.

    ``file`` is the path of the record's file, '' for none, and ``mark`` stands for its contents
    (see `Session.mark`); ``steps`` leads from the root to the current node, child by child.
    """

    sgf: str
    name: str
    file: str
    mark: str | None
    steps: tuple[int, ...]

    @staticmethod
    def of(session: Session) -> "Rescue":
        """Return what to keep of a session; may be called in any thread."""
        path = str(session.path.absolute()) if session.path else ""
        with closing(session.record.snapshot(session.node)) as snapshot:
            steps = tuple(node.index for node in snapshot.node.line() if node.parent)
            return Rescue(
                sgf=write_sgf(snapshot.record),
                name=session.name,
                file=path,
                mark=session.mark,
                steps=steps,
            )

    def session(self) -> Session:
        """Return the session as it was, with unsaved edits. Raises RecordError."""
        record = read_sgf(self.sgf)
        record.mark_unsaved()
        session = Session(record, Path(self.file) if self.file else None, self.name)
        session.mark = self.mark
        node = record.root
        for step in self.steps:
            if step < len(node.children):
                node = node.children[step]
        session.go_to(node)
        return session


def left_behind(folder: Path) -> list[Path]:
    """Return the recovery files of programs that have ended, the newest first."""
    paths = [path for path in folder.glob("*.json") if not _is_owned(path)]
    return sorted(paths, key=_modified, reverse=True)


def find_left_behind(folder: Path) -> tuple[list[tuple[Path, Rescue]], list[Path]]:
    """Return what was left behind in the user's own folder, and the files set aside."""
    rescues: list[tuple[Path, Rescue]] = []
    aside: list[Path] = []
    with suppress(OSError):  # there is none
        if is_foreign(folder.stat()):
            return rescues, aside
    for left in left_behind(folder):
        try:
            rescues.append((left, read(left)))
        except RecordError:
            if os.path.lexists(left):  # else another program was quicker
                aside.append(set_aside(left))
    return rescues, aside


def read(path: Path) -> Rescue:
    """Read a recovery file. Raises RecordError if no session can be made of it."""
    try:
        with open_private_file(path) as file:
            rescue = _rescue(json.loads(file.read().decode()))
        rescue.session()
    except RecursionError:
        raise RecordError("not a recovery file: nested too deeply", source=str(path)) from None
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or error
        raise RecordError(f"not a recovery file: {what}", source=str(path)) from None
    return rescue


def _rescue(document: Any) -> Rescue:
    """Return the contents of a document. Raises ValueError if a part is missing or wrong."""
    if not isinstance(document, dict) or set(document) != {own.name for own in fields(Rescue)}:
        raise ValueError("it has other parts")
    texts = [document[name] for name in ("sgf", "name", "file")]
    mark = document["mark"]
    steps = document["steps"]
    if mark is not None:
        texts.append(mark)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a field is not text")
    if "\0" in document["file"]:
        raise ValueError("its file has no name that a file can have")
    if not _are_steps(steps):
        raise ValueError("steps is not a list of numbers")
    return Rescue(**{**document, "steps": tuple(steps)})


def _are_steps(value: Any) -> bool:
    """Return whether a value is a list of whole numbers from 0 on."""
    return isinstance(value, list) and all(type(step) is int and step >= 0 for step in value)


def set_aside(path: Path) -> Path:
    """Rename a broken file, if possible, so that it is not offered again; return its new path."""
    for number in count():
        aside = path.with_suffix(f".broken{number or ''}")
        if not os.path.lexists(aside):
            break
    try:
        os.rename(path, aside)
    except OSError:
        return path
    return aside


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_owned(path: Path) -> bool:
    """Return whether the process that is named by the file is running."""
    name = _NAME.match(path.name)
    return name is not None and _is_alive(int(name[1])) and name[2] == _started(int(name[1]))


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":  # there, os.kill ends the process
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(_SYNCHRONIZE, False, process)
        ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it runs for another user
        return True
    return True


def _started(process: int) -> str:
    """Return when a process started, '0' if unknown; process numbers are used again."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "0"
    return status.rpartition(")")[2].split()[19]


def _is_running(work: "Future[None] | None") -> bool:
    return work is not None and not work.done()


class Keeper:
    """Keeps the recovery file of one session up to date.

    Threads do the work, so that neither a slow disk nor a large record blocks the screen: one
    writes, one reads the file back while there is nothing to write.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        own = os.getpid()
        self.path = folder / f"{own}-{_started(own)}-{secrets.token_hex(4)}.json"
        self._unwritten = ""
        self._unreadable = ""
        self._threads = ThreadPoolExecutor(2, "recovery")
        self._pending: Future[None] | None = None
        self._proof: Future[None] | None = None
        self._kept: tuple[Record, Edit | None] | None = None
        self._proven: tuple[Record, Edit | None] | None = None

    @property
    def problem(self) -> str:
        """Why the last edits could not be kept, '' if they could."""
        return self._unwritten or self._unreadable

    def check(self, session: Session) -> None:
        """Write new edits in a thread, or remove the file if all is saved; one write at a time."""
        if _is_running(self._pending):
            return
        state = _state(session) if session.has_edits_to_keep else None
        if self._kept != state or self._unwritten:
            self._kept = state
            self._pending = self._threads.submit(self._write, session if state else None)
        elif state and self._proven != state and not _is_running(self._proof):
            self._proven = state
            self._proof = self._threads.submit(self._prove, session)

    def flush(self, session: Session) -> None:
        """Write the session's edits before returning."""
        if self._pending:
            self._pending.result()
        self.check(session)
        if self._pending:
            self._pending.result()

    def take(self, left: Path) -> Rescue:
        """Make a file that was left behind this program's own, and return what it holds.

        Raises RecordError if another program was quicker, or if the file is broken and set aside.
        """
        try:
            rescue = read(left)
            os.rename(left, self.path)
        except OSError:
            raise RecordError("another program has taken it", source=left.name) from None
        except RecordError as error:
            if not os.path.lexists(left):
                raise RecordError("another program has taken it", source=left.name) from None
            raise error.in_source(str(set_aside(left))) from None
        return rescue

    def forget(self) -> None:
        """Remove the file: the edits are saved or discarded."""
        if self._pending:
            self._pending.result()
        self._kept = None
        self._write(None)

    def _prove(self, session: Session) -> None:
        """Check that the file reads back as the record, unless the record changes meanwhile."""
        with closing(session.record.snapshot(session.node)) as snapshot:
            try:
                again = read(self.path).session().record
                what = snapshot.record.difference(again)
                again.take_apart()
            except RecordError as error:
                what = unreadable_property(snapshot.record) or error.what
        if session.record.modified and session.record.last_edit is snapshot.last:
            self._unreadable = what and f"they would not read back as the same record: {what}"

    def _write(self, session: Session | None) -> None:
        try:
            if session is None:
                self.path.unlink(missing_ok=True)
                self._unreadable = ""
            else:
                make_private_folder(self.folder)
                save_file(self.path, json.dumps(asdict(Rescue.of(session))), PRIVATE)
            self._unwritten = ""
        except RecordError as error:
            self._unwritten = error.what
        except OSError as error:
            self._unwritten = f"{self.path}: {error.strerror or error}"


def _state(session: Session) -> tuple[Record, Edit | None]:
    return session.record, session.record.last_edit


KEEP_SECONDS = 0.4
"""Seconds between checks for new edits; with the time to write them, less than one."""


def write_log(folder: Path, error: BaseException) -> Path | None:
    """Write the log of a crash to a new file; return its path, None if that is not possible.

    It goes to ``folder``, or else to the system's folder of temporary files.
    """
    from importlib.metadata import version

    now = datetime.now(UTC)
    versions = f"hextui {__version__}, textual {version('textual')}"
    head = (
        f"{versions}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{now.isoformat(timespec='seconds')}  {' '.join(sys.argv)}\n\n"
    )
    for place in (folder, Path(tempfile.gettempdir())):
        path = place / f"crash-{now:%Y%m%d-%H%M%S-%f}.log"
        try:
            if place is folder:
                make_private_folder(place)
            with open(path, "x", -1, "utf-8", "replace", opener=new_private_file) as file:
                file.write(head + "".join(traceback.format_exception(error)))
        except OSError:
            continue
        return path
    return None


class Crash:
    """The first error that ended the program, in one line, '' for none, and its log."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.what = ""
        self.log: Path | None = None

    def note(self, error: Exception) -> bool:
        """Write the log of an error, unless there is one; return False without a folder for it."""
        if self._folder is None:
            return False
        if not self.what:
            self.what = printable(f"{type(error).__name__}: {error}")[:200]
            self.log = write_log(self._folder, error)
        return True


class Guard:
    """Keeps the edits of sessions in recovery files below the folder ``state``, if there is one."""

    def __init__(self, state: Path | None, talk: Talk) -> None:
        self._talk = talk
        self._folder = state / "recovery" if state else None
        self.keeps = state is not None
        self._keepers: dict[Session, Keeper] = {}

    def keep(self, sessions: Sequence[Session]) -> None:
        """Write new edits in a thread; warn once if that is not possible."""
        for session, keeper in self._keepers_of(sessions):
            keeper.check(session)
            if keeper.problem:
                problem = f"Recovery is off; a crash would lose edits: {keeper.problem}"
                self._talk.warn_once("Recovery", problem)

    def keep_last(self, sessions: Sequence[Session]) -> None:
        """Write all edits before returning: the program ends, whatever ends it."""
        for session, keeper in self._keepers_of(sessions):
            keeper.flush(session)

    def forget(self, session: Session) -> None:
        """Stop keeping the edits of a session: they are saved or discarded."""
        keeper = self._keepers.pop(session, None)
        if keeper is not None:
            keeper.forget()

    def give_up(self) -> None:
        """Stop keeping edits: all are saved or discarded."""
        for session in list(self._keepers):
            self.forget(session)
        self._folder = None

    async def offer(self, take: Callable[[Session], None]) -> None:
        """Ask about each record that was left behind; ``take`` gets those to recover."""
        if self._folder is None:
            return
        rescues, aside = await asyncio.to_thread(find_left_behind, self._folder)
        if aside:
            what = f"{counted(len(aside), 'recovery file')} could not be read; kept as {aside[0]}"
            more = ", ..." if len(aside) > 1 else ""
            self._talk.warn("Recovery", f"{printable(what)}{more}")
        choices = ("r", "Recover", "recover"), ("d", "Discard", "discard")
        for left, rescue in rescues:
            name = printable(rescue.name)
            file = printable(rescue.file)
            what = f"The program ended before {name} was saved.\n{file}".rstrip()
            answer = await self._talk.choose("Edits that were not saved", what, *choices)
            if answer is None:
                return
            if answer == "recover":
                self._recover(left, take)
            else:
                with suppress(OSError):
                    left.unlink(missing_ok=True)

    def _recover(self, left: Path, take: Callable[[Session], None]) -> None:
        assert self._folder is not None
        keeper = Keeper(self._folder)
        try:
            session = keeper.take(left).session()
        except RecordError as error:
            self._talk.warn("Recovery", str(error))
            return
        self._keepers[session] = keeper
        take(session)

    def _keepers_of(self, sessions: Sequence[Session]) -> Iterator[tuple[Session, Keeper]]:
        """Yield the sessions that have or had edits, each with its keeper."""
        for session in sessions:
            if session.has_edits_to_keep and session not in self._keepers and self._folder:
                self._keepers[session] = Keeper(self._folder)
            if session in self._keepers:
                yield session, self._keepers[session]
