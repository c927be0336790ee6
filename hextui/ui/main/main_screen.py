"""The main screen: the board, the panels beside it, and the analysis they show."""

import gc
import time
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Footer, Static

from hextui.analysis import Snapshot
from hextui.engines.engine import OpenLane
from hextui.ui.compositor import LeanCompositor
from hextui.ui.drawing import themes
from hextui.ui.drawing.overlays import Overlay, board_view, legend
from hextui.ui.keys import ACTIONS
from hextui.ui.layout import panel_count
from hextui.ui.live.analyst import MakeAnalyst, SnapshotReady
from hextui.ui.live.live import Live
from hextui.ui.live.survey import MakeGameAnalyst
from hextui.ui.main.annotating import AnnotatingScreen
from hextui.ui.main.copying import CopyingScreen
from hextui.ui.main.exploring import ExploringScreen
from hextui.ui.main.surveying import SurveyingScreen
from hextui.ui.session import Session
from hextui.ui.settings import Settings
from hextui.ui.widgets.all_panels import PANELS
from hextui.ui.widgets.board import BoardWidget
from hextui.ui.widgets.panels import Panels
from hextui.ui.widgets.status import NAMES, Status, StatusLine, TitleLine

_REST = 0.2  # seconds between two updates of the panels
_SOONEST = 0.05  # seconds: a much shorter timer may never come
_DIM = 0.25  # seconds that stale panels wait: a repaint that most new positions make needless


