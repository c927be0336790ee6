"""The swap rule, against the values of the game with the swap as a move, by exhaustive play."""

from functools import cache

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Move, MoveKind, Position, SwapRule
from hextui.engine.ranking import SWAP, Ranking, qualities
from hextui.engine.swap import move_of, winner_under_rule
from hextui.engines.own_players import own_player

NAMES = ("search:visits=100", "network")


def reached(stones: tuple[int, ...], side: int, color: int) -> bool:
    """Return whether a colour joins its sides: 1 top and bottom, 2 left and right."""
    ends = [range(side), range(0, side * side, side)][color - 1]
    found = [cell for cell in ends if stones[cell] == color]
    for cell in found:
        row, column = divmod(cell, side)
        if (row if color == 1 else column) == side - 1:
            return True
        for down, right in ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)):
            near = (row + down) * side + column + right
            inside = 0 <= row + down < side and 0 <= column + right < side
            if inside and stones[near] == color and near not in found:
                found.append(near)
    return False


@cache
def wins(stones: tuple[int, ...], side: int, mover: int, may_swap: bool) -> bool:
    """Return whether the mover wins, trying every stone, and the swap where it is allowed."""
    other = 3 - mover
    if reached(stones, side, other):
        return False
    if may_swap:
        image = tuple(
            (0, 2, 1)[stones[column * side + row]] for row in range(side) for column in range(side)
        )
        if not wins(image, side, other, may_swap=False):
            return True
    return any(
        not wins((*stones[:cell], mover, *stones[cell + 1 :]), side, other, may_swap=False)
        for cell, stone in enumerate(stones)
        if not stone
    )


def first_stones(side: int) -> list[Position]:
    empty = Position.empty(Board(side, side))
    return [empty.play(cell) for cell in empty.empties]


def ranked(name: str, position: Position) -> Ranking:
    *_, found = evaluator(name).rank(bench_at(position))
    return found


@pytest.mark.parametrize("side", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_a_search_values_the_swap_and_first_stones_as_exhaustive_play_does(side: int) -> None:
    for position in first_stones(side):
        stones = tuple(position.stones)
        plays_on = wins(stones, side, 2, may_swap=False)
        assert wins(stones, side, 2, may_swap=True), "a swap or playing on is right"
        found = ranked("search", position)
        assert found.swap is not None
        assert found.swap.value == float(not plays_on)
        assert found.rows[0].value == 1
        chosen = own_player("search:visits=100").choose(position)
        assert (chosen.kind is MoveKind.SWAP_PIECES) == (not plays_on)
        assert winner_under_rule(position, Color.BLACK) is Color.WHITE
    empty = ranked("search", Position.empty(Board(side, side)))
    assert empty.swap is None
    assert [move.value for move in empty.moves] == [0.0] * side**2, "every first stone loses"


@pytest.mark.parametrize("name", NAMES)
def test_a_first_stone_is_worth_what_the_better_answer_leaves(name: str) -> None:
    empty = Position.empty(Board(7, 7))
    found = ranked(name, empty)
    best, *_, worst = found.moves
    assert all(move.value <= 0.5 for move in found.moves)
    assert best.value > 0.35 > worst.value
    answer = ranked(name, empty.play(empty.board.middle))
    assert answer.swap is not None
    assert answer.swap.rank == 1
    assert answer.swap.value > 0.8


@pytest.mark.parametrize("name", NAMES)
def test_the_swap_is_the_same_in_every_orientation(name: str) -> None:
    for stone in ("a3", "d4", "g1"):
        position = Position.empty(Board(7, 7)).play(stone)
        expected = ranked(name, position)
        for seen in (position.rotated(), position.mirrored(), position.rotated().mirrored()):
            assert ranked(name, seen).swap == expected.swap


@pytest.mark.parametrize("name", NAMES)
def test_nobody_swaps_where_the_rule_or_the_game_does_not_allow_it(name: str) -> None:
    first = Position.empty(Board(5, 5)).play("c3")
    for position in (first.without_swap, first.play("b2"), first.swap_pieces()):
        assert ranked(name, position).swap is None
        assert own_player(name).choose(position).kind is MoveKind.PLAY


def test_evaluators_without_win_probabilities_have_no_row_for_a_swap() -> None:
    first = Position.empty(Board(5, 5)).play("c3")
    for name in ("resistance", "k-paths:1", "blocking"):
        assert ranked(name, first).swap is None
        assert ranked(name, first).moves == ranked(name, first.without_swap).moves


def test_the_swap_is_among_the_rows_and_counts_in_ranks() -> None:
    ranking = Ranking("demo", ranked("network", Position.empty(Board(3, 3)).play("a1")).moves)
    plain = Ranking("demo", tuple(ranking.moves[:3]))
    for value, place in ((2.0, 0), (-1.0, 3)):
        rows = plain.with_swap(value).rows
        assert [row.cell for row in rows].index(SWAP) == place
        assert sorted(row.rank for row in rows) == [row.rank for row in rows]
    places = qualities(plain.with_swap(2.0))
    assert SWAP not in places
    assert places[plain.moves[0].cell].candidates == 4


def test_a_swap_is_the_move_of_the_rule() -> None:
    square, wide = Position.empty(Board(3, 3)).play(0), Position.empty(Board(3, 4)).play(0)
    assert move_of(square, SWAP) == Move(MoveKind.SWAP_PIECES)
    assert move_of(wide, SWAP) == Move(MoveKind.SWAP_SIDES)
    assert move_of(square, 1) == Move.play(1)
    with pytest.raises(ValueError, match="nobody may swap"):
        SwapRule.NONE.move  # noqa: B018
