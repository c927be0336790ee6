"""Certain verdicts against exhaustive play, with and without the solver's help."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board
from hextui.engine.position import Move, MoveKind, Position
from hextui.library.library import Library
from hextui.library.settle import Settled, settle_games
from hextui.records.formats import read_record
from tests.library.games import Drawn, add, drawn_games, libraries, library_of
from tests.library.generated import write_games


@cache
def wins(position: Position) -> bool:
    """Whether the side to move wins in real Hex, all legal moves tried."""
    if position.winner is not None:
        return position.winner is position.to_move
    moves = [Move.play(cell) for cell in position.empties]
    if position.swap_legal:
        # who swaps takes the other side: the one to move then is the player who did not
        moves.append(Move(MoveKind.SWAP_SIDES))
    return any(not wins(position.apply(move)) for move in moves)


def check(library: Library, games: list[Drawn]) -> int:
    """Compare every certain verdict; returns how many there are."""
    certain = 0
    for game in games:
        for position in game.line().positions:
            value = library.value(position)
            assert value is not None
            if value.certain:
                certain += 1
                assert value.winning is wins(position)
            for move in library.explore(position).moves:
                if move.value.certain:
                    assert move.value.winning is not wins(position.apply(move.played))
    return certain


@settings(max_examples=40)
@given(libraries)
def test_certain_verdicts_are_true(games: list[Drawn]) -> None:
    with library_of(games) as library:
        check(library, games)


@settings(max_examples=10, deadline=None)
@given(st.lists(drawn_games(Board(3, 3)), min_size=1, max_size=5))
def test_settled_verdicts_are_true_and_stay_when_games_come_and_go(games: list[Drawn]) -> None:
    with library_of(games[:1]) as library:
        settle_games(library)
        before = check(library, games[:1])
        add(library, games)
        assert check(library, games[:1]) >= before
        settle_games(library)
        # all but what a swap changes is solved on so small a board
        for game in games:
            for position in game.line().positions:
                value = library.value(position)
                assert value is not None
                assert value.certain or position.swap_legal or not any(position.stones)
        check(library, games)
        assert settle_games(library).of == 0
        ids = [row.id for row in library.games()]
        library.remove(ids[1:])
        check(library, games[:1])
        library.remove(ids[:1])
        assert library.stats().positions == 0
        left = library._database.execute("SELECT count(*) FROM position").fetchone()
        assert left == (0,)


@pytest.mark.parametrize("side", [4, 5])
def test_late_positions_of_larger_boards(tmp_path: Path, side: int) -> None:
    write_games(tmp_path / "games.jsonl", 6, Board(side, side), seed=side)
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([tmp_path / "games.jsonl"])
        done = settle_games(library)
        assert done.games == 6
        assert done.positions > 0
        for row in library.games():
            record = read_record(library.text(row.id) or "")
            for node in record.main_line():
                position = record.position(node)
                value = library.value(position)
                if value and value.certain and len(position.empties) <= 11:
                    assert value.winning is wins(position)


def test_settling_stops_and_goes_on(tmp_path: Path) -> None:
    write_games(tmp_path / "games.jsonl", 8, Board(4, 4), seed=3)
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([tmp_path / "games.jsonl"])
        told: list[Settled] = []
        done = settle_games(library, report=told.append, stopped=lambda: told[-1].games == 3)
        assert (done.games, done.stopped) == (3, True)
        assert told[0] == Settled(of=8)
        within = [two for two in pairwise(told) if two[0].games == two[1].games]
        assert any(before.positions < after.positions for before, after in within)
        rest = settle_games(library)
        assert rest.of == done.of - 3
