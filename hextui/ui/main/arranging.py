"""How the main screen is shared: the activity, the size of the board, and where the focus is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from textual.geometry import Size

from hextui.ui.activities import Activity
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.layout import BOARD, CARD, SECOND_BOARD, SMALLEST, Frame, Wish, frame, zooms
from hextui.ui.main.desk import Desk

NO_SECOND_BOARD = "Two boards have no room in this terminal"
_LINES_AROUND = 3  # title, status and keys


@dataclass(frozen=True)
class ScreenPlan:
    """How the whole screen is shared, or that it is too small to be."""

    activity: Activity
    frame: Frame
    turned: View
    too_small: bool

    @property
    def two_boards(self) -> bool:
        """Whether there are two boards on the screen."""
        return SECOND_BOARD in self.frame.places


class Room(Protocol):
    """Where boards and panels stand."""

    @property
    def size(self) -> Size:
        """Columns and lines of the terminal."""
        ...

    @property
    def known(self) -> list[str]:
        """The ids of all panels, and of the card if there is one."""
        ...

    @property
    def focused_panel(self) -> str | None:
        """The id of the panel that has the focus, or of the card, if one has."""
        ...

    def arrange(self, plan: ScreenPlan) -> None:
        """Share the screen as planned."""
        ...

    def focus_board(self) -> None:
        """Give the focus to the board."""
        ...

    def focus_panel(self, panel: str) -> None:
        """Give the focus to a panel, or to the card."""
        ...


class Arranging:
    """Arranges board and panels for the activity, the terminal and the user's choice."""

    def __init__(self, desk: Desk, room: Room) -> None:
        self._desk = desk
        self._room = room
        self._wish = Wish()
        self._plan: ScreenPlan | None = None
        self._zooms: dict[str, Zoom | None] = {}
        self._zoom_of_others: Zoom | None = None

    @property
    def activity(self) -> Activity:
        """The activity that is on the screen."""
        return self._wish.activity

    @property
    def chosen_overlay(self) -> Overlay:
        """What the board shows where nobody explores."""
        shown = self._desk.shown
        return shown.other_overlay if self._explores else shown.overlay

    @property
    def _explores(self) -> bool:
        return self.activity is Activity.EXPLORE

    @property
    def frame(self) -> Frame:
        """Where everything stands now."""
        return self._frame(self._whole_wish)

    @property
    def turned(self) -> View:
        """How the boards are seen."""
        return self._wish.view

    @property
    def chosen_zooms(self) -> dict[str, Zoom] | None:
        """The sizes that the user chose, by the size of the board; None without any."""
        return {board: zoom for board, zoom in self._zooms.items() if zoom} or None

    def restore(
        self,
        activity: Activity | None,
        view: View | None,
        zooms: Mapping[str, Zoom] | None,
        zoom: Zoom | None,
        panel: str | None,
    ) -> None:
        """Share the screen as it was chosen in an earlier run; None where nothing was.

        ``zooms`` are by the size of the board; ``zoom`` is that of all other boards.
        """
        self._zooms = dict(zooms or {})
        self._zoom_of_others = zoom
        self._take_overlay_of(activity or Activity.REVIEW)
        self._wish = Wish(activity or Activity.REVIEW, view=view or View.NORMAL)
        if panel in self._room.known:
            self.go_to(panel)
        else:
            self.share_room()
            self._room.focus_board()

    def share_room(self) -> None:
        """Share the screen between boards and panels; nothing that has no place has the focus."""
        size, focused = self._room.size, self._room.focused_panel
        too_small = size.width < SMALLEST.width or size.height < SMALLEST.height
        plan = ScreenPlan(self.activity, self.frame, self.turned, too_small)
        if plan == self._plan:
            return
        self._plan = plan
        self._desk.shown = replace(self._desk.shown, two_boards=plan.two_boards)
        self._room.arrange(plan)
        if focused and focused not in plan.frame.places:
            self._room.focus_board()
        self._desk.show_cursor()  # the lines tell of panels that have no place

    def choose(self, activity: Activity) -> None:
        """Arrange the screen for an activity, each panel in its place."""
        self._take_overlay_of(activity)
        self._change(activity=activity, guest="", alone="", at_panels=False)
        self._desk.choose(connected=None, line=())  # what a panel had painted leaves with it
        if activity is Activity.COMPARE and not self._desk.shown.two_boards:
            self._desk.tell(NO_SECOND_BOARD, 4)

    def _take_overlay_of(self, activity: Activity) -> None:
        """Have the board show what it showed in Explore, or elsewhere, when it was last there."""
        shown = self._desk.shown
        if (activity is Activity.EXPLORE) is not self._explores:
            other, now = shown.other_overlay, shown.overlay
            self._desk.shown = replace(shown, overlay=other, other_overlay=now)

    def zoom(self) -> None:
        """Take the next size of the board: one that is chosen, or again what fits best."""
        board, wish = self._desk.session.board, replace(self._wish, alone="", at_panels=False)
        automatic = self._frame(replace(wish, zoom=None))
        steps: list[Zoom | None] = [None]
        for zoom in zooms(board, self.turned, self._body):
            if self._frame(replace(wish, zoom=zoom)) != automatic:
                steps.append(zoom)
        now = self._zoom
        after = steps[(steps.index(now) + 1) % len(steps)] if now in steps else None
        self._zooms[str(board)] = after
        self._change(alone="", at_panels=False)
        self._desk.tell(f"Board of {board}: {after or 'as large as fits'}", 3)

    def turn_view(self) -> None:
        """Turn the view of the board."""
        views = list(View)
        self._change(view=views[(views.index(self.turned) + 1) % len(views)])
        self._desk.tell(f"View: {self.turned}", 2)

    def maximise(self) -> None:
        """Show what has the focus alone, or all again."""
        alone = "" if self._wish.alone else self._room.focused_panel or BOARD
        self._change(alone=alone)

    def bring(self, panel: str) -> None:
        """Bring a panel to the screen: in its place, or in that of the last one beside the board.

        Where something stands alone, the panel takes its place.
        """
        alone = panel if self._wish.alone not in ("", BOARD) else ""
        self._wish = replace(self._wish, alone=alone, at_panels=True)
        if panel not in self.frame.places:
            self._wish = replace(self._wish, guest=panel)
        self.share_room()

    def go_to(self, panel: str) -> None:
        """Bring a panel to the screen and give it the focus."""
        self.bring(panel)
        self._room.focus_panel(panel)

    def panel(self, step: int) -> None:
        """Give the focus to the panels on the screen, the card and the board, in turn."""
        there = self._frame(replace(self._whole_wish, alone="", at_panels=True))
        card = [CARD] if CARD in there.places else []
        stops = [None, *there.panels, *card]
        focused = self._room.focused_panel
        stop = stops[((stops.index(focused) if focused in stops else 0) + step) % len(stops)]
        if stop is None:
            self._show_board()
        else:
            self.go_to(stop)

    def focus_board(self) -> None:
        """Go back to the board, without what a panel painted on it."""
        self._show_board()
        self._desk.choose(connected=None, line=())

    def _show_board(self) -> None:
        alone = self._wish.alone if self._wish.alone == BOARD else ""
        self._change(alone=alone, at_panels=False)
        self._room.focus_board()

    def _change(self, **wish: object) -> None:
        self._wish = replace(self._wish, **wish)  # type: ignore[arg-type]
        self.share_room()

    def _frame(self, wish: Wish) -> Frame:
        return frame(wish, self._room.known, self._desk.session.board, self._body)

    @property
    def _zoom(self) -> Zoom | None:
        """The size chosen for boards of the size of the one that is shown."""
        return self._zooms.get(str(self._desk.session.board), self._zoom_of_others)

    @property
    def _whole_wish(self) -> Wish:
        """The wish with the chosen zoom, as far as that has room."""
        fitting = zooms(self._desk.session.board, self.turned, self._body)
        return replace(self._wish, zoom=self._zoom if self._zoom in fitting else None)

    @property
    def _body(self) -> Size:
        size = self._room.size
        return Size(size.width, max(size.height - _LINES_AROUND, 0))
