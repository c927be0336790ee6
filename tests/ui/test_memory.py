"""Twenty thousand steps through a game, as many as eight hours of work take: memory stays flat."""

import codecs
import random
import re
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.locations import cache_folder
from hextui.records.record import Record
from hextui.records.writing import save
from hextui.ui.session import Session

from .program import SCRIPT, Program

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


def long_game():
    """Return a session at the end of a game that nobody wins soon."""
    session = Session(Record(Board(11, 11)))
    cells = random.Random(1).sample(range(121), 121)
    for cell in cells:
        if session.node.ply < PLIES and not session.position.play(cell).winner:
            session.play(cell)
    return session


@pytest.fixture
def game(tmp_path):
    """A file with the game; the kernels are those that are compiled already."""
    path = tmp_path / "game.sgf"
    save(long_game().record, path)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "kernels").symlink_to(cache_folder() / "kernels")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("[solver]\nseconds = 1\n")
    return path


class Picture:
    """What a terminal shows of what was written to it, without colours: only what differs is."""

    PIECE = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[[^@-~]*[@-~]|\x1b[^\[]|([^\x1b]+)")
    CUT = re.compile(r"\x1b(\[[^@-~]*)?$")

    def __init__(self, columns, rows):
        self.lines = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.rest = ""  # the begin of a sequence that has not come to its end

    def write(self, data):
        data = self.rest + self.decode(data)
        cut = self.CUT.search(data)
        self.rest = cut.group() if cut else ""
        for piece in self.PIECE.finditer(data.removesuffix(self.rest)):
            row, column, text = piece.groups()
            if row:
                self.row, self.column = int(row) - 1, int(column) - 1
            for letter in text or "":
                if self.row < len(self.lines) and self.column < len(self.lines[0]):
                    self.lines[self.row][self.column] = letter
                self.column += 1

    def shows(self, pattern):
        """Tell whether a line, blanks at its start left out, begins like this."""
        return any(re.match(pattern, "".join(line).lstrip()) for line in self.lines)


class Walker:
    """Steps through the game as fast as the program takes keys, and reads its memory."""

    def __init__(self, program):
        self.program = program
        self.ply = self.steps = 0
        self.picture = Picture(COLUMNS, ROWS)

    def go(self, ply):
        """Go to another ply, step by step; every tenth is waited for until it is painted."""
        while self.ply != ply:
            key, way = (b"n", 1) if ply > self.ply else (b"p", -1)
            count = min(abs(ply - self.ply), 10)
            self.steps += count
            self.press(key * count, self.ply + way * count)

    def press(self, keys, ply):
        """Press keys that lead to another ply, and wait for it."""
        self.program.keys(keys)
        self.ply = ply
        self.wait_for_status()

    def wait_for_status(self, end="", patience=60):
        """Wait until the status line tells of the ply, and of what ``end`` says."""
        start = rf"{self.ply}\. " if self.ply else "start "
        self.program.wait_for(lambda: self.shows(f"{start}.* to move.*{end}"), patience)

    def wait_for_analysis(self, patience=60):
        self.wait_for_status("analysed", patience)

    def shows(self, line):
        """Tell whether a line of the screen begins like this by now."""
        self.picture.write(self.program.output)
        self.program.output = b""
        return self.picture.shows(line)

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

    @property
    def memory(self):
        """What the program has in memory, in MiB."""
        for line in Path(f"/proc/{self.program.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        raise AssertionError("the program has ended")


def walked(program, stops):
    """Return the memory before and after 20 000 steps of a program that is warm."""
    walker = Walker(program)
    walker.wait_for_status()
    if stops:
        walker.wait_for_analysis(COMPILING)
        for ply in range(1, PLIES + 1):
            walker.go(ply)
            walker.wait_for_analysis()
        walker.press(b"g", 0)
    walker.walk(1_000, stops)
    found = [walker.memory]
    for _ in range(4):
        walker.walk(5_000, stops)
        found.append(walker.memory)
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
