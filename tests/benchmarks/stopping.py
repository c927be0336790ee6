"""How soon the engine is quiet once it is told to stop, wherever it is in an analysis.

    python -m tests.benchmarks.stopping GAMES --size 13 --count 4

GAMES is a file as for ``python -m research.training``. Positions at the start, at a third and at
two thirds of games are analysed to the end. The engine can only stop where it asks whether to stop;
the processor time between two such questions is measured, and what follows from it for a stop at
a random moment. The first position is not counted: there kernels are loaded. On a larger board
than that of a game its stones lie in the middle.
"""

import argparse
import gc
import random
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.limits import SolverBudget
from hextui.engines.questions import Analyse
from research.training.data import TrainingGame, read_games

PARTS = (0.0, 0.3, 0.6)
ALLOWED = 0.05
BUDGET = SolverBudget(seconds=3)
SHOWN = 8


@dataclass(frozen=True)
class Gap:
    """Processor time without a look at the stop, and the calls that ask before and after."""

    seconds: float
    before: str
    after: str


class Watch:
    """Is asked whether to stop, never says so, and notes what passed between two questions."""

    def __init__(self) -> None:
        self.gaps: list[Gap] = []
        self._place, self._last = "start", time.thread_time()

    def __call__(self) -> bool:
        seconds, place = time.thread_time() - self._last, _asker()
        self.gaps.append(Gap(seconds, self._place, place))
        self._place, self._last = place, time.thread_time()
        return False


def _asker() -> str:
    """Return the line that asks, and the one that called it."""
    asker, caller = traceback.extract_stack(limit=4)[1::-1]
    return " < ".join(f"{Path(one.filename).stem}:{one.lineno}" for one in (asker, caller))


def positions(games: list[TrainingGame], side: int) -> Iterator[Position]:
    """Yield the positions that are analysed, on a board of so many rows."""
    for game in games:
        found = [position for position, _ in game.plies() if position.winner is None]
        for part in PARTS:
            yield _on(found[int(len(found) * part)], side)


def _on(position: Position, side: int) -> Position:
    """Return a position with its stones in the middle of a larger board."""
    board, old = Board(side, side), position.board
    stones, beside = bytearray(board.cells), (side - old.rows) // 2
    for cell, stone in enumerate(position.stones):
        row, column = divmod(cell, old.columns)
        stones[(row + beside) * side + column + beside] = stone
    return Position(board, bytes(stones), position.to_move)


def tell(gaps: list[Gap]) -> None:
    """Print what a stop at a random moment meets, and the longest gaps."""
    seconds = np.sort([gap.seconds for gap in gaps])
    moments = np.cumsum(seconds) / seconds.sum()
    # a stop falls into a gap by its length, and waits for a random part of it
    rng = np.random.default_rng(0)
    waits = seconds[np.searchsorted(moments, rng.random(100_000))] * rng.random(100_000)
    shares = np.percentile(waits, (50, 95, 99)) * 1e3
    late = float(np.mean(waits > ALLOWED))
    print(f"{len(gaps)} looks at the stop in {seconds.sum():.1f} s of processor")
    print("stop to quiet: {:.0f} ms half the time, {:.0f} of 95, {:.0f} of 99 %".format(*shares))
    print(f"over {ALLOWED * 1e3:.0f} ms: {late:.2%}; longest gap {seconds[-1] * 1e3:.0f} ms")
    for gap in sorted(gaps, key=lambda gap: -gap.seconds)[:SHOWN]:
        print(f"{gap.seconds * 1e3:6.0f} ms  {gap.before}  ->  {gap.after}")


def main() -> None:
    """Print what a stop meets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--evaluators", nargs="*", default=["resistance", "network", "search"])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = [game for game in read_games([options.games]) if game.board.rows <= options.size]
    games = random.Random(options.seed).sample(found, options.count)
    answerer, names, gaps = OwnAnswerer(), tuple(options.evaluators), list[Gap]()
    for number, position in enumerate(positions(games, options.size)):
        watch = Watch()
        question = Analyse(position, names, lines_by="search", budget=BUDGET)
        for _ in answerer.answers(question, watch):
            watch()  # so does the engine's process after each answer
        gaps += watch.gaps if number else []
        gc.freeze()  # so does the engine's process, once a board
    answerer.close()
    tell(gaps)


if __name__ == "__main__":
    main()
