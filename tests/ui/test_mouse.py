"""The mouse on everything that is not the board: footer, palette, tabs, lists, tree, dialogs."""

from textual import events
from textual.widgets import Input, OptionList

from hextui.engine.board import Color
from hextui.engine.connections import find_connections
from hextui.library.library import Library
from hextui.ui.panels.connections_panel import ConnectionsPanel
from hextui.ui.panels.explorer_panel import ExplorerPanel
from hextui.ui.panels.panel import Change
from hextui.ui.record.files import open_session
from hextui.ui.screens.dialogs import EvaluatorDialog
from hextui.ui.screens.file_dialogs import GamesDialog
from hextui.ui.screens.help_screen import HelpScreen
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.widgets.line_list import LineList

from .helpers import (
    analysing,
    click_text,
    counts_of,
    game,
    press,
    ranking,
    running,
    settle,
    shown,
    tell,
    until,
)
from .test_library_screen import GAMES, first_column
from .test_proof_panels import on_board, solved, two

# The footer and the palette


async def test_the_keys_of_the_footer():
    session = game("c3", "d2")
    async with running(session, (160, 45)) as pilot:
        main = pilot.app.main
        for text, ply in (("n Next", 1), ("n Next", 2), ("p Back", 1)):
            await click_text(pilot, text)
            assert session.node.ply == ply
        session.cursor = 0
        await click_text(pilot, "enter Play")
        assert session.node.turn.move.cell == 0
        await click_text(pilot, "u Undo")
        assert session.node.ply == 1
        before = main.board.geometry.zoom
        await click_text(pilot, "z Zoom")
        assert main.board.geometry.zoom != before
        await click_text(pilot, "? All keys")
        assert isinstance(pilot.app.screen, HelpScreen)
        await until(pilot, lambda: "Escape closes" in shown(pilot))
        await click_text(pilot, "Escape closes")
        assert pilot.app.screen is main


async def test_an_entry_of_the_palette_is_clicked():
    session = game("c3", "d2")
    async with running(session, (140, 45)) as pilot:
        await click_text(pilot, "^p All")
        await press(pilot, *"last ply")
        entry = "Go to the end of the variation"
        await until(pilot, lambda: entry in shown(pilot))
        await click_text(pilot, entry)
        await until(pilot, lambda: session.node.ply == 2)


# Panels


async def test_tabs_rows_and_nodes():
    session = game("c3", "d2", "b4")
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main, cell = pilot.app.main, session.board.cell
        rankings = {"one": ranking("one", session.position, ["a1", "b1", "c1"])}
        await tell(pilot, analyst, rankings=rankings)
        await click_text(pilot, "b1  ")
        assert session.cursor == cell("b1")
        assert session.node.ply == 0
        await click_text(pilot, "d2   b4")
        assert session.node.ply == 2
        await click_text(pilot, "not analysed yet")
        assert main.panels.focused == "graph"
        session.first()
        main.workspace.changed(Change.SESSION)
        await tell(pilot, analyst, rankings=rankings)
        await click_text(pilot, "c1  ", times=2)
        assert session.node.turn.move.cell == cell("c1")


async def test_a_line_is_painted_up_to_the_move_clicked():
    session = game()
    async with analysing(session, (100, 40)) as (pilot, analyst):
        await tell(pilot, analyst, lines=two(session, final=True))
        await press(pilot, "f8")
        for text, names in (
            ("Blue wins", ["a1", "e5"]),
            ("0.477", ["c3", "b2", "d4"]),
            ("c3  b2", ["c3"]),
            ("e5  ", ["a1", "e5"]),
            ("b2  d4", ["c3", "b2"]),
        ):
            await click_text(pilot, text)
            assert on_board(pilot) == names
        assert not session.record.root.children
        await click_text(pilot, "d4  ", times=2)
        played = [session.board.name(node.turn.move.cell) for node in session.node.line()[1:]]
        assert played == ["c3", "b2", "d4"]


async def test_the_list_of_the_solver():
    session = game("c3", "d2")
    cell = session.board.cell
    async with analysing(session, (140, 60)) as (pilot, analyst):
        board = pilot.app.main.board
        solution = solved(session.position)
        await tell(pilot, analyst, solution=solution)
        await press(pilot, "f7")
        await click_text(pilot, "must-play region")
        assert board.view.connected.carrier == frozenset(solution.must_play.numbers)
        await click_text(pilot, "b1   loses")
        assert board.view.connected.key == cell("b1")
        await click_text(pilot, "2 b4")
        assert board.view.line == (cell("c3"), cell("b4"))
        assert session.node is session.record.root
        await click_text(pilot, "2 b4", times=2)
        assert session.last_move == cell("b4")


async def test_a_connection_is_opened_and_closed():
    session = game("c3", "a5", "b5", "a4")
    session.last()
    tables = {color: find_connections(session.position, color) for color in Color}
    best = next(iter(tables[Color.BLACK]))
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main = pilot.app.main
        await press(pilot, "f6")
        await tell(pilot, analyst, connections=counts_of(tables))
        listing = main.query_one(ConnectionsPanel).list
        left, top = listing.region.offset
        count = len(listing.lines)
        below = len(listing.lines[0].key.ways)
        await pilot.click(offset=(left + 5, top))
        assert main.board.view.connected.carrier == best.cells
        assert len(listing.lines) == count
        for x, times, more in ((0, 1, True), (0, 1, False), (5, 2, True), (5, 2, False)):
            await pilot.click(offset=(left + x, top), times=times)
            await pilot.pause()
            assert len(listing.lines) == count + more * below


