"""The graph of positions in the library's file: add games, remove them, settle positions.

Only nodes are kept (see ``schema``): positions that two games go through, or that the solver
settled. What lies between nodes belongs to one game only, so its retrograde value follows from that
of the game's next node, or from its end, by counting. The values of nodes are computed again where
something changed, and no further.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.retrograde import Ending, Value, judge
from hextui.library.graph_positions import GamePositions
from hextui.library.schema import LibraryError, rows_in
from hextui.library.stored_games import StoredPositions, positions_kept
from hextui.library.visit_chunks import VisitChunks
from hextui.library.visits import Visits, joined

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
_TAKE_FROM_EDGE = """
    UPDATE edge SET games = games - 1, wins = wins - ?, losses = losses - ?
    WHERE parent = ? AND child = ?
"""
_YEAR = "SELECT year FROM edge WHERE parent = ? AND child = ?"
_SET_YEAR = """
    UPDATE edge SET year = (SELECT max(year) FROM game WHERE id IN (SELECT value FROM json_each(?)))
    WHERE parent = ? AND child = ?
"""
_DROP_EDGE = "DELETE FROM edge WHERE parent = ? AND child = ? AND games = 0"
_LINK = "UPDATE edge SET target = ?, distance = ?, value = ? WHERE parent = ? AND child = ?"
_NODES = "SELECT id, value, complete, wins, losses, settled FROM position WHERE id IN"
_MOVES = """
    SELECT parent, ifnull(position.value, edge.value), distance FROM edge
    LEFT JOIN position ON position.id = target WHERE parent IN
"""
_PARENTS = """
    SELECT target, parent, level FROM edge JOIN position ON position.id = parent WHERE target IN
"""
_SET_VALUE = "UPDATE position SET value = ? WHERE id = ?"
_LINES = """
    SELECT id, winner, year, game.rows, columns, moves, positions, way, first_ply, complete
    FROM game WHERE id IN
"""
_NO_NODES = "SELECT id FROM position WHERE (games = 0 OR games = 1 AND settled IS NULL) AND id IN"
_CHUNK = 1000  # games that are unpacked together

Link = tuple[int | None, int, int | None]  # target, distance and value of an edge


@dataclass(frozen=True)
class GraphGame:
    """What the graph needs of a game: its id, winner, year and positions."""

    number: int
    winner: Color | None
    year: int | None
    positions: GamePositions

    @cached_property
    def keys(self) -> list[int]:
        """The keys of the positions, as plain numbers."""
        keys: list[int] = self.positions.keys.tolist()
        return keys

    def outcome(self, place: int) -> tuple[int, int]:
        """Return wins and losses, of one game, for the side to move at a place of the game."""
        if self.winner is None:
            return (0, 0)
        won = self.winner == self.positions.movers[place]
        return (int(won), int(not won))

    def links(self, nodes: Container[int]) -> Iterator[tuple[int, int | None, Link]]:
        """Yield the places of the nodes in the game, the next one's, and where the move leads."""
        keys = self.keys
        last = len(keys) - 1
        places: list[int | None] = [place for place, key in enumerate(keys) if key in nodes]
        for place, following in pairwise([*places, None]):
            assert place is not None
            if following is not None:
                yield place, following, (keys[following], following - place - 1, None)
            else:
                wins, losses = self.outcome(last)
                end = Ending(self.positions.complete, wins, losses).value()
                yield place, None, (None, last - place - 1, pack(end))


@dataclass(slots=True)
class _NodeCounts:
    """What games add to a row of ``position``."""

    level: int
    games: int = 0
    complete: bool = False
    ended: int = 0
    wins: int = 0
    losses: int = 0


