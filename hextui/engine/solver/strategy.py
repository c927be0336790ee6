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
    nodes: list[StrategyNode] = []
    for node in proof.nodes:
        nodes.append(_chain(node, cells) if isinstance(node, proofs.Joined) else node)
    return Strategy(proof.position, proof.winner, tuple(nodes))


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
                    ends = frozenset((step.first, step.second))
                    full = frozenset[int]()
                case proofs.Or():
                    ends = self._ends[step.steps[0]]
                    semis = (self._full[place] | {self.joints[place]} for place in step.steps)
                    full = frozenset().union(*semis, *step.captured) - {UNKNOWN}
                case proofs.And():
                    first_ends = self._ends[step.first]
                    second_ends = self._ends[step.second]
                    (joint,) = first_ends & second_ends
                    ends = first_ends ^ second_ends
                    full = self._full[step.first].union(self._full[step.second], *step.captured)
            self.joints.append(joint)
            self._ends.append(ends)
            self._full.append(full)

    def strands(self, place: int) -> tuple[Strand, ...]:
        """Return the strands that an AND chains, or the one of any other step."""
        step = self._steps[place]
        if isinstance(step, proofs.And):
            return (*self.strands(step.first), *self.strands(step.second))
        first, second = self._ends[place]
        return (Strand((first, second), self._full[place]),)

    def captured(self, place: int) -> tuple[Pair, ...]:
        """Return the captured pairs with cells that two of these strands need."""
        step = self._steps[place]
        if isinstance(step, proofs.And):
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
        chain = self.chain(spot)
        if chain is not None:
            return self._free_turn(spot, spot.counted | chain.carrier)
        node = self._node(spot)
        if isinstance(node, Chain):
            key = self._key(spot, node)
            after = replace(spot, position=spot.position.play(key), joined=True)
            return WinnersTurn(key, False, after)
        if not isinstance(node, proofs.Play):
            return self._free_turn(spot, spot.counted)
        if node.cell in self._own(spot):  # it counts already
            turn = self._free_turn(spot, spot.counted)
            return replace(turn, after=self._settled(replace(turn.after, node=node.then)))
        after = replace(spot, position=spot.position.play(node.cell), node=node.then)
        return WinnersTurn(node.cell, False, self._settled(after))

    def _free_turn(self, spot: Spot, needed: frozenset[int]) -> WinnersTurn:
        """Return any move, preferably one that is not ``needed``."""
        board = spot.position.board
        cell = min(spot.position.empties, key=partial(_as_free_move, board, needed))
        pairs = tuple(pair for pair in spot.pairs if cell not in pair)
        return WinnersTurn(
            cell, True, replace(spot, position=spot.position.play(cell), pairs=pairs)
        )

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
            return Branch(
                to=(cell,), why=AnswerReason.CAPTURED, reply=other, free=False, after=after
            )
        why, answered = self._answered(spot, cell)
        if isinstance(answered, proofs.Kill):
            after = replace(
                spot, position=board_after.play(answered.by), counted=spot.counted | {cell}
            )
            return Branch(to=(cell,), why=why, reply=answered.by, free=False, after=after)
        turn = self.turn(self._settled(replace(spot, position=board_after, node=answered.then)))
        return Branch(to=(cell,), why=why, reply=turn.cell, free=turn.free, after=turn.after)

    def branches(self, spot: Spot) -> tuple[Branch, ...]:
        """Return the answers to all moves of the loser, the shortest lines last.

        There are none where the winner is joined, or where they are left out.
        """
        if self.chain(spot) is not None or self.is_left_out(spot):
            return ()
        branches: dict[object, Branch] = {}
        for cells in self._alike(spot):
            branch = replace(self.answer(spot, cells[0]), to=tuple(cells))
            key = _answer_of(branch)
            same = branches.get(key)
            branches[key] = branch if same is None else _joined(same, branch)

        def order(branch: Branch) -> tuple[int, bool, int]:
            joined = self.chain(branch.after) is not None
            return list(AnswerReason).index(branch.why), joined, len(branch.to)

        return tuple(sorted(branches.values(), key=order))

    def _alike(self, spot: Spot) -> Iterable[list[int]]:
        """Return the empty cells, grouped by the answer of the strategy."""
        groups: dict[object, list[int]] = {}
        partners = {cell: pair for pair in spot.pairs for cell in pair}
        for cell in spot.position.empties:
            key: object = partners.get(cell)
            if key is None:
                why, answered = self._answered(spot, cell)
                key = cell if why is AnswerReason.KILLED else (why, id(answered))
            groups.setdefault(key, []).append(cell)
        return groups.values()

    def _answered(self, spot: Spot, cell: int) -> tuple[AnswerReason, proofs.Reply | proofs.Kill]:
        node = self._node(spot)
        if not isinstance(node, proofs.Replies):
            raise ValueError("the strategy has no answer where the loser is to move")
        for answer in node.answers:
            if isinstance(answer, proofs.Reply):
                if cell in answer.to:
                    return AnswerReason.ANSWER, answer
            elif cell == answer.cell and answer.by not in self._own(spot):
                return AnswerReason.KILLED, answer
        replies = (answer for answer in node.answers if isinstance(answer, proofs.Reply))
        serves = max(replies, key=lambda reply: (self._joins(reply.then), len(reply.to)))
        return AnswerReason.ELSEWHERE, serves

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
            filled = (pair for pair in node.steps if len(pair) == 2)
            pairs = [*spot.pairs, *((one_cell, other) for one_cell, other in filled)]
            free = tuple(pair for pair in pairs if stones[pair[0]] == stones[pair[1]] == EMPTY)
            counted = spot.counted.union(*node.steps)
            spot = replace(spot, node=node.then, pairs=free, counted=counted)
        if isinstance(node, Chain) and node.key is not None:
            return replace(spot, joined=node.key in self._own(spot))
        return replace(spot, joined=False)

    def _key(self, spot: Spot, chain: Chain) -> int:
        if chain.key is not None and chain.key != UNKNOWN:
            return chain.key
        own = mask_of(self._own(spot))
        carrier = mask_of(chain.carrier)
        for cell in sorted(chain.carrier):
            bit = 1 << cell
            if self._proof_board.play_out(own | bit, carrier & ~bit, True) is not None:
                return cell
        raise ValueError("no move inside the carrier joins the edges")


def _answer_of(branch: Branch) -> object:
    """Return what branches share that have the same answer."""
    if branch.why not in (AnswerReason.ANSWER, AnswerReason.ELSEWHERE):
        return branch.to[0]
    return branch.after.node, None if branch.free else branch.reply


def _joined(first: Branch, second: Branch) -> Branch:
    """Return the moves of two branches with the same answer as one branch."""
    why = max(first.why, second.why, key=list(AnswerReason).index)
    earlier = min(first, second, key=lambda branch: branch.to)
    return replace(earlier, to=tuple(sorted(first.to + second.to)), why=why)


def _as_free_move(board: Board, needed: frozenset[int], cell: int) -> tuple[bool, bool, int, int]:
    """Return the rank of a cell where any move wins: no corner, not needed, near the middle."""
    row, column = divmod(cell, board.columns)
    is_corner = row in (0, board.rows - 1) and column in (0, board.columns - 1)
    away = abs(2 * row - board.rows + 1) + abs(2 * column - board.columns + 1)
    return is_corner, cell in needed, away, cell
