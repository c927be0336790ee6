"""What the library answers about a position: moves, best line, refuting answers, as on the board.

The file knows positions by their keys only. The moves that lead to them are found by the keys of
all positions that a move leads to.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from hextui.engine.board import Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.retrograde import Value
from hextui.library.answers import Ended, Explored, ExploredMove
from hextui.library.moves_on_file import (
    Row,
    Tally,
    best_on_file,
    counted_again,
    games_to,
    on_file,
    value_of,
    way_on,
)
from hextui.library.position_keys import cells_to, key_of, keys_after_stones


def explore(
    database: sqlite3.Connection,
    position: Position,
    where: Sequence[str] = (),
    values: Sequence[object] = (),
) -> Explored:
    """Return what is on file at a position, in its orientation.

    Games are counted for which ``where`` holds; verdicts, line and answers are those of all games.
    """
    here = key_of(position)
    found = on_file(database, here)
    line = tuple(_best_line(database, position, here))
    if where:
        found = counted_again(database, here, found, where, values)
    by_child = _moves_to(position, found.rows)
    moves = [_explored(database, position, row, by_child[row.child]) for row in found.rows]
    if not any(position.stones):
        swaps = partial(_swapped, database, position, where=where, values=values)
        moves = [replace(m, swapped=swaps(m.move)) for m in moves]
    moves.sort(key=lambda m: (m.value.preference, -m.games, m.move.cell))
    ended, value = _ended(found.ended, position.to_move), value_of(database, here)
    return Explored(found.games, tuple(moves), ended, line, value=value)


def _explored(
    database: sqlite3.Connection, position: Position, row: Row, moves: Sequence[Move]
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
        return games_to(database, key, swaps)
    found = counted_again(database, key, on_file(database, key), where, values)
    return sum(row.games for row in found.rows if row.child in swaps)


def _winning_answer(database: sqlite3.Connection, position: Position, key: int) -> Move | None:
    """Return the best move at a position that is won as far as the games say, None without any."""
    best = _best(database, position, key)
    return best[0] if best and best[1].winning else None


def _best_line(database: sqlite3.Connection, position: Position, key: int) -> Iterator[Move]:
    """Yield the best move on file, then the best answer, until no game goes on.

    Where one game goes on alone, its moves are taken one after the other.
    """
    while True:
        keys = way_on(database, key)
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
    """Return the move on file that `explore` has first, its value, the key of what follows."""
    best = [(_move_to(position, key), value, key) for key, value in best_on_file(database, key)]
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


def _moves_to(position: Position, rows: Sequence[Row]) -> dict[int, list[Move]]:
    """Return the moves that lead to the positions after those on file, by their keys."""
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
