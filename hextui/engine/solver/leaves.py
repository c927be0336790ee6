"""Makes the leaves of proofs: connections of the winner's edges with the steps that derive them."""

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.connection import Connection, Rule
from hextui.engine.connections import ConnectionSearch, ConnectionSettings, ConnectionTable
from hextui.engine.position import Position
from hextui.engine.solver.proof import And, Joined, Or, Step, Touch

_QUICK = ConnectionSettings(captured=True)
_WIDE = ConnectionSettings(
    and_over_edges=True,
    captured=True,
    full_limit=30,
    semi_limit=60,
    cell_full_limit=30,
    cell_semi_limit=60,
)


class LeafMaker:
    """Finds the connections again, inside carriers that are known to connect.

    One thread at a time may use it.
    """

    def __init__(self, board: Board, winner: Color) -> None:
        self._winner = winner
        self._search = ConnectionSearch(board, winner, _QUICK)
        self._wide: ConnectionSearch | None = None

    def leaf(self, position: Position, full: bool, carrier: frozenset[int] | None = None) -> Joined:
        """Return a leaf for a position whose edges are connected inside ``carrier``.

        ``full``: whoever moves, else only if the winner does. Without a carrier all empty cells may
        be used. The leaf's carrier can be smaller. If the search does not find the connection, the
        leaf has no steps, and whoever checks it plays the carrier out.
        """
        inside = frozenset(position.empties) if carrier is None else carrier
        given = _given(position, inside, self._winner.opponent)
        found = self._derived(self._search, given, full)
        if found is None:
            if self._wide is None:
                self._wide = ConnectionSearch(position.board, self._winner, _WIDE)
            found = self._derived(self._wide, given, full)
        return found or Joined(full, inside)

    def find(self, position: Position, full: bool) -> Joined | None:
        """Return a leaf if the quick search finds a connection of the edges."""
        return self._derived(self._search, position, full)

    def connections(self, position: Position) -> tuple[Joined | None, list[Joined]]:
        """Return the smallest full connection of the edges, and the semi ones, smallest first.

        Semi ones are listed only where there is no full one.
        """
        self._search.search(position)
        table = self._search.table()
        if table.edge_fulls:
            return derivation(table, table.edge_fulls[0]), []
        return None, [derivation(table, semi) for semi in table.edge_semis]

    @staticmethod
    def _derived(search: ConnectionSearch, position: Position, full: bool) -> Joined | None:
        search.search(position)
        table = search.table()
        connections = table.edge_fulls if full else table.edge_semis
        return derivation(table, connections[0]) if connections else None


def derivation(table: ConnectionTable, connection: Connection) -> Joined:
    """Return a leaf for a connection of the edges that a fresh search found."""
    rows = table.derivation(connection.id)
    places = {row.id: place for place, row in enumerate(rows)}
    steps = tuple(_step(row, places) for row in rows)
    return Joined(connection.kind == "full", connection.carrier, steps)


def _step(row: Connection, places: dict[int, int]) -> Step:
    premises = [places[premise] for premise in row.premises]
    match row.rule:
        case Rule.ADJACENCY:
            return Touch(*row.ends)
        case Rule.AND:
            return And(premises[0], premises[1], row.captured)
        case Rule.OR:
            return Or(tuple(premises), row.captured)
        case Rule.STONE | Rule.TEMPLATE:
            raise ValueError("a fresh search plays no stones, and looks no templates up")


def _given(position: Position, inside: frozenset[int], loser: Color) -> Position:
    """Return the position with all other empty cells given to the loser."""
    stones = bytearray(position.stones)
    for cell in position.empties:
        stones[cell] = EMPTY if cell in inside else loser
    return Position(position.board, bytes(stones), position.to_move)
