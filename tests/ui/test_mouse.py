"""The mouse on everything that is not the board: footer, palette, tabs, lists, tree, dialogs."""

from textual import events
from textual.widgets import DataTable, Input, OptionList

from hextui.ui.files import open_session
from hextui.ui.screens.choosing import GamesDialog
from hextui.ui.screens.evaluators import EvaluatorDialog
from hextui.ui.screens.help import HelpScreen

from .helpers import analysing, click_text, game, press, ranking, running, shown, tell

# The footer and the palette


async def test_the_keys_of_the_footer():
    session = game("c3", "d2")
    async with running(session, (100, 30)) as pilot:
        main = pilot.app.main
        for text, ply in (("n Next", 1), ("n Next", 2), ("p Back", 1)):
            await click_text(pilot, text)
            assert session.node.ply == ply
        session.cursor = 0
        await click_text(pilot, "enter Play")
        assert session.node.turn.move.cell == 0
        await click_text(pilot, "u Undo")
        assert session.node.ply == 1
        before = main.board.geometry.zoom, main.panels.display
        await click_text(pilot, "z Zoom")
        assert (main.board.geometry.zoom, main.panels.display) != before
        await click_text(pilot, "? Help")
        assert isinstance(pilot.app.screen, HelpScreen)
        await click_text(pilot, "Escape closes")
        assert pilot.app.screen is main


async def test_an_entry_of_the_palette_is_clicked():
    session = game("c3", "d2")
    async with running(session, (100, 30)) as pilot:
        await click_text(pilot, "^p palette")
        await press(pilot, *"last ply")
        await pilot.pause(0.5)
        await click_text(pilot, "Go to the end of the variation")
        await pilot.pause(0.2)
        assert session.node.ply == 2


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
        await click_text(pilot, " Graph ")
        assert main.panels.focused == "graph"
        await click_text(pilot, " Moves ")
        assert main.panels.focused == "moves"
        session.first()
        main.show()
        await tell(pilot, analyst, rankings=rankings)
        await click_text(pilot, "c1  ", times=2)
        assert session.node.turn.move.cell == cell("c1")


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
        pilot.app.open_session(open_session("#7,a1"))
        await pilot.pause()
        second = pilot.app.session
        await click_text(pilot, " untitled ")
        assert pilot.app.session is not second


async def test_the_wheel_on_the_board():
    session = game("c3", "d2")
    async with running(session, (100, 30)) as pilot:
        board = pilot.app.main.board
        for kind, ply in (
            (events.MouseScrollDown, 1),
            (events.MouseScrollDown, 2),
            (events.MouseScrollUp, 1),
        ):
            await pilot._post_mouse_events([kind], widget=board, offset=(5, 5))
            await pilot.pause()
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
        await click_text(pilot, "Enter is done")
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
        while dialog._end is None:
            await pilot.pause(0.02)
        await pilot.pause()
        assert "[red]games[1].sgf" in shown(pilot)
        assert dialog.query_one(DataTable).row_count == 2
        await click_text(pilot, "Bea")
        await click_text(pilot, "Enter opens")
        await pilot.app.workers.wait_for_complete()
        assert pilot.app.session.board.rows == 6
