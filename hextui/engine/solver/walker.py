"""A walk through a proof, on the real board.

A proof counts captured pairs and dead stones as the winner's; where it plays on such a cell, the
winner may play anywhere.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from hextui.engine.board import EMPTY, Board
from hextui.engine.position import Position
from hextui.engine.solver.leaf_chain import Chain, Pair, chain_of
from hextui.engine.solver.proof import Fill, Joined, Kill, Node, Play, Proof, Replies, Reply
from hextui.engine.solver.proof_board import ProofBoard, mask_of


@dataclass(frozen=True)
class Spot:
    """A position of the walk, and the node of the proof that holds there, by its place.

    ``pairs`` are captured: of these the winner answers one on the other. ``counted``: cells that
    count as the winner's, those of the pairs among them. ``joined``: the key of a semi connection
    has been played.
    """

    position: Position
    node: int
    pairs: tuple[Pair, ...] = ()
    counted: frozenset[int] = frozenset()
    joined: bool = False


class AnswerReason(enum.StrEnum):
    """Why a move of the loser has its answer."""

    ANSWER = "answer"  # the proof has an answer of its own
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
    """Walks a proof from spot to spot."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.winner = proof.winner
        self._proof_board = ProofBoard(proof.position.board, proof.winner)
        self._chains: dict[int, Chain] = {}
        self.start = self._settled(Spot(proof.position, len(proof.nodes) - 1))

    def is_joined(self, spot: Spot) -> bool:
        """Return whether the winner's edges are joined at a spot, whichever side moves."""
        node = self._node(spot)
        by_leaf = isinstance(node, Joined) and (node.full or spot.joined)
        return by_leaf or spot.position.winner is not None

    def chain(self, spot: Spot) -> Chain:
        """Return the chain of the leaf that joins the winner's edges at a spot."""
        leaf = self._node(spot)
        if not isinstance(leaf, Joined):
            raise ValueError("the proof has no connection of the edges here")
        if spot.node not in self._chains:
            self._chains[spot.node] = chain_of(leaf, self.proof.position.board.cells)
        return self._chains[spot.node]

    def carrier(self, spot: Spot) -> frozenset[int]:
        """Return the empty cells that the winner needs at a spot where the loser is to move."""
        if spot.position.winner is not None:
            return frozenset()
        node = self._node(spot)
        assert isinstance(node, Joined | Replies)
        pairs = frozenset(cell for pair in spot.pairs for cell in pair)
        return (node.carrier - spot.counted | pairs) & frozenset(spot.position.empties)

    def is_left_out(self, spot: Spot) -> bool:
        """Return whether the proof is shortened here: the answers to the loser are left out."""
        node = self._node(spot)
        return isinstance(node, Replies) and not node.answers and not self.is_joined(spot)

    def turn(self, spot: Spot) -> WinnersTurn:
        """Return the winner's move at a spot where it is to move; any move where it is joined."""
        if self.is_joined(spot):
            return self._free_turn(spot, spot.counted | self.carrier(spot))
        node = self._node(spot)
        if isinstance(node, Joined):
            key = self._key(spot, node)
            after = replace(spot, position=spot.position.play(key), joined=True)
            return WinnersTurn(key, False, after)
        if not isinstance(node, Play):
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
        if isinstance(answered, Kill):
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
        if self.is_joined(spot) or self.is_left_out(spot):
            return ()
        branches: dict[object, Branch] = {}
        for cells in self._alike(spot):
            branch = replace(self.answer(spot, cells[0]), to=tuple(cells))
            key = _answer_of(branch)
            same = branches.get(key)
            branches[key] = branch if same is None else _joined(same, branch)

        def order(branch: Branch) -> tuple[int, bool, int]:
            joined = self.is_joined(branch.after)
            return list(AnswerReason).index(branch.why), joined, len(branch.to)

        return tuple(sorted(branches.values(), key=order))

    def _alike(self, spot: Spot) -> Iterable[list[int]]:
        """Return the empty cells, grouped by the answer of the proof."""
        groups: dict[object, list[int]] = {}
        partners = {cell: pair for pair in spot.pairs for cell in pair}
        for cell in spot.position.empties:
            key: object = partners.get(cell)
            if key is None:
                why, answered = self._answered(spot, cell)
                key = cell if why is AnswerReason.KILLED else (why, id(answered))
            groups.setdefault(key, []).append(cell)
        return groups.values()

    def _answered(self, spot: Spot, cell: int) -> tuple[AnswerReason, Reply | Kill]:
        node = self._node(spot)
        if not isinstance(node, Replies):
            raise ValueError("the proof has no answer where the loser is to move")
        for answer in node.answers:
            if isinstance(answer, Reply):
                if cell in answer.to:
                    return AnswerReason.ANSWER, answer
            elif cell == answer.cell and answer.by not in self._own(spot):
                return AnswerReason.KILLED, answer
        replies = (answer for answer in node.answers if isinstance(answer, Reply))
        serves = max(replies, key=lambda reply: (self._joins(reply.then), len(reply.to)))
        return AnswerReason.ELSEWHERE, serves

    def _joins(self, place: int) -> bool:
        node = self.proof.nodes[place]
        while isinstance(node, Fill):
            node = self.proof.nodes[node.then]
        return isinstance(node, Joined)

    def _node(self, spot: Spot) -> Node:
        return self.proof.nodes[spot.node]

    def _own(self, spot: Spot) -> frozenset[int]:
        stones = enumerate(spot.position.stones)
        return spot.counted | {cell for cell, stone in stones if stone == self.winner}

    def _settled(self, spot: Spot) -> Spot:
        """Return the spot after all fills, with the filled cells counted."""
        stones = spot.position.stones
        while isinstance(node := self._node(spot), Fill):
            filled = (pair for pair in node.steps if len(pair) == 2)
            pairs = [*spot.pairs, *((one_cell, other) for one_cell, other in filled)]
            free = tuple(pair for pair in pairs if stones[pair[0]] == stones[pair[1]] == EMPTY)
            counted = spot.counted.union(*node.steps)
            spot = replace(spot, node=node.then, pairs=free, counted=counted)
        is_semi = isinstance(node, Joined) and not node.full
        return replace(spot, joined=is_semi and self.chain(spot).key in self._own(spot))

    def _key(self, spot: Spot, leaf: Joined) -> int:
        """Return where the winner joins its edges by a semi connection."""
        key = self.chain(spot).key
        if key is not None:
            return key
        own = mask_of(self._own(spot))
        carrier = mask_of(leaf.carrier)
        for cell in sorted(leaf.carrier):
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
