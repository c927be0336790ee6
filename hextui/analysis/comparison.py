"""How far evaluators agree on one position: by pairs, by moves, and as JSON or CSV."""

import csv
import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from statistics import StatisticsError, correlation
from typing import Any

from hextui.analysis.estimates import BEST
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, qualities
from hextui.engine.swap import move_of

CONSIDERED = 8
"""The mid rank up to which a move can be one that evaluators rank most differently."""
MOST_DIFFERENT = 6
"""How many such moves there are at most."""


@dataclass(frozen=True)
class Agreement:
    """How far two evaluators agree: Spearman's rank correlation, None if one ranks all equally or
    both rank fewer than five moves.

    ``shared`` of the ``best`` moves, at most five, are among the best of both.
    """

    first: str
    second: str
    correlation: float | None
    shared: int
    best: int


def agreements(rankings: Mapping[str, Ranking]) -> tuple[Agreement, ...]:
    """Return the agreement of every pair over moves that both rank, the lowest first."""
    places = {
        name: {cell: quality.mid_rank for cell, quality in qualities(ranking).items()}
        for name, ranking in rankings.items()
    }
    quality = []
    for first, second in combinations(rankings, 2):
        cells = [cell for cell in places[first] if cell in places[second]]
        ranks = ([places[name][cell] for cell in cells] for name in (first, second))
        related = None
        if len(cells) >= BEST:
            with suppress(StatisticsError):  # one ranks all equally
                related = correlation(*ranks)
        best, others = ({m.cell for m in rankings[n].moves[:BEST]} for n in (first, second))
        shared, most = len(best & others), max(len(best), len(others))
        quality.append(Agreement(first, second, related, shared, most))
    return tuple(sorted(quality, key=lambda a: 1.0 if a.correlation is None else a.correlation))


@dataclass(frozen=True)
class Difference:
    """A move, its ranks by several evaluators, and the ``spread`` of its mid ranks."""

    cell: int
    ranks: tuple[int, ...]
    spread: float


def differences(rankings: Iterable[Ranking]) -> list[Difference]:
    """Return the moves that evaluators rank most differently, the greatest difference first.

    All evaluators rank them, and one has them among its best `CONSIDERED`, ties by their mid ranks.
    """
    placed = [qualities(ranking) for ranking in rankings]
    differing = []
    for cell in set.intersection(*map(set, placed)) if len(placed) > 1 else ():
        places_of_cell = [places[cell] for places in placed]
        mid_ranks = [quality.mid_rank for quality in places_of_cell]
        low, high = min(mid_ranks), max(mid_ranks)
        if low <= CONSIDERED and low < high:
            differing.append(
                Difference(cell, tuple(quality.rank for quality in places_of_cell), high - low)
            )
    return sorted(differing, key=lambda difference: (-difference.spread, difference.cell))[
        :MOST_DIFFERENT
    ]


def rankings_document(position: Position, rankings: Mapping[str, Ranking]) -> dict[str, Any]:
    """Return rankings of a position as JSON; infinite values are ``inf`` and ``-inf``."""
    board = position.board

    def moves(ranking: Ranking) -> list[dict[str, Any]]:
        return [
            {
                "move": move_of(position, move.cell).name(board),
                "value": move.value if isfinite(move.value) else str(move.value),
                "rank": move.rank,
            }
            for move in ranking.rows
        ]

    document: dict[str, Any] = {
        "size": {"rows": board.rows, "columns": board.columns},
        "to_move": str(position.to_move),
        "evaluators": {name: moves(ranking) for name, ranking in rankings.items()},
    }
    if position.winner is not None:
        document["winner"] = str(position.winner)
    if inexact := [name for name, ranking in rankings.items() if not ranking.exact]:
        document["inexact"] = inexact
    if notes := {name: ranking.note for name, ranking in rankings.items() if ranking.note}:
        document["notes"] = notes
    counts = {
        name: {board.name(move.cell): move.counts for move in ranking.moves if move.counts}
        for name, ranking in rankings.items()
    }
    if any(counts.values()):
        document["counts"] = {
            name: counts_of_moves for name, counts_of_moves in counts.items() if counts_of_moves
        }
    return document


def comparison_document(
    position: Position, rankings: Mapping[str, Ranking], verdicts: Mapping[int, bool]
) -> dict[str, Any]:
    """Return rankings, how far they agree, and the ``verdicts`` on moves as JSON."""
    name = position.board.name
    return {
        **rankings_document(position, rankings),
        "stones": {
            str(color): [name(cell) for cell, s in enumerate(position.stones) if s == color]
            for color in Color
        },
        "verdicts": {name(cell): "winning" if won else "losing" for cell, won in verdicts.items()},
        "agreement": [vars(pair) for pair in agreements(rankings)],
        "differences": [
            {
                "move": name(difference.cell),
                "ranks": dict(zip(rankings, difference.ranks, strict=True)),
            }
            for difference in differences(rankings.values())
        ],
    }


def comparison_table(document: Mapping[str, Any]) -> str:
    """Return what `comparison_document` has as CSV, a line for each move of each evaluator."""
    lines = io.StringIO()
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(["evaluator", "move", "value", "rank", "verdict"])
    for name, moves in document["evaluators"].items():
        for move in moves:
            table.writerow([name, *move.values(), document["verdicts"].get(move["move"], "")])
    return lines.getvalue()
