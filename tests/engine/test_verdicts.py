"""One store of verdicts: the same whatever was proved first, and however the board is held."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from tests.oracles.winners import Exhaustive

SOLVER = VerdictKind.SOLVER
TINY = Board(3, 3)


def won(winner: Color, kind: VerdictKind = SOLVER, seconds: float | None = None) -> Verdict:
    return Verdict(kind, winner, seconds=seconds)


def held(position: Position, way: int) -> Position:
    """Return a position as it is, turned, mirrored, or both."""
    position = position.rotated() if way & 1 else position
    return position.mirrored() if way & 2 else position


def cell_held(board: Board, cell: int, way: int) -> int:
    cell = board.rotate(cell) if way & 1 else cell
    return board.mirror(cell) if way & 2 else cell


def held_verdict(verdict: Verdict, way: int) -> Verdict:
    winner = verdict.winner.opponent if way & 2 else verdict.winner
    return Verdict(verdict.kind, winner, seconds=verdict.seconds)


@pytest.mark.parametrize("board", [Board(3, 3), Board(3, 5), Board(4, 2)], ids=str)
def test_a_proof_holds_however_the_board_is_held(board: Board) -> None:
    position = Position.empty(board).play(1)
    store, verdict = Verdicts(), won(Color.WHITE, seconds=1.5)
    store.prove(position, verdict)
    for way in range(4):
        assert store.of(held(position, way)) == held_verdict(verdict, way)
    assert store.of(position.with_to_move(Color.BLACK)) is None


@pytest.mark.parametrize("board", [Board(3, 3), Board(3, 5)], ids=str)
def test_moves_come_back_however_the_board_is_held(board: Board) -> None:
    position = Position.empty(board).play(0).play(5)
    store = Verdicts()
    store.prove_moves(position, {1: won(Color.BLACK), 2: won(Color.WHITE)})
    for way in range(4):
        known = store.moves(held(position, way))
        assert set(known.wins) == {cell_held(board, 1, way)}
        assert set(known.losses) == {cell_held(board, 2, way)}
        assert cell_held(board, 3, way) not in known.by_cell


def test_whether_swapping_is_allowed_does_not_count() -> None:
    position = Position.empty(TINY).play(0)
    assert position.swap_legal
    store = Verdicts()
    store.prove(position, won(Color.WHITE))
    assert store.of(position.with_to_move(position.to_move)) == won(Color.WHITE)
    assert store.of(Position(TINY, position.stones, position.to_move)) == won(Color.WHITE)


def test_a_move_to_a_won_position_wins() -> None:
    before = Position.empty(TINY).play(0)
    store = Verdicts()
    store.prove(before.play(4), won(Color.WHITE))
    assert store.of(before) == won(Color.WHITE)
    assert set(store.moves(before).wins) == {4}
    assert not store.moves(before).complete


def test_every_move_of_who_has_lost_loses() -> None:
    before = Position.empty(TINY).play(4)
    store = Verdicts()
    store.prove(before, won(Color.BLACK))
    assert set(store.moves(before).losses) == set(before.empties)
    assert store.of(before.play(0)) == won(Color.BLACK)


def test_who_loses_by_every_move_has_lost() -> None:
    before = Position.empty(TINY).play(1)
    store = Verdicts()
    for cell in before.empties[:-1]:
        store.prove(before.play(cell), won(Color.BLACK))
        assert store.of(before) is None
    store.prove_moves(before, {before.empties[-1]: won(Color.BLACK)})
    assert store.of(before) == won(Color.BLACK)


def test_the_key_of_a_connection_is_a_winning_move() -> None:
    position = Position.empty(TINY)
    store = Verdicts()
    store.prove(position, Verdict(VerdictKind.CONNECTION, Color.BLACK, key=3))
    assert store.of(position) == won(Color.BLACK, VerdictKind.CONNECTION)
    assert set(store.moves(position).wins) >= {3}
    assert store.of(position.play(3)) == won(Color.BLACK, VerdictKind.CONNECTION)


@pytest.mark.parametrize("way", range(4))
def test_the_win_that_was_proved_first_stays_the_named_one(way: int) -> None:
    position = Position.parse("... / B.W / ...", Color.BLACK)
    store = Verdicts()
    assert store.moves(position).named is None
    for cell in (7, 1, 4):
        verdict = held_verdict(won(Color.BLACK), way)
        store.prove_moves(held(position, way), {cell_held(TINY, cell, way): verdict})
    store.prove_moves(position, {1: won(Color.BLACK, VerdictKind.CONNECTION)})
    assert list(store.moves(position).wins) == [7, 1, 4]
    assert store.moves(position).named == 7


def test_what_a_chain_has_won_was_won_by_a_connection_before() -> None:
    before = Position.parse("B.. / BWW / ...", Color.BLACK)
    after = before.play("a3")
    store = Verdicts()
    store.prove(after, won(Color.BLACK, VerdictKind.CHAIN))
    assert store.of(after) == won(Color.BLACK, VerdictKind.CHAIN)
    assert store.of(before) == won(Color.BLACK, VerdictKind.CONNECTION)


def test_the_plainer_of_two_proofs_is_shown_whatever_came_first() -> None:
    position = Position.empty(TINY)
    proofs = [
        won(Color.BLACK, VerdictKind.CONNECTION),
        won(Color.BLACK, SOLVER, 0.5),
        won(Color.BLACK, SOLVER, 2.0),
        won(Color.BLACK, SOLVER),
    ]
    for shift in range(len(proofs)):
        store = Verdicts()
        for proof in proofs[shift:] + proofs[:shift]:
            store.prove(position, proof)
        assert store.of(position) == proofs[0]


def test_a_move_on_a_taken_cell_is_refused() -> None:
    with pytest.raises(ValueError, match="a1 is taken"):
        Verdicts().prove_moves(Position.empty(TINY).play(0), {0: won(Color.BLACK)})


def test_proofs_that_contradict_each_other_are_told_of_and_neither_is_shown() -> None:
    position = Position.empty(TINY).play(0)
    joined, solved = won(Color.WHITE, VerdictKind.CONNECTION), won(Color.BLACK)
    for proofs in ((joined, solved), (solved, joined)):
        store = Verdicts()
        for proof in proofs:
            assert store.dispute(position) is None
            store.prove(position, proof)
        assert store.of(position) is None
        assert store.dispute(position) == (joined, solved)
        turned_round = won(Color.BLACK, VerdictKind.CONNECTION), won(Color.WHITE)
        assert store.dispute(position.mirrored()) == turned_round


def test_a_move_of_which_two_things_are_proved_is_neither_won_nor_lost() -> None:
    position = Position.empty(TINY).play(0)
    store = Verdicts()
    store.prove_moves(position, {4: won(Color.WHITE), 5: won(Color.BLACK)})
    store.prove(position.play(4), won(Color.BLACK))
    assert store.dispute(position.play(4))
    assert 4 not in store.moves(position).by_cell
    assert store.moves(position).by_cell[5] is False


# Against exhaustive play and a closure of conclusions written out plainly

ORACLE = Exhaustive(TINY)


@st.composite
def games(draw: st.DrawFn) -> list[Position]:
    """Positions of a few games on the tiny board."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        position = Position.empty(TINY)
        for cell in draw(st.permutations(range(9)))[: draw(st.integers(1, 7))]:
            if position.winner is None:
                found.append(position)
                position = position.play(cell)
    return found


