"""Who plays in a match: named players that choose a move.

A player's name is an evaluator's: it plays the first move of that ranking, one ply ahead as in
the 2010 paper, section 6.1. ``player`` is where further kinds of players are made.
"""

from typing import Protocol

from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Evaluator, Ranking, evaluator
from hextui.engine.evaluators.base import Seeded
from hextui.engine.position import Move, MoveKind, Position
from hextui.studies.benches import DEFAULT, bench_of
from hextui.studies.quality import quality


class Player(Protocol):
    """Chooses moves. The same player in the same position chooses the same move."""

    @property
    def name(self) -> str:
        """The name that ``player`` takes."""
        ...

    def choose(self, position: Position, swap: bool) -> Move:
        """Return a move for the side to move; ``swap`` says that the swap rule is in use."""
        ...


def player(name: str, seed: int = 0, connections: ConnectionSettings = DEFAULT) -> Player:
    """Return the player with this name; what it draws by lot, it draws by the seed.

    ``connections``: how virtual connections are searched for it. Raises ValueError, with a line
    that says what is wrong, for a name that is none.
    """
    found = evaluator(name)
    seeded = found.with_seed(seed) if isinstance(found, Seeded) else found
    return EvaluatorPlayer(found.name, seeded, connections)


class EvaluatorPlayer:
    """Plays the first move of an evaluator's ranking.

    Under the swap rule it judges a first move by its own ranking of the empty board: it opens
    with the move in the middle, and takes over a move from the better half.
    """

    def __init__(
        self, name: str, evaluator: Evaluator, connections: ConnectionSettings = DEFAULT
    ) -> None:
        self.name = name
        self._evaluator = evaluator
        self._connections = connections

    def choose(self, position: Position, swap: bool) -> Move:
        """Return the move; raises ValueError if there is no empty cell."""
        if swap and position.swap_legal and self._takes(position):
            return Move(MoveKind.SWAP_PIECES)
        moves = self._ranking(position).moves
        if not moves:
            raise ValueError("no cell is empty")
        opens = swap and not any(position.stones)
        return Move.play(moves[len(moves) // 2 if opens else 0].cell)

    def _takes(self, position: Position) -> bool:
        """Whether the only stone stands in the better half of the empty board's ranking."""
        cell = next(cell for cell, stone in enumerate(position.stones) if stone)
        empty = Position.empty(position.board, position.to_move.opponent)
        found = quality(self._ranking(empty), cell)
        return found.mid_rank <= found.candidates / 2

    def _ranking(self, position: Position) -> Ranking:
        bench = bench_of(position.board, self._connections)
        bench.look_at(position)
        *_, ranking = self._evaluator.rank(bench)
        return ranking
