"""The first run's compilation, in a child process, so that the board can be used meanwhile.

Compiling in a thread would hold the interpreter, and with it the screen.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator

from hextui.engine.board import Board
from hextui.engine.warm import is_warm, width_of

POLL_SECONDS = 0.1


class Warmup:
    """A child that compiles what is missing, the given board's kernels first.

    It is started at once, and only if something is missing.
    """

    def __init__(self, board: Board) -> None:
        self._progress: dict[int, tuple[int, int]] = {}
        self._child: subprocess.Popen[str] | None = None
        self._ended = threading.Event()
        if is_warm(width_of(board.cells)):
            self._ended.set()
            return
        command = [sys.executable, "-m", "hextui", "warm", "--cells", str(board.cells)]
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._read, name="warmup", daemon=True).start()

    def _read(self) -> None:
        assert self._child is not None
        assert self._child.stderr is not None
        for line in self._child.stderr:
            words = line.split(maxsplit=3)
            if len(words) == 4 and all(word.isdigit() for word in words[:3]):
                width, done, total = map(int, words[:3])
                self._progress[width] = (done, total)
        self._child.wait()
        self._ended.set()

    def wait(self, board: Board) -> Iterator[tuple[int, int]]:
        """Yield (done, total) again and again until the board's kernels are ready.

        Ends early if the child has ended: what is still missing is then compiled on use.
        """
        width = width_of(board.cells)
        while not self._ended.is_set() and not is_warm(width):
            yield self._progress.get(width, (0, 1))
            self._ended.wait(POLL_SECONDS)

    def close(self) -> None:
        """End the child; what it has compiled stays."""
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
