"""The parts of the main screen, each on a desk of paper: no application runs here."""

import asyncio
from typing import Any

import pytest
from textual.geometry import Size

from hextui.analysis import Progress, Snapshot
from hextui.engine.board import Color
from hextui.engine.position import Move, MoveKind
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.markup import glyph_of, marks_of
from hextui.ui.activities import Activity
from hextui.ui.drawing.board_view import Connected, Mode
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.live.librarian import LibraryAnswer, LibraryQuestion
from hextui.ui.live.surveys import Surveys
from hextui.ui.main.analysing import Analysing
from hextui.ui.main.annotating import Annotating
from hextui.ui.main.arranging import Arranging
from hextui.ui.main.copying import Copying
from hextui.ui.main.editing import Editing
from hextui.ui.main.exploring import Exploring
from hextui.ui.main.filing import Filing
from hextui.ui.main.playing import Playing
from hextui.ui.main.surveying import Surveying
from hextui.ui.main.walking import Walking
from hextui.ui.services import Services
from hextui.ui.session import Session

from .helpers import ScriptedAnalyst, game, ranking
from .paper import PaperDesk, PaperRoom
from .test_graph import MOVES, ScriptedGameAnalyst, judged


class Pad:
    """Takes the comment at once, as one who has just written it."""

    def __init__(self, text):
        self.text = text
        self.place = None

    def write(self, record, node):
        self.place = record, node

    def keep(self):
        if self.place is None:
            return False
        record, node = self.place
        record.set_comment(node, self.text)
        self.place = None
        return True


def known(session, **found):
    """Return a desk whose analysis has answered at the session's position."""
    analyst = ScriptedAnalyst(lambda snapshot: None)
    desk = PaperDesk(session, analyst=analyst)
    desk.live.look_at(session.position)
    desk.live.take(Snapshot(session.position, generation=1, **found))
    return desk, analyst


def two_rankings(session):
    position = session.position
    return {
        "k-paths:1": ranking("k-paths:1", position, ["b2", "a2"]),
        "resistance": ranking("resistance", position, ["a2", "b2"]),
    }


# Walking


def test_walking_shows_only_where_something_changed():
    desk = PaperDesk(game("c3", "d2"))
    walking = Walking(desk)
    walking.walk(10)
    walking.walk(1)
    assert desk.session.node.ply == 2
    assert desk.calls == ["show"]
    walking.first()
    walking.last()
    assert desk.session.node.ply == 2
    walking.variation(1)
    assert desk.talk.complaints == ["No variations up to here"]
    walking.point(7)
    assert desk.session.cursor == 7
    assert desk.calls[-1] == "cursor"


# Playing


def test_playing_a_taken_cell_is_told_and_changes_nothing():
    desk = PaperDesk(game("c3"))
    playing = Playing(desk)
    Walking(desk).last()
    desk.session.cursor = desk.session.board.cell("c3")
    playing.play()
    assert desk.session.node.ply == 1
    assert len(desk.talk.complaints) == 1
    assert "\n" not in desk.talk.complaints[0]


def test_a_click_plays_on_an_empty_cell_and_places_in_setup_mode():
    desk = PaperDesk()
    playing = Playing(desk)
    playing.click(3, 3)
    assert (desk.session.node.ply, desk.session.cursor) == (0, 3)
    playing.click(3, 1)
    assert desk.session.position.stones[3] == Color.BLACK
    playing.click(3, 1)
    assert desk.session.node.ply == 1
    Editing(desk).toggle_setup()
    playing.place(0)
    assert desk.session.mode is Mode.SETUP
    assert desk.session.position.stones[3] == 0


def test_a_line_is_one_edit_and_an_illegal_one_none():
    desk = PaperDesk()
    Playing(desk).line([Move.play(1), Move.play(2)])
    assert (desk.session.node.ply, desk.session.cursor) == (2, 2)
    desk.session.undo()
    assert not desk.session.record.root.children
    Playing(desk).line([Move.play(1), Move.play(1)])
    assert desk.talk.complaints
    assert not desk.session.record.root.children


