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

_ROOMY = 70  # columns in which the names of the actions have room
_NARROW = 10  # columns of the keys where there is less room
_MOUSE = (
    ("click", "Play or place; the right button only points"),
    ("wheel", "Next and previous ply"),
)
_MARKS = (
    ("()", "Black, shown red: joins top and bottom, moves first"),
    ("<>", "White, shown blue: joins left and right"),
    ("[] {}", "The cursor, when playing and in setup mode"),
    ("::", "The must-play region"),
    ("++ ** @@", "A connection's carrier and ends, and the key of a semi connection"),
    ("#1 #2", "The moves of a line"),
    ("xx cR cB", "Dead cells, and those captured by Red and by Blue"),
    ("vu dm", "Vulnerable and dominated cells"),
)


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
            box.border_subtitle = (
                "on the right: names for the settings file; [@click=screen.dismiss]Escape closes[/]"
            )
            yield Static()

    def on_resize(self) -> None:
        """Show the list in the room there is."""
        self.query_one(Static).update(self._table(roomy=self.size.width >= _ROOMY))

    def _table(self, roomy: bool) -> Table:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=roomy, max_width=None if roomy else _NARROW)
        table.add_column()
        if roomy:
            table.add_column(no_wrap=True, style="dim")
        for topic, actions in groupby(CURSOR + ACTIONS, lambda action: action.topic):
            table.add_row(Text(topic, "bold underline"))
            for action in actions:
                keys = " ".join(action.keys_in(self._keymap))
                cells = (Text(keys, "bold"), Text(action.tooltip), Text(action.id))
                table.add_row(*cells[: len(table.columns)])
            table.add_row()
        for topic, rows in (("Mouse", _MOUSE), ("Marks on the board", _MARKS)):
            table.add_row(Text(topic, "bold underline"))
            for sign, meaning in rows:
                table.add_row(Text(sign, "bold"), Text(meaning))
            table.add_row()
        return table

    async def action_dismiss(self, result: None = None) -> None:
        """Close the help."""
        self.dismiss(None)
