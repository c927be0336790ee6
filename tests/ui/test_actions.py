"""Every action does what it says, by each of its keys; the command palette runs the same ones."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from hextui.engine.board import Board, Color
from hextui.engine.position import MoveKind
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from hextui.engines.registry import AttachedEngines
from hextui.engines.snapshot import Snapshot
from hextui.library.library import Library
from hextui.records.board_view import Mode
from hextui.records.codecs.sgf import read_sgf
from hextui.records.markup import glyph_of, marks_of
from hextui.ui.app.keys import Topic
from hextui.ui.app.layout import Activity
from hextui.ui.app.main_screen import all_actions, screen_actions
from hextui.ui.app.settings import Settings
from hextui.ui.drawing.geometry import View
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, legend
from hextui.ui.drawing.palette import DEFAULT_THEME
from hextui.ui.panels.all_panels import PANEL_IDS
from hextui.ui.panels.connections_panel import ConnectionsPanel, ListedKind
from hextui.ui.panels.panel import Change
from hextui.ui.record.session import Session
from hextui.ui.screens.defend_screen import DefendScreen
from hextui.ui.screens.dialogs import EvaluatorDialog, PlayerDialog
from hextui.ui.screens.engines_screen import EnginesScreen
from hextui.ui.screens.explain_screen import ExplainScreen
from hextui.ui.screens.help_screen import HelpScreen
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.minimax_screen import MinimaxScreen
from hextui.ui.screens.puzzle_screen import PuzzleScreen
from hextui.ui.screens.shape_screen import ShapeScreen
from hextui.ui.screens.trace_screen import TraceScreen
from hextui.ui.screens.train_dialogs import TrainScreen

from .helpers import (
    ScriptedAnalyst,
    ScriptedGameAnalyst,
    game,
    judged_game,
    press,
    ranking,
    running,
    shown,
    told,
    until,
)


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
        self.board, self.workspace = self.main.board, self.main.workspace
        self.live, self.choose = self.workspace.live, self.workspace.choose
        self.called: list[str] = []
        self.before: Any = None

    @property
    def session(self) -> Session:
        return self.app.records.session

    @property
    def node(self):
        return self.session.node

    @property
    def shown(self):
        return self.workspace.shown

    async def clear(self, session: Session):
        """Go back to the main screen, with this session open and no other."""
        while self.app.screen is not self.main:
            await press(self.pilot, "escape")
        for method in ("exit", "action_redraw", "action_suspend_process"):
            vars(self.app).pop(method, None)
        self.called.clear()
        self.workspace.shown = DisplayOptions()
        self.main.panel_actions.restore(Settings())
        self.live.on = True
        self.workspace.verdicts = self.live.verdicts = Verdicts()
        self.app.theme = DEFAULT_THEME
        for file in self.folder.glob("*.*"):
            file.unlink()
        self.app.records.sessions[:] = [session]
        self.app.records.show(0)
        self.board.focus()
        await self.pilot.pause()

    def is_at(self, screen: type) -> bool:
        return isinstance(self.app.screen, screen)

    def played(self, name: str) -> bool:
        return self.node.turn.move.cell == self.cell(name)

    def cell(self, name: str) -> int:
        return self.session.board.cell(name)

    def stone(self, name: str) -> int:
        return self.session.position.stones[self.cell(name)]

    def watch(self, method: str) -> None:
        """Note calls of a method of the app, which does nothing."""
        setattr(self.app, method, lambda: self.called.append(method))


def fresh() -> Session:
    """Return a session at the start of a game with a variation of its second move."""
    session = game("c3", "d2", "b4")
    session.forward()
    session.play(session.board.cell("e5"))
    session.go_to(session.record.main_line()[-1])
    session.first()
    session.record.edits.clear()
    return session


def small() -> Session:
    """Return a session that is solved at once."""
    return game("b2", side=3)


def nothing(desk: Desk) -> None:
    """Prepare nothing."""


@dataclass(frozen=True)
class Case:
    """What an action is to do. ``again``: what it does when it is done once more.

    Before it, a session is opened at a ply or at its variation, ``keys`` are pressed, and ``first``
    is called. After it a line is entered, or the keys ``then`` are pressed.
    """

    does: Callable[[Desk], object]
    first: Callable[[Desk], object] = nothing
    session: Callable[[], Session] = fresh
    ply: int = 0
    variation: bool = False
    keys: str = ""
    line: str | Callable[[Desk], str] = ""
    then: tuple[str, ...] = ()
    again: Callable[[Desk], object] | None = None

    async def check(self, desk: Desk, act) -> None:
        await desk.clear(self.session())
        session = desk.session
        session.forward(self.ply)
        if self.variation:
            session.go_to(session.record.node_at(1).children[1])
        await press(desk.pilot, *self.keys)
        self.first(desk)
        await act()
        if self.line:
            line = self.line if isinstance(self.line, str) else self.line(desk)
            desk.app.screen.query_one(Input).value = line
        if keys := (*self.then, *["enter"] * bool(self.line)):
            await press(desk.pilot, *keys)
        await until(desk.pilot, lambda: self.does(desk), 10)
        if self.again:
            await act()
            assert self.again(desk)


def region_cell(desk: Desk) -> None:
    """Mark in the mode for it, with the cursor on a cell."""
    desk.session.mode = Mode.REGION
    desk.session.cursor = desk.cell("b2")
    desk.workspace.changed(Change.SESSION)


def corner(desk: Desk) -> None:
    region_cell(desk)
    desk.session.search_marks.turn(desk.session.position, desk.cell("d4"))


def marked(desk: Desk) -> None:
    desk.session.search_marks.region = frozenset([0])
    desk.workspace.changed(Change.SESSION)
    assert desk.live.scope.region


def with_problem(desk: Desk) -> None:
    desk.app.records.talk.complain("b7 is wrong")


def with_path(desk: Desk) -> None:
    desk.session.path = desk.folder / "game.sgf"
    desk.session.play(0)


def with_library(desk: Desk) -> None:
    path = desk.workspace.services.library
    assert path is not None
    Library(path).close()


def taken_back(desk: Desk) -> None:
    desk.session.play(0)
    desk.session.undo()


def three_records(desk: Desk, at: int) -> None:
    for _ in range(2):
        desk.app.records.open(game("a1"))
    desk.app.action_show_record(at)


def second_record(desk: Desk) -> None:
    desk.app.records.open(Session(game("a1").record, name="second"))
    desk.session.record.edits.clear()


def occupied(desk: Desk, stone: int) -> None:
    desk.session.place(desk.cell("c3"), Color.BLACK if stone != Color.BLACK else 0)


def note(desk: Desk, value: Any) -> None:
    desk.before = value


def proved_win(desk: Desk) -> None:
    """Prove that another first move than the record's wins."""
    after = desk.session.position.play("b2")
    desk.workspace.keep_proof(after, Verdict(VerdictKind.SOLVER, Color.BLACK))


