"""Find a shape in the games of a library: where it stands first, and what is played there next.

There is no index: a search reads the moves of all games. Stones stay, so a shape stands in a game
from the ply of its last stone until one of its empty cells is filled.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.cells import Cells
from hextui.library.packed_games import Integers, PackedGames
from hextui.library.shape import Shape, ShapeImage
from hextui.library.stone_times import StoneTimes, stone_times
from hextui.records.codecs.sgf import read_sgf
from hextui.records.record import Record
from hextui.records.tree import Turn

_CHUNK = 16_384  # games whose times are held at once
_KINDS = {".": EMPTY, "B": Color.BLACK, "W": Color.WHITE}
_NONE = -1  # nothing was played next
_NOBODY, _WON, _LOST = range(3)  # who played the stone, if anybody won
_FIELDS = ("place", "ply", "plies", "next", "result", "elsewhere", "elsewhere_result")
_ROW = np.dtype([("game", "i8"), *((name, "i4") for name in _FIELDS)])
Rows = NDArray[np.void]
"""Matches: id of the game, number of the place, plies, code of the next stone and its result.

``elsewhere``: the colour of the stone that was played at once, but not near the shape, or 0.
"""


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
class PlayedElsewhere:
    """The next stone of a colour, where it was put neither in the rectangle nor beside it.

    ``returned``: in how many of the ``games`` somebody continued the shape later, while it stood.
    ``won`` and ``lost``: by the player of the stone.
    """

    color: Color
    games: int
    returned: int
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

    @property
    def games(self) -> Integers:
        """The ids of the games."""
        games: Integers = self._rows["game"]
        return games

    @property
    def plies(self) -> Integers:
        """The plies from which on the shape stands."""
        return self._rows["ply"].astype(np.int64)

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

    ``continuations`` and ``elsewhere`` come most games first. The next stone is a continuation at
    once or was played elsewhere; ``ended`` counts the games without one: they end, or the only
    stone is swapped.
    """

    shape: Shape
    searched: int
    matches: ShapeMatches
    continuations: tuple[Continuation, ...]
    elsewhere: tuple[PlayedElsewhere, ...]
    ended: int


def find_shape(
    games: Sequence[PackedGames],
    text: Callable[[int], str | None],
    shape: Shape,
    *,
    exchange: bool = False,
) -> ShapeFound:
    """Find a shape and its images in games; ``text`` returns one as SGF by its id.

    ``exchange``: also with the colours exchanged; see ``Shape.images``. Of several places where it
    stands first at the same ply, the first image and the first row and column count. Raises
    ValueError for damaged games.
    """
    codes = _Codes(shape, exchange=exchange)
    places: list[_Place] = []
    parts = [np.zeros(0, _ROW)]
    for on_board in games:
        search = _BoardSearch(on_board.board, shape, codes, len(places))
        places += search.places
        if search.places:
            parts += search.matches(on_board, text)
    rows = np.concatenate(parts)
    rows = rows[np.argsort(rows["game"], kind="stable")]
    continuations = codes.continuations(rows)
    elsewhere = _elsewhere(rows)
    answered = sum(each.at_once for each in continuations)
    answered += sum(each.games for each in elsewhere)
    return ShapeFound(
        shape=shape,
        searched=sum(len(on_board.ids) for on_board in games),
        matches=ShapeMatches(rows, places),
        continuations=continuations,
        elsewhere=elsewhere,
        ended=len(rows) - answered,
    )


