"""Cost of painting: a whole board from a view to strips and to what goes to the terminal."""

from dataclasses import replace

import pytest
from rich.console import Console

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.ui.drawing.board_view import BoardView
from hextui.ui.drawing.geometry import BoardGeometry, Zoom
from hextui.ui.drawing.painter import looks, paint_line, pixel_colors
from hextui.ui.drawing.palette import DARK


def busy_view(side: int) -> BoardView:
    """A board with a third of its cells taken and values on the rest."""
    board = Board(side, side)
    position = Position.empty(board)
    for cell in range(0, board.cells, 3):
        position = position.play(cell)
    heat = {cell: cell * 7919 % 100 / 100 for cell in position.empties}
    labels = {cell: str(int(value * 100)) for cell, value in heat.items()}
    return BoardView(position, cursor=0, placing=Color.BLACK, heat=heat, labels=labels)


@pytest.mark.parametrize("side", [11, 19])
@pytest.mark.parametrize("zoom", list(Zoom))
def test_full_repaint(benchmark, side, zoom):
    view = busy_view(side)
    geometry = BoardGeometry(view.position.board, zoom)
    console = Console(color_system="truecolor", force_terminal=True)
    assert geometry.lines

    def repaint():
        seen = looks(view, DARK, "#1a1d23", zoom is Zoom.COMPACT)
        colors = pixel_colors(seen)
        strips = [paint_line(pieces, seen, colors) for pieces in geometry.lines]
        return [strip.render(console) for strip in strips]

    benchmark(repaint)


@pytest.mark.parametrize("side", [11, 19])
def test_change_of_one_cell(benchmark, side):
    view = busy_view(side)
    other = replace(view, cursor=1)
    geometry = BoardGeometry(view.position.board, Zoom.LARGE)
    before = looks(view, DARK, "#1a1d23", False)
    assert geometry.lines

    def repaint():
        seen = looks(other, DARK, "#1a1d23", False)
        changed = {
            line
            for owner, (old, new) in enumerate(zip(before, seen, strict=True))
            if old != new
            for line in geometry.lines_of(owner)
        }
        colors = pixel_colors(seen)
        return [paint_line(geometry.lines[line], seen, colors) for line in changed]

    benchmark(repaint)


@pytest.mark.parametrize("side", [11, 19])
def test_layout(benchmark, side):
    benchmark(lambda: BoardGeometry(Board(side, side), Zoom.LARGE).lines)
