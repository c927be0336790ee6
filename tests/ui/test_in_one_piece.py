"""Keys and clicks that arrive in one piece, as from a slow link: nothing happens between them."""

import pytest
from textual import events
from textual.command import CommandPalette
from textual.coordinate import Coordinate
from textual.screen import Screen
from textual.widgets import DataTable, OptionList

from hextui.engine.board import Board
from hextui.engines.answerer import OwnAnswerer
from hextui.records.record import Record
from hextui.ui.main_screen import MainScreen
from hextui.ui.screens.analysis_dialogs import EvaluatorDialog, LineEvaluatorDialog
from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog, TextDialog
from hextui.ui.screens.file_dialogs import GamesDialog, OpenDialog
from hextui.ui.screens.game_table import GameTable
from hextui.ui.screens.help_screen import HelpScreen
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.trace_screen import TraceScreen
from hextui.ui.session import Session

from .helpers import game, in_one_piece, press, running, settle, shown, until

ENTER, ESCAPE, DOWN = "\r", "\x1b[27u", "\x1b[B"
CTRL_P = "\x10"


def click(x: int, y: int) -> str:
    """Return what a terminal sends when the left button is pressed and released."""
    return f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m"


def pasted(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def place_of(pilot, text: str) -> tuple[int, int]:
    lines = shown(pilot).splitlines()
    y = next(y for y, line in enumerate(lines) if text in line)
    return lines[y].index(text), y


# A screen ends once


def made(name, folder):
    """Return a screen, the keys that end it, and what it ends with."""
    yes = Choice("y", "Yes", "yes")
    games = folder / "games.sgf"
    games.write_text("(;GM[11]SZ[3];B[a1])(;GM[11]SZ[4];B[a1])")
    return {
        "line": lambda: (LineDialog("?", "", str, "x"), ENTER, "x"),
        "choice": lambda: (ChoiceDialog("?", "", [yes]), "y", "yes"),
        "button": lambda: (ChoiceDialog("?", "", [yes]), ENTER, "yes"),
        "cancelled": lambda: (ChoiceDialog("?", "", [yes]), ESCAPE, None),
        "text": lambda: (TextDialog("?", ""), ESCAPE, None),
        "games": lambda: (GamesDialog(games), ENTER, 1),
        "open": lambda: (OpenDialog([str(games)]), DOWN + ENTER, None),
        "evaluators": lambda: (EvaluatorDialog(["resistance"]), ENTER, ("resistance",)),
        "line-evaluator": lambda: (LineEvaluatorDialog("resistance"), ENTER, "resistance"),
        "help": lambda: (HelpScreen((), {}), "?", None),
        "library": lambda: (LibraryScreen(folder / "l.sqlite"), "q", None),
    }[name]()


NAMES = ["line", "choice", "button", "cancelled", "text", "games", "open", "evaluators"]
NAMES += ["line-evaluator", "help", "library"]


@pytest.mark.parametrize("name", NAMES)
async def test_two_keys_end_a_screen_once(tmp_path, name):
    async with running(game()) as pilot:
        below = Screen()
        await pilot.app.push_screen(below)
        screen, keys, result = made(name, tmp_path)
        results = []
        await pilot.app.push_screen(screen, results.append)
        await settle(pilot)
        if name == "games":  # read in a thread
            await until(pilot, lambda: screen.query_one(DataTable).row_count)
        in_one_piece(pilot, 3 * keys)
        await until(pilot, lambda: pilot.app.screen is below)
        assert len(results) == 1
        if name == "open":
            assert results[0].name == "games.sgf, game 1"
        else:
            assert results == [result]


async def test_two_keys_end_a_trace_once():
    async with running(game(side=3)) as pilot:
        below, workspace = Screen(), pilot.app.main.workspace
        await pilot.app.push_screen(below)
        await pilot.app.push_screen(
            TraceScreen(workspace.session.position, workspace.palette, OwnAnswerer)
        )
        in_one_piece(pilot, "qq")
        await until(pilot, lambda: pilot.app.screen is below)


async def test_clicks_end_a_dialog_once():
    async with running(game()) as pilot:
        results = []
        await pilot.app.push_screen(LineDialog("?", "", str, "x"), results.append)
        await pilot.pause()
        for text in ("Enter accepts", "Escape cancels"):
            at = place_of(pilot, text)
            in_one_piece(pilot, 3 * click(*at))
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert results == ["x"]


async def test_a_screen_below_another_one_does_not_end():
    async with running(game()) as pilot:
        below = HelpScreen((), {})
        above = TextDialog("above", "")
        await pilot.app.push_screen(below)
        await pilot.app.push_screen(above)
        below.dismiss(None)
        await pilot.pause()
        assert pilot.app.screen is above


async def test_a_comment_is_begun_while_it_is_written():
    async with running(game()) as pilot:
        main = pilot.app.main
        await press(pilot, "c", "x")
        main.action_do("comment")
        await settle(pilot)
        await press(pilot, "y", "escape")
        assert main.board.has_focus
        assert main.workspace.session.node.comment == "xy"


async def test_the_focus_comes_to_a_comment_that_has_been_kept():
    async with running(game()) as pilot:
        main = pilot.app.main
        await press(pilot, "c", "x", "escape")
        main.query_one("Comment TextArea").focus()
        await settle(pilot)
        assert main.board.has_focus
        await press(pilot, "c", "y", "escape")
        assert main.workspace.session.node.comment == "xy"


# The palette


@pytest.mark.parametrize("keys", ["\x1b[1;5F", "\x1b[1;5H", "\x1b[5~", "\x1b[6~", DOWN, ENTER])
async def test_keys_that_come_with_the_palette(keys):
    async with running(game()) as pilot:
        in_one_piece(pilot, CTRL_P + keys)
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        in_one_piece(pilot, keys + ESCAPE + ESCAPE)
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)


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


