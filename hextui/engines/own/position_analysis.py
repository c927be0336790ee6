"""The analysis of one position after the other: what it keeps from question to question.

What was analysed to the end is kept, so that stepping back is instant. Positions are compiled for,
analysed by stages, and gone on with where only a part of the question is new.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from hextui.engine.board import Board, Color
from hextui.engine.evaluator_names import is_search
from hextui.engine.evaluators import Evaluator, Workbench, evaluator
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.widths import Kernels, is_warm, width_of
from hextui.engines.engine import Stop
from hextui.engines.limits import SolverBudget
from hextui.engines.messages import Answered, decoded, encoded
from hextui.engines.own.inferiority import find_inferior
from hextui.engines.own.kept_tables import Tables
from hextui.engines.own.line_stage import LineStage
from hextui.engines.own.solving import SolverStages
from hextui.engines.own.stages import Stage, analyse, go_on
from hextui.engines.own.tree_stage import TreeStages
from hextui.engines.own.warmup import Warmup
from hextui.engines.questions import Analyse
from hextui.engines.snapshot import Progress, Snapshot

KEPT_BYTES = 8 << 20
"""Of the snapshots kept, in the form in which they are sent: some hundred positions."""


class PositionAnalysis:
    """Analyses positions; one thread at a time may use it.

    Without a ``warmup`` kernels are compiled on use. While it compiles, the network ranks, and
    connections come as soon as they can be found.
    """

    def __init__(self, tables: Tables, warmup: Warmup | None) -> None:
        self._tables = tables
        self._warmup = warmup
        self._kept = _Kept()
        self._ranked: tuple[Analyse, Snapshot] | None = None
        self._bench: Workbench | None = None
        self._searches: _Searches | None = None

    def answers(self, question: Analyse, stop: Stop) -> Iterator[Snapshot]:
        """Yield what is known of the position, better and better; the last is final."""
        known = self._kept.get(question)
        if known is not None and not question.again:
            yield known
            return
        if known is not None:
            snapshots = self._go_on(replace(known, final=False), question, stop)
        else:
            snapshots = self._snapshots(question, stop)
        for snapshot in snapshots:
            if stop():
                return
            yield snapshot
            if snapshot.final:
                self._kept.put(question, snapshot)
            if _is_ranked(snapshot):
                self._ranked = (question, snapshot)

    def close(self) -> None:
        """End the solver."""
        if self._searches is not None and self._searches.solving is not None:
            self._searches.solving.close()

    def _snapshots(self, question: Analyse, stop: Stop) -> Iterator[Snapshot]:
        position = question.position
        early: Mapping[str, Ranking] = {}
        wait = self._warmup.wait if self._warmup else _no_wait
        for progress in wait(position.board, Kernels.CONNECTIONS):
            early = early or self._early_ranking(position)
            yield Snapshot(position, rankings=early, progress=progress, scope=question.scope)
        if self._ranked is not None and _differ_in_search(self._ranked[0], question):
            # what else is known stays on the screen
            ranked = _to_search_anew(self._ranked[1], question)
            yield from self._go_on(ranked, question, stop)
            return
        evaluators, problems = _evaluators(question.evaluators)
        for line in problems:
            yield Snapshot(position, error=f"{line}; it is left out")
        bench = self._bench_of(position.board)
        later = self._later(question)
        stages = analyse(
            bench, position, evaluators, later, stop, question.lines_by, question.scope
        )
        for snapshot in stages:
            if not snapshot.contribution:  # the first one: nothing was kept yet
                self._tables.keep(position, {color: bench.table(color) for color in Color})
                for progress in wait(position.board, Kernels.RANKINGS):
                    early = early or self._early_ranking(position)
                    yield replace(snapshot, rankings=early, progress=progress)
            yield snapshot

    def _early_ranking(self, position: Position) -> Mapping[str, Ranking]:
        """Rank by the network while the rest is compiled; empty until its kernels are."""
        width = width_of(position.board.cells)
        if position.winner is not None or not is_warm(Kernels.NETWORK, width):
            return {}
        bench = self._bench_of(position.board)
        bench.look_at(position)
        (ranking,) = evaluator("network").rank(bench)
        return {ranking.evaluator: ranking}

    def _go_on(self, known: Snapshot, question: Analyse, stop: Stop) -> Iterator[Snapshot]:
        """Let the later stages add to what is known."""
        yield known
        yield from go_on(known, self._later(question), stop)

    def _bench_of(self, board: Board) -> Workbench:
        """Return the bench: one board's memory at a time, as records seldom change their size."""
        if self._bench is None or self._bench.board != board:
            self._bench = Workbench(board)
        return self._bench

    def _later(self, question: Analyse) -> Sequence[Stage]:
        """Return what comes after the rankings: one solver's memory at a time."""
        settings = (question.lines, question.budget)
        if self._searches is None or self._searches.settings != settings:
            self.close()
            self._searches = _Searches(question.lines, question.budget, self._warmup)
        return self._searches.stages(question.played)


