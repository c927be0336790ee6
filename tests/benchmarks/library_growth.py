"""How import time, file size and memory grow with the library, and what answers cost at the end.

``python -m tests.benchmarks.library_growth GAMES FOLDER [SECONDS]`` imports generated games (the
same ones each time) into FOLDER/library.sqlite, for SECONDS at most; run again it goes on.
"""

import random
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library.answers import Imported
from hextui.library.filters import Filter, read_filter
from hextui.library.library import Library
from hextui.records.formats import read_record
from tests.library.generated import write_games

BOARD = Board(13, 13)
PLAYERS = 10_000


def main(games: int, folder: Path, seconds: float) -> None:
    """Import, then explore."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "games.jsonl"
    if not source.exists():
        write_games(source, games, BOARD, seed=1, players=PLAYERS)
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
        empty = Position.empty(BOARD)
        _report("explore", [partial(library.explore, position) for position in positions])
        asked: dict[str, Callable[[], object]] = {
            "the empty board": partial(library.explore, empty),
            "the empty board, games of a date": partial(library.explore, empty, Filter(date="2")),
            "the empty board, games of a player": partial(
                library.explore, empty, Filter(player="bo")
            ),
            "a word": partial(library.count, Filter(words="ann")),
            "a player": partial(library.count, Filter(player="ann")),
            "a player and an opponent": partial(library.count, Filter(player="bo", opponent="ka")),
            "games that were swapped": partial(library.count, Filter(swap=True)),
            "a range of ratings": partial(library.count, read_filter("rating=1800..")),
            "the first hundred games of a word": partial(
                library.games, Filter(words="won"), limit=100
            ),
            "the latest hundred games": partial(
                library.games, order="date", descending=True, limit=100
            ),
            "contradictions": partial(library.count, Filter(contradicting=True)),
            "all players": library.players,
        }
        for name, question in asked.items():
            _report(name, [question] * 5)


def _report(name: str, questions: Sequence[Callable[[], object]]) -> None:
    """Print what questions cost."""
    for kind, clock in (("all", time.perf_counter), ("processor", time.thread_time)):
        costs = []
        for question in questions:
            begin = clock()
            question()
            costs.append((clock() - begin) * 1e3)
        costs.sort()
        median, p95, p99 = (costs[len(costs) * share // 100] for share in (50, 95, 99))
        print(
            f"{name}, {kind} time: median {median:.2f} ms, p95 {p95:.2f} ms, p99 {p99:.2f} ms",
            flush=True,
        )


if __name__ == "__main__":
    limit = float(sys.argv[3]) if len(sys.argv) > 3 else float("inf")
    main(int(sys.argv[1]), Path(sys.argv[2]), limit)
