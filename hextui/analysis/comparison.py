"""How far evaluators agree on one position: by pairs, by moves, and as JSON or CSV."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import StatisticsError, correlation
from typing import Any

from hextui.analysis.estimates import BEST
from hextui.engine.board import Color
from hextui.engine.json_values import as_json
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, qualities

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
    pairs = []
    for first, second in combinations(rankings, 2):
        best = _best_cells(rankings[first])
        others = _best_cells(rankings[second])
        agreement = Agreement(
            first=first,
            second=second,
            correlation=_rank_correlation(rankings[first], rankings[second]),
            shared=len(best & others),
            best=max(len(best), len(others)),
        )
        pairs.append(agreement)
    return tuple(sorted(pairs, key=lambda a: 1.0 if a.correlation is None else a.correlation))


def _best_cells(ranking: Ranking) -> set[int]:
    return {move.cell for move in ranking.moves[:BEST]}


def _rank_correlation(first: Ranking, second: Ranking) -> float | None:
    """Return Spearman's rank correlation over the moves that both rank; see `Agreement`."""
    qualities_of_first = qualities(first)
    qualities_of_second = qualities(second)
    cells = [cell for cell in qualities_of_first if cell in qualities_of_second]
    if len(cells) < BEST:
        return None
    ranks = [qualities_of_first[cell].mid_rank for cell in cells]
    other_ranks = [qualities_of_second[cell].mid_rank for cell in cells]
    try:
        return correlation(ranks, other_ranks)
    except StatisticsError:  # one ranks all equally
        return None


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
        spread = max(mid_ranks) - min(mid_ranks)
        if min(mid_ranks) <= CONSIDERED and spread > 0:
            ranks = tuple(quality.rank for quality in places_of_cell)
            differing.append(Difference(cell, ranks, spread))
    differing.sort(key=lambda difference: (-difference.spread, difference.cell))
    return differing[:MOST_DIFFERENT]


def rankings_document(position: Position, rankings: Mapping[str, Ranking]) -> dict[str, Any]:
    """Return rankings of a position as JSON; infinite values are ``inf`` and ``-inf``."""
    document: dict[str, Any] = {
        "size": as_json(position.board),
        "to_move": as_json(position.to_move),
        "evaluators": {
            name: _move_documents(ranking.named(position)) for name, ranking in rankings.items()
        },
    }
    if position.winner is not None:
        document["winner"] = as_json(position.winner)
    if inexact := [name for name, ranking in rankings.items() if not ranking.exact]:
        document["inexact"] = inexact
    if notes := {name: ranking.note for name, ranking in rankings.items() if ranking.note}:
        document["notes"] = notes
    if counts := _counts_document(position, rankings):
        document["counts"] = counts
    return document


def _counts_document(position: Position, rankings: Mapping[str, Ranking]) -> dict[str, Any]:
    """Return the counts of undecided moves by evaluator, without evaluators that have none."""
    name_of = position.board.name
    counts = {}
    for name, ranking in rankings.items():
        undecided = [move for move in ranking.moves if move.counts]
        if undecided:
            counts[name] = {name_of(move.cell): move.counts for move in undecided}
    return counts


def _move_documents(ranking: Ranking) -> list[dict[str, Any]]:
    return [
        {"move": move.move, "value": as_json(move.value), "rank": move.rank} for move in ranking
    ]


def comparison_document(
    position: Position, rankings: Mapping[str, Ranking], verdicts: Mapping[int, bool]
) -> dict[str, Any]:
    """Return rankings, how far they agree, and the ``verdicts`` on moves as JSON."""
    name = position.board.name
    stones: dict[str, list[str]] = {}
    for color in Color:
        stones[str(color)] = [name(c) for c, stone in enumerate(position.stones) if stone == color]
    words = {True: "winning", False: "losing"}
    return {
        **rankings_document(position, rankings),
        "stones": stones,
        "verdicts": {name(cell): words[won] for cell, won in verdicts.items()},
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
