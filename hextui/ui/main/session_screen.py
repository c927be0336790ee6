"""What the parts of the main screen share: the session, the analysis, and what is shown of them."""

from dataclasses import replace
from typing import Any

from textual.screen import Screen

from hextui.ui.drawing.overlays import Shown
from hextui.ui.live.live import Live
from hextui.ui.session import Session
from hextui.ui.widgets.board import BoardWidget
from hextui.ui.widgets.panel import Sight
from hextui.ui.widgets.panels import Panels


class SessionScreen(Screen[None]):
    """A screen with a session. The parts change it and then call one of the ``show`` methods."""

    def __init__(self, session: Session, live: Live, shown: Shown) -> None:
        super().__init__()
        self.session = session
        self.live = live
        self.shown = shown

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self.query_one("#board", BoardWidget)

    @property
    def second_board(self) -> BoardWidget:
        """The board that stands beside it, if it is shown."""
        return self.query_one("#second-board", BoardWidget)

    @property
    def sight(self) -> Sight:
        """What the panels are shown."""
        snapshot = self.live.of(self.session.position)
        return Sight(self.session, snapshot, self.shown, self.board.palette)

    @property
    def panels(self) -> Panels:
        """The panels."""
        return self.query_one("#panels", Panels)

    def show(self) -> None:
        """Show the session as it is now, and have its position analysed."""
        raise NotImplementedError

    def show_cursor(self) -> None:
        """Show what a move of the cursor changes."""
        raise NotImplementedError

    def show_analysis(self) -> None:
        """Show what is known of the position, as the user now chose to see it."""
        raise NotImplementedError

    def choose(self, **choice: Any) -> None:
        """Change what is shown: fields of `Shown` by their names."""
        self.shown = replace(self.shown, **choice)
        self.show_analysis()

    def complain(self, what: object) -> None:
        """Say in one line why something was not done."""
        self.notify(str(what), severity="warning", timeout=4, markup=False)
