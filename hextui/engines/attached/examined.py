"""What an attached engine says of a position."""

from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.ranking import RankedMove, Ranking
from hextui.engine.verdicts import Verdict, VerdictKind


@dataclass(frozen=True)
class ExaminedMove:
    """A move as an engine sees it; None is what it does not tell.

    ``winrate``: the side to move's, 0 to 1. ``score``: a number of the engine's own, more is
    better for the side to move. ``prior``: what its network expects before any search. ``line``
    begins with the move. ``copy_of``: the move that this one is the image of; visits of both are
    the same ones. ``proved``: that it wins, or loses, as far as the engine knows.
    """

    cell: int
    visits: int = 0
    winrate: float | None = None
    score: float | None = None
    prior: float | None = None
    line: tuple[int, ...] = ()
    copy_of: int | None = None
    proved: bool | None = None


@dataclass(frozen=True)
class Examined:
    """What an engine says of a position, the best move first.

    ``visits`` in all. ``ownership``: by cell, 1 where the side to move is expected to own it and -1
    where the other side is; () if it is not told. ``winner``: set where the game is over or the
    engine says that it is decided. ``final``: nothing more will come.
    """

    position: Position
    engine: str
    moves: tuple[ExaminedMove, ...] = ()
    visits: int = 0
    seconds: float = 0.0
    ownership: tuple[float, ...] = ()
    winner: Color | None = None
    final: bool = False

    @property
    def winrate(self) -> float | None:
        """The side to move's, by the best move; None if it is not told."""
        return self.moves[0].winrate if self.moves else None

    @property
    def proof(self) -> Verdict | None:
        """Who wins, where the engine says that its search proved it; its word, not ours."""
        mover = self.position.to_move
        proved = {move.cell: move.proved for move in self.moves}
        if True in proved.values():
            winner = mover
        elif proved and all(proved.get(cell) is False for cell in self.position.empties):
            winner = mover.opponent
        else:
            return None
        return Verdict(VerdictKind.ENGINE, winner, by=self.engine)

    @property
    def ranking(self) -> Ranking:
        """The moves that it looked at in the engine's order, with their win rates or scores."""
        ranked = tuple(
            RankedMove(move.cell, _number(move), rank)
            for rank, move in enumerate(self.moves, start=1)
        )
        seen, legal = len(ranked), len(self.position.empties)
        notes = [] if seen == legal else [f"{self.engine} looked at {seen} of {legal} moves"]
        if any(move.winrate is None and move.score is None for move in self.moves):
            notes.append("0 stands for a value that it did not tell")
        note = "; ".join(notes)
        return Ranking(self.engine, ranked, seen == legal, self.final, note)


def _number(move: ExaminedMove) -> float:
    known = (number for number in (move.winrate, move.score) if number is not None)
    return next(known, 0.0)