def on_mistake(desk: Desk) -> bool:
    return desk.session.cursor == desk.session.next_cell


CASES = {
    "next": Case(lambda d: d.node.ply == 1),
    "previous": Case(lambda d: d.node.ply == 1, ply=2),
    "first": Case(lambda d: d.node.ply == 0, ply=3),
    "last": Case(lambda d: d.node.ply == 3),
    "ten-on": Case(lambda d: d.node.ply == 3),
    "ten-back": Case(lambda d: d.node.ply == 0, ply=3),
    "go-to-ply": Case(lambda d: d.node.ply == 2, line="2"),
    "autoplay": Case(lambda d: d.main.record_actions._autoplay),
    "next-variation": Case(lambda d: d.node.index == 1, ply=2),
    "previous-variation": Case(lambda d: d.node.index == 0, variation=True),
    # playing and editing
    "play": Case(lambda d: d.stone("a1") == Color.BLACK, lambda d: setattr(d.session, "cursor", 0)),
    "swap": Case(lambda d: d.node.turn.move.kind is MoveKind.SWAP_PIECES, ply=1),
    "pass": Case(lambda d: d.node.turn.move.kind is MoveKind.PASS),
    "resign": Case(lambda d: d.node.turn.move.kind is MoveKind.RESIGN),
    "undo": Case(
        lambda d: not d.session.record.modified and not d.session.position.stones[0],
        lambda d: d.session.play(0),
    ),
    "redo": Case(lambda d: d.session.position.stones[0] == Color.BLACK, taken_back),
    "comment": Case(lambda d: d.node.comment == "fine", then=(*"fine", "escape")),
    "promote": Case(lambda d: d.node.index == 0 and d.played("e5"), variation=True),
    "main-line": Case(lambda d: d.session.record.main_line()[-1] is d.node, variation=True),
    "mark": Case(
        lambda d: marks_of(d.node, d.session.board) == {d.cell("c3"): "square"}, line="square"
    ),
    "glyph": Case(lambda d: glyph_of(d.node) == "!", ply=1),
    "delete": Case(lambda d: d.node.ply == len(d.node.children) == 1, variation=True),
    # setup
    "setup": Case(
        lambda d: d.session.mode is Mode.SETUP, again=lambda d: d.session.mode is Mode.PLAY
    ),
    "change-side": Case(lambda d: d.session.position.to_move is Color.WHITE, keys="i"),
    # analysis
    "add-better": Case(
        lambda d: len(d.node.children) == 2, proved_win, lambda: game("c3", "d2", swap=False)
    ),
    "analysis": Case(lambda d: not d.live.on, again=lambda d: d.live.on),
    "play-best": Case(lambda d: d.played("b2"), lambda d: d.choose(evaluator="k-paths:1")),
    "analysis-side": Case(lambda d: d.main.workspace.live.only is Color.BLACK),
    "win-probability-side": Case(lambda d: d.shown.win_probability_of is Color.BLACK),
    "next-evaluator": Case(
        lambda d: d.shown.evaluator == "resistance" and d.board.view.labels[d.cell("a2")] == "1",
        lambda d: d.choose(evaluator="k-paths:1"),
    ),
    "previous-evaluator": Case(
        lambda d: d.shown.evaluator == "k-paths:1", lambda d: d.choose(evaluator="resistance")
    ),
    "second-evaluator": Case(
        lambda d: d.shown.evaluator == "resistance",
        lambda d: d.choose(evaluator="k-paths:1"),
        again=lambda d: d.shown.evaluator == "k-paths:1",
    ),
    "boards": Case(
        lambda d: len(d.board.views) == d.shown.boards == 3,
        lambda d: (
            d.live.choose_evaluators(("k-paths:1", "resistance", "blocking")),
            d.main.panel_actions.choose(Activity.COMPARE),
        ),
    ),
    "choose-evaluators": Case(lambda d: d.is_at(EvaluatorDialog)),
    "line-evaluator": Case(lambda d: d.live.lines_by == "k-paths:2", then=("home", "enter")),
    "region": Case(
        lambda d: d.session.mode is Mode.REGION, again=lambda d: d.session.mode is Mode.PLAY
    ),
    "region-cell": Case(
        lambda d: d.session.search_marks.region == d.live.scope.region == {d.cell("b2")},
        region_cell,
        again=lambda d: d.live.scope == ALL_MOVES,
    ),
    "allow-move": Case(lambda d: d.live.scope.first == {d.cell("b2")}, region_cell),
    "avoid-move": Case(lambda d: len(d.live.scope.first) == 24, region_cell),
    "region-box": Case(lambda d: len(d.live.scope.region) == 9, corner),
    "all-moves": Case(
        lambda d: d.live.scope == ALL_MOVES and not d.session.search_marks.region, marked
    ),
    "overlays": Case(lambda d: d.shown.overlay is Overlay.OWN, then=("3",)),
    "last-overlay": Case(
        lambda d: d.shown.overlay is Overlay.NONE,
        again=lambda d: d.shown.overlay is Overlay.EVALUATOR,
    ),
    "connection-color": Case(lambda d: d.shown.other_connections),
    "connection-kinds": Case(
        lambda d: d.main.query_one(ConnectionsPanel).kinds is ListedKind.FULL,
        lambda d: setattr(d.main.query_one(ConnectionsPanel), "_wanted", ListedKind.PROOF),
    ),
    "contribution-k": Case(
        lambda d: d.shown.contribution_k == 2 and "k = 2" in told(d.pilot),
        lambda d: d.choose(overlay=Overlay.OWN),
        again=lambda d: "k = 0" in legend(d.board.view, d.shown),
    ),
    "must-play": Case(
        lambda d: d.board.view.must_play == frozenset(d.session.position.empties[:-1]),
        again=lambda d: not d.board.view.must_play,
    ),
    "inferior": Case(lambda d: d.shown.inferior and "Inferior cells" in told(d.pilot)),
    "solve-on": Case(
        lambda d: d.live.asked_again == d.before + 1, lambda d: note(d, d.live.asked_again)
    ),
    "why": Case(lambda d: "Red wins" in shown(d.pilot), session=small),
    "defend": Case(lambda d: d.is_at(DefendScreen), session=small, keys="w"),
    "explain": Case(lambda d: d.is_at(ExplainScreen), session=small),
    "links": Case(lambda d: d.is_at(ExplainScreen), session=small),
    "puzzle": Case(lambda d: d.is_at(PuzzleScreen)),
    "train": Case(lambda d: d.is_at(TrainScreen)),
    "trace": Case(lambda d: d.is_at(TraceScreen), session=small),
    "every-line": Case(lambda d: d.is_at(MinimaxScreen), session=small),
    "filter-library": Case(lambda d: d.shown.library_filter.player == "ann", line="player=ann"),
    "whole-game": Case(
        lambda d: d.workspace.survey.progress is not None,
        again=lambda d: d.workspace.survey.progress is None,
    ),
    "keep-analysis": Case(
        lambda d: d.session.record.modified,
        lambda d: d.workspace.surveys.analyst.work(),
        session=lambda: game("b2", "c1", side=3),
        keys="a",
    ),
    "disagreement": Case(
        lambda d: d.node.ply > 0 and "Disagreement" in told(d.pilot), session=judged_game
    ),
    "worst-move": Case(on_mistake, session=judged_game),
    "try-again": Case(lambda d: "Try mistakes again" in shown(d.pilot), session=judged_game),
    "next-mistake": Case(on_mistake, session=judged_game),
    # from the start to the last one: there is none before the first ply
    "previous-mistake": Case(lambda d: on_mistake(d) and d.node.ply > 0, session=judged_game),
    # board and panels
    "zoom": Case(lambda d: d.board.zoom != d.before, lambda d: note(d, d.board.zoom)),
    "picture": Case(
        lambda d: d.board.images,
        lambda d: d.main.panel_actions.maximise(),
        again=lambda d: not d.board.images,
    ),
    "maximise": Case(lambda d: not any(panel.display for panel in d.main.panels)),
    "turn": Case(lambda d: d.board.turned is View.ROTATED),
    "move-numbers": Case(lambda d: d.board.view.numbers == {d.cell("c3"): 1}, ply=1),
    "next-panel": Case(lambda d: d.main.panels.focused == next(d.main.panel_actions.frame.panels)),
    "previous-panel": Case(
        lambda d: d.main.panels.focused == [*d.main.panel_actions.frame.panels][-1]
    ),
    "board": Case(
        lambda d: d.app.focused is d.board and not d.board.view.line,
        lambda d: (d.main.panel_actions.panel(1), d.choose(line=(0,))),
    ),
    "theme": Case(
        lambda d: (
            d.app.theme == "hextui-light"
            and (d.board.palette != d.before or d.app.console.color_system == "standard")
        ),
        lambda d: note(d, d.board.palette),
    ),
    # records and program
    "save": Case(
        lambda d: read_sgf(d.session.path.read_text()).equals(d.session.record), with_path
    ),
    "save-as": Case(
        lambda d: [file.name for file in d.folder.iterdir()] == ["other.sgf"],
        with_path,
        line=lambda d: str(d.folder / "other.sgf"),
    ),
    "game-info": Case(lambda d: d.session.record.info("PB") == "Anna", line="Anna"),
    "copy-link": Case(lambda d: "hexworld.org/board/#5" in d.app.clipboard),
    "copy-sgf": Case(lambda d: read_sgf(d.app.clipboard).equals(d.session.record)),
    "open": Case(lambda d: d.session.board == Board(7, 7), line="#7,a1"),
    "library": Case(lambda d: d.is_at(LibraryScreen)),
    "my-mistakes": Case(lambda d: d.is_at(LibraryScreen), then=("escape",)),
    "find-shape": Case(lambda d: d.is_at(ShapeScreen), first=with_library),
    "player": Case(lambda d: d.is_at(PlayerDialog), first=with_library),
    "today": Case(lambda d: "Nothing is kept here" in told(d.pilot)),
    "export": Case(
        lambda d: (d.folder / "board.svg").read_text().startswith("<svg"),
        line=lambda d: str(d.folder / "board.svg"),
    ),
    "next-record": Case(
        lambda d: d.app.records.sessions.index(d.session) == 0, lambda d: three_records(d, 2)
    ),
    "previous-record": Case(
        lambda d: d.app.records.sessions.index(d.session) == 0, lambda d: three_records(d, 1)
    ),
    "close-record": Case(lambda d: len(d.app.records.sessions) == 1, second_record),
    "new": Case(lambda d: d.session.board == Board(7, 9), line="9x7"),
    "engines": Case(lambda d: d.is_at(EnginesScreen)),
    "problems": Case(lambda d: "b7 is wrong" in shown(d.pilot), with_problem),
    "help": Case(lambda d: d.is_at(HelpScreen) and "Keys" in shown(d.pilot)),
    "redraw": Case(lambda d: d.called, lambda d: d.watch("action_redraw")),
    "suspend": Case(lambda d: d.called, lambda d: d.watch("action_suspend_process")),
    "quit": Case(lambda d: d.called, lambda d: d.watch("exit")),
}


