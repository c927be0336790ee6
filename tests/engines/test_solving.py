"""The solver's stage: winner and verdicts, what the disk keeps, stopping, budgets."""

import itertools
import random
import time
from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.ranking import RankedMove, Ranking
from hextui.engine.solver.dfpn import Solver
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.solver.walker import Walker
from hextui.engines.analysis_stages import ASKED_FIRST, FIRST_SHARE, AnalysisStages, joined
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine_workspace import EngineWorkspace, TableCache
from hextui.engines.limits import SolverBudget
from hextui.engines.questions import Analyse, NotProved, ShowProof, WhoWins
from hextui.engines.snapshot import Progress, Snapshot
from tests.engine.positions import setup
from tests.oracles.play import winning_moves


def no_wait(_board, _kernels):
    return iter(())


def stage_in(path, budget=SolverBudget(20.0), wait=no_wait):  # noqa: B008
    question = Analyse(Position.empty(Board(3, 3)), (), budget=budget)
    return AnalysisStages(EngineWorkspace(wait, SolutionCache(path)), question)


@pytest.fixture
def stage(tmp_path):
    return stage_in(tmp_path / "solved.sqlite")


def never():
    return False


def solving(stage, snapshot, stop=never):
    """Let the stage begin and go on, with nothing between."""
    for step in (stage.begin_solver, stage.solve):
        for found in step(snapshot, stop):
            snapshot = found
            yield snapshot


def solutions(stage, position):
    return [snapshot.solution for snapshot in solving(stage, Snapshot(position))]


def test_the_winner_and_every_verdict(stage):
    rng = random.Random(1)
    for _ in range(20):
        stones = bytes(rng.choices((0, 1, 2), (5, 4, 4), k=16))
        position = Position(Board(4, 4), stones, rng.choice(list(Color)))
        if position.winner is not None or len(position.empties) > 9:
            continue
        found = solutions(stage, position)
        wins = winning_moves(position)
        assert found[-1].final
        assert set(found[-1].wins) == wins
        assert set(found[-1].losses) == set(position.empties) - wins
        known = [s.winner for s in found if s.winner is not None]
        assert known
        assert len(set(known)) == 1


def test_a_solved_position_comes_from_the_disk(stage):
    position = setup(Board(5, 5), "c3", "b2")
    *_, fresh = solutions(stage, position)
    assert (fresh.source, fresh.complete) == ("search", True)
    (again,) = solutions(stage, position)
    assert (again.source, again.wins) == ("disk", fresh.wins)


def test_a_damaged_file_is_told_of_once(stage, tmp_path):
    position = setup(Board(5, 5), "c3", "b2")
    assert not any(s.error for s in solving(stage, Snapshot(position)))
    stage._workspace.close()
    (tmp_path / "solved.sqlite").write_text("this is no database")
    again = stage_in(tmp_path / "solved.sqlite")
    first, *others = solving(again, Snapshot(position))
    assert "solved.sqlite: dropped, it was damaged" in (first.error or "")
    assert others[-1].solution.complete
    others += solving(again, Snapshot(position))
    assert not any(s.error for s in others)


def test_what_the_disk_knows_in_part_is_completed(stage):
    position = setup(Board(5, 5), "c3", "b2")
    *_, whole = solutions(stage, position)
    cell = next(iter(whole.losses))
    part = replace(whole, wins={}, losses={cell: whole.losses[cell]})
    stage._workspace.solutions().put(part)
    found = solutions(stage, position)
    assert found[0].source == "disk"
    assert not found[0].complete
    assert all(s.winner is whole.winner for s in found)
    assert found[-1].complete
    assert set(found[-1].wins) == set(whole.wins)


def test_joining_keeps_the_winner_and_adds_verdicts(stage):
    position = setup(Board(4, 4), "b2", "c2")
    *_, whole = solutions(stage, position)
    none = Cells(position.board)
    blank = replace(whole, winner=None, wins={}, losses={}, line=none, carrier=none)
    both = joined(whole, blank)
    assert (both.winner, both.carrier, both.line) == (whole.winner, whole.carrier, whole.line)
    assert both.wins == whole.wins
    assert both.complete


