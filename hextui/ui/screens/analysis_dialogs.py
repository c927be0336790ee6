"""Dialogs that choose the evaluators, and what the board shows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hextui.engine.evaluators import evaluator, names
from hextui.engine.search.lines import LITERAL
from hextui.engines.engine_config import engine_in
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, overlay_name
from hextui.ui.screens.dialogs import Choice, ChoiceDialog, FormDialog


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
    """A list in which Enter or a click chooses a line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("down,j", "cursor_down", "Down"),
        ("up,k", "cursor_up", "Up"),
    ]
    DEFAULT_CSS = """
    NameList {
        height: auto; max-height: 18; text-wrap: nowrap; text-overflow: ellipsis;
        &, &:focus { border: none; padding: 0; }
    }
    """


class CheckList(NameList):
    """Evaluators with check marks: Space or a click checks one, Enter accepts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("space", "select", "Toggle"),
        ("enter", "screen.accept", "Done"),
    ]

    def __init__(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        self.checked = set(chosen)
        super().__init__(*(Option(self._line(name), name) for name in names), markup=False)

    @on(OptionList.OptionSelected)
    def _check(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        name = event.option_id or ""
        self.checked ^= {name}
        self.replace_option_prompt(name, self._line(name))

    def _line(self, name: str) -> str:
        mark = "[x]" if name in self.checked else "[ ]"
        return f"{mark} {name:<23} {about(name)}"


class EvaluatorDialog(FormDialog[tuple[str, ...]]):
    """Asks which evaluators, ``engines`` among them, rank moves; keeps the order chosen before."""

    ACCEPT = "Enter accepts"

    def __init__(self, chosen: Sequence[str], engines: Sequence[str] = ()) -> None:
        super().__init__("Evaluators")
        self._chosen = tuple(chosen)
        self._names = tuple(dict.fromkeys((*names(), *engines, *chosen)))

    def body(self) -> ComposeResult:
        yield CheckList(self._names, self._chosen)
        yield Static("Space or a click toggles an evaluator.", classes="hint")
        yield Static(classes="error", markup=False)

    def read(self) -> tuple[str, ...]:
        checked = self.query_one(CheckList).checked
        if not checked:
            raise ValueError("Check at least one.")
        in_order = dict.fromkeys((*self._chosen, *self._names))
        return tuple(name for name in in_order if name in checked)


class ListDialog(ChoiceDialog):
    """Asks for one of several answers in a list, by key, Enter or a click."""

    DEFAULT_CSS = """
    ListDialog > Vertical { width: 64; }
    """

    def __init__(self, title: str, hint: str, choices: Sequence[Choice], at: int) -> None:
        """``at``: the place of the answer with the cursor."""
        super().__init__(title, hint, choices)
        self._at = at

    def body(self) -> ComposeResult:
        options = NameList(*(Option(row.label, row.result) for row in self._choices), markup=False)
        options.highlighted = self._at
        yield options
        yield Static(self._question, classes="hint")

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)


class LineEvaluatorDialog(ListDialog):
    """Asks which evaluator, ``engines`` among them, searches lines; returns its name."""

    def __init__(self, chosen: str, engines: Sequence[str] = ()) -> None:
        known = (*names(), f"blocking{LITERAL}", *engines, *filter(None, [chosen]))
        rows = [Choice("", f"{name:<23} {about(name)}", name) for name in dict.fromkeys(known)]
        at = next((place for place, row in enumerate(rows) if row.result == chosen), 0)
        super().__init__("Evaluator of lines", "Enter or a click chooses.", rows, at)


class OverlayDialog(ListDialog):
    """Asks what the board shows; returns an `Overlay`'s value, ``must-play`` or ``inferior``."""

    def __init__(self, shown: DisplayOptions) -> None:
        hint = "A key, Enter or a click chooses. O returns to the previous overlay."
        rows = []
        for number, overlay in enumerate(Overlay, start=1):
            mark = "(x)" if overlay is shown.overlay else "( )"
            name = overlay_name(replace(shown, overlay=overlay))
            rows.append(Choice(str(number), f"{number}  {mark} {name}", str(overlay)))
        must_play, inferior = ("[x]" if on else "[ ]" for on in (shown.must_play, shown.inferior))
        rows.append(Choice("M", f"M  {must_play} must-play region", "must-play"))
        rows.append(Choice("I", f"I  {inferior} inferior cells", "inferior"))
        super().__init__("What the board shows", hint, rows, list(Overlay).index(shown.overlay))
