"""Inferior cells: dead, captured, vulnerable and dominated ones, and fill-in.

Source: docs/methods.md#inferior-cells, the rules without patterns. The nodes of a colour's reduced
network are the empty cells and its two edges, linked if adjacent or touched by one own group. Numpy
and the kernels are loaded by the first search, as the screen imports the types.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.cells import CellMap, CellPairs, Cells
from hextui.engine.limit import check_analysed
from hextui.engine.orientation import canonical
from hextui.engine.position import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class InferiorRule(enum.StrEnum):
    """Which rule made a cell inferior."""

    CLIQUE = "clique"  # dead: its neighbours in one colour's network are all linked to each other
    REGION = "region"  # dead: one group's empty neighbours cut it off from both of its edges
    PAIR = "pair"  # captured: a stone on either cell of the pair makes the other one dead
    DEAD_AFTER_REPLY = "dead after the reply"  # vulnerable: a reply, the killer, makes it dead
    DEAD_AFTER = "dead after the better move"  # dominated: an own stone on the dominator kills it
    CAPTURED_AFTER = "captured after the better move"  # dominated: an own stone there captures it


@dataclass(frozen=True)
class InferiorCells:
    """The inferior cells of a position, for the side to move.

    ``dead`` cells matter to nobody. ``captured[color]`` maps a cell to its partner, on which
    ``color`` answers the opponent. ``filled`` is the position with all of these filled in to a
    fixpoint. There, ``vulnerable`` maps a cell to the opponent's killing reply, and ``dominated``
    to a move at least as good that is not inferior. If the side to move can win, a cell in
    ``remaining`` wins. ``rules`` names the rule behind each cell. Captured pairs come in the order
    in which they were filled in, all else in row order.
    """

    position: Position
    filled: Position
    dead: Cells
    captured: Mapping[Color, CellPairs]
    vulnerable: CellPairs
    dominated: CellPairs
    rules: CellMap[InferiorRule]

    @property
    def remaining(self) -> Cells:
        """The empty cells that are not inferior, in row order."""
        empties = self.position.empties
        remaining = tuple(cell for cell in empties if cell not in self.rules.numbers)
        return Cells(self.position.board, remaining)


def inferior_cells(position: Position) -> InferiorCells:
    """Return the inferior cells for the side to move; none if the game is over.

    Captured pairs are filled in row order of the canonical orientation: the order can matter.
    """
    import numpy as np

    from hextui.engine.kernels import inferior as kernel

    check_analysed(position.board)
    orientation = canonical(position)
    cell_of = orientation.cell_of
    board = orientation.position.board
    mover = orientation.position.to_move
    stones = np.frombuffer(orientation.position.stones, np.uint8).copy()
    codes = np.zeros(board.cells, np.int8)
    partners = np.full((2, board.cells), -1, np.int32)
    better = np.full(board.cells, -1, np.int32)
    kernel.find_inferior(_around(board), stones, int(mover) - 1, codes, partners, better)
    rule_of = {getattr(kernel, rule.name): rule for rule in InferiorRule}
    codes_of = sorted((cell_of[cell], code) for cell, code in enumerate(codes.tolist()) if code)
    rules = {cell: rule_of[code] for cell, code in codes_of}

    def back(others: "NDArray[np.int32]", *wanted: InferiorRule) -> CellPairs:
        """Return the cells that have another one, by these rules or by any, with that one."""
        pairs = [(cell_of[a], cell_of[b]) for a, b in enumerate(others.tolist()) if b >= 0]
        if wanted:
            pairs = sorted(pair for pair in pairs if rules[pair[0]] in wanted)
        return CellPairs(position.board, dict(pairs))

    filled = position
    if stones.tobytes() != orientation.position.stones:
        filled = orientation.back(Position(board, stones.tobytes(), mover))
    dead_by = (InferiorRule.CLIQUE, InferiorRule.REGION)
    dead = (cell for cell, rule in rules.items() if rule in dead_by)
    return InferiorCells(
        position=position,
        filled=filled,
        dead=Cells.of(position.board, dead),
        captured={orientation.color_back(color): back(partners[color - 1]) for color in Color},
        vulnerable=back(better, InferiorRule.DEAD_AFTER_REPLY),
        dominated=back(better, InferiorRule.DEAD_AFTER, InferiorRule.CAPTURED_AFTER),
        rules=CellMap(position.board, rules),
    )


@lru_cache(4)
def _around(board: Board) -> "NDArray[np.uint64]":
    """Return the neighbours of each cell, with the edges of each colour that it lies on."""
    import numpy as np

    near = np.zeros((2, board.cells + 2, 64 * ((board.cells + 65) // 64)), np.uint8)
    for cell, cells in enumerate(board.neighbours):
        near[:, cell, list(cells)] = 1
    for color in Color:
        for node, edge in enumerate(edges_of(color), start=board.cells):
            near[color - 1, list(board.edge_cells[edge]), node] = 1
    return np.packbits(near, axis=2, bitorder="little").view(np.uint64)
