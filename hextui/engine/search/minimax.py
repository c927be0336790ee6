"""Selective minimax: the best lines of play, by a few moves a position.

Source: docs/methods.md#selective-minimax. At the root the 8 moves that an evaluator ranks highest
are tried, then 6 replies to each, then 4, then 2 (``widths``); the line ends with the highest move
there. The side to move at the root maximises, the other minimises. A value is the evaluator's
``worth`` of the position at the end of the line, seen by the side to move at the root.

A line ends early, with value inf or -inf, where somebody has won by a chain, a connection of the
edges, or as a solver has proved. Moves outside the must-play region or the `MoveScope` are left out
before the widths count. A winning move at the root comes first. In a ``literal`` search, as in the
source, only a chain ends a line.

Alpha-beta, a table of positions and deepening change the work, not the result: that of plain
minimax, ties included. Equal lines stand in the order in which the root's moves rank. All is
searched in the canonical orientation.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.connections import ConnectionSearch
from hextui.engine.evaluators.base import Evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.limit import StoppedError
from hextui.engine.network import PathMemory
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.oriented import OrientedConnections
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.lines import Line, Lines, LineSettings, SolverLookup
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope


def find_lines(
    bench: Workbench,
    evaluator: Evaluator,
    settings: LineSettings,
    stop: Callable[[], bool] = lambda: False,
    proved: SolverLookup = lambda _: None,
    scope: MoveScope = ALL_MOVES,
) -> Iterator[Lines]:
    """Yield the best lines from the bench's position, better and better; the last is final.

    Nobody swaps in them.
    ``proved``: who wins a position if a solver knows. A finished game has no lines. Ends without a
    final result soon after ``stop()`` is true. Raises ValueError if the ``scope`` has no move here.
    """
    orientation = canonical(bench.position.without_swap)
    search = _LineSearch(
        bench.turned(orientation.position),
        _evaluator=evaluator,
        _settings=settings,
        _stop=stop,
        _proved=proved,
        _scope=scope.seen(orientation),
    )
    for lines in search.run():
        yield replace(lines.back(orientation), position=bench.position)


@dataclass(frozen=True)
class _Node:
    """What the search knows of a position: moves best first, worth to the side to move."""

    moves: tuple[int, ...]
    worth: float
    winner: Color | None


@dataclass(frozen=True)
class _Found:
    """A value from the root's view, and the moves from here on that lead to it."""

    value: float
    moves: tuple[int, ...]
    winner: Color | None = None


class _Bounded(NamedTuple):
    """What a visit of a position found, and the bounds between which its value lies."""

    best: _Found
    least: float
    most: float

    @staticmethod
    def of(best: _Found, low: float, high: float) -> "_Bounded":
        """Return what a visit found that searched for values between low and high."""
        least = best.value if best.value > low else -math.inf
        most = best.value if best.value < high else math.inf
        return _Bounded(best, least, most)

    def suffices(self, low: float, high: float) -> bool:
        """Return whether another visit with these limits would find nothing new."""
        return self.least == self.most or self.least >= high or self.most <= low


