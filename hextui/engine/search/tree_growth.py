"""A best-first search of a tree of moves: the most promising line is looked at next.

Sources: docs/methods.md#tree-search; the choice of moves is that of Rosin's PUCT
(https://doi.org/10.1007/s10472-011-9258-6), with the learned network as its predictor. Every node
is looked at once: who has won by connection, the must-play region, inferior cells, fill-in,
resistances, and what the network says. Its estimate is made of the network's chance to win and of
the resistances; its value is the mean of the estimates below, weighted by visits, as the side to
move sees it. What is won or lost is proved: it is never searched again, and goes up the tree as in
minimax. Positions that moves reach in another order, or that differ only in cells filled in, are
one node. Nothing is drawn by lot.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.search.lookers import Lookers
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.search.tree_look import Seen, after
from hextui.engine.search.win_chance import logit


@dataclass(frozen=True)
class TreeSettings:
    """How the tree grows.

    ``network``, ``resistance`` and ``tempo``: the estimate is the logistic function of network
    times the network's logit of a win, plus resistance times the natural logarithm of the other
    side's resistance divided by the own one, plus tempo.
    ``exploration``: how much is looked at what is preferred and little known.
    ``reduction``: how much less than its parent an unknown move is taken to be worth.
    """

    network: float = 0.7
    resistance: float = 0.5
    tempo: float = 0.15
    exploration: float = 0.6
    reduction: float = 0.15


class TreeNode:
    """A position, as the side to move sees it.

    ``estimate`` and ``value``: 0 to 1, what it was taken for at first and is now; the estimate is
    made of ``chance`` and ``resistances``, as in `Seen`. ``won`` is True
    or False once it is decided, then ``best`` is the cell that wins, -1 if any does. By move,
    arrays of one length: ``cells``, ``priors``, ``visits``, ``values`` (to who makes the move),
    ``known`` (whether anybody has looked), ``open`` (thought of, and not known to lose) and
    ``nodes``. ``certain``: what is decided is proved; it is not where a move was not thought of.
    """

    __slots__ = (
        "best", "cells", "certain", "chance", "estimate", "keys", "known", "nodes", "open",
        "priors", "resistances", "value", "values", "visits", "won",
    )  # fmt: skip

    def __init__(
        self, seen: Seen, settings: TreeSettings, thought_of: Callable[[int], bool] | None = None
    ) -> None:
        """``thought_of`` tells of a cell whether it is to be searched; all are if not given."""
        self.won = seen.won
        self.best = seen.best
        self.cells, self.keys = seen.cells, seen.keys
        self.chance, self.resistances = seen.chance, seen.resistances
        count = len(seen.cells)
        self.priors = seen.shares
        self.visits = np.zeros(count, np.int64)
        self.values = np.zeros(count)
        self.known = np.zeros(count, bool)
        self.open = np.ones(count, bool)
        if thought_of is not None:
            self.open[:] = [thought_of(cell) for cell in seen.cells.tolist()]
        self.certain = bool(self.open.all())
        self.nodes: list[TreeNode | None] = [None] * count
        self.estimate = float(seen.won) if seen.won is not None else _estimate(seen, settings)
        self.value = self.estimate

    def choose(self, settings: TreeSettings, begun: Sequence[int] = ()) -> int:
        """Return the place of the move to look at next; one at least is open.

        ``begun``: the moves of the lines that are being looked at; each counts as a visit, and as
        lost as long as nobody knows better.
        """
        visits = self.visits
        spent = math.sqrt(float(self.priors[visits > 0].sum()))
        values = np.where(self.known, self.values, self.value - settings.reduction * spent)
        if begun:
            visits = visits + np.bincount(begun, minlength=len(visits))
            values *= (1 + self.visits) / (1 + visits)
        total = int(visits.sum())
        bonus = settings.exploration * math.sqrt(total + 1) * self.priors / (1 + visits)
        return int(np.where(self.open, values + bonus, -np.inf).argmax())

    @property
    def proved(self) -> bool:
        """Whether who wins is proved."""
        return self.won is not None and self.certain

    @property
    def searchable(self) -> bool:
        """Whether there is anything to find out by looking at a move."""
        return self.won is None and bool(self.open.any())

    @property
    def move(self) -> int:
        """The cell to play: it wins, else it is visited most; -1 if nobody has looked at any."""
        if self.best >= 0 or not self.known.any():
            return self.best
        order = np.lexsort((-self.priors, -self.values, -self.visits, ~self.open))
        return int(self.cells[order[0]])

    def after(self, cell: int) -> "TreeNode | None":
        """Return the node after a move, None if nobody has looked at it."""
        place = self.place(cell)
        return self.nodes[place] if place >= 0 else None

    def place(self, cell: int) -> int:
        """Return where a move stands in the arrays, -1 if it is none of them."""
        places = np.flatnonzero(self.cells == cell)
        return int(places[0]) if len(places) else -1

    def see(self, place: int) -> None:
        """Take over what is known now of the move at a place, whose node is there."""
        child = self.nodes[place]
        assert child is not None, "somebody has looked at it"
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

    def learn(self, place: int) -> None:
        """Take over what is known now of the move at a place that has been visited once more."""
        self.visits[place] += 1
        self.see(place)
        if self.won is None:
            self.value = mean_value(self.estimate, *self.seen_below())

    def seen_below(self) -> tuple[int, float]:
        """Return the visits to open moves, and the sum of their values, each times its visits."""
        weights = self.visits * self.open
        return int(weights.sum()), float(weights @ self.values)


def mean_value(estimate: float, visits: int, total: float) -> float:
    """Return a node's value: the mean of its estimate and of what was visited, in all ``total``."""
    return (estimate + total) / (1 + visits)


