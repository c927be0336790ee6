"""The moves of a game that gave a win away, each between two proofs.

A move is called a mistake only if its player is proved to win before it and to lose after it, in
play in which nobody swaps. Where only a later position is proved lost, the mistake is one of
several moves, and which one is open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hextui.analysis.judgements import Judgements
from hextui.analysis.stations import Station, leads_to
from hextui.engine.board import Color


@dataclass(frozen=True)
class PlayedMove:
    """A stone of the game: the number of its ply, from 1, and its cell."""

    ply: int
    cell: int


@dataclass(frozen=True)
class GivenAway:
    """A win that ``color`` had at ``before`` and its opponent at ``after``.

    ``moves``: the moves of ``color`` between, one of which gave it away; a single one is proved to
    be the mistake. ``wins``: the moves proved to win at ``before``; ``all_wins``: there are no
    others. ``by``: the other engines on whose word the proofs at its ends rest, () for ours alone.
    """

    color: Color
    before: Station
    after: Station
    moves: tuple[PlayedMove, ...]
    wins: tuple[int, ...]
    all_wins: bool
    by: tuple[str, ...] = ()

    @property
    def player(self) -> Color:
        """The colour under which the game ended for whoever made the mistake."""
        mover = self.before.position.to_move
        return self.before.player if mover is self.color else self.before.player.opponent


def mistakes(stations: Sequence[Station], judgements: Judgements) -> tuple[GivenAway, ...]:
    """Return the wins given away, in the order of play.

    The first move counts as none where swapping answers it: there a losing move may be best.
    """
    found = []
    for line in without_swaps(stations):
        proved = [(s, v) for s in line if (v := judgements.verdict(s.position))]
        for (before, won), (after, lost) in pairwise(proved):
            color = won.winner
            if lost.winner is color:
                continue
            between = line[line.index(before) : line.index(after)]
            moves = tuple(
                PlayedMove(s.ply + 1, s.cell)
                for s in between
                if s.position.to_move is color and s.cell is not None
            )
            wins = judgements.wins(before.position)
            by = tuple(dict.fromkeys(v.by for v in (won, lost) if v.by))
            found.append(GivenAway(color, before, after, moves, wins.moves, wins.complete, by))
    return tuple(found)


def without_swaps(stations: Sequence[Station]) -> Iterator[Sequence[Station]]:
    """Yield the stretches of a game in which each stone leads from a station to the next.

    A first move that swapping may answer, a swap and a pass end one.
    """
    begun = 0
    for at, (station, following) in enumerate(pairwise(stations), start=1):
        if not leads_to(station, following) or following.position.swap_legal:
            yield stations[begun:at]
            begun = at
    yield stations[begun:]


def open_to_opinion(stations: Sequence[Station], judgements: Judgements) -> Iterator[Station]:
    """Yield where a stone was put and no proof says that it changed nothing.

    A first move that swapping may answer is left out: it ought to be weak.
    """
    for station, following in pairwise(stations):
        if station.cell is None or following.position.swap_legal:
            continue
        mover = station.position.to_move
        now, then = (judgements.verdict(s.position) for s in (station, following))
        lost_already = now is not None and now.winner is not mover
        wins_still = then is not None and then.winner is mover
        if not lost_already and not wins_still:
            yield station
