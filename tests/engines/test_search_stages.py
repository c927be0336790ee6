"""The stages that search: lines, the tree search beside the rankings, both within a scope."""

import threading

import pytest

from hextui.analysis.analyst import keep_proofs
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.engine.ranking import rank_by_value
from hextui.engine.search.lines import Lines, LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope, scope_of
from hextui.engine.verdicts import Verdicts
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.limits import SolverBudget
from hextui.engines.questions import Analyse
from hextui.engines.snapshot import Snapshot

SETTINGS = LineSettings((4, 3, 0), 3)
BOARD = Board(5, 5)
START = Position.empty(BOARD).play("c3")
SEARCH = "search:visits=60"
REGION = scope_of(BOARD, region="a1:c2, d4")
BOTH = scope_of(BOARD, avoid="a1", region="a1:c2, d4")
FIRST = scope_of(BOARD, avoid="b2", allow="b2 d2 b4")


def found_by(
    name: str, position: Position, settings: LineSettings = SETTINGS, scope: MoveScope = ALL_MOVES
) -> Lines:
    """Return the lines that minimax finds by itself, with nothing known before."""
    *_, found = find_lines(bench_at(position), evaluator(name), settings, scope=scope)
    return found


# Lines


def with_lines(position: Position, by: str, evaluators: tuple[str, ...] = ()) -> list[Snapshot]:
    """Return the snapshots of an analysis without the solver that finds lines."""
    return list(OwnAnswerer().answers(Analyse(position, evaluators, by, SETTINGS)))


def test_lines_follow_the_rankings() -> None:
    position = Position.empty(Board(7, 7)).play(0)
    snapshots = with_lines(position, "blocking", ("resistance",))
    ranked = [s.rankings["resistance"].final for s in snapshots if s.lines]
    assert ranked
    assert all(ranked)
    last = snapshots[-1]
    assert last.final
    assert last.lines == found_by("blocking", position)


def test_a_name_can_ask_for_the_literal_search() -> None:
    position = Position.empty(Board(3, 3))
    for by, winner in (("blocking", Color.BLACK), ("blocking/literal", None)):
        *_, last = with_lines(position, by)
        assert last.lines is not None
        assert last.lines.evaluator == "blocking"
        assert last.lines.winner is winner
        assert last.lines.settings.literal is (winner is None)


def test_the_solver_in_front_shows_a_win(answerer: OwnAnswerer) -> None:
    board = Board(7, 7)
    position = Position.empty(board).play(board.cell("d4")).play(board.cell("c5"))
    for budget, winner in ((None, None), (SolverBudget(0.01), Color.BLACK)):
        question = Analyse(position, ("resistance",), "resistance", SETTINGS, budget)
        *_, last = answerer.answers(question)
        assert last.lines is not None
        assert last.lines.winner is winner
        assert last.lines.lines[0].winner is winner


def test_the_minimax_beside_a_search_comes_before_the_solver(answerer: OwnAnswerer) -> None:
    board = Board(7, 7)
    position = Position.empty(board).play(board.cell("d4")).play(board.cell("c5"))
    question = Analyse(
        position,
        (SEARCH,),
        lines_by=SEARCH,
        lines=SETTINGS,
        budget=SolverBudget(0.01),
        minimax_by="resistance",
    )
    snapshots = list(answerer.answers(question))
    first = next(s for s in snapshots if s.lines is not None)
    assert first.solution is None
    assert first.lines is not None
    assert not first.lines.final
    depths = [s.lines.depth for s in snapshots if s.lines]
    assert depths == sorted(depths)
    last = snapshots[-1]
    assert SEARCH in last.reports
    assert last.lines is not None
    assert last.lines.final
    assert last.lines.winner is Color.BLACK  # which the solver knows
    alone = Analyse(position, (), lines_by="resistance", lines=SETTINGS, budget=SolverBudget(0.01))
    *_, same = answerer.answers(alone)
    assert same.lines is not None
    assert same.lines.lines[0] == last.lines.lines[0]  # others may be proved in time or not


