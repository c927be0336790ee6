"""What a picture of the board carries of what the screen shows."""

from hextui.engine.board import Color
from hextui.records.markup import Highlights
from hextui.ui.drawing.board_view import BoardView, Connected
from hextui.ui.drawing.overlays import Shown, legend, told_by_heat


def highlights(view: BoardView, shown: Shown) -> Highlights:
    """Return what is shown of a position besides its stones, for a picture of it."""
    connected = view.connected or Connected(Color.BLACK)
    line = {cell: f"#{n}" for n, cell in reversed(list(enumerate(view.line, 1)))}
    marks = {cell: mark.text.strip() for cell, mark in view.marks.items()}
    key = {} if connected.key is None else {connected.key: "@@"}
    return Highlights(
        labels={**view.labels, **marks, **key, **line},
        heat=view.heat,
        verdicts=view.verdicts,
        carrier=connected.carrier,
        color=connected.color,
        key=connected.key,
        must_play=view.must_play,
        last_move=view.last_move,
        played=view.played,
        name=told_by_heat(view, shown),
        legend=legend(view, shown).replace("  ", ", "),
    )
