"""Actions on the screen's layout: activities, panels, size and view of the board, focus."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from textual.geometry import Size

from hextui.records.board_view import Mode
from hextui.records.tree import Node
from hextui.ui.app.keys import Method, Topic, action
from hextui.ui.app.layout import BOARD, Activity, Frame, Wish, frame, zooms
from hextui.ui.app.settings import Settings
from hextui.ui.app.workspace import Workspace
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.panels.all_panels import PANEL_IDS, PANELS
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup
from hextui.ui.record.session import Session

_MOST_BOARDS = 4
_LINES_AROUND = 5  # title, GAME, HERE, status and keys
_ACTIVITIES = {
    Activity.REVIEW: "Review a game: moves, mistakes, record and graph",
    Activity.EXPLAIN: "Explain a position: connections, must-play, proofs",
    Activity.COMPARE: "Compare evaluators: two boards, agreement and moves",
    Activity.EXPLORE: "Explore what the games of the library played here",
}


def _for_each_activity(method: Method) -> Method:
    """Declare an action for each activity, which calls the method with it."""
    for key, (activity, about) in reversed(list(enumerate(_ACTIVITIES.items(), 1))):
        declare = action(
            f"activity-{activity}", str(key), activity.capitalize(), Topic.ACTIVITY, about, activity
        )
        method = declare(method)
    return method


def _for_each_panel(method: Method) -> Method:
    """Declare an action for each panel, which calls the method with the panel's id."""
    for panel in reversed(PANELS):
        panel_id = panel.TITLE.lower()
        declare = action(
            f"panel-{panel_id}",
            panel.KEY,
            f"Panel: {panel.TITLE}",
            Topic.PANELS,
            f"Go to the panel {panel.TITLE}",
            panel_id,
        )
        method = declare(method)
    return method


@dataclass(frozen=True)
class WhereAsked:
    """Where the user was: the node of a session, the layout, and the panel with the focus."""

    session: Session
    node: Node
    wish: Wish
    focused: str | None


@dataclass(frozen=True)
class WayBack:
    """A screen that was left for the board: its name, and what shows it again.

    ``before``: what the board showed when the screen was opened. ``explains``: it was left for the
    proof of who wins, from which Escape leads straight back.
    """

    name: str
    show: Callable[[], Awaitable[object]]
    before: WhereAsked
    explains: bool


