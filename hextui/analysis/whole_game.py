"""Analyses a whole game: evaluates its positions, then proves who wins them.

The analysis can be stopped at any moment; its results are kept, so that it resumes where it
stopped. Other engines work beside ours, each on all positions in turn. The solver's budget of time
goes where it decides: see `prove`.
"""

import queue
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil

from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import Blunder, blunders
from hextui.engine.evaluators import improves
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.engine import Answerer, EngineDiedError, EngineError, Stop
from hextui.engines.questions import Judge, Judged, Proved, WhoWins
from hextui.engines.snapshot import Progress, Verdict, VerdictKind

LABEL = "whole game"
SOLVING = "solving"
OpenOther = Callable[[str], Answerer | None]
"""Opens the other engine that an evaluator's name means; None for our evaluators."""


@dataclass(frozen=True)
class GameBudget:
    """The solver's time for a game, in seconds of one thread.

    ``nodes_per_second``: the nodes that count as a second, so that what is proved depends on the
    game alone; None counts CPU time.
    """

    seconds: float
    nodes_per_second: int | None = None

    def limit(self, seconds: float) -> Limit:
        """Return the limit of a search that gets these seconds of the budget."""
        if self.nodes_per_second is None:
            return Limit(seconds)
        return Limit(nodes=ceil(seconds * self.nodes_per_second))

    def cost(self, proved: Proved) -> float:
        """Return the seconds of the budget that an answer took."""
        if self.nodes_per_second is None:
            return proved.seconds
        return proved.nodes / self.nodes_per_second

    def lost(self, seconds: float) -> Proved:
        """Return an answer without a winner that took all of these seconds."""
        nodes = ceil(seconds * (self.nodes_per_second or 0))
        return Proved(None, seconds=seconds, nodes=nodes)


def analyse_game(
    positions: Sequence[GamePosition],
    names: Sequence[str],
    estimates: Estimates,
    threads: int = 1,
    solve_seconds: float = 0.0,
    stop: Stop = lambda: False,
    open_lane: Callable[[], Answerer] | None = None,
    others: OpenOther = lambda name: None,
    nodes_per_second: int | None = None,
) -> Iterator[Progress]:
    """Add what is missing in ``estimates``; yield the progress, a step per position.

    First the evaluators ``names``, those that ``others`` opens beside ours; then the solver, with
    what is left of its budget ``solve_seconds``. ``open_lane`` opens an engine for each thread, by
    default the one in this process, whose solver uses as many threads. To cancel, stop iterating or
    have ``stop`` return True: threads end within 50 ms. ``nodes_per_second``: see `GameBudget`.
    Raises ValueError for an unknown evaluator, and EngineError at the end for an attached engine
    that failed.
    """
    if open_lane is None:
        open_lane = _engine_in_this_process(threads)
    names = tuple(name.strip() for name in names)
    opened = _open_others(names, others)
    own = tuple(name for name in names if name not in opened)
    lanes = [open_lane() for _ in range(max(threads, 1))]
    groups = [
        _EvaluatorGroup(own, lanes, _not_complete(positions, own, estimates)),
        *_attached_groups(opened, positions, estimates),
    ]
    judging = len(positions) * len(groups)
    solves = solve_seconds > estimates.spent(positions)
    total = judging + len(positions) if solves else judging
    try:
        yield from _estimated(groups, estimates, judging, total, stop)
        if solves and not stop():
            budget = GameBudget(solve_seconds, nodes_per_second)
            yield from _solved(lanes[0], positions, estimates, budget, judging, stop)
    finally:
        for lane in (*lanes, *opened.values()):
            lane.close()
    _raise_failure(groups)


def _engine_in_this_process(threads: int) -> Callable[[], Answerer]:
    """Return what opens our engine in this process, for so many threads that share its tables."""
    from hextui.engines.answerer import OwnAnswerer
    from hextui.engines.engine_workspace import TableCache

    return partial(OwnAnswerer, TableCache(threads))


