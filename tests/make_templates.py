"""Make the tables of edge templates again: ``python -m tests.make_templates`` (some minutes).

For a stone on each row, alone or with a second stone that helps it, the engine finds every minimal
carrier that needs no cell above the stone: the solver says of a set of cells whether the stone
reaches the edge inside it when the other side moves first and has all other cells. Names of those
with one stone are those of HexWiki (https://www.hexwiki.net/index.php/Edge_template): the row, the
number of stones, and a letter, here by the number of cells.

Of those with two stones, one on the fourth row and one on the fourth or third, the ones are kept
that need both and that the rules of the connection search miss, with carriers between cells as
small as the solver has them: be it with the first stone, or before it is played.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.connections import ConnectionSearch, ConnectionSettings
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.proof_board import Mask, bits_of, mask_of
from hextui.engine.solver.search import CELL_LIMITS
from hextui.engine.templates import FILE, STORED, Offset, Offsets, Template, mirrored

NAMES = {
    2: ["template II"],
    3: ["ziggurat", "template III-1-b"],
    4: ["template IV-1-a", "template IV-1-b"],
}
"""What is found of one stone on each row, the smallest first; the ziggurat is III-1-a."""

HELPED_ROW = 4
"""The row of the first of two stones; the second one stands on the same or the next one."""


def cells_of_lines(*lines: tuple[int, int]) -> Offsets:
    """Return a carrier by the first and the last column of each line, from the stone's own on."""
    return frozenset(
        (down, across)
        for down, (first, last) in enumerate(lines)
        for across in range(first, last + 1)
    )


HELPED_NAMES = {
    Template(4, (0, 1), cells_of_lines((1, 0), (-1, 1), (-1, 1), (-2, 1))): "template IV-2-a",
    Template(4, (0, -1), cells_of_lines((1, 0), (-2, 0), (-2, 0), (-3, 0))): "template IV-2-a",
    Template(4, (1, -1), cells_of_lines((1, 1), (0, 2), (-1, 2), (-2, 2))): "template IV-2-b",
    Template(4, (1, -2), cells_of_lines((-1, -1), (-1, 0), (-2, 0), (-3, 0))): "template IV-2-j",
}
"""Names by the diagrams of https://www.hexwiki.net/index.php/Fourth_row_edge_templates; the first
of them joins either of its stones."""

_RULES = ConnectionSettings(captured=True, cell_size_limit=CELL_LIMITS[2])


