"""The desk: what every part of the main screen works on, and how it has the result shown."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from hextui.analysis import Snapshot
from hextui.engine.position import Position
from hextui.engine.verdicts import Verdict, Verdicts
from hextui.ui.drawing.overlays import Shown
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.live.librarian import LibraryQuestion
from hextui.ui.live.live import Live
from hextui.ui.live.survey import Survey
from hextui.ui.live.surveys import Surveys
from hextui.ui.open_records import OpenRecords
from hextui.ui.panels.panel import PanelInput
from hextui.ui.session import Session


class Desk(ABC):
    """The open records, what is known of the one looked at, and what the user chose to see of it.

    A part changes these and then calls one of the ``show`` methods. What they do is another's
    business: the main screen's, or a test's.
    """

    def __init__(self, records: OpenRecords, live: Live, surveys: Surveys, shown: Shown) -> None:
        self.records = records
        self.live = live
        self.surveys = surveys
        self.shown = shown
        self.palette: Palette = DARK
        self.ask = records.talk.ask
        self.tell = records.talk.tell
        self.complain = records.talk.complain

    @property
    def session(self) -> Session:
        """The session that is shown."""
        return self.records.session

    @property
    def snapshot(self) -> Snapshot | None:
        """What the analysis knows of the position looked at."""
        return self.live.of(self.session.position)

    @property
    def verdicts(self) -> Verdicts:
        """What is proved of any position."""
        return self.live.verdicts

    @property
    def survey(self) -> Survey:
        """What is known of the line looked at."""
        return self.surveys.of(self.session, self.live.evaluators)

    @property
    def panel_input(self) -> PanelInput:
        """What the panels are shown."""
        return PanelInput(
            self.session, self.snapshot, self.shown, self.palette, self.verdicts, self.survey
        )

    @property
    def question(self) -> LibraryQuestion:
        """What the library is asked now."""
        return LibraryQuestion(self.session.position, self.shown.library_filter)

    @property
    def ranked_by(self) -> list[str]:
        """The evaluators that have ranked the position looked at."""
        snapshot = self.snapshot
        return list(snapshot.rankings) if snapshot else []

    @property
    def second_evaluator(self) -> str:
        """The evaluator on the second board: the chosen one, or the next after that in focus."""
        names = self.ranked_by
        if self.shown.second_evaluator in names or not names:
            return self.shown.second_evaluator
        focus = self.shown.evaluator
        return names[(names.index(focus) + 1) % len(names)] if focus in names else names[0]

    def choose(self, **choice: Any) -> None:
        """Change what is shown: fields of `Shown` by their names."""
        self.shown = replace(self.shown, **choice)
        self.show_analysis()

    @abstractmethod
    def show(self) -> None:
        """Show the session as it is now, and have its position analysed."""

    @abstractmethod
    def show_cursor(self) -> None:
        """Show what a move of the cursor changes."""

    @abstractmethod
    def show_analysis(self) -> None:
        """Show what is known of the position, as the user now chose to see it."""

    @abstractmethod
    def show_proved(self, position: Position, before: Verdict | None) -> None:
        """Show on the panels of the whole game who wins a position, if that was not so before."""

    @abstractmethod
    def bring(self, panel: str) -> None:
        """Bring a panel to the screen, by its id."""

    @abstractmethod
    def fill(self, panel: str) -> None:
        """Show what there is now on one panel, by its id."""
