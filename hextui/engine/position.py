"""A position: stones and the side to move; play, swap, winner, keys, symmetries."""

import enum
from dataclasses import dataclass, field, replace
from functools import cached_property

from hextui.engine.board import EMPTY, Board, Color, Edge, edges_of
from hextui.engine.chains import chain_color


class IllegalMoveError(ValueError):
    """A move that the rules do not allow in this position; the message says which and why."""


class MoveKind(enum.StrEnum):
    """What a turn can be besides a stone on a cell."""

    PLAY = "play"
    SWAP_PIECES = "swap-pieces"
    SWAP_SIDES = "swap-sides"
    PASS = "pass"
    RESIGN = "resign"


SWAPS = (MoveKind.SWAP_PIECES, MoveKind.SWAP_SIDES)
_WORDS = {str(kind): kind for kind in MoveKind if kind is not MoveKind.PLAY}


class SwapRule(enum.StrEnum):
    """What the side that makes the second move may do instead of placing a stone.

    PIECES: the stone changes colour and is reflected in the long diagonal, which takes a square
    board. SIDES: the players exchange colours, the stone stays.
    """

    NONE = "none"
    PIECES = "pieces"
    SIDES = "sides"

    @staticmethod
    def usual(board: Board) -> "SwapRule":
        """Return the rule of a game that states none: PIECES, or SIDES if it is not square."""
        return SwapRule.PIECES if board.rows == board.columns else SwapRule.SIDES

    @property
    def move(self) -> MoveKind:
        """The move that swaps; raises ValueError where nobody may swap."""
        if self is SwapRule.NONE:
            raise ValueError("nobody may swap")
        return MoveKind.SWAP_PIECES if self is SwapRule.PIECES else MoveKind.SWAP_SIDES


@dataclass(frozen=True)
class Move:
    """One turn: a stone on ``cell`` (kind PLAY), or one of the moves without a cell."""

    kind: MoveKind
    cell: int = -1

    @staticmethod
    def play(cell: int) -> "Move":
        """Return the move that puts a stone on ``cell``."""
        return Move(MoveKind.PLAY, cell)

    @staticmethod
    def parse(text: str, board: Board) -> "Move":
        """Read ``c4``, ``swap-pieces``, ``swap-sides``, ``pass`` or ``resign``, else ValueError."""
        word = text.strip().lower()
        kind = _WORDS.get(word)
        return Move(kind) if kind else Move(MoveKind.PLAY, board.cell(word))

    def name(self, board: Board) -> str:
        """Return the text that ``parse`` reads."""
        return board.name(self.cell) if self.kind is MoveKind.PLAY else str(self.kind)


@dataclass(frozen=True)
class Groups:
    """The groups of both colours in one position.

    ``captain[cell]`` is the first cell, in row order, of the group that the cell's stone
    belongs to, -1 for an empty cell; ``edges[captain]`` are the own sides the group touches.
    """

    captain: tuple[int, ...]
    edges: dict[int, frozenset[Edge]]


