"""The chain of full connections by which a leaf of a proof joins the winner's edges."""

from collections.abc import Sequence
from typing import NamedTuple

from hextui.engine.solver.proof import And, Joined, Or, Step, Touch

Pair = tuple[int, int]


class Strand(NamedTuple):
    """A full connection of two ends (as in proof.py) inside a carrier; part of a larger one."""

    ends: tuple[int, int]
    carrier: frozenset[int]


class Chain(NamedTuple):
    """What the steps of a leaf say of its connection; nothing if it has no steps.

    ``strands`` lead from one edge to the other. What two of them need is in ``captured``, pairs of
    cells of which the winner answers one on the other. ``key``: where the winner plays first; None
    if the leaf is full, or if its steps do not say.
    """

    strands: tuple[Strand, ...] = ()
    captured: tuple[Pair, ...] = ()
    key: int | None = None


def chain_of(leaf: Joined, cells: int) -> Chain:
    """Return the chain of a leaf on a board with so many cells."""
    if not leaf.steps:
        return Chain()
    last = len(leaf.steps) - 1
    try:
        steps = _Steps(leaf.steps)
        strands = _in_order(steps.strands(last), cells)
    except ValueError:
        return Chain()
    return Chain(strands, steps.captured(last), None if leaf.full else steps.joints[-1])


class _Steps:
    """The steps of a connection; raises ValueError unless a group has the same cell in all."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self.joints: list[int | None] = []  # where each AND joins
        self._ends: list[frozenset[int]] = []
        self._full: list[frozenset[int]] = []  # carriers, as of full connections
        for step in steps:
            joint: int | None = None
            match step:
                case Touch():
                    ends = frozenset((step.first, step.second))
                    full = frozenset[int]()
                case Or():
                    ends = self._ends[step.steps[0]]
                    full = frozenset[int]().union(*map(self._semi, step.steps), *step.captured)
                case And():
                    first_ends = self._ends[step.first]
                    second_ends = self._ends[step.second]
                    (joint,) = first_ends & second_ends
                    ends = first_ends ^ second_ends
                    full = self._full[step.first].union(self._full[step.second], *step.captured)
            self.joints.append(joint)
            self._ends.append(ends)
            self._full.append(full)

    def _semi(self, place: int) -> frozenset[int]:
        """Return the carrier of a semi connection, its key included."""
        joint = self.joints[place]
        return self._full[place] if joint is None else self._full[place] | {joint}

    def strands(self, place: int) -> tuple[Strand, ...]:
        """Return the strands that an AND chains, or the one of any other step."""
        step = self._steps[place]
        if isinstance(step, And):
            return (*self.strands(step.first), *self.strands(step.second))
        first, second = self._ends[place]
        return (Strand((first, second), self._full[place]),)

    def captured(self, place: int) -> tuple[Pair, ...]:
        """Return the captured pairs with cells that two of these strands need."""
        step = self._steps[place]
        if isinstance(step, And):
            return (*self.captured(step.first), *self.captured(step.second), *step.captured)
        return ()


def _in_order(strands: tuple[Strand, ...], first: int) -> tuple[Strand, ...]:
    """Return the strands from the first edge to the second, their ends in that order."""
    start = first
    left = list(strands)
    ordered: list[Strand] = []
    while left:
        strand = next((strand for strand in left if start in strand.ends), None)
        if strand is None:
            raise ValueError("the strands make no chain")
        left.remove(strand)
        (end,) = set(strand.ends) - {start}
        ordered.append(Strand((start, end), strand.carrier))
        start = end
    return tuple(ordered)
