"""The stages of the analysis of one position, as a stream of snapshots that improve.

First connections, the verdict and the must-play region, then path counts, then one ranking
after the other, then what the later stages find. Everything starts from a fresh search at the
position, so that what is shown never depends on the way the user came.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hextui.engine.board import Color
from hextui.engine.connections import ConnectionTable
from hextui.engine.evaluators.base import Evaluator, Workbench
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.limit import TooCostlyError
from hextui.engine.must_play import must_play
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engines.engine import Stop
from hextui.engines.snapshot import ConnectionCounts, Progress, Snapshot, Verdict, VerdictKind

Stage = Callable[[Snapshot, Stop], Iterator[Snapshot]]
"""Adds to a snapshot what it finds, again and again; ends soon once it is to stop."""


def analyse(
    bench: Workbench,
    position: Position,
    evaluators: Sequence[Evaluator],
    later: Sequence[Stage] = (),
    stop: Stop = lambda: False,
    lines_by: str = "",
    scope: MoveScope = ALL_MOVES,
) -> Iterator[Snapshot]:
    """Yield snapshots of a position, each with all that the one before had; the last is final.

    Stop iterating to cancel: no step between two snapshots takes long. The ``later`` stages, which
    may take longer, are asked to ``stop`` as well. The tree search is one of these. ``scope``:
    which moves the searches among them think of.
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
        must_play=must_play(opponent),
        threats=() if opponent.edge_fulls else opponent.edge_semis,
        connections={
            color: ConnectionCounts(table.fulls, table.semis, table.complete)
            for color, table in tables.items()
        },
        evaluators=tuple(evaluator.name for evaluator in evaluators),
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
    for done, evaluator in enumerate(ranking_now, start=2):
        try:
            for ranking in evaluator.rank(bench):
                rankings = {**rankings, evaluator.name: ranking}
                snapshot = replace(
                    snapshot,
                    rankings=rankings,
                    progress=progress(done + ranking.final, evaluator.name),
                )
                yield snapshot
        except TooCostlyError as error:
            names = tuple(name for name in snapshot.evaluators if name != evaluator.name)
            snapshot = replace(snapshot, evaluators=names)
            yield replace(snapshot, error=f"{evaluator.name} is left out: {error}")
    yield from go_on(snapshot, later, stop)


def go_on(
    snapshot: Snapshot, later: Sequence[Stage], stop: Stop = lambda: False
) -> Iterator[Snapshot]:
    """Yield what the later stages add to a snapshot with all rankings; the last is final."""
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
