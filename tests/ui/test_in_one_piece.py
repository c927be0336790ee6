"""Keys and clicks that arrive in one piece, as from a slow link: nothing happens between them."""

import pytest
from textual import events
from textual.screen import Screen
from textual.widgets import OptionList

from hextui.engine.board import Board
from hextui.engines.answerer import OwnAnswerer
from hextui.records.record import Record
from hextui.text import Names
from hextui.ui.panels.panel import Change
from hextui.ui.record.session import Session
from hextui.ui.screens.dialogs import (
    Choice,
    ChoiceDialog,
    EvaluatorDialog,
    LineDialog,
    LineEvaluatorDialog,
    TextDialog,
)
from hextui.ui.screens.file_dialogs import GamesDialog, OpenDialog
from hextui.ui.screens.help_screen import HelpScreen
from hextui.ui.screens.library_columns import Listing
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.trace_screen import TraceScreen
from hextui.ui.widgets.line_list import LineList
from tests.samples import some

from .helpers import clicks, game, in_one_piece, keys, press, resize, running, settle, shown, until


def library_screen(folder):
    library = folder / "l.sqlite"
    return LibraryScreen(library, OwnAnswerer, Names.RED_BLUE, None, None, "", Listing())


ENTER, ESCAPE, DOWN = keys("enter"), keys("escape"), keys("down")


def pasted(text: str) -> list[events.Event]:
    return [events.Paste(text)]


def place_of(pilot, text: str) -> tuple[int, int]:
    lines = shown(pilot).splitlines()
    y = next(y for y, line in enumerate(lines) if text in line)
    return lines[y].index(text), y


def place_of_cell(pilot, cell: int):
    board = pilot.app.main.board
    return board.region.offset + board._origin + board.geometry.centre(cell)


# A screen ends once


async def test_several_keys_end_a_screen_once(tmp_path):
    games = tmp_path / "games.sgf"
    games.write_text("(;GM[11]SZ[3];B[a1])(;GM[11]SZ[4];B[a1])")
    async with running(game(side=3)) as pilot:
        below, workspace = Screen(), pilot.app.main.workspace
        yes = [Choice("y", "Yes", "yes")]
        trace = TraceScreen(workspace.session.position, workspace.palette, OwnAnswerer)
        await pilot.app.push_screen(below)
        for screen, ends, result in (
            (LineDialog("?", "", str, "x"), ENTER, "x"),
            (ChoiceDialog("?", "", yes), keys("y"), "yes"),
            (ChoiceDialog("?", "", yes), ENTER, "yes"),
            (ChoiceDialog("?", "", yes), ESCAPE, None),
            (TextDialog("?", ""), ESCAPE, None),
            (GamesDialog(games), ENTER, 1),
            (OpenDialog([str(games)]), DOWN + ENTER, "games.sgf, game 1"),
            (EvaluatorDialog(["resistance"]), ENTER, ("resistance",)),
            (LineEvaluatorDialog("resistance"), ENTER, "resistance"),
            (HelpScreen("Keys", ()), ESCAPE, None),
            (library_screen(tmp_path), ESCAPE, None),
            (trace, ESCAPE, None),
        ):
            results: list[object] = []
            await pilot.app.push_screen(screen, results.append)
            await settle(pilot)
            if isinstance(screen, GamesDialog):  # read in a thread
                await until(pilot, lambda screen=screen: screen.query_one(LineList).lines)
            in_one_piece(pilot, 3 * ends)
            await until(pilot, lambda: pilot.app.screen is below)
            assert [getattr(one, "name", one) for one in results] == [result], screen


async def test_clicks_end_a_dialog_once():
    async with running(game()) as pilot:
        results = []
        await pilot.app.push_screen(LineDialog("?", "", str, "x"), results.append)
        await settle(pilot)
        for text in ("Enter accepts", "Escape cancels"):
            in_one_piece(pilot, 3 * clicks(*place_of(pilot, text)))
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert results == ["x"]


async def test_a_screen_below_another_one_does_not_end():
    async with running(game()) as pilot:
        below = HelpScreen("Keys", ())
        above = TextDialog("above", "")
        await pilot.app.push_screen(below)
        await pilot.app.push_screen(above)
        below.dismiss(None)
        await pilot.pause()
        assert pilot.app.screen is above


