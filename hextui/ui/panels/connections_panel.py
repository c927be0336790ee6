"""The connections panel: virtual connections of one colour, and why each of them holds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer

from hextui.engine.board import Board, Color, Edge, edges_of
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.position import Position
from hextui.engines.snapshot import ConnectionCounts
from hextui.records.board_view import Connected
from hextui.text import Names, counted
from hextui.ui.panels.panel import CONNECTION_WORDS, LIST_KEYS, ListPanel, PanelInput, PanelText
from hextui.ui.widgets.line_list import DIM, TextLine
from hextui.words.connections import connection_sentence

if TYPE_CHECKING:
    from hextui.engines.questions import ListConnections, Premises


@dataclass(frozen=True)
class ConnectionItem:
    """A line about a connection, or about several of the same ends that share a sentence.

    Without connections it stands for the rest of the list. ``above``: the ids of the connections
    that the lines above it are about, from the top of the tree. ``way``: whether it is one of
    several in the line above it.
    """

    connections: tuple[Connection, ...] = ()
    above: tuple[int, ...] = ()
    way: bool = False

    @property
    def connection(self) -> Connection | None:
        return self.connections[0] if self.connections else None

    @property
    def ways(self) -> tuple[Connection, ...]:
        return self.connections if len(self.connections) > 1 else ()

    @property
    def below(self) -> tuple[int, ...]:
        """What the lines below it have above them."""
        return (*self.above, *(connection.id for connection in self.connections[:1]))


def items_of(say: "Say", connections: Iterable[Connection]) -> list[ConnectionItem]:
    """Return the lines of connections; those of the same ends and sentence share a line."""
    alike: dict[str, list[Connection]] = {}
    for connection in connections:
        alike.setdefault(_without_size(say, connection), []).append(connection)
    return [ConnectionItem(tuple(ways)) for ways in alike.values()]


def sentence_of(say: "Say", board: Board, item: ConnectionItem) -> str:
    """Return the text of a line about connections."""
    connection = item.connections[0]
    if item.way:
        return f"in {counted(len(connection.cells), 'cell')}: {connection.carrier}"
    if not item.ways:
        return say(connection) if connection.live else f"{say(connection)}, superseded"
    sizes = sorted(len(way.cells) for way in item.ways)
    least = f"{sizes[0]} to " if sizes[0] < sizes[-1] else ""
    ways = f"{len(item.ways)} ways, {least}{counted(sizes[-1], 'cell')}"
    return f"{_without_size(say, connection)} ({ways})"


def _without_size(say: "Say", connection: Connection) -> str:
    return say(connection).removesuffix(f" ({counted(len(connection.cells), 'cell')})")


Say = Callable[[Connection], str]
"""Returns the sentence of a connection."""
LookUp = Callable[
    ["ListConnections | Premises", Callable[[tuple[Connection, ...]], object]], object
]
PAGE = 50
"""Connections listed at once; the last line brings as many more."""
STALE_SECONDS = 0.25
"""How long the list of another position stays while the new one is fetched."""


class ListedKind(StrEnum):
    """Which connections are listed; all are, where nothing is proved, instead of the PROOF's."""

    PROOF = "used by the proof"
    ALL = "full and semi"
    FULL = "full"
    SEMI = "semi"


_ONLY = {ListedKind.FULL: ConnectionKind.FULL, ListedKind.SEMI: ConnectionKind.SEMI}


@dataclass(frozen=True)
class _Listed:
    """The colour and position whose connections are listed, and how many there are.

    ``proof``: the empty cells that the proof of this colour's win needs, None without one.
    """

    position: Position
    color: Color
    counts: ConnectionCounts
    names: Names
    proof: frozenset[int] | None

    def say(self, connection: Connection) -> str:
        return connection_sentence(self.position, self.color, connection, self.names)


