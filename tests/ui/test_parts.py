"""The parts of the main screen, each on a workspace without an application."""

from typing import Any

import pytest
from textual.geometry import Size

from hextui.engine.board import Color
from hextui.engine.position import Move
from hextui.engines.snapshot import Progress, Snapshot
from hextui.records.board_view import Connected, Mode
from hextui.records.codecs.sgf import write_sgf
from hextui.ui.app.layout import Activity
from hextui.ui.app.settings import Settings, UserState
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.live.background import LibraryAnswer, LibraryQuestion
from hextui.ui.live.game_review import GameReviews
from hextui.ui.panels.all_panels import PANEL_IDS
from hextui.ui.panels.panel import Change
from hextui.ui.parts.analysis import AnalysisActions
from hextui.ui.parts.files import FileActions
from hextui.ui.parts.panels import PanelActions
from hextui.ui.parts.play import PlayActions
from hextui.ui.parts.record import RecordActions
from hextui.ui.parts.review import ReviewActions
from hextui.ui.parts.train import PuzzleActions

from .helpers import ScriptedAnalyst, ScriptedGameAnalyst, game, ranking
from .workspace_fixture import FakeScreen, FakeWorkspace


def known(session, **found):
    """Return a workspace whose analysis has answered at the session's position."""
    analyst = ScriptedAnalyst(lambda snapshot: None)
    workspace = FakeWorkspace(session, make_analyst=analyst)
    workspace.live.look_at(session.position)
    workspace.live.take(Snapshot(session.position, generation=1, **found))
    return workspace, analyst


def two_rankings(session):
    position = session.position
    return {
        "k-paths:1": ranking("k-paths:1", position, ["b2", "a2"]),
        "resistance": ranking("resistance", position, ["a2", "b2"]),
    }


# Record: walk


def test_walking_shows_only_where_something_changed():
    workspace = FakeWorkspace(game("c3", "d2"))
    walking = RecordActions(workspace)
    walking.walk(10)
    walking.walk(1)
    assert workspace.session.node.ply == 2
    assert workspace.calls == [Change.SESSION]
    walking.first()
    walking.last()
    assert workspace.session.node.ply == 2
    walking.variation(1)
    end, start = "This is the end of the line", "This is the start of the record"
    assert workspace.talk.complaints == [end, "No variations up to here"]
    walking.last()
    walking.first()
    walking.walk(-1)
    walking.first()
    assert workspace.talk.complaints[2:] == [end, start, start]
    walking.point(7)
    assert workspace.session.cursor == 7
    assert workspace.calls[-1] is Change.CURSOR


# Play


def test_what_cannot_be_played_is_told_in_one_line_and_changes_nothing():
    workspace = FakeWorkspace(game("c3", "d2"))
    playing = PlayActions(workspace)
    playing.best()
    RecordActions(workspace).last()
    workspace.session.cursor = workspace.session.board.cell("c3")
    playing.play()
    playing.swap()
    no_best, taken, swap = workspace.talk.complaints
    assert no_best == "No best move is known yet"
    assert "c3 is taken" in taken
    assert "second move" in swap
    assert workspace.session.node.ply == 2


def test_a_click_plays_on_an_empty_cell_and_places_in_setup_mode():
    workspace = FakeWorkspace()
    playing = PlayActions(workspace)
    playing.click(3, 3)
    assert (workspace.session.node.ply, workspace.session.cursor) == (0, 3)
    playing.click(3, 1)
    assert workspace.session.position.stones[3] == Color.BLACK
    playing.click(3, 1)
    assert workspace.session.node.ply == 1
    editing = RecordActions(workspace)
    editing.toggle_setup()
    editing.place(0)
    assert workspace.session.mode is Mode.SETUP
    assert workspace.session.position.stones[3] == 0