def test_a_name_that_is_none_is_said_and_the_analysis_goes_on() -> None:
    position = Position.empty(Board(3, 3))
    *_, told, last, final = with_lines(position, "nobody")
    assert told.error is not None
    assert "nobody" in told.error
    assert last.error is None
    assert final.final
    assert final.error is None


def asked(position: Position, evaluators: tuple[str, ...] = ("resistance",), by: str = "blocking"):
    return Analyse(position, evaluators, by, SETTINGS)


def test_another_evaluator_of_lines_keeps_what_else_is_known(answerer: OwnAnswerer) -> None:
    position = Position.empty(Board(6, 6)).play(0)
    *_, first = answerer.answers(asked(position))
    again = list(answerer.answers(asked(position, by="shortest-path")))
    assert all(s.rankings["resistance"] is first.rankings["resistance"] for s in again)
    assert again[0].lines is None
    assert first.lines is not None
    assert again[-1].lines is not None
    assert (first.lines.evaluator, again[-1].lines.evaluator) == ("blocking", "shortest-path")
    (back,) = answerer.answers(asked(position))
    assert back.lines == first.lines


def test_other_evaluators_rank_anew(answerer: OwnAnswerer) -> None:
    position = Position.empty(Board(5, 5)).play(0)
    list(answerer.answers(asked(position)))
    *_, last = answerer.answers(asked(position, ("two-distance",)))
    assert list(last.rankings) == ["two-distance"]
    assert last.lines is not None


def test_a_stop_ends_a_long_search_for_lines(answerer: OwnAnswerer) -> None:
    position, lines = Position.empty(Board(11, 11)), LineSettings((30, 30, 30, 30, 0))
    question = Analyse(position, ("resistance",), "k-paths:1", lines)
    stop = threading.Event()
    for snapshot in answerer.answers(question, stop.is_set):
        if snapshot.lines:
            threading.Timer(0.2, stop.set).start()
            break
    # the search would take hours
    assert not any(snapshot.final for snapshot in answerer.answers(question, stop.is_set))


