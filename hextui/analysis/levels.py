"""Who is ahead at each ply of a game: what its graph draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isinf

from hextui.analysis.judgements import Judgements
from hextui.analysis.stations import Station
from hextui.engine.board import Color

_HIGHEST = 0.8
"""What a judgement comes to at most: only a proof is 1."""
_HALF = 0.5
"""The balance that comes to half of that."""


@dataclass(frozen=True)
class Level:
    """Who is ahead at a ply, and by how much, from 0 to 1, which is a proof."""

    color: Color
    share: float

    @property
    def proved(self) -> bool:
        """Whether the winner is proved."""
        return self.share == 1.0


def levels(stations: Sequence[Station], judgements: Judgements) -> dict[int, Level]:
    """Return what is known of a line of play, by ply."""
    found = {}
    for before, station in pairwise([None, *stations]):
        assert station is not None
        verdict = judgements.verdict(station.position)
        if verdict is not None:
            found[station.ply] = Level(verdict.winner, 1.0)
            continue
        balances = [
            balance
            for s in (before, station)
            if s is not None and (balance := judgements.balance(s.position)) is not None
        ]
        # the mean of two plies: who has just put a stone is ahead by it
        if balances and judgements.balance(station.position) is not None:
            found[station.ply] = _judged(sum(balances) / len(balances))
    return found


def win_rates(stations: Sequence[Station], judgements: Judgements, name: str) -> dict[int, float]:
    """Return Red's (Black's) chance to win by ply, 0 to 1, where an engine has told its own."""
    found = {}
    for station in stations:
        judged = judgements.of(station, name)
        if judged is not None and judged.winrate is not None:
            mine = station.position.to_move is Color.BLACK
            found[station.ply] = judged.winrate if mine else 1 - judged.winrate
    return found


def _judged(balance: float) -> Level:
    """Return the level of a balance: ln of a ratio of resistances, above 0 for Black."""
    color = Color.BLACK if balance > 0 else Color.WHITE
    share = 1.0 if isinf(balance) else abs(balance) / (abs(balance) + _HALF)
    return Level(color, _HIGHEST * share)
