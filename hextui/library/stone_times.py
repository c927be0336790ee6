"""When the stones of many games were put, which a search through the library compares."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color
from hextui.library.packed_games import Integers, PackedGames
from hextui.records.move_line import FORFEIT, RESIGN, SWAP_PIECES, SWAP_SIDES


class StoneTimes(NamedTuple):
    """The plies at which stones were put in games on one board.

    ``plies`` goes by kind, cell and game: kind 0 is that of any stone, 1 of a black one, 2 of a
    white one; its largest number stands for never. ``ends``: the last ply of each game,
    ``last_stones``: that of the last stone. ``side_swaps``: in which games the sides were swapped.
    """

    plies: NDArray[Any]
    ends: NDArray[Any]
    last_stones: NDArray[Any]
    side_swaps: NDArray[np.bool_]


class _Turns(NamedTuple):
    """The game and the ply of each move, and which moves are words: where, and their numbers."""

    games: Integers
    plies: NDArray[Any]
    words: Integers
    numbers: Integers


def stone_times(games: PackedGames) -> StoneTimes:
    """Return when the stones of games were put. Raises ValueError for damaged moves."""
    board = games.board
    if games.lengths.max(initial=0) > board.cells + 2:  # a swap and a resignation are the others
        raise _damaged(board)
    turns = _turns(games)
    swaps = turns.games[turns.words[turns.numbers == SWAP_SIDES]]
    side_swaps = np.zeros(len(games.ids), bool)
    side_swaps[swaps] = True
    resignations = turns.games[turns.words[turns.numbers >= RESIGN]]
    last_stones = games.lengths.astype(games.moves.dtype)
    last_stones[resignations] -= 1
    return StoneTimes(
        plies=_plies(games, turns, side_swaps),
        ends=games.lengths.astype(games.moves.dtype),
        last_stones=last_stones,
        side_swaps=side_swaps,
    )


def _turns(games: PackedGames) -> _Turns:
    """Return the turns of games. Raises ValueError for numbers that are no moves."""
    board = games.board
    lengths = games.lengths
    moves = games.moves
    starts = np.cumsum(lengths) - lengths
    plies = np.arange(1, len(moves) + 1) - np.repeat(starts, lengths)
    of_games = np.repeat(np.arange(len(lengths)), lengths)
    words = np.flatnonzero(moves >= board.cells)
    numbers = moves[words].astype(np.int64) - np.iinfo(moves.dtype).max - 1
    swaps = (SWAP_PIECES, SWAP_SIDES) if board.rows == board.columns else (SWAP_SIDES,)
    word_plies = plies[words]
    is_last = word_plies == lengths[of_games[words]]
    fits = np.isin(numbers, swaps) & (word_plies == 2)
    fits |= np.isin(numbers, (RESIGN, FORFEIT)) & is_last & (word_plies > 1)
    if not fits.all():
        raise _damaged(board)
    return _Turns(of_games, plies.astype(moves.dtype), words, numbers)


def _plies(games: PackedGames, turns: _Turns, side_swaps: NDArray[np.bool_]) -> NDArray[Any]:
    """Return ``StoneTimes.plies``. Raises ValueError if a cell is filled twice."""
    board = games.board
    plies = turns.plies
    cells = board.cells
    count = len(side_swaps)
    reflected = turns.words[turns.numbers == SWAP_PIECES] - 1
    plies[reflected] = 2
    is_white = plies % 2 == 0
    if side_swaps.any():
        is_white ^= side_swaps[turns.games] & (plies > 2)
    # where each stone is in a table with a row for each cell with a black stone, with a white
    # stone, and one for words
    rows = games.moves.astype(np.int64)
    row, column = np.divmod(rows[reflected], board.columns)
    rows[reflected] = column * board.rows + row
    rows[is_white] += cells
    rows[turns.words] = 2 * cells
    rows *= count
    rows += turns.games
    never = np.iinfo(plies.dtype).max
    table = np.full((3 * cells + 1) * count, never, plies.dtype)
    table[cells * count :][rows] = plies
    by_kind = table[: 3 * cells * count].reshape(3, cells, count)
    np.minimum(by_kind[Color.BLACK], by_kind[Color.WHITE], out=by_kind[EMPTY])
    if np.count_nonzero(by_kind[EMPTY] != never) != len(rows) - len(turns.words):
        raise _damaged(board)
    return by_kind


def _damaged(board: Board) -> ValueError:
    return ValueError(f"moves are damaged on a {board} board")
