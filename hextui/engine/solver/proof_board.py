"""The rules of Hex for checking proofs: groups, connections by their steps, dead cells.

Sets of cells are ints, bit c for cell c; bits ``cells`` and ``cells + 1`` are the edges of one
colour, the top or left one first.
"""

from collections.abc import Callable, Iterable, Iterator

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.limit import TooCostlyError
from hextui.engine.solver.proof import And, Or, Touch

Mask = int


MOST_WORK = 30_000_000  # cells and steps visited: some seconds. 21 MB of the solver take 4,500,000


class RuleError(ValueError):
    """A step that breaks a rule; the message says how."""


class ProofBoard:
    """A board for one winner: its stones are given as sets, all other cells are the loser's."""

    def __init__(self, board: Board, winner: Color) -> None:
        self._cells = board.cells
        self._all = (1 << board.cells) - 1
        self._around = {color: _around(board, color) for color in Color}
        self._winner = winner
        self._work = 0

    def spend(self, work: int) -> None:
        """Count cells and steps visited; raises TooCostlyError beyond `MOST_WORK`."""
        self._work += work
        if self._work > MOST_WORK:
            raise TooCostlyError("a proof that takes too long to check: give connections steps")

    def _group(self, start: int, stones: Mask, around: list[Mask]) -> tuple[Mask, Mask]:
        """Return the group of a stone or an edge, and all that the group touches."""
        group = fresh = 1 << start
        touched = 0
        while fresh:
            low = fresh & -fresh
            spread = around[low.bit_length() - 1]
            touched |= spread
            fresh = (fresh ^ low) | (spread & stones & ~group)
            group |= fresh
        self.spend(group.bit_count())
        return group, touched & ~group

    def joins(self, own: Mask) -> bool:
        """Return whether these stones of the winner join the winner's edges."""
        _, touched = self._group(self._cells, own, self._around[self._winner])
        self.spend(touched.bit_count())
        return bool(touched >> self._cells + 1 & 1)

    # Leaves

    def play_out(self, own: Mask, carrier: Mask, loser_first: bool) -> Mask | None:
        """Return the cells that the winner needs to connect, None if it cannot."""
        needs: dict[tuple[Mask, Mask], Mask | None] = {}

        def second(own: Mask, left: Mask) -> Mask | None:
            """The loser moves: what no answer so far can do without has to be answered."""
            if self.joins(own):
                return 0
            if not self.joins(own | left):
                return None
            if (own, left) not in needs:
                open_cells, needed = left, 0
                answer: Mask | None = 0
                while open_cells and answer is not None:
                    answer = first(own, left & ~(open_cells & -open_cells))
                    if answer is not None:
                        open_cells &= answer
                        needed |= answer
                needs[own, left] = None if answer is None else needed
            return needs[own, left]

        def first(own: Mask, left: Mask) -> Mask | None:
            for cell in bits_of(left):
                needed = second(own | 1 << cell, left & ~(1 << cell))
                if needed is not None:
                    return needed | 1 << cell
            return None

        if self.joins(own):
            return 0
        return second(own, carrier) if loser_first else first(own, carrier)

    def derive(self, steps: tuple[Touch | And | Or, ...], own: Mask) -> tuple[bool, Mask]:
        """Follow the steps of a connection of the edges: whether it is full, and its carrier."""
        ends: list[tuple[int, int]] = []
        connections: list[tuple[bool, Mask]] = []
        self.spend(len(steps))
        captains = self._captains(own)
        for place, step in enumerate(steps):
            try:
                match step:
                    case Touch():
                        pair = self._link(step, own, captains)
                        made = (True, 0)
                    case And():
                        pair, made = self._and(step, own, ends, connections)
                    case Or():
                        pair, made = self._or(step, own, ends, connections)
            except RuleError as wrong:
                raise RuleError(f"step {place}: {wrong}") from None
            ends.append(pair)
            connections.append(made)
        if ends[-1] != (self._cells, self._cells + 1):
            raise RuleError("the last step does not connect the edges")
        return connections[-1]

    def _captains(self, own: Mask) -> dict[int, int]:
        """Return the first cell of each stone's group."""
        captains: dict[int, int] = {}
        for cell in bits_of(own):
            if cell not in captains:
                group, _ = self._group(cell, own, self._around[self._winner])
                captains |= dict.fromkeys(bits_of(group), cell)
        return captains

    def _link(self, step: Touch, own: Mask, captains: dict[int, int]) -> tuple[int, int]:
        ends = (captains.get(step.first, step.first), captains.get(step.second, step.second))
        first, second = sorted(ends)
        if first == second or first >= self._cells:
            raise RuleError("the same end twice, or two edges")
        if first in captains:
            _, touched = self._group(first, own, self._around[self._winner])
        else:
            touched = self._around[self._winner][first]
        reached = 1 << second
        if second in captains:
            reached, _ = self._group(second, own, self._around[self._winner])
        if not touched & reached:
            raise RuleError("the ends do not touch")
        return first, second

    def _and(
        self,
        step: And,
        own: Mask,
        ends: list[tuple[int, int]],
        connections: list[tuple[bool, Mask]],
    ) -> tuple[tuple[int, int], tuple[bool, Mask]]:
        (full, carrier) = connections[step.first]
        (other_full, other_carrier) = connections[step.second]
        shared = set(ends[step.first]) & set(ends[step.second])
        outer = set(ends[step.first]) ^ set(ends[step.second])
        if not (full and other_full):
            raise RuleError("AND joins full connections only")
        if len(shared) != 1 or len(outer) != 2:
            raise RuleError("AND needs one common end")
        (joint,) = shared
        first, second = sorted(outer)
        both = carrier | other_carrier
        taken = own | 1 << first | 1 << second | 1 << joint
        captured = self._captured(step.captured, taken, both)
        if carrier & other_carrier & ~captured or both >> first & 1 or both >> second & 1:
            raise RuleError("a carrier has a cell of the other connection")
        both |= captured
        owned = joint >= self._cells or own >> joint & 1
        if owned:
            return (first, second), (True, both)
        return (first, second), (False, both | 1 << joint)

    def _or(
        self, step: Or, own: Mask, ends: list[tuple[int, int]], connections: list[tuple[bool, Mask]]
    ) -> tuple[tuple[int, int], tuple[bool, Mask]]:
        self.spend(len(step.steps))
        if len({ends[premise] for premise in step.steps}) != 1:
            raise RuleError("OR needs connections of the same ends")
        common = -1
        union = 0
        for premise in step.steps:
            common &= connections[premise][1]
            union |= connections[premise][1]
        first, second = ends[step.steps[0]]
        captured = self._captured(step.captured, own | 1 << first | 1 << second, union)
        if common & ~captured:
            raise RuleError("the connections have a cell in common")
        return (first, second), (True, union | captured)

    def _captured(self, pairs: tuple[tuple[int, int], ...], own: Mask, carrier: Mask) -> Mask:
        """Return the cells of pairs that the stones ``own``, edges too, capture; or RuleError.

        A cell is useless once the winner has the other one if all that it could join, stones, edges
        and cells of the carrier, touches one group already.
        """
        own |= 3 << self._cells
        captured = 0
        for pair in pairs:
            cells = mask_of(pair)
            if cells.bit_count() != 2 or cells & (own | captured):
                raise RuleError("captured cells are not empty, or not all different")
            captured |= cells
        for first, second in pairs:
            empty = carrier | captured
            if not (
                self._useless(first, second, own, empty)
                and self._useless(second, first, own, empty)
            ):
                raise RuleError("a pair of cells is not captured")
        return captured

    def _useless(self, cell: int, answer: int, own: Mask, empty: Mask) -> bool:
        """Return whether ``cell`` joins nothing new once the winner has ``answer`` beside it."""
        around = self._around[self._winner]
        if not around[cell] >> answer & 1:
            return False
        group, touched = self._group(answer, own | 1 << answer, around)
        return not around[cell] & (own | empty) & ~group & ~touched

    # Dead cells

    def is_dead(self, cell: int, own: Mask, empty: Mask) -> bool:
        """Return whether the rules show that ``cell`` does not matter; the rest is the loser's."""
        lost = self._all & ~own & ~empty & ~(1 << cell)
        networks = ((self._winner, own), (self._winner.opponent, lost))
        return any(self._is_dead_in(cell, color, stones, empty) for color, stones in networks)

    def _is_dead_in(self, cell: int, color: Color, stones: Mask, empty: Mask) -> bool:
        around = self._around[color]
        nodes = empty | 1 << cell | 3 << self._cells
        surroundings = self._surroundings(stones, around)

        def linked(node: int) -> Mask:
            self.spend(len(surroundings))
            joined = around[node]
            for touched in surroundings:
                if touched >> node & 1:
                    joined |= touched
            return joined & nodes & ~(1 << node)

        near = linked(cell)
        if all(not near & ~linked(node) & ~(1 << node) for node in bits_of(near)):
            return True
        return any(self._cut_off(cell, clique, nodes, linked) for clique in (0, *surroundings))

    def _cut_off(self, cell: int, clique: Mask, nodes: Mask, linked: Callable[[int], Mask]) -> bool:
        """Return whether what one group touches separates the cell from both edges."""
        if clique >> cell & 1:
            return False
        reached = fresh = 1 << cell
        while fresh:
            low = fresh & -fresh
            fresh ^= low
            spread = linked(low.bit_length() - 1) & nodes & ~clique & ~reached
            reached |= spread
            fresh |= spread
        return not reached >> self._cells

    def _surroundings(self, stones: Mask, around: list[Mask]) -> list[Mask]:
        """Return the adjacent cells and own edges of each group, and the cells at each edge."""
        surroundings = []
        edges = [around[edge] | 1 << edge for edge in (self._cells, self._cells + 1)]
        left = stones
        while left:
            group, touched = self._group((left & -left).bit_length() - 1, stones, around)
            surroundings.append(touched)
            for place in (0, 1):
                if touched >> self._cells + place & 1:
                    edges[place] |= touched
            left &= ~group
        return surroundings + edges


def _around(board: Board, color: Color) -> list[Mask]:
    """Return the neighbours of each cell and of the two edges of ``color``."""
    around = [mask_of(cells) for cells in board.neighbours]
    for place, edge in enumerate(edges_of(color)):
        cells = board.edge_cells[edge]
        for cell in cells:
            around[cell] |= 1 << board.cells + place
        around.append(mask_of(cells))
    return around


def mask_of(cells: Iterable[int]) -> Mask:
    """Return cells as a set."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def bits_of(cells: Mask) -> Iterator[int]:
    """Yield the cells of a set in order."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low
