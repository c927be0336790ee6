"""E_k: distance and number of short paths in both networks, one ply ahead.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 5, eqs. 8 to 10, section 6.1.
E_kX = d_X - sum of x^(i+1) n_i over i = 0..k; E_k = E_kW / E_kB, compared exactly. Black maximises
it, White minimises it. It is inf where White is cut off and 0 where Black is.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from hextui.engine.board import Color
from hextui.engine.evaluators.base import FRESH, RATIO, SEED, Evaluator, honjo
from hextui.engine.ranking import Ranking, Ties, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import After, Counts, Workbench
    from hextui.engine.explanation import Facts, Note, Term

MOST_K = 9
PAPER_K = 2  # the largest k of the 2010 paper's players
K_TEXT = f"Counts paths of up to d + k links, k = 0 to {MOST_K}."
RAW = "Counts paths that section 4.1.3 refuses, too."
NODES = "Measures d in nodes; connected sides then win."
DEFAULT_X = Fraction(1, 100_000)
# most equal ratios are the same object, which takes no time to compare
_exact_ratio: Callable[[int, int], Fraction] = lru_cache(4096)(Fraction)


def check_k(k: int) -> None:
    """Raise ValueError for a k whose paths cannot be counted."""
    if not 0 <= k <= MOST_K:
        raise ValueError(f"k is 0 to {MOST_K}, not {k}")


_NOT_POSITIVE = "some E_k was not positive"


@dataclass(frozen=True)
class KPaths(Evaluator):
    """Ranks moves by E_k after them.

    While some E_kX is not positive, ``x`` is divided by ten for the whole ranking, and the note
    says so. With ``nodes`` and linked edges d is 0 and E_k inf (Black's) or 0 (White's).
    """

    method = "k-paths"
    short = "paths"
    listed = ("2", "1", "0")
    scale = RATIO
    source = honjo("section 5, eqs. 8 to 10; accepted paths: section 4.1.3, fig. 9")

    k: Annotated[int, K_TEXT]
    raw: Annotated[bool, RAW] = False
    nodes: Annotated[bool, NODES] = False
    fresh: Annotated[bool, FRESH] = False
    x: Annotated[Fraction, "Weight of a path that is one link longer."] = DEFAULT_X
    ties: Annotated[Ties, "Orders equal moves: first, last or random."] = Ties.FIRST
    seed: Annotated[int, SEED] = 0

    def __post_init__(self) -> None:
        check_k(self.k)
        if not 0 < self.x < 1:
            raise ValueError(f"x lies between 0 and 1, not {self.x}")
        if self.ties is not Ties.RANDOM:  # equal rankings have equal names
            object.__setattr__(self, "seed", 0)

    @property
    def about(self) -> str:
        return f"paths of up to d + {self.k} links" if self.k else "distance and shortest paths"

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        name = self.name
        total = len(bench.position.empties)
        x = self.x
        ratios = dict[int, Fraction | float]()
        for counts in self.counts(bench):
            new = {cell: after for cell, after in counts.items() if cell not in ratios}
            usable = self.usable_x(new.values(), x)
            if usable != x:
                x, new = usable, counts
            ratios |= {cell: self._ratio(after, x) for cell, after in new.items()}
            yield rank_by_value(
                name,
                ratios,
                lowest_first=bench.position.to_move is Color.WHITE,
                ties=self.ties,
                seed=self.seed,
                exact=all(after.black.exact and after.white.exact for after in counts.values()),
                final=len(counts) == total,
                note="" if x == self.x else f"x reduced to {float(x):.3g}: {_NOT_POSITIVE}",
                counts={cell: self.shown_counts(after) for cell, after in counts.items()},
            )

    def counts(self, bench: "Workbench") -> Iterator[dict[int, "After"]]:
        """Yield both colours' counts after every move by cell; may raise TooCostlyError."""
        from hextui.engine.evaluators.path_counts import counts_after_moves

        return counts_after_moves(bench, self.k, self.fresh)

    def usable_x(self, moves: Iterable["After"], x: Fraction) -> Fraction:
        """Return ``x``, or so much less that every E_kX is positive."""
        sides = [
            counts
            for after in moves
            for counts in after
            if counts.distance is not None and not self._joined(counts)
        ]
        while any(self._value(counts, x) <= 0 for counts in sides):
            x /= 10
        return x

    def _ratio(self, after: "After", x: Fraction) -> Fraction | float:
        if after.white.distance is None or self._joined(after.black):
            return math.inf
        if after.black.distance is None or self._joined(after.white):
            return 0.0
        return _exact_ratio(self._value(after.white, x), self._value(after.black, x))

    def shown_counts(self, after: "After") -> tuple[tuple[int, int], ...]:
        """Return d and n_i of White and Black; nothing if the move decides."""
        white, black = after.white, after.black
        if white.distance is None or black.distance is None:
            return ()
        paths = zip(self._used(white), self._used(black), strict=True)
        return ((white.distance - self.nodes, black.distance - self.nodes), *paths)

    def _used(self, counts: "Counts") -> tuple[int, ...]:
        """Return n_0 to n_k."""
        return (counts.raw if self.raw else counts.accepted)[: self.k + 1]

    def _joined(self, counts: "Counts") -> bool:
        """Return whether the edges are linked, and that counts as won."""
        return self.nodes and counts.distance == 1

    def _value(self, counts: "Counts", x: Fraction) -> int:
        """E_kX, eqs. 8 and 9, times the denominator of x^(k+1): an integer, so compared fast."""
        assert counts.distance is not None
        above, below = x.as_integer_ratio()
        weight = 1
        total = counts.distance - self.nodes
        for n in self._used(counts):
            weight *= above
            total = total * below - weight * n
        return total

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> "Facts":
        from hextui.engine.evaluators.path_counts import networks_after
        from hextui.engine.evaluators.path_pictures import level_pictures, update_notes
        from hextui.engine.explanation import Facts, Illustration, Note, Remark, Term
        from hextui.engine.paths import PathSets

        *_, after_moves = self.counts(bench)
        x = self.usable_x(after_moves.values(), self.x)
        after = after_moves[move]
        tenths = round(math.log10(self.x / x))
        networks = networks_after(bench, move, self.fresh)
        terms = list[Term]()
        pictures = list[Illustration]()
        for color, counts in zip(Color, after, strict=True):
            terms += self._terms(color, counts, x)
            sets = PathSets(networks[color])
            for level in range(self.k + 1):
                raw = counts.raw[level]
                accepted = counts.accepted[level]
                pictures += level_pictures(sets, level, accepted, raw - accepted, raw)
        notes = (
            *((Note(Remark.X_REDUCED, counts=(tenths,)),) if tenths else ()),
            *_decided(after),
            *update_notes(bench, move, after, self.k + 1, self.raw),
        )
        return Facts((*terms, Term("x", x)), tuple(pictures), notes, after=True)

    def _terms(self, color: Color, counts: "Counts", x: Fraction) -> "list[Term]":
        from hextui.engine.explanation import Term

        if counts.distance is None:
            return [Term("d", math.inf, color)]
        used = self._used(counts)
        distance = counts.distance - self.nodes
        terms = [Term("d", distance, color)]
        total = Fraction(distance)
        for level in range(self.k + 1):
            total -= x ** (level + 1) * used[level]
            terms.append(Term(f"n_{level}", used[level], color, (counts.raw[level],)))
        return [*terms, Term(f"E_{self.k}", total, color)]


def _decided(after: "After") -> "tuple[Note, ...]":
    """Return who has won by a connection, if anybody has."""
    from hextui.engine.explanation import Note, Remark

    for color, counts in zip(Color, after, strict=True):
        if counts.distance is None:
            return (Note(Remark.CUT_OFF, color),)
        if counts.distance == 1:
            return (Note(Remark.JOINED, color),)
    return ()
