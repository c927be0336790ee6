"""E of a move: both distances, and a shortest path each.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6, eq. 11.
"""

from hextui.engine.board import Color
from hextui.engine.evaluators.after import networks_after
from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.shortest_path import ShortestPath
from hextui.engine.explaining.shared import (
    MINIMISE,
    explanation,
    honjo,
    painting_of,
    update_notes,
)
from hextui.engine.explanation import Explanation, Painting, Term
from hextui.engine.path_sets import PathSets
from hextui.engine.player_texts import player
from hextui.engine.ranking import Ranking

SENTENCE = "E compares how many links the sides are apart after the move, and nothing else."


def explain(evaluator: ShortestPath, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return why a move has its E."""
    *_, found = evaluator.counts(bench)
    networks = networks_after(bench, move, evaluator.fresh)
    terms: list[Term] = []
    paintings: list[Painting] = []
    for color, counts in zip(Color, found[move], strict=True):
        if counts.distance is None:
            terms.append(Term("d", float("inf"), "links from side to side: cut off", color))
            continue
        unit = "nodes between the sides" if evaluator.nodes else "links from side to side"
        terms.append(Term("d", counts.distance - evaluator.nodes, unit, color))
        path = PathSets(networks[color]).first()
        group = f"a shortest path of {player(color)}"
        paintings.append(
            painting_of(networks[color], path, group, f"One of {counts.raw[0]:,} shortest paths")
        )
    return explanation(
        bench.position,
        bench.position.play(move),
        move,
        ranking,
        sentence=SENTENCE,
        formula=f"E = d({player(Color.WHITE)}) / d({player(Color.BLACK)})",
        direction=MINIMISE,
        source=honjo("section 6, eq. 11"),
        terms=tuple(terms),
        paintings=tuple(paintings),
        notes=(
            "The small random r of the paper only orders equal moves; no value holds it.",
            *update_notes(bench, move, found[move], 0),
        ),
    )
