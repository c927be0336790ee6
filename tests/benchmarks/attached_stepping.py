"""How soon an attached engine is quiet, and how far it is behind somebody who steps fast.

    python -m tests.benchmarks.attached_stepping          # the engine of the tests
    python -m tests.benchmarks.attached_stepping katahex  # an engine of the settings file

First it is stopped in the middle of its search, fifty times: by the clock, and in seconds of a
processor, ours and the engine's (on Linux), which do not depend on what else the machine does. An
engine that answers only at its end has nothing to stop then. After that a game is stepped through
at thirty plies a second, to its end and back, for twenty seconds, in ten walks. Before each walk
the engine has answered a question to its end, as where somebody has rested for long.
"""

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.attached.attached_engine import AttachedEngine
from hextui.engines.engine import Answer, Event
from hextui.engines.questions import Examine
from hextui.locations import config_file
from hextui.settings.engine_tables import configured_engines
from tests.engines.attached.trickster import config

STOPS, WALKS, STEPS, PLIES_A_SECOND = 50, 10, 60, 30.0
REST = Limit(seconds=0.5)
PLIES = 40
SEED = 20


def game(board: Board) -> list[Position]:
    """Return the positions of a game that nobody has won after PLIES moves."""
    chance = random.Random(SEED)
    while True:
        positions = [Position.empty(board)]
        for cell in chance.sample(range(board.cells), min(PLIES, board.cells // 3)):
            positions.append(positions[-1].play(cell))
        if positions[-1].winner is None:
            return positions


@dataclass(frozen=True)
class Stopped:
    """What it took from the word to stop until the engine was quiet, in seconds.

    By the clock, of a processor by us and by the engine.
    """

    clock: float
    ours: float
    theirs: float


def stops(engine: AttachedEngine, positions: Sequence[Position]) -> list[Stopped]:
    """Stop it fifty times in the middle of a search."""
    found = []
    for number in range(STOPS):
        said = False

        def hear(event: Event) -> None:
            nonlocal said
            said = said or isinstance(event, Answer)

        asked = engine.lane().ask(Examine(positions[number % len(positions)], again=True), hear)
        while not said:
            time.sleep(0.001)
        pid = engine.pid
        assert pid is not None
        theirs, ours, begun = processor_seconds(pid), time.process_time(), time.perf_counter()
        asked.stop()
        while engine.state != "ready":
            time.sleep(0.002)
        clock, own = time.perf_counter() - begun, time.process_time() - ours
        found.append(Stopped(clock, own, processor_seconds(pid) - theirs))
    return found


def processor_seconds(pid: int) -> float:
    """Return the seconds of a processor that a process has used, by Linux's clock of it."""
    return time.clock_gettime((~pid << 3) | 2)  # as clock_getcpuclockid(3) makes it


def told(name: str, seconds: Sequence[float]) -> str:
    """Return the median, the 95th of a hundred and the slowest, in milliseconds."""
    ordered = sorted(1000 * one for one in seconds)
    late = ordered[int(0.95 * len(ordered))]
    return f"{name}: {statistics.median(ordered):.1f} (95 %: {late:.1f}, slowest {ordered[-1]:.1f})"


def lags(engine: AttachedEngine, positions: Sequence[Position]) -> Counter[int]:
    """Return how many steps the engine was behind, each time just before the next step."""
    there_and_back = [*positions, *positions[-2:0:-1]]
    found: Counter[int] = Counter()
    for walk in range(WALKS):
        first = walk * STEPS
        rested = there_and_back[(first - 1) % len(there_and_back)]
        for _ in engine.lane().answers(Examine(rested, REST, again=True)):
            pass
        for step in range(first, first + STEPS):
            place = step % len(there_and_back)
            begun = time.perf_counter()
            question = Examine(there_and_back[place], again=True)
            asked = engine.lane().ask(question, lambda event: None)
            time.sleep(max(begun + 1 / PLIES_A_SECOND - time.perf_counter(), 0))
            found[behind(engine.at, place, there_and_back)] += 1
            asked.stop()
    return found


def behind(at: Position | None, place: int, positions: Sequence[Position]) -> int:
    """Return how many steps ago the position was shown at which an engine works.

    One that is on its way from one to the next counts as a step behind.
    """
    steps = 0 if at is not None else 1
    while at is not None and positions[(place - steps) % len(positions)] != at:
        steps += 1
    return steps


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?", help="an engine of the settings file")
    parser.add_argument("--size", type=int, default=11, help="rows and columns (default: 11)")
    options = parser.parse_args()
    chosen = configured_engines(config_file())[options.name] if options.name else config("plain")
    positions = game(Board(options.size, options.size))
    engine = AttachedEngine(chosen)
    try:
        quiet = stops(engine, positions)
        print(f"from the word to stop until it is quiet, {STOPS} times, in ms:")
        print(told("  by the clock", [one.clock for one in quiet]))
        print(told("  processor, ours", [one.ours for one in quiet]))
        print(told("  processor, the engine's", [one.theirs for one in quiet]))
        late_by = sorted(lags(engine, positions).items())
        steps_behind = ", ".join(f"{count} times {steps}" for steps, count in late_by)
        print(f"steps behind, at {PLIES_A_SECOND:g} a second: {steps_behind}")
    finally:
        engine.close()


if __name__ == "__main__":
    main()
