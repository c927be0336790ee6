"""Who wins at the plies of a game, and where a win was given away, by the strong solver.

A budget of time is spent where it decides. What is known already, and what a verdict says of the
plies beside it, costs nothing. Between a ply that is proved for one side and a later one that is
proved for the other lies a mistake: the plies between come first, each with a short turn, the
middle one before the others, which halves them while proofs are easy. Then turns grow, and a ply's
share falls with the square of the number of open plies behind it: each ply back makes a proof
several times as long, so the last open one is the cheapest step towards the mistake. Where no
mistake is in sight the same holds from the end of the game back. No ply is left out: an early one
may be easy, and all have a first turn. A ply's limit doubles from turn to turn, and the search
goes on from the solver's table, which all plies of the game share.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hextui.analysis.judgements import Judgements, Wins
from hextui.analysis.mistakes import GivenAway, mistakes
from hextui.analysis.stations import Station
from hextui.engine.limit import Limit
from hextui.engines.engine import Answerer, EngineDiedError, Stop
from hextui.engines.questions import Proved, WhoWins
from hextui.engines.snapshot import Progress, Verdict, VerdictKind

FIRST_LIMIT = 0.25
"""Seconds of a ply's first turn."""
BOUNDARY_SHARE = 16
"""A ply at a mistake has so many times the share of the last open ply elsewhere."""
VERDICT_SHARE = 0.9
"""The share of the budget for who wins before the moves that would have won are looked for."""
LEAST_TURN = 0.001
"""Seconds that a turn counts at the least, so that turns come to an end on any clock."""
TABLE_BYTES = 64 << 20


@dataclass(frozen=True)
class Spent:
    """So many seconds of the budget are spent."""

    seconds: float


def prove(
    solver: Answerer,
    stations: Sequence[Station],
    judgements: Judgements,
    seconds: float,
    stop: Stop,
) -> Iterator[Spent | Progress]:
    """Find out who wins, and which moves won where a win was given away; yield after each turn.

    Before, while ``solver`` is compiled, yields how far that is. ``seconds``: the budget of the
    game, in time of one thread. Winners are those of play in which nobody swaps. Ends within 20 ms
    once it is to ``stop``.
    """
    if not stations:
        return
    # the first use may compile, which is no ply's time
    first = WhoWins(stations[-1].position, Limit(nodes=1), TABLE_BYTES)
    yield from (step for step in solver.answers(first, stop) if isinstance(step, Progress))
    search = _Search(solver, stations, judgements, stop)
    for _ in search.winners(VERDICT_SHARE * seconds):
        yield Spent(search.seconds)
    for _ in search.wins(seconds):
        yield Spent(search.seconds)
    for _ in search.winners(seconds):  # if something is left
        yield Spent(search.seconds)


def next_turn(stations: Sequence[Station], judgements: Judgements) -> tuple[Station, float] | None:
    """Return whose turn it is and its limit in seconds; None if every ply is proved."""
    boundary = _at_mistakes(stations, judgements)
    turns = []
    behind: Counter[GivenAway | None] = Counter()
    for station in reversed(stations):
        if judgements.verdict(station.position) is not None:
            continue
        mistake = boundary.get(station)
        behind[mistake] += 1
        turns.append((*_cost(station, mistake, behind[mistake], judgements), -station.ply, station))
    if not turns:
        return None
    *_, station = min(turns, key=lambda turn: turn[:3])
    return station, _limit(station, judgements)


def _limit(station: Station, judgements: Judgements) -> float:
    """Return the seconds of a ply's next turn."""
    return max(FIRST_LIMIT, 2 * judgements.tried(station.position))


def _cost(
    station: Station, mistake: GivenAway | None, behind: int, judgements: Judgements
) -> tuple[float, float]:
    """Return what orders turns, the least first: the weighted limit, the way to the middle.

    ``behind``: the place of the ply among the open ones at ``mistake``, or of those at none, the
    last being 1.
    """
    limit, again = _limit(station, judgements), judgements.tried(station.position) > 0
    if mistake is None:
        return limit * BOUNDARY_SHARE * (behind**2 if again else behind), 0.0
    middle = (mistake.before.ply + mistake.after.ply) / 2
    return limit * (behind**2 if again else 1), abs(station.ply - middle)


def _at_mistakes(stations: Sequence[Station], judgements: Judgements) -> dict[Station, GivenAway]:
    """Return the plies between two that are proved for different sides, with their mistake."""
    return {
        station: mistake
        for mistake in mistakes(stations, judgements)
        for station in stations
        if mistake.before.ply < station.ply < mistake.after.ply
    }


@dataclass
class _Search:
    """The solver at work on a game; ``seconds`` of a processor are spent."""

    solver: Answerer
    stations: Sequence[Station]
    judgements: Judgements
    stop: Stop
    seconds: float = 0.0

    def winners(self, budget: float) -> Iterator[None]:
        """Find out who wins, ply after ply, until so many seconds are spent."""
        while turn := next_turn(self.stations, self.judgements):
            station, limit = turn
            limit = min(limit, budget - self.seconds)
            if limit <= 0 or self.stop():
                return
            found = self._asked(station, limit, all_moves=False)
            if found.winner is None:
                if self.stop():
                    return
                self.judgements.keep_verdict(station.position, None)
                self.judgements.keep_tried(station.position, limit)
            yield

    def wins(self, budget: float) -> Iterator[None]:
        """Find all moves that won where a win was given away, the last mistake first."""
        found = mistakes(self.stations, self.judgements)
        open_ones = [m.before for m in reversed(found) if not m.all_wins]
        for left, station in zip(range(len(open_ones), 0, -1), open_ones, strict=True):
            limit = (budget - self.seconds) / left
            if limit <= 0 or self.stop():
                return
            self._asked(station, limit, all_moves=True)
            yield

    def _asked(self, station: Station, limit: float, all_moves: bool) -> Proved:
        """Ask the solver, and keep what it proves."""
        question = WhoWins(station.position, Limit(limit), TABLE_BYTES, all_moves)
        found = Proved(None, seconds=limit)
        try:
            for answer in self.solver.answers(question, self.stop):
                found = answer if isinstance(answer, Proved) else found
        except EngineDiedError:
            pass  # its death was told of; nothing is known
        self.seconds += max(found.seconds, LEAST_TURN)
        if found.winner is not None:
            self.judgements.keep_wins(station.position, Wins(found.wins, found.complete))
            if self.judgements.verdict(station.position) is None:
                verdict = Verdict(VerdictKind.SOLVER, found.winner)
                self.judgements.keep_verdict(station.position, verdict)
        return found
