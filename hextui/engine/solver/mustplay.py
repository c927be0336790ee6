"""The readable solver: `win_move` with must-play regions and winsets.

Source: docs/methods.md#must-play-by-winsets. A winset of a player is a set of empty cells that is
enough for that player to win. The must-play region is the intersection of the winsets that the
opponent could win with after one move. `win_move` returns its run, `steps` lists it step by step,
`proof_of` turns it into a proof. The order of the cells does not change who wins, nor which moves.
"""

import enum
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.limit import StoppedError
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.solver.proof import Joined, Play, Proof, ProofBuilder, Replies, Reply

ORDERS: dict[str, Callable[[Position], tuple[int, ...]]] = {
    "centre": lambda position: _by_distance(position, 1),
    "edge": lambda position: _by_distance(position, -1),
    "rows": lambda position: tuple(range(position.board.cells)),
    "columns": lambda position: tuple(
        sorted(range(position.board.cells), key=lambda cell: cell % position.board.columns)
    ),
}
"""Orders by name. The first two do not depend on the orientation of the board."""
DEFAULT = "centre"


@lru_cache(16)
def cell_order(text: str, position: Position) -> tuple[int, ...]:
    """Return all cells of the board in an order named in ORDERS, or beginning with cells named.

    Cells are given by their names, with blanks or commas between; the rest follow in the default
    order. Raises ValueError for anything else, and for a cell named twice.

    >>> from hextui.engine.board import Board
    >>> start = Position.empty(Board(2, 3))
    >>> [start.board.name(cell) for cell in cell_order("columns", start)]
    ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']
    >>> [start.board.name(cell) for cell in cell_order("c2, a1", start)]
    ['c2', 'a1', 'b1', 'b2', 'c1', 'a2']
    """
    words = text.replace(",", " ").lower().split()
    if len(words) == 1 and words[0] in ORDERS:
        return ORDERS[words[0]](position)
    if not words:
        raise ValueError(f"an order is one of {', '.join(ORDERS)}, or cells such as b2 a1")
    named = _named_cells(words, position)
    rest = (cell for cell in ORDERS[DEFAULT](position) if cell not in named)
    return (*named, *rest)


def _named_cells(words: Sequence[str], position: Position) -> list[int]:
    """Return the cells with these names; raises ValueError for another word, or the same twice."""
    cells: list[int] = []
    for word in words:
        try:
            cell = position.board.cell(word)
        except ValueError as error:
            orders = ", ".join(ORDERS)
            raise ValueError(f"not an order of cells: {error}; the orders are {orders}") from None
        if cell in cells:
            raise ValueError(f"not an order of cells: {word} is named twice")
        cells.append(cell)
    return cells


def _by_distance(position: Position, sign: int) -> tuple[int, ...]:
    """Return the cells by distance from the centre; of several the first in canonical rows."""
    orientation = canonical(position)
    board = orientation.position.board

    def off_centre(cell: int) -> int:
        row, column = divmod(cell, board.columns)
        return abs(2 * row - board.rows + 1) + abs(2 * column - board.columns + 1)

    ordered = sorted(range(board.cells), key=lambda cell: sign * off_centre(cell))
    return tuple(orientation.cell_of[cell] for cell in ordered)


LITERAL_EMPTIES = 9
REMEMBERED_EMPTIES = 16


@dataclass(frozen=True)
class Try:
    """One move that `win_move` tried, and its result.

    ``region``: where it was chosen from. ``winset`` decided it: the mover's, with the move, if it
    wins, else the opponent's, whose winning move is ``reply``. ``after``: the opponent's call, None
    where the move joins the mover's sides at once.
    """

    region: frozenset[int]
    move: int
    reply: int | None
    winset: frozenset[int]
    after: "MustPlayRun | None"

    @property
    def wins(self) -> bool:
        """Whether the move wins."""
        return self.reply is None


