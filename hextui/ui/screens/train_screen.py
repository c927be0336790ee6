"""What one can do to train, and the settings of a game against the program."""

from collections.abc import Collection, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label, Static

from hextui.train.opponent import player_name
from hextui.train.play_settings import NO_CLOCK, PlaySettings, TimeControl, color_text, read_color
from hextui.ui.parts import TrainEntry
from hextui.ui.screens.dialogs import Choice, FormDialog, ListDialog
from hextui.ui.typed_text import read_size, size_text
from hextui.words.names import Names

_YES, _NO = "yes", "no"


class TrainScreen(ListDialog):
    """Asks how to train, by letter, Enter or a click; returns the letter."""

    def __init__(self, entries: Sequence[TrainEntry]) -> None:
        rows = [Choice(e.key, f"{e.key}  {e.label}\n   {e.state}", e.key) for e in entries]
        super().__init__("Train", "A letter, Enter or a click chooses.", rows, 0)


class PlayDialog(FormDialog[PlaySettings]):
    """Asks how the next game is played; ``plays_on``: from a position, whose board it has."""

    ACCEPT = "Enter starts"
    CANCEL = "Tab: next line, Escape cancels"
    DEFAULT_CSS = """
    PlayDialog Horizontal { height: 1; align-horizontal: left; }
    PlayDialog Label { width: 12; }
    PlayDialog Input { width: 22; }
    PlayDialog .about { width: 1fr; color: $text-muted; padding-left: 1; }
    """

    def __init__(
        self,
        last: PlaySettings,
        names: Names,
        engines: Collection[str] = (),
        *,
        plays_on: bool = False,
    ) -> None:
        super().__init__("Play on from here" if plays_on else "Play against the program")
        self._last, self._names, self._engines = last, names, engines
        self._plays_on = plays_on

    def body(self) -> ComposeResult:
        last, colors = self._last, f"{', '.join(self._names.both)}, random".lower()
        rows = [("opponent", "Opponent", last.opponent.removeprefix("level:"), "1-9, or a player")]
        if not self._plays_on:
            rows.append(("size", "Board size", size_text(last.board), "11, or 13x9"))
        rows.append(("color", "Your colour", color_text(last.color, self._names), colors))
        if not self._plays_on:
            rows.append(("swap", "Swap rule", _YES if last.swap else _NO, "yes, no"))
        rows.append(("clock", "Clock", str(last.time or NO_CLOCK), "10+5 (minutes + seconds)"))
        rows.append(("hints", "Hints", _YES if last.hints else _NO, "yes, no"))
        for name, label, value, about in rows:
            with Horizontal():
                yield Label(label)
                yield Input(value, id=name, compact=True)
                yield Static(about, classes="about", markup=False)
        yield Static(classes="error", markup=False)

    def read(self) -> PlaySettings:
        last = self._last
        return PlaySettings(
            player_name(self._text("opponent"), self._engines),
            last.board if self._plays_on else read_size(self._text("size")),
            read_color(self._text("color")),
            last.swap if self._plays_on else _yes("swap rule", self._text("swap")),
            TimeControl.parse(self._text("clock")),
            _yes("hints", self._text("hints")),
        )

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()


def _yes(what: str, text: str) -> bool:
    """Read yes or no, or the beginning of it; raises ValueError."""
    for answer, means in ((_YES, True), (_NO, False)):
        if text and answer.startswith(text.lower()):
            return means
    raise ValueError(f"{what}: yes or no, not {text!r}")