@dataclass(slots=True)
class _EdgeCounts:
    """What games add to a row of ``edge``."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    year: int | None = None


class _GraphChanges:
    """What games add to nodes and to edges, gathered before it is written."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.nodes: dict[int, _NodeCounts] = {}
        self.edges: dict[tuple[int, int], _EdgeCounts] = {}
        self.links: dict[tuple[int, int], Link] = {}

    def add(
        self, line: GraphGame, nodes: Container[int], new: Container[int] | None = None
    ) -> None:
        """Count a game at its nodes, or the ``new`` ones. Raises LibraryError if keys clash."""
        keys = line.keys
        counted = nodes if new is None else new
        for place, following, link in line.links(nodes):
            leads_to_new = following is not None and keys[following] in counted
            if keys[place] not in counted and not leads_to_new:
                continue
            self._note_level(keys[place], int(line.positions.levels[place]))
            if place + 1 < len(keys):
                self.links[keys[place], keys[place + 1]] = link
            if keys[place] in counted:
                self._count(line, place)

    def _note_level(self, key: int, level: int) -> None:
        if self.levels.setdefault(key, level) != level:
            raise LibraryError("two positions have the same key")

    def _count(self, line: GraphGame, place: int) -> None:
        """Count a game at one of its places, and its move from there."""
        key = line.keys[place]
        wins, losses = line.outcome(place)
        node = self.nodes.setdefault(key, _NodeCounts(self.levels[key]))
        node.games += 1
        if place + 1 == len(line.keys):
            node.complete = line.positions.complete
            node.ended += 1
            node.wins += wins
            node.losses += losses
            return
        edge = self.edges.setdefault((key, line.keys[place + 1]), _EdgeCounts())
        edge.games += 1
        edge.wins += wins
        edge.losses += losses
        if line.year is not None:
            edge.year = max(line.year, edge.year or line.year)

    def node_rows(self) -> Iterator[tuple[int, ...]]:
        """Yield the rows to be added to ``position``, in order."""
        for key, node in sorted(self.nodes.items(), key=itemgetter(0)):
            yield (key, node.level, node.games, node.complete, node.ended, node.wins, node.losses)

    def edge_rows(self) -> Iterator[tuple[int | None, ...]]:
        """Yield the rows to be added to ``edge``, in order."""
        for keys, edge in sorted(self.edges.items(), key=itemgetter(0)):
            yield (*keys, edge.games, edge.wins, edge.losses, edge.year)


