"""Find a shape in the games of a library: where it stands first, and what is played there next.

There is no index: a search reads the moves of all games. Stones stay, so a shape stands in a game
from the ply of its last stone until one of its empty cells is filled. ``times`` holds these plies
for many games at once, by kind, cell and game: kind 0 is that of any stone, 1 of a black one, 2 of
a white one; the largest number stands for never.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.cells import Cells
from hextui.library.filters import ALL_GAMES, Filter
from hextui.library.library import Library
from hextui.library.schema import reported
from hextui.library.shape import Shape, ShapeImage
from hextui.library.stored_games import ONE_BYTE
from hextui.records.codecs.sgf import read_sgf
from hextui.records.move_line import FORFEIT, RESIGN, SWAP_PIECES, SWAP_SIDES
from hextui.records.record import Record
from hextui.records.tree import Turn

_CHUNK = 16_384  # games whose times are held at once
_KINDS = {".": EMPTY, "B": Color.BLACK, "W": Color.WHITE}
_NONE = -1  # nothing was played next
_WON, _LOST = 1, 2  # by the player of the next stone
_FIELDS = ("place", "ply", "plies", "next", "result")
_ROW = np.dtype([("game", "i8"), *((name, "i4") for name in _FIELDS)])
Rows = NDArray[np.void]
"""Matches: id of the game, number of the place, plies, code of the next stone and its result."""
Times = NDArray[Any]
Integers = NDArray[np.int64]


class PackedGame(NamedTuple):
    """A game's id, winner (0: nobody) and packed moves, b'' if it is no line of moves."""

    number: int
    winner: int
    moves: bytes


@dataclass(frozen=True)
class Continuation:
    """A stone that was played next inside the shape's rectangle or beside it, while it stood.

    ``row`` and ``column`` count from 0 at the shape's first cell. ``at_once``: in how many of the
    ``games`` nothing was played between; ``won`` and ``lost``: by the player of the stone.
    """

    row: int
    column: int
    color: Color
    games: int
    at_once: int
    won: int
    lost: int


@dataclass(frozen=True)
class ShapeMatch:
    """Where a shape stands first in a game: from ``ply`` on, at ``plies`` plies in all.

    ``cells`` are those of the shape's stones and empty cells, row by row in the shape.
    """

    game: int
    ply: int
    plies: int
    cells: Cells


class ShapeMatches(Sequence[ShapeMatch]):
    """Matches in the order of the games' ids, made when they are asked for."""

    def __init__(self, rows: Rows, places: "Sequence[_Place]") -> None:
        self._rows = rows
        self._places = places

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, number: int) -> ShapeMatch: ...
    @overload
    def __getitem__(self, number: slice) -> "ShapeMatches": ...
    def __getitem__(self, number: int | slice) -> "ShapeMatch | ShapeMatches":
        if isinstance(number, slice):
            return ShapeMatches(self._rows[number], self._places)
        game, place, ply, plies, *_ = self._rows[number].tolist()
        return ShapeMatch(game=game, ply=ply, plies=plies, cells=self._places[place].cells)


@dataclass(frozen=True)
class ShapeFound:
    """The games with a shape among those ``searched``, one match for each, and what came next.

    ``continuations`` come most games first.
    """

    shape: Shape
    searched: int
    matches: ShapeMatches
    continuations: tuple[Continuation, ...]


def find_shape(
    library: Library, shape: Shape, chosen: Filter = ALL_GAMES, *, exchange: bool = False
) -> ShapeFound:
    """Find a shape and its images in the games that a filter selects.

    ``exchange``: also with the colours exchanged; see ``Shape.images``. Of several places where it
    stands first at the same ply, the first image and the first row and column count. Raises
    LibraryError.
    """
    with reported(library.path):
        codes = _Codes(shape, exchange=exchange)
        games = library.packed_moves()
        if chosen:
            ids = {row.id for row in library.games(chosen)}
            games = [game for game in games if game[0] in ids]
        by_board: dict[tuple[int, int], list[PackedGame]] = {}
        for number, rows, columns, winner, moves in games:
            game = PackedGame(number, winner, moves)
            by_board.setdefault((rows, columns), []).append(game)
        places: list[_Place] = []
        parts = [np.zeros(0, _ROW)]
        for sides, packed in by_board.items():
            search = _BoardSearch(Board(*sides), shape, codes, len(places))
            places += search.places
            if search.places:
                parts += search.matches(packed, library)
        found_rows = np.concatenate(parts)
        found_rows.sort(order="game")
        return ShapeFound(
            shape=shape,
            searched=len(games),
            matches=ShapeMatches(found_rows, places),
            continuations=codes.continuations(found_rows),
        )


