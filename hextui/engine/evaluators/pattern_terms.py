"""The terms of the evaluator ``patterns`` at each cell, currents and patterns, and their weights.

The board is seen by the side to move, which joins top and bottom, so opposite directions have one
weight. Sides count as stones of their colour. ``pattern_weights.txt`` was learned from games.
"""

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.evaluators.resistance import DIGITS
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.neural.judge import seen_by_mover
from hextui.engine.position import Position

Floats = NDArray[np.float64]
WEIGHTS_FILE = "pattern_weights.txt"
EMPTY_CELL, OWN, OTHER, CORNER = range(4)
MARGIN: Final = 2
LEAST_CURRENT: Final = 1e-3  # added to currents, so that their logarithm is finite
LINES: Final = 4  # lines of cells along a side that have a term each

# the six neighbours, and the six cells that are a bridge away, clockwise; each bridge goes
# over the neighbour of the same number and the next one
NEIGHBOURS: Final = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
BRIDGES: Final = ((-2, 1), (-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1))
TOWARDS: Final = ("along a column", "along the short diagonal", "along a row")
"""How the first three neighbours lie; the others lie opposite."""
OVER: Final = ("ahead", "aside", "along the long diagonal")
"""How the first three bridges lie, and the pairs of neighbours that they go over: ahead is towards
an own side, aside towards one of the opponent's."""

_SIDES = ((OWN, "own"), (OTHER, "opponent's"))
_PAIRS = ((OWN, OWN), (OTHER, OTHER), (OWN, OTHER), (OTHER, OWN))
_WORDS = {OWN: "own", OTHER: "opponent's"}
_BETWEEN = (
    (OTHER, EMPTY_CELL, "in an opponent's bridge"),
    (OTHER, OWN, "cuts an opponent's bridge"),
    (OWN, EMPTY_CELL, "in an own bridge"),
    (OWN, OTHER, "saves an own bridge"),
)
TERMS: Final = (
    "ln own current",
    "ln opponent's current",
    "ln both currents",
    "ln both currents, empty board",
    *(f"{whose} stone {where}" for _, whose in _SIDES for where in TOWARDS),
    *(f"{whose} bridge {where}" for _, whose in _SIDES for where in OVER),
    *(f"{_WORDS[a]}, {_WORDS[b]} stones {where}" for a, b in _PAIRS for where in OVER),
    *(words for *_, words in _BETWEEN),
    *(f"line {line} from {whose} side" for _, whose in _SIDES for line in range(1, LINES + 1)),
    "far from the centre",
    "far from the centre, empty board",
)
"""The names of the terms, in order. Columns join the own sides, rows those of the opponent."""


def terms_of(position: Position, own: Floats, other: Floats) -> Floats:
    """Return the terms of each cell, float64[cells, TERMS], by both currents, float64[cells]."""
    stones = seen_by_mover(position)
    rows, columns = stones.shape
    own_current = _seen(own, position)
    other_current = _seen(other, position)
    empty_share = np.count_nonzero(stones == EMPTY_CELL) / stones.size
    both = np.log(own_current + other_current + LEAST_CURRENT)
    far = _from_the_centre(rows, columns)
    planes = [
        np.log(own_current + LEAST_CURRENT),
        np.log(other_current + LEAST_CURRENT),
        both,
        both * empty_share,
    ]
    planes += _shapes(stones)
    for line in (_line_from_side(rows)[:, None], _line_from_side(columns)[None]):
        planes += [np.broadcast_to(line == n, stones.shape) * 1.0 for n in range(1, LINES + 1)]
    planes += [far, far * empty_share]
    terms = np.stack(planes, axis=-1)
    if position.to_move is Color.WHITE:
        terms = terms.transpose(1, 0, 2)
    return np.ascontiguousarray(terms.reshape(stones.size, len(TERMS)))


def _shapes(stones: NDArray[np.uint8]) -> list[Floats]:
    """Return how often each shape of stones is around each cell, in the order of TERMS."""
    padded = _with_sides(stones)
    near = [_shifted(padded, step) for step in NEIGHBOURS] * 2
    bridged = [_shifted(padded, step) for step in BRIDGES]
    free = [(near[i] == EMPTY_CELL) & (near[i + 1] == EMPTY_CELL) for i in range(6)]
    planes = []
    for side, _ in _SIDES:
        planes += _by_axis([near[i] == side for i in range(6)])
    for side, _ in _SIDES:
        planes += _by_axis([free[i] & (bridged[i] == side) for i in range(6)])
    for a, b in _PAIRS:
        planes += _by_axis([(near[i] == a) & (near[i + 1] == b) for i in range(6)])
    return planes + _shapes_between(near)


