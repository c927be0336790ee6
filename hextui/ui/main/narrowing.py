"""Choosing which moves searches think of: a region, moves to allow, moves to avoid."""

from hextui.ui.drawing.board_view import Mode
from hextui.ui.main.desk import Desk
from hextui.ui.thought_of import Thought


class Narrowing:
    """Marks cells of the board, in a mode of its own; the marks count in every mode."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def toggle_mode(self) -> None:
        """Go to the mode in which cells are marked, or back to playing."""
        session = self._desk.session
        session.mode = Mode.PLAY if session.mode is Mode.REGION else Mode.REGION
        self._desk.show()

    def mark(self, what: Thought) -> None:
        """Mark the cell at the cursor, or take its mark away, and choose the mark for Enter."""
        session = self._desk.session
        session.thought_of.brush = what
        session.thought_of.turn(session.position, session.cursor)
        self._desk.show()

    def box(self) -> None:
        """Mark the rectangle from the last marked cell to the cursor."""
        session = self._desk.session
        if session.thought_of.box(session.position, session.cursor):
            self._desk.show()
        else:
            self._desk.complain("No corner yet: mark a cell, then go to the opposite corner")

    def drag(self, cell: int) -> None:
        """Take the mouse from the cell that was clicked to another one: mark the rectangle."""
        if self._desk.session.mode is Mode.REGION:
            self._desk.session.cursor = cell
            self.box()

    def all_moves(self) -> None:
        """Have all moves thought of again."""
        if self._desk.session.thought_of.clear():
            self._desk.tell("All moves are thought of again", 3)
            self._desk.show()
        else:
            self._desk.complain("All moves are thought of: J marks a region")
