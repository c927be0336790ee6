"""The connections panel: virtual connections of one colour, and why each of them holds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from hextui.engine.board import Color, Edge, edges_of
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.position import Position
from hextui.engines.snapshot import ConnectionCounts
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.panels.panel import (
    CONNECTION_WORDS,
    LIST_KEYS,
    Panel,
    PanelInput,
    PanelText,
    set_note,
)
from hextui.ui.widgets.line_list import DIM, PLAIN, LineList, TextLine, sentence_spans
from hextui.words.connections import connection_sentence
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engines.questions import ListConnections, Premises


@dataclass(frozen=True)
class ConnectionItem:
    """A line: a connection, and the ids of those it is a premise of; None: the rest of the list.

    ``ways``: all connections that the line is about, of which ``connection`` is the first, where
    the same ends are joined in several ways. ``way``: it is one of those of the line above it.
    """

    connection: Connection | None
    above: tuple[int, ...] = ()
    ways: tuple[Connection, ...] = ()
    way: bool = False

    @property
    def opens(self) -> bool:
        """Whether there is anything below it."""
        return bool(self.ways or (self.connection and self.connection.premises))

    @property
    def below(self) -> tuple[int, ...]:
        """What the lines below it are reached through."""
        return self.above if self.connection is None else (*self.above, self.connection.id)

    @property
    def connections(self) -> tuple[Connection, ...]:
        """All connections that it is about."""
        return self.ways or ((self.connection,) if self.connection else ())

    def opened_ways(self) -> Iterator["ConnectionItem"]:
        """Yield a line for each of its ways."""
        return (ConnectionItem(way, self.below, way=True) for way in self.ways)


def items_of(
    position: Position, color: Color, connections: Iterable[Connection], names: Names
) -> Iterator[ConnectionItem]:
    """Yield the lines of connections; those of the same ends and sentence share a line."""
    for _, alike in groupby(connections, ends_and_kind):
        alike_sentences: dict[str, list[Connection]] = {}
        for one in alike:
            alike_sentences.setdefault(
                _sentence_without_size(position, color, one, names), []
            ).append(one)
        for ways in alike_sentences.values():
            yield ConnectionItem(ways[0], ways=tuple(ways) if len(ways) > 1 else ())


def ends_and_kind(connection: Connection) -> tuple[tuple[int, int], ConnectionKind]:
    """Return the ends and kind, by which the engine's list is sorted."""
    return connection.ends, connection.kind


def sentence_of(position: Position, color: Color, item: ConnectionItem, names: Names) -> str:
    """Return the text of a line."""
    connection = item.connection
    if connection is None:
        return "more ..."
    if item.way:
        cells = " ".join(map(position.board.name, sorted(connection.carrier)))
        return f"in {counted(len(connection.carrier), 'cell')}: {cells}"
    if not item.ways:
        sentence = connection_sentence(position, color, connection, names)
        return sentence if connection.live else f"{sentence}, superseded"
    sizes = sorted(len(way.carrier) for way in item.ways)
    cells = counted(sizes[-1], "cell")
    least = f"{sizes[0]} to " if sizes[0] < sizes[-1] else ""
    sentence = _sentence_without_size(position, color, connection, names)
    return f"{sentence} ({len(item.ways)} ways, {least}{cells})"


def _sentence_without_size(
    position: Position, color: Color, connection: Connection, names: Names
) -> str:
    """Return the sentence of a connection without the number of cells it needs."""
    count = f" ({counted(len(connection.carrier), 'cell')})"
    return connection_sentence(position, color, connection, names).removesuffix(count)


PAGE = 50
"""Connections listed at once; the last line brings as many more."""


STALE_SECONDS = 0.25
"""How long the list of another position stays while the new one is fetched."""
_KINDS = (None, ConnectionKind.FULL, ConnectionKind.SEMI)


@dataclass(frozen=True)
class _Listed:
    """The colour and position whose connections are listed, and how many there are."""

    position: Position
    color: Color
    counts: ConnectionCounts


