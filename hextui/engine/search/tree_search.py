"""A tree search of one position after the other: values and lines of the moves of each.

Each is searched in its canonical orientation. The tree is kept while they follow one another.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import NetworkJudge, shipped_judge
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.position import Position
from hextui.engine.ranking import RankedMove, Ranking
from hextui.engine.search.lines import SolverLookup
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.search.tree_evaluation import NodeEvaluator, StaticAnalysis
from hextui.engine.search.tree_growth import SearchTree, TreeNode, mean_value
from hextui.engine.search.win_probability import POSITION_WEIGHT, estimated_win
from hextui.engine.swap import first_stone_value, swap_value

MOST_BYTES = 120 << 20  # of a tree: a larger one stops growing, and ends with its position
SURE = 0.9  # a win probability above it, or below 1 minus it, is checked before people see it
CHECK_WORK = 360_000  # expansions times cells of the check: about a second
PROVE_WORK = 1_500_000  # the same of proofs of moves in a won position: about four seconds
CHECK_SLICE = 50  # expansions between two moments at which the check may be stopped
BYTES_PER_CELL = 56  # of an evaluation, a cell of the board: on 19x19, less on small boards


@dataclass(frozen=True)
class ValueParts:
    """What the value of a move is made of, for the side to move after it.

    ``win``: the network's win probability; ``before``: the same before the move. ``visits`` to
    replies not proved to lose; ``total``: their values times their visits.
    """

    win: float
    before: float
    visits: int
    total: float

    @property
    def mean(self) -> float:
        """The value that guides the search: the mean of the first one and of the visits, 0 to 1."""
        return mean_value(self.win, self.visits, self.total)

    def drawn(self, weight: float = POSITION_WEIGHT) -> float:
        """Return the mean; one better for who moved than before the move is drawn to that value."""
        first = max(self.mean, self.before)
        return (self.win + self.total + weight * first) / (1 + self.visits + weight)

    @property
    def win_probability(self) -> float:
        """The win probability of the side that makes the move, 0 to 1."""
        return estimated_win(1 - self.drawn())


@dataclass(frozen=True)
class SearchedMove:
    """A move with its results in a tree search.

    ``value``: the win probability of the side that makes the move, 0 to 1; ``proved``: it wins or
    loses for certain. ``visits``: 0 if it was only evaluated. ``line``: the principal variation
    from it. ``parts``: what the value is made of, None where it is decided.
    """

    cell: int
    value: float
    proved: bool
    visits: int
    line: tuple[int, ...]
    parts: ValueParts | None = None

    def back(self, orientation: Orientation) -> "SearchedMove":
        """Return a move of a position in another orientation as one of the position itself."""
        cell_of = orientation.cell_of
        return replace(self, cell=cell_of[self.cell], line=tuple(cell_of[c] for c in self.line))


class TreeSearch:
    """Searches the positions of one board; one thread at a time may use it."""

    def __init__(self, board: Board, threads: int = 1, judge: NetworkJudge | None = None) -> None:
        """Search with so many ``threads``; a single one is the caller's.

        ``judge``: the network that is asked, by default the own one. Raises ValueError for a board
        that it does not know.
        """
        self.board = board
        self.threads = threads
        self.judge = judge or shipped_judge()
        self.judge.check(board)
        # mirrored, a board may have another shape
        self._evaluators = {
            shape: NodeEvaluator(shape, threads, judge=self.judge)
            for shape in {board, board.transposed}
        }
        self._tree: SearchTree | None = None
        self._orientation = canonical(Position.empty(board))
        self._others: dict[int, SearchedMove] = {}
        self._solved: dict[int, bool] = {}
        self._scope = ALL_MOVES
        self._kept = 0
        self._checked = False
        self._fair = False  # whether the other side may swap the first stone
        self._most = MOST_BYTES // (BYTES_PER_CELL * board.cells)

    def look_at(
        self,
        position: Position,
        *,
        afresh: bool = True,
        proved: SolverLookup | None = None,
        scope: MoveScope = ALL_MOVES,
    ) -> None:
        """Turn to a position with an empty cell, keeping its part of the tree unless ``afresh``.

        Nobody swaps in the search. Where the first stone may be swapped it looks for the fairest.
        ``proved`` returns what a solver knows of positions that follow. Raises ValueError for a
        position of another board, and if no move of the ``scope`` can be played.
        """
        scope.check(position.empties)
        fair, position = position.first_stone_swappable, position.without_swap
        tree = self._tree
        there = self._orientation.back(position)
        self._others = {}
        self._solved = {}
        self._checked = False
        # a tree in which some first moves were left out has no results for what follows
        afresh |= scope != self._scope or scope.first is not None or fair != self._fair
        self._scope, self._fair = scope, fair
        if not afresh and tree and tree.evaluated < self._most and tree.go_to(there):
            self._orientation = replace(self._orientation, position=there)
        else:
            self._orientation = canonical(position)
            oriented = self._orientation.position
            self._evaluators[oriented.board].forget()
            self._tree = SearchTree(
                self._evaluators[oriented.board],
                oriented,
                _known(proved) if proved else lambda _: None,
                scope.seen(self._orientation),
            )
            if self._fair:
                self.root.look_for_fair_moves(self.judge.wins_after(oriented))
        self._kept = int(self.root.visits.sum()) - self.tree.evaluated
        self._look_up_moves()

    @property
    def tree(self) -> SearchTree:
        """The tree as it grows; raises ValueError if no position was given."""
        if self._tree is None:
            raise ValueError("the search has no position yet")
        return self._tree

    @property
    def orientation(self) -> Orientation:
        """The orientation in which the position is searched."""
        return self._orientation

    @property
    def evaluated(self) -> int:
        """How many positions were evaluated here, those before included."""
        return self.tree.evaluated + self._kept

    @property
    def root(self) -> TreeNode:
        """The node of the position, in the orientation in which it is searched."""
        return self.tree.root

    def grow(self, limit: Limit) -> Iterator[None]:
        """Search until the winner is proved, to a limit, or until the tree fills its memory.

        Yields after each visit; may be called again.
        """
        tree = self.tree
        end = math.inf if limit.seconds is None else time.perf_counter() + limit.seconds
        if limit.nodes is not None:
            raise ValueError("a tree search counts visits, not nodes")
        most = math.inf if limit.visits is None else limit.visits
        most = min(most - self._kept, self._most)
        try:
            while tree.root.searchable and tree.evaluated < most and time.perf_counter() < end:
                tree.grow(most)
                yield
        finally:
            tree.settle()
            self._look_up_moves()

    def _look_up_moves(self) -> None:
        """Take over what the solver has proved of moves while it worked on other positions."""
        if not self.tree.decided or self._scope != ALL_MOVES:
            return
        for cell in self._unsolved():
            self._take_proof(cell, self.tree.prove_move(cell))

    def _unsolved(self) -> list[int]:
        """Return the empty cells for which no proof is known."""
        proofs = self._proofs()
        return [cell for cell in self._orientation.position.empties if cell not in proofs]

    def _take_proof(self, cell: int, wins: bool | None) -> None:
        if wins is not None:
            self._solved[cell] = wins

    @property
    def too_sure(self) -> bool:
        """Whether the best move's win probability is beyond SURE, without a check or a proof."""
        if not self._checkable:
            return False
        moves = self.moves()
        return bool(moves) and abs(moves[0].value - 0.5) > SURE - 0.5

    @property
    def _checkable(self) -> bool:
        return not self._checked and self.root.won is None and self._scope == ALL_MOVES

    def check(self, *, in_sight: bool = False) -> Iterator[None]:
        """Let the solver try for about a second to prove who wins, if the search is too sure.

        ``in_sight``: also if some position in the tree is decided.
        """
        if not self.too_sure and not (in_sight and self.tree.decided and self._checkable):
            return
        for _ in range(0, CHECK_WORK // self.board.cells, CHECK_SLICE):
            self.tree.prove_root(CHECK_SLICE)
            if self.root.won is not None:
                break
            yield
        self._checked = True
        self._look_up_moves()

    def prove_moves(self) -> Iterator[None]:
        """Let the solver try for some seconds to prove which other moves win, if one does."""
        if not self.wins or self._scope != ALL_MOVES:
            return
        tree, expansions = self.tree, CHECK_SLICE
        last = tree.expansions + PROVE_WORK // self.board.cells
        while (unsolved := self._unsolved()) and tree.expansions < last:
            for cell in unsolved:
                if cell not in self._proofs() and tree.expansions < last:
                    self._take_proof(cell, tree.prove_move(cell, expansions))
                    yield
            expansions *= 2  # a hard move waits until the easy ones are proved

    def evaluate_others(self) -> Iterator[None]:
        """Evaluate each move of the scope that the tree excludes as inferior or as losing."""
        oriented = self._orientation.position
        evaluator = self._evaluators[oriented.board]
        for cell in oriented.empties:
            if cell in self._others or self.root.after(cell) or not self._allowed(cell):
                continue
            after = oriented.play(cell)
            node = TreeNode(evaluator.begin(after, root=True)())
            node.take(evaluator.analyse(after, ()))
            self._others[cell] = _searched(cell, node, self.root, 0, (cell,))
            if node.won is False and self.root.won is None:
                self.root.decide(True, cell)
            yield

    def _allowed(self, cell: int) -> bool:
        return self._scope.allows(self._orientation.cell_of[cell], first=True)

    def moves(self) -> list[SearchedMove]:
        """Return the evaluated moves and all proved wins: wins, others by visits and mean, losses.

        What is proved of a move is never replaced by an estimate. Values are those of play in which
        nobody swaps; the order counts that a first stone may be swapped.
        """
        moves_by_cell = self._evaluated_moves()
        for cell, wins in self._proofs().items():
            if cell in moves_by_cell:
                moves_by_cell[cell] = replace(
                    moves_by_cell[cell], value=float(wins), proved=True, parts=None
                )
            elif wins:
                moves_by_cell[cell] = SearchedMove(
                    cell, value=1.0, proved=True, visits=0, line=(cell,)
                )
        if self._orientation.symmetric and self._scope == ALL_MOVES:
            moves_by_cell = _with_twins(moves_by_cell, self._orientation.position.board)
        moves = [move.back(self._orientation) for move in moves_by_cell.values()]
        order = _fair_order if self._fair else _order
        return sorted(moves, key=lambda move: (*order(move), -move.cell), reverse=True)

    def _evaluated_moves(self) -> dict[int, SearchedMove]:
        """Return the moves with what the tree knows of the positions after them."""
        root = self.root
        moves_by_cell = dict(self._others)
        for place in root.known.nonzero()[0].tolist():
            cell = int(root.cells[place])
            below = root.nodes[place]
            assert below is not None, "it is evaluated"
            line = self.tree.line(cell)
            moves_by_cell[cell] = _searched(cell, below, root, int(root.visits[place]), line)
        return moves_by_cell

    def _proofs(self) -> dict[int, bool]:
        """Return whether moves win where the solver, a carrier or the root's result proves it."""
        root, empties = self.root, self._orientation.position.empties
        proved = dict(self._solved)
        proved |= {cell: bool(move.value) for cell, move in self._others.items() if move.proved}
        if root.must_play is not None:
            proved |= dict.fromkeys(set(empties) - root.must_play, False)
        if not root.proved:
            return proved
        if root.won and root.best >= 0:
            return proved | ({root.best: True} if self._allowed(root.best) else {})
        return dict.fromkeys(filter(self._allowed, empties), bool(root.won))

    @property
    def proved_moves(self) -> dict[int, bool]:
        """Whether a move wins, by its cell, for those of which it is proved."""
        return {move.cell: bool(move.value) for move in self.moves() if move.proved}

    @property
    def wins(self) -> bool | None:
        """Whether the side to move wins; None if nothing is proved."""
        return self.root.won if self.root.proved else None


def _searched(
    cell: int, below: TreeNode, root: TreeNode, visits: int, line: tuple[int, ...]
) -> SearchedMove:
    if below.proved:
        return SearchedMove(cell, value=1 - below.value, proved=True, visits=visits, line=line)
    if below.won is not None:
        return SearchedMove(
            cell, value=estimated_win(1 - below.value), proved=False, visits=visits, line=line
        )
    visits_below, total = below.visited_sums()
    parts = ValueParts(below.win, before=1 - root.win, visits=visits_below, total=total)
    return SearchedMove(
        cell, value=parts.win_probability, proved=False, visits=visits, line=line, parts=parts
    )


def _known(proved: SolverLookup) -> Callable[[Position], StaticAnalysis | None]:
    """Return a function of what a solver knows of positions, as the tree takes it."""

    def known(position: Position) -> StaticAnalysis | None:
        answer = proved(position)
        if answer is None or answer.winner is None:
            return None
        won = answer.winner is position.to_move
        best = answer.best if won else None
        return StaticAnalysis.decided(won, -1 if best is None else best)

    return known


def _order(move: SearchedMove) -> tuple[float, int, float]:
    """Return what moves are compared by, more is better."""
    worth = move.value if move.parts is None else 1 - move.parts.mean
    return (move.value if move.proved else 0.5), move.visits, worth


def _fair_order(move: SearchedMove) -> tuple[float, int, float]:
    """Return what first stones that may be swapped are compared by, more is better."""
    decided, visits, worth = _order(move)
    return min(decided, first_stone_value(move.value)), visits, first_stone_value(worth)


def _with_twins(moves: dict[int, SearchedMove], board: Board) -> dict[int, SearchedMove]:
    """Return the same of each two moves that a turn by 180 degrees makes one: the better known."""
    both = {}
    for cell, searched in moves.items():
        twin = moves.get(board.rotate(cell), searched)
        best = max(searched, twin, key=lambda move: (move.proved, *_order(move), -move.cell))
        if best is twin and best is not searched:
            line = tuple(board.rotate(c) for c in best.line)
            best = replace(best, cell=cell, line=line)
        both[cell] = best
    return both


def ranked(
    name: str, position: Position, moves: Sequence[SearchedMove], *, final: bool, note: str
) -> Ranking:
    """Return moves of a position, best first, as a ranking by the name of an evaluator.

    It counts the swap rule: a swap that is legal is one of the moves, and a first stone is worth
    what the better answer leaves.
    """
    opening = position.first_stone_swappable
    order = _fair_order if opening else _order
    listed = []
    rank = 0
    before = None
    for place, move in enumerate(moves, start=1):
        if (key := order(move)) != before:
            rank, before = place, key
        value = first_stone_value(move.value) if opening else move.value
        listed.append(RankedMove(move.cell, value, rank))
    ranking = Ranking(name, tuple(listed), final=final, note=note)
    if position.swap_legal and moves:
        return ranking.with_swap(swap_value(moves[0].value))
    return ranking


def searched_moves(
    search: TreeSearch,
    position: Position,
    limit: Limit,
    stop: Callable[[], bool] = lambda: False,
    scope: MoveScope = ALL_MOVES,
    show: Callable[[list[SearchedMove]], object] = lambda moves: None,
    often: float = math.inf,
) -> list[SearchedMove]:
    """Return the evaluated moves of a tree search, the best first.

    ``show`` gets them every ``often`` seconds. Raises ValueError if no move of the ``scope`` can be
    played.
    """
    search.look_at(position, scope=scope)
    due = time.perf_counter() + often
    for _ in _steps(search, limit):
        if stop():
            break
        if time.perf_counter() >= due:
            show(search.moves())
            due = time.perf_counter() + often
    return search.moves()


def _steps(search: TreeSearch, limit: Limit) -> Iterator[None]:
    """Let the tree grow; if no move of the scope is in it, evaluate each once."""
    yield from search.grow(limit)
    lost = search.root.proved and not search.root.won
    if not lost and not search.moves():
        yield from search.evaluate_others()
