"""The dialog that chooses the evaluators whose values stand in the columns of the moves."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import SelectionList, Static
from textual.widgets.selection_list import Selection

from hextui.engine.evaluator_names import NAMES
from hextui.ui.screens.dialogs import Dialog

_ABOUT = {
    "k-paths": "paths of both colours after the move",
    "shortest-path": "distances after the move",
    "contribution-own": "share of the own paths",
    "contribution-opponent": "share of the opponent's paths",
    "contribution-both": "the sum of both shares",
    "resistance": "current through both circuits",
    "two-distance": "distance by second best moves",
}


class EvaluatorList(SelectionList[str]):
    """Names with check marks: Space checks, Enter is done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Done", priority=True),
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]

    class Done(Message):
        """The names are chosen."""

    def action_done(self) -> None:
        """Say that the names are chosen."""
        self.post_message(self.Done())


class EvaluatorDialog(Dialog[tuple[str, ...]]):
    """Asks which evaluators are to rank; returns their names, those chosen before first."""

    DEFAULT_CSS = """
    EvaluatorDialog EvaluatorList { height: auto; max-height: 16; border: none; padding: 0; }
    """

    def __init__(self, chosen: Sequence[str]) -> None:
        super().__init__("Evaluators")
        self._chosen = tuple(chosen)

    def compose(self) -> ComposeResult:
        """Make the box: the names by method, and the keys."""
        names = dict.fromkeys((*NAMES, *self._chosen))
        with Vertical() as box:
            self.frame(box)
            yield EvaluatorList(
                *(Selection(_line(name), name, name in self._chosen) for name in names)
            )
            yield Static("Space checks one or not, Enter is done.", classes="hint")
            yield Static(classes="error", markup=False)

    @on(EvaluatorList.Done)
    def _done(self) -> None:
        wanted = self.query_one(EvaluatorList).selected
        if not wanted:
            self.query_one(".error", Static).update("Check at least one.")
            return
        kept = [name for name in self._chosen if name in wanted]
        self.dismiss((*kept, *(name for name in NAMES if name in wanted and name not in kept)))


def _line(name: str) -> str:
    return f"{name:<24}{_ABOUT.get(name.partition(':')[0], '')}"
