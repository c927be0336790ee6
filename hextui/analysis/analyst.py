"""The worker that analyses the position on the screen: one at a time, the newest first.

A request replaces the one before. Snapshots carry the number of their request, so that a late
one is never taken for current. What was analysed to the end is kept, so that stepping back is
instant. The engine is imported in the worker thread: the screen is there before numba is.
"""

import gc
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engines.snapshot import Progress, Snapshot

if TYPE_CHECKING:
    from hextui.engine.evaluators.base import Evaluator, Workbench
    from hextui.engines.own.stages import Stage, Stop
    from hextui.engines.own.warmup import Warmup

# Of the arrays of connections; with all that belongs to them it is nearly half as much again.
KEPT_BYTES = 40 * 1024**2


@dataclass(frozen=True)
class Question:
    """What is asked about a position: who is to rank its moves, and who to judge lines."""

    evaluators: tuple[str, ...]
    lines_by: str


HURRY_SECONDS = 0.12
SETTLE_SECONDS = 0.06
"""Requests closer than the first, of a held key, are taken up when none came for the second."""


class Analyst:
    """Analyses requested positions in a thread of its own.

    ``emit`` gets every snapshot, in the worker thread. ``evaluators`` are names of the
    registry. ``warmup``, if given, compiles the kernels; the worker waits for it and reports
    its progress meanwhile; it is closed with the analyst. ``later`` makes the stages after the
    rankings, in the worker thread. ``lines_by`` is the evaluator of the lines, '' for none.
    """

    def __init__(
        self,
        emit: Callable[[Snapshot], None],
        evaluators: Sequence[str],
        warmup: "Warmup | None" = None,
        later: "Callable[[], Sequence[Stage]]" = tuple,
        lines_by: str = "",
    ) -> None:
        self._emit = emit
        self._make_later = later
        self._later: Sequence[Stage] | None = None
        self._warmup = warmup
        self._changed = threading.Condition()
        self._wanted: Position | None = None
        self._again = False
        self._question = Question(tuple(evaluators), lines_by)
        self._ranked: tuple[Position, tuple[str, ...], Snapshot] | None = None
        self._generation = 0
        self._closed = False
        self._asked_at = self._start_at = self._way_until = 0.0
        self._cache: OrderedDict[tuple[bytes, Question], Snapshot] = OrderedDict()
        self._kept = 0
        self._benches: dict[Board, Workbench] = {}
        self._thread = threading.Thread(target=self._run, name="analyst", daemon=True)
        self._thread.start()

    def request(self, position: Position, again: bool = False) -> int:
        """Analyse a position instead of the last one; return the number its snapshots carry.

        ``again``: if it was analysed to the end, the later stages go on from there.
        """
        now = time.monotonic()
        with self._changed:
            self._generation += 1
            self._wanted, self._again = position, again
            hurried = now - self._asked_at < HURRY_SECONDS
            self._asked_at = now
            self._start_at = now + SETTLE_SECONDS if hurried else now
            self._changed.notify()
            return self._generation

    def give_way(self, until: float) -> None:
        """Leave the interpreter to the screen until then, by the monotonic clock."""
        self._way_until = until

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names of the evaluators that rank, in the order in which they do."""
        return self._question.evaluators

    @property
    def lines_by(self) -> str:
        """The name of the evaluator that lines are searched with."""
        return self._question.lines_by

    def choose_evaluators(self, names: Sequence[str]) -> None:
        """Rank by these evaluators from the next request on."""
        with self._changed:
            self._question = replace(self._question, evaluators=tuple(names))

    def choose_lines_by(self, name: str) -> None:
        """Search lines with this evaluator from the next request on."""
        with self._changed:
            self._question = replace(self._question, lines_by=name)

    def cancel(self) -> None:
        """Stop analysing; the next request starts again."""
        with self._changed:
            self._generation += 1
            self._wanted = None

    def close(self) -> None:
        """Stop, and wait until the thread has ended."""
        with self._changed:
            self._closed = True
            self._generation += 1
            self._changed.notify()
        if self._warmup is not None:
            self._warmup.close()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._wanted is None and not self._closed:
                    self._changed.wait()
                while self._wanted and (rest := self._rest) > 0:
                    self._changed.wait(rest)
                if self._closed:
                    return
                if self._wanted is None:
                    continue
                position, generation, question = self._wanted, self._generation, self._question
                again, self._wanted = self._again, None
            try:
                self._answer(position, generation, question, again)
            except Exception as error:
                # the screen must learn of it: a silent worker would look like a slow one
                line = f"{type(error).__name__}: {error}".splitlines()[0]
                self._emit(Snapshot(position, generation, error=line))

    @property
    def _rest(self) -> float:
        """How many seconds what is wanted is to wait."""
        return max(self._start_at, self._way_until) - time.monotonic()

    def _current(self, generation: int) -> bool:
        return self._generation == generation

    def _answer(self, position: Position, generation: int, question: Question, again: bool) -> None:
        known = self._cache.get((position.key, question))
        if known is not None and not again:
            self._cache.move_to_end((position.key, question))
            self._emit(replace(known, generation=generation))
            return

        def stop() -> bool:
            while self._current(generation) and (rest := self._way_until - time.monotonic()) > 0:
                time.sleep(rest)
            return not self._current(generation)

        if known is not None:
            snapshots = self._go_on(replace(known, final=False), stop)
        else:
            snapshots = self._snapshots(position, question, stop)
        for snapshot in snapshots:
            if stop():
                return
            self._emit(replace(snapshot, generation=generation))
            if snapshot.final:
                self._keep((position.key, question), snapshot)
            if _is_ranked(snapshot, question):
                self._ranked = (position, question.evaluators, snapshot)

    def _snapshots(
        self, position: Position, question: Question, stop: "Stop"
    ) -> Iterator[Snapshot]:
        yield from self._compile(position)
        if self._closed:
            return
        from hextui.engines.own.stages import analyse

        if self._later is None:
            self._later = self._make_later()
        if self._ranked is not None and self._ranked[:2] == (position, question.evaluators):
            # only the lines' evaluator is another one: what else is known stays on the screen
            ranked = replace(self._ranked[2], final=False, lines=None, lines_by=question.lines_by)
            yield from self._go_on(ranked, stop)
            return
        bench = self._bench(position.board)
        evaluators, problems = _evaluators(question.evaluators)
        if problems:
            for line in problems:
                yield Snapshot(position, error=f"{line}; it is left out")
            self._forget_unknown(question.evaluators, evaluators)
        yield from analyse(bench, position, evaluators, self._later, stop, question.lines_by)

    def _go_on(self, ranked: Snapshot, stop: "Stop") -> Iterator[Snapshot]:
        """Let the later stages add to what is known."""
        from hextui.engines.own.stages import go_on

        yield ranked
        yield from go_on(ranked, self._later or (), stop)

    def _compile(self, position: Position) -> Iterator[Snapshot]:
        """Wait for the kernels; each snapshot tells how far their compilation is."""
        if self._warmup is None:
            return
        for done, total in self._warmup.wait(position.board):
            yield Snapshot(position, progress=Progress(done, total, "compiling (first run)"))

    def _forget_unknown(self, names: tuple[str, ...], known: "Sequence[Evaluator]") -> None:
        """Choose without the names that are no evaluators: those of an older version, say."""
        with self._changed:
            if self._question.evaluators == names:
                left = tuple(evaluator.name for evaluator in known)
                self._question = replace(self._question, evaluators=left)

    def _bench(self, board: Board) -> "Workbench":
        from hextui.engine.evaluators.base import Workbench

        if not self._benches and gc.get_freeze_count():
            # as the screen did with its own imports: searching those of the engine takes 0.1 s
            gc.freeze()
        if board not in self._benches:
            # one board's memory at a time: records seldom change their size
            self._benches = {board: Workbench(board)}
        return self._benches[board]

    def _keep(self, key: tuple[bytes, Question], snapshot: Snapshot) -> None:
        """Keep what was analysed to the end; the longest unused goes when it gets too much."""
        if key in self._cache:
            self._kept -= _size(self._cache.pop(key))
        self._cache[key] = snapshot
        self._kept += _size(snapshot)
        while self._kept > KEPT_BYTES and len(self._cache) > 1:
            _, dropped = self._cache.popitem(last=False)
            self._kept -= _size(dropped)


def _is_ranked(snapshot: Snapshot, question: Question) -> bool:
    """Tell whether all rankings are final, and with them everything before them."""
    rankings = snapshot.rankings.values()
    return 0 < len(rankings) == len(question.evaluators) and all(r.final for r in rankings)


def _size(snapshot: Snapshot) -> int:
    return sum(table.nbytes for table in snapshot.connections.values())


def _evaluators(names: Sequence[str]) -> "tuple[list[Evaluator], list[str]]":
    """Return the evaluators with these names, and a line for each name that is wrong."""
    from hextui.engine.evaluators import evaluator

    found, problems = [], []
    for name in names:
        try:
            found.append(evaluator(name))
        except ValueError as error:
            problems.append(str(error).splitlines()[0])
    return found, problems
