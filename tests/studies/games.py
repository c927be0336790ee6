"""Games for tests, made here, and a plain-Python twin of the study of ranks."""

import json
import random
from fractions import Fraction
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.network import PathRoom
from hextui.engine.outlook import Seat
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


def contributions(position: Position, color: Color) -> list[dict[int, Fraction]]:
    """Return the k-contribution of each cell, k = 0, 1, 2, by enumerating all paths.

    They are those of the way up in which the colour looks at the position, the mean of both ways
    where these are the same.
    """
    outlook = Seat(position.board, color, PathRoom(position.board)).look_at(position)
    seen, view = outlook.orientation.position, outlook.orientation
    own = outlook.search.color
    links = oracle.plain_links(seen, own)
    for connection in outlook.seen.live():
        if connection.kind is ConnectionKind.FULL:
            a, b = sorted(connection.ends)
            smaller = (a, b) not in links or oracle.order(connection.carrier) < oracle.order(
                links[a, b]
            )
            if smaller:
                links[a, b] = connection.carrier
    graph = oracle.reduced(seen, own, links)
    last = position.board.cells - 1
    return [
        {
            view.cell_of[cell]: (share + shares[last - cell]) / 2 if view.symmetric else share
            for cell, share in shares.items()
        }
        for shares in oracle.counts(graph, last + 1).contribution
    ]


def places(values: dict[int, Fraction], cell: int) -> tuple[int, float, float, float]:
    """Return rank, mid rank, Q and mid Q of a cell, straight from their definitions."""
    better = sum(value > values[cell] for value in values.values())
    tied = [better + 1 + i for i in range(sum(v == values[cell] for v in values.values()))]
    mid, n = sum(tied) / len(tied), len(values)
    if n == 1:
        return 1, 1.0, 1.0, 1.0
    return better + 1, mid, 1 - better / (n - 1), 1 - (mid - 1) / (n - 1)
