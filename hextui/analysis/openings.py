"""The first two turns of a game that may be swapped: was it right to swap, or not to?

Whoever may swap wants a first move that wins to be the own one, and leaves one that loses. So a
weak first move is right, and a strong one that is swapped is a mistake of whoever made it.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.analysis.judgements import Judgements
from hextui.analysis.lost_chances import LEAST_COST, chance_left
from hextui.analysis.stations import Station
from hextui.engine.board import Color
from hextui.engine.evaluator_names import is_search

STRONG_Q = 0.85
"""From this mid Q on an evaluator calls a first move strong."""


class OpeningKind(enum.StrEnum):
    """What was wrong about the opening."""

    TOO_STRONG = "too strong"
    """The first move wins, and was swapped."""
    NOT_SWAPPED = "not swapped"
    """The first move wins, and was not swapped."""
    SWAPPED = "swapped"
    """The first move loses, and was swapped."""


@dataclass(frozen=True)
class OpeningMistake:
    """A mistake of ``color`` in the turn made at ``station``; ``cell`` is that of the first stone.

    ``by``: the evaluator that holds the first move for strong or weak, '' if that is proved.
    ``chance``: what the first move wins as the search tells it, if nobody swaps. ``player``: the
    colour under which the game ended for whoever made it.
    """

    kind: OpeningKind
    color: Color
    player: Color
    station: Station
    cell: int
    by: str = ""
    chance: float | None = None


def opening_mistake(
    stations: Sequence[Station], judgements: Judgements, name: str = ""
) -> OpeningMistake | None:
    """Return what was wrong about the opening: proved, or else by the evaluator ``name``, if any.

    The search judges by its chance. Others tell strong first moves alone, by their rank: how weak
    one is fair no rank tells. None also where nobody may have swapped, and where the game ends
    before that was decided.
    """
    if len(stations) < 3:
        return None
    first, second = stations[0], stations[1]
    if first.cell is None or not second.position.swap_legal:
        return None
    held = _held(first, second, judgements, name)
    if held is None:
        return None
    swapped = second.cell is None
    if held.strong and swapped:
        kind, station = OpeningKind.TOO_STRONG, first
    elif held.strong:
        kind, station = OpeningKind.NOT_SWAPPED, second
    elif swapped:
        kind, station = OpeningKind.SWAPPED, second
    else:
        return None
    color = station.position.to_move
    return OpeningMistake(kind, color, station.player, station, first.cell, held.by, held.chance)


@dataclass(frozen=True)
class _Held:
    """What the first move is held for: strong or weak. ``by`` and ``chance`` as in the mistake."""

    strong: bool
    by: str = ""
    chance: float | None = None


def _held(first: Station, second: Station, judgements: Judgements, name: str) -> _Held | None:
    """Return what the first move is held for, None if nobody knows or it is about even."""
    verdict = judgements.verdict(second.position)
    if verdict is not None:
        return _Held(verdict.winner is first.position.to_move)
    if is_search(name):
        chance = chance_left(first, second, judgements, name)
        if chance is None or abs(chance - 0.5) < LEAST_COST:
            return None
        return _Held(chance > 0.5, name, chance)
    quality = judgements.quality(first, name)
    return _Held(True, name) if quality and quality.mid_q >= STRONG_Q else None
