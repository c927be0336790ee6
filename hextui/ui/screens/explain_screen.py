"""Why a move has its value, or what a cell is linked to, step by step on a board."""

from bisect import bisect_left, bisect_right
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll

from hextui.engine.explanation import Explanation, Illustration
from hextui.engines.engine import OpenLane
from hextui.engines.questions import Explain, ShowLinks
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.board_view import BoardView
from hextui.ui.drawing.explanation_steps import ShownStep, groups, picture_steps, steps_of
from hextui.ui.drawing.palette import Palette
from hextui.ui.screens.step_screen import StepScreen, step_bindings
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.words.names import Names


class ExplainScreen(StepScreen):
    """Explains a move, or a cell's links, in the position that the question is about."""

    BINDINGS: ClassVar[list[BindingType]] = step_bindings(
        over=("Next set", "Set before"), show_ends=True
    )
    DEFAULT_CSS = """
    ExplainScreen VerticalScroll { padding: 0 1; scrollbar-size-vertical: 0; }
    ExplainScreen #text { width: 38; height: auto; }
    """

    def __init__(
        self,
        question: Explain | ShowLinks,
        palette: Palette,
        open_lane: OpenLane,
        names: Names = Names.RED_BLUE,
    ) -> None:
        view = BoardView(question.position, cursor=question.move)
        super().__init__(view, palette, open_lane, names)
        self._question = question
        self._groups: list[int] = []
        move = question.position.board.name(question.move)
        if isinstance(question, ShowLinks):
            self.heading = f"Links of {move}"
        else:
            self.heading = f"Why {move} by {question.evaluator}"

    def on_mount(self) -> None:
        """Ask the engine."""
        self.show_title("asking")
        self.ask(self._question)

    def take(
        self, found: Explanation | tuple[Illustration, ...] | Progress | None, problem: str
    ) -> None:
        """Show how far the engine is, or its answer."""
        match found:
            case Explanation():
                self._begin(steps_of(found, self.names))
            case tuple():
                position, move = self._question.position, self._question.move
                self._begin(picture_steps(position, move, found, self.names))
            case Progress():
                self.show_title(f"{found.label}: {found.amount}")
            case None:
                self.show_title("no answer")
                self.show_text(problem)

    def _begin(self, steps: tuple[ShownStep, ...]) -> None:
        self._steps = steps
        self._groups = groups(steps)
        self.show_step()

    def show_step(self) -> None:
        """Show the current step."""
        step = self._steps[self._at]
        self._show_place()
        self.query_one(BoardWidget).show(step.view)
        self.show_text(step.text)
        self.call_after_refresh(self._show_place)

    def _show_place(self) -> None:
        """Show in the title which step this is, and whether its text is longer than the screen."""
        more = ", PgDn: more" if self.query_one(VerticalScroll).max_scroll_y > 0 else ""
        group = self._steps[self._at].group
        self.show_title(f"{self._at + 1} of {len(self._steps)}, {group}{more}")

    def action_over(self, direction: int) -> None:
        """Go to the beginning of the next set of steps, or of the one before."""
        if direction > 0:
            place = bisect_right(self._groups, self._at)
            self.action_to(self._groups[place] if place < len(self._groups) else -1)
        elif self._groups:
            place = bisect_left(self._groups, self._at)
            self.action_to(self._groups[max(place - 1, 0)])
