"""The best lines of play from a position; minimax.py searches them."""

from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.search.line_settings import LineSettings


@dataclass(frozen=True)
class Line:
    """Moves of both sides in turn, and the value for the side to move at the root.

    ``depth`` is how many moves deep the search was that found it. ``winner`` has won at the end
    of the line, proved; only such a line has fewer moves than ``depth``.
    """

    moves: tuple[int, ...]
    value: float
    depth: int
    winner: Color | None = None


@dataclass(frozen=True)
class Lines:
    """The best lines found so far, those of the deepest search first, each group best first.

    ``searched`` of ``moves`` moves of the root are done at ``depth``. ``nodes`` is how many
    positions were looked at, ``full_nodes`` how many plain minimax of these widths looks at if no
    line ends early. ``winner`` is proved to win already at the root.
    """

    position: Position
    evaluator: str
    settings: LineSettings
    lines: tuple[Line, ...] = ()
    depth: int = 0
    searched: int = 0
    moves: int = 0
    nodes: int = 0
    full_nodes: int = 0
    winner: Color | None = None
    final: bool = False
