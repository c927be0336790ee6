"""The moves of a library's games in one array for each board, for a search through all of them."""

import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board
from hextui.library.stored_games import ONE_BYTE
from hextui.records.move_line import SWAP_PIECES

Integers = NDArray[np.int64]
_BOARDS = "SELECT DISTINCT game.rows, columns FROM game"
# four long values, which cost a third of a row for each game
_GAMES = """
    SELECT group_concat(id), group_concat(ifnull(winner, 0), ''),
    group_concat(length(moves)), group_concat(hex(moves), '')
    FROM game WHERE game.rows = ? AND columns = ?
"""


class PackedGames(NamedTuple):
    """Games on one board, each with id, winner (0: nobody), and the number of its moves.

    ``moves``: those of all games, one game after the other, as numbers without a sign; a game whose
    moves are no line has none.
    """

    board: Board
    ids: Integers
    winners: Integers
    lengths: Integers
    moves: NDArray[Any]

    def chosen(self, wanted: NDArray[np.bool_]) -> "PackedGames":
        """Return some of the games."""
        return PackedGames(
            board=self.board,
            ids=self.ids[wanted],
            winners=self.winners[wanted],
            lengths=self.lengths[wanted],
            moves=self.moves[np.repeat(wanted, self.lengths)],
        )

    def chunks(self, size: int) -> Iterator["PackedGames"]:
        """Yield the games, so many at once."""
        ends = np.concatenate([[0], np.cumsum(self.lengths)])
        for begin in range(0, len(self.ids), size):
            end = min(begin + size, len(self.ids))
            yield PackedGames(
                board=self.board,
                ids=self.ids[begin:end],
                winners=self.winners[begin:end],
                lengths=self.lengths[begin:end],
                moves=self.moves[ends[begin] : ends[end]],
            )

    def swapped_stones(self) -> "PackedGames":
        """Return the games that begin with a swap of pieces, cut off before it."""
        starts = np.cumsum(self.lengths) - self.lengths
        firsts = starts[self.lengths > 1]
        swap = SWAP_PIECES + np.iinfo(self.moves.dtype).max + 1
        swapped = np.zeros(len(self.ids), bool)
        swapped[self.lengths > 1] = self.moves[firsts + 1] == swap
        return PackedGames(
            board=self.board,
            ids=self.ids[swapped],
            winners=self.winners[swapped],
            lengths=np.ones(np.count_nonzero(swapped), np.int64),
            moves=self.moves[starts[swapped]],
        )


def packed_games(database: sqlite3.Connection, ids: Integers | None) -> list[PackedGames]:
    """Return the games of these ids for each board, all games for None.

    Raises ValueError for damaged moves.
    """
    games = []
    for rows, columns in database.execute(_BOARDS).fetchall():
        packed = _games_on(database, Board(rows, columns))
        if ids is not None:
            packed = packed.chosen(np.isin(packed.ids, ids))
        games.append(packed)
    return games


def _games_on(database: sqlite3.Connection, board: Board) -> PackedGames:
    (texts,) = database.execute(_GAMES, (board.rows, board.columns))
    ids, winners, lengths, moves = texts
    dtype = np.dtype(np.uint8 if board.cells <= ONE_BYTE else "<u2")
    packed = PackedGames(
        board=board,
        ids=np.fromstring(ids, np.int64, sep=","),
        winners=np.frombuffer(winners.encode(), np.uint8).astype(np.int64) - ord("0"),
        lengths=np.fromstring(lengths, np.int64, sep=",") // dtype.itemsize,
        moves=np.frombuffer(bytes.fromhex(moves), dtype),
    )
    counts = {len(packed.ids), len(packed.winners), len(packed.lengths)}
    if len(counts) > 1 or packed.lengths.sum() != len(packed.moves):
        raise ValueError(f"games are damaged on a {board} board")
    return packed
