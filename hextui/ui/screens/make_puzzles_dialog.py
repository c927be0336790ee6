"""Makes puzzles from the library's games by the command of that name, in a process of its own."""

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.widgets import Static

from hextui.children import python_command, read_lines, signal_group, start_group
from hextui.records.text import printable
from hextui.ui.screens.dialogs import Dialog

_LONGEST = 400  # bytes of a line of progress


class MakePuzzlesDialog(Dialog[bool]):
    """Shows how far it is; returns whether the puzzles are written. What was done is kept.

    ``games`` names the games, which the command's ``options`` choose.
    """

    CANCEL = "Escape stops; the next time it goes on from there"

    def __init__(self, games: str, options: Sequence[str], target: Path, workers: int) -> None:
        super().__init__(printable(f"Puzzles from {games}"))
        words = (*options, "--workers", str(workers), "-o", str(target))
        self._command = python_command("hextui", "puzzles", "make", "--library", *words)
        self._process: subprocess.Popen[bytes] | None = None

    def body(self) -> ComposeResult:
        yield Static("Starting ...", id="progress", markup=False)

    def on_mount(self) -> None:
        self._make()

    def on_unmount(self) -> None:
        if self._process is not None:
            signal_group(self._process, signal.SIGINT)

    @work(thread=True)
    def _make(self) -> None:
        line = ""
        try:
            process = start_group(self._command, errors=subprocess.PIPE, environment=os.environ)
        except OSError as error:
            self.app.call_from_thread(self._end, str(error))
            return
        self._process = process
        assert process.stdin, "start_group makes pipes"
        assert process.stdout, "start_group makes pipes"
        assert process.stderr, "errors are to go into a pipe"
        with process.stdin, process.stdout, process.stderr:
            for read in read_lines(process.stderr.fileno(), _LONGEST):
                line = read.decode(errors="replace").strip()
                self.app.call_from_thread(self._show, line)
        code = process.wait()
        self.app.call_from_thread(self._end, line if code else "")

    def _show(self, line: str) -> None:
        if self.is_mounted:
            self.query_one("#progress", Static).update(line)

    def _end(self, problem: str) -> None:
        """Close, or show what went wrong."""
        self._process = None
        if problem:
            self._show(problem)
        elif self.is_current:
            self.dismiss(True)
