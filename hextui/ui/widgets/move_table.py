"""A table of several columns whose rows are chosen."""

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import DataTable


class MoveTable(DataTable[Text]):
    """A table in which Enter and a double click choose a row, and a click points at it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """A row was chosen."""

        key: str

    def action_select_cursor(self) -> None:
        """Choose the row."""
        if self.selected is not None:
            self.post_message(self.Chosen(self.selected))

    def on_click(self, event: events.Click) -> None:
        """Choose the row by a second click; the first one has pointed at it."""
        if event.chain == 2 and event.style.meta.get("row", -1) >= 0:
            self.action_select_cursor()

    @property
    def selected(self) -> str | None:
        """The key of the row with the cursor."""
        rows = self.ordered_rows
        # the row of a table without rows is -1
        return rows[self.cursor_row].key.value if 0 <= self.cursor_row < len(rows) else None