class PositionGraph:
    """The graph in an open library. Changes run in the caller's transaction."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self.visits = VisitChunks(database)

    def games(self, numbers: Iterable[int]) -> Iterator[GraphGame]:
        """Yield games by their ids, in order; those that are not there are left out."""
        rows = rows_in(self._database, _LINES, sorted(numbers))
        while part := list(islice(rows, _CHUNK)):
            positions = positions_kept([StoredPositions(*stored) for _, _, _, *stored in part])
            for (number, winner, year, *_), game_positions in zip(part, positions, strict=True):
                color = None if winner is None else Color(winner)
                yield GraphGame(number, color, year, game_positions)

    def add(self, lines: Sequence[GraphGame]) -> None:
        """Add games. Raises LibraryError if two positions have the same key."""
        if not lines:
            return
        visits = _visits(lines)
        unique, counts = np.unique(visits.keys, return_counts=True)
        older = self.visits.add(visits)
        met = dict(zip(older.keys.tolist(), older.games.tolist(), strict=True))
        levels = self._levels(met)  # a node has a visit
        for key in levels:
            del met[key]
        old = list(self.games(set(met.values())))
        new = {*met, *(key for key in unique[counts > 1].tolist() if key not in levels)}
        nodes = {*levels, *new}
        if old:
            others = np.unique(np.concatenate([line.positions.keys for line in old]))
            nodes.update(self._levels(_others(others, nodes)))
        changes = _GraphChanges()
        changes.levels.update(levels)
        for line in old:
            changes.add(line, nodes, new)
        for line in lines:
            changes.add(line, nodes)
        self._write(changes)
        decided = sum(line.winner is not None for line in lines)
        self._count_total(len(lines), decided, len(visits))

    def remove(self, lines: Sequence[GraphGame]) -> None:
        """Take games out."""
        gone: set[int] = set()
        for line in lines:
            gone.add(line.number)
            self._remove(line, gone)
        if lines:
            self.visits.remove(_visits(lines))

    def _remove(self, line: GraphGame, gone: Container[int]) -> None:
        """Take a game out, but for its visits; those of games that are ``gone`` do not count."""
        keys = line.keys
        nodes = self._levels(keys)
        self._take_from_nodes(line, nodes, gone)
        self._count_total(-1, -(line.winner is not None), -len(keys))
        dropped = [key for (key,) in rows_in(self._database, _NO_NODES, nodes)]
        self._drop_nodes(dropped)
        others = {game for key in dropped for game in self._left_through(key, gone)}
        for other in self.games(others):
            nodes.update(self._link_again(other))
        self._update_values(self._levels(nodes))

    def _left_through(self, key: int, gone: Container[int]) -> list[int]:
        """Return the games through a position that are not gone."""
        games = self.visits.through(key).games.tolist()
        return [number for number in games if number not in gone]

    def _take_from_nodes(
        self, line: GraphGame, nodes: Container[int], gone: Container[int]
    ) -> None:
        """Count a game no longer at its nodes."""
        keys = line.keys
        for place, key in enumerate(keys):
            wins, losses = line.outcome(place)
            if key in nodes and place + 1 == len(keys):
                self._database.execute(_ADD_NODE, (key, 0, -1, 0, -1, -wins, -losses))
            elif key in nodes:
                edge = key, keys[place + 1]
                self._database.execute(_ADD_NODE, (key, 0, -1, 0, 0, 0, 0))
                self._database.execute(_TAKE_FROM_EDGE, (wins, losses, *edge))
                self._database.execute(_DROP_EDGE, edge)
                self._correct_year(line.year, edge, gone)

    def _correct_year(self, year: int | None, edge: tuple[int, int], gone: Container[int]) -> None:
        """Find the last year of an edge's games again after one of a ``year`` is gone."""
        row = self._database.execute(_YEAR, edge).fetchone()
        if year is None or row is None or row[0] != year:
            return
        parent, child = map(self.visits.through, edge)
        passed = parent[parent.places_before(child)]
        left = [number for number in passed.games.tolist() if number not in gone]
        self._database.execute(_SET_YEAR, (json.dumps(left), *edge))

    def _drop_nodes(self, keys: Sequence[int]) -> None:
        """Remove nodes that are none any more, and their edges."""
        rows = [(key,) for key in keys]
        self._database.executemany("DELETE FROM edge WHERE parent = ?", rows)
        self._database.executemany("DELETE FROM position WHERE id = ?", rows)

    def _link_again(self, line: GraphGame) -> dict[int, int]:
        """Link a game's nodes, since some are none any more; return the levels of those left."""
        keys = line.keys
        nodes = self._levels(keys)
        for place, _, link in line.links(nodes):
            if place + 1 < len(keys):
                self._database.execute(_LINK, (*link, keys[place], keys[place + 1]))
        return nodes

    def settle(self, line: GraphGame, place: int, wins: bool) -> None:
        """Note at a place of a game that the side to move is proved to win, or to lose."""
        keys = line.keys
        key = keys[place]
        nodes = self._levels(keys)
        if key not in nodes:
            changes = _GraphChanges()
            changes.add(line, {*nodes, key}, {key})
            self._write(changes)
        self._database.execute("UPDATE position SET settled = ? WHERE id = ?", (wins, key))
        self._update_values({key: int(line.positions.levels[place])})

    def contradicting(self) -> Visits:
        """Return the visits of positions where games end with both results."""
        sql = "SELECT id FROM position WHERE wins AND losses"
        return joined([self.visits.through(key) for (key,) in self._database.execute(sql)])

    def _levels(self, keys: Iterable[int]) -> dict[int, int]:
        """Return the levels of those positions that are nodes."""
        return dict(rows_in(self._database, "SELECT id, level FROM position WHERE id IN", keys))

    def _count_total(self, games: int, decided: int, visits: int) -> None:
        sql = "UPDATE total SET games = games + ?, decided = decided + ?, visits = visits + ?"
        self._database.execute(sql, (games, decided, visits))

    def _write(self, changes: _GraphChanges) -> None:
        """Write changes in the order of the tables, and compute the values that change."""
        self._database.executemany(_ADD_NODE, changes.node_rows())
        self._database.executemany(_ADD_EDGE, changes.edge_rows())
        links = sorted(changes.links.items())
        self._database.executemany(_LINK, ((*link, *edge) for edge, link in links))
        self._update_values(changes.levels)

    def _update_values(self, levels: dict[int, int]) -> None:
        """Compute the values of nodes, and of all that these change, the latest first.

        ``levels`` are those of the nodes to begin with. Raises LookupError for a move that does not
        lead to a later level: a damaged file may have cycles.
        """
        waiting: dict[int, set[int]] = defaultdict(set)
        for key, level in levels.items():
            waiting[level].add(key)
        while waiting:
            latest = max(waiting)
            changed = self._changed_values(sorted(waiting.pop(latest)))
            self._database.executemany(_SET_VALUE, ((new, key) for key, new in changed.items()))
            for key, parent, level in rows_in(self._database, _PARENTS, changed):
                if level >= latest:
                    raise LookupError(f"a move leads back to position {key}")
                waiting[level].add(parent)

    def _changed_values(self, keys: Sequence[int]) -> dict[int, int]:
        """Return the packed values that some nodes should have, of those that have another one."""
        moves: dict[int, list[Value]] = defaultdict(list)
        for key, value, distance in rows_in(self._database, _MOVES, keys):
            moves[key].append(value_of_move(value, distance))
        changed = {}
        for key, old, complete, wins, losses, settled in rows_in(self._database, _NODES, keys):
            value = judge(moves[key]) if key in moves else None
            value = value or Ending(bool(complete), wins, losses).value()
            if settled is not None:
                value = Value(bool(settled), True, value.moves)
            if pack(value) != old:
                changed[key] = pack(value)
        return changed


