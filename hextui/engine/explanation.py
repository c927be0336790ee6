"""Why an evaluator gives a move its value: facts alone, which words/explanations.py puts in words.

Nothing here imports numpy, so that the workstation can read explanations without it.
"""

import enum
from dataclasses import dataclass
from fractions import Fraction

from hextui.engine.board import Color
from hextui.engine.position import Position

Amount = int | float | Fraction


@dataclass(frozen=True)
class Term:
    """A term of the formula with its value; ``color``: in whose network, None for both.

    ``numbers`` are those that its meaning mentions; ``name`` is that of a pattern. ``label``: what
    it means, for an evaluator of another package.
    """

    symbol: str
    value: Amount
    color: Color | None = None
    numbers: tuple[Amount, ...] = ()
    name: str = ""
    label: str = ""


class Role(enum.StrEnum):
    """What the cells of a set are in a picture."""

    WAY = "way"  # passed one after the other, from the colour's first side on
    CARRIER = "carrier"  # used by virtual links along the way
    BLOCKED = "blocked"  # closed to the way
    LINKED = "linked"  # linked to the cell in question
    BESIDE = "beside"  # used by the other path that holds this one


@dataclass(frozen=True)
class CellSet:
    """Cells of a picture; those of a way in its order."""

    role: Role
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Wire:
    """A link of two nodes (numbers as in network.py) and the current that it carries."""

    ends: tuple[int, int]
    amount: float


class Shows(enum.Enum):
    """What a picture shows; in brackets the fields that it uses beside cells and colour."""

    PATH = enum.auto()  # an accepted path (level, number, count)
    REFUSED = enum.auto()
    """A refused path (level, number, count), and the path that holds it (holder_level, others)."""
    NOT_LISTED = enum.auto()  # no path of a level with too many (level, count)
    CUT_OFF = enum.auto()  # that a colour has no path
    SHORTEST = enum.auto()  # one of the shortest paths (count)
    OPEN_PATH = enum.auto()
    """A path around blocked cells (number), of which a cell is blocked next (node, -1 for none);
    the opponent misses it with a probability (amount)."""
    NO_MORE_PATHS = enum.auto()  # blocked cells that cut the colour off (number)
    FIRST_PATH = enum.auto()  # the first path where an average is taken over the blocked cells
    CIRCUIT = enum.auto()  # the current through each cell
    NO_CURRENT = enum.auto()  # that no current flows: the sides are joined (amount 0) or cut off
    WIRES = enum.auto()  # the wires at the cell
    LIKELY_MOVES = enum.auto()  # the probability of each move
    BESIDE_SIDE = enum.auto()  # that the cell is linked to a side (node)
    NO_TWO_WAYS = enum.auto()  # that there are no two ways to a side (node)
    BEST_WAY = enum.auto()  # the best way to a side (node, amount: d2 of its second cell)
    SECOND_WAY = enum.auto()  # the second best way to a side (node, amount: as above)
    LINKS = enum.auto()
    """All links of a cell to the nodes ``others``; the last ``count`` are virtual links."""
    LINK = enum.auto()  # a virtual link of a cell (number, count, node)
    NETWORK = enum.auto()
    """Links of a network: all (level 0), or those over no cell (1), two cells (2) or more (3)."""
    BETWEEN_ON_BOARD = enum.auto()  # the betweenness of each cell in a colour's network
    BETWEEN_ON_PATHS = enum.auto()  # the same in the network of its shortest paths


@dataclass(frozen=True)
class Illustration:
    """One step of what can be drawn on a board; `Shows` defines which fields a picture uses.

    ``before``: of the position before the move. ``amounts``: numbers of cells, 0 or more.
    ``level``: of a path, links more than the distance. ``number``: which of ``count`` alike it is,
    from 1; of blocked cells: how many.
    ``links``: pairs of nodes, numbered as in network.py, that lines join.
    """

    shows: Shows
    color: Color | None = None
    parts: tuple[CellSet, ...] = ()
    wires: tuple[Wire, ...] = ()
    amounts: tuple[tuple[int, float], ...] = ()
    level: int = 0
    number: int = 0
    count: int = 0
    node: int = -1
    amount: Amount = 0
    holder_level: int = 0
    others: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    before: bool = False

    def cells(self, role: Role) -> tuple[int, ...]:
        """Return the cells with this role."""
        return tuple(cell for part in self.parts if part.role is role for cell in part.cells)


class Remark(enum.Enum):
    """What a reader of an explanation must know besides."""

    CAPPED = enum.auto()  # a limit stopped a count
    SYMMETRIC = enum.auto()  # the position is its own image: this cell has the same numbers
    CUT_OFF = enum.auto()  # a colour is cut off
    JOINED = enum.auto()  # a colour has joined its sides by a connection
    X_REDUCED = enum.auto()  # an E_k was not positive: x was divided by ten (counts: how often)
    VISITED = enum.auto()  # a search has evaluated so many positions (counts)
    SWAPPABLE = enum.auto()  # the other side may swap the first stone
    BY_WIN_PROBABILITY = enum.auto()  # the network ranks by it, as a swap is possible
    UPDATED = enum.auto()  # a fresh search counts otherwise (distance or None, then levels)
    RANDOM_TIES = enum.auto()  # a small random number only orders equal moves
    BLOCKED_CELLS = enum.auto()  # how the blocked cells are chosen: by lot, or a mean is taken


@dataclass(frozen=True)
class Note:
    """A remark, with the colour, the cell and the counts that it is about."""

    remark: Remark
    color: Color | None = None
    cell: int = -1
    counts: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Facts:
    """The reasons for a move's value; ``after``: of the position after the move."""

    terms: tuple[Term, ...] = ()
    pictures: tuple[Illustration, ...] = ()
    notes: tuple[Note, ...] = ()
    after: bool = False


@dataclass(frozen=True)
class Explanation:
    """Why the evaluator of this name gives ``move``, made in ``before``, its ``value``.

    ``rank`` is its place among ``moves`` legal moves; ``best`` is the move of rank 1.
    """

    evaluator: str
    before: Position
    move: int
    value: float
    rank: int
    moves: int
    best: int
    facts: Facts

    @property
    def position(self) -> Position:
        """What is measured and drawn: the position after the move, or that before it."""
        return self.before.play(self.move) if self.facts.after else self.before
