"""Decide which first moves of a board win when nobody swaps, one by one.

Of two openings that a turn exchanges one is solved. Where the second player wins, the proof holds
for every first stone outside the winner's carrier.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import monotonic

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.solution_cache import SolutionCache

FIRST_SHARE = 2000  # nodes of an opening's first turn, few so that easy openings are decided first
_GROWTH = 4  # how many times as many the next turn has


@dataclass(frozen=True)
class Opening:
    """What is known of a first move.

    ``winner`` is None while unknown. ``nodes`` and ``seconds``: what its search took in all.
    ``source``: ``search``, ``disk`` or ``table``, where the verdict comes from, or ``proof``, that
    of the opening ``proved_by``; '' while there is none.
    """

    cell: int
    winner: Color | None = None
    nodes: int = 0
    seconds: float = 0.0
    source: str = ""
    proved_by: int | None = None


class OpeningMap:
    """The openings of a board, the strongest by ``resistance`` first, and what is known of them."""

    def __init__(self, board: Board) -> None:
        self.board = board
        bench = Workbench(board)
        *_, ranking = evaluator("resistance").rank(bench)
        self._known: dict[int, Opening] = {}
        for cell, *_ in ranking.moves:
            if cell <= board.rotate(cell):
                winner = self.position(cell).winner  # at once on a board of one row
                self._known[cell] = Opening(cell, winner, source="search" if winner else "")

    @property
    def openings(self) -> tuple[Opening, ...]:
        """All openings that differ under a turn, in their order."""
        return tuple(self._known.values())

    @property
    def left(self) -> tuple[int, ...]:
        """The openings that are not decided."""
        return tuple(cell for cell, opening in self._known.items() if opening.winner is None)

    def __getitem__(self, cell: int) -> Opening:
        """Return what is known of a first move, turned or not."""
        return self._known[min(cell, self.board.rotate(cell))]

    def position(self, cell: int) -> Position:
        """Return the position after a first move."""
        return Position.empty(self.board).play(cell)

    def decide(self, cell: int, winner: Color, nodes: int, seconds: float, source: str) -> None:
        """Note a verdict from elsewhere, unless there is one."""
        if self._known[cell].winner is None:
            self._known[cell] = Opening(
                cell, winner=winner, nodes=nodes, seconds=seconds, source=source
            )

    def take(self, solution: Solution) -> Solution:
        """Record what a solution decides; return it with the nodes and seconds of all turns."""
        (cell,) = (c for c in self._known if solution.position.stones[c])
        before = self._known[cell]
        nodes = before.nodes + solution.nodes
        seconds = before.seconds + solution.seconds
        source = solution.source if solution.winner else ""
        self._known[cell] = Opening(
            cell, winner=solution.winner, nodes=nodes, seconds=seconds, source=source
        )
        if solution.winner is Color.WHITE:
            needed = frozenset(solution.carrier.numbers)
            for other in self.left:
                if not {other, self.board.rotate(other)} <= needed:
                    self._known[other] = replace(
                        self._known[other], winner=Color.WHITE, source="proof", proved_by=cell
                    )
        return replace(solution, nodes=nodes, seconds=seconds)


@dataclass(frozen=True)
class TimeLimits:
    """How long openings are tried: ``seconds`` each, and until ``end``, a time of ``monotonic``."""

    seconds: float | None = None
    end: float | None = None

    def limit(self, opening: Opening, share: int) -> Limit | None:
        """Return the limit of an opening's next turn, None if its time is over."""
        left = [] if self.seconds is None else [self.seconds - opening.seconds]
        if self.end is not None:
            left.append(self.end - monotonic())
        if left and min(left) <= 0:
            return None
        return Limit(min(left, default=None), share)


def decide_in_turn(
    opening_map: OpeningMap, solver: Solver, time_limits: TimeLimits
) -> Iterator[Solution]:
    """Solve the openings that are left in turn, each for a share of nodes that grows.

    Half of the nodes go to the opening that has had the fewest, the other half to the one that is
    nearest to a verdict by its proof numbers.
    """
    distance = dict.fromkeys(opening_map.left, 0)  # from a verdict: the lesser proof number
    fewest, nearest = 0, 0  # nodes of both kinds of turns
    while cells := _with_time_left(opening_map, time_limits):
        cell = min(cells, key=lambda cell: opening_map[cell].nodes)
        goes_on = nearest < fewest and opening_map[cell].nodes > 0
        if goes_on:
            cell = min(cells, key=distance.__getitem__)
        before = opening_map[cell].nodes
        share = max(FIRST_SHARE, before if goes_on else (_GROWTH - 1) * before)
        limit = time_limits.limit(opening_map[cell], share)
        if limit is None:
            continue  # its time was over just now
        for solution in solver.solve(opening_map.position(cell), limit):
            yield opening_map.take(solution) if solution.final else solution
        distance[cell] = min(solution.proof_number, solution.disproof_number)
        spent = opening_map[cell].nodes - before
        if goes_on:
            nearest += spent
        else:
            fewest += spent


def _with_time_left(opening_map: OpeningMap, time_limits: TimeLimits) -> list[int]:
    """Return the openings that are not decided and may be tried again."""
    return [cell for cell in opening_map.left if time_limits.limit(opening_map[cell], 1)]


TABLE = Path(__file__).with_name("openings.json")
"""Made by ``python -m tests.make_openings``: by size and opening winner, nodes and seconds."""


def solved_openings(board: Board) -> dict[int, tuple[Color, int, float]]:
    """Return the winner, nodes and seconds of the openings in `TABLE`, by first move."""
    rows = _table().get(str(board), {})
    return {
        board.cell(name): (Color.parse(winner), nodes, seconds)
        for name, (winner, nodes, seconds) in rows.items()
    }


@cache
def _table() -> dict[str, dict[str, tuple[str, int, float]]]:
    table: dict[str, dict[str, tuple[str, int, float]]] = json.loads(TABLE.read_text("utf-8"))
    return table


def known_openings(board: Board, kept: SolutionCache) -> OpeningMap:
    """Return the openings, with the verdicts of the cache and of the table of solved openings."""
    openings = OpeningMap(board)
    for opening in openings.openings:
        solution = kept.get(openings.position(opening.cell))
        if solution is not None:
            openings.take(solution)
    for cell, solved in solved_openings(board).items():
        openings.decide(cell, *solved, source="table")
    return openings