class _Codes:
    """Numbers for the stones that can be played next: where they are in the shape, and when."""

    def __init__(self, shape: Shape, *, exchange: bool) -> None:
        self.images = shape.images(exchange=exchange)
        self._symmetries = shape.symmetries(exchange=exchange)
        self._width = shape.width + 2
        self._known: dict[tuple[ShapeImage, int, int, Color], int] = {}

    def code(self, image: ShapeImage, row: int, column: int, color: Color) -> int:
        """Return the code of a stone beside an image or inside; it is even.

        Stones that are one by the shape's own symmetry have one code. The next number means the
        same stone, played at once.
        """
        key = (image, row, column, color)
        if key not in self._known:
            place = image.back(row, column)
            own = image.color_back(color)
            same = [(*each.back(*place), each.color_back(own)) for each in self._symmetries]
            self._known[key] = min(self._plain(*stone) for stone in same)
        return self._known[key]

    def own_colors(self, image: ShapeImage) -> list[int]:
        """Return the colours in the shape of no stone, a black one and a white one of an image.

        Both are black if exchanging the colours is a symmetry of the shape.
        """
        colors = [EMPTY]
        for color in Color:
            own = image.color_back(color)
            colors.append(min(symmetry.color_back(own) for symmetry in self._symmetries))
        return colors

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


