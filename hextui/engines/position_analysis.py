"""The analysis of one position after the other, as a stream of snapshots that improve.

First connections, the verdict and the must-play region, then path counts, then one ranking after
the other, then inferior cells and the results of `search_stages`. The connections are searched
afresh, so that no result depends on the way to the position. What was analysed to the end is
cached, so that stepping back is instant.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hextui.engine.board import Color
from hextui.engine.connections import ConnectionTable
from hextui.engine.evaluators import Evaluator, evaluator, improves
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.limit import TooCostlyError
from hextui.engine.oriented import connections_of
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.widths import Kernels, is_warm, width_of
from hextui.engines.engine import Stop
from hextui.engines.messages import decoded, encoded
from hextui.engines.questions import Analyse
from hextui.engines.search_stages import EngineWorkspace, SearchStages, Stage
from hextui.engines.snapshot import ConnectionCounts, Progress, Snapshot, Verdict, VerdictKind

CACHED_BYTES = 8 << 20
"""Of snapshots, as they are sent: some hundred positions."""
CACHED_TABLES = 4


class TableCache:
    """The connection tables of the last positions; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: dict[bytes, Mapping[Color, ConnectionTable]] = {}

    def put(self, position: Position, tables: Mapping[Color, ConnectionTable]) -> None:
        """Keep the tables of both colours."""
        with self._lock:
            self._tables.pop(position.key, None)
            self._tables[position.key] = tables
            if len(self._tables) > CACHED_TABLES:
                del self._tables[next(iter(self._tables))]

    def get(self, position: Position, color: Color) -> ConnectionTable:
        """Return a table, searched again if needed: its connections have the same ids then."""
        with self._lock:
            known = self._tables.get(position.key)
        if known is None:
            known = {each: connections_of(position, each) for each in Color}
            self.put(position, known)
        return known[color]


class PositionAnalysis:
    """Analyses positions; one thread at a time may use it.

    While kernels are compiled, the network ranks, and connections come as soon as they can be
    found.
    """

    def __init__(self, tables: TableCache, workspace: EngineWorkspace) -> None:
        self._tables = tables
        self._workspace = workspace
        self._cache = _SnapshotCache()
        self._ranked: tuple[Analyse, Snapshot] | None = None

    def answers(self, question: Analyse, stop: Stop = lambda: False) -> Iterator[Snapshot]:
        """Yield improving snapshots; the last is final."""
        known = self._cache.get(question)
        if known is not None and not question.again:
            yield known
            return
        if known is None and self._ranked and _differ_in_search(self._ranked[0], question):
            # the other results stay on the screen
            known = _to_search_anew(self._ranked[1], question)
        for snapshot in self._snapshots(question, known, stop):
            if stop():
                return
            yield snapshot
            if snapshot.final:
                self._cache.put(question, snapshot)
            if _is_ranked(snapshot):
                self._ranked = (question, snapshot)

    def _snapshots(
        self, question: Analyse, known: Snapshot | None, stop: Stop
    ) -> Iterator[Snapshot]:
        position = question.position
        early: Mapping[str, Ranking] = {}
        for progress in self._workspace.wait(position.board, Kernels.CONNECTIONS):
            early = early or self._early_ranking(position)
            yield Snapshot(position, rankings=early, progress=progress, scope=question.scope)
        stages = SearchStages(self._workspace, question).in_order()
        if known is not None:
            known = replace(known, final=False)
            yield known
            yield from go_on(known, stages, stop)
            return
        chosen: list[Evaluator] = []
        for name in question.evaluators:
            try:
                chosen.append(evaluator(name))
            except ValueError as error:  # a name that another version kept, say
                line = str(error).splitlines()[0]
                yield Snapshot(position, error=f"{line}; it is left out")
        bench = self._workspace.bench_at(position)
        for snapshot in analyse(
            bench, position, chosen, stages, stop, question.lines_by, question.scope
        ):
            if not snapshot.contribution:  # the first one: nothing was kept yet
                self._tables.put(position, {color: bench.table(color) for color in Color})
                for progress in self._workspace.wait(position.board, Kernels.RANKINGS):
                    early = early or self._early_ranking(position)
                    yield replace(snapshot, rankings=early, progress=progress)
            yield snapshot

    def _early_ranking(self, position: Position) -> Mapping[str, Ranking]:
        """Rank by the network while the rest is compiled; empty until its kernels are."""
        width = width_of(position.board.cells)
        if position.winner is not None or not is_warm(Kernels.NETWORK, width):
            return {}
        (ranking,) = evaluator("network").rank(self._workspace.bench_at(position))
        return {ranking.evaluator: ranking}


