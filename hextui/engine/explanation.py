"""Why an evaluator gives a move its number: terms, source, and what of it can be painted.

All of it is frozen and needs no library of the engine, so that the screen can be told. Texts hold
``{black}`` and ``{white}`` where a player is named (player_texts.py).
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from hextui.engine.board import Color
from hextui.engine.position import Position

Amount = int | float | Fraction


@dataclass(frozen=True)
class Source:
    """Where a method is told: ``where`` is the equation, or the name that it has there."""

    authors: str
    year: int
    title: str
    where: str
    link: str


@dataclass(frozen=True)
class Term:
    """A term of the formula with its value; ``color``: in whose network, None for both."""

    symbol: str
    value: Amount
    meaning: str
    color: Color | None = None


class Role(StrEnum):
    """What the cells of a part are to its painting."""

    WAY = "way"
    """Passed one after the other, from the colour's first side on."""
    CARRIER = "carrier"
    """Used by virtual links along the way."""
    BLOCKED = "blocked"
    """Closed to the way."""
    LINKED = "linked"
    """Linked to the cell in question."""
    BESIDE = "beside"
    """Used by the other path that holds this one."""


@dataclass(frozen=True)
class CellSet:
    """Cells of a painting; those of a way in its order."""

    role: Role
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Wire:
    """A link of two nodes (numbers as in network.py), and how much current it carries."""

    ends: tuple[int, int]
    carrier: frozenset[int]
    amount: float


@dataclass(frozen=True)
class Painting:
    """One step of what can be painted.

    ``group`` names the set it is of. ``amounts`` are numbers of cells, 0 or more.
    """

    group: str
    text: str
    color: Color | None = None
    parts: tuple[CellSet, ...] = ()
    wires: tuple[Wire, ...] = ()
    amounts: tuple[tuple[int, float], ...] = ()

    def cells(self, role: Role) -> tuple[int, ...]:
        """Return the cells with this role."""
        return tuple(cell for part in self.parts if part.role is role for cell in part.cells)


@dataclass(frozen=True)
class Explanation:
    """Why ``evaluator`` gives ``move``, made in ``before``, its ``value``.

    ``rank`` is its place among ``moves`` legal moves. ``position`` is what is measured and
    painted: that after the move, or that before it. ``direction`` says which values are good.
    """

    evaluator: str
    before: Position
    position: Position
    move: int
    value: float
    rank: int
    moves: int
    sentence: str
    formula: str
    direction: str
    source: Source
    terms: tuple[Term, ...]
    paintings: tuple[Painting, ...]
    notes: tuple[str, ...] = ()