def test_passing_resigning_and_a_swap_that_is_late():
    desk = PaperDesk(game("c3", "d2"))
    Walking(desk).last()
    playing = Playing(desk)
    playing.swap()
    assert "second move" in desk.talk.complaints[0]
    playing.pass_turn()
    playing.resign()
    kinds = [node.turn.move.kind for node in desk.session.node.line()[-2:]]
    assert kinds == [MoveKind.PASS, MoveKind.RESIGN]


def test_the_best_move_is_played_if_one_is_known():
    session = game()
    desk = PaperDesk(session)
    Playing(desk).best()
    assert desk.talk.complaints == ["No best move is known yet"]
    desk, _ = known(session, rankings=two_rankings(session))
    desk.choose(evaluator="resistance")
    Playing(desk).best()
    assert session.board.name(session.node.turn.move.cell) == "a2"


# Editing and annotating


def test_editing_takes_back_what_was_done():
    desk = PaperDesk(game("c3"))
    editing = Editing(desk)
    editing.undo()
    editing.redo()
    editing.delete()
    assert desk.talk.complaints == [
        "Nothing to undo",
        "Nothing to redo",
        "The start of a record cannot be deleted",
    ]
    Walking(desk).last()
    editing.delete()
    assert desk.session.node.ply == 0
    editing.undo()
    assert len(desk.session.record.main_line()) == 2


def test_a_variation_is_promoted_to_the_main_line():
    desk = PaperDesk(game("c3", "d2"))
    session = desk.session
    session.play(0)
    Editing(desk).promote()
    assert session.node.index == 0
    session.go_to(session.record.root.children[1])
    Editing(desk).main_line()
    assert session.record.main_line()[1] is session.node


async def test_marks_glyphs_and_comments():
    desk, pad = PaperDesk(game("c3"), "square", None), Pad("fine")
    part = Annotating(desk, lambda: pad)
    part.glyph()
    assert desk.talk.complaints == ["A glyph belongs to a move"]
    Walking(desk).last()
    part.glyph()
    assert glyph_of(desk.session.node) == "!"
    await part.mark()
    assert marks_of(desk.session.node, desk.session.board) == {desk.session.cursor: "square"}
    before = write_sgf(desk.session.record)
    await part.mark()
    assert write_sgf(desk.session.record) == before
    part.comment()
    assert "bring record" in desk.calls
    part.keep_comment()
    assert desk.session.node.comment == "fine"
    shown = len(desk.calls)
    part.keep_comment()
    assert len(desk.calls) == shown


@pytest.mark.parametrize("answer", ["overwrite", None])
async def test_an_export_overwrites_only_if_it_may(tmp_path, answer):
    path = tmp_path / "board.txt"
    path.write_text("mine")
    desk = PaperDesk(game("c3"), path, answer)
    await Annotating(desk, lambda: Pad("")).export()
    assert (path.read_text() == "mine") is (answer is None)
    assert len(desk.talk.told) == (answer is not None)


# Analysing


async def test_evaluators_are_gone_through_and_chosen():
    session = game()
    desk = PaperDesk(session)
    part = Analysing(desk, lambda: None)
    part.evaluator(1)
    part.second_evaluator()
    part.solve_on()
    assert len(desk.talk.complaints) == 3
    desk, analyst = known(session, rankings=two_rankings(session))
    part = Analysing(desk, lambda: None)
    seen = []
    for step in (1, 1, -1):
        part.evaluator(step)
        seen.append(desk.shown.evaluator)
    assert seen == ["k-paths:1", "resistance", "k-paths:1"]
    desk.choose(two_boards=True)
    assert desk.second_evaluator == "resistance"
    part.second_evaluator()
    assert desk.second_evaluator == "k-paths:1"
    desk.talk.answers = [("resistance",), "shortest-path"]
    await part.choose_evaluators()
    await part.choose_line_evaluator()
    assert (analyst.evaluators, analyst.lines_by) == (("resistance",), "shortest-path")
    assert "bring lines" in desk.calls


