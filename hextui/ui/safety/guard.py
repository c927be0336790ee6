"""What loses nothing: edits outlive the program, and so does what the user chose."""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from hextui.records.errors import RecordError
from hextui.records.text import printable
from hextui.ui.safety import recovery
from hextui.ui.safety.memory import Memory
from hextui.ui.session import Session
from hextui.ui.settings import Settings
from hextui.ui.talk import Talk
from hextui.words.names import counted

KEEP_SECONDS = 0.4
"""Time between two looks for edits that are to be kept: with the writing, less than a second."""


class Guard:
    """Keeps the edits of sessions in recovery files, and settings and recent files.

    ``state`` is the folder for what one run leaves to the next; without one nothing is kept.
    """

    def __init__(self, state: Path | None, talk: Talk) -> None:
        self._talk = talk
        self._folder = state / "recovery" if state else None
        self._memory = Memory(state) if state else None
        self._keepers: dict[Session, recovery.Keeper] = {}
        self._warned: set[str] = set()
        self._used: Path | None = None

    @property
    def keeps(self) -> bool:
        """Whether anything is kept."""
        return self._folder is not None

    def settings(self) -> Settings:
        """Return what the user chose in the last run."""
        return self._memory.settings() if self._memory else Settings()

    def recent_files(self) -> list[str]:
        """Return the files last used that are still there, the newest first."""
        names = self._memory.recent() if self._memory else []
        return [name for name in names if os.path.isfile(name)]

    def keep(self, sessions: Sequence[Session]) -> None:
        """Have edits written that are not yet; warn once if that is not possible."""
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
        """Keep the settings, and the session's file if it is another one than before."""
        if self._memory is None:
            return
        if chosen is not None:
            self._memory.keep(chosen)
        origin = session.record.origin
        path = session.path or (origin.path if origin else None)
        if path and path != self._used:
            self._used = path
            self._memory.use(path)
        if self._memory.problem:
            self._warn_once("Settings", self._memory.problem)

    def forget(self, session: Session) -> None:
        """Keep the edits of a session no longer: they are saved or given up."""
        keeper = self._keepers.pop(session, None)
        if keeper is not None:
            keeper.forget()

    def give_up(self) -> None:
        """Keep no edits any more: all are saved or given up."""
        for session in list(self._keepers):
            self.forget(session)
        self._folder = None

    async def offer(self, take: Callable[[Session], None]) -> None:
        """Ask about each record that was left behind; ``take`` gets those that are wanted."""
        if self._folder is None:
            return
        found, aside = await asyncio.to_thread(recovery.find_left_behind, self._folder)
        if aside:
            what = f"{counted(len(aside), 'recovery file')} could not be read; kept as {aside[0]}"
            self._talk.warn("Recovery", printable(what) + ", ..." * (len(aside) > 1))
        if not found:
            return
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog

        choices = (Choice("r", "Recover", "recover"), Choice("d", "Discard", "discard"))
        for left, rescue in found:
            name, file = printable(rescue.name), printable(rescue.file)
            what = f"The program ended before {name} was saved.\n{file}".rstrip()
            answer = await self._talk.ask(ChoiceDialog("Edits that were not saved", what, choices))
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
