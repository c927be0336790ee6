"""The user's own openings: moves in the positions met most, judged by solver and search."""

from collections.abc import Sequence
from typing import Any

from hextui.engines.engine import OpenLane
from hextui.engines.questions import Judge, Judged, Proved
from hextui.engines.snapshot import Progress
from hextui.text import Names
from hextui.train.guess import SEARCH, VISITS
from hextui.train.own_openings import OpeningTry, OwnOpening
from hextui.ui.drawing.palette import Palette
from hextui.ui.screens.puzzle_screen import PuzzleScreen, PuzzleSeries

_HOW_TO = (
    "The analysis is hidden.\n\n"
    "Enter or a click tries a move. A proved win is right, or else a move that a search of "
    f"{VISITS} visits finds as good as the best. s shows your usual move and the search's."
)
_END = "There is no other position to ask now"


class OwnOpeningsScreen(PuzzleScreen):
    """Asks for moves in positions of the user's games; an estimate is right or wrong, too."""

    ABOUT = (
        "Your own moves in the positions that you met most. A move is right if it is proved to "
        "win, or if the search finds none that is clearly better. The first try counts."
    )

    def __init__(
        self, positions: Sequence[OwnOpening], palette: Palette, open_lane: OpenLane, names: Names
    ) -> None:
        puzzles = [each.puzzle for each in positions]
        series = PuzzleSeries.of(puzzles, names, "My openings", _END)
        super().__init__(series, palette, open_lane, names)
        self._positions = positions
        self._attempt: OpeningTry | None = None
        self._is_usual = False  # the attempt is the user's usual move, not a try
        self._searched: Judged | None = None  # before a move is tried

    @property
    def _met(self) -> OwnOpening:
        return self._positions[self.subject.number - 1]

    def task_words(self) -> str:
        return self._met.task(self.names)

    def show_help(self) -> None:
        self.set_text(
            "how-to", f"n: the next position.\n\n{_HOW_TO}" if self.is_solved else _HOW_TO
        )
        self.refresh_bindings()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Offer no proof: most answers are estimates."""
        if parameters == ("why",):
            return "There is no proof here: v shows the analysis"
        return super().why_not(action, parameters)

    # Judging

    def prepare(self) -> None:
        """Have the position searched while the user thinks."""
        self._attempt = self._searched = None
        self.ask(Judge(self._met.position, (SEARCH,)))

    def begin_try(self, cell: int) -> None:
        self.show_try(cell)
        self._judge_move(cell, is_usual=False)

    def action_solution(self) -> None:
        """Show what the user usually plays here, and what the search prefers."""
        self._judge_move(next(iter(self._met.played)), is_usual=True)

    def _judge_move(self, cell: int, *, is_usual: bool) -> None:
        self._is_usual = is_usual
        attempt = OpeningTry(self._met.position, cell)
        if self._searched is not None:
            attempt = attempt.heard(self._searched)
        self.say("Searching ...")
        self._go_on(attempt)

    def _go_on(self, attempt: OpeningTry) -> None:
        """Ask what is not known yet, or show how the move is judged."""
        self._attempt = attempt
        if attempt.asked is not None:
            self.ask(attempt.asked)
            return
        said = f"{attempt.words}\n{self._met.played_words}"
        if self._is_usual:
            self.say(f"Your usual move. {said}")
            self.reveal()
        elif attempt.right is None:
            self.say(said)
        else:
            self.settle(attempt.right, said)

    def take(self, answer: Any, problem: str) -> None:
        match answer:
            case Judged() if self._attempt is None:
                if answer.verdict is not None or SEARCH in answer.rankings:
                    self._searched = answer
            case Judged() if not (answer.verdict or SEARCH in answer.rankings):
                pass  # the search goes on
            case Judged() | Proved() if self._attempt is not None:
                heard = self._attempt.heard(answer)
                if heard != self._attempt:
                    self._go_on(heard)
            case Progress() if self._attempt is not None:
                self.say(f"{answer.label}: {answer.amount} ...")
            case None if self._attempt is not None:
                self.say(problem)
