"""The list of mistakes: the worst first, proved before judged, in words that fit."""

import pytest

from hextui.analysis.estimates import Estimate, Estimates, Wins
from hextui.analysis.review import PROVED, Severity, review_entries
from hextui.engine.ranking import Quality
from hextui.words.names import Names
from hextui.words.reviews import entry_move, entry_words
from tests.analysis.test_review_words import A2, B1, BLUE, RED, known, line


def judge(found: Estimates, **ranks: int) -> Estimates:
    """Place moves by ``some``, such as ``ply_3=9`` of ten."""
    for name, rank in ranks.items():
        here = line()[int(name[4:]) - 1]
        assert here.cell is not None
        quality = Quality(10, rank, float(rank))
        judged = Estimate(1.0, (B1,), {here.cell: quality}, True)
        found.keep(here.position, "some", judged)
    return found


def listed(found: Estimates) -> list[tuple[str, str, str]]:
    return [
        (entry_move(entry), entry.severity, entry.by)
        for entry in review_entries(line(), found, "some")
    ]


def test_the_proved_mistake_that_decided_comes_first() -> None:
    found = known({2: RED, 3: BLUE, 4: RED}, {2: Wins((B1, A2), True)})
    entries = review_entries(line(), found, "")
    assert [(entry_move(entry), entry.color, entry.severity) for entry in entries] == [
        ("4. c1", BLUE, Severity.BLUNDER),
        ("3. c2", RED, Severity.BLUNDER),
    ]
    assert {entry.by for entry in entries} == {PROVED}
    assert entry_words(entries[1], Names.RED_BLUE) == (
        "gives the win away; b1 or a2 won",
        "gives the win away; b1 won",
        "loses; b1 won",
        "gives the win away",
        "loses",
    )


def test_a_stretch_names_its_ends() -> None:
    (entry,) = review_entries(line(), known({2: RED, 5: BLUE}, {2: Wins((B1,))}), "")
    assert entry_move(entry) == "3. c2"
    assert entry_words(entry, Names.RED_BLUE) == (
        "or 5. d1 gives the win away; b1 won",
        "or 5. d1; b1 won",
        "or 5. d1 gives the win away",
        "or 5. d1",
    )


def test_judged_moves_follow_the_lowest_first() -> None:
    found = judge(known({2: RED, 3: BLUE}, {}), ply_2=4, ply_3=10, ply_1=10)
    assert listed(found) == [
        ("3. c2", Severity.BLUNDER, PROVED),
        ("2. b2", Severity.INACCURACY, "some"),
    ]
    low = judge(Estimates(), ply_3=9, ply_4=6, ply_5=3, ply_6=2)
    assert listed(low) == [
        ("3. c2", Severity.MISTAKE, "some"),
        ("4. c1", Severity.MISTAKE, "some"),
        ("5. d1", Severity.INACCURACY, "some"),
    ]


@pytest.mark.parametrize("winner", [RED, BLUE])
def test_what_changed_nothing_is_no_mistake_whoever_dislikes_it(winner: object) -> None:
    """Red moves third: proved to win after it as before, or lost before."""
    verdicts = {3: RED} if winner is RED else {2: BLUE}
    assert listed(judge(known(verdicts, {}), ply_3=10)) == []


def test_a_weak_first_move_that_may_be_swapped_is_right() -> None:
    assert listed(judge(Estimates(), ply_1=10)) == []