def tell(store: Verdicts, position: Position, moves_only: bool) -> None:
    if moves_only:
        store.prove_moves(
            position,
            dict.fromkeys(ORACLE.winning_moves(position), won(position.to_move))
            or dict.fromkeys(position.empties, won(position.to_move.opponent)),
        )
    else:
        store.prove(position, won(ORACLE.winner(position)))


def said(store: Verdicts, positions: Sequence[Position]) -> list[object]:
    return [(store.of(p), store.moves(p)) for p in positions]


@settings(max_examples=60, deadline=None)
@given(games(), st.randoms(use_true_random=False), st.data())
def test_what_is_said_depends_on_no_order_and_is_true(
    positions: list[Position], chance: random.Random, data: st.DataObject
) -> None:
    facts = [(p, data.draw(st.booleans())) for p in positions if data.draw(st.booleans())]
    stores = []
    for _ in range(3):
        store, looks = Verdicts(), [(position, None) for position in positions]
        steps = [*facts, *looks]
        chance.shuffle(steps)
        for position, moves_only in steps:
            position = held(position, chance.randrange(4))
            if moves_only is None:  # looked at before all is told
                store.of(position)
            else:
                tell(store, position, moves_only)
        stores.append(store)
    first, *others = [said(store, positions) for store in stores]
    assert all(other == first for other in others)
    for position in positions:
        assert stores[0].dispute(position) is None
        if (verdict := stores[0].of(position)) is not None:
            assert verdict.winner is ORACLE.winner(position)
        known, winning = stores[0].moves(position), ORACLE.winning_moves(position)
        assert set(known.wins) <= winning
        assert not set(known.losses) & winning
