"""Proof of a single connection by exhaustive play inside its carrier."""

from collections.abc import Iterable
from functools import cache

from hextui.engine.board import edges_of
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.connections import ConnectionTable


def holds(table: ConnectionTable, connection: Connection) -> bool:
    """Play the carrier out: the opponent first if full, the owner first if semi.

    An end that is an empty cell counts as a stone of the owner. Where the AND rule joins over
    edges or captured cells count as own, an own edge counts as a row of own stones.
    """
    position = table.position
    board = position.board
    near = [_mask(cells) for cells in board.neighbours]
    edges = [_mask(board.edge_cells[edge]) for edge in edges_of(table.color)]
    bands = edges if table.settings.and_over_edges or table.settings.captured else []
    from_cells, to_cells = (
        edges[end - board.cells] if end >= board.cells else 1 << end for end in connection.nodes
    )
    start = _mask(c for c, stone in enumerate(position.stones) if stone == table.color)
    start |= _mask(end for end in connection.nodes if end < board.cells)
    carrier = _mask(connection.cells)
    assert not carrier & start
    assert all(position.stones[cell] == 0 for cell in connection.cells)

    @cache
    def joined(own: int) -> bool:
        reached = from_cells & own
        fresh = reached
        while fresh:
            low = fresh & -fresh
            spread = near[low.bit_length() - 1]
            for band in bands:
                if band & low:
                    spread |= band
            new = spread & own & ~reached
            reached |= new
            fresh = (fresh ^ low) | new
        return bool(reached & to_cells)

    @cache
    def owner_wins(own: int, left: int, owner_moves: bool) -> bool:
        if joined(own):
            return True
        if not joined(own | left):
            return False
        if owner_moves:
            return any(owner_wins(own | bit, left ^ bit, False) for bit in _bits(left))
        return all(owner_wins(own, left ^ bit, True) for bit in _bits(left))

    return owner_wins(start, carrier, connection.kind is ConnectionKind.SEMI)


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in set(cells))


def _bits(mask: int) -> Iterable[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
