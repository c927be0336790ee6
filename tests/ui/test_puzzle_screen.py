"""Puzzles: opened where the stones are, without a word of analysis, tries judged by the solver."""

import json
from contextlib import asynccontextmanager

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engines.questions import Proved
from hextui.text import Names
from hextui.ui.record import files
from hextui.ui.screens.file_dialogs import GamesDialog
from hextui.ui.screens.puzzle_screen import PuzzleScreen, solution_words
from hextui.ui.widgets.line_list import LineList
from tests.oracles.winners import Exhaustive
from tests.words.test_tried_moves import replayed

from .helpers import game, press, running, shown, told, until
from .test_recovery import edited, orphan

# of the second, Red wins by two moves; of the third, Blue by none
PUZZLES = (
    "(;GM[11]SZ[4]GN[bridge];AB[a1][d1]AW[b2][c4]PL[W])",
    "(;GM[11]SZ[3]AB[a1]AW[c3]PL[B])",
    "(;GM[11]SZ[3]AB[b2]PL[W])",
)


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "puzzles.sgf"
    path.write_text("\n".join(PUZZLES))
    return path


def said(pilot) -> str:
    return str(pilot.app.screen.query_one("#verdict").content)


def asked(pilot) -> str:
    return str(pilot.app.screen.query_one("#task").content)


def point(pilot, name):
    screen = pilot.app.screen
    screen.point(screen._position.board.cell(name))


async def tried(pilot, name, words):
    point(pilot, name)
    await press(pilot, "enter")
    await until(pilot, lambda: words in said(pilot))


async def at_puzzle(pilot):
    await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))


@asynccontextmanager
async def puzzle(path, number, size=(80, 24), **arguments):
    """Run the app on a puzzle of a file; yields the pilot."""
    async with running(files.open_session(str(path), number), size, **arguments) as pilot:
        await at_puzzle(pilot)
        yield pilot


async def test_a_record_opens_at_the_first_position_with_stones(puzzles):
    session = files.open_session(str(puzzles))
    assert session.node.parent is not None
    assert session.position.stones.count(0) == 12
    path = puzzles.with_name("game.sgf")
    path.write_text("(;GM[11]SZ[4];B[a1];AW[b2])")
    assert files.open_session(str(path)).node.parent is None


async def test_a_file_of_puzzles_opens_without_its_analysis(puzzles):
    session = files.open_session(str(puzzles))
    async with running(session, (140, 45), ask_game=True) as pilot:
        await until(pilot, lambda: "bridge" in shown(pilot))
        assert "Review" not in shown(pilot)
        await press(pilot, "enter")
        await at_puzzle(pilot)
        assert "The analysis is hidden" in " ".join(shown(pilot).split())
        assert asked(pilot) == "Blue to move: which moves win?"
        assert said(pilot) == ""


async def test_edits_left_behind_are_asked_about_before_the_puzzle_is_chosen(puzzles, tmp_path):
    orphan(tmp_path / "recovery", edited())
    session = files.open_session(str(puzzles))
    async with running(session, state=tmp_path, ask_game=True) as pilot:
        await until(pilot, lambda: "Edits that were not saved" in shown(pilot))
        assert "bridge" not in shown(pilot)
        await press(pilot, "r")
        await until(pilot, lambda: "bridge" in shown(pilot))
        await press(pilot, "enter")
        await at_puzzle(pilot)
        assert "Puzzle 1  bridge" in shown(pilot)
        assert len(pilot.app.records.sessions) == 2


async def test_tries_are_judged_and_the_solution_is_shown(puzzles):
    async with puzzle(puzzles, 2) as pilot:
        await tried(pilot, "b2", "Right: b2 wins (proved)")
        await press(pilot, "escape")
        point(pilot, "a1")
        await press(pilot, "enter")
        assert told(pilot) == "a1 is taken"
        await tried(pilot, "c1", "No: c1 loses; Blue answers ")
        assert pilot.app.screen.view.position.stones.count(0) == 5  # the try and its answer
        assert asked(pilot) == "Red to move: which moves win?"  # as before
        await press(pilot, "u")
        point(pilot, "c1")
        await press(pilot, "left")
        assert said(pilot) == ""
        assert asked(pilot) == "Red to move: which moves win?"
        assert pilot.app.screen.cursor == 1  # b1
        assert "esc Back" in shown(pilot)
        assert pilot.app.screen.view.position.stones.count(0) == 7
        await press(pilot, "s")
        assert pilot.app.screen.query_one("VerticalScroll").max_scroll_y == 0, "all has room"
        whole = "Red wins with b2 or a3 (proved); every other move loses"
        await until(pilot, lambda: said(pilot) == whole)
        assert pilot.app.screen.view.verdicts == {4: True, 6: True}
        assert not pilot.app.records.session.record.modified


async def test_after_a_try_the_winner_answers_every_move_until_escape(puzzles):
    async with puzzle(puzzles, 1) as pilot:
        screen, played = pilot.app.screen, []
        position = screen._position
        start = await first_judged(pilot, min(position.empties))
        while screen._tried.lines[-1].carrier:
            line = screen._tried.lines[-1]
            screen.point(min(line.carrier))
            await press(pilot, "enter")
            await until(pilot, lambda line=line: screen._tried.lines[-1] != line)
            tried = screen._tried
            assert said(pilot) == f"{tried.lines[-1].text} {tried.prompt}."
            played = screen._tried.lines[-1].moves
            assert screen.view.position == replayed(position, played)
            assert Exhaustive(position.board).winner(screen.view.position) is line.tree.winner
        assert len(played) > 2
        screen.click(screen._try, 1)
        assert said(pilot).endswith(" has won: u takes a try back.")
        while len(screen._tried.lines) > 1:
            await press(pilot, "u")
        assert screen.view.position == start
        await press(pilot, "escape")
        assert screen.view.position == position
        assert not pilot.app.records.session.record.modified
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main