class _Codes:
    """Numbers for the stones that can be played next: where they are in the shape, and when."""

    def __init__(self, shape: Shape, *, exchange: bool) -> None:
        self.images = shape.images(exchange=exchange)
        self._symmetries = shape.symmetries(exchange=exchange)
        self._width = shape.width + 2

    def code(self, image: ShapeImage, row: int, column: int, color: Color) -> int:
        """Return the code of a stone beside an image or inside; it is even.

        Stones that are one by the shape's own symmetry have one code. The next number means the
        same stone, played at once.
        """
        row, column = image.back(row, column)
        color = image.color_back(color)
        codes = []
        for symmetry in self._symmetries:
            place = symmetry.back(row, column)
            codes.append(self._plain(*place, symmetry.color_back(color)))
        return min(codes)

    def _plain(self, row: int, column: int, color: Color) -> int:
        cell = (row + 1) * self._width + column + 1
        return 2 * (2 * cell + color - 1)

    def continuations(self, rows: Rows) -> tuple[Continuation, ...]:
        """Count the stones that were played next."""
        played = rows[rows["next"] != _NONE]
        stones = played["next"] // 2
        games = np.bincount(stones)
        at_once = np.bincount(stones, weights=played["next"] % 2)
        won = np.bincount(stones, weights=played["result"] == _WON)
        lost = np.bincount(stones, weights=played["result"] == _LOST)
        continuations = []
        for stone in np.flatnonzero(games):
            cell, color = divmod(int(stone), 2)
            row, column = divmod(cell, self._width)
            continuation = Continuation(
                row=row - 1,
                column=column - 1,
                color=Color(color + 1),
                games=int(games[stone]),
                at_once=int(at_once[stone]),
                won=int(won[stone]),
                lost=int(lost[stone]),
            )
            continuations.append(continuation)
        return tuple(sorted(continuations, key=lambda continuation: -continuation.games))


@dataclass(frozen=True)
class _Place:
    """An image of a shape with its first cell in a row and column of a board."""

    board: Board
    image: ShapeImage
    row: int
    column: int

    def cells_with(self, signs: str) -> list[int]:
        """Return the cells of some signs, row by row in the image."""
        cells = self.image.shape.cells(signs)
        return [self._cell(row, column) for row, column in cells]

    @property
    def cells(self) -> Cells:
        """The cells of the stones and empty cells, row by row in the shape itself."""
        places = self.image.shape.cells("BW.")
        by_place = {self.image.back(*place): self._cell(*place) for place in places}
        return Cells(self.board, tuple(by_place[place] for place in sorted(by_place)))

    def _cell(self, row: int, column: int) -> int:
        return (self.row + row) * self.board.columns + self.column + column

    def near(self) -> Iterator[tuple[int, int, int]]:
        """Yield the cells inside the rectangle or beside it, and their rows and columns in it."""
        shape = self.image.shape
        for row in range(-1, shape.height + 1):
            for column in range(-1, shape.width + 1):
                is_row = 0 <= self.row + row < self.board.rows
                if is_row and 0 <= self.column + column < self.board.columns:
                    yield self._cell(row, column), row, column

    @cached_property
    def stones(self) -> Integers:
        """Where ``times`` must have a ply: kind and cell as one number."""
        cells = self.board.cells
        filled = [_KINDS[sign] * cells + cell for sign in "BW" for cell in self.cells_with(sign)]
        return np.array(filled, np.int64)

    @cached_property
    def empties(self) -> Integers:
        """Where ``times`` must have none yet."""
        return np.array(self.cells_with("."), np.int64)


