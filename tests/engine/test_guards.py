"""Public methods say what is wrong with a board, a cell, a colour, before a kernel runs."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch, find_connections
from hextui.engine.evaluators.blocking_room import BlockingRoom
from hextui.engine.evaluators.path_counts import counts_after_moves
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.limit import TooCostlyError
from hextui.engine.network import LinkArrays, PathMemory, link_tables, network, reduce_links
from hextui.engine.paths import count_paths
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.proof_export import Exporter, LeafMaker
from hextui.engine.solver.search import Search

BOARD = Board(3, 3)
SETTINGS = SolverSettings(table_bytes=1 << 16)

boards = st.builds(Board, st.integers(1, 4), st.integers(1, 9)).filter(lambda b: b != BOARD)


@st.composite
def strangers(draw: st.DrawFn) -> Position:
    """A position of another board, often one with as many cells."""
    board = draw(st.sampled_from([Board(1, 9), Board(9, 1)]) | boards)
    stones = draw(st.lists(st.integers(0, 2), min_size=board.cells, max_size=board.cells))
    return Position(board, bytes(stones), draw(st.sampled_from(Color)))


def with_solver(ask: Callable[[Solver], object]) -> object:
    with closing(Solver(BOARD, SETTINGS)) as solver:
        return ask(solver)


def with_search(ask: Callable[[Search], object]) -> object:
    with closing(Search(BOARD, SETTINGS)) as search:
        return ask(search)


HERE = Position.empty(BOARD)

WITH_ANOTHER_BOARD = {
    "connections": lambda p: ConnectionSearch(BOARD, Color.BLACK).search(p),
    "kernel arguments": lambda p: ConnectionSearch(BOARD, Color.BLACK).kernel_arguments(p),
    "network, room": lambda p: network(p, Color.BLACK, None, PathMemory(BOARD)),
    "network, table": lambda p: network(p, Color.BLACK, find_connections(HERE, Color.BLACK)),
    "links, room": lambda p: reduce_links(
        p, Color.BLACK, network(p, Color.BLACK).arrays, PathMemory(BOARD)
    ),
    "paths": lambda p: count_paths(network(p, Color.WHITE), PathMemory(BOARD)),
    "workbench": lambda p: Workbench(BOARD).look_at(p),
    "solver": lambda p: with_solver(lambda solver: list(solver.solve(p))),
    "solver's table": lambda p: with_solver(lambda solver: solver.look_up(p)),
    "search": lambda p: with_search(lambda search: search.start(p)),
    "search's table": lambda p: with_search(lambda search: search.look_up(p)),
    "proof": lambda p: with_solver(lambda solver: Exporter(solver).prove(p)),
    "leaf's connections": lambda p: LeafMaker(BOARD, Color.BLACK).connections(p),
}


@pytest.mark.parametrize("name", WITH_ANOTHER_BOARD)
@settings(max_examples=15)
@given(stranger=strangers())
def test_another_board_is_refused(name: str, stranger: Position) -> None:
    with pytest.raises(ValueError, match=r"3x3") as error:
        WITH_ANOTHER_BOARD[name](stranger)
    assert "\n" not in str(error.value)


def searched() -> ConnectionSearch:
    search = ConnectionSearch(BOARD, Color.BLACK)
    search.search(HERE.play(4))
    return search


SEARCHED = searched()
TABLE = SEARCHED.table()


@given(cell=st.integers() | st.sampled_from([-1, -9, 9, 10, 2**31, -(2**31)]))
def test_a_cell_that_is_not_empty_and_on_the_board_is_refused(cell: int) -> None:
    if 0 <= cell < 9 and cell != 4:
        return
    for color in Color:
        with pytest.raises(ValueError, match=r"is not on the 3x3 board|b2 is taken"):
            SEARCHED.play(cell, color)
    assert (SEARCHED.table().rows == TABLE.rows).all()


WITH_ANOTHER_COLOR = {
    "connections": lambda color: ConnectionSearch(BOARD, color),
    "found connections": lambda color: find_connections(HERE, color),
    "play": lambda color: SEARCHED.play(0, color),
    "network": lambda color: network(HERE, color),
    "links": lambda color: reduce_links(HERE, color, network(HERE, Color.BLACK).arrays),
    "bench's connections": lambda color: Workbench(BOARD).oriented(color),
    "bench's table": lambda color: Workbench(BOARD).table(color),
    "bench's network": lambda color: Workbench(BOARD).network(color, links=False),
    "bench's paths": lambda color: Workbench(BOARD).paths(color, links=False),
    "path value": lambda color: BlockingRoom(HERE).value(color),
    "leaves": lambda color: LeafMaker(BOARD, color),
}


@pytest.mark.parametrize("name", WITH_ANOTHER_COLOR)
@pytest.mark.parametrize("color", [0, 1, 2, 3, -1, "black", None])
def test_what_is_no_color_is_refused(name: str, color: object) -> None:
    with pytest.raises(ValueError, match=r"a colour is Color\.BLACK or Color\.WHITE, not"):
        WITH_ANOTHER_COLOR[name](color)


@pytest.mark.parametrize("stones", [b"\3" + bytes(8), bytes(8) + b"\xff", bytes(8), bytes(10)])
def test_a_position_holds_one_known_stone_a_cell(stones: bytes) -> None:
    with pytest.raises(ValueError, match=r"0, 1 or 2|cells given for a 3x3 board"):
        Position(BOARD, stones)


@pytest.mark.parametrize("to_move", [0, 1, 2, 3, None])
def test_a_position_has_a_color_to_move(to_move: object) -> None:
    with pytest.raises(ValueError, match=r"a colour is"):
        Position(BOARD, bytes(9), to_move)  # type: ignore[arg-type]


LINKS = network(HERE, Color.BLACK).arrays
NUMBER = st.integers(-(2**31), 2**31 - 1)


def check_refused(wrong: LinkArrays) -> None:
    for ask in (
        lambda: link_tables(BOARD, wrong),
        lambda: reduce_links(HERE, Color.BLACK, wrong),
        lambda: count_paths(replace(network(HERE, Color.BLACK), arrays=wrong)),
    ):
        with pytest.raises(ValueError, match="links"):
            ask()


@settings(max_examples=30)
@given(link=st.tuples(st.integers(0, len(LINKS.ends) - 1), st.integers(0, 1)), node=NUMBER)
def test_links_of_nodes_that_are_not_there_are_refused(link: tuple[int, int], node: int) -> None:
    ends = LINKS.ends.copy()
    if 0 <= node < 11:
        node = int(ends[link[0], 1 - link[1]])  # with itself
    ends[link] = node
    check_refused(LinkArrays(ends, LINKS.carriers))


@pytest.mark.parametrize(
    "wrong",
    [
        LinkArrays(LINKS.ends, LINKS.carriers[1:]),
        LinkArrays(LINKS.ends, np.zeros((len(LINKS.ends), 2), np.uint64)),
        LinkArrays(LINKS.ends, LINKS.carriers | np.uint64(1 << 9)),
        LinkArrays(LINKS.ends, LINKS.carriers.astype(np.int64)),
        LinkArrays(LINKS.ends.astype(np.float64), LINKS.carriers),
        LinkArrays(LINKS.ends[:, :1], LINKS.carriers),
        LinkArrays(LINKS.ends.ravel(), LINKS.carriers),
    ],
    ids=["too few", "too wide", "beyond the board", "signed", "fractions", "one end", "flat"],
)
def test_links_of_a_wrong_form_are_refused(wrong: LinkArrays) -> None:
    check_refused(wrong)


def test_links_of_a_pair_stand_together() -> None:
    rows = [*range(len(LINKS.ends)), 0]
    apart = LinkArrays(LINKS.ends[rows], LINKS.carriers[rows])
    with pytest.raises(ValueError, match="links: those of a pair do not stand together"):
        count_paths(replace(network(HERE, Color.BLACK), arrays=apart, parallel=True))


def test_of_links_given_twice_the_last_counts() -> None:
    rows = [*range(len(LINKS.ends)), 0]
    ends = LINKS.ends[rows]
    ends[-1] = ends[-1, ::-1]
    for order in (slice(None), slice(None, None, -1)):
        twice = LinkArrays(ends[order], LINKS.carriers[rows])
        assert reduce_links(HERE, Color.BLACK, twice).links == network(HERE, Color.BLACK).links


def test_more_links_than_there_is_room_for_are_refused() -> None:
    own = network(HERE, Color.BLACK)
    many = LinkArrays(LINKS.ends[:1].repeat(300, axis=0), LINKS.carriers[:1].repeat(300, axis=0))
    with pytest.raises(TooCostlyError, match="300 links, 220 at most"):
        count_paths(replace(own, arrays=many, parallel=True))


def test_links_of_the_opponents_cells_are_refused() -> None:
    taken = HERE.with_stone(4, Color.WHITE)
    with pytest.raises(ValueError, match="links join only empty cells, own groups and own edges"):
        reduce_links(taken, Color.BLACK, LINKS)


def test_a_network_of_nodes_that_are_not_there_is_refused() -> None:
    own = network(HERE, Color.BLACK)
    for nodes in ((*own.nodes, 11), (-1, *own.nodes)):
        with pytest.raises(ValueError, match="is not of a 3x3 board: 0 to 10"):
            count_paths(replace(own, nodes=nodes))


def test_levels_are_0_or_more() -> None:
    with pytest.raises(ValueError, match="k is 0 or more, not -1"):
        next(counts_after_moves(Workbench(BOARD), -1))


@pytest.mark.parametrize("node", [-1, 11])
def test_connections_between_nodes_that_are_not_there_are_refused(node: int) -> None:
    for ends in ((0, node), (node, 0)):
        with pytest.raises(ValueError, match="is not of a 3x3 board"):
            TABLE.between(*ends)


@pytest.mark.parametrize("row", [-1, 1 << 20])
def test_a_connection_that_is_not_there_is_refused(row: int) -> None:
    with pytest.raises(IndexError, match="no connection"):
        TABLE.connection(row)


def test_a_search_that_has_no_position_says_so() -> None:
    search = ConnectionSearch(BOARD, Color.BLACK)
    for ask in (search.table, lambda: search.play(0, Color.BLACK)):
        with pytest.raises(ValueError, match="no position has been searched"):
            ask()
    with pytest.raises(IndexError, match="no stone to take back"):
        search.undo()
    with pytest.raises(ValueError, match="no position has been started"):
        with_search(lambda search: search.go_on(1, lambda: True))


def test_a_closed_solver_says_so() -> None:
    solver = Solver(BOARD, SETTINGS)
    solver.close()
    solver.close()
    for ask in (lambda: next(solver.solve(HERE)), lambda: solver.look_up(HERE)):
        with pytest.raises(ValueError, match="the solver is closed"):
            ask()
    with pytest.raises(ValueError, match="the solver is closed"):
        Exporter(solver).prove(HERE)
