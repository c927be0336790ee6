"""The main screen: makes the widgets and the parts, and passes on what concerns each.

Bindings, help, command palette and the line of keys come from the actions of the parts. Users write
an action's id in their settings file; it never changes. Letters are bound without priority, so that
a focused input gets them first.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from inspect import iscoroutinefunction

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Keymap
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import TextArea

from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.records.board_view import Mode
from hextui.records.formats import is_game_link
from hextui.text import Names
from hextui.ui.app.keys import Action, Topic, actions_of, problems
from hextui.ui.app.layout import BOARD, Activity, Frame, Wish
from hextui.ui.app.screen_widgets import ScreenWidgets
from hextui.ui.app.settings import Settings, UserState
from hextui.ui.app.workspace import Services, Workspace
from hextui.ui.drawing.overlays import ALL_NUMBERS, board_view
from hextui.ui.drawing.palette import board_palette
from hextui.ui.panels.all_panels import PANEL_TEXTS
from hextui.ui.panels.connections_panel import ConnectionsPanel
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.must_play_panel import MustPlayPanel
from hextui.ui.panels.panel import Change, Panel
from hextui.ui.parts.analysis import AnalysisActions
from hextui.ui.parts.files import FileActions
from hextui.ui.parts.games import GameActions
from hextui.ui.parts.panels import PanelActions
from hextui.ui.parts.play import PlayActions
from hextui.ui.parts.record import RecordActions
from hextui.ui.parts.review import ReviewActions
from hextui.ui.parts.today import TodayActions
from hextui.ui.parts.train import PuzzleActions, TrainActions
from hextui.ui.record.open_records import OpenRecords
from hextui.ui.widgets.board_widget import CURSOR, BoardWidget
from hextui.ui.widgets.frame import ActivityBar, Hint, KeyLine

_OPENING = {"train", "go-to-ply", "new", "mark", "filter-library"}
"""Actions that open a dialog at once: keys that are typed ahead are meant for it."""
_ENTRIES = (*(f"activity-{activity}" for activity in Activity), "train", "library", "engines")
_PARTS = (
    *(PlayActions, PuzzleActions, RecordActions, AnalysisActions, ReviewActions),
    *(PanelActions, GameActions, TrainActions, TodayActions, FileActions),
)
TRYING = "trying"
"""Stands for an activity while moves on the board are tried against a proof."""
TRIED = "tried"
"""The same once there is a try to take back."""
_NAMED = {
    Mode.PLAY: (
        *("next", "previous", "play", "next-panel", "worst-move", "why", "overlays"),
        *("maximise", "analysis", "undo", "zoom", "quit"),
    ),
    Mode.SETUP: ("place-black", "place-white", "place-empty", "change-side", "setup", "undo"),
    Mode.REGION: ("region-cell", "allow-move", "avoid-move", "region-box", "all-moves", "region"),
    Activity.COMPARE: (
        *("next", "previous", "disagreement", "second-evaluator", "next-evaluator", "next-panel"),
        *("boards", "export", "whole-game", "choose-evaluators", "play", "zoom", "quit"),
    ),
    TRYING: ("play", "defend", "board", "next-panel", "zoom", "why", "quit"),
    TRIED: ("play", "undo", "defend", "board", "next-panel", "zoom", "why", "quit"),
}
"""The actions whose keys are named in a mode, or in an activity while moves are played, the most
important first; an entry of the palette is eighth.
"""
_MODES = {Mode.SETUP: ("setup", "in setup mode"), Mode.REGION: ("region", "while marking")}
"""The actions that begin and end modes, and what a mode is called."""
WRITING = (Hint("esc", "Keep the comment"), Hint("^q", "Quit", "app.quit"))
"""The keys to name while a comment is written."""
_ON_TOP = ("whole-game", "worst-move", "why", "add-better", "play-best")
_SHORT = {"next-panel": "Panel", "why": "Why", "disagreement": "Disagreement"}
"""Labels that leave room for others."""


class MainScreen(ScreenWidgets):
    """Holds the workspace, the widgets and the parts, and passes messages and actions to them."""

    class Opened(Message):
        """A dialog has been opened, or there will be none."""

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
    MainScreen.-too-small { #body, KeyLine, VerdictLines { display: none; } }
    MainScreen.-too-small #too-small { display: block; }
    """

    def __init__(
        self,
        records: OpenRecords,
        state: UserState,
        services: Services,
        settings: Settings,
        keymap: Keymap,
    ) -> None:
        super().__init__()
        self._keymap = keymap
        self._settings = settings
        self._at_work: set[str] = set()
        shown = settings.shown()
        self.workspace = workspace = Workspace(
            self,
            records=records,
            services=services,
            shown=shown,
            bring=lambda panel: self.panel_actions.bring(panel),
            mode_changed=self.show_keys,
        )
        workspace.player = settings.player or ""
        self.play_actions = play = PlayActions(workspace)
        self.record_actions = record = RecordActions(workspace, settings.autoplay_seconds)
        self.analysis_actions = analysis = AnalysisActions(workspace)
        self.review_actions = review = ReviewActions(workspace)
        self.panel_actions = panel = PanelActions(workspace)
        self.puzzle_actions = puzzles = PuzzleActions(workspace, panel, settings)
        self.file_actions = files = FileActions(workspace, state, panel, puzzles)
        self.game_actions = games = GameActions(workspace, panel, settings)
        self.train_actions = train = TrainActions(workspace, panel, puzzles, games)
        self.today_actions = today = TodayActions(workspace, panel, puzzles, train)
        parts = (play, puzzles, record, analysis, review, panel, games, train, today, files)
        self._owners = {action.id: part for part in parts for action in actions_of(type(part))}
        self._actions = {action.id: action for action in screen_actions(shown.names)}
        self.board = BoardWidget(
            board_view(workspace.session, shown),
            point=record.point,
            click=play.click,
            drag=play.drag,
            wheel=record.walk,
            id=BOARD,
        )
        self.activity_bar = ActivityBar(
            {n.removeprefix("activity-"): hint_of(self._actions[n], keymap) for n in _ENTRIES}
        )
        self.key_line = KeyLine()
        records.changed = self._show_record

    def compose(self) -> ComposeResult:
        """Arrange the lines, the boards and the panels."""
        with Horizontal(id="top"):
            yield self.title_line
            yield self.activity_bar
        yield self.verdict_lines
        with self.body:
            yield from (self.board, self.legend, self.differences, *self.panels)
        yield from (self.status_line, self.key_line, self.too_small)

    def on_mount(self) -> None:
        """Paint in the theme's colours and show the session."""
        self.query_one(ExplainPanel).open_lane = self.workspace.services.open_lane
        self.query_one(MustPlayPanel).open_lane = self.workspace.services.open_lane
        self.query_one(ConnectionsPanel).look_up = self.workspace.live.look_up
        self._take_colors()
        self.watch(self.app, "theme", self._paint, init=False)
        settings, live = self._settings, self.workspace.live
        if settings.analysis is False:
            live.on = False
        live.only = settings.analysis_side
        if settings.evaluators:
            live.choose_evaluators(settings.evaluators)
        if settings.minimax_by:
            live.minimax_by = settings.minimax_by
        if settings.lines_by:
            live.choose_lines_by(settings.lines_by)
        self.panel_actions.restore(settings)
        self.call_after_refresh(self.workspace.begin)

    def on_unmount(self) -> None:
        """End the threads."""
        self.today_actions.close()
        self.workspace.close()

    @property
    def chosen(self) -> Settings:
        """The user's choices, for the next start."""
        shown = self.workspace.shown
        live = self.workspace.live
        layout = self.panel_actions
        return Settings(
            theme=self.app.theme,
            activity=layout.wish.activity,
            panel=self.panels.focused,
            zooms=layout.chosen_zooms,
            view=layout.wish.view,
            picture=self.board.graphics is not None,
            overlay=layout.chosen_overlay,
            move_numbers=shown.numbers > 0,
            numbered_moves=shown.numbers if 0 < shown.numbers < ALL_NUMBERS else None,
            must_play=shown.must_play,
            inferior=shown.inferior,
            evaluators=live.evaluators or None,
            focus=shown.evaluator or None,
            analysis_side=live.only,
            win_probability_of=shown.win_probability_of,
            lines_by=live.lines_by or None,
            minimax_by=live.minimax_by or None,
            player=self.workspace.player or None,
            collection=self.puzzle_actions.options.collection or None,
            as_red=self.puzzle_actions.options.as_red,
            play=self.game_actions.play_settings.texts(),
        )

    # Actions

    def action_do(self, name: str) -> None:
        """Run the action of this id."""
        action = self._actions[name]
        if action.topic is not Topic.WALK:
            self.status_line.next_action()
        doing = partial(getattr(self._owners[name], action.method), *action.arguments)
        if iscoroutinefunction(doing.func):  # it asks the user
            self.work_on(name, doing)
        else:
            doing()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ignore the keys of a mode outside it."""
        if action != "do":
            return True
        mode = self._actions[str(parameters[0])].mode
        return mode is None or mode is self.workspace.session.mode

    def say_why_not(self, key: str) -> None:
        """Say in which mode a key has something to do, if not in this one."""
        if key in self.active_bindings:
            return
        for action in self._actions.values():
            keys = self._keymap.get(action.id, action.keys).split(",")
            if action.mode is not None and key in keys:
                self.workspace.complain(f"{action.label}: {self._only_in(action.mode)}")
                return

    def _only_in(self, mode: Mode) -> str:
        """Return that a mode is needed, and which key leads there."""
        if mode is Mode.PLAY:
            name, what = _MODES[self.workspace.session.mode]
            return f"not {what}; {hint_of(self._actions[name], self._keymap).key} ends it"
        name, what = _MODES[mode]
        return f"only {what}; {hint_of(self._actions[name], self._keymap).key} begins it"

    def work_on(self, name: str, doing: Callable[[], Awaitable[object]]) -> None:
        """Run what waits for the user, unless it is running already."""
        if name not in self._at_work:
            self._at_work.add(name)
            self._work_on(name, doing)

    @work(group="dialogs")
    async def _work_on(self, name: str, doing: Callable[[], Awaitable[object]]) -> None:
        try:
            await doing()
        finally:
            self._at_work.discard(name)
            self.post_message(self.Opened())

    @property
    def opens(self) -> bool:
        """Whether a dialog is about to open over this screen."""
        return self.app.screen is self and not _OPENING.isdisjoint(self._at_work)

    @on(events.ScreenSuspend)
    def _dialog_is_open(self) -> None:
        self.post_message(self.Opened())

    # What is shown

    def _show_record(self) -> None:
        self.panel_actions.share_room()
        self.workspace.changed(Change.SESSION)

    def apply_plan(self, wish: Wish, frame: Frame) -> None:
        """Arrange the screen as planned, and name the keys of its activity."""
        super().apply_plan(wish, frame)
        self.show_keys()

    @on(events.ScreenSuspend)
    @on(events.ScreenResume)
    @on(events.DescendantFocus)
    def show_keys(self) -> None:
        """Name the keys that matter in this mode and activity with this focus."""
        mode, activity = self.workspace.session.mode, self.activity_bar.chosen
        what = str(activity)
        if self.workspace.tries:
            what = TRIED if self.query_one(ExplainPanel).can_take_back else TRYING
        writes = isinstance(self.focused, TextArea)
        self.board.covered = self.app.screen is not self
        heard = mode is Mode.PLAY and not self.board.covered and not writes
        named = hints(self._actions, self._keymap, mode, self.panels.focused, what)
        panels = self.panel_actions
        leads_back = self.panels.focused is None or panels.shows_proof_of_screen
        if (way_back := panels.way_back) and leads_back:
            back = hint_of(self._actions["board"], self._keymap, f"Back to the {way_back}")
            named = (back, *named)
        self.key_line.hints = WRITING if writes else named
        self.verdict_lines.keys = hints_on_top(self._actions, self._keymap) if heard else {}

    def on_resize(self) -> None:
        """Arrange the screen for the new size."""
        self.panel_actions.share_room()

    def _take_colors(self) -> None:
        app = self.app
        palette = board_palette(app.current_theme, app.console.color_system, app.no_color)
        self.workspace.palette = palette
        self.board.palette = self.verdict_lines.palette = palette

    def _paint(self) -> None:
        self._take_colors()
        self.workspace.changed(Change.COLORS)

    # What comes from widgets

    @on(Panel.Request)
    def _do_requested(self, event: Panel.Request) -> None:
        """Do what a panel wants, unless it is about a position that is no longer shown."""
        event.heard = True
        if isinstance(event, Panel.OfPosition) and event.of != self.workspace.session.position:
            return
        match event:
            case Panel.NodeChosen(node):
                self.record_actions.go_to(node)
            case Panel.Pointed(_, cell):
                self.record_actions.point(cell)
            case Panel.Played(_, moves):
                self.play_actions.line(moves)
            case Panel.Highlighted(_, connected, line):
                self.workspace.choose(connected=connected, line=line)
            case Panel.ActionWanted(action):
                self.action_do(action)
            case Panel.CommentWritten():
                self.record_actions.keep_comment()
            case Panel.WinnerProved(position, winner, key, carrier):
                self.workspace.keep_proof(position, Verdict(VerdictKind.SOLVER, winner, key=key))
                self.query_one(ConnectionsPanel).use_proof(position, winner, carrier)
            case Panel.Refused(why):
                self.workspace.complain(why)
            case Panel.AnswerWanted():
                self.workspace.ask_library()
            case Panel.GameChosen(game):
                open_game = partial(self.file_actions.open_game, game.id, game.ply)
                self.work_on("explored", open_game)

    def on_paste(self, event: events.Paste) -> None:
        """Open a pasted link or SGF."""
        if is_game_link(event.text):
            self.work_on("paste", partial(self.file_actions.fetch, event.text.strip()))
        else:
            self.file_actions.paste(event.text)


def screen_actions(names: Names = Names.RED_BLUE) -> tuple[Action, ...]:
    """Return the actions of all parts in the order of the help, with the players' names.

    Raises ValueError if two that count in one mode are declared with the same key.
    """
    declared = [action.named(names) for part in _PARTS for action in actions_of(part)]
    topics = list(Topic)
    ordered = sorted((a for a in declared if not a.after), key=lambda a: topics.index(a.topic))
    for action in declared:
        if action.after:
            ordered.insert([other.id for other in ordered].index(action.after) + 1, action)
    if clashes := problems({}, ordered):
        raise ValueError(f"actions are declared with the same key: {'; '.join(clashes)}")
    return tuple(ordered)


def all_actions(names: Names = Names.RED_BLUE) -> tuple[Action, ...]:
    """Return these, and what the keys do on the board."""
    return (*CURSOR, *screen_actions(names))


def hint_of(action: Action, keymap: Keymap, label: str = "") -> Hint:
    """Return the first key of an action, and a label in place of its own."""
    return Hint(action.keys_in(keymap)[0], label or action.label, f"screen.{action.call}")


def hints_on_top(actions: Mapping[str, Action], keymap: Keymap) -> dict[str, Hint]:
    """Return the keys that the lines at the top name, by the ids of their actions."""
    return {name: hint_of(actions[name], keymap) for name in _ON_TOP}


def hints(
    actions: Mapping[str, Action], keymap: Keymap, mode: Mode, panel: str | None, activity: str = ""
) -> tuple[Hint, ...]:
    """Return the keys to name, the most important first; ``actions`` and ``panel`` go by ids."""

    tries = activity in (TRYING, TRIED) and panel is None
    labels = _SHORT | ({"play": "Try", "undo": "Take back", "board": "Back"} if tries else {})

    def of(name: str, label: str = "") -> Hint:
        return hint_of(actions[name], keymap, label or labels.get(name, ""))

    palette = Hint("^p", "All by name", "app.command_palette")
    if panel is not None:
        text = PANEL_TEXTS[panel]
        own = [Hint(key, label) for key, label in text.own]
        named = [of(name) for name in text.actions if actions[name].mode in (None, mode)]
        around = [of("maximise"), of("board")]
        return (*own, *named, *around, palette, of("help", "Words and keys"))
    names = _NAMED[activity if mode is Mode.PLAY and activity in _NAMED else mode]
    first = names[:7]
    rest = names[7:]
    return (*map(of, first), palette, *map(of, rest), of("help", "All keys"))
