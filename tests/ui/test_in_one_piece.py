"""Keys and clicks that arrive in one piece, as from a slow link: nothing happens between them."""

import asyncio
import inspect
import pkgutil
import sys
import time
from importlib import import_module
from itertools import count

import pytest
from rich.style import Style
from textual import events
from textual.command import CommandPalette
from textual.coordinate import Coordinate
from textual.geometry import Size
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import DataTable, LoadingIndicator, OptionList, Static
from textual.widgets._toast import Toast

import hextui.ui.screens
from hextui.engine.board import Board
from hextui.engines.own.answerer import OwnAnswerer
from hextui.records.record import Record
from hextui.ui.main.arranging import Arranging
from hextui.ui.main.main_screen import MainScreen
from hextui.ui.screens.choosing import GamesDialog
from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog, TextDialog
from hextui.ui.screens.ending import EndsOnce
from hextui.ui.screens.evaluators import EvaluatorDialog, LineEvaluatorDialog
from hextui.ui.screens.help import HelpScreen
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.opening import OpenDialog
from hextui.ui.screens.trace import TraceScreen
from hextui.ui.session import Session
from hextui.ui.widgets.move_table import MoveTable
from hextui.ui.widgets.screen_keys import ScreenKeys

from .helpers import become, game, in_one_piece, press, running, settle, shown, until

ENTER, ESCAPE, PAGE_DOWN, DOWN = "\r", "\x1b[27u", "\x1b[6~", "\x1b[B"
CTRL_P = "\x10"


def click(x: int, y: int) -> str:
    """Return what a terminal sends when the left button is pressed and released."""
    return f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m"


def pasted(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def late_click(widget, meta):
    """Send a click that the widget will handle only after what the caller does next."""
    style = Style(meta=meta)
    event = events.Click(widget, 1, 1, 0, 0, 1, False, False, False, 1, 1, style)
    widget._forward_event(event)


def place_of(pilot, text: str) -> tuple[int, int]:
    lines = shown(pilot).splitlines()
    y = next(y for y, line in enumerate(lines) if text in line)
    return lines[y].index(text), y


# A screen ends once


def screens_of_the_program():
    for module in pkgutil.iter_modules(hextui.ui.screens.__path__):
        members = vars(import_module(f"hextui.ui.screens.{module.name}")).values()
        for member in members:
            own = inspect.isclass(member) and member.__module__.startswith("hextui.")
            if own and issubclass(member, Screen):
                yield member


def test_every_screen_that_closes_ends_once():
    found = set(screens_of_the_program())
    assert len(found) > 10
    assert all(issubclass(screen, EndsOnce) for screen in found)


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
        below, desk = Screen(), pilot.app.main.desk
        await pilot.app.push_screen(below)
        await pilot.app.push_screen(TraceScreen(desk.session.position, desk.palette, OwnAnswerer))
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


@pytest.mark.parametrize("name", ["evaluators", "line-evaluator", "open"])
async def test_a_page_in_a_list_that_has_no_place(tmp_path, name):
    async with running(game()) as pilot:
        (tmp_path / "one.sgf").write_text("(;GM[11])")
        await pilot.app.push_screen(made(name, tmp_path)[0])
        options = pilot.app.screen.query_one(OptionList)
        options.display = False
        await until(pilot, lambda: not options.scrollable_content_region)
        options._clear_caches()
        assert options.option_count
        options.action_page_down()
        options.action_page_up()


async def test_a_page_from_an_option_that_came_while_the_list_had_no_place(tmp_path):
    async with running(game()) as pilot:
        await pilot.app.push_screen(made("open", tmp_path)[0])
        options = pilot.app.screen.query_one(OptionList)
        options.add_option("one")
        await settle(pilot)
        options.display = False
        await until(pilot, lambda: not options.scrollable_content_region)
        options.add_option("two")
        options.highlighted = options.option_count - 1
        options.action_page_down()
        options.action_page_up()


async def test_a_click_on_a_widget_that_has_gone():
    """It is on the screen until the next layout."""
    async with running(game()) as pilot:
        screen = HelpScreen((), {})
        await pilot.app.push_screen(screen)
        words = Static("some words")
        await screen.mount(words)
        await until(pilot, lambda: words.region)
        x, y = words.region.offset
        await words.remove()
        screen._forward_event(events.MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y))


