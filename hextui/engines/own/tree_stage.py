"""The stages of the tree search: values of the moves and lines of play, better and better."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from hextui.engine.evaluator_names import is_search
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.move_scope import MoveScope
from hextui.engine.search.solver_knowledge import Proved
from hextui.engine.search.tree_search import SearchedMove, TreeSearch, ranked
from hextui.engine.widths import Kernels
from hextui.engines.engine import Stop
from hextui.engines.own.warmup import Wait
from hextui.engines.snapshot import Examined, ExaminedMove, Progress, Snapshot
from hextui.words.names import counted

FIRST_LOOKS = 60
"""Positions looked at before the solver begins: so there is an answer within 0.1 s."""
YIELD_SECONDS = 0.1
"""So often there is a new answer."""


class TreeStages:
    """Search the positions of one board after the other; used by one thread.

    The tree is kept while the user steps. ``wait`` has its kernels, the solver's, compiled first.
    """

    def __init__(self, wait: Wait, proved: Proved = lambda _: None) -> None:
        """``proved`` says what the solver knows."""
        self._wait = wait
        self._proved = proved
        self._search: TreeSearch | None = None
        self._at: tuple[Position, MoveScope] | None = None

    def begin(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add what is kept in the tree, and what a few looks see, if that can be had at once."""
        names = _wanted(snapshot)
        if names and next(iter(self._wait(snapshot.position.board, Kernels.SEARCH)), None) is None:
            first = replace(_tree_search(names[0]), limit=Limit(nodes=FIRST_LOOKS))
            yield from self._grown(snapshot, names[:1], first, stop)

    def go_on(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Search to the limits of those who are to judge, and look at every move in the end."""
        names = _wanted(snapshot)
        for progress in self._wait(snapshot.position.board, Kernels.SEARCH) if names else ():
            yield replace(snapshot, progress=progress)
            if stop():
                return
        for name in names:
            chosen = _tree_search(name)
            found = snapshot
            for found in self._grown(snapshot, [name], chosen, stop, to_the_end=True):
                yield found
            snapshot = found

    def _grown(
        self,
        snapshot: Snapshot,
        names: list[str],
        chosen: TreeEvaluator,
        stop: Stop,
        *,
        to_the_end: bool = False,
    ) -> Iterator[Snapshot]:
        """Add what is known as the tree grows."""
        limit = chosen.limit
        search = self._search_at(snapshot.position, snapshot.scope, chosen.threads)
        begun, due = time.perf_counter(), 0.0
        steps = chain(search.grow(limit), search.look_at_others() if to_the_end else ())
        for _ in steps:
            if stop():
                return
            if time.perf_counter() >= due:
                yield _with(snapshot, names, search, begun, limit)
                due = time.perf_counter() + YIELD_SECONDS
        yield _with(snapshot, names, search, begun, limit, final=to_the_end)

    def _search_at(self, position: Position, scope: MoveScope, threads: int) -> TreeSearch:
        """Return the search, at a position; the tree is kept where it holds the position."""
        search = self._search
        if search is None or (search.board, search.threads) != (position.board, threads):
            search, self._at = TreeSearch(position.board, threads=threads), None
            self._search = search
        if (position, scope) != self._at:
            search.look_at(position, afresh=False, proved=self._proved, scope=scope)
            self._at = position, scope
        return search


def _tree_search(name: str) -> TreeEvaluator:
    """Return the tree search with a name."""
    chosen = evaluator(name)
    assert isinstance(chosen, TreeEvaluator)
    return chosen


def _wanted(snapshot: Snapshot) -> list[str]:
    """Return the tree searches that a snapshot still waits for."""
    if not snapshot.position.empties or snapshot.position.winner is not None:
        return []
    names = dict.fromkeys((*snapshot.evaluators, snapshot.lines_by))
    done = {name for name, found in snapshot.examined.items() if found.final}
    return [name for name in names if is_search(name) and name not in done]


def _with(
    snapshot: Snapshot,
    names: list[str],
    search: TreeSearch,
    begun: float,
    limit: Limit,
    *,
    final: bool = False,
) -> Snapshot:
    """Return a snapshot with what a search knows."""
    looks = search.looks
    known = search.moves()
    moves = tuple(map(_examined, known))
    seconds = time.perf_counter() - begun
    found = {
        name: Examined(snapshot.position, name, moves, looks, seconds, final=final)
        for name in names
    }
    note = f"{counted(looks, 'position')} looked at"
    rankings = {
        name: ranked(name, known, final=final, note=note)
        for name in names
        if name in snapshot.evaluators
    }
    return replace(
        snapshot,
        examined={**snapshot.examined, **found},
        rankings={**snapshot.rankings, **rankings},
        progress=Progress(min(looks, limit.nodes or looks), limit.nodes or 0, "searching,"),
    )


def _examined(move: SearchedMove) -> ExaminedMove:
    """Return a move as engines tell it."""
    proved = bool(move.value) if move.proved else None
    return ExaminedMove(move.cell, move.visits, move.value, line=move.line, proved=proved)