async def test_a_comment_is_begun_while_it_is_written_and_gets_the_focus_once_it_is_kept():
    async with running(game()) as pilot:
        main = pilot.app.main
        await press(pilot, "c", "x")
        main.action_do("comment")
        await settle(pilot)
        await press(pilot, "y", "escape")
        assert main.board.has_focus
        assert main.workspace.session.node.comment == "xy"
        main.query_one("Comment TextArea").focus()
        await settle(pilot)
        assert main.board.has_focus
        await press(pilot, "c", "z", "escape")
        assert main.workspace.session.node.comment == "xyz"


# The palette and dialogs


async def test_the_palette_runs_a_command_once():
    session = game("c3", "d2", "a1")
    async with running(session) as pilot:
        await press(pilot, "ctrl+p", *"pass")
        commands = pilot.app.screen.query_one(OptionList)
        await until(pilot, lambda: "Pass" in str(commands.options[:1][0].prompt))
        in_one_piece(pilot, 4 * ENTER)
        await until(pilot, lambda: session.node.ply)
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert session.node.ply == 1


# View and geometry belong to one board


async def test_a_click_meant_for_a_larger_board():
    async with running(game(side=11), (100, 30)) as pilot:
        click = clicks(*place_of_cell(pilot, 120))
        in_one_piece(pilot, 2 * click + pasted("(;GM[11]SZ[3];B[b2])") + 3 * click)
        await settle(pilot)
        session = pilot.app.records.session
        assert session.board == Board(3, 3)
        assert len(session.node.line()) == 2
        assert session.cursor < 9


async def test_a_click_plays_in_the_record_that_was_seen():
    async with running(game(side=5), (100, 30)) as pilot:
        first = pilot.app.records.session
        first.play(0)
        pilot.app.main.workspace.changed(Change.SESSION)
        click = clicks(*place_of_cell(pilot, 7))
        for given in (pasted("(;GM[11]SZ[5])") + click, click + keys("left_curly_bracket")):
            in_one_piece(pilot, given)
            await settle(pilot)
        second = pilot.app.records.sessions[1]
        assert pilot.app.records.session is first
        assert first.record.plies + second.record.plies == 3
        assert all(s.record.holds(s.node) for s in (first, second))


async def test_a_board_that_is_not_seen_shows_a_smaller_record():
    """The terminal is too small for any board."""
    async with running(game(side=11), (160, 45)) as pilot:
        await press(pilot, "3")
        board = pilot.app.main.board
        board.post_message(events.MouseDown(board, 10, 10, 0, 0, 1, False, False, False, 10, 10))
        await settle(pilot)
        await resize(pilot, 20, 5)
        for side in (3, 19, 2):
            pilot.app.records.open(Session(Record(Board(side, side))))
            pilot.app.main.board.action_step(1, 1)
            pilot.app.main.board.render_line(0)
            assert pilot.app.main.board.geometry.board == Board(side, side)
            await settle(pilot)
        await resize(pilot, 160, 45)


async def test_a_move_of_a_panel_that_still_shows_another_record():
    """Panels follow after the board: what is chosen there is meant for what they show."""
    async with running(game("c3", "d2", "a1"), (140, 45)) as pilot:
        pilot.app.screen.query_one("MoveTree").focus()
        await settle(pilot)
        in_one_piece(pilot, pasted("(;GM[11]SZ[3];B[b2])") + keys("down", "l", "l", "enter"))
        await settle(pilot)
        session = pilot.app.records.session
        assert session.board == Board(3, 3)
        assert session.node.line()[0] is session.record.root


# Lists, and the end


async def test_a_row_is_chosen_in_a_table_without_rows(tmp_path):
    async with running(game(), (100, 30), library=tmp_path / "l.sqlite") as pilot:
        await pilot.app.push_screen(library_screen(tmp_path))
        await until(pilot, lambda: "library is empty" in shown(pilot))
        await press(pilot, "pagedown", "pageup", "end", "home", "enter", "delete", "D", "A")
        assert isinstance(pilot.app.screen, LibraryScreen)


@pytest.mark.parametrize(
    "given", some([keys("n"), clicks(20, 10), ESCAPE, keys("z"), ENTER, keys("question_mark")], 2)
)
async def test_keys_that_come_after_the_end(given):
    async with running(game("c3", "d2", side=11), (100, 30)) as pilot:
        in_one_piece(pilot, 5 * given + keys("q") + 20 * given)
        await pilot.pause(0)
        pilot.app.exit()
        in_one_piece(pilot, 20 * given)
