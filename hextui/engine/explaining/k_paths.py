"""E_k of a move: d and n_0 to n_k of both colours, x, and the paths one by one.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 5, eqs. 8 to 10; fig. 9.
"""

from fractions import Fraction

from hextui.engine.board import Color
from hextui.engine.evaluators.after import networks_after
from hextui.engine.evaluators.base import After, Counts, Workbench
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.explaining.shared import (
    MINIMISE,
    PathCount,
    explanation,
    honjo,
    level_paintings,
    update_notes,
)
from hextui.engine.explanation import Explanation, Painting, Term
from hextui.engine.player_texts import player
from hextui.engine.ranking import Ranking

_SENTENCES = (
    "E_0 compares how many links the sides are apart after the move, and a little how many "
    "shortest paths there are.",
    "E_1 is E_0 that also counts, still less, the paths one link longer.",
    "E_2 is E_1 that also counts, least of all, the paths two links longer.",
)


def explain(evaluator: KPaths, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return why a move has its E_k."""
    k = evaluator.k
    *_, found = evaluator.counts(bench)
    x = evaluator.usable_x(found, evaluator.x)
    terms: list[Term] = []
    paintings: list[Painting] = []
    networks = networks_after(bench, move, evaluator.fresh)
    for color, counts in zip(Color, found[move], strict=True):
        terms += _terms(evaluator, color, counts, x)
        for level in range(k + 1):
            raw, accepted = counts.raw[level], counts.accepted[level]
            count = PathCount(accepted, raw - accepted, raw)
            paintings += level_paintings(networks[color], level, count)
    sums = " + ".join(("x n_0", *(f"x^{i + 1} n_{i}" for i in range(1, k + 1))))
    return explanation(
        bench.position,
        bench.position.play(move),
        move,
        ranking,
        sentence=sentence(k),
        formula=f"E_{k} = E_{k}({player(Color.WHITE)}) / E_{k}({player(Color.BLACK)}), "
        f"E_{k}(X) = d - ({sums})",
        direction=MINIMISE,
        source=honjo("section 5, eqs. 8 to 10; accepted paths: section 4.1.3, fig. 9"),
        terms=(*terms, Term("x", x, "the weight of a path")),
        paintings=tuple(paintings),
        notes=(
            *filter(None, [ranking.note]),
            *_notes(evaluator, found[move]),
            *update_notes(bench, move, found[move], k + 1, evaluator.raw),
        ),
    )


def sentence(k: int) -> str:
    """Return what E_k is in a sentence."""
    if k < len(_SENTENCES):
        return _SENTENCES[k]
    return f"E_{k} is E_{k - 1} that also counts, by x^{k + 1}, the paths {k} links longer."


def _terms(evaluator: KPaths, color: Color, counts: Counts, x: Fraction) -> list[Term]:
    if counts.distance is None:
        return [Term("d", float("inf"), "links from side to side: cut off", color)]
    used = counts.raw if evaluator.raw else counts.accepted
    kind = "paths" if evaluator.raw else "accepted paths"
    unit = "nodes between the sides" if evaluator.nodes else "links from side to side"
    distance = counts.distance - evaluator.nodes
    terms = [Term("d", distance, unit, color)]
    total = Fraction(distance)
    for level in range(evaluator.k + 1):
        total -= x ** (level + 1) * used[level]
        longer = f"d + {level}" if level else "d"
        of = f" of {counts.raw[level]:,}" if counts.raw[level] != used[level] else ""
        terms.append(Term(f"n_{level}", used[level], f"{kind}{of}, of {longer} links", color))
    return [*terms, Term(f"E_{evaluator.k}", total, "d less the weighted paths", color)]


def _notes(evaluator: KPaths, after: After) -> tuple[str, ...]:
    for color, counts in zip(Color, after, strict=True):
        other = player(color.opponent)
        if counts.distance is None:
            return (f"{player(color)} is cut off, so {other} has won.",)
        if counts.distance == 1:
            decides = " That decides here." if evaluator.nodes else ""
            return (f"The sides of {player(color)} are linked: won by connection.{decides}",)
    return ()
