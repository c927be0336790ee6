"""The best lines of play and the settings of their search; imports nothing heavy."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.orientation import Orientation
from hextui.engine.position import Position

if TYPE_CHECKING:
    from hextui.engine.solver.search import SearchAnswer

DEFAULT_SEARCH = "search"  # who judges lines and plays by default: docs/studies.md#which-evaluator
DEFAULT_EVALUATOR = "resistance"  # that of a minimax, the strongest of those measured there
LIVE_EVALUATORS = (
    DEFAULT_SEARCH,
    "network",
    "contribution-both:1",
    "resistance",
    "k-paths:1",
    "shortest-path",
)
"""Those that rank live, and review whole games. The first has the focus; the others have results
earlier, in this order: the next finds most moves of strong players (docs/network.md)."""
DEFAULT_WIDTHS = (8, 6, 4, 2, 0)
LITERAL = "/literal"  # behind an evaluator's name: the search is literal
_MINIMAX = re.compile(r"minimax\((.*)\)")


@dataclass(frozen=True)
class LineSettings:
    """How wide the search is at each ply, the last one 0, and how many lines it keeps.

    ``literal``: as in docs/methods.md#selective-minimax, with no proofs and no move left out.
    """

    widths: tuple[int, ...] = DEFAULT_WIDTHS
    count: int = 5
    literal: bool = False

    def __post_init__(self) -> None:
        if not self.widths or self.widths[-1] != 0 or any(w < 1 for w in self.widths[:-1]):
            shown = ",".join(map(str, self.widths))
            raise ValueError(f"widths are 1 or more and end with 0 (8,6,4,2,0), not {shown!r}")
        if self.count < 1:
            raise ValueError(f"the number of lines is 1 or more, not {self.count}")


def parse_widths(text: str) -> tuple[int, ...]:
    """Read widths such as ``8,6,4,2,0``; raises ValueError for anything else.

    >>> parse_widths("8, 4,0")
    (8, 4, 0)
    """
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words):
        raise ValueError(f"widths are numbers with commas between them (8,6,4,2,0), not {text!r}")
    return LineSettings(tuple(map(int, words))).widths


def split_literal(name: str) -> tuple[str, bool]:
    """Return the name of an evaluator of lines, and whether the search is to be literal.

    >>> split_literal("blocking/literal"), split_literal("resistance")
    (('blocking', True), ('resistance', False))
    """
    return name.removesuffix(LITERAL), name.endswith(LITERAL)


def minimax_named(name: str) -> tuple[str, LineSettings] | None:
    """Return the evaluator and the settings, for one line, in the name of a minimax player.

    None for another name; raises ValueError for impossible widths.

    >>> minimax_named("minimax(k-paths:0/8,4,0/literal)")
    ('k-paths:0', LineSettings(widths=(8, 4, 0), count=1, literal=True))
    """
    match = _MINIMAX.fullmatch(name.strip())
    if match is None:
        return None
    inside, literal = split_literal(match[1])
    chosen, *widths = inside.split("/", 1)
    return chosen, LineSettings(parse_widths(*widths) if widths else DEFAULT_WIDTHS, 1, literal)


@dataclass(frozen=True)
class Line:
    """Moves of both sides in turn, and the value of the end for the side that moves first.

    ``depth``: of the search that found it, in moves. ``winner`` has a proved win at the end of the
    line, which then may have fewer moves; the value is then inf or -inf.
    """

    moves: Cells
    value: float
    depth: int
    winner: Color | None = None

    def back(self, orientation: Orientation) -> "Line":
        """Return the line from a position in another orientation for the position itself."""
        moves = tuple(orientation.cell_of[cell] for cell in self.moves.numbers)
        winner = self.winner and orientation.color_back(self.winner)
        return replace(self, moves=Cells(orientation.board, moves), winner=winner)


@dataclass(frozen=True)
class Lines:
    """The best lines found so far, those of the deepest search first, each group best first.

    ``searched`` of ``moves`` moves of the root are done at ``depth``. ``nodes`` positions were
    evaluated, ``full_nodes`` are those of plain minimax. ``winner`` is proved to win at the root.
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

    def back(self, orientation: Orientation) -> "Lines":
        """Return the lines of a position in another orientation for the position itself."""
        return replace(
            self,
            position=orientation.back(self.position),
            lines=tuple(line.back(orientation) for line in self.lines),
            winner=self.winner and orientation.color_back(self.winner),
        )


SolverLookup = Callable[[Position], "SearchAnswer | None"]
"""What is known of a position, in any orientation."""
