"""A proof as a tree of sentences: what the winner plays, and how it answers each move.

The lines below a line are made on request: a proof's tree can be far larger than the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hextui.engine.board import EMPTY, Edge, edges_of
from hextui.engine.position import Position
from hextui.engine.solver.proof import Captured, Fill, Play, Replies
from hextui.engine.solver.strategy import AnswerReason, Branch, Chain, Spot, Strategy, Walker
from hextui.engine.templates import group_cells
from hextui.records.board_view import Connected
from hextui.words.connections import joined_sentence
from hextui.words.names import Names, counted, listed


@dataclass(frozen=True)
class ProofLine:
    """A sentence, and the position that it leads to.

    ``moves`` lead there from the position of the proof. ``carrier``: the empty cells that the
    winner needs there. ``cells``: the moves of the loser that the line is about; ``unnamed``: those
    that it only counts. ``spot``: where the lines below begin; a line about a part of a connection
    has none, but ``ends``, the cells of the groups that the part joins, and ``edges``. ``brief``:
    the same in fewer words. ``tree`` makes the lines below.
    """

    text: str
    tree: "ProofTree" = field(compare=False, repr=False)
    position: Position
    moves: tuple[int, ...]
    carrier: frozenset[int]
    cells: tuple[int, ...] = ()
    unnamed: tuple[int, ...] = ()
    brief: str = ""
    spot: Spot | None = None
    ends: frozenset[int] = frozenset()
    edges: frozenset[Edge] = frozenset()

    @property
    def painted(self) -> Connected:
        """What the board highlights."""
        return Connected(self.tree.winner, self.carrier, self.ends, self.edges)


class ProofTree:
    """The sentences about a strategy. A line names up to ``few`` moves of the loser.

    ``played``: moves that led to the strategy's position; those of the lines begin with them.
    """

    def __init__(
        self, strategy: Strategy, names: Names, few: int = 4, played: tuple[int, ...] = ()
    ) -> None:
        self.walker = Walker(strategy)
        self.names = names
        self._played = played
        self._few = few
        self.winner = strategy.winner
        self._winner, self._loser = map(names.player, (self.winner, self.winner.opponent))
        self._board = strategy.position.board
        self._carriers: dict[int, frozenset[int]] = {}

    def first(self) -> tuple[ProofLine, ...]:
        """Return the lines at the top of the tree."""
        spot, played = self.walker.start, self._played
        winner, loser = self._winner, self._loser
        if spot.position.winner is not None:
            one, other = edges_of(self.winner)
            text = f"{winner} has won: a chain of stones joins {one} and {other}"
            return (replace(self._line(text, spot, played), spot=None),)
        if self.walker.chain(spot) is not None:
            text = f"{winner} is connected already, whichever side moves"
            return (self._line(text, spot, played),)
        if spot.position.to_move is not self.winner:
            return (self._line(f"every move of {loser} loses", spot, played),)
        turn = self.walker.turn(spot)
        if turn.cell is None:
            return (self._line(f"{winner} is connected already", turn.after, played),)
        name = self._board.name(turn.cell)
        text = f"{winner} plays {name}{self._joining(turn.after)}"
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
        (cell,), after, reply = branch.to, branch.after, branch.reply
        if reply is None and (free := self._anywhere(after)) is not None:
            reply, after = free
            text = f"if {self._loser} plays {self._board.name(cell)}, {self._winner} stays joined "
            text += f"and may play anywhere, say {self._board.name(reply)}"
        elif branch.why is AnswerReason.CAPTURED:
            text = f"{self._answer_text(replace(branch, why=AnswerReason.ANSWER))}: captured"
        else:
            text = self._answer_text(branch)
            if self.walker.chain(after) is None:
                text += f" and wins inside {counted(len(self._carrier(after)), 'cell')}"
        moves = (*before, cell) if reply is None else (*before, cell, reply)
        return self._line(text, after, moves, (cell,))

    def _anywhere(self, spot: Spot, but: int | None = None) -> tuple[int, Spot] | None:
        """Return a move that the winner does not need, except ``but``, and the spot after it."""
        needed = self._carrier(spot)
        cells = (cell for cell in spot.position.empties if cell != but)
        cell = min(cells, key=lambda cell: (cell in needed, cell), default=None)
        if cell is None:
            return None
        pairs = tuple(pair for pair in spot.pairs if cell not in pair)
        return cell, replace(spot, position=spot.position.play(cell), pairs=pairs)

    def before_reply(self, line: ProofLine, cell: int) -> ProofLine:
        """Return a line where the loser can move to a cell: a joined winner plays elsewhere."""
        spot = line.spot
        if spot is None or spot.position.to_move is not self.winner:
            return line
        free = self._anywhere(spot, cell)
        return line if free is None else self._line(line.text, free[1], (*line.moves, free[0]))

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
            return f"{moves}: {winner} is connected already"
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


class TriedMoves:
    """Moves of the loser tried against a proof, and the winner's answers, to any depth.

    ``lines``: how the proof begins, then one for each move. ``said``: why the last one was not
    played, '' if it was.
    """

    def __init__(self, tree: ProofTree) -> None:
        self._first = tree.first()
        self._asked: tuple[ProofLine, ProofLine, int] | None = None
        self.lines = self._first
        self.said = ""

    def back(self) -> None:
        """Return to the beginning."""
        self.lines, self.said, self._asked = self._first, "", None

    def play(self, cell: int, line: ProofLine | None = None) -> Position | None:
        """Play a move of the loser after a line, by default the last one.

        Where that has no answer at hand, return the position to be proved; see `take`.
        """
        base = self.lines[-1] if line is None or line.spot is None else line
        self._asked, self.said = None, _why_not(base, cell)
        if self.said or base.spot is None:
            return None
        start = base.tree.before_reply(base, cell)
        if (answer := base.tree.answer(start, cell)) is not None:
            self._add(base, answer)
            return None
        self._asked = base, start, cell
        return start.position.with_to_move(base.tree.winner.opponent).play(cell)

    def take(self, strategy: Strategy) -> None:
        """Answer the move that was asked about by the strategy after it."""
        if self._asked is not None:
            base, start, cell = self._asked
            tree = ProofTree(strategy, base.tree.names, played=(*start.moves, cell))
            self._add(base, tree.answer_to_last())

    def _add(self, base: ProofLine, answer: ProofLine) -> None:
        before = self.lines if base in self.lines else (*self._first, base)
        self.lines = (*before[: before.index(base) + 1], answer)


def _why_not(line: ProofLine, cell: int) -> str:
    """Return why a move of the loser changes nothing after a line; '' if it has to be answered."""
    tree, position = line.tree, line.position
    name, winner = position.board.name(cell), tree.names.player(tree.winner)
    if position.stones[cell] != EMPTY:
        return f"{name} is taken"
    if line.spot is None:
        return f"{winner} has won"
    if cell not in line.carrier:
        return f"{name} is outside the carrier: it changes nothing, and {winner} may play anywhere"
    return ""


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
