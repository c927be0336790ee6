"""Answers the questions of one lane in turn, by our own engine.

Questions about one board share a workspace.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from hextui.engine.board import Board, Color
from hextui.engine.connection import Connection
from hextui.engine.evaluators import evaluator, improves
from hextui.engine.evaluators.base import Evaluator
from hextui.engine.evaluators.path_pictures import link_pictures
from hextui.engine.evaluators.resistance import balance
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.explanation import Explanation, Illustration
from hextui.engine.limit import StoppedError
from hextui.engine.position import Move, Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.best_move import EveryLine
from hextui.engine.search.judged_openings import judged_openings
from hextui.engine.search.tree_search import TreeSearch, searched_moves
from hextui.engine.solver.attack import Attack, TryAnswer
from hextui.engine.solver.attack_answers import answer_attack
from hextui.engine.solver.mustplay import MustPlay, steps, try_results
from hextui.engine.solver.opening_map import known_openings
from hextui.engine.solver.proof_export import Exporter
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.engine.widths import Kernels
from hextui.engines import limits, questions
from hextui.engines.analysis_stages import AnalysisStages, joined, reported, verdict
from hextui.engines.engine import Stop
from hextui.engines.engine_workspace import EngineWorkspace, TableCache
from hextui.engines.messages import decoded, encoded
from hextui.engines.own_players import own_player
from hextui.engines.questions import Question
from hextui.engines.snapshot import Progress, SearchReport, Snapshot
from hextui.engines.warmup import Warmup

CACHED_BYTES = 8 << 20  # of snapshots, as they are sent: some hundred positions

A = TypeVar("A")
B = TypeVar("B")


class OwnAnswerer:
    """Answers questions, on one thread at a time; without a ``warmup`` it compiles on use.

    ``solutions``: where solved positions are looked up and kept, by default the user's file.
    """

    def __init__(
        self,
        tables: TableCache | None = None,
        warmup: Warmup | None = None,
        solutions: SolutionCache | None = None,
    ) -> None:
        self._workspace = EngineWorkspace(solutions=solutions, tables=tables)
        if warmup is not None:
            self._workspace.wait = warmup.wait
        self._cache: dict[questions.Analyse, bytes] = {}  # the longest unused first
        self._ranked: tuple[questions.Analyse, Snapshot] | None = None

    def answers(self, question: Question[Any], stop: Stop = lambda: False) -> Iterator[Any]:
        """Yield improving answers until ``stop``; raises ValueError if there can be none."""
        match question:
            case questions.Analyse():
                yield from self._analyse(question, stop)
            case questions.SearchMoves():
                yield from self._search_moves(question, stop)
            case questions.ChooseMove():
                yield from self._choose_move(question, stop)
            case questions.Judge():
                yield from self._judge(question, stop)
            case questions.Explain():
                yield from self._explain(question, stop)
            case questions.ShowLinks():
                yield from self._show_links(question)
            case questions.WhoWins():
                yield from self._who_wins(question, stop)
            case questions.ShowProof():
                prove = partial(Exporter.prove, position=question.position)
                yield from self._prove(question, prove, stop)
            case questions.AnswerTry(attack=attack):
                yield from self._prove(question, partial(_answered_attack, attack), stop)
            case questions.Trace():
                yield from _trace(question, stop)
            case questions.Tries():
                yield from _tries(question, stop)
            case questions.LookAhead():
                yield from _look_ahead(question, stop)
            case questions.JudgeOpenings():
                yield from self._judge_openings(question, stop)
            case questions.ListConnections():
                yield self._connections(question)
            case questions.Premises():
                yield self._premises(question)
            case _:
                raise ValueError(f"our engine does not answer {type(question).__name__}")

    def close(self) -> None:
        """End the threads of the solver, and close the file of solutions."""
        self._workspace.close()

    def _analyse(self, question: questions.Analyse, stop: Stop) -> Iterator[Snapshot]:
        """Yield improving snapshots; the last is final, and cached."""
        earlier = self._cached(question)
        if earlier is not None and not question.again:
            yield earlier
            return
        if earlier is None:
            earlier = self._ranked_before(question)
        for snapshot in AnalysisStages(self._workspace, question).snapshots(earlier, stop):
            if stop():
                return
            yield snapshot
            if snapshot.final:
                self._keep(question, snapshot)
            if _is_ranked(snapshot):
                self._ranked = (question, snapshot)

    def _cached(self, question: questions.Analyse) -> Snapshot | None:
        """Return the final snapshot of a question if it is cached; it is then the newest."""
        key = _key(question)
        data = self._cache.pop(key, None)
        if data is None:
            return None
        self._cache[key] = data
        snapshot: Snapshot
        (snapshot,) = decoded(data)
        return snapshot

    def _ranked_before(self, question: questions.Analyse) -> Snapshot | None:
        """Return the last rankings if only the lines or the scope differ: they stay shown."""
        if self._ranked is None:
            return None
        before, snapshot = self._ranked
        same = replace(
            before, lines_by=question.lines_by, minimax_by=question.minimax_by, scope=question.scope
        )
        return _without_searches(snapshot, question) if _key(same) == _key(question) else None

    def _keep(self, question: questions.Analyse, snapshot: Snapshot) -> None:
        """Cache a final snapshot in place of those that were unused for longest."""
        self._cache[_key(question)] = encoded([snapshot])
        while sum(map(len, self._cache.values())) > CACHED_BYTES and len(self._cache) > 1:
            del self._cache[next(iter(self._cache))]

    def _choose_move(self, question: questions.ChooseMove, stop: Stop) -> Iterator[Move | Progress]:
        position = question.position
        chooser = own_player(question.player, question.seed)
        yield from self._compiling(position.board, *chooser.kernels(position))
        yield chooser.choose(position, stop)

    def _search_moves(
        self, question: questions.SearchMoves, stop: Stop
    ) -> Iterator[SearchReport | Progress]:
        position, limit = question.position, question.limit
        yield from self._compiling(position.board, Kernels.RANKINGS, Kernels.SEARCH, Kernels.SOLVER)
        search = TreeSearch(position.board)
        searched = searched_moves(search, position, limit, stop, question.scope)
        visits = sum(move.visits for move in searched)
        yield SearchReport(
            position=position,
            engine="search",
            moves=reported(position, searched),
            visits=visits,
            final=True,
        )

    def _judge(
        self, question: questions.Judge, stop: Stop
    ) -> Iterator[questions.Judged | Progress]:
        position = question.position
        evaluators = {name: evaluator(name) for name in question.evaluators}
        yield from self._compiling(position.board, *_kernels_of(evaluators.values()))
        bench = self._workspace.bench_at(position)
        proved = verdict(position, bench.table(Color.BLACK), bench.table(Color.WHITE))
        if position.winner is not None:
            yield questions.Judged(proved)
            return
        judged = questions.Judged(proved, balance=balance(bench))
        yield judged
        for name, chosen in evaluators.items():
            if isinstance(chosen, TreeEvaluator) and proved is not None:
                continue  # there is nothing left to search
            search, rankings = _rankings(chosen, bench)
            for ranking in rankings:
                if stop():
                    return
                if ranking.final:
                    judged = replace(judged, rankings={**judged.rankings, name: ranking})
                    if search is not None:
                        judged = _with_proofs(judged, search, position)
                    yield judged

    def _explain(self, question: questions.Explain, stop: Stop) -> Iterator[Explanation | Progress]:
        position = question.position
        chosen = evaluator(question.evaluator)
        yield from self._compiling(position.board, Kernels.RANKINGS)
        total = len(position.empties)
        for answer in chosen.explain(self._workspace.bench_at(position), question.move):
            if stop():
                return
            if isinstance(answer, Explanation):
                yield answer
            else:
                yield Progress(len(answer.moves), total, "ranking moves")

    def _show_links(
        self, question: questions.ShowLinks
    ) -> Iterator[tuple[Illustration, ...] | Progress]:
        yield from self._compiling(question.position.board, Kernels.RANKINGS)
        yield link_pictures(self._workspace.bench_at(question.position), question.move)

    def _connections(self, question: questions.ListConnections) -> tuple[Connection, ...]:
        table = self._workspace.tables.get(question.position, question.color)
        ids = table.derived_ids(question.kind, question.within)[question.first :]
        ids = ids[: question.count]
        return tuple(map(table.connection, ids.tolist()))

    def _premises(self, question: questions.Premises) -> tuple[Connection, ...]:
        table = self._workspace.tables.get(question.position, question.color)
        if not 0 <= question.of < len(table.rows):
            return ()
        return tuple(map(table.connection, table.connection(question.of).premises))

    def _compiling(self, board: Board, *wanted: Kernels) -> Iterator[Progress]:
        """Wait for kernels, and yield the progress meanwhile."""
        for kernels in wanted:
            yield from self._workspace.wait(board, kernels)

    def _who_wins(
        self, question: questions.WhoWins, stop: Stop
    ) -> Iterator[questions.Proved | Progress]:
        position = question.position
        kept = self._workspace.solutions()
        before = kept.get(position)
        if problem := kept.new_problem():
            print(problem, file=sys.stderr)
        if before is not None and (before.complete or not question.all_moves):
            yield _proved(before)
            return
        yield from self._compiling(position.board, Kernels.SOLVER)
        solver = self._workspace.solver(position.board)
        limit = question.limit
        threads = solver.settings.threads
        if limit.seconds is not None:
            limit = replace(limit, seconds=limit.seconds / threads)
        begun = time.process_time()
        *_, solved = solver.solve(position, limit, stop, all_moves=question.all_moves)
        # other lanes may have used processors meanwhile, but the solver no more than its threads
        spent = min(time.process_time() - begun, solved.seconds * threads)
        solution = solved if before is None else joined(before, solved)
        if solved.nodes:
            kept.put(solution)
        yield replace(_proved(solution), seconds=spent, nodes=solved.nodes)

    def _judge_openings(
        self, question: questions.JudgeOpenings, stop: Stop
    ) -> Iterator[questions.OpeningsJudged | Progress]:
        board = question.position.board
        judged = list(question.judged)
        yield from self._compiling(board, Kernels.RANKINGS, Kernels.SEARCH)
        kept = self._workspace.solutions()
        opening_map = known_openings(board, kept)
        cells = {opening.cell for opening in judged}
        for opening in judged_openings(opening_map, question.limit, kept, stop, cells):
            judged.append(opening)
            yield questions.OpeningsJudged(tuple(judged), len(opening_map.openings))
        if problem := kept.new_problem():
            print(problem, file=sys.stderr)

    def _prove(
        self,
        question: questions.ShowProof | questions.AnswerTry,
        work: Callable[[Exporter], A],
        stop: Stop,
    ) -> Iterator[A | questions.NotProved | Progress]:
        """Yield the progress, then what ``work`` makes of proofs in the question's time."""
        position, seconds = question.position, question.seconds
        yield from self._compiling(position.board, Kernels.RANKINGS, Kernels.SOLVER)
        solver = self._workspace.solver(position.board)
        ended = threading.Event()
        begun = time.perf_counter()

        def passed() -> float:
            return time.perf_counter() - begun

        def prove() -> A | questions.NotProved:
            exporter = Exporter(
                solver,
                lambda: ended.is_set() or passed() >= seconds,
                lambda: passed() >= limits.WRITE,
            )
            try:
                return work(exporter)
            except StoppedError:
                return questions.NotProved(seconds)

        def progress() -> Progress:
            done = min(int(passed()), int(seconds))
            return Progress(done, int(seconds), "searching for a proof", unit=" s")

        yield from _beside(prove, progress, ended, stop)


