"""The main screen: keys by mode, clicks, comments, focus, help and the status line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.geometry import Size
from textual.widgets import Input, TextArea

from hextui.engine.board import Color
from hextui.engines.snapshot import COMPILING, Progress
from hextui.records.board_view import Mode
from hextui.records.codecs.sgf import read_sgf
from hextui.text import Names
from hextui.ui.app.keys import problems
from hextui.ui.app.main_screen import all_actions, hints, screen_actions
from hextui.ui.app.settings import Settings
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.panels.all_panels import PANEL_IDS, PANEL_TEXTS
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.frame import Status, StatusLine
from hextui.ui.widgets.line_list import PLAIN
from tests.samples import some

from .helpers import (
    SIZES,
    ScriptedAnalyst,
    analysing,
    click_cell,
    game,
    press,
    resize,
    running,
    shown,
    strips,
    tell,
    told,
    until,
)


def stone(session, name):
    return session.position.stones[session.board.cell(name)]


# Playing and editing


@pytest.mark.parametrize("size", some(SIZES, 1))
async def test_a_click_plays_where_it_is_seen_and_a_right_click_points(size):
    session = game()
    async with running(session, size) as pilot:
        for view in (View.ROTATED, View.MIRRORED, View.BOTH, View.NORMAL):
            await press(pilot, "r")
            assert pilot.app.main.board.turned is view
            await click_cell(pilot, "d2")
            assert stone(session, "d2") == Color.BLACK
            await click_cell(pilot, "a5", button=3)
            assert session.cursor == session.board.cell("a5")
            await click_cell(pilot, "d2")
            assert session.node.ply == 1
            await press(pilot, "u")
            assert stone(session, "a5") == stone(session, "d2") == 0


async def test_a_taken_cell_is_refused_in_one_line():
    session = game("c3")
    session.last()
    async with running(session) as pilot:
        await press(pilot, "enter")
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


async def test_a_comment_gets_all_keys_and_is_kept_by_going_elsewhere_and_by_leaving():
    session = game("c3")
    async with running(session, (140, 45)) as pilot:
        await press(pilot, "n", "c", "q", "n", "space", "i")
        assert pilot.app.screen is pilot.app.main
        assert pilot.app.screen.query_one(TextArea).text == "qn i"
        await press(pilot, "ctrl+s")
        assert session.node.comment == "qn i"
        assert "qn i" in shown(pilot)
        await press(pilot, "c", "enter", "x", "y", "escape")
        assert session.node.comment == "qn i\nxy"
        assert pilot.app.main.board.has_focus
        await press(pilot, "c", "escape", "u", "u")
        assert session.node.comment == ""
        assert not session.record.modified
        await press(pilot, "c", "x")
        await click_cell(pilot, "a1", button=3)
        assert session.node.comment == "x"
        await press(pilot, "c")
        pilot.app.post_message(events.Paste("(;GM[11]SZ[3])"))
        await press(pilot, "ctrl+q")
        assert session.node.comment == "x(;GM[11]SZ[3])"
        assert "has changed" in shown(pilot)
        assert len(pilot.app.records.sessions) == 1


# Board and panels


async def test_the_smallest_screen_starts_compact_and_zooms_to_the_full_board():
    async with running(game(side=11), (80, 26)) as pilot:
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


async def test_a_narrow_terminal_says_whose_move_it_is_and_a_small_one_what_it_needs():
    async with running(game("c3", "d2"), (40, 16)) as pilot:
        assert "start        Red to move" in shown(pilot)
        await press(pilot, "question_mark")
        assert "Go to the next ply" in shown(pilot)
        await press(pilot, "escape")
        for size, small in (((39, 12), True), ((80, 24), False)):
            await resize(pilot, *size)
            assert ("hextui needs 40 x 16" in shown(pilot)) == small


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


async def test_unsaved_edits_are_asked_about_before_they_are_lost():
    session = game()
    async with running(session) as pilot:
        await press(pilot, "enter", "q")
        assert "has changed" in shown(pilot)
        await press(pilot, "escape", "ctrl+w")
        assert "has changed" in shown(pilot)
        await press(pilot, "escape", "q", "d")
        assert not pilot.app.is_running


# Keys


async def test_the_help_names_every_action():
    async with running(game(), (100, 220)) as pilot:
        await press(pilot, "question_mark")
        seen = shown(pilot)
        for action in all_actions():
            assert action.tooltip[:30] in seen
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
        named = hints({action.id: action for action in screen_actions()}, {}, mode, panel)
        assert named[-1].key == "?"
        for hint in named:
            action = by_label.get(hint.label)
            assert panel or action is None or action.mode in (None, mode)


async def test_keys_and_their_names_are_of_the_mode_and_of_what_has_the_focus():
    session = game()
    async with running(session, (100, 30), keymap={"turn": "b"}) as pilot:
        assert "n Next" in shown(pilot)
        await press(pilot, "b", "i")
        assert "r Place Red" in shown(pilot)
        assert "n Next" not in shown(pilot)
        await press(pilot, "b", "r")
        assert pilot.app.main.board.turned is View.ROTATED
        assert stone(session, "c3") == Color.BLACK
        await press(pilot, "i", "f6")
        assert "enter Why it holds" in shown(pilot)


@pytest.mark.slow
async def test_help_on_a_panel_explains_its_words_and_keys():
    fill, explained = Names.RED_BLUE.fill, []
    async with running(game("c3"), (100, 60)) as pilot:
        for panel, text in PANEL_TEXTS.items():
            pilot.app.main.panel_actions.go_to(panel)
            await press(pilot)
            if pilot.app.main.panels.focused is None:
                continue  # nothing in it can have the focus yet
            explained.append(panel)
            await press(pilot, "question_mark")
            seen = shown(pilot)
            for word, meaning in text.words:
                assert fill(word) in seen
                assert fill(meaning)[:30] in seen
            for key, what in text.own:
                assert f"{key} " in seen
                assert what in seen
            await press(pilot, "escape")
    assert len(explained) >= 6


async def test_keys_can_be_remapped():
    session = game("c3", "d2")
    async with running(session, keymap={"next": "f5"}) as pilot:
        await press(pilot, "n")
        assert session.node.ply == 0
        await press(pilot, "f5")
        assert session.node.ply == 1


# The status line and colours


async def test_the_status_line_says_where_one_is_and_who_has_won():
    session = game("a1", "b1", "a2", "b2", "a3", side=3)
    session.go_to(session.record.root.children[0])
    session.play(session.board.cell("c3"))
    session.first()
    async with running(session) as pilot:
        assert "start        Red to move   cursor b2" in shown(pilot)
        await press(pilot, "n", "n", "left_square_bracket")
        assert "2. b1 (Blue)        Red to move" in shown(pilot)
        assert "1 of 2" in shown(pilot)
        await press(pilot, "i")
        assert " SETUP  places Red" in shown(pilot)
        await press(pilot, "i", "end")
        assert "Red has won" in shown(pilot)


async def test_no_color_is_grey(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(game("c3", "d2")) as pilot:
        await press(pilot, "end")
        for strip in strips(pilot.app.screen):
            for segment in strip:
                for color in (segment.style.color, segment.style.bgcolor):
                    if color and color.triplet:
                        assert len(set(color.triplet)) == 1


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
    async with analysing(game("c3", "d2"), analyst=Analyst) as (pilot, analyst):
        assert happened.count("asked") == 1
        assert happened[0] == "painted"
        await press(pilot, "n", "n")
        name = pilot.app.records.session.board.name
        assert [name(cell) for cell in analyst.played if cell is not None] == ["c3", "d2"]


async def test_a_caption_stands_beside_the_title_and_loses_whole_clauses():
    async with running(game("c3"), (140, 45)) as pilot:
        line = next(line for line in shown(pilot).splitlines() if "─Moves" in line)
        assert PANEL_TEXTS["moves"].caption in line
        await resize(pilot, 80, 24)
        line = next(line for line in shown(pilot).splitlines() if "─Moves" in line)
        assert "every move, proved wins first─" in line


@pytest.mark.parametrize("size", some([(40, 16), *SIZES], 2))
async def test_the_help_keeps_its_topics_in_a_line_and_says_how_to_close_it(size):
    async with running(size=size) as pilot:
        await press(pilot, "question_mark")
        assert "Step through the record" in shown(pilot) or size[1] == 16
        assert "On the board" in shown(pilot)
        assert "Escape closes" in shown(pilot)
        assert ("names for the settings file" in shown(pilot)) is (size[0] >= 70)


def shown_status(moved, mode, verdict, note, variation, cell, engine, stale):
    texts = (moved, "Red to move", mode, verdict, note, variation, cell)
    ranked = zip((2, 0, 1, 1, 2, 4, 3), texts, strict=True)
    return Status(tuple((rank, ((text, PLAIN),)) for rank, text in ranked if text), engine, stale)


@given(
    st.builds(
        shown_status,
        st.sampled_from(["start", "22. d8", "100. swap-pieces (Red)"]),
        st.sampled_from(["", " SETUP  places nothing", " REGION  marks the region"]),
        st.sampled_from(["", "Red wins by a connection: b2"]),
        st.sampled_from(["", "comment: F4"]),
        st.sampled_from(["", "variation 12 of 13"]),
        st.sampled_from(["cursor f6", "cursor s19"]),
        st.sampled_from(["", "analysed", "compiling 11x11 (first run) 10%"]),
        st.booleans(),
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
    assert "Red to move" in text(width)
    if ";" in message and width >= 70:
        assert "Review written into the record" in text(width), "it ends with a clause"
    for word in text(width).split():
        assert (
            word in whole
            or f"{word};" in whole
            or any(w.startswith(word[:-1]) for w in whole if word[-1] == "…")
        )


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


async def test_a_ply_is_reached_by_its_number():
    async with running(game("c3", "d2", "b4", "a1")) as pilot:
        session = pilot.app.records.session
        await press(pilot, "colon", *"5", "enter")
        assert "5 is not a number from 0 to 4" in shown(pilot)
        await press(pilot, "backspace", "3", "enter")
        assert session.node.ply == 3
        await press(pilot, "colon", "0", "enter")
        assert session.node.ply == 0


async def test_autoplay_walks_to_the_end_and_any_other_step_ends_it(monkeypatch):
    monkeypatch.setattr("hextui.ui.parts.record.AUTOPLAY_SECONDS", 0.05)
    async with running(game("c3", "d2", "b4", "a1")) as pilot:
        session, actions = pilot.app.records.session, pilot.app.main.record_actions
        session.first()
        await press(pilot, "8")
        await until(pilot, lambda: session.node.ply == 4)
        await until(pilot, lambda: actions._autoplay is None)
        assert "Autoplay has reached the end" in shown(pilot)
        actions._seconds = 3600
        session.first()
        await press(pilot, "8", "n")
        assert actions._autoplay
        actions._play_on()
        assert session.node.ply == 1
        assert actions._autoplay is None
        await press(pilot, "8", "8")
        assert actions._autoplay is None
        assert "Autoplay stopped" in shown(pilot)


async def test_the_last_moves_are_numbered_then_all_then_none():
    moves = ("c3", "d2", "b4", "a1", "e5", "a5", "a4")
    async with running(game(*moves), settings=Settings(numbered_moves=2)) as pilot:
        await press(pilot, "end")
        counts = []
        for _ in range(4):
            counts.append(sorted(pilot.app.main.board.view.numbers.values()))
            await press(pilot, "m")
        assert counts == [[], [6, 7], list(range(1, 8)), []]
        assert pilot.app.main.chosen.numbered_moves == 2


@pytest.mark.parametrize("level", ["none", "full"])
async def test_without_animations_no_cursor_blinks(level):
    async with running(game()) as pilot:
        pilot.app.animation_level = level
        await press(pilot, "c")
        comment = pilot.app.main.focused
        assert comment.cursor_blink is (level == "full")
        await press(pilot, "escape", "colon")
        assert pilot.app.screen.focused.cursor_blink is (level == "full")
