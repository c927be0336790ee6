"""The game tree: nodes with a turn or a setup, comments and properties, and their positions.

Ply ``n`` is the position after ``n`` turns; a swap, a pass and a resignation are turns, a setup is
none. The root never holds a turn, so its ply is 0. Property values are kept as SGF writes them
between brackets (escaped), so that what this program does not know survives a round trip.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import Any

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.records.text import unescape

# Reading takes about a kilobyte a node, so a tree of more would fill a small machine's memory.
MAX_NODES = 500_000

TOO_MANY_NODES = f"more than {MAX_NODES:,} nodes in one game"

Properties = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Turn:
    """A move and who makes it; ``forfeit`` marks a RESIGN that was lost by rule or on time."""

    color: Color
    move: Move
    forfeit: bool = False

    def name(self, board: Board) -> str:
        """Return ``c4``, ``swap-pieces``, ``swap-sides``, ``pass``, ``resign`` or ``forfeit``."""
        return "forfeit" if self.forfeit else self.move.name(board)

    @staticmethod
    @lru_cache(maxsize=8192)  # a file of many games has the same words again and again
    def parse(color: Color, text: str, board: Board) -> "Turn":
        """Read what ``name`` writes (any case); raises ValueError for anything else."""
        if text.strip().lower() == "forfeit":
            return Turn(color, Move(MoveKind.RESIGN), forfeit=True)
        return Turn(color, Move.parse(text, board))

    def apply(self, position: Position) -> Position:
        """Return the position after the turn; its colour overrides the side to move.

        Raises IllegalMoveError if the cell is taken, or for swap-pieces on a board that is not
        square.
        """
        return position.with_to_move(self.color).apply(self.move)


@dataclass(frozen=True, slots=True)
class Setup:
    """Cells set outside the turns, and the side to move if it is set too (None: unchanged)."""

    black: frozenset[int] = frozenset()
    white: frozenset[int] = frozenset()
    empty: frozenset[int] = frozenset()
    to_move: Color | None = None

    def __bool__(self) -> bool:
        return bool(self.black or self.white or self.empty) or self.to_move is not None

    def apply(self, position: Position) -> Position:
        """Return the position with the cells set; nobody may swap after that."""
        stones = bytearray(position.stones)
        for cells, stone in (
            (self.black, Color.BLACK),
            (self.white, Color.WHITE),
            (self.empty, EMPTY),
        ):
            for cell in cells:
                stones[cell] = stone
        to_move = position.to_move if self.to_move is None else self.to_move
        return Position(position.board, bytes(stones), to_move)

    @staticmethod
    def between(before: Position, after: Position) -> "Setup":
        """Return the smallest setup that leads from one position to the other."""
        changed: dict[int, set[int]] = {EMPTY: set(), Color.BLACK: set(), Color.WHITE: set()}
        for cell, (old, new) in enumerate(zip(before.stones, after.stones, strict=True)):
            if old != new:
                changed[new].add(cell)
        return Setup(
            frozenset(changed[Color.BLACK]),
            frozenset(changed[Color.WHITE]),
            frozenset(changed[EMPTY]),
            after.to_move if after.to_move is not before.to_move else None,
        )


NO_SETUP = Setup()


class Node:
    """One node of a game tree. Nodes compare by identity; a record's edits change them.

    ``children[0]`` continues the main line. A node holds a turn or a setup, never both, or
    neither (a comment, say).
    """

    __slots__ = ("_children", "_position", "_properties", "_setup", "parent", "ply", "turn")

    def __init__(
        self,
        parent: "Node | None" = None,
        turn: Turn | None = None,
        setup: Setup = NO_SETUP,
        properties: Properties | None = None,
    ) -> None:
        self.parent = parent
        self.turn = turn
        self.ply: int = (parent.ply if parent else 0) + (turn is not None)
        self._setup = setup
        self._properties: dict[str, tuple[str, ...]] = dict(properties or {})
        self._children: list[Node] = []
        self._position: Position | None = None

    def __repr__(self) -> str:
        return f"<Node ply {self.ply} {self.turn or self.setup}>"

    @property
    def children(self) -> Sequence["Node"]:
        """The continuations; the first is the main line, the others are variations."""
        return self._children

    @property
    def setup(self) -> Setup:
        """The cells and the side to move that this node sets."""
        return self._setup

    @property
    def properties(self) -> Properties:
        """All other properties in order, values as SGF writes them (see ``text``)."""
        return self._properties

    def text(self, name: str) -> str:
        """Return the text of a property, '' without it (values of a list on lines of their own)."""
        return "\n".join(unescape(raw) for raw in self._properties.get(name, ()))

    @property
    def comment(self) -> str:
        """The comment, '' if there is none."""
        return self.text("C")

    @property
    def siblings(self) -> Sequence["Node"]:
        """This node and the variations beside it, main line first."""
        return self.parent.children if self.parent else (self,)

    @property
    def index(self) -> int:
        """Where this node stands among its siblings; 0 is the main line."""
        return next(i for i, node in enumerate(self.siblings) if node is self)

    def place(self, board: Board) -> str:
        """Return where this node stands, in words."""
        if self.parent is None:
            return "at the start"
        turn = f" ({self.turn.name(board)})" if self.turn else ""
        return f"at move {self.ply}{turn}"

    def line(self) -> list["Node"]:
        """Return the nodes from the root to this one, both included."""
        nodes = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def onward(self) -> Iterator["Node"]:
        """Yield the nodes after this one along first children."""
        node = self
        while node._children:
            node = node._children[0]
            yield node

    def end(self) -> "Node":
        """Return the last node along first children (this one, if it has none)."""
        node = self
        while node._children:
            node = node._children[0]
        return node

    def subtree(self) -> Iterator["Node"]:
        """Yield this node and all below it, each before its children, main line first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node._children))

    def child_with(self, turn: Turn) -> "Node | None":
        """Return the child that holds this turn, if there is one."""
        return next((node for node in self._children if node.turn == turn), None)