async def test_rows_of_the_explorer_and_of_the_library(tmp_path):
    path = tmp_path / "library.sqlite"
    (tmp_path / "games.sgf").write_text(GAMES)
    with Library(path) as library:
        library.import_paths([tmp_path / "games.sgf"])
    first = game()
    async with running(first, (140, 45), library=path) as pilot:
        app, main = pilot.app, pilot.app.main
        await press(pilot, "f9")
        await until(pilot, lambda: "Ann - Bob" in shown(pilot))
        moves, _ = main.query_one(ExplorerPanel).query(LineList)
        cell = moves.lines[0].key.cell
        left, top = moves.region.offset
        await pilot.click(offset=(left + 2, top + 1))
        await pilot.pause()
        assert (first.cursor, first.node.ply) == (cell, 0)
        await pilot.click(offset=(left + 2, top + 1), times=2)
        await until(pilot, lambda: first.last_move == cell)
        await until(pilot, lambda: "1 game" in shown(pilot))
        await click_text(pilot, "Ann - Bob")
        assert app.records.session is first
        await click_text(pilot, "Ann - Bob", times=2)
        await until(pilot, lambda: app.records.session.name == "Ann - Bob")

        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
        for heading, names in (
            ("Red  ", ["Ann", "Bob"]),
            ("Red  ", ["Bob", "Ann"]),
            ("date  ", ["Ann", "Bob"]),
        ):
            await click_text(pilot, heading)
            await until(pilot, lambda names=names: first_column(pilot) == names)
        await click_text(pilot, "date  ", times=2)
        assert isinstance(app.screen, LibraryScreen)
        await until(pilot, lambda: first_column(pilot) == ["Ann", "Bob"])
        for date, row in (("2021", 1), ("2019-05-01", 0), ("2021", 1)):
            await click_text(pilot, date)
            assert app.screen.query_one(LineList).place == row
        await click_text(pilot, "2021", times=2)
        await until(pilot, lambda: app.records.session.name == "Bob - Cy")
        assert app.screen is main


async def test_a_click_on_a_comment_writes_it_and_one_elsewhere_keeps_it():
    session = game("c3")
    session.record.set_comment(session.node, "good")
    async with running(session, (140, 45)) as pilot:
        await click_text(pilot, "good")
        await press(pilot, *" move")
        await click_text(pilot, "c3   ")
        assert session.record.root.comment == "good move"
        assert session.node.ply == 1


async def test_the_row_of_open_records():
    async with running(game("c3"), (100, 30)) as pilot:
        pilot.app.records.open(open_session("#7,a1"))
        await pilot.pause()
        second = pilot.app.records.session
        await click_text(pilot, " untitled ")
        assert pilot.app.records.session is not second


async def test_the_wheel_on_the_board():
    session = game("c3", "d2")
    async with running(session, (100, 30)) as pilot:
        board = pilot.app.main.board
        down, up = events.MouseScrollDown, events.MouseScrollUp
        for kind, ply in ((down, 1), (down, 2), (up, 1)):
            board.post_message(kind(board, 5, 5, 0, 0, 0, False, False, False, 5, 5))
            await settle(pilot)
            assert session.node.ply == ply


# Dialogs


async def test_dialogs_are_accepted_and_left(tmp_path):
    session = game("c3")
    session.path = tmp_path / "game.sgf"
    async with analysing(session, (100, 30)) as (pilot, analyst):
        app, main = pilot.app, pilot.app.main
        await press(pilot, "ctrl+n")
        app.screen.query_one(Input).value = "0"
        await click_text(pilot, "Enter accepts")
        assert "1 to 19" in shown(pilot)
        await click_text(pilot, "Escape cancels")
        assert app.screen is main
        await press(pilot, "C")
        assert isinstance(app.screen, EvaluatorDialog)
        await click_text(pilot, "[ ] contribution-own:0")
        await click_text(pilot, "Enter accepts")
        assert "contribution-own:0" in analyst.evaluators
        await press(pilot, "V")
        assert app.screen.query_one(OptionList)
        await click_text(pilot, "resistance")
        assert analyst.lines_by == "resistance"
        await press(pilot, "up", "enter", "q")
        await click_text(pilot, "Save (s)")
        assert (tmp_path / "game.sgf").exists()
        assert not app.is_running


async def test_a_game_of_a_file_whose_name_looks_like_markup(tmp_path):
    path = tmp_path / "[red]games[1].sgf"
    path.write_text("(;GM[11]SZ[5]PB[Ada])(;GM[11]SZ[6]PB[Bea])")
    async with running(open_session(str(path)), (100, 30), ask_game=True) as pilot:
        dialog = pilot.app.screen
        assert isinstance(dialog, GamesDialog)
        await until(pilot, lambda: dialog._end is not None)
        assert "[red]games[1].sgf" in shown(pilot)
        assert len(dialog.query_one(LineList).lines) == 2
        await click_text(pilot, "Bea")
        await click_text(pilot, "Enter opens")
        await pilot.app.workers.wait_for_complete()
        assert pilot.app.records.session.board.rows == 6
