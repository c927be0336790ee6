"""A game of moves in turn without a node for each of them, which most records are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind
from hextui.records.tree import Node, Properties, Turn

LEAST_NUMBER = -4
"""The least number of a move; cells count from 0."""
SWAP_PIECES, SWAP_SIDES, RESIGN, FORFEIT = range(LEAST_NUMBER, 0)
"""The numbers of moves without a cell."""
SWAP_NUMBERS = (SWAP_PIECES, SWAP_SIDES)
_OTHER_WORDS = {
    "swap": SWAP_PIECES,
    "swap-pieces": SWAP_PIECES,
    "swap-sides": SWAP_SIDES,
    "resign": RESIGN,
    "forfeit": FORFEIT,
}


@dataclass(frozen=True, slots=True)
class MoveLine:
    """Moves of both sides in turn from the empty board, Black first, all of them possible.

    ``cells`` are those of the stones, in order. ``swap``: the kind of the second move if it is a
    swap. ``end`` is a resignation after the other moves. ``properties`` are those of the nodes that
    have any, by ply; ply 0 is the root.
    """

    board: Board
    cells: tuple[int, ...]
    swap: MoveKind | None
    end: Turn | None
    properties: Mapping[int, Properties]

    @property
    def moves(self) -> int:
        """The number of moves, a swap included, a resignation not."""
        return len(self.cells) if self.swap is None else len(self.cells) + 1

    @property
    def plies(self) -> int:
        """The number of turns."""
        return self.moves if self.end is None else self.moves + 1

    @property
    def numbers(self) -> list[int]:
        """The moves and the resignation as numbers, which `line_of_numbers` takes."""
        numbers = list(self.cells)
        if self.swap is not None:
            numbers.insert(1, _OTHER_WORDS[self.swap])
        if self.end is not None:
            numbers.append(FORFEIT if self.end.forfeit else RESIGN)
        return numbers

    @property
    def ends_in_turn(self) -> bool:
        """Whether nobody resigned, or who was to move."""
        return self.end is None or self.end.color is _to_move(len(self.cells), self.swap)

    @property
    def colors(self) -> tuple[Color, ...]:
        """The colours of the stones, as they are put on the board."""
        return _colors(len(self.cells), self.swap is MoveKind.SWAP_PIECES)

    def stones(self, moves: int) -> bytes:
        """Return the stones after so many moves, a byte a cell."""
        stones = bytearray(self.board.cells)
        swapped = self.swap is not None and moves > 1
        placed = list(zip(self.colors, self.cells, strict=True))
        del placed[moves - 1 if swapped else moves :]
        if swapped and self.swap is MoveKind.SWAP_PIECES:
            placed[0] = (Color.WHITE, self.board.mirror(self.cells[0]))
        for color, cell in placed:
            stones[cell] = color
        return bytes(stones)

    @property
    def turns(self) -> list[Turn]:
        """All turns in order."""
        named = zip(self.colors, map(self.board.name, self.cells), strict=True)
        turns = [Turn.parse(color, name, self.board) for color, name in named]
        if self.swap is not None:
            turns.insert(1, Turn(Color.WHITE, Move(self.swap)))
        if self.end is not None:
            turns.append(self.end)
        return turns

    def nodes(self) -> Node:
        """Return the root of a tree of nodes with these turns and properties."""
        root = node = Node(properties=self.properties.get(0))
        for ply, turn in enumerate(self.turns, start=1):
            child = Node(node, turn, properties=self.properties.get(ply))
            node.children.append(child)
            node = child
        return root


def move_line(
    board: Board,
    words: Sequence[str],
    properties: Mapping[int, Properties],
    resigner: Color | None = None,
) -> MoveLine | None:
    """Return the line of moves with these names, None for any other line.

    ``swap`` means swap-pieces. ``resigner`` is the side to move unless it is given.
    """
    numbers = _numbers(board)
    try:
        moves = [numbers[word] for word in words]
    except KeyError:
        return None
    return line_of_numbers(board, moves, properties, resigner)


def line_of_numbers(
    board: Board,
    moves: list[int],
    properties: Mapping[int, Properties],
    resigner: Color | None = None,
) -> MoveLine | None:
    """Return the line of moves given as cells and negative numbers, None for any other line.

    See ``MoveLine.numbers``; the list is taken apart. ``resigner``: see `move_line`.
    """
    resignation = moves.pop() if moves and moves[-1] in (RESIGN, FORFEIT) else None
    swap = _swap(board, moves[1]) if len(moves) > 1 else None
    if swap is not None:
        del moves[1]
    if not _all_fit(board, moves, swap):
        return None
    end = None
    if resignation is not None:
        color = resigner or _to_move(len(moves), swap)
        end = Turn(color, Move(MoveKind.RESIGN), forfeit=resignation == FORFEIT)
    return MoveLine(board=board, cells=tuple(moves), swap=swap, end=end, properties=properties)


def _to_move(stones: int, swap: MoveKind | None) -> Color:
    """Return who moves after so many stones; Black twice if the first one was reflected."""
    odd = stones % 2 == 1
    if swap is MoveKind.SWAP_PIECES:
        odd = not odd
    return Color.WHITE if odd else Color.BLACK


def _swap(board: Board, number: int) -> MoveKind | None:
    """Return the swap that a second move is, None if it is none."""
    if number == SWAP_PIECES and board.rows == board.columns:
        return MoveKind.SWAP_PIECES
    return MoveKind.SWAP_SIDES if number == SWAP_SIDES else None


def _all_fit(board: Board, cells: Sequence[int], swap: MoveKind | None) -> bool:
    """Whether there are cells, each empty when its stone comes."""
    if not cells or min(cells) < 0:
        return False
    taken = set(cells[1:])
    first = board.mirror(cells[0]) if swap is MoveKind.SWAP_PIECES else cells[0]
    return first not in taken and len(taken) == len(cells) - 1


@cache
def _colors(stones: int, reflected: bool) -> tuple[Color, ...]:
    """Return the colours of so many stones; Black moves again after the first was reflected."""
    if reflected:
        return (Color.BLACK, *_colors(stones - 1, False))
    return (Color.BLACK, Color.WHITE) * (stones // 2) + (Color.BLACK,) * (stones % 2)


@cache
def _numbers(board: Board) -> dict[str, int]:
    """Return the cells of a board by their names, small or in capitals, and other words."""
    names = {board.name(cell): cell for cell in range(board.cells)}
    capitals = {name.upper(): cell for name, cell in names.items()}
    return names | capitals | _OTHER_WORDS
