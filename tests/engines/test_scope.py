"""The live analysis of some moves only: lines and the tree search keep to them, proofs do not."""

import pytest

from hextui.analysis.analyst import keep_proofs
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.engine.ranking import rank_by_value
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope, scope_of
from hextui.engine.verdicts import Verdicts
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.limits import SolverBudget
from hextui.engines.questions import Analyse
from hextui.engines.snapshot import Snapshot

BOARD = Board(5, 5)
START = Position.empty(BOARD).play("c3")
SEARCH = "search:nodes=60"
SETTINGS = LineSettings(widths=(4, 3, 0))
REGION = scope_of(BOARD, region="a1:c2, d4")
BOTH = scope_of(BOARD, avoid="a1", region="a1:c2, d4")
FIRST = scope_of(BOARD, avoid="b2", allow="b2 d2 b4")


def asked(scope: MoveScope, lines_by: str = "resistance") -> Analyse:
    return Analyse(START, ("resistance", SEARCH), lines_by, SETTINGS, scope=scope)


def last(answerer: OwnAnswerer, question: Analyse) -> Snapshot:
    *_, found = answerer.answers(question)
    assert found.final
    return found


def expected(scope: MoveScope) -> list[tuple[int, ...]]:
    """Return the lines that minimax finds by itself, with nothing known before."""
    bench = Workbench(BOARD)
    bench.look_at(START)
    *_, found = find_lines(bench, evaluator("resistance"), SETTINGS, scope=scope)
    return [line.moves for line in found.lines]


@pytest.mark.parametrize("scope", [REGION, FIRST, BOTH])
def test_lines_and_the_tree_search_keep_to_the_scope(answerer, scope: MoveScope) -> None:
    found = last(answerer, asked(scope))
    assert found.lines is not None
    assert [line.moves for line in found.lines.lines] == expected(scope)
    searched = found.reports[SEARCH]
    allowed = {cell for cell in START.empties if scope.allows(cell, first=True)}
    assert {move.cell for move in searched.moves} == allowed
    for move in searched.moves:
        assert all(scope.allows(cell, first=False) for cell in move.line[1:])
    assert len(found.rankings["resistance"].moves) == len(START.empties)
    assert found.scope == scope


def test_another_scope_goes_on_from_the_rankings_and_ends_as_if_asked_first() -> None:
    walked, fresh = OwnAnswerer(), OwnAnswerer()
    for scope in (ALL_MOVES, REGION, FIRST, ALL_MOVES):
        question = asked(scope)
        first = next(iter(walked.answers(question)))
        if scope != ALL_MOVES:
            assert first.contribution  # what does not depend on the scope stays on the screen
            assert not first.reports
            assert SEARCH not in first.rankings
            assert first.lines is None
        mine, other = last(walked, question), last(fresh, asked(scope))
        assert mine.lines is not None
        assert other.lines is not None
        assert [line.moves for line in mine.lines.lines] == expected(scope)
        assert {m.cell for m in mine.reports[SEARCH].moves} == {
            m.cell for m in other.reports[SEARCH].moves
        }
    walked.close()
    fresh.close()


def test_what_is_kept_is_of_its_scope(answerer) -> None:
    everything, some = last(answerer, asked(ALL_MOVES)), last(answerer, asked(REGION))
    (again,) = answerer.answers(asked(REGION))
    assert (again.scope, again.lines) == (some.scope, some.lines)
    (whole,) = answerer.answers(asked(ALL_MOVES))
    assert (whole.scope, whole.lines) == (everything.scope, everything.lines)


def test_proofs_are_of_all_moves(answerer) -> None:
    position = START.play("d2")  # Red to move, who wins in the middle
    corner = scope_of(BOARD, region="e3:e5")
    budget = SolverBudget(seconds=60)
    found = last(answerer, Analyse(position, (SEARCH,), SEARCH, budget=budget, scope=corner))
    assert found.solution is not None
    assert found.solution.winner is Color.BLACK
    assert corner.region
    assert not corner.region & found.solution.winning_moves.keys()
    verdicts = Verdicts()
    keep_proofs(found, verdicts)
    assert verdicts.of(position).winner is Color.BLACK
    assert {move.cell for move in found.reports[SEARCH].moves} == corner.region


def test_a_ranking_of_some_moves_ranks_them_among_themselves() -> None:
    ranking = rank_by_value("resistance", {0: 3.0, 1: 2.0, 2: 2.0, 3: 1.0, 4: 0.5})
    among = ranking.among(lambda cell: cell != 0)
    assert [(move.cell, move.value, move.rank) for move in among.moves] == [
        (1, 2.0, 1),
        (2, 2.0, 1),
        (3, 1.0, 3),
        (4, 0.5, 4),
    ]
