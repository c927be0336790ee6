"""The dialogs that choose evaluators: those of the columns of the moves, and that of the lines."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hextui.engine.evaluators import evaluator, names
from hextui.engine.search.lines import LITERAL
from hextui.engines.attached.engine_config import engine_in
from hextui.ui.screens.dialogs import Dialog


def about(name: str) -> str:
    """Return in a few words what an evaluator is, '' for a name that is none.

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


class EvaluatorList(OptionList):
    """Names with check marks that need no colours: Space or a click checks, Enter is done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", "Check or not"),
        Binding("enter", "done", "Done"),
        Binding("down,j", "cursor_down", "Down", show=False),
        Binding("up,k", "cursor_up", "Up", show=False),
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
    """Asks which evaluators are to rank; returns their names, those chosen before first.

    ``engines`` are the names of attached engines as evaluators.
    """

    ACCEPT = "Enter is done"
    DEFAULT_CSS = """
    EvaluatorDialog EvaluatorList { height: auto; max-height: 18; text-wrap: nowrap; }
    EvaluatorDialog EvaluatorList { text-overflow: ellipsis; }
    EvaluatorDialog EvaluatorList, EvaluatorDialog EvaluatorList:focus { border: none; padding: 0; }
    """

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


class NameList(OptionList):
    """Names one of which is chosen by Enter or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "Down", show=False),
        Binding("up,k", "cursor_up", "Up", show=False),
    ]


class LineEvaluatorDialog(Dialog[str]):
    """Asks which evaluator lines are searched with, or whose lines are shown; returns its name.

    ``engines`` are the names of attached engines as evaluators.
    """

    DEFAULT_CSS = """
    LineEvaluatorDialog NameList { height: auto; max-height: 18; text-wrap: nowrap; }
    LineEvaluatorDialog NameList { text-overflow: ellipsis; }
    LineEvaluatorDialog NameList, LineEvaluatorDialog NameList:focus { border: none; padding: 0; }
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
