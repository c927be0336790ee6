"""The tables of connections of the positions looked at last; the workstation is shown parts."""

import threading
from collections import OrderedDict
from collections.abc import Mapping

from hextui.engine.board import Color
from hextui.engine.connection import Connection
from hextui.engine.connections import ConnectionTable
from hextui.engine.outlook import connections_of
from hextui.engine.position import Position
from hextui.engines.questions import ListConnections, Premises

POSITIONS = 4


class Tables:
    """Tables by position, of the last few; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, Mapping[Color, ConnectionTable]] = OrderedDict()

    def keep(self, position: Position, tables: Mapping[Color, ConnectionTable]) -> None:
        """Keep the tables of both colours; the oldest ones go."""
        with self._lock:
            self._kept[position.key] = tables
            self._kept.move_to_end(position.key)
            while len(self._kept) > POSITIONS:
                self._kept.popitem(last=False)

    def of(self, position: Position, color: Color) -> ConnectionTable:
        """Return a table, searched again if it has gone: connections have the same ids then."""
        with self._lock:
            known = self._kept.get(position.key)
        if known is None:
            known = {each: connections_of(position, each) for each in Color}
            self.keep(position, known)
        return known[color]

    def listed(self, question: ListConnections) -> tuple[Connection, ...]:
        """Return a page of the list of connections."""
        table = self.of(question.position, question.color)
        ids = table.derived_ids(question.kind)[question.first :][: question.count]
        return tuple(map(table.connection, ids.tolist()))

    def premises(self, question: Premises) -> tuple[Connection, ...]:
        """Return what a connection was made from."""
        table = self.of(question.position, question.color)
        if not 0 <= question.of < len(table.rows):
            return ()
        return tuple(map(table.connection, table.connection(question.of).premises))
