"""A best-first search of a tree of moves: the most promising line is visited next.

Sources: docs/methods.md#tree-search; moves are chosen by Rosin's PUCT
(https://doi.org/10.1007/s10472-011-9258-6). A node's value is the mean of the estimates below,
weighted by visits, for the side to move. A proved node is never searched again, and decides its
parents as in minimax. Positions reached in another order, or that differ only in cells filled in,
are one node. The search is deterministic.
"""

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.kernels.neural import choose_move
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.search.tree_evaluation import (
    NetworkOpinion,
    NodeEvaluator,
    StaticAnalysis,
    after,
)

LEAST_SHARE = 1e-4  # the least prior of a move, so that every one is visited some time
EXPLORATION = 0.8  # weighs priors against values
FAIRNESS = 0.05  # how far from 0.5 a first stone's value divides its prior by e
REDUCTION = 0.1  # how far below its parent's value that of an unvisited move is assumed

# Once the tree has a decided position, each node is handed to the solver after FIRST_PROOF visits,
# for PROOF_SHARE expansions a visit, and again after PROOF_PAUSE more visits for each expansion.
FIRST_PROOF = 8
PROOF_SHARE = 2
PROOF_PAUSE = 1.5
PROOF_WORK = 15_000  # expansions times cells at most, about 0.05 s: meanwhile nothing stops it

NO_MOVES = StaticAnalysis.decided(False)