class PanelActions(ActionGroup):
    """Arranges board and panels for the activity, the terminal and the user's choice."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.wish = Wish()
        self._plan: tuple[object, ...] = ()  # what the screen was arranged for
        self._origin: WhereAsked | None = None  # where a win was asked to be explained
        self._ways_back: list[WayBack] = []  # the one that Escape takes next is the last
        self._zooms: dict[str, Zoom | None] = {}
        self._zoom_of_others: Zoom | None = None
        self.lines_above = 0
        """The lines above the title that the body cannot use."""

    @property
    def chosen_overlay(self) -> Overlay:
        """The overlay of all activities except Explore."""
        explores = self.wish.activity is Activity.EXPLORE
        return self._shown.other_overlay if explores else self._shown.overlay

    @property
    def frame(self) -> Frame:
        """Where everything stands now."""
        return self._frame(self._whole_wish)

    @property
    def chosen_zooms(self) -> dict[str, Zoom] | None:
        """The sizes that the user chose, by the size of the board; None without any."""
        return {board: zoom for board, zoom in self._zooms.items() if zoom} or None

    def restore(self, settings: Settings) -> None:
        """Arrange the screen as in an earlier run."""
        activity = settings.activity or Activity.REVIEW
        self._zooms = dict(settings.zooms or {})
        self._zoom_of_others = settings.zoom
        self._take_overlay_of(activity)
        self.wish = Wish(activity, view=settings.view or View.NORMAL)
        if settings.picture:  # after the first screen, which does not wait for it
            board = self._screen.board
            graphics = self._workspace.services.graphics
            board.call_after_refresh(setattr, board, "graphics", graphics)
        if settings.panel in PANEL_IDS:
            self.go_to(settings.panel)
        else:
            self.share_room()
            self._screen.board.focus()

    def share_room(self) -> None:
        """Arrange boards and panels; the focus leaves a panel that has no place."""
        size = self._screen.size
        focused = self._screen.panels.focused
        frame = self.frame
        plan = self.wish.activity, self.wish.view, frame, size
        if plan == self._plan:
            return
        self._plan = plan
        self._workspace.shown = replace(self._shown, boards=frame.boards)
        self._screen.apply_plan(self.wish, frame)
        if focused and focused not in frame.places:
            self._screen.board.focus()
        self._workspace.changed(Change.CURSOR)  # the status line mentions hidden comments

    @_for_each_activity
    def choose(self, activity: Activity) -> None:
        """Arrange the screen for an activity, each panel in its place."""
        self._origin = None
        self._take_overlay_of(activity)
        self._change(activity=activity, guest="", alone="", at_panels=False)
        self._workspace.choose(connected=None, line=())  # what a panel had painted
        if activity is Activity.EXPLAIN:
            self._screen.query_one(ExplainPanel).begin_trying()

    def _take_overlay_of(self, activity: Activity) -> None:
        """Return to the overlay last used in Explore, or in the other activities."""
        shown = self._shown
        before = self.wish.activity
        if activity is not before and Activity.EXPLORE in (activity, before):
            self._workspace.shown = replace(
                shown, overlay=shown.other_overlay, other_overlay=shown.overlay
            )

    @action("zoom", "z", "Zoom", Topic.VIEW)
    def zoom(self) -> None:
        """Change the size of the board, or let it follow the terminal again."""
        board = self._session.board
        wish = replace(self.wish, alone="", at_panels=False)
        automatic = self._frame(replace(wish, zoom=None))
        steps: list[Zoom | None] = [None]
        for zoom in zooms(board, self.wish.view, self._body):
            if self._frame(replace(wish, zoom=zoom)) != automatic:
                steps.append(zoom)
        now = self._zoom
        after = steps[(steps.index(now) + 1) % len(steps)] if now in steps else None
        self._zooms[str(board)] = after
        self._change(alone="", at_panels=False)
        self._tell(f"Board of {board}: {after or 'as large as fits'}", 3)

    @action("picture", "number_sign", "Picture", Topic.VIEW)
    def picture(self) -> None:
        """Show the board as a picture, or as characters again."""
        board = self._screen.board
        graphics = self._workspace.services.graphics
        board.graphics = graphics if board.graphics is None else None
        if board.graphics and not board.images:
            self._tell(
                f"A picture in {graphics.protocol} needs more room: Z, or a larger terminal", 5
            )
        else:
            self._tell("Board: picture" if board.images else "Board: characters", 3)

    @action("boards", "plus", "More boards", Topic.VIEW, after="second-evaluator")
    def boards(self) -> None:
        """Compare on two boards, three or four, as far as they have room."""
        now = self._shown.boards
        most = min(len(self._workspace.evaluators), _MOST_BOARDS)
        for boards in (*range(now + 1, most + 1), *range(2, now)):
            if self._frame(replace(self._whole_wish, boards=boards)).boards == boards:
                self._change(boards=boards)
                return
        without = "There is no room, or no evaluator, for another board"
        self._complain(without if now > 1 else "Several boards are part of Compare: 3")

    @action("turn", "r", "Turn view", Topic.VIEW, mode=Mode.PLAY)
    def turn_view(self) -> None:
        """Turn the view: by 180 degrees, mirrored, or both; cell names stay."""
        views = list(View)
        self._change(view=views[(views.index(self.wish.view) + 1) % len(views)])
        self._tell(f"View: {self.wish.view}", 2)

    def bring(self, panel: str) -> None:
        """Bring a panel to its place, to that of the last one, or to that of what stands alone."""
        alone = panel if self.wish.alone not in ("", BOARD) else ""
        self.wish = replace(self.wish, alone=alone, at_panels=True)
        if panel not in self.frame.places:
            self.wish = replace(self.wish, guest=panel)
        self.share_room()

    @_for_each_panel
    def go_to(self, panel: str) -> None:
        """Bring a panel to the screen and give it the focus."""
        self.bring(panel)
        self._screen.panels.focus_on(panel)
        if panel == "explain":
            self._screen.query_one(ExplainPanel).begin_trying()

    @action("maximise", "Z", "Maximise", Topic.PANELS)
    def maximise(self) -> None:
        """Show the focused panel or the board alone, or all again."""
        alone = "" if self.wish.alone else self._screen.panels.focused or BOARD
        self._change(alone=alone)

    @action(
        "next-panel", "tab", "Next panel", Topic.PANELS, "Go to the next panel on the screen", 1
    )
    @action(
        "previous-panel",
        "shift+tab",
        "Previous panel",
        Topic.PANELS,
        "Go to the previous panel on the screen",
        -1,
    )
    def panel(self, step: int) -> None:
        """Give the focus to the panels on the screen and the board, in turn."""
        all_panels = self._frame(replace(self._whole_wish, alone="", at_panels=True)).panels
        stops = [None, *all_panels]  # None: the board
        focused = self._screen.panels.focused
        place = stops.index(focused) if focused in stops else 0
        stop = stops[(place + step) % len(stops)]
        if stop is None:
            self._show_board()
        else:
            self.go_to(stop)

    @action("board", "escape", "Board", Topic.PANELS)
    def focus_board(self) -> None:
        """Return to the board; hide what a panel shows on it, and play moves again."""
        explain = self._screen.query_one(ExplainPanel)
        if self.shows_proof_of_screen:
            explain.end_trying()
            self._go_back()
            return
        before = self._returned
        if self._screen.panels.focused is None and self._workspace.tries:
            explain.end_trying()
            if self._return():
                return
        self._show_board()
        self._workspace.choose(connected=None, line=())
        if "explain" in self.frame.places:
            explain.paint()
        if self._returned == before:
            self._go_back()

    @property
    def way_back(self) -> str:
        """The name of the screen to which Escape on the board leads back, '' without one."""
        return self._ways_back[-1].name if self._ways_back else ""

    @property
    def shows_proof_of_screen(self) -> bool:
        """Whether Escape leads straight back to a screen, which was left for a proof."""
        explains = bool(self._ways_back) and self._ways_back[-1].explains
        return explains and self._screen.panels.focused in (None, "explain")

    @property
    def where(self) -> WhereAsked:
        """Where the user is."""
        focused = self._screen.panels.focused
        return WhereAsked(self._session, self._session.node, self.wish, focused)

    def leave(
        self,
        name: str,
        show: Callable[[], Awaitable[object]],
        before: WhereAsked,
        *,
        explains: bool = False,
    ) -> None:
        """Have Escape on the board show a screen again.

        ``before``: where it was opened. ``explains``: it is left for the proof of who wins.
        """
        self.forget(name)
        self._ways_back.append(WayBack(name, show, before, explains))
        self._origin = None
        self._screen.show_keys()

    def forget(self, name: str) -> None:
        """Have Escape no longer lead back to a screen."""
        self._ways_back = [way for way in self._ways_back if way.name != name]

    def _go_back(self) -> None:
        """Show the screen again that was left for the board."""
        if not self._ways_back:
            self._complain("You are on the board already")
            return
        way = self._ways_back.pop()
        self.return_to(way.before)
        self._screen.show_keys()
        self._screen.run_worker(way.show(), group="dialogs")

    @property
    def _returned(self) -> tuple[object, ...]:
        """What returning to the board changes."""
        shown, tries = self._shown, self._workspace.tries
        return self._plan, self._screen.panels.focused, tries, shown.connected, shown.line

    @action("why", "w", "Why a side wins", Topic.ANALYSIS, mode=Mode.PLAY, after="solve-on")
    def explain_verdict(self) -> None:
        """Explain who wins: the proof as a tree of sentences, shown on the board."""
        origin = self._origin or self.where
        self.choose(Activity.EXPLAIN)
        self._origin = origin
        self.go_to("explain")
        self._screen.query_one(ExplainPanel).request_proof()

    def _return(self) -> bool:
        """Return to where a win was asked to be explained; return whether there is such a place."""
        origin = self._origin
        self._origin = None
        if origin is None or origin.session is not self._session:
            return False
        self.return_to(origin)
        return True

    def return_to(self, origin: WhereAsked) -> None:
        """Show the record, the position, the layout and the panel of a place again."""
        records = self._workspace.records
        if origin.session in records.sessions:
            records.show_session(origin.session)
        self._take_overlay_of(origin.wish.activity)
        self.wish = replace(origin.wish, view=self.wish.view)
        self.share_room()
        self._workspace.choose(connected=None, line=())
        session = self._session
        if session.record.holds(origin.node) and session.node is not origin.node:
            session.go_to(origin.node)
            self._workspace.changed(Change.SESSION)
        if origin.focused:
            self._screen.panels.focus_on(origin.focused)
        else:
            self._screen.board.focus()

    def _show_board(self) -> None:
        alone = self.wish.alone if self.wish.alone == BOARD else ""
        self._change(alone=alone, at_panels=False)
        self._screen.board.focus()

    def _change(self, **wish: object) -> None:
        self.wish = replace(self.wish, **wish)  # type: ignore[arg-type]
        self.share_room()

    def _frame(self, wish: Wish) -> Frame:
        return frame(wish, self._session.board, self._body)

    @property
    def _zoom(self) -> Zoom | None:
        """The size chosen for boards of the size of the one that is shown."""
        return self._zooms.get(str(self._session.board), self._zoom_of_others)

    @property
    def _whole_wish(self) -> Wish:
        """The wish with the chosen zoom, as far as that has room."""
        fitting = zooms(self._session.board, self.wish.view, self._body)
        return replace(self.wish, zoom=self._zoom if self._zoom in fitting else None)

    @property
    def _body(self) -> Size:
        size = self._screen.size
        return Size(size.width, max(size.height - _LINES_AROUND - self.lines_above, 0))
