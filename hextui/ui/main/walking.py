"""Walking through a record."""

from hextui.records.tree import Node
from hextui.ui.main.desk import Desk


class Walking:
    """Goes to other nodes of the record, and moves the cursor."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def walk(self, steps: int) -> None:
        """Go plies on or back."""
        session = self._desk.session
        if session.forward(steps) if steps > 0 else session.back(-steps):
            self._desk.show()

    def first(self) -> None:
        """Go to the start of the record."""
        self._desk.session.first()
        self._desk.show()

    def last(self) -> None:
        """Go to the end of the line."""
        self._desk.session.last()
        self._desk.show()

    def variation(self, step: int) -> None:
        """Go to another variation."""
        if self._desk.session.variation(step):
            self._desk.show()
        else:
            self._desk.complain("No variations up to here")

    def go_to(self, node: Node) -> None:
        """Look at a node of the record, if it is still there: it was chosen in a panel."""
        if self._desk.session.record.holds(node):
            self._desk.session.go_to(node)
            self._desk.show()

    def point(self, cell: int) -> None:
        """Move the cursor to a cell."""
        self._desk.session.cursor = cell
        self._desk.show_cursor()
