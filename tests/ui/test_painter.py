"""The board: how cells look in every palette, and the widget that shows and hears them."""

import colorsys
from dataclasses import replace
from itertools import product

import pytest
from textual.app import App
from textual.geometry import Region

from hextui.engine.board import Board, Color, Edge
from hextui.engine.position import Position
from hextui.records.board_view import BoardView, Connected, Mark, Mode
from hextui.ui.drawing.geometry import BoardGeometry, View, Zoom
from hextui.ui.drawing.painter import FEW, WALL, looks, paint_line, pixel_colors
from hextui.ui.drawing.palette import (
    BASIC,
    DARK,
    GREY,
    GREY_ON_LIGHT,
    HIGH_CONTRAST,
    LIGHT,
    READABLE,
    THEMES,
    blend,
    channels,
    contrast,
    heat_color,
    luminance,
)
from hextui.ui.widgets.board_widget import BoardWidget

PALETTES = [DARK, LIGHT, HIGH_CONTRAST, GREY, BASIC]
COLORED = [DARK, LIGHT, HIGH_CONTRAST]
BOARD = Board(5, 5)
EMPTY_BOARD = Position.empty(BOARD)
POSITION = EMPTY_BOARD.play(BOARD.cell("c3")).play(BOARD.cell("d2"))


POSITION_ALONE = BoardView(POSITION)


def cell(name):
    return BOARD.cell(name)


def look(view, name, palette=DARK, narrow=False):
    return looks(view, palette, "#101010", narrow)[cell(name)]


def lines(view, zoom, palette=GREY):
    geometry = BoardGeometry(view.position.board, zoom)
    seen = looks(view, palette, "#101010", zoom is Zoom.COMPACT)
    colors = pixel_colors(seen)
    return [paint_line(pieces, seen, colors).text for pieces in geometry.lines]


def signs(one):
    """Return what a cell shows: its characters, and the colours of it and its border."""
    return (one.left, one.text, one.right, one.ink, one.rim, one.back, one.color)


def test_the_compact_board_without_colours_reads_like_this():
    view = BoardView(POSITION, cursor=cell("a1"))
    assert lines(view, Zoom.COMPACT) == [
        "   a b c d e          ".rstrip().ljust(20),
        " 1 []         1     ",
        "  2       <>   2    ",
        "   3     ()     3   ",
        "    4            4  ",
        "     5            5 ",
        "        a b c d e   ",
    ]


@pytest.mark.parametrize("zoom", list(Zoom))
@pytest.mark.parametrize("palette", COLORED)
def test_stones_are_plain_filled_cells_where_there_are_colours(palette, zoom):
    view = BoardView(POSITION)
    assert not set("()<>") & set("".join(lines(view, zoom, palette)))
    assert look(view, "c3", palette).rim == ""


@pytest.mark.parametrize("palette", COLORED)
def test_stones_side_by_side_can_be_counted(palette):
    position = EMPTY_BOARD
    for at in range(BOARD.cells):
        position = position.with_stone(at, Color.BLACK)
    seen = looks(BoardView(position), palette, "#101010", False)
    for at, around in enumerate(BOARD.neighbours):
        assert all(seen[near].color != seen[at].color for near in around)


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_compact_board_has_rows_of_two_shades_and_lines_between_cells(mirrored):
    seen = looks(BoardView(EMPTY_BOARD), DARK, "#101010", True, mirrored)
    geometry = BoardGeometry(BOARD, Zoom.COMPACT, View.MIRRORED if mirrored else View.NORMAL)
    for at in range(BOARD.cells):
        assert seen[at].text == WALL
        row, _ = geometry.place_of(at)
        assert seen[at].color == DARK.shades[1 + row % 2]


def test_of_16_colours_only_those_are_used():
    everywhere = replace(EVERYTHING, placing=Color.WHITE, mode=Mode.SETUP)
    for view in (EVERYTHING, everywhere, replace(EVERYTHING, connected=None)):
        for narrow in (False, True):
            for one in looks(view, BASIC, "#000000", narrow):
                used = {one.color, one.rim, one.ink, one.back, one.side_ink} - {""}
                for color in used:
                    assert set(channels(color)) <= {0, 0x55, 0xAA, 0xFF}, one


