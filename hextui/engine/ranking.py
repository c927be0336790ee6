"""Rankings: every legal move with an evaluator's value and its rank, and the quality Q of a move.

Source of Q: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.4, eq. 7.
"""

import enum
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from types import MappingProxyType
from typing import NamedTuple, overload

from hextui.engine.position import Position

SWAP = -1
"""Stands for the cell of a swap."""


class RankedMove(NamedTuple):
    """A legal move with its value and competition rank: ties share one, as 1, 1, 3.

    ``counts``: what an undecided E or E_k consists of, White's and Black's: d, n_0, n_1...
    ``move`` is its name, which `Ranking.named` fills in.
    """

    cell: int
    value: float
    rank: int
    counts: tuple[tuple[int, int], ...] = ()
    move: str = ""


@dataclass(frozen=True)
class Ranking(Sequence[RankedMove]):
    """Every legal move by one evaluator, best first for the side to move.

    ``moves`` are those that place a stone. ``exact`` is False where a limit stopped a count,
    ``final`` while moves are missing; ``note`` is a line for people about the position. ``swap``:
    the swap, where it is legal and the evaluator estimates win probabilities; its cell is SWAP, and
    ranks count it.
    """

    evaluator: str
    moves: tuple[RankedMove, ...]
    exact: bool = True
    final: bool = True
    note: str = ""
    swap: RankedMove | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> RankedMove: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[RankedMove, ...]: ...
    def __getitem__(self, place: int | slice) -> RankedMove | tuple[RankedMove, ...]:
        return self.rows[place]

    def named(self, position: Position) -> "Ranking":
        """Return the ranking of a position with the names of its moves.

        >>> from hextui.engine.board import Board
        >>> ranking = rank_by_value("demo", {0: 1.0, 4: 3.0})
        >>> [move.move for move in ranking.named(Position.empty(Board(3)))]
        ['b2', 'a1']
        """
        name = position.board.name
        moves = tuple(move._replace(move=name(move.cell)) for move in self.moves)
        swap = self.swap and self.swap._replace(move=str(position.swap_rule.move))
        return replace(self, moves=moves, swap=swap)

    @cached_property
    def rows(self) -> tuple[RankedMove, ...]:
        """The moves and the swap, if there is one, best first."""
        if self.swap is None:
            return self.moves
        before = self.swap.rank - 1
        return (*self.moves[:before], self.swap, *self.moves[before:])

    def with_swap(self, value: float) -> "Ranking":
        """Return the ranking with a swap of this value, before the first move worth less."""
        before = tuple(takewhile(lambda move: move.value >= value, self.moves))
        behind = (move._replace(rank=move.rank + 1) for move in self.moves[len(before) :])
        swap = RankedMove(SWAP, value, len(before) + 1)
        return replace(self, moves=(*before, *behind), swap=swap)

    @cached_property
    def by_cell(self) -> dict[int, RankedMove]:
        """The moves by their cell."""
        return {move.cell: move for move in self.moves}

    def among(self, wanted: Callable[[int], bool]) -> "Ranking":
        """Return the ranking of some of the moves alone, ranked among themselves."""
        moves: list[RankedMove] = []
        rank = before = 0
        for move in self.moves:
            if wanted(move.cell):
                if move.rank != before:
                    rank = len(moves) + 1
                    before = move.rank
                moves.append(move._replace(rank=rank))
        ranking = replace(self, moves=tuple(moves), swap=None)
        return ranking if self.swap is None else ranking.with_swap(self.swap.value)


class Ties(enum.StrEnum):
    """In which order exactly equal moves are listed: by their cells, backwards, or at random."""

    FIRST = "first"
    LAST = "last"
    RANDOM = "random"

    def arrange(self, cells: Iterable[int], seed: int = 0) -> list[int]:
        """Return the cells in the order in which equal ones are listed; RANDOM needs a seed."""
        if self is Ties.RANDOM:
            ordered = sorted(cells)
            return random.Random(seed).sample(ordered, len(ordered))
        return sorted(cells, reverse=self is Ties.LAST)


def rank_by_value(
    evaluator: str,
    values: Mapping[int, float | Fraction],
    *,
    lowest_first: bool = False,
    ties: Ties = Ties.FIRST,
    seed: int = 0,
    exact: bool = True,
    final: bool = True,
    note: str = "",
    counts: Mapping[int, tuple[tuple[int, int], ...]] = MappingProxyType({}),
) -> Ranking:
    """Rank cells by their values, the highest first; ``counts`` are those of `RankedMove`.

    >>> ranking = rank_by_value("demo", {0: 1.0, 1: 3.0, 2: 3.0})
    >>> [(m.cell, m.rank) for m in ranking.moves]
    [(1, 1), (2, 1), (0, 3)]
    """
    # rounding keeps the order, so exact numbers are only compared where floats are equal
    keys = {cell: (float(value), value) for cell, value in values.items()}
    ordered = ties.arrange(values, seed)
    # a stable sort keeps the order of ties, in reverse too
    ordered.sort(key=keys.__getitem__, reverse=not lowest_first)
    moves: list[RankedMove] = []
    rank, before = 0, None
    for place, cell in enumerate(ordered, start=1):
        key = keys[cell]
        if key != before:
            rank, before = place, key
        moves.append(RankedMove(cell, key[0], rank, counts.get(cell, ())))
    return Ranking(evaluator, moves=tuple(moves), exact=exact, final=final, note=note)


@dataclass(frozen=True)
class Quality:
    """Where a move stands among ``candidates`` legal moves.

    ``rank`` is the competition rank (docs/methods.md#readings-of-the-2010-paper), which flatters
    where many moves tie. ``mid_rank`` is the mean of the places that the moves tied with it share,
    from ``rank`` to ``worst_rank``.
    """

    candidates: int
    rank: int
    mid_rank: float

    @property
    def worst_rank(self) -> int:
        """The last of the places that the moves tied with it share."""
        return round(2 * self.mid_rank) - self.rank

    @property
    def q(self) -> float:
        """Q by the competition rank: 1 for the first of all moves, 0 for the last."""
        return normalised(self.rank, self.candidates)

    @property
    def mid_q(self) -> float:
        """Q by the mid rank: 0.5 where all moves tie."""
        return normalised(self.mid_rank, self.candidates)


def qualities(ranking: Ranking, legal: Iterable[int] = ()) -> dict[int, Quality]:
    """Return where each move stands, by cell; unranked ``legal`` moves share the last places.

    A swap in the ranking is one of the moves, and has no cell here.

    >>> ranking = rank_by_value("demo", {0: 5.0, 1: 3.0, 2: 3.0, 3: 0.0, 4: 0.0})
    >>> found = qualities(ranking)[2]
    >>> found.rank, found.mid_rank, found.q, found.mid_q
    (2, 2.5, 0.75, 0.625)
    """
    ranks = {move.cell: move.rank for move in ranking.rows}
    ranks |= dict.fromkeys(set(legal) - ranks.keys(), len(ranks) + 1)
    tied = Counter(ranks.values())
    places = {
        rank: Quality(len(ranks), rank, rank + (count - 1) / 2) for rank, count in tied.items()
    }
    return {cell: places[rank] for cell, rank in ranks.items() if cell != SWAP}


def normalised(rank: float, candidates: int) -> float:
    """Return Q of a place among so many candidates (eq. 7); the only legal move has Q 1."""
    return 1 - (rank - 1) / (candidates - 1) if candidates > 1 else 1.0