def _shapes_between(near: list[NDArray[np.uint8]]) -> list[Floats]:
    """Return how often each shape of _BETWEEN is around each cell, by its neighbours, twice."""
    planes = []
    for ends, middle, _ in _BETWEEN:
        between = [
            (near[i] == ends) & (near[i + 1] == middle) & (near[i + 2] == ends) for i in range(6)
        ]
        planes.append(_counted(between))
    return planes


def _shifted(padded: NDArray[np.uint8], step: tuple[int, int]) -> NDArray[np.uint8]:
    """Return what is one step from each cell, of a board with a margin."""
    rows, columns = padded.shape
    down, right = step
    return padded[MARGIN + down : rows - MARGIN + down, MARGIN + right : columns - MARGIN + right]


def _by_axis(masks: list[NDArray[np.bool_]]) -> list[Floats]:
    """Return the counts of six directions, those of opposite ones together."""
    return [_counted([masks[i], masks[i + 3]]) for i in range(3)]


def _counted(masks: list[NDArray[np.bool_]]) -> Floats:
    """Return how many of the masks hold, by cell."""
    total: Floats = np.array(masks).sum(axis=0, dtype=np.float64)
    return total


def _seen(values: Floats, position: Position) -> Floats:
    """Return values by cell as the side to move sees the board, float64[rows, columns]."""
    shaped = values.reshape(position.board.rows, position.board.columns)
    return shaped.T if position.to_move is Color.WHITE else shaped


def _with_sides(stones: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the board with a margin of its sides; the corners of the margin are nobody's."""
    padded = np.pad(stones, MARGIN, constant_values=CORNER)
    padded[:MARGIN, MARGIN:-MARGIN] = padded[-MARGIN:, MARGIN:-MARGIN] = OWN
    padded[MARGIN:-MARGIN, :MARGIN] = padded[MARGIN:-MARGIN, -MARGIN:] = OTHER
    return padded


def _line_from_side(count: int) -> NDArray[np.int64]:
    """Return for lines of cells which one each is from the nearer side, the first one 1."""
    places = np.arange(count)
    return np.minimum(places, places[::-1]) + 1


def _from_the_centre(rows: int, columns: int) -> Floats:
    """Return the distance in cells of each cell from the board's centre, as a share of its size."""
    down = np.arange(rows)[:, None] - (rows - 1) / 2
    right = np.arange(columns)[None] - (columns - 1) / 2
    steps = np.maximum(np.maximum(abs(down), abs(right)), abs(down + right))
    shares: Floats = steps / max(rows, columns)
    return shares


def read_weights_text(text: str) -> Floats:
    """Return the weights float64[TERMS] in a text's lines; ValueError unless each term has one."""
    weights: dict[str, float] = {}
    for line in text.splitlines():
        number, _, name = line.strip().partition(" ")
        if not number or number.startswith("#"):
            continue
        name = name.strip()
        if name not in TERMS or name in weights:
            raise ValueError(f"no term of patterns, or one that was there before: {name!r}")
        weights[name] = float(number)
    missing = [name for name in TERMS if name not in weights]
    if missing:
        raise ValueError(f"a term of patterns has no weight: {missing[0]!r}")
    return np.array([weights[name] for name in TERMS])


@cache
def shipped_pattern_weights() -> Floats:
    """Return the weights of this version, read when they are first asked for."""
    path = files(__package__) / WEIGHTS_FILE
    return read_weights_text(path.read_text(encoding="utf-8"))


def current_terms(bench: Workbench) -> Floats:
    """Return the terms of the bench's position, float64[cells, TERMS]."""
    mover = bench.position.to_move
    own, other = (bench.circuit(color).current for color in (mover, mover.opponent))
    return terms_of(bench.position, own, other)


def weighed(bench: Workbench) -> tuple[Floats, Floats]:
    """Return the terms of the bench's position, and their weighed sums float64[cells].

    The sums are rounded as currents are.
    """
    terms = current_terms(bench)
    sums = (terms * shipped_pattern_weights()).sum(axis=1)
    return terms, np.round(sums, DIGITS)


def probabilities(sums: Floats) -> Floats:
    """Return the softmax of sums: probabilities that add up to 1."""
    powers = np.exp(sums - sums.max(initial=-np.inf))
    shares: Floats = powers / powers.sum()
    return shares
