"""What an engine keeps from one question to the next: tables, solver, search tree, solutions."""

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionTable
from hextui.engine.entry_file import MEMORY
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.oriented import connections_of
from hextui.engine.position import Position
from hextui.engine.search.move_scope import MoveScope
from hextui.engine.search.tree_search import TreeSearch
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.search import MOST_THREADS, SearchAnswer
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.widths import Kernels
from hextui.engines.limits import TABLE_MB, SolverBudget
from hextui.engines.warmup import Wait

CACHED_TABLES = 4


class TableCache:
    """The connection tables and the solver that were used last; any thread may use it.

    ``threads``: of a solver, at most `MOST_THREADS`; ``table_mb``: the megabytes of its table.
    """

    def __init__(self, threads: int = 1, table_mb: int = TABLE_MB) -> None:
        self._settings = SolverSettings(table_mb << 20, min(threads, MOST_THREADS))
        self._lock = threading.Lock()
        self._last_solver: Solver | None = None
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
            tables = self._tables.get(position.key)
        if tables is None:
            tables = {each: connections_of(position, each) for each in Color}
            self.put(position, tables)
        return tables[color]

    def new_solver(self, board: Board) -> Solver:
        """Return a solver that shares the table of the last one, if that solved the same board."""
        with self._lock:
            last = self._last_solver
            alike = last is not None and last.board == board
            self._last_solver = Solver(board, self._settings, last if alike else None)
            return self._last_solver

    def forget_solver(self, board: Board) -> None:
        """Let the next solver of a board begin with an empty table."""
        with self._lock:
            if self._last_solver is not None and self._last_solver.board == board:
                self._last_solver = None


def temporary_solutions() -> AbstractContextManager[SolutionCache]:
    """Open an empty cache in memory, with which answers depend on the questions alone."""
    return closing(SolutionCache(MEMORY, SolverBudget().disk_bytes))


class EngineWorkspace:
    """A workbench, a solver, a search tree and the solutions on disk, shared by all stages.

    They are those of one board at a time, and of one thread: the file of solutions belongs to it.
    ``wait`` yields the progress until kernels are compiled; by default they are compiled on use.
    """

    def __init__(
        self,
        wait: Wait = lambda board, kernels: iter(()),
        solutions: SolutionCache | None = None,
        tables: TableCache | None = None,
    ) -> None:
        self.wait = wait
        self.tables = tables or TableCache()
        self._solutions = solutions
        self._bench: Workbench | None = None
        self._solver: Solver | None = None
        self._tree: TreeSearch | None = None
        self._tree_at: tuple[Position, MoveScope] | None = None

    def is_compiled(self, board: Board, kernels: Kernels) -> bool:
        """Return whether kernels serve a board; if not, their compilation begins."""
        return next(iter(self.wait(board, kernels)), None) is None

    def bench_at(self, position: Position) -> Workbench:
        """Return the bench, set to a position."""
        if self._bench is None or self._bench.board != position.board:
            self._bench = Workbench(position.board)
        self._bench.look_at(position)
        return self._bench

    def solver(self, board: Board) -> Solver:
        """Return the solver of a board."""
        if self._solver is None or self._solver.board != board:
            self.close_solver()
            self._solver = self.tables.new_solver(board)
        return self._solver

    def solutions(self, budget: SolverBudget = SolverBudget()) -> SolutionCache:  # noqa: B008
        """Return the solutions on disk."""
        if self._solutions is None or self._solutions.most_bytes != budget.disk_bytes:
            if self._solutions is not None:
                self._solutions.close()
            self._solutions = SolutionCache(most_bytes=budget.disk_bytes)
        return self._solutions

    def solved(self, position: Position) -> SearchAnswer | None:
        """Return the solver's verdict on a position, None if it has none."""
        solver, board = self._solver, position.board
        if solver is None or solver.board not in (board, board.transposed):
            return None
        return solver.look_up(position)

    def tree(self, position: Position, scope: MoveScope, chosen: TreeEvaluator) -> TreeSearch:
        """Return the search, at a position; its tree is kept where it holds the position.

        Raises NetworkFileError if its network cannot be used.
        """
        tree = self._tree
        judge = chosen.judge or shipped_judge()
        wanted = (position.board, chosen.threads, judge)
        if tree is None or (tree.board, tree.threads, tree.judge) != wanted:
            self._tree = tree = TreeSearch(*wanted)
            self._tree_at = None
        if (position, scope) != self._tree_at:
            tree.look_at(position, afresh=False, proved=self.solved, scope=scope)
            self._tree_at = position, scope
        return tree

    def close_solver(self) -> None:
        """End the solver's threads, and free its table."""
        if self._solver is not None:
            self.tables.forget_solver(self._solver.board)
            self._solver.close()
            self._solver = None

    def close(self) -> None:
        """End the solver's threads, and close the file of solutions."""
        if self._solver is not None:
            self._solver.close()
        if self._solutions is not None:
            self._solutions.close()
