"""The tree search as an evaluator: values that improve."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.evaluators.base import Workbench
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.tree_search import TreeSearch, ranked
from hextui.words.names import counted

DEFAULT_LOOKS = 800
"""Positions that are looked at unless a limit is named: about a second on 11x11."""
USUAL = Limit(nodes=DEFAULT_LOOKS)
YIELD_SECONDS = 0.03
"""So often there is a new ranking."""


@dataclass(frozen=True)
class TreeEvaluator:
    """Ranks moves by a tree search: ``limit`` holds positions looked at, and seconds.

    So many ``threads`` look at once; another number of them grows another tree. Each ranking is
    that of what is known so far; the last one has every legal move.
    """

    limit: Limit = USUAL
    threads: int = 1

    @property
    def name(self) -> str:
        """The name in the registry."""
        options = []
        if self.limit.seconds is not None:
            options.append(f"seconds={self.limit.seconds:g}")
        elif self.limit != USUAL:
            options.append(f"nodes={self.limit.nodes}")
        if self.threads > 1:
            options.append(f"threads={self.threads}")
        return ":".join(("search", *([",".join(options)] if options else [])))

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "best-first tree search: docs/methods.md#tree-search"

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield rankings as the tree grows."""
        position = bench.position
        if not position.empties:
            yield Ranking(self.name, ())
            return
        yield from grown(self._looking_at(position), self.limit, self.name)

    def briefly(self, position: Position, looks: int) -> tuple[TreeSearch, Iterator[Ranking]]:
        """Return a search of a position, and what has it go on, by so few looks if none are named.

        It is for many positions, one after the other, that are not over. The rankings are of the
        moves thought of alone; the last one is empty where every move is seen to lose at once.
        """
        limit = Limit(nodes=looks) if self.limit == USUAL else self.limit
        search = self._looking_at(position)
        return search, grown(search, limit, self.name, all_moves=False)

    def _looking_at(self, position: Position) -> TreeSearch:
        search = TreeSearch(position.board, threads=self.threads)
        search.look_at(position)
        return search

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the value of the best move."""
        return ranking.moves[0].value

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return 1 - worth


def grown(
    search: TreeSearch, limit: Limit, name: str, *, all_moves: bool = True
) -> Iterator[Ranking]:
    """Yield rankings by a search that has looked at a position, as it goes on to a limit.

    ``all_moves``: those that the tree leaves out are looked at in the end.
    """
    for _ in _now_and_then(search.grow(limit)):
        yield _ranking(search, name, final=False)
    for _ in _now_and_then(search.look_at_others() if all_moves else iter(())):
        yield _ranking(search, name, final=False)
    yield _ranking(search, name, final=True)


def _ranking(search: TreeSearch, name: str, *, final: bool) -> Ranking:
    note = f"{counted(search.looks, 'position')} looked at"
    return ranked(name, search.moves(), final=final, note=note)


def _now_and_then(steps: Iterator[None]) -> Iterator[None]:
    """Go through all steps, and yield at the times when something is to be shown."""
    due = time.perf_counter() + YIELD_SECONDS
    for _ in steps:
        if time.perf_counter() >= due:
            yield
            due = time.perf_counter() + YIELD_SECONDS
