"""The graph of positions in the library's file: add games, remove them, keep the values right."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hextui.engine.board import Color
from hextui.engine.retrograde import Ending, Value, judge
from hextui.library.games import Game
from hextui.library.keys import keys_of
from hextui.library.schema import LibraryError

_ADD_POSITION = "INSERT INTO position VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_ENDINGS = """
    UPDATE position SET ended = ended + ?, wins = wins + ?, losses = losses + ? WHERE id = ?
"""
_ADD_EDGE = """
    INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    games = games + excluded.games, wins = wins + excluded.wins, losses = losses + excluded.losses,
    year = max(ifnull(year, excluded.year), ifnull(excluded.year, year))
"""
_MOVES = """
    SELECT child, winning, certain, moves FROM edge LEFT JOIN position ON position.id = child
    WHERE parent = ?
"""
_PARENTS = "SELECT parent, level FROM edge JOIN position ON position.id = parent WHERE child = ?"
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
                row = rows[key] = [key, check, level, 0, 0, 0, 0]
            if row[1] != check or known.get(key, check) != check:
                raise LibraryError("two positions have the same key")
            visits.append((key, number, way.first_ply + at))
        begin += len(path)
        wins, losses = _outcome(game.winner, way.movers[-1])
        last = rows[path[-1]]
        last[3] |= way.complete
        last[4] += 1
        last[5] += wins
        last[6] += losses
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
    ended = [(*r[4:], r[0]) for r in rows.values() if r[0] in known and r[4]]
    database.executemany(_ADD_ENDINGS, ended)
    database.executemany(_ADD_EDGE, [(*key, *edges[key]) for key in sorted(edges)])
    database.executemany("INSERT INTO visit VALUES (?, ?, ?)", sorted(visits))
    after: dict[int, list[int]] = defaultdict(list)
    for parent, child in edges:
        after[parent].append(child)
    new = {
        key: NewPosition(Ending(bool(r[3]), r[5], r[6]), after[key])
        for key, r in rows.items()
        if key not in known
    }
    values = update_values(database, {key: row[2] for key, row in rows.items()}, new)
    inserted = (
        (*rows[key], value.winning, value.certain, value.moves)
        for key, value in sorted((key, values[key]) for key in new)
    )
    database.executemany(_ADD_POSITION, inserted)


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


@dataclass(frozen=True, slots=True)
class NewPosition:
    """A position that is not in the file yet: how games ended there, the positions that follow."""

    ending: Ending
    after: list[int]


def update_values(
    database: sqlite3.Connection, levels: dict[int, int], new: dict[int, NewPosition]
) -> dict[int, Value]:
    """Work the values of positions and of all they change back, the latest positions first.

    ``levels`` are those of the positions to begin with, ``new`` those among them that are not in
    the file yet; all moves are. Returns the values worked out; those of old positions are written.
    """
    waiting: dict[int, set[int]] = defaultdict(set)
    for key, level in levels.items():
        waiting[level].add(key)
    values: dict[int, Value] = {}
    changed: list[tuple[bool, bool, int, int]] = []
    while waiting:
        for key in waiting.pop(max(waiting)):
            found = new.get(key)
            if found is not None:
                moves = [_known(database, values, child).of_move() for child in found.after]
                values[key] = judge(moves) if moves else found.ending.value()
                continue
            value = _computed(database, values, key)
            if value != _known(database, values, key):
                changed.append((value.winning, value.certain, value.moves, key))
                values[key] = value
                for parent, level in database.execute(_PARENTS, (key,)):
                    waiting[level].add(parent)
    sql = "UPDATE position SET winning = ?, certain = ?, moves = ? WHERE id = ?"
    database.executemany(sql, changed)
    return values


def _known(database: sqlite3.Connection, values: dict[int, Value], key: int) -> Value:
    if key not in values:
        sql = "SELECT winning, certain, moves FROM position WHERE id = ?"
        values[key] = _value(database.execute(sql, (key,)).fetchone())
    return values[key]


def _value(row: tuple[int, int, int]) -> Value:
    return Value(bool(row[0]), bool(row[1]), row[2])


def _computed(database: sqlite3.Connection, values: dict[int, Value], key: int) -> Value:
    moves = [
        (values.get(child) or _value((winning, certain, length))).of_move()
        for child, winning, certain, length in database.execute(_MOVES, (key,))
    ]
    if moves:
        return judge(moves)
    sql = "SELECT complete, wins, losses FROM position WHERE id = ?"
    complete, wins, losses = database.execute(sql, (key,)).fetchone()
    return Ending(bool(complete), wins, losses).value()


def remove_game(database: sqlite3.Connection, number: int, game: Game) -> None:
    """Take a game, with its id, out of the graph, inside the caller's transaction."""
    way = game.way
    path = keys_of(list(way.hashes)).key.tolist()
    database.executemany(
        "DELETE FROM visit WHERE position = ? AND game = ?", [(key, number) for key in path]
    )
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
    database.execute(_ADD_ENDINGS, (-1, -wins, -losses, path[-1]))
    levels = {}
    for key, level in zip(path, way.levels, strict=True):
        if database.execute("SELECT 1 FROM visit WHERE position = ?", (key,)).fetchone():
            levels[key] = level
        else:
            database.execute("DELETE FROM position WHERE id = ?", (key,))
    update_values(database, levels, {})
