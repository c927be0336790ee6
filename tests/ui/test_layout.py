import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Size

from hextui.engine.board import Board
from hextui.ui.app.layout import (
    BOARD,
    DIFFERENCES,
    LEAST_COLUMNS,
    LEGEND,
    PLACES,
    Activity,
    TextPlace,
    Wish,
    frame,
    place_texts,
    zooms,
)
from hextui.ui.drawing.geometry import BoardGeometry, View, Zoom
from hextui.ui.panels.all_panels import PANEL_IDS
from hextui.ui.screens.step_screen import MoveScreen, StepScreen
from hextui.ui.widgets.board_widget import BoardWidget
from tests.samples import some

from .helpers import SIZES, click_text, game, press, resize, running, shown, until

AROUND = {BOARD, DIFFERENCES, LEGEND}
sizes = st.builds(Size, st.integers(40, 220), st.integers(16, 70))


def body(width, height):
    return Size(width, height - 5)


def places(wish, width, height, side=11):
    return frame(wish, Board(side, side), body(width, height)).places


def panels(wish, width, height, side=11):
    return {name for name in places(wish, width, height, side) if name not in AROUND}


wishes = st.builds(
    Wish,
    st.sampled_from(Activity),
    st.none() | st.sampled_from(Zoom),
    st.sampled_from(View),
    st.sampled_from(["", *PANEL_IDS]),
    st.sampled_from(["", "", "", BOARD, *PANEL_IDS]),
    st.booleans(),
    st.integers(2, 4),
)


@given(wishes, st.integers(1, 19), st.integers(1, 19), sizes)
def test_nothing_lies_outside_the_screen_or_over_something_else(wish, rows, columns, size):
    found = frame(wish, Board(rows, columns), size).places
    regions = [region for region in found.values() if region]
    assert regions
    cells = [(x, y) for r in regions for x in range(r.x, r.right) for y in range(r.y, r.bottom)]
    assert len(set(cells)) == len(cells)
    assert all(0 <= x < size.width and 0 <= y < size.height for x, y in cells)


@given(wishes, st.integers(1, 19), sizes)
def test_who_is_at_a_panel_sees_it(wish, side, size):
    shown = frame(wish, Board(side, side), size)
    if wish.alone:
        assert wish.alone in shown.places
    elif wish.at_panels:
        assert set(shown.panels)
        assert not wish.guest or wish.guest in shown.places
        assert min(shown.places[name].width for name in shown.panels) >= 28


@given(st.sampled_from(Activity), st.integers(1, 19), sizes)
def test_a_board_that_fits_is_seen_whole(activity, side, size):
    found = frame(Wish(activity), Board(side, side), size)
    geometry = BoardGeometry(Board(side, side), found.zoom)
    smallest = BoardGeometry(Board(side, side), Zoom.COMPACT)
    room = found.places[BOARD]
    if smallest.width <= size.width and smallest.height < size.height:
        assert room.width >= geometry.width
        assert room.height >= geometry.height


@pytest.mark.parametrize(
    ("wish", "size", "side", "names"),
    [
        (Wish(), (80, 24), 11, {"moves"}),
        (Wish(), (100, 30), 11, {"moves", "mistakes", "graph"}),
        (Wish(), (80, 24), 19, set()),  # a board that fits only alone starts alone
        (Wish(Activity.COMPARE), (140, 45), 11, {"agree", "moves"}),
        (Wish(Activity.COMPARE), (80, 24), 11, {"agree"}),
        (Wish(guest="lines"), (80, 24), 11, {"lines"}),  # in place of the last beside the board
        (Wish(guest="lines"), (140, 45), 11, {"moves", "lines", "graph"}),
    ],
)
def test_panels(wish, size, side, names):
    width, height = size
    assert panels(wish, width, height, side) == names


def test_review_at_100_by_30_has_a_graph_below_a_board_of_the_usual_size():
    found = places(Wish(), 100, 30)
    assert found["graph"].y > found[BOARD].y
    assert found["graph"].height == 4
    assert found[BOARD].height == BoardGeometry(Board(11, 11), Zoom.MEDIUM).height


