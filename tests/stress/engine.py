"""Connections and verdicts against exhaustive play.

    python -m tests.stress.engine --seeds FIRST:LAST

A seed makes a position. Of a ``connections`` seed every connection of both colours with up to 9
cells in its carrier is played out, searched afresh or updated stone by stone, with settings by
chance. Of a ``verdicts`` seed the solver, with a rule or a memory by chance, says who wins, which
moves win and lose, and what each needs; all of it is compared with every line of play.
"""

import random
import sys
from collections.abc import Callable
from functools import cache

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch, ConnectionSettings, ConnectionTable
from hextui.engine.oriented import connections_of
from hextui.engine.solver.dfpn import Solver
from tests.engine.positions import random_position
from tests.engine.solver import test_dfpn
from tests.oracles.connections import holds
from tests.stress.seeds import run_seeds

LARGEST_CARRIER = 9
BOARDS = ((2, 4), (3, 3), (3, 4), (4, 3), (4, 4), (3, 5))


def connections(rng: random.Random) -> None:
    """Play out the connections of a position; raises AssertionError for one that does not hold."""
    position = random_position(rng, 5, rng.choice((0.0, 0.2, 0.4, 0.6)))
    settings = ConnectionSettings(
        and_over_edges=rng.random() < 0.3,
        or_size=rng.choice((0, 0, 0, 2, 3)),
        full_limit=rng.choice((3, 10)),
        semi_limit=rng.choice((6, 20)),
    )
    for color in Color:
        _play_out(connections_of(position, color, settings))
        search = ConnectionSearch(position.board, color, settings)
        search.search(position)
        for cell in rng.sample(position.empties, min(2, len(position.empties))):
            search.play(cell, rng.choice(list(Color)))
            _play_out(search.table())


def _play_out(table: ConnectionTable) -> None:
    for connection in table:
        if len(connection.cells) <= LARGEST_CARRIER:
            assert holds(table, connection), f"{table.position!r} {table.settings} {connection}"


@cache
def _solver(board: Board, rule: str) -> Solver:
    return Solver(board, test_dfpn.switched(rule) if rule else test_dfpn.SMALL)


def verdicts(rng: random.Random) -> None:
    """Compare all that the solver says of a position; raises AssertionError for what is wrong."""
    board = Board(*rng.choice(BOARDS))
    position = test_dfpn.random_position(board, rng, min(board.cells, 11))
    test_dfpn.check(_solver(board, rng.choice(("", "", *test_dfpn.RULES))), position)


KINDS: dict[str, Callable[[random.Random], None]] = {
    "connections": connections,
    "verdicts": verdicts,
}


def attack(seed: int, kind: str = "") -> str | None:
    """Attack with a seed; return what is wrong, None if nothing is."""
    rng = random.Random(seed)
    chosen = rng.choice(list(KINDS))
    try:
        KINDS[kind or chosen](rng)
    except AssertionError as error:
        return f"{kind or chosen}: {error}"
    return None


if __name__ == "__main__":
    sys.exit(run_seeds("engine", lambda seed, options: attack(seed, options.kind), KINDS))
