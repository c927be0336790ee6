"""A best-first search of a tree of moves: the most promising line is visited next.

Sources: docs/methods.md#tree-search; moves are chosen by Rosin's PUCT
(https://doi.org/10.1007/s10472-011-9258-6). A node's value is the mean of the estimates below,
weighted by visits, for the side to move. A proved node is never searched again, and decides its
parents as in minimax. Positions reached in another order, or that differ only in cells filled in,
are one node. The search is deterministic.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.search.tree_evaluation import NodeEvaluation, NodeEvaluators, after
from hextui.engine.search.win_probability import logit

# A first estimate is the logistic function of NETWORK times the network's logit of a win, plus
# RESISTANCE times ln(other resistance / own one), plus TEMPO.
NETWORK, RESISTANCE, TEMPO = 0.7, 0.5, 0.15
EXPLORATION = 0.6  # weighs priors against values
REDUCTION = 0.15  # how far below its parent's value that of an unvisited move is assumed


class TreeNode:
    """A position, for the side to move.

    ``estimate`` and ``value``, 0 to 1: its first and its present value. ``won`` is True or False
    once it is decided, then ``best`` is the cell that wins, -1 if any does. By move: ``cells``,
    ``priors``, ``visits``, ``values`` (for the side that moves), ``known`` (evaluated), ``open``
    (allowed, and not known to lose) and ``nodes``. ``certain``: a decision is a proof, as no move
    was excluded.
    """

    __slots__ = (
        "best", "cells", "certain", "estimate", "keys", "known", "nodes", "open",
        "priors", "resistances", "value", "values", "visits", "win", "won",
    )  # fmt: skip

    def __init__(self, seen: NodeEvaluation, allowed: Callable[[int], bool] | None = None) -> None:
        """``allowed`` returns whether a cell may be searched; all may if it is not given."""
        self.won = seen.won
        self.best = seen.best
        self.cells, self.keys = seen.cells, seen.keys
        self.win, self.resistances = seen.win, seen.resistances
        count = len(seen.cells)
        self.priors = seen.shares
        self.visits = np.zeros(count, np.int64)
        self.values = np.zeros(count)
        self.known = np.zeros(count, bool)
        self.open = np.ones(count, bool)
        if allowed is not None:
            self.open[:] = [allowed(cell) for cell in seen.cells.tolist()]
        self.certain = bool(self.open.all())
        self.nodes: list[TreeNode | None] = [None] * count
        self.estimate = float(seen.won) if seen.won is not None else _estimate(seen)
        self.value = self.estimate

    def choose(self, begun: Sequence[int] = ()) -> int:
        """Return the place of the move to visit next; one at least is open.

        ``begun``: moves of the lines under evaluation; each counts as a lost visit (virtual loss).
        """
        visits = self.visits
        spent = math.sqrt(float(self.priors[visits > 0].sum()))
        values = np.where(self.known, self.values, self.value - REDUCTION * spent)
        if begun:
            visits = visits + np.bincount(begun, minlength=len(visits))
            values *= (1 + self.visits) / (1 + visits)
        total = int(visits.sum())
        bonus = EXPLORATION * math.sqrt(total + 1) * self.priors / (1 + visits)
        return int(np.where(self.open, values + bonus, -np.inf).argmax())

    @property
    def proved(self) -> bool:
        """Whether who wins is proved."""
        return self.won is not None and self.certain

    @property
    def searchable(self) -> bool:
        """Whether a visit can still change anything."""
        return self.won is None and bool(self.open.any())

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

    def update(self, place: int) -> None:
        """Take over the value of the move at a place, whose node is there."""
        child = self.nodes[place]
        assert child is not None, "it is evaluated"
        self.known[place] = True
        self.values[place] = 1 - child.value
        if self.won is not None:  # another line has decided it meanwhile
            return
        if child.won is False:
            self.won, self.best, self.value = True, int(self.cells[place]), 1.0
            self.certain = child.certain
        elif child.won:
            self.open[place] = False
            self.certain &= child.certain
            if not self.open.any():
                self.won, self.value = False, 0.0

    def add_visit(self, place: int) -> None:
        """Count a visit to the move at a place, and take over its value."""
        self.visits[place] += 1
        self.update(place)
        if self.won is None:
            self.value = mean_value(self.estimate, *self.visited_sums())

    def visited_sums(self) -> tuple[int, float]:
        """Return the visits to open moves, and the sum of their values, each times its visits."""
        weights = self.visits * self.open
        return int(weights.sum()), float(weights @ self.values)


def mean_value(estimate: float, visits: int, total: float) -> float:
    """Return a node's value: the mean of its estimate and of its visits, whose sum is ``total``."""
    return (estimate + total) / (1 + visits)


def _estimate(seen: NodeEvaluation) -> float:
    own, other = seen.resistances
    balance = NETWORK * logit(seen.win) + RESISTANCE * math.log(other / own)
    return 1 / (1 + math.exp(-balance - TEMPO))


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
        if (found := _moves_to(below, rest, mover.opponent)) is not None:
            return (cell, *found[0]), found[1]
    return None


