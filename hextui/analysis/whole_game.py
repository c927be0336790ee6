"""The analysis of a whole game: what is not known yet of its stations is found out.

It can be stopped at any moment; what was found is kept, so that it goes on where it stopped. Other
engines judge beside our own, each all stations in turn.
"""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from hextui.analysis.judgements import Judgement, Judgements
from hextui.analysis.stations import Station
from hextui.engine.evaluator_names import is_search
from hextui.engines.engine import Answerer, EngineDiedError, EngineError, Stop
from hextui.engines.snapshot import Progress

LABEL = "whole game"
SOLVING = "solving"
OpenOther = Callable[[str], Answerer | None]
"""Makes who is asked for the opinion of another engine by an evaluator's name; None for ours."""


def analyse_game(
    stations: Sequence[Station],
    names: Sequence[str],
    judgements: Judgements,
    threads: int = 1,
    solve_seconds: float = 0.0,
    stop: Stop = lambda: False,
    open_lane: Callable[[], Answerer] | None = None,
    others: OpenOther = lambda name: None,
) -> Iterator[Progress]:
    """Find out what is missing in ``judgements``; yield how many stations are known.

    After the evaluators the solver, unless ``solve_seconds``, its budget of the game, are 0: it
    adds as many steps as there are stations, in step with what it has spent. ``open_lane`` makes
    who is asked, one for each thread; by default that is the engine in this process. ``others``
    makes who is asked in place of those, one for each name of another engine; each adds as many
    steps again. What is compiled first is told as well. Stop iterating, or let ``stop`` tell so, to
    cancel: threads end within the time of one step of a ranking (about 50 ms), the solver within
    20 ms. Raises ValueError for a name that is no evaluator's, and EngineError at the end of all
    for another engine that failed.
    """
    from hextui.analysis.proving import Spent, prove

    if open_lane is None:
        from hextui.engines.own.answerer import OwnAnswerer

        open_lane = OwnAnswerer
    names = tuple(name.strip() for name in names)
    opened = {name: lane for name in names if (lane := others(name)) is not None}
    own = tuple(name for name in names if name not in opened)
    lanes = [open_lane() for _ in range(max(threads, 1))]
    todo = [station for station in stations if not judgements.complete(station, own)]
    panels = [_Panel(own, lanes, todo)]
    for name, lane in opened.items():
        left = [station for station in stations if not judgements.judged(station, (name,))]
        panels.append(_Panel((name,), [lane], left, is_ours=False))
    judging = len(stations) * len(panels)
    done, total = judging - sum(len(p.stations) for p in panels), judging
    total += len(stations) if solve_seconds else 0
    try:
        yield Progress(done, total, LABEL)
        for step in _judged(panels, judgements, stop):
            done += step is None
            yield step or Progress(done, total, LABEL)
        if solve_seconds and not stop():
            for found in prove(lanes[0], stations, judgements, solve_seconds, stop):
                if isinstance(found, Spent):
                    share = min(found.seconds / solve_seconds, 1.0)
                    solved = min(int(share * len(stations)), len(stations) - 1)
                    yield Progress(judging + solved, total, SOLVING)
                else:
                    yield from _before_its_end(found)
            if not stop():
                yield Progress(total, total, SOLVING)
    finally:
        for lane in (*lanes, *opened.values()):
            lane.close()
    for panel in panels:
        if panel.failed is not None:
            raise panel.failed


