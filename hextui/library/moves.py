"""The moves on file from a position, and its value, for nodes and for what lies between them."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hextui.engine.retrograde import Ending, Value
from hextui.library.graph import GraphGame, lines_of
from hextui.library.values import earlier, unpack

_EDGES = """
    SELECT child, edge.games, edge.wins, edge.losses, year,
    ifnull(position.value, edge.value), distance
    FROM edge LEFT JOIN position ON position.id = target WHERE parent = ?
"""
# A way begins with its keys, 8 bytes each, so the next position is found without unpacking it.
_FOLLOWING = """
    SELECT CASE WHEN (ply - first_ply + 2) * 11 <= length(way)
    THEN substr(way, (ply - first_ply + 1) * 8 + 1, 8) END,
    winner, year, substr(way, length(way) / 11 * 10 + ply - first_ply + 1, 1)
    FROM visit JOIN game ON game.id = visit.game WHERE position = ?
"""


@dataclass(frozen=True)
class Row:
    """A move on file: the key of the position after it, and counts for the player who makes it."""

    child: int
    games: int
    wins: int
    losses: int
    year: int | None
    value: Value


def moves_on_file(database: sqlite3.Connection, key: int) -> tuple[int, list[Row]]:
    """Return how many games go through a position, and the moves from it."""
    node = database.execute("SELECT games FROM position WHERE id = ?", (key,)).fetchone()
    if node is None:
        return _only_move(database, key)
    rows = [
        Row(child, games, wins, losses, year, earlier(unpack(value), distance).of_move())
        for child, games, wins, losses, year, value, distance in database.execute(_EDGES, (key,))
    ]
    return int(node[0]), rows


def _only_move(database: sqlite3.Connection, key: int) -> tuple[int, list[Row]]:
    found = _place(database, key)
    if found is None:
        return 0, []
    line, at = found
    if at + 1 == len(line.way.keys):
        return 1, []
    value = _on_the_way(database, line, at + 1).of_move()
    return 1, [Row(int(line.way.keys[at + 1]), 1, *line.outcome(at), line.year, value)]


def value_of(database: sqlite3.Connection, key: int) -> Value | None:
    """Return the value of a position, None if no game goes through it."""
    row = database.execute("SELECT value FROM position WHERE id = ?", (key,)).fetchone()
    if row is not None:
        return unpack(row[0])
    found = _place(database, key)
    return None if found is None else _on_the_way(database, *found)


def _place(database: sqlite3.Connection, key: int) -> tuple[GraphGame, int] | None:
    """Return the only game through a position, and its place on the way."""
    sql = "SELECT game, ply FROM visit WHERE position = ?"
    row = database.execute(sql, (key,)).fetchone()
    if row is None:
        return None
    line = next(lines_of(database, [row[0]]))
    return line, row[1] - line.way.first_ply


def _on_the_way(database: sqlite3.Connection, line: GraphGame, at: int) -> Value:
    """Return the value at a place of a game: that of the next node, or of the end, and the way."""
    keys = line.way.keys.tolist()
    sql = "SELECT value FROM position WHERE id = ?"
    for later in range(at, len(keys)):
        row = database.execute(sql, (keys[later],)).fetchone()
        if row is not None:
            return earlier(unpack(row[0]), later - at)
    last = len(keys) - 1
    return earlier(Ending(line.way.complete, *line.outcome(last)).value(), last - at)


def counted_again(
    database: sqlite3.Connection,
    key: int,
    rows: Sequence[Row],
    where: Sequence[str],
    values: Sequence[object],
) -> tuple[int, list[Row]]:
    """Return the same for some of the games only: those for which ``where`` holds."""
    sql = " AND ".join([_FOLLOWING, *where])
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    years: dict[int, int] = {}
    through = 0
    for following, winner, year, mover in database.execute(sql, (key, *values)):
        through += 1
        if following is None:
            continue
        child = int.from_bytes(following, "little")
        count = counts[child]
        count[0] += 1
        if winner is not None:
            count[1 if winner == mover[0] else 2] += 1
        years[child] = max(years.get(child, 0), year or 0)
    return through, [
        replace(row, games=games, wins=wins, losses=losses, year=years[row.child] or None)
        for row in rows
        if (found := counts.get(row.child))
        for games, wins, losses in [found]
    ]
