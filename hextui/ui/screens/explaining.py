"""Why a move has its value, or what a cell is linked to, step by step on a board."""

from bisect import bisect_left, bisect_right
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from hextui.engine.explanation import Explanation, Illustration
from hextui.engines.engine import OpenLane
from hextui.engines.questions import Explain, ShowLinks
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.board_view import BoardView
from hextui.ui.drawing.explanation_steps import ShownStep, groups, painted_steps, steps_of
from hextui.ui.drawing.palette import Palette
from hextui.ui.live.live_messages import hear
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.key_lines import ScreenKeys
from hextui.words.names import Names

Found = Explanation | tuple[Illustration, ...] | Progress


class ExplainScreen(BaseScreen[None]):
    """Shows the answer to a question, of the position it was opened at; no record is touched."""

    class Came(Message):
        """How far the engine is, or its answer; ``problem`` says why there is none."""

        def __init__(self, found: Found | None, problem: str = "") -> None:
            super().__init__()
            self.found = found
            self.problem = problem

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,right,down,j,space", "step(1)", "Next", id="explain.next"),
        Binding("p,left,up,k", "step(-1)", "Back", id="explain.previous"),
        Binding("right_square_bracket,enter", "group(1)", "Next set", id="explain.over"),
        Binding("left_square_bracket", "group(-1)", "Set before", id="explain.back-over"),
        Binding("home,g", "to(0)", "First", id="explain.first"),
        Binding("end,G", "to(-1)", "Last", id="explain.last"),
        Binding("pagedown", "scroll(1)", "Text down", show=False, id="explain.text-down"),
        Binding("pageup", "scroll(-1)", "Text up", show=False, id="explain.text-up"),
        Binding("escape,q", "close", "Close", id="explain.close"),
    ]
    DEFAULT_CSS = """
    ExplainScreen #explain-title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    ExplainScreen Horizontal { height: 1fr; }
    ExplainScreen #explain-scroll { width: 40; height: 1fr; padding: 0 1; }
    ExplainScreen #explain-scroll { scrollbar-size-vertical: 0; }
    ExplainScreen #explain-text { width: 38; height: auto; }
    """

    def __init__(
        self,
        question: Explain | ShowLinks,
        palette: Palette,
        open_lane: OpenLane,
        names: Names = Names.RED_BLUE,
    ) -> None:
        super().__init__()
        self._question = question
        self._palette = palette
        self._open_lane = open_lane
        self._names = names
        self._steps: tuple[ShownStep, ...] = ()
        self._groups: list[int] = []
        self._at = 0
        self._left = False

    def compose(self) -> ComposeResult:
        """Make the title, the board and the text."""
        yield Static(f"{self._heading}: asking", id="explain-title", markup=False)
        with Horizontal():
            view = BoardView(self._question.position, cursor=self._question.move)
            board = BoardWidget(view, id="explain-board")
            board.can_focus = False
            board.palette = self._palette
            yield board
            with VerticalScroll(id="explain-scroll", can_focus=False):
                yield Static(id="explain-text", markup=False)
        yield ScreenKeys()

    def on_mount(self) -> None:
        """Have the engine asked."""
        self._ask()

    def on_unmount(self) -> None:
        """Stop asking."""
        self._left = True

    @property
    def _heading(self) -> str:
        move = self._question.position.board.name(self._question.move)
        if isinstance(self._question, ShowLinks):
            return f"Links of {move}"
        return f"Why {move} by {self._question.evaluator}"

    @work(thread=True, group="explain")
    def _ask(self) -> None:
        """Wait for the engine."""
        hear(
            self._open_lane,
            self._question,
            lambda: self._left,
            lambda found, problem: self.post_message(self.Came(found, problem)),
        )

    @on(Came)
    def _take(self, came: Came) -> None:
        match came.found:
            case Explanation():
                self._begin(steps_of(came.found, self._names))
            case tuple():
                question = self._question
                position, move = question.position, question.move
                self._begin(painted_steps(position, move, came.found, self._names))
            case Progress() as progress:
                self._tell_title(f"{progress.label}: {progress.amount}")
            case None:
                self._tell_title("no answer")
                self.query_one("#explain-text", Static).update(came.problem)

    def _begin(self, steps: tuple[ShownStep, ...]) -> None:
        self._steps = steps
        self._groups = groups(steps)
        self._show()

    def _tell_title(self, text: str) -> None:
        self.query_one("#explain-title", Static).update(f"{self._heading}: {text}")

    def _show(self) -> None:
        step = self._steps[self._at]
        self._tell_step()
        self.query_one(BoardWidget).show(step.view)
        self.query_one("#explain-text", Static).update(step.text)
        self.query_one("#explain-scroll", VerticalScroll).scroll_home(animate=False)
        self.call_after_refresh(self._tell_step)

    def _tell_step(self) -> None:
        """Tell in the title which step is shown, and whether its text is longer than the screen."""
        more = self.query_one("#explain-scroll", VerticalScroll).max_scroll_y > 0
        group = self._steps[self._at].group
        self._tell_title(
            f"{self._at + 1} of {len(self._steps)}, {group}" + (", PgDn: more" if more else "")
        )

    def action_step(self, steps: int) -> None:
        """Go steps on or back."""
        self.action_to(max(0, min(self._at + steps, len(self._steps) - 1)))

    def action_group(self, direction: int) -> None:
        """Go to the beginning of the next set of steps, or of the one before."""
        if direction > 0:
            place = bisect_right(self._groups, self._at)
            self.action_to(self._groups[place] if place < len(self._groups) else -1)
        elif self._groups:
            place = bisect_left(self._groups, self._at)
            self.action_to(self._groups[max(place - 1, 0)])

    def action_to(self, place: int) -> None:
        """Go to the first step (0), the last (-1) or any other."""
        if self._steps:
            self._at = place % len(self._steps)
            self._show()

    def action_scroll(self, pages: int) -> None:
        """Scroll a text that is longer than the screen."""
        scroll = self.query_one("#explain-scroll", VerticalScroll)
        scroll.scroll_relative(y=pages * scroll.size.height, animate=False)

    def action_close(self) -> None:
        """Go back to the record."""
        self.dismiss(None)
