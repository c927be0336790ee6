"""A whole game as the screen sees it: its positions, what is known of them, and the progress."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from textual.message import Message

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.game_report import Advantage, advantages, win_rates
from hextui.analysis.review import ReviewEntry, review_entries
from hextui.engine.evaluators import improves
from hextui.engines.attached.engine_config import engine_in
from hextui.engines.snapshot import Progress


@dataclass
class GameProgressed(Message):
    """The analysis of a game has come on, or has failed; the newest message replaces older ones."""

    progress: Progress | str

    def can_replace(self, message: Message) -> bool:
        """Only the newest progress is of interest."""
        return isinstance(message, GameProgressed)


@dataclass(frozen=True)
class Survey:
    """What is known of the line looked at.

    ``names``: the chosen evaluators, and others that are known. ``progress``: of the analysis,
    while it is going on. ``revision``: that of the estimates; when more is known, there is
    another survey. What is worked out here is the same at every ply, and so worked out once.
    """

    positions: tuple[GamePosition, ...]
    names: tuple[str, ...]
    estimates: Estimates
    progress: Progress | None = None
    revision: tuple[int, int] = (0, 0)
    _mistakes: dict[str, tuple[ReviewEntry, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def advantages(self) -> dict[int, Advantage]:
        """Who is ahead at each ply of which anything is known."""
        return advantages(self.positions, self.estimates, self.names)

    @cached_property
    def _win_rates(self) -> dict[str, dict[int, float]]:
        engines = (name for name in self.names if engine_in(name) is not None)
        found = {name: win_rates(self.positions, self.estimates, name) for name in engines}
        return {name: rates for name, rates in found.items() if rates}

    def win_rates(self, focus: str) -> tuple[str, dict[int, float]]:
        """Return another engine and Red's chance to win that it tells, by ply; '' if none does.

        It is the one in focus, or else the first that tells any.
        """
        name = focus if focus in self._win_rates else next(iter(self._win_rates), "")
        return name, self._win_rates.get(name, {})

    def judge(self, focus: str) -> str:
        """Return who judges: the evaluator in focus, or the first, '' without any."""
        return focus if focus in self.names else next(iter(self.names), "")

    def mistakes(self, focus: str) -> tuple[ReviewEntry, ...]:
        """Return the mistakes, the worst first, judged by ``focus`` if it has judged."""
        name = self.judge(focus)
        if name not in self._mistakes:
            self._mistakes[name] = review_entries(self.positions, self.estimates, name)
        return self._mistakes[name]

    @cached_property
    def known(self) -> bool:
        """Whether the game is analysed: any evaluator has judged any position.

        A search judges what one looks at; it must have judged all that no proof decides.
        """
        searches = [name for name in self.names if improves(name)]
        others = [name for name in self.names if name not in searches]
        return any(self._judged(here, others) for here in self.positions) or all(
            self._judged(here, searches) or self.estimates.verdict(here.position)
            for here in self.positions
        )

    def _judged(self, here: GamePosition, names: Sequence[str]) -> bool:
        return any(self.estimates.of(here, name) for name in names)