class ConnectionsPanel(ListPanel):
    """The list of connections, edge to edge first, with a note on what is listed.

    Once a win is proved those that the proof uses are listed. Each opens to the premises it was
    made from, down to adjacencies.
    """

    TITLE = "Connections"
    KEY = "f6"
    TEXT = PanelText(
        "virtual, full or semi",
        (
            *CONNECTION_WORDS,
            ("rule", "How the connection was made from others; open it to see them."),
            ("ways", "Several connections of the same ends; open it to see them."),
        ),
        (*LIST_KEYS, ("enter", "Why it holds")),
        ("connection-color", "connection-kinds"),
    )
    NOTE = "No connections yet"

    def __init__(self) -> None:
        super().__init__()
        self.look_up: LookUp = lambda question, hear: None
        """Asks the engine, which passes what it finds to ``hear``, from any thread."""
        self._wanted = ListedKind.PROOF
        self._proved: tuple[Position, Color, frozenset[int]] | None = None
        self._asked: dict[ListConnections | Premises, ConnectionItem | None] = {}
        self._stale_timer: Timer | None = None  # while the list is still that of `_shown`
        self._listed: _Listed | None = None  # requested
        self._shown: _Listed | None = None
        self._connections: tuple[Connection, ...] = ()
        self._has_more = False
        self._items: list[ConnectionItem] = []
        self._below: dict[ConnectionItem, list[ConnectionItem]] = {}
        self._opened: set[ConnectionItem] = set()

    @property
    def of(self) -> Position | None:
        return self._shown.position if self._shown else None

    def fill(self, given: PanelInput) -> None:
        snapshot = given.snapshot
        color = given.connections_of
        listed = None
        if snapshot and (counts := snapshot.connections.get(color)):
            proof = self._proof_of(snapshot.position, color)
            listed = _Listed(
                snapshot.position,
                color=color,
                counts=counts,
                names=given.options.names,
                proof=proof,
            )
        if listed != self._listed:
            self._list(listed)

    def use_proof(self, position: Position, winner: Color, carrier: frozenset[int]) -> None:
        """List the connections that a proof uses, where its position is shown."""
        self._proved = position, winner, carrier
        listed = self._listed
        if listed is not None and (listed.position, listed.color) == (position, winner):
            self._list(replace(listed, proof=carrier))

    def _proof_of(self, position: Position, color: Color) -> frozenset[int] | None:
        """Return the cells that the proof of a win needs, None if none is known."""
        if self._proved is None or self._proved[:2] != (position, color):
            return None
        return self._proved[2]

    def fit(self) -> None:
        items = list(self._visible(self._items))
        if self._has_more:
            items.append(ConnectionItem())
        self.list.show([self._line(item) for item in items])

    @property
    def kinds(self) -> ListedKind:
        """The kinds of connections that are listed."""
        return self._kind(self._listed)

    def next_kinds(self) -> None:
        kinds = list(ListedKind)
        if self._listed is None or self._listed.proof is None:
            kinds.remove(ListedKind.PROOF)
        self._wanted = kinds[(kinds.index(self._kind(self._listed)) + 1) % len(kinds)]
        self._list(self._listed)

    def _kind(self, listed: _Listed | None) -> ListedKind:
        """Return which connections are shown of what can be listed."""
        has_proof = listed is not None and listed.proof is not None
        if self._wanted is ListedKind.PROOF and not has_proof:
            return ListedKind.ALL
        return self._wanted

    def _take(
        self, question: "ListConnections | Premises", connections: tuple[Connection, ...]
    ) -> None:
        """Show what the engine has found, unless the answer is no longer wanted."""
        if question not in self._asked:
            return
        item = self._asked.pop(question)
        if item is not None:
            self._open(item, connections)
        else:
            self._add_page(connections)

    def _list(self, listed: _Listed | None) -> None:
        """Request another list; the old one stays until it comes, for STALE_SECONDS at most."""
        self._listed = listed
        self._asked.clear()
        self.write(self.note, self._note(listed))
        if listed is None:
            self._clear()
        else:
            self._want_page(listed, 0)
            if self._stale_timer is None:
                self._stale_timer = self.set_timer(STALE_SECONDS, self._clear)

    def _clear(self) -> None:
        if self._stale_timer is not None:
            self._stale_timer.stop()
        self._stale_timer = None
        self._shown = self._listed
        self._connections = ()
        self._items = []
        self._has_more = False
        self._below.clear()
        self._opened.clear()
        self.fit()

    def _note(self, listed: _Listed | None) -> str:
        if listed is None:
            return self.NOTE
        counts = listed.counts
        player = listed.names.player(listed.color)
        note = f"{player}: {counts.fulls:,} full, {counts.semis:,} semi"
        if not counts.complete:
            note += ", stopped early"
        kind = self._kind(listed)
        if kind is ListedKind.PROOF:
            return f"{note}\nListed: used by the proof; f lists all"
        if kind is not ListedKind.ALL:
            note += f"; {kind} only"
        return f"{note}; adjacencies not listed"

    def _ask(
        self, question: "ListConnections | Premises", item: ConnectionItem | None = None
    ) -> None:
        self._asked[question] = item
        self.look_up(question, partial(self.call_later, self._take, question))

    def _want_page(self, listed: _Listed, first: int) -> None:
        from hextui.engines.questions import ListConnections

        kind = self._kind(listed)
        question = ListConnections(
            listed.position,
            color=listed.color,
            kind=_ONLY.get(kind),
            first=first,
            count=PAGE,
            within=listed.proof if kind is ListedKind.PROOF else None,
        )
        self._ask(question)

    def _add_page(self, connections: tuple[Connection, ...]) -> None:
        """List more connections; some may be further ways for the last lines."""
        if self._stale_timer is not None:
            self._clear()
        listed = self._shown
        if listed is None:
            return
        is_first = not self._connections
        self._connections += connections
        self._has_more = len(connections) == PAGE
        self._items = items_of(listed.say, self._connections)
        if is_first:
            self.list.start_again()
        self.fit()

    def _visible(self, items: Iterable[ConnectionItem]) -> Iterator[ConnectionItem]:
        for item in items:
            yield item
            if item in self._opened:
                yield from self._visible(self._below[item])

    def _line(self, item: ConnectionItem) -> TextLine:
        connection = item.connection
        listed = self._shown
        if connection is None or listed is None:
            return TextLine(item, (("more ...", DIM),))

        sentence = sentence_of(listed.say, listed.position.board, item)
        rule = f"  by {connection.rule.upper()}" if connection.premises and not item.ways else ""
        is_open = None
        if item.ways or connection.premises:
            is_open = item in self._opened
        first, *more = self.tree_rows(len(item.above), is_open, sentence, rule=rule)
        return TextLine(item, first, tuple(more))

    def _open(self, item: ConnectionItem, below: Iterable[Connection], way: bool = False) -> None:
        self._below[item] = [ConnectionItem((connection,), item.below, way) for connection in below]
        self._opened.add(item)
        self.fit()

    def _close(self, item: ConnectionItem) -> None:
        inside = item.below
        closed = {other for other in self._opened if other.above[: len(inside)] == inside}
        self._opened -= {item, *closed}
        self.fit()

    def chosen(self, key: ConnectionItem) -> None:
        """Show or hide the premises of a connection, or bring the next page."""
        from hextui.engines.questions import Premises

        listed, connection = self._shown, key.connection
        if listed is None or self._stale_timer is not None:
            return
        if connection is None:
            if self._has_more:
                self._has_more = False
                self._want_page(listed, len(self._connections))
        elif key in self._opened:
            self._close(key)
        elif key.ways:
            self._open(key, key.ways, way=True)
        elif connection.premises:
            self._ask(Premises(listed.position, listed.color, connection.id), key)

    def stepped(self, step: int) -> None:
        """Open or close the line, or go to the one of which it is a premise."""
        item = self.list.pointed
        if not isinstance(item, ConnectionItem):
            return
        if step > 0:
            self.chosen(item)
        elif item.above:
            above = next(other for other in self._visible(self._items) if other.below == item.above)
            self.list.point_at(above)
            self.pointed(above)

    def clicked(self, column: int) -> bool:
        """Open or close by a click on the sign, and bring the next page."""
        item = self.list.pointed
        assert isinstance(item, ConnectionItem)
        return item.connection is None or column < 2 * len(item.above) + 2

    def pointed(self, key: ConnectionItem) -> None:
        connection = key.connection
        listed = self._shown
        painted = None
        if listed and connection:
            painted = connected(listed.position, listed.color, connection)
        self.post_message(self.Highlighted(self.of, painted))


def connected(position: Position, color: Color, connection: Connection) -> Connected:
    """Return what the board highlights for a connection: whole groups, cells, edges."""
    captains = position.groups.captain
    sides = edges_of(color)
    cells: set[int] = set()
    edges: set[Edge] = set()
    for end in connection.nodes:
        if end >= position.board.cells:
            edges.add(sides[end - position.board.cells])
        elif captains[end] < 0:
            cells.add(end)
        else:
            cells.update(cell for cell, captain in enumerate(captains) if captain == captains[end])
    return Connected(
        color=color,
        carrier=connection.cells,
        ends=frozenset(cells),
        edges=frozenset(edges),
        key=connection.key_cell,
    )
