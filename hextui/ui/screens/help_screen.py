"""The help: the keys of a screen or a panel, or all keys, and what they do."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Keymap
from textual.containers import Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from hextui.text import Names
from hextui.ui.app.keys import Action, shown
from hextui.ui.panels.panel import PanelText
from hextui.ui.screens.dialogs import Dialog
from hextui.ui.screens.message_screen import MessageScreen

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


Topic = tuple[str, Sequence[tuple[str, ...]]]
"""A heading and its lines: keys, what they do, the action's name, if there is one."""


class HelpScreen(Dialog[None]):
    """Shows topics; ``?`` shows those of ``everything`` in their place."""

    CANCEL = "Escape closes"
    BINDINGS = [("question_mark", "all", "All keys")]
    DEFAULT_CSS = """
    HelpScreen > Vertical { width: 100; max-width: 100%; height: 90%; padding: 0; }
    HelpScreen VerticalScroll { height: 1fr; max-height: 100%; padding: 0 1; }
    """

    def __init__(
        self, title: str, topics: Sequence[Topic], everything: Sequence[Topic] = ()
    ) -> None:
        super().__init__(title)
        self._topics = topics
        self._everything = everything

    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static()

    def on_resize(self) -> None:
        self._show_topics()

    def action_all(self) -> None:
        """Show all keys, also those of the board."""
        if self._everything:
            self._topics = self._everything
            self._everything = ()
            self.query_one(Vertical).border_title = "Keys"
            self._show_topics()
            self.query_one(VerticalScroll).scroll_home(animate=False)

    def _show_topics(self) -> None:
        roomy = self.size.width >= _ROOMY
        others = "?: all keys, " if self._everything else ""
        named = any(len(row) > 2 for _, rows in self._topics for row in rows)
        names = "on the right: names for the settings file; " if roomy and named else ""
        self.query_one(Vertical).border_subtitle = f"{names}{others}{self.keys}"
        self.query_one(Static).update(self._list(roomy))

    def _list(self, roomy: bool) -> Group:
        parts: list[Text | Table] = []
        for topic, rows in self._topics:
            table = Table.grid(padding=(0, 2), expand=True)
            table.add_column(width=_KEYS if roomy else _NARROW_KEYS, style="bold")
            table.add_column(ratio=1)
            if roomy and any(len(row) > 2 for row in rows):
                table.add_column(width=_NAMES, no_wrap=True, style="dim")
            for row in rows:
                table.add_row(*(Text(cell) for cell in row[: len(table.columns)]))
            parts += [Text(topic, "bold underline"), table, Text()]
        return Group(*parts)


def all_topics(actions: Sequence[Action], keymap: Keymap, names: Names) -> list[Topic]:
    """Return all actions by topic, and what the mouse does and the marks on the board mean."""
    topics: list[Topic] = []
    for topic, grouped in groupby(actions, lambda action: action.topic):
        topics.append((topic, [_row(action, keymap) for action in grouped]))
    topics.append(("Mouse", _MOUSE))
    topics.append(("Marks on the board", [(mark, names.fill(text)) for mark, text in _MARKS]))
    return topics


def panel_topics(
    panel: PanelText, actions: Sequence[Action], keymap: Keymap, names: Names
) -> list[Topic]:
    """Return what a panel shows, its words and its keys."""
    words = [(names.fill(word), names.fill(text)) for word, text in panel.words]
    by_id = {action.id: action for action in actions}
    named = [by_id[name] for name in (*panel.actions, "maximise", "board")]
    own: list[tuple[str, ...]] = [*panel.own]
    return [
        (panel.caption[0].upper() + panel.caption[1:], words),
        ("Keys", own + [_row(action, keymap) for action in named]),
    ]


def screen_topics(screen: Screen[object]) -> list[Topic]:
    """Return what another screen is for, and its keys, also those that have nothing to do now."""
    topics: list[Topic] = []
    if isinstance(screen, MessageScreen) and screen.ABOUT:
        topics.append(("About", [("", screen.ABOUT)]))
    return [*topics, ("Keys", [(keys, text) for keys, text, _ in screen_keys(screen)])]


def screen_keys(screen: Screen[object]) -> Iterator[tuple[str, str, str]]:
    """Yield the keys of a screen's actions, what each does, and the action as Textual runs it."""
    keys: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.description and type(active.node).__module__.startswith("hextui"):
            text = binding.tooltip or binding.description
            keys.setdefault(binding.action, []).append(
                binding.key_display or shown(binding.key).replace("ctrl+", "^")
            )
            texts[binding.action] = text
    for action, named in keys.items():
        yield " ".join(named), texts[action], action


def _row(action: Action, keymap: Keymap) -> tuple[str, ...]:
    return " ".join(action.keys_in(keymap)), action.tooltip, action.id
