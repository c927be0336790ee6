"""Find a shape: cells are marked, the library is searched, games open where the shape stands."""

from contextlib import asynccontextmanager

import pytest

from hextui.engine.board import Board, Edge
from hextui.engine.position import Position
from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.library.shape import Shape
from hextui.records.formats import read_record
from hextui.ui.record.session import Session
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.shape_screen import ShapeScreen
from hextui.ui.widgets.board_widget import BoardWidget

from .helpers import press, running, shown, told, until

GAMES = """
(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R];B[b2];W[c2];B[e5];W[b3])
(;GM[11]SZ[5]PB[Cy]PW[Ann]RE[W+R];B[a5];W[d3];B[d4];W[a2];B[e3])
(;GM[11]SZ[5]PB[Bob]PW[Cy];B[a1];W[e5])
"""
HERE = "(;GM[11]SZ[5];B[c3];W[d3];B[a1])"


@pytest.fixture
def library(tmp_path):
    (tmp_path / "games.sgf").write_text(GAMES)
    path = tmp_path / "library.sqlite"
    with Library(path) as opened:
        opened.import_paths([tmp_path / "games.sgf"])
    return path


@asynccontextmanager
async def marking(library, size=(80, 24)):
    """Open the screen at the end of a game; yields the pilot."""
    session = Session(read_record(HERE), name="here")
    session.last()
    async with running(session, size, library=library) as pilot:
        await press(pilot, "slash")
        await until(pilot, lambda: isinstance(pilot.app.screen, ShapeScreen))
        yield pilot


def point(pilot, name):
    screen = pilot.app.screen
    screen.point(screen.subject.position.board.cell(name))


async def mark_box(pilot, first, last):
    point(pilot, first)
    await press(pilot, "r")
    point(pilot, last)
    await press(pilot, "b")


def said(pilot):
    return str(pilot.app.screen.query_one("#verdict").content)


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_a_marked_shape_is_found_and_its_games_are_listed(library, size):
    async with marking(library, size) as pilot:
        await mark_box(pilot, "c3", "d4")
        assert said(pilot) == "RB/..\nanywhere"
        await press(pilot, "enter")
        await until(pilot, lambda: "of 3 games" in said(pilot))
        lines = [line.split() for line in said(pilot).splitlines()]
        assert lines[0] == ["2", "of", "3", "games,", "anywhere"]
        assert lines[1:] == [["a", "Blue", "2", "0%"], ["elsewhere", "Red", "2", "100%"]]
        view = pilot.app.screen.query_one(BoardWidget).view
        board = view.position.board
        assert dict(view.markup) == {board.cell("c4"): "a "}
        assert len(view.outside) == board.cells - 4
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
        await until(pilot, lambda: "2 games  shape=RB/.." in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, LibraryScreen))
        await until(pilot, lambda: pilot.app.screen.workspace.session.node.ply == 3)


async def test_a_shape_is_held_at_the_sides_that_it_touches_or_not(library):
    async with marking(library) as pilot:
        await press(pilot, "a")
        assert told(pilot) == "The marked cells touch no side"
        await mark_box(pilot, "a1", "b1")
        seen = []
        for _ in range(4):
            seen.append(said(pilot).splitlines()[1])
            await press(pilot, "a")
        assert seen == ["at the top and left", "at the top", "at the left", "anywhere"]
        assert said(pilot) == "R. top left\nat the top and left"
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot).startswith("2 of 3 games"))


async def test_cells_are_marked_one_by_one_and_by_boxes(library):
    async with marking(library) as pilot:
        await press(pilot, "b")
        assert told(pilot) == "No corner yet: mark a cell, then go to the opposite corner"
        await mark_box(pilot, "c3", "d4")
        point(pilot, "d3")
        await press(pilot, "r")
        assert said(pilot) == "R?/..\nanywhere"
        point(pilot, "d4")
        await press(pilot, "b")  # clears like the last cell
        assert said(pilot) == "R/.\nanywhere"
        await press(pilot, "x")
        assert said(pilot) == "Mark a stone and the cells around it."
        point(pilot, "b4")
        await press(pilot, "r", "enter")
        assert told(pilot) == "a shape needs a stone: R or B (B or W)"


async def test_without_a_library_a_line_says_so(tmp_path):
    session = Session(read_record(HERE), name="here")
    async with running(session, library=tmp_path / "none.sqlite") as pilot:
        await press(pilot, "slash")
        assert told(pilot) == "The library is empty: L opens it"


def test_a_filter_selects_the_games_with_a_shape(library):
    corner = Shape(("B",), frozenset({Edge.TOP, Edge.LEFT}))
    with Library(library) as opened:
        rows = opened.games(Filter(shape=Shape(("BW", ".."))))
        assert [(row.id, row.ply) for row in rows] == [(1, 2), (2, 3)]
        assert opened.ids(Filter(shape=corner)) == [1, 3]
        assert opened.count(Filter(shape=corner, player="ann")) == 1
        opened.remove([3])
        assert opened.ids(Filter(shape=corner)) == [1]


async def test_the_mouse_marks_a_box_and_single_cells(library):
    async with marking(library) as pilot:
        screen = pilot.app.screen
        board = screen.subject.position.board
        screen.click(board.cell("c3"), 1)
        screen.drag(board.cell("d4"))
        assert said(pilot) == "RB/..\nanywhere"
        screen.click(board.cell("d4"), 1)
        assert said(pilot) == "RB/.?\nanywhere"
        screen.click(board.cell("a1"), 3)  # the other buttons only point
        assert said(pilot) == "RB/.?\nanywhere"


def test_the_games_with_a_shape_are_those_of_now(library, tmp_path):
    chosen = Filter(shape=Shape(("BW", "..")))
    (tmp_path / "more.sgf").write_text("(;GM[11]SZ[5];B[c4];W[d4];B[a1])")
    with Library(library) as opened, Library(library) as other:
        assert opened.ids(chosen) == [1, 2]
        assert opened.explore(Position.empty(Board(5, 5)), chosen).games == 2
        other.import_paths([tmp_path / "more.sgf"])
        assert opened.ids(chosen) == [1, 2, 4]
        opened.remove([2])
        assert opened.count(chosen) == 2