def test_a_line_is_one_edit_and_an_illegal_one_none():
    workspace = FakeWorkspace()
    PlayActions(workspace).line([Move.play(1), Move.play(2)])
    assert (workspace.session.node.ply, workspace.session.cursor) == (2, 2)
    workspace.session.undo()
    assert not workspace.session.record.root.children
    PlayActions(workspace).line([Move.play(1), Move.play(1)])
    assert workspace.talk.complaints
    assert not workspace.session.record.root.children


# Record: edit and annotate


def test_editing_takes_back_what_was_done():
    workspace = FakeWorkspace(game("c3"))
    editing = RecordActions(workspace)
    editing.undo()
    editing.redo()
    editing.delete()
    assert workspace.talk.complaints == [
        "Nothing to undo",
        "Nothing to redo",
        "The start of a record cannot be deleted",
    ]
    editing.last()
    editing.delete()
    assert workspace.session.node.ply == 0
    editing.undo()
    assert len(workspace.session.record.main_line()) == 2


async def test_a_mark_that_is_given_up_and_a_comment_that_stays_change_nothing():
    workspace = FakeWorkspace(game("c3"), None)
    part, before = RecordActions(workspace), write_sgf(workspace.session.record)
    part.glyph()
    assert workspace.talk.complaints == ["A glyph belongs to a move"]
    await part.mark()
    assert write_sgf(workspace.session.record) == before
    part.comment()
    assert "bring record" in workspace.calls
    part.keep_comment()
    assert workspace.session.node.comment == "fine"
    shown = len(workspace.calls)
    part.keep_comment()
    assert len(workspace.calls) == shown


@pytest.mark.parametrize("answer", ["overwrite", None])
async def test_an_export_overwrites_only_if_it_may(tmp_path, answer):
    path = tmp_path / "board.txt"
    path.write_text("mine")
    workspace = FakeWorkspace(game("c3"), path, answer)
    await file_actions(workspace).export()
    assert (path.read_text() == "mine") is (answer is None)
    assert len(workspace.talk.told) == (answer is not None)


def file_actions(workspace):
    panels = PanelActions(workspace)
    puzzles = PuzzleActions(workspace, panels, Settings())
    return FileActions(workspace, UserState(None), panels, puzzles)


# Analysis


async def test_evaluators_are_gone_through_and_chosen():
    session = game()
    workspace = FakeWorkspace(session)
    part = AnalysisActions(workspace)
    part.evaluator(1)
    part.second_evaluator()
    part.solve_on()
    assert len(workspace.talk.complaints) == 3
    workspace, analyst = known(session, rankings=two_rankings(session))
    part = AnalysisActions(workspace)
    seen = []
    for step in (1, 1, -1):
        part.evaluator(step)
        seen.append(workspace.shown.evaluator)
    assert seen == ["k-paths:1", "resistance", "k-paths:1"]
    part.second_evaluator()
    assert workspace.evaluators == ["resistance", "k-paths:1"]
    part.second_evaluator()
    analyst.choose_evaluators(("k-paths:1", "resistance", "shortest-path"))
    workspace.choose(boards=2, evaluator="resistance")
    beside = []
    for _ in range(3):
        focus, second, _ = workspace.evaluators
        beside.append((focus, second))
        part.second_evaluator()
    assert beside == [
        ("resistance", "shortest-path"),
        ("resistance", "k-paths:1"),
        ("resistance", "shortest-path"),
    ]
    workspace.talk.answers = [("resistance",), "shortest-path"]
    await part.choose_evaluators()
    await part.choose_line_evaluator()
    assert (analyst.evaluators, analyst.lines_by) == (("resistance",), "shortest-path")
    assert "bring lines" in workspace.calls