def test_it_stops_when_told(stage):
    end, position = time.monotonic() + 0.3, Position.empty(Board(8, 8))
    *_, last = solving(stage, Snapshot(position), lambda: time.monotonic() > end)
    assert time.monotonic() > end
    assert last.solution.final
    assert not last.solution.complete
    assert stage._workspace.solutions().get(position) is None or last.solution.winner


def test_far_positions_get_no_more_than_the_first_share_unless_somebody_wins(stage):
    far, near = Position.empty(Board(5, 13)), Position.empty(Board(8, 8))
    assert [stage._left(Snapshot(p)) for p in (near, far)] == [1.0, FIRST_SHARE]
    *_, solved = solving(stage, Snapshot(setup(Board(3, 3), "b2", "a1")))
    part = replace(solved.solution, complete=False)
    assert stage._left(Snapshot(far, solution=replace(part, winner=None))) == 0.0
    assert stage._left(Snapshot(far, solution=part)) == 1.0 - FIRST_SHARE
    assert stage._left(Snapshot(near, solution=replace(part, winner=None))) == 1.0 - FIRST_SHARE
    assert stage._left(Snapshot(near, solution=solved.solution)) == 0.0


def test_a_first_share_is_searched_at_once_but_never_waits_for_a_compilation(tmp_path):
    position = setup(Board(3, 3), "b2", "a1")
    for wait, begun in (
        (no_wait, True),
        (lambda _board, _kernels: iter([Progress(1, 2, "compiling")]), False),
    ):
        stage = stage_in(tmp_path / f"{begun}.sqlite", wait=wait)
        assert bool(list(stage.begin_solver(Snapshot(position), never))) is begun
        assert list(stage.solve(Snapshot(position), never))[-1].solution.complete


def test_a_finished_game_is_not_solved(stage):
    assert not list(solving(stage, Snapshot(setup(Board(3, 3), "b1 b2 b3", "a1 a2"))))


def test_compilation_is_waited_for_and_told(tmp_path):
    def wait(_board, _kernels):
        yield Progress(1, 3, "compiling the solver")
        yield Progress(2, 3, "compiling the solver")

    stage = stage_in(tmp_path / "solved.sqlite", wait=wait)
    told = [s.progress for s in solving(stage, Snapshot(setup(Board(3, 3), "b2", "a1")))]
    assert [(p.done, p.total) for p in told[:2]] == [(1, 3), (2, 3)]
    assert "solver" in told[0].label
    stopped = list(solving(stage, Snapshot(setup(Board(3, 3), "b3", "a1")), lambda: True))
    assert all(s.solution is None for s in stopped)


def test_the_number_of_threads_is_shown_while_they_solve(tmp_path):
    space = EngineWorkspace(no_wait, SolutionCache(tmp_path / "solved.sqlite"), TableCache(3))
    position = Position.empty(Board(3, 3))
    stages = AnalysisStages(space, Analyse(position, (), budget=SolverBudget(20.0)))
    *_, found = solving(stages, Snapshot(position))
    assert found.progress.label == "solving, 3 threads"
    assert found.solution.winner is Color.BLACK


def test_a_position_asked_again_gets_the_whole_time(tmp_path):
    budget = SolverBudget(seconds=1.0)
    stage = stage_in(tmp_path / "solved.sqlite", budget)
    position = Position.empty(Board(9, 9))
    *_, first = solving(stage, Snapshot(position), never)
    assert first.solution.winner is None
    *_, second = solving(stage, first)
    assert second.solution.nodes > 2 * first.solution.nodes


def test_lanes_share_the_table_of_a_board_until_it_is_freed():
    tables, position = TableCache(2), setup(Board(6, 6), "a3", "b2")
    live, whole_game = EngineWorkspace(tables=tables), EngineWorkspace(tables=tables)
    *_, found = live.solver(position.board).solve(position)
    assert found.winner is not None
    assert whole_game.solver(position.board).look_up(position).winner is found.winner
    whole_game.close()  # the next game's lane begins with what is known
    later = EngineWorkspace(tables=tables)
    assert later.solver(position.board).look_up(position).winner is found.winner
    later.close_solver()
    assert later.solver(position.board).look_up(position) is None


