"""Plain minimax over everything of the given widths: no bounds, no table, no deepening."""

import math

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Evaluator, Workbench
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.search.node_bench import NodeBench

# value from the root's view, moves, who has won in the end
Outcome = tuple[float, tuple[int, ...], Color | None]


def plain_lines(
    root: Position, evaluator: Evaluator, widths: tuple[int, ...]
) -> tuple[list[Outcome], int]:
    """The lines of the root's moves, best first, and how many positions were looked at."""
    orientation = canonical(root)
    found, looked = lines_there(orientation.position, evaluator, widths)
    return [
        (
            value,
            tuple(orientation.cell_of[m] for m in moves),
            winner and orientation.color_back(winner),
        )
        for value, moves, winner in found
    ], looked


def lines_there(
    root: Position, evaluator: Evaluator, widths: tuple[int, ...]
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
        *_, ranking = evaluator.rank(node_bench)
        moves = [move.cell for move in ranking.moves]
        mine = position.to_move is root.to_move
        if widths[ply] == 0:
            worth = evaluator.worth(node_bench, ranking)
            return (worth if mine else evaluator.turned(worth)), (moves[0],), None
        children = [(move, outcome(position.play(move), ply + 1)) for move in moves[: widths[ply]]]
        choose = max if mine else min
        move, (value, line, winner) = choose(children, key=lambda child: child[1][0])
        return value, (move, *line), winner

    *_, ranking = evaluator.rank(bench)
    if widths[0] == 0:
        return [(evaluator.worth(bench, ranking), (ranking.moves[0].cell,), None)], looked
    lines = []
    for move in ranking.moves[: widths[0]]:
        value, line, winner = outcome(root.play(move.cell), 1)
        lines.append((value, (move.cell, *line), winner))
    return sorted(lines, key=lambda line: -line[0]), looked
