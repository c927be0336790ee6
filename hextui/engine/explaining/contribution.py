"""The k-contribution of a cell: how many of the accepted paths pass through it.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 3, eq. 6; section 4.1.3.
"""

from fractions import Fraction

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.contribution import Contribution
from hextui.engine.evaluators.long_paths import list_paths
from hextui.engine.explaining.shared import PathCount, explanation, honjo, level_paintings
from hextui.engine.explanation import Explanation, Painting, Term
from hextui.engine.paths import LEVELS, count_paths
from hextui.engine.player_texts import player
from hextui.engine.ranking import Ranking
from hextui.words.names import counted

_WHOSE = {
    "own": "the short paths of the side to move",
    "opponent": "the opponent's short paths",
    "both": "each side's short paths, both shares added up,",
}
_LENGTHS = ("the shortest ones", "up to one link longer than d", "up to two links longer than d")


def explain(evaluator: Contribution, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return why a cell has its k-contribution."""
    terms: list[Term] = []
    paintings: list[Painting] = []
    for color in evaluator.colors(bench.position.to_move):
        found, shown = share(evaluator, bench, move, color)
        terms += found
        paintings += shown
    symmetric = bench.outlook(bench.position.to_move).orientation.symmetric
    image = bench.board.name(bench.board.rotate(move))
    notes = (f"Turned by 180 degrees the stones are the same: sigma is the mean with {image}.",)
    return explanation(
        bench.position,
        bench.position,
        move,
        ranking,
        sentence=sentence(evaluator),
        formula="share = (sigma_0 + ... + sigma_k) / (n_0 + ... + n_k), summed over the networks",
        direction="The largest share is the best for the side to move.",
        source=honjo("section 3, eq. 6; accepted paths: section 4.1.3, fig. 9"),
        terms=tuple(terms),
        paintings=tuple(paintings),
        notes=notes if symmetric else (),
    )


def sentence(evaluator: Contribution) -> str:
    """Return what a contribution is in a sentence."""
    k = evaluator.k
    lengths = _LENGTHS[k] if k < len(_LENGTHS) else f"up to {k} links longer than d"
    whose = _WHOSE[evaluator.view]
    return f"The share of {whose} that pass through the cell; short means {lengths}."


def share(
    evaluator: Contribution, bench: Workbench, move: int, color: Color
) -> tuple[list[Term], list[Painting]]:
    """Return the terms of a cell's share in one network, and its paths."""
    k, network, owner = evaluator.k, bench.network(color), player(color)
    counts = evaluator.counts(bench, color)
    # in the very network that is painted, where counts may be means over a cell and its image
    here = list_paths(network, k) if k >= LEVELS else count_paths(network, bench.room)
    terms: list[Term] = []
    paintings: list[Painting] = []
    for level in range(k + 1):
        longer = f"d + {level}" if level else "d"
        through = Fraction(float(counts.accepted_through[level, move]))
        sigma = through.numerator if through.denominator == 1 else through
        terms.append(Term(f"sigma_{level}", sigma, f"{longer} links, through the cell", color))
        terms.append(Term(f"n_{level}", counts.accepted[level], "all accepted paths", color))
        accepted = round(float(here.accepted_through[level, move]))
        refused = round(float(here.raw_through[level, move])) - accepted
        count = PathCount(accepted, refused, counts.raw[level])
        paintings += level_paintings(network, level, count, through=move)
    value = float(counts.contribution[k, move])
    total = sum(counts.accepted[: k + 1])
    meaning = f"share of {owner}'s {counted(total, 'path')} that pass through the cell"
    terms.append(Term("share", value, meaning, color))
    if counts.distance is None:
        paintings = [Painting(f"paths of {owner}", f"{owner} is cut off: no paths.", color)]
    return terms, paintings