def _others(keys: NDArray[np.int64], left_out: Collection[int]) -> list[int]:
    others: list[int] = keys[
        ~np.isin(keys, np.fromiter(left_out, np.int64, len(left_out)))
    ].tolist()
    return others


def _visits(lines: Sequence[GraphGame]) -> Visits:
    """Return the visits of games, in order."""
    lengths = [len(line.positions.keys) for line in lines]
    plies = [
        np.arange(n) + line.positions.first_ply for line, n in zip(lines, lengths, strict=True)
    ]
    return Visits(
        np.concatenate([line.positions.keys for line in lines]),
        np.repeat([line.number for line in lines], lengths),
        np.concatenate(plies),
    ).sorted()


def pack(value: Value) -> int:
    """Return a value as the file holds it."""
    return value.moves * 4 + value.winning * 2 + value.certain


def unpack(number: int) -> Value:
    """Return what ``pack`` wrote."""
    return Value(bool(number & 2), bool(number & 1), number >> 2)


@lru_cache(maxsize=1 << 12)
def value_of_move(number: int, distance: int) -> Value:
    """Return the value of a move so far before a position of a packed value."""
    return earlier(unpack(number), distance).of_move()


def earlier(value: Value, moves: int) -> Value:
    """Return the value of the position so many moves before, if each was the only one played.

    The same as that many times ``judge([value.of_move()])``: only the move that completes a chain
    or leads to a settled position can be certain.
    """
    certain = value.certain and (moves == 0 or (moves == 1 and not value.winning))
    return Value(value.winning ^ bool(moves % 2), certain, value.moves + moves)
