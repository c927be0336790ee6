"""What evaluators say of the positions of a game, in short: enough for its graph and report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from hextui.analysis.stations import Station
from hextui.engine.evaluator_names import is_search
from hextui.engine.position import Position
from hextui.engine.quality import Quality, qualities
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts

if TYPE_CHECKING:
    from hextui.engine.ranking import Ranking

BEST = 5
"""How many of the best moves are kept."""


@dataclass(frozen=True)
class Judgement:
    """An evaluator's opinion of a position.

    ``value``: its own number for the best move. ``best``: up to five moves, the best first.
    ``qualities``: where moves stand, by cell; of a judgement that was read from a record, only
    those that it holds. ``exact``: no count met a limit. ``winrate``: the side to move's, 0 to 1,
    as another engine sees it; None if it tells none.
    """

    value: float
    best: tuple[int, ...]
    qualities: Mapping[int, Quality]
    exact: bool
    winrate: float | None = None

    @staticmethod
    def of(ranking: "Ranking", position: Position, winrate: float | None = None) -> "Judgement":
        """Return what a ranking of at least one move of a position says."""
        best = tuple(move.cell for move in ranking.moves[:BEST])
        placed = qualities(ranking, position.empties)
        return Judgement(ranking.moves[0].value, best, placed, ranking.exact, winrate)


@dataclass(frozen=True)
class Wins:
    """Moves of the side to move that are proved to win; ``complete`` if all others lose."""

    moves: tuple[int, ...] = ()
    complete: bool = False


class Judgements:
    """The judgements of many positions by many evaluators, and who is proved to win them.

    Kept by position, so that variations share them. What is proved is in ``verdicts``, which others
    may prove to and read from as well. One thread may write while others read.
    """

    def __init__(self, verdicts: Verdicts | None = None) -> None:
        self.verdicts = verdicts or Verdicts()
        self._judged: dict[tuple[bytes, str], Judgement] = {}
        self._balances: dict[bytes, float] = {}
        self._looked_at: set[bytes] = set()
        self._tried: dict[bytes, float] = {}
        self._changes = 0

    @property
    def revision(self) -> tuple[int, int]:
        """Another value whenever more is judged or proved: while it stays, so do the answers."""
        return self._changes, self.verdicts.revision

    def keep(self, position: Position, name: str, judgement: Judgement) -> None:
        """Keep what an evaluator says."""
        self._judged[position.key, name] = judgement
        self._changes += 1

    def keep_if_new(self, position: Position, name: str, judgement: Judgement) -> bool:
        """Keep what an evaluator says, and tell whether that is not what it said before."""
        new = self._judged.get((position.key, name)) != judgement
        if new:
            self.keep(position, name, judgement)
        return new

    def keep_balance(self, position: Position, balance: float) -> None:
        """Keep who is ahead at a position, by resistance (see ``Judged``)."""
        self._balances[position.key] = balance
        self._changes += 1

    def balance(self, position: Position) -> float | None:
        """Return who is ahead by resistance, above 0 for Black, if it is known."""
        return self._balances.get(position.key)

    def keep_verdict(self, position: Position, verdict: Verdict | None) -> None:
        """Keep who wins, proved, or that connections prove nothing."""
        self._looked_at.add(position.key)
        if verdict is not None:
            self.verdicts.prove(position, verdict)

    def keep_tried(self, position: Position, seconds: float) -> None:
        """Keep that the solver was asked who wins, under a limit of so many seconds."""
        self._tried[position.key] = max(seconds, self.tried(position))

    def tried(self, position: Position) -> float:
        """Return the longest limit, in seconds, that the solver was asked under; 0 for never."""
        return self._tried.get(position.key, 0.0)

    def keep_wins(self, position: Position, wins: Wins) -> None:
        """Keep moves that are proved to win, beside those that are known."""
        proved = dict.fromkeys(position.empties, False) if wins.complete else {}
        self.keep_proved(position, proved | dict.fromkeys(wins.moves, True))

    def keep_proved(self, position: Position, proved: Mapping[int, bool]) -> None:
        """Keep whether moves, by their cells, are proved to win or to lose."""
        won = Verdict(VerdictKind.SOLVER, position.to_move)
        lost = Verdict(VerdictKind.SOLVER, position.to_move.opponent)
        moves = {cell: won if wins else lost for cell, wins in proved.items()}
        self.verdicts.prove_moves(position, moves)

    def wins(self, position: Position) -> Wins:
        """Return the moves that are known to win."""
        known = self.verdicts.moves(position)
        return Wins(tuple(known.wins), known.complete)

    def verdict(self, position: Position) -> Verdict | None:
        """Return who wins, if it is known."""
        return self.verdicts.of(position)

    def of(self, station: Station, name: str) -> Judgement | None:
        """Return what an evaluator says of a station, if it is known."""
        return self._judged.get((station.position.key, name))

    def quality(self, station: Station, name: str) -> Quality | None:
        """Return where the move made at a station stands, if it put a stone and that is known."""
        judged = self.of(station, name)
        return judged.qualities.get(station.cell) if judged and station.cell is not None else None

    def complete(self, station: Station, names: Iterable[str]) -> bool:
        """Whether nothing is left to find out about a station."""
        return station.position.key in self._looked_at and self.judged(station, names)

    def judged(self, station: Station, names: Iterable[str]) -> bool:
        """Whether these evaluators have judged a station, or the game is over there."""
        if station.position.winner is not None:
            return True
        return all(self._knows(station, name) for name in names)

    def _knows(self, station: Station, name: str) -> bool:
        judged = self.of(station, name)
        if judged is None:  # what is proved needs no search
            return is_search(name) and self.verdict(station.position) is not None
        return station.cell is None or station.cell in judged.qualities

    def disagreement(self, station: Station, names: Sequence[str]) -> "Disagreement | None":
        """Return how much evaluators differ; None if fewer than two are known."""
        judged = [found for name in names if (found := self.of(station, name))]
        if len(judged) < 2:
            return None
        shares = [_shared(a, b) for a, b in combinations(judged, 2)]
        placed = [q for name in names if (q := self.quality(station, name))]
        spread = max(q.mid_q for q in placed) - min(q.mid_q for q in placed) if placed else 0.0
        return Disagreement(sum(shares) / len(shares), spread)


@dataclass(frozen=True)
class Disagreement:
    """How much evaluators differ at a station.

    ``overlap``: the share of the five best moves that two of them have in common, mean of all
    pairs. ``spread``: how far apart they place the move made, as a difference of mid Q.
    """

    overlap: float
    spread: float

    @property
    def order(self) -> tuple[float, float]:
        """Sorts the greatest disagreement first."""
        return (self.overlap, -self.spread)


def _shared(first: Judgement, second: Judgement) -> float:
    return len(set(first.best) & set(second.best)) / max(len(first.best), len(second.best))