async def test_overlays_and_marks_are_switched():
    desk = PaperDesk(None, Overlay.OWN, None, "inferior", "must-play", "inferior", "must-play")
    part = Analysing(desk, lambda: None)
    for overlay in (Overlay.OWN, Overlay.OWN):
        await part.choose_overlay()
        assert desk.shown.overlay is overlay
    part.last_overlay()
    assert desk.shown.overlay is Overlay.EVALUATOR
    part.last_overlay()
    assert desk.shown.overlay is Overlay.OWN
    for inferior, must_play in ((True, False), (True, True), (False, True), (False, False)):
        await part.choose_overlay()
        assert (desk.shown.inferior, desk.shown.must_play) == (inferior, must_play)
    part.must_play()
    part.inferior()
    part.move_numbers()
    assert desk.shown.must_play
    assert desk.shown.inferior
    assert desk.shown.numbers
    desk.choose(connected=Connected(Color.BLACK))
    part.connection_color()
    assert desk.shown.connections_of is Color.WHITE
    assert desk.shown.connected is None


async def test_a_large_position_has_no_trace():
    desk = PaperDesk(game(side=9))
    await Analysing(desk, lambda: None).trace()
    assert desk.talk.complaints
    assert not desk.talk.asked


# Surveying


def test_a_game_is_analysed_stopped_and_kept():
    analyst = ScriptedGameAnalyst(None)
    desk = PaperDesk(game("b2", "c1", side=3), game_analyst=analyst)
    part = Surveying(desk)
    part.keep()
    part.disagreement()
    assert len(desk.talk.complaints) == 2
    part.whole_game()
    assert desk.survey.progress == Progress(0, 3, "whole game")
    part.take(Progress(1, 3, "whole game"))
    assert desk.survey.progress.done == 1
    part.whole_game()
    assert (analyst.cancelled, desk.survey.progress) == (1, None)
    part.take(Progress(2, 3, "whole game"))
    assert desk.survey.progress is None
    part.whole_game()
    part.take("it broke")
    assert desk.talk.complaints[-1] == "it broke"
    assert not desk.surveys.going_on


def test_without_an_analyst_no_game_is_analysed():
    desk = PaperDesk()
    Surveying(desk).whole_game()
    assert desk.talk.complaints == ["There is no analysis here"]


def test_hard_spots_are_gone_to_in_a_circle():
    desk = PaperDesk(Session(judged(game(*MOVES)).record))
    part, seen = Surveying(desk), []
    for _ in range(20):
        part.mistake(1)
        seen.append(desk.session.node.ply)
    assert len(set(seen)) > 1
    assert seen[0] in seen[1:]


def test_another_record_ends_the_analysis():
    analyst: Any = ScriptedGameAnalyst(None)
    surveys = Surveys(analyst)
    first, second = game("c3"), game("d2")
    surveys.start(surveys.of(first, ("resistance",)))
    assert surveys.going_on
    surveys.of(second, ())
    assert not surveys.going_on


# Exploring, copying, filing


async def test_the_newest_question_is_asked_of_the_library_and_older_answers_are_dropped():
    heard = []
    desk = PaperDesk(game("c3"))
    part = Exploring(desk, Services(), heard.append)
    part.ask_soon()
    desk.session.forward()
    part.ask_soon()
    while not heard:
        await asyncio.sleep(0.01)
    assert [answer.question for answer in heard] == [desk.question]
    part.take(LibraryAnswer(LibraryQuestion(game().position)))
    assert desk.shown.library is None
    part.take(heard[0])
    assert desk.shown.library is heard[0]
    part.close()


async def test_without_a_library_there_is_nothing_to_browse():
    desk = PaperDesk()
    await Exploring(desk, Services(), lambda answer: None).browse()
    assert desk.talk.complaints == ["There is no library in this run"]


def test_copying_and_pasting():
    board = []
    desk = PaperDesk(game("c3"))
    part = Copying(desk, board.append)
    part.copy("sgf")
    assert read_sgf(board[0]).equals(desk.session.record)
    part.copy("hexworld")
    part.paste(board[1])
    assert len(desk.records.sessions) == 2
    part.paste("nothing of the kind")
    part.paste("(;GM[11]SZ[")
    assert len(desk.talk.complaints) == 2
    assert len(desk.records.sessions) == 2