def copy_of(root: Node) -> tuple[Node, dict[Node, Node]]:
    """Return a copy of a tree, and what each of its nodes has become there."""
    copies: dict[Node, Node] = {}
    for node in root.subtree():
        parent = copies[node.parent] if node.parent else None
        copy = copies[node] = Node(parent, node.turn, node.setup, node.properties)
        copy._position = node._position
        if parent:
            parent._children.append(copy)
    return copies[root], copies


class GameTree:
    """A board and a tree of nodes; how to walk it and which position each node has."""

    def __init__(self, board: Board, root: Node | None = None) -> None:
        self.board = board
        self.root = root or Node()
        self._appended = 0

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or another process gets: nodes in a list, as lines may be long."""
        numbers = {node: number for number, node in enumerate(self.nodes())}
        nodes = [
            (node.parent and numbers[node.parent], node.turn, node.setup, node.properties)
            for node in numbers
        ]
        return vars(self) | {"root": nodes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        nodes: list[Node] = []
        for number, turn, setup, properties in state["root"]:
            parent = None if number is None else nodes[number]
            node = Node(parent, turn, setup, properties)
            nodes.append(node)
            if parent:
                parent._children.append(node)
        vars(self).update(state, root=nodes[0])

    def position(self, node: Node | None = None, *, ply: int | None = None) -> Position:
        """Return the position after ``node``; computed once a node.

        Without a node it is that of the main line's ply, by default its end. Raises
        IllegalMoveError if a turn on the way does not fit the position before it, and ValueError
        if the main line has no such ply.
        """
        if node is None:
            node = self.root.end() if ply is None else self.node_at(ply)
        if node._position is not None:
            return node._position
        pending = []
        at: Node | None = node
        while at is not None and at._position is None:
            pending.append(at)
            at = at.parent
        position = at._position if at else Position.empty(self.board)
        assert position is not None
        while pending:
            at = pending.pop()
            if at._setup:
                position = at._setup.apply(position)
            if at.turn:
                position = at.turn.apply(position)
            at._position = position
        return position

    def append(
        self,
        parent: Node,
        turn: Turn | None = None,
        setup: Setup = NO_SETUP,
        properties: Properties | None = None,
    ) -> Node:
        """Add a node as the last child of ``parent`` and return it: how readers build a tree.

        Raises IllegalMoveError for a turn that does not fit, and ValueError if the tree would have
        more than MAX_NODES nodes; the tree stays as it was.
        """
        if self._appended == MAX_NODES - 1:
            raise ValueError(TOO_MANY_NODES)
        node = Node(parent, turn, setup, properties)
        self.position(node)
        parent._children.append(node)
        self._appended += 1
        return node

    def add_properties(self, node: Node, properties: Properties) -> None:
        """Add properties to a node, values as SGF writes them: how readers build a tree."""
        node._properties.update(properties)

    def take_apart(self) -> None:
        """Separate all nodes, so that their memory is free at once; nothing may use them after it.

        Else they wait for garbage collection, as nodes refer to each other in cycles.
        """
        nodes = list(self.nodes())
        while nodes:  # one by one, so that threads can take turns
            node = nodes.pop()
            node.parent = None
            node._children = []

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes, each before its children, main line first."""
        return self.root.subtree()

    def holds(self, node: Node) -> bool:
        """Return whether a node is one of this tree, not of another one and not cut off."""
        line = node.line()
        linked = all(after in before._children for before, after in pairwise(line))
        return line[0] is self.root and linked

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line, the root first."""
        return [self.root, *self.root.onward()]

    def turns(self, end: Node | None = None) -> list[Turn]:
        """Return the turns from the root to ``end`` (default: the end of the main line)."""
        last = self.root.end() if end is None else end
        return [node.turn for node in last.line() if node.turn]

    @property
    def plies(self) -> int:
        """The number of turns in the main line."""
        return self.root.end().ply

    def node_at(self, ply: int) -> Node:
        """Return the main line's last node of a ply: after its turn and the setup behind it.

        Raises ValueError if the main line has no such ply.
        """
        found = [node for node in self.main_line() if node.ply == ply]
        if not found:
            raise ValueError(f"no ply {ply}: the main line has {self.plies}")
        return found[-1]

    def shown(self) -> Node | None:
        """Return the node the record asks to be shown at first (``IP``), if it names one."""
        return next((node for node in self.nodes() if "IP" in node._properties), None)

    def equals(self, other: "GameTree") -> bool:
        """Whether board, shape, turns, setups and properties, in order, are all the same."""
        return not self.difference(other)

    def difference(self, other: "GameTree") -> str:
        """Return the first thing that the other tree does not hold, in words; '' if they equal."""
        if self.board != other.board:
            return f"the board, {self.board}"
        # Same child counts in preorder make the same shape, so no tree ends before the other.
        for a, b in zip(self.nodes(), other.nodes(), strict=False):
            if what := _node_difference(a, b):
                return f"{what} {a.place(self.board)}"
        return ""


def _node_difference(a: Node, b: Node) -> str:
    if a.turn != b.turn:
        return "the turn"
    if a.setup != b.setup:
        return "the setup"
    for own, other in zip_longest(a.properties.items(), b.properties.items()):
        if own != other:
            return f"property {(own or other)[0]}"
    return "" if len(a.children) == len(b.children) else "the number of variations"
