"""The lines of the connections panel: what says the same of several connections stands once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from hextui.engine.board import Color
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.position import Position
from hextui.words.connections import connection_sentence
from hextui.words.names import Names, counted


@dataclass(frozen=True)
class ConnectionItem:
    """A line: a connection, and through which others it is reached; None: the rest of the list.

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
    """Yield the lines of connections, those of the same ends that say the same as one line."""
    for _, alike in groupby(connections, ends_and_kind):
        said: dict[str, list[Connection]] = {}
        for one in alike:
            said.setdefault(_said(position, color, one, names), []).append(one)
        for ways in said.values():
            yield ConnectionItem(ways[0], ways=tuple(ways) if len(ways) > 1 else ())


def ends_and_kind(connection: Connection) -> tuple[tuple[int, int], ConnectionKind]:
    """Return what connections have in common that follow each other in the engine's list."""
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
    return f"{_said(position, color, connection, names)} ({len(item.ways)} ways, {least}{cells})"


def _said(position: Position, color: Color, connection: Connection, names: Names) -> str:
    """Return the sentence of a connection without the number of cells it needs."""
    count = f" ({counted(len(connection.carrier), 'cell')})"
    return connection_sentence(position, color, connection, names).removesuffix(count)
