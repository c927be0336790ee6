"""Verdicts, best lines and refuting answers do not depend on the order in which games come.

The oracle is plain recursion over whole games (tests/oracles/retrograde.py).
"""

import random
from collections.abc import Iterable, Sequence
from itertools import permutations

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.engine.retrograde import Value
from hextui.library.answers import Explored, GameCounts
from hextui.library.filters import Filter
from hextui.library.library import Library
from tests.library.games import Drawn, add, library_of
from tests.oracles.retrograde import Line, canonical, verdict

BOARD = Board(3, 3)


def drawn(words: str, winner: Color | None) -> Drawn:
    return Drawn(BOARD, tuple(Move.parse(word, BOARD) for word in words.split()), winner)


B, W = Color.BLACK, Color.WHITE
SETS = [
    # the same moves with each result, and without one
    [drawn("b2 a1", B), drawn("b2 a1", W), drawn("b2 a1", None)],
    # and a game that goes on, its turn, one that ends a move before
    [drawn("b2 a1", W), drawn("b2 a1", B), drawn("b2 c3 a1", B), drawn("b2", W)],
    # two results of one side by different orders of moves
    [drawn("a1 b2 c1", W), drawn("c1 b2 a1", W), drawn("a1 b2 c1", B)],
]


def check_line(lines: list[Line], position: Position, found: Explored) -> None:
    """The best line is in the library, and the oracle calls each of its moves the best."""
    for done, move in enumerate(found.line):
        before = verdict(lines, position)
        assert before[2] == len(found.line) - done
        position = position.apply(move)
        after = verdict(lines, position)
        assert after[0] != before[0]
        assert any(canonical(p) == canonical(position) for line in lines for p in line.positions)
    assert verdict(lines, position)[2] == 0


def check_refutations(lines: list[Line], position: Position, found: Explored) -> None:
    for move in found.moves:
        after = position.apply(move.played)
        word, _, moves = verdict(lines, after)
        if word == "losing" or moves == 0:
            assert move.best_reply is None
            continue
        assert move.best_reply is not None
        refuted = verdict(lines, after.apply(move.best_reply))
        assert (refuted[0], refuted[2]) == ("losing", moves - 1)


Answers = dict[Position, tuple[Value | None, Explored]]


def answers(library: Library, lines: list[Line]) -> Answers:
    """What the library answers at every position of the games."""
    positions = {position for line in lines for position in line.positions}
    return {p: (library.value(p), library.explore(p)) for p in positions}


def check(found: Answers, lines: list[Line]) -> None:
    """The answers are what the oracle says."""
    for position, (value, explored) in found.items():
        assert value is not None
        word = "winning" if value.winning else "losing"
        assert (word, value.certain, value.moves) == verdict(lines, position)
        check_line(lines, position, explored)
        check_refutations(lines, position, explored)
        ends = [line for line in lines if canonical(line.positions[-1]) == canonical(position)]
        movers = [line.winner is line.positions[-1].to_move for line in ends if line.winner]
        won, lost = sum(movers), len(movers) - sum(movers)
        black, white = (won, lost) if position.to_move is B else (lost, won)
        assert explored.ended == GameCounts(len(ends), black, white)
        for move in explored.moves:
            after = found.get(position.apply(move.played))
            assert after is None or after[1].ended == move.ended


def check_orders(games: list[Drawn], orders: Iterable[Sequence[Drawn]]) -> None:
    """The answers are the same for all orders of import, and what the oracle says."""
    lines = [game.line() for game in games]
    first = None
    for order in orders:
        with library_of(order, one_by_one=True) as library:
            assert library.count() == len(games)
            found = answers(library, lines)
        if first is None:
            first = found
            check(found, lines)
        assert found == first


@pytest.mark.parametrize("games", SETS)
def test_every_order_of_import(games: list[Drawn]) -> None:
    check_orders(games, permutations(games))


def random_games(chance: random.Random, number: int) -> list[Drawn]:
    """Short games of few openings, with any results: many are equal but for that."""
    games = []
    for _ in range(number):
        words = chance.sample(["b2", "a1", "c3", "c1", "a3"], chance.randint(1, 4))
        games.append(drawn(" ".join(words), chance.choice([B, W, None])))
    return list({(game.moves, game.winner): game for game in games}.values())


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 40))]
)
def test_random_orders_of_more_games(seed: int) -> None:
    chance = random.Random(seed)
    games = random_games(chance, 16)
    check_orders(games, [chance.sample(games, len(games)) for _ in range(2)])


def test_contradictions_are_counted_and_found() -> None:
    with library_of(SETS[1]) as library:
        assert library.stats().contradictions == 1
        rows = library.games(Filter(contradicting=True))
        assert [(row.plies, row.winner) for row in rows] == [(2, W), (2, B)]
        position = Position.empty(BOARD).play(4)
        assert library.explore(position, Filter(contradicting=True)).games == 2
        # the same once more is a duplicate, with either result
        again = add(library, SETS[1])
        assert (again.added, again.duplicates) == (0, 4)
        library.remove([row.id for row in rows[:1]])
        assert library.stats().contradictions == 0
