"""Dialogs that choose the evaluators, and what the board shows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hextui.engine.evaluators import evaluator, names
from hextui.engine.search.lines import LITERAL
from hextui.engines.engine_config import engine_in
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, overlay_name
from hextui.ui.screens.dialogs import Choice, Dialog


def about(name: str) -> str:
    """Describe an evaluator in a few words; return '' for a name that is none.

    >>> about("k-paths:1"), about("resistance:plain")
    ('paths of up to d + 1 links', 'current in both circuits')
    """
    if engine_in(name) is not None:
        return "another program"
    if name.endswith(LITERAL):
        return "the same, nothing proved"
    try:
        return evaluator(name).about
    except ValueError:
        return ""


class NameList(OptionList):
    """Lines of which Enter or a click chooses one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "Down", show=False),
        Binding("up,k", "cursor_up", "Up", show=False),
    ]
    DEFAULT_CSS = """
    NameList {
        height: auto; max-height: 18; text-wrap: nowrap; text-overflow: ellipsis;
        &, &:focus { border: none; padding: 0; }
    }
    """


class EvaluatorList(NameList):
    """Names with check marks: Space or a click checks one, Enter accepts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", "Check or not"),
        Binding("enter", "done", "Done"),
    ]

    class Done(Message):
        """The names are chosen."""

    def __init__(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        self.checked = set(chosen)
        super().__init__(*(Option(self._line(name), name) for name in names), markup=False)

    def action_done(self) -> None:
        """Say that the names are chosen."""
        self.post_message(self.Done())

    @on(OptionList.OptionSelected)
    def _check(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        name = event.option_id or ""
        self.checked ^= {name}
        self.replace_option_prompt(name, self._line(name))

    def _line(self, name: str) -> str:
        mark = "[x]" if name in self.checked else "[ ]"
        return f"{mark} {name:<23} {about(name)}"


class EvaluatorDialog(Dialog[tuple[str, ...]]):
    """Asks which evaluators rank moves; returns their names, those chosen before first.

    ``engines`` are the names of attached engines as evaluators.
    """

    ACCEPT = "Enter is done"

    def __init__(self, chosen: Sequence[str], engines: Sequence[str] = ()) -> None:
        super().__init__("Evaluators")
        self._chosen = tuple(chosen)
        self._names = tuple(dict.fromkeys((*names(), *engines, *chosen)))

    def compose(self) -> ComposeResult:
        """Make the box: the names by method, and the keys."""
        with Vertical() as box:
            self.frame(box)
            yield EvaluatorList(self._names, self._chosen)
            yield Static("Space or a click checks one or not.", classes="hint")
            yield Static(classes="error", markup=False)

    @on(EvaluatorList.Done)
    def action_accept(self) -> None:
        """Close the dialog with the names that are checked."""
        wanted = self.query_one(EvaluatorList).checked
        if not wanted:
            self.query_one(".error", Static).update("Check at least one.")
            return
        kept = [name for name in self._chosen if name in wanted]
        self.dismiss(
            (*kept, *(name for name in self._names if name in wanted and name not in kept))
        )


class LineEvaluatorDialog(Dialog[str]):
    """Asks for the evaluator of lines; returns its name.

    ``engines`` are the names of attached engines as evaluators.
    """

    def __init__(self, chosen: str, engines: Sequence[str] = ()) -> None:
        super().__init__("Evaluator of lines")
        self._chosen = chosen
        self._engines = tuple(engines)

    def compose(self) -> ComposeResult:
        """Make the box: the names, the cursor on the one chosen now."""
        known = (*names(), f"blocking{LITERAL}", *self._engines)
        offered = tuple(dict.fromkeys((*known, *filter(None, [self._chosen]))))
        with Vertical() as box:
            self.frame(box)
            options = NameList(
                *(Option(f"{n:<23} {about(n)}", n) for n in offered),
                markup=False,
            )
            options.highlighted = offered.index(self._chosen) if self._chosen else 0
            yield options
            yield Static("Enter or a click chooses.", classes="hint")

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)


class OverlayDialog(Dialog[str]):
    """Asks what the board shows, by a key or in the list.

    Returns the value of an `Overlay`, or ``must-play`` or ``inferior`` to switch these.
    """

    def __init__(self, shown: DisplayOptions) -> None:
        super().__init__("What the board shows")
        self._rows = list(_overlay_rows(shown))
        self._chosen = list(Overlay).index(shown.overlay)

    def compose(self) -> ComposeResult:
        """Make the box: the list with its keys, the cursor on what is shown now."""
        with Vertical() as box:
            self.frame(box)
            options = (Option(f"{row.key}  {row.label}", row.result) for row in self._rows)
            rows = NameList(*options, markup=False)
            rows.highlighted = self._chosen
            yield rows
            hint = "A key, Enter or a click chooses; O takes the last one again."
            yield Static(hint, classes="hint")

    def on_key(self, event: events.Key) -> None:
        """Answer by the key of a row."""
        for row in self._rows:
            if event.character == row.key:
                event.stop()
                self.dismiss(row.result)

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)


def _overlay_rows(shown: DisplayOptions) -> Iterator[Choice]:
    """Yield the overlays, of which one is shown, and what can be marked besides."""
    for number, overlay in enumerate(Overlay, start=1):
        mark = "(x)" if overlay is shown.overlay else "( )"
        name = overlay_name(replace(shown, overlay=overlay))
        yield Choice(str(number), f"{mark} {name}", str(overlay))
    for key, on_board, name, result in (
        ("M", shown.must_play, "must-play region", "must-play"),
        ("I", shown.inferior, "inferior cells", "inferior"),
    ):
        yield Choice(key, f"{'[x]' if on_board else '[ ]'} {name}", result)
