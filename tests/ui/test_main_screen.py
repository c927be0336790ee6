import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.geometry import Size
from textual.widgets import Input, TextArea

from hextui.engine.board import Board, Color
from hextui.engine.position import MoveKind
from hextui.engines.snapshot import COMPILING, Progress
from hextui.records.codecs.sgf import read_sgf
from hextui.settings.engine_tables import AttachedEngines
from hextui.ui.actions import all_actions, hints, screen_actions
from hextui.ui.drawing.board_view import Mode
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.keys import problems
from hextui.ui.layout import CARD, Activity
from hextui.ui.panels.all_panels import PANEL_IDS, PANEL_TEXTS
from hextui.ui.panels.move_tree import MoveTree
from hextui.ui.screens.dialogs import ChoiceDialog
from hextui.ui.screens.engines_screen import EnginesScreen
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.frame import Status, StatusLine
from hextui.words.names import Names

from .helpers import (
    SIZES,
    ScriptedAnalyst,
    analysing,
    click_cell,
    game,
    give_focus,
    press,
    running,
    settle,
    shown,
    tell,
    told,
    until,
)


def stone(session, name):
    return session.position.stones[session.board.cell(name)]


# Walking


async def test_keys_walk_through_the_record():
    session = game("c3", "d2", "b4", "a1")
    async with running(session) as pilot:
        seen = []
        for key in ("n", "n", "p", "end", "home", "G", "g", "pagedown", "pageup"):
            await press(pilot, key)
            seen.append(session.node.ply)
        assert seen == [1, 2, 1, 4, 0, 4, 0, 4, 0]


async def test_the_wheel_walks():
    session = game("c3", "d2")
    async with running(session) as pilot:
        for scroll, ply in ((1, 1), (1, 2), (-1, 1)):
            board = pilot.app.main.board
            board.post_message(board.Wheeled(board, scroll))
            await pilot.pause()
            assert session.node.ply == ply


async def test_brackets_change_the_variation():
    session = game("c3", "d2")
    session.play(0)
    session.first()
    session.play(1)
    async with running(session) as pilot:
        await press(pilot, "right_square_bracket")
        assert session.node.turn.move.cell == session.board.cell("c3")
        await press(pilot, "left_square_bracket")
        assert session.node.turn.move.cell == 1
        assert "3 of 3" in shown(pilot)


# Playing and editing


async def test_enter_plays_at_the_cursor_and_undo_and_redo_are_edits():
    session = game()
    async with running(session) as pilot:
        await press(pilot, "enter", "up", "left", "enter")
        assert stone(session, "c3") == Color.BLACK
        assert stone(session, "b2") == Color.WHITE
        await press(pilot, "p", "u")
        assert (stone(session, "b2"), stone(session, "c3")) == (0, Color.BLACK)
        await press(pilot, "u", "u")
        assert session.node is session.record.root
        await press(pilot, "ctrl+y", "ctrl+y")
        assert stone(session, "b2") == Color.WHITE


@pytest.mark.parametrize("size", SIZES)
async def test_a_click_plays_and_a_right_click_points(size):
    session = game()
    async with running(session, size) as pilot:
        await click_cell(pilot, "d2")
        assert stone(session, "d2") == Color.BLACK
        await click_cell(pilot, "a5", button=3)
        assert session.cursor == session.board.cell("a5")
        assert stone(session, "a5") == 0
        await click_cell(pilot, "d2")
        assert session.node.ply == 1


async def test_swap_pass_and_resign():
    session = game()
    async with running(session) as pilot:
        await press(pilot, "s")
        assert session.node is session.record.root
        assert "second move" in told(pilot)
        await press(pilot, "up", "enter", "s")
        assert session.node.turn.move.kind is MoveKind.SWAP_PIECES
        await press(pilot, "P")
        assert session.node.turn.move.kind is MoveKind.PASS
        await press(pilot, "R")
        assert session.node.turn.move.kind is MoveKind.RESIGN


