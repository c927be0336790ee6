"""The kinds of mistakes: what the proofs on both sides tell, and a threat that exhaustion shows."""

import pytest

from hextui.analysis import Verdict, VerdictKind
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.mistakes import MistakeKind, blunders, kind_of
from hextui.analysis.whole_game import analyse_game
from hextui.engine.board import Board, Color
from hextui.engine.connections import find_connections
from tests.analysis.test_proving import game
from tests.analysis.test_review_words import BLUE, RED, line

SOLVER, CONNECTION = VerdictKind.SOLVER, VerdictKind.CONNECTION


def kinds(verdicts: dict[int, tuple[Color, VerdictKind]]) -> list[MistakeKind]:
    plies, found = line(), Estimates()
    for ply, (color, kind) in verdicts.items():
        found.keep_verdict(plies[ply].position, Verdict(kind, color))
    told = blunders(plies, found)
    return [kind_of(mistake, told, found) for mistake in told]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (SOLVER, SOLVER, MistakeKind.OTHER),
        (CONNECTION, SOLVER, MistakeKind.MISSED_WIN),
        (SOLVER, CONNECTION, MistakeKind.MUST_PLAY),
        (CONNECTION, CONNECTION, MistakeKind.MISSED_WIN),
    ],
)
def test_the_proofs_tell_the_kind(
    before: VerdictKind, after: VerdictKind, kind: MistakeKind
) -> None:
    assert kinds({2: (RED, before), 3: (BLUE, after)}) == [kind]


def test_a_win_may_be_given_back_at_once() -> None:
    told = kinds({2: (RED, SOLVER), 3: (BLUE, SOLVER), 4: (RED, SOLVER)})
    assert told == [MistakeKind.OTHER, MistakeKind.GIVEN_BACK]


def test_of_several_moves_the_kind_is_open() -> None:
    assert kinds({2: (RED, SOLVER), 5: (BLUE, CONNECTION)}) == [MistakeKind.SEVERAL]


def test_a_threat_that_was_not_met_was_there_and_the_move_outside_of_it() -> None:
    seen = 0
    for seed in range(3):
        plies, found = (
            game_positions(record := game(Board(5, 5), seed), record.main_line()),
            Estimates(),
        )
        list(analyse_game(plies, [], found, solve_seconds=100.0))
        told = blunders(plies, found)
        for mistake in told:
            if kind_of(mistake, told, found) is not MistakeKind.MUST_PLAY:
                continue
            position, other = mistake.before.position, mistake.color.opponent
            threats = [c.carrier for c in find_connections(position, other).edge_semis]
            if threats:  # else it is one that the search of connections finds after the move only
                assert any(mistake.moves[0].cell not in carrier for carrier in threats)
                seen += 1
    assert seen
