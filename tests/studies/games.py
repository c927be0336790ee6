"""Games for tests, made here, and a plain-Python twin of the study of ranks."""

import json
import random
from fractions import Fraction
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.network import PathMemory
from hextui.engine.oriented import OrientedSearch
from hextui.engine.position import Position
from tests.oracles import paths as oracle


def random_game(seed: int, board: Board) -> dict[str, object]:
    """Return a game of random moves, played until a chain, as a JSON object."""
    rng = random.Random(seed)
    position = Position.empty(board)
    moves = []
    while position.winner is None:
        cell = rng.choice(position.empties)
        moves.append(board.name(cell))
        position = position.play(cell)
    size = {"rows": board.rows, "columns": board.columns}
    winner = "red" if position.winner is Color.BLACK else "blue"
    return {"id": seed, "size": size, "winner": winner, "end": "other", "moves": " ".join(moves)}


def write_games(path: Path, games: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(game) + "\n" for game in games))
    return path


def contributions(
    position: Position, color: Color, *, parallel: bool = False, **options: bool
) -> list[dict[int, Fraction]]:
    """Return the k-contribution of each cell, k = 0, 1, 2, by enumerating all paths.

    ``parallel``: all full connections are links. ``options``: see `tests.oracles.paths.counts`.

    As the colour sees the board; where the stones are their own image, turned by 180 degrees,
    cells that change places get the mean of both.
    """
    cells = position.board.cells
    oriented = OrientedSearch(position.board, color, PathMemory(position.board)).search(position)
    seen, own = oriented.orientation.position, oriented.search.color
    links = oracle.plain_links(seen, own)
    for connection in oriented.seen:
        if connection.kind is ConnectionKind.FULL:
            a, b = sorted(connection.nodes)
            smaller = (a, b) not in links or oracle.order(connection.cells) < oracle.order(
                links[a, b]
            )
            if smaller:
                links[a, b] = connection.cells
    reduced = oracle.reduced(seen, own, links)
    graph: oracle.Graph | oracle.Multigraph = reduced
    if parallel:
        fulls = [c for c in oriented.seen if c.kind is ConnectionKind.FULL]
        graph = {
            a: {
                b: list({carrier, *(c.cells for c in fulls if set(c.nodes) == {a, b})})
                for b, carrier in near.items()
            }
            for a, near in reduced.items()
        }
    found = oracle.counts(graph, cells, **options).contribution
    if seen.stones == seen.stones[::-1]:
        found = [{c: (each[c] + each[cells - 1 - c]) / 2 for c in each} for each in found]
    held = oriented.orientation.node_of
    return [{int(held[c]): share for c, share in each.items()} for each in found]


def places(values: dict[int, Fraction], cell: int) -> tuple[int, float, float, float]:
    """Return rank, mid rank, Q and mid Q of a cell, straight from their definitions."""
    better = sum(value > values[cell] for value in values.values())
    tied = [better + 1 + i for i in range(sum(v == values[cell] for v in values.values()))]
    mid, n = sum(tied) / len(tied), len(values)
    if n == 1:
        return 1, 1.0, 1.0, 1.0
    return better + 1, mid, 1 - better / (n - 1), 1 - (mid - 1) / (n - 1)