async def test_a_taken_cell_is_refused_in_one_line():
    session = game("c3")
    session.last()
    async with running(session) as pilot:
        await press(pilot, "enter")
        assert session.node.ply == 1
        assert told(pilot) == "c3 is taken"
        assert "c3 is taken" in shown(pilot)


async def test_setup_mode_places_stones_and_its_letters_mean_nothing_outside():
    session = game()
    async with running(session) as pilot:
        await press(pilot, "b", "x", "t")
        assert not session.record.modified
        await press(pilot, "i", "r", "right", "b", "right", "enter")
        assert session.mode is Mode.SETUP
        assert "SETUP" in shown(pilot)
        names = ("c3", "d3", "e3")
        assert [stone(session, name) for name in names] == [1, 2, 2]
        await press(pilot, "x", "t")
        assert stone(session, "e3") == 0
        assert session.position.to_move is Color.WHITE
        await click_cell(pilot, "c3")
        assert stone(session, "c3") == 0
        await press(pilot, "i", "enter")
        assert stone(session, "c3") == Color.WHITE
        assert session.node.ply == 1


async def test_variations_are_promoted_and_deleted():
    session = game("c3", "d2")
    async with running(session) as pilot:
        await press(pilot, "delete")
        assert "cannot be deleted" in told(pilot)
        await click_cell(pilot, "a1")
        await press(pilot, "ctrl+up")
        assert session.node.index == 0
        await press(pilot, "delete")
        assert session.node is session.record.root
        assert len(session.node.children) == 1


async def test_a_comment_is_written_and_shown_and_keys_go_to_the_text():
    session = game("c3")
    async with running(session, (140, 45)) as pilot:
        await press(pilot, "n", "c")
        await press(pilot, "q", "n", "space", "i")
        assert pilot.app.screen is pilot.app.main
        assert pilot.app.screen.query_one(TextArea).text == "qn i"
        await press(pilot, "ctrl+s")
        assert session.node.comment == "qn i"
        assert "qn i" in shown(pilot)
        await press(pilot, "c", "enter", "x", "y", "escape")
        assert session.node.comment == "qn i\nxy"
        assert session.node.ply == 1
        assert pilot.app.main.board.has_focus
        await press(pilot, "c", "escape", "u")
        assert session.node.comment == "qn i"
        await press(pilot, "u")
        assert session.node.comment == ""
        assert not session.record.modified


async def test_a_comment_is_kept_by_going_elsewhere_and_by_leaving():
    session = game("c3")
    async with running(session, (80, 24)) as pilot:
        await press(pilot, "c", "x")
        await click_cell(pilot, "a1", button=3)
        assert session.record.root.comment == "x"
        await press(pilot, "c", "y", "ctrl+q")
        assert session.record.root.comment == "xy"
        assert "has changed" in shown(pilot)
        await press(pilot, "escape", "c")
        pilot.app.post_message(events.Paste("(;GM[11]SZ[3])"))
        await pilot.pause()
        await press(pilot, "escape")
        assert session.record.root.comment == "xy(;GM[11]SZ[3])"
        assert len(pilot.app.records.sessions) == 1


# Board and panels


@pytest.mark.parametrize("size", SIZES)
async def test_zoom_goes_round(size):
    async with running(game(side=11), size) as pilot:
        main, seen = pilot.app.main, []
        while (main.board.geometry.zoom, main.panels["moves"].display) not in seen:
            seen.append((main.board.geometry.zoom, main.panels["moves"].display))
            await press(pilot, "z")
        assert len(seen) > 1
        assert (main.board.geometry.zoom, main.panels["moves"].display) == seen[0]