def _answered_attack(attack: Attack, exporter: Exporter) -> TryAnswer:
    return answer_attack(attack, exporter.prove)


def _key(question: questions.Analyse) -> questions.Analyse:
    """Return a question without the fields that change no final answer."""
    return replace(question, again=False, played=None)


def _is_ranked(snapshot: Snapshot) -> bool:
    """Return whether all rankings are final, and with them everything before them."""
    rankings = snapshot.rankings.values()
    complete = bool(snapshot.contribution) and len(rankings) == len(snapshot.evaluators)
    return len(rankings) > 0 and complete and all(r.final for r in rankings)


def _without_searches(snapshot: Snapshot, question: questions.Analyse) -> Snapshot:
    """Return a snapshot without lines, and without results of another scope."""
    snapshot = replace(snapshot, lines=None, lines_by=question.lines_by)
    if snapshot.scope == question.scope:
        return snapshot
    rankings = {name: ranking for name, ranking in snapshot.rankings.items() if not improves(name)}
    return replace(snapshot, scope=question.scope, rankings=rankings, reports={})


def _kernels_of(evaluators: Iterable[Evaluator]) -> list[Kernels]:
    """Return what must be compiled before these evaluators rank moves."""
    if any(chosen.improves for chosen in evaluators):
        return [Kernels.RANKINGS, Kernels.SEARCH]
    return [Kernels.RANKINGS]


