"""The engine's process: what its answers cost, how soon its death is told, what memory it takes.

The levels' moves have an aim: 0.5 s of wall time in 95 of 100 cases for levels 1 to 7 on 11x11, on
a quiet machine.

Run: ``pytest tests/benchmarks/test_bench_engine.py -s``; kernels must be warm.
"""

import os
import random
import re
import signal
import time
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from hextui.engine.board import Board
from hextui.engine.evaluators import names
from hextui.engine.position import Move, Position
from hextui.engines import messages
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Analyse, ChooseMove
from hextui.records.formats import read_record
from tests.processes import children_of, on_linux

from .test_bench_latency import Terminal, game

KILLS = 10
GAMES = Path(os.environ.get("HEXTUI_TEST_DATA", "")) / "human_11x11.jsonl"
POSITIONS = int(os.environ.get("HEXTUI_BENCH_POSITIONS", "100"))
"""Of real games, in which each level moves."""
MEGABYTE = 1 << 20


def middle_game(side: int) -> Position:
    """Return a position with 30 stones near the middle game of a board."""
    position = Position.empty(Board(side, side))
    for cell in random.Random(side).sample(range(side * side), 30):
        position = position.play(cell)
    return position


@pytest.mark.parametrize("side", [11, 19])
def test_decoding_a_position(benchmark, side):
    """The frame with all that is known in the end of a position, all evaluators asked."""
    *_, last = OwnAnswerer().answers(Analyse(middle_game(side), names()))
    frame = messages.encoded([last])
    print(f"\n{side}x{side}: {len(frame):,} bytes")
    benchmark(messages.decoded, frame)


@pytest.mark.parametrize("side", [11, 19])
def test_first_answer_at_a_position(benchmark, side):
    """What is known first: connections, who has won by them, must-play."""
    answerer, positions = OwnAnswerer(), [middle_game(side)]
    rest = list(positions[0].empties)

    def setup():
        positions.append(positions[0].play(rest.pop()))

    def first():
        return next(iter(answerer.answers(Analyse(positions[-1], ("resistance",)))))

    first()
    benchmark.pedantic(first, setup=setup, rounds=30)


def real_positions(count: int) -> list[Position]:
    """Return positions of real games in which nobody has won, spread over files and plies."""
    positions = []
    for number, game_text in enumerate(GAMES.read_text().splitlines()):
        record = read_record(game_text)
        line = record.main_line()
        position = record.position(line[number * 7 % len(line)])
        if position.winner is None and not position.swap_legal:
            positions.append(position)
        if len(positions) == count:
            break
    return positions


@pytest.mark.skipif(not GAMES.is_file(), reason="no games")
@pytest.mark.parametrize("level", range(1, 8))
def test_a_level_moves(benchmark, level):
    """From the question to the move: wall time, and CPU time, as other work may run beside."""
    positions = real_positions(POSITIONS)
    answerer = OwnAnswerer()
    times = []

    def answer(position):
        begin, used = time.perf_counter(), time.process_time()
        *_, move = answerer.answers(ChooseMove(position, f"level:{level}", seed=len(times)))
        assert isinstance(move, Move)
        times.append((time.perf_counter() - begin, time.process_time() - used))

    answer(positions[0])  # compiles the kernels
    times.clear()
    rest = iter(positions)
    benchmark.pedantic(answer, setup=lambda: ((next(rest),), {}), rounds=len(positions))
    for name, seconds in zip(("wall", "CPU"), zip(*times, strict=True), strict=True):
        half, most = np.quantile(seconds, (0.5, 0.95))
        print(f"\nlevel {level}, {len(times)} positions: {name} p50 {half:.3f} s, p95 {most:.3f} s")


def engine_of(terminal: Terminal) -> int:
    (pid,) = children_of(terminal.pid)
    return pid


@on_linux
def test_a_death_is_told_and_mended(tmp_path):
    """From kill -9 at work to the line that says so, and to the next answer."""
    path = tmp_path / "game.sgf"
    game(11, path)
    terminal, told, mended = Terminal(str(path)), [], []
    terminal.wait_for_pattern("analysed|searching", 60)
    for kill in range(KILLS):
        terminal.keys(b"n")
        terminal.drain(0.3)
        os.kill(engine_of(terminal), signal.SIGKILL)
        start = time.perf_counter()
        terminal.wait_for_pattern("was killed")
        told.append(time.perf_counter() - start)
        terminal.wait_for_pattern("searching|analysed", 60)
        mended.append(time.perf_counter() - start)
        terminal.drain(1 + 30 * (kill % 3 == 2))  # it is not to be given up
    terminal.close()
    for what, seconds in (("told", told), ("mended", mended)):
        print(f"\n{what}: median {median(seconds):.2f}, worst {max(seconds):.2f} s")


def resident(pid: int) -> float:
    """Return the megabytes of a process that are its own share of the memory."""
    shares = Path(f"/proc/{pid}/smaps_rollup").read_text()
    (kilobytes,) = re.findall(r"^Pss:\s+(\d+)", shares, re.MULTILINE)
    return int(kilobytes) * 1024 / MEGABYTE


@on_linux
@pytest.mark.parametrize("side", [11, 13, 19])
def test_memory_of_both_processes(tmp_path, side):
    """After a game was walked through with the analysis on."""
    path = tmp_path / "game.sgf"
    game(side, path)
    terminal = Terminal(str(path))
    terminal.wait_for_pattern("analysed|searching", 60)
    for _ in range(40):
        terminal.keys(b"n")
        terminal.drain(0.5)
    screen, *engine = (resident(pid) for pid in (terminal.pid, *children_of(terminal.pid)))
    print(f"\n{side}x{side}: screen {screen:.0f}, engine {sum(engine):.0f} MB")
    terminal.close()