@dataclass(frozen=True)
class MustPlayRun:
    """One call of `win_move`: ``to_move`` tried moves until one won or the region was empty.

    ``move`` is the winning move, None if there is none; ``winset`` belongs to the winner.
    ``depth`` counts the moves made since the first call.
    """

    depth: int
    to_move: Color
    tries: tuple[Try, ...]
    move: int | None
    winset: frozenset[int]

    @property
    def winner(self) -> Color:
        """Who wins."""
        return self.to_move.opponent if self.move is None else self.to_move


@dataclass(frozen=True)
class TryResult:
    """A move that was tried ``depth`` moves after the first position, and its result, as in `Try`.

    ``reply``: the answer that beats it, None if it wins. ``winset``: the winner's. ``ended``: else
    there is no result yet.
    """

    depth: int
    move: int
    reply: int | None = None
    winset: frozenset[int] = frozenset()
    ended: bool = True


TRIES_DEEP = 2  # levels of the tries that are listed


def try_results(tries: Iterable[Try], depth: int = 0) -> Iterator[TryResult]:
    """Yield tries in their order, each followed by the answers that were tried to it."""
    for tried in tries:
        yield TryResult(depth, tried.move, tried.reply, tried.winset)
        if tried.after is not None and depth + 1 < TRIES_DEEP:
            yield from try_results(tried.after.tries, depth + 1)


def get_connections(position: Position, color: Color) -> dict[int, frozenset[int]]:
    """Return the cells that each is connected to for ``color``: adjacent, or by own stones.

    Cells with a stone of the opponent are left out.
    """
    stones, neighbours = position.stones, position.board.neighbours
    connections = {}
    for cell, stone in enumerate(stones):
        if stone == color.opponent:
            continue
        reached = {cell}
        chain = [cell]
        for link in chain:
            for near in neighbours[link]:
                if near not in reached and stones[near] != color.opponent:
                    reached.add(near)
                    if stones[near] == color:
                        chain.append(near)
        connections[cell] = frozenset(reached - {cell})
    return connections


class MustPlay:
    """Solves positions by `win_move`; ``calls`` counts the calls so far, looked up ones left out.

    ``remember`` keeps a dictionary of solved positions: practical up to 16 empty cells, else up to
    9. ``stop`` is asked at every call whether to raise StoppedError. ``order``: see `cell_order`.
    ``trying``: the moves that lead to the present call; another thread may read them.
    """

    def __init__(
        self, remember: bool = False, stop: Callable[[], bool] | None = None, order: str = DEFAULT
    ) -> None:
        self.calls = 0
        self.trying: list[int] = []
        self._open: list[list[Try]] = []  # the tries so far of each call that has not ended
        self._stop = stop
        self._order = order
        self._solved: dict[Position, MustPlayRun] | None = {} if remember else None

    def results_so_far(self) -> Iterator[TryResult]:
        """Yield what is tried in the calls that have not ended, in two levels; for any thread."""
        for depth, tries in enumerate(tuple(self._open[:TRIES_DEEP])):
            yield from try_results(tuple(tries), depth)
            for move in tuple(self.trying[depth : depth + 1]):
                yield TryResult(depth, move, ended=False)

    def win_move(self, position: Position) -> MustPlayRun:
        """Return the run that finds a winning move of the side to move, or shows there is none."""
        plain = position.without_swap
        return self._win_move(plain, 0, cell_order(self._order, plain))

    def _win_move(self, position: Position, depth: int, order: tuple[int, ...]) -> MustPlayRun:
        if self._solved is None:
            return self._tried(position, depth, order)
        if position not in self._solved:
            self._solved[position] = self._tried(position, depth, order)
        return self._solved[position]

    def _tried(self, position: Position, depth: int, order: tuple[int, ...]) -> MustPlayRun:
        if self._stop is not None and self._stop():
            raise StoppedError("stopped before the position was solved")
        self.calls += 1
        mustplay = frozenset(position.empties)
        winset: frozenset[int] = frozenset()  # the opponent's, of all tries
        tries: list[Try] = []
        self._open[depth:] = [tries]
        move = None
        while mustplay and move is None:
            tried = self._try(position, depth, order, mustplay)
            tries.append(tried)
            if tried.wins:
                move = tried.move
                winset = tried.winset
            else:
                winset |= tried.winset
                mustplay &= tried.winset
        return MustPlayRun(
            depth=depth, to_move=position.to_move, tries=tuple(tries), move=move, winset=winset
        )

    def _try(
        self, position: Position, depth: int, order: tuple[int, ...], region: frozenset[int]
    ) -> Try:
        """Try the first move of a region in the order."""
        move = next(cell for cell in order if cell in region)
        self.trying[depth:] = [move]
        after = position.play(move)
        if after.winner is position.to_move:
            return Try(region=region, move=move, reply=None, winset=frozenset((move,)), after=None)
        child = self._win_move(after, depth + 1, order)
        winset = child.winset | {move} if child.move is None else child.winset
        return Try(region=region, move=move, reply=child.move, winset=winset, after=child)


