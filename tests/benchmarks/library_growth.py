"""How import time, file size and memory grow with the library, and what answers cost at the end.

``python -m tests.benchmarks.library_growth GAMES FOLDER [SECONDS]`` imports generated games (the
same ones each time) into FOLDER/library.sqlite, for SECONDS at most; run again it goes on.
"""

import random
import resource
import sys
import time
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library.answers import Imported
from hextui.library.library import Library
from hextui.records.formats import read_record
from tests.library.generated import write_games

BOARD = Board(13, 13)


def main(games: int, folder: Path, seconds: float) -> None:
    """Import, then explore."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "games.jsonl"
    if not source.exists():
        write_games(source, games, BOARD, seed=1)
    begin = time.monotonic()
    seen, cpu = 0, time.process_time()

    def report(done: Imported) -> None:
        nonlocal seen, cpu
        if done.added - seen >= min(games // 40, max(done.added // 5, 1000)):
            now = time.process_time()
            size = library.path.stat().st_size / 2**20
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
            rate = (done.added - seen) / (now - cpu)
            print(
                f"{done.added} games after {now:.0f} s of CPU, "
                f"{time.monotonic() - begin:.0f} s in all, "
                f"{rate:.0f} a second of CPU, {size:.0f} MiB, "
                f"{memory:.0f} MiB of memory",
                flush=True,
            )
            seen, cpu = done.added, now

    with Library(folder / "library.sqlite") as library:
        library.import_paths([source], report, lambda: time.monotonic() - begin > seconds)
        print(library.stats(), flush=True)
    _explore(folder / "library.sqlite")


def _explore(path: Path) -> None:
    """Time answers; processor time of this thread too, because other programs may be running."""
    chance = random.Random(2)
    with Library(path) as library:
        last = library.games(limit=1, descending=True)[0].id
        positions = []
        for number in chance.sample(range(1, last + 1), min(200, last)):
            record = read_record(library.text(number) or "")
            nodes = record.main_line()
            positions.append(record.position(chance.choice(nodes[: len(nodes) // 2])))
        for name, clock in (("all", time.perf_counter), ("processor", time.thread_time)):
            costs = []
            for position in [*positions, Position.empty(BOARD)]:
                begin = clock()
                library.explore(position)
                costs.append((clock() - begin) * 1e3)
            root = costs.pop()
            costs.sort()
            print(
                f"answer, {name} time: median {costs[len(costs) // 2]:.2f} ms, p95 "
                f"{costs[len(costs) * 95 // 100]:.2f} ms, worst {costs[-1]:.2f} ms; "
                f"empty board {root:.2f} ms"
            )


if __name__ == "__main__":
    limit = float(sys.argv[3]) if len(sys.argv) > 3 else float("inf")
    main(int(sys.argv[1]), Path(sys.argv[2]), limit)