@dataclass(eq=False)
class _LineSearch:
    """One search, its nodes kept from round to round, each a move deeper."""

    _root_bench: Workbench
    _evaluator: Evaluator
    _settings: LineSettings
    _stop: Callable[[], bool]
    _proved: SolverLookup
    _scope: MoveScope

    def __post_init__(self) -> None:
        self._root = self._root_bench.position
        self._bench = NodeBench(self._root, self._root_bench)
        self._winner = self._winner_of(self._root_bench)
        self._winning: int | None = None
        self._nodes: dict[bytes, _Node] = {}
        self._table: dict[bytes, _Bounded] = {}  # from earlier visits of this round
        self._leaf = 0  # the ply at which this round ends
        self._result = Lines(
            position=self._root,
            evaluator=self._evaluator.name,
            settings=self._settings,
            full_nodes=full_nodes(len(self._root.empties), self._settings.widths),
            winner=self._winner,
        )

    def run(self) -> Iterator[Lines]:
        """Yield results, round by round, until it is stopped."""
        if self._root.winner is not None or not self._root.empties:
            yield replace(self._result, final=True)
            return
        self._scope.check(self._root.empties)
        with suppress(StoppedError):
            yield from self._rounds()

    def _rounds(self) -> Iterator[Lines]:
        # the root's ranking is that of a fresh search, as everywhere
        root = self._evaluated(self._root_bench, root=True)
        lines: tuple[Line, ...] = (self._line(root.moves[:1], root.worth),)
        winning = self._winner is self._root.to_move and self._winning_move(root.moves[0])
        if winning is not False and self._scope.allows(winning, first=True):
            self._winning = winning
            others = (move for move in root.moves if move != self._winning)
            root = replace(root, moves=(self._winning, *others))
            lines = (self._line((self._winning,), math.inf, winner=self._winner),)
        self._nodes[self._root.key] = root
        rounds = len(self._settings.widths)
        yield replace(self._result, lines=lines, depth=1, nodes=len(self._nodes), final=rounds == 1)
        for self._leaf in range(1, rounds):
            self._table.clear()
            for result in self._round(root.moves[: self._settings.widths[0]], lines):
                yield result
            lines = result.lines

    def _line(
        self, moves: tuple[int, ...], value: float, depth: int = 1, winner: Color | None = None
    ) -> Line:
        return Line(Cells(self._root.board, moves), value, depth, winner)

    def _round(self, moves: tuple[int, ...], older: tuple[Line, ...]) -> Iterator[Lines]:
        """Yield the lines after each move of the root; in the end those of before are gone."""
        depth = self._leaf + 1
        count = self._settings.count
        lines: list[Line] = []
        for done, move in enumerate(moves, start=1):
            least = lines[count - 1].value if len(lines) >= count else -math.inf
            if move == self._winning:
                below = _Found(math.inf, (), self._winner)
            else:
                below = self._value(self._root.play(move), 1, least, math.inf)
            if len(lines) < count or below.value > least:
                moves_found = (move, *below.moves)
                lines.append(self._line(moves_found, below.value, depth, below.winner))
                lines.sort(key=lambda line: -line.value)  # stable: equal ones stay as they rank
                del lines[count:]
            last = done == len(moves)
            before = (line for line in older if line.moves.numbers[0] not in moves[:done])
            yield replace(
                self._result,
                lines=(*lines, *(() if last else before))[:count],
                depth=depth,
                searched=done,
                moves=len(moves),
                nodes=len(self._nodes),
                final=last and depth == len(self._settings.widths),
            )

    def _value(self, position: Position, ply: int, low: float, high: float) -> _Found:
        """Return the value if it lies between low and high, else a bound on it on that side."""
        node = self._node(position)
        if node.winner is not None:
            value = math.inf if node.winner is self._root.to_move else -math.inf
            return _Found(value, (), node.winner)
        if ply == self._leaf or not node.moves:
            maximising = position.to_move is self._root.to_move
            worth = node.worth if maximising else self._evaluator.turned(node.worth)
            return _Found(worth, node.moves[:1])
        earlier = self._table.get(position.key)
        if earlier is not None and earlier.suffices(low, high):
            return earlier.best
        best = self._best(position, node.moves[: self._settings.widths[ply]], ply, low, high)
        self._table[position.key] = _Bounded.of(best, low, high)
        return best

    def _best(
        self, position: Position, moves: tuple[int, ...], ply: int, low: float, high: float
    ) -> _Found:
        maximising = position.to_move is self._root.to_move
        best: _Found | None = None
        for move in moves:
            after = self._value(position.play(move), ply + 1, low, high)
            if best is None or (
                after.value > best.value if maximising else after.value < best.value
            ):
                best = _Found(after.value, (move, *after.moves), after.winner)
            if maximising:
                low = max(low, best.value)
            else:
                high = min(high, best.value)
            if low >= high:
                break
        assert best is not None, "a position with a winner is no parent"
        return best

    def _node(self, position: Position) -> _Node:
        node = self._nodes.get(position.key)
        if node is None:
            self._bench.look_at(position)
            winner = self._winner_of(self._bench)
            node = _Node((), 0.0, winner) if winner else self._evaluated(self._bench)
            self._nodes[position.key] = node
        return node

    def _winner_of(self, bench: Workbench) -> Color | None:
        position = bench.position
        if self._settings.literal or position.winner is not None:
            return position.winner
        if bench.winner is not None:
            return bench.winner
        answer = self._proved(position)
        return answer.winner if answer else None

    def _winning_move(self, highest: int) -> int:
        """Return a move of the root that is proved to win: the highest one where any will do."""
        table = self._root_bench.table(self._root.to_move)
        if table.edge_fulls:
            return highest
        if table.edge_semis:
            key = table.edge_semis[0].key_cell
            assert key is not None, "a search makes semi connections by AND"
            return key
        answer = self._proved(self._root)
        return answer.best if answer and answer.best is not None else highest

    def _evaluated(self, bench: Workbench, *, root: bool = False) -> _Node:
        """Rank and judge a position; the ``root``'s final ranking is used even if stopped."""
        ranking = self._last_ranking(bench, root)
        cells = tuple(m.cell for m in ranking.moves if self._scope.allows(m.cell, first=root))
        if not self._settings.literal and (region := bench.must_play):
            kept = tuple(move for move in ranking.moves if move.cell in region)
            ranking = replace(ranking, moves=kept)
            # of a scope that only loses, the moves are yielded all the same
            cells = tuple(cell for cell in cells if cell in region) or cells
        widest = max(1, *self._settings.widths)
        return _Node(cells[:widest], self._evaluator.worth(bench, ranking), None)

    def _last_ranking(self, bench: Workbench, root: bool) -> Ranking:
        """Return the last ranking of a position; StoppedError unless it is the root's final one."""
        ranking: Ranking | None = None
        for ranking in self._evaluator.rank(bench):
            if self._stop() and not (root and ranking.final):
                raise StoppedError("stopped before all lines were searched")
        assert ranking is not None, "every evaluator yields a final ranking"
        return ranking