async def test_overlays_and_marks_are_switched():
    marks = ("inferior", "must-play")
    workspace = FakeWorkspace(None, Overlay.OWN, None, *marks, *marks)
    part = AnalysisActions(workspace)
    for overlay in (Overlay.OWN, Overlay.OWN):
        await part.choose_overlay()
        assert workspace.shown.overlay is overlay
    part.last_overlay()
    assert workspace.shown.overlay is Overlay.EVALUATOR
    part.last_overlay()
    assert workspace.shown.overlay is Overlay.OWN
    for inferior, must_play in ((True, False), (True, True), (False, True), (False, False)):
        await part.choose_overlay()
        assert (workspace.shown.inferior, workspace.shown.must_play) == (inferior, must_play)
    workspace.choose(connected=Connected(Color.BLACK))
    part.connection_color()
    assert workspace.panel_input.connections_of is Color.WHITE
    assert workspace.shown.connected is None


async def test_a_large_position_has_no_trace():
    workspace = FakeWorkspace(game(side=9))
    await AnalysisActions(workspace).trace()
    assert workspace.talk.complaints
    assert not workspace.talk.asked


# Review


def test_a_game_is_analysed_stopped_and_kept():
    analyst = ScriptedGameAnalyst(None)
    workspace = FakeWorkspace(game("b2", "c1", side=3), make_game_analyst=analyst)
    part = ReviewActions(workspace)
    part.keep()
    part.disagreement()
    assert len(workspace.talk.complaints) == 2
    part.whole_game()
    assert workspace.survey.progress == Progress(0, 3, "whole game")
    workspace.take_progress(Progress(1, 3, "whole game"))
    assert workspace.survey.progress.done == 1
    part.whole_game()
    assert (analyst.cancelled, workspace.survey.progress) == (1, None)
    workspace.take_progress(Progress(2, 3, "whole game"))
    assert workspace.survey.progress is None
    part.whole_game()
    workspace.take_progress("it broke")
    assert workspace.talk.complaints[-1] == "it broke"
    assert not workspace.surveys.progress


def test_without_an_analyst_no_game_is_analysed():
    workspace = FakeWorkspace()
    ReviewActions(workspace).whole_game()
    assert workspace.talk.complaints == ["There is no analysis here"]


def test_another_record_ends_the_analysis():
    analyst: Any = ScriptedGameAnalyst(None)
    surveys = GameReviews(analyst)
    first, second = game("c3"), game("d2")
    surveys.start(surveys.of(first, ("resistance",)))
    assert surveys.progress
    surveys.of(second, ())
    assert not surveys.progress


# Library and files


async def test_the_newest_question_is_asked_of_the_library_and_older_answers_are_dropped():
    room = FakeScreen()
    workspace = FakeWorkspace(game("c3"), screen=room)
    workspace.ask_library()
    workspace.session.forward()
    workspace.ask_library()
    await room.worker
    answer = workspace.shown.library
    assert answer.question == workspace.question
    workspace.take_library(LibraryAnswer(LibraryQuestion(game().position)))
    assert workspace.shown.library is answer
    workspace.close()


async def test_without_a_library_there_is_nothing_to_browse():
    workspace = FakeWorkspace()
    await file_actions(workspace).browse()
    assert workspace.talk.complaints == ["The library is disabled"]


