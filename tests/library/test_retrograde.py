"""Retrograde results against plain recursion, in any order of adding and after removals."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.retrograde import Value, judge
from hextui.library.library import Library
from hextui.library.position_graph import earlier
from tests.library.games import Drawn, add, check_value, libraries, library_of
from tests.oracles.retrograde import Line


def first_of_each(games: list[Drawn]) -> list[Drawn]:
    """The games without those whose moves and winner came before."""
    keys = {(game.board, game.moves, game.line().winner): game for game in reversed(games)}
    return list(keys.values())[::-1]


def check(library: Library, games: list[Drawn]) -> None:
    lines: list[Line] = [game.line() for game in games]
    for line in lines:
        for position in line.positions:
            check_value(library, lines, position)
            value, best = library.value(position), library.explore(position).moves[:1]
            for move in best if value else ():
                assert (value.winning, value.moves) == (move.value.winning, move.value.moves)


def test_a_certain_win_comes_before_a_sooner_possible_one() -> None:
    assert judge([Value(True, False, 1), Value(True, True, 5), Value(False, True, 9)]) == Value(
        True, True, 5
    )


def test_the_losing_move_that_holds_out_longest() -> None:
    value = judge([Value(False, False, 2), Value(False, True, 6)])
    assert value == Value(False, False, 6)


@settings(max_examples=25)
@given(libraries)
def test_equal_to_recursion(games: list[Drawn]) -> None:
    with library_of(games) as library:
        check(library, first_of_each(games))


@settings(max_examples=10)
@given(libraries, st.randoms(use_true_random=False))
def test_any_order_and_any_removal(games: list[Drawn], chance: random.Random) -> None:
    games = first_of_each(games)
    chance.shuffle(games)
    with library_of([]) as library:
        for number, game in enumerate(games, start=1):
            add(library, [game])
            check(library, games[:number])
        kept = games
        for row in library.games():
            kept = kept[1:]
            assert library.remove([row.id]) == 1
            check(library, kept)
        stats = library.stats()
        assert (stats.games, stats.positions, stats.moves) == (0, 0, 0)


def nodes_and_edges(library: Library) -> list[tuple[object, ...]]:
    tables = ("position", "edge", "total")
    return [row for t in tables for row in sorted(library._database.execute(f"SELECT * FROM {t}"))]


@settings(max_examples=25)
@given(libraries, st.randoms(use_true_random=False))
def test_the_file_holds_the_same_whatever_came_and_went(
    games: list[Drawn], chance: random.Random
) -> None:
    games = first_of_each(games)
    gone = [number for number in range(len(games)) if chance.random() < 0.5]
    kept = [game for at, game in enumerate(games) if at not in gone]
    kept = chance.sample(kept, len(kept))
    with library_of(games) as library, library_of(kept, one_by_one=True) as other:
        assert library.remove([number + 1 for number in gone]) == len(gone)
        assert nodes_and_edges(library) == nodes_and_edges(other)


@settings(max_examples=300)
@given(st.booleans(), st.booleans(), st.integers(0, 5), st.integers(0, 6))
def test_counting_back_is_judging_one_move_after_another(
    winning: bool, certain: bool, moves: int, steps: int
) -> None:
    value = Value(winning, certain, moves)
    found = earlier(value, steps)
    for _ in range(steps):
        value = judge([value.of_move()])
    assert found == value


@settings(max_examples=25)
@given(libraries)
def test_games_are_counted(games: list[Drawn]) -> None:
    with library_of(games) as library:
        for game in games:
            for position in game.line().positions:
                rows = library.games(position=position)
                assert library.explore(position).games == len(rows)
                assert library.games(position=position, limit=2, offset=1) == rows[1:3]
                last = library.games(position=position, limit=2, descending=True)
                assert last == rows[::-1][:2]
