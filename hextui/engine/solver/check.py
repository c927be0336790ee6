"""Check proofs. The checker shares no code with the searches: it needs only the board.

What a node claims. The winner has the stones S, and the loser has or may take every cell outside
the carrier K. The winner still wins: whichever side moves (`Joined` if full, `Replies`), or with
the move (`Joined` if semi, `Play`); a `Fill` claims what the node after it does. So a claim serves
wherever the winner has S and K is empty. What has to hold, for each S that the node is used with:

- Joined: the steps follow the rules down to adjacencies, or without steps play inside K decides.
- Play: the cell is neither in S nor in the carrier of the node that follows, which holds for the
  loser to move, and for S with the cell.
- Replies: every cell of K has one answer whose carrier lies in K without the cell, and at least one
  of the answers is no Kill. After a Kill the stone is dead, so the winner may count it and the
  killer as own stones: the claim for S holds by induction over the empty cells of K.
- Fill: each cell is dead, or each of two is dead once the winner has the other, if the cells not
  yet filled are empty. A dead cell is not part of the carrier.

A cell is dead if its neighbours in one player's network are all linked to each other, or if the
neighbours of one group cut it off from that player's edges.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.limit import TooCostlyError
from hextui.engine.solver import proof as proofs
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_board import Mask, ProofBoard, RuleError, bits_of, mask_of

_MOST_CLAIMS = 1_000_000  # of a proof: 100 MB of memory; 21 MB of the solver have 54,000


class ProofError(ValueError):
    """A proof that does not hold; the message says in one line which node and why.

    >>> from hextui.engine.position import Position
    >>> try:
    ...     check(Proof(Position.parse("./."), Color.WHITE, (proofs.Joined(True, frozenset()),)))
    ... except ProofError as error:
    ...     print(error)
    node 0: played out, the carrier does not connect the edges
    """


@dataclass(frozen=True)
class Checked:
    """A proof holds: the empty cells that the winner needs, and how many claims were checked."""

    carrier: frozenset[int]
    claims: int


def check(proof: Proof, progress: Callable[[int, int], None] | None = None) -> Checked:
    """Check a proof; raises ProofError if it does not hold, TooCostlyError if that takes too long.

    ``progress`` is called with (nodes checked, nodes) at times, and at the end.
    """
    position, nodes = proof.position, proof.nodes
    checker = _Checker(position.board, proof.winner)
    winner = proof.winner
    winner_stones = mask_of(c for c, stone in enumerate(position.stones) if stone == winner)
    used = _stones_by_node(nodes, winner_stones)
    for place, node in enumerate(nodes):
        if progress is not None and place % 1024 == 0:
            progress(place, len(nodes))
        try:
            checker.carrier_of(node)
            if not used[place]:
                raise RuleError("nothing refers to it")
            for own in used[place]:
                checker.check(node, checker.carriers[place], own)
        except RuleError as wrong:
            raise ProofError(f"node {place}: {wrong}") from None
    if progress is not None:
        progress(len(nodes), len(nodes))
    root = len(nodes) - 1
    _check_root(proof, checker)
    return Checked(frozenset(bits_of(checker.carriers[root])), sum(map(len, used)))


def _check_root(proof: Proof, checker: "_Checker") -> None:
    """Raise ProofError unless the last node, checked by itself, holds for the position."""
    root = len(proof.nodes) - 1
    stones = mask_of(cell for cell, stone in enumerate(proof.position.stones) if stone != EMPTY)
    taken = checker.carriers[root] & stones
    if taken:
        raise ProofError(f"node {root}: stones are on {checker.names(taken)} of the carrier")
    if checker.needs_turn[root] and proof.position.to_move is not proof.winner:
        raise ProofError(f"node {root}: it is the loser's turn")


def _stones_by_node(nodes: tuple[proofs.Node, ...], own: Mask) -> list[set[Mask]]:
    """Return the winner's stones with which each node is used; may raise TooCostlyError."""
    used: list[set[Mask]] = [set() for _ in nodes]
    used[-1].add(own)
    claims = 0
    for place in range(len(nodes) - 1, -1, -1):
        for then, stones in _uses(nodes[place], used[place]):
            claims -= len(used[then])
            used[then].update(stones)
            claims += len(used[then])
            if claims > _MOST_CLAIMS:
                raise TooCostlyError(f"a proof with more than {_MOST_CLAIMS:,} claims to check")
    return used


def _uses(node: proofs.Node, used: set[Mask]) -> Iterator[tuple[int, Iterable[Mask]]]:
    """Yield the nodes that a node refers to, with the winner's stones for all uses of the node."""
    match node:
        case proofs.Play():
            yield node.then, (own | 1 << node.cell for own in used)
        case proofs.Fill():
            filled = mask_of(chain(*node.steps))
            yield node.then, (own | filled for own in used)
        case proofs.Replies():
            for answer in node.answers:
                if isinstance(answer, proofs.Reply):
                    yield answer.then, used


