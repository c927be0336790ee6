"""The strong solver: who wins, every winning and losing move, why, and the line.

A focused depth-first proof-number search (docs/methods.md#the-solver) with virtual connections,
fill-in, must-play regions and winning carriers. It ignores the swap rule.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import cache

from hextui.engine.board import Board
from hextui.engine.cells import Cells
from hextui.engine.connection import Connection
from hextui.engine.connections import ConnectionSettings, find_connections
from hextui.engine.guards import check_board
from hextui.engine.limit import Limit
from hextui.engine.orientation import canonical, canonical_board
from hextui.engine.position import Position
from hextui.engine.solver.search import UNKNOWN, Search, SearchAnswer, SolverSettings, Stop
from hextui.engine.solver.solution import MoveVerdict, Reason, Solution
from hextui.engine.warm import compile_width
from hextui.engine.widths import Kernels, is_warm, serving_width, width_of

__all__ = ["Solver", "SolverSettings"]

FIRST_SHARE = 8  # nodes of a move's first turn, few so that easy moves are judged before hard ones
LEAD = 16  # how many times as long the turns of moves in ``first`` are
REPORT_SECONDS = 0.1


class Solver:
    """Solves positions of one board with one table; one caller at a time may use it.

    Each position is solved in its canonical orientation, so the answer is the same in every one.
    ``search`` gets positions in that orientation, and those that follow them.

    ``beside``: a solver of the same board and settings whose table it shares, so that neither
    solves what the other has solved; each may have a caller at the same time.
    """

    def __init__(
        self, board: Board, settings: SolverSettings | None = None, beside: "Solver | None" = None
    ) -> None:
        self.board = board
        self.settings = settings or SolverSettings()
        other: Search | None = beside.search if beside else None
        self.search: Search = Search(canonical_board(board), self.settings, beside=other)

    def close(self) -> None:
        """End the solver's threads."""
        self.search.close()

    def check_position(self, position: Position) -> None:
        """Raise ValueError for a position of another board, or if the solver is closed.

        It may be mirrored: its board then has rows for columns.
        """
        if position.board != self.board.transposed:
            check_board("the solver", self.board, position.board)
        self.search.check_open()

    def solve(
        self,
        position: Position,
        limit: Limit | None = None,
        stop: Stop = None,
        *,
        all_moves: bool = False,
        first: Sequence[int] = (),
    ) -> Iterator[Solution]:
        """Yield solutions as they improve, about ten a second, the last one final.

        ``first``: with ``all_moves``, moves that are judged before the others, in longer turns.
        ``stop`` is asked about every 10 ms. A later call continues from the table. Raises
        ValueError for a position of another board, or if the solver is closed.
        """
        self.check_position(position)
        orientation = canonical(position)
        oriented = orientation.position
        there = [int(orientation.seen_at[cell]) for cell in first]
        answers = solutions(self.search, oriented, limit, stop, all_moves=all_moves, first=there)
        for solution in answers:
            yield replace(solution.back(orientation), position=position)

    def look_up(self, position: Position) -> SearchAnswer | None:
        """Return the table's answer to a position, or None. Raises ValueError as ``solve`` does."""
        self.check_position(position)
        orientation = canonical(position)
        answer = self.search.look_up(orientation.position)
        return answer and answer.back(orientation)


def solutions(
    search: Search,
    position: Position,
    limit: Limit | None = None,
    stop: Stop = None,
    *,
    all_moves: bool = False,
    first: Sequence[int] = (),
) -> Iterator[Solution]:
    """Yield the solutions of a position as it is seen, without a swap: see `Solver.solve`."""
    _load_kernels(search.board)
    limit = limit or Limit()
    if limit.visits is not None:
        raise ValueError("the solver counts nodes, not visits")
    question = _Question(search, position, _Budget(search, limit, stop), first)
    yield from question.answers(all_moves)


@cache
def _load_kernels(board: Board) -> None:
    """Compile or load the kernels for a board, so that this time counts for no limit."""
    width = width_of(board.cells)
    if not is_warm(Kernels.SOLVER, serving_width(board, Kernels.SOLVER)):
        for _ in compile_width(width):  # on two cores; at its first use it would be on one
            pass
    trial = Search(board, SolverSettings(table_bytes=1 << 20))
    empty = Position.empty(board)
    for _ in _Question(trial, empty, _Budget(trial, Limit(nodes=1), None), ()).answers(True):
        pass
    trial.look_up(empty)
    trial.close()


