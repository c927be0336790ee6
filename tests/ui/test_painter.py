from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color, Edge
from hextui.engine.position import Position
from hextui.ui.drawing.board_view import BoardView, Connected, Mark, Mode
from hextui.ui.drawing.geometry import BoardGeometry, Zoom
from hextui.ui.drawing.painter import looks, paint_line
from hextui.ui.drawing.palette import BASIC, DARK, GREY, HIGH_CONTRAST, LIGHT, heat_color, luminance

PALETTES = [DARK, LIGHT, HIGH_CONTRAST, GREY, BASIC]
BOARD = Board(5, 5)
EMPTY_BOARD = Position.empty(BOARD)
POSITION = EMPTY_BOARD.play(BOARD.cell("c3")).play(BOARD.cell("d2"))


def cell(name):
    return BOARD.cell(name)


def look(view, name, palette=DARK, narrow=False):
    return looks(view, palette, "#101010", narrow)[cell(name)]


def lines(view, zoom):
    geometry = BoardGeometry(view.position.board, zoom)
    seen = looks(view, DARK, "#101010", zoom is Zoom.COMPACT)
    return [paint_line(pieces, seen).text for pieces in geometry.lines]


def test_the_compact_board_reads_like_this():
    view = BoardView(POSITION, cursor=cell("a1"))
    assert lines(view, Zoom.COMPACT) == [
        "  a b c d e         ",
        " 1 []         1     ",
        "  2       <>   2    ",
        "   3     ()     3   ",
        "    4            4  ",
        "     5            5 ",
        "        a b c d e   ",
    ]


def test_neighbouring_empty_cells_have_different_shades():
    seen = looks(BoardView(EMPTY_BOARD), DARK, "#101010", False)
    for at, around in enumerate(BOARD.neighbours):
        assert all(seen[near].color != seen[at].color for near in around)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("narrow", [False, True])
def test_marks_alone_tell_everything_apart(palette, narrow):
    view = BoardView(
        POSITION,
        cursor=cell("a5"),
        must_play=frozenset({cell("e1")}),
        line=(cell("e5"),),
        connected=Connected(
            Color.BLACK,
            carrier=frozenset({cell("a1"), cell("b1")}),
            ends=frozenset({cell("a3")}),
            key=cell("b1"),
        ),
    )
    names = ("c3", "d2", "e1", "e5", "a1", "b1", "a3", "a5", "e3")
    seen = [look(view, name, palette, narrow) for name in names]
    marks = [one.left + one.text + one.right for one in seen]
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize("narrow", [False, True])
def test_the_cursor_hides_no_stone(narrow):
    marks = set()
    for name in ("c3", "d2", "e3"):
        for mode in Mode:
            one = look(BoardView(POSITION, cursor=cell(name), mode=mode), name, GREY, narrow)
            marks.add(one.left + one.text + one.right)
    assert len(marks) == 6


def test_the_must_play_region_is_seen_through_values_and_marks():
    view = BoardView(
        EMPTY_BOARD,
        heat={cell("a1"): 0.5, cell("b1"): 0.5},
        labels={cell("a1"): "7", cell("b1"): "8"},
        marks={cell("c1"): Mark("vu")},
        must_play=frozenset(map(cell, ("a1", "c1", "d1"))),
    )
    seen = [look(view, name) for name in ("a1", "b1", "c1", "d1")]
    assert [one.left + one.text + one.right for one in seen] == [": 7:", " 8", ":vu:", "::"]
    assert seen[0].color != seen[1].color


@pytest.mark.parametrize("palette", PALETTES)
def test_text_can_be_read_on_every_heat(palette):
    for value in range(101):
        view = BoardView(EMPTY_BOARD, heat={0: value / 100}, labels={0: str(value)}, cursor=0)
        for narrow in (False, True):
            one = look(view, "a1", palette, narrow)
            low, high = sorted((luminance(one.color), luminance(one.text_color)))
            assert (high + 0.05) / (low + 0.05) > 2.2


@pytest.mark.parametrize("palette", PALETTES)
def test_heat_goes_one_way(palette):
    steps = [luminance(heat_color(palette, value / 10)) for value in range(11)]
    assert sorted(steps) in (steps, steps[::-1])
    assert len(set(steps)) == len(steps)


def test_the_cursor_says_mode_and_whose_stone_enter_places():
    view = BoardView(POSITION, cursor=cell("c3"), placing=Color.WHITE)
    one = look(view, "c3")
    assert (one.left, one.text, one.right) == ("[", "()", "]")
    assert one.side_back == DARK.stones[1]
    one = look(replace(view, mode=Mode.SETUP, placing=0), "c3")
    assert (one.left, one.right, one.side_back) == ("{", "}", one.color)


def test_a_line_number_goes_before_a_value_and_a_connection_before_heat():
    view = BoardView(
        POSITION,
        line=(cell("a1"), cell("b1"), cell("a1")),
        heat={cell("a1"): 0.5, cell("e5"): 0.5},
        labels={cell("a1"): "50", cell("e5"): "50"},
        connected=Connected(Color.WHITE, carrier=frozenset({cell("e5")})),
    )
    assert look(view, "a1").text == "#1"
    assert look(view, "b1").text == "#2"
    assert look(view, "e5").text == "++"
    assert look(replace(view, connected=None), "e5").text == "50"


def test_move_numbers_keep_the_colour_and_show_three_digits():
    numbers = {cell("c3"): 7, cell("d2"): 123}
    view = BoardView(POSITION, numbers=numbers)
    assert look(view, "c3").text == " 7"
    assert look(view, "c3").color == DARK.stones[0]
    three = look(view, "d2")
    assert three.left + three.text == "123"
    assert look(view, "d2", narrow=True).text == "<>"


def test_the_last_move_is_turned_inside_out():
    view = BoardView(POSITION, last_move=cell("c3"))
    one = look(view, "c3")
    assert (one.text, one.text_color, one.text_back) == ("()", one.color, "#ffffff")


def test_the_edges_of_a_connection_are_lit():
    plain = looks(BoardView(EMPTY_BOARD), DARK, "#101010", False)
    connected = Connected(Color.BLACK, edges=frozenset({Edge.TOP}))
    lit = looks(BoardView(EMPTY_BOARD, connected=connected), DARK, "#101010", False)
    assert [a == b for a, b in zip(plain[-5:], lit[-5:], strict=True)] == [False, *[True] * 4]


@pytest.mark.parametrize("palette", PALETTES)
def test_an_empty_label_changes_nothing(palette):
    view = BoardView(POSITION, cursor=cell("a1"), heat={cell("b2"): 0.5})
    labelled = replace(view, labels=dict.fromkeys(range(BOARD.cells), ""))
    for narrow in (False, True):
        seen = looks(view, palette, "#101010", narrow)
        assert looks(labelled, palette, "#101010", narrow) == seen