@dataclass(frozen=True)
class MustPlaySolution:
    """Who wins a position and how, when nobody swaps.

    ``winning_moves`` and ``losing_moves``: in row order. ``carrier``: the empty cells the winner
    needs. ``nodes`` counts calls of `win_move`. After the end there are no moves, and no ``run``.
    """

    position: Position
    winner: Color
    winning_moves: Cells
    losing_moves: Cells
    carrier: Cells
    nodes: int
    seconds: float
    run: MustPlayRun | None

    @cached_property
    def line(self) -> Cells:
        """The moves found, to the end: the loser takes those that last longest."""
        line = () if self.run is None else _line(self.run, {})
        return Cells(self.position.board, line)


def solve(position: Position, *, remember: bool = False, order: str = DEFAULT) -> MustPlaySolution:
    """Solve a position, and every move in it, trying cells in an ``order`` (see `cell_order`).

    Raises ValueError for too many empty cells: more than 9, with ``remember`` 16.
    """
    solver = MustPlay(remember, order=order)
    cell_order(order, position)  # says so if it is none
    empties = position.empties
    winner = position.winner
    if winner is not None:
        nothing = Cells(position.board)
        return MustPlaySolution(
            position=position,
            winner=winner,
            winning_moves=nothing,
            losing_moves=nothing,
            carrier=nothing,
            nodes=0,
            seconds=0.0,
            run=None,
        )
    most = REMEMBERED_EMPTIES if remember else LITERAL_EMPTIES
    if len(empties) > most:
        form = "with" if remember else "without"
        raise ValueError(
            f"mustplay takes {most} empty cells at most {form} a dictionary of positions, "
            f"not {len(empties)}"
        )
    start = time.perf_counter()
    run = solver.win_move(position)
    wins = tuple(cell for cell in empties if _is_won_by(position, cell, solver))
    losses = tuple(cell for cell in empties if cell not in wins)
    return MustPlaySolution(
        position=position,
        winner=run.winner,
        winning_moves=Cells(position.board, wins),
        losing_moves=Cells(position.board, losses),
        carrier=Cells.of(position.board, run.winset),
        nodes=solver.calls,
        seconds=time.perf_counter() - start,
        run=run,
    )


def _is_won_by(position: Position, cell: int, solver: MustPlay) -> bool:
    after = position.play(cell)
    return after.winner is position.to_move or solver.win_move(after).move is None