class Strip:
    """The cells below and beside a stone on a row counted from the edge.

    They reach as far as two columns more than there are rows, to both sides alike. ``helper``: a
    second own stone.
    """

    def __init__(self, row: int, helper: Offset | None = None) -> None:
        left, right = row + 2, 3
        self._board = Board(row + 1, left + right + 1)
        self._stone = self._board.columns + left
        cells = {
            (down, across)
            for down in range(row)
            for across in range(-left, right + 1)
            if (down, across) != (0, 0) and -left <= -across - down <= right
        }
        self.cells: Offsets = frozenset(cells - {helper})
        lead = left + 1  # from the stone to the other edge
        self._own = mask_of([self._stone, lead, *(self._place(c) for c in (helper,) if c)])
        self._known: dict[Mask, bool] = {}
        self._solver = Solver(self._board, SolverSettings(table_bytes=1 << 24, templates=False))
        self._links = ConnectionSearch(self._board, Color.BLACK, _RULES)

    def _place(self, offset: Offset) -> int:
        return self._stone + offset[0] * self._board.columns + offset[1]

    def _mask(self, carrier: Offsets) -> Mask:
        return mask_of(map(self._place, carrier))

    def _offsets(self, cells: Mask) -> Offsets:
        columns, (line, across) = self._board.columns, divmod(self._stone, self._board.columns)
        places = (divmod(cell, columns) for cell in bits_of(cells))
        return frozenset((there - line, beside - across) for there, beside in places)

    def _position(self, carrier: Mask, own: Mask) -> Position:
        stones = bytes(
            Color.BLACK if own >> cell & 1 else 0 if carrier >> cell & 1 else Color.WHITE
            for cell in range(self._board.cells)
        )
        return Position(self._board, stones, Color.WHITE)

    def position(self, carrier: Offsets) -> Position:
        """Return the position in which all cells outside the carrier are the other side's."""
        return self._position(self._mask(carrier), self._own)

    def joins(self, carrier: Offsets) -> bool:
        """Return whether the stone reaches the edge inside the carrier."""
        return self._joins(self._mask(carrier))

    def _joins(self, carrier: Mask) -> bool:
        if carrier not in self._known:
            position = self._position(carrier, self._own)
            winner = position.winner
            if winner is None:
                *_, solution = self._solver.solve(position)
                winner = solution.winner
            self._known[carrier] = winner is Color.BLACK
        return self._known[carrier]

    def is_found(self, carrier: Offsets) -> bool:
        """Return whether the rules find it inside the carrier, with the stone and before it."""
        ends = self._stone, self._board.cells + 1
        stone = 1 << self._stone
        for own, empty in ((self._own, 0), (self._own & ~stone, stone)):
            self._links.search(self._position(self._mask(carrier) | empty, own))
            found = self._links.table().between(*ends)
            if not any(one.kind is ConnectionKind.FULL for one in found):
                return False
        return True

    def minimal_carriers(self) -> list[Offsets]:
        """Return all minimal carriers.

        A set between the minimal ones that join and the largest ones that do not is tried until
        there is none left: no set then needs to be tried twice.
        """
        whole = self._mask(self.cells)
        joining: list[Mask] = []
        failing: list[Mask] = []
        barren: set[Mask] = set()  # nothing is left to try inside these

        def untried(cells: Mask) -> Mask | None:
            if cells in barren or any(not cells & ~other for other in failing):
                return None
            inside = next((one for one in joining if not one & ~cells), None)
            if inside is None:
                return cells
            for cell in bits_of(inside):
                left = untried(cells & ~(1 << cell))
                if left is not None:
                    return left
            barren.add(cells)
            return None

        while (cells := untried(whole)) is not None:
            if self._joins(cells):
                for cell in bits_of(cells):
                    if self._joins(cells & ~(1 << cell)):
                        cells &= ~(1 << cell)
                joining.append(cells)
            else:
                for cell in bits_of(whole & ~cells):
                    if not self._joins(cells | 1 << cell):
                        cells |= 1 << cell
                failing.append(cells)
        return [self._offsets(carrier) for carrier in joining]


def templates(row: int) -> list[Offsets]:
    """Return all minimal carriers of a stone on a row."""
    return Strip(row).minimal_carriers()


def helpers(row: int) -> list[Offset]:
    """Return the places of a second stone beside one on a row, one of each two mirror images."""
    near = sorted(cell for cell in Strip(row).cells if cell[0] < 2)
    images = ((cell, mirrored(frozenset({cell}))) for cell in near)
    return [cell for cell, (image,) in images if cell <= image]


def helped_templates(row: int, helper: Offset) -> Iterator[Template]:
    """Yield the templates of two stones to be stored."""
    alone = templates(row)
    strip = Strip(row, helper)
    for carrier in strip.minimal_carriers():
        if not any(one <= carrier for one in alone) and not strip.is_found(carrier):
            yield Template(row, helper, carrier)


def main() -> None:
    """Write the files."""
    table = {}
    for row, names in NAMES.items():
        found = sorted({min(c, mirrored(c), key=sorted) for c in templates(row)}, key=len)
        print(row, [len(carrier) for carrier in found], flush=True)
        for name, carrier in zip(names, found, strict=True):
            table[name] = {"row": row, "carrier": sorted(map(list, carrier))}
    Path(FILE).write_text(json.dumps(table) + "\n", encoding="utf-8")
    helped = []
    for helper in helpers(HELPED_ROW):
        found_here = list(helped_templates(HELPED_ROW, helper))
        print(helper, sorted(len(one.carrier) for one in found_here), flush=True)
        helped += found_here
    helped.sort(key=lambda one: (len(one.carrier), one.stone, sorted(one.carrier)))
    rows = []
    for one in helped:
        named = HELPED_NAMES.get(one) or HELPED_NAMES.get(one.mirrored)
        entry = {"row": one.row, "stone": one.stone, "carrier": sorted(one.carrier)}
        rows.append(json.dumps({"name": named, **entry} if named else entry))
    Path(STORED).write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
