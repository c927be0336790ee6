"""The win probability of each first move under the swap rule: 1 if proved, else by tree search.

Searches to a number of visits are kept in the cache of solved positions.
"""

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.swap import swap_value, wants_swap

if TYPE_CHECKING:
    from hextui.engine.solver.opening_map import Opening, OpeningMap
    from hextui.engine.solver.solution_cache import SolutionCache

VERSION = 2  # to be raised when the search gives other results with the same settings


@dataclass(frozen=True)
class JudgedOpening:
    """A first move and its win probability without a swap, 0 to 1; proved or not."""

    cell: int
    win_probability: float
    proved: bool

    @property
    def swap(self) -> bool:
        """Whether the other side is to take the move over."""
        return wants_swap(swap_value(self.win_probability))


@dataclass(frozen=True)
class OpeningSearch:
    """A first move that is to be searched."""

    board: Board
    cell: int
    limit: Limit


SearchAll = Callable[[Sequence[OpeningSearch]], Iterator[JudgedOpening]]


def judged_openings(
    opening_map: "OpeningMap",
    limit: Limit,
    kept: "SolutionCache | None" = None,
    stop: Callable[[], bool] = lambda: False,
    judged: Collection[int] = (),
    search_all: SearchAll | None = None,
) -> Iterator[JudgedOpening]:
    """Yield the openings of a map except those ``judged``, those to be searched last.

    ``search_all`` does `search_opening` elsewhere, by default here, one after the other. Results
    are ``kept``, but not those of a limit in seconds, which differ each time.
    """
    repeatable = limit.visits is not None and limit.seconds is None
    earlier = _EarlierSearches(kept if repeatable else None, opening_map.board, limit.visits)
    undecided = []
    for opening in opening_map.openings:
        if opening.cell in judged:
            continue
        judged_opening = _proved(opening) or earlier.get(opening.cell)
        if judged_opening is not None:
            yield judged_opening
        else:
            undecided.append(opening.cell)
    searches = [OpeningSearch(opening_map.board, cell, limit) for cell in undecided]
    for searched in (search_all or partial(_search_in_turn, stop=stop))(searches):
        earlier.put(searched)
        yield searched


def _proved(opening: "Opening") -> JudgedOpening | None:
    """Return the judgement of an opening whose winner is proved, else None."""
    if opening.winner is None:
        return None
    return JudgedOpening(opening.cell, float(opening.winner is Color.BLACK), proved=True)


def search_opening(task: OpeningSearch, stop: Callable[[], bool] = lambda: False) -> JudgedOpening:
    """Search the position after a first move; what is found after ``stop`` is no result."""
    from hextui.engine.search.tree_search import TreeSearch, searched_moves

    position = Position.empty(task.board).play(task.cell)
    moves = searched_moves(TreeSearch(task.board), position, task.limit, stop)
    # without a move to search the side to move has lost already
    win, proved = (1 - moves[0].value, moves[0].proved) if moves else (1.0, True)
    return JudgedOpening(task.cell, win, proved)


def _search_in_turn(
    tasks: Iterable[OpeningSearch], stop: Callable[[], bool]
) -> Iterator[JudgedOpening]:
    for task in tasks:
        searched = search_opening(task, stop)
        if stop():
            return
        yield searched


@dataclass(frozen=True)
class _EarlierSearches:
    """What earlier searches with as many visits judged, if there is a ``cache`` that keeps it."""

    cache: "SolutionCache | None"
    board: Board
    visits: int | None

    def get(self, cell: int) -> JudgedOpening | None:
        if self.cache is None:
            return None
        entry = self.cache.get_entry(self._key(cell), _read_entry)
        if entry is None:
            return None
        win_probability, proved = entry
        return JudgedOpening(cell, win_probability, proved)

    def put(self, opening: JudgedOpening) -> None:
        if self.cache is not None:
            entry = [opening.win_probability, opening.proved]
            self.cache.put_entry(self._key(opening.cell), entry)

    def _key(self, cell: int) -> bytes:
        opening = f"first move {self.board.name(cell)} of {self.board}"
        return f"{opening}, {self.visits} nodes, {judged_by()}".encode()


def _read_entry(entry: list[Any]) -> tuple[float, bool]:
    """Return the win probability of an entry, and whether it is proved; raises ValueError."""
    win_probability, proved = entry
    if not (0 <= win_probability <= 1 and isinstance(proved, bool)):
        raise ValueError("not a probability, or not a truth value")
    return win_probability, proved


@cache
def judged_by() -> str:
    """Return a text that identifies the network and the settings of the search."""
    from hextui.engine.neural.judge import shipped_weights
    from hextui.engine.search import tree_growth as tree
    from hextui.engine.search.win_probability import POSITION_WEIGHT, STRETCH

    proofs = f"{tree.FIRST_PROOF} {tree.PROOF_SHARE} {tree.PROOF_PAUSE} {tree.PROOF_WORK}"
    growth = f"{tree.EXPLORATION} {tree.REDUCTION} {proofs}"
    numbers = f"{growth} {STRETCH} {POSITION_WEIGHT}"
    return f"{VERSION} {zlib.crc32(shipped_weights()):08x} {numbers}"
