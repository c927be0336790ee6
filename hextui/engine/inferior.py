"""Inferior cells: dead, captured, vulnerable and dominated ones, and fill-in.

Source: docs/methods.md#inferior-cells, the rules without patterns. They look at the reduced
networks: the nodes of a colour's network are the empty cells and its two edges, linked if they
are adjacent or if one group of own stones touches both.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.kernels import inferior as kernel
from hextui.engine.position import Position


class Rule(enum.StrEnum):
    """Which rule made a cell inferior."""

    CLIQUE = "clique"
    """Dead: its neighbours in one colour's network are all linked to each other."""
    REGION = "region"
    """Dead: one group's empty neighbours cut it off from both edges of that colour."""
    PAIR = "pair"
    """Captured: a stone on either cell of the pair makes the other one dead."""
    DEAD_AFTER_REPLY = "dead after the reply"
    """Vulnerable: the opponent has a reply, the killer, that makes the stone dead."""
    DEAD_AFTER = "dead after the better move"
    """Dominated: an own stone on the dominator makes the cell dead."""
    CAPTURED_AFTER = "captured after the better move"
    """Dominated: an own stone on the dominator captures the cell."""


@dataclass(frozen=True)
class InferiorCells:
    """What need not be looked at in a position.

    ``dead`` cells matter to nobody. ``captured[color][cell]`` is the cell's partner: whichever of
    the two the opponent takes, ``color`` answers on the other. ``filled`` is the position with all
    of these filled in, to a fixpoint; captured pairs and dead cells include those found on the
    way. Dead cells get stones of the side to move. The other two hold in ``filled``, for its
    side to move: ``vulnerable[cell]`` is the opponent's killing reply, ``dominated[cell]`` a move
    that is at least as good and neither vulnerable nor dominated. If the side to move can win,
    one of the cells in ``remaining`` wins. ``rules`` names the rule behind each cell.
    """

    position: Position
    filled: Position
    dead: frozenset[int]
    captured: Mapping[Color, Mapping[int, int]]
    vulnerable: Mapping[int, int]
    dominated: Mapping[int, int]
    rules: Mapping[int, Rule]

    @property
    def remaining(self) -> tuple[int, ...]:
        """The empty cells that are not inferior, in row order."""
        return tuple(cell for cell in self.position.empties if cell not in self.rules)


_RULES = {
    kernel.CLIQUE: Rule.CLIQUE,
    kernel.REGION: Rule.REGION,
    kernel.PAIR: Rule.PAIR,
    kernel.DEAD_AFTER_REPLY: Rule.DEAD_AFTER_REPLY,
    kernel.DEAD_AFTER: Rule.DEAD_AFTER,
    kernel.CAPTURED_AFTER: Rule.CAPTURED_AFTER,
}


def inferior_cells(position: Position) -> InferiorCells:
    """Find the inferior cells of the side to move; where somebody has won there are none.

    Captured pairs are filled one after another, the first in row order first. Another order
    can fill other cells, so a mirrored position need not have the mirrored ones.
    """
    board, mover = position.board, position.to_move
    stones = np.frombuffer(position.stones, np.uint8).copy()
    codes = np.zeros(board.cells, np.int8)
    partners = np.full((2, board.cells), -1, np.int32)
    better = np.full(board.cells, -1, np.int32)
    kernel.find_inferior(_around(board), stones, int(mover) - 1, codes, partners, better)
    rules = {cell: _RULES[code] for cell, code in enumerate(codes.tolist()) if code}
    pruned = dict(_set(better))

    def by(*wanted: Rule) -> dict[int, int]:
        return {cell: other for cell, other in pruned.items() if rules[cell] in wanted}

    filled = stones.tobytes()
    return InferiorCells(
        position,
        position if filled == position.stones else Position(board, filled, mover),
        frozenset(cell for cell, rule in rules.items() if rule in (Rule.CLIQUE, Rule.REGION)),
        {color: dict(_set(partners[color - 1])) for color in Color},
        by(Rule.DEAD_AFTER_REPLY),
        by(Rule.DEAD_AFTER, Rule.CAPTURED_AFTER),
        rules,
    )


def _set(table: NDArray[np.int32]) -> list[tuple[int, int]]:
    """Return the entries that are not -1, with their places."""
    return [(cell, other) for cell, other in enumerate(table.tolist()) if other >= 0]


@lru_cache(4)
def _around(board: Board) -> NDArray[np.uint64]:
    """Return the neighbours of each cell, with the edges of each colour that it lies on."""
    near = np.zeros((2, board.cells + 2, 64 * ((board.cells + 65) // 64)), np.uint8)
    for cell, cells in enumerate(board.neighbours):
        near[:, cell, list(cells)] = 1
    for color in Color:
        for node, edge in enumerate(edges_of(color), start=board.cells):
            near[color - 1, list(board.edge_cells[edge]), node] = 1
    return np.packbits(near, axis=2, bitorder="little").view(np.uint64)
