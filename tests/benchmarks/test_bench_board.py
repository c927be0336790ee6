"""Cost of painting two boards, from a view to what goes to the terminal."""

from dataclasses import replace

import pytest
from rich.console import Console

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.records.board_view import BoardView
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


@pytest.mark.parametrize(("side", "zoom"), [(11, Zoom.COMPACT), (11, Zoom.LARGE), (13, Zoom.LARGE)])
def test_repaint_of_two_boards(benchmark, side, zoom):
    first = busy_view(side)
    second = replace(first, heat={cell: 1 - heat for cell, heat in first.heat.items()})
    geometry = BoardGeometry(first.position.board, zoom)
    console = Console(color_system="truecolor", force_terminal=True)
    assert geometry.lines

    def repaint():
        for view in (first, second):
            seen = looks(view, DARK, "#1a1d23", zoom is Zoom.COMPACT)
            colors = pixel_colors(seen)
            for pieces in geometry.lines:
                paint_line(pieces, seen, colors).render(console)

    benchmark(repaint)
