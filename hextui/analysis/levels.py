"""Who is ahead at each ply of a game: what its graph draws."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isinf

from hextui.analysis.judgements import Judgements
from hextui.analysis.stations import Station
from hextui.engine.board import Color
from hextui.engine.evaluator_names import is_search
from hextui.engine.search.line_settings import DEFAULT_SEARCH

_HIGHEST = 0.8
"""What a balance of resistance comes to at most: only a proof is 1."""
_HALF = 0.5
"""The balance that comes to half of that."""


class Source(enum.Enum):
    """Who says who is ahead."""

    PROOF = "proof"
    SEARCH = "search"
    RESISTANCE = "resistance"


@dataclass(frozen=True)
class Level:
    """Who is ahead at a ply, and by how much, from 0 to 1, as ``by`` says.

    A proof is 1. By the search it is how much more often this side wins than the other, by
    resistance what the balance comes to on a scale of its own.
    """

    color: Color
    share: float
    by: Source

    @property
    def proved(self) -> bool:
        """Whether the winner is proved."""
        return self.by is Source.PROOF

    @property
    def chance(self) -> float | None:
        """Red's (Black's) chance to win, 0 to 1: a proof is certain, resistance tells none."""
        if self.by is Source.RESISTANCE:
            return None
        sign = 1 if self.color is Color.BLACK else -1
        return (1 + sign * self.share) / 2


def levels(
    stations: Sequence[Station], judgements: Judgements, names: Sequence[str] = (DEFAULT_SEARCH,)
) -> dict[int, Level]:
    """Return what is known of a line of play, by ply.

    A proof outranks the chance that the first tree search of ``names`` gives, and that the balance
    of resistances.
    """
    searched = next(filter(is_search, names), DEFAULT_SEARCH)
    rates, found = win_rates(stations, judgements, searched), {}
    for before, station in pairwise([None, *stations]):
        assert station is not None
        verdict = judgements.verdict(station.position)
        if verdict is not None:
            found[station.ply] = Level(verdict.winner, 1.0, Source.PROOF)
        elif station.ply in rates:
            found[station.ply] = _searched(rates[station.ply])
        elif (level := _balanced(before, station, judgements)) is not None:
            found[station.ply] = level
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


def _searched(rate: float) -> Level:
    """Return the level of Red's (Black's) chance to win."""
    color = Color.BLACK if rate > 0.5 else Color.WHITE
    return Level(color, abs(2 * rate - 1), Source.SEARCH)


def _balanced(before: Station | None, station: Station, judgements: Judgements) -> Level | None:
    """Return the level by resistance, if its balance is known at a station."""
    balance = judgements.balance(station.position)
    if balance is None:
        return None
    # the mean of two plies: who has just put a stone is ahead by it
    last = None if before is None else judgements.balance(before.position)
    mean = balance if last is None else (balance + last) / 2
    color = Color.BLACK if mean > 0 else Color.WHITE
    share = 1.0 if isinf(mean) else abs(mean) / (abs(mean) + _HALF)
    return Level(color, _HIGHEST * share, Source.RESISTANCE)
