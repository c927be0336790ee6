"""The memory and the threads of the strong solver: run its kernels on one root at a time.

All threads share the transposition table, the cache of expansions and the store of proofs; each has
its own stack and two connection searches. A search can be resumed after a pause.
"""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch, ConnectionSettings, cells_of
from hextui.engine.guards import check_board
from hextui.engine.kernels.memory import Handle, make_handle, zeros_as_needed
from hextui.engine.kernels.solver import dfpn as kernels
from hextui.engine.kernels.solver import expansion_cache as cache_layout
from hextui.engine.kernels.solver import layout
from hextui.engine.kernels.solver import proofs as proofs_kernels
from hextui.engine.kernels.solver import transposition_table as table_layout
from hextui.engine.orientation import Orientation
from hextui.engine.position import Position
from hextui.engine.widths import Kernels, serving_width
from hextui.text import counted

SLICE_SECONDS = 0.01
UNLIMITED = 1 << 31  # steps and expansions
ALONE_NODES = 2000
"""One thread searches where the limit is no more: that is deterministic, and others start late."""
MOST_THREADS = 64
LEAST_TABLE = 1 << 20

CELL_LIMITS = (4, 10, 4)
CELL_LIMITS_11X11 = (4, 10, 8)
"""Of the connections between two empty cells: most full ones, semi ones, and cells of a carrier.

With lists as long as those of groups and edges the 25 openings of 7x7 take a seventh fewer nodes,
each half as long again. With carriers of 8 cells, 538 late positions of 11x11 take 0.89 of the
time; 9x9, 13x13 and 14x14 gain nothing, and 8x8 takes twice as long."""
HEURISTIC_ABOVE = 64
"""First proof numbers follow the resistances above so many cells; up to 8x8 that gains nothing."""
# the cache of expansions gets this fraction of the memory
CACHE_SHARE = 4

Stop = Callable[[], bool] | None

# transposition table, cache of expansions, store of proofs: all threads read and write them
Shared = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]


@dataclass(frozen=True)
class SolverSettings:
    """The rules that the solver applies, its memory and its threads.

    ``table_bytes``: the size of the transposition table, the cache of expansions and the store of
    proofs. ``order``: ``resistance`` or ``plain`` (by cell). The bools are pruning rules
    (docs/methods.md#the-solver), ``heuristic`` the first proof numbers by resistance; None: in a
    search above `HEURISTIC_ABOVE` cells. For the rest see ConnectionSettings; ``cell_limits``: None
    for `CELL_LIMITS`, in a search on 11x11 `CELL_LIMITS_11X11`.
    """

    table_bytes: int = 1 << 28
    threads: int = 1
    order: str = "resistance"
    fill: bool = True
    vulnerable: bool = True
    dominated: bool = True
    must_play: bool = True
    carriers: bool = True
    shrink: bool = True
    rotation: bool = True
    deduce: bool = True
    heuristic: bool | None = None
    captured: bool = True
    templates: bool = True
    full_limit: int = 12
    semi_limit: int = 24
    cell_limits: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        if self.table_bytes < 1 << 12:
            raise ValueError(f"the table takes 4096 bytes or more, not {self.table_bytes}")
        if not 1 <= self.threads <= MOST_THREADS:
            raise ValueError(f"1 to {MOST_THREADS} threads, not {self.threads}")
        if self.order not in _ORDERS:
            raise ValueError(f"order is {' or '.join(_ORDERS)}, not {self.order!r}")


_RULES = (
    "fill", "vulnerable", "dominated", "must_play", "carriers", "shrink", "rotation", "deduce",
    "heuristic",
)  # fmt: skip
_ORDERS = {"resistance": layout.ORDER_RESISTANCE, "plain": layout.ORDER_PLAIN}


@dataclass(frozen=True)
class SearchAnswer:
    """The result of a search for a position.

    ``phi`` and ``delta``: proof and disproof number of the side to move. Where it is decided,
    ``carrier`` are the cells the winner needs and ``best`` is a winning move, None for a loser
    or where any move will do. ``work`` counts expanded positions below.
    """

    winner: Color | None
    phi: int
    delta: int
    best: int | None
    carrier: frozenset[int]
    work: int

    def back(self, orientation: Orientation) -> "SearchAnswer":
        """Return the answer for a position in another orientation for the position itself."""
        if orientation.plain:
            return self
        return replace(
            self,
            winner=self.winner and orientation.color_back(self.winner),
            best=None if self.best is None else orientation.cell_of[self.best],
            carrier=orientation.cells_back(self.carrier),
        )


UNKNOWN = SearchAnswer(winner=None, phi=1, delta=1, best=None, carrier=frozenset(), work=0)