def analyse(
    bench: Workbench,
    position: Position,
    evaluators: Sequence[Evaluator],
    later: Sequence[Stage] = (),
    stop: Stop = lambda: False,
    lines_by: str = "",
    scope: MoveScope = ALL_MOVES,
) -> Iterator[Snapshot]:
    """Yield snapshots of a position, each with all results of the one before; the last is final.

    Stop iterating to cancel: no step between two snapshots takes long. The ``later`` stages, which
    may take longer, check ``stop`` as well; ``scope``: the moves that they may consider.
    """
    bench.look_at(position)
    total = 2 + len(evaluators)
    ranking_now = [one for one in evaluators if not isinstance(one, TreeEvaluator)]
    ranking_now.sort(key=lambda one: not isinstance(one, NetworkPolicy))  # it needs a millisecond

    def progress(done: int, label: str) -> Progress:
        return Progress(done, total, label)

    tables: dict[Color, ConnectionTable] = {}
    for color in Color:
        if stop():
            return
        tables[color] = bench.table(color)
    opponent = tables[position.to_move.opponent]
    snapshot = Snapshot(
        position,
        scope=scope,
        verdict=verdict(position, tables[Color.BLACK], tables[Color.WHITE]),
        must_play=opponent.must_play,
        threats=() if opponent.edge_fulls else opponent.edge_semis,
        connections={
            color: ConnectionCounts(table.fulls, table.semis, table.complete)
            for color, table in tables.items()
        },
        evaluators=tuple(one.name for one in evaluators),
        lines_by=lines_by,
        progress=progress(1, "counting paths"),
    )
    yield snapshot
    contribution = {
        color: tuple(tuple(level) for level in bench.paths(color).contribution.tolist())
        for color in Color
    }
    snapshot = replace(snapshot, contribution=contribution, progress=progress(2, "ranking"))
    yield snapshot
    rankings: dict[str, Ranking] = {}
    for done, chosen in enumerate(ranking_now, start=2):
        try:
            for ranking in chosen.rank(bench):
                rankings = {**rankings, chosen.name: ranking}
                snapshot = replace(
                    snapshot,
                    rankings=rankings,
                    progress=progress(done + ranking.final, chosen.name),
                )
                yield snapshot
        except TooCostlyError as error:
            names = tuple(name for name in snapshot.evaluators if name != chosen.name)
            snapshot = replace(snapshot, evaluators=names)
            yield replace(snapshot, error=f"{chosen.name} is left out: {error}")
    yield from go_on(snapshot, later, stop)


def go_on(
    snapshot: Snapshot, later: Sequence[Stage], stop: Stop = lambda: False
) -> Iterator[Snapshot]:
    """Yield the results of later stages for a snapshot with all rankings; the last is final."""
    total = 2 + len(snapshot.rankings)
    for stage in later:
        found = snapshot
        for found in stage(snapshot, stop):
            yield found
        snapshot = found
        if stop():
            return
    yield replace(snapshot, final=True, progress=Progress(total, total, "done"))


def verdict(position: Position, black: ConnectionTable, white: ConnectionTable) -> Verdict | None:
    """Return who has won by a finished chain or by a connection of the edges, if anybody has.

    A full connection wins whoever moves; a semi connection wins for the side to move.
    """
    if position.winner is not None:
        return Verdict(VerdictKind.CHAIN, position.winner)
    for table in (black, white):
        if table.edge_fulls:
            return Verdict(VerdictKind.CONNECTION, table.color, table.edge_fulls[0].id)
    mover = black if position.to_move is Color.BLACK else white
    if mover.edge_semis:
        semi = mover.edge_semis[0]
        return Verdict(VerdictKind.CONNECTION, mover.color, semi.id, semi.key)
    return None


class _SnapshotCache:
    """Final snapshots by question; those longest unused are dropped."""

    def __init__(self) -> None:
        self._data: dict[Analyse, bytes] = {}

    def get(self, question: Analyse) -> Snapshot | None:
        """Return a cached snapshot."""
        key = _key(question)
        if key not in self._data:
            return None
        self._data[key] = data = self._data.pop(key)
        snapshot: Snapshot = decoded(data)[0]
        return snapshot

    def put(self, question: Analyse, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        key = _key(question)
        self._data.pop(key, None)
        self._data[key] = encoded([snapshot])
        while sum(map(len, self._data.values())) > CACHED_BYTES and len(self._data) > 1:
            del self._data[next(iter(self._data))]


def _key(question: Analyse) -> Analyse:
    """Return a question without the fields that change no final answer."""
    return replace(question, again=False, played=None)


def _is_ranked(snapshot: Snapshot) -> bool:
    """Tell whether all rankings are final, and with them everything before them."""
    rankings = snapshot.rankings.values()
    complete = bool(snapshot.contribution) and len(rankings) == len(snapshot.evaluators)
    return len(rankings) > 0 and complete and all(r.final for r in rankings)


def _differ_in_search(before: Analyse, now: Analyse) -> bool:
    """Tell whether at most the evaluator of the lines and the scope differ."""
    return _key(replace(before, lines_by=now.lines_by, scope=now.scope)) == _key(now)


def _to_search_anew(known: Snapshot, question: Analyse) -> Snapshot:
    """Return a snapshot without lines, and without results of another scope."""
    known = replace(known, lines=None, lines_by=question.lines_by)
    if known.scope == question.scope:
        return known
    rankings = {name: found for name, found in known.rankings.items() if not improves(name)}
    return replace(known, scope=question.scope, rankings=rankings, reports={})