def test_review_at_140_by_45_has_all_its_panels():
    found = places(Wish(), 140, 45)
    assert set(found) - AROUND == {"moves", "record", "graph", "mistakes"}
    assert found["graph"].width == 140
    assert found["graph"].y == max(found["record"].bottom, found[LEGEND].bottom)
    assert found["graph"].bottom == 45 - 5
    assert found["moves"].height >= 10


def test_a_small_board_leaves_the_panels_above_the_graph_their_lines():
    for side in (5, 9, 19):
        found = places(Wish(), 140, 45, side)
        assert {"moves", "mistakes", "record", "graph"} <= set(found)
        assert found["graph"].width == 140
        assert 6 <= found["graph"].height <= 19


def test_explain_leaves_its_reasons_40_columns_of_140_beside_a_board_as_large_as_in_review():
    for side in (9, 11, 13, 14):
        board = Board(side, side)
        explain, review = (
            frame(Wish(a), board, body(140, 45)) for a in (Activity.EXPLAIN, Activity.REVIEW)
        )
        assert list(Zoom).index(explain.zoom) <= list(Zoom).index(review.zoom)
        assert explain.places["explain"].width >= 40
        assert explain.places.keys() >= {"explain", "connections"}


def test_at_200_by_60_the_board_grows_if_it_can():
    small = frame(Wish(), Board(11, 11), body(140, 45)).zoom
    large = frame(Wish(), Board(11, 11), body(200, 60)).zoom
    assert list(Zoom).index(large) <= list(Zoom).index(small)
    assert large is next(iter(Zoom))


@pytest.mark.parametrize(
    ("size", "boards", "zoom"),
    [
        ((80, 24), 1, Zoom.COMPACT),
        ((100, 30), 2, Zoom.COMPACT),
        ((140, 45), 2, Zoom.LARGE),
        ((200, 60), 2, Zoom.HUGE),
        ((200, 60), 3, Zoom.LARGE),
        ((200, 60), 4, Zoom.MEDIUM),
    ],
)
def test_compare_has_large_boards_above_agreement_and_moves(size, boards, zoom):
    found = frame(Wish(Activity.COMPARE, boards=max(boards, 2)), Board(11, 11), body(*size))
    assert (found.boards, found.zoom) == (boards, zoom)
    agree, strip, board = (found.places[name] for name in ("agree", DIFFERENCES, BOARD))
    assert agree.width >= 36
    assert strip.y == board.bottom + 1
    if boards > 1:
        assert agree.y == strip.bottom
    if boards == 2 and size[0] >= 140:
        assert zoom is frame(Wish(), Board(11, 11), body(*size)).zoom


def test_a_board_that_fits_only_alone_scrolls_beside_panels():
    found = places(Wish(at_panels=True), 80, 24, 19)
    assert found["moves"].width == 36
    assert found[BOARD].width == 44


def test_panels_without_room_beside_any_board_stand_in_its_place():
    assert BOARD not in places(Wish(at_panels=True), 40, 16)


@pytest.mark.parametrize("activity", Activity)
def test_places_are_of_panels_that_are_made_or_being_made(activity):
    named = {*PLACES[activity].beside, PLACES[activity].below}
    assert named <= {*PANEL_IDS, "mistakes", "explain"}
    assert named & set(PANEL_IDS)


def test_sizes_that_make_sense_come_largest_first():
    found = zooms(Board(11, 11), View.NORMAL, body(80, 24))
    assert found == sorted(found, key=list(Zoom).index)
    assert Zoom.COMPACT in found
    assert zooms(Board(19, 19), View.NORMAL, body(40, 16)) == [Zoom.COMPACT]


# One layout for all screens with a board

TEXTS: dict[str, type[MoveScreen] | type[StepScreen]] = {
    "play, puzzles, guess": MoveScreen,
    "H, N, W, Y": StepScreen,
}
MAIN = 5, 3  # lines around the body of the main screen, and of a screen with texts


def scale(screen, side, width, height):
    """Return how a screen of this size draws a square board."""
    if screen in list(Activity):
        return frame(Wish(Activity(screen)), Board(side, side), Size(width, height - MAIN[0])).zoom
    kind = TEXTS[screen]
    room = Size(width, height - MAIN[1])
    board = Board(side, side)
    least = kind.TEXT_COLUMNS
    return place_texts(board, View.NORMAL, room, least, in_corner=kind.IN_CORNER)[0]


