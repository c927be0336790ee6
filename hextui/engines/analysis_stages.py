"""The stages of the analysis of a position.

A stage takes a snapshot and yields it again with its results, which improve. Who wins is what users
ask first, so the solver works for a moment after the first lines, and later for the rest of its
budget. Solutions are kept on disk.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.connections import ConnectionTable
from hextui.engine.evaluators import Evaluator, evaluator, improves
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.offered_evaluators import OfferedEvaluatorError
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.inferior import inferior_cells
from hextui.engine.limit import Limit, TooCostlyError
from hextui.engine.neural.judge import NetworkFileError
from hextui.engine.position import Position
from hextui.engine.search.front import in_front
from hextui.engine.search.lines import SolverLookup, split_literal
from hextui.engine.search.minimax import find_lines
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.search.tree_search import SearchedMove, TreeSearch, ranked
from hextui.engine.solver.solution import Solution
from hextui.engine.swap import first_stone_value
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.engine.widths import Kernels, is_warm, width_of
from hextui.engines import limits
from hextui.engines.engine import Stop
from hextui.engines.engine_workspace import EngineWorkspace
from hextui.engines.limits import SolverBudget
from hextui.engines.questions import Analyse
from hextui.engines.snapshot import ConnectionCounts, Progress, ReportedMove, SearchReport, Snapshot
from hextui.text import counted

ASKED_FIRST = 8  # moves judged before the others: the one played, the best by each evaluator
NEAR = 64  # up to so many empty cells a position gets the whole budget of time
FIRST_SHARE = 0.1
"""The share of the budget for the moment before lines. Positions with more empty cells get no more
unless a winner is found: few of them end in hours."""
VISITS_TO_NAME_BEST = 10  # of the tree search before its best move is shown
FIRST_LINES = 0.05  # seconds for the first lines of a minimax before the solver
VISITS_BEFORE_SOLVER = 60  # of the tree search: so there is an answer within 0.1 s


Stage = Callable[[Snapshot, Stop], Iterator[Snapshot]]
"""Yields a snapshot again with its results, which improve; ends soon once it is to stop."""


class AnalysisStages:
    """The stages of the answer to one question."""

    def __init__(self, workspace: EngineWorkspace, question: Analyse) -> None:
        self._workspace = workspace
        self._question = question
        self._budget = question.budget or SolverBudget()
        self._asked_again = False

    def snapshots(self, earlier: Snapshot | None, stop: Stop) -> Iterator[Snapshot]:
        """Yield the results so far, which add to any earlier ones; the last are final."""
        if earlier is not None:
            snapshot = replace(earlier, final=False)
            yield snapshot
        else:
            snapshot = Snapshot(self._question.position, scope=self._question.scope)
        for stage in self._in_order(earlier is not None):
            newest = snapshot
            for newest in stage(snapshot, stop):
                yield newest
            snapshot = newest
            if stop():
                return
        total = 2 + len(snapshot.rankings)
        yield replace(snapshot, final=True, progress=Progress(total, total, "done"))

    def _in_order(self, ranked: bool) -> Sequence[Stage]:
        """Return the stages; those of the solver are left out without a budget."""
        later: list[Stage] = [self.find_lines, self.grow_tree]
        if self._question.budget is None:
            self._workspace.close_solver()
        else:
            later = [self.begin_lines, self.begin_tree, self.begin_solver, *later, self.solve]
        first = [] if ranked else [self.find_connections, self.count_paths, self.rank]
        return [*first, self.find_inferior, *later]

    # Connections and rankings

    def find_connections(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add connections, the verdict and the must-play region; the network ranks meanwhile."""
        position = snapshot.position
        space = self._workspace
        names = list[str]()
        for name in self._question.evaluators:
            try:
                names.append(evaluator(name).name)
            except ValueError as error:  # a name that another version kept, say
                line = str(error).splitlines()[0]
                yield replace(snapshot, error=f"{line}; this evaluator is left out")
        snapshot = replace(snapshot, evaluators=tuple(names), lines_by=self._question.lines_by)
        yield from self._compiling(snapshot, Kernels.CONNECTIONS)
        bench = space.bench_at(position)
        tables = dict[Color, ConnectionTable]()
        for color in Color:
            if stop():
                return
            tables[color] = bench.table(color)
        space.tables.put(position, tables)
        opponent = tables[position.to_move.opponent]
        snapshot = replace(
            snapshot,
            verdict=verdict(position, tables[Color.BLACK], tables[Color.WHITE]),
            must_play=opponent.must_play,
            threats=() if opponent.edge_fulls else opponent.edge_semis,
            connections={
                color: ConnectionCounts(table.fulls, table.semis, table.complete)
                for color, table in tables.items()
            },
            progress=Progress(1, 2 + len(names), "counting paths"),
        )
        yield from self._compiling(snapshot, Kernels.RANKINGS)
        yield snapshot

    def _compiling(self, snapshot: Snapshot, kernels: Kernels) -> Iterator[Snapshot]:
        """Wait for kernels; add the progress, and the network's ranking once its own serve."""
        position, early = snapshot.position, snapshot.rankings
        for progress in self._workspace.wait(position.board, kernels):
            warm = is_warm(Kernels.NETWORK, width_of(position.board.cells))
            if not early and warm and position.winner is None:
                (ranking,) = evaluator("network").rank(self._workspace.bench_at(position))
                early = {ranking.evaluator: ranking}
            yield replace(snapshot, rankings=early, progress=progress)

    def count_paths(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the contribution of each cell."""
        bench = self._workspace.bench_at(snapshot.position)
        contribution = {}
        for color in Color:
            levels = bench.paths(color).contribution.tolist()
            contribution[color] = tuple(map(tuple, levels))
        progress = replace(snapshot.progress, done=2, label="ranking")
        yield replace(snapshot, contribution=contribution, progress=progress)

    def rank(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the rankings of all evaluators but tree searches."""
        bench = self._workspace.bench_at(snapshot.position)
        named = map(evaluator, snapshot.evaluators)
        chosen = [by for by in named if not isinstance(by, TreeEvaluator)]
        chosen.sort(key=lambda by: not isinstance(by, NetworkPolicy))  # it needs a millisecond
        for done, by in enumerate(chosen, start=2):
            try:
                for ranking in by.rank(bench):
                    rankings = {**snapshot.rankings, by.name: ranking}
                    progress = replace(snapshot.progress, done=done + ranking.final, label=by.name)
                    snapshot = replace(snapshot, rankings=rankings, progress=progress)
                    yield snapshot
            except (TooCostlyError, OfferedEvaluatorError, NetworkFileError) as error:
                snapshot = _without(snapshot, by.name)
                yield replace(snapshot, error=f"{by.name} is left out: {error}")
                yield snapshot

    def find_inferior(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the inferior cells."""
        progress = Progress(0, 0, "inferior cells")
        yield replace(snapshot, inferior=inferior_cells(snapshot.position), progress=progress)

    # The solver

    def begin_solver(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the results on disk, and of a first share of the time if the solver is compiled."""
        position = snapshot.position
        if position.winner is not None:
            return
        self._asked_again = snapshot.solution is not None  # so it gets the whole budget
        kept = self._workspace.solutions(self._budget)
        solution = kept.get(position)
        if problem := kept.new_problem():
            yield replace(snapshot, error=problem)
        if solution is not None:
            snapshot = replace(snapshot, solution=solution)
            yield snapshot
        if solution and solution.complete:
            return
        if self._workspace.is_compiled(position.board, Kernels.SOLVER):
            yield from self._solve(snapshot, FIRST_SHARE, stop)

    def solve(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the results of the rest of the time."""
        share = self._left(snapshot)
        if snapshot.position.winner is not None or share <= 0:
            return
        yield from self._compiling(snapshot, Kernels.SOLVER)
        if not stop():
            yield from self._solve(snapshot, share, stop)

    def _left(self, snapshot: Snapshot) -> float:
        solution = snapshot.solution
        if solution is not None and solution.complete:
            return 0.0
        solved = solution is not None and solution.winner is not None
        near = len(snapshot.position.empties) <= NEAR
        whole = solved or near or self._asked_again
        share = 1.0 if whole else FIRST_SHARE
        return share if solution is None else share - FIRST_SHARE

    def _solve(self, snapshot: Snapshot, share: float, stop: Stop) -> Iterator[Snapshot]:
        """Search for a share of the budget, and keep on disk what that proves."""
        position, before = snapshot.position, snapshot.solution
        if before is not None and before.winner is None:
            before = None
        solver = self._workspace.solver(position.board)
        threads = counted(solver.settings.threads, "thread")
        progress = Progress(0, 0, f"solving, {threads}")
        limit = Limit(seconds=share * self._budget.seconds)
        first = _asked_first(snapshot, self._question.played)
        for result in solver.solve(position, limit, stop, all_moves=True, first=first):
            solution = result if before is None else joined(before, result)
            yield replace(snapshot, solution=solution, progress=progress)
            if result.final and result.nodes and result.winner is not None:
                self._workspace.solutions(self._budget).put(solution)

    # Lines of play

    def begin_lines(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the first lines of a minimax, which knows nothing of the solver yet."""
        if snapshot.lines is not None or snapshot.position.winner is not None:
            return
        begun = time.perf_counter()
        for newer in self._minimax(snapshot, stop, solves=False):
            if newer.lines is not None:
                yield replace(newer, lines=replace(newer.lines, final=False))
            if time.perf_counter() - begun >= FIRST_LINES:
                break

    def find_lines(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the lines of a minimax, unless the snapshot has them; the first ones stay meanwhile.

        With a budget the solver searches the position first, unless the name asks for the literal
        search. The tree search finds its lines itself.
        """
        first = snapshot.lines
        if first is not None and first.final:
            return
        shown = first.depth if first else 0
        for newer in self._minimax(snapshot, stop, solves=self._question.budget is not None):
            lines = newer.lines
            if lines is None or lines.final or lines.depth > shown:
                yield newer

    def _minimax(self, snapshot: Snapshot, stop: Stop, *, solves: bool) -> Iterator[Snapshot]:
        """Add lines by the evaluator chosen for them, or by the one beside a search, if any."""
        by = self._question.lines_by
        if not by or improves(by):
            by = self._question.minimax_by
        if not by:
            return
        name, literal = split_literal(by)
        try:
            yield from self._lines_by(snapshot, evaluator(name), literal, stop, solves)
        except ValueError as error:  # a name that another version kept, or a network's file
            yield replace(snapshot, error=f"{error}; no lines are searched: V chooses an evaluator")
            yield snapshot

    def _lines_by(
        self, snapshot: Snapshot, chosen: Evaluator, literal: bool, stop: Stop, solves: bool
    ) -> Iterator[Snapshot]:
        position, space = snapshot.position, self._workspace
        settings = replace(self._question.lines, literal=literal)
        proved: SolverLookup = lambda _: None  # noqa: E731
        solves = solves and not literal and position.winner is None
        if solves and space.is_compiled(position.board, Kernels.SOLVER):
            solver = space.solver(position.board)
            proved = in_front(solver, position, stop)
        bench = space.bench_at(position)
        for lines in find_lines(bench, chosen, settings, stop, proved, snapshot.scope):
            progress = Progress(lines.searched, lines.moves, f"lines, depth {lines.depth},")
            yield replace(snapshot, lines=lines, progress=progress)

    # The tree search

    def begin_tree(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Add the results of a tree search after a few visits, if its kernels are compiled."""
        searches = _tree_searches(snapshot)
        if searches and self._workspace.is_compiled(snapshot.position.board, Kernels.SEARCH):
            name, chosen = next(iter(searches.items()))
            first = replace(chosen, visits=VISITS_BEFORE_SOLVER, seconds=0.0)
            yield from self._grow(snapshot, name, first, stop)

    def grow_tree(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Search to the limits of the tree searches, then prove which moves outside them lose."""
        searches = _tree_searches(snapshot)
        if searches:
            yield from self._compiling(snapshot, Kernels.SEARCH)
        for name, chosen in searches.items():
            newest = snapshot
            for newest in self._grow(snapshot, name, chosen, stop, to_the_end=True):
                yield newest
            snapshot = newest

    def _grow(
        self,
        snapshot: Snapshot,
        name: str,
        chosen: TreeEvaluator,
        stop: Stop,
        *,
        to_the_end: bool = False,
    ) -> Iterator[Snapshot]:
        try:
            tree = self._workspace.tree(snapshot.position, snapshot.scope, chosen)
        except NetworkFileError as error:
            snapshot = _without(snapshot, name)
            yield replace(snapshot, error=f"{name} is left out: {error}")
            yield snapshot
            return
        limit = chosen.limit
        begun = time.perf_counter()
        due = 0.0

        def results(*, final: bool = False) -> Snapshot:
            visits = tree.evaluated
            moves_searched = _with_results(tree)
            seconds = time.perf_counter() - begun
            # the best of some moves does not say what a swap is worth
            whole = snapshot.scope == ALL_MOVES
            position = snapshot.position if whole else snapshot.position.without_swap
            moves = reported(position, moves_searched)
            report = SearchReport(
                position=position,
                engine=name,
                moves=moves,
                visits=visits,
                seconds=seconds,
                final=final,
            )
            rankings = dict(snapshot.rankings)
            if name in snapshot.evaluators and moves_searched:
                note = f"{counted(visits, 'position')} evaluated"
                rankings[name] = ranked(name, position, moves_searched, final=final, note=note)
            most = limit.visits or 0
            progress = Progress(min(visits, most or visits), most, "searching,")
            reports = {**snapshot.reports, name: report}
            return replace(snapshot, reports=reports, rankings=rankings, progress=progress)

        after = [tree.check()]
        if to_the_end:
            after += [tree.prove_moves(), tree.evaluate_others()]
        for _ in chain(tree.grow(limit), *after):
            if stop():
                return
            if time.perf_counter() >= due and not tree.too_sure:
                yield results()
                due = time.perf_counter() + limits.UPDATE
        yield results(final=to_the_end)


def _without(snapshot: Snapshot, name: str) -> Snapshot:
    """Return the snapshot without an evaluator."""
    return replace(snapshot, evaluators=tuple(n for n in snapshot.evaluators if n != name))


def reported(position: Position, searched: Sequence[SearchedMove]) -> tuple[ReportedMove, ...]:
    """Return the moves of a tree search of a position for a report; see `ranked` for the values."""
    opening = position.first_stone_swappable
    moves = []
    for move in searched:
        value = first_stone_value(move.value) if opening else move.value
        wins = bool(move.value) if move.proved else None
        line = Cells(position.board, move.line or (move.cell,))
        moves.append(ReportedMove(line, visits=move.visits, winrate=value, proved=wins))
    return tuple(moves)


def _with_results(tree: TreeSearch) -> list[SearchedMove]:
    """Return the moves that were visited or are proved, the best first.

    There are none before the search can name a best move: its first visits follow priors.
    """
    if tree.wins is None and tree.root.visits.sum() < VISITS_TO_NAME_BEST:
        return []
    return [move for move in tree.moves() if move.visits or move.proved]


def _tree_searches(snapshot: Snapshot) -> dict[str, TreeEvaluator]:
    """Return the tree searches that a snapshot still needs, by name."""
    if not snapshot.position.empties or snapshot.position.winner is not None:
        return {}
    names = dict.fromkeys((*snapshot.evaluators, snapshot.lines_by))
    done = {name for name, report in snapshot.reports.items() if report.final}
    wanted = {name: evaluator(name) for name in names if improves(name) and name not in done}
    return {name: by for name, by in wanted.items() if isinstance(by, TreeEvaluator)}


def _asked_first(snapshot: Snapshot, played: int | None) -> tuple[int, ...]:
    """Return the moves of most interest: the one played, and the best ones."""
    best = [ranking.moves[:ASKED_FIRST] for ranking in snapshot.rankings.values()]
    in_turn = [move.cell for placed in zip_longest(*best) for move in placed if move]
    first = in_turn if played is None else [played, *in_turn]
    return tuple(dict.fromkeys(first))[:ASKED_FIRST]


def joined(before: Solution, after: Solution) -> Solution:
    """Return a new solution with the verdicts of an old one, whose winner must be known."""
    wins = {**before.wins, **after.wins}
    losses = {**before.losses, **after.losses}
    base = before if after.winner is None else after
    both = replace(
        after,
        winner=before.winner,
        wins=dict(sorted(wins.items())),
        losses=dict(sorted(losses.items())),
        carrier=base.carrier,
        line=base.line,
    )
    return replace(both, complete=not both.unknown_moves)


def verdict(position: Position, black: ConnectionTable, white: ConnectionTable) -> Verdict | None:
    """Return who has won by a chain, or by a full connection or the mover's semi connection."""
    if position.winner is not None:
        return Verdict(VerdictKind.CHAIN, position.winner)
    for table in (black, white):
        if table.edge_fulls:
            return Verdict(VerdictKind.CONNECTION, table.color)
    mover = black if position.to_move is Color.BLACK else white
    if mover.edge_semis:
        return Verdict(VerdictKind.CONNECTION, mover.color, mover.edge_semis[0].key_cell)
    return None