@pytest.mark.parametrize(("name", "key"), [("library", "r"), ("open", "down")])
async def test_a_key_waits_for_a_screen_that_is_being_made(tmp_path, name, key):
    """A key that was read before the screen came runs its actions when nobody has taken it."""
    async with running(game()) as pilot:
        screen = made(name, tmp_path)[0]
        pilot.app.push_screen(screen)
        assert not screen.is_mounted
        event = events.Key(key, None)
        event._set_forwarded()
        await pilot.app.on_event(event)
        assert screen.is_mounted


class Last(Static):
    """Tells its screen of its end."""

    def on_unmount(self):
        assert isinstance(self.screen, Working)
        self.screen.ended.set()


class Working(EndsOnce[None]):
    """Works on until its widget is gone, and then with it."""

    def compose(self):
        yield Last()

    def on_mount(self):
        self.ended = asyncio.Event()
        self.run_worker(self.work())

    async def work(self):
        await self.ended.wait()
        self.query_one(Last)


async def test_what_a_screen_does_ends_before_its_widgets():
    async with running(game()) as pilot:
        await pilot.app.push_screen(Working())
        await pilot.app.pop_screen()
        assert pilot.app.is_running


async def test_what_waits_to_be_painted_is_not_done_without_widgets():
    async with running(game()) as pilot:
        screen = HelpScreen((), {})
        await pilot.app.push_screen(screen)
        screen._callbacks.append((lambda: print(screen.query_one(ScreenKeys)), screen))
        screen.call_next(screen._invoke_and_clear_callbacks)
        assert screen._task
        screen._task.cancel()  # its loop ends, whatever ended it
        await asyncio.wait([screen._task])
        assert pilot.app.is_running
        assert pilot.app._exception is None


async def test_what_a_screen_that_has_gone_asked_for_is_not_done_by_another():
    async with running(game()) as pilot:
        screen = HelpScreen((), {})
        await pilot.app.push_screen(screen)
        await pilot.app.pop_screen()
        main = pilot.app.main
        main._invoke_later(lambda: print(screen.query_one(ScreenKeys)), screen)
        await until(pilot, lambda: not main._callbacks)
        assert pilot.app._exception is None


class LeavesAtOnce(HelpScreen):
    """Goes before it is painted again, as with the next key of one piece."""

    def _invoke_later(self, callback, sender):
        super()._invoke_later(callback, sender)
        if isinstance(sender, MainScreen):
            self.dismiss()


async def test_what_the_screen_below_asked_for_is_done_though_the_one_above_goes():
    """Or else its panels would wait for ever, and garbage be looked for never."""
    async with running(game()) as pilot:
        await pilot.app.push_screen(LeavesAtOnce((), {}))
        main, done = pilot.app.main, []
        main.call_later(main.call_after_refresh, done.append, "done")
        await until(pilot, lambda: pilot.app.screen is main)
        assert done == ["done"]


async def test_a_size_that_a_dialog_hears_of_keeps_nothing_waiting_below_it():
    """Textual lays out the screen below too, and stops the timer that was to call what waits."""
    async with running(game()) as pilot:
        main, done = pilot.app.main, []
        await pilot.app.push_screen(LineDialog("Above", "", str))
        await settle(pilot)
        timer = main._update_timer._active
        main.refresh()
        for due in True, False:  # to the tick: what is asked for then waits for the next
            while timer.is_set() != due:
                await asyncio.sleep(0)
        main.refresh()
        main._invoke_later(lambda: done.append("done"), main)
        while not timer.is_set():
            await asyncio.sleep(0)
        main._screen_resized(pilot.app.size)
        await asyncio.sleep(0.2)
        assert done == ["done"]


