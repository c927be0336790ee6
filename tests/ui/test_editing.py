"""The clipboard, paths, marks, exports and what is known about a game."""

from io import StringIO

import pytest
from textual import events
from textual.widgets import Input

from hextui.engine.board import Color
from hextui.records.board_view import BoardView, Connected, Mark
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.formats import read_record
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, for_diagram
from hextui.ui.record.session import Session
from hextui.ui.safety.graphics import TerminalGraphics
from hextui.ui.safety.terminal import copy_by_program, show_to_select
from hextui.ui.screens.dialogs import GameInfoDialog
from hextui.ui.widgets.typed_text import PathSuggester

from .helpers import (
    SIZES,
    analysing,
    game,
    paste,
    press,
    ranking,
    running,
    shown,
    tell,
    told,
    until,
)


async def test_a_link_and_sgf_are_copied():
    session = game("c3", "d2")
    session.forward()
    async with running(session, graphics=TerminalGraphics(copies=True)) as pilot:
        await press(pilot, "ctrl+l")
        assert "Copied as a link" in shown(pilot)
        assert pilot.app.clipboard == "https://hexworld.org/board/#5c1,c3,d2"
        await press(pilot, "ctrl+g")
        assert read_record(pilot.app.clipboard).equals(session.record)
        assert pilot.app.clipboard.startswith("(;")


PROGRAMS = [("wl-copy", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY"), ("pbcopy", ""), ("clip.exe", "")]
LINK = "https://hexworld.org/board/#5c1,c3d2"


def clipboard_program(folder, name, code=0):
    """Make a program that keeps what it gets."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n/bin/cat > {folder}/kept\nexit {code}\n")
    program.chmod(0o755)


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a folder with the only programs that there are."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for _, variable in PROGRAMS[:2]:
        monkeypatch.delenv(variable, raising=False)
    return folder


@pytest.mark.parametrize(("name", "variable"), PROGRAMS)
async def test_a_program_of_the_system_copies(programs, monkeypatch, name, variable):
    clipboard_program(programs, name)
    if variable:
        assert not copy_by_program("x")
        monkeypatch.setenv(variable, "something")
    async with running(game("c3", "d2")) as pilot:
        await press(pilot, "end", "ctrl+l")
        await until(pilot, lambda: "Copied as a link" in shown(pilot))
    encoding = "utf-16" if name == "clip.exe" else "utf-8"
    assert (programs / "kept").read_bytes().decode(encoding) == LINK


@pytest.mark.parametrize("name", ["", "xclip"])
async def test_without_a_clipboard_the_text_is_shown_and_nothing_is_claimed(
    programs, monkeypatch, name
):
    monkeypatch.setenv("DISPLAY", ":7")
    if name:
        clipboard_program(programs, name, code=1)
    async with running(game("c3", "d2")) as pilot:
        await press(pilot, "end", "ctrl+l")
        await until(pilot, lambda: "No clipboard was found" in shown(pilot))
        assert LINK in shown(pilot)
        assert "Copied" not in shown(pilot)
        await press(pilot, "escape")
        assert "Copied" not in shown(pilot)


def test_a_text_to_select_is_printed_harmlessly_until_enter(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", StringIO("\n"))
    show_to_select("(;C[\x1b]52;c;eA==\x07]\n)")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\n)" in out


async def test_what_is_pasted_is_opened_or_changes_nothing():
    async with running(game()) as pilot:
        records = pilot.app.records
        for number, text in enumerate(
            ("(;GM[11]SZ[4];B[a1])", "#4,a1", " https://hexworld.org/board/#4c1,a1\n"), start=1
        ):
            await paste(pilot, text)
            await until(pilot, lambda number=number: len(records.sessions) == number)
            assert records.session.board.rows == 4
            assert len(records.session.line()) == 2
        for text, said in (("nonsense", "neither"), ("(;GM[11]SZ[4", "line 1")):
            await paste(pilot, text)
            await until(pilot, lambda said=said: said in told(pilot))
            assert len(records.sessions) == 3


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
        assert pilot.app.main.chosen.focus == "b"
        assert pilot.app.main.chosen.shown().evaluator == "b"


# Marks, glyphs, the main line and exports


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
        await press(pilot, "f4", "exclamation_mark", "exclamation_mark")
        assert "c3!!" in shown(pilot)


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
    seen = for_diagram(view, DisplayOptions(inferior=True))
    assert seen.labels == {7: "1", 0: "xx", 1: "@@", 5: "#1"}
    assert seen.connection == connected
    assert (seen.heat, seen.verdicts, seen.must_play) == ({7: 1.0}, {8: True}, {9})
    assert seen.legend.startswith(
        "tinted: carrier, @@ key, #1 #2 moves of the line, ✓ wins, ring: "
    )
    assert "ring: played, amber: must-play" in seen.legend


# What is known about a game


def known() -> Session:
    return Session(read_sgf("(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[W+R]EV[cup];B[a1])"))


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]])
async def test_what_is_known_is_shown_and_changed(size):
    session = known()
    async with running(session, size=size) as pilot:
        await press(pilot, "ctrl+e")
        text = shown(pilot)
        for word in ("Red's rating", "Blue won, Red resigned", "Rules, swap", "Source", "cup"):
            assert word in text
        await press(pilot, *["backspace"] * 3, *"Zoe")
        await press(pilot, "enter")
        assert session.record.info("PB") == "Zoe"
        assert session.record.info("RE") == "W+R"
        assert "Zoe - Bob   Blue won, Red resigned" in shown(pilot) or size == SIZES[0]
        await press(pilot, "u")
        assert session.record.info("PB") == "Ann"


async def test_nothing_changed_is_no_edit_nor_is_what_is_wrong():
    session = known()
    async with running(session) as pilot:
        await press(pilot, "ctrl+e", "enter")
        assert not session.record.modified
        await press(pilot, "ctrl+e")
        pilot.app.screen.query_one("#result", Input).value = "W+R"
        await press(pilot, "enter")
        assert "write a result like" in shown(pilot)
        assert isinstance(pilot.app.screen, GameInfoDialog)
        await press(pilot, "escape")
        assert not session.record.modified


async def test_joiners_and_marks_of_direction_are_typed_into_a_comment_and_shown_harmlessly():
    session = game()
    async with running(session) as pilot:
        await press(pilot, "c", "a")
        for character in "\u200d\u200c\u200f\u202e":
            pilot.app.screen.focused.post_message(events.Key("unnamed", character))
        await press(pilot, "b")
        assert "\u202e" not in shown(pilot)
        await press(pilot, "escape")
        assert session.node.comment == "a\u200d\u200c\u200f\u202eb"
        assert read_record(write_sgf(session.record)).root.comment == session.node.comment
        assert "a\u200d\u200c\\u200f\\u202eb" in shown(pilot)
