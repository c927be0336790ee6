"""The graph of positions in the library's file: add games, remove them, settle positions.

Only nodes are kept (see ``schema``): positions that two games go through, or that the solver
settled. A position becomes a node when a second game comes to it, and is dropped when all games but
one are removed. What lies between nodes belongs to one game only, so its retrograde value follows
from that of the game's next node, or from its end, by counting. The values of nodes are computed
again where something changed, and no further.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.retrograde import Ending, Value, judge
from hextui.library.game import GamePositions
from hextui.library.schema import LibraryError

_ADD_NODE = """
    INSERT INTO position (id, level, games, complete, ended, wins, losses)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    games = games + excluded.games, ended = ended + excluded.ended,
    wins = wins + excluded.wins, losses = losses + excluded.losses
"""
_ADD_EDGE = """
    INSERT INTO edge (parent, child, games, wins, losses, year, distance)
    VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO UPDATE SET
    games = games + excluded.games, wins = wins + excluded.wins, losses = losses + excluded.losses,
    year = max(ifnull(year, excluded.year), ifnull(excluded.year, year))
"""
_LINK = "UPDATE edge SET target = ?, distance = ?, value = ? WHERE parent = ? AND child = ?"
_LAST_YEAR = """
    SELECT max(game.year) FROM visit a JOIN visit b ON b.game = a.game AND b.ply = a.ply + 1
    JOIN game ON game.id = a.game WHERE a.position = ? AND b.position = ?
"""
_MOVES = """
    SELECT ifnull(position.value, edge.value), distance FROM edge
    LEFT JOIN position ON position.id = target WHERE parent = ?
"""
_PARENTS = "SELECT parent, level FROM edge JOIN position ON position.id = parent WHERE target = ?"
_LINES = "SELECT id, winner, year, way, first_ply, complete FROM game WHERE id IN "
_CHUNK = 1000  # values in one IN (...)
_SLICE = 10_000  # rows that wait to be written

Keys = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True)
class GraphGame:
    """What the graph needs of a game: its id, winner, year and positions."""

    number: int
    winner: Color | None
    year: int | None
    positions: GamePositions

    def outcome(self, at: int) -> tuple[int, int]:
        """Return wins and losses, of one game, for the side to move at a place of the game."""
        if self.winner is None:
            return (0, 0)
        won = self.winner == self.positions.movers[at]
        return (int(won), int(not won))

    def link(self, at: int, following: int | None) -> tuple[int | None, int, int | None]:
        """Return target, distance and value of the move at a node; ``following`` is the next."""
        if following is not None:
            return (int(self.positions.keys[following]), following - at - 1, None)
        last = len(self.positions.keys) - 1
        end = Ending(self.positions.complete, *self.outcome(last)).value()
        return (None, last - at - 1, pack(end))


def _stops(keys: list[int], nodes: Container[int]) -> Iterator[tuple[int, int | None]]:
    """Yield the places of the nodes of a game, each with that of the next, None for the last."""
    places: list[int | None] = [at for at, key in enumerate(keys) if key in nodes]
    for at, following in pairwise([*places, None]):
        assert at is not None
        yield at, following


class _Counts:
    """What games add to nodes and to edges, gathered before it is written."""

    def __init__(self, nodes: Container[int]) -> None:
        self.nodes = nodes
        self.levels: dict[int, int] = {}
        self._ended: dict[int, list[int]] = {}  # games, complete, ended, wins, losses
        self._edges: dict[tuple[int, int], list[int | None]] = {}  # games, wins, losses, year
        self._links: dict[tuple[int, int], tuple[int | None, int, int | None]] = {}

    def add(self, line: GraphGame, new: Container[int] | None = None) -> None:
        """Count a game at its nodes, or only at the ``new`` ones among them."""
        keys = line.positions.keys.tolist()
        for at, following in _stops(keys, self.nodes):
            counted = new is None or keys[at] in new
            if counted:
                self._count(line, keys[at], at)
            elif new is None or following is None or keys[following] not in new:
                continue
            self.levels[keys[at]] = int(line.positions.levels[at])
            if at + 1 < len(keys):
                edge = keys[at], keys[at + 1]
                self._links[edge] = line.link(at, following)
                if counted:
                    self._count_edge(edge, *line.outcome(at), line.year)

    def _count(self, line: GraphGame, key: int, at: int) -> None:
        level = int(line.positions.levels[at])
        if self.levels.get(key, level) != level:
            raise LibraryError("two positions have the same key")
        counts = self._ended.setdefault(key, [0, 0, 0, 0, 0])
        counts[0] += 1
        if at == len(line.positions.movers) - 1:
            wins, losses = line.outcome(at)
            counts[1] |= line.positions.complete
            counts[2] += 1
            counts[3] += wins
            counts[4] += losses

    def _count_edge(self, edge: tuple[int, int], wins: int, losses: int, year: int | None) -> None:
        counts = self._edges.get(edge)
        if counts is None:
            self._edges[edge] = [1, wins, losses, year]
        else:
            counts[0] += 1  # type: ignore[operator]
            counts[1] += wins  # type: ignore[operator]
            counts[2] += losses  # type: ignore[operator]
            counts[3] = max(filter(None, (counts[3], year)), default=None)

    def write(self, database: sqlite3.Connection) -> None:
        """Write everything and work the values of what changed."""
        nodes = ((key, self.levels[key], *self._ended[key]) for key in sorted(self._ended))
        database.executemany(_ADD_NODE, nodes)
        database.executemany(_ADD_EDGE, ((*key, *self._edges[key]) for key in sorted(self._edges)))
        database.executemany(_LINK, ((*self._links[key], *key) for key in sorted(self._links)))
        update_values(database, self.levels)


def add_games(database: sqlite3.Connection, lines: Sequence[GraphGame]) -> None:
    """Add games to the graph, inside the caller's transaction; LibraryError if two keys clash."""
    if not lines:
        return
    keys = np.concatenate([line.positions.keys for line in lines])
    unique, counts = np.unique(keys, return_counts=True)
    known = _levels(database, unique)
    met = _met(database, _others(unique, known))
    old = list(games_of(database, set(met.values())))
    new = {*met, *(key for key in unique[counts > 1].tolist() if key not in known)}
    nodes = {*known, *new}
    if old:
        others = np.unique(np.concatenate([line.positions.keys for line in old]))
        nodes.update(_levels(database, _others(others, nodes)))
    found = _Counts(nodes)
    found.levels.update(known)
    for line in old:
        found.add(line, new)
    for line in lines:
        found.add(line)
    database.executemany("INSERT INTO visit VALUES (?, ?, ?)", _visits(lines, keys))
    found.write(database)
    decided = sum(line.winner is not None for line in lines)
    _count_total(database, len(lines), decided, len(keys))