async def test_the_list_shows_size_side_to_move_and_what_is_solved(puzzles, tmp_path):
    for solved in ("", "yes"):
        session = files.open_session(str(puzzles))
        where = {"training": tmp_path / "training.sqlite", "ask_game": True}
        async with running(session, (100, 30), **where) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, GamesDialog))
            dialog = pilot.app.screen
            await until(pilot, lambda dialog=dialog: dialog._end is not None)
            lines = dialog.query_one(LineList).lines
            rows = [[text.rstrip() for text, _ in line.spans] for line in lines]
            assert rows == [
                ["1", "bridge", "4x4", "Blue", ""],
                ["2", "", "3x3", "Red", solved],
                ["3", "", "3x3", "Blue", ""],
            ]
            assert "To move" in shown(pilot)
            await press(pilot, "down", "enter")
            await at_puzzle(pilot)
            await tried(pilot, "b2", "Right: b2 wins (proved)")


async def first_judged(pilot, cell):
    """Try a move, and return the position once it is judged."""
    screen = pilot.app.screen
    screen.point(cell)
    await press(pilot, "enter")
    await until(pilot, lambda: screen._tried is not None)
    return screen.view.position


async def test_a_winning_move_is_told_before_the_others_are_looked_at(puzzles):
    asked = []

    class Lane:
        def answers(self, question, stop):
            asked.append(question.all_moves)
            if len(asked) > 1:  # the first is asked before the user asks
                yield Proved(question.position.to_move, (4,))

        def close(self):
            pass

    async with puzzle(puzzles, 2, open_lane=Lane) as pilot:
        await press(pilot, "s")
        await until(
            pilot, lambda: said(pilot) == "Red wins with b2 (proved); other moves are undecided"
        )
        assert asked == [True, False, True]
        assert pilot.app.screen.view.verdicts == {4: True}


async def test_the_cursor_begins_in_the_middle_and_the_start_is_called_so(puzzles):
    async with puzzle(puzzles, 3) as pilot:
        assert pilot.app.screen.cursor == 4
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert "start" in shown(pilot).splitlines()[-2]


async def test_braces_go_on_to_other_puzzles_and_escape_shows_the_analysis(puzzles):
    async with puzzle(puzzles, 2) as pilot:
        await press(pilot, "s", "right_curly_bracket")
        await until(pilot, lambda: asked(pilot) == "Blue to move: which moves win?")
        assert pilot.app.screen.view.verdicts == {}
        await press(pilot, "right_curly_bracket")
        await until(pilot, lambda: "the last is 3" in told(pilot))
        await press(pilot, "s")
        await until(pilot, lambda: said(pilot) == "Red wins, whatever Blue plays (proved)")
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main
        assert pilot.app.records.session.record.origin.number == 3
        await press(pilot, "left_curly_bracket")
        await until(pilot, lambda: pilot.app.records.session.record.origin.number == 2)
        await press(pilot, "Q")
        await at_puzzle(pilot)


async def test_every_press_goes_on_by_one_puzzle(puzzles):
    async with puzzle(puzzles, 1) as pilot:
        await pilot.press("n", "n")  # faster than a puzzle is read
        await until(pilot, lambda: pilot.app.screen.subject.number == 3)
        await pilot.press("p", "p")
        await until(pilot, lambda: pilot.app.screen.subject.number == 1)


async def test_puzzles_in_a_json_list_open_alike_and_so_does_any_position(tmp_path):
    path = tmp_path / "puzzles.json"
    path.write_text(json.dumps([{"name": f"p{n}", "sgf": p} for n, p in enumerate(PUZZLES)]))
    async with puzzle(path, 2) as pilot:
        assert "Puzzle 2  p1" in shown(pilot)
        await press(pilot, "escape")
        pilot.app.records.open(game("a1", "c3", side=3))
        await press(pilot, "end", "Q")
        await at_puzzle(pilot)
        await press(pilot, "right_curly_bracket")
        await until(pilot, lambda: told(pilot) == "There is no other puzzle in this file")


def test_what_the_solver_does_not_find_is_told() -> None:
    start = Position.empty(Board(3, 3))
    assert solution_words(start, Proved(start.to_move, (4,)), Names.RED_BLUE, True) == (
        "Red wins with b2 (proved); solving the other moves ..."
    )
    position = Position.empty(Board(3, 3))
    assert solution_words(position, Proved(None), Names.RED_BLUE).startswith("Not decided")


async def test_who_is_to_move_stands_in_its_colour_and_a_judgement_in_that_of_good_or_doubtful(
    puzzles,
):
    async with puzzle(puzzles, 2, (140, 45)) as pilot:
        verdict = pilot.app.screen.query_one("#verdict")
        task = pilot.app.screen.query_one("#task").content
        (span,) = [span for span in task.spans if task.plain[span.start : span.end] == "Red"]
        assert pilot.app.screen.palette.ink(Color.BLACK) in str(span.style)
        plain = verdict.styles.color
        await tried(pilot, "b2", "Right: b2 wins (proved)")
        right = verdict.styles.color
        await press(pilot, "u")
        await tried(pilot, "c1", "No: c1 loses; Blue answers ")
        assert len({plain, right, verdict.styles.color}) == 3
        await press(pilot, "u")
        assert verdict.styles.color == plain