def test_what_is_kept_is_bounded(answerer: OwnAnswerer, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(4, 4)
    questions = [asked(Position.empty(board).play(cell)) for cell in range(6)]
    list(answerer.answers(questions[0]))
    (size,) = map(len, answerer._cache.values())
    monkeypatch.setattr("hextui.engines.answerer.CACHED_BYTES", 3 * size)
    for question in questions:
        list(answerer.answers(question))
    assert len(answerer._cache) < len(questions)
    assert len(list(answerer.answers(questions[-1]))) == 1
    assert len(list(answerer.answers(questions[0]))) > 1


# The tree search


NAME = "search:visits=120"


def start() -> Position:
    return Position.empty(Board(7, 7)).play("b2").play("f2")


def test_it_improves_and_ends_as_the_evaluator_does(answerer: OwnAnswerer) -> None:
    position = start()
    snapshots: list[Snapshot] = list(
        answerer.answers(Analyse(position, ("resistance", NAME), NAME))
    )
    found = [s.reports[NAME] for s in snapshots if NAME in s.reports]
    assert [e.visits for e in found] == sorted(e.visits for e in found)
    assert [e.final for e in found[:-2]] == [False] * (len(found) - 2)
    *_, expected = evaluator(NAME).rank(bench_at(position))
    last = snapshots[-1]
    shown = {move.cell for move in last.reports[NAME].moves}
    assert last.rankings[NAME] == expected.among(shown.__contains__)
    assert all(move.visits or move.proved is not None for move in last.reports[NAME].moves)
    assert "resistance" in last.rankings


def test_what_was_seen_of_a_move_is_there_at_once_after_it(answerer: OwnAnswerer) -> None:
    position = Position.empty(Board(9, 9)).play("b2").play("h2")  # not decided soon
    *_, last = answerer.answers(Analyse(position, (NAME,)))
    best = last.reports[NAME].moves[0]
    after = answerer.answers(Analyse(position.play(best.cell), (NAME,)))
    first = next(s.reports[NAME] for s in after if NAME in s.reports)
    assert first.visits > 1


def test_it_stops(answerer: OwnAnswerer) -> None:
    seen: list[Snapshot] = []
    question = Analyse(start(), ("search:visits=100000",))
    answers = answerer.answers(question, lambda: bool(seen))
    seen.extend(snapshot for snapshot in answers if snapshot.reports)
    assert len(seen) == 1


def test_what_it_proves_is_kept(answerer: OwnAnswerer) -> None:
    position = Position.parse("..../.B../..../....", "black")
    *_, last = answerer.answers(Analyse(position, (NAME,)))
    verdicts = Verdicts()
    keep_proofs(last, verdicts)
    proved = {move.cell for move in last.reports[NAME].moves if move.proved}
    assert proved
    assert proved <= set(verdicts.moves(position).wins)


def test_a_finished_game_is_not_searched(answerer: OwnAnswerer) -> None:
    won = Position.parse("BW./BW./B..", "white")
    *_, last = answerer.answers(Analyse(won, (NAME,)))
    assert NAME not in last.reports


# The scope


def within(scope: MoveScope) -> Analyse:
    settings = LineSettings(widths=(4, 3, 0))
    return Analyse(START, ("resistance", SEARCH), "resistance", settings, scope=scope)


def last(answerer: OwnAnswerer, question: Analyse) -> Snapshot:
    *_, found = answerer.answers(question)
    assert found.final
    return found


def expected(scope: MoveScope) -> list[tuple[int, ...]]:
    found = found_by("resistance", START, LineSettings(widths=(4, 3, 0)), scope)
    return [line.moves.numbers for line in found.lines]


@pytest.mark.parametrize("scope", [REGION, FIRST, BOTH])
def test_lines_and_the_tree_search_keep_to_the_scope(answerer, scope: MoveScope) -> None:
    found = last(answerer, within(scope))
    assert found.lines is not None
    assert [line.moves.numbers for line in found.lines.lines] == expected(scope)
    searched = found.reports[SEARCH]
    allowed = {cell for cell in START.empties if scope.allows(cell, first=True)}
    assert {move.cell for move in searched.moves} <= allowed
    for move in searched.moves:
        assert all(scope.allows(cell, first=False) for cell in move.line.numbers[1:])
    assert len(found.rankings["resistance"].moves) == len(START.empties)
    assert found.scope == scope


def test_another_scope_goes_on_from_the_rankings_and_ends_as_if_asked_first() -> None:
    walked, fresh = OwnAnswerer(), OwnAnswerer()
    for scope in (ALL_MOVES, REGION, FIRST, ALL_MOVES):
        question = within(scope)
        first = next(iter(walked.answers(question)))
        if scope != ALL_MOVES:
            assert first.contribution  # what does not depend on the scope stays on the screen
            assert not first.reports
            assert SEARCH not in first.rankings
            assert first.lines is None
        mine, other = last(walked, question), last(fresh, within(scope))
        assert mine.lines is not None
        assert other.lines is not None
        assert [line.moves.numbers for line in mine.lines.lines] == expected(scope)
        assert {m.cell for m in mine.reports[SEARCH].moves} == {
            m.cell for m in other.reports[SEARCH].moves
        }
    walked.close()
    fresh.close()


def test_what_is_kept_is_of_its_scope(answerer) -> None:
    everything, some = last(answerer, within(ALL_MOVES)), last(answerer, within(REGION))
    (again,) = answerer.answers(within(REGION))
    assert (again.scope, again.lines) == (some.scope, some.lines)
    (whole,) = answerer.answers(within(ALL_MOVES))
    assert (whole.scope, whole.lines) == (everything.scope, everything.lines)


def test_proofs_are_of_all_moves(answerer) -> None:
    position = START.play("d2")  # Red to move, who wins in the middle
    corner = scope_of(BOARD, region="e3:e5")
    budget = SolverBudget(seconds=60)
    found = last(answerer, Analyse(position, (SEARCH,), SEARCH, budget=budget, scope=corner))
    assert found.solution is not None
    assert found.solution.winner is Color.BLACK
    assert corner.region
    assert not corner.region & found.solution.wins.keys()
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
