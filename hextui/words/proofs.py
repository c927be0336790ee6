"""A proof as a tree of sentences: what the winner plays, and how it answers each move.

The lines below a line are made on request: a proof's tree can be far larger than the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hextui.engine.board import Edge, edges_of
from hextui.engine.position import Position
from hextui.engine.solver.attack import Attack
from hextui.engine.solver.leaf_chain import Chain, Strand
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.walker import AnswerReason, Branch, Spot, Walker
from hextui.engine.templates import group_cells
from hextui.records.board_view import Connected
from hextui.text import Names, counted, listed
from hextui.words.connections import joined_sentence

PASSED = -1
"""Stands among moves for a turn of the winner's that needs no move."""


@dataclass(frozen=True)
class ProofLine:
    """A sentence, and the position that it leads to.

    ``moves`` lead there from the position of the proof; the first may be `PASSED`. ``carrier``:
    the empty cells that the winner needs there. ``cells``: the moves of the loser that the line is
    about. ``spot``: where the lines below begin; a line about a part of a connection has none, but
    ``ends``, the cells of the groups that the part joins, and ``edges``. ``tree`` makes the lines
    below.
    """

    text: str
    tree: "ProofTree" = field(compare=False, repr=False)
    position: Position
    moves: tuple[int, ...]
    carrier: frozenset[int]
    cells: tuple[int, ...] = ()
    spot: Spot | None = None
    ends: frozenset[int] = frozenset()
    edges: frozenset[Edge] = frozenset()

    @property
    def painted(self) -> Connected:
        """What the board highlights."""
        return Connected(self.tree.winner, self.carrier, self.ends, self.edges)


