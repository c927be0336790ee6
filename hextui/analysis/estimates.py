"""Short estimates of the positions of a game by evaluators, and how far evaluators agree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from math import inf

from hextui.analysis.game_positions import GamePosition, line_key
from hextui.engine.evaluators import improves
from hextui.engine.position import Position
from hextui.engine.ranking import Quality, Ranking, qualities
from hextui.engine.swap import position_value
from hextui.engine.verdicts import ClaimedWinner, Verdict, VerdictKind, Verdicts

BEST = 5
"""How many of the best moves are kept."""


@dataclass(frozen=True)
class Estimate:
    """An evaluator's estimate of a position: its value and up to five best moves.

    ``qualities``: the ranks of moves, by cell; from a record, only those that it holds. ``exact``:
    no count met a limit. ``winrate``: the side to move's if it places a stone, 0 to 1, by a search;
    else None.
    """

    value: float
    best: tuple[int, ...]
    qualities: Mapping[int, Quality]
    exact: bool
    winrate: float | None = None

    @staticmethod
    def of(ranking: Ranking, position: Position, winrate: float | None = None) -> "Estimate":
        """Return the estimate by a ranking of at least one move of a position."""
        best = tuple(move.cell for move in ranking.moves[:BEST])
        placed = qualities(ranking, position.empties)
        return Estimate(
            value=ranking.moves[0].value,
            best=best,
            qualities=placed,
            exact=ranking.exact,
            winrate=winrate,
        )


class Estimates:
    """The estimates of many positions by many evaluators, and the verdicts on them.

    Variations share them. Any thread may use them.
    """

    def __init__(self, verdicts: Verdicts | None = None) -> None:
        self.verdicts = verdicts or Verdicts()
        self._judged: dict[tuple[bytes, str], Estimate] = {}
        self._balances: dict[bytes, float] = {}
        self._claims: dict[bytes, dict[tuple[str, str], ClaimedWinner]] = {}
        self._tried: dict[bytes, float] = {}  # of each position whose connections are examined
        self._spent: dict[bytes, float] = {}
        self._counter = count(1)  # which no two threads get the same number from
        self._changes = 0

    @property
    def revision(self) -> tuple[int, int]:
        """A value that changes whenever an estimate or a verdict is added."""
        return self._changes, self.verdicts.revision

    @property
    def names(self) -> tuple[str, ...]:
        """The evaluators that have estimated any position, in the order of their first ones."""
        return tuple(dict.fromkeys(name for _, name in tuple(self._judged)))

    def keep(self, position: Position, name: str, estimate: Estimate) -> bool:
        """Add an evaluator's estimate; return whether it differs from its last one."""
        new = self._judged.get((position.key, name)) != estimate
        if new:
            self._judged[position.key, name] = estimate
            self._changes = next(self._counter)
        return new

    def keep_balance(self, position: Position, balance: float) -> None:
        """Add the balance of resistances at a position, above 0 for Black (see ``Judged``)."""
        self._balances[position.key] = balance
        self._changes = next(self._counter)

    def balance(self, position: Position) -> float | None:
        """Return the balance of resistances, above 0 for Black, if it is known."""
        return self._balances.get(position.key)

    def keep_verdict(self, position: Position, verdict: Verdict | None, tried: float = 0.0) -> None:
        """Add a verdict, or None if the connections of a position prove nothing.

        ``tried``: the limit, in seconds, under which the solver did not find the winner.
        """
        self._tried[position.key] = max(tried, self.tried(position))
        if verdict is not None:
            self.verdicts.prove(position, verdict)

    def keep_claim(self, position: Position, claim: ClaimedWinner) -> None:
        """Add a winner that is not proved here, in place of the last claim of the same source."""
        self._claims.setdefault(position.key, {})[claim.source, claim.engine] = claim
        self._changes = next(self._counter)

    def claims(self, position: Position) -> tuple[ClaimedWinner, ...]:
        """Return the claims about a position, the oldest first; none once a verdict is known."""
        if self.verdict(position) is not None:
            return ()
        return tuple(self._claims.get(position.key, {}).values())

    def tried(self, position: Position) -> float:
        """Return the longest limit, in seconds, that the solver had; 0 if it was never asked."""
        return self._tried.get(position.key, 0.0)

    def keep_spent(self, positions: Sequence[GamePosition], seconds: float) -> None:
        """Add how much of the solver's budget for a game is spent, in seconds of CPU time.

        Raises ValueError for what is not a time.
        """
        if not 0 <= seconds < inf:
            raise ValueError(f"{seconds} is not a time")
        self._spent[line_key(positions)] = max(seconds, self.spent(positions))
        self._changes = next(self._counter)

    def spent(self, positions: Sequence[GamePosition]) -> float:
        """Return how much of the solver's budget for a game is spent, in seconds of CPU time."""
        return self._spent.get(line_key(positions), 0.0)

    def keep_wins(self, position: Position, wins: Sequence[int], complete: bool = False) -> None:
        """Add moves that are proved to win; ``complete``: all others are proved to lose."""
        lost = set(position.empties).difference(wins) if complete else ()
        self.keep_proved(position, dict.fromkeys(wins, True) | dict.fromkeys(lost, False))

    def keep_proved(self, position: Position, proved: Mapping[int, bool]) -> None:
        """Add whether moves, by their cells, are proved to win or to lose."""
        verdict_of = {
            True: Verdict(VerdictKind.SOLVER, position.to_move),
            False: Verdict(VerdictKind.SOLVER, position.to_move.opponent),
        }
        moves = {cell: verdict_of[wins] for cell, wins in proved.items()}
        self.verdicts.prove_moves(position, moves)

    def verdict(self, position: Position) -> Verdict | None:
        """Return the verdict on a position, if there is one."""
        return self.verdicts.of(position)

    def of(self, game_position: GamePosition, name: str) -> Estimate | None:
        """Return an evaluator's estimate of a position, if there is one."""
        return self._judged.get((game_position.position.key, name))

    def win_probability(self, game_position: GamePosition, name: str) -> float | None:
        """Return the side to move's win probability under the swap rule by a search, if known."""
        judged = self.of(game_position, name)
        if judged is None or judged.winrate is None:
            return None
        return position_value(game_position.position, judged.winrate)

    def quality(self, game_position: GamePosition, name: str) -> Quality | None:
        """Return the rank of the move made at a position, if it put a stone and that is known."""
        judged = self.of(game_position, name)
        if judged is None or game_position.cell is None:
            return None
        return judged.qualities.get(game_position.cell)

    def complete(self, game_position: GamePosition, names: Iterable[str]) -> bool:
        """Whether a position is estimated by these evaluators and its connections are examined."""
        return game_position.position.key in self._tried and self.judged(game_position, names)

    def judged(self, game_position: GamePosition, names: Iterable[str]) -> bool:
        """Whether these evaluators have estimated a position, or the game is over there."""

        def knows(name: str) -> bool:
            judged = self.of(game_position, name)
            if judged is None:  # what is proved needs no search
                return improves(name) and self.verdict(game_position.position) is not None
            return game_position.cell is None or game_position.cell in judged.qualities

        return game_position.position.winner is not None or all(map(knows, names))

    def disagreement(
        self, game_position: GamePosition, names: Sequence[str]
    ) -> "Disagreement | None":
        """Return how much evaluators differ; None with fewer than two estimates."""
        judged = [estimate for name in names if (estimate := self.of(game_position, name))]
        if len(judged) < 2:
            return None
        shares = [
            len(set(a.best) & set(b.best)) / max(len(a.best), len(b.best))
            for a, b in combinations(judged, 2)
        ]
        ranks = [q.mid_q for name in names if (q := self.quality(game_position, name))]
        spread = max(ranks) - min(ranks) if ranks else 0.0
        return Disagreement(sum(shares) / len(shares), spread)


@dataclass(frozen=True)
class Disagreement:
    """How much evaluators differ at a position: means of all pairs of them.

    ``overlap``: the share of the five best moves in common. ``spread``: of mid Q of the move made.
    """

    overlap: float
    spread: float
