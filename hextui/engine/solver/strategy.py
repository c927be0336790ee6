"""The winner's strategy from a proof, small enough to be sent to the screen.

It consists of the nodes of a proof (proof.py), with the strands of connections instead of their
steps. `Walker` in walker.py walks it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.proof import And, Fill, Joined, Or, Play, Proof, Replies, Step, Touch

UNKNOWN = -1


class Strand(NamedTuple):
    """A full connection of two ends (as in proof.py) inside a carrier; part of a larger one."""

    ends: tuple[int, int]
    carrier: frozenset[int]


class Chain(NamedTuple):
    """The winner's edges are joined inside ``carrier``: at once if ``key`` is None.

    Else the winner plays ``key`` first, a cell of the carrier, UNKNOWN if the proof does not say.
    ``strands`` lead from one edge to the other; none are known where the proof has no steps. What
    two of them need is in ``captured``, pairs of cells: if the loser takes one, the winner takes
    the other, and the strands hold as if both were the winner's.
    """

    carrier: frozenset[int]
    key: int | None
    strands: tuple[Strand, ...]
    captured: tuple[tuple[int, int], ...] = ()


StrategyNode = Chain | Play | Replies | Fill


@dataclass(frozen=True)
class Strategy:
    """``winner`` wins ``position`` when nobody swaps; the last of ``nodes`` says how."""

    position: Position
    winner: Color
    nodes: tuple[StrategyNode, ...]


def strategy_of(proof: Proof) -> Strategy:
    """Return the strategy of a proof."""
    cells = proof.position.board.cells
    nodes = tuple(_chain(n, cells) if isinstance(n, Joined) else n for n in proof.nodes)
    return Strategy(proof.position, proof.winner, nodes)


def _chain(leaf: Joined, cells: int) -> Chain:
    """Return a leaf as a chain of strands from the first edge to the second."""
    try:
        steps = _Steps(leaf.steps)
        last = len(leaf.steps) - 1
        strands = _in_order(steps.strands(last), cells) if leaf.steps else ()
    except ValueError:
        strands = ()
    if not strands:
        return Chain(leaf.carrier, None if leaf.full else UNKNOWN, ())
    key = None if leaf.full else steps.joints[-1]
    return Chain(leaf.carrier, key, strands, steps.captured(last))


class _Steps:
    """The steps of a connection. Raises ValueError unless a group has the same cell in all of them.

    The result of AND is a semi connection if OR uses it, else full.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self.joints: list[int] = []
        """Where each AND joins; UNKNOWN for other steps."""
        self._ends: list[frozenset[int]] = []
        self._full: list[frozenset[int]] = []  # carriers, as of full connections
        for step in steps:
            joint = UNKNOWN
            match step:
                case Touch():
                    ends, full = frozenset((step.first, step.second)), frozenset[int]()
                case Or():
                    ends = self._ends[step.steps[0]]
                    full = frozenset().union(*(self._semi(place) for place in step.steps))
                    full = full.union(*step.captured)
                case And():
                    one, other = self._ends[step.first], self._ends[step.second]
                    (joint,) = one & other
                    ends = one ^ other
                    full = self._full[step.first].union(self._full[step.second], *step.captured)
            self.joints.append(joint)
            self._ends.append(ends)
            self._full.append(full)

    def _semi(self, place: int) -> frozenset[int]:
        joint = self.joints[place]
        return self._full[place] if joint == UNKNOWN else self._full[place] | {joint}

    def strands(self, place: int) -> tuple[Strand, ...]:
        """Return the strands that an AND chains, or the one of any other step."""
        step = self._steps[place]
        if isinstance(step, And):
            return (*self.strands(step.first), *self.strands(step.second))
        one, other = self._ends[place]
        return (Strand((one, other), self._full[place]),)

    def captured(self, place: int) -> tuple[tuple[int, int], ...]:
        """Return the captured pairs with cells that two of these strands need."""
        step = self._steps[place]
        if isinstance(step, And):
            return (*self.captured(step.first), *self.captured(step.second), *step.captured)
        return ()


def _in_order(strands: tuple[Strand, ...], first: int) -> tuple[Strand, ...]:
    """Return the strands from the first edge to the second, their ends in that order."""
    at, left = first, list(strands)
    found: list[Strand] = []
    while left:
        strand = next((strand for strand in left if at in strand.ends), None)
        if strand is None:
            raise ValueError("the strands make no chain")
        left.remove(strand)
        one, other = strand.ends
        end = other if one == at else one
        found.append(Strand((at, end), strand.carrier))
        at = end
    return tuple(found)