class _BoardSearch:
    """Searches the games on one board; places are numbered from ``begin`` on."""

    def __init__(self, board: Board, shape: Shape, codes: _Codes, begin: int) -> None:
        self._board = board
        self._has_one_stone = shape.stones == 1
        self._codes = codes
        self._begin = begin
        self._near: dict[int, tuple[Integers, Integers]] = {}
        self.places = [
            _Place(board, image, row, column)
            for image in codes.images
            for row, column in image.shape.corners(board)
        ]

    def matches(self, games: Sequence[PackedGame], library: Library) -> Iterator[Rows]:
        """Yield the matches of games; those without packed moves are read as SGF."""
        packed = [game for game in games if game.moves]
        for begin in range(0, len(packed), _CHUNK):
            yield self._matches(packed[begin : begin + _CHUNK])
        for game in games:
            text = None if game.moves else library.text(game.number)
            if text is not None:
                yield self._matches_of_record(game, read_sgf(text))

    def _matches(self, games: Sequence[PackedGame]) -> Rows:
        rows = self._matches_of_moves(games)
        if not self._has_one_stone:
            return rows
        # the stone that a swap takes away stood alone before
        swap = _packed(self._board, SWAP_PIECES)
        width = len(swap)
        swapped = [game for game in games if game.moves[width : 2 * width] == swap]
        before = self._matches_of_moves([g._replace(moves=g.moves[:width]) for g in swapped])
        later = ~np.isin(rows["game"], before["game"])
        return np.concatenate([before, rows[later]])

    def _matches_of_moves(self, games: Sequence[PackedGame]) -> Rows:
        times, ends = _times(self._board, [game.moves for game in games])
        never = np.iinfo(times.dtype).max
        flat = times.reshape(3 * self._board.cells, len(games))
        first = np.full_like(ends, never)
        until = np.zeros_like(ends)
        place = np.full(len(games), _NONE, np.int32)
        for number, where in enumerate(self.places):
            stands = flat[where.stones].max(axis=0)
            better = stands < first
            if where.empties.size:
                falls = np.minimum(flat[where.empties].min(axis=0), ends + 1)
            else:
                falls = ends + 1
            better &= stands < falls
            games_here = np.flatnonzero(better)
            first[games_here] = stands[games_here]
            until[games_here] = falls[games_here]
            place[games_here] = number
        matched = np.flatnonzero(place != _NONE)
        rows = np.zeros(len(matched), _ROW)
        rows["game"] = np.array([game.number for game in games], np.int64)[matched]
        rows["place"] = place[matched]
        rows["ply"] = first[matched]
        rows["plies"] = until[matched] - first[matched]
        winners = np.array([game.winner for game in games])[matched]
        self._add_next(rows, times, matched, winners)
        rows["place"] += self._begin
        return rows

    def _add_next(self, rows: Rows, times: Times, games: Integers, winners: Integers) -> None:
        """Set what was played next in games, and whether its player won."""
        never = np.iinfo(times.dtype).max
        rows["next"] = _NONE
        order = np.argsort(rows["place"], kind="stable")
        starts = np.flatnonzero(np.diff(rows["place"][order], prepend=_NONE))
        for alike in np.split(order, starts[1:]) if len(order) else ():
            near, codes = self._near_codes(int(rows["place"][alike[0]]))
            filled = times[EMPTY, near[:, None], games[alike]]
            filled[filled <= rows["ply"][alike]] = never
            nearest = filled.argmin(axis=0)
            ply = filled.min(axis=0)
            is_white = times[Color.WHITE, near[nearest], games[alike]] == ply
            color = np.where(is_white, Color.WHITE, Color.BLACK)
            code = codes[nearest, color - 1]
            code[ply == rows["ply"][alike] + 1] += 1
            code[ply == never] = _NONE
            rows["next"][alike] = code
            result = np.where(winners[alike] == color, _WON, _LOST)
            rows["result"][alike] = np.where(winners[alike] == 0, 0, result)

    def _near_codes(self, number: int) -> tuple[Integers, Integers]:
        """Return the cells near a place, and the codes of a black and a white stone on each."""
        if number not in self._near:
            place = self.places[number]
            cells = []
            codes = []
            for cell, row, column in place.near():
                cells.append(cell)
                codes.append([self._codes.code(place.image, row, column, c) for c in Color])
            self._near[number] = np.array(cells, np.int64), np.array(codes, np.int64)
        return self._near[number]

    def _matches_of_record(self, game: PackedGame, record: Record) -> Rows:
        """Return the match in a game of any turns and setups, if there is one."""
        stones, played = _course(record)
        cells = self._board.cells
        stands = (stones[:, self._asked % cells] == self._asked // cells).all(axis=2)
        matched = np.flatnonzero(stands.any(axis=0))
        rows = np.zeros(min(len(matched), 1), _ROW)
        if len(matched):
            first = stands[:, matched].argmax(axis=0)
            place = int(matched[first.argmin()])
            ply = int(first.min())
            falls = np.flatnonzero(~stands[ply:, place])
            plies = int(falls[0]) if len(falls) else len(stones) - ply
            code, color = self._next_in(played[ply + 1 : ply + plies + 1], place)
            result = _result(game.winner, color)
            rows[0] = (game.number, place + self._begin, ply, plies, code, result)
        return rows

    @cached_property
    def _asked(self) -> Integers:
        """What each place asks for: kinds and cells as ``_Place`` has them."""
        return np.array([[*place.stones, *place.empties] for place in self.places], np.int64)

    def _next_in(self, played: Sequence[Turn | None], place: int) -> tuple[int, int]:
        """Return code and colour of the first of some turns near a place, _NONE without any."""
        near, codes = self._near_codes(place)
        for late, turn in enumerate(played):
            if turn is not None and turn.move.cell in near:
                column = codes[near == turn.move.cell][0]
                code = int(column[turn.color - 1])
                return code if late else code + 1, turn.color
        return _NONE, EMPTY


def _result(winner: int, color: int) -> int:
    """Return whether a colour won, 0 if nobody did."""
    if not winner:
        return 0
    return _WON if winner == color else _LOST


def _course(record: Record) -> tuple[NDArray[np.uint8], list[Turn | None]]:
    """Return the stones of a game after each ply, and the turn before that if it put a stone."""
    stones: list[bytes] = []
    played: list[Turn | None] = []
    for node in record.main_line():
        if node.ply == len(stones):
            stones.append(b"")
            played.append(node.turn if node.cell is not None else None)
        # what is set up behind a turn has its ply
        stones[node.ply] = record.position_by_usual_rule(node).stones
    cells = record.board.cells
    return np.frombuffer(b"".join(stones), np.uint8).reshape(-1, cells), played


def _packed(board: Board, number: int) -> bytes:
    """Return a number as packed moves have it."""
    return np.array([number], "<i2").astype(_type(board)).tobytes()


def _type(board: Board) -> np.dtype[Any]:
    return np.dtype(np.uint8 if board.cells <= ONE_BYTE else "<i2")


def _times(board: Board, games: Sequence[bytes]) -> tuple[Times, Times]:
    """Return ``times`` of packed moves, and the last ply of each game. Raises ValueError."""
    kind = _type(board)
    lengths = np.array([len(moves) for moves in games], np.int64) // kind.itemsize
    numbers = np.frombuffer(b"".join(games), kind).astype(np.int64)
    if kind == np.uint8:
        numbers[numbers >= ONE_BYTE] -= 256
    game = np.repeat(np.arange(len(games)), lengths)
    plies = np.arange(1, len(numbers) + 1) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    _check(board, numbers, plies, lengths[game])
    colors = np.where(plies % 2, Color.BLACK, Color.WHITE)
    sides = np.zeros(len(games), bool)
    sides[game[numbers == SWAP_SIDES]] = True
    late = sides[game] & (plies > 2)
    colors[late] = 3 - colors[late]
    reflected = np.flatnonzero(numbers == SWAP_PIECES) - 1
    row, column = np.divmod(numbers[reflected], board.columns)
    numbers[reflected] = column * board.rows + row
    plies[reflected] = 2
    colors[reflected] = Color.WHITE
    is_stone = numbers >= 0
    game, cells, plies, colors = (a[is_stone] for a in (game, numbers, plies, colors))
    dtype = np.uint8 if board.cells <= ONE_BYTE else np.uint16
    times = np.full((3, board.cells, len(games)), np.iinfo(dtype).max, dtype)
    times[EMPTY, cells, game] = plies
    times[colors, cells, game] = plies
    if np.count_nonzero(times[EMPTY] != np.iinfo(dtype).max) != len(cells):
        raise ValueError(f"moves are damaged on a {board} board")
    return times, lengths.astype(dtype)


def _check(board: Board, numbers: Integers, plies: Integers, lengths: Integers) -> None:
    """Raise ValueError for numbers that are no cells, and for words in the wrong place."""
    swaps = (SWAP_PIECES, SWAP_SIDES) if board.rows == board.columns else (SWAP_SIDES,)
    fits = (numbers >= 0) & (numbers < board.cells)
    fits |= np.isin(numbers, swaps) & (plies == 2)
    fits |= np.isin(numbers, (RESIGN, FORFEIT)) & (plies == lengths) & (plies > 1)
    if not fits.all() or np.any(lengths > board.cells + 2):
        raise ValueError(f"moves are damaged on a {board} board")
