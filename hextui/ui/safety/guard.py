"""Keeps what a crash must not lose, edits and settings, and writes the log of the crash."""

import asyncio
import json
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hextui.locations import PRIVATE, make_private_folder, named_path, new_private_file
from hextui.records.errors import RecordError
from hextui.records.saving import save_text
from hextui.records.text import printable
from hextui.settings.settings_files import (
    ConfigError,
    SettingError,
    document_of,
    read_json,
    read_tables,
)
from hextui.ui.safety import recovery
from hextui.ui.session import Session
from hextui.ui.settings import Settings
from hextui.ui.talk import Talk
from hextui.version import __version__
from hextui.words.names import counted

KEEP_SECONDS = 0.4
"""Seconds between checks for new edits; with the time to write them, less than one."""
RECENT_FILES = 20


def write_log(folder: Path, error: BaseException) -> Path | None:
    """Write the log of a crash to a new file in ``folder``; return its path.

    If that folder cannot be written to, the system's folder of temporary files is tried; None if
    neither can.
    """
    from importlib.metadata import version

    now = datetime.now(UTC)
    lines = [
        f"hextui {__version__}, textual {version('textual')}, Python {platform.python_version()}, "
        f"{platform.platform()}",
        f"{now.isoformat(timespec='seconds')}  {' '.join(sys.argv)}",
        "",
        *traceback.format_exception(error),
    ]
    text = "\n".join(lines[:3]) + "\n" + "".join(lines[3:])
    for place in (folder, Path(tempfile.gettempdir())):
        path = place / f"crash-{now:%Y%m%d-%H%M%S-%f}.log"
        try:
            if place is folder:
                make_private_folder(place)
            with open(path, "x", -1, "utf-8", "replace", opener=new_private_file) as file:
                file.write(text)
        except OSError:
            continue
        return path
    return None


class Crash:
    """The error that ended the program, if any; ``folder`` is for its log."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.what = ""
        """The error in one line; '' if there was none."""
        self.log: Path | None = None
        """The log, if one could be written."""

    @property
    def possible(self) -> bool:
        """Whether there is a folder for a log."""
        return self._folder is not None

    def note(self, error: Exception) -> None:
        """Write the log of the first error that ends the program.

        Without a folder to write it to, raises the error again.
        """
        if self._folder is None:
            raise error
        if not self.what:
            self.what = printable(f"{type(error).__name__}: {error}")[:200]
            self.log = write_log(self._folder, error)


class UserState:
    """Keeps the settings last chosen and the files last used in a folder.

    A broken file is dropped. ``problem`` says in one line what was dropped or could not be kept.
    """

    def __init__(self, folder: Path) -> None:
        self._settings_file = folder / "settings.json"
        self._recent_file = folder / "recent.json"
        self._kept: Settings | None = None
        self.problem = ""

    def settings(self) -> Settings:
        """Return the settings last kept."""
        document = self._load(self._settings_file, {})
        self._kept = Settings()
        try:
            self._kept = read_tables(Settings, document)
        except SettingError as error:
            self._drop(self._settings_file, str(error))
        return self._kept

    def keep(self, settings: Settings) -> None:
        """Keep settings, if they differ from those kept last."""
        if settings != self._kept:
            self._kept = settings
            self._save(self._settings_file, document_of(settings))

    def recent(self) -> list[str]:
        """Return the files last used, the newest first."""
        names: list[Any] = self._load(self._recent_file, [])
        if not all(isinstance(name, str) for name in names):
            self._drop(self._recent_file, "it is no list of names")
            return []
        return names

    def use(self, path: Path) -> None:
        """Put a file in front of those last used."""
        name = str(named_path(str(path)).absolute())
        before = self.recent()
        if before[:1] != [name]:
            names = [name, *(other for other in before if other != name)]
            self._save(self._recent_file, names[:RECENT_FILES])

    def _load(self, path: Path, empty: Any) -> Any:
        """Return the document of a file; ``empty`` if there is none, or one of another kind."""
        try:
            document = read_json(path)
        except ConfigError as error:
            self._drop(path, error.what)
            return empty
        if document is None:
            return empty
        if not isinstance(document, type(empty)):
            self._drop(path, f"it is no {'list' if empty == [] else 'table'}")
            return empty
        return document

    def _drop(self, path: Path, what: str) -> None:
        self.problem = f"{path} was dropped: {what}"

    def _save(self, path: Path, document: Any) -> None:
        try:
            make_private_folder(path.parent)
            save_text(path, json.dumps(document, indent=1) + "\n", PRIVATE)
        except RecordError as error:
            self.problem = str(error)
        except OSError as error:
            self.problem = f"{path}: {error.strerror or error}"


class Guard:
    """Keeps the edits of sessions in recovery files, and the user's state.

    ``state`` is the folder of both; without one nothing is kept.
    """

    def __init__(self, state: Path | None, talk: Talk) -> None:
        self._talk = talk
        self._folder = state / "recovery" if state else None
        self._kept_state = UserState(state) if state else None
        self._keepers: dict[Session, recovery.Keeper] = {}
        self._warned: set[str] = set()
        self._used: Path | None = None

    @property
    def keeps(self) -> bool:
        """Whether anything is kept."""
        return self._folder is not None

    def settings(self) -> Settings:
        """Return the settings of the last run."""
        return self._kept_state.settings() if self._kept_state else Settings()

    def recent_files(self) -> list[str]:
        """Return the files last used that still exist, the newest first."""
        names = self._kept_state.recent() if self._kept_state else []
        return [name for name in names if os.path.isfile(name)]

    def keep(self, sessions: Sequence[Session]) -> None:
        """Write new edits in a thread; warn once if that is not possible."""
        for session in sessions:
            keeper = self._keeper_of(session)
            if keeper is not None:
                keeper.check(session)
                if keeper.problem:
                    problem = f"If the program dies, edits are lost: {keeper.problem}"
                    self._warn_once("Recovery", problem)

    def keep_last(self, sessions: Sequence[Session]) -> None:
        """Write all edits before returning: the program ends, whatever ends it."""
        for session in sessions:
            keeper = self._keeper_of(session)
            if keeper is not None:
                keeper.flush(session)

    def remember(self, chosen: Settings | None, session: Session) -> None:
        """Keep the settings, and the session's file if it has changed."""
        if self._kept_state is None:
            return
        if chosen is not None:
            self._kept_state.keep(chosen)
        origin = session.record.origin
        path = session.path or (origin.path if origin else None)
        if path and path != self._used:
            self._used = path
            self._kept_state.use(path)
        if self._kept_state.problem:
            self._warn_once("Settings", self._kept_state.problem)

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

    def _keeper_of(self, session: Session) -> recovery.Keeper | None:
        """Return the keeper of a session; None while there is nothing to keep."""
        if self._folder is None:
            return None
        if session not in self._keepers and session.record.modified:
            self._keepers[session] = recovery.Keeper(self._folder)
        return self._keepers.get(session)

    def _warn_once(self, title: str, what: str) -> None:
        if title not in self._warned:
            self._warned.add(title)
            self._talk.warn(title, what)
