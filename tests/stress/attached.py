"""Somebody walks through games for long while other engines think beside ours.

    python -m tests.stress.attached NAME... [--minutes M] [--games FILE] [--seed S]

NAME is an engine of the settings file; several think at once. Steps are thirty a second, with rests
by chance in which the engines answer. Wrong is an answer shown at a position it cannot be of: a
move or a line on a cell that has a stone, or twice on one. Counted are the questions, answers,
problems and programs that died; the memory is told ten times.
"""

import argparse
import queue
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hextui.analysis.analyst import Analyst
from hextui.engine.position import Position
from hextui.engines.attached_engine import AttachedEngine
from hextui.engines.process import EngineProcess
from hextui.engines.registry import AttachedEngines
from hextui.engines.snapshot import SearchReport, Snapshot
from hextui.locations import config_file, state_folder
from hextui.records.formats import read_collection, source_of_argument
from hextui.records.record import Record
from hextui.settings.engine_config import AttachedConfig
from hextui.settings.engine_tables import configured_engines
from tests.processes import memory_of

SAMPLE = Path(__file__).parents[2] / "hextui/samples/sample.sgf"
STEPS = (1, 1, 1, 1, -1, -1, 2, -3, 10)
RESTS = (1 / 30, 1 / 30, 1 / 30, 1 / 30, 0.1, 0.3, 2.5)
"""Seconds at a position."""


@dataclass
class Walk:
    """What came of a walk. ``waits``: seconds to the first answer where there was a rest.

    ``answered``: the engines that have answered at all.
    """

    asked: int = 0
    answered: set[str] = field(default_factory=set)
    answers: int = 0
    wrong: list[str] = field(default_factory=list)
    problems: dict[str, int] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)

    def told(self) -> str:
        """Return it in a few lines."""
        waits = sorted(self.waits) or [0.0]
        late = waits[int(0.95 * len(waits))]
        lines = [
            f"{self.asked:,} positions asked, {self.answers:,} answers shown, "
            f"{len(self.wrong)} wrong; first answer after {waits[len(waits) // 2]:.2f} s (median), "
            f"{late:.2f} s (95%)",
            *(f"{count} times: {problem}" for problem, count in self.problems.items()),
            *self.wrong[:5],
        ]
        return "\n".join(lines)


class Walker:
    """Somebody at the screen, who has attached engines rank moves, and the first judge lines."""

    def __init__(self, configs: Sequence[AttachedConfig]) -> None:
        self._heard: queue.SimpleQueue[Snapshot] = queue.SimpleQueue()
        self._own = EngineProcess(state_folder() / "engine.log")
        self._engines = AttachedEngines({config.name: config for config in configs})
        names = self._engines.evaluators
        self._live = Analyst(
            self._heard.put, self._own.lane, names, names[0], engines=self._engines
        )
        self.walk = Walk()

    @property
    def engines(self) -> Sequence[AttachedEngine]:
        """The engines."""
        return [self._engines.engine(config.name) for config in self._engines.configs]

    def rest_at(self, position: Position, seconds: float) -> None:
        """Look at a position for some seconds, at what is shown of it."""
        self._live.look_at(position)
        self.walk.asked += 1
        begun = time.monotonic()
        first = None
        while (left := begun + seconds - time.monotonic()) > 0:
            with suppress(queue.Empty):
                if self._live.take(self._heard.get(timeout=left)) and self._look(position):
                    first = first or time.monotonic() - begun
        if first is not None:
            self.walk.waits.append(first)

    def _look(self, position: Position) -> bool:
        """Judge what is shown now; tell whether there is an answer."""
        snapshot = self._live.of(position)
        assert snapshot is not None, "it has just been taken"
        for problem in snapshot.problems.values():
            self.walk.problems[problem] = self.walk.problems.get(problem, 0) + 1
        for found in snapshot.reports.values():
            self.walk.answers += 1
            self.walk.answered.add(found.engine)
            if problem := strange(found, position):
                self.walk.wrong.append(f"{position!r}: {problem}")
        return bool(snapshot.reports)

    def close(self) -> None:
        """End the engines."""
        self._live.close()
        self._engines.close()
        self._own.close()


def strange(found: SearchReport, position: Position) -> str:
    """Return why an answer cannot be of a position, '' if it can."""
    for move in found.moves:
        if any(position.stones[cell] for cell in move.line.numbers):
            return f"a stone is on {move.line}"
        if len(set(move.line)) < len(move.line):
            return f"a cell is twice in {move.line}"
    return "" if found.position == position else "it is of another position"


def walks(games: Sequence[Sequence[Position]], rng: random.Random) -> Iterator[Position]:
    """Yield the positions that somebody looks at, one after the other, without end."""
    while True:
        positions, at = rng.choice(games), 0
        for _ in range(rng.randint(5, 60)):
            at = min(max(at + rng.choice(STEPS), 0), len(positions) - 1)
            yield positions[at]


def positions_of(record: Record) -> list[Position]:
    """Return the positions of a record's main line."""
    return [record.position(node) for node in record.main_line()]


def memory(walker: Walker) -> str:
    """Return the resident memory of this program and of the engines, in words."""
    engines = [
        f", {engine.name} {memory_of(session.process.pid):.0f} MiB"
        for engine in walker.engines
        if (session := engine._session)
    ]
    return f"here {memory_of():.0f} MiB{''.join(engines)}"


def main() -> int:
    """Walk, and print what came of it; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="+", metavar="NAME", help="an engine of the settings file")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--games", default=str(SAMPLE), help="records to walk through")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    records = read_collection(source_of_argument(options.games))
    games = [positions_of(record) for record in records if isinstance(record, Record)]
    rng = random.Random(options.seed)
    deaths: list[str] = []
    known = configured_engines(config_file())
    walker = Walker([known[name] for name in options.names])
    for engine in walker.engines:
        engine.on_death = deaths.append
    begun = time.monotonic()
    tells = 1
    try:
        for position in walks(games, rng):
            if (minutes := (time.monotonic() - begun) / 60) >= options.minutes:
                break
            walker.rest_at(position, rng.choice(RESTS))
            if minutes >= tells * options.minutes / 10:
                tells += 1
                print(
                    f"{minutes:.0f} min: {walker.walk.asked:,} asked, {memory(walker)}", flush=True
                )
        print(f"at the end: {memory(walker)}")
    finally:
        walker.close()
    print(walker.walk.told())
    print(f"{len(deaths)} programs died{''.join(f'; {line}' for line in deaths[:5])}")
    return 1 if walker.walk.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