def _rankings(chosen: Evaluator, bench: Workbench) -> tuple[TreeSearch | None, Iterator[Ranking]]:
    """Return the rankings of an evaluator, and the search that they come from, if any does."""
    if isinstance(chosen, TreeEvaluator):
        return chosen.briefly(bench.position, limits.GAME_VISITS)
    return None, chosen.rank(bench)


def _with_proofs(
    judged: questions.Judged, search: TreeSearch, position: Position
) -> questions.Judged:
    won = judged.verdict
    if search.wins is not None:
        winner = position.to_move if search.wins else position.to_move.opponent
        won = Verdict(VerdictKind.SOLVER, winner)
    return replace(judged, verdict=won, proved={**judged.proved, **search.proved_moves})


def _proved(solution: Solution) -> questions.Proved:
    complete = solution.winner is not None and not solution.unknown_moves
    return questions.Proved(solution.winner, tuple(solution.wins), complete)


def _trace(question: questions.Trace, stop: Stop) -> Iterator[questions.Traced]:
    """Yield the progress of the readable solver, then its steps."""
    ended = threading.Event()
    solver = MustPlay(question.remember, ended.is_set, question.order)

    def solve() -> questions.Traced:
        story = steps(solver.win_move(question.position), question.position)
        return questions.Traced(solver.calls, tuple(story))

    return _beside(solve, lambda: questions.Traced(solver.calls), ended, stop)


