"""Connections: sound, derived, updated as if searched anew; known ones found, fig. 8 not."""

import random
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from hextui.engine.board import EMPTY, Board, Color, Edge
from hextui.engine.captured_pairs import edge_pairs
from hextui.engine.connection import Connection, ConnectionKind, Rule
from hextui.engine.connections import (
    ConnectionSearch,
    ConnectionSettings,
    ConnectionTable,
    cells_of,
    find_connections,
)
from hextui.engine.evaluators.workbench import full_pairs
from hextui.engine.kernels.connections import state as layout
from hextui.engine.position import Position
from tests.engine.positions import random_position, setup
from tests.oracles.connections import holds
from tests.samples import some

SETTINGS = {
    "greedy": ConnectionSettings(),
    "short lists": ConnectionSettings(full_limit=2, semi_limit=3),
    "small carriers": ConnectionSettings(cell_size_limit=4),
    "over edges": ConnectionSettings(and_over_edges=True),
    "or-3": ConnectionSettings(or_size=3),
    "or-4 over edges": ConnectionSettings(or_size=4, and_over_edges=True),
    "captured": ConnectionSettings(captured=True),
    "captured, or-3": ConnectionSettings(or_size=3, captured=True),
    "captured over edges": ConnectionSettings(True, captured=True),
    "templates": ConnectionSettings(captured=True, templates=True),
}


def check(table: ConnectionTable, largest_carrier: int) -> int:
    """Check every connection of the table against exhaustive play; return their number."""
    checked = 0
    for connection in table:
        if len(connection.cells) <= largest_carrier:
            assert holds(table, connection), (table.position, connection)
            checked += 1
    return checked


