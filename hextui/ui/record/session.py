"""What the user works on: a record, its current node, the cursor, the mode, and marked moves."""

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from hextui.engine.board import EMPTY, Color
from hextui.engine.position import IllegalMoveError, Move, MoveKind, Position, SwapRule
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.records.board_view import Mode
from hextui.records.markup import move_numbers
from hextui.records.record import Edit, Record
from hextui.records.tree import Node
from hextui.text import counted


class SearchMark(enum.StrEnum):
    """What a cell is marked as; the status line shows the values."""

    REGION = "the region"
    ALLOW = "moves to allow"
    AVOID = "moves to leave out"


class SearchMarks:
    """A region, and moves to allow or to avoid. ``brush``: what Enter and a click mark.

    The region belongs to the whole record. Moves to allow and to avoid are first moves of the
    position in which they were marked. A move is never both.
    """

    def __init__(self) -> None:
        self.brush = SearchMark.REGION
        self.region: frozenset[int] = frozenset()
        self._first: dict[Position, dict[int, SearchMark]] = {}
        self._last: tuple[int, bool] | None = None

    def first(self, position: Position) -> Mapping[int, SearchMark]:
        """Return which first moves of a position are marked to be allowed or avoided."""
        return self._first.get(position, {})

    def turn(self, position: Position, cell: int) -> None:
        """Mark a cell by the brush, or remove the mark if it has that one."""
        if self.brush is SearchMark.REGION:
            marked = cell not in self.region
        else:
            marked = self.first(position).get(cell) is not self.brush
        self._put(position, [cell], marked)
        self._last = cell, marked

    def box(self, position: Position, corner: int) -> bool:
        """Mark or clear a rectangle as the last cell, its other corner; False without one."""
        if self._last is None or self._last[0] == corner:
            return False
        last, marked = self._last
        self._put(position, position.board.rectangle(last, corner), marked)
        return True

    def clear(self) -> bool:
        """Remove all marks, also at other positions; False if there are none."""
        there = bool(self.region or self._first)
        self.region = frozenset()
        self._first = {}
        self._last = None
        return there

    def scope(self, position: Position) -> MoveScope:
        """Return the moves to consider: all of them where no move would be left."""
        cells = self.first(position)
        allowed = {cell for cell, what in cells.items() if what is SearchMark.ALLOW}
        avoided = cells.keys() - allowed
        first = (allowed or set(range(position.board.cells))) - avoided if cells else None
        scope = MoveScope(None if first is None else frozenset(first), self.region or None)
        return scope if moves_in(scope, position) else ALL_MOVES

    def lacks_moves(self, position: Position) -> bool:
        """Whether the marks leave no move of a position, and are ignored there."""
        marked = bool(self.region or self.first(position))
        return marked and bool(position.empties) and self.scope(position) == ALL_MOVES

    def _put(self, position: Position, cells: Iterable[int], marked: bool) -> None:
        if self.brush is SearchMark.REGION:
            self.region = self.region.union(cells) if marked else self.region.difference(cells)
            return
        marks = {**self.first(position)}
        for cell in set(cells).intersection(position.empties):
            if marked:
                marks[cell] = self.brush
            elif marks.get(cell) is self.brush:
                del marks[cell]
        self._first[position] = marks
        if not marks:
            del self._first[position]


START_OF_RECORD = "This is the start of the record"
END_OF_LINE = "This is the end of the line"
"""Why there is no step back, or on."""