async def test_the_smallest_screen_starts_compact_and_zooms_to_the_full_board():
    async with running(game(side=11), (80, 24)) as pilot:
        main = pilot.app.main
        assert main.board.geometry.zoom is Zoom.COMPACT
        assert main.panels["moves"].size.width >= 34
        await press(pilot, "z")
        assert main.board.geometry.zoom is Zoom.MEDIUM
        assert not main.panels["moves"].display
        await press(pilot, "tab")
        assert main.panels["moves"].display
        assert main.panels.focused == "moves"
        await press(pilot, "escape")
        assert main.board.geometry.zoom is Zoom.MEDIUM


async def test_the_view_turns_and_names_stay():
    session = game()
    async with running(session) as pilot:
        for view in (View.ROTATED, View.MIRRORED, View.BOTH, View.NORMAL):
            await press(pilot, "r")
            assert pilot.app.main.board.turned is view
            await click_cell(pilot, "d2")
            assert stone(session, "d2") == Color.BLACK
            await press(pilot, "u")


async def test_move_numbers():
    session = game("c3", "d2")
    session.last()
    async with running(session, (140, 45)) as pilot:
        assert not pilot.app.main.board.view.numbers
        await press(pilot, "m")
        assert pilot.app.main.board.view.numbers == session.numbers()


async def test_tab_goes_round_what_is_on_the_screen_and_escape_comes_back():
    async with running(game("c3"), (140, 45)) as pilot:
        main = pilot.app.main
        there = [panel.id for panel in main.panels if panel.display]
        seen = []
        for _ in there:
            await press(pilot, "tab")
            seen.append(main.panels.focused)
        assert sorted(seen) == sorted(there)
        await press(pilot, "tab")
        assert main.focused_panel == CARD
        await press(pilot, "tab")
        assert pilot.app.focused is main.board
        await press(pilot, "shift+tab", "shift+tab")
        assert main.panels.focused == seen[-1]
        await press(pilot, "escape")
        assert pilot.app.focused is main.board


@pytest.mark.parametrize(("size", "side"), [((40, 16), 11), ((80, 24), 19)])
async def test_tab_makes_room_for_the_panels_and_escape_for_the_board(size, side):
    async with running(game("c3", side=side), size) as pilot:
        main = pilot.app.main
        assert not any(panel.display for panel in main.panels)
        await press(pilot, "tab")
        assert main.panels.focused == "moves"
        assert main.panels["moves"].size.width >= 34
        assert main.board.display == (size[0] > 40)
        await press(pilot, "shift+tab")
        assert pilot.app.focused is main.board
        await press(pilot, "z")
        assert pilot.app.focused is not None
        await press(pilot, "tab", "escape")
        assert main.board.display
        assert pilot.app.focused is main.board


@pytest.mark.parametrize("size", SIZES)
async def test_every_panel_has_one_key(size):
    async with running(game("c3"), size) as pilot:
        main = pilot.app.main
        keys = {action.id: action.keys for action in all_actions()}
        for panel in main.panels.ids:
            await press(pilot, keys[f"panel-{panel}"])
            assert main.panels.focused == panel
            assert main.panels[panel].region


async def test_activities_have_one_digit_each_and_the_screens_too(tmp_path):
    own = {"library": tmp_path / "l.sqlite", "attached": AttachedEngines({})}
    async with running(game("c3"), (140, 45), **own) as pilot:
        main = pilot.app.main
        for key, activity in zip("1234", Activity, strict=True):
            await press(pilot, key)
            assert main.panel_actions.activity is activity
        await press(pilot, "5")
        assert pilot.app.screen is main
        for key, screen in {"6": LibraryScreen, "7": EnginesScreen}.items():
            await press(pilot, key)
            assert isinstance(pilot.app.screen, screen)
            await press(pilot, "escape")
            assert pilot.app.screen is main


async def test_activity_and_focus_outlive_a_run(tmp_path):
    async with running(game(), (140, 45), state=tmp_path) as pilot:
        await press(pilot, "2", "f6", "q")
    async with running(game(), (140, 45), state=tmp_path) as pilot:
        assert pilot.app.main.panel_actions.activity is Activity.EXPLAIN
        assert pilot.app.main.panels.focused == "connections"


