"""Agreement of evaluators: by hand, against ranks worked out anew, and its limits."""

import random
from collections.abc import Iterable
from statistics import correlation as pearson

import pytest

from hextui.analysis.comparison import MOST_DIFFERENT, agreements, differences
from hextui.engine.ranking import Ranking, rank_by_value


def test_by_hand() -> None:
    rankings = {
        "a": rank_by_value("a", dict(enumerate([9.0, 8, 7, 6, 5, 4, 3]))),
        "b": rank_by_value("b", dict(enumerate([3.0, 4, 5, 6, 7, 8, 9]))),
        "c": rank_by_value("c", dict(enumerate([9.0, 8, 7, 6, 5, 3, 4]))),
    }
    found = {(x.first, x.second): x for x in agreements(rankings)}
    assert found["a", "b"].correlation == pytest.approx(-1)
    assert (found["a", "b"].shared, found["a", "b"].best) == (3, 5)
    # one exchange of neighbours: 1 - 6 * 2 / (7 * 48)
    assert found["a", "c"].correlation == pytest.approx(1 - 12 / 336)
    assert found["a", "c"].shared == 5
    ordered = [x.correlation for x in agreements(rankings) if x.correlation is not None]
    assert ordered == sorted(ordered)


@pytest.mark.parametrize("seed", range(20))
def test_against_ranks_worked_out_anew(seed: int) -> None:
    rng = random.Random(seed)
    values = [{cell: float(rng.randrange(6)) for cell in range(15)} for _ in range(2)]
    rankings = {str(i): rank_by_value(str(i), v) for i, v in enumerate(values)}
    places = [
        [sum(w > v[c] for w in v.values()) + sum(w == v[c] for w in v.values()) / 2 for c in v]
        for v in values
    ]
    (found,) = agreements(rankings)
    assert found.correlation == pytest.approx(pearson(*places))


def test_what_does_not_vary_has_no_correlation() -> None:
    same = rank_by_value("a", dict.fromkeys(range(4), 1.0))
    other = rank_by_value("b", {0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0})
    (found,) = agreements({"a": same, "b": other})
    assert found.correlation is None
    assert (found.shared, found.best) == (4, 4)


def test_moves_that_are_not_ranked_yet_do_not_count() -> None:
    for ranked_by_both, expected in ((5, pytest.approx(1)), (4, None)):
        values = {cell: float(-cell) for cell in range(ranked_by_both)}
        part = rank_by_value("a", values, final=False)
        whole = rank_by_value("b", values | {9: 9.0})
        (found,) = agreements({"a": part, "b": whole})
        assert found.correlation == expected


def ranked(best_first: Iterable[int]) -> Ranking:
    return rank_by_value("x", {cell: float(-place) for place, cell in enumerate(best_first)})


def test_differences_are_of_mid_ranks_of_moves_that_all_rank_and_one_has_among_its_best() -> None:
    order = list(range(30))
    first = ranked(order)
    assert differences([first]) == []
    assert differences([first, first]) == []
    second = ranked([29, *order[:29]])
    found = differences([first, second])
    assert (found[0].cell, found[0].ranks) == (29, (30, 1))
    assert len(found) == MOST_DIFFERENT
    assert all(one.spread == 1 for one in found[1:])
    alike = rank_by_value("alike", dict.fromkeys(order, 1.0))
    assert [one.cell for one in differences([first, alike])] == [0, 1, 2, 3, 4, 5]
    partly = ranked([3, 2])
    assert {one.cell for one in differences([first, partly])} == {2, 3}
    late = ranked([*order[:20], *reversed(order[20:])])
    assert differences([first, late]) == []
