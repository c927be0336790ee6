"""The main screen: the board, the panels beside it, and the parts that do what the user asks."""

from collections.abc import Callable, Coroutine
from typing import Any

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType, Keymap
from textual.containers import Horizontal
from textual.widgets import Static

from hextui.analysis import Progress, Snapshot
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from hextui.records.fetching import is_game_link
from hextui.ui.activities import Activity
from hextui.ui.drawing.overlays import board_view
from hextui.ui.drawing.palette import board_palette
from hextui.ui.drawing.swap_map import SwapMap
from hextui.ui.layout import BOARD, CARD, LEGEND, SECOND_BOARD
from hextui.ui.live.librarian import LibraryAnswer, LibraryAnswered
from hextui.ui.live.live import Live
from hextui.ui.live.live_messages import LookedUp, SnapshotReady, SwapMapCame, SwapMapWanted
from hextui.ui.live.survey import GameProgressed
from hextui.ui.live.surveys import Surveys
from hextui.ui.main.actions import screen_actions
from hextui.ui.main.analysing import Analysing
from hextui.ui.main.annotating import Annotating
from hextui.ui.main.arranging import Arranging
from hextui.ui.main.attaching import Attaching
from hextui.ui.main.copying import Copying
from hextui.ui.main.editing import Editing
from hextui.ui.main.exploring import Exploring
from hextui.ui.main.furniture import Furniture
from hextui.ui.main.key_hints import hints
from hextui.ui.main.narrowing import Narrowing
from hextui.ui.main.panel_actions import ACTIVITIES
from hextui.ui.main.parts import Parts, Program
from hextui.ui.main.playing import Playing
from hextui.ui.main.puzzling import Puzzling
from hextui.ui.main.showing import ShownDesk
from hextui.ui.main.surveying import Surveying
from hextui.ui.main.swapping import Swapping
from hextui.ui.main.walking import Walking
from hextui.ui.panels.all_panels import PANELS, Panels
from hextui.ui.panels.connections_panel import ConnectionsPanel
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.explorer_panel import ExplorerPanel
from hextui.ui.panels.panel import Panel
from hextui.ui.panels.record_panel import Comment
from hextui.ui.panels.verdict_card import VerdictCard
from hextui.ui.services import Services
from hextui.ui.settings import Settings
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.frame import (
    ActivityBar,
    LegendLine,
    PlacedWidgets,
    StatusLine,
    Tab,
    TitleLine,
)
from hextui.ui.widgets.key_lines import KeyLine

_TABS = (*(action.id for action in ACTIVITIES), "library", "engines")


