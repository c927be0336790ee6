"""The nodes of a game tree: a turn or a setup, comments and properties.

Ply ``n`` is the position after ``n`` turns; a swap, a pass and a resignation are turns, a setup is
none. The root never holds a turn, so its ply is 0. Property values are kept as SGF writes them
between brackets (escaped), so that what this program does not know survives a round trip.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.records.record_text import unescape

Properties = Mapping[str, tuple[str, ...]]
TIME_LEFT = {Color.BLACK: "BL", Color.WHITE: "WL"}
"""The properties of SGF that hold the seconds that a player has left after a move."""
_GO_POINT = re.compile("[a-z]{2}")


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
        """Return the position after the turn of whichever side. Raises IllegalMoveError."""
        return position.with_to_move(self.color).apply(self.move)


@dataclass(frozen=True, slots=True)
class Setup:
    """Cells set to a colour or EMPTY outside the turns, and the side to move if it is set too."""

    cells: Mapping[int, int] = field(default_factory=dict)
    to_move: Color | None = None

    def __bool__(self) -> bool:
        return bool(self.cells) or self.to_move is not None

    def apply(self, position: Position) -> Position:
        """Return the position with the cells set; nobody may swap after stones are set."""
        stones = bytearray(position.stones)
        for cell, stone in self.cells.items():
            stones[cell] = stone
        to_move = position.to_move if self.to_move is None else self.to_move
        if not self.cells:
            return position.with_to_move(to_move)
        return Position(position.board, bytes(stones), to_move)

    @staticmethod
    def between(before: Position, after: Position) -> "Setup":
        """Return the smallest setup that leads from one position to the other."""
        pairs = enumerate(zip(before.stones, after.stones, strict=True))
        cells = {cell: new for cell, (old, new) in pairs if old != new}
        return Setup(cells, after.to_move if after.to_move is not before.to_move else None)

    def cells_with(self, stone: int) -> list[int]:
        """Return the cells that are set to a stone, or to EMPTY, in row order."""
        return sorted(cell for cell, new in self.cells.items() if new == stone)


NO_SETUP = Setup()


def point_name(point: str) -> str:
    """Return the name of a cell that is written as in Go: ``cd``, column and row, is ``c4``."""
    return f"{point[0]}{ord(point[1]) - ord('a') + 1}" if _GO_POINT.fullmatch(point) else point


def cells_of(value: str, board: Board) -> list[int]:
    """Return the cells of ``a1`` or of the rectangle ``a1:c2``. Raises ValueError."""
    corners = [board.cell(point_name(point.strip())) for point in value.split(":")]
    if len(corners) > 2:
        raise ValueError("a rectangle has two corners")
    return board.rectangle(*corners)


class Node:
    """One node of a game tree. Nodes compare by identity; only a record's edits change them.

    ``children[0]`` continues the main line. A node holds a turn or a setup or neither (a comment,
    say). ``properties`` are all others in order, values as SGF writes them (see ``text``).
    """

    __slots__ = ("children", "known_position", "parent", "ply", "properties", "setup", "turn")

    def __init__(
        self,
        parent: "Node | None" = None,
        turn: Turn | None = None,
        setup: Setup = NO_SETUP,
        properties: Properties | None = None,
    ) -> None:
        self.parent = parent
        self.turn = turn
        self.ply: int = parent.ply if parent else 0
        if turn is not None:
            self.ply += 1
        self.setup = setup
        self.properties: dict[str, tuple[str, ...]] = dict(properties or {})
        self.children: list[Node] = []
        self.known_position: Position | None = None
        """The position behind the node once `Record.position` has computed it."""

    @property
    def cell(self) -> int | None:
        """The cell of the stone that the node's turn puts on the board, if it does."""
        turn = self.turn
        return turn.move.cell if turn and turn.move.kind is MoveKind.PLAY else None

    def __repr__(self) -> str:
        return f"<Node ply {self.ply} {self.turn or self.setup}>"

    def text(self, name: str) -> str:
        """Return the text of a property, '' without it (values of a list on lines of their own)."""
        return "\n".join(unescape(raw) for raw in self.properties.get(name, ()))

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
        while node.children:
            node = node.children[0]
            yield node

    def end(self) -> "Node":
        """Return the last node along first children (this one, if it has none)."""
        node = self
        while node.children:
            node = node.children[0]
        return node

    def child_with(self, turn: Turn) -> "Node | None":
        """Return the child that holds this turn, if there is one."""
        return next((node for node in self.children if node.turn == turn), None)