async def test_a_screen_goes_while_what_waits_is_done():
    async with running(game()) as pilot:
        screen = HelpScreen((), {})
        await pilot.app.push_screen(screen)

        async def leave():
            await pilot.app.pop_screen()

        pilot.app.main._invoke_later(leave, pilot.app.main)
        pilot.app.main._invoke_later(lambda: print(screen.query_one(ScreenKeys)), screen)
        await settle(pilot)
        assert pilot.app._exception is None


async def test_a_comment_is_begun_while_it_is_written():
    async with running(game()) as pilot:
        main = pilot.app.main
        await press(pilot, "c", "x")
        main.action_do("comment")
        await settle(pilot)
        await press(pilot, "y", "escape")
        assert main.board.has_focus
        assert main.desk.session.node.comment == "xy"


async def test_the_focus_comes_to_a_comment_that_has_been_kept():
    async with running(game()) as pilot:
        main = pilot.app.main
        await press(pilot, "c", "x", "escape")
        main.query_one("CommentArea").focus()
        await settle(pilot)
        assert main.board.has_focus
        await press(pilot, "c", "y", "escape")
        assert main.desk.session.node.comment == "xy"


async def test_a_screen_ends_before_it_is_there():
    async with running(game()) as pilot:
        for _ in range(3):
            for screen in (OpenDialog([]), HelpScreen((), {})):
                pilot.app.push_screen(screen)
                screen.dismiss()
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        pilot.app.main.dismiss()
        await pilot.pause()
        assert pilot.app.screen is pilot.app.main


async def test_a_dialog_opens_while_the_program_ends():
    async with running(game()) as pilot:
        pilot.app.push_screen(OpenDialog([]))
        pilot.app.exit()


# The palette


@pytest.mark.parametrize("keys", [PAGE_DOWN, "\x1b[5~", "\x1b[1;5F", "\x1b[1;5H", DOWN, ENTER])
async def test_keys_that_come_with_the_palette(keys):
    async with running(game()) as pilot:
        in_one_piece(pilot, CTRL_P + keys)
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        in_one_piece(pilot, keys + ESCAPE + ESCAPE)
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)


async def test_the_palette_runs_what_is_chosen_once():
    session = game("c3", "d2", "a1")
    async with running(session) as pilot:
        await press(pilot, "ctrl+p", *"pass")
        commands = pilot.app.screen.query_one(OptionList)
        await until(pilot, lambda: "Pass" in str(commands.options[:1][0].prompt))
        in_one_piece(pilot, 3 * ENTER)
        await until(pilot, lambda: session.node.ply)
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await settle(pilot)
        assert session.node.ply == 1


async def test_the_palette_ends_while_it_searches():
    """Textual tells it late that it is busy: nothing is left that could show it."""
    async with running(game()) as pilot:
        await press(pilot, "ctrl+p")
        palette = pilot.app.screen
        await pilot.app.pop_screen()
        assert not palette.query(LoadingIndicator)
        await palette._watch__show_busy()


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


async def test_a_click_in_the_palette_while_it_finds_other_commands():
    async with running(game(), (100, 30)) as pilot:
        await press(pilot, "ctrl+p")
        commands = pilot.app.screen.query_one(OptionList)
        await until(pilot, lambda: commands.option_count > 5)
        late_click(commands, {"option": commands.option_count - 1})
        commands.clear_options().add_options(["one", "two"])
        await settle(pilot)
        late_click(commands, {"option": 1})
        commands.clear_options()
        await settle(pilot)
        assert isinstance(pilot.app.screen, CommandPalette)


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
        pilot.app.main.desk.show()
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


# Lists whose lines are replaced


async def test_a_click_in_a_list_of_files_that_is_narrowed(tmp_path):
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
        for typed in ("record0", "record1"):
            late_click(offered, {"option": offered.option_count - 1})
            dialog._offer(typed)
            await settle(pilot)
        assert pilot.app.screen is dialog
        in_one_piece(pilot, 2 * DOWN + 2 * ENTER)
        await until(pilot, lambda: results)
        assert [session.name for session in results] == ["record1.sgf"]