@dataclass
class _Panel:
    """Who judges these stations by these names: our own engine's lanes, or another engine's one.

    ``failed``: why another engine judges no more.
    """

    names: tuple[str, ...]
    lanes: Sequence[Answerer]
    stations: Sequence[Station]
    is_ours: bool = True
    failed: EngineError | None = None
    free: queue.SimpleQueue[Answerer] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        for lane in self.lanes:
            self.free.put(lane)

    def judge(
        self, station: Station, judgements: Judgements, hear: Callable[[Progress], None], stop: Stop
    ) -> None:
        """Have a station judged by a lane that is free; ``hear`` is told what is compiled."""
        lane = self.free.get()
        try:
            if self.is_ours:
                with suppress(EngineDiedError):  # its death was told of; the others are judged
                    self._ask(lane, station, judgements, hear, stop)
            elif self.failed is None:
                self._ask(lane, station, judgements, hear, stop)
        except EngineError as error:
            if self.is_ours:
                raise
            self.failed = error  # the others judge on; what it failed of is told at the end
        finally:
            self.free.put(lane)  # whatever happened: the others wait for it

    def _ask(
        self,
        lane: Answerer,
        station: Station,
        judgements: Judgements,
        hear: Callable[[Progress], None],
        stop: Stop,
    ) -> None:
        from hextui.engines.questions import Judge

        kept: set[str] = set()
        position = station.position
        for answer in lane.answers(Judge(position, self.names), stop):
            if isinstance(answer, Progress):
                hear(answer)
                continue
            if self.is_ours or answer.verdict is not None:
                judgements.keep_verdict(position, answer.verdict)
                judgements.keep_proved(position, answer.proved)
            if answer.balance is not None:
                judgements.keep_balance(position, answer.balance)
            for name in answer.rankings.keys() - kept:
                kept.add(name)
                ranking = answer.rankings[name]
                if ranking.moves:
                    winrate = ranking.moves[0].value if is_search(name) else answer.winrate
                    judgements.keep(position, name, Judgement.of(ranking, position, winrate))


def _judged(
    panels: Sequence[_Panel], judgements: Judgements, stop: Stop
) -> Iterator[Progress | None]:
    """Let panels judge, a thread a lane; yield None for each station of each, else compiling."""
    heard: queue.SimpleQueue[Progress | Future[None]] = queue.SimpleQueue()
    ended = threading.Event()

    def to_stop() -> bool:
        return ended.is_set() or stop()

    with ExitStack() as pools:
        for panel in panels:
            pool = ThreadPoolExecutor(len(panel.lanes), thread_name_prefix="whole-game")
            pools.callback(pool.shutdown, wait=True, cancel_futures=True)
            for station in panel.stations:
                judging = pool.submit(panel.judge, station, judgements, heard.put, to_stop)
                judging.add_done_callback(heard.put)
        pools.callback(ended.set)
        left = sum(len(panel.stations) for panel in panels)
        while left and not stop():
            event = heard.get()
            if isinstance(event, Progress):
                yield from _before_its_end(event)
            else:
                event.result()
                left -= 1
                if not stop():
                    yield None


def _before_its_end(compiling: Progress) -> Iterator[Progress]:
    """Yield the progress of a compilation but its end, which is not the end of the analysis."""
    if compiling.done < compiling.total:
        yield compiling


class GameAnalyst:
    """Analyses whole games in the background, one at a time.

    ``emit`` gets the progress, or the line of an error, from a thread of its own. ``open_lane``
    makes who is asked, ``others`` who is in place of that for a name of another engine.
    ``solve_seconds``: the solver's budget of a game, 0 for none.
    """

    def __init__(
        self,
        emit: Callable[[Progress | str], None],
        threads: int = 1,
        solve_seconds: float = 0.0,
        open_lane: Callable[[], Answerer] | None = None,
        others: OpenOther = lambda name: None,
    ) -> None:
        self._emit = emit
        self._threads = threads
        self.solve_seconds = solve_seconds
        self._open_lane = open_lane
        self._others = others
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def running(self) -> bool:
        """Whether a game is being analysed."""
        return self._thread is not None and self._thread.is_alive()

    def start(
        self, stations: Sequence[Station], names: Sequence[str], judgements: Judgements
    ) -> None:
        """Analyse a game, instead of the last one if that is still going on."""
        self.cancel()
        self._stop = stop = threading.Event()

        def run() -> None:
            steps = analyse_game(
                stations,
                names,
                judgements,
                self._threads,
                self.solve_seconds,
                stop.is_set,
                self._open_lane,
                self._others,
            )
            try:
                for progress in steps:
                    if not stop.is_set():
                        self._emit(progress)
            except EngineError as error:
                self._emit(str(error))
            except Exception as error:
                # the screen must learn of it: silence would look like slowness
                self._emit(f"{type(error).__name__}: {error}".splitlines()[0])

        self._thread = threading.Thread(target=run, name="whole-game", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Stop; what was found is kept. Does not wait for the threads."""
        self._stop.set()

    def close(self) -> None:
        """Stop, and wait until no thread runs any more."""
        self.cancel()
        self.join()

    def join(self) -> None:
        """Wait until the game is analysed."""
        if self._thread is not None:
            self._thread.join()
