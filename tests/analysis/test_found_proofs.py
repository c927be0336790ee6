"""What the engine proves of a position is in the store, and as in exhaustive play."""

import random

import pytest

from hextui.analysis.analyst import keep_proofs
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.limits import SolverBudget
from hextui.engines.questions import Analyse
from hextui.engines.snapshot import Snapshot
from tests.oracles.winners import Exhaustive

SMALL = Board(4, 4)


@pytest.mark.parametrize("seed", range(3))
def test_every_move_of_a_small_game_is_judged_as_in_exhaustive_play(seed: int) -> None:
    oracle, store, engine = Exhaustive(SMALL), Verdicts(), OwnAnswerer()
    cells = random.Random(seed).sample(range(16), 16)
    position, seen = Position.empty(SMALL), []
    for cell in cells[:4]:
        position = position.play(cell)
    for cell in cells[4:]:
        if position.winner is not None:
            break
        for snapshot in engine.answers(Analyse(position, (), budget=SolverBudget(60.0))):
            keep_proofs(snapshot, store)
        seen.append(position)
        position = position.play(cell)
    engine.close()
    for position in seen:
        assert store.of(position).winner is oracle.winner(position)
        assert set(store.moves(position).wins) == oracle.winning_moves(position)
        assert store.moves(position).complete


def test_the_solvers_own_line_begins_with_the_named_move_also_if_all_comes_at_once() -> None:
    engine, position = OwnAnswerer(), Position.parse("..... / ..B.. / ..... / .W... / .....")
    *_, last = engine.answers(Analyse(position, (), budget=SolverBudget(60.0)))
    engine.close()
    assert len(last.solution.winning_moves) > 1
    store = Verdicts()
    keep_proofs(Snapshot(position, solution=last.solution), store)
    assert store.moves(position).named == last.solution.line.numbers[0]


def test_moves_outside_the_must_play_region_lose_before_the_solver_has_begun() -> None:
    position, store = Position.empty(SMALL).play(5), Verdicts()
    keep_proofs(Snapshot(position, must_play=frozenset({6, 9})), store)
    assert set(store.moves(position).losses) == set(position.empties) - {6, 9}
    assert store.moves(position).unknown == (6, 9)
    assert store.of(position) is None


def test_who_has_met_every_threat_by_no_move_has_lost() -> None:
    position, store = Position.empty(SMALL).play(5), Verdicts()
    keep_proofs(Snapshot(position, must_play=frozenset()), store)
    assert store.of(position) == Verdict(VerdictKind.CONNECTION, Color.BLACK)


def test_who_is_joined_already_wins_by_any_move() -> None:
    position, store = Position.empty(SMALL), Verdicts()
    joined = Verdict(VerdictKind.CONNECTION, Color.BLACK)
    keep_proofs(Snapshot(position, verdict=joined), store)
    assert set(store.moves(position).wins) == set(position.empties)
