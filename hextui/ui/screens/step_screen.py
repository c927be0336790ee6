"""Screens that ask an engine and show its answer on a board: step by step, or to a move."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from hextui.engine.board import EMPTY
from hextui.engine.position import Position
from hextui.engines.engine import OpenLane, ask_engine
from hextui.engines.questions import Question
from hextui.records.board_view import BoardView
from hextui.text import Names
from hextui.ui.app.layout import LEAST_COLUMNS
from hextui.ui.drawing.palette import Palette
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.widgets.board_widget import CURSOR, BoardWidget
from hextui.ui.widgets.board_with_texts import BoardWithTexts
from hextui.ui.widgets.frame import ScreenKeys

Subject = TypeVar("Subject")
Step = TypeVar("Step")
T = TypeVar("T")
NO_STEP_YET = "There is no step to show yet"
WIDTH = LEAST_COLUMNS - 2
"""Columns of the text beside the board, at least."""


class QuestionScreen(MessageScreen[T], Generic[Subject, T]):
    """A title, a board and texts beside it; asks an engine in a thread. No record is changed.

    ``subject`` is what the questions are about.
    """

    DEFAULT_CSS = """
    QuestionScreen #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    """
    TEXT_COLUMNS: ClassVar[int] = 40
    """Columns of the texts where they are beside a board larger than 2 x 1."""
    IN_CORNER: ClassVar[bool] = False
    """Whether the texts may stand in the free corner at the right of a larger board."""

    def __init__(
        self, subject: Subject, palette: Palette, open_lane: OpenLane, names: Names = Names.RED_BLUE
    ) -> None:
        super().__init__()
        self.subject = subject
        self.palette = palette
        self.names = names
        self._open_lane = open_lane
        self._number = 0  # of the newest question

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        board = self.board()
        board.can_focus = False  # the keys are the screen's
        board.palette = self.palette
        for other in self.app.screen_stack[0].query(BoardWidget):
            board.graphics = other.graphics
        texts = self.texts()
        yield BoardWithTexts(board, texts, self.TEXT_COLUMNS, in_corner=self.IN_CORNER)
        yield ScreenKeys()

    def board(self) -> BoardWidget:
        raise NotImplementedError

    def texts(self) -> list[Static]:
        """Return the texts beside the board, the most important first."""
        return [Static(id="text", markup=False)]

    def ask(self, question: "Question[Any]", open_lane: OpenLane | None = None) -> None:
        """Ask instead of what was asked before; `take` gets every answer.

        ``open_lane``: of another engine.
        """
        self.drop_question()
        number = self._number
        work = partial(
            ask_engine,
            open_lane or self._open_lane,
            question,
            lambda: self._number != number,
            partial(self.call_later, self._take_newest, number),  # posts a message
        )
        self.run_worker(work, group="question", thread=True)

    def drop_question(self) -> None:
        """Stop the engine and ignore what it still answers."""
        self._number += 1

    def on_unmount(self) -> None:
        self.drop_question()

    def _take_newest(self, number: int, answer: Any, problem: str) -> None:
        if number == self._number:
            self.take(answer, problem)

    def take(self, answer: Any, problem: str) -> None:
        """Show an answer to the newest question; it is None if there is a problem."""
        raise NotImplementedError


class MoveScreen(QuestionScreen[Subject, T]):
    """Has the user choose cells; beside the board are a task, a verdict and other texts.

    Keys and clicks move the ``cursor``; Enter and a left click run `action_choose`.
    """

    BINDINGS = [
        Binding(action.keys, f"move{action.arguments}", action.label, show=False)
        for action in CURSOR
    ]
    DEFAULT_CSS = """
    MoveScreen #task { text-style: bold; margin-bottom: 1; }
    MoveScreen #verdict {
        text-style: bold; margin-bottom: 1; min-height: 5;
        &.-right { color: $success; }
        &.-wrong { color: $warning; }
    }
    MoveScreen #how-to { color: $text-muted; }
    """
    TEXT_COLUMNS = 30
    IN_CORNER = True
    TEXTS: tuple[str, ...] = ("task", "verdict", "how-to")
    cursor = 0

    @property
    def view(self) -> BoardView:
        raise NotImplementedError

    def action_choose(self) -> None:
        raise NotImplementedError

    def board(self) -> BoardWidget:
        return BoardWidget(self.view, self.point, self.click)

    def texts(self) -> list[Static]:
        return [Static(id=name, markup=False) for name in self.TEXTS]

    def show_board(self) -> None:
        board = self.query_one(BoardWidget)
        before = board.view.position.board
        board.show(self.view)
        if board.view.position.board != before:
            self.query_one(BoardWithTexts).place_texts()

    def set_text(self, name: str, text: Text | str) -> None:
        self.query_one(f"#{name}", Static).update(text)
        self.query_one(BoardWithTexts).fit_texts()

    def say(self, text: str, right: bool | None = None) -> None:
        """Show what happened or is done; ``right``: in the colour of good or doubtful."""
        verdict = self.query_one("#verdict")
        verdict.set_class(right is True, "-right").set_class(right is False, "-wrong")
        self.set_text("verdict", text)

    def is_free(self, position: Position, cell: int) -> bool:
        """Return whether a cell is empty; say that it is not."""
        if position.stones[cell] != EMPTY:
            self.complain(f"{position.board.name(cell)} is taken")
        return position.stones[cell] == EMPTY

    def point(self, cell: int) -> None:
        self.cursor = cell
        self.show_board()

    def action_move(self, down: int, right: int) -> None:
        self.query_one(BoardWidget).action_step(down, right)

    def click(self, cell: int, button: int) -> None:
        self.point(cell)
        if button == 1:
            self.action_choose()


