"""The terms of ``patterns`` against a count cell by cell, and what follows from them."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.pattern_terms import (
    LEAST_CURRENT,
    TERMS,
    read_weights_text,
    shipped_pattern_weights,
    terms_of,
    weighed,
)
from hextui.engine.evaluators.patterns import Patterns
from hextui.engine.position import Position
from tests.engine.positions import bench_at
from tests.engine.test_neural import some_positions

AROUND = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)]
COLUMN, SHORT, ROW = "along a column", "along the short diagonal", "along a row"
LONG = "along the long diagonal"
STEPS = {COLUMN: [(-1, 0), (1, 0)], SHORT: [(-1, 1), (1, -1)], ROW: [(0, 1), (0, -1)]}
BRIDGES = {"ahead": [(-2, 1), (2, -1)], "aside": [(-1, 2), (1, -2)], LONG: [(1, 1), (-1, -1)]}


def what(position: Position, row: int, column: int) -> str:
    """What the side to move, Black, sees at a place: own, opponent's, empty or nothing."""
    board = position.board
    inside = 0 <= row < board.rows, 0 <= column < board.columns
    if inside == (True, True):
        stone = position.stones[row * board.columns + column]
        return ("empty", "own", "opponent's")[stone]
    return {(False, True): "own", (True, False): "opponent's"}.get(inside, "nothing")


def counted(position: Position, row: int, column: int) -> Iterator[str]:
    """The names of the terms around a cell, each as often as it is there; Black is to move."""

    def seen(step: tuple[int, int]) -> str:
        return what(position, row + step[0], column + step[1])

    for where, steps in STEPS.items():
        for step in steps:
            yield f"{seen(step)} stone {where}"
    for where, steps in BRIDGES.items():
        for step in steps:
            over = [a for a in AROUND if (step[0] - a[0], step[1] - a[1]) in AROUND]
            first, second = sorted(over, key=AROUND.index)
            if (AROUND.index(second) - AROUND.index(first)) != 1:
                first, second = second, first  # the last of the six and the first
            if {seen(first), seen(second)} == {"empty"}:
                yield f"{seen(step)} bridge {where}"
            yield f"{seen(first)}, {seen(second)} stones {where}"
    for turn, middle in enumerate(AROUND):
        ends = seen(AROUND[turn - 1]), seen(AROUND[(turn + 1) % 6])
        if ends[0] == ends[1] != "empty":
            yield {
                ("opponent's", "empty"): "in an opponent's bridge",
                ("opponent's", "own"): "cuts an opponent's bridge",
                ("own", "empty"): "in an own bridge",
                ("own", "opponent's"): "saves an own bridge",
            }.get((ends[0], seen(middle)), "")
    rows, columns = position.board.rows, position.board.columns
    yield f"line {min(row + 1, rows - row)} from own side"
    yield f"line {min(column + 1, columns - column)} from opponent's side"


@pytest.mark.parametrize("size", ["1", "2x3", "3", "4x7", "7x4", "11"])
def test_terms_are_those_counted_cell_by_cell(size: str) -> None:
    board = Board.parse(size)
    names = TERMS[4:-2]
    for position in some_positions(1, board, 6):
        nothing = np.zeros(board.cells)
        terms = terms_of(position, nothing, nothing)
        black = position if position.to_move is Color.BLACK else position.mirrored()
        for cell in position.empties:
            place = cell if black is position else board.mirror(cell)
            found = list(counted(black, *divmod(place, black.board.columns)))
            assert terms[cell, 4:-2].tolist() == [found.count(name) for name in names]


def test_currents_and_the_centre_are_terms() -> None:
    position = Position.empty(Board(3, 5)).play(7)  # one of 15 cells; White is to move
    own, other = np.arange(15) / 20, np.arange(15)[::-1] / 50
    terms = dict(zip(TERMS, terms_of(position, own, other)[4], strict=True))
    both = math.log(own[4] + other[4] + LEAST_CURRENT)
    assert terms["ln own current"] == pytest.approx(math.log(0.2 + LEAST_CURRENT))
    assert terms["ln opponent's current"] == pytest.approx(math.log(0.2 + LEAST_CURRENT))
    assert terms["ln both currents"] == pytest.approx(both)
    assert terms["ln both currents, empty board"] == pytest.approx(both * 14 / 15)
    # the corner e1 is two cells to the right of the centre c2 and one up: two steps
    assert terms["far from the centre"] == pytest.approx(2 / 5)
    assert terms["far from the centre, empty board"] == pytest.approx(2 / 5 * 14 / 15)


def test_chances_follow_from_the_printed_weights() -> None:
    for position in some_positions(2, Board(5, 5), 5):
        bench = bench_at(position)
        *_, ranking = Patterns().rank(bench)
        terms, sums = weighed(bench)
        assert np.allclose(terms @ shipped_pattern_weights(), sums, atol=1e-8)
        assert sum(move.value for move in ranking.moves) == pytest.approx(1)
        best = ranking.moves[0]
        for move in ranking.moves:
            odds = math.exp(sums[move.cell] - sums[best.cell])
            assert move.value / best.value == pytest.approx(odds, rel=1e-9)
        found = evaluator("patterns").explained(bench, best.cell)
        chance, total, *told = found.facts.terms
        assert (chance.value, total.value) == (best.value, sums[best.cell])
        assert sum(term.value for term in told) == pytest.approx(float(total.value), abs=1e-8)
        assert len({term.symbol for term in found.facts.terms}) == len(found.facts.terms)
        for term in told[:-1]:
            weight, amount = map(float, term.numbers)
            assert weight * amount == pytest.approx(float(term.value), rel=1e-9)
            assert term.name == TERMS[int(term.symbol[1:]) - 1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[:-1], "has no weight: 'far from the centre, empty board'"),
        (lambda lines: [*lines, lines[-1]], "was there before: 'far from the centre, empty"),
        (lambda lines: [*lines, "1.0 luck"], "no term of patterns.*'luck'"),
        (lambda lines: ["much luck", *lines], "'luck'"),
    ],
)
def test_a_text_of_weights_has_each_term_once(change: object, words: str) -> None:
    lines = ["# what people read", *(f"1.5 {name}" for name in TERMS)]
    assert read_weights_text("\n".join(lines)).tolist() == [1.5] * len(TERMS)
    assert callable(change)
    with pytest.raises(ValueError, match=words):
        read_weights_text("\n".join(change(lines)))
