"""A whole game as the screen sees it: its stations, what is known of them, and the progress."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from textual.message import Message

from hextui.analysis.judgements import Judgements
from hextui.analysis.review_list import ReviewEntry, review_list
from hextui.analysis.stations import Station
from hextui.engines.snapshot import Progress


class GameAnalyst(Protocol):
    """Analyses whole games in the background, one at a time.

    ``solve_seconds``: the solver's budget of a game, in seconds of a processor.
    """

    solve_seconds: float

    def start(
        self, stations: Sequence[Station], names: Sequence[str], judgements: Judgements
    ) -> None:
        """Analyse a game instead of the last one."""
        ...

    def cancel(self) -> None:
        """Stop; what was found is kept."""
        ...

    def close(self) -> None:
        """Stop, and wait until no thread runs any more."""
        ...


MakeGameAnalyst = Callable[[Callable[[Progress | str], None]], GameAnalyst]
"""Makes one that hands its progress, from any thread, to the callable it is given."""


@dataclass
class GameProgressed(Message):
    """The analysis of a game has come on, or has failed; the newest message replaces older ones."""

    progress: Progress | str

    def can_replace(self, message: Message) -> bool:
        """Only the newest progress is of interest."""
        return isinstance(message, GameProgressed)


class KeptReview:
    """The list of mistakes, worked out again only when it may have become another one."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._entries: tuple[ReviewEntry, ...] = ()

    def entries(
        self, stations: tuple[Station, ...], judgements: Judgements, name: str
    ) -> tuple[ReviewEntry, ...]:
        """Return what `review_list` does."""
        # the revision before the list: what a thread finds out meanwhile may not be in it
        of = (stations, judgements, judgements.revision, name)
        if of != self._of:
            self._entries = review_list(stations, judgements, name)
            self._of = of
        return self._entries


@dataclass(frozen=True)
class Survey:
    """What is known of the line looked at.

    ``names``: the chosen evaluators, and others that are known. ``progress``: of the analysis,
    while it is going on. ``review`` may be shared with later surveys.
    """

    stations: tuple[Station, ...]
    names: tuple[str, ...]
    judgements: Judgements
    progress: Progress | None = None
    review: KeptReview = field(default_factory=KeptReview, compare=False)

    def judge(self, focus: str) -> str:
        """Return who judges: the evaluator in focus, or the first, '' without any."""
        return focus if focus in self.names else next(iter(self.names), "")

    def mistakes(self, focus: str) -> tuple[ReviewEntry, ...]:
        """Return what went wrong as far as it is known, the worst first (see `review_list`)."""
        return self.review.entries(self.stations, self.judgements, self.judge(focus))

    @property
    def known(self) -> bool:
        """Whether any evaluator has judged any station."""
        return any(self.judgements.of(s, name) for s in self.stations for name in self.names)