def _open_others(names: Sequence[str], others: OpenOther) -> dict[str, Answerer]:
    """Open the attached engines among evaluators."""
    opened = {}
    for name in names:
        lane = others(name)
        if lane is not None:
            opened[name] = lane
    return opened


def _attached_groups(
    opened: Mapping[str, Answerer], positions: Sequence[GamePosition], estimates: Estimates
) -> "Iterator[_EvaluatorGroup]":
    """Yield a group for each attached engine, with the positions that it has to estimate."""
    for name, lane in opened.items():
        left = _not_judged(positions, name, estimates)
        yield _EvaluatorGroup((name,), [lane], left, is_ours=False)


def _raise_failure(groups: "Sequence[_EvaluatorGroup]") -> None:
    """Raise the error of the first engine that was given up, if any was."""
    for group in groups:
        if group.failed is not None:
            raise group.failed


def _not_complete(
    positions: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> list[GamePosition]:
    """Return the positions that our evaluators have to estimate, or to examine for proofs."""
    return [
        game_position for game_position in positions if not estimates.complete(game_position, names)
    ]


def _not_judged(
    positions: Sequence[GamePosition], name: str, estimates: Estimates
) -> list[GamePosition]:
    """Return the positions that an attached engine has to estimate."""
    return [
        game_position for game_position in positions if not estimates.judged(game_position, (name,))
    ]


def _estimated(
    groups: "Sequence[_EvaluatorGroup]", estimates: Estimates, judging: int, total: int, stop: Stop
) -> Iterator[Progress]:
    """Run the groups; yield the progress, of ``judging`` steps at the end of all ``total``."""
    done = judging - sum(len(group.positions) for group in groups)
    yield Progress(done, total, LABEL)
    for step in _judged(groups, estimates, stop):
        if step is None:
            done += 1
        yield step or Progress(done, total, LABEL)


def _solved(
    solver: Answerer,
    positions: Sequence[GamePosition],
    estimates: Estimates,
    budget: GameBudget,
    done: int,
    stop: Stop,
) -> Iterator[Progress]:
    """Spend what is left of the solver's budget; yield the progress after ``done`` steps."""
    total = done + len(positions)
    spent = estimates.spent(positions)
    left = budget.seconds - spent
    for turn in prove(solver, positions, estimates, replace(budget, seconds=left), stop):
        if isinstance(turn, float):
            estimates.keep_spent(positions, spent + turn)
            share = min(turn / left, 1.0)
            solved = min(int(share * len(positions)), len(positions) - 1)
            yield Progress(done + solved, total, SOLVING)
        elif turn.done < turn.total:
            yield turn  # but not the end of a compilation, which is not that of the game
    if not stop():
        estimates.keep_spent(positions, budget.seconds)
        yield Progress(total, total, SOLVING)


@dataclass
class _EvaluatorGroup:
    """Evaluators of one engine and the positions left; ``failed``: why it was given up."""

    names: tuple[str, ...]
    lanes: Sequence[Answerer]
    positions: Sequence[GamePosition]
    is_ours: bool = True
    failed: EngineError | None = None
    free: queue.SimpleQueue[Answerer] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        for lane in self.lanes:
            self.free.put(lane)

    def judge(
        self,
        game_position: GamePosition,
        estimates: Estimates,
        hear: Callable[[Progress], None],
        stop: Stop,
    ) -> None:
        """Evaluate a position on a free lane; ``hear`` gets the progress of compilation."""
        lane = self.free.get()
        kept = set[str]()
        try:
            question = Judge(game_position.position, self.names)
            for answer in lane.answers(question, stop) if self.failed is None else ():
                if isinstance(answer, Progress):
                    hear(answer)
                else:
                    self._keep(answer, game_position.position, estimates, kept)
        except EngineError as error:
            if not self.is_ours:
                self.failed = error  # the others go on; raised at the end
            elif not isinstance(error, EngineDiedError):  # that is reported elsewhere
                raise
        finally:
            self.free.put(lane)  # the other positions wait for it

    def _keep(
        self, answer: Judged, position: Position, estimates: Estimates, kept: set[str]
    ) -> None:
        """Add an answer to the estimates, without the evaluators that are ``kept`` already."""
        if self.is_ours:
            estimates.keep_verdict(position, answer.verdict)
            estimates.keep_proved(position, answer.proved)
        elif answer.claim is not None:
            estimates.keep_claim(position, answer.claim)
        if answer.balance is not None:
            estimates.keep_balance(position, answer.balance)
        for name in answer.rankings.keys() - kept:
            kept.add(name)
            ranking = answer.rankings[name]
            if ranking.moves:
                winrate = ranking.moves[0].value if improves(name) else answer.winrate
                estimates.keep(position, name, Estimate.of(ranking, position, winrate))


def _judged(
    groups: Sequence[_EvaluatorGroup], estimates: Estimates, stop: Stop
) -> Iterator[Progress | None]:
    """Run the groups, a thread per lane; yield None per position done, else compilation."""
    heard: queue.SimpleQueue[Progress | Future[None]] = queue.SimpleQueue()
    ended = threading.Event()

    def to_stop() -> bool:
        return ended.is_set() or stop()

    with ExitStack() as pools:
        for group in groups:
            pool = ThreadPoolExecutor(len(group.lanes), thread_name_prefix="whole-game")
            pools.callback(pool.shutdown, wait=True, cancel_futures=True)
            for game_position in group.positions:
                judging = pool.submit(group.judge, game_position, estimates, heard.put, to_stop)
                judging.add_done_callback(heard.put)
        pools.callback(ended.set)
        left = sum(len(group.positions) for group in groups)
        while left and not stop():
            event = heard.get()
            if isinstance(event, Progress):
                if event.done < event.total:
                    yield event
            else:
                event.result()
                left -= 1
                if not stop():
                    yield None


@dataclass(eq=False)
class GameAnalyst:
    """Analyses whole games in the background, one at a time.

    ``emit`` gets the progress, or an error in one line, from a thread of its own. ``open_lane``,
    ``others``, ``solve_seconds``: see `analyse_game`.
    """

    emit: Callable[[Progress | str], None]
    threads: int = 1
    solve_seconds: float = 0.0
    open_lane: Callable[[], Answerer] | None = None
    others: OpenOther = lambda name: None
    _thread: threading.Thread | None = None
    _stop: threading.Event = field(default_factory=threading.Event)

    def start(
        self, positions: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
    ) -> None:
        """Analyse a game; an analysis that is still running is cancelled.

        If the solver's budget is spent, it gets as much again.
        """
        self.cancel()
        self._stop = stop = threading.Event()
        spent = estimates.spent(positions)
        budget = self.solve_seconds
        more = budget if spent < budget else spent + budget

        def run() -> None:
            steps = analyse_game(
                positions,
                names,
                estimates,
                self.threads,
                more,
                stop.is_set,
                self.open_lane,
                self.others,
            )
            try:
                for progress in steps:
                    if not stop.is_set():
                        self.emit(progress)
            except EngineError as error:
                self.emit(str(error))
            except Exception as error:
                # the screen must show it: silence would look like slowness
                self.emit(f"{type(error).__name__}: {error}".splitlines()[0])

        self._thread = threading.Thread(target=run, name="whole-game", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Stop and keep the results; does not wait for the threads."""
        self._stop.set()

    def close(self) -> None:
        """Stop, and wait until no thread runs any more."""
        self.cancel()
        self.join()

    def join(self) -> None:
        """Wait until the game is analysed."""
        if self._thread is not None:
            self._thread.join()


FIRST_LIMIT = 0.25
"""Seconds of a position's first turn."""
BOUNDARY_SHARE = 16
"""How much more time a position between two verdicts gets than the last open one elsewhere."""
VERDICT_SHARE = 0.9
"""The share of the budget for verdicts, before the moves that would have won are searched."""
LEAST_TURN = 0.001
"""Seconds that a turn counts at least, so that turns end with any clock."""


def prove(
    solver: Answerer,
    positions: Sequence[GamePosition],
    estimates: Estimates,
    budget: GameBudget,
    stop: Stop,
) -> Iterator[float | Progress]:
    """Find out who wins each position, and which moves won at blunders.

    Yields the seconds spent after each turn, and the progress while ``solver`` is compiled.
    Between two proofs for different sides lies a blunder: the positions between come first, the
    middle one before the others, which halves them while proofs are easy. Then turns grow, and a
    position's share falls with the square of the number of open positions behind it: each ply back
    makes a proof several times as long. Elsewhere the same holds from the end of the game back.
    Each position gets a first turn; its limit doubles from turn to turn, and the search continues
    from the solver's table.

    Ends within 20 ms after ``stop`` returns True.
    """
    if not positions:
        return
    # the first use may compile, which must not count as time of a position
    first = WhoWins(positions[-1].position, Limit(nodes=1))
    yield from (step for step in solver.answers(first, stop) if isinstance(step, Progress))
    spent = 0.0

    def ask(game_position: GamePosition, limit: float, all_moves: bool) -> Proved:
        nonlocal spent
        question = WhoWins(game_position.position, budget.limit(limit), all_moves)
        proved = budget.lost(limit)
        with suppress(EngineDiedError):  # reported elsewhere; nothing is known
            for answer in solver.answers(question, stop):
                proved = answer if isinstance(answer, Proved) else proved
        spent += max(budget.cost(proved), LEAST_TURN)
        if proved.winner is not None:
            estimates.keep_wins(game_position.position, proved.wins, proved.complete)
            if estimates.verdict(game_position.position) is None:
                verdict = Verdict(VerdictKind.SOLVER, proved.winner)
                estimates.keep_verdict(game_position.position, verdict)
        return proved

    def find_winners(most: float) -> Iterator[float]:
        while turn := next_turn(positions, estimates):
            game_position, limit = turn
            limit = min(limit, most - spent)
            if limit <= 0 or stop():
                return
            if ask(game_position, limit, all_moves=False).winner is None:
                if stop():
                    return
                estimates.keep_verdict(game_position.position, None, limit)
            yield spent

    def find_wins() -> Iterator[float]:
        """Find all moves that won at blunders, the last blunder first."""
        mistakes = blunders(positions, estimates)
        open_ones = [m.before for m in reversed(mistakes) if not m.all_wins]
        for left, game_position in zip(range(len(open_ones), 0, -1), open_ones, strict=True):
            limit = (budget.seconds - spent) / left
            if limit <= 0 or stop():
                return
            ask(game_position, limit, all_moves=True)
            yield spent

    yield from find_winners(VERDICT_SHARE * budget.seconds)
    yield from find_wins()
    yield from find_winners(budget.seconds)  # if something is left


def next_turn(
    positions: Sequence[GamePosition], estimates: Estimates
) -> tuple[GamePosition, float] | None:
    """Return the next position and its limit in seconds; None if all are proved."""
    mistake_at = {
        game_position: mistake
        for mistake in blunders(positions, estimates)
        for game_position in positions
        if mistake.before.ply < game_position.ply < mistake.after.ply
    }
    # of the open positions at a mistake, or at none (None), those behind, this one included
    behind: Counter[Blunder | None] = Counter()
    turns = []
    for game_position in reversed(positions):
        if estimates.verdict(game_position.position) is not None:
            continue
        mistake = mistake_at.get(game_position)
        tried = estimates.tried(game_position.position)
        behind[mistake] += 1
        limit = max(FIRST_LIMIT, 2 * tried)
        if mistake is None:
            cost = limit * BOUNDARY_SHARE * behind[mistake] ** (2 if tried else 1)
            from_middle = 0.0
        else:
            cost = limit * behind[mistake] ** (2 if tried else 0)
            from_middle = abs(game_position.ply - (mistake.before.ply + mistake.after.ply) / 2)
        turns.append((cost, from_middle, -game_position.ply, game_position, limit))
    if not turns:
        return None
    *_, game_position, limit = min(turns, key=lambda turn: turn[:3])
    return game_position, limit
