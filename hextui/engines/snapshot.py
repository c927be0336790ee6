"""Results of the analysis of a position at one moment, frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.position import Position
from hextui.engine.ranking import RankedMove, Ranking
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.swap import swap_value
from hextui.engine.verdicts import ClaimedWinner, ClaimSource, Verdict, VerdictKind

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engine.inferior import InferiorCells
    from hextui.engine.search.lines import Lines
    from hextui.engine.solver.solution import Solution

__all__ = ["ConnectionCounts", "Progress", "Snapshot", "Verdict", "VerdictKind"]

COMPILING = "compiling (first run)"  # progress while the kernels for a board are compiled


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` steps, the label of the present one, and an estimate of the rest.

    ``unit``: of the numbers, such as ``" s"``.
    """

    done: int
    total: int
    label: str
    seconds_left: int | None = None
    unit: str = ""

    @property
    def amount(self) -> str:
        """How much is done, for people.

        >>> Progress(3, 12, "").amount, Progress(2, 60, "", unit=" s").amount
        ('3 of 12', '2 of 60 s')
        >>> Progress(35, 100, "", seconds_left=20).amount
        '35%, about 20 s left'
        """
        if self.seconds_left is None:
            return f"{self.done:,} of {self.total:,}{self.unit}"
        return f"{100 * self.done // self.total}%, about {self.seconds_left} s left"


@dataclass(frozen=True)
class ConnectionCounts:
    """The number of a colour's connections; ``complete``: the search met no limit."""

    fulls: int
    semis: int
    complete: bool


@dataclass(frozen=True)
class ReportedMove:
    """An engine's evaluation of the move that begins ``line``; None for what it does not report.

    ``winrate``: of the side to move, 0 to 1; a first stone's counts the swap, by our engine.
    ``score``: in the engine's own unit, higher is better. ``prior``: of its network's policy.
    ``is_copy``: a symmetric move is reported with the same visits. ``proved``: whether the move
    wins; an attached engine claims it.
    """

    line: Cells
    visits: int = 0
    winrate: float | None = None
    score: float | None = None
    prior: float | None = None
    is_copy: bool = False
    proved: bool | None = None

    @property
    def cell(self) -> int:
        """The number of the cell."""
        return self.line.numbers[0]

    @property
    def move(self) -> str:
        """The name of the cell."""
        return self.line[0]


@dataclass(frozen=True)
class SearchReport:
    """A search engine's analysis of a position, the best move first.

    ``winner``: set where the game is over or decided. ``final``: the last one. ``word``: what the
    engine answered instead of a cell, such as ``swap-pieces``, '' if it named one.
    """

    position: Position
    engine: str
    moves: tuple[ReportedMove, ...] = ()
    visits: int = 0
    seconds: float = 0.0
    winner: Color | None = None
    final: bool = False
    word: str = ""

    @property
    def best(self) -> str | None:
        """The best move; None if the engine named none."""
        return self.moves[0].move if self.moves else None

    @property
    def winrate(self) -> float | None:
        """That of the best move, for the side to move; None if it is not reported."""
        return self.moves[0].winrate if self.moves else None

    @property
    def swap(self) -> float | None:
        """The win probability of a swap; None if it is not legal, or no win probability known."""
        if self.winrate is None or not self.position.swap_legal:
            return None
        return swap_value(self.winrate)

    @property
    def claim(self) -> ClaimedWinner | None:
        """The winner that an attached engine reports as proved."""
        mover = self.position.to_move
        proved = {move.cell: move.proved for move in self.moves}
        if True in proved.values():
            winner = mover
        elif proved and all(proved.get(cell) is False for cell in self.position.empties):
            winner = mover.opponent
        else:
            return None
        return ClaimedWinner(winner, ClaimSource.ENGINE, self.engine)

    @property
    def ranking(self) -> Ranking:
        """The searched moves, in the engine's order, with their win probabilities or scores."""
        ranked = []
        for rank, move in enumerate(self.moves, start=1):
            value = (move.score or 0.0) if move.winrate is None else move.winrate
            ranked.append(RankedMove(move.cell, value, rank))
        searched = len(ranked)
        legal = len(self.position.empties)
        notes = [] if searched == legal else [f"{self.engine} searched {searched} of {legal} moves"]
        if any(move.winrate is None and move.score is None for move in self.moves):
            notes.append("0 where it reported no value")
        note = "; ".join(notes)
        return Ranking(
            evaluator=self.engine,
            moves=tuple(ranked),
            exact=searched == legal,
            final=self.final,
            note=note,
        )


@dataclass(frozen=True)
class Snapshot:
    """The results for ``position``; a field is None or empty as long as there are none.

    ``generation``: the number of the request. ``scope``: the moves that searches consider; proofs
    are of all moves. ``evaluators`` rank, in this order. ``contribution``: the k-contribution of
    each cell in a colour's network, 0 to 1, for k = 0, 1, 2. ``must_play``: the must-play region of
    the side to move, common to all semi connections of the opponent's edges, its ``threats``.
    ``lines_by``: the evaluator of the lines, '' for none. ``reports``: results of searches and
    attached engines by name; ``problems``: a line for each that fails, ``exited``: those of them
    whose process has ended; ``error``: a line.
    """

    position: Position
    generation: int = 0
    final: bool = False
    verdict: Verdict | None = None
    must_play: frozenset[int] | None = None
    threats: "tuple[Connection, ...]" = ()
    connections: Mapping[Color, ConnectionCounts] = field(default_factory=dict)
    contribution: Mapping[Color, tuple[tuple[float, ...], ...]] = field(default_factory=dict)
    evaluators: tuple[str, ...] = ()
    rankings: Mapping[str, Ranking] = field(default_factory=dict)
    inferior: "InferiorCells | None" = None
    lines_by: str = ""
    lines: "Lines | None" = None
    solution: "Solution | None" = None
    reports: Mapping[str, SearchReport] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    exited: frozenset[str] = frozenset()
    progress: Progress = Progress(0, 0, "")
    error: str | None = None
    scope: MoveScope = ALL_MOVES

    def ranking_for(self, focus: str) -> str:
        """Return an evaluator, or the first with a ranking if it has none yet; '' without any."""
        return focus if focus in self.rankings else next(iter(self.rankings), "")
