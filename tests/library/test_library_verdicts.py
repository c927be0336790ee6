"""What the library proves, taken over into the store of verdicts, against exhaustive play."""

import tempfile
from pathlib import Path

from hypothesis import given, settings

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.engine.verdicts import VerdictKind, Verdicts
from hextui.library.answers import keep_library_verdicts
from hextui.library.library import Library
from tests.library.games import Drawn, libraries, write
from tests.oracles.winners import Exhaustive


def plain(position: Position) -> Position:
    """Return the position without the swap, as the store knows it."""
    return Position(position.board, position.stones, position.to_move)


@settings(max_examples=40)
@given(libraries)
def test_what_the_store_takes_over_is_true_where_nobody_swaps(games: list[Drawn]) -> None:
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder) / "l.sqlite") as library:
        library.import_paths([write(Path(folder), "games.jsonl", games)])
        store = Verdicts()
        for game in games:
            for position in game.line().positions:
                keep_library_verdicts(position, library.explore(position), store)
        assert not store.contradictions
        for game in games:
            for position in game.line().positions:
                if position.winner is None and (verdict := store.of(position)) is not None:
                    assert verdict.winner is Exhaustive(game.board).winner(plain(position))


def test_a_finished_game_proves_the_position_before_its_last_move(tmp_path: Path) -> None:
    board = Board(3, 3)
    moves = tuple(Move.parse(name, board) for name in ("a1", "b3", "a2", "c3", "a3"))
    game = Drawn(board, moves, Color.BLACK)
    store, position = Verdicts(), game.line().positions[-2]
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([write(tmp_path, "games.jsonl", [game])])
        keep_library_verdicts(position, library.explore(position), store)
    verdict = store.of(position)
    assert verdict is not None
    assert (verdict.kind, verdict.winner) == (VerdictKind.LIBRARY, Color.BLACK)
    assert store.moves(position).wins_by(board.cell("a3"))
