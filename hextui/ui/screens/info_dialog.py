"""The dialog of what is known about a game: a line a field."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, Label, Static

from hextui.records.errors import RecordError
from hextui.records.game_info import FIELDS, read_info
from hextui.ui.screens.dialogs import Dialog
from hextui.words.names import Names


class GameInfoDialog(Dialog[dict[str, str]]):
    """Asks for the fields of a game; returns all texts by their fields' names."""

    ACCEPT = "Enter accepts"
    CANCEL = "Tab: next line, Escape cancels"
    DEFAULT_CSS: ClassVar[str] = """
    GameInfoDialog VerticalScroll { max-height: 16; }
    GameInfoDialog Horizontal { height: 1; align-horizontal: left; }
    GameInfoDialog Label { width: 15; }
    GameInfoDialog Input { width: 1fr; }
    """

    def __init__(self, known: Mapping[str, str], names: Names = Names.RED_BLUE) -> None:
        super().__init__("Game information")
        self._known = known
        self._names = names

    def compose(self) -> ComposeResult:
        """Make the box: a label and an input for each field, and a place for what is wrong."""
        with Vertical() as box:
            self.frame(box)
            with VerticalScroll(can_focus=False):
                for field in FIELDS:
                    with Horizontal():
                        yield Label(field.label_in(self._names), markup=False)
                        yield Input(self._known[field.name], id=field.name, compact=True)
            yield Static(classes="error", markup=False)

    @on(Input.Submitted)
    def action_accept(self) -> None:
        """Close the dialog with the texts, or say what is wrong with one."""
        texts = {field.name: self.query_one(f"#{field.name}", Input).value for field in FIELDS}
        try:
            read_info(self._known, texts, self._names)
        except RecordError as error:
            self.query_one(".error", Static).update(str(error))
        else:
            self.dismiss(texts)
