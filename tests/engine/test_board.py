"""Geometry: names, neighbours, edges, symmetries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import Board, Color, Edge, edges_of

boards = st.builds(Board, st.integers(1, 19), st.integers(1, 19))


@given(boards)
def test_names_and_cells_are_inverse(board: Board) -> None:
    assert [board.cell(board.name(cell)) for cell in range(board.cells)] == list(range(board.cells))


@given(boards)
def test_neighbours_are_mutual_and_keep_both_symmetries(board: Board) -> None:
    for cell in range(board.cells):
        near = set(board.neighbours[cell])
        assert all(cell in board.neighbours[n] for n in near)
        assert {board.rotate(n) for n in near} == set(board.neighbours[board.rotate(cell)])
        assert {board.mirror(n) for n in near} == set(
            board.transposed.neighbours[board.mirror(cell)]
        )


@given(boards)
def test_symmetries_exchange_the_edges(board: Board) -> None:
    def rotated(edge: Edge) -> set[int]:
        return {board.rotate(c) for c in board.edge_cells[edge]}

    def mirrored(edge: Edge) -> set[int]:
        return {board.mirror(c) for c in board.edge_cells[edge]}

    assert rotated(Edge.TOP) == set(board.edge_cells[Edge.BOTTOM])
    assert rotated(Edge.LEFT) == set(board.edge_cells[Edge.RIGHT])
    assert mirrored(Edge.TOP) == set(board.transposed.edge_cells[Edge.LEFT])
    assert mirrored(Edge.BOTTOM) == set(board.transposed.edge_cells[Edge.RIGHT])


def test_an_inner_cell_has_six_neighbours_and_the_acute_corner_two() -> None:
    board = Board(5, 5)
    assert len(board.neighbours[board.cell("c3")]) == 6
    assert len(board.neighbours[board.cell("a1")]) == 2
    assert len(board.neighbours[board.cell("e1")]) == 3


@pytest.mark.parametrize("name", ["", "a0", "f1", "a6", "aa1", "1a", "a01"])
def test_a_wrong_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no cell"):
        Board(5, 5).cell(name)


@pytest.mark.parametrize("size", [(0, 5), (5, 20), (-1, 3)])
def test_a_wrong_size_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="1 to 19"):
        Board(*size)


def test_colours_have_two_names_and_two_edges() -> None:
    assert Color.parse("Red") is Color.BLACK
    assert Color.parse("b") is Color.BLACK
    assert Color.parse("blue") is Color.WHITE
    with pytest.raises(ValueError, match="green"):
        Color.parse("green")
    assert [e.color for color in Color for e in edges_of(color)] == [
        Color.BLACK,
        Color.BLACK,
        Color.WHITE,
        Color.WHITE,
    ]


@pytest.mark.parametrize(
    "text", ["0", "20", "3x", "x3", "3x3x3", "-3", "3x0", "٣", "", "1000x1000"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="board"):
        Board.parse(text)


def test_sizes_are_read_as_they_are_written() -> None:
    for board in (Board(1, 1), Board(3, 4), Board(19, 19)):
        assert Board.parse(str(board)) == board
    assert Board.parse(" 11 ") == Board(11, 11)
