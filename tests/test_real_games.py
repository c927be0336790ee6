"""All real games of the folder HEXTUI_TEST_DATA: stepping, connections, rankings, no error."""

import multiprocessing
import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from hextui.engine.board import Color
from hextui.engine.evaluators.workbench import bench_at
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Analyse
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.records.record_text import RecordError

DATA = os.environ.get("HEXTUI_TEST_DATA")
EVALUATORS = ("k-paths:1", "shortest-path", "contribution-both:1", "resistance", "two-distance")
PLIES = 2  # of each game are analysed
SHARES = 30
GAMES = {"human_11x11.jsonl": 1000, "human_13x13.jsonl": 2000}


@dataclass(frozen=True)
class Tally:
    """What a share of the games came to."""

    games: int
    networks: int
    inexact: int


def games(file: str) -> Iterator[Record]:
    assert DATA is not None
    for game in read_collection(Path(DATA) / file):
        assert not isinstance(game, RecordError), game
        yield game


def step_through_and_analyse(file: str, share: int) -> Tally:
    """Every 30th game of a file, the first of them number ``share``."""
    rng = random.Random(share)
    answerer = OwnAnswerer()
    count = inexact = 0
    for record in islice(games(file), share, None, SHARES):
        count += 1
        positions = [record.position(node) for node in record.main_line()]
        assert positions[-1].board == record.board
        for position in rng.sample(positions, PLIES):
            *_, last = answerer.answers(Analyse(position, EVALUATORS))
            bench = bench_at(position)
            assert last.final
            assert last.error is None
            assert set(last.rankings) == set(EVALUATORS)
            assert all(counts.complete for counts in last.connections.values())
            for ranking in last.rankings.values():
                assert len(ranking.moves) == len(position.empties)
            inexact += sum(not all(bench.paths(c).exact_levels[:2]) for c in Color)
    return Tally(count, 2 * PLIES * count, inexact)


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="HEXTUI_TEST_DATA is not set")
@pytest.mark.parametrize("file", GAMES)
def test_every_game_is_stepped_through_and_analysed(file: str) -> None:
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=fresh) as pool:
        tallies = list(pool.map(step_through_and_analyse, [file] * SHARES, range(SHARES)))
    for tally in tallies:
        print(tally)
    assert sum(tally.games for tally in tallies) == GAMES[file]
    assert sum(tally.inexact for tally in tallies) <= sum(t.networks for t in tallies) / 1000
