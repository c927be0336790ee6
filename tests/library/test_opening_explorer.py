"""The opening explorer: its best line, and the verdicts that are stored from it."""

from pathlib import Path

from hypothesis import given, settings

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.records.formats import read_collection
from hextui.records.record import Record
from tests.library.games import Drawn, libraries, library_of
from tests.library.generated import write_games
from tests.oracles.winners import Exhaustive


def line_by_moves(library: Library, position: Position) -> list[Move]:
    found: list[Move] = []
    while moves := library.explore(position).moves:
        found.append(moves[0].played)
        position = position.apply(moves[0].played)
    return found


def test_the_best_line_is_the_best_move_at_every_position(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_games(path, 40, Board(5, 5), seed=3)
    games = [game for game in read_collection(path) if isinstance(game, Record)]
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([path])
        for game in games[::8]:
            for node in game.main_line()[:8]:
                position = game.position(node)
                assert list(library.explore(position).line) == line_by_moves(library, position)


def test_a_game_alone_has_a_line_with_its_swap() -> None:
    board = Board(5, 5)
    moves = tuple(Move.parse(word, board) for word in ["b4", "swap-pieces", "c3", "a1", "e5"])
    with library_of([Drawn(board, moves, Color.BLACK)]) as library:
        line = library.explore(Position.empty(board)).line
    assert [move.kind for move in line] == [move.kind for move in moves]


def plain(position: Position) -> Position:
    """Return the position without the swap, as the oracle knows it."""
    return Position(position.board, position.stones, position.to_move)


@settings(max_examples=40)
@given(libraries)
def test_what_is_certain_is_true_where_nobody_swaps(games: list[Drawn]) -> None:
    with library_of(games) as library:
        for game in games:
            oracle = Exhaustive(game.board)
            for position in game.line().positions:
                value = library.explore(position).value
                if position.swap_legal or not (value and value.certain):
                    continue
                if position.winner is None and any(position.stones):
                    mover_wins = oracle.winner(plain(position)) is position.to_move
                    assert value.winning is mover_wins


def test_moves_and_the_best_line_have_the_numbers_of_their_games(tmp_path: Path) -> None:
    lines = ("b2 a1 c3 c1", "b2 a1 c3 a2", "b2 a1 c2 a3", "a3 b2")
    text = "".join(
        f"(;GM[11]SZ[3]PB[{place}]RE[B+R]"
        + "".join(f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(line.split()))
        + ")"
        for place, line in enumerate(lines)
    )
    (tmp_path / "games.sgf").write_text(text)
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([tmp_path / "games.sgf"])
        found = library.explore(Position.empty(Board(3, 3)))
        chosen = library.explore(Position.empty(Board(3, 3)), Filter(player="0"))
        nothing = library.explore(Position.empty(Board(3, 3)), Filter(player="nobody"))
    assert sorted((move.games, move.agreeing) for move in found.moves) == [(1, 1), (3, 3)]
    assert not any(move.supported for move in found.moves)
    assert (nothing.games, nothing.line, nothing.line_games) == (0, (), 0)
    assert found.line_games == 1
    assert [(move.games, move.agreeing) for move in chosen.moves] == [(1, 3)]
