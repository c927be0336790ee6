"""Games between evaluators, one ply deep: the 2010 paper, section 6.1.

At its turn a player ranks every legal move and plays a best one. A game ends with a chain.
"""

import random
from dataclasses import dataclass, field

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Ranking, evaluator
from hextui.engine.evaluators.base import Ties
from hextui.engine.position import Position
from hextui.studies.benches import bench_of


@dataclass(frozen=True)
class Player:
    """An evaluator that plays.

    ``name``: the evaluator's in the registry. ``ties``: which of exactly equal best moves it
    plays: the first cell, the last, or one drawn anew at every turn. ``connections``: how
    virtual connections are searched for it.
    """

    name: str
    ties: Ties = Ties.FIRST
    connections: ConnectionSettings = field(default_factory=ConnectionSettings)


@dataclass(frozen=True)
class Fixture:
    """A game to be played: the players, cells put on the board before, and the seed of lots."""

    board: Board
    black: Player
    white: Player
    opening: tuple[int, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class Played:
    """A game's moves, the opening included, and who won. ``exact``: no count met a limit."""

    moves: tuple[int, ...]
    winner: Color
    exact: bool


def play(fixture: Fixture) -> Played:
    """Play a game to its end; equal fixtures give equal games."""
    lots = random.Random(fixture.seed)
    position = Position.empty(fixture.board)
    moves, exact = list(fixture.opening), True
    for cell in fixture.opening:
        position = position.play(cell)
    while (winner := position.winner) is None:
        player = fixture.black if position.to_move is Color.BLACK else fixture.white
        bench = bench_of(fixture.board, player.connections)
        bench.look_at(position)
        *_, ranking = evaluator(player.name).rank(bench)
        exact = exact and ranking.exact
        moves.append(choose(ranking, player.ties, lots))
        position = position.play(moves[-1])
    return Played(tuple(moves), winner, exact)


def choose(ranking: Ranking, ties: Ties, lots: random.Random) -> int:
    """Return the cell that is played among the best ones."""
    best = sorted(move.cell for move in ranking.moves if move.rank == 1)
    if ties is Ties.RANDOM:
        return lots.choice(best)
    return best[-1] if ties is Ties.LAST else best[0]