def _no_wait(board: Board, kernels: Kernels) -> Iterator[Progress]:
    yield from ()


class _Searches:
    """The searches of some settings: of inferior moves, of lines, of a tree, and the solver's."""

    def __init__(
        self, lines: LineSettings, budget: SolverBudget | None, warmup: Warmup | None
    ) -> None:
        """Without a ``budget`` there is no solver."""
        self.settings = (lines, budget)
        if budget is None:
            self.solving = None
            self._tree, self._lines = TreeStages(_no_wait), LineStage(lines)
        else:
            wait = warmup.wait if warmup else _no_wait
            self.solving = SolverStages(budget, wait)
            self._tree = TreeStages(wait, self.solving.known)
            self._lines = LineStage(lines, self.solving.in_front)

    def stages(self, played: int | None) -> Sequence[Stage]:
        """Return the stages of a position in which a move is ``played`` in the game, or none."""
        if self.solving is None:
            return find_inferior, self._lines, self._tree.go_on
        begin, go_on = (
            partial(stage, played=played) for stage in (self.solving.begin, self.solving.go_on)
        )
        return find_inferior, self._tree.begin, begin, self._lines, self._tree.go_on, go_on


class _Kept:
    """Final snapshots by question; the longest unused go when it gets too much."""

    def __init__(self) -> None:
        self._data: OrderedDict[Analyse, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, question: Analyse) -> Snapshot | None:
        """Return a snapshot that was kept."""
        key = _key(question)
        data = self._data.get(key)
        if data is None:
            return None
        self._data.move_to_end(key)
        (message,) = decoded(data)
        assert isinstance(message, Answered)
        assert isinstance(message.value, Snapshot)
        return message.value

    def put(self, question: Analyse, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        key = _key(question)
        data = encoded([Answered(0, snapshot)])
        self._bytes += len(data) - len(self._data.pop(key, b""))
        self._data[key] = data
        while self._bytes > KEPT_BYTES and len(self._data) > 1:
            _, dropped = self._data.popitem(last=False)
            self._bytes -= len(dropped)


def _key(question: Analyse) -> Analyse:
    """Return a question without what changes no final answer."""
    return replace(question, again=False, played=None)


def _is_ranked(snapshot: Snapshot) -> bool:
    """Tell whether all rankings are final, and with them everything before them."""
    rankings = snapshot.rankings.values()
    complete = bool(snapshot.contribution) and len(rankings) == len(snapshot.evaluators)
    return len(rankings) > 0 and complete and all(r.final for r in rankings)


def _differ_in_search(before: Analyse, now: Analyse) -> bool:
    """Tell whether at most the evaluator of the lines and the moves thought of are others."""
    return _key(replace(before, lines_by=now.lines_by, scope=now.scope)) == _key(now)


def _to_search_anew(known: Snapshot, question: Analyse) -> Snapshot:
    """Return what is known without the lines, and without what was found in another scope."""
    known = replace(known, final=False, lines=None, lines_by=question.lines_by)
    if known.scope == question.scope:
        return known
    rankings = {name: found for name, found in known.rankings.items() if not is_search(name)}
    return replace(known, scope=question.scope, rankings=rankings, examined={})


def _evaluators(names: Sequence[str]) -> tuple[list[Evaluator], list[str]]:
    """Return the evaluators with these names, and a line for each name that is wrong."""
    found, problems = [], []
    for name in names:
        try:
            found.append(evaluator(name))
        except ValueError as error:
            problems.append(str(error).splitlines()[0])
    return found, problems
