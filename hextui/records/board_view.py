"""What a board shows: one frozen value, from which it is painted, or drawn as a diagram."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from hextui.engine.board import EMPTY, Color, Edge
from hextui.engine.position import Position


class Mode(enum.StrEnum):
    """What Enter and a click do: play a move, place a stone, or mark cells for searches."""

    PLAY = "play"
    SETUP = "setup"
    REGION = "region"


@dataclass(frozen=True)
class Connected:
    """A connection to paint: the empty cells it needs, its ends, and its key if it is a semi."""

    color: Color
    carrier: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    edges: frozenset[Edge] = frozenset()
    key: int | None = None


@dataclass(frozen=True)
class Mark:
    """Two characters in an empty cell, and how strongly (0 to 1) a player's colour tints it."""

    text: str
    tint: Color | None = None
    strength: float = 0.0


@dataclass(frozen=True)
class BoardView:
    """All that a board shows, apart from zoom, view and colours.

    Of empty cells: ``heat`` from 0 (weak) to 1 (strong), ``ranked_by`` the evaluator if these are
    ranks, ``labels`` of at most two characters, ``verdicts`` whether a move there is proved to win
    or to lose. ``markup`` is the record's own, two characters, on stones too. ``line`` are moves
    shown by their numbers, without a cell (-1) where a side passes; ``numbers`` are those of the
    stones' moves. ``placing`` is the stone that Enter places at the cursor; ``played`` is the cell
    of the record's next move, or of the user's own if it was ``tried`` in a variation. Searches
    ignore cells ``outside`` the region and consider as ``first`` moves only those that are True, or
    not those that are False; ``unheeded``: these marks leave no move and are ignored. A diagram
    names ``source``, what heat and labels are, and ``legend``, what all that is shown means.
    ``differing`` cells are those that compared evaluators rank most differently. ``links`` are
    drawn as lines in the colour of ``links_of``: pairs of nodes, cells or sides, of its network.
    """

    position: Position
    cursor: int | None = None
    mode: Mode = Mode.PLAY
    placing: int = EMPTY
    last_move: int | None = None
    played: int | None = None
    tried: bool = False
    line: tuple[int, ...] = ()
    numbers: Mapping[int, int] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    heat: Mapping[int, float] = field(default_factory=dict)
    ranked_by: str = ""
    verdicts: Mapping[int, bool] = field(default_factory=dict)
    connected: Connected | None = None
    must_play: frozenset[int] = frozenset()
    marks: Mapping[int, Mark] = field(default_factory=dict)
    markup: Mapping[int, str] = field(default_factory=dict)
    outside: frozenset[int] = frozenset()
    first: Mapping[int, bool] = field(default_factory=dict)
    unheeded: bool = False
    differing: frozenset[int] = frozenset()
    links: tuple[tuple[int, int], ...] = ()
    links_of: Color = Color.BLACK
    source: str = ""
    legend: str = ""

    @property
    def line_numbers(self) -> dict[int, int]:
        """The numbers of the line's moves by their cells; passes are not counted."""
        played = [cell for cell in self.line if cell >= 0]
        return {cell: number for number, cell in reversed(list(enumerate(played, 1)))}

    @property
    def connection(self) -> Connected:
        """The connection to paint; without cells if there is none."""
        return self.connected or Connected(Color.BLACK)
