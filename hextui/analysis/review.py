"""The mistakes of a game as one list, the worst first: proved ones, then estimated ones.

Proved are blunders and mistakes of the opening. Estimated is a move that an evaluator ranks low,
where no proof says that it changed nothing; our tree search and other engines, which have win
rates, go by the win rate that a move lost.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import (
    Blunder,
    CostlyMove,
    OpeningMistake,
    PlayedMove,
    blunders,
    costly_moves,
    opening_mistake,
    undecided_moves,
)
from hextui.engine.board import Color
from hextui.engine.evaluators import improves
from hextui.engines.engine_config import engine_in

PROVED = "proved"
JUDGED = 3
"""The most estimated mistakes of a side that are listed."""
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
    """A line of the list: ``color`` erred; ``before`` is the position before its first move.

    ``moves``: the mistake, or several moves one of which is it; of a swap the first stone.
    ``by``: `PROVED` or the evaluator's name.
    """

    color: Color
    before: GamePosition
    moves: tuple[PlayedMove, ...]
    severity: Severity
    by: str
    cause: Blunder | OpeningMistake | LowRank | CostlyMove


def review_entries(
    positions: Sequence[GamePosition], estimates: Estimates, name: str
) -> tuple[ReviewEntry, ...]:
    """Return the mistakes of a game: the proved ones, the last first, then those by ``name``."""
    proved = [
        ReviewEntry(m.color, m.before, m.moves, Severity.BLUNDER, PROVED, m)
        for m in blunders(positions, estimates)
    ]
    opening = opening_mistake(positions, estimates, name)
    if opening is not None and not opening.by:
        proved.insert(0, _opening(opening))
    proved_plies = {move.ply for entry in proved for move in entry.moves}
    listed: list[ReviewEntry] = []
    for entry in _judged(positions, estimates, name, proved_plies):
        if sum(other.color is entry.color for other in listed) < JUDGED:
            listed.append(entry)
    if opening is not None and opening.by:
        listed.append(_opening(opening))
    return (*reversed(proved), *listed)


def _opening(mistake: OpeningMistake) -> ReviewEntry:
    here = mistake.before
    moves = (PlayedMove(here.ply + 1, mistake.cell),)
    severity = Severity.INACCURACY if mistake.by else Severity.BLUNDER
    return ReviewEntry(mistake.color, here, moves, severity, mistake.by or PROVED, mistake)


def _judged(
    positions: Sequence[GamePosition], estimates: Estimates, name: str, proved: set[int]
) -> list[ReviewEntry]:
    """Return the moves that an evaluator ranks low, or that lost win rate, the worst first."""
    found: list[tuple[float, ReviewEntry]] = []

    def add(
        here: GamePosition, cell: int, badness: float, poor: bool, cause: LowRank | CostlyMove
    ) -> None:
        move = PlayedMove(here.ply + 1, cell)
        if move.ply not in proved:
            severity = Severity.MISTAKE if poor else Severity.INACCURACY
            mover = here.position.to_move
            found.append((badness, ReviewEntry(mover, here, (move,), severity, name, cause)))

    if engine_in(name) is not None or improves(name):
        for lost in costly_moves(positions, estimates, name):
            add(lost.before, lost.cell, lost.cost, lost.cost >= _POOR_COST, lost)
    else:
        for here in undecided_moves(positions, estimates):
            judged, quality = estimates.of(here, name), estimates.quality(here, name)
            if judged is None or quality is None or here.cell is None:
                continue
            if quality.rank > 1 and quality.mid_q < _DOUBTFUL_Q:
                cause = LowRank(judged.best[0], quality.rank, quality.candidates)
                add(here, here.cell, -quality.mid_q, quality.mid_q < _POOR_Q, cause)
    return [entry for _, entry in sorted(found, key=lambda item: -item[0])]
