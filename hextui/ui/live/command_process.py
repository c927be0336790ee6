"""Commands of ours that the screen runs, each in a process of its own, and their progress."""

import os
import subprocess
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hextui.children import (
    PROGRESS_SECONDS,
    end_group,
    lower_priority,
    python_command,
    read_lines,
    signal_group,
    start_group,
)

if TYPE_CHECKING:
    from hextui.analysis.review_run import ReviewBudget

NICENESS = 19  # the screen comes first
_LONGEST = 400  # bytes of a line of progress


class CommandProcess:
    """Runs ``hextui`` with these words, once; what it prints is dropped, its progress shown."""

    def __init__(self, words: Sequence[str]) -> None:
        self.command = python_command("hextui", *words)
        self._process: subprocess.Popen[bytes] | None = None
        self.stopped = False

    def run(self, show: Callable[[str], object]) -> str:
        """Run it; ``show`` gets each line of its standard error, in this thread.

        Returns why it failed, in a line; '' if it did not, or was stopped.
        """
        environment = {**os.environ, PROGRESS_SECONDS: "1"}
        try:
            process = start_group(
                self.command,
                errors=subprocess.PIPE,
                environment=environment,
                output=subprocess.DEVNULL,
            )
        except OSError as error:
            return str(error)
        self._process = process
        lower_priority(process.pid, NICENESS)
        if self.stopped:  # before it was started
            self.stop()
        line = ""
        assert process.stdin, "start_group makes a pipe"
        assert process.stderr, "errors are to go into a pipe"
        with process.stdin, process.stderr:
            for read in read_lines(process.stderr.fileno(), _LONGEST):
                line = read.decode(errors="replace").strip()
                show(line)
        code = process.wait()
        self._process = None
        end_group(process)
        return line if code and not self.stopped else ""

    def stop(self) -> None:
        """End it at once, in any thread: what it has finished is on disk."""
        self.stopped = True
        if self._process is not None:
            signal_group(self._process)


def review_options(budget: "ReviewBudget") -> list[str]:
    """Return the options of ``hextui report`` by which a review has a budget."""
    evaluators = [f"--evaluator={name}" for name in budget.names]
    return [*evaluators, f"--solve={budget.seconds:g}"]
