"""Q by competition and by mid rank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.ranking import qualities, rank_by_value
from tests.studies.games import places


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.booleans())
def test_against_the_definition(values, lowest_first):
    ranking = rank_by_value("test", dict(enumerate(values)), lowest_first=lowest_first)
    signed = {cell: -value if lowest_first else value for cell, value in enumerate(values)}
    placed = qualities(ranking)
    found = [placed[cell] for cell in signed]
    for cell, each in enumerate(found):
        assert (each.rank, each.mid_rank, each.q, each.mid_q) == pytest.approx(places(signed, cell))
    # however many tie, mid ranks add up to 1 + ... + n
    assert sum(each.mid_rank for each in found) == len(values) * (len(values) + 1) / 2


def test_the_only_move():
    (found,) = qualities(rank_by_value("test", {7: 0.0})).values()
    assert found.q == found.mid_q == 1.0
