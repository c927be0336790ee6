"""The dialog that lists what can be shown on the board."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hextui.ui.drawing.overlays import Overlay, Shown, overlay_name
from hextui.ui.screens.dialogs import Dialog
from hextui.ui.screens.evaluators import NameList


@dataclass(frozen=True)
class _Row:
    key: str
    mark: str
    name: str
    result: str

    @property
    def text(self) -> str:
        return f"{self.key}  {self.mark} {self.name}"


def _rows(shown: Shown) -> Iterator[_Row]:
    """Yield the overlays, of which one is shown, and what can be marked besides."""
    for number, overlay in enumerate(Overlay, start=1):
        mark = "(x)" if overlay is shown.overlay else "( )"
        yield _Row(str(number), mark, overlay_name(replace(shown, overlay=overlay)), overlay)
    for key, on_board, name, result in (
        ("M", shown.must_play, "must-play region", "must-play"),
        ("I", shown.inferior, "inferior cells", "inferior"),
    ):
        yield _Row(key, "[x]" if on_board else "[ ]", name, result)


class OverlayDialog(Dialog[str]):
    """Asks what the board is to show, by a key or in the list.

    Returns the value of an `Overlay`, or ``must-play`` or ``inferior``, which are switched.
    """

    DEFAULT_CSS = """
    OverlayDialog NameList { height: auto; max-height: 18; text-wrap: nowrap; }
    OverlayDialog NameList { text-overflow: ellipsis; }
    OverlayDialog NameList, OverlayDialog NameList:focus { border: none; padding: 0; }
    """

    def __init__(self, shown: Shown) -> None:
        super().__init__("What the board shows")
        self._rows = list(_rows(shown))
        self._chosen = list(Overlay).index(shown.overlay)

    def compose(self) -> ComposeResult:
        """Make the box: the list with its keys, the cursor on what is shown now."""
        with Vertical() as box:
            self.frame(box)
            rows = NameList(*(Option(row.text, row.result) for row in self._rows), markup=False)
            rows.highlighted = self._chosen
            yield rows
            hint = "A key, Enter or a click chooses; O takes the last one again."
            yield Static(hint, classes="hint")

    def on_key(self, event: events.Key) -> None:
        """Answer by the key of a row."""
        for row in self._rows:
            if event.character == row.key:
                event.stop()
                self.dismiss(str(row.result))

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)
