"""The part of the application that loses nothing: recovery files, signals, crash logs."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import App
from textual.css.query import NoMatches

from hextui.records.errors import RecordError
from hextui.records.text import printable
from hextui.ui import recovery
from hextui.ui.crash import write_log
from hextui.ui.memory import Memory
from hextui.ui.session import Session
from hextui.ui.settings import Settings

KEEP_SECONDS = 0.4
"""Time between two looks for edits that are to be kept: with the writing, less than a second."""


class SafeApp(App[None]):
    """An application with a session whose edits outlive it.

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
        self._keeper = recovery.Keeper(state / "recovery") if state else None
        self._memory = Memory(state) if state else None
        self._warned: set[str] = set()
        self._seen: Session | None = None
        self._used: Path | None = None

    @property
    def session(self) -> Session:
        """The session that is kept."""
        raise NotImplementedError

    @property
    def chosen(self) -> Settings:
        """What the user chose, to be kept for the next run."""
        raise NotImplementedError

    def open_session(self, session: Session) -> None:
        """Show another session."""
        raise NotImplementedError

    def on_load(self) -> None:
        """End in good order when the system asks for it or the terminal goes away."""
        if not self.is_headless:
            for number in self._ending:
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(number, self._end, number)

    def on_mount(self) -> None:
        """Start to keep edits, and offer those that a crash has left."""
        self._look()
        if self._keeper:
            self.set_interval(KEEP_SECONDS, self._keep)
            self._offer_left_behind()

    def on_unmount(self) -> None:
        """Keep the last edits, whatever ends the program."""
        self._keep_last()

    def leave(self) -> None:
        """End the program, all edits being saved or given up."""
        self._remember()
        if self._keeper:
            self._keeper.forget()
            self._keeper = None
        self.exit()

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

    def _keep(self) -> None:
        self._look()
        if self._keeper is None or self._memory is None or self._seen is None:
            return
        self._keeper.check(self._seen)
        self._remember()
        if self._keeper.problem:
            self._warn_once(
                "Recovery", f"If the program dies, edits are lost: {self._keeper.problem}"
            )
        if self._memory.problem:
            self._warn_once("Settings", self._memory.problem)

    def _warn_once(self, title: str, what: str) -> None:
        if title not in self._warned:
            self._warned.add(title)
            self.notify(what, title=title, severity="warning", timeout=10, markup=False)

    def _remember(self) -> None:
        """Keep the settings, and the file if it is another one than before."""
        if self._memory and self.screen_stack:
            with suppress(NoMatches):  # the screen is being put up or taken down
                self._memory.keep(self.chosen)
            path = self.session.path
            if path and path != self._used:
                self._used = path
                self._memory.use(path)

    def _look(self) -> None:
        if self.screen_stack:  # there is none any more when the application is unmounted
            self._seen = self.session

    def _keep_last(self) -> None:
        self._look()
        if self._keeper and self._seen:
            self._keeper.flush(self._seen)

    @work(exclusive=True, group="dialogs")
    async def _offer_left_behind(self) -> None:
        """Ask about each record that was left behind, until one is taken or all have an answer."""
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog

        assert self._keeper is not None
        choices = (Choice("r", "Recover", "recover"), Choice("d", "Discard", "discard"))
        for left in recovery.left_behind(self._keeper.folder):
            try:
                rescue = recovery.read(left)
                what = f"The program ended before {rescue.name} was saved.\n{rescue.file}".rstrip()
            except RecordError:
                what = "The program ended before a record was saved."
            answer = await self.push_screen_wait(
                ChoiceDialog("Edits that were not saved", what, choices)
            )
            if answer == "discard":
                left.unlink(missing_ok=True)
            elif answer is None or self._recover(left):
                return

    def _recover(self, left: Path) -> bool:
        assert self._keeper is not None
        try:
            self.open_session(self._keeper.take(left).session())
        except RecordError as error:
            self.notify(str(error), title="Recovery", severity="warning", markup=False)
            return False
        return True

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
