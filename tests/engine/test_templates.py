"""Named templates: proved again, minimal, and recognised on every edge, both ways round."""

import json

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import find_connections
from hextui.engine.position import Position
from hextui.engine.solver.proof_board import mask_of
from hextui.engine.templates import FILE, mirrored, template_of
from hextui.words.connections import connection_sentence, joined_sentence
from hextui.words.names import Names
from tests.make_templates import NAMES, Strip, templates
from tests.oracles import claims

TABLE = json.loads(FILE.read_text())


def carrier_of(name):
    return frozenset(map(tuple, TABLE[name]["carrier"]))


def plays_out(row, carrier):
    """Tell by exhaustive play whether a stone on a row reaches the edge inside a carrier."""
    board = Board(row + 1, 2 * row + 3)
    stone = board.columns + row + 2
    # a second stone leads to the other edge: what stands beside the first one must not
    own = mask_of([stone, stone - board.columns + 1])
    cells = mask_of(stone + down * board.columns + across for down, across in carrier)
    return claims.holds(board, Color.BLACK, own, cells, False)


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


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("mirror", [False, True])
def test_it_is_recognised_on_every_edge_and_mirrored(name, color, second, mirror):
    board = Board(13, 12)
    carrier = mirrored(carrier_of(name)) if mirror else carrier_of(name)
    row = TABLE[name]["row"]
    lines = board.rows if color is Color.BLACK else board.columns
    line, across = (lines - row, 6) if second else (row - 1, 6)
    sign = 1 if second else -1

    def cell(at):
        there, beside = line + sign * at[0], across + sign * at[1]
        if color is Color.WHITE:
            there, beside = beside, there
        return there * board.columns + beside

    stone = cell((0, 0))
    position = Position.empty(board).with_stone(stone, color)
    cells = frozenset(map(cell, carrier))
    ends = (stone, board.cells + second)
    found = template_of(position, color, ends, cells)
    assert found is not None
    assert (found.name, found.cells) == (name, (stone,))
    assert template_of(position, color, ends, cells - {min(cells)}) is None


def test_a_bridge_is_named_by_the_stones_that_make_it():
    board = Board(7, 7)
    position = Position.empty(board)
    for name in ("d2", "c3", "b5"):
        position = position.with_stone(board.cell(name), Color.BLACK)
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
    assert text.endswith(f"left and right are joined ({len(semi.carrier)} cells)")
    a1 = board.cell("a1")
    assert joined_sentence(empty, Color.WHITE, (a1, left), frozenset()) == (
        "a1 (empty) is on the left edge"
    )
    assert joined_sentence(empty, Color.WHITE, (a1, board.cell("b1")), frozenset()) == (
        "a1 (empty) and b1 (empty) touch"
    )