@pytest.mark.parametrize(
    ("count", "largest"), [(300, 9), pytest.param(20_000, 14, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", SETTINGS)
def test_every_connection_is_sound(name: str, count: int, largest: int) -> None:
    rng = random.Random(name)
    checked = 0
    while checked < count:
        position = random_position(rng, 5 if "or-4" in name else 6, rng.choice((0.1, 0.3, 0.5)))
        for color in Color:
            checked += check(find_connections(position, color, SETTINGS[name]), largest)


def random_game(search: ConnectionSearch, rng: random.Random, plies: int) -> None:
    """Play random stones of both colours, undoing now and then."""
    depth = 0
    for _ in range(plies):
        empties = [c for c, s in enumerate(search.table().position.stones) if s == EMPTY]
        if depth and (not empties or rng.random() < 0.3):
            search.undo()
            depth -= 1
        elif empties:
            search.play(rng.choice(empties), rng.choice(list(Color)))
            depth += 1


@pytest.mark.parametrize("count", some((200, 1000), 1))
@pytest.mark.parametrize("name", SETTINGS)
def test_updated_connections_are_sound(name: str, count: int) -> None:
    rng = random.Random(name)
    checked = 0
    while checked < count:
        position = random_position(rng, 6, 0.2)
        for color in Color:
            search = ConnectionSearch(position.board, color, SETTINGS[name])
            search.search(position)
            random_game(search, rng, 12)
            checked += check(search.table(), 9)


def edge_verdict(table: ConnectionTable) -> tuple[bool, bool]:
    return bool(table.edge_fulls), bool(table.edge_fulls or table.edge_semis)


@pytest.mark.parametrize("or_size", [0, 3])
@pytest.mark.parametrize("over_edges", [False, True])
def test_update_and_fresh_search_agree_with_unlimited_lists(or_size: int, over_edges: bool) -> None:
    rng = random.Random(or_size)
    settings = ConnectionSettings(
        full_limit=300,
        semi_limit=900,
        cell_full_limit=300,
        cell_semi_limit=900,
        or_size=or_size,
        and_over_edges=over_edges,
    )
    for _ in range(12):
        position = random_position(rng, 4, 0.1)
        for color in Color:
            search = ConnectionSearch(position.board, color, settings)
            search.search(position)
            empties = list(position.empties)
            rng.shuffle(empties)
            for cell in empties[:6]:
                search.play(cell, rng.choice(list(Color)))
                table = search.table()
                assert table.complete
                fresh = find_connections(table.position, color, settings)
                assert edge_verdict(table) == edge_verdict(fresh), table.position


def in_force(table: ConnectionTable) -> set[tuple[object, ...]]:
    return {(c.nodes, c.cells, c.kind, c.key_cell, c.rule, c.id) for c in table}


def memory(search: ConnectionSearch) -> tuple[object, ...]:
    """Return all that the kernels read, but the rows: the slots in use and the tables of pairs."""
    ints, words, pool = search._ints, search._words, search._pool
    nodes, size, width = int(pool["nodes"]), int(pool["node_words"]), search.width
    slot_size = int(pool["slot_size"])
    slots = []
    for slot in range(pool["slots"]):
        fields = ints[pool["slot"] + slot * slot_size :][:slot_size].tolist()
        semi_lists = layout.SLOT_LISTS + pool["full_limit"]
        fulls = fields[layout.SLOT_LISTS :][: fields[layout.SLOT_FULLS]]
        semis = fields[semi_lists:][: fields[layout.SLOT_SEMIS]]
        bounds = fields[layout.SLOT_FULL_BOUND], fields[layout.SLOT_SEMI_BOUND]
        sets = [
            words[pool[table] + slot * width :][:width].tobytes() for table in ("union", "needed")
        ]
        slots.append((fields[layout.SLOT_A], fields[layout.SLOT_B], fulls, semis, bounds, sets))
    tables = [words[pool[table] :][: nodes * size].tobytes() for table in ("linked", "adjacent")]
    ends = ints[pool["slot_of"] :][: nodes * nodes].tobytes()
    flags = ints[pool["state"] :][: pool["rows"]]
    waiting = (flags & (layout.PENDING_A | layout.PENDING_B)).tobytes()
    return slots, tables, ends, waiting


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("count", some((1, 20), 1))
def test_undo_restores_exactly(name: str, count: int) -> None:
    rng = random.Random(f"{name} {count}")
    for _ in range(count):
        position = random_position(rng, 7, 0.2)
        for color in Color:
            search = ConnectionSearch(position.board, color, SETTINGS[name])
            search.search(position)
            before = [(in_force(search.table()), memory(search))]
            cells = rng.sample(position.empties, min(6, len(position.empties)))
            for cell in cells:
                search.play(cell, rng.choice(list(Color)))
                before.append((in_force(search.table()), memory(search)))
            for _ in cells:
                assert (in_force(search.table()), memory(search)) == before.pop()
                search.undo()
            assert (in_force(search.table()), memory(search)) == before.pop()
            # what was undone leaves nothing behind
            for cell in cells[:2]:
                search.play(cell, color)
            again = ConnectionSearch(position.board, color, SETTINGS[name])
            again.search(position)
            for cell in cells[:2]:
                again.play(cell, color)
            assert in_force(search.table()) == in_force(again.table())


@pytest.mark.parametrize("name", SETTINGS)
def test_a_search_leaves_nothing_to_the_next(name: str) -> None:
    rng = random.Random(name)
    board = Board(7, 9)
    kept = ConnectionSearch(board, Color.BLACK, SETTINGS[name])
    for share in (0.0, 0.2, 0.5):
        stones = bytes(rng.choice((1, 2)) if rng.random() < share else 0 for _ in range(63))
        position = Position(board, stones)
        kept.search(position)
        new = ConnectionSearch(board, Color.BLACK, SETTINGS[name])
        new.search(position)
        assert memory(kept) == memory(new)
        for cell in position.empties[:3]:
            kept.play(cell, Color.BLACK)


@pytest.mark.parametrize("name", SETTINGS)
def test_derivations_follow_the_rules(name: str) -> None:
    rng = random.Random(name)
    for _ in range(4):
        position = random_position(rng, 5 if "or-4" in name else 6, 0.2)
        table = find_connections(position, rng.choice(list(Color)), SETTINGS[name])
        derived: dict[int, Connection] = {}
        for connection in table:
            if connection.id not in derived:
                derived |= {step.id: step for step in table.why(connection)}
        for step in derived.values():
            premises = [table.connection(p) for p in step.premises]
            carriers = [p.cells for p in premises]
            key = set() if step.key_cell is None else {step.key_cell}
            captured = frozenset(chain.from_iterable(step.pairs))
            assert len(captured) == 2 * len(step.pairs)
            assert all(p.id < step.id for p in premises)
            match step.rule:
                case Rule.ADJACENCY:
                    assert not premises
                    assert not step.cells
                case Rule.AND:
                    first, second = premises
                    shared = set(first.nodes) & set(second.nodes)
                    assert set(first.nodes) ^ set(second.nodes) == set(step.nodes)
                    assert all(p.kind is ConnectionKind.FULL for p in premises)
                    assert first.cells & second.cells <= captured
                    assert step.cells == first.cells | second.cells | key | captured
                    if step.kind is ConnectionKind.SEMI:
                        assert shared == key
                    else:
                        joint = shared.pop()
                        assert joint >= position.board.cells or position.stones[joint]
                case Rule.OR:
                    assert all(p.kind is ConnectionKind.SEMI for p in premises)
                    assert frozenset.intersection(*carriers) <= captured
                    assert step.cells == frozenset.union(*carriers) | captured
                case Rule.TEMPLATE:
                    assert not premises
                    assert max(step.nodes) >= position.board.cells
                    assert step.kind is ConnectionKind.FULL
                case Rule.STONE:
                    raise AssertionError("a fresh search plays no stones")


def test_pairs_tell_what_all_their_full_connections_need() -> None:
    rng = random.Random(17)
    for _ in range(12):
        table = find_connections(random_position(rng, 6, 0.4), rng.choice(list(Color)))
        fulls: dict[tuple[int, int], list[Connection]] = {}
        for one in table:
            if one.kind is ConnectionKind.FULL:
                low, high = sorted(one.nodes)
                fulls.setdefault((low, high), []).append(one)
        pairs, needed, touching = full_pairs(table)
        assert [tuple(ends) for ends in pairs.tolist()] == sorted(fulls)
        for row, ends in enumerate(sorted(fulls)):
            carriers = [one.cells for one in fulls[ends]]
            common = int.from_bytes(needed[row].tobytes(), "little")
            assert cells_of(common) == frozenset.intersection(*carriers)
            assert touching[row] == (frozenset() in carriers)


@pytest.mark.parametrize(
    ("side", "stones", "carrier"),
    [
        pytest.param(5, "c2 b4", "b3 c3", id="bridge"),
        pytest.param(7, "d6", "c7 d7", id="template II"),
        pytest.param(8, "e6", "f6 d7 e7 f7 c8 d8 e8 f8", id="ziggurat"),
        pytest.param(8, "e6", "d6 c7 d7 e7 b8 c8 d8 e8", id="ziggurat, mirrored"),
    ],
)
def test_known_connections_of_two_stones_or_with_the_bottom_are_found(side, stones, carrier):
    board = Board(side, side)
    table = find_connections(setup(board, stones), Color.BLACK)
    first, second = (*map(board.cell, stones.split()), table.second_edge)[:2]
    found = table.between(first, second)
    fulls = [one.cells for one in found if one.kind is ConnectionKind.FULL]
    assert set(map(board.cell, carrier.split())) in fulls


def test_captured_cells_join_what_and_and_or_alone_do_not() -> None:
    board = Board(5, 6)
    position = setup(board, "b3 d5", "a2 a3 a4 f5")
    long = ConnectionSettings(
        full_limit=60, semi_limit=120, cell_full_limit=60, cell_semi_limit=120
    )
    for settings in (long, replace(long, and_over_edges=True)):
        assert not find_connections(position, Color.BLACK, settings).edge_fulls
    table = find_connections(position, Color.BLACK, replace(long, captured=True))
    whole = table.edge_fulls[0]
    used = {pair for step in table.why(whole) for pair in step.pairs}
    assert used
    assert all({one, other} <= whole.cells for one, other in used)


def test_cells_captured_inside_a_carrier_join_what_the_plain_rules_do_not() -> None:
    board = Board(6, 6)
    position = setup(board, "c3 d3", "e3")
    assert not find_connections(position, Color.BLACK).edge_fulls
    table = find_connections(position, Color.BLACK, ConnectionSettings(captured=True))
    whole = table.edge_fulls[0]
    steps = [step for step in table.why(whole) if step.pairs]
    assert [[*map(board.name, pair)] for step in steps for pair in step.pairs] == [["b4", "c4"]]


@pytest.mark.slow
def test_connections_that_share_what_is_captured_inside_them_hold() -> None:
    rng = random.Random(5)
    settings = SETTINGS["captured"]
    checked = 0
    while checked < 500:
        position = random_position(rng, 6, rng.choice((0.1, 0.2, 0.3, 0.5)))
        for color in Color:
            table = find_connections(position, color, settings)
            at_edges = set(chain.from_iterable(edge_pairs(position.board, color).values()))
            for step in map(table.connection, range(len(table.rows))):
                if set(step.pairs) - at_edges and len(step.cells) <= 11:
                    assert holds(table, step), (position, step)
                    checked += 1


UNFOUND = """
    . W W . . W
     B . . . W W
      . . . B W W
       B B W . B .
        B B B W W B
"""


def test_a_connection_beyond_both_rules_is_not_found() -> None:
    """Fig. 8 of https://hdl.handle.net/2115/51049: connected, but AND and OR find nothing."""
    rows = [line.split() for line in UNFOUND.strip().splitlines()]
    stones = bytes(".BW".index(mark) for row in rows for mark in row)
    position = Position(Board(5, 6), stones)
    long = ConnectionSettings(
        True, full_limit=300, semi_limit=900, cell_full_limit=300, cell_semi_limit=900
    )
    for settings in (ConnectionSettings(), long, replace(long, or_size=9)):
        table = find_connections(position, Color.BLACK, settings)
        assert not table.edge_fulls
    whole = Connection(
        id=-1,
        board=position.board,
        color=Color.BLACK,
        nodes=(table.first_edge, table.second_edge),
        cells=frozenset(position.empties),
        kind=ConnectionKind.FULL,
        rule=Rule.OR,
        key_cell=None,
        premises=(),
        live=True,
    )
    assert holds(table, whole)


def test_chains_of_bridges_join_the_edges() -> None:
    board = Board(7, 7)
    table = find_connections(setup(board, "e2 d4 c6"), Color.BLACK)
    assert table.edge_fulls
    assert len(table.edge_fulls[0].carrier) == 8


def test_a_chain_on_the_board_is_a_connection_without_carrier() -> None:
    board = Board(3, 3)
    table = find_connections(setup(board, "b1 b2 b3", "a1 a2"), Color.BLACK)
    assert not table.edge_fulls[0].carrier


def test_every_edge_has_its_name() -> None:
    position = Position.empty(Board(3, 4))
    for color, names in ((Color.BLACK, "top bottom"), (Color.WHITE, "left right")):
        table = find_connections(position, color)
        ends = (table.node_name(n) for n in (table.first_edge, table.second_edge))
        assert " ".join(ends) == names
        edge = Edge[names.split()[0].upper()]
        for cell in position.board.edge_cells[edge]:
            assert table.between(cell, table.first_edge)[0].rule is Rule.ADJACENCY


def test_a_full_pool_is_reported_and_undone() -> None:
    position = Position.empty(Board(6, 6))
    assert not find_connections(position, Color.BLACK, ConnectionSettings(row_limit=100)).complete
    rows = len(find_connections(position, Color.BLACK).rows)
    search = ConnectionSearch(position.board, Color.BLACK, ConnectionSettings(row_limit=rows + 5))
    search.search(position)
    assert search.complete
    before = in_force(search.table())
    search.play(14, Color.BLACK)
    assert not search.complete
    search.undo()
    assert search.complete
    assert in_force(search.table()) == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"or_size": 1},
        {"or_size": 21},
        {"full_limit": 0},
        {"semi_limit": 1},
        {"cell_full_limit": 0},
        {"cell_size_limit": -1},
        {"row_limit": 1 << 22},
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"limit|or_size"):
        ConnectionSettings(**wrong)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("over_edges", "fulls", "semis"), [(False, 716, 2828), (True, 4800, 20_000)]
)
def test_so_many_connections_are_found_on_the_empty_board(
    over_edges: bool, fulls: int, semis: int
) -> None:
    limits = ConnectionSettings(over_edges, cell_full_limit=10, cell_semi_limit=20)
    table = find_connections(Position.empty(Board(11, 11)), Color.BLACK, limits)
    assert table.fulls >= fulls
    assert table.semis >= semis