def step_bindings(
    own: Iterable[BindingType] = (), over: tuple[str, str] = ("Step over", "Step back over")
) -> list[BindingType]:
    """Return the keys of a `StepScreen`; ``over`` labels those of larger steps."""
    return [
        Binding("n,right,down,j,space", "step(1)", "Next"),
        Binding("p,left,up,k", "step(-1)", "Back"),
        Binding("right_square_bracket,enter", "over(1)", over[0]),
        Binding("left_square_bracket", "over(-1)", over[1]),
        Binding("home,g", "to(0)", "First"),
        Binding("end,G", "to(-1)", "Last"),
        *own,
        Binding("pagedown", "scroll(1)", "Text down", show=False),
        Binding("pageup", "scroll(-1)", "Text up", show=False),
        Binding("escape", "dismiss", "Close"),
    ]


@dataclass(frozen=True)
class ShownStep:
    """What is shown of a step: the board, a text, and what the title says about it."""

    view: BoardView
    text: str
    about: str


class StepScreen(QuestionScreen[Subject, None], Generic[Subject, Step]):
    """Shows one step at a time: a board, and a text about it.

    A subclass sets ``_steps``, and makes what is shown of one of them in `shown`; `begins` finds
    where larger steps end.
    """

    heading = ""
    """What the title begins with."""
    _steps: Sequence[Step] = ()
    _at = 0

    def shown(self, step: Step) -> ShownStep:
        raise NotImplementedError

    def begins(self, place: int) -> bool:
        """Return whether a larger step from the present one can end at a place."""
        raise NotImplementedError

    def show_title(self, text: str) -> None:
        self.query_one("#title", Static).update(f"{self.heading}: {text}", layout=False)

    def show_text(self, text: str) -> None:
        self.query_one("#text", Static).update(text)

    def show_step(self) -> None:
        step = self.shown(self._steps[self._at])
        self.query_one(BoardWidget).show(step.view)
        self.show_text(step.text)
        self._show_place(step.about)
        self.call_after_refresh(self._show_place, step.about)

    def _show_place(self, about: str) -> None:
        """Show in the title which step this is, and whether its text is longer than the screen."""
        more = ", PgDn: more" if self.query_one(VerticalScroll).max_scroll_y > 0 else ""
        self.show_title(f"{self._at + 1:,} of {len(self._steps):,}, {about}{more}")

    def action_step(self, steps: int) -> None:
        self._go_to(max(0, min(self._at + steps, len(self._steps) - 1)), forward=steps > 0)

    def action_over(self, direction: int) -> None:
        """Take a larger step on (1) or back (-1), to the last or first step at most."""
        end = len(self._steps) if direction > 0 else -1
        places = range(self._at + direction, end, direction)
        target = next(filter(self.begins, places), end - direction)
        self._go_to(target, forward=direction > 0)

    def action_to(self, place: int) -> None:
        """Go to the first step (0), the last (-1) or any other."""
        self._go_to(place, forward=place != 0)

    def _go_to(self, place: int, *, forward: bool) -> None:
        if not self._steps:
            self.complain(NO_STEP_YET)
            return
        target = place % len(self._steps)
        if target == self._at:
            self.complain_of_end(forward)
            return
        self._at = target
        self.show_step()
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def complain_of_end(self, forward: bool) -> None:
        """Say that there is no further step."""
        self.complain("This is the last step" if forward else "This is the first step")

    def action_scroll(self, pages: int) -> None:
        """Scroll the text by so many pages."""
        scroll = self.query_one(VerticalScroll)
        before = round(scroll.scroll_target_y)
        after = max(0, min(before + pages * scroll.size.height, round(scroll.max_scroll_y)))
        if after == before:
            self.complain("The text ends here" if pages > 0 else "The text begins here")
        scroll.scroll_to(y=after, animate=False)


def labelled(label: str, words: Iterable[str], columns: int = 8) -> str:
    """Return words after a label of so many columns, on as many lines as the text needs."""
    return textwrap.fill(
        " ".join(words),
        WIDTH,
        initial_indent=f"{label:<{columns}}",
        subsequent_indent=" " * columns,
        break_on_hyphens=False,
    )
