"""The line below the library's list: what was done, or the progress of the one long task."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from textual.widgets import Static

from hextui.library.answers import Imported
from hextui.ui.drawing.whole_words import within
from hextui.ui.live.command_process import CommandProcess
from hextui.ui.screens.library_reader import LibraryReader

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.library.settle import Settled

TaskResult = TypeVar("TaskResult", bound="Imported | Settled")


class TaskLine(Static):
    """Runs one long task at a time, which can be stopped, and shows its progress."""

    DEFAULT_CSS = """
    TaskLine { height: 1; color: $text-muted; padding: 0 1; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__("", id="state", markup=False)
        self.busy = False
        """Whether a long task runs."""
        self.stopping = False
        """Whether the long task is to end."""
        self.stopped = False
        """Whether the user has stopped the last long task."""
        self._process: CommandProcess | None = None  # that the long task runs

    def show(self, text: str) -> None:
        """Show a text, unless a long task shows its progress here."""
        if not self.busy:
            self.update(within(text, self.content_size.width), layout=False)

    def show_progress(self, text: str) -> None:
        """Show what the long task does, unless it has been stopped; in any thread."""
        self.call_later(self._show_progress, text)

    def _show_progress(self, text: str) -> None:
        if self.busy and not self.stopping:
            self.update(f"{text} - x stops", layout=False)

    async def run_in_library(
        self, what: str, reader: LibraryReader, run: "Callable[[Library], TaskResult]"
    ) -> TaskResult:
        """Run a long task in a thread and return its result. Raises ValueError."""
        with self._long_task(what):
            return await reader.use(run)

    async def run_command(self, what: str, words: list[str], doing: str) -> str:
        """Run a long task in a process, the lines of which are ``doing``; return what failed."""

        def report(line: str) -> None:
            self.show_progress(f"{doing}: {line}")

        self._process = CommandProcess(words)
        with self._long_task(what):
            return await asyncio.to_thread(self._process.run, report)

    @contextmanager
    def _long_task(self, what: str) -> Iterator[None]:
        """Note that a long task runs, until it ends."""
        self.busy = True
        self.stopping = self.stopped = False
        self._show_progress(what)
        try:
            yield
        finally:
            self._end()  # if the screen has been closed: a thread ends with the next game
            self.busy = False

    def _end(self) -> None:
        self.stopping = True
        if self._process is not None:
            self._process.stop()

    def stop(self) -> None:
        """Stop the long task, if one runs; what was read, reviewed or solved is kept."""
        self._end()
        if self.busy:
            self.stopped = True
            self.update("Stopping ...", layout=False)