@pytest.mark.parametrize("palette", COLORED)
def test_bands_are_darker_than_stones(palette):
    for band, stone in zip(palette.bands, palette.stones, strict=True):
        assert luminance(band) < luminance(stone)


def test_neighbouring_empty_cells_have_different_shades():
    seen = looks(BoardView(EMPTY_BOARD), DARK, "#101010", False)
    for at, around in enumerate(BOARD.neighbours):
        assert all(seen[near].color != seen[at].color for near in around)


EVERYTHING = BoardView(
    POSITION,
    cursor=cell("a5"),
    last_move=cell("d2"),
    played=cell("d5"),
    must_play=frozenset({cell("e1")}),
    line=(cell("e5"),),
    heat={cell("b3"): 1.0},
    labels={cell("b3"): "1", cell("a4"): "2"},
    verdicts={cell("a4"): True, cell("e4"): False},
    marks={cell("c1"): Mark("vu")},
    outside=frozenset({cell("c5")}),
    first={cell("d1"): True, cell("b5"): False},
    connected=Connected(
        Color.BLACK,
        carrier=frozenset({cell("a1"), cell("b1")}),
        ends=frozenset({cell("a3")}),
        key=cell("b1"),
    ),
)
TOLD = [
    "c3", "d2", "e1", "e5", "a1", "b1", "a3", "a5", "a4", "b3", "c1", "d5", "e3", "c5", "d1", "b5",
]  # fmt: skip


@pytest.mark.parametrize("narrow", [False, True])
def test_characters_alone_tell_everything_apart_without_colours(narrow):
    seen = [look(EVERYTHING, name, GREY, narrow) for name in TOLD]
    marks = [one.left + one.text + one.right for one in seen]
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("narrow", [False, True])
def test_characters_and_colours_tell_everything_apart(palette, narrow):
    seen = [signs(look(EVERYTHING, name, palette, narrow)) for name in (*TOLD, "e4")]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("narrow", [False, True])
def test_the_cursor_hides_no_stone(palette, narrow):
    marks = set()
    for name in ("c3", "d2", "e3"):
        for mode in Mode:
            marks.add(signs(look(BoardView(POSITION, cursor=cell(name), mode=mode), name, palette)))
    assert len(marks) == 3 * len(Mode)


@pytest.mark.parametrize("palette", COLORED)
def test_the_cursor_is_no_players_colour_and_seen_beside_the_last_move(palette):
    view = BoardView(POSITION, cursor=cell("d2"), last_move=cell("d2"))
    one = look(view, "d2", palette)
    red, green, blue = (int(one.rim[at : at + 2], 16) for at in (1, 3, 5))
    assert max(red, green, blue) - min(red, green, blue) < 16
    assert one.back != one.rim


def test_the_must_play_region_is_seen_through_values_marks_and_connections():
    connected = Connected(Color.BLACK, carrier=frozenset({cell("e1")}))
    view = BoardView(
        EMPTY_BOARD,
        heat={cell("a1"): 0.5, cell("b1"): 0.5},
        labels={cell("a1"): "7", cell("b1"): "8"},
        marks={cell("c1"): Mark("vu"), cell("e1"): Mark("xx")},
        connected=connected,
        must_play=frozenset(map(cell, ("a1", "c1", "d1", "e1"))),
    )
    a1, b1, c1, d1, e1 = (look(view, name) for name in ("a1", "b1", "c1", "d1", "e1"))
    assert a1.rim == c1.rim == d1.rim != b1.rim
    assert (a1.text, c1.text, e1.text) == (" 7", "vu", "xx")
    assert (e1.left, e1.right) == (":", ":")
    assert e1.rim != a1.rim
    spelt = [look(view, name, GREY) for name in ("a1", "b1", "c1", "d1")]
    assert [one.left + one.text + one.right for one in spelt] == [": 7:", " 8", ":vu:", "::"]


@pytest.mark.parametrize("palette", COLORED)
@pytest.mark.parametrize("narrow", [False, True])
def test_a_win_is_a_check_and_a_loss_a_small_sign_on_a_dim_cell(palette, narrow):
    view = BoardView(
        EMPTY_BOARD,
        verdicts={cell("c3"): True, cell("b2"): False},
        heat={cell("c3"): 0.5, cell("b2"): 1.0},
        labels={cell("c3"): "2"},
    )
    won, lost = look(view, "c3", palette, narrow), look(view, "b2", palette, narrow)
    assert won.text == "✓2"
    assert won.rim == palette.good
    assert lost.text == ("- " if palette.spelt else "· ")
    shade = look(BoardView(EMPTY_BOARD), "b2", palette, narrow).color
    assert contrast(lost.color, "#101010") < contrast(shade, "#101010")


