"""Marks, glyphs, the main line and exports by key."""

from hextui.records.formats import read_record
from hextui.ui.session import Session

from .helpers import game, press, running, shown, told


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
        assert (tmp_path / "untitled-1.svg").read_text().count("<circle") == 1
        await press(pilot, "X", *[".", "d"], "enter")
        assert "no picture ends so" in shown(pilot)
