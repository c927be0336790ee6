"""Named templates and ladders: proved, minimal, and recognised on every edge, both ways round."""

import json

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.connections import find_connections
from hextui.engine.position import Position
from hextui.engine.solver.proof_board import mask_of
from hextui.engine.templates import FILE, ladder, ladder_of, mirrored, template_of
from hextui.text import Names
from hextui.words.connections import connection_sentence, joined_sentence
from tests.engine.positions import setup
from tests.make_templates import NAMES, Strip, templates
from tests.oracles import claims

TABLE = json.loads(FILE.read_text())
every_edge = pytest.mark.parametrize(
    ("color", "second", "mirror"),
    [(color, second, mirror) for color in Color for second in (0, 1) for mirror in (0, 1)],
)


def carrier_of(name):
    return frozenset(map(tuple, TABLE[name]["carrier"]))


def plays_out(row, carrier, escape=None):
    """Tell by exhaustive play whether a stone on a row reaches the edge inside a carrier."""
    board = Board(row + 1, 12)
    stone = board.columns + 5

    def cell(offset):
        return stone + offset[0] * board.columns + offset[1]

    # another stone leads to the other edge, none leads on from the escape
    own = mask_of([stone, stone - board.columns + 1, *([cell(escape)] if escape else [])])
    return claims.holds(board, Color.BLACK, own, mask_of(map(cell, carrier)), False)


def from_stone(board, row, color, second, mirror):
    """Return the function of the cell at an offset from a stone on a row of one of its edges."""
    lines = board.rows if color is Color.BLACK else board.columns
    line, sign = (lines - row, 1) if second else (row - 1, -1)

    def cell(offset):
        (seen,) = mirrored(frozenset({offset})) if mirror else (offset,)
        there, beside = line + sign * seen[0], board.rows // 2 + sign * seen[1]
        if color is Color.WHITE:
            there, beside = beside, there
        return there * board.columns + beside

    return cell


@pytest.mark.parametrize("name", [name for name in TABLE if TABLE[name]["row"] < 4])
def test_small_templates_hold_by_exhaustive_play_and_need_every_cell(name):
    row, carrier = TABLE[name]["row"], carrier_of(name)
    assert plays_out(row, carrier)
    assert plays_out(row, mirrored(carrier))
    assert not any(plays_out(row, carrier - {cell}) for cell in carrier)


