"""The mistakes of a game as one list, the worst first: what is proved before what is judged.

A proved entry is a win given away, with a proof on both sides. A judged one is a move that an
evaluator places low, where no proof says that it changed nothing; who tells win rates, which are
our own tree search and other engines, judges by the win rate that a move cost.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.analysis.judgements import Judgements
from hextui.analysis.lost_chances import LostChance, lost_chances
from hextui.analysis.mistakes import GivenAway, PlayedMove, mistakes, open_to_opinion
from hextui.analysis.openings import OpeningMistake, opening_mistake
from hextui.analysis.stations import Station
from hextui.engine.board import Color
from hextui.engine.evaluator_names import is_search
from hextui.engines.attached.engine_config import engine_in

PROVED = "proved"
JUDGED = 3
"""At most so many moves of a side that are judged, not proved, are listed."""
_POOR_Q, _DOUBTFUL_Q = 0.6, 0.85
_POOR_COST = 0.25  # of the win rate


class Severity(enum.StrEnum):
    """How bad a move is, by the glyph that annotators use for it."""

    BLUNDER = "??"
    """Proved to give a win away."""
    MISTAKE = "?"
    INACCURACY = "?!"


@dataclass(frozen=True)
class LowRank:
    """An evaluator ranks the move played low; ``best`` is the cell that it prefers."""

    best: int
    rank: int
    candidates: int


@dataclass(frozen=True)
class ReviewEntry:
    """A line of the list: ``color`` erred at ``station``, the position before the first move.

    ``moves``: the mistake, or several moves one of which is it; of a swap the first stone.
    ``by``: `PROVED` or the evaluator's name.
    """

    color: Color
    station: Station
    moves: tuple[PlayedMove, ...]
    severity: Severity
    by: str
    cause: GivenAway | OpeningMistake | LowRank | LostChance


def review_list(
    stations: Sequence[Station], judgements: Judgements, name: str
) -> tuple[ReviewEntry, ...]:
    """Return what went wrong in a game, as far as it is known, judged by the evaluator ``name``.

    Of proved mistakes the last one, which decided the game, comes first; of judged ones the one
    placed lowest.
    """
    proved = [_proved(mistake) for mistake in mistakes(stations, judgements)]
    opening = opening_mistake(stations, judgements, name)
    if opening is not None and not opening.by:
        proved.insert(0, _opening(opening))
    told = {move.ply for entry in proved for move in entry.moves}
    judged = _judged(stations, judgements, name, told)
    listed = [entry for place, entry in enumerate(judged) if _is_among_worst(place, judged)]
    if opening is not None and opening.by:
        listed.append(_opening(opening))
    return (*reversed(proved), *listed)


def _is_among_worst(place: int, judged: Sequence[ReviewEntry]) -> bool:
    """Whether an entry, of those the lowest of which comes first, is one of its side's worst."""
    before = [entry for entry in judged[:place] if entry.color is judged[place].color]
    return len(before) < JUDGED


def _proved(mistake: GivenAway) -> ReviewEntry:
    before, severity = mistake.before, Severity.BLUNDER
    return ReviewEntry(mistake.color, before, mistake.moves, severity, PROVED, mistake)


def _opening(mistake: OpeningMistake) -> ReviewEntry:
    station = mistake.station
    moves = (PlayedMove(station.ply + 1, mistake.cell),)
    severity = Severity.INACCURACY if mistake.by else Severity.BLUNDER
    return ReviewEntry(mistake.color, station, moves, severity, mistake.by or PROVED, mistake)


def _judged(
    stations: Sequence[Station], judgements: Judgements, name: str, told: set[int]
) -> list[ReviewEntry]:
    """Return the moves that an evaluator ranks low, or that cost win rate, the worst first."""
    found: list[tuple[float, ReviewEntry]] = []

    def add(
        station: Station, cell: int, badness: float, poor: bool, cause: LowRank | LostChance
    ) -> None:
        move = PlayedMove(station.ply + 1, cell)
        if move.ply not in told:
            severity = Severity.MISTAKE if poor else Severity.INACCURACY
            mover = station.position.to_move
            found.append((badness, ReviewEntry(mover, station, (move,), severity, name, cause)))

    if engine_in(name) is not None or is_search(name):
        for lost in lost_chances(stations, judgements, name):
            add(lost.station, lost.cell, lost.cost, lost.cost >= _POOR_COST, lost)
    else:
        for station in open_to_opinion(stations, judgements):
            judged, quality = judgements.of(station, name), judgements.quality(station, name)
            if judged is None or quality is None or station.cell is None:
                continue
            if quality.rank > 1 and quality.mid_q < _DOUBTFUL_Q:
                cause = LowRank(judged.best[0], quality.rank, quality.candidates)
                add(station, station.cell, -quality.mid_q, quality.mid_q < _POOR_Q, cause)
    return [entry for _, entry in sorted(found, key=lambda item: -item[0])]
