"""The list of the ways to train, and the settings of the next game."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label, Static

from hextui.text import Names
from hextui.train.play_settings import PlaySettings, player_name
from hextui.ui.parts import TrainEntry
from hextui.ui.screens.dialogs import Choice, FormDialog, ListDialog

_LABELS = {
    "opponent": ("Opponent", "1-9, or a player"),
    "size": ("Board size", "11, or 13x9"),
    "color": ("Your colour", "{black}, {white}, random"),
    "swap": ("Swap rule", "yes, no"),
    "clock": ("Clock", "10+5 (minutes + seconds)"),
    "hints": ("Hints", "yes, no"),
    "coach": ("Coach", "yes, no: says mistakes"),
}
"""What the dialog says before and behind each field."""
_OF_BOARD = ("size", "swap")
"""Fields without a choice where a game begins in the middle."""


class TrainScreen(ListDialog):
    """Asks how to train, by letter, Enter or a click; returns the letter.

    ``place``: that of the entry with the cursor.
    """

    def __init__(self, entries: Sequence[TrainEntry], place: int) -> None:
        rows = [Choice(e.key, f"{e.key}  {e.label}\n   {e.state}", e.key) for e in entries]
        super().__init__("Train", "A letter, Enter or a click chooses.", rows, place)


class PlayDialog(FormDialog[PlaySettings]):
    """Asks how the next game is played; ``plays_on``: from the position on the board."""

    ACCEPT = "Enter starts"
    CANCEL = "Tab: next line, Escape cancels"
    DEFAULT_CSS = """
    PlayDialog Horizontal { height: 1; align-horizontal: left; }
    PlayDialog Label { width: 12; }
    PlayDialog Input { width: 22; }
    PlayDialog .about { width: 1fr; color: $text-muted; padding-left: 1; }
    """

    def __init__(
        self, last: PlaySettings, names: Names, engines: Collection[str], *, plays_on: bool
    ) -> None:
        super().__init__("Play on from here" if plays_on else "Play against the program")
        self._last = last
        self._names = names
        self._engines = engines
        self._fields = [name for name in _LABELS if not (plays_on and name in _OF_BOARD)]

    def body(self) -> ComposeResult:
        texts = self._last.texts(self._names)
        for name in self._fields:
            label, about = _LABELS[name]
            with Horizontal():
                yield Label(label)
                yield Input(texts[name].removeprefix("level:"), id=name, compact=True)
                yield Static(self._names.fill(about).lower(), classes="about", markup=False)
        yield Static(classes="error", markup=False)

    def read(self) -> PlaySettings:
        texts = {name: self.query_one(f"#{name}", Input).value for name in self._fields}
        settings = PlaySettings.read({**self._last.texts(), **texts})
        return replace(settings, opponent=player_name(settings.opponent, self._engines))
