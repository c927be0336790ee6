"""Rules and geometry: moves, swaps, the winner, keys, names, neighbours, symmetries."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import Board, Color, Edge, edges_of
from hextui.engine.position import IllegalMoveError, Move, MoveKind, Position, SwapRule


def played(size: int, names: str) -> Position:
    board = Board(size, size)
    position = Position.empty(board)
    for name in names.split():
        position = position.apply(Move.parse(name, board))
    return position


@st.composite
def positions(draw: st.DrawFn, largest: int = 7) -> Position:
    board = Board(draw(st.integers(1, largest)), draw(st.integers(1, largest)))
    stones = draw(st.lists(st.integers(0, 2), min_size=board.cells, max_size=board.cells))
    return Position(board, bytes(stones), draw(st.sampled_from(Color)))


def test_a_chain_wins_as_soon_as_it_touches_both_sides() -> None:
    almost = played(3, "b1 a1 b2 a2")
    assert almost.winner is None
    assert almost.play(almost.board.cell("b3")).winner is Color.BLACK
    assert played(3, "a1 a2 a3 b2 b1 c3").winner is None
    assert played(3, "a1 a2 a3 b2 c3 c2").winner is Color.WHITE


def test_the_winning_chain_joins_the_sides_by_the_fewest_stones() -> None:
    assert played(3, "a1 a2").winning_chain == ()
    won = played(3, "c1 a1 c2 a2 b2 b1 b3 c3")
    assert won.winning_chain == tuple(map(won.board.cell, ("c1", "b2", "b3")))
    assert played(3, "a1 a2 a3 b2 c3 c2").winning_chain == (3, 4, 5)


@given(st.integers(1, 8), st.integers(1, 8), st.randoms(use_true_random=False))
def test_every_full_board_has_exactly_one_winner(rows: int, columns: int, rng: random.Random):
    board = Board(rows, columns)
    full = Position(board, bytes(rng.choice((1, 2)) for _ in range(board.cells)))
    complete = [edges for edges in full.groups.edges.values() if len(edges) == 2]
    assert {next(iter(edges)).color for edges in complete} == {full.winner}


@given(positions())
def test_symmetries_are_involutions_and_keep_the_winner(position: Position) -> None:
    assert position.rotated().rotated() == position
    assert position.mirrored().mirrored() == position
    assert position.rotated().winner == position.winner
    mirrored = position.mirrored().winner
    assert (mirrored and mirrored.opponent) == position.winner


@given(positions(3), positions(3))
def test_keys_are_equal_exactly_for_equal_positions(a: Position, b: Position) -> None:
    assert (a.key == b.key) == (a == b)


def test_the_order_of_moves_does_not_matter_for_the_key() -> None:
    assert played(5, "c3 a1 d4 b2").key == played(5, "d4 b2 c3 a1").key


def test_swap_is_open_after_the_first_stone_only() -> None:
    assert not played(5, "").swap_legal
    assert played(5, "a2").swap_legal
    assert not played(5, "a2 b2").swap_legal
    assert not played(5, "a2 swap-pieces").swap_legal


def test_swap_pieces_reflects_and_recolours() -> None:
    after = played(5, "a2 swap-pieces")
    assert after.stones[after.board.cell("b1")] == Color.WHITE
    assert sum(map(bool, after.stones)) == 1
    assert after.to_move is Color.BLACK


def test_swap_sides_keeps_stones_and_white_moves_next() -> None:
    after = played(5, "a2 swap-sides")
    assert after.stones[after.board.cell("a2")] == Color.BLACK
    assert after.to_move is Color.WHITE


def test_illegal_moves_are_named() -> None:
    with pytest.raises(IllegalMoveError, match="c3 is taken"):
        played(5, "c3 c3")
    with pytest.raises(IllegalMoveError, match="square"):
        Position.empty(Board(3, 4)).swap_pieces()
    with pytest.raises(IllegalMoveError, match="not on"):
        Position.empty(Board(3, 4)).play(12)


@pytest.mark.parametrize("word", ["c4", "swap-pieces", "swap-sides", "pass", "resign"])
def test_moves_are_read_as_they_are_written(word: str) -> None:
    board = Board(5, 5)
    assert Move.parse(word.upper(), board).name(board) == word


def test_pass_and_resign_leave_the_stones() -> None:
    start = played(5, "c3")
    assert start.apply(Move(MoveKind.PASS)).to_move is Color.BLACK
    assert start.apply(Move(MoveKind.RESIGN)) == start


@given(positions(), st.sampled_from(SwapRule))
def test_a_position_is_read_as_it_is_printed(position: Position, rule: SwapRule) -> None:
    square = position.board.rows == position.board.columns
    if position.stones.count(0) < position.board.cells - 1:
        rule = SwapRule.NONE
    elif rule is SwapRule.PIECES and not square:
        rule = SwapRule.SIDES
    position = Position(position.board, position.stones, position.to_move, rule)
    assert Position.parse(str(position), position.to_move, swap_rule=str(rule)) == position
    assert eval(repr(position)) == position
    guessed = Position.parse(str(position))
    black, white = (position.stones.count(color) for color in Color)
    assert guessed.to_move is (Color.BLACK if black <= white else Color.WHITE)
    assert guessed.stones == position.stones


@pytest.mark.parametrize(
    ("diagram", "message"),
    [
        ("", "1 to 19 rows"),
        ("B.W/..", "row 1 has 3 cells, row 2 has 2"),
        ("B.X", "the marks B, W and ., not 'X'"),
        ("." * 20, "1 to 19 rows"),
    ],
)
def test_what_is_no_diagram_is_refused(diagram: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Position.parse(diagram)


@given(positions())
def test_legal_moves_are_the_empty_cells_until_somebody_has_won(position: Position) -> None:
    names = tuple(map(position.board.name, position.empties))
    assert position.legal_moves == (() if position.winner else names)
    for name in position.legal_moves:
        assert position.play(name) == position.play(position.board.cell(name))


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