@pytest.mark.parametrize(
    ("screen", "expected"),
    [
        ("play, puzzles, guess", "medium medium compact | large large medium | huge huge large"),
        ("H, N, W, Y", "compact compact compact | large large compact | huge large large"),
        ("explain", "compact compact compact | large medium compact | huge large large"),
        ("review", "compact compact compact | medium medium compact | huge large large"),
    ],
)
def test_the_scales_of_boards_of_9_11_and_13(screen, expected):
    scales = [
        " ".join(scale(screen, side, *size) for side in (9, 11, 13))
        for size in ((80, 24), (100, 30), (140, 45))
    ]
    assert " | ".join(scales) == expected


@given(st.sampled_from([*TEXTS, *Activity]), st.integers(4, 19), sizes)
def test_nothing_is_drawn_at_2_by_1_where_4_by_1_5_fits(screen, side, size):
    if screen is Activity.COMPARE:
        return  # two boards come before a large one
    if scale(screen, side, *size) is not Zoom.COMPACT:
        return
    medium = BoardGeometry(Board(side, side), Zoom.MEDIUM)
    texts = TEXTS.get(screen)
    lines = size.height - (MAIN[1] if texts else MAIN[0] + 1)
    assert medium.width + LEAST_COLUMNS > size.width or medium.height > lines


@pytest.mark.parametrize("width", range(72, 100))
def test_texts_stand_in_the_corner_of_a_board_that_has_one(width):
    """11x11 at 4 x 1.5 takes 72 columns, which leaves no room for texts beside it."""
    found = place_texts(Board(11, 11), View.NORMAL, Size(width, 20), 30, in_corner=True)
    has_corner = width >= 75
    expected = (Zoom.MEDIUM, TextPlace.CORNER) if has_corner else (Zoom.COMPACT, TextPlace.BESIDE)
    assert found == expected


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", ["5 g r", "H", "N"])
async def test_screens_draw_their_board_as_the_layout_says(size, keys):
    session = game("b2", "d4", "c5", "e6", side=11)
    async with running(session, size) as pilot:
        await press(pilot, *keys.split())
        await until(pilot, lambda: isinstance(pilot.app.screen, (MoveScreen, StepScreen)))
        screen = pilot.app.screen
        name = next(name for name, kind in TEXTS.items() if isinstance(screen, kind))
        board = screen.query_one(BoardWidget)
        assert board.geometry.zoom == scale(name, 11, *size)
        assert board.size.width >= board.geometry.width
        assert board.size.height >= board.geometry.height


async def test_the_bar_of_activities_never_wraps_and_a_click_chooses():
    async with running(size=(40, 30)) as pilot:
        for width in (40, 80, 100, 140, 200):
            await resize(pilot, width, 30)
            await press(pilot, "1")
            top = shown(pilot).splitlines()[0]
            assert "1 Review" in top
            assert ("7 Engines" in top) is (width >= 80)
            await click_text(pilot, "3")
            assert pilot.app.main.panel_actions.wish.activity is Activity.COMPARE
            assert "3 Compare" in shown(pilot).splitlines()[0]


async def test_widgets_follow_their_places_where_the_same_ones_stay():
    async with running(game(side=11), size=(200, 60)) as pilot:
        main = pilot.app.main
        main.workspace.live.choose_evaluators(("k-paths:1", "resistance", "blocking"))
        for key in ("3", "plus", "1", "z", "z", "z"):
            await press(pilot, key)
            offset = main.body.region.offset
            for name, place in main.panel_actions.frame.places.items():
                assert main.query_one(f"#{name}").region == place.translate(offset), (key, name)


NARROW = [(width, height) for height in (3, 24) for width in range(12, 0, -1)]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "key", some(["?", "C", "ctrl+o", "theme", "ctrl+p", *"oVYNQ", "ctrl+e", "ctrl+n"], 2)
)
async def test_whatever_is_open_bears_a_terminal_of_a_few_columns(key):
    async with running(game("a1", "b2")) as pilot:
        if key == "theme":
            pilot.app.action_change_theme()
        else:
            await press(pilot, key)
        assert len(pilot.app.screen_stack) == 2
        for size in NARROW:
            await resize(pilot, *size)
            await press(pilot, "o", "down")
