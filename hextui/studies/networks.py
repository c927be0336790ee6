"""The own network against the opponent's: which of them ranks the moves higher (k = 1).

Fig. 12 of Honjo et al. 2010 (https://hdl.handle.net/2115/51049) has a point a move, Q in the own
network to the right and in the opponent's upwards; section 4.3 reads from it that winners heed
the opponent's network a little more. That would be more moves above the diagonal than below.
"""

from dataclasses import dataclass
from statistics import correlation

import numpy as np

from hextui.matches.results import Table
from hextui.studies.rank_quality import evaluators
from hextui.studies.ties import qualities

OWN, OPPONENT = "contribution-own:1", "contribution-opponent:1"
PAPER_GAMES = 22
DRAWS = 2000


@dataclass(frozen=True)
class Diagonal:
    """Shares of moves above the diagonal, on it and below it, and the correlation.

    ``correlation`` is None where Q is constant in a network. ``like_paper``: of many draws of as
    many games as the paper has, the share with more moves above than below; None if there are
    fewer games.
    """

    ties: str
    above: float
    on: float
    below: float
    correlation: float | None
    like_paper: float | None


def has_both_networks(table: Table) -> bool:
    """Whether the rows hold both networks, for k = 1."""
    return {OWN, OPPONENT} <= set(evaluators(table))


def sides_of_diagonal(table: Table, ties: str, seed: int = 0) -> Diagonal:
    """Return on which side of the diagonal the moves lie; the rows hold both networks."""
    own, opponent = (qualities(table, name, ties) for name in (OWN, OPPONENT))
    sides = [(b > a) - (b < a) for a, b in zip(own, opponent, strict=True)]
    constant = len(set(own)) < 2 or len(set(opponent)) < 2
    above, on, below = (sides.count(side) / len(sides) for side in (1, 0, -1))
    return Diagonal(
        ties,
        above,
        on,
        below,
        None if constant else correlation(own, opponent),
        _like_paper(sides, table.column("game"), seed),
    )


def _like_paper(sides: list[int], games: list[str], seed: int) -> float | None:
    """Return in which share of draws of the paper's number of games the sum is above 0."""
    by_game: dict[str, int] = dict.fromkeys(games, 0)
    for side, game in zip(sides, games, strict=True):
        by_game[game] += side
    if len(by_game) < PAPER_GAMES:
        return None
    sums = np.array(list(by_game.values()))
    drawn = np.random.default_rng(seed).integers(0, len(sums), (DRAWS, PAPER_GAMES))
    return float((sums[drawn].sum(axis=1) > 0).mean())
