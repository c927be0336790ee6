"""Ev: how likely an opponent who plays at random leaves one of four short paths open.

Source: https://github.com/GigaCronos/ai-hex-2025; see docs/methods.md#blocking. Ev(B, X) takes a
shortest winning path of X, in empty cells, own stones counting 0, and blocks one of its cells, four
times. With lengths L[0..3] on a board of tot cells, Ev = P[0], where P[i] = (tot - L[i]) / tot +
L[i] / tot * P[i + 1] and P[4] = 0. A finished chain has P = 1, no path P = 0. The score of X's move
is max(Ev(B, X), 1 - Ev(B, Y)) for the board B after it. Equally short paths and blocked cells are
drawn by lot, depending on the seed and the stones alone.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hextui.engine.board import EMPTY, Color, edges_of
from hextui.engine.evaluators.base import LOG_ODDS, Evaluator, Source
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.blocking_room import BlockingRoom
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.explanation import Facts, Illustration, Term

PATHS = 4


@dataclass(frozen=True)
class Blocking(Evaluator):
    """Ranks moves by their score.

    ``average``: take the mean over the blocked cells, of all choices or of so many ``samples``; of
    equally short paths it takes the first in row order from the colour's last edge.
    """

    method = "blocking"
    short = "block"
    about = "four short paths, blocked"
    scale = LOG_ODDS
    source = Source(
        "GigaCronos",
        2025,
        "ai-hex-2025: minimax with heuristics",
        "Ev(B, X), and the score of a move",
        "https://github.com/GigaCronos/ai-hex-2025",
    )

    average: bool = False
    samples: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed is 0 to 2^63 - 1, not {self.seed}")
        if self.samples is not None and not (self.average and 0 < self.samples < 2**31):
            raise ValueError("samples are for the average, 1 or more")

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        from hextui.engine.evaluators.path_counts import in_chunks

        position = bench.position
        total = len(position.empties)
        if not total:
            yield Ranking(self.name, ())
        room = self._room(position)
        values: dict[int, float] = {}
        for chunk, scores in in_chunks(position.empties, room.scores):
            values |= zip(chunk, scores.tolist(), strict=True)
            yield rank_by_value(self.name, values, final=len(values) == total)

    def path_value(self, position: Position, color: Color) -> float:
        """Return Ev(B, X) of a position for a colour, from 0 to 1."""
        return self._room(position).value(color)

    def _room(self, position: Position) -> "BlockingRoom":
        from hextui.engine.evaluators.blocking_room import BlockingRoom

        return BlockingRoom(position, self.seed, self.average, self.samples or 0)

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> "Facts":
        from hextui.engine.explanation import Facts, Note, Remark, Term

        mover, after = bench.position.to_move, bench.position.play(move)
        terms, pictures = [Term("tot", bench.board.cells)], []
        for color in (mover, mover.opponent):
            found, shown = self._one_side(after, color)
            terms += found
            pictures += shown
        notes = (Note(Remark.BLOCKED_CELLS),)
        return Facts(tuple(terms), tuple(pictures), notes, after=True)

    def _one_side(self, after: Position, color: Color) -> "tuple[list[Term], list[Illustration]]":
        """Return the terms and pictures of one side's Ev."""
        from hextui.engine.explanation import CellSet, Illustration, Role, Shows, Term

        room, cells = self._room(after), after.board.cells
        whole, turns = Term("Ev", room.value(color), color), room.is_turned(color)
        if self.average:
            first = shortest(after, color, turns)
            if first is None:
                return [whole], [Illustration(Shows.CUT_OFF, color)]
            picture = Illustration(Shows.FIRST_PATH, color, (CellSet(Role.WAY, first),))
            return [Term("L[0]", len(first), color), whole], [picture]
        terms, pictures, blocked = [], [], list[int]()
        choices = room.drawn(color)
        for number in range(PATHS):
            choice = choices[number] if number < len(choices) else None
            path = shortest(after, color, turns, blocked, choice.rest if choice else ())
            walls = CellSet(Role.BLOCKED, tuple(blocked))
            if path is None:
                shown = Illustration(Shows.NO_MORE_PATHS, color, (walls,), number=number + 1)
                pictures.append(shown)
                break
            terms.append(Term(f"L[{number}]", len(path), color))
            shown = Illustration(
                Shows.OPEN_PATH,
                color,
                (CellSet(Role.WAY, path), walls),
                number=number + 1,
                node=choice.cell if choice else -1,
                amount=Fraction(cells - len(path), cells),
            )
            pictures.append(shown)
            if choice is None:
                break
            blocked.append(choice.cell)
        return [*terms, whole], pictures


def shortest(
    position: Position,
    color: Color,
    turns: bool,
    blocked: Sequence[int] = (),
    rest: tuple[int, ...] = (),
) -> tuple[int, ...] | None:
    """Return the empty cells of a shortest path around blocked cells, None if there is none.

    It ends with ``rest``; before that, from the last side on, each cell is the first one in row
    order as the colour sees the board, which it ``turns`` by 180 degrees.
    """
    if not turns:
        return _shortest(position, color, frozenset(blocked), rest)
    turn = position.board.rotate
    turned = frozenset(map(turn, blocked))
    found = _shortest(position.rotated(), color, turned, tuple(map(turn, rest)))
    return None if found is None else tuple(map(turn, found[::-1]))


def _shortest(
    position: Position, color: Color, blocked: frozenset[int], rest: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Return a shortest path that ends with ``rest``, the colour looking from the first side."""
    costs = _costs(position, color, blocked)
    last = edges_of(color)[1]
    ends = [costs[cell] for cell in position.board.edge_cells[last] if cell in costs]
    if not ends:
        return None
    path = list(rest[::-1])
    for number in range(min(ends) - len(path), 0, -1):
        if path:
            touched = set(position.board.neighbours[path[-1]])
        else:
            touched = set(position.board.edge_cells[last])
        fit = [
            cell
            for cell in _through_stones(position, color, touched)
            if position.stones[cell] == EMPTY and costs.get(cell) == number
        ]
        path.append(min(fit, key=lambda cell: _order(position, color, cell)))
    return tuple(path[::-1])


def _costs(position: Position, color: Color, blocked: frozenset[int]) -> dict[int, int]:
    """Return how many empty cells a way from the first side to each cell needs, with its own."""
    board, stones = position.board, position.stones
    found: dict[int, int] = {}
    waiting = deque(
        sorted((int(stones[cell] == EMPTY), cell) for cell in board.edge_cells[edges_of(color)[0]])
    )
    while waiting:
        cost, cell = waiting.popleft()
        if cell in found or cell in blocked or stones[cell] == color.opponent:
            continue
        found[cell] = cost
        for near in board.neighbours[cell]:
            if stones[near] == EMPTY:
                waiting.append((cost + 1, near))
            else:
                waiting.appendleft((cost, near))
    return found


def _through_stones(position: Position, color: Color, touched: set[int]) -> set[int]:
    """Return cells, and those that own stones among them lead on to."""
    waiting = [cell for cell in touched if position.stones[cell] == color]
    for stone in waiting:
        new = set(position.board.neighbours[stone]) - touched
        waiting += [cell for cell in new if position.stones[cell] == color]
        touched |= new
    return touched


def _order(position: Position, color: Color, cell: int) -> tuple[int, int]:
    row, column = divmod(cell, position.board.columns)
    return (row, column) if color is Color.BLACK else (column, row)