class Worker:
    """The memory of one thread: its stack and its two connection searches."""

    def __init__(self, board: Board, settings: SolverSettings, thread: int, width: int) -> None:
        self.board = board
        self._width = width
        self.ints, self.words = layout.allocate(board.rows, board.columns, width)
        record = layout.HEADER_RECORD
        self.header = self.ints[: record.itemsize // 4].view(record)[0]
        for field in (*_RULES, "threads"):
            self.header[field] = getattr(settings, field) or 0
        self.header["order"] = _ORDERS[settings.order]
        self.header["thread"] = thread
        self._settings = settings
        self.memory: Handle = make_handle(self.ints, self.words, width)

    @cached_property
    def links(self) -> dict[Color, ConnectionSearch]:
        """The connections of both colours; looking up needs none."""
        fulls, semis, size = self._settings.cell_limits or CELL_LIMITS
        limits = ConnectionSettings(
            full_limit=self._settings.full_limit,
            semi_limit=self._settings.semi_limit,
            cell_full_limit=fulls,
            cell_semi_limit=semis,
            cell_size_limit=size,
            captured=self._settings.captured,
            templates=self._settings.templates,
            row_limit=1 << 18,
        )
        return {c: ConnectionSearch(self.board, c, limits, self._width) for c in Color}

    @property
    def most_bytes(self) -> int:
        """The most memory it can take; untouched pages take none."""
        own: int = self.ints.nbytes + self.words.nbytes
        return own + sum(links.most_bytes for links in self.links.values())

    def set_root(self, position: Position) -> None:
        """Make a position the root; its stack is empty."""
        stones = np.frombuffer(position.stones, np.uint8).astype(np.int32)
        kernels.set_root(self.memory, stones, int(position.to_move))

    def run(self, shared: Shared, peers: NDArray[np.uint64], steps: int, most: int) -> bool:
        """Search on, for so many steps or to ``most`` expansions in all; True if it is decided."""
        black, white = self.links[Color.BLACK].handle, self.links[Color.WHITE].handle
        return bool(kernels.run(self.memory, *shared, black, white, peers, steps, most))

    def answer(self, position: Position) -> SearchAnswer:
        """Return the result for the stack's root, which is this position."""
        fields = self.header["fields"]
        phi = self.ints[fields + layout.L_PHI]
        delta = self.ints[fields + layout.L_DELTA]
        carrier = self._set(self._root_sets + layout.S_CARRIER * self._width)
        best = self.ints[fields + layout.L_BEST]
        work = self.ints[fields + layout.L_WORK]
        return self._answer(position, int(phi), int(delta), int(best), carrier, int(work))

    def look_up(self, position: Position, table: NDArray[np.uint64]) -> SearchAnswer | None:
        """Return the table's result for a position, or None; the stack is lost."""
        self.set_root(position)
        if not kernels.look_up(self.memory, table):
            return None
        entry = self.header["entry"]
        numbers = int(self.words[entry + table_layout.NUMBERS])
        work = int(self.words[entry + table_layout.WORK])
        carrier = self._set(entry + table_layout.CARRIER)
        phi = numbers >> 32
        delta = numbers & 0xFFFFFFFF
        return self._answer(position, phi, delta, (work & 0xFFFF) - 1, carrier, work >> 32)

    def _answer(
        self, position: Position, phi: int, delta: int, best: int, carrier: int, work: int
    ) -> SearchAnswer:
        if phi and delta:
            return SearchAnswer(
                winner=None, phi=phi, delta=delta, best=None, carrier=frozenset(), work=work
            )
        winner = position.to_move if phi == 0 else position.to_move.opponent
        captured = self._root_sets + (layout.S_CAPTURED + winner - 1) * self._width
        cells = cells_of(carrier | self._set(captured))
        return SearchAnswer(
            winner=winner,
            phi=phi,
            delta=delta,
            best=best if best >= 0 else None,
            carrier=cells,
            work=work,
        )

    @property
    def _root_sets(self) -> int:
        return int(self.header["sets"]) + layout.HASHES

    def _set(self, entry: int) -> int:
        return int.from_bytes(self.words[entry : entry + self._width].tobytes(), "little")


def table_bytes_within(board: Board, memory_bytes: int, threads: int) -> int:
    """Return how large a table fits beside the threads' memory; raises ValueError if none does."""
    width = serving_width(board, Kernels.SOLVER)
    beside = threads * Worker(board, SolverSettings(), 0, width).most_bytes
    if memory_bytes < beside + LEAST_TABLE:
        least = -(-(beside + LEAST_TABLE) // (1 << 20))
        workers = counted(threads, "thread")
        raise ValueError(f"--memory: {board} needs {least} MB or more for {workers}")
    return memory_bytes - beside


def _memory(board: Board, settings: SolverSettings, width: int) -> Shared:
    """Return empty memory of the size that the settings give."""
    entry = 8 * table_layout.WAYS * table_layout.entry_words(width)
    expansion = 8 * cache_layout.entry_words(board.cells, width)
    cached = settings.table_bytes // CACHE_SHARE // expansion
    cache = zeros_as_needed(cached * expansion // 8, np.uint64)
    proofs = proofs_kernels.make_store(width, settings.table_bytes // 16)
    left = settings.table_bytes - proofs.nbytes - cache.nbytes
    return zeros_as_needed(max(left // entry, 1) * entry // 8, np.uint64), cache, proofs


class Search:
    """One table and its workers. One caller at a time may use it.

    ``beside``: a search of the same board and settings whose memory it shares; each may have a
    caller at the same time.
    """

    def __init__(
        self,
        board: Board,
        settings: SolverSettings,
        width: int | None = None,
        beside: "Search | None" = None,
    ) -> None:
        if settings.cell_limits is None and board.cells == 121:
            settings = replace(settings, cell_limits=CELL_LIMITS_11X11)
        if settings.heuristic is None:
            settings = replace(settings, heuristic=board.cells > HEURISTIC_ABOVE)
        self.board = board
        self.settings = settings
        self._width = width = width or serving_width(board, Kernels.SOLVER)
        self.shared: Shared = beside.shared if beside else _memory(board, settings, width)
        self.table = self.shared[0]
        self.workers = [
            Worker(board, settings, thread, width) for thread in range(settings.threads)
        ]
        self._reader = Worker(board, settings, 0, width)
        # the last row is no thread's: its first word stops all threads
        self._peers = np.zeros((settings.threads + 1, board.cells + 2), np.uint64)
        self._threads = ThreadPoolExecutor(settings.threads, "solver")
        self._steps = 64
        self._decided: Worker | None = None
        self.root: Position | None = None
        self._closed = False

    def check_position(self, position: Position) -> None:
        """Raise ValueError for a position of another board, or if it is closed."""
        check_board("the solver", self.board, position.board)
        self.check_open()

    def check_open(self) -> None:
        """Raise ValueError if it is closed."""
        if self._closed:
            raise ValueError("the solver is closed")

    @property
    def expansions(self) -> int:
        """Positions expanded so far, by all threads."""
        return sum(int(worker.header["expansions"]) for worker in self.workers)

    @property
    def table_used(self) -> float:
        """The share of the table that is used, from a sample."""
        size = table_layout.entry_words(self._width)
        works = self.table.reshape(-1, size)[:, table_layout.WORK]
        return float(np.mean(works[:: max(len(works) // 4096, 1)] != 0))

    def start(self, position: Position) -> None:
        """Set the root, unless its search can continue; raises ValueError as ``check_position``."""
        self.check_position(position)
        if self.root == position and self._decided is None:
            return
        self.root = position
        self._decided = None
        self._peers[:] = 0
        for worker in self.workers:
            worker.set_root(position)

    def go_on(self, most: int | None, until: Callable[[], bool]) -> bool:
        """Search until decided (True), ``until()`` is true, or ``most`` nodes are expanded.

        Several threads notice the limit 10 ms late.
        """
        if self.root is None:
            raise ValueError("no position has been started yet")
        self.check_position(self.root)
        if self._decided is None:
            self._peers[-1, 0] = 0
            if len(self.workers) == 1 or (most is not None and most <= ALONE_NODES):
                self._alone(most, until)
            else:
                self._together(most, until)
        return self._decided is not None

    def _alone(self, most: int | None, until: Callable[[], bool]) -> None:
        worker = self.workers[0]
        last = UNLIMITED if most is None else int(worker.header["expansions"]) + most
        while self._decided is None and worker.header["expansions"] < last:
            start = time.perf_counter()
            if worker.run(self.shared, self._peers, self._steps, last):
                self._decided = worker
            elif worker.header["expansions"] < last:
                # tiny slices first, then about as long as it should be
                factor = SLICE_SECONDS / max(time.perf_counter() - start, 1e-6)
                self._steps = int(min(max(self._steps * min(factor, 2.0), 16), 1 << 20))
            if until():
                return

    def _together(self, most: int | None, until: Callable[[], bool]) -> None:
        first = self.expansions
        running: dict[Future[bool], Worker] = {
            self._threads.submit(worker.run, self.shared, self._peers, UNLIMITED, UNLIMITED): worker
            for worker in self.workers
        }
        try:
            while not wait(running, SLICE_SECONDS, FIRST_COMPLETED).done:
                if until() or (most is not None and self.expansions - first >= most):
                    break
        finally:
            self._peers[-1, 0] = 1
            for future, worker in running.items():
                if future.result():
                    self._decided = worker

    def answer(self) -> SearchAnswer:
        """Return the result for the root."""
        if self.root is None:
            return UNKNOWN
        return (self._decided or self.workers[0]).answer(self.root)

    def look_up(self, position: Position) -> SearchAnswer | None:
        """Return the table's result for any position of the board."""
        self.check_position(position)
        return self._reader.look_up(position, self.table)

    def forget(self) -> None:
        """Forget all positions; not for a search whose memory is shared."""
        self.shared = _memory(self.board, self.settings, self._width)
        self.table = self.shared[0]
        self.root = self._decided = None

    def close(self) -> None:
        """End the threads; the search cannot be used any more."""
        self._closed = True
        self._threads.shutdown()
