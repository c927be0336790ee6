"""Inferior cells against exhaustive play on small boards, and against plain Python on any."""

import random
from collections.abc import Mapping
from itertools import product

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.inferior import InferiorRule, inferior_cells
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from tests.oracles import inferior as oracle
from tests.oracles.play import winning_moves


def winner(position: Position) -> Color:
    if position.winner is not None:
        return position.winner
    return position.to_move if winning_moves(position) else position.to_move.opponent


def winners(position: Position) -> list[Color]:
    """Who wins with Black to move, and with White to move."""
    return [winner(position.with_to_move(color)) for color in Color]


def sample_3x3(count: int) -> list[Position]:
    boards = [bytes(stones) for stones in product(range(3), repeat=9)]
    return [
        Position(Board(3, 3), stones, color)
        for stones in random.Random(5).sample(boards, count)
        for color in Color
    ]


def sample_4x4(count: int) -> list[Position]:
    rng = random.Random(6)
    found: list[Position] = []
    while len(found) < count:
        empties = rng.randrange(4, 9)
        stones = [0] * empties + rng.choices((1, 2), k=16 - empties)
        rng.shuffle(stones)
        position = Position(Board(4, 4), bytes(stones), rng.choice(list(Color)))
        if position.winner is None:
            found.append(position)
    return found


def check(position: Position) -> None:
    found = inferior_cells(position)
    if position.winner is not None:
        assert (found.filled, found.rules) == (position, {})
        return
    expected = winners(position)
    assert winners(found.filled) == expected, position
    assert set(found.dead) == {
        c for c, rule in found.rules.items() if rule in (InferiorRule.CLIQUE, InferiorRule.REGION)
    }
    for cell in found.dead.numbers:
        check_dead(found.filled, cell)
    for color, pairs in found.captured.items():
        for cell, partner in pairs.numbers.items():
            assert pairs.numbers[partner] == cell
            # the opponent took one, the owner answered on the other
            broken = found.filled.with_stone(cell, color.opponent)
            assert winners(broken) == expected, (position, cell)
    judged = {*found.rules.numbers, *found.remaining.numbers}
    assert judged == set(position.empties)
    if found.filled.winner is not None:
        assert not found.vulnerable
        assert not found.dominated
        return
    remaining = set(found.remaining.numbers)
    check_pruned_moves(found.filled, found.vulnerable.numbers, found.dominated.numbers, remaining)


def check_dead(position: Position, cell: int) -> None:
    """The winner of a full board is the same with either stone on the cell."""
    free = [c for c in position.empties if c != cell]
    for choice in product(Color, repeat=len(free)) if len(free) <= 5 else ():
        full = position
        for other, stone in zip(free, choice, strict=True):
            full = full.with_stone(other, stone)
        one, two = (full.with_stone(cell, stone).winner for stone in Color)
        assert one is two, (position, cell)
    one_winner, two_winners = (winners(position.with_stone(cell, stone)) for stone in Color)
    assert one_winner == two_winners, (position, cell)


def check_pruned_moves(
    filled: Position,
    vulnerable: Mapping[int, int],
    dominated: Mapping[int, int],
    remaining: set[int],
) -> None:
    wins = winning_moves(filled)
    mover = filled.to_move
    for cell, killer in vulnerable.items():
        reply = filled.with_stone(killer, mover.opponent)
        outcomes = [winners(reply.with_stone(cell, stone)) for stone in Color]
        assert outcomes[0] == outcomes[1], (filled, cell, killer)
    for cell, better in dominated.items():
        assert better in remaining
        assert cell not in wins or better in wins, (filled, cell, better)
    assert bool(wins) == bool(wins & remaining), filled


def test_3x3() -> None:
    for position in sample_3x3(1000):
        check(position)


@pytest.mark.slow
def test_every_3x3_position() -> None:
    for position in sample_3x3(3**9):
        check(position)


def test_random_4x4() -> None:
    for position in sample_4x4(60):
        check(position)


def test_any_board_as_in_plain_python() -> None:
    """Boards of one to four words a set, as few stones as many."""
    rng = random.Random(7)
    sides = [(3, 3), (4, 4), (1, 5), (5, 1), (2, 7), (6, 4), (8, 8)] * 20 + [(9, 14), (13, 13)] * 3
    for rows, columns in sides:
        board = Board(rows, columns)
        stones = [0] * board.cells
        for place, cell in enumerate(rng.sample(range(board.cells), rng.randrange(board.cells))):
            stones[cell] = 1 + place % 2
        position = Position(board, bytes(stones), rng.choice(list(Color)))
        position = canonical(position).position
        assert inferior_cells(position) == oracle.inferior_cells(position), position


def test_every_rule_is_met() -> None:
    """So that the other tests have seen each rule."""
    met = {
        rule
        for position in [*sample_3x3(1000), *sample_4x4(150)]
        for rule in inferior_cells(position).rules.values()
    }
    assert met == set(InferiorRule)


def test_the_edge_pair_of_a_second_row_stone_is_captured() -> None:
    """A stone on the second row captures the two edge cells below it."""
    board = Board(5, 5)
    position = Position.empty(board).with_stone(board.cell("c4"), Color.BLACK)
    pairs = inferior_cells(position).captured[Color.BLACK]
    assert pairs["b5"] == "c5"
