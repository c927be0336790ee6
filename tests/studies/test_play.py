"""Games between evaluators: the rules, the choice of ties, the same game for the same seed."""

import random

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.evaluators.base import Ties, rank_by_value
from hextui.engine.position import Position
from hextui.studies.play import Fixture, Player, choose, play

BOARD = Board(5, 5)
E = Player("shortest-path", Ties.RANDOM)
E_0 = Player("k-paths:0")


@pytest.mark.parametrize("seed", range(6))
def test_every_move_is_a_best_one_and_the_game_ends_with_a_chain(seed):
    opening = (seed, 12) if seed % 2 else ()
    black, white = (E, E_0) if seed % 3 else (Player("resistance"), E)
    played = play(Fixture(BOARD, black, white, opening, seed))
    assert played.exact
    assert played.moves[: len(opening)] == opening
    bench = Workbench(BOARD)
    position = Position.empty(BOARD)
    for number, cell in enumerate(played.moves):
        assert position.winner is None
        if number >= len(opening):
            bench.look_at(position)
            player = black if position.to_move is Color.BLACK else white
            *_, ranking = evaluator(player.name).rank(bench)
            assert ranking.by_cell[cell].rank == 1
        position = position.play(cell)
    assert position.winner is played.winner


def test_lots_differ_by_seed_only():
    games = [play(Fixture(BOARD, E, E, (), seed)).moves for seed in range(8)]
    assert len(set(games)) > 1
    assert games == [play(Fixture(BOARD, E, E, (), seed)).moves for seed in range(8)]
    assert len({play(Fixture(BOARD, E_0, E_0, (), seed)).moves for seed in range(3)}) == 1


def test_each_player_searches_connections_its_own_way():
    """With lists this short the second player misses what the first sees."""
    blind = Player("k-paths:0", connections=ConnectionSettings(full_limit=1, semi_limit=2))
    assert play(Fixture(BOARD, E_0, E_0)).moves != play(Fixture(BOARD, E_0, blind)).moves


def test_choice_among_ties():
    ranking = rank_by_value("test", {3: 1.0, 5: 2.0, 7: 2.0, 9: 2.0})
    lots = random.Random(1)
    assert choose(ranking, Ties.FIRST, lots) == 5
    assert choose(ranking, Ties.LAST, lots) == 9
    drawn = [choose(ranking, Ties.RANDOM, lots) for _ in range(300)]
    assert set(drawn) == {5, 7, 9}
    assert all(70 <= drawn.count(cell) <= 130 for cell in (5, 7, 9))
