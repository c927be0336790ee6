"""The opening explorer: moves, verdicts and the best line at a position, of the library's games.

A position is looked up by its key, as a node of the graph or in the one game that goes
through it. The file knows positions by their keys only: which moves lead to them is found by the
keys of all positions that a move leads to.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from hextui.engine.board import Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.retrograde import Ending, Value
from hextui.library.answers import Ended, Explored, ExploredMove
from hextui.library.game import cells_to, key_of, keys_after_stones
from hextui.library.position_graph import GraphGame, earlier, games_of, unpack

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
# ``way`` begins with keys of 8 bytes, so the next position is found without unpacking it.
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
class IndexedMove:
    """A move of some games: the key of the position after it, counts for the player who makes it.

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
class IndexedPosition:
    """How many games go through a position, those that end there, and the moves from it."""

    games: int = 0
    ended: Tally = Tally()
    rows: tuple[IndexedMove, ...] = ()


def explore(
    database: sqlite3.Connection,
    position: Position,
    where: Sequence[str] = (),
    values: Sequence[object] = (),
) -> Explored:
    """Return the moves of the library at a position, in its orientation.

    Games are counted for which ``where`` holds; verdicts, line and answers are those of all games.
    """
    here = key_of(position)
    found = look_up(database, here)
    line = tuple(_best_line(database, position, here))
    if where:
        found = _counted_again(database, here, found, where, values)
    by_child = _moves_to(position, found.rows)
    moves = [_explored(database, position, row, by_child[row.child]) for row in found.rows]
    if not any(position.stones):
        swaps = partial(_swapped, database, position, where=where, values=values)
        moves = [replace(m, swapped=swaps(m.move)) for m in moves]
    moves.sort(key=lambda m: (m.value.preference, -m.games, m.move.cell))
    ended, value = _ended(found.ended, position.to_move), value_of(database, here)
    return Explored(found.games, tuple(moves), ended, line, value=value)


def _explored(
    database: sqlite3.Connection, position: Position, row: IndexedMove, moves: Sequence[Move]
) -> ExploredMove:
    black, white = row.wins, row.losses
    if position.to_move is Color.WHITE:
        black, white = white, black
    move, *same = moves
    refutation = None
    if not row.value.winning:
        refutation = _winning_answer(database, position.apply(move), row.child)
    return ExploredMove(
        move,
        tuple(same),
        row.games,
        black,
        white,
        row.value,
        row.year,
        _ended(row.ended, position.to_move.opponent),
        refutation,
    )


def _swapped(
    database: sqlite3.Connection,
    empty: Position,
    move: Move,
    where: Sequence[str],
    values: Sequence[object],
) -> int:
    """Return how many of the games with a first move swapped it."""
    after = empty.apply(move)
    key = key_of(after)
    swaps = {key_of(after.apply(swap)) for swap in _swaps(after)}
    if not where:
        return _games_to(database, key, swaps)
    found = _counted_again(database, key, look_up(database, key), where, values)
    return sum(row.games for row in found.rows if row.child in swaps)


def _winning_answer(database: sqlite3.Connection, position: Position, key: int) -> Move | None:
    """Return the best move at a position that is won as far as the games say, None without any."""
    best = _best(database, position, key)
    return best[0] if best and best[1].winning else None


def _best_line(database: sqlite3.Connection, position: Position, key: int) -> Iterator[Move]:
    """Yield the best move of the games, then the best answer, until no game goes on.

    Where one game goes on alone, its moves are taken one after the other.
    """
    while True:
        keys = _keys_ahead(database, key)
        for following, cell in zip(keys, cells_to(position, keys), strict=False):
            key, position = following, position.play(cell)
            yield Move.play(cell)
        best = _best(database, position, key)
        if best is None:
            return
        move, _, key = best
        yield move
        position = position.apply(move)


def _best(
    database: sqlite3.Connection, position: Position, key: int
) -> tuple[Move, Value, int] | None:
    """Return the move that `explore` lists first, its value, and the key of what follows."""
    best = [(_move_to(position, key), value, key) for key, value in best_moves(database, key)]
    return min(best, key=lambda found: found[0].cell, default=None)


def _move_to(position: Position, key: int) -> Move:
    """Return the first move that leads to the position of a key.

    Raises LookupError if none does: the file is damaged.
    """
    for cell in cells_to(position, [key]):
        return Move.play(cell)
    for swap in _swaps(position):
        if key_of(position.apply(swap)) == key:
            return swap
    raise LookupError(f"no move leads to position {key}")


def _moves_to(position: Position, rows: Sequence[IndexedMove]) -> dict[int, list[Move]]:
    """Return the moves that lead to the positions of rows, by their keys."""
    cells, keys = keys_after_stones(position)
    found = {row.child: [Move.play(int(c)) for c in cells[keys == row.child]] for row in rows}
    for move in _swaps(position):
        key = key_of(position.apply(move))
        if key in found:
            found[key].append(move)
    return found


