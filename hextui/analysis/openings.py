"""The first two turns of a game that may be swapped: was it right to swap, or not to?

Whoever may swap wants a first move that wins to be the own one, and leaves one that loses. So a
weak first move is right, and a strong one that is swapped is a mistake of whoever made it.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.analysis.judgements import Judgements
from hextui.analysis.stations import Station
from hextui.engine.board import Color

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

    ``by``: the evaluator that holds the first move for strong, '' if that is proved. ``player``:
    the colour under which the game ended for whoever made it.
    """

    kind: OpeningKind
    color: Color
    player: Color
    station: Station
    cell: int
    by: str = ""


def opening_mistake(
    stations: Sequence[Station], judgements: Judgements, name: str = ""
) -> OpeningMistake | None:
    """Return what was wrong about the opening: proved, or else by the evaluator ``name``, if any.

    None also where nobody may have swapped, and where the game ends before that was decided.
    """
    if len(stations) < 3:
        return None
    first, second = stations[0], stations[1]
    if first.cell is None or not second.position.swap_legal:
        return None
    by, strong = "", _wins(first, second, judgements)
    if strong is None:
        quality = judgements.quality(first, name)
        if quality is None or quality.mid_q < STRONG_Q:
            return None  # how weak a first move is fair nobody can tell without a proof
        by, strong = name, True
    swapped = second.cell is None
    if strong and swapped:
        kind, station = OpeningKind.TOO_STRONG, first
    elif strong:
        kind, station = OpeningKind.NOT_SWAPPED, second
    elif swapped:
        kind, station = OpeningKind.SWAPPED, second
    else:
        return None
    return OpeningMistake(kind, station.position.to_move, station.player, station, first.cell, by)


def _wins(first: Station, second: Station, judgements: Judgements) -> bool | None:
    """Return whether the first move is proved to win as if nobody swaps, or to lose."""
    verdict = judgements.verdict(second.position)
    return None if verdict is None else verdict.winner is first.position.to_move
