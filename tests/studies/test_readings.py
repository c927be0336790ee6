"""Readings of the paper (https://hdl.handle.net/2115/51049), alone and combined."""

import random
from itertools import combinations

import pytest

from hextui.engine.board import Board
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.studies.readings import BY_NAME, READINGS, chosen_readings, reading_named
from tests.engine.positions import played

DISAGREE = {
    *combinations(("or-2", "or-3", "or-4"), 2),
    *combinations(("short-lists", "long-lists"), 2),
    ("last", "random"),
}


def test_every_pair_combines_unless_it_disagrees() -> None:
    for one, other in combinations([reading.name for reading in READINGS[1:]], 2):
        if (one, other) in DISAGREE:
            with pytest.raises(ValueError, match=f"{one} and {other} disagree on"):
                reading_named(f"{one},{other}")
            continue
        both = reading_named(f"{other},{one}")
        assert both == reading_named(f"{one},{other}")
        assert both.name == f"{one},{other}"
        parts = BY_NAME[one], BY_NAME[other]
        assert both.affects_games == any(part.affects_games for part in parts)
        assert both.affects_rankings == any(part.affects_rankings for part in parts)
        for name in (both.e, both.e_k(1), both.with_options("contribution-own:1")):
            assert evaluator(name).name
        for part in parts:
            default = ConnectionSettings()
            for field, value in vars(part.connections).items():
                if value != vars(default)[field]:
                    assert vars(both.connections)[field] == value


def test_a_combination_ranks_by_all_its_options() -> None:
    both = reading_named("or-2,carriers,disjoint")
    settings = ConnectionSettings(or_size=2)
    assert both.connections == settings
    position = played(Board(5, 5), random.Random(3), 6)
    *_, found = evaluator(both.with_options("contribution-both:1")).rank(
        bench_at(position, both.connections)
    )
    bench, mover = bench_at(position, settings), position.to_move
    counts = [
        bench.paths(color, k=2, carriers=True, disjoint=True) for color in (mover, mover.opponent)
    ]
    for move in found.moves:
        expected = sum(each.contribution[1, move.cell] for each in counts)
        assert move.value == pytest.approx(expected)


def test_readings_are_chosen_once_and_by_what_a_study_can_tell_apart() -> None:
    names = [reading.name for reading in chosen_readings(["all", "or-2,carriers", "raw"], READINGS)]
    assert names == [*BY_NAME, "carriers,or-2"]
    playing = [reading for reading in READINGS if reading.affects_games]
    with pytest.raises(ValueError, match="no reading 'carriers'; choose from all, default"):
        chosen_readings(["or-2,carriers"], playing)
    with pytest.raises(ValueError, match="no reading 'nobody'"):
        reading_named("or-2,nobody")
    assert reading_named("default,or-2") == BY_NAME["or-2"]
