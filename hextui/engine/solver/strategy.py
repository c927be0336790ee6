"""The winner's strategy from a proof, small enough for the screen, and a walk through it.

A strategy has a proof's nodes with strands of connections instead of steps. A proof counts captured
pairs and dead stones as the winner's; where it plays on such a cell, the winner may play anywhere.
"""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Position
from hextui.engine.solver import proof as proofs
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_board import ProofBoard, mask_of

UNKNOWN = -1
Pair = tuple[int, int]


class Strand(NamedTuple):
    """A full connection of two ends (as in proof.py) inside a carrier; part of a larger one."""

    ends: tuple[int, int]
    carrier: frozenset[int]


class Chain(NamedTuple):
    """The winner's edges are joined inside ``carrier``: at once if ``key`` is None.

    Else the winner plays ``key`` first, UNKNOWN if the proof does not say. ``strands`` lead from
    one edge to the other; none are known where the proof has no steps. What two of them need is in
    ``captured``, pairs of cells of which the winner answers one on the other.
    """

    carrier: frozenset[int]
    key: int | None
    strands: tuple[Strand, ...]
    captured: tuple[Pair, ...] = ()


StrategyNode = Chain | proofs.Play | proofs.Replies | proofs.Fill


@dataclass(frozen=True)
class Strategy:
    """``winner`` wins ``position`` when nobody swaps; the last of ``nodes`` says how."""

    position: Position
    winner: Color
    nodes: tuple[StrategyNode, ...]

    def before(self, position: Position, cell: int) -> "Strategy":
        """Return the strategy for the position before the winner's move that led to this one."""
        move = proofs.Play(cell, len(self.nodes) - 1)
        return Strategy(position, self.winner, (*self.nodes, move))


def strategy_of(proof: Proof) -> Strategy:
    """Return the strategy of a proof."""
    cells = proof.position.board.cells
    nodes = tuple(_chain(n, cells) if isinstance(n, proofs.Joined) else n for n in proof.nodes)
    return Strategy(proof.position, proof.winner, nodes)


def _chain(leaf: proofs.Joined, cells: int) -> Chain:
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
    """The steps of a connection; raises ValueError unless a group has the same cell in all."""

    def __init__(self, steps: Sequence[proofs.Step]) -> None:
        self._steps = steps
        self.joints: list[int] = []  # where each AND joins; UNKNOWN for other steps
        self._ends: list[frozenset[int]] = []
        self._full: list[frozenset[int]] = []  # carriers, as of full connections
        for step in steps:
            joint = UNKNOWN
            match step:
                case proofs.Touch():
                    ends, full = frozenset((step.first, step.second)), frozenset[int]()
                case proofs.Or():
                    ends = self._ends[step.steps[0]]
                    semis = (self._full[at] | {self.joints[at]} for at in step.steps)
                    full = frozenset().union(*semis, *step.captured) - {UNKNOWN}
                case proofs.And():
                    one, other = self._ends[step.first], self._ends[step.second]
                    (joint,) = one & other
                    ends = one ^ other
                    full = self._full[step.first].union(self._full[step.second], *step.captured)
            self.joints.append(joint)
            self._ends.append(ends)
            self._full.append(full)

    def strands(self, place: int) -> tuple[Strand, ...]:
        """Return the strands that an AND chains, or the one of any other step."""
        step = self._steps[place]
        if isinstance(step, proofs.And):
            return (*self.strands(step.first), *self.strands(step.second))
        one, other = self._ends[place]
        return (Strand((one, other), self._full[place]),)

    def captured(self, place: int) -> tuple[Pair, ...]:
        """Return the captured pairs with cells that two of these strands need."""
        step = self._steps[place]
        if isinstance(step, proofs.And):
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


@dataclass(frozen=True)
class Spot:
    """A position of the walk, and the node of the strategy that holds there.

    ``pairs`` are captured: of these the winner answers one on the other. ``counted``: cells that
    count as the winner's, those of the pairs among them. ``joined``: a chain's key has been played.
    """

    position: Position
    node: int
    pairs: tuple[Pair, ...] = ()
    counted: frozenset[int] = frozenset()
    joined: bool = False


