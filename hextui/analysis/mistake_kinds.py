"""What kind of mistake a proved one was, as far as the proofs on both sides of it tell."""

import enum
from collections.abc import Sequence

from hextui.analysis.judgements import Judgements
from hextui.analysis.mistakes import GivenAway
from hextui.analysis.stations import Station
from hextui.engines.snapshot import VerdictKind

_IN_SIGHT = (VerdictKind.CHAIN, VerdictKind.CONNECTION)


class MistakeKind(enum.StrEnum):
    """The kinds, the first that applies."""

    OPENING = "opening"
    """A first move too strong, or the wrong answer to the offer to swap."""
    SEVERAL = "several"
    """One of several moves: which one is open."""
    MISSED_WIN = "missed win"
    """A connection would have won, and the move gave it up."""
    MUST_PLAY = "must-play"
    """The move did not meet a threat: after it the opponent has a connection that wins. A move
    makes no connection of the opponent's, so that was there before, and the move outside of it."""
    GIVEN_BACK = "given back"
    """The opponent had given the win away by the move before."""
    OTHER = "other"


def kind_of(mistake: GivenAway, others: Sequence[GivenAway], judgements: Judgements) -> MistakeKind:
    """Return the kind of a mistake; ``others`` are all of its game."""
    if len(mistake.moves) > 1:
        return MistakeKind.SEVERAL
    if _in_sight(mistake.before, judgements):
        return MistakeKind.MISSED_WIN
    if _in_sight(mistake.after, judgements):
        return MistakeKind.MUST_PLAY
    if any(other.after is mistake.before and len(other.moves) == 1 for other in others):
        return MistakeKind.GIVEN_BACK
    return MistakeKind.OTHER


def _in_sight(station: Station, judgements: Judgements) -> bool:
    verdict = judgements.verdict(station.position)
    return verdict is not None and verdict.kind in _IN_SIGHT
