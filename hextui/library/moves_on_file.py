"""What is on file at a position, and its value, for nodes and for what lies between them."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hextui.engine.retrograde import Ending, Value
from hextui.library.position_graph import GraphGame, lines_of
from hextui.library.values import earlier, unpack

_EDGES = """
    SELECT edge.child, edge.games, edge.wins, edge.losses, year,
    ifnull(next.value, edge.value), distance,
    ifnull(after.ended, target IS NULL AND distance = 0),
    ifnull(after.wins, edge.losses), ifnull(after.losses, edge.wins)
    FROM edge LEFT JOIN position next ON next.id = target
    LEFT JOIN position after ON after.id = edge.child WHERE parent = ?
"""
_WORTH = """
    SELECT child, edge.games, ifnull(position.value, edge.value), distance
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
class Tally:
    """Games, and how many of them the side to move won and lost."""

    games: int = 0
    wins: int = 0
    losses: int = 0


@dataclass(frozen=True)
class Row:
    """A move on file: the key of the position after it, and counts for the player who makes it.

    ``ended`` are the games that end with it, counted for the opponent, who is to move then.
    """

    child: int
    games: int
    wins: int
    losses: int
    year: int | None
    value: Value
    ended: Tally


@dataclass(frozen=True)
class OnFile:
    """How many games go through a position, those that end there, and the moves from it."""

    games: int = 0
    ended: Tally = Tally()
    rows: tuple[Row, ...] = ()


def on_file(database: sqlite3.Connection, key: int) -> OnFile:
    """Return what is on file at a position."""
    node = _node(database, key)
    if node is None:
        return _of_one_game(database, key)
    games, ended = node
    return OnFile(games, ended, tuple(_row(*row) for row in database.execute(_EDGES, (key,))))


def best_on_file(database: sqlite3.Connection, key: int) -> list[tuple[int, Value]]:
    """Return the keys after a position's best moves on file, and what those are worth.

    Several are equally good, and played in equally many games.
    """
    best: list[tuple[int, Value]] = []
    least: tuple[bool, bool, int, int] | None = None
    for child, games, number, distance in database.execute(_WORTH, (key,)):
        value, preference = _of_move(number, distance)
        order = (*preference, -games)
        if least is None or order < least:
            best, least = [], order
        if order == least:
            best.append((child, value))
    if best or _node(database, key) is not None:
        return best
    return [(row.child, row.value) for row in _of_one_game(database, key).rows]


def games_to(database: sqlite3.Connection, key: int, following: Collection[int]) -> int:
    """Return how many games go on from a position to one of others, by their keys."""
    places = ",".join("?" * len(following))
    sql = f"SELECT count(*), sum(games) FROM edge WHERE parent = ? AND child IN ({places})"
    count, games = database.execute(sql, (key, *following)).fetchone()
    if count or _node(database, key) is not None:
        return games or 0
    return sum(row.games for row in _of_one_game(database, key).rows if row.child in following)


@lru_cache(maxsize=1 << 12)
def _of_move(number: int, distance: int) -> tuple[Value, tuple[bool, bool, int]]:
    """Return the value of a move so far before a position of a packed value; its preference."""
    value = earlier(unpack(number), distance).of_move()
    return value, value.preference


def _node(database: sqlite3.Connection, key: int) -> tuple[int, Tally] | None:
    """Return how many games go through a node, and those that end there."""
    sql = "SELECT games, ended, wins, losses FROM position WHERE id = ?"
    row = database.execute(sql, (key,)).fetchone()
    return None if row is None else (row[0], Tally(*row[1:]))


def _row(
    child: int, games: int, wins: int, losses: int, year: int | None, value: int, distance: int,
    *ended: int,
) -> Row:  # fmt: skip
    found, _ = _of_move(value, distance)
    tally = Tally(*ended) if ended[0] else Tally()
    return Row(child, games, wins, losses, year, found, tally)


def _of_one_game(database: sqlite3.Connection, key: int) -> OnFile:
    found = _place(database, key)
    if found is None:
        return OnFile()
    line, at = found
    last = len(line.way.keys) - 1
    if at == last:
        return OnFile(1, Tally(1, *line.outcome(at)))
    child = int(line.way.keys[at + 1])
    value = _on_the_way(database, line, at + 1).of_move()
    ended = Tally(1, *line.outcome(last)) if at + 1 == last else Tally()
    if node := _node(database, child):  # others come there
        ended = node[1]
    return OnFile(1, rows=(Row(child, 1, *line.outcome(at), line.year, value, ended),))


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
    line = next(lines_of(database, [row[0]]), None)
    if line is None:
        raise LookupError(f"there is no game {row[0]}")
    return line, row[1] - line.way.first_ply


def way_on(database: sqlite3.Connection, key: int) -> list[int]:
    """Return the keys of what follows a position through which one game goes, up to a node.

    That is the next node, or the end of the game. Nothing follows a node, an end, or a position
    that is not on file.
    """
    if _node(database, key) is not None:
        return []
    found = _place(database, key)
    if found is None:
        return []
    line, at = found
    keys: list[int] = line.way.keys[at + 1 :].tolist()
    nodes = _nodes(database, keys)
    end = next((later for later, one in enumerate(keys, start=1) if one in nodes), len(keys))
    return keys[:end]


def _nodes(database: sqlite3.Connection, keys: Sequence[int]) -> dict[int, int]:
    """Return the packed values of those positions that are nodes."""
    sql = f"SELECT id, value FROM position WHERE id IN ({','.join('?' * len(keys))})"
    return dict(database.execute(sql, keys))


def _on_the_way(database: sqlite3.Connection, line: GraphGame, at: int) -> Value:
    """Return the value at a place of a game: that of the next node, or of the end, and the way."""
    keys = line.way.keys[at:].tolist()
    nodes = _nodes(database, keys)
    for later, key in enumerate(keys):
        if key in nodes:
            return earlier(unpack(nodes[key]), later)
    last = len(line.way.keys) - 1
    return earlier(Ending(line.way.complete, *line.outcome(last)).value(), last - at)


def counted_again(
    database: sqlite3.Connection,
    key: int,
    found: OnFile,
    where: Sequence[str],
    values: Sequence[object],
) -> OnFile:
    """Return the same for some of the games only: those for which ``where`` holds."""
    sql = " AND ".join([_FOLLOWING, *where])
    counts: dict[int | None, list[int]] = defaultdict(lambda: [0, 0, 0])  # None: games that end
    years: dict[int, int] = {}
    for following, winner, year, mover in database.execute(sql, (key, *values)):
        child = None if following is None else int.from_bytes(following, "little")
        count = counts[child]
        count[0] += 1
        if winner is not None:
            count[1 if winner == mover[0] else 2] += 1
        if child is not None:
            years[child] = max(years.get(child, 0), year or 0)
    through = sum(games for games, _, _ in counts.values())
    ended = Tally(*counts[None])
    rows = tuple(
        replace(row, games=games, wins=wins, losses=losses, year=years[row.child] or None)
        for row in found.rows
        if row.child in counts
        for games, wins, losses in [counts[row.child]]
    )
    return OnFile(through, ended, rows)