@dataclass(frozen=True)
class Position:
    """Stones on a board, the side to move, and the swap rule as long as somebody may swap.

    ``stones`` holds one byte a cell: 0 empty, 1 black, 2 white. ``swap_rule`` holds on the empty
    board and for the answer to the first stone; a position that is set up has none. Positions are
    immutable and hashable; equal positions compare equal and have equal ``key``. ``previous``: the
    position before and the move that led here; no result depends on it.

    >>> position = Position.empty(Board(3, 3)).play(4).play(2)
    >>> print(position)
    . . W
     . B .
      . . .
    >>> position.to_move
    <Color.BLACK: 1>
    >>> position
    Position.parse('..W/.B./...', 'black')
    >>> after = position.play("a1")
    >>> after.legal_moves
    ('b1', 'a2', 'c2', 'a3', 'b3', 'c3')
    >>> after.moves, after.parent == position
    (('b2', 'c1', 'a1'), True)
    """

    board: Board
    stones: bytes
    to_move: Color = Color.BLACK
    swap_rule: SwapRule = SwapRule.NONE
    previous: "tuple[Position, Move] | None" = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.stones) != self.board.cells:
            raise ValueError(f"{len(self.stones)} cells given for a {self.board} board")
        if self.stones.translate(None, b"\0\1\2"):
            raise ValueError("a cell is 0, 1 or 2: empty, black or white")
        if type(self.to_move) is not Color:
            raise ValueError(f"a colour is Color.BLACK or Color.WHITE, not {self.to_move!r}")
        if self.swap_rule is SwapRule.NONE:
            return
        if self.board.cells - self.stones.count(EMPTY) > 1:
            raise ValueError("a swap is possible only as the answer to the first stone")
        if self.swap_rule is SwapRule.PIECES and self.board.rows != self.board.columns:
            raise ValueError(f"swap-pieces needs a square board, not {self.board}")

    @staticmethod
    def empty(
        board: Board, to_move: Color = Color.BLACK, swap_rule: SwapRule | None = None
    ) -> "Position":
        """Return the board without stones; the swap rule is by default the usual one."""
        rule = SwapRule.usual(board) if swap_rule is None else swap_rule
        return Position(board, bytes(board.cells), to_move, rule)

    @staticmethod
    def parse(
        diagram: str,
        to_move: Color | str | None = None,
        *,
        swap_rule: SwapRule | str = SwapRule.NONE,
    ) -> "Position":
        """Read what ``str`` and ``repr`` of a position write: rows of ``B W .``.

        Rows end with a line or a ``/``; blanks do not count. Without ``to_move`` it is Black's
        turn if White has as many stones or more. Raises ValueError for anything else.

        >>> print(Position.parse("B.W / .B. / ..."))
        B . W
         . B .
          . . .
        """
        rows = _rows_of(diagram)
        marks = "".join(rows)
        board = Board(len(rows), len(rows[0]) if rows else 0)
        if to_move is None:
            to_move = Color.BLACK if marks.count("B") <= marks.count("W") else Color.WHITE
        elif isinstance(to_move, str):
            to_move = Color.parse(to_move)
        return Position(board, bytes(map(_MARKS.index, marks)), to_move, SwapRule(swap_rule))

    @cached_property
    def key(self) -> bytes:
        """Bytes that are equal exactly for equal positions."""
        rule = list(SwapRule).index(self.swap_rule)
        head = (self.board.rows, self.board.columns, self.to_move, rule)
        return bytes(head) + self.stones

    @cached_property
    def empties(self) -> tuple[int, ...]:
        """The empty cells in row order."""
        return tuple(cell for cell, stone in enumerate(self.stones) if stone == EMPTY)

    @property
    def parent(self) -> "Position | None":
        """The position before the last move; None where the play began."""
        return None if self.previous is None else self.previous[0]

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that led here from where the play began, as ``Move.parse`` reads them."""
        names = []
        position = self
        while position.previous is not None:
            position, move = position.previous
            names.append(move.name(position.board))
        return tuple(reversed(names))

    @cached_property
    def legal_moves(self) -> tuple[str, ...]:
        """The names of the cells where a stone may be put, in row order; none after a win."""
        if self.winner is not None:
            return ()
        return tuple(map(self.board.name, self.empties))

    @cached_property
    def groups(self) -> Groups:
        """The groups of both colours with the sides they touch."""
        captain = [-1] * self.board.cells
        edges: dict[int, frozenset[Edge]] = {}
        for first, stone in enumerate(self.stones):
            if stone == EMPTY or captain[first] >= 0:
                continue
            captain[first] = first
            members = [first]
            for cell in members:
                for near in self.board.neighbours[cell]:
                    if captain[near] < 0 and self.stones[near] == stone:
                        captain[near] = first
                        members.append(near)
            own = edges_of(Color(stone))
            cells = set(members)
            sides = self.board.edge_cells
            edges[first] = frozenset(edge for edge in own if not cells.isdisjoint(sides[edge]))
        return Groups(tuple(captain), edges)

    @cached_property
    def winner(self) -> Color | None:
        """The colour with a group that touches both its sides, if any."""
        return chain_color(self.board, self.stones)

    @property
    def winning_chain(self) -> tuple[int, ...]:
        """The cells of a shortest chain between the winner's sides, in order; () before a win."""
        winner = self.winner
        if winner is None:
            return ()
        first, last = (self.board.edge_cells[edge] for edge in edges_of(winner))
        before = self._reached_from(first, winner)
        cell = next(reached for reached in before if reached in last)
        chain = [cell]
        while before[cell] != cell:
            cell = before[cell]
            chain.append(cell)
        return tuple(reversed(chain))

    def _reached_from(self, starts: tuple[int, ...], color: Color) -> dict[int, int]:
        """Return the stones that chains from some cells reach, the nearest first.

        Each has the stone before it in its chain, a start has itself.
        """
        before = {cell: cell for cell in starts if self.stones[cell] == color}
        waiting = list(before)
        for cell in waiting:
            for near in self.board.neighbours[cell]:
                if self.stones[near] == color and near not in before:
                    before[near] = cell
                    waiting.append(near)
        return before

    @property
    def swap_legal(self) -> bool:
        """Whether the side to move may swap instead of placing a stone."""
        return self.swap_rule is not SwapRule.NONE and any(self.stones)

    @property
    def first_stone_swappable(self) -> bool:
        """Whether the side to move places the first stone, and the other side may swap then."""
        return self.swap_rule is not SwapRule.NONE and not any(self.stones)

    @property
    def _rule_handed_down(self) -> SwapRule:
        """The swap rule after the next turn: none once the first stone could have been answered."""
        return self.swap_rule if self.first_stone_swappable else SwapRule.NONE

    @property
    def without_swap(self) -> "Position":
        """This position where nobody may swap, as solver and search see it."""
        return Position(self.board, self.stones, self.to_move)

    def __getitem__(self, name: str) -> Color | None:
        """Return the colour of the stone on a cell, by the cell's name; None if it is empty.

        Raises ValueError for a name that no cell has.

        >>> Position.parse("B.W/.B./...")["c1"]
        <Color.WHITE: 2>
        """
        if not isinstance(name, str):
            raise TypeError(f"expected a cell such as 'c4', not {name!r:.60}")
        stone = self.stones[self.board.cell(name)]
        return Color(stone) if stone else None

    def play(self, cell: int | str) -> "Position":
        """Return the position after the side to move puts a stone on a cell, or a cell's name.

        Raises IllegalMoveError if the cell is taken or not on the board, ValueError for a name
        that no cell has. Play on after a finished chain is allowed: real records hold such moves.
        """
        if isinstance(cell, str):
            cell = self.board.cell(cell)
        if not 0 <= cell < self.board.cells:
            raise IllegalMoveError(f"cell {cell} is not on the {self.board} board")
        if self.stones[cell] != EMPTY:
            raise IllegalMoveError(f"{self.board.name(cell)} is taken")
        stones = self.stones[:cell] + _STONE[self.to_move] + self.stones[cell + 1 :]
        previous = (self, Move.play(cell))
        return Position(
            board=self.board,
            stones=stones,
            to_move=self.to_move.opponent,
            swap_rule=self._rule_handed_down,
            previous=previous,
        )

    def with_stone(self, cell: int, stone: int) -> "Position":
        """Return the position with ``cell`` set to a colour or to EMPTY (no turn is used)."""
        stones = self.stones[:cell] + bytes((stone,)) + self.stones[cell + 1 :]
        return Position(self.board, stones, self.to_move)

    def with_to_move(self, color: Color) -> "Position":
        """Return the same stones with ``color`` to move."""
        if color is self.to_move:
            return self
        return Position(self.board, self.stones, color, self._rule_handed_down)

    def pass_turn(self) -> "Position":
        """Return the position after a pass."""
        return self.with_to_move(self.to_move.opponent)

    def swap_pieces(self) -> "Position":
        """Return the position after swap-pieces: stones change colour and are reflected.

        Raises IllegalMoveError on a board that is not square.
        """
        if self.board.rows != self.board.columns:
            raise IllegalMoveError(f"swap-pieces needs a square board, not {self.board}")
        return Position(
            self.board, mirrored_stones(self.stones, self.board.columns), self.to_move.opponent
        )

    def apply(self, move: Move) -> "Position":
        """Return the position after ``move``; raises IllegalMoveError where `play` does."""
        match move.kind:
            case MoveKind.PLAY:
                return self.play(move.cell)
            case MoveKind.SWAP_PIECES:
                after = self.swap_pieces()
            case MoveKind.SWAP_SIDES:  # the players change, stones and turn stay
                after = Position(self.board, self.stones, self.to_move)
            case MoveKind.PASS:
                after = self.pass_turn()
            case MoveKind.RESIGN:
                after = self
        return replace(after, previous=(self, move))

    def rotated(self) -> "Position":
        """Return the position turned by 180 degrees: the same game, colours kept."""
        return Position(self.board, self.stones[::-1], self.to_move, self.swap_rule)

    def mirrored(self) -> "Position":
        """Return the mirror image in the long diagonal with colours exchanged: the same game."""
        return Position(
            self.board.transposed,
            mirrored_stones(self.stones, self.board.columns),
            self.to_move.opponent,
            self.swap_rule,
        )

    def __str__(self) -> str:
        return "\n".join(" " * row + " ".join(marks) for row, marks in enumerate(self._rows()))

    def __repr__(self) -> str:
        rule = self.swap_rule
        swap = "" if rule is SwapRule.NONE else f", swap_rule={str(rule)!r}"
        return f"Position.parse({'/'.join(self._rows())!r}, {str(self.to_move)!r}{swap})"

    def _rows(self) -> list[str]:
        columns = self.board.columns
        marks = "".join(map(_MARKS.__getitem__, self.stones))
        return [marks[start : start + columns] for start in range(0, len(marks), columns)]


_MARKS = ".BW"
_STONE = (b"\0", b"\1", b"\2")
_EXCHANGED = bytes((EMPTY, Color.WHITE, Color.BLACK)) + bytes(253)


def _rows_of(diagram: str) -> list[str]:
    """Return the rows of marks in a diagram; raises ValueError unless they make a rectangle."""
    rows = ["".join(row.split()).upper() for row in diagram.replace("/", "\n").splitlines()]
    rows = [row for row in rows if row]
    for mark in "".join(rows):
        if mark not in _MARKS:
            raise ValueError(f"a diagram has the marks B, W and ., not {mark!r}")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise ValueError(f"row 1 has {len(rows[0])} cells, row {number} has {len(row)}")
    return rows


def mirrored_stones(stones: bytes, columns: int) -> bytes:
    """Return stones, a byte a cell, reflected in the long diagonal, colours exchanged."""
    return b"".join(stones[column::columns] for column in range(columns)).translate(_EXCHANGED)
