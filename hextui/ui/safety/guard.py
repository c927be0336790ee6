"""Keeps the edits that a crash must not lose, and writes the log of the crash."""

import asyncio
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from hextui.locations import make_private_folder, new_private_file
from hextui.records.text import RecordError, printable
from hextui.ui.safety import recovery
from hextui.ui.session import Session
from hextui.ui.talk import Talk
from hextui.version import __version__
from hextui.words.names import counted

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
        self._keepers: dict[Session, recovery.Keeper] = {}

    def keep(self, sessions: Sequence[Session]) -> None:
        """Write new edits in a thread; warn once if that is not possible."""
        for session, keeper in self._keepers_of(sessions):
            keeper.check(session)
            if keeper.problem:
                problem = f"Recovery is off, a crash would lose edits: {keeper.problem}"
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
        found, aside = await asyncio.to_thread(recovery.find_left_behind, self._folder)
        if aside:
            what = f"{counted(len(aside), 'recovery file')} could not be read; kept as {aside[0]}"
            self._talk.warn("Recovery", printable(what) + ", ..." * (len(aside) > 1))
        choices = ("r", "Recover", "recover"), ("d", "Discard", "discard")
        for left, rescue in found:
            name, file = printable(rescue.name), printable(rescue.file)
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
        keeper = recovery.Keeper(self._folder)
        try:
            session = keeper.take(left).session()
        except RecordError as error:
            self._talk.warn("Recovery", str(error))
            return
        self._keepers[session] = keeper
        take(session)

    def _keepers_of(self, sessions: Sequence[Session]) -> Iterator[tuple[Session, recovery.Keeper]]:
        """Yield the sessions that have or had edits, each with its keeper."""
        for session in sessions:
            if session.record.modified and session not in self._keepers and self._folder:
                self._keepers[session] = recovery.Keeper(self._folder)
            if session in self._keepers:
                yield session, self._keepers[session]