def _elsewhere(rows: Rows) -> tuple[PlayedElsewhere, ...]:
    """Count the next stones that were played elsewhere."""
    counted = []
    for color in Color:
        played = rows[rows["elsewhere"] == color]
        each = PlayedElsewhere(
            color=color,
            games=len(played),
            returned=int(np.count_nonzero(played["next"] != _NONE)),
            won=int(np.count_nonzero(played["elsewhere_result"] == _WON)),
            lost=int(np.count_nonzero(played["elsewhere_result"] == _LOST)),
        )
        counted.append(each)
    counted.sort(key=lambda each: -each.games)
    return tuple(each for each in counted if each.games)


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

    def matches(self, games: PackedGames, text: Callable[[int], str | None]) -> Iterator[Rows]:
        """Yield the matches of games; those without packed moves are read as SGF."""
        for chunk in games.chunks(_CHUNK):
            yield self._matches(chunk)
        for place in np.flatnonzero(games.lengths == 0):
            game = int(games.ids[place])
            sgf = text(game)
            if sgf is not None:
                yield self._matches_of_record(game, int(games.winners[place]), read_sgf(sgf))

    def _matches(self, games: PackedGames) -> Rows:
        rows = self._matches_of_moves(games)
        if not self._has_one_stone:
            return rows
        # the stone that a swap takes away stood alone before
        before = self._matches_of_moves(games.swapped_stones())
        later = ~np.isin(rows["game"], before["game"])
        return np.concatenate([before, rows[later]])

    def _matches_of_moves(self, games: PackedGames) -> Rows:
        times = stone_times(games)
        never = np.iinfo(times.plies.dtype).max
        flat = times.plies.reshape(3 * self._board.cells, len(games.ids))
        after_end = times.ends + 1
        first = np.full_like(times.ends, never)
        until = np.zeros_like(times.ends)
        place = np.full(len(games.ids), _NONE, np.int64)
        for number, where in enumerate(self.places):
            stands = flat[where.stones].max(axis=0)
            better = stands < first
            falls = after_end
            if where.empties.size:
                falls = np.minimum(flat[where.empties].min(axis=0), after_end)
            better &= stands < falls
            games_here = np.flatnonzero(better)
            first[games_here] = stands[games_here]
            until[games_here] = falls[games_here]
            place[games_here] = number
        matched = np.flatnonzero(place != _NONE)
        rows = np.zeros(len(matched), _ROW)
        rows["game"] = games.ids[matched]
        rows["place"] = place[matched] + self._begin
        rows["ply"] = first[matched]
        rows["plies"] = until[matched] - first[matched]
        place = place[matched]
        self._add_next(rows, times, matched, place, games.winners[matched])
        return rows

    def _add_next(
        self, rows: Rows, times: StoneTimes, games: Integers, places: Integers, winners: Integers
    ) -> None:
        """Add to matches of some of the games what was played next, and whether its player won."""
        ends = rows["ply"].astype(times.plies.dtype)
        codes = np.empty(len(rows), np.int64)
        colors = np.empty(len(rows), np.int64)
        next_plies = rows["ply"] + 1
        next_plies += (next_plies == 2) & times.side_swaps[games]  # no stone comes with the swap
        order = np.argsort(places, kind="stable")
        starts = np.flatnonzero(np.diff(places[order], prepend=_NONE))
        for alike in np.split(order, starts[1:]) if len(order) else ():
            place = int(places[alike[0]])
            code, color, ply = self._next_near(place, times, games[alike], ends[alike])
            code[ply == next_plies[alike]] += 1
            codes[alike] = code
            colors[alike] = color
        rows["next"] = codes
        rows["result"] = _results(winners, colors)
        is_white = (next_plies % 2 == 0) ^ (times.side_swaps[games] & (next_plies > 2))
        color = np.where(is_white, Color.WHITE, Color.BLACK)
        is_elsewhere = (next_plies <= times.last_stones[games]) & ~_at_once(codes)
        rows["elsewhere"] = np.where(is_elsewhere, self._own_colors[places, color], EMPTY)
        rows["elsewhere_result"] = _results(winners, color)

    def _next_near(
        self, place: int, times: StoneTimes, games: Integers, begin: NDArray[Any]
    ) -> tuple[Integers, Integers, NDArray[Any]]:
        """Return codes, colours and plies of the first stones near a place after some plies.

        The code is _NONE without a stone.
        """
        near, codes = self._near_codes(place)
        # without a sign, earlier plies are later than never
        late = times.plies[EMPTY, near[:, None], games] - (begin + 1)
        nearest = late.argmin(axis=0)
        ply = times.plies[EMPTY, near[nearest], games]
        is_white = times.plies[Color.WHITE, near[nearest], games] == ply
        color = np.where(is_white, Color.WHITE, Color.BLACK)
        code = codes[nearest, color - 1]
        code[(ply <= begin) | (ply == np.iinfo(ply.dtype).max)] = _NONE
        return code, color, ply

    @cached_property
    def _own_colors(self) -> Integers:
        """The colours in the shape by place and colour on the board."""
        by_place = [self._codes.own_colors(place.image) for place in self.places]
        return np.array(by_place, np.int64)

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

    def _matches_of_record(self, game: int, winner: int, record: Record) -> Rows:
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
            turns = [turn for turn in played[ply + 1 : ply + plies + 1] if turn is not None]
            code, result = self._next_in(turns, place, winner)
            elsewhere, elsewhere_result = self._elsewhere_in(turns, place, winner)
            numbers = (game, place + self._begin, ply, plies, code, result)
            rows[0] = (*numbers, elsewhere, elsewhere_result)
        return rows

    @cached_property
    def _asked(self) -> Integers:
        """What each place asks for: kinds and cells as ``_Place`` has them."""
        return np.array([[*place.stones, *place.empties] for place in self.places], np.int64)

    def _next_in(self, turns: Sequence[Turn], place: int, winner: int) -> tuple[int, int]:
        """Return code and result of the first stone near a place, _NONE without any."""
        near, codes = self._near_codes(place)
        for late, turn in enumerate(turns):
            if turn.move.cell in near:
                column = codes[near == turn.move.cell][0]
                code = int(column[turn.color - 1])
                return code if late else code + 1, _result(winner, turn.color)
        return _NONE, _NOBODY

    def _elsewhere_in(self, turns: Sequence[Turn], place: int, winner: int) -> tuple[int, int]:
        """Return colour and result of the first stone if it is not near a place."""
        near, _ = self._near_codes(place)
        if not turns or turns[0].move.cell in near:
            return EMPTY, _NOBODY
        color = turns[0].color
        return int(self._own_colors[place, color]), _result(winner, color)


def _at_once(codes: Integers) -> NDArray[np.bool_]:
    """Return which codes of next stones say that these were played at once."""
    at_once: NDArray[np.bool_] = (codes != _NONE) & (codes % 2 == 1)
    return at_once


def _results(winners: Integers, colors: Integers) -> Integers:
    """Return `_result` for many games."""
    results = np.where(winners == colors, _WON, _LOST)
    return np.where(winners == 0, _NOBODY, results)


def _result(winner: int, color: int) -> int:
    """Return whether a colour won, _NOBODY if nobody did."""
    if not winner:
        return _NOBODY
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
