"""The main screen: the board, the panels beside it, and what every key does."""

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Footer, Static

from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.ui import themes
from hextui.ui.boardview import Mode
from hextui.ui.geometry import View
from hextui.ui.keys import ACTIONS
from hextui.ui.layout import FULL, SMALLEST, WIDE, arrangements, panel_count
from hextui.ui.overlays import Shown, board_view
from hextui.ui.session import Session
from hextui.ui.widgets.board import BoardWidget
from hextui.ui.widgets.panels import Panel, Panels
from hextui.ui.widgets.record import RecordPanel
from hextui.ui.widgets.status import Status, StatusLine, TitleLine

_LINES_AROUND = 3  # title, status and footer


class MainScreen(Screen[None]):
    """Shows one session and lets the user walk through it, edit it and analyse it."""

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
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.shown = Shown()
        self._arrangement = 0

    def compose(self) -> ComposeResult:
        """Make the lines, the board and the panels."""
        yield TitleLine()
        with Horizontal(id="body"):
            yield BoardWidget(board_view(self.session, self.shown), id="board")
            yield Panels([Panel("Record", RecordPanel(id="record"))], id="panels")
        yield StatusLine()
        yield Footer()
        yield Static(id="too-small", markup=False)

    def on_mount(self) -> None:
        """Paint in the theme's colours and show the session."""
        self.watch(self.app, "theme", self._paint)
        self.board.focus()
        self.show()

    def on_resize(self) -> None:
        """Share the new size between board and panels."""
        self._arrange()

    # What is shown

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self.query_one("#board", BoardWidget)

    @property
    def panels(self) -> Panels:
        """The panels."""
        return self.query_one("#panels", Panels)

    def open(self, session: Session) -> None:
        """Show another session."""
        resized = session.board != self.session.board
        self.session = session
        self.shown = replace(self.shown, connected=None, line=())
        if resized:
            self._arrangement = 0
            self._arrange()
        self.show()

    def show(self) -> None:
        """Show the session as it is now."""
        session = self.session
        self.board.show(board_view(session, self.shown))
        self.query_one(RecordPanel).show(session.record, session.node)
        self._show_lines()

    def _show_lines(self) -> None:
        session, record = self.session, self.session.record
        siblings = session.node.siblings
        self.query_one(StatusLine).status = Status(
            to_move=session.position.to_move,
            winner=session.position.winner,
            mode=session.mode,
            placing=session.placing,
            ply=session.node.ply,
            plies=session.line()[-1].ply,
            variation=f"{session.node.index + 1} of {len(siblings)}" if len(siblings) > 1 else "",
            cell=session.board.name(session.cursor),
        )
        title = self.query_one(TitleLine)
        title.name_of_record = session.name + (" *" if record.modified else "")
        players = [record.info("PB"), record.info("PW")]
        known = [str(session.board), " - ".join(players) if any(players) else "", record.info("RE")]
        title.about = "  ".join(text for text in known if text)

    def _paint(self) -> None:
        app = self.app
        palette = themes.board_palette(app.current_theme, app.console.color_system, app.no_color)
        self.board.palette = palette
        self.query_one(StatusLine).palette = palette
        self.query_one(RecordPanel).paint(palette)

    def _arrange(self) -> None:
        body = Size(self.size.width, max(self.size.height - _LINES_AROUND, 0))
        choices = arrangements(self.session.board, self.board.turned, body)
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

    def complain(self, what: object) -> None:
        """Say in one line why something was not done."""
        self.notify(str(what), severity="warning", timeout=4, markup=False)

    # Walking

    def action_walk(self, steps: int) -> None:
        """Go plies on or back."""
        session = self.session
        if session.forward(steps) if steps > 0 else session.back(-steps):
            self.show()

    def action_first(self) -> None:
        """Go to the start of the record."""
        self.session.first()
        self.show()

    def action_last(self) -> None:
        """Go to the end of the line."""
        self.session.last()
        self.show()

    def action_variation(self, step: int) -> None:
        """Go to another variation."""
        if self.session.variation(step):
            self.show()
        else:
            self.complain("No variations up to here")

    @on(RecordPanel.NodeChosen)
    def _go_to_node(self, event: RecordPanel.NodeChosen) -> None:
        self.session.go_to(event.node)
        self.show()

    @on(BoardWidget.Wheeled)
    def _walk_by_wheel(self, event: BoardWidget.Wheeled) -> None:
        self.action_walk(event.steps)

    # Playing and editing

    @on(BoardWidget.Pointed)
    def _point(self, event: BoardWidget.Pointed) -> None:
        self.session.cursor = event.cell
        self.show()

    @on(BoardWidget.Clicked)
    def _click(self, event: BoardWidget.Clicked) -> None:
        """The left button plays or places on the cell; the others only move the cursor."""
        self.session.cursor = event.cell
        taken = self.session.position.stones[event.cell] != 0
        if event.button == 1 and (self.session.mode is Mode.SETUP or not taken):
            self.action_play()
        else:
            self.show()

    def action_play(self) -> None:
        """Play a move at the cursor, or place the chosen stone there."""
        session = self.session
        if session.mode is Mode.SETUP:
            session.place(session.cursor, session.stone)
            self.show()
        else:
            self._turn(Move.play(session.cursor))

    def _turn(self, move: Move) -> None:
        try:
            self.session.turn(move)
        except IllegalMoveError as error:
            self.complain(error)
        self.show()

    def action_swap(self) -> None:
        """Swap, if this is the second move."""
        try:
            self.session.swap()
        except IllegalMoveError as error:
            self.complain(error)
        self.show()

    def action_pass_turn(self) -> None:
        """Pass the turn."""
        self._turn(Move(MoveKind.PASS))

    def action_resign(self) -> None:
        """Resign for the side to move."""
        self._turn(Move(MoveKind.RESIGN))

    def action_undo(self) -> None:
        """Take the last edit back."""
        if not self.session.undo():
            self.complain("Nothing to undo")
        self.show()

    def action_redo(self) -> None:
        """Make the last undone edit again."""
        if not self.session.redo():
            self.complain("Nothing to redo")
        self.show()

    def action_promote(self) -> None:
        """Move the variation looked at one place up."""
        self.session.record.promote(self.session.node)
        self.show()

    def action_delete(self) -> None:
        """Remove the node looked at and all that follows it."""
        if self.session.node.parent is None:
            self.complain("The start of a record cannot be deleted")
        else:
            self.session.go_to(self.session.record.delete(self.session.node))
            self.show()

    def action_toggle_setup(self) -> None:
        """Go to setup mode or back to playing."""
        session = self.session
        session.mode = Mode.PLAY if session.mode is Mode.SETUP else Mode.SETUP
        self.refresh_bindings()
        self.show()

    def action_place(self, stone: int) -> None:
        """Place a stone (0 empties) at the cursor and choose it for Enter and clicks."""
        self.session.stone = stone
        self.action_play()

    def action_change_side(self) -> None:
        """Give the other side the move."""
        self.session.change_side()
        self.show()

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
        self.show()

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
            self.focus_panel(stop)

    def focus_panel(self, panel_id: str) -> None:
        """Focus the first widget of a panel that can have the focus."""
        panel = self.panels.query_one(f"#{panel_id}")
        for widget in (panel, *panel.query("*")):
            if widget.can_focus:
                widget.focus()
                return

    def action_focus_board(self) -> None:
        """Go back to the board."""
        self.board.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the letters of setup mode to others outside it."""
        if action in ("place", "change_side"):
            return self.session.mode is Mode.SETUP
        return True