def _others(keys: NDArray[np.int64], left_out: Collection[int]) -> NDArray[np.int64]:
    return keys[~np.isin(keys, np.fromiter(left_out, np.int64, len(left_out)))]


def _visits(lines: Sequence[GraphGame], keys: NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """Yield the rows of ``visit`` in the order of the table, which is much the fastest."""
    lengths = [len(line.positions.keys) for line in lines]
    numbers = np.repeat([line.number for line in lines], lengths)
    plies = np.concatenate(
        [np.arange(n) + line.positions.first_ply for line, n in zip(lines, lengths, strict=True)]
    )
    order = np.lexsort((numbers, keys))
    for begin in range(0, len(order), _SLICE):
        part = order[begin : begin + _SLICE]
        columns = (keys[part].tolist(), numbers[part].tolist(), plies[part].tolist())
        yield from zip(*columns, strict=True)


def _count_total(database: sqlite3.Connection, games: int, decided: int, visits: int) -> None:
    sql = "UPDATE total SET games = games + ?, decided = decided + ?, visits = visits + ?"
    database.execute(sql, (games, decided, visits))


def _chunks(sql: str, values: Keys) -> Iterator[tuple[str, list[int]]]:
    for begin in range(0, len(values), _CHUNK):
        part = values[begin : begin + _CHUNK]
        numbers: list[int] = part.tolist() if isinstance(part, np.ndarray) else list(part)
        yield f"{sql}({','.join('?' * len(numbers))})", numbers


def _levels(database: sqlite3.Connection, keys: Keys) -> dict[int, int]:
    """Return the levels of those positions that are nodes."""
    found: dict[int, int] = {}
    for sql, part in _chunks("SELECT id, level FROM position WHERE id IN ", keys):
        found.update(database.execute(sql, part))
    return found


def _met(database: sqlite3.Connection, keys: Keys) -> dict[int, int]:
    """Return the game that goes through each position; none of them is a node."""
    found: dict[int, int] = {}
    for sql, part in _chunks("SELECT position, game FROM visit WHERE position IN ", keys):
        found.update(database.execute(sql, part))
    return found


def games_of(database: sqlite3.Connection, numbers: Iterable[int]) -> Iterator[GraphGame]:
    """Yield games by their ids, in order; those that are not there are left out."""
    for sql, part in _chunks(_LINES, sorted(numbers)):
        for number, winner, year, way, first_ply, complete in database.execute(sql, part):
            color = None if winner is None else Color(winner)
            positions = GamePositions.unpack(way, first_ply, bool(complete))
            yield GraphGame(number, color, year, positions)


def remove_game(database: sqlite3.Connection, line: GraphGame) -> None:
    """Take a game out of the graph, inside the caller's transaction."""
    keys = line.positions.keys.tolist()
    visits = [(key, line.number) for key in keys]
    database.executemany("DELETE FROM visit WHERE position = ? AND game = ?", visits)
    nodes = _levels(database, keys)
    for at, key in enumerate(keys):
        if key in nodes:
            _uncount(database, line, at)
    _count_total(database, -1, -(line.winner is not None), -len(keys))
    for other in games_of(database, _forget(database, list(nodes))):
        nodes.update(_link_again(database, other))
    update_values(database, _levels(database, list(nodes)))


def _uncount(database: sqlite3.Connection, line: GraphGame, at: int) -> None:
    """Take a game out of the counts of a node and of the move that it made there."""
    key = int(line.positions.keys[at])
    wins, losses = line.outcome(at)
    if at + 1 == len(line.positions.keys):
        database.execute(_ADD_NODE, (key, 0, -1, 0, -1, -wins, -losses))
        return
    database.execute(_ADD_NODE, (key, 0, -1, 0, 0, 0, 0))
    edge = key, int(line.positions.keys[at + 1])
    database.execute(
        "UPDATE edge SET games = games - 1, wins = wins - ?, losses = losses - ?, "
        f"year = CASE WHEN year = ? THEN ({_LAST_YEAR}) ELSE year END "
        "WHERE parent = ? AND child = ?",
        (wins, losses, line.year, *edge, *edge),
    )
    database.execute("DELETE FROM edge WHERE parent = ? AND child = ? AND games = 0", edge)


def _forget(database: sqlite3.Connection, nodes: list[int]) -> set[int]:
    """Drop those that are nodes no more; returns the games that go on alone there."""
    dropped = [
        key
        for sql, part in _chunks(
            "SELECT id FROM position WHERE (games = 0 OR games = 1 AND settled IS NULL) AND id IN ",
            nodes,
        )
        for (key,) in database.execute(sql, part)
    ]
    database.executemany("DELETE FROM edge WHERE parent = ?", [(key,) for key in dropped])
    database.executemany("DELETE FROM position WHERE id = ?", [(key,) for key in dropped])
    return set(_met(database, dropped).values())


def _link_again(database: sqlite3.Connection, line: GraphGame) -> dict[int, int]:
    """Lead the moves of a game to the nodes that there are now; returns these with levels."""
    keys = line.positions.keys.tolist()
    nodes = _levels(database, keys)
    for at, following in _stops(keys, nodes):
        if at + 1 < len(keys):
            database.execute(_LINK, (*line.link(at, following), keys[at], keys[at + 1]))
    return nodes


def settle(database: sqlite3.Connection, line: GraphGame, at: int, wins: bool) -> None:
    """Note at a place of a game that the side to move is proved to win, or to lose.

    Inside the caller's transaction.
    """
    keys = line.positions.keys.tolist()
    key = keys[at]
    nodes = _levels(database, keys)
    if key not in nodes:
        found = _Counts({*nodes, key})
        found.add(line, {key})
        found.write(database)
    database.execute("UPDATE position SET settled = ? WHERE id = ?", (wins, key))
    update_values(database, {key: int(line.positions.levels[at])})


def pack(value: Value) -> int:
    """Return a value as the file holds it."""
    return value.moves * 4 + value.winning * 2 + value.certain


def unpack(number: int) -> Value:
    """Return what ``pack`` wrote."""
    return Value(bool(number & 2), bool(number & 1), number >> 2)


def earlier(value: Value, moves: int) -> Value:
    """Return the value of the position so many moves before, if each was the only one played.

    The same as that many times ``judge([value.of_move()])``: only the move that completes a chain
    or leads to a settled position can be certain.
    """
    certain = value.certain and (moves == 0 or (moves == 1 and not value.winning))
    return Value(value.winning ^ bool(moves % 2), certain, value.moves + moves)


def update_values(database: sqlite3.Connection, levels: dict[int, int]) -> None:
    """Compute the values of nodes, and of all that these change, the latest first.

    ``levels`` are those of the nodes to begin with. Raises LookupError for a move that does not
    lead to a later level: a damaged file may have cycles.
    """
    waiting: dict[int, set[int]] = defaultdict(set)
    for key, level in levels.items():
        waiting[level].add(key)
    while waiting:
        latest = max(waiting)
        for key in waiting.pop(latest):
            old, new = _old_and_new(database, key)
            if old == new:
                continue
            database.execute("UPDATE position SET value = ? WHERE id = ?", (new, key))
            for parent, level in database.execute(_PARENTS, (key,)):
                if level >= latest:
                    raise LookupError(f"a move leads back to position {key}")
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