async def test_the_narrowest_terminal_says_whose_move_it_is_and_where():
    session = game("c3", "d2")
    async with running(session, (40, 16)) as pilot:
        assert "start        Red to move" in shown(pilot)
        await press(pilot, "question_mark")
        assert "Go to the next ply" in shown(pilot)


async def test_a_small_terminal_is_told_so():
    async with running(game(), (39, 12)) as pilot:
        assert "hextui needs 40 x 16" in shown(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "needs" not in shown(pilot)


# The record panel


async def test_the_tree_follows_the_record_and_leads_it():
    session = game("c3", "d2", "b4")
    async with running(session, (100, 30)) as pilot:
        tree = pilot.app.main.query_one(MoveTree)
        await press(pilot, "n", "n", "f4")
        await until(pilot, lambda: tree.has_focus)
        assert tree.node is session.node
        await press(pilot, "right")
        await until(pilot, lambda: session.node.ply == 3)
        await press(pilot, "left", "left")
        await until(pilot, lambda: session.node.ply == 1)


async def test_keys_of_the_tree_leave_the_others_their_meaning():
    session = game("c3", "d2", "b4")
    async with running(session, (100, 30), make_analyst=ScriptedAnalyst) as pilot:
        main = pilot.app.main
        await give_focus(pilot, main.query_one(MoveTree))
        await press(pilot, "space")
        assert not main.workspace.live.on
        for key, ply in (("end", 3), ("home", 0), ("pagedown", 3), ("pageup", 0)):
            await press(pilot, key)
            assert session.node.ply == ply


async def test_walking_fast_does_not_jump_back():
    session = game("c3", "d2", "b4", "a1", "e5")
    async with running(session) as pilot:
        await give_focus(pilot, pilot.app.main.query_one(MoveTree))
        await pilot.press("n", "n", "n", "n", "n")
        await pilot.pause()
        assert session.node.ply == 5


async def test_variations_open_where_the_user_goes():
    session = game("c3", "d2", "b4")
    session.go_to(session.record.node_at(1))
    session.play(session.board.cell("e1"))
    session.play(session.board.cell("e2"))
    session.play(session.board.cell("e3"))
    session.go_to(session.record.node_at(2))
    async with running(session, (140, 45)) as pilot:
        await press(pilot, "right_square_bracket", "n", "n")
        assert pilot.app.main.query_one(MoveTree).node is session.node
        assert "2 e1   e2   e3" in shown(pilot)


# Files


async def test_save_asks_for_a_name_once(tmp_path):
    session = game("c3")
    async with running(session) as pilot:
        await press(pilot, "n", "n", "up", "enter", "ctrl+s")
        pilot.app.screen.query_one(Input).value = str(tmp_path / "game")
        await press(pilot, "enter")
        assert session.path == tmp_path / "game.sgf"
        assert not session.record.modified
        assert "game.sgf" in shown(pilot)
        await press(pilot, "up", "up", "enter", "ctrl+s")
        assert read_sgf(session.path.read_text()).equals(session.record)
        assert [file.name for file in tmp_path.iterdir()] == ["game.sgf"]


async def test_a_file_that_cannot_be_written_is_one_line(tmp_path):
    session = game("c3")
    session.path = tmp_path / "nowhere" / "game.sgf"
    async with running(session) as pilot:
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "Save elsewhere" in shown(pilot))
        assert isinstance(pilot.app.screen, ChoiceDialog)
        assert "No such file" in pilot.app.screen._question  # the path's length breaks the lines