class ProofTree:
    """The sentences about a proof.

    ``played``: moves that led to the proof's position; those of the lines begin with them.
    """

    def __init__(self, proof: Proof, names: Names, played: tuple[int, ...] = ()) -> None:
        self.walker = Walker(proof)
        self.names = names
        self.played = played
        self.winner = proof.winner
        self._winner, self._loser = map(names.player, (self.winner, self.winner.opponent))
        self._board = proof.position.board

    def first(self) -> tuple[ProofLine, ...]:
        """Return the lines at the top of the tree."""
        spot, played = self.walker.start, self.played
        winner, loser = self._winner, self._loser
        if spot.position.winner is not None:
            edge, opposite = edges_of(self.winner)
            text = f"{winner} has won: a chain of stones joins {edge} and {opposite}"
            return (replace(self._line(text, spot, played), spot=None),)
        joined = self.walker.is_joined(spot)
        if spot.position.to_move is not self.winner:
            lost = f"every move of {loser} loses"
            text = f"{winner} is connected already, whichever side moves" if joined else lost
            return (self._line(text, spot, played),)
        if joined:
            text = f"{winner} is connected already and need not move"
            passed = replace(spot, position=spot.position.with_to_move(self.winner.opponent))
            return (self._line(text, passed, (*played, PASSED)),)
        turn = self.walker.turn(spot)
        text = f"{winner} plays {self._board.name(turn.cell)}{self._joining(turn.after)}"
        return (self._line(text, turn.after, (*played, turn.cell)),)

    def branch(self, line: ProofLine, cell: int) -> Branch | None:
        """Return the answer to a move of the loser inside the carrier of a line.

        None if the proof has no answer there: it is shortened, or the winner is joined.
        """
        spot = line.spot
        assert spot is not None
        if not any(cell in pair for pair in spot.pairs) and (
            self.walker.is_joined(spot) or self.walker.is_left_out(spot)
        ):
            return None
        return self.walker.answer(spot, cell)

    def attack(
        self, line: ProofLine, cell: int, proved_reply: int | None, origin: "ProofTree"
    ) -> Attack:
        """Return a move of the loser inside the carrier of a line, as a question about it.

        ``proved_reply``: an answer that is proved to win. ``origin``: the tree with the first line.
        """
        spot, start = line.spot, origin.walker.proof.position
        assert spot is not None
        moves = line.moves[len(origin.played) :]
        if moves[:1] == (PASSED,):
            start = start.with_to_move(self.winner.opponent)
            moves = moves[1:]
        return Attack(
            position=line.position,
            cell=cell,
            carrier=line.carrier - spot.counted,
            start=start,
            pairs=spot.pairs,
            counted=spot.counted,
            line=moves,
            proved_reply=proved_reply,
        )

    def tried(self, branch: Branch, before: ProofLine, text: str) -> ProofLine:
        """Return the line about a move of the loser after a line, and the answer to it."""
        moves = (*before.moves, branch.to[0], branch.reply)
        return self._line(text, branch.after, moves, branch.to[:1])

    def is_left_out(self, line: ProofLine) -> bool:
        """Return whether there are lines below that the shortened proof does not have."""
        return line.spot is not None and self.walker.is_left_out(line.spot)

    def below(self, line: ProofLine) -> tuple[ProofLine, ...]:
        """Return the lines below a line."""
        if line.spot is None:
            return ()
        if self.walker.is_joined(line.spot):
            return tuple(self._connection(line, line.spot))
        return tuple(self._answer(line, branch) for branch in self.walker.branches(line.spot))

    def _answer(self, line: ProofLine, branch: Branch) -> ProofLine:
        moves = (*line.moves, branch.to[0], branch.reply)
        made = self._line(self._answer_text(branch), branch.after, moves, branch.to)
        # after these the same lines follow as before
        stays = branch.why in (AnswerReason.CAPTURED, AnswerReason.KILLED)
        return replace(made, spot=None) if stays else made

    def _answer_text(self, branch: Branch) -> str:
        winner, loser = self._winner, self._loser
        name = self._board.name
        if branch.why is AnswerReason.CAPTURED:
            return self._captured(branch.to)
        cells = listed(map(name, branch.to))
        moves = f"if {loser} plays {cells}"
        if branch.why is AnswerReason.ELSEWHERE:
            moves = f"any other move ({counted(len(branch.to), 'cell')})"
        if branch.free:
            reply = f"{winner} may play anywhere, say {name(branch.reply)},"
        else:
            reply = f"{winner} answers {name(branch.reply)}"
        if branch.why is AnswerReason.KILLED:
            reply += f": {cells} is dead, nothing changes"
        comma = ":" if branch.why is AnswerReason.ELSEWHERE else ","
        return f"{moves}{comma} {reply}{self._joining(branch.after)}"

    def _joining(self, spot: Spot) -> str:
        return " and is connected" if self.walker.is_joined(spot) else ""

    def _connection(self, line: ProofLine, spot: Spot) -> Iterator[ProofLine]:
        sides = edges_of(self.winner)
        edge, opposite = sides
        size = counted(len(line.carrier), "cell")
        counted_in = self.counted(spot)

        def part(text: str, carrier: frozenset[int], ends: tuple[int, ...] = ()) -> ProofLine:
            made = ProofLine(
                text=text, tree=self, position=spot.position, moves=line.moves, carrier=carrier
            )
            groups = (group_cells(counted_in, end) for end in ends if end < self._board.cells)
            edges = (sides[end - self._board.cells] for end in ends if end >= self._board.cells)
            return replace(made, ends=frozenset().union(*groups), edges=frozenset(edges))

        if not line.carrier:
            yield part(f"a chain of stones joins {edge} and {opposite}", frozenset())
            return
        yield part(f"{edge} and {opposite} are joined inside {size}", line.carrier)
        own = {cell for cell, stone in enumerate(spot.position.stones) if stone == self.winner}
        captured = spot.counted - own
        chain = self.walker.chain(spot)
        for ends, carrier in self._links(chain, counted_in):
            text = joined_sentence(counted_in, self.winner, ends, carrier, captured)
            yield part(text, carrier, ends)
        for pair in (*chain.captured, *spot.pairs):
            yield part(self._captured(pair), frozenset(pair))

    def _links(self, chain: Chain, counted_in: Position) -> Iterator[Strand]:
        """Yield the strands that join two groups, or a group and an edge, if there are several."""
        if len(chain.strands) < 2:
            return
        for strand in chain.strands:
            inner = [group_cells(counted_in, end) for end in strand.ends if end < self._board.cells]
            if len(inner) == 1 or inner[0] != inner[1]:  # a key joins groups that it touches
                yield strand

    def _captured(self, pair: tuple[int, ...]) -> str:
        cells = listed(map(self._board.name, sorted(pair)), "and")
        return f"{cells} are captured: if {self._loser} takes one, {self._winner} takes the other"

    def counted(self, spot: Spot) -> Position:
        """Return the position with the winner's cells filled in."""
        stones = bytearray(spot.position.stones)
        for cell in spot.counted:
            stones[cell] = self.winner
        return Position(self._board, bytes(stones), spot.position.to_move)

    def _line(
        self, text: str, spot: Spot, moves: tuple[int, ...], cells: tuple[int, ...] = ()
    ) -> ProofLine:
        return ProofLine(
            text=text,
            tree=self,
            position=spot.position,
            moves=moves,
            carrier=self.walker.carrier(spot),
            cells=cells,
            spot=spot,
        )


def proof_lines(tree: ProofTree, depth: int) -> Iterator[tuple[int, ProofLine, int]]:
    """Yield the lines of a tree, their depth, and the lines below that ``depth`` leaves out."""

    def walk(lines: tuple[ProofLine, ...], level: int) -> Iterator[tuple[int, ProofLine, int]]:
        for line in lines:
            below = tree.below(line)
            if level < depth:
                yield level, line, 0
                yield from walk(below, level + 1)
            else:
                yield level, line, len(below)

    yield from walk(tree.first(), 0)