def _tries(question: questions.Tries, stop: Stop) -> Iterator[questions.Tried]:
    """Yield what the readable solver has tried, until it has solved the position or time is up."""
    ended = threading.Event()
    end = time.perf_counter() + question.seconds
    solver = MustPlay(
        remember=True,
        stop=lambda: ended.is_set() or time.perf_counter() >= end,
        order=question.order,
    )

    def tried() -> questions.Tried:
        results = tuple(solver.results_so_far())
        return questions.Tried(solver.calls, tries=results, trying=tuple(solver.trying))

    def solve() -> questions.Tried:
        try:
            run = solver.win_move(question.position)
        except StoppedError:
            return replace(tried(), ended=True)
        results = tuple(try_results(run.tries))
        return questions.Tried(
            solver.calls, tries=results, winner=run.winner, winset=run.winset, ended=True
        )

    return _beside(solve, tried, ended, stop)


def _look_ahead(question: questions.LookAhead, stop: Stop) -> Iterator[questions.LookedAhead]:
    """Yield the progress of `best_move`, then the call, then the scores of all moves."""
    ended = threading.Event()
    search = EveryLine(ended.is_set)
    looked = questions.LookedAhead(0)

    def progress() -> questions.LookedAhead:
        return replace(looked, positions=search.positions)

    def look() -> questions.LookedAhead:
        nonlocal looked
        call = search.call(question.state)
        looked = questions.LookedAhead(search.positions, call, search.positions)
        scores = search.scores(question.state, call)
        return replace(progress(), scores=scores)

    return _beside(look, progress, ended, stop)


def _beside(
    work: Callable[[], A], progress: Callable[[], B], ended: threading.Event, stop: Stop
) -> Iterator[A | B]:
    """Do long work on another thread, which ``ended`` ends; yield its progress, then its result."""
    with ThreadPoolExecutor(1, "beside") as pool:
        result = pool.submit(work)
        try:
            while not result.done() and not stop():
                wait([result], limits.UPDATE)
                yield progress()
        finally:
            ended.set()
        if not stop():
            yield result.result()
