"""Filters as conditions of SQL, and what they ask of a game's row that has no column."""

import re
import sqlite3
from functools import cache

from hextui.engine.board import Board, Color
from hextui.engine.position import SWAPS
from hextui.library.answers import storable
from hextui.library.filters import Filter, FilterRange
from hextui.library.schema import VALUE
from hextui.library.stored_games import has_swap
from hextui.records.codecs.sgf import read_sgf

_SWAPPER = "swapper(game.rows, columns, moves, text)"  # a Color; NULL if nobody swapped
_CONTAINS = "instr(lower({}), lower(?))"


def add_functions(database: sqlite3.Connection) -> None:
    """Add the functions of SQL that `conditions_of` uses."""
    database.create_function("swapper", 4, _swapper, deterministic=True)
    database.create_function("rating", 2, _rating, deterministic=True)


class Conditions:
    """Conditions of a game's row, all of which hold, and the values in them."""

    def __init__(self) -> None:
        self.sql: list[str] = []
        self.values: list[object] = []

    def add(self, sql: str, *values: object) -> None:
        """Add a condition."""
        self.sql.append(sql)
        self.values += values


def conditions_of(chosen: Filter) -> Conditions:
    """Return the conditions of a filter, but for ``words`` and ``contradicting``."""
    where = Conditions()
    _add_players(where, chosen)
    _add_swap(where, chosen)
    if chosen.rating is not None:
        first, last = chosen.rating
        for code in ("BR", "WR"):
            rating = f"rating(text, '{code}')"
            where.add(f"{rating} BETWEEN ? AND ?", int(first or 0), float(last or "inf"))
    if chosen.event is not None:
        where.add(_CONTAINS.format("event"), storable(chosen.event))
    if chosen.date is not None:
        _add_date(where, chosen.date)
    if chosen.board is not None:
        where.add("game.rows = ? AND columns = ?", chosen.board.rows, chosen.board.columns)
    return where


def _add_players(where: Conditions, chosen: Filter) -> None:
    """Add that the player had a colour, any if none is asked for, and the opponent the other."""
    if chosen.player is None and chosen.opponent is None:
        return
    sides = []
    values = []
    for color in Color if chosen.color is None else [chosen.color]:
        names = {str(color): chosen.player, str(color.opponent): chosen.opponent}
        texts = {column: text for column, text in names.items() if text is not None}
        sides.append(" AND ".join(map(_CONTAINS.format, texts)))
        values += [storable(text) for text in texts.values()]
    where.add(f"({' OR '.join(sides)})", *values)


def _add_swap(where: Conditions, chosen: Filter) -> None:
    """Add whether the first move was swapped, and by whom."""
    if chosen.swap is not None:
        where.add(f"{_SWAPPER} IS {'NOT' if chosen.swap else ''} NULL")
    if chosen.swapper is not None:
        name = f"CASE {_SWAPPER} WHEN 1 THEN black WHEN 2 THEN white END"
        where.add(_CONTAINS.format(name), storable(chosen.swapper))


def _add_date(where: Conditions, date: str | FilterRange) -> None:
    """Add how the date begins, or that it is in a range as far as an end of that says it."""
    if isinstance(date, str):
        where.add("instr(date, ?) = 1", storable(date))
        return
    where.add("date GLOB '[0-9][0-9][0-9][0-9]*'")
    if date.first:
        where.add("date >= ?", date.first)
    if date.last:
        where.add("substr(date, 1, ?) <= ?", len(date.last), date.last)


def _swapper(rows: int, columns: int, moves: bytes, text: str) -> int | None:
    """Return the Color that swapped in a game, None if nobody did."""
    if moves:
        return int(Color.WHITE) if has_swap(Board(rows, columns), moves) else None
    for node in read_sgf(text).main_line():
        if node.turn and node.turn.move.kind in SWAPS:
            return int(node.turn.color)
    return None


def _rating(text: str, code: str) -> int | None:
    """Return the rating that a game's text gives under a code of SGF, None without a number."""
    match = _rating_pattern(code).match(text)
    return int(match[1]) if match else None


@cache
def _rating_pattern(code: str) -> re.Pattern[str]:
    """Return what finds a property of the root that begins with a number."""
    others = rf"(?:\s*+(?!{code}\[)[A-Z]++(?:\s*+{VALUE})*+)*+"
    return re.compile(rf"(?:\(\s*+;)?{others}\s*+{code}\[\s*+([0-9]{{1,9}})", re.DOTALL)
