"""Tactics of Hex by fixed rules: bridge intrusions, ladders, edge templates, double threats.

docs/training.md#themes says the rules in words.
"""

from collections.abc import Sequence
from itertools import combinations

from hextui.engine.board import EMPTY, Board, Color, edges_of
from hextui.engine.connection import ConnectionKind
from hextui.engine.connections import ConnectionTable
from hextui.engine.position import Position
from hextui.engine.templates import BRIDGE, ROWS, Named, group_cells, seen_from, template_of

LADDER_STONES = 3  # in a row along an edge, each a move


def groups_at_both(position: Position, color: Color, first: int, second: int) -> int:
    """Return how many groups of a colour touch both of two adjacent cells: two make a bridge."""
    near, captain = position.board.neighbours, position.groups.captain
    both = set(near[first]) & set(near[second])
    return len({captain[cell] for cell in both if position.stones[cell] == color})


def intrudes_on_bridge(position: Position, move: int) -> bool:
    """Return whether a move is on one of the two empty cells of a bridge of the opponent."""
    return any(
        position.stones[cell] == EMPTY
        and groups_at_both(position, position.to_move.opponent, move, cell) == 2
        for cell in position.board.neighbours[move]
    )


def ladder_in(position: Position, line: Sequence[int]) -> frozenset[int]:
    """Return the stones of a ladder in a line of play, none if there is no ladder.

    A ladder is made by one side's successive moves to adjacent cells of its second or third row,
    in one direction, while the other side plays on the row below.
    """
    movers = (position.to_move, position.to_move.opponent)
    for turn, color in enumerate(movers):
        moves = line[turn::2]
        for edge in range(len(edges_of(color))):
            if run := _run(position, color, edge, moves, line[1 - turn :: 2]):
                return run
    return frozenset()


def _run(
    position: Position, color: Color, edge: int, moves: Sequence[int], others: Sequence[int]
) -> frozenset[int]:
    """Return the first stones that step along a row, with those of the other side below them."""
    board = position.board
    row_of = {
        cell: seen_from(board, cell, color, edge, frozenset())[0] for cell in (*moves, *others)
    }
    run = list(moves[:1])
    for cell in moves[1:]:
        row = row_of[cell]
        if row in ROWS and row == row_of[run[-1]] and _is_in_line(run, cell, board):
            run.append(cell)
        else:
            run = [cell]
        if len(run) == LADDER_STONES:
            below = [other for other in others if row_of[other] == row - 1]
            if len(below) >= LADDER_STONES - 1:
                return frozenset(run)
    return frozenset()


def _is_in_line(run: Sequence[int], cell: int, board: Board) -> bool:
    """Return whether a cell is the next one in the direction of a run, or any beside one cell."""
    last = run[-1]
    if cell not in board.neighbours[last]:
        return False
    return len(run) == 1 or cell - last == last - run[-2]


def template_made(after: ConnectionTable, move: int) -> Named | None:
    """Return the named template, no bridge, by which the stone of a move reaches an own edge."""
    position, color = after.position, after.color
    group = group_cells(position, move)
    for edge in (after.first_edge, after.second_edge):
        for link in after.between(move, edge):
            if link.kind is not ConnectionKind.FULL or len(link.cells) < 3:
                continue
            named = template_of(position, color, link.nodes, link.cells)
            if named is not None and named.name != BRIDGE and set(named.cells) & set(group):
                return named
    return None


def has_two_threats(after: ConnectionTable) -> bool:
    """Return whether two ways to join the edges have no cell in common."""
    pairs = combinations(after.edge_semis, 2)
    apart = (first.cells.isdisjoint(second.cells) for first, second in pairs)
    return bool(after.edge_fulls) or any(apart)
