"""Filters as games that have names, and as conditions of what a game's row has no column for."""

import re
import sqlite3
from functools import cache, reduce

import numpy as np

from hextui.engine.board import Board, Color
from hextui.engine.position import SWAPS
from hextui.library.answers import storable
from hextui.library.filters import Filter, FilterRange
from hextui.library.game_names import GameNames, folded
from hextui.library.schema import VALUE
from hextui.library.stored_games import has_swap
from hextui.library.visit_chunks import Numbers, distinct, in_both
from hextui.records.codecs.sgf import read_sgf
from hextui.text import Names

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


def games_named(chosen: Filter, names: GameNames, players: Names) -> list[Numbers]:
    """Return the ids of games for each name in a filter; those in all of these are meant.

    ``players`` calls the players in results.
    """
    parts = []
    for word in folded(storable(chosen.words or "")).split():
        parts.append(names.with_word(word, players))
    if chosen.player or chosen.opponent:
        parts.append(_games_of_players(chosen, names))
    if chosen.event:
        parts.append(names.with_event(storable(chosen.event)))
    if isinstance(chosen.date, FilterRange):
        parts.append(names.in_dates(*chosen.date))
    elif chosen.date:
        parts.append(names.with_date(storable(chosen.date)))
    if chosen.board is not None:
        parts.append(names.on_board(chosen.board))
    return parts


def _games_of_players(chosen: Filter, names: GameNames) -> Numbers:
    """Return the games where the player had a colour, any if none is asked for, and the opponent.

    The latter had the other colour.
    """
    sides = []
    for color in Color if chosen.color is None else [chosen.color]:
        both = ((color, chosen.player), (color.opponent, chosen.opponent))
        games = [names.with_player(storable(part), side) for side, part in both if part]
        sides.append(reduce(in_both, games))
    return distinct(np.concatenate(sides))


def conditions_of(chosen: Filter) -> Conditions:
    """Return the conditions of a filter that are not about names."""
    where = Conditions()
    _add_swap(where, chosen)
    if chosen.rating is not None:
        first, last = chosen.rating
        for code in ("BR", "WR"):
            rating = f"rating(text, '{code}')"
            where.add(f"{rating} BETWEEN ? AND ?", int(first or 0), float(last or "inf"))
    return where


def _add_swap(where: Conditions, chosen: Filter) -> None:
    """Add whether the first move was swapped, and by whom."""
    if chosen.swap is not None:
        where.add(f"{_SWAPPER} IS {'NOT' if chosen.swap else ''} NULL")
    if chosen.swapper is not None:
        name = f"CASE {_SWAPPER} WHEN 1 THEN black WHEN 2 THEN white END"
        where.add(_CONTAINS.format(name), storable(chosen.swapper))


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
