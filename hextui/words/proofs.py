"""A proof as a tree of sentences: what the winner plays, and how it answers each move.

The lines below a line are made on request: a proof's tree can be far larger than the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hextui.engine.board import EMPTY, Edge, edges_of
from hextui.engine.position import Position
from hextui.engine.solver.proof import Replies
from hextui.engine.solver.strategy import AnswerReason, Branch, Chain, Spot, Strategy, Walker
from hextui.engine.templates import group_cells
from hextui.records.board_view import Connected
from hextui.words.connections import joined_sentence
from hextui.words.names import Names, counted, listed


@dataclass(frozen=True)
class ProofLine:
    """A sentence, and the position that it leads to.

    ``moves`` lead there from the position of the proof. ``carrier``: the empty cells that the
    winner needs there. ``cells``: the moves of the loser that the line is about. ``spot``: where
    the lines below begin; a line about a part of a connection has none, but ``ends``, the cells of
    the groups that the part joins, and ``edges``. ``tree`` makes the lines below.
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
    """The sentences about a strategy.

    ``played``: moves that led to the strategy's position; those of the lines begin with them.
    """

    def __init__(self, strategy: Strategy, names: Names, played: tuple[int, ...] = ()) -> None:
        self.walker = Walker(strategy)
        self.names = names
        self._played = played
        self.winner = strategy.winner
        self._winner, self._loser = map(names.player, (self.winner, self.winner.opponent))
        self._board = strategy.position.board

    def first(self) -> tuple[ProofLine, ...]:
        """Return the lines at the top of the tree."""
        spot, played = self.walker.start, self._played
        winner, loser = self._winner, self._loser
        if spot.position.winner is not None:
            one, other = edges_of(self.winner)
            text = f"{winner} has won: a chain of stones joins {one} and {other}"
            return (replace(self._line(text, spot, played), spot=None),)
        joined = self.walker.chain(spot) is not None
        if spot.position.to_move is not self.winner:
            lost = f"every move of {loser} loses"
            text = f"{winner} is connected already, whichever side moves" if joined else lost
            return (self._line(text, spot, played),)
        turn = self.walker.turn(spot)
        text = f"{winner} plays {self._board.name(turn.cell)}{self._joining(turn.after)}"
        if joined:
            text = f"{winner} is connected already and may play anywhere, say "
            text += self._board.name(turn.cell)
        return (self._line(text, turn.after, (*played, turn.cell)),)

    def answer(self, line: ProofLine, cell: int) -> ProofLine | None:
        """Return the line about a move of the loser inside the carrier of a line.

        None if the strategy has no answer there: it is shortened, or the winner is joined.
        """
        spot = line.spot
        assert spot is not None
        if not any(cell in pair for pair in spot.pairs) and (
            self.walker.chain(spot) is not None or self.walker.is_left_out(spot)
        ):
            return None
        return self._tried(self.walker.answer(spot, cell), line.moves)

    def answer_to_last(self) -> ProofLine:
        """Return the line about the last move played, the loser's, and the answer to it."""
        turn = self.walker.turn(self.walker.start)
        *before, cell = self._played
        branch = Branch((cell,), AnswerReason.ANSWER, turn.cell, turn.free, turn.after)
        return self._tried(branch, tuple(before))

    def _tried(self, branch: Branch, before: tuple[int, ...]) -> ProofLine:
        """Return the line about one move of the loser, which the winner answers in any case."""
        if branch.why is AnswerReason.CAPTURED:
            text = f"{self._answer_text(replace(branch, why=AnswerReason.ANSWER))}: captured"
        else:
            text = self._answer_text(branch)
            if self.walker.chain(branch.after) is None:
                text += f" and wins inside {counted(len(self._carrier(branch.after)), 'cell')}"
        return self._line(text, branch.after, (*before, *branch.to, branch.reply), branch.to)

    def is_left_out(self, line: ProofLine) -> bool:
        """Return whether there are lines below that the shortened strategy does not have."""
        return line.spot is not None and self.walker.is_left_out(line.spot)

    def below(self, line: ProofLine) -> tuple[ProofLine, ...]:
        """Return the lines below a line."""
        if line.spot is None:
            return ()
        chain = self.walker.chain(line.spot)
        if chain is not None:
            return tuple(self._connection(line, line.spot, chain))
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
        return "" if self.walker.chain(spot) is None else " and is joined"

    def _connection(self, line: ProofLine, spot: Spot, chain: Chain) -> Iterator[ProofLine]:
        one, other = sides = edges_of(self.winner)
        size, counted_in = counted(len(line.carrier), "cell"), self._counted(spot)

        def part(text: str, carrier: frozenset[int], ends: tuple[int, ...] = ()) -> ProofLine:
            made = ProofLine(text, self, spot.position, line.moves, carrier)
            groups = (group_cells(counted_in, end) for end in ends if end < self._board.cells)
            edges = (sides[end - self._board.cells] for end in ends if end >= self._board.cells)
            return replace(made, ends=frozenset().union(*groups), edges=frozenset(edges))

        if not line.carrier:
            yield part(f"a chain of stones joins {one} and {other}", frozenset())
            return
        yield part(f"{one} and {other} are joined inside {size}", line.carrier)
        own = {cell for cell, stone in enumerate(spot.position.stones) if stone == self.winner}
        captured = spot.counted - own
        for ends, carrier in chain.strands if len(chain.strands) > 1 else ():
            inner = [group_cells(counted_in, end) for end in ends if end < self._board.cells]
            if len(inner) == 1 or inner[0] != inner[1]:  # a key joins groups that it touches
                text = joined_sentence(counted_in, self.winner, ends, carrier, captured)
                yield part(text, carrier, ends)
        for pair in (*chain.captured, *spot.pairs):
            yield part(self._captured(pair), frozenset(pair))

    def _captured(self, pair: tuple[int, ...]) -> str:
        cells = listed(map(self._board.name, sorted(pair)), "and")
        return f"{cells} are captured: if {self._loser} takes one, {self._winner} takes the other"

    def _counted(self, spot: Spot) -> Position:
        """Return the position with the winner's cells filled in."""
        stones = bytearray(spot.position.stones)
        for cell in spot.counted:
            stones[cell] = self.winner
        return Position(self._board, bytes(stones), spot.position.to_move)

    def _line(
        self, text: str, spot: Spot, moves: tuple[int, ...], cells: tuple[int, ...] = ()
    ) -> ProofLine:
        carrier = self._carrier(spot)
        return ProofLine(text, self, spot.position, moves, carrier, cells, spot=spot)

    def _carrier(self, spot: Spot) -> frozenset[int]:
        """Return the empty cells that the winner needs at a spot where the loser is to move."""
        node = self.walker.chain(spot) or self.walker.strategy.nodes[spot.node]
        assert isinstance(node, Chain | Replies)
        pairs = frozenset(cell for pair in spot.pairs for cell in pair)
        return (node.carrier - spot.counted | pairs) & frozenset(spot.position.empties)