async def test_files_are_opened_beside_the_others(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text(write_sgf(game("a1").record))
    workspace = FakeWorkspace(game("c3"))
    filing = file_actions(workspace)
    await filing.open_file(str(path))
    assert workspace.session.path == path
    await filing.open_file(str(tmp_path / "none.sgf"))
    assert len(workspace.talk.complaints) == 1
    guessed = tmp_path / "list.txt"
    guessed.write_text("a1 b2 m13")
    await filing.open_file(str(guessed))
    assert [title for title, _ in workspace.talk.warnings] == ["list.txt"]
    assert "13x13" in workspace.talk.warnings[0][1]
    workspace.talk.answers = [None, game(side=7).board]
    await filing.open()
    await filing.new()
    assert [session.board.rows for session in workspace.records.sessions] == [5, 5, 13, 7]


# Panels


def arranged(*size, side=11):
    room = FakeScreen(Size(*size))
    workspace = FakeWorkspace(game(side=side), screen=room)
    part = PanelActions(workspace)
    part.restore(Settings())
    return part, room, workspace


def test_zoom_goes_round_by_way_of_what_fits_best():
    part, room, _ = arranged(80, 26)
    assert part.chosen_zooms is None
    first = room.plan
    part.zoom()
    assert part.chosen_zooms == {"11x11": Zoom.MEDIUM}
    assert room.plan.frame.zoom is Zoom.MEDIUM
    part.zoom()
    assert room.plan == first
    assert part.chosen_zooms is None


def test_a_zoom_is_kept_for_boards_of_one_size_and_for_no_others():
    part, room, workspace = arranged(80, 26)
    part.zoom()
    workspace.records.open(game(side=5))
    part.share_room()
    assert room.plan.frame.zoom is Zoom.LARGE
    part.zoom()
    assert part.chosen_zooms.keys() == {"11x11", "5x5"}
    workspace.records.step(-1)
    part.share_room()
    assert room.plan.frame.zoom is Zoom.MEDIUM


def test_a_wanted_zoom_waits_for_room():
    part, room, _ = arranged(60, 26)
    part.restore(Settings(zooms={"11x11": Zoom.MEDIUM}))
    assert room.plan.frame.zoom is Zoom.COMPACT
    room.size = Size(80, 26)
    part.share_room()
    assert room.plan.frame.zoom is Zoom.MEDIUM


def test_two_boards_need_room():
    part, room, workspace = arranged(80, 24)
    part.choose(Activity.COMPARE)
    assert workspace.shown.boards == 1
    room.size = Size(140, 45)
    part.share_room()
    assert room.plan.frame.boards == workspace.shown.boards == 2
    part.choose(Activity.REVIEW)
    assert workspace.shown.boards == 1


def test_the_focus_goes_round_the_panels_on_the_screen_and_the_board():
    part, room, workspace = arranged(140, 45)
    stops = []
    while None not in stops:
        part.panel(1)
        stops.append(room.focused)
    assert stops[:-1] == [*room.plan.frame.panels]
    workspace.choose(line=(1,))
    part.panel(-1)
    assert room.focused == stops[-2]
    part.focus_board()
    assert room.focused is None
    assert workspace.shown.line == ()


@pytest.mark.parametrize("size", [(80, 24), (140, 45), (40, 16)])
def test_any_panel_is_reached_and_the_activity_gives_each_its_place_again(size):
    part, room, _ = arranged(*size)
    before = room.plan
    for panel in PANEL_IDS:
        part.go_to(panel)
        assert room.focused == panel
        assert panel in room.plan.frame.places
    part.choose(Activity.REVIEW)
    assert room.plan == before


def test_what_has_the_focus_stands_alone_and_back():
    part, room, _ = arranged(140, 45)
    before = room.plan
    part.maximise()
    assert set(room.plan.frame.places) == {"board", "legend"}
    part.maximise()
    assert room.plan == before
    part.go_to("record")
    part.maximise()
    assert set(room.plan.frame.places) == {"record"}
    part.go_to("solver")
    assert set(room.plan.frame.places) == {"solver"}
    part.focus_board()
    assert "board" in room.plan.frame.places


def test_an_activity_takes_the_focus_from_a_panel_that_it_has_no_place_for():
    part, room, _ = arranged(80, 24)
    part.go_to("record")
    part.choose(Activity.EXPLORE)
    assert room.focused is None


def test_a_start_looks_like_the_last_one():
    part, room, _ = arranged(80, 24)
    part.restore(Settings(activity=Activity.EXPLAIN, view=View.BOTH, panel="lines"))
    assert (part.wish.activity, part.wish.view) == (Activity.EXPLAIN, View.BOTH)
    assert room.focused == "lines"
    part.restore(Settings(panel="a panel of another version"))
    assert room.focused is None
