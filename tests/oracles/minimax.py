"""Plain minimax over everything of the given widths: no bounds, no table, no deepening."""

import math
from dataclasses import replace

from hextui.engine.board import Color
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.evaluators.base import Evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.minimax import NodeBench
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope

# value from the root's view, moves, who has won in the end
Outcome = tuple[float, tuple[int, ...], Color | None]


def allowed(
    bench: Workbench, evaluator: Evaluator, scope: MoveScope, *, root: bool = False
) -> tuple[Ranking, list[int]]:
    """The ranking, without moves that leave the opponent a semi connection of its sides.

    And the moves of it that are thought of; at the root those that lose, if there are no others.
    """
    *_, ranking = evaluator.rank(bench)
    chosen = [m.cell for m in ranking.moves if scope.allows(m.cell, first=root)]
    ranking = without_losing(bench, ranking)
    kept = [move.cell for move in ranking.moves if move.cell in chosen]
    return ranking, kept or chosen


def without_losing(bench: Workbench, ranking: Ranking) -> Ranking:
    threats = edge_connections(bench, bench.position.to_move.opponent)
    if threats and threats[0].kind is ConnectionKind.FULL:
        return ranking  # all is lost
    kept = [move for move in ranking.moves if all(move.cell in c.cells for c in threats)]
    return replace(ranking, moves=tuple(kept or ranking.moves))


def edge_connections(bench: Workbench, color: Color) -> list[Connection]:
    """The connections of a colour's sides, full ones first, the smallest first."""
    table = bench.table(color)
    sides = {table.first_edge, table.second_edge}
    found = [c for c in table if set(c.nodes) == sides]
    return sorted(found, key=lambda c: (c.kind is ConnectionKind.SEMI, len(c.cells)))


def plain_lines(
    root: Position, evaluator: Evaluator, widths: tuple[int, ...], scope: MoveScope = ALL_MOVES
) -> tuple[list[Outcome], int]:
    """The lines of the root's moves, best first, and how many positions were looked at."""
    orientation = canonical(root)
    seen = scope.seen(orientation)
    found, looked = lines_there(orientation.position, evaluator, widths, seen)
    return [
        (
            value,
            tuple(orientation.cell_of[m] for m in moves),
            winner and orientation.color_back(winner),
        )
        for value, moves, winner in found
    ], looked


def lines_there(
    root: Position, evaluator: Evaluator, widths: tuple[int, ...], scope: MoveScope
) -> tuple[list[Outcome], int]:
    """The same, of the position as it is held."""
    bench = Workbench(root.board)
    bench.look_at(root)
    node_bench = NodeBench(root, bench)
    looked = 1

    def outcome(position: Position, ply: int) -> Outcome:
        nonlocal looked
        looked += 1
        node_bench.look_at(position)
        if node_bench.winner is not None:
            won = node_bench.winner is root.to_move
            return (math.inf if won else -math.inf), (), node_bench.winner
        ranking, moves = allowed(node_bench, evaluator, scope)
        mine = position.to_move is root.to_move
        if widths[ply] == 0 or not moves:
            worth = evaluator.worth(node_bench, ranking)
            return (worth if mine else evaluator.turned(worth)), tuple(moves[:1]), None
        children = [(move, outcome(position.play(move), ply + 1)) for move in moves[: widths[ply]]]
        choose = max if mine else min
        move, (value, line, winner) = choose(children, key=lambda child: child[1][0])
        return value, (move, *line), winner

    ranking, moves = allowed(bench, evaluator, scope, root=True)
    won: list[Outcome] = []
    if own := edge_connections(bench, root.to_move):
        winning = moves[0] if own[0].key_cell is None else own[0].key_cell
        if scope.allows(winning, first=True):
            moves = [move for move in moves if move != winning]
            won = [(math.inf, (winning,), root.to_move)]
    if widths[0] == 0:
        return won or [(evaluator.worth(bench, ranking), (moves[0],), None)], looked
    lines = []
    for move in moves[: widths[0] - len(won)]:
        value, line, winner = outcome(root.play(move), 1)
        lines.append((value, (move, *line), winner))
    return sorted(won + lines, key=lambda line: -line[0]), looked
