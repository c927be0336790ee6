"""The analysis of a whole game: what is not known yet of its stations is found out.

It can be stopped at any moment; what was found is kept, so that it goes on where it stopped.
"""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from hextui.analysis.judgements import Judgement, Judgements
from hextui.analysis.stations import Station
from hextui.engines.engine import Answerer, EngineDiedError, Stop
from hextui.engines.snapshot import Progress

LABEL = "whole game"
SOLVING = "solving"


def analyse_game(
    stations: Sequence[Station],
    names: Sequence[str],
    judgements: Judgements,
    threads: int = 1,
    solve_seconds: float = 0.0,
    stop: Stop = lambda: False,
    open_lane: Callable[[], Answerer] | None = None,
) -> Iterator[Progress]:
    """Find out what is missing in ``judgements``; yield how many stations are known.

    After the evaluators the solver, unless ``solve_seconds``, its budget of the game, are 0: it
    adds as many steps as there are stations, in step with what it has spent. ``open_lane`` makes
    who is asked, one for each thread; by default that is the engine in this process. What is
    compiled first is told as well. Stop iterating, or let ``stop`` tell so, to cancel: threads
    end within the time of one step of a ranking (about 50 ms), the solver within 20 ms. Raises
    ValueError for a name that is no evaluator's.
    """
    from hextui.analysis.proving import Spent, prove

    if open_lane is None:
        from hextui.engines.own.answerer import OwnAnswerer

        open_lane = OwnAnswerer
    names = tuple(name.strip() for name in names)
    todo = [station for station in stations if not judgements.complete(station, names)]
    done, total = len(stations) - len(todo), len(stations) * (2 if solve_seconds else 1)
    yield Progress(done, total, LABEL)
    lanes = [open_lane() for _ in range(max(threads, 1))]
    try:
        for step in _judged(todo, names, judgements, lanes, stop):
            done += step is None
            yield step or Progress(done, total, LABEL)
        if not solve_seconds or stop():
            return
        for found in prove(lanes[0], stations, judgements, solve_seconds, stop):
            if isinstance(found, Spent):
                share = min(found.seconds / solve_seconds, 1.0)
                solved = min(int(share * len(stations)), len(stations) - 1)
                yield Progress(len(stations) + solved, total, SOLVING)
            else:
                yield from _before_its_end(found)
        if not stop():
            yield Progress(total, total, SOLVING)
    finally:
        for lane in lanes:
            lane.close()


def _judged(
    stations: Sequence[Station],
    names: tuple[str, ...],
    judgements: Judgements,
    lanes: Sequence[Answerer],
    stop: Stop,
) -> Iterator[Progress | None]:
    """Judge stations, a thread a lane; yield None for each that is done, else compiling."""
    from hextui.engines.questions import Judge

    heard: queue.SimpleQueue[Progress | Future[None]] = queue.SimpleQueue()
    free: queue.SimpleQueue[Answerer] = queue.SimpleQueue()
    for lane in lanes:
        free.put(lane)
    ended = threading.Event()

    def judge(station: Station) -> None:
        lane = free.get()
        try:
            ask(lane, station)
        finally:
            free.put(lane)  # whatever happened: the others wait for it

    def ask(lane: Answerer, station: Station) -> None:
        kept: set[str] = set()
        question = Judge(station.position, names)
        with suppress(EngineDiedError):  # its death was told of; the others are judged
            for answer in lane.answers(question, lambda: ended.is_set() or stop()):
                if isinstance(answer, Progress):
                    heard.put(answer)
                    continue
                judgements.keep_verdict(station.position, answer.verdict)
                if answer.balance is not None:
                    judgements.keep_balance(station.position, answer.balance)
                for name in answer.rankings.keys() - kept:
                    kept.add(name)
                    if answer.rankings[name].moves:
                        judged = Judgement.of(answer.rankings[name])
                        judgements.keep(station.position, name, judged)

    pool = ThreadPoolExecutor(len(lanes), thread_name_prefix="whole-game")
    try:
        for station in stations:
            pool.submit(judge, station).add_done_callback(heard.put)
        left = len(stations)
        while left and not stop():
            event = heard.get()
            if isinstance(event, Progress):
                yield from _before_its_end(event)
            else:
                event.result()
                left -= 1
                if not stop():
                    yield None
    finally:
        ended.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _before_its_end(compiling: Progress) -> Iterator[Progress]:
    """Yield the progress of a compilation but its end, which is not the end of the analysis."""
    if compiling.done < compiling.total:
        yield compiling


class GameAnalyst:
    """Analyses whole games in the background, one at a time.

    ``emit`` gets the progress, or the line of an error, from a thread of its own. ``open_lane``
    makes who is asked. ``solve_seconds``: the solver's budget of a game, 0 for none.
    """

    def __init__(
        self,
        emit: Callable[[Progress | str], None],
        threads: int = 1,
        solve_seconds: float = 0.0,
        open_lane: Callable[[], Answerer] | None = None,
    ) -> None:
        self._emit = emit
        self._threads = threads
        self.solve_seconds = solve_seconds
        self._open_lane = open_lane
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
            )
            try:
                for progress in steps:
                    if not stop.is_set():
                        self._emit(progress)
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