def test_of_many_wins_those_with_a_rank_stand_out():
    wins = dict.fromkeys(range(FEW), True)
    assert look(BoardView(EMPTY_BOARD, verdicts=wins), "a1").rim == DARK.good
    many = BoardView(EMPTY_BOARD, verdicts=wins | {FEW: True}, labels={0: "1"})
    first, other = (look(many, name) for name in ("a1", "b1"))
    assert (first.rim, other.rim) == (DARK.good, "")
    assert first.color != look(BoardView(EMPTY_BOARD), "a1").color
    assert "✓" in first.text
    assert "✓" in other.text


def test_the_records_next_move_is_a_ring_in_its_players_colour():
    view = BoardView(POSITION, played=cell("a1"))
    assert look(view, "a1").rim == DARK.stones[0]
    labelled = replace(view, heat={cell("a1"): 0.5}, labels={cell("a1"): "3"})
    assert (look(labelled, "a1").rim, look(labelled, "a1").text) == (DARK.stones[0], " 3")
    assert look(labelled, "a1", narrow=True).text == " 3"


def written(look):
    """Yield each text of a look with what is behind it."""
    if look.text.strip(" ▌▐▏▙▟"):
        yield look.ink, look.back or look.color
    if look.left or look.right:
        yield look.side_ink, look.rim or look.color


@pytest.mark.parametrize("palette", [*PALETTES, GREY_ON_LIGHT])
@pytest.mark.parametrize("narrow", [False, True])
def test_all_text_on_the_board_can_be_read(palette, narrow):
    numbers = {cell("c3"): 1, cell("d2"): 102}
    signs = {cell("a2"): "/\\", cell("c3"): "[]"}
    views = [EVERYTHING, replace(EVERYTHING, numbers=numbers), replace(EVERYTHING, markup=signs)]
    views += [replace(view, mode=Mode.SETUP, placing=Color.WHITE) for view in views]
    views += [
        replace(EVERYTHING, cursor=at, placing=stone)
        for at in range(BOARD.cells)
        for stone in Color
    ]
    views += [replace(EVERYTHING, connected=None, must_play=frozenset(range(10)))]
    for color in Color:
        tinted = {cell("a1"): Mark("cR", color, 0.5), cell("b1"): Mark("10", color, 0.75)}
        views.append(BoardView(POSITION, marks=tinted))
    heat = {at: at / BOARD.cells for at in EMPTY_BOARD.empties}
    views += [BoardView(EMPTY_BOARD, heat=heat, labels=dict.fromkeys(heat, "99"), played=7)]
    for view in views:
        for theme in THEMES:
            seen = looks(view, palette, str(theme.background), narrow)
            around = [(one.ink, one.color) for one in seen[BOARD.cells :]]
            on_cells = [pair for one in seen[: BOARD.cells] for pair in written(one)]
            for ink, paper in (*around, *on_cells):
                assert contrast(ink, paper) >= READABLE


@pytest.mark.parametrize("palette", PALETTES)
def test_heat_goes_one_way(palette):
    steps = [luminance(heat_color(palette, value / 10)) for value in range(11)]
    assert sorted(steps) in (steps, steps[::-1])
    assert len(set(steps)) == (2 if palette is BASIC else len(steps))


@pytest.mark.parametrize("palette", COLORED)
def test_heat_has_one_hue_that_is_no_players(palette):
    def hue(color):
        return colorsys.rgb_to_hls(*(part / 255 for part in channels(color)))[0] * 360

    hot = [hue(heat_color(palette, value / 10)) for value in range(11)]
    assert max(hot) - min(hot) < 12
    for color in (*palette.stones, palette.good, palette.must_play):
        assert all(40 < abs(hue(color) - one) < 320 for one in hot)


