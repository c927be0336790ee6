from dataclasses import replace

import pytest
from textual.app import App
from textual.geometry import Region

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.ui.drawing.board_view import BoardView
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.palette import LIGHT
from hextui.ui.widgets.board_widget import BoardWidget

BOARD = Board(11, 11)
VIEW = BoardView(Position.empty(BOARD), cursor=60, placing=Color.BLACK)


class Host(App):
    def __init__(self, view=VIEW):
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
        app.board.show(replace(VIEW, position=VIEW.position.play(3)))
        columns, lines = app.board.geometry.extents[3]
        place = Region(columns.start, lines.start, len(columns), len(lines))
        assert asked == [place.translate(app.board._origin)]
        asked.clear()
        app.board.show(replace(VIEW, position=VIEW.position.play(3)))
        assert asked == []


async def test_another_size_of_board_and_another_palette_repaint_everything():
    app = Host()
    async with app.run_test(size=(100, 40)) as pilot:
        app.board.show(BoardView(Position.empty(Board(4, 7))))
        assert app.board.geometry.board == Board(4, 7)
        app.board.palette = LIGHT
        await pilot.pause()
        assert LIGHT.shades[0] in {look.color for look in app.board._picture.looks}
        for theme in ("nord", "textual-light", "textual-dark"):
            app.theme = theme
            app.board.show(replace(VIEW, position=VIEW.position.play(3)))
            await pilot.pause()
            background = app.board.background_colors[1].hex6.lower()
            (first, *_) = app.board.render_line(0)
            assert first.style.bgcolor.get_truecolor().hex == background
