"""Inferior cells: dead, captured, vulnerable and dominated ones, and fill-in.

Source: docs/methods.md#inferior-cells, the rules without patterns. They look at the reduced
networks: the nodes of a colour's network are the empty cells and its two edges, linked if they
are adjacent or if one group of own stones touches both.
"""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.inferior_cells import InferiorCells, InferiorRule
from hextui.engine.kernels import inferior as kernel
from hextui.engine.orientation import canonical
from hextui.engine.position import Position

_RULES = {
    kernel.CLIQUE: InferiorRule.CLIQUE,
    kernel.REGION: InferiorRule.REGION,
    kernel.PAIR: InferiorRule.PAIR,
    kernel.DEAD_AFTER_REPLY: InferiorRule.DEAD_AFTER_REPLY,
    kernel.DEAD_AFTER: InferiorRule.DEAD_AFTER,
    kernel.CAPTURED_AFTER: InferiorRule.CAPTURED_AFTER,
}


def inferior_cells(position: Position) -> InferiorCells:
    """Find the inferior cells of the side to move; where somebody has won there are none.

    Captured pairs are filled one after another, the first in row order first. Another order can
    fill other cells, so they are found in the canonical orientation and carried back.
    """
    orientation = canonical(position)
    seen, cell_of = _inferior_cells(orientation.position), orientation.cell_of

    def back(cells: Mapping[int, int]) -> dict[int, int]:
        return {cell_of[cell]: cell_of[other] for cell, other in cells.items()}

    unfilled = seen.filled == seen.position
    return InferiorCells(
        position,
        position if unfilled else orientation.back(seen.filled),
        frozenset(cell_of[cell] for cell in seen.dead),
        {orientation.color_back(color): back(pairs) for color, pairs in seen.captured.items()},
        back(seen.vulnerable),
        back(seen.dominated),
        {cell_of[cell]: rule for cell, rule in seen.rules.items()},
    )


def _inferior_cells(position: Position) -> InferiorCells:
    board, mover = position.board, position.to_move
    stones = np.frombuffer(position.stones, np.uint8).copy()
    codes = np.zeros(board.cells, np.int8)
    partners = np.full((2, board.cells), -1, np.int32)
    better = np.full(board.cells, -1, np.int32)
    kernel.find_inferior(_around(board), stones, int(mover) - 1, codes, partners, better)
    rules = {cell: _RULES[code] for cell, code in enumerate(codes.tolist()) if code}
    pruned = dict(_set(better))

    def by(*wanted: InferiorRule) -> dict[int, int]:
        return {cell: other for cell, other in pruned.items() if rules[cell] in wanted}

    filled = stones.tobytes()
    return InferiorCells(
        position,
        position if filled == position.stones else Position(board, filled, mover),
        frozenset(
            cell
            for cell, rule in rules.items()
            if rule in (InferiorRule.CLIQUE, InferiorRule.REGION)
        ),
        {color: dict(_set(partners[color - 1])) for color in Color},
        by(InferiorRule.DEAD_AFTER_REPLY),
        by(InferiorRule.DEAD_AFTER, InferiorRule.CAPTURED_AFTER),
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
