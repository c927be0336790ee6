"""The widgets of the main screen by what they are, arranged as the plan says."""

from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from hextui.ui.layout import SMALLEST
from hextui.ui.main.arranging import ScreenPlan
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.panels import Panels
from hextui.ui.widgets.status import StatusLine, TitleLine
from hextui.ui.widgets.verdict_card import VerdictCard


class Furniture:
    """Finds the widgets of a screen and moves them about."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen

    @property
    def size(self) -> Size:
        """Columns and lines of the terminal."""
        return self._screen.size

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self._screen.query_one("#board", BoardWidget)

    @property
    def second_board(self) -> BoardWidget:
        """The board that stands beside it, if it is shown."""
        return self._screen.query_one("#second-board", BoardWidget)

    @property
    def panels(self) -> Panels:
        """The panels."""
        return self._screen.query_one("#panels", Panels)

    @property
    def card(self) -> VerdictCard:
        """The verdict card."""
        return self._screen.query_one(VerdictCard)

    @property
    def status(self) -> StatusLine:
        """The line below the board."""
        return self._screen.query_one(StatusLine)

    @property
    def title(self) -> TitleLine:
        """The line above the board."""
        return self._screen.query_one(TitleLine)

    @property
    def panel_ids(self) -> list[str]:
        """The ids of all panels in order."""
        return self.panels.ids

    @property
    def newest_panel(self) -> str:
        """The id of the panel used last."""
        return self.panels.newest

    @property
    def focused_panel(self) -> str | None:
        """The id of the panel that has the focus, if one has."""
        return self.panels.focused

    def focus_board(self) -> None:
        """Give the focus to the board."""
        self.board.focus()

    def focus_panel(self, panel: str) -> None:
        """Give the focus to a panel."""
        self.panels.focus_on(panel)

    def arrange(self, plan: ScreenPlan) -> None:
        """Share the screen as planned."""
        way, panels = plan.arrangement, self.panels
        self.second_board.display = plan.two_boards
        self.board.display = plan.board_shown
        for board in (self.board, self.second_board):
            board.turned = plan.turned
            board.zoom = way.zoom
            board.styles.width = way.board_columns
        self.card.fit(self.size)
        panels.display = way.panels
        panels.count = plan.panels
        self._screen.set_class(plan.too_small, "-too-small")
        self._screen.query_one("#too-small", Static).update(
            f"This terminal has {self.size.width} x {self.size.height} characters,\n"
            f"hextui needs {SMALLEST.width} x {SMALLEST.height}."
        )
