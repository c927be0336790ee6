"""The key of a game: the same for its images, another for other moves."""

import random

import pytest

from hextui.analysis.game_positions import game_key, record_key
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.tree import Node, Setup, Turn

BOARD = Board(5, 5)


def game(moves: str, board: Board = BOARD) -> Record:
    return Record.of_moves(board, [Move.parse(word, board) for word in moves.split()])


def key_of(record: Record) -> bytes:
    return game_key(record.board, record.root.end())


def image(record: Record, mirrored: bool, turned: bool) -> Record:
    """Return a game as it is seen from another side, move by move."""
    board = record.board

    def place(cell: int) -> int:
        cell = board.mirror(cell) if mirrored else cell
        return board.rotate(cell) if turned else cell

    def side(color: Color) -> Color:
        return color.opponent if mirrored else color

    made = Record(board.transposed if mirrored else board)
    node: Node = made.root
    for old in record.main_line():
        if old.setup:
            stones = {place(c): side(Color(s)) for c, s in old.setup.cells.items()}
            node.setup = Setup(stones, old.setup.to_move and side(old.setup.to_move))
        if old.turn:
            move = old.turn.move
            move = Move.play(place(move.cell)) if move.cell >= 0 else move
            node = made.append(node, Turn(side(old.turn.color), move))
    return made


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_a_game_has_one_key_in_all_orientations(mirrored: bool, turned: bool) -> None:
    set_up, position = Record(BOARD), Position.empty(BOARD)
    for cell, color in ((3, Color.BLACK), (8, Color.WHITE), (20, Color.BLACK)):
        position = position.with_stone(cell, color)
    set_up.set_up(set_up.root, position)
    set_up.play(set_up.root, Move.play(12))
    wide = Board(3, 6)
    cells = random.Random(1).sample([wide.name(cell) for cell in range(wide.cells)], 8)
    games = (game("a2 c3 d4"), game("a2 swap-pieces c3"), game(" ".join(cells), wide), set_up)
    for record in games:
        assert key_of(image(record, mirrored, turned)) == key_of(record)


def test_other_moves_swaps_and_lengths_make_another_key() -> None:
    games = ("a2 c3 d4", "a2 d4 c3", "a2 c3", "a2 swap-pieces c3", "b1 c3 d4", "a2 swap-pieces")
    assert len({key_of(game(moves)) for moves in games}) == len(games)
    assert key_of(game("a2", Board(6, 6))) != key_of(game("a2"))


def test_results_and_comments_do_not_change_the_key() -> None:
    record = game("a2 c3")
    key = key_of(record)
    record.set_texts(record.root, {"PB": "Ann", "C": "A comment"})
    record.append(record.root.end(), properties={"C": ("After the game.",)})
    assert key_of(record) == key == key_of(game("a2 c3 resign"))


@pytest.mark.parametrize("board", [Board(4, 4), Board(3, 6)])
def test_the_key_of_a_record_needs_no_nodes(board: Board) -> None:
    chance = random.Random(2)
    names = [board.name(cell) for cell in range(board.cells)]
    for swap in ("", "swap-sides", "swap-pieces" if board.rows == board.columns else ""):
        for end in ("", "resign"):
            first, *others = chance.sample(names, 6)
            words = [word for word in (first, swap, *others, end) if word]
            size = f'{{"rows": {board.rows}, "columns": {board.columns}}}'
            record = read_record(f'{{"size": {size}, "moves": "{" ".join(words)}"}}')
            assert record.move_line or "swap-pieces" in words
            assert record_key(record) == key_of(record)