class TreeNode:
    """A position, for the side to move.

    ``win`` is the network's win probability, and ``value``, 0 to 1, what the visits make of it.
    ``won`` is True or False once it is decided, then ``best`` is a cell that wins, -1 if all win or
    all lose. Once it is ``analysed`` it has by move: ``cells``, ``priors``, ``visits``, ``values``
    (for the side that moves), ``known`` (evaluated), ``open`` (allowed, and not known to lose),
    ``weights`` (visits if open) and ``nodes``. ``total``: all visits to moves; ``weight``: those to
    open ones. ``certain``: a decision is a proof, as no move was excluded. ``closed``: no move is
    allowed. ``must_play``: all moves outside these cells are proved to lose, None if no cells are
    known. ``fair``: the moves are first stones that the other side may swap, so those whose values
    are near to 0.5 are looked for.
    """

    __slots__ = (
        "analysed", "best", "cells", "certain", "closed", "due", "fair", "keys",
        "known", "must_play", "nodes", "open", "policy", "priors", "spent", "total", "value",
        "values", "visits", "weight", "weights", "win", "won",
    )  # fmt: skip

    def __init__(self, opinion: NetworkOpinion) -> None:
        self.win = self.value = opinion.win
        self.policy = opinion.policy
        self.won: bool | None = None
        self.best = -1
        self.certain = True
        self.total = 0
        self.weight = 0
        self.spent = 0.0
        self.due = FIRST_PROOF
        self.analysed = self.closed = self.fair = False
        self.must_play: frozenset[int] | None = None
        self._take_moves(NO_MOVES)

    def _take_moves(self, analysis: StaticAnalysis) -> None:
        self.cells, self.keys = analysis.cells, analysis.keys
        count = len(self.cells)
        shares = self.policy[self.cells].astype(np.float64) + LEAST_SHARE
        self.priors = shares / shares.sum()
        self.visits = np.zeros(count, np.int64)
        self.values = np.zeros(count)
        self.weights = np.zeros(count)
        self.known = np.zeros(count, bool)
        self.open = ~self.known
        self.nodes: list[TreeNode | None] = [None] * count

    def take(self, analysis: StaticAnalysis, allowed: Callable[[int], bool] | None = None) -> None:
        """Take over an analysis; ``allowed``: whether a cell may be searched; all if not given."""
        self.analysed = True
        if analysis.won is not None:
            self.decide(analysis.won, analysis.best)
            return
        self._take_moves(analysis)
        if allowed is not None:
            self.open[:] = [allowed(cell) for cell in self.cells.tolist()]
            self.certain = bool(self.open.all())
            self.closed = not self.open.any()

    def choose(self, begun: Sequence[int] = ()) -> int:
        """Return the place of the move to visit next; one at least is open.

        ``begun``: moves of the lines under evaluation; each counts as a lost visit (virtual loss).
        """
        visits = self.visits
        tries = visits + np.bincount(begun, minlength=len(visits)) if begun else visits
        values, value = self.values, self.value
        if self.fair:
            values = np.minimum(values, 1 - values)
            value = 0.5
        first = value - REDUCTION * math.sqrt(self.spent)
        bonus = EXPLORATION * math.sqrt(self.total + len(begun) + 1) * self.priors
        return choose_move(self.open, self.known, values, bonus, visits, tries, first)

    def look_for_fair_moves(self, wins: Mapping[int, float]) -> None:
        """Visit first stones that are worth about half; ``wins``: the mover's after each, 0 to 1.

        The node must be analysed.
        """
        self.fair = True
        apart = np.array([abs(wins[cell] - 0.5) for cell in self.cells.tolist()])
        shares = np.exp(-apart / FAIRNESS) + LEAST_SHARE
        self.priors = shares / shares.sum()

    @property
    def proved(self) -> bool:
        """Whether who wins is proved."""
        return self.won is not None and self.certain

    @property
    def searchable(self) -> bool:
        """Whether a visit can still change anything."""
        return self.won is None and not self.closed

    @property
    def move(self) -> int:
        """The cell to play: it wins, else it is visited most; -1 if none is evaluated."""
        if self.best >= 0 or not self.known.any():
            return self.best
        order = np.lexsort((-self.priors, -self.values, -self.visits, ~self.open))
        return int(self.cells[order[0]])

    def after(self, cell: int) -> "TreeNode | None":
        """Return the node after a move, None if it is not evaluated."""
        places = np.flatnonzero(self.cells == cell)
        return self.nodes[places[0]] if len(places) else None

    def decide(self, won: bool, best: int) -> None:
        """Take over a proof; where it wins, ``best`` is a move that does, -1 if any does."""
        self.won = won
        self.best = best
        self.certain = True
        self.value = float(won)

    def keep_within(self, carrier: frozenset[int]) -> None:
        """Exclude the moves outside a carrier in which the opponent wins."""
        self.must_play = carrier if self.must_play is None else self.must_play & carrier
        self._keep(np.array([cell in carrier for cell in self.cells.tolist()], bool))

    def _keep(self, moves: NDArray[np.bool_]) -> None:
        """Exclude all other moves; with none left it is lost."""
        self.open &= moves
        self.weights = (self.visits * self.open).astype(np.float64)
        self.weight = int(self.weights.sum())
        if self.won is None and not self.open.any():
            self.won, self.value = False, 0.0

    def add_visit(self, place: int) -> None:
        """Count a visit to the move at a place, and take over the value of its node."""
        child = self.nodes[place]
        assert child is not None, "it is evaluated"
        if not self.visits[place]:
            self.spent += float(self.priors[place])
        self.visits[place] += 1
        self.total += 1
        if self.open[place]:
            self.weights[place] += 1
            self.weight += 1
        self.known[place] = True
        self.values[place] = 1 - child.value
        if self.won is not None:  # another line has decided it meanwhile
            return
        if child.won is False:
            self.won = True
            self.best = int(self.cells[place])
            self.value = 1.0
            self.certain = child.certain
        elif child.won:
            self.certain &= child.certain
            self._keep(self.cells != self.cells[place])
        if self.won is None:
            self.value = mean_value(self.win, *self.visited_sums())

    def visited_sums(self) -> tuple[int, float]:
        """Return the visits to open moves, and the sum of their values, each times its visits."""
        return self.weight, float(self.weights @ self.values)


def mean_value(win: float, visits: int, total: float) -> float:
    """Return a node's value: the mean of its first one and of visits, whose sum is ``total``."""
    return (win + total) / (1 + visits)


