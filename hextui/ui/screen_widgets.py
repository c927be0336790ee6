"""The widgets of the main screen, and how they are arranged."""

from dataclasses import dataclass

from textual.widgets import Static

from hextui.ui.drawing.geometry import View
from hextui.ui.layout import BOARD, CARD, LEGEND, SECOND_BOARD, SMALLEST, Activity, Frame
from hextui.ui.panels.all_panels import PANELS, Panels
from hextui.ui.panels.record_panel import Comment
from hextui.ui.panels.verdict_card import VerdictCard
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.frame import ActivityBar, LegendLine, PlacedWidgets, StatusLine, TitleLine


@dataclass(frozen=True)
class ScreenPlan:
    """Where everything on the screen stands, or that the terminal is too small."""

    activity: Activity
    frame: Frame
    turned: View
    too_small: bool

    @property
    def two_boards(self) -> bool:
        """Whether there are two boards on the screen."""
        return SECOND_BOARD in self.frame.places


class ScreenWidgets(BaseScreen[None]):
    """A screen with boards, panels and lines: finds them, focuses them and arranges them."""

    def __init__(self) -> None:
        super().__init__()
        self.panels = Panels(self, [panel() for panel in PANELS])

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self.query_one(f"#{BOARD}", BoardWidget)

    @property
    def second_board(self) -> BoardWidget:
        """The second board, if it is shown."""
        return self.query_one(f"#{SECOND_BOARD}", BoardWidget)

    @property
    def legend(self) -> LegendLine:
        """The line below the board."""
        return self.query_one(f"#{LEGEND}", LegendLine)

    @property
    def card(self) -> VerdictCard:
        """The verdict card."""
        return self.query_one(f"#{CARD}", VerdictCard)

    @property
    def status_line(self) -> StatusLine:
        """The status line."""
        return self.query_one(StatusLine)

    @property
    def title_line(self) -> TitleLine:
        """The title line."""
        return self.query_one(TitleLine)

    @property
    def panel_ids(self) -> list[str]:
        """The ids of all panels, and of the card if there is one."""
        return [*self.panels.ids, *(CARD for _ in self.query(f"#{CARD}"))]

    @property
    def focused_panel(self) -> str | None:
        """The id of the panel that has the focus, or of the card, if one has."""
        focused = self.focused
        return CARD if focused is not None and focused.id == CARD else self.panels.focused

    @property
    def comment(self) -> Comment:
        """The comment of the current node, where it is also written."""
        return self.query_one(Comment)

    def focus_board(self) -> None:
        """Give the focus to the board."""
        self.board.focus()

    def focus_panel(self, panel: str) -> None:
        """Give the focus to a panel, or to the card."""
        if panel == CARD:
            self.query_one(f"#{CARD}").focus()
        else:
            self.panels.focus_on(panel)

    def apply_plan(self, plan: ScreenPlan) -> None:
        """Arrange the screen as planned."""
        for board in (self.board, self.second_board):
            board.turned = plan.turned
            board.zoom = plan.frame.zoom
        self.query_one(PlacedWidgets).place(plan.frame.places)
        self.query_one(ActivityBar).chosen = plan.activity
        self.set_class(plan.too_small, "-too-small")
        self.query_one("#too-small", Static).update(
            f"This terminal has {self.size.width} x {self.size.height} characters,\n"
            f"hextui needs {SMALLEST.width} x {SMALLEST.height}."
        )