class MainScreen(BaseScreen[None]):
    """Holds the desk and its parts, makes the widgets, and tells each part what concerns it."""

    DEFAULT_CSS = """
    MainScreen #top { height: 1; }
    MainScreen Panel {
        padding: 0 1;
        border-top: solid $secondary;
        border-title-color: $text-muted;
        border-title-style: bold;
        &:focus-within { border-top: solid $primary; border-title-color: $primary; }
    }
    MainScreen #too-small {
        display: none;
        height: 1fr;
        content-align: center middle;
        text-align: center;
    }
    MainScreen.-too-small #body, MainScreen.-too-small KeyLine { display: none; }
    MainScreen.-too-small #too-small { display: block; }
    """

    def __init__(
        self, program: Program, services: Services, settings: Settings, keymap: Keymap
    ) -> None:
        super().__init__()
        self._keymap = keymap
        shown = settings.shown()
        self._actions = {action.id: action for action in screen_actions(shown.names)}
        self._settings = settings
        self._at_work: set[str] = set()
        make, make_game = services.make_analyst, services.make_game_analyst
        verdicts = Verdicts()
        live = Live(make(self._hear) if make else None, verdicts)
        surveys = Surveys(make_game(self._hear_of_game) if make_game else None, verdicts)
        self.panels = Panels(self, [panel() for panel in PANELS])
        self._furniture = Furniture(self, self.panels)
        self.desk = desk = ShownDesk(
            self,
            program.records,
            live,
            surveys,
            shown,
            self._furniture,
            lambda panel: self.parts.arranging.bring(panel),
            self.show_keys,
        )
        self.parts = Parts(
            program=program,
            walking=Walking(desk),
            playing=Playing(desk),
            puzzling=Puzzling(desk, services.open_lane),
            editing=Editing(desk),
            annotating=Annotating(desk, lambda: self.query_one(Comment)),
            analysing=Analysing(
                desk,
                lambda: self.query_one(ConnectionsPanel).next_kinds(),
                services.open_lane,
                self._explain,
                services.attached,
            ),
            narrowing=Narrowing(desk),
            attaching=Attaching(desk, services.attached),
            surveying=Surveying(desk),
            exploring=Exploring(desk, services, self._hear_of_library),
            swapping=Swapping(desk, services.open_lane, self._judge, self._hear_of_swap_map),
            arranging=Arranging(desk, self._furniture),
            copying=Copying(desk, lambda text: self.app.copy_to_clipboard(text)),
        )
        self._open_lane = services.open_lane
        program.records.watch(self._show_record)

    def compose(self) -> ComposeResult:
        """Make the lines, the boards and the panels."""
        parts = self.parts
        point, click, drag = parts.walking.point, parts.playing.click, parts.narrowing.drag
        with Horizontal(id="top"):
            yield TitleLine()
            yield ActivityBar([self._tab(name) for name in _TABS])
        with PlacedWidgets(id="body"):
            for board_id in (BOARD, SECOND_BOARD):
                view = board_view(self.desk.session, self.desk.shown)
                yield BoardWidget(view, point, click, drag, id=board_id)
            yield LegendLine(id=LEGEND)
            yield VerdictCard(id=CARD)
            yield from self.panels
        yield StatusLine()
        yield KeyLine()
        yield Static(id="too-small", markup=False)

    def on_mount(self) -> None:
        """Paint in the theme's colours and show the session."""
        self.query_one(ExplainPanel).open_lane = self._open_lane
        self._take_colors()
        self.watch(self.app, "theme", self._paint, init=False)
        settings, live, position = self._settings, self.desk.live, self.desk.session.position
        if settings.analysis is False:
            live.on = False
        if settings.evaluators:
            live.choose_evaluators(settings.evaluators, position)
        if settings.lines_by:
            live.choose_lines_by(settings.lines_by, position)
        self.parts.arranging.restore(
            settings.activity, settings.view, settings.zooms, settings.zoom, settings.panel
        )
        self.call_after_refresh(self.desk.begin)

    def on_unmount(self) -> None:
        """End the threads."""
        self.desk.surveys.close()
        self.desk.live.close()
        self.parts.exploring.close()
        self.parts.swapping.close()

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self._furniture.board

    @property
    def second_board(self) -> BoardWidget:
        """The board that stands beside it, if it is shown."""
        return self._furniture.second_board

    @property
    def focused_panel(self) -> str | None:
        """The id of the panel that has the focus, or of the card, if one has."""
        return self._furniture.focused_panel

    @property
    def chosen(self) -> Settings:
        """What the user chose to see, for the next start."""
        shown, live, arranging = self.desk.shown, self.desk.live, self.parts.arranging
        return Settings(
            theme=self.app.theme,
            activity=arranging.activity,
            panel=self.panels.focused,
            zooms=arranging.chosen_zooms,
            view=arranging.turned,
            overlay=arranging.chosen_overlay,
            move_numbers=shown.numbers,
            must_play=shown.must_play,
            inferior=shown.inferior,
            analysis=live.on if live.possible else None,
            evaluators=live.evaluators or None,
            focus=shown.evaluator or None,
            lines_by=live.lines_by or None,
        )

    def _tab(self, name: str) -> Tab:
        """Return the entry of an action in the bar of activities."""
        action = self._actions[name]
        key = action.keys_in(self._keymap)[0]
        return Tab(key, action.label, f"screen.{action.call}", name.removeprefix("activity-"))

    # Actions

    def action_do(self, name: str) -> None:
        """Do what the action of this name does."""
        doing = self._actions[name].do(self.parts)
        if doing is not None:
            self.work_on(name, doing)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the letters of a mode to others outside it."""
        if action != "do":
            return True
        mode = self._actions[str(parameters[0])].mode
        return mode is None or mode is self.desk.session.mode

    def work_on(self, name: str, doing: Coroutine[Any, Any, object]) -> None:
        """Do what asks the user and so takes its time, unless it is being done already."""
        if name in self._at_work:
            doing.close()
            return

        async def work() -> None:
            try:
                await doing
            finally:
                self._at_work.discard(name)

        self._at_work.add(name)
        self.run_worker(work(), name, group="dialogs")

    def _explain(self) -> None:
        """Turn to the activity that says why somebody wins, and have a proof looked for."""
        self.parts.arranging.choose(Activity.EXPLAIN)
        self.parts.arranging.go_to("explain")
        self.query_one(ExplainPanel).insist()

    # What is shown

    def _show_record(self) -> None:
        """Show the record that was chosen, on a board of its size."""
        self.parts.arranging.share_room()
        self.desk.show()

    def say(self, what: str, seconds: float) -> None:
        """Say what was done, for some seconds, below the board."""
        self._furniture.status.say(what, seconds)

    def show_keys(self) -> None:
        """Name the keys that matter in this mode, with the focus where it is."""
        found = hints(
            self._actions.values(), self._keymap, self.desk.session.mode, self.focused_panel
        )
        self.query_one(KeyLine).hints = found

    @on(events.DescendantFocus)
    def _focus_changed(self) -> None:
        self.show_keys()

    def on_resize(self) -> None:
        """Share the new size between board and panels."""
        self.parts.arranging.share_room()

    def _take_colors(self) -> None:
        app = self.app
        palette = board_palette(app.current_theme, app.console.color_system, app.no_color)
        self.desk.palette = palette
        self.board.palette = self.second_board.palette = palette
        self._furniture.status.palette = self._furniture.card.palette = palette

    def _paint(self) -> None:
        self._take_colors()
        self.desk.show_anew()

    # What comes from threads: as messages, of which the newest takes the place of older ones

    def _hear(self, snapshot: Snapshot) -> None:
        self.post_message(SnapshotReady(snapshot))

    def _hear_of_game(self, progress: Progress | str) -> None:
        self.post_message(GameProgressed(progress))

    def _hear_of_library(self, answer: LibraryAnswer) -> None:
        self.post_message(LibraryAnswered(answer))

    def _hear_of_swap_map(self, known: SwapMap) -> None:
        self.post_message(SwapMapCame(known))

    @work(thread=True, group="swap-map")
    def _judge(self, judging: Callable[[], None]) -> None:
        """Wait for first moves to be judged."""
        judging()

    @on(SnapshotReady)
    def _take_snapshot(self, event: SnapshotReady) -> None:
        self.desk.take(event.snapshot)

    @on(GameProgressed)
    def _take_progress(self, event: GameProgressed) -> None:
        self.parts.surveying.take(event.progress)

    @on(LookedUp)
    def _take_connections(self, event: LookedUp) -> None:
        self.query_one(ConnectionsPanel).take(event.question, event.connections)

    @on(LibraryAnswered)
    def _take_answer(self, event: LibraryAnswered) -> None:
        self.parts.exploring.take(event.answer)

    @on(SwapMapWanted)
    def _follow_swap_map(self, event: SwapMapWanted) -> None:
        self.parts.swapping.follow(event.board)

    @on(SwapMapCame)
    def _take_swap_map(self, event: SwapMapCame) -> None:
        self.parts.swapping.take(event.known)

    # What comes from widgets

    @on(Panel.Went)
    def _go_to_node(self, event: Panel.Went) -> None:
        self.parts.walking.go_to(event.node)

    @on(BoardWidget.Wheeled)
    def _walk_by_wheel(self, event: BoardWidget.Wheeled) -> None:
        self.parts.walking.walk(event.steps)

    @on(Panel.Pointed)
    def _point(self, event: Panel.Pointed) -> None:
        if self._is_of_now(event):
            self.parts.walking.point(event.cell)

    @on(Panel.Played)
    def _play_line(self, event: Panel.Played) -> None:
        if self._is_of_now(event):
            self.parts.playing.line(event.moves)

    @on(Panel.Painted)
    def _paint_choice(self, event: Panel.Painted) -> None:
        if self._is_of_now(event):
            self.desk.choose(connected=event.connected, line=event.line)

    def _is_of_now(self, event: Panel.OfPosition) -> bool:
        """Whether what the user did with a panel is about the position looked at."""
        return event.of == self.desk.session.position

    @on(VerdictCard.Why)
    def _explain_verdict(self) -> None:
        self.action_do("why")

    @on(VerdictCard.Better)
    def _add_better(self, event: VerdictCard.Better) -> None:
        if event.of == self.desk.session.position:
            self.parts.playing.add(event.cell)

    @on(Comment.Clicked)
    def _comment(self) -> None:
        self.parts.annotating.comment()

    @on(Comment.Ended)
    def _keep_comment(self) -> None:
        self.parts.annotating.keep_comment()

    @on(ConnectionsPanel.Wanted)
    def _look_up(self, event: ConnectionsPanel.Wanted) -> None:
        question = event.question
        self.desk.live.look_up(question, lambda found: self.post_message(LookedUp(question, found)))

    @on(ExplainPanel.ValueWanted)
    def _explain_value(self) -> None:
        self.action_do("explain")

    @on(ExplainPanel.Proved)
    def _keep_proof(self, event: ExplainPanel.Proved) -> None:
        self.desk.keep_proof(event.position, Verdict(VerdictKind.SOLVER, event.winner))

    @on(ExplorerPanel.Wanted)
    def _ask_library(self) -> None:
        self.parts.exploring.ask_soon()

    @on(ExplorerPanel.FilterWanted)
    def _filter_library(self) -> None:
        self.action_do("filter-library")

    @on(ExplorerPanel.GameChosen)
    def _open_explored(self, event: ExplorerPanel.GameChosen) -> None:
        self.work_on("explored", self.parts.exploring.open_game(event.game.id, event.game.ply))

    def on_paste(self, event: events.Paste) -> None:
        """Open a pasted link or SGF."""
        if is_game_link(event.text):
            self.work_on("paste", self.parts.copying.fetch(event.text.strip()))
        else:
            self.parts.copying.paste(event.text)


def make_main_screen(
    program: Program, services: Services, settings: Settings, keymap: Keymap
) -> MainScreen:
    """Return a main screen whose keys are those of the user's keymap.

    The bindings belong to a class made here: Textual's own keymaps allow a key one binding, but
    actions of different modes may share a key.
    """
    bindings: list[BindingType] = [
        action.own_binding(keymap) for action in screen_actions(settings.shown().names)
    ]
    made: type[MainScreen] = type("KeyedMainScreen", (MainScreen,), {"BINDINGS": bindings})
    return made(program, services, settings, keymap)
