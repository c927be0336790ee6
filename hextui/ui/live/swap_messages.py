"""What the screen is told about the swap map: which one is wanted, and what has come of it."""

from dataclasses import dataclass

from textual.message import Message

from hextui.engine.board import Board
from hextui.ui.drawing.swap_map import SwapMap


@dataclass
class SwapMapWanted(Message):
    """The board whose swap map is looked at from now on, None for none."""

    board: Board | None


@dataclass
class SwapMapCame(Message):
    """More of a swap map is known; the newest message replaces older ones of the same board."""

    known: SwapMap

    def can_replace(self, message: Message) -> bool:
        """Only the newest map of a board is of interest."""
        return isinstance(message, SwapMapCame) and message.known.board == self.known.board