class AnswerReason(enum.StrEnum):
    """Why a move of the loser has its answer."""

    ANSWER = "answer"  # the strategy has an answer of its own
    CAPTURED = "captured"  # the cell is one of a captured pair; the answer is the other
    KILLED = "killed"  # the answer makes the stone dead
    ELSEWHERE = "elsewhere"  # outside all that the winner needs: another move's answer serves


@dataclass(frozen=True)
class Branch:
    """Moves of the loser with one answer. ``after``: what follows the first of them.

    ``free``: any other reply would do, as where the winner is connected already.
    """

    to: tuple[int, ...]
    why: AnswerReason
    reply: int
    free: bool
    after: Spot


@dataclass(frozen=True)
class WinnersTurn:
    """The winner's move at a spot."""

    cell: int
    free: bool
    after: Spot


class Walker:
    """Walks a strategy from spot to spot."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.winner = strategy.winner
        self._proof_board = ProofBoard(strategy.position.board, strategy.winner)
        self.start = self._settled(Spot(strategy.position, len(strategy.nodes) - 1))

    def chain(self, spot: Spot) -> Chain | None:
        """Return the chain that joins the winner's edges at a spot, None if there is none yet."""
        if spot.position.winner is not None:
            return Chain(frozenset(), None, ())
        node = self._node(spot)
        if isinstance(node, Chain) and (node.key is None or spot.joined):
            return node
        return None

    def is_left_out(self, spot: Spot) -> bool:
        """Return whether the strategy is shortened here: the answers to the loser are left out."""
        node = self._node(spot)
        return isinstance(node, proofs.Replies) and not node.answers and self.chain(spot) is None

    def turn(self, spot: Spot) -> WinnersTurn:
        """Return the winner's move at a spot where it is to move; any move where it is joined."""
        node, chain = self._node(spot), self.chain(spot)
        if chain is None and isinstance(node, Chain):
            key = self._key(spot, node)
            after = replace(spot, position=spot.position.play(key), joined=True)
            return WinnersTurn(key, False, after)
        if chain is None and isinstance(node, proofs.Play) and node.cell not in self._own(spot):
            after = replace(spot, position=spot.position.play(node.cell), node=node.then)
            return WinnersTurn(node.cell, False, self._settled(after))
        # preferably one that is not needed and does not count already
        cells = spot.counted if chain is None else spot.counted | chain.carrier
        cell = min(spot.position.empties, key=partial(_as_free_move, spot.position.board, cells))
        pairs = tuple(pair for pair in spot.pairs if cell not in pair)
        after = replace(spot, position=spot.position.play(cell), pairs=pairs)
        if chain is None and isinstance(node, proofs.Play):
            after = self._settled(replace(after, node=node.then))
        return WinnersTurn(cell, True, after)

    def answer(self, spot: Spot, cell: int) -> Branch:
        """Return the answer to a move of the loser, who is to move and has not lost yet."""
        board_after = spot.position.play(cell)
        pair = next((pair for pair in spot.pairs if cell in pair), None)
        if pair is not None:
            (other,) = set(pair) - {cell}
            pairs = tuple(each for each in spot.pairs if each != pair)
            after = replace(
                spot, position=board_after.play(other), pairs=pairs, counted=spot.counted | {cell}
            )
            return Branch((cell,), AnswerReason.CAPTURED, other, False, after)
        why, answered = self._answered(spot, cell)
        if isinstance(answered, proofs.Kill):
            after = replace(
                spot, position=board_after.play(answered.by), counted=spot.counted | {cell}
            )
            return Branch((cell,), why, answered.by, False, after)
        turn = self.turn(self._settled(replace(spot, position=board_after, node=answered.then)))
        return Branch((cell,), why, turn.cell, turn.free, turn.after)

    def branches(self, spot: Spot) -> tuple[Branch, ...]:
        """Return the answers to all moves of the loser, the shortest lines last.

        There are none where the winner is joined, or where they are left out.
        """
        if self.chain(spot) is not None or self.is_left_out(spot):
            return ()
        found: dict[object, Branch] = {}
        for cells in self._alike(spot):
            one = replace(self.answer(spot, cells[0]), to=tuple(cells))
            key: object = cells[0]
            if one.why in (AnswerReason.ANSWER, AnswerReason.ELSEWHERE):
                key = (one.after.node, None if one.free else one.reply)
            same = found.get(key)
            if same is not None:
                why = max(same.why, one.why, key=list(AnswerReason).index)
                first = min(same, one, key=lambda branch: branch.to)
                one = replace(first, to=tuple(sorted(same.to + one.to)), why=why)
            found[key] = one

        def order(branch: Branch) -> tuple[int, bool, int]:
            joined = self.chain(branch.after) is not None
            return list(AnswerReason).index(branch.why), joined, len(branch.to)

        return tuple(sorted(found.values(), key=order))

    def _alike(self, spot: Spot) -> Iterable[list[int]]:
        """Return the empty cells, grouped by the answer of the strategy."""
        found: dict[object, list[int]] = {}
        partners = {cell: pair for pair in spot.pairs for cell in pair}
        for cell in spot.position.empties:
            key: object = partners.get(cell)
            if key is None:
                why, answered = self._answered(spot, cell)
                key = cell if why is AnswerReason.KILLED else (why, id(answered))
            found.setdefault(key, []).append(cell)
        return found.values()

    def _answered(self, spot: Spot, cell: int) -> tuple[AnswerReason, proofs.Reply | proofs.Kill]:
        node = self._node(spot)
        if not isinstance(node, proofs.Replies):
            raise ValueError("the strategy has no answer where the loser is to move")
        for one in node.answers:
            if isinstance(one, proofs.Reply) and cell in one.to:
                return AnswerReason.ANSWER, one
            if isinstance(one, proofs.Kill) and cell == one.cell and one.by not in self._own(spot):
                return AnswerReason.KILLED, one
        replies = (one for one in node.answers if isinstance(one, proofs.Reply))
        return AnswerReason.ELSEWHERE, max(
            replies, key=lambda one: (self._joins(one.then), len(one.to))
        )

    def _joins(self, place: int) -> bool:
        node = self.strategy.nodes[place]
        while isinstance(node, proofs.Fill):
            node = self.strategy.nodes[node.then]
        return isinstance(node, Chain)

    def _node(self, spot: Spot) -> StrategyNode:
        return self.strategy.nodes[spot.node]

    def _own(self, spot: Spot) -> frozenset[int]:
        stones = enumerate(spot.position.stones)
        return spot.counted | {cell for cell, stone in stones if stone == self.winner}

    def _settled(self, spot: Spot) -> Spot:
        """Return the spot after all fills, with the filled cells counted."""
        stones = spot.position.stones
        while isinstance(node := self._node(spot), proofs.Fill):
            pairs, counted = list(spot.pairs), set(spot.counted)
            for step in node.steps:
                counted.update(step)
                if len(step) == 2:
                    pairs.append((step[0], step[1]))
            free = tuple(pair for pair in pairs if all(stones[cell] == EMPTY for cell in pair))
            spot = replace(spot, node=node.then, pairs=free, counted=frozenset(counted))
        if isinstance(node, Chain) and node.key is not None:
            return replace(spot, joined=node.key in self._own(spot))
        return replace(spot, joined=False)

    def _key(self, spot: Spot, chain: Chain) -> int:
        if chain.key is not None and chain.key != UNKNOWN:
            return chain.key
        own, carrier = mask_of(self._own(spot)), mask_of(chain.carrier)
        for cell in sorted(chain.carrier):
            bit = 1 << cell
            if self._proof_board.play_out(own | bit, carrier & ~bit, True) is not None:
                return cell
        raise ValueError("no move inside the carrier joins the edges")


def _as_free_move(board: Board, needed: frozenset[int], cell: int) -> tuple[bool, bool, int, int]:
    """Return the rank of a cell where any move wins: no corner, not needed, near the middle."""
    row, column = divmod(cell, board.columns)
    is_corner = row in (0, board.rows - 1) and column in (0, board.columns - 1)
    away = abs(2 * row - board.rows + 1) + abs(2 * column - board.columns + 1)
    return is_corner, cell in needed, away, cell
