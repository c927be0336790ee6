"""A proof as a tree of sentences: what the winner plays, and how it answers each move.

The lines below a line are made on request: a proof's tree can be far larger than the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hextui.engine.board import Edge, edges_of
from hextui.engine.position import Position
from hextui.engine.solver.proof import Captured, Fill, Play, Replies
from hextui.engine.solver.strategy import AnswerReason, Branch, Chain, Spot, Strategy, Walker
from hextui.engine.templates import group_cells
from hextui.words.connections import joined_sentence
from hextui.words.names import Names, counted, listed


@dataclass(frozen=True)
class ProofLine:
    """A sentence, and the position that it leads to.

    ``moves`` lead there from the position of the proof. ``carrier``: the empty cells that the
    winner needs there. ``cells``: the moves of the loser that the line is about; ``unnamed``: those
    that it only counts. ``spot``: where the lines below begin; a line about a part of a connection
    has none, but ``ends``, the cells of the groups that the part joins, and ``edges``. ``brief``:
    the same in fewer words.
    """

    text: str
    position: Position
    moves: tuple[int, ...]
    carrier: frozenset[int]
    cells: tuple[int, ...] = ()
    unnamed: tuple[int, ...] = ()
    brief: str = ""
    spot: Spot | None = None
    ends: frozenset[int] = frozenset()
    edges: frozenset[Edge] = frozenset()


class ProofTree:
    """The sentences about a strategy. A line names up to ``few`` moves of the loser."""

    def __init__(self, strategy: Strategy, names: Names, few: int = 4) -> None:
        self.walker = Walker(strategy)
        self._few = few
        self.winner = strategy.winner
        self._winner, self._loser = map(names.player, (self.winner, self.winner.opponent))
        self._board = strategy.position.board
        self._carriers: dict[int, frozenset[int]] = {}

    def first(self) -> tuple[ProofLine, ...]:
        """Return the lines at the top of the tree."""
        spot = self.walker.start
        winner, loser = self._winner, self._loser
        if spot.position.winner is not None:
            one, other = edges_of(self.winner)
            text = f"{winner} has won: a chain of stones joins {one} and {other}"
            return (replace(self._line(text, spot, ()), spot=None),)
        if self.walker.chain(spot) is not None:
            return (self._line(f"{winner} is joined already, whoever moves", spot, ()),)
        if spot.position.to_move is not self.winner:
            return (self._line(f"every move of {loser} loses", spot, ()),)
        turn = self.walker.turn(spot)
        if turn.cell is None:
            return (self._line(f"{winner} is joined already", turn.after, ()),)
        name = self._board.name(turn.cell)
        text = f"{winner} plays {name}{self._joining(turn.after)}"
        return (self._line(text, turn.after, (turn.cell,)),)

    def below(self, line: ProofLine) -> tuple[ProofLine, ...]:
        """Return the lines below a line."""
        if line.spot is None:
            return ()
        chain = self.walker.chain(line.spot)
        if chain is not None:
            return tuple(self._connection(line, line.spot, chain))
        return tuple(self._answer(line, branch) for branch in self.walker.branches(line.spot))

    def _answer(self, line: ProofLine, branch: Branch) -> ProofLine:
        moves = (*line.moves, branch.to[0])
        if branch.reply is not None:
            moves = (*moves, branch.reply)
        made = self._line(self._answer_text(branch), branch.after, moves, branch.to)
        made = replace(made, brief=self._brief(branch))
        if branch.why is AnswerReason.ANSWER and len(branch.to) > self._few:
            made = replace(made, unnamed=branch.to)
        # after these the same lines follow as before
        stays = branch.why in (AnswerReason.CAPTURED, AnswerReason.KILLED)
        return replace(made, spot=None) if stays else made

    def _answer_text(self, branch: Branch) -> str:
        winner, loser = self._winner, self._loser
        name = self._board.name
        if branch.why is AnswerReason.CAPTURED:
            return self._captured(branch.to)
        cells = listed(map(name, branch.to))
        if len(branch.to) > self._few:
            cells = f"one of {counted(len(branch.to), 'cell')}"
        moves = f"if {loser} plays {cells}"
        if branch.why is AnswerReason.ELSEWHERE:
            moves = f"any other move ({counted(len(branch.to), 'cell')})"
        if branch.reply is None:
            return f"{moves}: {winner} is joined already"
        if branch.free:
            reply = f"{winner} may play anywhere, say {name(branch.reply)}"
        else:
            reply = f"{winner} answers {name(branch.reply)}"
        if branch.why is AnswerReason.KILLED:
            reply += f": {cells} is dead, nothing changes"
        comma = ":" if branch.why is AnswerReason.ELSEWHERE else ","
        return f"{moves}{comma} {reply}{self._joining(branch.after)}"

    def _brief(self, branch: Branch) -> str:
        name, winner = self._board.name, self._winner
        to, many = branch.to, counted(len(branch.to), "cell")
        if branch.why is AnswerReason.CAPTURED:
            return f"{listed(map(name, to), 'and')} captured by {winner}"
        moves = f"other {many}" if branch.why is AnswerReason.ELSEWHERE else many
        if branch.why is not AnswerReason.ELSEWHERE and len(to) <= self._few:
            moves = " ".join(map(name, to))
        if branch.reply is None:
            return f"{moves}: joined"
        if branch.why is AnswerReason.KILLED:
            return f"{moves}: {winner} {name(branch.reply)}, dead"
        reply = "any move" if branch.free else name(branch.reply)
        joined = "" if self.walker.chain(branch.after) is None else ", joined"
        return f"{moves}: {winner} {reply}{joined}"

    def _joining(self, spot: Spot) -> str:
        return "" if self.walker.chain(spot) is None else " and is joined"

    def _connection(self, line: ProofLine, spot: Spot, chain: Chain) -> Iterator[ProofLine]:
        one, other = sides = edges_of(self.winner)
        size, counted_in = counted(len(line.carrier), "cell"), self._counted(spot)

        def part(text: str, carrier: frozenset[int], ends: tuple[int, ...] = ()) -> ProofLine:
            made = ProofLine(text, spot.position, line.moves, carrier)
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
        return ProofLine(text, spot.position, moves, carrier, cells, spot=spot)

    def _carrier(self, spot: Spot) -> frozenset[int]:
        """Return the empty cells that the winner needs at a spot."""
        chain = self.walker.chain(spot)
        needed = self._needs(spot.node) if chain is None else chain.carrier
        pairs = frozenset(cell for pair in spot.pairs for cell in pair)
        return (needed - spot.counted | pairs) & frozenset(spot.position.empties)

    def _needs(self, place: int) -> frozenset[int]:
        if place not in self._carriers:
            node = self.walker.strategy.nodes[place]
            match node:
                case Chain() | Replies():
                    found = node.carrier
                case Play():
                    found = self._needs(node.then) | {node.cell}
                case Fill():
                    steps = (s for s in node.steps if isinstance(s, Captured))
                    found = self._needs(node.then).union(*((s.first, s.second) for s in steps))
            self._carriers[place] = found
        return self._carriers[place]


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
