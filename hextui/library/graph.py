"""The graph of positions in the library's file: add games, remove them, keep the values right."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from hextui.engine.board import Color
from hextui.engine.retrograde import Ending, Value, judge
from hextui.library.games import Game
from hextui.library.keys import keys_of
from hextui.library.schema import LibraryError

_ADD_POSITION = """
    INSERT INTO position VALUES (?, ?, ?, ?, ?, ?, 0, 0, -1) ON CONFLICT (id) DO UPDATE SET
    wins = wins + excluded.wins, losses = losses + excluded.losses
    WHERE excluded.wins OR excluded.losses
"""
_ADD_EDGE = """
    INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    games = games + excluded.games, wins = wins + excluded.wins, losses = losses + excluded.losses,
    year = max(ifnull(year, excluded.year), ifnull(excluded.year, year))
"""
_MOVES = """
    SELECT winning, certain, moves FROM edge JOIN position ON position.id = child WHERE parent = ?
"""
_LAST_YEAR = """
    SELECT max(game.year) FROM visit a JOIN visit b ON b.game = a.game AND b.ply = a.ply + 1
    JOIN game ON game.id = a.game WHERE a.position = ? AND b.position = ?
"""
_CHUNK = 500  # values in one IN (...)


def add_games(database: sqlite3.Connection, games: Sequence[tuple[int, Game]]) -> None:
    """Add games, with their ids, to the graph; raises LibraryError if two hashes clash.

    Inside the caller's transaction.
    """
    keys = keys_of([value for _, game in games for value in game.way.hashes])
    ids, checks = keys.key.tolist(), keys.check.tolist()
    known = _checks(database, ids)
    rows: dict[int, list[int]] = {}
    edges: dict[tuple[int, int], list[int | None]] = {}
    visits = []
    begin = 0
    for number, game in games:
        way = game.way
        path = ids[begin : begin + len(way.hashes)]
        for at, (key, level) in enumerate(zip(path, way.levels, strict=True)):
            check = checks[begin + at]
            row = rows.get(key)
            if row is None:
                row = rows[key] = [key, check, level, 0, 0, 0]
            if row[1] != check or known.get(key, check) != check:
                raise LibraryError("two positions have the same key")
            visits.append((key, number, way.first_ply + at))
        begin += len(path)
        wins, losses = _outcome(game.winner, way.movers[-1])
        last = rows[path[-1]]
        last[3] |= way.complete
        last[4] += wins
        last[5] += losses
        for (parent, child), mover in zip(pairwise(path), way.movers, strict=False):
            wins, losses = _outcome(game.winner, mover)
            edge = edges.get((parent, child))
            if edge is None:
                edges[parent, child] = [1, wins, losses, game.year]
            else:
                edge[0] += 1  # type: ignore[operator]
                edge[1] += wins  # type: ignore[operator]
                edge[2] += losses  # type: ignore[operator]
                edge[3] = max(filter(None, (edge[3], game.year)), default=None)
    database.executemany(_ADD_POSITION, [rows[key] for key in sorted(rows)])
    database.executemany(_ADD_EDGE, [(*key, *edges[key]) for key in sorted(edges)])
    database.executemany("INSERT INTO visit VALUES (?, ?, ?)", sorted(visits))
    after: dict[int, list[int]] = defaultdict(list)
    for parent, child in edges:
        after[parent].append(child)
    new = {key: after[key] for key in rows if key not in known}
    update_values(database, {key: row[2] for key, row in rows.items()}, new, rows)


def _outcome(winner: Color | None, mover: int) -> tuple[int, int]:
    """Return wins and losses of the side to move in one game."""
    return (0, 0) if winner is None else (int(winner == mover), int(winner != mover))


def _checks(database: sqlite3.Connection, ids: list[int]) -> dict[int, int]:
    unique = sorted(set(ids))
    found: dict[int, int] = {}
    for begin in range(0, len(unique), _CHUNK):
        part = unique[begin : begin + _CHUNK]
        marks = ",".join("?" * len(part))
        found.update(
            database.execute(f"SELECT id, verify FROM position WHERE id IN ({marks})", part)
        )
    return found


def update_values(
    database: sqlite3.Connection,
    levels: dict[int, int],
    new: dict[int, list[int]],
    rows: dict[int, list[int]],
) -> None:
    """Work the values of positions and of all they change back, the latest positions first.

    ``levels`` are those of the positions to begin with; ``new`` names those that were not there
    before, with the positions that follow, and ``rows`` their rows (key, check, level, complete,
    wins, losses), so that nothing is read for them.
    """
    waiting: dict[int, set[int]] = defaultdict(set)
    for key, level in levels.items():
        waiting[level].add(key)
    values: dict[int, Value] = {}
    changed: list[tuple[bool, bool, int, int]] = []

    def value_of(key: int) -> Value:
        if key not in values:
            sql = "SELECT winning, certain, moves FROM position WHERE id = ?"
            values[key] = _value(database.execute(sql, (key,)).fetchone())
        return values[key]

    def write() -> None:
        sql = "UPDATE position SET winning = ?, certain = ?, moves = ? WHERE id = ?"
        database.executemany(sql, changed)
        changed.clear()

    while waiting:
        keys = waiting.pop(max(waiting))
        olds = keys - new.keys()
        if olds:
            write()  # what is read below must be up to date
        for key in keys:
            if key in new:
                if new[key]:
                    value = judge(value_of(child).of_move() for child in new[key])
                else:
                    value = Ending(bool(rows[key][3]), rows[key][4], rows[key][5]).value()
                values[key] = value
                changed.append((value.winning, value.certain, value.moves, key))
                continue
            old = value_of(key)
            value = _computed(database, key)
            if value == old:
                continue
            values[key] = value
            changed.append((value.winning, value.certain, value.moves, key))
            parents = (
                "SELECT parent, level FROM edge JOIN position ON position.id = parent "
                "WHERE child = ?"
            )
            for parent, level in database.execute(parents, (key,)):
                waiting[level].add(parent)
    write()


def _value(row: tuple[int, int, int]) -> Value:
    return Value(bool(row[0]), bool(row[1]), row[2])


def _computed(database: sqlite3.Connection, key: int) -> Value:
    moves = [_value(row).of_move() for row in database.execute(_MOVES, (key,))]
    if moves:
        return judge(moves)
    sql = "SELECT complete, wins, losses FROM position WHERE id = ?"
    complete, wins, losses = database.execute(sql, (key,)).fetchone()
    return Ending(bool(complete), wins, losses).value()


def remove_game(database: sqlite3.Connection, number: int, game: Game) -> None:
    """Take a game, with its id, out of the graph, inside the caller's transaction."""
    way = game.way
    path = keys_of(list(way.hashes)).key.tolist()
    database.execute("DELETE FROM visit WHERE game = ?", (number,))
    for (parent, child), mover in zip(pairwise(path), way.movers, strict=False):
        wins, losses = _outcome(game.winner, mover)
        database.execute(
            "UPDATE edge SET games = games - 1, wins = wins - ?, losses = losses - ?, "
            "year = CASE WHEN year = ? THEN (" + _LAST_YEAR + ") ELSE year END "
            "WHERE parent = ? AND child = ?",
            (wins, losses, game.year, parent, child, parent, child),
        )
        database.execute(
            "DELETE FROM edge WHERE parent = ? AND child = ? AND games = 0", (parent, child)
        )
    wins, losses = _outcome(game.winner, way.movers[-1])
    database.execute(
        "UPDATE position SET wins = wins - ?, losses = losses - ? WHERE id = ?",
        (wins, losses, path[-1]),
    )
    levels = {}
    for key, level in zip(path, way.levels, strict=True):
        if database.execute("SELECT 1 FROM visit WHERE position = ?", (key,)).fetchone():
            levels[key] = level
        else:
            database.execute("DELETE FROM position WHERE id = ?", (key,))
    update_values(database, levels, {}, {})
