"""The stones that an engine has on its board, and the commands that bring it to a position.

Nothing is swapped there: an engine gets the stones as they lie, each as a move of its colour.
"""

from collections.abc import Iterator

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Position
from hextui.engines.attached.configured import Dialect
from hextui.engines.attached.conversation import Conversation
from hextui.engines.attached.vertices import vertex

MOST_UNDONE = 8
"""What takes more undoing is played again from the empty board."""
SIZE_SECONDS = 60.0
"""A new size of the board may load a network."""


class PlacedStones:
    """What an engine's board holds, in the order in which it was played."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._board: Board | None = None
        self._played: list[tuple[Color, int]] = []

    def bring(self, talk: Conversation, position: Position) -> None:
        """Bring an engine to a position; raises RefusedError and EngineGoneError."""
        commands = list(self._commands(position))
        self._board = None  # unknown, until all is done
        for command in commands:
            talk.ask(command, SIZE_SECONDS)
        self._board = position.board

    def _commands(self, position: Position) -> Iterator[str]:
        board = position.board
        wanted = {
            cell: Color(stone) for cell, stone in enumerate(position.stones) if stone != EMPTY
        }
        if self._board != board:
            yield f"boardsize {board.columns} {board.rows}"
        kept = 0
        for color, cell in self._played:
            if wanted.get(cell) is not color:
                break
            kept += 1
        undone = len(self._played) - kept
        if self._board != board or undone > MOST_UNDONE:
            yield "clear_board"
            self._played = []
        elif undone:
            yield from ["undo"] * undone
            del self._played[kept:]
        there = {cell for _, cell in self._played}
        for cell, color in wanted.items():
            if cell not in there:
                self._played.append((color, cell))
                yield f"play {color} {vertex(self._dialect, board, cell)}"