class _Checker:
    """Checks the nodes in order; they refer to earlier ones only."""

    def __init__(self, board: Board, winner: Color) -> None:
        self._board = board
        self._rules = ProofBoard(board, winner)
        self.carriers: list[Mask] = []
        self.needs_turn: list[bool] = []  # whether a claim holds only if the winner is to move

    def names(self, cells: Mask) -> str:
        return " ".join(self._board.name(cell) for cell in bits_of(cells))

    def carrier_of(self, node: proofs.Node) -> None:
        """Store the carrier of the next node, and whether it needs the turn."""
        match node:
            case proofs.Joined():
                carrier = mask_of(node.carrier)
                turn = not node.full
            case proofs.Play():
                carrier = self.carriers[node.then] | 1 << node.cell
                turn = True
            case proofs.Replies():
                carrier = mask_of(node.carrier)
                turn = False
            case proofs.Fill():
                carrier = self.carriers[node.then] | mask_of(node.captured)
                turn = self.needs_turn[node.then]
        self.carriers.append(carrier)
        self.needs_turn.append(turn)

    def check(self, node: proofs.Node, carrier: Mask, own: Mask) -> None:
        """Check the node with its carrier for these stones of the winner; raises RuleError."""
        if carrier & own:
            raise RuleError(
                f"the winner's stones are on {self.names(carrier & own)} of the carrier"
            )
        match node:
            case proofs.Joined():
                self._check_leaf(node, own)
            case proofs.Play():
                if self.needs_turn[node.then]:
                    raise RuleError("the winner moves twice")
                if self.carriers[node.then] >> node.cell & 1:
                    raise RuleError(f"{self.names(1 << node.cell)} is needed after it was played")
            case proofs.Replies():
                self._check_replies(node, own)
            case proofs.Fill():
                self._check_fill(node, own)

    def _check_leaf(self, node: proofs.Joined, own: Mask) -> None:
        carrier = mask_of(node.carrier)
        if not node.steps:
            if self._rules.play_out(own, carrier, node.full) is None:
                raise RuleError("played out, the carrier does not connect the edges")
            return
        kind, derived = self._rules.derive(node.steps, own)
        if kind is not node.full:
            raise RuleError(f"the last step is a {'full' if kind else 'semi'} connection")
        if derived != carrier:
            raise RuleError(f"the steps need another carrier: {self.names(derived)}")

    def _check_replies(self, node: proofs.Replies, own: Mask) -> None:
        carrier = mask_of(node.carrier)
        missing = carrier
        for answer in node.answers:
            if isinstance(answer, proofs.Kill):
                played = 1 << answer.cell
                self._check_kill(answer, carrier, own)
            else:
                played = mask_of(answer.to)
                self._check_reply(self.carriers[answer.then], played, carrier)
            if not played or played & ~missing:
                raise RuleError(f"an answer to {self.names(played & ~missing) or 'no cell'}")
            missing &= ~played
        if missing:
            raise RuleError(f"no answer to {self.names(missing)}")
        if all(isinstance(answer, proofs.Kill) for answer in node.answers):
            raise RuleError("no answer to a move elsewhere")

    def _check_reply(self, needed: Mask, played: Mask, carrier: Mask) -> None:
        if needed & ~carrier:
            outside = self.names(needed & ~carrier)
            raise RuleError(f"an answer needs {outside}, not in the carrier")
        if needed & played:
            raise RuleError(f"the answer to {self.names(needed & played)} needs that cell")

    def _check_kill(self, answer: proofs.Kill, carrier: Mask, own: Mask) -> None:
        cell = 1 << answer.cell
        killer = 1 << answer.by
        if cell == killer or not carrier & cell or not carrier & killer:
            raise RuleError("a kill is made of two cells of the carrier")
        if not self._rules.is_dead(answer.cell, own | killer, carrier & ~cell & ~killer):
            raise RuleError(f"{self.names(killer)} does not make {self.names(cell)} dead")

    def _check_fill(self, node: proofs.Fill, own: Mask) -> None:
        if any(len(step) not in (1, 2) for step in node.steps):
            raise RuleError("a step fills one cell, or two")
        cells = list(chain(*node.steps))
        left = mask_of(cells)
        if not cells or left.bit_count() < len(cells):
            raise RuleError("the cells filled are not all different")
        rest = self.carriers[node.then]
        if left & (own | rest):
            raise RuleError(f"{self.names(left & (own | rest))} is filled but not empty")
        for step in node.steps:
            fresh = mask_of(step)
            empty = rest | left & ~fresh
            if not all(self._rules.is_dead(c, own | fresh & ~(1 << c), empty) for c in step):
                raise RuleError(f"{self.names(fresh)} cannot be filled")
            own |= fresh
            left &= ~fresh
