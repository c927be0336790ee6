"""How board and panels share the main screen, and where the focus is."""

from dataclasses import dataclass, replace
from typing import Protocol

from textual.geometry import Size

from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.layout import FULL, SMALLEST, Arrangement, arrangements, panel_count, side_by_side
from hextui.ui.main.desk import Desk

_LINES_AROUND = 3  # title, status and footer


@dataclass(frozen=True)
class ScreenPlan:
    """How the whole screen is shared: one or two boards, so many panels, or only a word why not."""

    arrangement: Arrangement
    turned: View
    two_boards: bool
    panels: int
    too_small: bool

    @property
    def board_shown(self) -> bool:
        """Whether there is a board on the screen."""
        return self.arrangement.board_columns > 0 or not self.arrangement.panels


_NOTHING = ScreenPlan(Arrangement(Zoom.COMPACT, 0, False), View.NORMAL, False, 0, False)


class Room(Protocol):
    """Where boards and panels stand."""

    @property
    def size(self) -> Size:
        """Columns and lines of the terminal."""
        ...

    @property
    def panel_ids(self) -> list[str]:
        """The ids of all panels in order."""
        ...

    @property
    def newest_panel(self) -> str:
        """The id of the panel used last."""
        ...

    @property
    def focused_panel(self) -> str | None:
        """The id of the panel that has the focus, if one has."""
        ...

    def arrange(self, plan: ScreenPlan) -> None:
        """Share the screen as planned."""
        ...

    def focus_board(self) -> None:
        """Give the focus to the board."""
        ...

    def focus_panel(self, panel: str) -> None:
        """Give the focus to a panel."""
        ...


class Arranging:
    """Arranges board and panels for the size of the terminal and the user's choice."""

    def __init__(self, desk: Desk, room: Room) -> None:
        self._desk = desk
        self._room = room
        self._arrangement = 0
        self._wanted: Zoom | None = None
        self._plan = _NOTHING
        self.turned = View.NORMAL

    @property
    def chosen_zoom(self) -> Zoom | None:
        """The zoom that the user chose; None where it follows the size of the terminal."""
        return self._plan.arrangement.zoom if self._arrangement else None

    def share_room(self, zoom: Zoom | None = None, *, anew: bool = False) -> None:
        """Share the screen between board and panels.

        ``zoom``, if given, is taken as soon as there is room for it; ``anew`` forgets the
        user's choice.
        """
        self._wanted = zoom or self._wanted
        if anew:
            self._arrangement = 0
        size, choices = self._room.size, self._choices
        zooms = [choice.zoom for choice in choices]
        if self._wanted in zooms and size.height > _LINES_AROUND:
            self._arrangement = zooms.index(self._wanted)
            self._wanted = None
        self._plan = ScreenPlan(
            choices[self._arrangement % len(choices)],
            self.turned,
            self._two_boards,
            panel_count(size),
            size.width < SMALLEST.width or size.height < SMALLEST.height,
        )
        self._room.arrange(self._plan)

    def fit(self) -> None:
        """Share the new size of the terminal between board and panels."""
        self.share_room()
        self._desk.show_cursor()

    def zoom(self) -> None:
        """Share the screen in the next way."""
        focused = self._room.focused_panel
        self._arrangement += 1
        self.share_room()
        if not self._plan.board_shown:
            self._room.focus_panel(self._room.newest_panel)
        elif focused and not self._plan.arrangement.panels:
            self._room.focus_board()

    def two_boards(self) -> None:
        """Show a second board, or one board again."""
        two = not self._desk.shown.two_boards
        if two and self._room.size.width < FULL:
            self._desk.complain(f"Two boards need a terminal of {FULL} columns")
            return
        self._desk.shown = replace(self._desk.shown, two_boards=two)
        self.share_room(anew=True)
        self._desk.show_analysis()

    def turn_view(self) -> None:
        """Turn the view of the board."""
        views = list(View)
        self.turned = views[(views.index(self.turned) + 1) % len(views)]
        self.share_room()
        self._desk.tell(f"View: {self.turned}", 2)

    def show_panels(self) -> bool:
        """Show panels; False, and a word why, where they have no room."""
        if not self._plan.arrangement.panels:
            beside = [choice.panels for choice in self._choices]
            if True not in beside:
                self._desk.complain("There is no room for panels beside two boards: 2 shows one")
                return False
            self._arrangement = beside.index(True)
            self.share_room()
        return True

    def panel(self, step: int) -> None:
        """Give the focus to the next panel; after the last one comes the board."""
        if not self.show_panels():
            return
        stops = [None, *self._room.panel_ids]
        stop = stops[(stops.index(self._room.focused_panel) + step) % len(stops)]
        if stop is None:
            self._show_board()
        else:
            self._desk.bring(stop)
            self._room.focus_panel(stop)

    def focus_board(self) -> None:
        """Go back to the board, without what a panel painted on it."""
        self._show_board()
        self._desk.choose(connected=None, line=())

    def _show_board(self) -> None:
        if not self._plan.board_shown:
            self.share_room(anew=True)
        self._room.focus_board()

    @property
    def _two_boards(self) -> bool:
        """Whether two boards are shown: if asked for, from 140 columns."""
        return self._desk.shown.two_boards and self._room.size.width >= FULL

    @property
    def _choices(self) -> tuple[Arrangement, ...]:
        """The ways to share the screen as it is."""
        size = self._room.size
        body = Size(size.width, max(size.height - _LINES_AROUND, 0))
        arrange = side_by_side if self._two_boards else arrangements
        return arrange(self._desk.session.board, self.turned, body)