def full_nodes(empties: int, widths: Sequence[int]) -> int:
    """Return how many positions plain minimax evaluates, the root included.

    >>> full_nodes(121, (8, 6, 4, 2, 0))
    633
    """
    total = level = 1
    for ply, width in enumerate(widths):
        level *= min(width, empties - ply)
        total += level
    return total


class NodeBench(Workbench):
    """A bench at positions that follow ``root`` by stones put on empty cells.

    With limits on the lists, connections depend on the order of the stones. So they are added in
    one order: Black's by their cells, then White's.
    """

    def __init__(self, root: Position, like: Workbench) -> None:
        """Take the settings of a bench ``like`` this one."""
        self._root = root
        super().__init__(root.board, like.connection_settings)
        self.position = root

    def _take_kernels(self, width: int) -> None:
        self._width = width
        self.room = PathMemory(self.board, width)
        self._followers = {
            color: ConnectionSearch(self.board, color, self.connection_settings, width)
            for color in Color
        }
        for search in self._followers.values():
            search.search(self._root)
        self._added: list[tuple[int, Color]] = []

    def look_at(self, position: Position) -> None:
        """Turn to a position that follows the root."""
        super().look_at(position)
        wanted = sorted(
            ((cell, Color(stone)) for cell, stone in enumerate(position.stones)
             if stone != self._root.stones[cell]),
            key=lambda added: (added[1], added[0]),
        )  # fmt: skip
        same = 0
        while self._added[same : same + 1] == wanted[same : same + 1] != []:
            same += 1
        for search in self._followers.values():
            for _ in self._added[same:]:
                search.undo()
            for cell, color in wanted[same:]:
                search.play(cell, color)
        self._added = wanted

    def oriented(self, color: Color) -> OrientedConnections:
        """Return the connections of the position as it is: in a search nothing is turned."""
        if color not in self._oriented:
            search = self._followers[color]
            self._oriented[color] = OrientedConnections(
                self.position, color, Orientation(self.position), search
            )
        return self._oriented[color]
