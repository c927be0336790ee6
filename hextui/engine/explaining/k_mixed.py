"""E_k after a move, and the k-contribution of its cell before it.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 7; the form is ours.
"""

from dataclasses import replace

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.contribution import Contribution
from hextui.engine.evaluators.k_mixed import KMixed
from hextui.engine.explaining import contribution, k_paths
from hextui.engine.explaining.shared import honjo
from hextui.engine.explanation import Explanation, Painting, Term
from hextui.engine.player_texts import player
from hextui.engine.ranking import Ranking


def explain(evaluator: KMixed, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return why a move has its E_k with the contribution in it."""
    k, paths = evaluator.k, evaluator.paths
    *_, ranked = paths.rank(bench)
    after = k_paths.explain(paths, bench, move, ranking)
    terms: list[Term] = []
    paintings: list[Painting] = []
    for color in Color:
        found, shown = contribution.share(Contribution("both", k), bench, move, color)
        terms += [term for term in found if term.symbol == "share"]
        paintings += [replace(one, group=f"{one.group}, before the move") for one in shown]
    black, white = player(Color.BLACK), player(Color.WHITE)
    return replace(
        after,
        sentence=f"E_{k} after the move, raised for {black} and lowered for {white} where short "
        "paths of both pass through the cell before it.",
        formula=f"E_{k} (1 + y s) for {black}, E_{k} / (1 + y s) for {white}; s = "
        f"(share({black}) + share({white})) / 2, "
        f"{after.formula}",
        source=honjo("section 7, eqs. 6 and 8 to 10; the form is this program's"),
        terms=(
            *after.terms,
            Term("E", ranked.by_cell[move].value, f"E_{k} after the move"),
            *terms,
            Term("y", evaluator.y, "the weight of the contribution"),
        ),
        paintings=(*after.paintings, *paintings),
    )