class MainScreen(SurveyingScreen, AnnotatingScreen, ExploringScreen, CopyingScreen):
    """Shows one session and its analysis."""

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in ACTIONS]
    DEFAULT_CSS = """
    MainScreen #body { height: 1fr; }
    MainScreen BoardWidget { width: 100%; }
    MainScreen #second-board { display: none; }
    MainScreen #too-small {
        display: none;
        height: 1fr;
        content-align: center middle;
        text-align: center;
    }
    MainScreen.-too-small #body, MainScreen.-too-small Footer { display: none; }
    MainScreen.-too-small #too-small { display: block; }
    """

    def __init__(
        self,
        session: Session,
        make_analyst: MakeAnalyst | None = None,
        settings: Settings | None = None,
        library: Path | None = None,
        make_game_analyst: MakeGameAnalyst | None = None,
        open_lane: OpenLane | None = None,
    ) -> None:
        self._settings = settings or Settings()
        analyst = make_analyst(self._hear) if make_analyst else None
        super().__init__(session, Live(analyst), self._settings.shown())
        self._compositor: LeanCompositor = LeanCompositor()
        self.library = library
        self.open_lane = open_lane
        self.start_surveys(make_game_analyst)
        self._resting = False
        self._late = False
        self._panels_due = True  # but not before the first screen is there
        self._rest_timer: Timer | None = None
        self._way_until = 0.0

    def compose(self) -> ComposeResult:
        """Make the lines, the board and the panels."""
        yield TitleLine()
        with Horizontal(id="body"):
            for board_id in ("board", "second-board"):
                yield BoardWidget(board_view(self.session, self.shown), self.point, id=board_id)
            panels = [panel() for panel in PANELS]
            yield Panels(panels, self.paint, panel_count(self.app.size), id="panels")
        yield StatusLine()
        yield Footer(compact=True)
        yield Static(id="too-small", markup=False)

    def on_mount(self) -> None:
        """Paint in the theme's colours and show the session."""
        self._take_colors()
        self.watch(self.app, "theme", self._paint, init=False)
        self.board.turned = self._settings.view or self.board.turned
        self.share_room(self._settings.zoom)
        if self._settings.analysis is False:
            self.live.on = False
        if self._settings.evaluators:
            self.live.choose_evaluators(self._settings.evaluators, self.session.position)
        if self._settings.lines_by:
            self.live.choose_lines_by(self._settings.lines_by, self.session.position)
        self.board.focus()
        self.show_cursor()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Start what would have held up the first screen: analysis, and looking for garbage."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._panels_due = False
        self.show()

    def on_unmount(self) -> None:
        """End the threads."""
        self.end_surveys()
        self.live.close()
        self.close_library()

    @property
    def chosen(self) -> Settings:
        """What the user chose to see, for the next start."""
        return Settings(
            theme=self.app.theme,
            zoom=self.chosen_zoom,
            view=self.board.turned,
            overlay=self.shown.overlay,
            move_numbers=self.shown.numbers,
            must_play=self.shown.must_play,
            inferior=self.shown.inferior,
            analysis=self.live.on if self.live.possible else None,
            evaluators=self.live.evaluators or None,
            focus=self.shown.evaluator or None,
            lines_by=self.live.lines_by or None,
        )

    # What is shown

    def open(self, session: Session) -> None:
        """Show another session."""
        resized = session.board != self.session.board
        self.session = session
        if resized:
            self.share_room(anew=True)
        self.show()

    def give_way(self, until: float) -> None:
        """Put off analysis and panels until then, by the monotonic clock: a key has come."""
        self._way_until = until
        self.panels.give_way(until)

    def show(self) -> None:
        """Show the session as it is now, and have its position analysed.

        Board and status are painted first, the panels after them.
        """
        position = self.session.position
        if position != self.board.view.position:
            self.shown = replace(self.shown, connected=None, line=())
            self._late = True
            self._rest()
            self.panels.drop()
        self.live.look_at(position)
        self.show_cursor()
        if not self._panels_due:
            self._panels_due = True
            self.call_after_refresh(self._show_beside)

    @property
    def caught_up(self) -> bool:
        """Whether all panels on the screen show what is known."""
        return not self._panels_due and self.panels.caught_up

    def show_cursor(self) -> None:
        """Show what a move of the cursor changes: the board and the status."""
        self._show_board()
        self._show_lines()
        self.paint()

    def paint(self) -> None:
        """Paint what has changed.

        Textual would have each widget tell the screen first, and then wait for a timer: time
        in which other work gets in.
        """
        if self.is_current and not self._layout_required:
            self._compositor.update_widgets(self._compositor.changed)
            self._compositor_refresh()

    def show_analysis(self) -> None:
        """Bring board and panels up to what is known of the position.

        Panels of the analysis keep what they show, dimmed, while nothing is known.
        """
        position = self.session.position
        snapshot = self.live.of(position)
        if snapshot:
            self._keep_focus(snapshot)
        self._show_board()
        self.explore()
        self._show_lines()
        self.paint()
        if snapshot:
            self.panels.show(self.sight, of_analysis=True)
        if self.live.stale(position):
            self.set_timer(_DIM, self._dim)
        else:
            self._dim()

    def _show_beside(self) -> None:
        """Bring the panels up to the session."""
        self._panels_due = False
        self.panels.show(self.sight, of_analysis=False)
        if not self._resting:
            self.show_analysis()
        elif self.live.stale(self.session.position):
            self.set_timer(_DIM, self._dim)

    def _show_board(self) -> None:
        snapshot = self.live.of(self.session.position)
        shown = self.shown
        self.board.show(board_view(self.session, shown, snapshot))
        if not self.two_boards:
            self.board.caption = ""
            return
        by_focus = shown.overlay is Overlay.EVALUATOR
        self.board.caption = shown.evaluator if by_focus else str(shown.overlay)
        second = replace(shown, overlay=Overlay.EVALUATOR, evaluator=self.second_evaluator)
        self.second_board.caption = self.second_evaluator
        self.second_board.show(board_view(self.session, second, snapshot))

    def _dim(self) -> None:
        """Dim what is still not of the position; the status line has said so at once."""
        self.panels.dim(self.live.stale(self.session.position))

    def _keep_focus(self, snapshot: Snapshot) -> None:
        """Focus the first evaluator if there is none in focus, or if it does not rank any more.

        One that is only late stays in focus.
        """
        focus = self.shown.evaluator
        if not focus or (snapshot.final and focus not in snapshot.rankings):
            self.shown = replace(self.shown, evaluator=next(iter(snapshot.rankings), ""))

    def _show_lines(self) -> None:
        session, record = self.session, self.session.record
        siblings = session.node.siblings
        self.query_one(StatusLine).status = Status(
            to_move=session.position.to_move,
            verdict=self._verdict(),
            mode=session.mode,
            placing=session.placing,
            ply=session.node.ply,
            plies=session.line()[-1].ply,
            variation=f"{session.node.index + 1} of {len(siblings)}" if len(siblings) > 1 else "",
            cell=session.board.name(session.cursor),
            engine=self.live.text(session.position),
            stale=self.live.stale(session.position),
        )
        title = self.query_one(TitleLine)
        title.legend = legend(self.shown, self.live.of(session.position))
        title.name_of_record = session.name + (" *" if record.modified else "")
        players = [record.info("PB"), record.info("PW")]
        known = [str(session.board), " - ".join(players) if any(players) else "", record.info("RE")]
        title.about = "  ".join(text for text in known if text)

    def _verdict(self) -> str:
        """Return who has won or wins, in words, or ''."""
        position = self.session.position
        if position.winner:
            return f"{NAMES[position.winner]} has won"
        snapshot = self.live.of(position)
        solution = snapshot.solution if snapshot else None
        if snapshot is None or snapshot.verdict is None:
            return f"{NAMES[solution.winner]} wins" if solution and solution.winner else ""
        verdict = snapshot.verdict
        key = "" if verdict.key is None else f": {position.board.name(verdict.key)}"
        return f"{NAMES[verdict.winner]} wins by a connection{key}"

    def _take_colors(self) -> None:
        app = self.app
        palette = themes.board_palette(app.current_theme, app.console.color_system, app.no_color)
        self.board.palette = self.second_board.palette = palette
        self.query_one(StatusLine).palette = palette

    def _paint(self) -> None:
        self._take_colors()
        self.panels.show(self.sight, of_analysis=False)
        if self.live.of(self.session.position):
            self.panels.show(self.sight, of_analysis=True)

    # Analysis

    def _hear(self, snapshot: Snapshot) -> None:
        """Take a snapshot from any thread."""
        self.post_message(SnapshotReady(snapshot))

    @on(SnapshotReady)
    def _take(self, event: SnapshotReady) -> None:
        """Show a snapshot, at most five times a second; the last one is always shown."""
        if not self.live.take(event.snapshot):
            return
        if event.snapshot.error:
            self.complain(event.snapshot.error)
        self._late = True
        if not self._resting:
            self._show_late()

    def _show_late(self) -> None:
        rest = self._way_until - time.monotonic()
        if rest > 0:
            self._rest(max(rest, _SOONEST))
            return
        self._resting = False
        if self._late:
            self._late = False
            self.show_analysis()
            self._rest()

    def _rest(self, seconds: float = _REST) -> None:
        """Leave the panels alone for a while: filling them would hold up the next key."""
        self._resting = True
        if self._rest_timer is not None:
            self._rest_timer.stop()
        self._rest_timer = self.set_timer(seconds, self._show_late)
