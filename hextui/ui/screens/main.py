"""The main screen: the board, the panels beside it, and the analysis they show."""

from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Footer, Static

from hextui.analysis import Snapshot
from hextui.engine.board import Color
from hextui.engine.position import Move
from hextui.ui import overlays, themes
from hextui.ui.analyst import MakeAnalyst, SnapshotReady
from hextui.ui.geometry import View, Zoom
from hextui.ui.keys import ACTIONS
from hextui.ui.layout import FULL, SMALLEST, WIDE, arrangements, panel_count
from hextui.ui.live import Live
from hextui.ui.overlays import board_view
from hextui.ui.screens.editing import EditingScreen
from hextui.ui.session import Session
from hextui.ui.settings import Settings
from hextui.ui.widgets.board import BoardWidget
from hextui.ui.widgets.connections import ConnectionsPanel
from hextui.ui.widgets.moves import MoveList, MovesPanel
from hextui.ui.widgets.panels import Panel, Panels
from hextui.ui.widgets.record import RecordPanel
from hextui.ui.widgets.status import NAMES, Status, StatusLine, TitleLine

_LINES_AROUND = 3  # title, status and footer
_REST = 0.2  # seconds between two updates of the panels
_DIM = 0.15  # seconds that stale panels wait: a repaint that most new positions make needless


