"""The processor time of the first pass over games, which should be 2.4 s a game on 11x11.

python -m tests.benchmarks.first_pass GAMES [--games N] [--workers N]
"""

import argparse
import resource
import time
from contextlib import closing
from itertools import islice
from pathlib import Path

from hextui.analysis.review_run import ReviewBudget, ReviewRun
from hextui.analysis.stored_analysis import ReviewStore
from hextui.commands.report_games import FIRST_SECONDS
from hextui.engine.entry_file import MEMORY
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.runs.workers import processes


def main() -> None:
    """Review the first games of a file briefly, and print what that takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", type=Path)
    parser.add_argument("--games", dest="most", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    games = islice(read_collection(options.games), options.most)
    records = {n: game for n, game in enumerate(games) if isinstance(game, Record)}
    begun = time.monotonic()
    with closing(ReviewStore(MEMORY)) as store:
        budget = ReviewBudget((), FIRST_SECONDS)
        with processes(options.workers) as executor:
            reviews = ReviewRun(store, None).reviewed(records, budget, executor, options.workers)
            failed = sum(bool(game.failure) for _, game in reviews)
    wall = time.monotonic() - begun
    used = {}
    for name, who in (("workers", resource.RUSAGE_CHILDREN), ("own", resource.RUSAGE_SELF)):
        usage = resource.getrusage(who)
        used[name] = usage.ru_utime + usage.ru_stime
    print(f"{len(records)} games, {failed} failed: {wall:.0f} s with {options.workers} workers;")
    print(f"processor time: {used['workers']:.0f} s of workers, {used['own']:.0f} s of this one")


if __name__ == "__main__":
    main()