def _estimate(seen: Seen, settings: TreeSettings) -> float:
    own, other = seen.resistances
    balance = settings.network * logit(seen.chance) + settings.resistance * math.log(other / own)
    return 1 / (1 + math.exp(-balance - settings.tempo))


def _way(
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
        if (found := _way(below, rest, mover.opponent)) is not None:
            return (cell, *found[0]), found[1]
    return None


@dataclass(frozen=True)
class _Line:
    """Nodes from the root on, each with the place of its move; ``visit``: it counts as a visit.

    Where nobody has looked at its end yet: the ``key`` of that, and what waits for what is seen.
    """

    path: list[tuple[TreeNode, int]]
    visit: bool
    key: bytes = b""
    seen: Callable[[], Seen] | None = None


class SearchTree:
    """The tree below one position; one thread at a time may use it.

    ``looks`` counts the positions looked at. It grows at ``root``, the node of ``position``.
    """

    def __init__(
        self,
        lookers: Lookers,
        position: Position,
        settings: TreeSettings,
        known: Callable[[Position], Seen | None] = lambda _: None,
        scope: MoveScope = ALL_MOVES,
    ) -> None:
        """Look at a position with an empty cell.

        ``known`` tells what is proved of positions that follow it; they are not looked at.
        ``scope``: which moves are thought of; where there is none a line ends.
        """
        self._lookers = lookers
        self._known = known
        self._scope = scope
        self._settings = settings
        self._nodes: dict[bytes, TreeNode] = {}
        self._first = self.position = position
        self._moves: tuple[int, ...] = ()
        self._begun: deque[_Line] = deque()
        self.looks = 0
        self.root = self._top = self._made(lookers.begin(position, ())(), first=True)

    def _made(self, seen: Seen, *, first: bool = False) -> TreeNode:
        self.looks += 1
        scope = self._scope
        limited = None if scope == ALL_MOVES else partial(scope.allows, first=first)
        return TreeNode(seen, self._settings, limited)

    def grow(self, most: float = math.inf) -> None:
        """Visit one more line, to its first move that nobody has looked at, and learn from it.

        Does nothing where the root is decided, or ``most`` positions have been looked at. A line
        that ends where no move is to be thought of counts as looked at again. With more than one
        looker further lines are begun before.
        """
        while len(self._begun) < self._lookers.ahead and self._may_look(most):
            line = self._next_line()
            if line is None:
                break
            self._begun.append(line)
        self._finish()

    def widen(self, most: float = math.inf) -> bool:
        """Look at the next move of the root that nobody has looked at; False if there is none.

        That is no visit: it says what the move is worth at first, or that it decides.
        """
        node = self.root
        while len(self._begun) < self._lookers.ahead and self._may_look(most):
            new = node.open & ~node.known
            new[self._begun_at(node)] = False
            if node.won is not None or not new.any():
                break
            place = int(np.where(new, node.priors, -1.0).argmax())
            line = self._line([(node, place)], [*self._moves, int(node.cells[place])], visit=False)
            if line is None:
                break
            self._begun.append(line)
        return self._finish()

    def settle(self) -> None:
        """Learn from all lines that are begun."""
        while self._finish():
            pass

    def _may_look(self, most: float) -> bool:
        return self.looks + len(self._begun) < most

    def _begun_at(self, node: TreeNode) -> list[int]:
        """Return the places of the moves of a node that lines begun go through."""
        return [place for line in self._begun for at, place in line.path if at is node]

    def _next_line(self) -> "_Line | None":
        """Return the most promising line, None if there is none, or one waits for its end."""
        node, path, moves = self.root, list[tuple[TreeNode, int]](), [*self._moves]
        while node.searchable:
            place = node.choose(self._settings, self._begun_at(node))
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
        """Begin to look where a path ends, if nobody has; None if somebody is about to."""
        node, place = path[-1]
        key = node.keys[place].tobytes()
        if key in self._nodes:
            node.nodes[place] = self._nodes[key]
            return _Line(path, visit)
        if any(line.key == key for line in self._begun):
            return None
        known = self._known(after(self._first, moves))
        seen = (lambda: known) if known else self._lookers.begin(self._first, moves)
        return _Line(path, visit, key, seen)

    def _finish(self) -> bool:
        """Learn from the line that was begun first; False if there is none."""
        if not self._begun:
            return False
        line = self._begun.popleft()
        node, place = line.path[-1]
        if line.seen is not None:
            node.nodes[place] = self._nodes[line.key] = self._made(line.seen())
        elif line.visit:
            child = node.nodes[place]
            assert child is not None, "the line ends there"
            self.looks += child.won is None and not child.searchable
        if line.visit:
            for node, place in reversed(line.path):
                node.learn(place)
        else:
            node.see(place)
        return True

    def go_to(self, position: Position) -> bool:
        """Make a position that followed the first one the root; False if nobody looked at it."""
        stones = zip(self._first.stones, position.stones, strict=True)
        added = {cell: after for cell, (before, after) in enumerate(stones) if before != after}
        if any(self._first.stones[cell] for cell in added):
            return False
        found = _way(self._top, added, self._first.to_move)
        mover = self._first.to_move if len(added) % 2 == 0 else self._first.to_move.opponent
        if found is None or position.to_move is not mover:
            return False
        self._moves, self.root = found
        self.position = position
        return True

    def line(self, move: int) -> tuple[int, ...]:
        """Return a move of the root and what follows: of both sides the moves to play."""
        line, node = [move], self.root.after(move)
        while node is not None and node.move >= 0:
            line.append(node.move)
            node = node.after(node.move)
        return tuple(line)
