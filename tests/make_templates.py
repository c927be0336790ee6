"""Make the table of edge templates again: ``python -m tests.make_templates`` (some seconds).

For one stone on each row the engine finds every minimal carrier that needs no cell above the
stone: the solver says of a set of cells whether the stone reaches the edge inside it when the
other side moves first and has all other cells, and minimal sets are found until none is left.
Their names are those of HexWiki (https://www.hexwiki.net/index.php/Edge_template): the row, the
number of stones, and a letter, here by the number of cells.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.templates import FILE, Offsets, mirrored

NAMES = {
    2: ["template II"],
    3: ["ziggurat", "template III-1-b"],
    4: ["template IV-1-a", "template IV-1-b"],
}
"""What is found on each row, the smallest first; the ziggurat is template III-1-a."""


class Strip:
    """The cells below and beside a stone on a row counted from the edge.

    They reach as far as two columns more than there are rows, to both sides alike.
    """

    def __init__(self, row: int) -> None:
        self.row = row
        left, right = row + 2, 3
        self._stone = left
        self._board = Board(row + 1, left + right + 1)
        self._known: dict[Offsets, bool] = {}
        self._solver = Solver(self._board, SolverSettings(table_bytes=1 << 24))
        self.cells: Offsets = frozenset(
            (down, across)
            for down in range(row)
            for across in range(-left, right + 1)
            if (down, across) != (0, 0) and -left <= -across - down <= right
        )

    def joins(self, carrier: Offsets) -> bool:
        """Tell whether the stone reaches the edge inside the carrier."""
        if carrier not in self._known:
            self._known[carrier] = self._joins(carrier)
        return self._known[carrier]

    def _joins(self, carrier: Offsets) -> bool:
        board = self._board
        stones = bytearray([Color.WHITE]) * board.cells
        stones[self._stone + 1] = Color.BLACK  # leads from the stone to the other edge
        stones[board.columns + self._stone] = Color.BLACK
        for down, across in carrier:
            stones[(down + 1) * board.columns + self._stone + across] = 0
        position = Position(board, bytes(stones), Color.WHITE)
        if position.winner is not None:
            return position.winner is Color.BLACK
        *_, solution = self._solver.solve(position)
        return solution.winner is Color.BLACK

    def minimal(self, carrier: Offsets) -> Offsets:
        """Return a minimal carrier inside one that joins."""
        for cell in sorted(carrier):
            if self.joins(carrier - {cell}):
                carrier -= {cell}
        return carrier


def templates(row: int) -> list[Offsets]:
    """Return all minimal carriers of a stone on a row."""
    strip = Strip(row)
    found: list[Offsets] = []
    while (left := _without_all(strip, found)) is not None:
        carrier = strip.minimal(left)
        found += dict.fromkeys((carrier, mirrored(carrier)))
    return found


def _without_all(strip: Strip, found: list[Offsets]) -> Offsets | None:
    """Return cells that join and contain none of the carriers found, None if there are none."""

    def search(cells: Offsets) -> Iterator[Offsets]:
        if not strip.joins(cells):
            return
        whole = next((carrier for carrier in found if carrier <= cells), None)
        if whole is None:
            yield cells
            return
        for cell in sorted(whole):
            yield from search(cells - {cell})

    return next(search(strip.cells), None)


def main() -> None:
    """Write the file."""
    table = {}
    for row, names in NAMES.items():
        found = sorted({min(c, mirrored(c), key=sorted) for c in templates(row)}, key=len)
        print(row, [len(carrier) for carrier in found])
        for name, carrier in zip(names, found, strict=True):
            table[name] = {"row": row, "carrier": sorted(map(list, carrier))}
    Path(FILE).write_text(json.dumps(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
