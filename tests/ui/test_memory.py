"""Twenty thousand steps through a game, as many as eight hours of work take: memory stays flat."""

import random
from pathlib import Path

import pytest

from hextui.records.writing import save
from tests.compiling import share_kernels
from tests.processes import memory_of

from .helpers import long_game
from .program import PATIENCE, SCRIPT, Program

PLIES = 100
COLUMNS, ROWS = 140, 45
ANALYSING = """
import sys
from hextui.analysis import analyst
analyst.KEPT_BYTES = 20 << 20  # so that what is kept is dropped again all the time
from hextui.commands import main
sys.exit(main())
"""
COMPILING = 600  # seconds that the first analysis may take where nothing is compiled

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is unknown")


@pytest.fixture
def game(tmp_path):
    """A file with the game; the kernels are those that are compiled already."""
    path = tmp_path / "game.sgf"
    save(long_game(PLIES).record, path)
    share_kernels(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("[solver]\nseconds = 1\n")
    return path


class Walker:
    """Steps through the game as fast as the program takes keys, and reads its memory."""

    def __init__(self, program):
        self.program = program
        self.ply = self.steps = 0

    def go(self, ply):
        """Go to another ply, step by step; every tenth is waited for until it is painted."""
        while self.ply != ply:
            way = 1 if ply > self.ply else -1
            count = min(abs(ply - self.ply), 10)
            self.steps += count
            self.press((b"n" if way > 0 else b"p") * count, self.ply + way * count)

    def press(self, keys, ply):
        """Press keys that lead to another ply, and wait until its number is painted."""
        self.program.output = b""
        self.program.keys(keys)
        self.ply = ply
        self.program.wait_for_text(b"%d. " % ply if ply else b"start")

    def wait_for_analysis(self, patience=PATIENCE):
        self.program.wait_for(lambda: b"analysed" in self.program.output, patience)

    def walk(self, steps, stops=0):
        """Walk up and down and jump; stop so many times on each way, at any ply."""
        lot = random.Random(steps)
        end = self.steps + steps
        while self.steps < end:
            for ply in (PLIES, 0, *lot.sample(range(1, PLIES), stops)):
                self.go(ply)
                if stops:
                    self.wait_for_analysis()
            self.press(b"G", PLIES)
            self.press(b"g", 0)


def walked(program, stops):
    """Return the memory before and after 20 000 steps of a program that is warm."""
    walker = Walker(program)
    program.wait_for_text(b"to move")
    if stops:
        walker.wait_for_analysis(COMPILING)
        for ply in range(1, PLIES + 1):
            walker.go(ply)
            walker.wait_for_analysis()
        walker.press(b"g", 0)
    walker.walk(1_000, stops)
    found = [memory_of(program.pid)]
    for _ in range(4):
        walker.walk(5_000, stops)
        found.append(memory_of(program.pid))
    print("memory:", *(f"{memory:.1f}" for memory in found), "MiB")
    return found[0], found[-1]


@pytest.mark.slow
def test_the_screen_alone(tmp_path, game):
    with Program(tmp_path, game, columns=COLUMNS, rows=ROWS, code=SCRIPT) as program:
        before, after = walked(program, stops=0)
    assert after - before < 5


@pytest.mark.slow
def test_with_the_analysis(tmp_path, game):
    with Program(tmp_path, game, columns=COLUMNS, rows=ROWS, code=ANALYSING) as program:
        before, after = walked(program, stops=4)
    assert after - before < 30