def test_the_seconds_of_a_question_are_those_of_one_thread(monkeypatch):
    position, answerer, limits = Position.empty(Board(4, 4)), OwnAnswerer(TableCache(4)), []
    solve = Solver.solve

    def noted(self, position, limit, *rest, **options):
        limits.append(limit)
        return solve(self, position, limit, *rest, **options)

    monkeypatch.setattr(Solver, "solve", noted)
    list(answerer.answers(WhoWins(position, Limit(seconds=2.0, nodes=10))))
    assert limits == [Limit(seconds=0.5, nodes=10)]


def who_wins(position, nodes=None, all_moves=False):
    """Ask an engine that has just started."""
    answerer = OwnAnswerer()
    *_, found = answerer.answers(WhoWins(position, Limit(nodes=nodes), all_moves))
    answerer.close()
    return found


def test_who_wins_is_known_from_the_disk():
    position = setup(Board(6, 6), "a3", "b2")
    assert who_wins(position, nodes=1).winner is None
    fresh = who_wins(position)
    again = who_wins(position, nodes=1)
    assert (again.winner, again.seconds) == (fresh.winner, 0.0)
    every = who_wins(position, all_moves=True)  # which the first answer did not hold
    assert every.complete
    assert set(fresh.wins) <= set(every.wins)
    assert who_wins(position, nodes=1, all_moves=True) == replace(every, seconds=0.0, nodes=0)


def test_a_damaged_file_does_not_keep_the_solver_from_answering(solved_positions, capsys):
    solved_positions.write_text("this is no database")
    assert who_wins(setup(Board(5, 5), "c3", "b2")).winner is not None
    assert f"{solved_positions}: dropped, it was damaged" in capsys.readouterr().err


def test_a_proof_is_shown_on_request():
    position = setup(Board(5, 5), "a1")
    *_, found = OwnAnswerer().answers(ShowProof(position, 60.0))
    assert isinstance(found, Proof)
    assert found.winner is Color.BLACK
    walker = Walker(found)
    turn = walker.turn(walker.start)
    *_, solution = Solver(position.board).solve(position, all_moves=True)
    assert turn.cell in solution.wins


@pytest.mark.parametrize(("seconds", "stops"), [(0.0, False), (60.0, True)])
def test_a_proof_that_takes_too_long_or_is_stopped(seconds, stops):
    checks = itertools.count()
    question = ShowProof(Position.empty(Board(9, 9)), seconds)
    found = list(OwnAnswerer().answers(question, lambda: stops and next(checks) > 1))
    if not stops:
        assert found.pop() == NotProved(0.0)
    assert all(isinstance(one, Progress) for one in found)


def test_the_move_of_the_game_and_what_evaluators_prefer_are_judged_first(stage, monkeypatch):
    asked = []
    solve = Solver.solve

    def noted(self, position, limit=None, stop=None, **options):
        asked.append(options["first"])
        return solve(self, position, limit, stop, **options)

    monkeypatch.setattr(Solver, "solve", noted)
    position = setup(Board(5, 5), "c3", "b2")
    cells = position.empties
    by = {
        "one": Ranking("one", tuple(RankedMove(c, 0.0, 1) for c in cells)),
        "two": Ranking("two", tuple(RankedMove(c, 0.0, 1) for c in cells[::-1])),
    }
    question = Analyse(position, (), budget=SolverBudget(20.0), played=cells[7])
    stages = AnalysisStages(stage._workspace, question)
    for _ in solving(stages, Snapshot(position, rankings=by)):
        pass
    best = [cells[7], cells[0], cells[-1], cells[1], cells[-2]]
    assert asked
    assert all(first[:5] == tuple(best) and len(first) == ASKED_FIRST for first in asked)
