from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.theme import Theme
from textual.widgets import Input

from hextui.commands.workstation import for_tour
from hextui.settings.settings_files import document_of, read_tables
from hextui.ui.app.layout import Activity
from hextui.ui.app.settings import RECENT_FILES, Settings, UserState
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.record.files import SAMPLE, SAMPLE_PLY, open_session
from hextui.ui.safety import recovery

from .helpers import analysing, game, press, running, settle, shown, told, until

settings = st.builds(
    Settings,
    theme=st.none() | st.text(),
    activity=st.none() | st.sampled_from(Activity),
    panel=st.none() | st.text(),
    zoom=st.none() | st.sampled_from(Zoom),
    zooms=st.none() | st.dictionaries(st.text(), st.sampled_from(Zoom)),
    view=st.none() | st.sampled_from(View),
    overlay=st.none() | st.sampled_from(Overlay),
    move_numbers=st.none() | st.booleans(),
    must_play=st.none() | st.booleans(),
    analysis=st.none() | st.booleans(),
    evaluators=st.none(),
)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(recovery, "KEEP_SECONDS", 0.02)


@given(settings)
def test_what_is_written_is_read(chosen):
    assert read_tables(Settings, document_of(chosen)) == chosen


@given(settings, settings)
def test_one_choice_over_another(first, second):
    for name, value in vars(first.over(second)).items():
        wanted = getattr(first, name)
        assert value == (getattr(second, name) if wanted is None else wanted)


@given(settings)
def test_settings_outlive_a_run(tmp_path_factory, chosen):
    folder = tmp_path_factory.mktemp("state")
    UserState(folder).keep(chosen)
    assert UserState(folder).settings() == replace(chosen, analysis=None)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"screen": 1}', '{"screen": {"zoom": 7}}', "\x00"]
)
def test_a_broken_file_is_dropped_with_one_line(tmp_path, text):
    for name in ("settings.json", "recent.json"):
        (tmp_path / name).write_text(text)
    memory = UserState(tmp_path)
    assert memory.settings() == Settings()
    assert "settings.json was dropped" in memory.problem
    assert "\n" not in memory.problem
    assert memory.recent() == []
    memory.use(tmp_path / "a.sgf")
    assert memory.recent() == [str(tmp_path / "a.sgf")]


def test_recent_files_come_newest_first_and_once(tmp_path):
    memory = UserState(tmp_path)
    for name in ("a", "b", "a", *map(str, range(RECENT_FILES - 2)), "b"):
        memory.use(tmp_path / name)
    names = [name.removeprefix(f"{tmp_path}/") for name in memory.recent()]
    assert names == ["b", *map(str, reversed(range(RECENT_FILES - 2))), "a"]


async def test_the_next_start_looks_like_the_last_one(tmp_path):
    async with analysing(game(), (140, 45), state=tmp_path) as (pilot, _):
        main = pilot.app.main
        await press(pilot, "z", "r", "o", "m", "M", "T", "space", "2", "f6")
        zoom, turned = main.board.zoom, main.board.turned
        choice, theme = main.workspace.shown, pilot.app.theme
        await press(pilot, "q")
    async with analysing(game(), (140, 45), state=tmp_path) as (pilot, analyst):
        main = pilot.app.main
        assert (main.board.zoom, main.board.turned) == (zoom, turned)
        assert (main.workspace.shown, pilot.app.theme) == (choice, theme)
        assert main.panel_actions.wish.activity is Activity.EXPLAIN
        assert main.panels.focused == "connections"
        assert main.workspace.live.on
        assert analyst.asked


async def test_evaluators_stay_chosen_and_a_theme_that_is_gone_does_no_harm(tmp_path):
    UserState(tmp_path).keep(Settings(evaluators=("resistance",), theme="mine"))
    async with analysing(game(), state=tmp_path) as (pilot, analyst):
        assert analyst.evaluators == ("resistance",)
        assert pilot.app.theme == "hextui-dark"
        await press(pilot, "q")
    assert UserState(tmp_path).settings().evaluators == ("resistance",)


async def test_the_users_file_goes_before_what_was_kept(tmp_path):
    UserState(tmp_path).keep(Settings(theme="hextui-light", move_numbers=True))
    mine = Theme("mine", primary="#112233")
    written = Settings(theme="mine")
    async with running(game(), state=tmp_path, settings=written, themes=(mine,)) as pilot:
        assert pilot.app.theme == "mine"
        assert pilot.app.main.workspace.shown.numbers
        await press(pilot, "T")
        assert pilot.app.theme == "hextui-dark"


async def test_the_sample_opens_in_review_whatever_was_used_last(tmp_path):
    async with running(game(), (140, 45), state=tmp_path) as pilot:
        await press(pilot, "4")
        pilot.app.main.panel_actions.go_to("explorer")
        await press(pilot, "q")
    assert UserState(tmp_path).settings().panel == "explorer"
    tour = for_tour(Settings(move_numbers=True))
    async with running(game(), (140, 45), state=tmp_path, settings=tour) as pilot:
        main = pilot.app.main
        assert main.panel_actions.wish.activity is Activity.REVIEW
        assert main.panels.focused is None
        assert main.workspace.shown.numbers


async def test_the_smallest_screen_says_where_the_tour_of_the_sample_is():
    session = open_session(str(SAMPLE))
    session.forward(SAMPLE_PLY)
    async with running(session, (80, 24), settings=for_tour(Settings())) as pilot:
        assert "comment: F4" in shown(pilot).splitlines()[-2]
        await press(pilot, "f4")
        await until(pilot, lambda: "1 to 4 choose an activity" in shown(pilot))


async def test_a_broken_file_is_told_of_on_the_screen(tmp_path):
    (tmp_path / "settings.json").write_text("{")
    async with running(game(), state=tmp_path) as pilot:
        await until(pilot, lambda: "settings.json was dropped" in told(pilot))


async def test_the_open_dialog_completes_recent_files(tmp_path):
    (tmp_path / "one.sgf").touch()
    memory = UserState(tmp_path)
    memory.use(tmp_path / "one.sgf")
    async with running(game(), state=tmp_path) as pilot:
        await press(pilot, "ctrl+o")
        entry = pilot.app.screen.query_one(Input)
        entry.value = str(tmp_path / "o")
        entry.cursor_position = len(entry.value)
        await settle(pilot)
        await press(pilot, "right")
        assert entry.value == str(tmp_path / "one.sgf")
