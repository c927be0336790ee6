"""Retrograde values in the library's file: worked again where something changed, and no further.

A node is a position that two games go through, or that the solver settled. What lies between
nodes is played by one game only, so its value follows from that of the next node of the game, or
from its end, by counting.
"""

import sqlite3
from collections import defaultdict

from hextui.engine.retrograde import Ending, Value, judge

_MOVES = """
    SELECT ifnull(position.value, edge.value), distance FROM edge
    LEFT JOIN position ON position.id = target WHERE parent = ?
"""
_PARENTS = "SELECT parent, level FROM edge JOIN position ON position.id = parent WHERE target = ?"


def pack(value: Value) -> int:
    """Return a value as the file holds it."""
    return value.moves * 4 + value.winning * 2 + value.certain


def unpack(number: int) -> Value:
    """Return what ``pack`` wrote."""
    return Value(bool(number & 2), bool(number & 1), number >> 2)


def earlier(value: Value, moves: int) -> Value:
    """Return the value of the position so many moves before, if each was the only one on file.

    The same as that many times ``judge([value.of_move()])``: only the move that completes a chain
    or leads to a settled position can be certain.
    """
    certain = value.certain and (moves == 0 or (moves == 1 and not value.winning))
    return Value(value.winning ^ bool(moves % 2), certain, value.moves + moves)


def update_values(database: sqlite3.Connection, levels: dict[int, int]) -> None:
    """Work the values of nodes and of all they change back, the latest first.

    ``levels`` are those of the nodes to begin with.
    """
    waiting: dict[int, set[int]] = defaultdict(set)
    for key, level in levels.items():
        waiting[level].add(key)
    while waiting:
        for key in waiting.pop(max(waiting)):
            old, new = _old_and_new(database, key)
            if old == new:
                continue
            database.execute("UPDATE position SET value = ? WHERE id = ?", (new, key))
            for parent, level in database.execute(_PARENTS, (key,)):
                waiting[level].add(parent)


def _old_and_new(database: sqlite3.Connection, key: int) -> tuple[int | None, int]:
    sql = "SELECT value, complete, wins, losses, settled FROM position WHERE id = ?"
    old, complete, wins, losses, settled = database.execute(sql, (key,)).fetchone()
    moves = [
        earlier(unpack(value), distance).of_move()
        for value, distance in database.execute(_MOVES, (key,))
    ]
    value = judge(moves) if moves else Ending(bool(complete), wins, losses).value()
    if settled is not None:
        value = Value(bool(settled), True, value.moves)
    return old, pack(value)