async def test_open_reads_links_and_files_and_says_what_is_wrong(tmp_path):
    path = tmp_path / "one.sgf"
    path.write_text("(;GM[11]SZ[7];B[c3];W[d4])")
    async with running(game()) as pilot:
        await press(pilot, "ctrl+o")
        box = pilot.app.screen.query_one(Input)
        box.value = str(tmp_path / "two.sgf")
        await press(pilot, "enter")
        assert "two.sgf" in shown(pilot)
        box.value = str(path)
        await press(pilot, "enter")
        assert pilot.app.records.session.path == path
        assert pilot.app.records.session.board == Board(7, 7)
        await press(pilot, "ctrl+o")
        pilot.app.screen.query_one(Input).value = "#9c1,a2b3"
        await press(pilot, "enter")
        assert pilot.app.records.session.board == Board(9, 9)


async def test_a_new_board_has_the_size_asked_for():
    async with running(game()) as pilot:
        await press(pilot, "ctrl+n")
        box = pilot.app.screen.query_one(Input)
        box.value = "20"
        await press(pilot, "enter")
        assert "1 to 19" in shown(pilot)
        box.value = "9x7"
        await press(pilot, "enter")
        assert pilot.app.records.session.board == Board(7, 9)
        await press(pilot, "ctrl+n", "4", "enter")  # what is proposed gives way
        assert pilot.app.records.session.board == Board(4, 4)


async def test_unsaved_edits_are_asked_about_before_they_are_lost():
    session = game()
    async with running(session) as pilot:
        await press(pilot, "enter", "q")
        assert "has changed" in shown(pilot)
        await press(pilot, "escape", "ctrl+w")
        assert "has changed" in shown(pilot)
        await press(pilot, "escape", "q", "d")
        assert not pilot.app.is_running


async def test_quitting_without_edits_asks_nothing():
    async with running(game("c3")) as pilot:
        await press(pilot, "q")
        assert not pilot.app.is_running


# Keys


