"""Stored templates: proved again, needed, and looked up on every edge, both ways round."""

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind, Rule
from hextui.engine.connections import ConnectionSearch, ConnectionSettings, find_connections
from hextui.engine.position import Position
from hextui.engine.solver.check import check
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.proof_export import Exporter
from hextui.engine.templates import known_templates, stored_templates
from hextui.words.connections import joined_sentence
from tests.make_templates import Strip, helped_templates
from tests.oracles.connections import holds

LOOKED_UP = ConnectionSettings(captured=True, cell_size_limit=4, templates=True)
BY_RULES = ConnectionSettings(captured=True, cell_size_limit=4)
BOARD = Board(9, 8)


def alone(board, color, known):
    """Return a position in which all but a template is the opponent's; its end is empty."""
    stone, (end, _), carrier = known
    stones = bytearray([color.opponent]) * board.cells
    for cell in (*carrier, end):
        stones[cell] = 0
    stones[stone] = color
    return Position(board, bytes(stones))


def looked_up(table, known):
    """Return the connection of a template's ends with its carrier that was looked up, or None."""
    _, ends, carrier = known
    found = (one for one in table.between(*ends) if one.rule is Rule.TEMPLATE)
    return next((one for one in found if one.cells == carrier), None)


def places(color):
    """Return a place of each image of each template at each edge."""
    first = {}
    for stone, (end, edge), carrier in known_templates(BOARD, color):
        across = BOARD.columns if color is Color.BLACK else 1
        shape = edge, *(cell // across for cell in (stone, end)), len(carrier)
        first.setdefault(shape, (stone, (end, edge), carrier))
    return list(first.values())


@pytest.mark.parametrize("color", Color)
def test_small_ones_hold_by_exhaustive_play_at_every_edge(color):
    small = [known for known in known_templates(BOARD, color) if len(known[2]) <= 10]
    shapes = {(edge, end - stone): (stone, (end, edge), c) for stone, (end, edge), c in small}
    assert len(shapes) >= 4
    for known in shapes.values():
        table = find_connections(alone(BOARD, color, known), color, LOOKED_UP)
        found = looked_up(table, known)
        assert found is not None
        assert holds(table, found)


@pytest.mark.parametrize("color", Color)
def test_every_one_is_looked_up_and_the_rules_miss_it_before_or_after_its_stone(color):
    search = ConnectionSearch(BOARD, color, LOOKED_UP)
    plain = ConnectionSearch(BOARD, color, BY_RULES)
    for known in places(color):
        before = alone(BOARD, color, known)
        search.search(before)
        assert looked_up(search.table(), known) is not None
        missed = 0
        for position in (before, before.with_stone(known[1][0], color)):
            plain.search(position)
            kinds = [one.kind for one in plain.table().between(*known[1])]
            missed += ConnectionKind.FULL not in kinds
        assert missed


def test_it_comes_with_the_stone_that_helps_and_goes_with_the_opponent_s():
    known = next(k for k in known_templates(BOARD, Color.BLACK) if len(k[2]) == 10)
    stone, _, carrier = known
    before = Position.empty(BOARD)
    search = ConnectionSearch(BOARD, Color.BLACK, LOOKED_UP)
    search.search(before)
    assert looked_up(search.table(), known) is None
    search.play(stone, Color.BLACK)
    assert looked_up(search.table(), known) is not None
    search.play(min(carrier), Color.WHITE)
    assert looked_up(search.table(), known) is None
    search.undo()
    assert looked_up(search.table(), known) is not None
    search.undo()
    assert looked_up(search.table(), known) is None


def called(stones, rows):
    """Return what joins the end to the bottom; columns from ``a``, the first row is the fourth."""
    board = Board(8, 8)
    carrier = frozenset(board.cell(f"{at}{line}") for line, at in cells_of(rows))
    end, stone = map(board.cell, stones.split())
    known = stone, (end, board.cells + 1), carrier
    assert known in known_templates(board, Color.BLACK)
    position = alone(board, Color.BLACK, known)
    said = joined_sentence(position, Color.BLACK, known[1], carrier)
    return said.split(" joins ")[0]


def cells_of(rows):
    return [(line, at) for line, columns in enumerate(rows.split("/"), 5) for at in columns]


# the diagrams of HexWiki's fourth row edge templates with two stones, and mirror images
@pytest.mark.parametrize(
    ("stones", "rows", "name"),
    [
        ("d5 c5", "/bcd/bcd/abcd", "template IV-2-a"),
        ("c5 d5", "/bcd/bcd/abcd", "template IV-2-a"),
        ("d5 e5", "/cde/bcd/abcd", "template IV-2-a"),
        ("c5 b6", "d/cde/bcde/abcde", "template IV-2-b"),
        ("f5 f6", "e/cde/bcde/abcde", "template IV-2-b"),
        ("d5 b6", "c/cd/bcd/abcd", "template IV-2-j"),
    ],
)
def test_those_that_players_named_go_by_their_names(stones, rows, name):
    assert called(stones, rows) == name


def test_others_are_edge_templates_of_their_row_with_the_stone_that_helps():
    known = next(k for k in known_templates(BOARD, Color.BLACK) if len(k[2]) == 12)
    position = alone(BOARD, Color.BLACK, known)
    stone, end = (BOARD.name(cell) for cell in (known[0], known[1][0]))
    said = joined_sentence(position, Color.BLACK, known[1], known[2])
    edge = "bottom" if known[1][1] > BOARD.cells else "top"
    words = f"a stone on {end} to the {edge} edge"
    assert said == f"an edge template on row 4 joins {words}, helped by {stone} (12 cells)"


@pytest.mark.parametrize(
    "template",
    [
        pytest.param(one, marks=() if place % 12 == 0 else pytest.mark.slow)
        for place, one in enumerate(stored_templates())
    ],
)
def test_the_solver_proves_it_without_templates_and_it_needs_every_cell(template):
    strip = Strip(template.row, template.stone)
    assert strip.joins(template.carrier)
    assert not any(strip.joins(template.carrier - {cell}) for cell in template.carrier)
    assert not Strip(template.row).joins(template.carrier)
    position = strip.position(template.carrier)
    solver = Solver(position.board, SolverSettings(table_bytes=1 << 20, templates=False))
    proof = Exporter(solver).prove(position)
    assert proof.winner is Color.BLACK
    check(proof)


@pytest.mark.slow
def test_the_script_makes_what_is_stored():
    helper = (0, -3)
    assert set(helped_templates(4, helper)) == {t for t in stored_templates() if t.stone == helper}
