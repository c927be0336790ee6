"""A ranking whose every number can be read: 42 weights of currents and of patterns around a cell.

See docs/methods.md#patterns. The weights are those in ``pattern_weights.txt``, learned from games;
how likely a move is depends on the sum of its terms times their weights.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from hextui.engine.evaluators.base import Workbench, rank_by_value
from hextui.engine.evaluators.pattern_terms import TERMS, Floats, terms_of
from hextui.engine.evaluators.resistance import DIGITS, Resistance
from hextui.engine.ranking import Ranking

WEIGHTS_FILE = "pattern_weights.txt"


def read_weights_text(text: str) -> Floats:
    """Return the weights of TERMS, float64[TERMS], that a text has: a number and a name a line.

    Lines that begin with # are for people. Raises ValueError unless each term has one weight.
    """
    found: dict[str, float] = {}
    for line in text.splitlines():
        number, _, name = line.strip().partition(" ")
        if not number or number.startswith("#"):
            continue
        name = name.strip()
        if name not in TERMS or name in found:
            raise ValueError(f"no term of patterns, or one that was there before: {name!r}")
        found[name] = float(number)
    missing = [name for name in TERMS if name not in found]
    if missing:
        raise ValueError(f"a term of patterns has no weight: {missing[0]!r}")
    return np.array([found[name] for name in TERMS])


@cache
def shipped_pattern_weights() -> Floats:
    """Return the weights of this version, read when they are first asked for."""
    path = files(__package__) / WEIGHTS_FILE
    return read_weights_text(path.read_text(encoding="utf-8"))


class Weighed(NamedTuple):
    """The terms float64[cells, TERMS] of a position, and the sums float64[cells] that follow."""

    terms: Floats
    sums: Floats


@dataclass(frozen=True)
class Patterns:
    """Ranks cells by how likely a strong player is to choose them, say printed weights."""

    @property
    def name(self) -> str:
        """The name in the registry."""
        return "patterns"

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "currents and patterns weighed, learned from games: docs/methods.md#patterns"

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking: chances that add up to 1."""
        empties = bench.position.empties
        sums = self.weighed(bench).sums[list(empties)]
        powers = np.exp(sums - sums.max(initial=-np.inf))
        chances = (powers / powers.sum()).tolist()
        yield rank_by_value(self.name, dict(zip(empties, chances, strict=True)))

    def weighed(self, bench: Workbench) -> Weighed:
        """Return the terms of the bench's position and their sums, rounded as currents are."""
        terms = current_terms(bench)
        sums = (terms * shipped_pattern_weights()).sum(axis=1)
        return Weighed(terms, np.round(sums, DIGITS))

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return what ``resistance`` does: the weights are of moves, not of positions."""
        return Resistance().worth(bench, ranking)

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return Resistance().turned(worth)


def current_terms(bench: Workbench) -> Floats:
    """Return the terms of the bench's position, float64[cells, TERMS]."""
    mover = bench.position.to_move
    own, other = (Resistance().circuit(bench, c).current for c in (mover, mover.opponent))
    return terms_of(bench.position, own, other)
