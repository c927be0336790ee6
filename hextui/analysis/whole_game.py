"""The analysis of a whole game: what is not known yet of its stations is found out.

It can be stopped at any moment; what was found is kept, so that it goes on where it stopped.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

from hextui.analysis.judgements import Judgement, Judgements
from hextui.analysis.stations import Station
from hextui.engines.snapshot import Progress

if TYPE_CHECKING:
    from hextui.engines.own.warmup import Warmup

LABEL = "whole game"
SOLVING = "solving"
Stop = Callable[[], bool]


def analyse_game(
    stations: Sequence[Station],
    names: Sequence[str],
    judgements: Judgements,
    threads: int = 1,
    solve_seconds: float = 0.0,
    stop: Stop = lambda: False,
    compiling: Iterable[Progress] = (),
) -> Iterator[Progress]:
    """Find out what is missing in ``judgements``; yield how many stations are known.

    After the evaluators the solver, unless ``solve_seconds``, its limit of a ply, are 0: it adds
    as many steps as there are stations, and waits for ``compiling``. Stop iterating, or let
    ``stop`` tell so, to cancel: threads end within the time of one step of a ranking (about
    50 ms), the solver within 20 ms. Raises ValueError for a name that is no evaluator's.
    """
    from hextui.engine.evaluators import evaluator

    evaluators = [evaluator(name) for name in names]
    names = [each.name for each in evaluators]
    todo = [station for station in stations if not judgements.complete(station, names)]
    done, total = len(stations) - len(todo), len(stations) * (2 if solve_seconds else 1)
    yield Progress(done, total, LABEL)
    ended = threading.Event()

    def judge(station: Station) -> None:
        from hextui.engine.board import Color
        from hextui.engine.evaluators.benches import bench_of
        from hextui.engines.own.stages import verdict

        bench = bench_of(station.position.board)
        bench.look_at(station.position)
        tables = {color: bench.table(color) for color in Color}
        proved = verdict(station.position, tables[Color.BLACK], tables[Color.WHITE])
        judgements.keep_verdict(station.position, proved)
        if station.position.winner is not None:
            return
        for each in evaluators:
            for ranking in each.rank(bench):
                if ended.is_set() or stop():
                    return
                if ranking.final and ranking.moves:
                    judgements.keep(station.position, each.name, Judgement.of(ranking))

    pool = ThreadPoolExecutor(threads, thread_name_prefix="whole-game")
    try:
        for future in as_completed([pool.submit(judge, station) for station in todo]):
            future.result()
            if stop():
                return
            done += 1
            yield Progress(done, total, LABEL)
    finally:
        ended.set()
        pool.shutdown(wait=True, cancel_futures=True)
    if solve_seconds:
        from hextui.analysis.proving import prove

        yield from compiling
        for _ in prove(stations, judgements, solve_seconds, stop):
            done += 1
            yield Progress(done - 1, total, SOLVING)
        if not stop():
            yield Progress(total, total, SOLVING)


class GameAnalyst:
    """Analyses whole games in the background, one at a time.

    ``emit`` gets the progress, or the line of an error, from a thread of its own. ``warmup``, if
    given, compiles the kernels first. ``solve_seconds``: the solver's limit of a ply, 0 for none.
    """

    def __init__(
        self,
        emit: Callable[[Progress | str], None],
        threads: int = 1,
        warmup: "Warmup | None" = None,
        solve_seconds: float = 0.0,
    ) -> None:
        self._emit = emit
        self._threads = threads
        self._warmup = warmup
        self._solve_seconds = solve_seconds
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
            try:
                for progress in self._steps(stations, names, judgements, stop.is_set):
                    if stop.is_set():
                        return
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

    def _steps(
        self,
        stations: Sequence[Station],
        names: Sequence[str],
        judgements: Judgements,
        stop: Stop,
    ) -> Iterator[Progress]:
        compiling: Iterator[Progress] = iter(())
        if self._warmup is not None and stations:
            board = stations[0].position.board
            yield from _waiting(self._warmup.wait(board), "compiling (first run)")
            compiling = _waiting(self._warmup.wait_for_solver(board), "compiling the solver")
        yield from analyse_game(
            stations, names, judgements, self._threads, self._solve_seconds, stop, compiling
        )


def _waiting(steps: Iterator[tuple[int, int]], label: str) -> Iterator[Progress]:
    """Yield the progress of a compilation but its end, which is not the end of the analysis."""
    return (Progress(done, total, label) for done, total in steps if done < total)
