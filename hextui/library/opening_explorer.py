"""The opening explorer: moves, verdicts and the best line at a position, of the library's games.

The file knows positions by their keys only, as nodes of the graph or in the one game that goes
through them: the moves to them are found by the keys of all positions that a move leads to.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hextui.engine.board import EMPTY, Color
from hextui.engine.position import Move, Position, SwapRule
from hextui.engine.retrograde import Ending, Value
from hextui.library.answers import Explored, ExploredMove, GameCounts
from hextui.library.game_names import GameNames
from hextui.library.position_graph import GraphGame, PositionGraph, earlier, unpack, value_of_move
from hextui.library.position_keys import key_of, moves_along, moves_to, swaps_at
from hextui.library.visits import Numbers

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
_CHOSEN = """
    SELECT ifnull(winner, 0), ifnull(year, 0)
    FROM json_each(?) LEFT JOIN game ON game.id = value ORDER BY value
"""
_SPARSE = 100  # ids for each game that is there: no library has so many
_FEW = 5000  # games whose rows are read faster than the names of all games


class IndexedMove(NamedTuple):
    """A move: the key of the position after it, the games with it, and those that end with it.

    ``everywhere``: the games of the whole library with it, where ``played`` counts chosen ones.
    """

    child: int
    played: GameCounts
    year: int | None
    value: Value
    ended: GameCounts
    everywhere: GameCounts


class IndexedPosition(NamedTuple):
    """How many games go through a position, those that end there, and the moves from it."""

    games: int = 0
    ended: GameCounts = GameCounts()
    moves: Sequence[IndexedMove] = ()


class OpeningExplorer:
    """Looks up positions in an open library.

    ``chosen`` are the ids of the games to be counted, None for all; verdicts, the line and
    refutations are those of all games. Raises LookupError where the file is damaged.
    """

    def __init__(
        self, database: sqlite3.Connection, graph: PositionGraph, names: GameNames
    ) -> None:
        self._database = database
        self._graph = graph
        self._names = names

    def explore(self, position: Position, chosen: Numbers | None = None) -> Explored:
        """Return the moves of the library at a position, in its orientation."""
        key = key_of(position)
        indexed = self._looked_up(key, position.to_move, chosen)
        ways = moves_to(position, [row.child for row in indexed.moves])
        moves = []
        for row in indexed.moves:
            move, *same = ways[row.child]
            after = position.apply(move)
            reply = None if row.value.winning else self._best(after, row.child)
            moves.append(
                ExploredMove(
                    board=position.board,
                    played=move,
                    same=tuple(same),
                    games=row.played.games,
                    black_wins=row.played.black_wins,
                    white_wins=row.played.white_wins,
                    value=row.value,
                    last_year=row.year,
                    ended=row.ended,
                    best_reply=reply[0] if reply and reply[1].winning else None,
                    swapped=None if any(position.stones) else self._swaps(after, chosen),
                    everywhere=row.everywhere,
                    mover=position.to_move,
                )
            )
        moves.sort(key=lambda m: (m.value.preference, -m.games, m.played.cell))
        line = tuple(self._best_line(position, key)) if indexed.games else ()
        return Explored(
            games=indexed.games,
            moves=tuple(moves),
            ended=indexed.ended,
            line=line,
            value=self.value(key),
            others=self._others(position, chosen),
            line_games=self._games_at_the_end(key) if line else 0,
        )

    def value(self, key: int) -> Value | None:
        """Return the value of a position by its key, None if no game goes through it."""
        sql = "SELECT value FROM position WHERE id = ?"
        row = self._database.execute(sql, (key,)).fetchone()
        if row is not None:
            return unpack(row[0])
        only_game = self._only_game(key)
        return None if only_game is None else self._value_along(*only_game)

    def _others(self, position: Position, chosen: Numbers | None) -> int:
        """Return the games in which the only stone stands with the right to swap it changed."""
        if position.stones.count(EMPTY) != position.board.cells - 1:
            return 0
        usual = SwapRule.usual(position.board)
        rule = SwapRule.NONE if position.swap_legal else usual
        other = key_of(replace(position, swap_rule=rule))
        return self._looked_up(other, position.to_move, chosen).games

    def _swaps(self, after: Position, chosen: Numbers | None) -> int:
        """Return how many of the games with a first move swapped it."""
        key = key_of(after)
        swaps = [key_of(after.apply(swap)) for swap in swaps_at(after)]
        if chosen is not None:
            visits = self._graph.visits
            there = visits.through(key).of_games(chosen)
            return sum(len(there.places_before(visits.through(swap))) for swap in {*swaps})
        if self._node(key) is None:
            indexed = self._looked_up(key, after.to_move, chosen)
            return sum(row.played.games for row in indexed.moves if row.child in swaps)
        sql = "SELECT ifnull(sum(games), 0) FROM edge WHERE parent = ? AND child IN (?, ?)"
        return int(self._database.execute(sql, (key, swaps[0], swaps[-1])).fetchone()[0])

    def _best_line(self, position: Position, key: int) -> Iterator[Move]:
        """Yield the best move, the best answer ..., to the end of a game."""
        while keys := self._keys_ahead(position, key):
            key = keys[-1]
            moves = list(moves_along(position, keys))
            yield from moves
            for move in moves:
                position = position.apply(move)

    def _keys_ahead(self, position: Position, key: int) -> list[int]:
        """Return the key after the best move, and those of the only game up to the next node."""
        if self._node(key) is not None:
            best = self._best(position, key)
            return [] if best is None else [best[2]]
        only_game = self._only_game(key)
        if only_game is None:
            return []
        line, place = only_game
        keys: list[int] = line.positions.keys[place + 1 :].tolist()
        nodes = self._values_of_nodes(keys)
        ahead = [number for number, later in enumerate(keys, start=1) if later in nodes]
        return keys[: ahead[0]] if ahead else keys

    def _games_at_the_end(self, key: int) -> int:
        """Return how many games end with the best line from a position."""
        while (node := self._node(key)) is not None:
            following = next(iter(self._best_values(key)), None)
            if following is None:
                return node[0]
            key = following
        return 1

    def _best(self, position: Position, key: int) -> tuple[Move, Value, int] | None:
        """Return the move that `explore` lists first, its value, and the key of what follows."""
        values = self._best_values(key)
        ways = moves_to(position, values)
        best = ((ways[child][0], value, child) for child, value in values.items())
        return min(best, key=lambda pair: pair[0].cell, default=None)

    def _best_values(self, key: int) -> dict[int, Value]:
        """Return the values of the moves that are best and equally often played, by their keys."""
        best: dict[int, Value] = {}
        least: tuple[bool, bool, int, int] | None = None
        for child, games, number, distance in self._database.execute(_WORTH, (key,)):
            value = value_of_move(number, distance)
            order = (*value.preference, -games)
            if least is None or order < least:
                best = {}
                least = order
            if order == least:
                best[child] = value
        if best or self._node(key) is not None:
            return best
        return {row.child: row.value for row in self._of_only_game(key).moves}

    def _node(self, key: int) -> tuple[int, int, int, int] | None:
        """Return how many games go through a node, and end there, won and lost by its mover."""
        sql = "SELECT games, ended, wins, losses FROM position WHERE id = ?"
        row: tuple[int, int, int, int] | None = self._database.execute(sql, (key,)).fetchone()
        return row

    def _looked_up(self, key: int, mover: Color, chosen: Numbers | None) -> IndexedPosition:
        """Return the games through a position and the moves they make there."""
        node = self._node(key)
        if node is None:
            indexed = self._of_only_game(key)
        else:
            moves = []
            edges = self._database.execute(_EDGES, (key,))
            for child, games, wins, losses, year, value, distance, *ended in edges:
                played = _counts(mover, games, wins, losses)
                after = _counts(mover.opponent, *ended)
                moves.append(
                    IndexedMove(
                        child=child,
                        played=played,
                        year=year,
                        value=value_of_move(value, distance),
                        ended=after,
                        everywhere=played,
                    )
                )
            indexed = IndexedPosition(node[0], _counts(mover, *node[1:]), moves)
        return indexed if chosen is None else self._counted_again(key, indexed, chosen)

    def _of_only_game(self, key: int) -> IndexedPosition:
        only_game = self._only_game(key)
        if only_game is None:
            return IndexedPosition()
        line, place = only_game
        last = len(line.positions.keys) - 1
        game = GameCounts(1, int(line.winner is Color.BLACK), int(line.winner is Color.WHITE))
        if place == last:
            return IndexedPosition(1, game)
        child = int(line.positions.keys[place + 1])
        value = self._value_along(line, place + 1).of_move()
        ended = game if place + 1 == last else GameCounts()
        if node := self._node(child):  # others come there
            ended = _counts(Color(line.positions.movers[place + 1]), *node[1:])
        return IndexedPosition(
            1,
            moves=[
                IndexedMove(
                    child=child,
                    played=game,
                    year=line.year,
                    value=value,
                    ended=ended,
                    everywhere=game,
                )
            ],
        )

    def _only_game(self, key: int) -> tuple[GraphGame, int] | None:
        """Return the only game through a position, and its place in it."""
        visits = self._graph.visits.through(key)
        if not len(visits):
            return None
        game = int(visits.games[0])
        line = next(self._graph.games([game]), None)
        if line is None:
            raise LookupError(f"there is no game {game}")
        place = int(visits.plies[0]) - line.positions.first_ply
        if not 0 <= place < len(line.positions.keys) or line.positions.keys[place] != key:
            raise LookupError(f"game {game} has no such position")
        return line, place

    def _value_along(self, line: GraphGame, place: int) -> Value:
        """Return the value at a place of a game: that of the next node, or of the end."""
        keys = line.positions.keys[place:].tolist()
        nodes = self._values_of_nodes(keys)
        for later, key in enumerate(keys):
            if key in nodes:
                return earlier(unpack(nodes[key]), later)
        last = len(line.positions.keys) - 1
        wins, losses = line.outcome(last)
        ending = Ending(line.positions.complete, wins, losses)
        return earlier(ending.value(), last - place)

    def _values_of_nodes(self, keys: Sequence[int]) -> dict[int, int]:
        """Return the packed values of those positions that are nodes."""
        sql = f"SELECT id, value FROM position WHERE id IN ({','.join('?' * len(keys))})"
        return dict(self._database.execute(sql, keys))

    def _counted_again(self, key: int, indexed: IndexedPosition, games: Numbers) -> IndexedPosition:
        """Count only some games."""
        visits = self._graph.visits
        chosen = visits.through(key).of_games(games)
        winners, years = self._results(chosen.games)
        ends = np.ones(len(chosen), np.bool_)
        moves = []
        for row in indexed.moves:
            made = chosen.places_before(visits.through(row.child))
            ends[made] = False
            if len(made):
                last_year = int(years[made].max()) or None
                moves.append(row._replace(played=_counts_of(winners[made]), year=last_year))
        return IndexedPosition(len(chosen), _counts_of(winners[ends]), moves)

    def _results(self, games: Numbers) -> tuple[Numbers, Numbers]:
        """Return winner and year of each of sorted games, 0 where they are unknown."""
        if len(games) > _FEW and len(games) > games[-1] // _SPARSE:
            return self._names.winners(games), self._names.years(games)
        rows = self._database.execute(_CHOSEN, (json.dumps(games.tolist()),)).fetchall()
        winners, years = np.array(rows, np.int64).reshape(-1, 2).T
        return winners, years


def _counts_of(winners: Numbers) -> GameCounts:
    """Return games by who won them; a winner is 0 if unknown."""
    black = int(np.count_nonzero(winners == Color.BLACK))
    white = int(np.count_nonzero(winners == Color.WHITE))
    return GameCounts(len(winners), black, white)


def _counts(mover: Color, games: int, wins: int, losses: int) -> GameCounts:
    """Return games by who won them, from those that the side to move won and lost."""
    if not games:
        return GameCounts()
    if mover is Color.BLACK:
        return GameCounts(games, wins, losses)
    return GameCounts(games, losses, wins)
