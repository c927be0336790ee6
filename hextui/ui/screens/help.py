"""The help: all keys and what they do, made from the actions and the user's keymap."""

from itertools import groupby
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType, Keymap
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from hextui.ui.keys import ACTIONS, CURSOR


class HelpScreen(ModalScreen[None]):
    """A list of keys by topic."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "dismiss", "Close", id="help.close"),
    ]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > VerticalScroll {
        width: 100;
        max-width: 100%;
        height: 90%;
        background: $surface;
        border: round $primary;
        border-title-style: bold;
        padding: 0 1;
    }
    """

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        """Make the list."""
        with VerticalScroll() as box:
            box.border_title = "Keys"
            box.border_subtitle = "on the right: names for the settings file; Escape closes"
            yield Static(self._table())

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column()
        table.add_column(no_wrap=True, style="dim")
        for topic, actions in groupby(CURSOR + ACTIONS, lambda action: action.topic):
            table.add_row(Text(topic, "bold underline"))
            for action in actions:
                keys = " ".join(action.keys_in(self._keymap))
                table.add_row(Text(keys, "bold"), Text(action.tooltip), Text(action.id))
            table.add_row()
        table.add_row(Text("click", "bold"), Text("Play or place; the right button only points"))
        table.add_row(Text("wheel", "bold"), Text("Next and previous ply"))
        table.add_row()
        table.add_row(
            Text("()", "bold"), Text("Black, shown red: joins top and bottom, moves first")
        )
        table.add_row(Text("<>", "bold"), Text("White, shown blue: joins left and right"))
        return table

    async def action_dismiss(self, result: None = None) -> None:
        """Close the help."""
        self.dismiss(None)
