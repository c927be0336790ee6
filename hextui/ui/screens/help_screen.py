"""The help: all keys and what they do, made from the actions and the user's keymap."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Keymap
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from hextui.text import Names
from hextui.ui.app.keys import Action
from hextui.ui.panels.panel import PanelText
from hextui.ui.screens.dialogs import Dialog

_ROOMY = 70  # columns in which the names of the actions have room
_KEYS, _NARROW_KEYS = 16, 10  # columns of the keys, and where there is less room
_NAMES = 20
_MOUSE = (
    ("click", "Play, place or mark; the right button only points"),
    ("drag", "Marking (J): a rectangle"),
    ("wheel", "Next and previous ply"),
)
_MARKS = (
    ("()", "{black}: joins top and bottom, moves first"),
    ("<>", "{white}: joins left and right"),
    ("[] {} ||", "The cursor, when playing, in setup mode and when marking"),
    ("::", "The must-play region"),
    ("// == --", "Outside your region; moves you allow; moves you leave out"),
    ("++ ** @@", "A connection's carrier and ends, and the key of a semi connection"),
    ("#1 #2", "The moves of a line"),
    ("xx cR cB", "Dead cells, and those captured by {black} and by {white}"),
    ("vu dm", "Vulnerable and dominated cells"),
)


class HelpScreen(Dialog[None]):
    """Explains a panel, its words first; without one a list of all keys by topic."""

    CANCEL = "Escape closes"
    BINDINGS = [("q,question_mark", "dismiss", "Close")]
    DEFAULT_CSS = """
    HelpScreen > Vertical { width: 100; max-width: 100%; height: 90%; padding: 0; }
    HelpScreen VerticalScroll { height: 1fr; max-height: 100%; padding: 0 1; }
    """

    def __init__(
        self,
        actions: Sequence[Action],
        keymap: Keymap,
        names: Names = Names.RED_BLUE,
        title: str = "Keys",
        panel: PanelText | None = None,
    ) -> None:
        super().__init__(title)
        self._actions = actions
        self._keymap = keymap
        self._names = names
        self._panel = panel

    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static()

    def on_resize(self) -> None:
        roomy = self.size.width >= _ROOMY
        names = "on the right: names for the settings file; " if roomy else ""
        self.query_one(Vertical).border_subtitle = f"{names}{self.keys}"
        self.query_one(Static).update(self._list(roomy))

    def _list(self, roomy: bool) -> Group:
        parts: list[Text | Table] = []
        for topic, rows in self._topics():
            table = Table.grid(padding=(0, 2), expand=True)
            table.add_column(width=_KEYS if roomy else _NARROW_KEYS, style="bold")
            table.add_column(ratio=1)
            if roomy and any(len(row) > 2 for row in rows):
                table.add_column(width=_NAMES, no_wrap=True, style="dim")
            for row in rows:
                table.add_row(*(Text(cell) for cell in row[: len(table.columns)]))
            parts += [Text(topic, "bold underline"), table, Text()]
        return Group(*parts)

    def _topics(self) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
        """Yield the topics, each with its lines: keys, what they do, the action's name."""
        if self._panel is not None:
            yield from self._of_panel(self._panel)
            return
        for topic, actions in groupby(self._actions, lambda action: action.topic):
            yield topic, [self._row(action) for action in actions]
        yield "Mouse", [*_MOUSE]
        yield "Marks on the board", [(mark, self._names.fill(text)) for mark, text in _MARKS]

    def _row(self, action: Action) -> tuple[str, ...]:
        return " ".join(action.keys_in(self._keymap)), action.tooltip, action.id

    def _of_panel(self, panel: PanelText) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
        """Yield what a panel shows, its words and its keys; the escape leads to all keys."""
        fill = self._names.fill
        words: list[tuple[str, ...]] = [(fill(word), fill(text)) for word, text in panel.words]
        yield panel.caption[0].upper() + panel.caption[1:], words
        by_id = {action.id: action for action in self._actions}
        named = [by_id[name] for name in (*panel.actions, "maximise", "board")]
        yield "Keys", [*panel.own, *map(self._row, named)]
        yield "All keys", [("esc ?", "Close this, return to the board, press ? there")]