@pytest.mark.parametrize("keys", ["\x0f", "oOCYHLQ"])
async def test_keys_that_come_with_a_dialog(keys):
    for key in keys:
        async with running(game(side=3)) as pilot:
            in_one_piece(pilot, key + DOWN + "n" + "s" + DOWN + ENTER)
            await settle(pilot)
            in_one_piece(pilot, 4 * ESCAPE)
            await settle(pilot)


async def test_clicks_on_the_palette():
    async with running(game(), (100, 30)) as pilot:
        await press(pilot, "ctrl+p")
        for y in range(1, 8):
            for _ in range(3):
                await pilot.click(offset=(30, y))
            await settle(pilot)


async def test_clicks_outside_the_palette_and_outside_the_screen():
    async with running(game(), (100, 30)) as pilot:
        await press(pilot, "ctrl+p")
        in_one_piece(pilot, click(0, 29) + click(0, 29))
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await press(pilot, "ctrl+p")
        in_one_piece(pilot, click(99, 29))
        await pilot.resize_terminal(40, 12)
        await settle(pilot)
        assert isinstance(pilot.app.screen, CommandPalette | MainScreen)


# View and geometry belong to one board


async def test_a_click_meant_for_a_larger_board():
    async with running(game(side=11), (100, 30)) as pilot:
        board = pilot.app.main.board
        x, y = board.region.offset + board._origin + board.geometry.centre(120)
        in_one_piece(pilot, 2 * click(x, y) + pasted("(;GM[11]SZ[3];B[b2])") + 3 * click(x, y))
        await settle(pilot)
        assert pilot.app.records.session.board == Board(3, 3)
        assert len(pilot.app.records.session.node.line()) == 2
        assert pilot.app.records.session.cursor < 9