@dataclass(frozen=True)
class _Line:
    """Nodes from the root on, each with the place of its move; ``visit``: it counts as a visit.

    ``key``, ``result``: of its end, where that is still to be evaluated.
    """

    path: list[tuple[TreeNode, int]]
    visit: bool
    key: bytes = b""
    result: Callable[[], NodeEvaluation] | None = None


class SearchTree:
    """The tree below ``root``, the node of ``position``; one thread at a time may use it."""

    def __init__(
        self,
        evaluators: NodeEvaluators,
        position: Position,
        known: Callable[[Position], NodeEvaluation | None] = lambda _: None,
        scope: MoveScope = ALL_MOVES,
    ) -> None:
        """Evaluate a position with an empty cell; ``known`` returns what is proved below it."""
        self._evaluators = evaluators
        self._known = known
        self._scope = scope
        self._nodes: dict[bytes, TreeNode] = {}
        self._first = self.position = position
        self._moves: tuple[int, ...] = ()
        self._begun: deque[_Line] = deque()
        self.evaluated = 0
        self.root = self._top = self._made(evaluators.begin(position, ())(), first=True)

    def _made(self, seen: NodeEvaluation, *, first: bool = False) -> TreeNode:
        self.evaluated += 1
        scope = self._scope
        limited = None if scope == ALL_MOVES else partial(scope.allows, first=first)
        return TreeNode(seen, limited)

    def grow(self, most: float = math.inf) -> None:
        """Visit one more line, to its first move that is not evaluated, and update its nodes.

        Does nothing where the root is decided, or ``most`` positions are evaluated.
        """
        self._advance(self._next_line, most)

    def widen(self, most: float = math.inf) -> bool:
        """Evaluate the next move of the root, without a visit; False if there is none."""
        return self._advance(self._next_at_root, most)

    def _advance(self, next_line: Callable[[], "_Line | None"], most: float) -> bool:
        """Begin lines until enough are under evaluation, and finish one; False if there is none."""
        while (
            len(self._begun) < self._evaluators.ahead
            and self.evaluated + len(self._begun) < most
            and (line := next_line()) is not None
        ):
            self._begun.append(line)
        return self._finish()

    def settle(self) -> None:
        """Finish all lines that are begun."""
        while self._finish():
            pass

    def _begun_at(self, node: TreeNode) -> list[int]:
        """Return the places of the moves of a node that lines begun go through."""
        return [place for line in self._begun for at, place in line.path if at is node]

    def _next_at_root(self) -> "_Line | None":
        node = self.root
        new = node.open & ~node.known
        new[self._begun_at(node)] = False
        if node.won is not None or not new.any():
            return None
        place = int(np.where(new, node.priors, -1.0).argmax())
        return self._line([(node, place)], [*self._moves, int(node.cells[place])], visit=False)

    def _next_line(self) -> "_Line | None":
        """Return the most promising line, None if there is none, or one waits for its end."""
        node, path, moves = self.root, list[tuple[TreeNode, int]](), [*self._moves]
        while node.searchable:
            place = node.choose(self._begun_at(node))
            path.append((node, place))
            moves.append(int(node.cells[place]))
            known = node.nodes[place]
            if known is None:
                return self._line(path, moves, visit=True)
            node = known
        return _Line(path, True) if path else None

    def _line(
        self, path: list[tuple[TreeNode, int]], moves: Sequence[int], *, visit: bool
    ) -> "_Line | None":
        """Begin to evaluate the end of a path; None if its evaluation has begun already."""
        node, place = path[-1]
        key = node.keys[place].tobytes()
        if key in self._nodes:
            node.nodes[place] = self._nodes[key]
            return _Line(path, visit)
        if any(line.key == key for line in self._begun):
            return None
        known = self._known(after(self._first, moves))
        result = (lambda: known) if known else self._evaluators.begin(self._first, moves)
        return _Line(path, visit, key, result)

    def _finish(self) -> bool:
        """Update the nodes of the line that was begun first; False if there is none."""
        if not self._begun:
            return False
        line = self._begun.popleft()
        node, place = line.path[-1]
        if line.result is not None:
            node.nodes[place] = self._nodes[line.key] = self._made(line.result())
        elif line.visit:
            child = node.nodes[place]
            assert child is not None, "the line ends there"
            self.evaluated += child.won is None and not child.searchable
        if line.visit:
            for node, place in reversed(line.path):
                node.add_visit(place)
        else:
            node.update(place)
        return True

    def go_to(self, position: Position) -> bool:
        """Make a position that follows the first one the root; False if it is not evaluated."""
        stones = zip(self._first.stones, position.stones, strict=True)
        added = {cell: after for cell, (before, after) in enumerate(stones) if before != after}
        if any(self._first.stones[cell] for cell in added):
            return False
        found = _moves_to(self._top, added, self._first.to_move)
        mover = self._first.to_move if len(added) % 2 == 0 else self._first.to_move.opponent
        if found is None or position.to_move is not mover:
            return False
        self._moves, self.root = found
        self.position = position
        return True

    def line(self, move: int) -> tuple[int, ...]:
        """Return the principal variation after a move of the root, that move included."""
        line, node = [move], self.root.after(move)
        while node is not None and node.move >= 0:
            line.append(node.move)
            node = node.after(node.move)
        return tuple(line)