class _Budget:
    """The limit of one question, what stops it, and what it has used so far."""

    def __init__(self, search: Search, limit: Limit, stop: Stop) -> None:
        self._search = search
        self._limit = limit
        self.stopped = stop or (lambda: False)
        self._start = self._reported = time.perf_counter()
        self._first_node = search.expansions

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._start

    @property
    def nodes(self) -> int:
        return self._search.expansions - self._first_node

    @property
    def nodes_left(self) -> int | None:
        """The positions that may still be expanded, None without a limit."""
        return None if self._limit.nodes is None else max(self._limit.nodes - self.nodes, 0)

    def used_up(self) -> bool:
        """Return whether the question is stopped, or at one of its limits."""
        if self.stopped():
            return True
        seconds = self._limit.seconds
        return (seconds is not None and self.seconds >= seconds) or self.nodes_left == 0

    def until(self) -> bool:
        """Return whether to leave the kernels, to report or to stop."""
        now = time.perf_counter()
        if now - self._reported >= REPORT_SECONDS:
            self._reported = now
            return True
        return self.used_up()


class _Question:
    """One call of ``solve``."""

    def __init__(
        self, search: Search, position: Position, budget: _Budget, first: Sequence[int]
    ) -> None:
        self.search = search
        self.position = position.without_swap
        self.budget = budget
        self._first = {cell: place for place, cell in enumerate(first)}
        self._symmetric = position.stones == position.stones[::-1]
        self.root = UNKNOWN
        self.wins: dict[int, MoveVerdict] = {}
        self.losses: dict[int, MoveVerdict] = {}
        self.threats: list[frozenset[int]] = []
        self._own_semis: tuple[Connection, ...] = ()
        self._line: tuple[int, ...] = ()

    def answers(self, all_moves: bool) -> Iterator[Solution]:
        over = self.position.winner
        if over is not None:
            self.root = SearchAnswer(
                winner=over, phi=0, delta=0, best=None, carrier=frozenset(), work=0
            )
            yield self._solution(True, final=True)
            return
        if self.budget.used_up() or not self._search_connections():
            yield self._solution(False, final=True)
            return
        if self.root.winner is None:
            yield from self._search_root()
        if self.root.winner is not None:
            self._take_root()
            if all_moves:
                yield self._solution(not self._unknown)
                yield from self._judge_moves()
        complete = self.root.winner is not None and not (all_moves and self._unknown)
        yield self._solution(complete, final=True)

    @property
    def _unknown(self) -> tuple[int, ...]:
        decided = self.wins.keys() | self.losses.keys()
        return tuple(cell for cell in self.position.empties if cell not in decided)

    def _search_connections(self) -> bool:
        """Find the threats, and whether connections decide the game at once; False if stopped."""
        mover = self.position.to_move
        settings = ConnectionSettings(row_limit=1 << 18)
        other = find_connections(self.position, mover.opponent, settings)
        self.threats = [c.cells for c in (*other.edge_fulls, *other.edge_semis)]
        if self._symmetric:
            self.threats += list(map(self._turned, self.threats))
        if self.budget.stopped():
            return False
        own = find_connections(self.position, mover, settings)
        self._own_semis = own.edge_semis
        if own.edge_fulls:
            carrier = own.edge_fulls[0].cells
            for cell in self.position.empties:
                self._note(self.wins, cell, Reason.CONNECTED, carrier - {cell})
        return not self.budget.stopped()

    def _search_root(self) -> Iterator[Solution]:
        """Search the position until its winner is found or the budget is used up."""
        self.search.start(self.position)
        while not self.search.go_on(self.budget.nodes_left, self.budget.until):
            if self.budget.used_up():
                break
            self.root = self.search.answer()
            yield self._solution(False)
        self.root = self.search.answer()

    def _note(
        self, verdicts: dict[int, MoveVerdict], cell: int, reason: Reason, carrier: frozenset[int]
    ) -> None:
        """Record the verdict of a move, and of its twin in a symmetric position."""
        verdicts.setdefault(cell, MoveVerdict(reason, carrier))
        if self._symmetric:
            twin = self.position.board.rotate(cell)
            verdicts.setdefault(twin, MoveVerdict(reason, self._turned(carrier)))

    def _turned(self, cells: frozenset[int]) -> frozenset[int]:
        return frozenset(map(self.position.board.rotate, cells))

    def _take_root(self) -> None:
        if self.root.winner is self.position.to_move:
            smallest = next(iter(self._own_semis), None)
            if smallest is not None and len(smallest.carrier) < len(self.root.carrier):
                self.root = replace(self.root, best=smallest.key_cell, carrier=smallest.cells)
            if self.root.best is not None:
                carrier = self.root.carrier - {self.root.best}
                self._note(self.wins, self.root.best, Reason.SEARCH, carrier)
            for threat in self.threats:
                self._refute_outside(threat)
        else:
            for cell in self.position.empties:
                self._note(self.losses, cell, Reason.SEARCH, self.root.carrier - {cell})
        self._line = _principal_line(self.search, self.position, self.root)

    def _refute_outside(self, threat: frozenset[int]) -> None:
        for cell in self._unknown:
            if cell not in threat:
                self._note(self.losses, cell, Reason.MUST_PLAY, threat)

    def _judge_moves(self) -> Iterator[Solution]:
        """Solve the moves that are not judged yet, each for a growing share in turn."""
        share = FIRST_SHARE
        while left := self._unknown:
            for cell in sorted(left, key=lambda cell: self._first.get(cell, len(self._first))):
                if cell in self.losses or cell in self.wins:
                    continue  # by a refutation found meanwhile, or as a twin
                yield from self._judge(cell, share * LEAD if cell in self._first else share)
                if self.budget.used_up():
                    return
            share *= 4

    def _judge(self, cell: int, share: int) -> Iterator[Solution]:
        after = self.position.play(cell)
        if after.winner is not None:
            self._note(self.wins, cell, Reason.SEARCH, frozenset())
            yield self._solution(False)
            return
        answer = self.search.look_up(after)
        if answer is None or answer.winner is None:
            answer = yield from self._searched(after, share)
        if answer.winner is self.position.to_move:
            self._note(self.wins, cell, Reason.SEARCH, answer.carrier)
            yield self._solution(False)
        elif answer.winner is not None:
            self._note(self.losses, cell, Reason.SEARCH, answer.carrier)
            self._refute_outside(answer.carrier)

    def _searched(self, after: Position, share: int) -> Generator[Solution, None, SearchAnswer]:
        """Search the position after a move for a share of nodes; return what is found.

        Nothing is found if the budget is used up before.
        """
        self.search.start(Position(after.board, after.stones, after.to_move))
        budget = self.budget
        until = budget.nodes + share
        while True:
            left = until - budget.nodes
            if budget.nodes_left is not None:
                left = min(left, budget.nodes_left)
            if left <= 0 or self.search.go_on(left, budget.until):
                return self.search.answer()
            if budget.used_up():
                return UNKNOWN
            yield self._solution(False)

    def _solution(self, complete: bool, *, final: bool = False) -> Solution:
        board = self.position.board
        must_play = frozenset(self.position.empties).intersection(*self.threats)
        return Solution(
            position=self.position,
            winner=self.root.winner,
            wins=dict(sorted(self.wins.items())),
            losses=dict(sorted(self.losses.items())),
            carrier=Cells.of(board, self.root.carrier),
            line=Cells(board, self._line),
            proof_number=self.root.phi,
            disproof_number=self.root.delta,
            nodes=self.budget.nodes,
            seconds=self.budget.seconds,
            table_used=self.search.table_used,
            must_play=Cells.of(board, must_play),
            complete=complete,
            final=final,
        )


def _principal_line(search: Search, position: Position, answer: SearchAnswer) -> tuple[int, ...]:
    """Return the winner's winning moves and the loser's with most work, as the table has them."""
    line: list[int] = []
    while answer.winner is not None and position.winner is None:
        if answer.winner is position.to_move:
            move = answer.best
        else:
            # the loser's move below which the table has most work, None if it knows none
            work = {
                cell: reply_answer.work
                for cell in position.empties
                if (reply_answer := search.look_up(position.play(cell)))
                and reply_answer.winner is answer.winner
            }
            move = max(work, key=work.__getitem__, default=None)
        if move is None:
            break
        line.append(move)
        position = position.play(move)
        reply_answer = search.look_up(position)
        if reply_answer is None or reply_answer.winner is not answer.winner:
            break
        answer = reply_answer
    return tuple(line)
