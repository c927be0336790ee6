"""The moves panel: what each evaluator says of each move."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.widgets import Static

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.engine.scales import scale_of
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, LineList, Span, TextLine
from hextui.ui.widgets.panel import Panel, Sight

if TYPE_CHECKING:
    from hextui.engine.ranking import Ranking
    from hextui.engine.solver.solution import Solution

SHOWN_AT_FIRST = 30
MOST_FIGURES = 10
"""Values that are the same in so many figures look the same; their ranks tell them apart."""
_MORE = "more"
_SHORT = {
    "shortest-path": "short",
    "k-paths": "paths",
    "k-mixed": "mixed",
    "contribution-own": "own",
    "contribution-opponent": "opp",
    "contribution-both": "both",
    "resistance": "resist",
    "two-distance": "2-dist",
    "blocking": "block",
}


@dataclass(frozen=True)
class MoveList:
    """What the panel shows: rankings by evaluator, the one in focus, the record's move, verdicts.

    ``wins`` says of the moves that the solver has judged whether they win; None before it started.
    """

    board: Board
    rankings: "Mapping[str, Ranking]"
    focus: str
    played: int | None
    wins: "Mapping[int, bool] | None" = None


class MovesPanel(Panel):
    """One line a move, one column group an evaluator, best first for the one in focus.

    The best thirty moves and the record's are listed; the last line brings the rest.
    """

    TITLE = "Moves"
    DEFAULT_CSS = """
    MovesPanel .note { height: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._list: MoveList | None = None
        self._all = False

    def compose(self) -> ComposeResult:
        """Make the list and the line above it."""
        yield Static("No values yet", classes="note", markup=False)
        yield LineList()

    def fill(self, sight: Sight) -> None:
        """Show the rankings; the first one sorts while that in focus is late."""
        snapshot = sight.snapshot
        if snapshot is None:
            self._show(None)
            return
        focus = sight.shown.evaluator
        if focus not in snapshot.rankings:
            focus = next(iter(snapshot.rankings), "")
        board, played = snapshot.position.board, sight.session.next_cell
        self._show(MoveList(board, snapshot.rankings, focus, played, _wins(snapshot.solution)))

    def _show(self, moves: MoveList | None) -> None:
        if moves and self._list and moves.board != self._list.board:
            self._all = False
        self._list = moves
        if moves is None or moves.focus not in moves.rankings:
            self.query_one(Static).update("No values yet", layout=False)
            self.query_one(LineList).show(())
            return
        self.query_one(Static).update(self._note(moves), layout=False)
        wanted = [move.cell for move in moves.rankings[moves.focus].moves]
        cells = wanted if self._all else wanted[:SHOWN_AT_FIRST]
        if moves.played in wanted[len(cells) :]:
            cells = [*cells, moves.played]
        heading, lines = _table(moves, cells)
        if len(cells) < len(wanted):
            lines.append(TextLine(_MORE, ((f"+{len(wanted) - len(cells)} more", DIM),)))
        self.query_one(LineList).show(lines, heading)

    def _note(self, moves: MoveList) -> str:
        """Return the evaluator in focus and the rank it gives the record's move."""
        ranking = moves.rankings[moves.focus]
        move = ranking.by_cell.get(-1 if moves.played is None else moves.played)
        scale = scale_of(moves.focus)
        read = f" ({scale.short}: {scale.words})" if scale else ""
        return " ".join(
            [
                moves.focus + read + ("" if ranking.exact else " (capped)"),
                f"- played {moves.board.name(move.cell)}, rank {move.rank}" if move else "",
                ranking.note,
            ]
        )

    @on(LineList.Pointed)
    def _point(self, event: LineList.Pointed) -> None:
        event.stop()
        if isinstance(event.key, int) and not event.late:
            self.post_message(self.Pointed(self.of, event.key))

    @on(LineList.Chosen)
    def _choose(self, event: LineList.Chosen) -> None:
        event.stop()
        if event.late:
            return
        if isinstance(event.key, int):
            self.post_message(self.Played(self.of, (Move.play(event.key),)))
        else:
            self._all = True
            self._show(self._list)


def _wins(solution: "Solution | None") -> "Mapping[int, bool] | None":
    """Return whether the moves win of which the solver knows it."""
    if solution is None:
        return None
    losses = dict.fromkeys(solution.losing_moves, False)
    return losses | dict.fromkeys(solution.winning_moves, True)


_VERDICTS = {
    True: (f"{'wins':<7}", BOLD),
    False: (f"{'loses':<7}", PLAIN),
    None: (f"{'?':<7}", DIM),
}


def _table(moves: MoveList, cells: list[int]) -> tuple[tuple[Span, ...], list[TextLine]]:
    """Return the heading and a line for each cell: the move, then value and rank by each name.

    Between them stands the solver's verdict, if it has begun.
    """
    heading: list[Span] = [(f"{'move':<6}", BOLD)]
    columns = [
        [
            (f"{moves.board.name(cell) + ' *':<6}", BOLD)
            if cell == moves.played
            else (f"{moves.board.name(cell):<6}", PLAIN)
            for cell in cells
        ]
    ]
    if moves.wins is not None:
        heading.append((f"{'solver':<7}", BOLD))
        columns.append([_VERDICTS[moves.wins.get(cell)] for cell in cells])
    for name in _focus_first(moves):
        found = [moves.rankings[name].by_cell.get(cell) for cell in cells]
        scale = scale_of(name)
        read = [scale.of(move.value) if scale else move.value for move in found if move]
        shown = figures(tuple(read))
        following = iter(read)
        values = [number(next(following), shown) if move else "" for move in found]
        title = f"{heading_of(name)} {scale.short}" if scale else heading_of(name)
        width = max(len(title), *map(len, values))
        heading.append((f"{title:>{width}} {'#':>3}  ", BOLD))
        columns.append([(f"{value:>{width}} ", PLAIN) for value in values])
        columns.append([(f"{move.rank if move else '':>3}  ", DIM) for move in found])
    lines = [
        TextLine(cell, spans) for cell, spans in zip(cells, zip(*columns, strict=True), strict=True)
    ]
    return tuple(heading), lines


def _focus_first(moves: MoveList) -> tuple[str, ...]:
    others = [name for name in moves.rankings if name != moves.focus]
    return (moves.focus, *others)


def heading_of(name: str) -> str:
    """Return what stands above an evaluator's column: a short form of its name.

    >>> heading_of("contribution-own:2")
    'own:2'
    """
    method, colon, options = name.partition(":")
    return f"{_SHORT.get(method, method)}{colon}{options}"[:9]


@lru_cache(64)
def figures(values: tuple[float, ...]) -> int:
    """Return how many figures tell all different finite values apart: 3 to MOST_FIGURES.

    >>> figures((0.99998, 0.99996, 0.5))
    5
    """
    ordered = sorted({value for value in values if isfinite(value)})
    wanted = 3
    for low, high in pairwise(ordered):
        while wanted < MOST_FIGURES and f"{low:.{wanted}g}" == f"{high:.{wanted}g}":
            wanted += 1
    return wanted


def number(value: float, figures: int = 3) -> str:
    """Return a value in so many figures; ``inf`` and ``-inf`` for infinite ones."""
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return f"{value:#.{figures}g}".removesuffix(".")
