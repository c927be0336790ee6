"""How soon an attached engine is quiet, and how far it is behind somebody who steps fast.

    python -m tests.benchmarks.attached_stepping          # the engine of the tests
    python -m tests.benchmarks.attached_stepping katahex  # an engine of the settings file

First it is stopped in the middle of its search, fifty times. Then a game is stepped through at
thirty plies a second, to its end and back, for twenty seconds.
"""

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engines.attached.attached_engine import AttachedEngine
from hextui.engines.attached.examining import Examine
from hextui.engines.engine import Answer, Event
from hextui.locations import config_file
from hextui.settings.engine_tables import configured_engines
from tests.engines.attached.trickster import config

STOPS, STEPS, PLIES_A_SECOND = 50, 600, 30.0
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


def stop_seconds(engine: AttachedEngine, positions: Sequence[Position]) -> list[float]:
    """Return how long it took each time from the word to stop until the engine was quiet."""
    found = []
    for number in range(STOPS):
        said = False

        def hear(event: Event) -> None:
            nonlocal said
            said = said or isinstance(event, Answer)

        asked = engine.lane().ask(Examine(positions[number % len(positions)], again=True), hear)
        while not said:
            time.sleep(0.001)
        begun = time.perf_counter()
        asked.stop()
        while engine.state != "ready":
            time.sleep(0.0005)
        found.append(time.perf_counter() - begun)
    return found


def lags(engine: AttachedEngine, positions: Sequence[Position]) -> Counter[int]:
    """Return how many steps the engine was behind, each time just before the next step."""
    there_and_back = [*positions, *positions[-2:0:-1]]
    found: Counter[int] = Counter()
    asked = None
    for step in range(STEPS):
        place = step % len(there_and_back)
        begun = time.perf_counter()
        if asked is not None:
            asked.stop()
        question = Examine(there_and_back[place], again=True)
        asked = engine.lane().ask(question, lambda event: None)
        time.sleep(max(begun + 1 / PLIES_A_SECOND - time.perf_counter(), 0))
        at = engine._at
        behind = 0
        while (
            at is not None and there_and_back[(place - behind) % len(there_and_back)] != at.position
        ):
            behind += 1
        found[behind if at is not None else 1] += 1
    if asked is not None:
        asked.stop()
    return found


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
        seconds = sorted(stop_seconds(engine, positions))
        late = seconds[int(0.95 * len(seconds))]
        print(
            f"quiet after {1000 * statistics.median(seconds):.1f} ms (median), "
            f"{1000 * late:.1f} ms (95 %), {1000 * seconds[-1]:.1f} ms (slowest of {STOPS})"
        )
        late_by = sorted(lags(engine, positions).items())
        told = ", ".join(f"{count} times {steps}" for steps, count in late_by)
        print(f"steps behind, at {PLIES_A_SECOND:g} a second: {told}")
    finally:
        engine.close()


if __name__ == "__main__":
    main()
