"""The moves of a game that cost win rate, as another engine judges it: opinions, never proofs.

What a move cost is the win rate of its player before it, less that after it, which is what the
engine leaves the other side there. Where a proof says that a move changed nothing, it cost nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hextui.analysis.judgements import Judgements
from hextui.analysis.mistakes import open_to_opinion
from hextui.analysis.stations import Station, leads_to

LEAST_COST = 0.1
"""A move that cost less is not listed: the win rate of one position wavers by some hundredths."""


@dataclass(frozen=True)
class LostChance:
    """A move made at ``station``, and its player's win rate before and after it, 0 to 1.

    ``best``: the move that the engine preferred.
    """

    station: Station
    cell: int
    before: float
    after: float
    best: int

    @property
    def cost(self) -> float:
        """The win rate that was lost."""
        return self.before - self.after


def chance_left(
    station: Station, following: Station, judgements: Judgements, name: str
) -> float | None:
    """Return the chance that the stone put at a station leaves its player, as ``name`` tells it.

    None where it tells none, or something else than that stone led to the following one.
    """
    then = judgements.of(following, name)
    if then is None or then.winrate is None or not leads_to(station, following):
        return None
    return 1 - then.winrate


def lost_chances(
    stations: Sequence[Station], judgements: Judgements, name: str
) -> tuple[LostChance, ...]:
    """Return the moves that cost a tenth of the win rate or more, in the order of play.

    The move that the engine itself preferred is none, whatever it saw later.
    """
    following = dict(pairwise(stations))
    found = []
    for station in open_to_opinion(stations, judgements):
        now = judgements.of(station, name)
        left = chance_left(station, following[station], judgements, name)
        if now is None or now.winrate is None or left is None:
            continue
        if station.cell is None or station.cell == now.best[0]:
            continue
        lost = LostChance(station, station.cell, now.winrate, left, now.best[0])
        if lost.cost >= LEAST_COST:
            found.append(lost)
    return tuple(found)
