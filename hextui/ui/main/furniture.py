"""The widgets of the main screen by what they are, arranged as the plan says."""

from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from hextui.ui.layout import BOARD, CARD, LEGEND, SECOND_BOARD, SMALLEST
from hextui.ui.main.arranging import ScreenPlan
from hextui.ui.panels.all_panels import Panels
from hextui.ui.panels.verdict_card import VerdictCard
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.frame import ActivityBar, LegendLine, PlacedWidgets, StatusLine, TitleLine


class Furniture:
    """Finds the widgets of a screen and moves them about."""

    def __init__(self, screen: Screen[None], panels: Panels) -> None:
        self._screen = screen
        self.panels = panels

    @property
    def size(self) -> Size:
        """Columns and lines of the terminal."""
        return self._screen.size

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self._screen.query_one(f"#{BOARD}", BoardWidget)

    @property
    def second_board(self) -> BoardWidget:
        """The board that stands beside it, if it is shown."""
        return self._screen.query_one(f"#{SECOND_BOARD}", BoardWidget)

    @property
    def legend(self) -> LegendLine:
        """The line below the board."""
        return self._screen.query_one(f"#{LEGEND}", LegendLine)

    @property
    def card(self) -> VerdictCard:
        """The verdict card."""
        return self._screen.query_one(f"#{CARD}", VerdictCard)

    @property
    def status(self) -> StatusLine:
        """The line that says where one is."""
        return self._screen.query_one(StatusLine)

    @property
    def title(self) -> TitleLine:
        """The line above all."""
        return self._screen.query_one(TitleLine)

    @property
    def known(self) -> list[str]:
        """The ids of all panels, and of the card if there is one."""
        return [*self.panels.ids, *(CARD for _ in self._screen.query(f"#{CARD}"))]

    @property
    def focused_panel(self) -> str | None:
        """The id of the panel that has the focus, or of the card, if one has."""
        focused = self._screen.focused
        return CARD if focused is not None and focused.id == CARD else self.panels.focused

    def focus_board(self) -> None:
        """Give the focus to the board."""
        self.board.focus()

    def focus_panel(self, panel: str) -> None:
        """Give the focus to a panel, or to the card."""
        if panel == CARD:
            self._screen.query_one(f"#{CARD}").focus()
        else:
            self.panels.focus_on(panel)

    def arrange(self, plan: ScreenPlan) -> None:
        """Share the screen as planned."""
        for board in (self.board, self.second_board):
            board.turned = plan.turned
            board.zoom = plan.frame.zoom
        self._screen.query_one(PlacedWidgets).place(plan.frame.places)
        self._screen.query_one(ActivityBar).chosen = plan.activity
        self._screen.set_class(plan.too_small, "-too-small")
        self._screen.query_one("#too-small", Static).update(
            f"This terminal has {self.size.width} x {self.size.height} characters,\n"
            f"hextui needs {SMALLEST.width} x {SMALLEST.height}."
        )
