"""Marks, glyphs, the main line and exports by key."""

from hextui.engine.board import Color
from hextui.records.formats import read_record
from hextui.ui.drawing.board_view import BoardView, Connected, Mark
from hextui.ui.drawing.overlays import DisplayOptions, highlights
from hextui.ui.session import Session

from .helpers import analysing, game, press, ranking, running, shown, tell, told


async def test_marks_show_on_the_board_and_are_undone():
    async with running(game("c3")) as pilot:
        await press(pilot, "n", "K", *"circle", "enter")
        assert pilot.app.main.board.view.markup == {12: "oo"}
        assert "oo" in shown(pilot)
        await press(pilot, "right", "K", *"12", "enter")
        assert pilot.app.main.board.view.markup == {12: "oo", 13: "12"}
        await press(pilot, "K", *["backspace"] * 2, *"cross", "enter")
        assert pilot.app.main.board.view.markup == {12: "oo", 13: "><"}
        await press(pilot, "u")
        assert pilot.app.main.board.view.markup == {12: "oo", 13: "12"}
        await press(pilot, "u", "u")
        assert pilot.app.main.board.view.markup == {}


async def test_glyphs_stand_in_the_tree():
    async with running(game("c3"), (140, 45)) as pilot:
        await press(pilot, "exclamation_mark")
        assert "belongs to a move" in told(pilot)
        await press(pilot, "n", "exclamation_mark", "exclamation_mark")
        assert "c3!!" in shown(pilot)


async def test_a_variation_becomes_the_main_line():
    record = read_record("(;GM[11]SZ[5];B[a1](;W[b1])(;W[c1];B[d1]))")
    async with running(Session(record)) as pilot:
        await press(pilot, "n", "n", "right_square_bracket", "B")
        assert pilot.app.records.session.record.root.end().ply == 3
        await press(pilot, "u")
        assert pilot.app.records.session.record.root.end().ply == 2


async def test_export(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with running(game("c3")) as pilot:
        await press(pilot, "n", "X", "enter")
        assert "Saved" in told(pilot)
        assert (tmp_path / "untitled-1.svg").read_text().count("<circle") == 2  # and a dot
        await press(pilot, "X", *[".", "d"], "enter")
        assert "unknown ending" in shown(pilot)


async def test_a_picture_carries_what_the_board_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = game("c3", "d2")
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, rankings={"one": ranking("one", session.position, ["a1"])})
        await press(pilot, "X", "enter")
        svg = (tmp_path / "untitled-0.svg").read_text()
        assert "rank by one" in svg
        assert "ring: played" in svg
        assert svg.count(">8</text>") == 1
        await press(pilot, "O", "X", "enter", "o")
        assert "rank by one" not in (tmp_path / "untitled-0.svg").read_text()


def test_every_sign_of_the_board_goes_into_the_picture():
    position = game("c3").position
    connected = Connected(Color.WHITE, frozenset({0, 1}), key=1)
    view = BoardView(
        position,
        played=12,
        line=(5,),
        heat={7: 1.0},
        labels={7: "1"},
        verdicts={8: True},
        marks={0: Mark("xx")},
        must_play=frozenset({9}),
        connected=connected,
    )
    seen = highlights(view, DisplayOptions(inferior=True))
    assert seen.labels == {7: "1", 0: "xx", 1: "@@", 5: "#1"}
    assert (seen.carrier, seen.color, seen.key) == ({0, 1}, Color.WHITE, 1)
    assert (seen.heat, seen.verdicts, seen.must_play) == ({7: 1.0}, {8: True}, {9})
    assert seen.legend.startswith(
        "tinted: carrier, @@ key, #1 #2 moves of the line, ✓ wins, ring: "
    )
    assert "ring: played, amber: must-play" in seen.legend