def _line(run: MustPlayRun, lines: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the line of one run; ``lines`` has those of runs that were met before."""
    if id(run) not in lines:
        longest: tuple[int, ...] = ()
        for tried in run.tries:
            if tried.wins is not (run.move is not None):
                continue
            after = _line(tried.after, lines) if tried.after else ()
            if len(after) >= len(longest):
                longest = (tried.move, *after)
        lines[id(run)] = longest
    return lines[id(run)]


class StepKind(enum.StrEnum):
    """What happens in a step."""

    TRY = "try"  # the side to move chooses ``move`` from the region
    JOIN = "join"  # the move has joined its player's sides
    KNOWN = "known"  # the position was solved in an earlier step
    WIN = "win"  # the opponent has no winning move. The winset is the mover's, with the move
    REFUTED = "refuted"  # the move loses: ``reply`` wins. The winset is the opponent's
    LOST = "lost"  # no move is left: the winsets joined are the opponent's


@dataclass(frozen=True)
class RunStep:
    """One step of a run, about ``position``; ``region`` and ``winset`` are empty cells.

    ``depth`` counts the moves made before; ``owner`` owns the winset. ``threats``: where every move
    has lost, the moves tried, each with the winset that beat it.
    """

    kind: StepKind
    depth: int
    position: Position
    region: frozenset[int] = frozenset()
    move: int | None = None
    reply: int | None = None
    winset: frozenset[int] = frozenset()
    owner: Color | None = None
    threats: tuple[tuple[int, frozenset[int]], ...] = ()


def steps(
    run: MustPlayRun, position: Position, listed: set[int] | None = None
) -> Iterator[RunStep]:
    """Yield the steps of a run on a position; one ``listed`` before, by its id, is one step."""
    listed = set() if listed is None else listed
    if id(run) in listed:
        yield RunStep(
            kind=StepKind.KNOWN,
            depth=run.depth,
            position=position,
            move=run.move,
            winset=run.winset,
            owner=run.winner,
        )
        return
    listed.add(id(run))
    for tried in run.tries:
        yield from _steps_of(tried, run, position, listed)
    if run.move is None:
        yield RunStep(
            kind=StepKind.LOST,
            depth=run.depth,
            position=position,
            winset=run.winset,
            owner=run.to_move.opponent,
            threats=tuple((tried.move, tried.winset) for tried in run.tries),
        )


def _steps_of(
    tried: Try, run: MustPlayRun, position: Position, listed: set[int]
) -> Iterator[RunStep]:
    """Yield the steps of one try of a run: the move, what follows, and its result."""
    move = tried.move
    yield RunStep(
        kind=StepKind.TRY, depth=run.depth, position=position, region=tried.region, move=move
    )
    after = position.play(move)
    if tried.after is None:
        yield RunStep(
            kind=StepKind.JOIN, depth=run.depth + 1, position=after, move=move, owner=run.to_move
        )
    else:
        yield from steps(tried.after, after, listed)
    yield RunStep(
        kind=StepKind.WIN if tried.wins else StepKind.REFUTED,
        depth=run.depth,
        position=position,
        region=tried.region,
        move=move,
        reply=tried.reply,
        winset=tried.winset,
        owner=run.to_move if tried.wins else run.to_move.opponent,
    )


def proof_of(solution: MustPlaySolution) -> Proof:
    """Return the run of a solution as a proof: its winsets are the carriers."""
    builder = ProofBuilder()
    root = _node(solution.run, builder, {})
    return builder.proof(solution.position, solution.winner, root)


def _node(run: MustPlayRun | None, builder: ProofBuilder, nodes: dict[int, int]) -> int:
    """Return the node of a run; None is a chain that joins the winner's edges.

    ``nodes`` has those of runs that were met before.
    """
    if run is None:
        return builder.add(Joined(True, frozenset()))
    if id(run) not in nodes:
        if run.move is None:
            node = builder.add(Replies(run.winset, tuple(_replies(run, builder, nodes))))
        else:
            node = builder.add(Play(run.move, _node(run.tries[-1].after, builder, nodes)))
        nodes[id(run)] = node
    return nodes[id(run)]


def _replies(run: MustPlayRun, builder: ProofBuilder, nodes: dict[int, int]) -> Iterator[Reply]:
    """Yield the answers of a lost run, to each cell of its winset once.

    A winset answers its move and every cell of the region that it can do without.
    """
    for tried in run.tries:
        answered = (tried.region - tried.winset) & run.winset
        if answered:
            yield Reply(answered, _node(tried.after, builder, nodes))
