"""The key of a game: the same for its images, another for other moves."""

from hextui.analysis.game_positions import game_key, game_positions
from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.record import Record

BOARD = Board(5, 5)


def key_of(moves: str) -> bytes:
    record = Record.of_moves(BOARD, [Move.parse(word, BOARD) for word in moves.split()])
    return game_key(game_positions(record, record.main_line()))


def test_a_game_has_one_key_in_all_orientations() -> None:
    assert key_of("a2 c3 d4") == key_of("e4 c3 b2"), "turned"
    assert key_of("a2 swap-pieces c3") == key_of("e4 swap-pieces c3"), "turned"


def test_other_moves_swaps_and_lengths_make_another_key() -> None:
    games = ("a2 c3 d4", "a2 d4 c3", "a2 c3", "a2 swap-pieces c3", "b1 c3 d4", "a2 swap-pieces")
    assert len(set(map(key_of, games))) == len(games)


def test_results_and_comments_do_not_change_the_key() -> None:
    record = Record.of_moves(BOARD, [Move.parse(word, BOARD) for word in ("a2", "c3")])
    key = game_key(game_positions(record, record.main_line()))
    record.set_texts(record.root, {"PB": "Ann", "C": "A comment"})
    record.append(record.root.end(), properties={"C": ("After the game.",)})
    assert game_key(game_positions(record, record.main_line())) == key
    assert key_of("a2 c3 resign") == key
