"""Editing the record: its edits taken back, its variations, and setup mode."""

from hextui.ui.drawing.board_view import Mode
from hextui.ui.main.desk import Desk


class Editing:
    """Changes the record in other ways than by moves."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def undo(self) -> None:
        """Take the last edit back."""
        if not self._desk.session.undo():
            self._desk.complain("Nothing to undo")
        self._desk.show()

    def redo(self) -> None:
        """Make the last undone edit again."""
        if not self._desk.session.redo():
            self._desk.complain("Nothing to redo")
        self._desk.show()

    def promote(self) -> None:
        """Move the variation looked at one place up."""
        session = self._desk.session
        session.record.promote(session.node)
        self._desk.show()

    def main_line(self) -> None:
        """Make the line up to the node looked at the main line."""
        session = self._desk.session
        session.record.make_main(session.node)
        self._desk.show()

    def delete(self) -> None:
        """Remove the node looked at and all that follows it."""
        session = self._desk.session
        if session.node.parent is None:
            self._desk.complain("The start of a record cannot be deleted")
        else:
            session.go_to(session.record.delete(session.node))
            self._desk.show()

    def toggle_setup(self) -> None:
        """Go to setup mode or back to playing."""
        session = self._desk.session
        session.mode = Mode.PLAY if session.mode is Mode.SETUP else Mode.SETUP
        self._desk.show()

    def change_side(self) -> None:
        """Give the other side the move."""
        self._desk.session.change_side()
        self._desk.show()