def _swaps(position: Position) -> list[Move]:
    """Return the swaps that are legal at a position."""
    if not position.swap_legal:
        return []
    square = position.board.rows == position.board.columns
    kinds = [MoveKind.SWAP_PIECES] if square else []
    return [Move(kind) for kind in (*kinds, MoveKind.SWAP_SIDES)]


def _ended(tally: Tally, to_move: Color) -> Ended:
    """Return the games that end in a position, by colours."""
    if to_move is Color.BLACK:
        return Ended(tally.games, tally.wins, tally.losses)
    return Ended(tally.games, tally.losses, tally.wins)


def look_up(database: sqlite3.Connection, key: int) -> IndexedPosition:
    """Return the games through a position and the moves they make there."""
    node = _node(database, key)
    if node is None:
        return _of_one_game(database, key)
    games, ended = node
    return IndexedPosition(
        games, ended, tuple(_row(*row) for row in database.execute(_EDGES, (key,)))
    )


def best_moves(database: sqlite3.Connection, key: int) -> list[tuple[int, Value]]:
    """Return the keys after a position's best moves, and what those are worth.

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


def _games_to(database: sqlite3.Connection, key: int, following: Collection[int]) -> int:
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
) -> IndexedMove:  # fmt: skip
    found, _ = _of_move(value, distance)
    tally = Tally(*ended) if ended[0] else Tally()
    return IndexedMove(child, games, wins, losses, year, found, tally)


def _of_one_game(database: sqlite3.Connection, key: int) -> IndexedPosition:
    found = _place(database, key)
    if found is None:
        return IndexedPosition()
    line, at = found
    last = len(line.positions.keys) - 1
    if at == last:
        return IndexedPosition(1, Tally(1, *line.outcome(at)))
    child = int(line.positions.keys[at + 1])
    value = _value_along(database, line, at + 1).of_move()
    ended = Tally(1, *line.outcome(last)) if at + 1 == last else Tally()
    if node := _node(database, child):  # others come there
        ended = node[1]
    return IndexedPosition(
        1, rows=(IndexedMove(child, 1, *line.outcome(at), line.year, value, ended),)
    )


def value_of(database: sqlite3.Connection, key: int) -> Value | None:
    """Return the value of a position, None if no game goes through it."""
    row = database.execute("SELECT value FROM position WHERE id = ?", (key,)).fetchone()
    if row is not None:
        return unpack(row[0])
    found = _place(database, key)
    return None if found is None else _value_along(database, *found)


def _place(database: sqlite3.Connection, key: int) -> tuple[GraphGame, int] | None:
    """Return the only game through a position, and its place in it."""
    sql = "SELECT game, ply FROM visit WHERE position = ?"
    row = database.execute(sql, (key,)).fetchone()
    if row is None:
        return None
    line = next(games_of(database, [row[0]]), None)
    if line is None:
        raise LookupError(f"there is no game {row[0]}")
    return line, row[1] - line.positions.first_ply


def _keys_ahead(database: sqlite3.Connection, key: int) -> list[int]:
    """Return the keys of what follows a position through which one game goes, up to a node.

    That is the next node, or the end of the game. Nothing follows a node, an end, or a position
    that no game goes through.
    """
    if _node(database, key) is not None:
        return []
    found = _place(database, key)
    if found is None:
        return []
    line, at = found
    keys: list[int] = line.positions.keys[at + 1 :].tolist()
    nodes = _nodes(database, keys)
    end = next((later for later, one in enumerate(keys, start=1) if one in nodes), len(keys))
    return keys[:end]


def _nodes(database: sqlite3.Connection, keys: Sequence[int]) -> dict[int, int]:
    """Return the packed values of those positions that are nodes."""
    sql = f"SELECT id, value FROM position WHERE id IN ({','.join('?' * len(keys))})"
    return dict(database.execute(sql, keys))


def _value_along(database: sqlite3.Connection, line: GraphGame, at: int) -> Value:
    """Return the value at a place of a game: that of the next node, or of the end."""
    keys = line.positions.keys[at:].tolist()
    nodes = _nodes(database, keys)
    for later, key in enumerate(keys):
        if key in nodes:
            return earlier(unpack(nodes[key]), later)
    last = len(line.positions.keys) - 1
    return earlier(Ending(line.positions.complete, *line.outcome(last)).value(), last - at)


def _counted_again(
    database: sqlite3.Connection,
    key: int,
    found: IndexedPosition,
    where: Sequence[str],
    values: Sequence[object],
) -> IndexedPosition:
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
    return IndexedPosition(through, ended, rows)
