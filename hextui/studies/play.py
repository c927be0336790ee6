"""Games between evaluators, one ply deep: the 2010 paper, section 6.1.

At its turn a player ranks every legal move and plays a best one. A game ends with a chain.
"""

import random
import threading
from dataclasses import dataclass, field

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Ranking, Workbench, evaluator
from hextui.engine.evaluators.base import Ties
from hextui.engine.position import Position


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
        bench = _bench(fixture.board, player.connections)
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


MOST_BENCHES = 4
_kept = threading.local()


def _bench(board: Board, connections: ConnectionSettings) -> Workbench:
    """Return this thread's workbench for a board and settings; a few are kept."""
    if not hasattr(_kept, "benches"):
        _kept.benches = {}
    benches: dict[tuple[Board, ConnectionSettings], Workbench] = _kept.benches
    found = benches.get((board, connections))
    if found is None:
        if len(benches) >= MOST_BENCHES:
            benches.clear()
        found = benches[board, connections] = Workbench(board, connections)
    return found