class TriedMoves:
    """Moves of the loser tried against a proof, and the winner's answers, to any depth.

    ``lines``: how the proof begins, then one for each move. ``said``: why the last one was not
    played, '' if it was.
    """

    def __init__(self, tree: ProofTree) -> None:
        self._first = tree.first()
        self._asked: tuple[ProofLine, int] | None = None
        self.lines = self._first
        self.said = ""

    def back(self) -> None:
        """Return to the beginning."""
        self.lines, self.said, self._asked = self._first, "", None

    def play(self, cell: int, line: ProofLine | None = None) -> Position | None:
        """Play a move of the loser after a line, by default the last one.

        Where that has no answer at hand, return the position to be proved; see `take`.
        """
        base = self.lines[-1] if line is None else line
        tree, name = base.tree, base.position.board.name(cell)
        winner = tree.names.player(tree.winner)
        self._asked, self.said = None, ""
        if base.position.stones[cell] != EMPTY:
            self.said = f"{name} is taken"
        elif cell not in base.carrier:
            outside = f"{name} is outside the carrier: it changes nothing"
            self.said = f"{outside}, and {winner} may play anywhere"
        elif (answer := tree.answer(base, cell)) is not None:
            self._add(base, answer)
        else:
            self._asked = base, cell
            return base.position.play(cell)
        return None

    def take(self, strategy: Strategy) -> None:
        """Answer the move that was asked about by the strategy after it."""
        if self._asked is not None:
            base, cell = self._asked
            tree = ProofTree(strategy, base.tree.names, played=(*base.moves, cell))
            self._add(base, tree.answer_to_last())

    def _add(self, base: ProofLine, answer: ProofLine) -> None:
        before = self.lines if base in self.lines else (*self._first, base)
        self.lines = (*before[: before.index(base) + 1], answer)


def proof_lines(tree: ProofTree, depth: int) -> Iterator[tuple[int, ProofLine, int]]:
    """Yield the lines of a tree, their depth, and the lines below that ``depth`` leaves out."""

    def walk(lines: tuple[ProofLine, ...], at: int) -> Iterator[tuple[int, ProofLine, int]]:
        for line in lines:
            below = tree.below(line)
            if at < depth:
                yield at, line, 0
                yield from walk(below, at + 1)
            else:
                yield at, line, len(below)

    yield from walk(tree.first(), 0)