async def test_the_help_names_every_action():
    async with running(game(), (100, 180)) as pilot:
        await press(pilot, "question_mark")
        for action in all_actions():
            assert action.tooltip[:30] in shown(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main


def test_ids_keys_and_labels_are_unique():
    for field in ("id", "label", "tooltip"):
        values = [getattr(action, field) for action in all_actions()]
        assert len(set(values)) == len(values)
    assert problems({}, all_actions()) == []


def test_keys_clash_by_mode():
    assert problems({"turn": "b"}, all_actions()) == []
    assert problems({"place-empty": "b"}, all_actions()) == [
        "b is bound to place-white and place-empty"
    ]
    assert problems({"next": "b"}, all_actions()) == [
        "b is bound to next and place-white",
        "b is bound to next and region-box",
    ]


@pytest.mark.parametrize("mode", Mode)
def test_keys_that_are_named_are_of_the_mode(mode):
    by_label = {action.label: action for action in screen_actions()}
    for panel in (None, *PANEL_IDS):
        named = hints(screen_actions(), {}, mode, panel)
        assert named[-1].key == "?"
        for hint in named:
            action = by_label.get(hint.label)
            assert panel or action is None or action.mode in (None, mode)


async def test_the_keys_below_are_of_the_mode_and_of_what_has_the_focus():
    async with running(game(), (100, 30)) as pilot:
        assert "n Next" in shown(pilot)
        await press(pilot, "i")
        assert "r Place Red" in shown(pilot)
        assert "n Next" not in shown(pilot)
        await press(pilot, "i", "f6")
        assert "enter Why it holds" in shown(pilot)


async def test_a_key_means_what_its_mode_says():
    session = game()
    async with running(session, keymap={"turn": "b"}) as pilot:
        await press(pilot, "b")
        assert pilot.app.main.board.turned is View.ROTATED
        await press(pilot, "i", "b", "r")
        assert pilot.app.main.board.turned is View.ROTATED
        assert stone(session, "c3") == Color.BLACK


async def test_the_palette_runs_actions():
    session = game("c3", "d2")
    async with running(session) as pilot:
        await press(pilot, "ctrl+p")
        await press(pilot, *"last ply")
        await until(pilot, lambda: "Go to the end of the variation" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: session.node.ply == 2)


async def test_keys_can_be_remapped_and_clashes_are_told():
    session = game("c3", "d2")
    async with running(session, keymap={"next": "f5"}) as pilot:
        await press(pilot, "n")
        assert session.node.ply == 0
        await press(pilot, "f5")
        assert session.node.ply == 1
    async with running(session, keymap={"next": "p", "nothing": "f9"}) as pilot:
        texts = [note.message for note in pilot.app._notifications]
        assert texts == ["there is no action 'nothing'", "p is bound to next and previous"]


# The status line and colours


async def test_the_status_line_says_where_one_is():
    session = game("c3", "d2")
    async with running(session) as pilot:
        assert "start        Red to move   cursor c3" in shown(pilot)
        await press(pilot, "n")
        assert "1. c3 (Red)        Blue to move" in shown(pilot)
        await press(pilot, "i")
        status = pilot.app.main.query_one(StatusLine).status
        assert (status.mode, status.placing) == (Mode.SETUP, Color.BLACK)


async def test_a_finished_chain_is_told():
    session = game("a1", "b1", "a2", "b2", side=3)
    session.last()
    session.play(session.board.cell("a3"))
    async with running(session) as pilot:
        assert "Red has won" in shown(pilot)


async def test_themes_change_the_board_too():
    async with running(game()) as pilot:
        main = pilot.app.main
        before = main.board.palette
        await press(pilot, "T")
        assert pilot.app.theme == "hextui-light"
        assert main.board.palette != before or pilot.app.console.color_system == "standard"


async def test_no_color_is_grey(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(game("c3", "d2")) as pilot:
        await press(pilot, "end")
        for strip in pilot.app.screen._compositor.render_strips():
            for segment in strip:
                for color in (segment.style.color, segment.style.bgcolor):
                    if color and color.triplet:
                        assert len(set(color.triplet)) == 1


async def test_a_record_opened_in_the_middle_shows_where_that_is():
    session = game("a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2", "e2", "a3", "b3")
    session.forward(12)
    async with running(session, (140, 20)) as pilot:
        await press(pilot, "f4")
        tree = pilot.app.main.query_one(MoveTree)
        assert tree.node is session.node
        assert tree._top <= tree._at < tree._top + tree.size.height


# The start


async def test_the_first_screen_is_painted_before_the_analysis_begins(monkeypatch):
    # importing the engine would hold it up
    happened = []
    paint = BoardWidget.render_line

    def painted(board, y):
        happened.append("painted")
        return paint(board, y)

    class Analyst(ScriptedAnalyst):
        def request(self, position, again=False, played=None):
            happened.append("asked")
            return super().request(position, again, played)

    monkeypatch.setattr(BoardWidget, "render_line", painted)
    async with running(game("c3"), make_analyst=Analyst):
        assert happened.count("asked") == 1
        assert happened[0] == "painted"


async def test_the_analysis_is_told_the_move_of_the_game():
    session, analysts = game("c3", "d2"), []

    def make(emit):
        analysts.append(ScriptedAnalyst(emit))
        return analysts[0]

    async with running(session, make_analyst=make) as pilot:
        await press(pilot, "home", "n", "n")
        at_root, at_first, at_end = session.board.cell("c3"), session.board.cell("d2"), None
        assert analysts[0].played[-3:] == [at_root, at_first, at_end]


@pytest.mark.parametrize("panel", PANEL_IDS)
async def test_help_on_a_panel_explains_its_words_and_keys(panel):
    text, fill = PANEL_TEXTS[panel], Names.RED_BLUE.fill
    async with running(game("c3"), (100, 60)) as pilot:
        pilot.app.main.panel_actions.go_to(panel)
        await press(pilot)
        if pilot.app.main.panels.focused is None:
            pytest.skip("nothing in it can have the focus yet")
        await press(pilot, "question_mark")
        for word, meaning in text.words:
            assert fill(word) in shown(pilot)
            assert fill(meaning)[:30] in shown(pilot)
        for key, what in text.own:
            assert f"{key} " in shown(pilot)
            assert what in shown(pilot)


async def test_a_caption_stands_beside_the_title_and_loses_whole_clauses():
    async with running(game("c3"), (140, 45)) as pilot:
        line = next(line for line in shown(pilot).splitlines() if "─Moves" in line)
        assert PANEL_TEXTS["moves"].caption in line
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        line = next(line for line in shown(pilot).splitlines() if "─Moves" in line)
        assert "every move, proved wins first─" in line


@pytest.mark.parametrize("size", [(40, 16), *SIZES])
async def test_the_help_keeps_its_topics_in_a_line_and_says_how_to_close_it(size):
    async with running(size=size) as pilot:
        await press(pilot, "question_mark")
        assert "Walk through the record" in shown(pilot) or size[1] == 16
        assert "On the board" in shown(pilot)
        assert "Escape closes" in shown(pilot)
        assert ("names for the settings file" in shown(pilot)) is (size[0] >= 70)


@given(
    st.builds(
        Status,
        st.sampled_from(Color),
        st.sampled_from(Mode),
        st.sampled_from([0, 1, 2]),
        st.sampled_from(["start", "22. d8", "100. swap-pieces"]),
        st.none() | st.sampled_from(Color),
        st.sampled_from(["", "comment: F4"]),
        st.sampled_from(["", "12 of 13"]),
        st.sampled_from(["f6", "s19"]),
        st.sampled_from(["", "analysed", "compiling 11x11 (first run) 10%"]),
        st.booleans(),
        st.sampled_from(["", "Red wins by a connection: b2"]),
    ),
    st.integers(26, 150),
    st.sampled_from(
        ["", "Saved a-long-name-of-a-file.sgf", "Review written into the record; save to keep it"]
    ),
)
def test_the_status_line_leaves_out_what_has_no_room_and_cuts_no_word(status, width, message):
    def text(columns):
        class Sized(StatusLine):
            content_size = Size(columns, 1)

        line = Sized()
        line.set_reactive(StatusLine.status, status)
        line.set_reactive(StatusLine.message, message)
        return line.render().plain

    whole = text(1000).split()
    assert len(text(width)) <= width
    assert f"{Names.RED_BLUE.player(status.to_move)} to move" in text(width)
    if ";" in message and width >= 70:
        assert "Review written into the record" in text(width), "it ends with a clause"
    for word in text(width).split():
        assert (
            word in whole
            or f"{word};" in whole
            or any(w.startswith(word[:-1]) for w in whole if word[-1] == "…")
        )


async def test_keys_that_wait_are_taken_in_their_order():
    """Enter plays where the arrow before it leads, though both were pressed at once."""
    session = game("a1")
    async with running(session) as pilot:
        session.last()
        assert session.cursor == 12
        for key in ("right", "enter") * 2:
            pilot.app.post_message(events.Key(key, None))
        await settle(pilot)
        played = [node.turn.move.cell for node in session.record.main_line() if node.turn]
        assert played == [0, 13, 14]


async def test_a_first_run_says_what_is_compiled_how_far_it_is_and_what_can_be_done():
    async with analysing(game(side=11), (140, 45)) as (pilot, analyst):
        await tell(pilot, analyst, progress=Progress(25, 100, COMPILING, 40))
        words = "First run: compiling for 11x11, 25%, about 40 s left. You can play."
        assert words in shown(pilot)
        await tell(pilot, analyst, final=True)
        assert "First run" not in shown(pilot)


async def test_a_comment_that_is_not_on_the_screen_is_told():
    session = game("c3")
    session.record.set_comment(session.record.root, "look")
    async with running(session, (100, 30)) as pilot:
        assert "comment: F4" in shown(pilot)
        await press(pilot, "f4")
        assert "comment:" not in shown(pilot)
        await press(pilot, "escape")
        assert "comment:" not in shown(pilot)
        assert "look" in shown(pilot)
