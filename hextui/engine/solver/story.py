"""A proof told as a tree of sentences: what the winner plays, and how it answers each move.

``{black}`` and ``{white}`` stand for the players (see player_texts.py). A line below another one
tells what follows; the lines are made when they are asked for, since the tree of a proof can be
far larger than the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hextui.engine.board import Edge, edges_of
from hextui.engine.player_texts import player
from hextui.engine.position import Position
from hextui.engine.sentences import joined_sentence, listed_cells
from hextui.engine.solver.proof import Captured, Fill, Play, Replies
from hextui.engine.solver.strategy import Chain, Strategy
from hextui.engine.solver.walker import Branch, Spot, Walker, Why
from hextui.engine.templates import group_cells
from hextui.words.names import counted


@dataclass(frozen=True)
class StoryLine:
    """A sentence, and the position that it leads to.

    ``moves`` lead there from the position of the proof. ``carrier``: the empty cells that the
    winner needs there. ``cells``: the moves of the loser that the line is about; ``unnamed``
    those that it only counts. ``spot`` is what goes on below; a line about a part of a connection
    has none, but ``ends``, the cells of the groups that the part joins, and ``edges``. ``brief``
    says the same in fewer words.
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


class Story:
    """Tells a strategy. A line names up to ``few`` moves of the loser, and counts more."""

    def __init__(self, strategy: Strategy, few: int = 4) -> None:
        self.walker = Walker(strategy)
        self._few = few
        self.winner = strategy.winner
        self._board = strategy.position.board
        self._carriers: dict[int, frozenset[int]] = {}

    def first(self) -> tuple[StoryLine, ...]:
        """Return the lines that the tree begins with."""
        spot = self.walker.start
        winner, loser = player(self.winner), player(self.winner.opponent)
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

    def below(self, line: StoryLine) -> tuple[StoryLine, ...]:
        """Return the lines below a line; none where nothing more is to be said."""
        if line.spot is None:
            return ()
        chain = self.walker.chain(line.spot)
        if chain is not None:
            return tuple(self._connection(line, line.spot, chain))
        return tuple(self._answer(line, branch) for branch in self.walker.branches(line.spot))

    def _answer(self, line: StoryLine, branch: Branch) -> StoryLine:
        moves = (*line.moves, branch.to[0])
        if branch.reply is not None:
            moves = (*moves, branch.reply)
        told = self._line(self._told(branch), branch.after, moves, branch.to)
        told = replace(told, brief=self._brief(branch))
        if branch.why is Why.ANSWER and len(branch.to) > self._few:
            told = replace(told, unnamed=branch.to)
        # after these what follows is what followed before
        stays = branch.why in (Why.CAPTURED, Why.KILLED)
        return replace(told, spot=None) if stays else told

    def _told(self, branch: Branch) -> str:
        """Return an answer in words."""
        winner, loser = player(self.winner), player(self.winner.opponent)
        name = self._board.name
        if branch.why is Why.CAPTURED:
            return self._captured(branch.to)
        cells = listed_cells(map(name, branch.to))
        if len(branch.to) > self._few:
            cells = f"one of {counted(len(branch.to), 'cell')}"
        told = f"if {loser} plays {cells}"
        if branch.why is Why.ELSEWHERE:
            told = f"any other move ({counted(len(branch.to), 'cell')})"
        if branch.reply is None:
            return f"{told}: {winner} is joined already"
        if branch.free:
            reply = f"{winner} may play anywhere, say {name(branch.reply)}"
        else:
            reply = f"{winner} answers {name(branch.reply)}"
        if branch.why is Why.KILLED:
            reply += f": {cells} is dead, all stays as it is"
        comma = ":" if branch.why is Why.ELSEWHERE else ","
        return f"{told}{comma} {reply}{self._joining(branch.after)}"

    def _brief(self, branch: Branch) -> str:
        """Return an answer in few words."""
        name, winner = self._board.name, player(self.winner)
        to, many = branch.to, counted(len(branch.to), "cell")
        if branch.why is Why.CAPTURED:
            return f"{listed_cells(map(name, to), 'and')} captured by {winner}"
        moves = f"other {many}" if branch.why is Why.ELSEWHERE else many
        if branch.why is not Why.ELSEWHERE and len(to) <= self._few:
            moves = " ".join(map(name, to))
        if branch.reply is None:
            return f"{moves}: joined"
        if branch.why is Why.KILLED:
            return f"{moves}: {winner} {name(branch.reply)}, dead"
        reply = "any move" if branch.free else name(branch.reply)
        joined = "" if self.walker.chain(branch.after) is None else ", joined"
        return f"{moves}: {winner} {reply}{joined}"

    def _joining(self, spot: Spot) -> str:
        return "" if self.walker.chain(spot) is None else " and is joined"

    def _connection(self, line: StoryLine, spot: Spot, chain: Chain) -> Iterator[StoryLine]:
        """Yield what a connection of the edges consists of."""
        one, other = sides = edges_of(self.winner)
        size, counted_in = counted(len(line.carrier), "cell"), self._counted(spot)

        def part(text: str, carrier: frozenset[int], ends: tuple[int, ...] = ()) -> StoryLine:
            told = StoryLine(text, spot.position, line.moves, carrier)
            groups = (group_cells(counted_in, end) for end in ends if end < self._board.cells)
            edges = (sides[end - self._board.cells] for end in ends if end >= self._board.cells)
            return replace(told, ends=frozenset().union(*groups), edges=frozenset(edges))

        if not line.carrier:
            yield part(f"a chain of stones joins {one} and {other}", frozenset())
            return
        yield part(f"{one} and {other} are joined inside {size}", line.carrier)
        for strand in chain.strands if len(chain.strands) > 1 else ():
            text = joined_sentence(counted_in, self.winner, strand.ends, strand.carrier)
            yield part(text, strand.carrier, strand.ends)
        for pair in (*chain.captured, *spot.pairs):
            yield part(self._captured(pair), frozenset(pair))

    def _captured(self, pair: tuple[int, ...]) -> str:
        cells = listed_cells(map(self._board.name, sorted(pair)), "and")
        loser, winner = player(self.winner.opponent), player(self.winner)
        return f"{cells} are captured: if {loser} takes one, {winner} takes the other"

    def _counted(self, spot: Spot) -> Position:
        """Return the position with what counts as the winner's filled in."""
        stones = bytearray(spot.position.stones)
        for cell in spot.counted:
            stones[cell] = self.winner
        return Position(self._board, bytes(stones), spot.position.to_move)

    def _line(
        self, text: str, spot: Spot, moves: tuple[int, ...], cells: tuple[int, ...] = ()
    ) -> StoryLine:
        carrier = self._carrier(spot)
        return StoryLine(text, spot.position, moves, carrier, cells, spot=spot)

    def _carrier(self, spot: Spot) -> frozenset[int]:
        """Return the empty cells that the winner needs at a spot."""
        chain = self.walker.chain(spot)
        needed = self._needs(spot.node) if chain is None else chain.carrier
        pairs = frozenset(cell for pair in spot.pairs for cell in pair)
        return (needed - spot.counted | pairs) & frozenset(spot.position.empties)

    def _needs(self, place: int) -> frozenset[int]:
        """Return the carrier of a node."""
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


def told(story: Story, depth: int) -> Iterator[tuple[int, StoryLine, int]]:
    """Yield the lines of a story so many answers deep, each with its depth.

    The last number is that of the lines right below it that are left out.
    """

    def tell(lines: tuple[StoryLine, ...], at: int) -> Iterator[tuple[int, StoryLine, int]]:
        for line in lines:
            below = story.below(line)
            if at < depth:
                yield at, line, 0
                yield from tell(below, at + 1)
            else:
                yield at, line, len(below)

    yield from tell(story.first(), 0)
