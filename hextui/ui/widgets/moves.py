"""The moves panel: what each evaluator says of each move."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import DataTable, Static

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.ui.widgets.panel import Panel, Sight

if TYPE_CHECKING:
    from hextui.engine.evaluators.base import Ranking

SHOWN_AT_FIRST = 30
MOST_FIGURES = 10
"""Values that are the same in so many figures look the same; their ranks tell them apart."""
_MORE = "more"
_SHORT = {
    "shortest-path": "short",
    "k-paths": "paths",
    "contribution-own": "own",
    "contribution-opponent": "opp",
    "contribution-both": "both",
    "resistance": "resist",
    "two-distance": "2-dist",
}


@dataclass(frozen=True)
class MoveList:
    """What the panel shows: rankings by evaluator, the one in focus, and the record's move."""

    board: Board
    rankings: "Mapping[str, Ranking]"
    focus: str
    played: int | None


class MoveTable(DataTable[Text]):
    """A table in which Enter chooses a row and a click only points at it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """Enter was pressed on a row."""

        key: str

    def action_select_cursor(self) -> None:
        """Choose the row."""
        if self.selected is not None:
            self.post_message(self.Chosen(self.selected))

    @property
    def selected(self) -> str | None:
        """The key of the row with the cursor."""
        rows = self.ordered_rows
        return rows[self.cursor_row].key.value if self.cursor_row < len(rows) else None


class MovesPanel(Panel):
    """A table with one row a move and one column group an evaluator, best first for the focus.

    Rows are updated in place. The best thirty moves and the record's are shown; the last row
    opens the rest.
    """

    TITLE = "Moves"
    DEFAULT_CSS = """
    MovesPanel DataTable { height: 1fr; background: transparent; }
    MovesPanel .note { height: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._list: MoveList | None = None
        self._all = False
        self._columns: tuple[str, ...] = ()
        self._rows: dict[str, tuple[Text, ...]] = {}

    def compose(self) -> ComposeResult:
        """Make the table and the line above it."""
        yield Static("No values yet", classes="note", markup=False)
        table = MoveTable(cursor_type="row", zebra_stripes=True)
        table.display = False
        yield table

    @property
    def table(self) -> MoveTable:
        """The table."""
        return self.query_one(MoveTable)

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
        self._show(MoveList(board, snapshot.rankings, focus, played))

    def _show(self, moves: MoveList | None) -> None:
        """Show other values; only cells that changed are touched."""
        if moves and self._list and moves.board != self._list.board:
            self._all = False
        self._list = moves
        if moves is None or moves.focus not in moves.rankings:
            self.query_one(Static).update("No values yet", layout=False)
            self._fill((), {})
            return
        focused = moves.rankings[moves.focus]
        self.query_one(Static).update(self._note(moves), layout=False)
        columns = ("move", *_focus_first(moves))
        wanted = [move.cell for move in focused.moves]
        shown = wanted if self._all else wanted[:SHOWN_AT_FIRST]
        if moves.played in wanted[len(shown) :]:
            shown = [*shown, moves.played]
        rows = _rows(moves, shown, columns[1:])
        if len(shown) < len(wanted):
            more = Text(f"+{len(wanted) - len(shown)}", "dim")
            rows[_MORE] = (more, *[Text()] * 2 * (len(columns) - 1))
        self._fill(columns, rows)

    def _note(self, moves: MoveList) -> str:
        """Return the evaluator in focus and the rank it gives the record's move."""
        ranking = moves.rankings[moves.focus]
        move = ranking.by_cell.get(-1 if moves.played is None else moves.played)
        return " ".join(
            [
                moves.focus + ("" if ranking.exact else " (capped)"),
                f"- played {moves.board.name(move.cell)}, rank {move.rank}" if move else "",
                ranking.note,
            ]
        )

    def _fill(self, columns: tuple[str, ...], rows: dict[str, tuple[Text, ...]]) -> None:
        """Bring the table from what it shows to ``columns`` and ``rows``, in their order."""
        table = self.table
        with self.app.batch_update(), self.prevent(DataTable.RowHighlighted):
            if columns != self._columns:
                table.clear(columns=True)
                self._columns, self._rows = columns, {}
                for name in columns:
                    table.add_column(heading(name), key=name)
                    if name != "move":
                        table.add_column("#", key=f"{name} rank")
            keys = [key.value for key in table.columns]
            selected = table.selected
            for key in self._rows.keys() - rows.keys():
                table.remove_row(key)
            for key, cells in rows.items():
                old = self._rows.get(key)
                if old is None:
                    table.add_row(*cells, key=key)
                    continue
                for column, before, after in zip(keys, old, cells, strict=True):
                    if before != after:
                        table.update_cell(key, column or "", after)
            order = {cells[0].plain: place for place, cells in enumerate(rows.values())}
            if list(rows) != [row.key.value for row in table.ordered_rows]:
                table.sort("move", key=lambda cell: order[cell.plain])
            self._rows = rows
            if table.display != bool(rows):  # setting it lays the screen out anew
                table.display = bool(rows)
            if selected in rows:
                table.move_cursor(row=table.get_row_index(selected), scroll=False)

    @on(DataTable.RowHighlighted)
    def _point(self, event: DataTable.RowHighlighted) -> None:
        event.stop()
        if self.table.has_focus and event.row_key.value not in (_MORE, None):
            self.post_message(self.Pointed(int(event.row_key.value or 0)))

    @on(MoveTable.Chosen)
    def _choose(self, event: MoveTable.Chosen) -> None:
        event.stop()
        if event.key == _MORE:
            self._all = True
            self._show(self._list)
        else:
            self.post_message(self.Played((Move.play(int(event.key)),)))


def _rows(moves: MoveList, cells: list[int], names: tuple[str, ...]) -> dict[str, tuple[Text, ...]]:
    """Return the rows of some moves by their keys: the move, then value and rank by each name."""
    columns = []
    for name in names:
        found = [moves.rankings[name].by_cell.get(cell) for cell in cells]
        shown = figures(tuple(move.value for move in found if move))
        columns.append([Text(number(m.value, shown) if m else "", justify="right") for m in found])
        columns.append([Text(str(m.rank) if m else "", "dim", justify="right") for m in found])
    played = [cell == moves.played for cell in cells]
    first = [
        Text(moves.board.name(cell) + " *" * here, "bold" * here)
        for cell, here in zip(cells, played, strict=True)
    ]
    keys = [str(cell) for cell in cells]
    return dict(zip(keys, zip(first, *columns, strict=True), strict=True))


def _focus_first(moves: MoveList) -> tuple[str, ...]:
    others = [name for name in moves.rankings if name != moves.focus]
    return (moves.focus, *others)


def heading(name: str) -> str:
    """Return what stands above an evaluator's column: a short form of its name.

    >>> heading("contribution-own:2")
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
