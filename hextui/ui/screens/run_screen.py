"""A run against the clock: puzzle after puzzle for five minutes, with the results by theme."""

from hextui.train.puzzle import Puzzle
from hextui.train.timed_run import TimedRun
from hextui.ui.screens.puzzle_screen import PuzzleScreen

_TICK = 0.5  # seconds between two looks at the clock


class RunScreen(PuzzleScreen):
    """Shows the next puzzle after each right move, until the time is up."""

    ABOUT = (
        "As many puzzles as you solve in five minutes, three of each level in turn. The first try "
        "counts; a right one leads to the next puzzle. The summary has the results by theme."
    )
    _ended = False

    def on_mount(self) -> None:
        self.run = TimedRun()
        super().on_mount()
        self._ticking = self.set_interval(_TICK, self.tick)

    def heading(self) -> str:
        """The title: the time left, and the score."""
        left = self.run.seconds_left
        return f"{left // 60}:{left % 60:02}  {self.run.score}"

    def tick(self) -> None:
        """Show the clock; sum up once the time is up."""
        self.set_text("title", self.heading())
        if self.run.seconds_left == 0 and not self._ended:
            self._ended = True
            self._ticking.stop()
            self.drop_question()
            self.set_text("task", "The time is up")
            self.say(self.run.words)
            self.set_text("how-to", "Escape returns to the list.")
            self.refresh_bindings()

    def action_back(self) -> None:
        if self._ended:
            self.dismiss("")
        else:
            super().action_back()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Offer nothing but the way back at the end."""
        if self._ended and action not in ("back", "move"):
            return "The time is up"
        return super().why_not(action, parameters)

    def count_try(self, puzzle: Puzzle, right: bool) -> None:
        self.run.add(puzzle, right)
        super().count_try(puzzle, right)
        if right:
            self.action_go(1)
