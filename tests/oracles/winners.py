"""Who wins a tiny position, by looking at every line of play, on sets of cells as ints."""

from hextui.engine.board import EMPTY, Board, Color, edges_of
from hextui.engine.position import Position


class Exhaustive:
    """Solves positions of one board; what it solved it remembers."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._near = [sum(1 << n for n in cells) for cells in board.neighbours]
        self._edges = {
            color: [sum(1 << c for c in board.edge_cells[edge]) for edge in edges_of(color)]
            for color in Color
        }
        middle = sorted(range(board.cells), key=self._from_middle)
        self._tried = [1 << cell for cell in middle]  # where most wins are: these are found sooner
        self._known: dict[tuple[int, int, int], bool] = {}
        self._joins: dict[tuple[Color, int], bool] = {}

    def _from_middle(self, cell: int) -> int:
        row, column = divmod(cell, self.board.columns)
        return abs(2 * row - self.board.rows + 1) + abs(2 * column - self.board.columns + 1)

    def winner(self, position: Position) -> Color:
        stones = position.stones
        own, other = (
            sum(1 << c for c, s in enumerate(stones) if s == color)
            for color in (position.to_move, position.to_move.opponent)
        )
        if self._joined(position.to_move, own):
            return position.to_move
        if self._joined(position.to_move.opponent, other):
            return position.to_move.opponent
        wins = self._mover_wins(position.to_move, own, other)
        return position.to_move if wins else position.to_move.opponent

    def winning_moves(self, position: Position) -> set[int]:
        return {
            cell
            for cell in position.empties
            if self.winner(position.play(cell)) is position.to_move
        }

    def carrier_holds(self, position: Position, winner: Color, carrier: frozenset[int]) -> bool:
        """Return whether the winner still wins with only the carrier left to play for."""
        for cell in position.empties:
            if cell not in carrier:
                position = position.with_stone(cell, winner.opponent)
        return carrier <= set(position.empties) and self.winner(position) is winner

    def _joined(self, color: Color, own: int) -> bool:
        """One colour has few sets of cells, each with many of the other's: they are remembered."""
        if (color, own) not in self._joins:
            self._joins[color, own] = self._are_joined(color, own)
        return self._joins[color, own]

    def _are_joined(self, color: Color, own: int) -> bool:
        first, last = self._edges[color]
        reached = fresh = first & own
        while fresh:
            low = fresh & -fresh
            new = self._near[low.bit_length() - 1] & own & ~reached
            reached |= new
            fresh = (fresh ^ low) | new
        return bool(reached & last)

    def _mover_wins(self, mover: Color, own: int, other: int) -> bool:
        """Neither has joined its sides yet."""
        key = (mover, own, other)
        if key not in self._known:
            taken = own | other
            # with no cell left somebody has joined, so the opponent's turn has a cell
            self._known[key] = any(
                self._joined(mover, own | cell)
                or not self._mover_wins(mover.opponent, other, own | cell)
                for cell in self._tried
                if not cell & taken
            )
        return self._known[key]


def colouring(board: Board, number: int, to_move: Color) -> Position:
    """Return the position whose cells are the ternary digits of a number."""
    stones = bytearray(board.cells)
    for cell in range(board.cells):
        number, stones[cell] = divmod(number, 3)
    assert EMPTY == 0
    return Position(board, bytes(stones), to_move)
