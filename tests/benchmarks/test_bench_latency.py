"""From a key to the repaint, in a terminal, while the analysis works; kernels must be warm.

Run: ``pytest tests/benchmarks/test_bench_latency.py -s``. The real program runs in a pseudo
terminal. A key is repainted when the status line with the new ply or cell has been written.

Aim: 95 of 100 keys in 20 ms on a quiet machine. A slow key mostly waits for one panel
that is being painted, and on a busy machine for a core. So beside the clock stands what the
program's main thread did meanwhile: its processor time, and how long it waited for a processor.
"""

import os
import random
import re
import shutil
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.locations import cache_folder, data_folder
from hextui.records.record import Record
from hextui.records.writing import save
from tests.ui.program import WHOLE, Program

KEYS = int(os.environ.get("HEXTUI_BENCH_KEYS", "120"))
PLIES = 100  # of the game that is walked back and forth
HELD = 1 / 30  # seconds between the keys of an arrow held down
TYPED = 0.15  # between typed keys, on average: each falls into another part of the analysis


class Spent(NamedTuple):
    """What has passed so far, in milliseconds; or between two moments."""

    clock: float
    processor: float
    """Of the program's main thread."""
    waited: float
    """By that thread, for a processor."""

    def since(self, before: "Spent") -> "Spent":
        """Return what has passed since then."""
        return Spent(*(now - then for now, then in zip(self, before, strict=True)))


class Terminal(Program):
    """The program in a pseudo terminal of 140 x 45 characters, as it is when first opened.

    Of earlier runs it has what they compiled, solved and imported, not which panels they showed.
    """

    def __init__(self, *arguments: str) -> None:
        self.home = tempfile.mkdtemp()
        for name, folder in (("cache", cache_folder()), ("data", data_folder())):
            (Path(self.home) / name).symlink_to(folder.absolute())
        super().__init__(
            self.home, *arguments, columns=140, rows=45, code=WHOLE, colors="truecolor"
        )

    def wait_for_pattern(self, pattern: str, seconds: float = 30) -> None:
        """Read until the pattern has been written from now on."""
        self.output = b""
        self.wait_for(lambda: re.search(pattern.encode(), self.output), seconds)

    def drain(self, seconds: float) -> bytes:
        """Return what is written within a while."""
        self.output, end = b"", time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0 and self.read(rest):
            pass
        return self.output

    def spent(self) -> Spent:
        """Return what has passed so far (Linux tells a thread's time each time that it pauses)."""
        thread = Path(f"/proc/{self.pid}/task/{self.pid}/schedstat")
        processor, waited, _ = map(int, thread.read_text().split())
        return Spent(time.perf_counter() * 1e3, processor / 1e6, waited / 1e6)

    def close(self) -> None:
        self.keys(b"q")
        self.wait()
        self.__exit__()
        shutil.rmtree(self.home)


def game(side: int, path: Path) -> int:
    """Write a game of at most PLIES random moves; return how many it has."""
    board = Board(side, side)
    cells = random.Random(side).sample(range(board.cells), min(PLIES, board.cells))
    record = Record(board)
    node = record.root
    for cell in cells:
        if record.position(node).winner is None:
            node = record.play(node, Move.play(cell))
    save(record, path)
    return len(record.main_line()) - 1


def pressed(terminal: Terminal, keys: list[tuple[str, str]], pauses: list[float]) -> list[Spent]:
    """Press keys after pauses, whether the last one was repainted or not.

    Each key comes with the pattern that it is repainted by. Returns what passed from each key to
    its repaint, its wait for those before it included; one that is overtaken by the next is
    painted with it, and one that is never painted lasts to the end.
    """
    times, waiting, seen, due = [], [], b"", time.perf_counter()
    keys_left, pauses_left = list(keys), list(pauses)
    end = due + sum(pauses) + 5
    while (keys_left or waiting) and time.perf_counter() < end:
        if keys_left and time.perf_counter() >= due:
            key, pattern = keys_left.pop(0)
            before = terminal.spent()
            terminal.keys(key.encode())
            waiting.append((pattern.encode(), before))
            due += pauses_left.pop(0)
        rest = max(due - time.perf_counter(), 0) if keys_left else 0.05
        terminal.output = b""
        terminal.read(rest)
        seen += terminal.output
        painted = [place for place, (pattern, _) in enumerate(waiting) if pattern in seen]
        if painted:
            now, seen = terminal.spent(), b""
            times += [now.since(before) for _, before in waiting[: painted[-1] + 1]]
            del waiting[: painted[-1] + 1]
    last = terminal.spent()
    return times + [last.since(before) for _, before in waiting]


@pytest.mark.parametrize("pace", ["held", "typed"])
@pytest.mark.parametrize(("side", "panel"), [(11, ""), (19, ""), (7, ""), (7, "W"), (11, "W")])
def test_latency(tmp_path, side, panel, pace):
    """``panel``: the key of one that is opened, W follows must-play reasoning."""
    path = tmp_path / "game.sgf"
    plies = game(side, path)
    terminal = Terminal(str(path))
    terminal.wait_for_pattern("to move")
    terminal.drain(0.5)
    terminal.keys(b"g")
    if panel:
        terminal.keys(panel.encode())
    seen = terminal.drain(12)  # the engine is imported and has analysed once
    assert not panel or b"order: centre" in seen, "the panel is not open"
    assert b"analysis off" not in seen, "the analysis was switched off at the last end"
    lot = random.Random(side)
    pauses = [HELD if pace == "held" else TYPED * lot.uniform(0.2, 1.8) for _ in range(KEYS)]
    half = min(KEYS // 2, plies)
    there = [("n", f"m{n}. ") for n in range(1, half + 1)]
    back = [("p", f"m{n}. " if n else "mstart") for n in range(half - 1, -1, -1)]
    steps = list(islice(cycle(there + back), KEYS))
    columns = ["abcdefghijklmnopqrs"[side // 2 + n] for n in (1, 0)]
    points = [("lh"[n % 2], f"cursor {columns[n % 2]}{side // 2 + 1}") for n in range(KEYS)]
    found = {"step": pressed(terminal, steps, pauses)}
    if pace == "typed":
        # every other key steps, so that the engine works while the cursor moves
        mixed = [key for pair in zip(steps[: KEYS // 2], points, strict=False) for key in pair]
        terminal.keys(b"g")
        terminal.drain(1)
        found["cursor"] = pressed(terminal, mixed, pauses)[1::2]
    terminal.close()
    for name, times in found.items():
        print(f"\n{side}x{side} {panel} {pace} {name}:")
        for part in Spent._fields:
            ordered = sorted(getattr(spent, part) for spent in times)
            p50, p95 = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
            print(f"  {part:9} p50 {p50:.1f}, p95 {p95:.1f}, max {ordered[-1]:.1f} ms")


# From the command to the first screen of a game. Aim: 0.45 s. Bytecode must be compiled


def test_first_screen(benchmark, tmp_path):
    path = tmp_path / "game.sgf"
    game(11, path)
    started = []

    def start():
        started.append(Terminal(str(path)))
        started[-1].wait_for_pattern("to move")

    def end():
        if started:
            started.pop().close()

    benchmark.pedantic(start, setup=end, rounds=7, iterations=1, warmup_rounds=1)
    end()