async def test_a_heading_is_clicked_while_its_column_goes(tmp_path):
    async with running(game(), (140, 30), library=tmp_path / "l.sqlite") as pilot:
        screen = LibraryScreen(tmp_path / "l.sqlite")
        await pilot.app.push_screen(screen)
        await until(pilot, lambda: "plies" in shown(pilot))
        table = screen.query_one(MoveTable)
        late_click(table, {"row": -1, "column": 6})
        screen.on_resize(events.Resize(Size(40, 30), Size(40, 30)))
        await settle(pilot)
        assert pilot.app.screen is screen


async def test_a_row_is_chosen_in_a_table_without_rows(tmp_path):
    async with running(game(), (100, 30), library=tmp_path / "l.sqlite") as pilot:
        await pilot.app.push_screen(LibraryScreen(tmp_path / "l.sqlite"))
        await until(pilot, lambda: "library is empty" in shown(pilot))
        await press(pilot, "pagedown", "pageup", "end", "home", "enter", "delete", "D", "A")
        table = pilot.app.screen.query_one(MoveTable)
        table.cursor_coordinate = Coordinate(-1, 0)
        await press(pilot, "enter", "delete")
        assert isinstance(pilot.app.screen, LibraryScreen)


# A busy machine


async def test_a_message_whose_time_is_over_when_it_comes(monkeypatch):
    """Textual's timer would run back for ever, and the program with it."""
    late, delays = [0], []
    monkeypatch.setattr("textual.notifications.time", lambda: time.time() + late[0])
    monkeypatch.setattr(Toast, "set_timer", lambda _, delay, call: delays.append(delay))
    make = Toast.__init__

    def make_late(toast, notification):
        late[0] += 10
        make(toast, notification)

    monkeypatch.setattr(Toast, "__init__", make_late)
    async with running(game()) as pilot:
        pilot.app.notify("a word", timeout=5)
        await until(pilot, lambda: delays)
        assert delays[0] > 0


async def test_another_size_is_heard_of_however_busy_the_machine_is(monkeypatch):
    """The machine takes a long time between two looks of a short timer at the clock."""
    late = count(step=0.05)

    def clock():
        caller = sys._getframe(1)
        short = caller.f_code is Timer._run.__code__ and caller.f_locals["_repeat"] == 0
        return time.monotonic() + (next(late) if short else 0)

    async with running(game(), (100, 30)) as pilot:
        monkeypatch.setattr("textual.timer._time.get_time", clock)
        main = pilot.app.main
        for size in (Size(80, 24), Size(120, 40)):
            pilot.app.post_message(events.Resize(size, size))
            await until(pilot, lambda wanted=size: main._compositor.size == wanted)


async def test_sizes_that_come_while_something_is_replaced(monkeypatch):
    """Each size has the screen tell itself of it: two in turns would go on for ever."""
    turns = count()
    share_room = Arranging.share_room

    def counted(arranging):
        assert next(turns) < 100
        share_room(arranging)

    monkeypatch.setattr(Arranging, "share_room", counted)
    async with running(game(), (100, 30)) as pilot:
        main = pilot.app.main
        with pilot.app.batch_update():  # as while the footer gets other keys
            for size in (Size(60, 20), Size(100, 30), Size(80, 24), Size(100, 30)):
                main.post_message(events.Resize(size, size))
                main.call_later(lambda: None)  # one after the other would be taken for one
            await become(pilot, lambda: main.message_queue_size == 0)
        await settle(pilot)
        assert main._compositor.size == pilot.app.size


# The end


@pytest.mark.parametrize("keys", ["n", "\x1b[27u", "z", ENTER, "?", CTRL_P, "\t", click(20, 10)])
async def test_keys_that_come_after_the_end(keys):
    async with running(game("c3", "d2", side=11), (100, 30)) as pilot:
        in_one_piece(pilot, 5 * keys + "q" + 20 * keys)
        await pilot.pause(0)
        pilot.app.exit()
        in_one_piece(pilot, 20 * keys)
