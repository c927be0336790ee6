"""The clipboard, the completion of paths, the legend, and what is kept of the focus."""

import pytest
from textual import events

from hextui.engine.board import Color
from hextui.records.formats import read_record
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.typed_text import PathSuggester

from .helpers import analysing, game, press, ranking, running, shown, tell, told, until


async def test_a_link_and_sgf_are_copied():
    session = game("c3", "d2")
    session.forward()
    async with running(session) as pilot:
        await press(pilot, "ctrl+l")
        assert pilot.app.clipboard == "https://hexworld.org/board/#5c1,c3,d2"
        await press(pilot, "ctrl+g")
        assert read_record(pilot.app.clipboard).equals(session.record)
        assert pilot.app.clipboard.startswith("(;")


@pytest.mark.parametrize(
    "text", ["(;GM[11]SZ[4];B[a1])", "#4,a1", " https://hexworld.org/board/#4c1,a1\n"]
)
async def test_what_is_pasted_is_opened(text):
    async with running(game()) as pilot:
        pilot.app.main.post_message(events.Paste(text))
        await until(pilot, lambda: pilot.app.records.session.board.rows == 4)
        assert len(pilot.app.records.session.line()) == 2


@pytest.mark.parametrize(("text", "said"), [("nonsense", "neither"), ("(;GM[11]SZ[4", "line 1")])
async def test_what_cannot_be_pasted_changes_nothing(text, said):
    session = game()
    async with running(session) as pilot:
        pilot.app.main.post_message(events.Paste(text))
        await until(pilot, lambda: said in told(pilot))
        assert pilot.app.records.session is session


async def test_paths_are_completed(tmp_path, monkeypatch):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "first.sgf").touch()
    monkeypatch.chdir(tmp_path)
    suggest = PathSuggester(["/kept/earlier.sgf"]).get_suggestion
    assert await suggest("/kept/e") == "/kept/earlier.sgf"
    assert await suggest("ga") == "games/"
    assert await suggest("games/f") == "games/first.sgf"
    assert await suggest(f"{tmp_path}/games/fi") == f"{tmp_path}/games/first.sgf"
    assert await suggest("none/x") is None
    assert await suggest("") is None


async def test_the_legend_says_what_colours_the_board():
    session = game()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main = pilot.app.main
        rankings = {"one": ranking("one", session.position, ["a1"])}
        await tell(pilot, analyst, rankings=rankings, must_play=frozenset({0, 1, 23, 24}))
        assert "rank by one" in shown(pilot)
        await press(pilot, "M")
        assert ":: must-play" in shown(pilot)
        main.workspace.choose(overlay=Overlay.OWN)
        await pilot.pause()
        assert "contribution, own network, k = 1, %" in shown(pilot)
        main.workspace.choose(connected=Connected(Color.BLACK, frozenset({1}), key=2))
        await pilot.pause()
        assert "++ carrier  @@ key" in shown(pilot)


async def test_the_evaluator_in_focus_is_kept_for_the_next_run(tmp_path):
    session = game()
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, rankings={n: ranking(n, session.position, []) for n in "ab"})
        await press(pilot, "e")
        assert pilot.app.chosen.focus == "b"
        assert pilot.app.chosen.shown().evaluator == "b"


async def test_the_help_names_the_actions_as_the_settings_do():
    async with running(game(), (100, 45)) as pilot:
        await press(pilot, "question_mark")
        assert "next-variation" in shown(pilot)