def test_a_plain_cell_under_the_cursor_is_tinted_like_the_stone_that_enter_would_place():
    view = BoardView(POSITION, cursor=cell("a1"), placing=Color.WHITE)
    shade = look(replace(view, cursor=None), "a1").color
    assert look(view, "a1").color == blend(shade, DARK.stones[1], 0.3)
    setup = look(replace(view, mode=Mode.SETUP, placing=0), "a1")
    assert (setup.left, setup.right, setup.color) == ("{", "}", shade)


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
    assert look(view, "e5", GREY).text == "++"
    carried = look(view, "e5")
    assert carried.text == "  "
    assert len({carried.color, carried.rim, look(POSITION_ALONE, "e5").color}) == 3
    assert look(replace(view, connected=None), "e5").text == "50"


def test_move_numbers_keep_the_colour_and_show_three_digits():
    numbers = {cell("c3"): 7, cell("d2"): 123}
    view = BoardView(POSITION, numbers=numbers)
    assert look(view, "c3").text == " 7"
    assert look(view, "c3").color == look(POSITION_ALONE, "c3").color
    three = look(view, "d2")
    assert three.left + three.text == "123"
    assert look(view, "d2", narrow=True).text == WALL
    assert look(view, "d2", GREY, narrow=True).text == "<>"


def test_without_colours_a_move_number_is_no_rank():
    view = BoardView(POSITION, numbers={cell("c3"): 7, cell("d2"): 12})
    red, blue = look(view, "c3", GREY), look(view, "d2", GREY)
    assert (red.left, red.text, red.right) == ("(", " 7", ")")
    assert (blue.left, blue.text, blue.right) == ("<", "12", ">")
    assert look(view, "c3", GREY, narrow=True).text == "(7"
    assert look(view, "d2", GREY, narrow=True).text == "12"


@pytest.mark.parametrize("palette", COLORED)
@pytest.mark.parametrize("zoom", Zoom)
@pytest.mark.parametrize("name", ["c3", "d2"])
def test_what_is_on_a_stone_leaves_its_colour_to_be_seen(palette, zoom, name):
    """Of a character, the background shows or, where it is a half block, the ink as well."""
    stone = cell(name)
    geometry = BoardGeometry(BOARD, zoom)
    narrow = zoom is Zoom.COMPACT
    on_it = [{}, {"numbers": {stone: 12}}, {"markup": {stone: "A "}}]
    on_it += [{"connected": Connected(Color.BLACK, ends=frozenset([stone]))}]
    ways = [(cursor, last) for cursor in (None, stone) for last in (None, stone)]
    for shown, (cursor, last), mode in product(on_it, ways, Mode):
        view = BoardView(POSITION, cursor=cursor, last_move=last, mode=mode, **shown)
        seen = looks(view, palette, "#101010", narrow)
        color = seen[stone].color
        xs, ys = geometry.extents[stone]
        visible = set()
        for y in ys:
            strip = paint_line(geometry.lines[y], seen, pixel_colors(seen)).crop(xs.start, xs.stop)
            for text, style, _ in strip:
                inks = [style.bgcolor] if text.strip("▀▌▐▙▟ ") else [style.bgcolor, style.color]
                visible |= {ink.name for ink in inks}
        assert color in visible, (shown, cursor, last, mode)
        assert color == look(BoardView(POSITION), name, palette, narrow).color


def test_the_last_move_has_a_dot():
    view = BoardView(POSITION, last_move=cell("c3"))
    one = look(view, "c3")
    assert (one.text, one.back) == ("  ", "#ffffff")
    assert look(view, "c3", narrow=True).text == "▐▌"
    numbered = look(replace(view, numbers={cell("c3"): 1}), "c3")
    assert (numbered.text, numbered.back) == (" 1", "#ffffff")
    spelt = look(view, "c3", GREY)
    assert (spelt.text, spelt.ink, spelt.back) == ("()", "#000000", "#ffffff")


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


# The widget: sizes, clicks, keys, and what it paints again


LARGE_BOARD = Board(11, 11)
LARGE_VIEW = BoardView(Position.empty(LARGE_BOARD), cursor=60, placing=Color.BLACK)


