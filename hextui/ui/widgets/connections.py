"""The connections panel: virtual connections of one colour, and why each of them holds."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static, Tree
from textual.widgets.tree import TreeNode

from hextui.engine.board import Color, Edge, edges_of
from hextui.ui.boardview import Connected
from hextui.ui.palette import DARK, Palette
from hextui.ui.widgets.panel import Panel, Sight
from hextui.ui.widgets.status import NAMES

if TYPE_CHECKING:
    from hextui.engine.connections import Connection, ConnectionTable

PAGE = 100
"""Connections listed at once; the last line brings as many more."""


class Kinds(enum.StrEnum):
    """Which connections are listed."""

    ALL = "all"
    FULL = "full"
    SEMI = "semi"


@dataclass(frozen=True)
class _Item:
    """What a line of the tree stands for: a connection, or the rest of the list."""

    connection: "Connection | None"


class ConnectionTree(Tree[_Item]):
    """Connections, each opening to the premises it was made from, down to adjacencies."""

    ICON_NODE = "+ "
    ICON_NODE_EXPANDED = "- "
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False),
        Binding("down,j", "cursor_down", "Down", show=False),
        Binding("enter,right,l", "select_cursor", "Open or close", show=False),
        Binding("left,h", "cursor_parent", "To what it explains", show=False),
    ]


class ConnectionsPanel(Panel):
    """The list of connections, edge to edge first, with a line that says what is listed."""

    TITLE = "Connections"
    DEFAULT_CSS = """
    ConnectionsPanel ConnectionTree { height: 1fr; background: transparent; overflow-x: hidden; }
    ConnectionsPanel .note { height: 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._listed: ConnectionTable | None = None
        self._rest: Iterator[Connection] = iter(())
        self._kinds = Kinds.ALL
        self._palette: Palette = DARK

    def compose(self) -> ComposeResult:
        """Make the line and the tree."""
        yield Static("No connections yet", classes="note", markup=False)
        tree = ConnectionTree("")
        tree.show_root = False
        tree.guide_depth = 2
        yield tree

    @property
    def tree_of_connections(self) -> ConnectionTree:
        """The list."""
        return self.query_one(ConnectionTree)

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
        tree = self.tree_of_connections
        tree.clear()
        if table is None:
            self.query_one(Static).update("No connections yet", layout=False)
            return
        self.query_one(Static).update(
            f"{NAMES[table.color]}: {table.fulls} full, {table.semis} semi"
            + ("" if table.complete else ", stopped early")
            + (f"; {self._kinds} only" if self._kinds is not Kinds.ALL else "")
            + "; adjacencies not listed",
            layout=False,
        )
        self._rest = (
            connection
            for connection in table.live()
            if connection.premises and self._kinds in (Kinds.ALL, connection.kind)
        )
        self._add_page(tree.root)

    def _add_page(self, parent: TreeNode[_Item]) -> None:
        page = list(islice(self._rest, PAGE))
        for connection in page:
            self._add(parent, connection)
        if len(page) == PAGE:
            parent.add_leaf(Text("more ...", "dim"), _Item(None))

    def _add(self, parent: TreeNode[_Item], connection: "Connection") -> None:
        parent.add(
            self._label(connection, 10 if parent.is_root else 0),
            _Item(connection),
            allow_expand=bool(connection.premises),
        )

    def _label(self, connection: "Connection", width: int) -> Text:
        table = self._listed
        assert table is not None
        ends = "-".join(table.node_name(end) for end in connection.ends)
        # A line that cannot be opened has no icon: two spaces take its place.
        text = Text("" if connection.premises else "  ")
        text.append(f"{ends:<{width}}", Style(color=self._palette.stones[table.color - 1]))
        text.append(
            f" {connection.kind} {len(connection.carrier):>{width and 2}} {connection.rule}"
        )
        if connection.key is not None:
            text.append(f" @{table.position.board.name(connection.key)}", "bold")
        if not connection.live:
            text.append(" superseded", "dim")
        return text

    @on(Tree.NodeExpanded)
    def _explain(self, event: Tree.NodeExpanded[_Item]) -> None:
        """Add the premises of a connection when it is opened."""
        event.stop()
        item = event.node.data
        if item and item.connection and self._listed and not event.node.children:
            for premise in item.connection.premises:
                self._add(event.node, self._listed.connection(premise))

    @on(Tree.NodeSelected)
    def _more(self, event: Tree.NodeSelected[_Item]) -> None:
        """Bring the next page in place of the line that asks for it."""
        event.stop()
        if event.node.data and event.node.data.connection is None:
            event.node.remove()
            self._add_page(self.tree_of_connections.root)

    @on(Tree.NodeHighlighted)
    def _paint_step(self, event: Tree.NodeHighlighted[_Item]) -> None:
        event.stop()
        tree, item = self.tree_of_connections, event.node.data
        if tree.has_focus and event.node is tree.cursor_node:
            connection = item.connection if item else None
            table = self._listed
            self.post_message(
                self.Painted(connected(table, connection) if table and connection else None)
            )


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
