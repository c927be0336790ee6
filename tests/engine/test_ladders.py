"""Ladders: known by their shape, played out, and found by the rules of the connection search."""

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.connections import find_connections
from hextui.engine.position import Position
from hextui.engine.solver.proof_board import mask_of
from hextui.engine.templates import ladder, ladder_of, mirrored
from hextui.words.connections import connection_sentence, joined_sentence
from hextui.words.names import Names
from tests.oracles import claims

LADDERS = [
    (2, 2, (0, 3), {(1, 2), (1, 3)}),
    (2, 3, (0, 4), {(1, 3), (1, 4)}),
    (2, 4, (1, 4), set()),
    (3, 2, (1, 2), {(2, 1), (2, 2)}),
    (3, 3, (1, 3), {(2, 2), (2, 3)}),
]
"""Row, steps, escape, and what joins that to the edge: offsets from the stone that begins."""


def whole(row, steps, rest):
    return ladder(row, steps) | rest


def plays_out(row, escape, carrier):
    """Tell by exhaustive play whether a stone on a row reaches the edge inside a carrier."""
    board = Board(row + 1, 12)
    stone = board.columns + 4

    def cell(offset):
        return stone + offset[0] * board.columns + offset[1]

    # another stone leads to the other edge, none leads on from the escape
    own = mask_of([stone, stone - board.columns + 1, *([cell(escape)] if escape else [])])
    return claims.holds(board, Color.BLACK, own, mask_of(map(cell, carrier)), False)


@pytest.mark.parametrize(("row", "steps", "escape", "rest"), LADDERS)
def test_it_holds_by_exhaustive_play_and_needs_every_cell_and_the_escape(row, steps, escape, rest):
    carrier = whole(row, steps, rest)
    assert plays_out(row, escape, carrier)
    assert not any(plays_out(row, escape, carrier - {cell}) for cell in carrier)
    assert not plays_out(row, None, carrier)


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize(("row", "steps", "escape", "rest"), LADDERS)
def test_it_is_recognised_on_every_edge_and_mirrored(
    row, steps, escape, rest, color, second, mirror
):
    board = Board(17, 18)
    lines = board.rows if color is Color.BLACK else board.columns
    line, sign = (lines - row, 1) if second else (row - 1, -1)

    def cell(offset):
        (seen,) = mirrored(frozenset({offset})) if mirror else (offset,)
        there, beside = line + sign * seen[0], 8 + sign * seen[1]
        if color is Color.WHITE:
            there, beside = beside, there
        return there * board.columns + beside

    stone, end = cell((0, 0)), cell(escape)
    position = Position.empty(board).with_stone(stone, color).with_stone(end, color)
    carrier = frozenset(map(cell, whole(row, steps, rest)))
    ends = stone, board.cells + second
    found = ladder_of(position, color, ends, carrier)
    assert found is not None
    assert found.name == f"row-{row} ladder to {board.name(end)}"
    assert found.cells == (stone,)
    assert ladder_of(position, color, ends, carrier - {min(carrier)}) is None
    assert ladder_of(position, color, ends, carrier | {cell((0, -1))}) is None
    assert ladder_of(position, color.opponent, ends, carrier) is None


def position_of(board, black, white):
    position = Position.empty(board)
    for color, names in ((Color.BLACK, black), (Color.WHITE, white)):
        for name in names.split():
            position = position.with_stone(board.cell(name), color)
    return position


@pytest.mark.parametrize(
    ("black", "white", "said"),
    [
        ("c10 h10", "b11", "a row-2 ladder to h10 joins c10 to the bottom edge (10 cells)"),
        ("c9 h10", "b10 a11", "a row-3 ladder to h10 joins c9 to the bottom edge (17 cells)"),
        ("c9 h9", "b10 a11", "a row-3 ladder to h9 joins c9 to the bottom edge (20 cells)"),
        ("c10 g11", "b11", "a row-2 ladder to g11 joins c10 to the bottom edge (8 cells)"),
        ("c9 g10 g11", "b10 a11", "a row-3 ladder to g10 joins c9 to the bottom edge (12 cells)"),
    ],
)
def test_the_search_finds_it_and_a_sentence_names_it(black, white, said):
    board = Board(11, 11)
    position = position_of(board, black, white)
    table = find_connections(position, Color.BLACK)
    ends = board.cell(black.split()[0]), board.cells + 1
    found = [c for c in table.between(*ends) if c.kind is ConnectionKind.FULL]
    texts = [connection_sentence(position, Color.BLACK, c, Names.RED_BLUE) for c in found]
    assert said in texts


def test_the_last_step_may_be_the_escape_itself():
    board = Board(11, 11)
    position = position_of(board, "c9 g9 g10 g11", "b10 a11")
    steps = {board.cell("c9") + down * board.columns + at for down, at in ladder(3, 4)}
    carrier = frozenset(steps) - {board.cell("g9")}
    ends = board.cell("c9"), board.cells + 1
    text = joined_sentence(position, Color.BLACK, ends, carrier)
    assert text == "a row-3 ladder to g9 joins c9 to the bottom edge (11 cells)"
    up = [board.cell(f"c{row}") for row in range(1, 10)]  # to the other edge
    own = mask_of([*up, *(board.cell(name) for name in ("g9", "g10", "g11"))])
    assert claims.holds(board, Color.BLACK, own, mask_of(carrier), False)


def test_one_step_is_no_ladder():
    board = Board(11, 11)
    position = position_of(board, "c10 e10", "b11")
    cells = frozenset(map(board.cell, ("d10", "c11", "d11", "e11")))
    ends = board.cell("c10"), board.cells + 1
    text = joined_sentence(position, Color.BLACK, ends, cells)
    assert text == "c10 reaches the bottom edge (4 cells)"
