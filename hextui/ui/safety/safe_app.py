"""The part of the application that loses nothing: recovery files, signals, crash logs."""

import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import App
from textual.css.query import NoMatches
from textual.driver import Driver

from hextui.records.errors import RecordError
from hextui.records.text import printable
from hextui.ui.safety import recovery
from hextui.ui.safety.crash import write_log
from hextui.ui.safety.memory import Memory
from hextui.ui.session import Session
from hextui.ui.settings import Settings
from hextui.wording import counted

KEEP_SECONDS = 0.4
"""Time between two looks for edits that are to be kept: with the writing, less than a second."""


class SafeApp(App[None]):
    """An application with sessions whose edits outlive it.

    ``state`` is the folder for what one run leaves to the next; without one nothing is kept.
    """

    crash = ""
    """What has crashed the program, in one line; '' if nothing has."""
    crash_log: Path | None = None
    """The log of that crash, if one could be written."""

    _ending: ClassVar = (signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ()

    def __init__(self, state: Path | None = None) -> None:
        super().__init__()
        self.state = state
        self._keepers: dict[Session, recovery.Keeper] | None = {} if state else None
        self._memory = Memory(state) if state else None
        self._warned: set[str] = set()
        self._seen: tuple[Session, ...] = ()
        self._used: Path | None = None

    @property
    def session(self) -> Session:
        """The session that is shown."""
        raise NotImplementedError

    @property
    def sessions(self) -> Sequence[Session]:
        """The sessions that are kept."""
        raise NotImplementedError

    @property
    def chosen(self) -> Settings:
        """What the user chose, to be kept for the next run."""
        raise NotImplementedError

    def open_session(self, session: Session) -> None:
        """Show another session."""
        raise NotImplementedError

    def get_driver_class(self) -> type[Driver]:
        """Return the driver for this system; a terminal's one bears the end of its terminal."""
        driver = super().get_driver_class()
        if sys.platform == "win32":
            return driver
        from textual.drivers.linux_driver import LinuxDriver

        from hextui.ui.safety.terminal import TerminalDriver

        return TerminalDriver if driver is LinuxDriver else driver

    def heed_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """End in good order when the system asks for it or the terminal goes away.

        ``loop`` is the one that the app is going to run in.
        """
        for number in self._ending:
            loop.add_signal_handler(number, self._end, number)

    def on_mount(self) -> None:
        """Start to keep edits, and offer those that a crash has left."""
        self._look()
        if not self.is_headless and sys.platform != "win32":
            self._terminal_watch = self.set_interval(KEEP_SECONDS, self._end_with_terminal)
        if self._keepers is not None:
            self.set_interval(KEEP_SECONDS, self._keep)
            self._offer_left_behind()

    def on_unmount(self) -> None:
        """Keep the last edits, whatever ends the program."""
        self._keep_last()

    def leave(self) -> None:
        """End the program, all edits being saved or given up."""
        self._remember()
        for session in list(self._keepers or ()):
            self.forget(session)
        self._keepers = None
        self.exit()

    def let_go_of_terminal(self) -> None:
        """Read nothing more from it, however the app came to its end."""
        stop_reading = getattr(self._driver, "stop_reading", None)
        if stop_reading:
            stop_reading()

    def forget(self, session: Session) -> None:
        """Keep the edits of a session no longer: they are saved or given up."""
        keeper = self._keepers.pop(session, None) if self._keepers else None
        if keeper:
            keeper.forget()

    def log_crash(self, error: Exception) -> None:
        """Write the log of the first error that ends the program.

        Without a folder to write it to, raises the error again.
        """
        if self.state is None:
            raise error
        if not self.crash:
            self.crash = printable(f"{type(error).__name__}: {error}")[:200]
            self.crash_log = write_log(self.state, error)

    def _end(self, number: int) -> None:
        self._keep_last()
        self.exit(return_code=128 + number)

    def _end_with_terminal(self) -> None:
        """End if the terminal has gone without a signal; Textual reads on and on from it."""
        if getattr(self._driver, "hung_up", False):
            self._terminal_watch.stop()
            self._end(signal.SIGHUP)

    def _keep(self) -> None:
        self._look()
        if self._keepers is None or self._memory is None:
            return
        for session in self._seen:
            keeper = self._keeper_of(session)
            if keeper is None:
                continue
            keeper.check(session)
            if keeper.problem:
                self._warn_once(
                    "Recovery", f"If the program dies, edits are lost: {keeper.problem}"
                )
        self._remember()
        if self._memory.problem:
            self._warn_once("Settings", self._memory.problem)

    def _keeper_of(self, session: Session) -> recovery.Keeper | None:
        """Return the keeper of a session; None while there is nothing to keep."""
        if self._keepers is None or self.state is None:
            return None
        if session not in self._keepers and session.record.modified:
            self._keepers[session] = recovery.Keeper(self.state / "recovery")
        return self._keepers.get(session)

    def _warn_once(self, title: str, what: str) -> None:
        if title not in self._warned:
            self._warned.add(title)
            self.notify(what, title=title, severity="warning", timeout=10, markup=False)

    def _remember(self) -> None:
        """Keep the settings, and the file if it is another one than before."""
        if self._memory and self.screen_stack:
            with suppress(NoMatches):  # the screen is being put up or taken down
                self._memory.keep(self.chosen)
            origin = self.session.record.origin
            path = self.session.path or (origin.path if origin else None)
            if path and path != self._used:
                self._used = path
                self._memory.use(path)

    def _look(self) -> None:
        if self.screen_stack:  # there is none any more when the application is unmounted
            self._seen = tuple(self.sessions)

    def _keep_last(self) -> None:
        self._look()
        for session in self._seen:
            keeper = self._keeper_of(session)
            if keeper:
                keeper.flush(session)

    @work(exclusive=True, group="dialogs")
    async def _offer_left_behind(self) -> None:
        """Ask about each record that was left behind."""
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog

        assert self.state is not None
        choices = (Choice("r", "Recover", "recover"), Choice("d", "Discard", "discard"))
        folder = self.state / "recovery"
        found, aside = await asyncio.to_thread(recovery.find_left_behind, folder)
        if aside:
            what = f"{counted(len(aside), 'recovery file')} could not be read; kept as {aside[0]}"
            line = printable(what) + ", ..." * (len(aside) > 1)
            self.notify(line, title="Recovery", severity="warning", timeout=10, markup=False)
        for left, rescue in found:
            name, file = printable(rescue.name), printable(rescue.file)
            what = f"The program ended before {name} was saved.\n{file}".rstrip()
            answer = await self.push_screen_wait(
                ChoiceDialog("Edits that were not saved", what, choices)
            )
            if answer is None:
                return
            if answer == "recover":
                self._recover(left)
            else:
                with suppress(OSError):
                    left.unlink(missing_ok=True)

    def _recover(self, left: Path) -> None:
        assert self.state is not None
        assert self._keepers is not None
        keeper = recovery.Keeper(self.state / "recovery")
        try:
            session = keeper.take(left).session()
        except RecordError as error:
            self.notify(str(error), title="Recovery", severity="warning", markup=False)
            return
        self._keepers[session] = keeper
        self.open_session(session)

    def _fatal_error(self) -> None:
        """End after an error nobody caught: keep the edits, write the log, restore the terminal.

        This is where Textual would print the traceback.
        """
        if self.state and self._exception:
            self.log_crash(self._exception)
            self._keep_last()
            self._close_messages_no_wait()
        else:
            super()._fatal_error()
