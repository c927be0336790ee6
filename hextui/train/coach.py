"""A coach judges the user's moves during a game, by the analysis that a review makes of games.

What it says is what a review lists: proved blunders, mistakes in the opening, and moves that lose
win probability by the search. Proofs are those of the program's solver; all else is an estimate.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.mistakes import (
    PROVED,
    Blunder,
    CostlyMove,
    OpeningMistake,
    blunders,
    costly_moves,
    opening_mistakes,
    undecided_moves,
)
from hextui.analysis.whole_game import GameAnalyst
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.verdicts import Verdicts
from hextui.engines.engine import OpenLane
from hextui.engines.snapshot import Progress
from hextui.records.record import Record
from hextui.records.tree import Node
from hextui.text import Names
from hextui.words.reviews import remark_words

SEARCH = "search"
"""The evaluator that estimates win probabilities."""
SOLVER_SECONDS = 0.5
"""Of the solver, each time that it is asked, beside a search of the positions that are new."""
LEAST_LOSS = 0.15
"""The least win probability that an estimated mistake loses."""
_NEWEST = 3  # positions that are judged: before and after the user's move, and after the answer


Mistake = Blunder | OpeningMistake | CostlyMove


@dataclass(frozen=True)
class CoachRemark:
    """A mistake, and the position after it; ``node``: that of the user's turn."""

    mistake: Mistake
    node: Node
    after: Position

    @property
    def is_proved(self) -> bool:
        """Whether the opponent is proved to win after it, and not before."""
        return isinstance(self.mistake, Blunder)

    def words(self, names: Names) -> str:
        """Return what the coach says."""
        return f"Coach: {remark_words(self.mistake, names)}"


class Coach:
    """Judges the moves of one ``color`` in one game, each once.

    ``open_lane``: of our engine. ``verdicts``: the store of proofs.
    """

    def __init__(self, color: Color, open_lane: OpenLane, verdicts: Verdicts) -> None:
        self._color = color
        self._open_lane = open_lane
        self._estimates = Estimates(verdicts)
        self._analyst: GameAnalyst | None = None
        self._said = set[Node]()

    def needs_to_judge(self, record: Record, node: Node) -> bool:
        """Return whether it is not proved yet that the move to a node gave nothing away."""
        pair = game_positions(record, node.line())[-2:]
        return any(undecided_moves(pair, self._estimates))

    def judge(self, record: Record, node: Node, hear: Callable[[], object]) -> None:
        """Judge the newest positions up to a node instead of others.

        ``hear`` is called in another thread when that is done, also if the engine fails.
        """
        self.stop()
        analyst = GameAnalyst(
            emit=partial(_hear_the_end, hear),
            solve_seconds=SOLVER_SECONDS,
            open_lane=self._open_lane,
        )
        self._analyst = analyst
        analyst.start(game_positions(record, node.line())[-_NEWEST:], (SEARCH,), self._estimates)

    def stop(self) -> None:
        """Stop judging; what is known is kept."""
        if self._analyst is not None:
            self._analyst.cancel()

    def remark(self, record: Record, node: Node) -> CoachRemark | None:
        """Return what is to be said of the user's last turn up to a node, the first time only."""
        own = [each for each in node.line() if each.turn and each.turn.color is self._color]
        if not own or own[-1] in self._said:
            return None
        last = own[-1]
        for mistake in self._mistakes(game_positions(record, node.line())):
            if mistake.color is self._color and mistake.moves[-1].ply == last.ply:
                self._said.add(last)
                return CoachRemark(mistake, last, record.position(last).without_swap)
        return None

    def _mistakes(self, positions: tuple[GamePosition, ...]) -> list[Mistake]:
        """Return what is wrong with a line of play as far as it is known, proved mistakes first."""
        estimates = self._estimates
        mistakes: list[Mistake] = [*blunders(positions, estimates)]
        for opening in opening_mistakes(positions, estimates, SEARCH):
            if opening.by == PROVED or opening.cost >= LEAST_LOSS:
                mistakes.append(opening)
        for costly in costly_moves(positions, estimates, SEARCH):
            if costly.cost >= LEAST_LOSS:
                mistakes.append(costly)
        return mistakes


def _hear_the_end(hear: Callable[[], object], progress: Progress | str) -> None:
    if isinstance(progress, str) or progress.done == progress.total:
        hear()