class ConnectionList(LineList):
    """Connections, each opening to the premises it was made from, down to adjacencies."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "choose", "Open or close", show=False),
        Binding("left,h", "to_explained", "To what it explains", show=False),
    ]

    def action_to_explained(self) -> None:
        """Go to the connection of which the one with the cursor is a premise."""
        at = self.pointed
        if isinstance(at, ConnectionItem) and at.above:
            keys = [line.key for line in self.lines]
            above = [
                place
                for place, key in enumerate(keys[: keys.index(at)])
                if isinstance(key, ConnectionItem) and len(key.above) == len(at.above) - 1
            ]
            self.action_to(above[-1])

    def _clicked(self, column: int) -> bool:
        """Open or close by a click on the sign, and bring the next page."""
        sign, _ = self.lines[self._at].spans[0]
        return column < len(sign)


class ConnectionsPanel(Panel):
    """The list of connections, edge to edge first, with a note on what is listed."""

    TITLE = "Connections"
    KEY = "f6"
    TEXT = PanelText(
        "cannot be cut",
        (
            *CONNECTION_WORDS,
            ("rule", "How the connection was made from others; open it to see them."),
            ("ways", "Several connections of the same ends; open it to see them."),
        ),
        (*LIST_KEYS, ("enter", "Why it holds")),
        ("connection-color", "connection-kinds"),
    )
    DEFAULT_CSS = """
    ConnectionsPanel .note { height: 2; color: $text-muted; }
    """

    @dataclass
    class Wanted(Message):
        """The engine is to be asked for connections; `take` receives them."""

        question: "ListConnections | Premises"

    def __init__(self) -> None:
        super().__init__()
        self._listed: _Listed | None = None  # requested
        self._shown: _Listed | None = None  # of the items in the list
        self._items: list[ConnectionItem] = []
        self._opened: set[ConnectionItem] = set()
        self._kind: ConnectionKind | None = None
        self._awaited: ListConnections | None = None
        self._explained: Premises | None = None
        self._explaining: ConnectionItem | None = None
        self._stale_timer: Timer | None = None
        self._palette: Palette = DARK
        self._names = Names.RED_BLUE

    def compose(self) -> ComposeResult:
        """Make the line and the list."""
        yield Static("No connections yet", classes="note", markup=False)
        yield ConnectionList()

    @property
    def listing(self) -> ConnectionList:
        """The list."""
        return self.query_one(ConnectionList)

    @property
    def of(self) -> Position | None:
        """The position of the connections in the list."""
        return self._shown.position if self._shown else None

    def on_resize(self) -> None:
        """Fit the lines to the new width."""
        self._show()

    def fill(self, given: PanelInput) -> None:
        """List the connections of the chosen colour."""
        self._palette, self._names = given.palette, given.options.names
        snapshot, color = given.snapshot, given.options.connections_of
        counts = snapshot.connections.get(color) if snapshot else None
        listed = _Listed(snapshot.position, color, counts) if snapshot and counts else None
        if listed != self._listed:
            self._list(listed)

    def next_kinds(self) -> None:
        """List all connections, full ones only, or semi ones only, in turn."""
        self._kind = _KINDS[(_KINDS.index(self._kind) + 1) % len(_KINDS)]
        self._list(self._listed)

    def take(
        self, question: "ListConnections | Premises", connections: tuple[Connection, ...]
    ) -> None:
        """Show what the engine has found, unless the answer is no longer wanted."""
        if question == self._explained:
            self._explained = None
            self._explain(connections)
        elif question == self._awaited:
            first, self._awaited = self._awaited.first == 0, None
            if first:
                self._clear()
            self._add_page(connections)
            if first:
                self.listing.point_at(self._items[0] if self._items else None)

    def _list(self, listed: _Listed | None) -> None:
        """Request another list; the old one stays until it comes, for STALE_SECONDS at most."""
        self._listed = listed
        set_note(self.query_one(Static), self._note(listed))
        self._want_page(0)
        if self._awaited is None:
            self._clear()
        else:
            self._stale_timer = self.set_timer(STALE_SECONDS, self._clear)

    def _clear(self) -> None:
        """Empty the list."""
        if self._stale_timer is not None:
            self._stale_timer.stop()
        self._stale_timer = None
        self._shown, self._items, self._opened = self._listed, [], set()
        self._show()

    def _note(self, listed: _Listed | None) -> str:
        if listed is None:
            return "No connections yet"
        counts = listed.counts
        return (
            f"{self._names.player(listed.color)}: {counts.fulls} full, {counts.semis} semi"
            + ("" if counts.complete else ", stopped early")
            + (f"; {self._kind} only" if self._kind else "")
            + "; adjacencies not listed"
        )

    def _want_page(self, first: int) -> None:
        """Ask for the connections from a place on."""
        from hextui.engines.questions import ListConnections

        listed = self._listed
        self._awaited = None
        if listed is not None:
            self._awaited = ListConnections(listed.position, listed.color, self._kind, first, PAGE)
            self.post_message(self.Wanted(self._awaited))

    def _add_page(self, connections: tuple[Connection, ...]) -> None:
        listed = self._shown
        if listed is not None:
            before = self._at_the_end(connections)
            known = [one for item in before for one in item.connections]
            all_known = (*known, *connections)
            found = list(items_of(listed.position, listed.color, all_known, self._names))
            if found[: len(before)] == before:
                del found[: len(before)]
            else:  # the page has further ways for the last lines
                for item in before:
                    self._close(item)
                    self._items.remove(item)
            self._items += found
        if len(connections) == PAGE:
            self._items.append(ConnectionItem(None))
        self._show()

    def _at_the_end(self, connections: Sequence[Connection]) -> list[ConnectionItem]:
        """Return the last lines of the list that are of the same ends as the first of these."""
        listed = [item for item in self._items if not item.above and item.connection]
        if not connections:
            return []
        first = ends_and_kind(connections[0])
        return [one for one in listed if one.connection and ends_and_kind(one.connection) == first]

    def _show(self) -> None:
        self.listing.show([self._line(item) for item in self._items])

    def _line(self, item: ConnectionItem) -> TextLine:
        connection, listed = item.connection, self._shown
        if connection is None or listed is None:
            return TextLine(item, (("more ...", DIM),))
        icon = "  " if not item.opens else "- " if item in self._opened else "+ "
        indent = "  " * len(item.above) + icon
        room = self.listing.size.width - 1 - len(indent)  # beside the scroll bar
        sentence = sentence_of(listed.position, listed.color, item, self._names)
        *rows, last = sentence_spans(sentence, self._names, self._palette, room, PLAIN)
        rule = f"  by {connection.rule.upper()}" if connection.premises and not item.ways else ""
        if sum(len(text) for text, _ in last) + len(rule) <= room:
            last = (*last, (rule, DIM))
        first, *more = *rows, last
        below = (" " * len(indent), DIM)
        return TextLine(item, ((indent, DIM), *first), tuple((below, *row) for row in more))

    @on(LineList.Chosen)
    def _open_or_close(self, event: LineList.Chosen) -> None:
        """Show or hide the premises of a connection, or bring the next page."""
        event.stop()
        item = event.key
        waiting = self._stale_timer is not None  # for another list
        if event.late or waiting or not isinstance(item, ConnectionItem):
            return
        if item.connection is None:
            self._items.remove(item)
            self._want_page(sum(len(item.connections) for item in self._items if not item.above))
        elif item in self._opened:
            self._close(item)
        elif item.ways:
            self._open(item, item.opened_ways())
        elif item.connection.premises and self._shown:
            self._want_premises(self._shown, item, item.connection.id)

    def _close(self, item: ConnectionItem) -> None:
        """Hide the premises of a connection, and theirs."""
        self._opened.discard(item)
        place = self._items.index(item)
        end = place + 1
        while end < len(self._items) and len(self._items[end].above) > len(item.above):
            self._opened.discard(self._items[end])
            end += 1
        del self._items[place + 1 : end]
        self._show()

    def _want_premises(self, listed: _Listed, item: ConnectionItem, connection: int) -> None:
        """Ask what a connection was made from."""
        from hextui.engines.questions import Premises

        self._explaining = item
        self._explained = Premises(listed.position, listed.color, connection)
        self.post_message(self.Wanted(self._explained))

    def _explain(self, premises: tuple[Connection, ...]) -> None:
        """Show the premises of the connection last chosen, below it."""
        item = self._explaining
        if item is None or item not in self._items:
            return
        self._open(item, (ConnectionItem(premise, item.below) for premise in premises))

    def _open(self, item: ConnectionItem, below: Iterable[ConnectionItem]) -> None:
        """Show lines below an item."""
        self._opened.add(item)
        place = self._items.index(item) + 1
        self._items[place:place] = below
        self._show()

    @on(LineList.Pointed)
    def _paint_step(self, event: LineList.Pointed) -> None:
        event.stop()
        if event.late or not isinstance(event.key, ConnectionItem):
            return
        connection, listed = event.key.connection, self._shown
        painted = (
            connected(listed.position, listed.color, connection) if listed and connection else None
        )
        self.post_message(self.Highlighted(self.of, painted))


def connected(position: Position, color: Color, connection: Connection) -> Connected:
    """Return what to paint for a connection: groups as a whole, edges as edges."""
    captains = position.groups.captain
    sides: tuple[Edge, Edge] = edges_of(color)
    cells: set[int] = set()
    edges: set[Edge] = set()
    for end in connection.ends:
        if end >= position.board.cells:
            edges.add(sides[end - position.board.cells])
        elif captains[end] < 0:
            cells.add(end)
        else:
            cells.update(cell for cell, captain in enumerate(captains) if captain == captains[end])
    return Connected(color, connection.carrier, frozenset(cells), frozenset(edges), connection.key)
