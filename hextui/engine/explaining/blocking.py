"""Ev of both sides after a move: the paths, what blocks them, and the chance P.

Source: https://github.com/GigaCronos/ai-hex-2025; see docs/methods.md#blocking.
"""

from collections import deque
from fractions import Fraction

from hextui.engine.board import EMPTY, Color, edges_of
from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.blocking import Blocked, Blocking, drawn, is_turned, path_value
from hextui.engine.explaining.shared import color_order, explanation
from hextui.engine.explanation import CellSet, Explanation, Painting, Role, Source, Term
from hextui.engine.player_texts import player
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.words.names import counted

GIGACRONOS = Source(
    "GigaCronos",
    2025,
    "ai-hex-2025: minimax with heuristics",
    "Ev(B, X), and the score of a move",
    "https://github.com/GigaCronos/ai-hex-2025",
)
SENTENCE = (
    "The chance that an opponent who plays at random leaves one of four short paths open, or that "
    "the opponent's own four do not stay open."
)
PATHS = 4


def explain(evaluator: Blocking, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return why a move has its score."""
    position = bench.position
    mover = position.to_move
    after = position.play(move)
    terms = [Term("tot", bench.board.cells, "cells of the board")]
    paintings: list[Painting] = []
    for color in color_order(mover):
        found, shown = _one_side(evaluator, after, color)
        terms += found
        paintings += shown
    mine, theirs = player(mover), player(mover.opponent)
    return explanation(
        position,
        after,
        move,
        ranking,
        sentence=SENTENCE,
        formula=f"max(Ev({mine}), 1 - Ev({theirs})); Ev = P[0], "
        "P[i] = (tot - L[i]) / tot + L[i] / tot P[i + 1], P[4] = 0",
        direction="The highest score is the best for the side to move.",
        source=GIGACRONOS,
        terms=tuple(terms),
        paintings=tuple(paintings),
        notes=(_choice(evaluator),),
    )


def _choice(evaluator: Blocking) -> str:
    if not evaluator.average:
        return "Equally short paths and the blocked cells are drawn by lot, from the stones alone."
    if evaluator.samples:
        return f"Ev is the mean of {counted(evaluator.samples, 'draw')} of the blocked cells."
    return "Ev is the mean over all choices of the blocked cells."


def _one_side(
    evaluator: Blocking, after: Position, color: Color
) -> tuple[list[Term], list[Painting]]:
    """Return the terms and paintings of one side's Ev."""
    value = path_value(after, color, evaluator)
    whole = Term("Ev", value, "chance that a path stays open", color)
    board, group = after.board, f"paths of {player(color)}"
    if evaluator.average:
        first = shortest(after, color, frozenset())
        if first is None:
            return [whole], [Painting(group, f"{player(color)} is cut off: no path.", color)]
        text = "The first path; each of its cells is blocked in turn, or some by lot."
        painting = Painting(group, text, color, (CellSet(Role.WAY, first),))
        return [Term("L[0]", len(first), "empty cells of the first path", color), whole], [painting]
    terms: list[Term] = []
    paintings: list[Painting] = []
    blocked: list[int] = []
    choices = drawn(after, color, evaluator)
    for number in range(PATHS):
        choice = choices[number] if number < len(choices) else None
        path = shortest(after, color, frozenset(blocked), choice)
        if path is None:
            text = f"{player(color)} has no path {number + 1}: what is blocked cuts it off."
            paintings.append(Painting(group, text, color, (CellSet(Role.BLOCKED, tuple(blocked)),)))
            break
        length = len(path)
        terms.append(Term(f"L[{number}]", length, f"empty cells of path {number + 1}", color))
        chance = Fraction(board.cells - length, board.cells)
        text = f"Path {number + 1}: {counted(length, 'empty cell')}, missed with chance {chance}"
        if choice is not None:
            text += f"; {board.name(choice.cell)} is blocked next"
        cells = " ".join(map(board.name, path)) or "only stones"
        parts = (CellSet(Role.WAY, path), CellSet(Role.BLOCKED, tuple(blocked)))
        paintings.append(Painting(group, f"{text}. {cells}.", color, parts))
        if choice is None:
            break
        blocked.append(choice.cell)
    return [*terms, whole], paintings


def shortest(
    position: Position, color: Color, blocked: frozenset[int], choice: Blocked | None = None
) -> tuple[int, ...] | None:
    """Return the empty cells of a shortest path of a colour around blocked cells, in order.

    With a ``choice`` it ends as that; else, from the side on that the colour sees last, each cell
    is the first one in row order as the colour sees the board. None if there is no path.
    """
    rest = choice.rest if choice else ()
    if not is_turned(position, color):
        return _shortest(position, color, blocked, rest)
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