def test_only_carriers_between_empty_cells_have_a_limited_size() -> None:
    board = Board(8, 8)
    search = ConnectionSearch(board, Color.BLACK, ConnectionSettings(cell_size_limit=3))
    position = setup(board, "a4 b4", "a5 b5")
    search.search(position)
    for move, color in (("e4", Color.BLACK), ("d7", Color.WHITE), ("f5", Color.BLACK)):
        search.play(board.cell(move), color)
        table = search.table()
        stones = table.position.stones
        largest = {True: 0, False: 0}
        for connection in table:
            cells = all(end < board.cells and not stones[end] for end in connection.nodes)
            largest[cells] = max(largest[cells], len(connection.cells))
        assert largest[True] == 3
        assert largest[False] > 3


def test_lists_keep_their_limits() -> None:
    board = Board(8, 8)
    walls = setup(board, "a4 b4 c4 d4 f4 g4 h4", "a5 b5 g5 h5")
    settings = ConnectionSettings(full_limit=5, semi_limit=9, cell_full_limit=2, cell_semi_limit=3)
    lengths: dict[tuple[bool, ConnectionKind], dict[tuple[int, int], int]] = {}
    for connection in find_connections(walls, Color.BLACK, settings):
        cells = all(end < board.cells and walls.stones[end] == EMPTY for end in connection.nodes)
        of_pair = lengths.setdefault((cells, connection.kind), {})
        of_pair[connection.nodes] = of_pair.get(connection.nodes, 0) + 1
    longest = {which: max(of_pair.values()) for which, of_pair in lengths.items()}
    assert longest == {
        (True, ConnectionKind.FULL): 2,
        (True, ConnectionKind.SEMI): 3,
        (False, ConnectionKind.FULL): 5,
        (False, ConnectionKind.SEMI): 9,
    }