class Session:
    """A record that is shown and edited.

    Navigation never changes the record, and `undo` undoes edits only. Walking on follows the
    variation that was walked last.
    """

    def __init__(self, record: Record, path: Path | None = None, name: str = "") -> None:
        self.record = record
        self.path = path
        self.mark: str | None = None
        """What the file at ``path`` held when it was read or saved (`files.mark_of`)."""
        self._name = name
        self.node = record.shown() or record.root
        self.mode = Mode.PLAY
        self.stone: int = Color.BLACK
        self.search_marks = SearchMarks()
        self.is_kept_elsewhere = False
        """Whether each edit is also written to the file of games against the program."""
        self._followed: dict[Node, Node] = {}
        self.board = board = record.board
        self.cursor = board.middle

    @property
    def name(self) -> str:
        """What the record is called: its file, where it came from, or ``untitled``."""
        return self.path.name if self.path else self._name or "untitled"

    @property
    def has_edits_to_keep(self) -> bool:
        """Whether there are edits that no file holds."""
        return self.record.modified and not self.is_kept_elsewhere

    @property
    def untouched(self) -> bool:
        """Whether this is the empty board of the start, which nobody would miss."""
        record = self.record
        empty = not (record.root.children or record.root.setup or record.root.properties)
        return empty and not (self.path or self._name or record.edits)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.record.position(self.node)

    @property
    def placing(self) -> int:
        """The stone that Enter puts at the cursor: a colour, or EMPTY."""
        if self.mode is Mode.REGION:
            return EMPTY
        return self.stone if self.mode is Mode.SETUP else self.position.to_move

    @property
    def last_move(self) -> int | None:
        """The cell of the stone that the node's turn put on the board, if there is one."""
        parent, turn = self.node.parent, self.node.turn
        if parent and turn and turn.move.kind is MoveKind.SWAP_PIECES:
            return None if parent.cell is None else self.board.mirror(parent.cell)
        return self.node.cell

    @property
    def next_node(self) -> Node | None:
        """The node that `forward` goes to, if there is one."""
        return self._after(self.node)

    @property
    def next_is_tried(self) -> bool:
        """Whether `forward` goes to a variation: a try, not the record's move."""
        following = self.next_node
        return following is not None and any(node.index for node in following.line())

    @property
    def next_cell(self) -> int | None:
        """The cell of the record's next move, if that is a stone."""
        return self.next_node.cell if self.next_node else None

    def line(self) -> list[Node]:
        """Return the nodes of the current line: back to the root and on to its end."""
        return [*self.node.line(), *self._onward()]

    def numbers(self) -> dict[int, int]:
        """Return the ply at which each stone on the board was played, by cell."""
        return move_numbers(self.node, self.board)

    # Navigation

    def go_to(self, node: Node) -> None:
        """Look at a node of the record."""
        self.node = node
        while node.parent:
            self._followed[node.parent] = node
            node = node.parent

    def forward(self, steps: int = 1) -> bool:
        """Walk on along the line; return whether the node changed."""
        ahead = list(islice(self._onward(), steps))
        if ahead:
            self.node = ahead[-1]
        return bool(ahead)

    def back(self, steps: int = 1) -> bool:
        """Walk back towards the root; return whether the node changed."""
        start = self.node
        for _ in range(steps):
            if self.node.parent:
                self._followed[self.node.parent] = self.node
                self.node = self.node.parent
        return self.node is not start

    def first(self) -> bool:
        """Go to the root; return whether the node changed."""
        return self.back(len(self.node.line()))

    def last(self) -> bool:
        """Go to the end of the line; return whether the node changed."""
        return self.forward(len(self.line()))

    def variation(self, step: int) -> bool:
        """Go to another variation (1, -1) of the nearest branch; False if there is none."""
        node = self.node
        while len(node.siblings) == 1 and node.parent:
            node = node.parent
        if len(node.siblings) == 1:
            return False
        self.go_to(node.siblings[(node.index + step) % len(node.siblings)])
        return True

    def _after(self, node: Node) -> Node | None:
        followed = self._followed.get(node)
        if followed in node.children:
            return followed
        return node.children[0] if node.children else None

    def _onward(self) -> Iterator[Node]:
        node = self._after(self.node)
        while node:
            yield node
            node = self._after(node)

    # Edits

    def play(self, cell: int) -> None:
        """Play a move: walk on if the record has it, else add it. Raises IllegalMoveError."""
        self.turn(Move.play(cell))

    def turn(self, move: Move) -> None:
        """Play a move of any kind. Raises IllegalMoveError."""
        self.go_to(self.record.play(self.node, move))

    def play_line(self, moves: Sequence[Move]) -> None:
        """Play moves of both sides in turn, as one edit. Raises IllegalMoveError."""
        self.go_to(self.record.play_line(self.node, moves))

    def swap(self) -> None:
        """Swap pieces, or sides on a board that is not square. Raises IllegalMoveError."""
        if self.record.swap_rule is SwapRule.NONE:
            raise IllegalMoveError("the rules of this game allow no swap")
        if not self.position.swap_legal:
            raise IllegalMoveError("a swap is possible only as the second move")
        self.turn(Move(self.position.swap_rule.move))

    def place(self, cell: int, stone: int) -> None:
        """Set a cell to a colour or EMPTY outside the turns."""
        self.go_to(self.record.set_up(self.node, self.position.with_stone(cell, stone)))

    def change_side(self) -> None:
        """Give the other side the move, outside the turns."""
        wanted = self.position.with_to_move(self.position.to_move.opponent)
        self.go_to(self.record.set_up(self.node, wanted))

    def undo(self) -> bool:
        """Undo the last edit and look at where it was; False if there is none."""
        edit = self.record.last_edit
        return self._look_at(self.record.undo(), edit)

    def redo(self) -> bool:
        """Redo the last undone edit and look at it; False if there is none."""
        return self._look_at(self.record.redo(), self.record.last_edit)

    def _look_at(self, node: Node | None, edit: Edit | None) -> bool:
        """Look at the node of an edit; stay where a review of the whole game was written."""
        if node is None:
            return False
        if edit is None or not edit.is_review:
            self.go_to(node)
        while not self.record.holds(self.node):
            assert self.node.parent is not None, "the root is always held"
            self.node = self.node.parent
        return True


def moves_in(scope: MoveScope, position: Position) -> int:
    """Return the number of first moves of a position that are considered."""
    return sum(scope.allows(cell, first=True) for cell in position.empties)


def scope_words(scope: MoveScope, position: Position) -> str:
    """Return which moves are considered, for a caption; '' if it is all.

    >>> from hextui.engine.board import Board
    >>> scope_words(MoveScope(region=frozenset(range(5))), Position.empty(Board(5, 5)))
    'only 5 cells: region'
    """
    if scope == ALL_MOVES:
        return ""
    reasons = []
    if scope.region is not None:
        reasons.append("region")
    if scope.first is not None:
        reasons.append("marks")
    return f"only {counted(moves_in(scope, position), 'cell')}: {', '.join(reasons)}"