@pytest.mark.parametrize("row", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_solver_finds_these_templates_and_no_others(row):
    found = set(templates(row))
    told = {carrier_of(name) for name in NAMES[row]}
    assert found == told | set(map(mirrored, told))
    strip = Strip(row)
    for carrier in found:
        assert strip.joins(carrier)
        assert not any(strip.joins(carrier - {cell}) for cell in carrier)


def test_the_field_s_sizes():
    assert {name: len(carrier_of(name)) for name in TABLE} == {
        "template II": 2,
        "ziggurat": 8,
        "template III-1-b": 10,
        "template IV-1-a": 19,
        "template IV-1-b": 22,
    }


@every_edge
@pytest.mark.parametrize("name", TABLE)
def test_it_is_recognised_on_every_edge_and_mirrored(name, color, second, mirror):
    board, row = Board(13, 12), TABLE[name]["row"]
    cell = from_stone(board, row, color, second, mirror)
    stone, cells = cell((0, 0)), frozenset(map(cell, carrier_of(name)))
    position = Position.empty(board).with_stone(stone, color)
    ends = (stone, board.cells + second)
    found = template_of(position, color, ends, cells)
    assert found is not None
    assert (found.name, found.cells) == (name, (stone,))
    assert template_of(position, color, ends, cells - {min(cells)}) is None


def test_a_bridge_is_named_by_the_stones_that_make_it():
    board = Board(7, 7)
    position = setup(board, "d2 c3 b5")
    table = find_connections(position, Color.BLACK)
    (found, *_) = table.between(board.cell("d2"), board.cell("b5"))
    assert (
        connection_sentence(position, Color.BLACK, found, Names.RED_BLUE)
        == "a bridge joins c3 and b5 (2 cells)"
    )


def test_connections_as_sentences():
    board = Board(5, 5)
    position = Position.empty(board).with_stone(board.cell("c3"), Color.WHITE)

    def said(*ends, kind="full"):
        table = find_connections(position, Color.WHITE)
        found = next(c for c in table.between(*ends) if c.kind == kind)
        return connection_sentence(position, Color.WHITE, found, Names.RED_BLUE)

    left, right, c3 = board.cells, board.cells + 1, board.cell("c3")
    assert said(left, right) == "left and right are joined (16 cells)"
    assert said(c3, left) == "a ziggurat joins c3 to the left edge (8 cells)"
    empty = Position.empty(board)
    table = find_connections(empty, Color.WHITE)
    semi = table.between(left, right)[0]
    text = connection_sentence(empty, Color.WHITE, semi, Names.RED_BLUE)
    assert text.startswith("if Blue plays ")
    assert text.endswith(f"left and right are joined ({len(semi.cells)} cells)")
    a1 = board.cell("a1")
    assert joined_sentence(empty, Color.WHITE, (a1, left), frozenset()) == (
        "a stone on a1 reaches the left edge"
    )
    assert joined_sentence(empty, Color.WHITE, (a1, board.cell("b1")), frozenset()) == (
        "a stone on a1 and a stone on b1 are joined"
    )


# Ladders

LADDERS = [
    (2, 2, (0, 3), {(1, 2), (1, 3)}),
    (2, 3, (0, 4), {(1, 3), (1, 4)}),
    (2, 4, (1, 4), set()),
    (3, 2, (1, 2), {(2, 1), (2, 2)}),
    (3, 3, (1, 3), {(2, 2), (2, 3)}),
]
"""Row, steps, escape, and what joins that to the edge: offsets from the stone that begins."""


@pytest.mark.parametrize(("row", "steps", "escape", "rest"), LADDERS)
def test_it_holds_by_exhaustive_play_and_needs_every_cell_and_the_escape(row, steps, escape, rest):
    carrier = ladder(row, steps) | rest
    assert plays_out(row, carrier, escape)
    assert not any(plays_out(row, carrier - {cell}, escape) for cell in carrier)
    assert not plays_out(row, carrier)


@every_edge
@pytest.mark.parametrize(("row", "steps", "escape", "rest"), LADDERS)
def test_a_ladder_is_recognised_on_every_edge_and_mirrored(
    row, steps, escape, rest, color, second, mirror
):
    board = Board(17, 18)
    cell = from_stone(board, row, color, second, mirror)
    stone, end = cell((0, 0)), cell(escape)
    position = Position.empty(board).with_stone(stone, color).with_stone(end, color)
    carrier = frozenset(map(cell, ladder(row, steps) | rest))
    ends = stone, board.cells + second
    found = ladder_of(position, color, ends, carrier)
    assert found is not None
    assert found.name == f"row-{row} ladder to {board.name(end)}"
    assert found.cells == (stone,)
    assert ladder_of(position, color, ends, carrier - {min(carrier)}) is None
    assert ladder_of(position, color, ends, carrier | {cell((0, -1))}) is None
    assert ladder_of(position, color.opponent, ends, carrier) is None


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
    position = setup(board, black, white)
    table = find_connections(position, Color.BLACK)
    ends = board.cell(black.split()[0]), board.cells + 1
    found = [c for c in table.between(*ends) if c.kind is ConnectionKind.FULL]
    texts = [connection_sentence(position, Color.BLACK, c, Names.RED_BLUE) for c in found]
    assert said in texts


def test_the_last_step_may_be_the_escape_itself():
    board = Board(11, 11)
    position = setup(board, "c9 g9 g10 g11", "b10 a11")
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
    position = setup(board, "c10 e10", "b11")
    cells = frozenset(map(board.cell, ("d10", "c11", "d11", "e11")))
    ends = board.cell("c10"), board.cells + 1
    text = joined_sentence(position, Color.BLACK, ends, cells)
    assert text == "c10 reaches the bottom edge (4 cells)"
