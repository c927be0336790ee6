"""All real games of the folder HEXTUI_TEST_DATA: stepping, connections, rankings, no error."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from hextui.analysis.stages import analyse
from hextui.engine.evaluators import Workbench, evaluator
from hextui.records.formats import BrokenGame, read_collection
from hextui.records.record import Record

DATA = os.environ.get("HEXTUI_TEST_DATA")
EVALUATORS = ("k-paths:1", "shortest-path", "contribution-both:1", "resistance", "two-distance")


def games() -> Iterator[Record]:
    assert DATA is not None
    for name in ("human_11x11.jsonl", "human_13x13.jsonl"):
        for game in read_collection(Path(DATA) / name):
            assert not isinstance(game, BrokenGame), game
            yield game


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="HEXTUI_TEST_DATA is not set")
def test_every_game_is_stepped_through_and_analysed() -> None:
    rng = random.Random(7)
    chosen = [evaluator(name) for name in EVALUATORS]
    bench: Workbench | None = None
    count = networks = inexact = 0
    for record in games():
        count += 1
        line = record.main_line()
        positions = [record.position(node) for node in line]
        assert positions[-1].board == record.board
        if bench is None or bench.board != record.board:
            bench = Workbench(record.board)
        for position in rng.sample(positions, 2):
            *_, last = analyse(bench, position, chosen)
            assert last.final
            assert last.error is None
            assert set(last.rankings) == set(EVALUATORS)
            for table in last.connections.values():
                assert table.complete
            for ranking in last.rankings.values():
                assert len(ranking.moves) == len(position.empties)
            networks += 2
            inexact += sum(not all(c.exact_levels[:2]) for c in last.paths.values())
    assert count == 3000
    assert inexact <= networks / 1000