def pointing(name: str) -> Case:
    return Case(lambda d: d.session.cursor == d.board.view.cursor == d.cell(name))


def placing(stone: int) -> Case:
    return Case(
        lambda d: d.stone("c3") == d.session.placing == stone,
        partial(occupied, stone=stone),
        keys="i",
    )


def arranging(activity: Activity) -> Case:
    other = Activity.EXPLORE if activity is Activity.REVIEW else Activity.REVIEW
    return Case(
        lambda d: d.main.panel_actions.wish.activity is activity,
        lambda d: d.main.panel_actions.choose(other),
    )


def focusing(panel: str) -> Case:
    return Case(lambda d: d.main.panels.focused == panel)


CASES |= {"up": pointing("c2"), "down": pointing("c4")}
CASES |= {"left": pointing("b3"), "right": pointing("d3")}
CASES |= {"place-black": placing(1), "place-white": placing(2), "place-empty": placing(0)}
CASES |= {f"activity-{activity}": arranging(activity) for activity in Activity}
CASES |= {f"panel-{panel}": focusing(panel) for panel in PANEL_IDS}


def test_every_action_has_a_case():
    assert CASES.keys() == {action.id for action in all_actions()}


async def test_the_palette_runs_the_same_actions():
    async with running() as pilot:
        commands = {c.title: c.callback for c in pilot.app.palette_entries()}
        for action in screen_actions():
            assert commands[action.label].args == (action.call, pilot.app.main)


@pytest.mark.parametrize("topic", Topic)
async def test_every_action(topic, tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    async with running(
        fresh(),
        (140, 45) if topic in (Topic.VIEW, Topic.PANELS) else (80, 24),
        make_analyst=KnowingAnalyst,
        make_game_analyst=ScriptedGameAnalyst,
        library=tmp_path / "library.sqlite",
        attached=AttachedEngines({}),
    ) as pilot:
        desk = Desk(pilot, tmp_path_factory.mktemp("files"))
        for action in all_actions():
            for key in action.keys.split(",") if action.topic is topic else ():
                try:
                    await CASES[action.id].check(desk, partial(press, pilot, key))
                except Exception as error:
                    error.add_note(f"the action is {action.id}")
                    raise
