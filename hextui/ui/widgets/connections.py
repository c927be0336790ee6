"""The connections panel: virtual connections of one colour, and why each of them holds."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from hextui.engine.board import Color, Edge, edges_of
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.widgets.lines import BOLD, DIM, PLAIN, Line, LineList, Span
from hextui.ui.widgets.panel import Panel, Sight
from hextui.ui.widgets.status import NAMES

if TYPE_CHECKING:
    from hextui.engine.connections import Connection, ConnectionTable

PAGE = 50
"""Connections listed at once; the last line brings as many more."""


class Kinds(enum.StrEnum):
    """Which connections are listed."""

    ALL = "all"
    FULL = "full"
    SEMI = "semi"


@dataclass(frozen=True)
class _Item:
    """A line: a connection, and through which others it is reached; None: the rest of the list."""

    connection: "Connection | None"
    above: tuple[int, ...] = ()


class ConnectionList(LineList):
    """Connections, each opening to the premises it was made from, down to adjacencies."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "choose", "Open or close", show=False),
        Binding("left,h", "to_explained", "To what it explains", show=False),
    ]

    def action_to_explained(self) -> None:
        """Go to the connection that the one with the cursor explains."""
        at = self.pointed
        if isinstance(at, _Item) and at.above:
            keys = [line.key for line in self.lines]
            above = [
                place
                for place, key in enumerate(keys[: keys.index(at)])
                if isinstance(key, _Item) and len(key.above) == len(at.above) - 1
            ]
            self.action_to(above[-1])

    def _clicked(self, column: int) -> bool:
        """Open or close by a click on the sign, and bring the next page."""
        sign, _ = self.lines[self._at].spans[0]
        return column < len(sign)


class ConnectionsPanel(Panel):
    """The list of connections, edge to edge first, with a line that says what is listed."""

    TITLE = "Connections"
    DEFAULT_CSS = """
    ConnectionsPanel .note { height: 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._listed: ConnectionTable | None = None
        self._rest: Iterator[Connection] = iter(())
        self._items: list[_Item] = []
        self._opened: set[_Item] = set()
        self._kinds = Kinds.ALL
        self._palette: Palette = DARK

    def compose(self) -> ComposeResult:
        """Make the line and the list."""
        yield Static("No connections yet", classes="note", markup=False)
        yield ConnectionList()

    @property
    def listing(self) -> ConnectionList:
        """The list."""
        return self.query_one(ConnectionList)

    def fill(self, sight: Sight) -> None:
        """List the connections of the colour looked at."""
        self._palette = sight.palette
        snapshot = sight.snapshot
        self._list(snapshot.connections.get(sight.shown.connections_of) if snapshot else None)

    def next_kinds(self) -> None:
        """List all connections, full ones only, or semi ones only, in turn."""
        kinds = list(Kinds)
        self._kinds = kinds[(kinds.index(self._kinds) + 1) % len(kinds)]
        listed, self._listed = self._listed, None
        self._list(listed)

    def _list(self, table: "ConnectionTable | None") -> None:
        if table is self._listed is not None:
            return
        self._listed = table
        self._items, self._opened = [], set()
        self.query_one(Static).update(self._note(table), layout=False)
        self._rest = (
            connection
            for connection in (table.live() if table else ())
            if connection.premises and self._kinds in (Kinds.ALL, connection.kind)
        )
        self._add_page()
        self.listing.point_at(self._items[0] if self._items else None)

    def _note(self, table: "ConnectionTable | None") -> str:
        if table is None:
            return "No connections yet"
        return (
            f"{NAMES[table.color]}: {table.fulls} full, {table.semis} semi"
            + ("" if table.complete else ", stopped early")
            + (f"; {self._kinds} only" if self._kinds is not Kinds.ALL else "")
            + "; adjacencies not listed"
        )

    def _add_page(self) -> None:
        page = [_Item(connection) for connection in islice(self._rest, PAGE)]
        self._items += page
        if len(page) == PAGE:
            self._items.append(_Item(None))
        self._show()

    def _show(self) -> None:
        self.listing.show([Line(item, self._spans(item)) for item in self._items])

    def _spans(self, item: _Item) -> tuple[Span, ...]:
        connection, table = item.connection, self._listed
        if connection is None or table is None:
            return (("more ...", DIM),)
        ends = "-".join(table.node_name(end) for end in connection.ends)
        icon = "  " if not connection.premises else "- " if item in self._opened else "+ "
        indent = "  " * len(item.above)
        size = len(connection.carrier)
        color = Style(color=self._palette.ink(table.color))
        spans = [
            (indent + icon, DIM),
            (f"{ends:<{0 if item.above else 10}}", color),
            (f" {connection.kind} {size:>{0 if item.above else 2}} {connection.rule}", PLAIN),
        ]
        if connection.key is not None:
            spans.append((f" @{table.position.board.name(connection.key)}", BOLD))
        if not connection.live:
            spans.append((" superseded", DIM))
        return tuple(spans)

    @on(LineList.Chosen)
    def _open_or_close(self, event: LineList.Chosen) -> None:
        """Show or hide the premises of a connection, or bring the next page."""
        event.stop()
        item = event.key
        if event.late or not isinstance(item, _Item):
            return
        place = self._items.index(item)
        if item.connection is None:
            del self._items[place]
            self._add_page()
            return
        end = place + 1
        if item in self._opened:
            self._opened.discard(item)
            while end < len(self._items) and len(self._items[end].above) > len(item.above):
                self._opened.discard(self._items[end])
                end += 1
            del self._items[place + 1 : end]
        elif item.connection.premises and self._listed:
            self._opened.add(item)
            above = (*item.above, item.connection.id)
            premises = map(self._listed.connection, item.connection.premises)
            self._items[end:end] = [_Item(premise, above) for premise in premises]
        self._show()

    @on(LineList.Pointed)
    def _paint_step(self, event: LineList.Pointed) -> None:
        event.stop()
        if event.late or not isinstance(event.key, _Item):
            return
        connection, table = event.key.connection, self._listed
        painted = connected(table, connection) if table and connection else None
        self.post_message(self.Painted(self.of, painted))


def connected(table: "ConnectionTable", connection: "Connection") -> Connected:
    """Return what to paint for a connection: groups as a whole, edges as edges."""
    captains = table.position.groups.captain
    sides: tuple[Edge, Edge] = edges_of(Color(table.color))
    cells: set[int] = set()
    edges: set[Edge] = set()
    for end in connection.ends:
        if end >= table.first_edge:
            edges.add(sides[end - table.first_edge])
        elif captains[end] < 0:
            cells.add(end)
        else:
            cells.update(cell for cell, captain in enumerate(captains) if captain == captains[end])
    return Connected(
        table.color, connection.carrier, frozenset(cells), frozenset(edges), connection.key
    )