class Host(App):
    def __init__(self, view=LARGE_VIEW):
        super().__init__()
        self.board = BoardWidget(view, self.point, self.click, wheel=self.wheel)
        self.heard = []

    def compose(self):
        yield self.board

    def click(self, cell, button):
        self.heard.append(("click", cell, button))

    def wheel(self, steps):
        self.heard.append(("wheel", steps))

    def point(self, cell):
        self.heard.append(("point", cell))
        self.board.show(replace(self.board.view, cursor=cell))


@pytest.mark.parametrize(
    ("size", "zoom"),
    [
        ((106, 39), Zoom.HUGE),
        ((106, 38), Zoom.LARGE),
        ((80, 30), Zoom.LARGE),
        ((72, 26), Zoom.LARGE),
        ((72, 25), Zoom.MEDIUM),
        ((80, 24), Zoom.MEDIUM),
        ((71, 60), Zoom.COMPACT),
        ((20, 8), Zoom.COMPACT),
    ],
)
async def test_the_largest_zoom_that_fits_is_taken(size, zoom):
    app = Host()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert app.board.geometry.zoom is zoom


@pytest.mark.parametrize("zoom", list(Zoom))
async def test_clicks_name_the_cell_in_every_layout(zoom):
    app = Host()
    async with app.run_test(size=(100, 40)) as pilot:
        app.board.zoom = zoom
        await pilot.pause()
        assert app.board.geometry.zoom is zoom
        for view in View:
            app.board.turned = view
            await pilot.pause()
            left, top = app.board._origin
            for cell in (10, 47):
                x, y = app.board.geometry.centre(cell)
                await pilot.click(app.board, offset=(left + x, top + y))
                assert app.heard[-1] == ("click", cell, 1)


async def test_a_click_beside_the_board_is_none_of_its_business():
    app = Host()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.click(app.board, offset=(1, 1))
        await pilot.click(app.board, offset=(50, 20), button=3)
        assert [heard[2] for heard in app.heard] == [3]


async def test_keys_move_the_cursor_and_stop_at_the_sides():
    app = Host(BoardView(Position.empty(Board(3, 3))))
    async with app.run_test(size=(40, 20)) as pilot:
        app.board.focus()
        await pilot.press("up")  # the first one brings it to the middle
        await pilot.press("up", "up", "l", "left", "j", "h", "right")
        assert [cell for _, cell in app.heard] == [4, 1, 1, 2, 1, 4, 3, 4]


async def test_a_board_larger_than_its_place_follows_the_cursor():
    app = Host(BoardView(Position.empty(Board(19, 19)), cursor=0))
    async with app.run_test(size=(80, 24)) as pilot:
        app.board.zoom = Zoom.LARGE
        await pilot.pause()
        for cell in (0, 18, 19 * 18, 19 * 19 - 1, 180):
            app.board.show(replace(app.board.view, cursor=cell))
            x, y = app.board.geometry.centre(cell)
            left, top = app.board._origin
            assert 0 <= x + left < 79
            assert 0 <= y + top < 24
            assert app.board.cell_under(x + left, y + top) == cell


async def test_only_cells_that_changed_are_painted_again(monkeypatch):
    app = Host()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        asked = []
        monkeypatch.setattr(app.board, "refresh", lambda *regions, **_: asked.extend(regions))
        app.board.show(replace(LARGE_VIEW, position=LARGE_VIEW.position.play(3)))
        columns, lines = app.board.geometry.extents[3]
        place = Region(columns.start, lines.start, len(columns), len(lines))
        assert asked == [place.translate(app.board._origin)]
        asked.clear()
        app.board.show(replace(LARGE_VIEW, position=LARGE_VIEW.position.play(3)))
        assert asked == []


async def test_another_size_of_board_and_another_palette_repaint_everything():
    app = Host()
    async with app.run_test(size=(100, 40)) as pilot:
        app.board.show(BoardView(Position.empty(Board(4, 7))))
        assert app.board.geometry.board == Board(4, 7)
        app.board.palette = LIGHT
        await pilot.pause()
        assert LIGHT.shades[0] in {look.color for look in app.board._pictures[0].looks}
        for theme in ("nord", "textual-light", "textual-dark"):
            app.theme = theme
            app.board.show(replace(LARGE_VIEW, position=LARGE_VIEW.position.play(3)))
            await pilot.pause()
            background = app.board.background_colors[1].hex6.lower()
            (first, *_) = app.board.render_line(0)
            assert first.style.bgcolor.get_truecolor().hex == background
