"""Who wins each ply of a game, found by the strong solver from the last ply to the first.

Going back, its table already holds what follows. Early plies are far harder than late ones, so the
search ends where several in a row stay unknown.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hextui.analysis.judgements import Judgements
from hextui.analysis.stations import Station, leads_to
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.engine import Answerer, EngineDiedError, Stop
from hextui.engines.questions import Proved, WhoWins
from hextui.engines.snapshot import Progress, Verdict, VerdictKind

UNKNOWN_IN_A_ROW = 4
"""After so many plies in a row that stay unknown the search ends."""
GAME_LIMITS = 24
"""A game takes the time of so many limits at most: 12 s if a ply gets 0.5 s."""
TABLE_BYTES = 64 << 20


def prove(
    solver: Answerer,
    stations: Sequence[Station],
    judgements: Judgements,
    seconds: float,
    stop: Stop,
) -> Iterator[Station | Progress]:
    """Find out who wins where that is not proved yet; yield each station that was looked at.

    Before, while ``solver`` is compiled, yields how far that is. ``seconds``: the limit of a ply.
    Winners are those of play in which nobody swaps. Ends within 20 ms once it is to ``stop``.
    """
    if not stations:
        return
    # the first use may compile, which is no ply's time
    first = WhoWins(stations[-1].position, Limit(nodes=1), TABLE_BYTES)
    yield from (step for step in solver.answers(first, stop) if isinstance(step, Progress))
    end = time.perf_counter() + GAME_LIMITS * seconds
    unknown = 0
    for following, station in pairwise([None, *reversed(stations)]):
        assert station is not None
        position = station.position
        if judgements.open(position, seconds):
            found = _by_the_next(station, following, judgements)
            if found is None and time.perf_counter() + seconds > end:
                return
            found = found or _searched(solver, position, seconds, stop)
            if found is None and stop():
                return
            judgements.keep_verdict(position, found)
            judgements.keep_tried(position, seconds)
        yield station
        unknown = 0 if judgements.verdict(position) else unknown + 1
        if unknown == UNKNOWN_IN_A_ROW:
            return


def _by_the_next(
    station: Station, following: Station | None, judgements: Judgements
) -> Verdict | None:
    """Return the win of a side that moved to a position that it is proved to win."""
    if following is None or not leads_to(station, following):
        return None
    then = judgements.verdict(following.position)
    if then is None or then.winner is not station.position.to_move:
        return None
    return Verdict(VerdictKind.SOLVER, then.winner)


def _searched(solver: Answerer, position: Position, seconds: float, stop: Stop) -> Verdict | None:
    winner = None
    try:
        for answer in solver.answers(WhoWins(position, Limit(seconds), TABLE_BYTES), stop):
            winner = answer.winner if isinstance(answer, Proved) else winner
    except EngineDiedError:
        pass  # its death was told of; the ply stays unknown
    return None if winner is None else Verdict(VerdictKind.SOLVER, winner)
