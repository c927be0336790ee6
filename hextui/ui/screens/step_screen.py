"""Screens that ask an engine and show its answer on a board, step by step."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from hextui.engines.engine import OpenLane
from hextui.engines.questions import Question
from hextui.ui.drawing.board_view import BoardView
from hextui.ui.drawing.palette import Palette
from hextui.ui.live.live_analysis import ask_engine
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.key_lines import ScreenKeys
from hextui.words.names import Names

T = TypeVar("T")


class QuestionScreen(BaseScreen[T]):
    """A screen that asks an engine in a thread and receives the answers to its newest question."""

    class Answered(Message):
        """An answer, or None and the problem, to the question with this number."""

        def __init__(self, number: int, found: Any, problem: str) -> None:
            super().__init__()
            self.number = number
            self.found = found
            self.problem = problem

    def __init__(self, palette: Palette, open_lane: OpenLane, names: Names) -> None:
        super().__init__()
        self.palette = palette
        self.names = names
        self._open_lane = open_lane
        self._number = 0

    def ask(self, question: "Question[Any]") -> None:
        """Ask instead of what was asked before; `take` gets every answer."""
        self.drop_question()
        number = self._number
        work = partial(
            ask_engine,
            self._open_lane,
            question,
            lambda: self._number != number,
            lambda found, problem: self.post_message(self.Answered(number, found, problem)),
        )
        self.run_worker(work, group="question", thread=True)

    def drop_question(self) -> None:
        """Stop the engine and ignore what it still answers."""
        self._number += 1

    def on_unmount(self) -> None:
        """Stop the engine."""
        self.drop_question()

    @on(Answered)
    def _take_newest(self, event: Answered) -> None:
        if event.number == self._number:
            self.take(event.found, event.problem)

    def take(self, found: Any, problem: str) -> None:
        """Show an answer to the newest question; it is None if there is a problem."""
        raise NotImplementedError


def step_bindings(
    prefix: str,
    own: Iterable[BindingType] = (),
    over: tuple[str, str] = ("Over", "Back over"),
    scrolling: tuple[str, str] = ("text-on", "text-back"),
    show_ends: bool = False,
) -> list[BindingType]:
    """Return the keys of a `StepScreen`, with ids that begin with ``prefix``.

    ``over`` labels the keys of larger steps, ``scrolling`` ends the ids of those that scroll.
    """
    on, back = (f"{prefix}.{name}" for name in scrolling)
    return [
        Binding("n,right,down,j,space", "step(1)", "Next", id=f"{prefix}.next"),
        Binding("p,left,up,k", "step(-1)", "Back", id=f"{prefix}.previous"),
        Binding("right_square_bracket,enter", "over(1)", over[0], id=f"{prefix}.over"),
        Binding("left_square_bracket", "over(-1)", over[1], id=f"{prefix}.back-over"),
        Binding("home,g", "to(0)", "First", id=f"{prefix}.first", show=show_ends),
        Binding("end,G", "to(-1)", "Last", id=f"{prefix}.last", show=show_ends),
        *own,
        Binding("pagedown", "scroll(1)", "Text down", id=on, show=False),
        Binding("pageup", "scroll(-1)", "Text up", id=back, show=False),
        Binding("escape,q", "close", "Close", id=f"{prefix}.close"),
    ]


class StepScreen(QuestionScreen[None]):
    """A title, a board and a text about one step. No record is changed."""

    DEFAULT_CSS = """
    StepScreen #step-title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    StepScreen Horizontal { height: 1fr; }
    StepScreen VerticalScroll { width: 40; height: 1fr; padding: 1 0 0 1; }
    """
    heading = ""
    """What the title begins with."""

    def __init__(
        self, view: BoardView, palette: Palette, open_lane: OpenLane, names: Names
    ) -> None:
        super().__init__(palette, open_lane, names)
        self._view = view
        self._steps: Sequence[Any] = ()
        self._at = 0

    def compose(self) -> ComposeResult:
        """Make the title, the picture and the text."""
        yield Static(id="step-title", markup=False)
        with Horizontal():
            yield self.picture()
            with VerticalScroll(can_focus=False):
                yield Static(id="step-text", markup=False)
        yield ScreenKeys()

    def picture(self) -> Widget:
        """Return what stands beside the text: the board."""
        board = BoardWidget(self._view)
        board.can_focus = False
        board.palette = self.palette
        return board

    def show_title(self, text: str) -> None:
        """Show a text after the heading."""
        self.query_one("#step-title", Static).update(f"{self.heading}: {text}")

    def show_text(self, text: str) -> None:
        """Show a text beside the board."""
        self.query_one("#step-text", Static).update(text)

    def show_step(self) -> None:
        """Show the current step."""
        raise NotImplementedError

    def action_step(self, steps: int) -> None:
        """Go steps on or back."""
        self.action_to(max(0, min(self._at + steps, len(self._steps) - 1)))

    def action_to(self, place: int) -> None:
        """Go to the first step (0), the last (-1) or any other."""
        if self._steps:
            self._at = place % len(self._steps)
            self.show_step()
            self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_scroll(self, pages: int) -> None:
        """Scroll the text by pages."""
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_relative(y=pages * scroll.size.height, animate=False)

    def action_close(self) -> None:
        """Go back to the record."""
        self.dismiss(None)
