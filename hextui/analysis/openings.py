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
    by, chance, strong = "", None, _wins(first, second, judgements)
    if strong is None and is_search(name):
        by, chance = name, chance_left(first, second, judgements, name)
        strong = None if chance is None else _is_strong(chance)
    elif strong is None:
        quality = judgements.quality(first, name)
        by, strong = name, True if quality and quality.mid_q >= STRONG_Q else None
    if strong is None:
        return None
    swapped = second.cell is None
    if strong and swapped:
        kind, station = OpeningKind.TOO_STRONG, first
    elif strong:
        kind, station = OpeningKind.NOT_SWAPPED, second
    elif swapped:
        kind, station = OpeningKind.SWAPPED, second
    else:
        return None
    color = station.position.to_move
    return OpeningMistake(kind, color, station.player, station, first.cell, by, chance)


def _is_strong(chance: float) -> bool | None:
    """Return whether a first move with this chance is strong, or weak; None if it is about even."""
    if abs(chance - 0.5) < LEAST_COST:
        return None
    return chance > 0.5


def _wins(first: Station, second: Station, judgements: Judgements) -> bool | None:
    """Return whether the first move is proved to win as if nobody swaps, or to lose."""
    verdict = judgements.verdict(second.position)
    return None if verdict is None else verdict.winner is first.position.to_move
