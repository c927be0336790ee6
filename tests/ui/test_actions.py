"""Every action does what it says, by each of its keys and by the command palette's entry."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from hextui.analysis import Snapshot
from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.position import MoveKind
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.verdicts import Verdicts
from hextui.records.codecs.sgf import read_sgf
from hextui.records.history import History
from hextui.records.markup import glyph_of, marks_of
from hextui.settings.engine_tables import AttachedEngines
from hextui.ui.actions import all_actions, screen_actions
from hextui.ui.drawing.board_view import Mode
from hextui.ui.drawing.geometry import View
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, legend
from hextui.ui.drawing.palette import DEFAULT_THEME
from hextui.ui.keys import Topic
from hextui.ui.layout import CARD, Activity
from hextui.ui.panels.all_panels import PANEL_IDS
from hextui.ui.panels.connections_panel import ConnectionsPanel
from hextui.ui.screens.analysis_dialogs import EvaluatorDialog, LineEvaluatorDialog
from hextui.ui.screens.engines_screen import EnginesScreen
from hextui.ui.screens.explain_screen import ExplainScreen
from hextui.ui.screens.help_screen import HelpScreen
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.minimax_screen import MinimaxScreen
from hextui.ui.screens.puzzle_screen import PuzzleScreen
from hextui.ui.screens.trace_screen import TraceScreen
from hextui.ui.session import Session
from hextui.ui.settings import Settings

from .helpers import ScriptedAnalyst, game, press, ranking, running, shown, told, until
from .test_graph import MOVES, ScriptedGameAnalyst, judged

Act = Callable[[], Awaitable[None]]
CASES: dict[str, Callable[["Desk", Act], Awaitable[None]]] = {}


class KnowingAnalyst(ScriptedAnalyst):
    """Answers at once: two rankings and a must-play region."""

    def request(self, position, again=False, played=None):
        generation = super().request(position, again, played)
        rankings = {
            "k-paths:1": ranking("k-paths:1", position, ["b2", "a2"]),
            "resistance": ranking("resistance", position, ["a2", "b2"]),
        }
        region = frozenset(position.empties[:-1])
        self.emit(Snapshot(position, generation, True, must_play=region, rankings=rankings))
        return generation


class Desk:
    """The running program, cleared up before each case."""

    def __init__(self, pilot, folder: Path):
        self.pilot, self.folder = pilot, folder
        self.app, self.main = pilot.app, pilot.app.main
        self.surveyed = None

    @property
    def session(self) -> Session:
        return self.app.records.session

    @property
    def screen(self):
        return self.app.screen

    @property
    def board(self):
        return self.main.board

    async def clear(self):
        while self.app.screen is not self.main:
            await press(self.pilot, "escape")
        self.main.workspace.shown = DisplayOptions()
        self.main.panel_actions.restore(Settings())
        self.main.workspace.live.on = True
        self.main.workspace.live.verdicts = Verdicts()
        self.app.theme = DEFAULT_THEME
        for file in self.folder.glob("*.*"):
            file.unlink()
        await self.open(fresh())

    async def open(self, session: Session):
        """Have this session open, and no other."""
        self.app.records._sessions[:] = [session]
        self.app.records.show(0)
        self.board.focus()
        await self.pilot.pause()

    async def enter(self, text: str):
        """Answer a dialog of one line."""
        self.screen.query_one(Input).value = text
        await press(self.pilot, "enter")

    def cell(self, name: str) -> int:
        return self.session.board.cell(name)


def fresh() -> Session:
    """Return a session at the start of a game with a variation of its second move."""
    session = game("c3", "d2", "b4")
    session.forward()
    session.play(session.board.cell("e5"))
    session.go_to(session.record.main_line()[-1])
    session.first()
    session.record.history = History()
    return session


def variation(desk: Desk) -> None:
    """Look at the variation."""
    desk.session.go_to(desk.session.record.node_at(1).children[1])


def case(name: str):
    def keep(function):
        assert name not in CASES
        CASES[name] = function
        return function

    return keep


def walking(name: str, start: int, end: int) -> None:
    async def check(desk, act):
        desk.session.forward(start)
        await act()
        assert desk.session.node.ply == end

    CASES[name] = check


walking("next", 0, 1)
walking("previous", 2, 1)
walking("first", 3, 0)
walking("last", 0, 3)
walking("ten-on", 0, 3)
walking("ten-back", 3, 0)


def stepping(name: str, end: str) -> None:
    async def check(desk, act):
        await act()
        assert desk.session.board.name(desk.session.cursor) == end
        assert desk.board.view.cursor == desk.session.cursor

    CASES[name] = check


stepping("up", "c2")
stepping("down", "c4")
stepping("left", "b3")
stepping("right", "d3")


@case("next-variation")
async def _(desk, act):
    desk.session.forward(2)
    await act()
    assert desk.session.node.index == 1


@case("previous-variation")
async def _(desk, act):
    variation(desk)
    await act()
    assert desk.session.node.index == 0


# Playing and editing


@case("play")
async def _(desk, act):
    desk.session.cursor = desk.cell("a1")
    await act()
    assert desk.session.position.stones[desk.cell("a1")] == Color.BLACK


@case("swap")
async def _(desk, act):
    desk.session.forward()
    await act()
    assert desk.session.node.turn.move.kind is MoveKind.SWAP_PIECES


@case("pass")
async def _(desk, act):
    await act()
    assert desk.session.node.turn.move.kind is MoveKind.PASS


@case("resign")
async def _(desk, act):
    await act()
    assert desk.session.node.turn.move.kind is MoveKind.RESIGN


@case("undo")
async def _(desk, act):
    desk.session.play(0)
    await act()
    assert not desk.session.record.modified
    assert desk.session.position.stones[0] == 0


@case("redo")
async def _(desk, act):
    desk.session.play(0)
    desk.session.undo()
    await act()
    assert desk.session.position.stones[0] == Color.BLACK


@case("comment")
async def _(desk, act):
    await act()
    await press(desk.pilot, *"fine", "escape")
    assert desk.session.node.comment == "fine"


@case("promote")
async def _(desk, act):
    variation(desk)
    await act()
    assert desk.session.node.index == 0
    assert desk.session.node.turn.move.cell == desk.cell("e5")


@case("main-line")
async def _(desk, act):
    variation(desk)
    await act()
    assert desk.session.record.main_line()[-1] is desk.session.node


@case("mark")
async def _(desk, act):
    await act()
    await desk.enter("square")
    assert marks_of(desk.session.node, desk.session.board) == {desk.cell("c3"): "square"}


@case("glyph")
async def _(desk, act):
    desk.session.forward()
    await act()
    assert glyph_of(desk.session.node) == "!"


@case("delete")
async def _(desk, act):
    variation(desk)
    await act()
    assert desk.session.node.ply == 1
    assert len(desk.session.node.children) == 1


# Setup


@case("setup")
async def _(desk, act):
    await act()
    assert desk.session.mode is Mode.SETUP
    await act()
    assert desk.session.mode is Mode.PLAY


def placing(name: str, stone: int) -> None:
    async def check(desk, act):
        await press(desk.pilot, "i")
        desk.session.place(desk.cell("c3"), Color.BLACK if stone != Color.BLACK else 0)
        await act()
        assert desk.session.position.stones[desk.cell("c3")] == stone
        assert desk.session.placing == stone

    CASES[name] = check


placing("place-black", Color.BLACK)
placing("place-white", Color.WHITE)
placing("place-empty", 0)


@case("change-side")
async def _(desk, act):
    await press(desk.pilot, "i")
    await act()
    assert desk.session.position.to_move is Color.WHITE


# Analysis


@case("analysis")
async def _(desk, act):
    await act()
    assert not desk.main.workspace.live.on
    await act()
    assert desk.main.workspace.live.on


@case("play-best")
async def _(desk, act):
    desk.main.workspace.choose(evaluator="k-paths:1")
    await act()
    assert desk.session.node.turn.move.cell == desk.cell("b2")


@case("next-evaluator")
async def _(desk, act):
    desk.main.workspace.choose(evaluator="k-paths:1")
    await act()
    assert desk.main.workspace.shown.evaluator == "resistance"
    assert desk.board.view.labels[desk.cell("a2")] == "1"


@case("previous-evaluator")
async def _(desk, act):
    desk.main.workspace.choose(evaluator="resistance")
    await act()
    assert desk.main.workspace.shown.evaluator == "k-paths:1"


@case("region")
async def _(desk, act):
    await act()
    assert desk.session.mode is Mode.REGION
    await act()
    assert desk.session.mode is Mode.PLAY


async def marking(desk, name: str):
    """Mark in the mode for it, with the cursor on a cell."""
    desk.session.mode = Mode.REGION
    desk.session.cursor = desk.cell(name)
    desk.main.workspace.show()
    await desk.pilot.pause()


@case("region-cell")
async def _(desk, act):
    await marking(desk, "b2")
    await act()
    assert desk.session.search_marks.region == {desk.cell("b2")}
    assert desk.main.workspace.live.scope.region == {desk.cell("b2")}
    await act()
    assert desk.main.workspace.live.scope == ALL_MOVES


@case("allow-move")
async def _(desk, act):
    await marking(desk, "b2")
    await act()
    assert desk.main.workspace.live.scope.first == {desk.cell("b2")}


@case("avoid-move")
async def _(desk, act):
    await marking(desk, "b2")
    await act()
    assert len(desk.main.workspace.live.scope.first) == 24


@case("region-box")
async def _(desk, act):
    await marking(desk, "b2")
    await act()
    assert "No corner yet" in told(desk.pilot)
    desk.session.search_marks.turn(desk.session.position, desk.cell("d4"))
    await act()
    assert len(desk.main.workspace.live.scope.region) == 9


@case("all-moves")
async def _(desk, act):
    desk.session.search_marks.region = frozenset([0])
    desk.main.workspace.show()
    assert desk.main.workspace.live.scope.region
    await act()
    assert desk.main.workspace.live.scope == ALL_MOVES
    assert not desk.session.search_marks.region


@case("choose-evaluators")
async def _(desk, act):
    await act()
    assert isinstance(desk.screen, EvaluatorDialog)


@case("line-evaluator")
async def _(desk, act):
    await act()
    assert isinstance(desk.screen, LineEvaluatorDialog)
    desk.screen.query_one(OptionList).highlighted = 0
    await press(desk.pilot, "enter")
    assert desk.main.workspace.live.lines_by == "k-paths:2"


@case("overlays")
async def _(desk, act):
    await act()
    await press(desk.pilot, "3")
    assert desk.main.workspace.shown.overlay is Overlay.OWN
    await act()
    await press(desk.pilot, "M")
    assert desk.main.workspace.shown.must_play
    await act()
    await press(desk.pilot, "up", "enter")
    assert desk.main.workspace.shown.overlay is Overlay.EVALUATOR


@case("last-overlay")
async def _(desk, act):
    await act()
    assert desk.main.workspace.shown.overlay is Overlay.NONE
    await act()
    assert desk.main.workspace.shown.overlay is Overlay.EVALUATOR


@case("connection-color")
async def _(desk, act):
    await act()
    assert desk.main.workspace.shown.connections_of is Color.WHITE


@case("connection-kinds")
async def _(desk, act):
    panel = desk.main.query_one(ConnectionsPanel)
    panel._kind = None
    await act()
    assert panel._kind is ConnectionKind.FULL


@case("contribution-k")
async def _(desk, act):
    desk.main.workspace.choose(overlay=Overlay.OWN)
    assert "k = 1" in legend(desk.main.board.view, desk.main.workspace.shown)
    for k in (2, 0, 1):
        await act()
        assert desk.main.workspace.shown.contribution_k == k
        assert f"k = {k}" in told(desk.pilot)


@case("must-play")
async def _(desk, act):
    await act()
    assert desk.board.view.must_play == frozenset(desk.session.position.empties[:-1])
    await act()
    assert not desk.board.view.must_play


@case("inferior")
async def _(desk, act):
    await act()
    assert desk.main.workspace.shown.inferior
    assert "Inferior cells" in told(desk.pilot)


@case("solve-on")
async def _(desk, act):
    analyst = desk.main.workspace.live._analyst
    before = analyst.asked_again
    await act()
    assert analyst.asked_again == before + 1


@case("why")
async def _(desk, act):
    await desk.open(game("b2", side=3))
    await act()
    await until(desk.pilot, lambda: "Red wins" in shown(desk.pilot))


@case("explain")
async def _(desk, act):
    await desk.open(game("b2", side=3))
    await act()
    assert isinstance(desk.screen, ExplainScreen)


@case("links")
async def _(desk, act):
    await desk.open(game("b2", side=3))
    await act()
    assert isinstance(desk.screen, ExplainScreen)


@case("puzzle")
async def _(desk, act):
    await act()
    assert isinstance(desk.screen, PuzzleScreen)


@case("trace")
async def _(desk, act):
    await desk.open(game("b2", side=3))
    await act()
    assert isinstance(desk.screen, TraceScreen)


@case("every-line")
async def _(desk, act):
    await desk.open(game("b2", side=3))
    await act()
    assert isinstance(desk.screen, MinimaxScreen)


@case("filter-library")
async def _(desk, act):
    await act()
    await desk.enter("player=ann")
    assert desk.main.workspace.shown.library_filter.player == "ann"


@case("whole-game")
async def _(desk, act):
    await act()
    assert desk.main.workspace.survey.progress is not None
    await act()
    assert desk.main.workspace.survey.progress is None


@pytest.fixture(scope="module")
def surveyed():
    return judged(game(*MOVES)).record


@case("keep-analysis")
async def _(desk, act):
    await desk.open(game("b2", "c1", side=3))
    await press(desk.pilot, "a")
    desk.main.workspace.surveys._analyst.work()
    await desk.pilot.pause()
    await act()
    assert desk.session.record.modified


@case("disagreement")
async def _(desk, act):
    await desk.open(Session(desk.surveyed))
    await act()
    assert "Disagreement" in told(desk.pilot)
    assert desk.session.node.ply > 0


@case("worst-move")
async def _(desk, act):
    await desk.open(Session(desk.surveyed))
    await act()
    assert desk.session.cursor == desk.session.next_cell, "the move that was made"


@case("previous-mistake")
async def _(desk, act):
    await desk.open(Session(desk.surveyed))
    await act()
    assert desk.session.cursor == desk.session.next_cell, "the move that was made"
    assert desk.session.node.ply > 0, "the last one: there is none before the first ply"


# Board and panels


@case("zoom")
async def _(desk, act):
    before = desk.board.zoom
    await act()
    assert desk.board.zoom != before


def choosing(activity: Activity) -> None:
    async def check(desk, act):
        desk.main.panel_actions.choose(
            Activity.EXPLORE if activity is Activity.REVIEW else Activity.REVIEW
        )
        await act()
        assert desk.main.panel_actions.activity is activity

    CASES[f"activity-{activity}"] = check


def going(panel: str) -> None:
    async def check(desk, act):
        await act()
        assert desk.main.panels.focused == panel

    CASES[f"panel-{panel}"] = check


for each in Activity:
    choosing(each)
for panel in PANEL_IDS:
    going(panel)


@case("maximise")
async def _(desk, act):
    await act()
    assert not any(panel.display for panel in desk.main.panels)


@case("second-evaluator")
async def _(desk, act):
    desk.main.workspace.choose(evaluator="k-paths:1", two_boards=True)
    assert desk.main.workspace.second_evaluator == "resistance"
    await act()
    assert desk.main.workspace.second_evaluator == "k-paths:1"


@case("turn")
async def _(desk, act):
    await act()
    assert desk.board.turned is View.ROTATED


@case("move-numbers")
async def _(desk, act):
    desk.session.forward()
    await act()
    assert desk.board.view.numbers == {desk.cell("c3"): 1}


@case("next-panel")
async def _(desk, act):
    await act()
    assert desk.main.panels.focused == next(desk.main.panel_actions.frame.panels)


@case("previous-panel")
async def _(desk, act):
    await act()
    assert desk.main.focused_panel == CARD


@case("board")
async def _(desk, act):
    await press(desk.pilot, "tab")
    desk.main.workspace.choose(line=(0,))
    await act()
    assert desk.app.focused is desk.board
    assert not desk.board.view.line


@case("theme")
async def _(desk, act):
    before = desk.board.palette
    await act()
    assert desk.app.theme == "hextui-light"
    assert desk.board.palette != before or desk.app.console.color_system == "standard"


# Records and program


@case("save")
async def _(desk, act):
    desk.session.path = desk.folder / "game.sgf"
    desk.session.play(0)
    await act()
    assert read_sgf(desk.session.path.read_text()).equals(desk.session.record)


@case("save-as")
async def _(desk, act):
    desk.session.path = desk.folder / "game.sgf"
    await act()
    await desk.enter(str(desk.folder / "other.sgf"))
    assert [file.name for file in desk.folder.iterdir()] == ["other.sgf"]


@case("game-info")
async def _(desk, act):
    await act()
    await desk.enter("Anna")
    assert desk.session.record.info("PB") == "Anna"


@case("copy-link")
async def _(desk, act):
    await act()
    assert "hexworld.org/board/#5" in desk.app.clipboard


@case("copy-sgf")
async def _(desk, act):
    await act()
    assert read_sgf(desk.app.clipboard).equals(desk.session.record)


@case("open")
async def _(desk, act):
    await act()
    await desk.enter("#7,a1")
    assert desk.session.board == Board(7, 7)


@case("library")
async def _(desk, act):
    await act()
    assert isinstance(desk.screen, LibraryScreen)


@case("export")
async def _(desk, act):
    await act()
    await desk.enter(str(desk.folder / "board.svg"))
    assert (desk.folder / "board.svg").read_text().startswith("<svg")


def turning(name: str, start: int, end: int) -> None:
    async def check(desk, act):
        for _ in range(2):
            desk.app.records.open(game("a1"))
        desk.app.action_show_record(start)
        await act()
        assert desk.app.records.sessions.index(desk.session) == end

    CASES[name] = check


turning("next-record", 2, 0)
turning("previous-record", 1, 0)


@case("close-record")
async def _(desk, act):
    first = desk.session
    desk.app.records.open(Session(game("a1").record, name="second"))
    desk.session.record.history.__init__()
    await act()
    assert desk.app.records.sessions == (first,)


@case("new")
async def _(desk, act):
    await act()
    await desk.enter("9x7")
    assert desk.session.board == Board(7, 9)


@case("engines")
async def _(desk, act):
    await act()
    assert isinstance(desk.screen, EnginesScreen)


@case("help")
async def _(desk, act):
    await act()
    assert isinstance(desk.screen, HelpScreen)
    assert "Keys" in shown(desk.pilot)


@case("redraw")
async def _(desk, act):
    redrawn = []
    desk.app.action_redraw = lambda: redrawn.append(True)
    await act()
    del desk.app.action_redraw
    assert redrawn == [True]


@case("quit")
async def _(desk, act):
    left = []
    desk.app.exit = lambda: left.append(True)
    await act()
    del desk.app.exit
    assert left == [True]


def test_every_action_has_a_case():
    assert CASES.keys() == {action.id for action in all_actions()}


async def test_the_palette_runs_the_same_actions():
    async with running() as pilot:
        commands = {c.title: c.callback for c in pilot.app.palette_entries()}
        for action in screen_actions():
            assert commands[action.label].args == (action.call, pilot.app.main)


async def settled(pilot, run):
    """Run a command and wait until nothing is left to do."""
    await run()
    await pilot.pause()


@pytest.mark.parametrize("topic", Topic)
@pytest.mark.parametrize("way", ["key", pytest.param("palette", marks=pytest.mark.slow)])
async def test_every_action(way, topic, surveyed, tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    folder = tmp_path_factory.mktemp("files")
    async with running(
        fresh(),
        (140, 45) if topic in (Topic.VIEW, Topic.PANELS) else (80, 24),
        make_analyst=KnowingAnalyst,
        make_game_analyst=ScriptedGameAnalyst,
        library=tmp_path / "library.sqlite",
        attached=AttachedEngines({}),
    ) as pilot:
        desk = Desk(pilot, folder)
        desk.surveyed = surveyed
        commands = {
            c.title: partial(settled, pilot, c.callback) for c in pilot.app.palette_entries()
        }
        for action in all_actions():
            if action.topic is not topic:
                continue
            if way == "key":
                acts = [partial(press, pilot, key) for key in action.keys.split(",")]
            else:
                acts = [commands[action.label]] if action in screen_actions() else []
            for act in acts:
                await desk.clear()
                await CASES[action.id](desk, act)