async def test_a_click_plays_in_the_record_that_was_seen():
    async with running(game(side=5), (100, 30)) as pilot:
        first = pilot.app.records.session
        first.play(0)
        pilot.app.main.workspace.show()
        board = pilot.app.main.board
        x, y = board.region.offset + board._origin + board.geometry.centre(7)
        for keys in (pasted("(;GM[11]SZ[5])") + click(x, y), click(x, y) + "{"):
            in_one_piece(pilot, keys)
            await settle(pilot)
        second = pilot.app.records.sessions[1]
        assert pilot.app.records.session is first
        assert first.record.plies + second.record.plies == 3
        assert all(s.record.holds(s.node) for s in (first, second))


async def test_a_board_that_is_not_seen_shows_a_smaller_record():
    """The second board is hidden, and the terminal too small for any board."""
    async with running(game(side=11), (160, 45)) as pilot:
        await press(pilot, "2", "2")
        board = pilot.app.main.second_board
        board.post_message(events.MouseDown(board, 10, 10, 0, 0, 1, False, False, False, 10, 10))
        await settle(pilot)
        await pilot.resize_terminal(20, 5)
        await pilot.pause()
        for side in (3, 19, 2):
            pilot.app.records.open(Session(Record(Board(side, side))))
            pilot.app.main.board.step(1, 1)
            pilot.app.main.board.render_line(0)
            assert pilot.app.main.board.geometry.board == Board(side, side)
            await settle(pilot)
        await pilot.resize_terminal(160, 45)
        await settle(pilot)


async def test_a_move_of_a_panel_that_still_shows_another_record():
    """Panels follow after the board: what is chosen there is meant for what they show."""
    session = game("c3", "d2", "a1", side=5)
    async with running(session, (140, 45)) as pilot:
        pilot.app.screen.query_one("MoveTree").focus()
        await settle(pilot)
        other = Session(Record(Board(3, 3)))
        in_one_piece(pilot, pasted("(;GM[11]SZ[3];B[b2])") + DOWN + "l" + "l" + ENTER)
        await settle(pilot)
        record = pilot.app.records.session.record
        assert record.board == Board(3, 3)
        assert pilot.app.records.session.node.line()[0] is record.root
        assert other.node.line()[0] is other.record.root


# Lists


async def test_a_list_of_files_is_narrowed_by_what_is_typed(tmp_path):
    names = []
    for number in range(6):
        path = tmp_path / f"record{number}.sgf"
        path.write_text(f"(;GM[11]SZ[{number + 3}])")
        names.append(str(path))
    async with running(game(), (100, 30)) as pilot:
        dialog = OpenDialog(names)
        results = []
        await pilot.app.push_screen(dialog, results.append)
        offered = dialog.query_one(OptionList)
        await until(pilot, lambda: offered.option_count == 6)
        await press(pilot, *"record1")
        in_one_piece(pilot, DOWN + 2 * ENTER)
        await until(pilot, lambda: results)
        assert [session.name for session in results] == ["record1.sgf"]


async def test_a_row_is_chosen_in_a_table_without_rows(tmp_path):
    async with running(game(), (100, 30), library=tmp_path / "l.sqlite") as pilot:
        await pilot.app.push_screen(LibraryScreen(tmp_path / "l.sqlite"))
        await until(pilot, lambda: "library is empty" in shown(pilot))
        await press(pilot, "pagedown", "pageup", "end", "home", "enter", "delete", "D", "A")
        table = pilot.app.screen.query_one(GameTable)
        table.cursor_coordinate = Coordinate(-1, 0)
        await press(pilot, "enter", "delete")
        assert isinstance(pilot.app.screen, LibraryScreen)


# The end


@pytest.mark.parametrize("keys", ["n", "\x1b[27u", "z", ENTER, "?", CTRL_P, "\t", click(20, 10)])
async def test_keys_that_come_after_the_end(keys):
    async with running(game("c3", "d2", side=11), (100, 30)) as pilot:
        in_one_piece(pilot, 5 * keys + "q" + 20 * keys)
        await pilot.pause(0)
        pilot.app.exit()
        in_one_piece(pilot, 20 * keys)
