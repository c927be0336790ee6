"""k-contribution: how often short paths between the edges pass a cell.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 3, eq. 6; section 4.1.3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Evaluator, Scale, honjo
from hextui.engine.evaluators.k_paths import K_TEXT, RAW, check_k
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.explanation import Facts, Illustration, Term
    from hextui.engine.paths import PathCounts


@dataclass(frozen=True)
class Contribution(Evaluator):
    """Ranks cells by their k-contribution in networks with virtual links."""

    listed = ("0", "1", "2")
    scale = Scale("share of the short paths", high=2.0)
    source = honjo("section 3, eq. 6; accepted paths: section 4.1.3, fig. 9")

    attack: ClassVar[bool] = True  # whether paths of the side to move count
    defence: ClassVar[bool] = True  # whether the opponent's paths count
    measures: ClassVar[tuple[str, str]]  # what it measures for k = 0, and for a larger k

    k: Annotated[int, K_TEXT]
    carriers: Annotated[bool, "Counts paths for cells of their carriers, too."] = False
    disjoint: Annotated[bool, "Leaves out paths that use a cell twice."] = False
    parallel: Annotated[bool, "Counts all full connections of two cells as links."] = False
    raw: Annotated[bool, RAW] = False

    def __post_init__(self) -> None:
        check_k(self.k)

    @property
    def about(self) -> str:
        return self.measures[self.k > 0].format(k=self.k)

    def colors(self, mover: Color) -> tuple[Color, ...]:
        """Return whose networks count when a side is to move."""
        sides = ((mover, self.attack), (mover.opponent, self.defence))
        return tuple(color for color, counts in sides if counts)

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        counts = [self.counts(bench, color) for color in self.colors(bench.position.to_move)]
        if self.raw:
            shares = [c.raw_contribution for c in counts]
        else:
            shares = [c.contribution for c in counts]

        values = {}
        for cell in bench.position.empties:
            values[cell] = float(sum(share[self.k, cell] for share in shares))
        yield rank_by_value(self.name, values, exact=all(c.exact for c in counts))

    def counts(self, bench: "Workbench", color: Color) -> "PathCounts":
        """Return the path counts in one network; may raise TooCostlyError."""
        return bench.paths(
            color, k=self.k, carriers=self.carriers, disjoint=self.disjoint, parallel=self.parallel
        )

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> "Facts":
        from hextui.engine.explanation import Facts, Illustration, Note, Remark, Term

        mover = bench.position.to_move
        terms = list[Term]()
        pictures = list[Illustration]()
        for color in self.colors(mover):
            side_terms, shown = self.share(bench, move, color)
            terms += side_terms
            pictures += shown
        symmetric = bench.oriented(mover).orientation.symmetric
        note = Note(Remark.SYMMETRIC, cell=bench.board.rotate(move))
        return Facts(tuple(terms), tuple(pictures), (note,) if symmetric else ())

    def share(
        self, bench: "Workbench", move: int, color: Color
    ) -> "tuple[list[Term], list[Illustration]]":
        """Return the terms of a cell's share in one network, and its paths."""
        from hextui.engine.evaluators.path_pictures import level_pictures
        from hextui.engine.explanation import Illustration, Shows, Term
        from hextui.engine.paths import PathSets, count_paths

        k = self.k
        counts = self.counts(bench, color)
        network = bench.network(color, parallel=self.parallel)
        # in the very network that is drawn, where counts may be means over a cell and its image
        options = {"carriers": self.carriers, "disjoint": self.disjoint}
        own_counts = count_paths(network, bench.room, k, **options)
        sets = PathSets(network, **options)
        numbers, n = counts.accepted_through, counts.accepted
        if self.raw:
            numbers, n = counts.raw_through, counts.raw
        terms = list[Term]()
        pictures = list[Illustration]()
        for level in range(k + 1):
            through = Fraction(float(numbers[level, move]))
            sigma = through.numerator if through.denominator == 1 else through
            terms.append(Term(f"sigma_{level}", sigma, color))
            terms.append(Term(f"n_{level}", n[level], color))
            accepted = round(float(own_counts.accepted_through[level, move]))
            refused = round(float(own_counts.raw_through[level, move])) - accepted
            pictures += level_pictures(sets, level, accepted, refused, counts.raw[level], move)
        shares = counts.raw_contribution if self.raw else counts.contribution
        terms.append(Term("share", float(shares[k, move]), color, (sum(n[: k + 1]),)))
        return terms, [Illustration(Shows.CUT_OFF, color)] if counts.distance is None else pictures


@dataclass(frozen=True)
class OwnContribution(Contribution):
    """Counts paths of the side to move."""

    method = "contribution-own"
    short = "own"
    defence = False
    measures = "own shortest paths", "own paths up to d + {k} links"


@dataclass(frozen=True)
class OpponentContribution(Contribution):
    """Counts the opponent's paths."""

    method = "contribution-opponent"
    short = "opp"
    attack = False
    measures = "opponent's shortest paths", "opponent's paths, up to d + {k}"


@dataclass(frozen=True)
class BothContribution(Contribution):
    """Adds up the shares of both sides' paths."""

    method = "contribution-both"
    short = "both"
    measures = "shortest paths of both sides", "paths of both, up to d + {k}"