async def test_files_are_opened_beside_the_others(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text(write_sgf(game("a1").record))
    desk = PaperDesk(game("c3"))
    filing = Filing(desk.records, lambda: [str(path)], lambda: None)
    await filing.open_file(str(path))
    assert desk.session.path == path
    await filing.open_file(str(tmp_path / "none.sgf"))
    assert len(desk.talk.complaints) == 1
    guessed = tmp_path / "list.txt"
    guessed.write_text("a1 b2 m13")
    await filing.open_file(str(guessed))
    assert [title for title, _ in desk.talk.warnings] == ["list.txt"]
    assert "13x13" in desk.talk.warnings[0][1]
    desk.talk.answers = [None, game(side=7).board]
    await filing.open()
    await filing.new()
    assert [session.board.rows for session in desk.records.sessions] == [5, 5, 13, 7]


# Arranging


def arranging(*size, side=11):
    desk, room = PaperDesk(game(side=side)), PaperRoom(Size(*size))
    part = Arranging(desk, room)
    part.restore(None, None, None, None, None)
    return part, room, desk


def test_zoom_goes_round_by_way_of_what_fits_best():
    part, room, _ = arranging(80, 24)
    assert part.chosen_zooms is None
    first = room.plan
    part.zoom()
    assert part.chosen_zooms == {"11x11": Zoom.MEDIUM}
    assert room.plan.frame.zoom is Zoom.MEDIUM
    part.zoom()
    assert room.plan == first
    assert part.chosen_zooms is None


def test_a_zoom_is_kept_for_boards_of_one_size_and_for_no_others():
    part, room, desk = arranging(80, 24)
    part.zoom()
    desk.records.open(game(side=5))
    part.share_room()
    assert room.plan.frame.zoom is Zoom.LARGE
    part.zoom()
    assert part.chosen_zooms.keys() == {"11x11", "5x5"}
    desk.records.step(-1)
    part.share_room()
    assert room.plan.frame.zoom is Zoom.MEDIUM


def test_a_wanted_zoom_waits_for_room():
    part, room, _ = arranging(60, 24)
    part.restore(None, None, {"11x11": Zoom.MEDIUM}, None, None)
    assert room.plan.frame.zoom is Zoom.COMPACT
    room.size = Size(80, 24)
    part.share_room()
    assert room.plan.frame.zoom is Zoom.MEDIUM


def test_a_terminal_that_is_too_small_says_so():
    assert arranging(39, 20)[1].plan.too_small
    assert arranging(40, 15)[1].plan.too_small
    assert not arranging(40, 16)[1].plan.too_small


def test_two_boards_need_room():
    part, room, desk = arranging(80, 24)
    part.choose(Activity.COMPARE)
    assert "no room" in desk.talk.told[0]
    assert not desk.shown.two_boards
    room.size = Size(140, 45)
    part.share_room()
    assert room.plan.two_boards
    assert desk.shown.two_boards
    part.choose(Activity.REVIEW)
    assert not desk.shown.two_boards


def test_the_focus_goes_round_the_panels_on_the_screen_and_the_board():
    part, room, desk = arranging(140, 45)
    stops = []
    while None not in stops:
        part.panel(1)
        stops.append(room.focused)
    assert stops[:-1] == list(room.plan.frame.panels)
    desk.choose(line=(1,))
    part.panel(-1)
    assert room.focused == stops[-2]
    part.focus_board()
    assert room.focused is None
    assert desk.shown.line == ()


@pytest.mark.parametrize("size", [(80, 24), (140, 45), (40, 16)])
def test_any_panel_is_reached_and_the_activity_gives_each_its_place_again(size):
    part, room, _ = arranging(*size)
    before = room.plan
    for panel in room.known:
        part.go_to(panel)
        assert room.focused == panel
        assert panel in room.plan.frame.places
    part.choose(Activity.REVIEW)
    assert room.plan == before


def test_what_has_the_focus_stands_alone_and_back():
    part, room, _ = arranging(140, 45)
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
    part, room, _ = arranging(80, 24)
    part.go_to("record")
    part.choose(Activity.EXPLORE)
    assert room.focused is None


def test_a_start_looks_like_the_last_one():
    part, room, _ = arranging(80, 24)
    part.restore(Activity.EXPLAIN, View.BOTH, None, None, "lines")
    assert (part.activity, part.turned) == (Activity.EXPLAIN, View.BOTH)
    assert room.focused == "lines"
    part.restore(None, None, None, None, "a panel of another version")
    assert room.focused is None


def test_the_view_turns_in_a_circle():
    part, room, _ = arranging(80, 24)
    seen = []
    for _ in View:
        part.turn_view()
        seen.append(room.plan.turned)
    assert seen == [*list(View)[1:], View.NORMAL]
