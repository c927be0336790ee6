"""The best line is taken as a whole where one game goes on alone; move by move it is the same."""

from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.library.library import Library
from hextui.records.formats import read_collection
from hextui.records.record import Record
from tests.library.generated import write_games


def line_by_moves(library: Library, position: Position) -> list[Move]:
    found: list[Move] = []
    while best := library.explore(position).best:
        found.append(best.move)
        position = position.apply(best.move)
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


def test_a_game_alone_has_a_line_with_its_swap(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text('{"size": 5, "winner": "red", "moves": "b4 swap-pieces c3 a1 e5"}\n')
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([path])
        line = library.explore(Position.empty(Board(5, 5))).line
    assert [str(move.kind) for move in line] == ["play", "swap-pieces", "play", "play", "play"]
