"""Compiles kernels in a child process on the first run, so that the board can be used meanwhile.

To compile in a thread would block the interpreter.
"""

import subprocess
import threading
from collections.abc import Callable, Iterator

from hextui.children import lower_priority, python_command
from hextui.engine.board import Board
from hextui.engine.warm import CompileEstimate
from hextui.engine.widths import Kernels, is_warm, serving_width, width_of
from hextui.engines import limits
from hextui.engines.snapshot import COMPILING, Progress

Wait = Callable[[Board, Kernels], Iterator[Progress]]  # progress until kernels serve a board

_LABELS = {Kernels.SOLVER: "compiling the solver", Kernels.SEARCH: "compiling the search"}
NICENESS = 10  # the screen comes first on a busy machine


class _Child:
    """A process that compiles the kernels of one width, and its progress."""

    def __init__(self, board: Board) -> None:
        self.width = width_of(board.cells)
        self.estimate = CompileEstimate()
        self.waiting = 0  # the number of those who wait for its width
        self.ended = threading.Event()
        self.process = subprocess.Popen(
            python_command("hextui", "warm", "--cells", str(board.cells)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        lower_priority(self.process.pid, NICENESS)
        threading.Thread(target=self._read, name="warmup", daemon=True).start()

    def _read(self) -> None:
        """Read the progress lines, ``width done total label``, until the end."""
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                words = line.split(maxsplit=3)
                if len(words) == 4 and all(word.isdigit() for word in words[:3]):
                    self.estimate.finish(words[3].strip())
        self.process.wait()
        self.ended.set()


class Warmup:
    """Compiles the kernels for a board, in one child at a time; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    def wait(self, board: Board, kernels: Kernels = Kernels.RANKINGS) -> Iterator[Progress]:
        """Yield the progress until kernels serve a board, or the child fails or is closed.

        Where those of a wider class serve, its own are compiled in the background. The child goes
        on if the caller stops waiting.
        """
        width = width_of(board.cells)
        if serving_width(board, kernels) > width:
            self._child_for(width, board, waits=False)
            return
        while not is_warm(kernels, width) and (child := self._child_for(width, board)):
            own = child.width == width
            try:
                while not child.ended.wait(limits.UPDATE) and not is_warm(kernels, width):
                    if not own and not child.waiting:
                        break  # nobody waits for it any more
                    percent, seconds = child.estimate.now()
                    yield Progress(percent, 100, _LABELS.get(kernels, COMPILING), seconds)
            finally:
                with self._lock:
                    child.waiting -= own
            if own:
                return

    def _child_for(self, width: int, board: Board, *, waits: bool = True) -> _Child | None:
        """Return the child to wait for; one that is waited for is not ended for this width."""
        with self._lock:
            child = self._child
            if self._closed:
                return None
            if child is None or child.width != width:
                if child is not None:
                    if child.waiting and not child.ended.is_set():
                        return child
                    child.process.terminate()  # what it has compiled stays
                child = self._child = _Child(board)
            child.waiting += waits
            return child

    def close(self) -> None:
        """End the child for good."""
        with self._lock:
            self._closed = True
            if self._child is not None:
                self._child.process.terminate()
