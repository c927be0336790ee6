"""From a key to the repaint, in a terminal, while the analysis works; kernels must be warm.

Run: ``pytest tests/benchmarks/test_bench_latency.py -s``. The real program runs in a pseudo
terminal. A key is repainted when the status line with the new ply or cell has been written.
"""

import fcntl
import os
import pty
import random
import re
import select
import struct
import sys
import termios
import time

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.formats import save
from hextui.records.record import Record

KEYS = int(os.environ.get("HEXTUI_BENCH_KEYS", "150"))
PAUSE = 0.12  # between keys, so that each falls into another part of the analysis


class Terminal:
    """The program in a pseudo terminal of 140 x 45 characters."""

    def __init__(self, *arguments: str) -> None:
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            os.execv(sys.executable, [sys.executable, "-m", "hextui", *arguments])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 140, 0, 0))

    def wait_for(self, pattern: str, seconds: float = 30) -> None:
        """Read until the pattern has been written; raises TimeoutError."""
        seen, end = b"", time.monotonic() + seconds
        while not re.search(pattern.encode(), seen):
            if not select.select([self.file], [], [], max(end - time.monotonic(), 0))[0]:
                raise TimeoutError(pattern)
            seen += os.read(self.file, 1 << 16)

    def drain(self, seconds: float) -> None:
        """Read what is written for a while."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if select.select([self.file], [], [], rest)[0]:
                try:
                    os.read(self.file, 1 << 16)
                except OSError:  # the program has ended
                    return

    def time_of(self, key: str, pattern: str) -> float:
        """Press a key; return the milliseconds until the pattern has been written."""
        start = time.perf_counter()
        os.write(self.file, key.encode())
        self.wait_for(pattern)
        return (time.perf_counter() - start) * 1000

    def close(self) -> None:
        os.write(self.file, b"q")
        self.drain(1)
        os.close(self.file)
        os.waitpid(self.process, 0)


def game(side: int, path: os.PathLike[str]) -> None:
    """Write a game of 100 moves near the middle, which no side wins soon."""
    board = Board(side, side)
    cells = random.Random(side).sample(range(board.cells), 100)
    record = Record(board)
    node = record.root
    for cell in cells:
        if record.position(node).winner is None:
            node = record.play(node, Move.play(cell))
    save(record, path)


@pytest.mark.parametrize("side", [11, 19])
def test_latency(tmp_path, side):
    path = tmp_path / "game.sgf"
    game(side, path)
    terminal = Terminal(str(path))
    terminal.wait_for("ply ")
    terminal.drain(0.5)
    os.write(terminal.file, b"g")
    terminal.drain(12)  # the engine is imported and has analysed once
    steps, points = [], []
    ply = 0
    for n in range(KEYS):
        terminal.drain(PAUSE * random.Random(n).uniform(0.2, 1.8))
        if n % 2 == 0:
            ply += 1 if n < KEYS // 2 else -1
            steps.append(terminal.time_of("n" if n < KEYS // 2 else "p", f"ply {max(ply, 0)}/"))
        else:
            right = n % 4 == 1
            column = "abcdefghijklmnopqrs"[side // 2 + right]
            points.append(terminal.time_of("l" if right else "h", f"  {column}{side // 2 + 1}"))
    terminal.close()
    for name, times in (("step", steps), ("cursor", points)):
        times.sort()
        p50, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
        print(f"\n{side}x{side} {name}: p50 {p50:.1f}, p95 {p95:.1f}, max {times[-1]:.1f} ms")