class MainScreen(EditingScreen):
    """Shows one session and its analysis."""

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in ACTIONS]
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (WIDE, "-wide"),
        (FULL, "-full"),
    ]
    DEFAULT_CSS = """
    MainScreen #body { height: 1fr; }
    MainScreen #board { width: 100%; }
    MainScreen #too-small {
        display: none;
        height: 1fr;
        content-align: center middle;
        text-align: center;
    }
    MainScreen.-too-small #body, MainScreen.-too-small Footer { display: none; }
    MainScreen.-too-small #too-small { display: block; }
    MovesPanel.-stale, ConnectionsPanel.-stale { opacity: 50%; }
    """

    def __init__(
        self,
        session: Session,
        make_analyst: MakeAnalyst | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(session)
        self._settings = settings or Settings()
        self.live = Live(make_analyst(self._hear) if make_analyst else None)
        self.shown = self._settings.shown()
        self._connection_color = Color.BLACK
        self._arrangement = 0
        self._zoom: Zoom | None = None
        self._resting = False
        self._late = False
        self._panels_due = False
        self._rest_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Make the lines, the board and the panels."""
        yield TitleLine()
        with Horizontal(id="body"):
            yield BoardWidget(board_view(self.session, self.shown), id="board")
            yield Panels(
                [
                    Panel("Moves", MovesPanel(id="moves")),
                    Panel("Connections", ConnectionsPanel(id="connections")),
                    Panel("Record", RecordPanel(id="record")),
                ],
                first=("moves", "record"),
                id="panels",
            )
        yield StatusLine()
        yield Footer(compact=True)
        yield Static(id="too-small", markup=False)

    def on_mount(self) -> None:
        """Paint in the theme's colours and show the session."""
        self.watch(self.app, "theme", self._paint)
        self.board.turned = self._settings.view or self.board.turned
        self._zoom = self._settings.zoom
        if self._settings.analysis is False:
            self.live.on = False
        if self._settings.evaluators:
            self.live.choose_evaluators(self._settings.evaluators, self.session.position)
        self.board.focus()
        self.show()

    def on_unmount(self) -> None:
        """End the analysis."""
        self.live.close()

    def on_resize(self) -> None:
        """Share the new size between board and panels."""
        self._arrange()

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self.query_one("#board", BoardWidget)

    @property
    def panels(self) -> Panels:
        """The panels."""
        return self.query_one("#panels", Panels)

    @property
    def chosen(self) -> Settings:
        """What the user chose to see, for the next start."""
        return Settings(
            theme=self.app.theme,
            zoom=self.board.zoom if self._arrangement else None,
            view=self.board.turned,
            overlay=self.shown.overlay,
            move_numbers=self.shown.numbers,
            must_play=self.shown.must_play,
            analysis=self.live.on if self.live.possible else None,
            evaluators=self.live.evaluators or None,
        )

    # What is shown

    def open(self, session: Session) -> None:
        """Show another session."""
        resized = session.board != self.session.board
        self.session = session
        if resized:
            self._arrangement = 0
            self._arrange()
        self.show()

    def show(self) -> None:
        """Show the session as it is now, and have its position analysed.

        Board and status are painted first, the panels after them.
        """
        session = self.session
        if session.position != self.board.view.position:
            self.shown = replace(self.shown, connected=None)
            self._late = True
            self._rest()
        self.live.look_at(session.position)
        self.show_cursor()
        if not self._panels_due:
            self._panels_due = True
            self.call_after_refresh(self._show_beside)

    def show_cursor(self) -> None:
        """Show what a move of the cursor changes: the board and the status."""
        self._show_board()
        self._show_lines()

    def _show_beside(self) -> None:
        """Bring the panels up to the session."""
        self._panels_due = False
        self.query_one(RecordPanel).show(self.session.record, self.session.node)
        if not self._resting:
            self._show_analysis()
        elif self.live.stale(self.session.position):
            self.set_timer(_DIM, self._dim)

    def _show_board(self) -> None:
        snapshot = self.live.of(self.session.position)
        self.board.show(board_view(self.session, self.shown, snapshot))

    def _show_analysis(self) -> None:
        """Bring board and panels up to what is known of the position.

        Panels keep what they show, dimmed, while nothing is known of a new position.
        """
        position = self.session.position
        snapshot = self.live.of(position)
        if snapshot:
            self._show_panels(snapshot)
        self._show_board()
        if self.live.stale(position):
            self.set_timer(_DIM, self._dim)
        else:
            self._dim()

    def _dim(self) -> None:
        """Dim what is still not of the position; the status line has said so at once."""
        for panel in (self.query_one(MovesPanel), self.query_one(ConnectionsPanel)):
            panel.set_class(self.live.stale(self.session.position), "-stale")

    def _show_panels(self, snapshot: Snapshot) -> None:
        focus = self.shown.evaluator
        if focus not in snapshot.rankings:
            # the one in focus may only be late: it stays in focus, another one sorts meanwhile
            focus = next(iter(snapshot.rankings), "")
            if snapshot.final or not self.shown.evaluator:
                self.shown = replace(self.shown, evaluator=focus)
        moves = MoveList(
            snapshot.position.board,
            snapshot.rankings,
            focus,
            self.session.next_cell,
        )
        self.query_one(MovesPanel).show(moves)
        connections = snapshot.connections.get(self._connection_color)
        self.query_one(ConnectionsPanel).show(connections)

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
        if snapshot is None or snapshot.verdict is None:
            return ""
        verdict = snapshot.verdict
        key = "" if verdict.key is None else f", playing {position.board.name(verdict.key)}"
        return f"{NAMES[verdict.winner]} wins by a connection{key}"

    def _paint(self) -> None:
        app = self.app
        palette = themes.board_palette(app.current_theme, app.console.color_system, app.no_color)
        self.board.palette = palette
        self.query_one(StatusLine).palette = palette
        self.query_one(RecordPanel).paint(palette)
        self.query_one(ConnectionsPanel).paint(palette)

    def _arrange(self) -> None:
        """Share the screen between board and panels."""
        body = Size(self.size.width, max(self.size.height - _LINES_AROUND, 0))
        choices = arrangements(self.session.board, self.board.turned, body)
        zooms = [choice.zoom for choice in choices]
        if self._zoom in zooms and body.height:  # chosen in the run before
            self._arrangement = zooms.index(self._zoom)
            self._zoom = None
        choice = choices[self._arrangement % len(choices)]
        self.board.zoom = choice.zoom
        self.board.styles.width = choice.board_columns
        self.panels.display = choice.panels
        self.panels.count = panel_count(self.size.width, len(self.panels.ids))
        small = self.size.width < SMALLEST.width or self.size.height < SMALLEST.height
        self.set_class(small, "-too-small")
        self.query_one("#too-small", Static).update(
            f"This terminal has {self.size.width} x {self.size.height} characters,\n"
            f"hextui needs {SMALLEST.width} x {SMALLEST.height}."
        )

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
        self._resting = False
        if self._late:
            self._late = False
            self._show_analysis()
            self._show_lines()
            self._rest()

    def _rest(self) -> None:
        """Leave the panels alone for a while: filling them would hold up the next key."""
        self._resting = True
        if self._rest_timer is not None:
            self._rest_timer.stop()
        self._rest_timer = self.set_timer(_REST, self._show_late)

    def action_toggle_analysis(self) -> None:
        """Switch the analysis on or off."""
        self.live.toggle(self.session.position)
        self.show()

    def action_evaluator(self, step: int) -> None:
        """Put another evaluator in focus."""
        snapshot = self.live.of(self.session.position)
        names = list(snapshot.rankings) if snapshot else []
        if names:
            at = names.index(self.shown.evaluator) if self.shown.evaluator in names else -step
            self.shown = replace(self.shown, evaluator=names[(at + step) % len(names)])
            self._show_analysis()
        else:
            self.complain("No evaluator has ranked this position yet")

    @work(exclusive=True, group="dialogs")
    async def action_choose_evaluators(self) -> None:
        """Ask which evaluators are to rank the moves."""
        from hextui.ui.screens.evaluators import EvaluatorDialog

        names = await self.app.push_screen_wait(EvaluatorDialog(self.live.evaluators))
        if names:
            self.live.choose_evaluators(names, self.session.position)
            self.show()

    def action_play_best(self) -> None:
        """Play the best move of the evaluator in focus."""
        snapshot = self.live.of(self.session.position)
        ranking = snapshot.rankings.get(self.shown.evaluator) if snapshot else None
        if ranking and ranking.moves:
            self.session.cursor = ranking.moves[0].cell
            self.turn(Move.play(ranking.moves[0].cell))
        else:
            self.complain("No best move is known yet")

    def action_overlay(self, steps: int) -> None:
        """Show another overlay on the board."""
        self.shown = replace(self.shown, overlay=overlays.step(self.shown.overlay, steps))
        self._show_analysis()
        self.notify(f"Overlay: {self.shown.overlay}", timeout=2)

    def action_must_play(self) -> None:
        """Show or hide the must-play region."""
        self.shown = replace(self.shown, must_play=not self.shown.must_play)
        self._show_analysis()

    def action_connection_color(self) -> None:
        """Show the connections of the other colour."""
        self._connection_color = self._connection_color.opponent
        self.shown = replace(self.shown, connected=None)
        self._show_analysis()
        self.notify(f"Connections of {NAMES[self._connection_color]}", timeout=2)

    def action_connection_kinds(self) -> None:
        """List full connections, semi connections, or both."""
        self.query_one(ConnectionsPanel).next_kinds()

    @on(ConnectionsPanel.Chosen)
    def _show_connection(self, event: ConnectionsPanel.Chosen) -> None:
        self.shown = replace(self.shown, connected=event.connected)
        self._show_analysis()

    @on(MovesPanel.MovePointed)
    def _point_at_move(self, event: MovesPanel.MovePointed) -> None:
        self.session.cursor = event.cell
        self.show_cursor()

    @on(MovesPanel.MoveChosen)
    def _play_move(self, event: MovesPanel.MoveChosen) -> None:
        self.session.cursor = event.cell
        self.turn(Move.play(event.cell))

    # Board and panels

    def action_zoom(self) -> None:
        """Share the screen in the next way."""
        self._arrangement += 1
        self._arrange()
        if self.panels.focused and not self.panels.display:
            self.board.focus()

    def action_turn_view(self) -> None:
        """Turn the view of the board."""
        views = list(View)
        self.board.turned = views[(views.index(self.board.turned) + 1) % len(views)]
        self._arrange()
        self.notify(f"View: {self.board.turned}", timeout=2)

    def action_move_numbers(self) -> None:
        """Show or hide the numbers of the moves."""
        self.shown = replace(self.shown, numbers=not self.shown.numbers)
        self._show_analysis()

    def action_panel(self, step: int) -> None:
        """Give the focus to the next panel; after the last one comes the board."""
        if not self.panels.display:
            self._arrangement = 0
            self._arrange()
        stops = [None, *self.panels.ids]
        stop = stops[(stops.index(self.panels.focused) + step) % len(stops)]
        if stop is None or not self.panels.display:
            self.board.focus()
        else:
            self.panels.show(stop)
            self.panels.focus_on(stop)

    def action_focus_board(self) -> None:
        """Go back to the board, without the connection that was painted."""
        self.board.focus()
        self.shown = replace(self.shown, connected=None)
        self._show_analysis()
