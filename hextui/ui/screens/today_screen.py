"""Today on the screen: the steps of the day, and the key that goes on."""

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from hextui.records.record_text import RecordError, printable
from hextui.text import Names, counted
from hextui.train.daily import DailySet
from hextui.train.today import REVIEW_SECONDS, SYNC_SECONDS, DayStep, Today, question_of
from hextui.ui.live.today_flow import LEFT_OUT, TodayFlow
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.widgets.frame import ScreenKeys

GAME = "game"
"""What the screen closes with if the game of the turning point is to be opened."""
_REFRESH = 0.2  # seconds between two looks at what is done
_WAITING = {
    DayStep.SYNC: f"Enter waits no longer; nothing waits more than {SYNC_SECONDS:g} s.",
    DayStep.REVIEW: "Enter waits no longer. Reviews go on beside the next steps, at the latest "
    f"after {REVIEW_SECONDS / 60:g} minutes.",
}
"""What is said while a step is done by itself."""
_LABELS = {
    DayStep.SYNC: "Sync",
    DayStep.REVIEW: "Review",
    DayStep.STORY: "Turning point",
    DayStep.PUZZLES: "Puzzles",
}


class TodayScreen(MessageScreen[str]):
    """Shows how far the day is; closes with the step to do, `GAME`, or None to leave."""

    ABOUT = (
        "A day's training in ten minutes: new games are fetched and reviewed, you find the move "
        "that would have won one of them, and solve the puzzles that are due. Enter goes on. What "
        "is done is kept at once, so Escape leaves at any time."
    )
    BINDINGS = [
        ("enter", "go_on", "Go on"),
        ("n", "skip", "Leave out"),
        ("g", "game", "Open the game"),
        ("escape", "dismiss", "Back"),
    ]
    DEFAULT_CSS = """
    TodayScreen #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    TodayScreen VerticalScroll { height: 1fr; padding: 1; }
    TodayScreen #steps { height: auto; margin-bottom: 1; }
    """

    def __init__(self, flow: TodayFlow, names: Names) -> None:
        super().__init__()
        self._flow = flow
        self._names = names
        self._waits = False  # for the user
        self._shown = ""

    def compose(self) -> ComposeResult:
        yield Static("Today", id="title", markup=False)
        with VerticalScroll():
            yield Static(id="steps", markup=False)
            yield Static(id="text", markup=False)
        yield ScreenKeys()

    def on_mount(self) -> None:
        self._advance()
        self.set_interval(_REFRESH, self._show)

    @work(exclusive=True, group="today")
    async def _advance(self) -> None:
        """Let the day go on until it waits for the user."""
        self._waits = False
        try:
            await self._flow.advance()
        except RecordError as error:
            self.complain(error)
        if self._flow.problem:
            self.complain(self._flow.problem)
        self._waits = True
        self._show()
        self.refresh_bindings()

    # What is shown

    def _show(self) -> None:
        today = self._flow.today
        if today is None:
            return
        lines = [self._line(step, today) for step in _LABELS]
        text = self._text(today)
        shown = "\n".join([*lines, text])
        if shown != self._shown:
            self._shown = shown
            player = printable(today.player)
            title = f"Today  {today.day:%A} {today.day.day} {today.day:%B}  {player}"
            self.query_one("#title", Static).update(title.rstrip())
            self.query_one("#steps", Static).update("\n".join(lines))
            self.query_one("#text", Static).update(text)

    def _line(self, step: DayStep, today: Today) -> str:
        """Return a line about a step: whether it is done, and what is known of it."""
        steps = list(DayStep)
        mark = "[x]"
        if steps.index(step) >= steps.index(today.step):
            mark = "[>]" if step is today.step else "[ ]"
        return f"{mark} {_LABELS[step]:<14} {self._about(step, today)}".rstrip()

    def _about(self, step: DayStep, today: Today) -> str:
        if step is today.step and not self._waits:
            return printable(self._flow.line)
        if step is DayStep.REVIEW and today.games and step in today.notes:
            return self._reviews(today)
        if step is DayStep.PUZZLES and self._flow.daily is not None and self._flow.daily.places:
            return _puzzles(self._flow.daily, today.notes.get(step, "") == LEFT_OUT)
        return printable(today.notes.get(step, ""))

    def _reviews(self, today: Today) -> str:
        flow = self._flow
        done = f"{flow.reviewed} of {counted(len(today.games), 'game')} reviewed"
        if flow.work.reviews:
            return f"{done}; going on ({flow.work.progress})"
        return f"{done}: {flow.work.problem}" if flow.work.problem else done

    def _text(self, today: Today) -> str:
        """Return what is next, and the story once its turning point is answered."""
        flow = self._flow
        if not self._waits:
            return _WAITING.get(today.step, "")
        parts = []
        if flow.point is not None and today.step is DayStep.STORY:
            parts.append(printable(question_of(flow.point, self._names)))
        match today.step:
            case DayStep.STORY:
                parts.append("Enter: find the move that would have won.")
            case DayStep.PUZZLES if flow.daily is not None:
                parts.append(f"Enter: {counted(len(flow.daily.left), 'puzzle')} to solve.")
            case DayStep.DONE:
                parts.append(self._end(today))
        if flow.point is not None and today.step is not DayStep.STORY:
            parts.append(printable(f"{flow.point.mistake.turn.name}. {flow.story}"))
        return "\n\n".join(parts)

    def _end(self, today: Today) -> str:
        """Return that the day is over, and what tomorrow holds."""
        due = self._flow.due_tomorrow
        comes = f"{counted(due, 'puzzle')} come back"
        if due < 2:
            comes = f"{'one' if due else 'no'} puzzle comes back"
        left = len(today.games) - self._flow.reviewed
        goes_on = f", and {counted(left, 'game')} to review further" if left else ""
        return f"That was today. Tomorrow: {comes}{goes_on}."

    # What the user does

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Offer the game once its turning point is answered, and no step after the last."""
        today = self._flow.today
        over = today is not None and today.step is DayStep.DONE
        if action == "skip" and over:
            return "Today is done"
        if action != "game":
            return ""
        if self._waits and self._flow.point is None:
            return "There is no turning point today"
        return "The game is shown once its turning point is answered" if self._hides_game else ""

    @property
    def _hides_game(self) -> bool:
        today = self._flow.today
        if not self._waits or self._flow.point is None or today is None:
            return True
        return today.step is DayStep.STORY

    def action_go_on(self) -> None:
        """Go on: wait no longer, do the step that is next, or leave once the day is over."""
        today = self._flow.today
        if not self._waits or today is None:
            self._flow.hurry()
        elif today.step is DayStep.DONE:
            self.dismiss(None)
        else:
            self.dismiss(today.step)

    @work(group="today-skip")
    async def action_skip(self) -> None:
        """Leave out the step that is next, or wait no longer."""
        if not self._waits:
            self._flow.hurry()
            return
        await self._flow.skip()
        self._advance()

    def action_game(self) -> None:
        """Open the game at its turning point, with its review."""
        self.dismiss(GAME)


def _puzzles(daily: DailySet, left_out: bool) -> str:
    parts = [f"{len(daily.results)} of {len(daily.places)} tried"]
    if daily.results:
        parts.append(f"{sum(daily.results.values())} right")
    if left_out:
        parts.append(LEFT_OUT)
    return ", ".join(parts)
