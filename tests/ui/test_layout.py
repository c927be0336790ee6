from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Size

from hextui.engine.board import Board
from hextui.ui.drawing.geometry import BoardGeometry, View, Zoom
from hextui.ui.layout import Arrangement, arrangements, panel_count


def ways(side, width, height):
    return arrangements(Board(side, side), View.NORMAL, Size(width, height - 3))


def test_80_by_24_is_compact_beside_a_panel_and_the_full_board_alone():
    assert ways(11, 80, 24) == (
        Arrangement(Zoom.COMPACT, 40, True),
        Arrangement(Zoom.MEDIUM, 80, False),
    )


def test_100_by_30_has_room_for_the_large_board_and_panels():
    first = ways(11, 100, 30)[0]
    assert first == Arrangement(Zoom.LARGE, 72, True)


def test_a_board_that_fits_only_alone_starts_alone():
    assert ways(19, 80, 24) == (
        Arrangement(Zoom.COMPACT, 80, False),
        Arrangement(Zoom.COMPACT, 44, True),
    )


def test_a_board_that_fits_nowhere_scrolls_and_panels_stand_in_its_place():
    assert ways(19, 40, 16) == (
        Arrangement(Zoom.COMPACT, 40, False),
        Arrangement(Zoom.COMPACT, 0, True),
    )


@given(st.integers(1, 19), st.integers(40, 200), st.integers(16, 60))
def test_there_is_always_a_way_and_panels_keep_their_width(side, width, height):
    found = ways(side, width, height)
    assert len(set(found)) == len(found) > 0
    for way in found:
        assert way.board_columns <= width
        if way.panels:
            assert width - way.board_columns >= (36 if width < 100 else 28)
    boards = [BoardGeometry(Board(side, side), way.zoom) for way in found]
    fits = [
        board.width <= way.board_columns and board.height <= height - 3
        for board, way in zip(boards, found, strict=True)
    ]
    assert fits[0] or not any(fits)


def test_how_many_panels_are_shown():
    widths = (80, 99, 100, 139, 140, 200)
    assert [panel_count(Size(width, 45)) for width in widths] == [1, 1, 2, 2, 4, 4]
    assert panel_count(Size(140, 30)) == 3


async def test_tabs_wrap_and_a_click_chooses():
    from textual.app import App

    from hextui.ui.widgets.tabs import TabBar

    names = ["Moves", "Record", "Connections", "Lines", "Solver", "Explorer", "Graph"]
    chosen = []

    class Tabs(App[None]):
        def compose(self):
            yield TabBar(names)

        def on_tab_bar_chosen(self, event):
            chosen.append(event.name)

    async with Tabs().run_test(size=(36, 10)) as pilot:
        await pilot.pause()
        bar = pilot.app.query_one(TabBar)
        assert bar.size.height == 2
        lines = [strip.text for strip in pilot.app.screen._compositor.render_strips()]
        assert all(any(name in line for line in lines[:2]) for name in names)
        for name in names:
            y = next(y for y, line in enumerate(lines) if name in line)
            await pilot.click(offset=(lines[y].index(name), y))
        assert chosen == names
