"""Tic-tac-toe, a game for `best_move` that can end in a draw."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

SIDE = 3


@dataclass(frozen=True)
class TicTacToe:
    """A board of 3 x 3 cells in row order, and the player to move: 0 is X, 1 is O.

    ``cells`` holds an ``X``, ``O`` or ``.`` for each cell.

    >>> TicTacToe.parse("X.O/.X./..O").play(3)
    TicTacToe(cells='X.OXX...O', to_move=1)
    """

    cells: str
    to_move: int = 0

    MARKS: ClassVar[str] = "XO"
    LINES: ClassVar[tuple[tuple[int, int, int], ...]] = (
        *((r, r + 1, r + 2) for r in (0, 3, 6)),
        *((c, c + 3, c + 6) for c in (0, 1, 2)),
        (0, 4, 8),
        (2, 4, 6),
    )

    @staticmethod
    def parse(text: str) -> "TicTacToe":
        """Read three rows with ``/`` between them; X begins, so the marks tell who is to move.

        Raises ValueError for text of another form, and for boards no game reaches.
        """
        rows = text.strip().upper().split("/")
        if [len(row) for row in rows] != [SIDE] * SIDE or not set("".join(rows)) <= set("XO."):
            raise ValueError(f"not three rows of three cells X, O or '.': {text!r}")
        cells = "".join(rows)
        ahead = cells.count("X") - cells.count("O")
        if ahead not in (0, 1):
            raise ValueError(f"X begins and O follows, so {text!r} has wrong numbers of marks")
        game = TicTacToe(cells, ahead)
        if game._has_line(game.to_move):
            raise ValueError(f"in {text!r} the game went on after a line was complete")
        return game

    @cached_property
    def winner(self) -> int | None:
        """The player with three marks in a line, if any."""
        return next((player for player in (0, 1) if self._has_line(player)), None)

    def _has_line(self, player: int) -> bool:
        mark = self.MARKS[player]
        return any(all(self.cells[cell] == mark for cell in line) for line in self.LINES)

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty cells in row order; none when the game is over."""
        if self.winner is not None:
            return ()
        return tuple(cell for cell, mark in enumerate(self.cells) if mark == ".")

    def play(self, move: int) -> "TicTacToe":
        """Return the state after the player to move marks a cell; it must be empty."""
        mark = self.MARKS[self.to_move]
        cells = self.cells[:move] + mark + self.cells[move + 1 :]
        return TicTacToe(cells, 1 - self.to_move)

    def move_name(self, move: int) -> str:
        """Return the cell's name as on a Hex board: column letter, row number, a1 top-left."""
        row, column = divmod(move, SIDE)
        return f"{'abc'[column]}{row + 1}"

    def player_name(self, player: int) -> str:
        """Return ``X`` or ``O``."""
        return self.MARKS[player]

    def __str__(self) -> str:
        rows = (self.cells[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE))
        lines = (f"{number} {' '.join(row)}" for number, row in enumerate(rows, start=1))
        return "\n".join(["  a b c", *lines])