def _moves_to(
    node: TreeNode, added: dict[int, int], mover: Color
) -> tuple[tuple[int, ...], TreeNode] | None:
    """Return moves that add stones, of both colours in turn, and the node they lead to."""
    if not added:
        return (), node
    for cell in sorted(cell for cell, stone in added.items() if stone == mover):
        below = node.after(cell)
        if below is None:
            continue
        rest = {other: stone for other, stone in added.items() if other != cell}
        if (way := _moves_to(below, rest, mover.opponent)) is not None:
            return (cell, *way[0]), way[1]
    return None


class _Line(NamedTuple):
    """Nodes from the root on, each with the place of its move; ``moves``: from the first position.

    ``key``, ``end``, ``result``: of its end, where that is still to be evaluated.
    """

    path: list[tuple[TreeNode, int]]
    moves: list[int]
    key: bytes = b""
    end: Position | None = None
    result: Callable[[], NetworkOpinion] | None = None


class SearchTree:
    """The tree below ``root``, the node of ``position``; one thread at a time may use it."""

    def __init__(
        self,
        evaluator: NodeEvaluator,
        position: Position,
        stored: Callable[[Position], StaticAnalysis | None] = lambda _: None,
        scope: MoveScope = ALL_MOVES,
    ) -> None:
        """Evaluate a position with an empty cell; ``known`` returns what is proved below it."""
        self._evaluator = evaluator
        self._known = stored
        self._scope = scope
        self._nodes: dict[bytes, TreeNode] = {}
        self._first = self.position = position
        self._moves: tuple[int, ...] = ()
        self._begun: deque[_Line] = deque()
        self.evaluated = self.decided = 0
        self.root = self._top = self._made(evaluator.begin(position, root=True)())
        self._analyse(self.root, ())

    def _made(self, opinion: NetworkOpinion) -> TreeNode:
        self.evaluated += 1
        return TreeNode(opinion)

    def _analyse(self, node: TreeNode, moves: Sequence[int]) -> None:
        """Decide a node after moves, or find the moves to search there."""
        scope = self._scope
        allowed = None if scope == ALL_MOVES else partial(scope.allows, first=not moves)
        self._take(node, self._evaluator.analyse(self._first, moves), allowed)

    def _take(
        self, node: TreeNode, analysis: StaticAnalysis, allowed: Callable[[int], bool] | None = None
    ) -> None:
        node.take(analysis, allowed)
        if node.won is not None:
            self.decided += 1

    def grow(self, most: float = math.inf) -> None:
        """Visit one more line, to its first move that is not evaluated, and update its nodes.

        Does nothing where the root is decided, or ``most`` positions are evaluated.
        """
        while (
            len(self._begun) < self._evaluator.ahead
            and self.evaluated + len(self._begun) < most
            and (line := self._next_line()) is not None
        ):
            self._begun.append(line)
        self._finish()

    def settle(self) -> None:
        """Finish all lines that are begun."""
        while self._begun:
            self._finish()

    def _begun_at(self, node: TreeNode) -> list[int]:
        """Return the places of the moves of a node that lines begun go through."""
        return [place for line in self._begun for visited, place in line.path if visited is node]

    def _next_line(self) -> "_Line | None":
        """Return the most promising line, None if there is none, or one waits for its end."""
        node = self.root
        path = list[tuple[TreeNode, int]]()
        moves = [*self._moves]
        while node.searchable:
            if not node.analysed:
                self._analyse(node, moves)
                continue
            place = node.choose(self._begun_at(node))
            path.append((node, place))
            moves.append(int(node.cells[place]))
            child = node.nodes[place]
            if child is None:
                return self._line(path, moves)
            node = child
        return _Line(path, moves) if path else None

    def _line(self, path: list[tuple[TreeNode, int]], moves: list[int]) -> "_Line | None":
        """Begin to evaluate the end of a path; None if its evaluation has begun already."""
        node, place = path[-1]
        key = node.keys[place].tobytes()
        if key in self._nodes:
            node.nodes[place] = self._nodes[key]
            return _Line(path, moves)
        if any(line.key == key for line in self._begun):
            return None
        end = after(self._first, moves)
        return _Line(path, moves=moves, key=key, end=end, result=self._evaluator.begin(end))

    def _finish(self) -> None:
        """Update the nodes of the line that was begun first, if any."""
        if not self._begun:
            return
        line = self._begun.popleft()
        self._finish_end(line)
        above = len(self._moves)
        for depth, (node, place) in reversed([*enumerate(line.path)]):
            node.add_visit(place)
            parent = line.path[depth - 1][0] if depth else None
            if self.decided and node.won is None and node.total >= node.due:
                most = PROOF_WORK // self.position.board.cells
                expansions = min(PROOF_SHARE * node.total, most)
                node.due = node.total + int(PROOF_PAUSE * expansions)
                if self._provable(parent):
                    self._prove(node, line.moves[: above + depth], expansions, parent)

    def _finish_end(self, line: _Line) -> None:
        """Add the node at the end of a line, or count its evaluation if it was there before."""
        node, place = line.path[-1]
        if line.end and line.result:
            made = node.nodes[place] = self._nodes[line.key] = self._made(line.result())
            analysis = self._known(line.end)
            if analysis is not None:
                self._take(made, analysis)
        else:
            child = node.nodes[place]
            assert child is not None, "the line ends there"
            if child.won is None and not child.searchable:
                self.evaluated += 1

    def _provable(self, parent: TreeNode | None) -> bool:
        """Whether the scope allows all moves below a node with this parent; None of the root."""
        scope = self._scope
        return scope.region is None and (parent is not None or scope.first is None)

    @property
    def expansions(self) -> int:
        """How many positions the solver has expanded."""
        return self._evaluator.expansions

    def prove_root(self, expansions: int) -> None:
        """Let the solver try to prove who wins the root; every move must be allowed there."""
        self._prove(self.root, self._moves, expansions, None)

    def prove_move(self, cell: int, expansions: int = 0) -> bool | None:
        """Let the solver try to prove whether a move of the root wins; None if it cannot.

        Without ``expansions`` only what it has proved before counts. Every move must be allowed. A
        move that wins decides the root; one that loses excludes all outside the opponent's carrier.
        """
        position = self.position.play(cell)
        look_up = self._evaluator.look_up
        answer = self._evaluator.prove(position, expansions) if expansions else look_up(position)
        if answer is None or answer.winner is None:
            return None
        if answer.winner is position.to_move:
            self.root.keep_within(answer.carrier)
            return False
        if self.root.won is None:
            self.root.decide(True, cell)
        return True

    def _prove(
        self, node: TreeNode, moves: Sequence[int], expansions: int, parent: TreeNode | None
    ) -> None:
        """Let the solver try to prove who wins a node, and so which moves of its parent lose."""
        position = after(self._first, moves)
        answer = self._evaluator.prove(position, expansions)
        if answer.winner is None:
            return
        won = answer.winner is position.to_move
        best = answer.best if won else None
        node.decide(won, -1 if best is None else best)
        if parent is not None and won:
            parent.keep_within(answer.carrier)

    def go_to(self, position: Position) -> bool:
        """Make a position that follows the first one the root; False if it is not evaluated."""
        stones = zip(self._first.stones, position.stones, strict=True)
        added = {cell: after for cell, (before, after) in enumerate(stones) if before != after}
        if any(self._first.stones[cell] for cell in added):
            return False
        way = _moves_to(self._top, added, self._first.to_move)
        mover = self._first.to_move if len(added) % 2 == 0 else self._first.to_move.opponent
        if way is None or position.to_move is not mover:
            return False
        self._moves, self.root = way
        self.position = position
        return True

    def line(self, move: int) -> tuple[int, ...]:
        """Return the principal variation after a move of the root, that move included."""
        line = [move]
        node = self.root.after(move)
        while node is not None and node.move >= 0:
            line.append(node.move)
            node = node.after(node.move)
        return tuple(line)
