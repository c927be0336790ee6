"""The currents that order the solver's moves, against a circuit solved as a whole."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.descent import look
from hextui.engine.kernels.solver.expand import OPEN
from hextui.engine.kernels.solver.order import EQUAL, LARGEST, LEAK
from hextui.engine.kernels.solver.proofs import make_store
from hextui.engine.solver.search import SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width
from tests.engine.positions import played


def circuit(links: ConnectionSearch) -> tuple[NDArray[np.float64], float]:
    """Return the current through each empty cell, 1 from edge to edge, and the resistance.

    A link of two nodes conducts 1, twice as much for each end that is no empty cell, divided by
    one and the number of cells that all its full connections need.
    """
    pool, ints, words, width = links._pool, links._ints, links._words, links.width
    nodes, cells = int(pool["nodes"]), int(pool["cells"])
    kinds = ints[pool["kind"] :][:nodes]
    strength = np.zeros((nodes, nodes))
    for slot in range(pool["slots"]):
        fields = ints[pool["slot"] + slot * pool["slot_size"] :][: pool["slot_size"]]
        if fields[state_at.SLOT_FULLS]:
            ends = fields[[state_at.SLOT_A, state_at.SLOT_B]]
            solid = np.count_nonzero(kinds[ends] != state_at.EMPTY_CELL)
            needed = words[pool["needed"] + slot * width :][:width].tolist()
            strength[tuple(ends)] = 2.0**solid / (1 + sum(map(int.bit_count, needed)))
    strength += strength.T
    known = [node for node in range(nodes - 1) if kinds[node] != state_at.ABSENT]
    matrix = np.diag(strength.sum(axis=1) + LEAK) - strength
    inflow = np.array([float(node == cells) for node in known])
    potential = np.zeros(nodes)
    potential[known] = solved(matrix[np.ix_(known, known)], inflow)
    flows = (strength * abs(potential[:, None] - potential)).sum(axis=1) / 2
    currents: NDArray[np.float64] = np.where(kinds == state_at.EMPTY_CELL, flows, 0.0)[:cells]
    return currents, float(potential[cells])


def solved(matrix: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the solution, of all rows: a library's threads would wait for processors."""
    rows = np.column_stack((matrix, right))
    for k in range(len(rows)):
        rows[k] /= rows[k, k]
        others = np.arange(len(rows)) != k
        rows[others] -= np.outer(rows[others, k], rows[k])
    return rows[:, -1]


@pytest.mark.parametrize("board", [Board(6, 6), Board(5, 8), Board(11, 11)], ids=str)
def test_currents_and_first_numbers_are_those_of_the_circuits(board: Board) -> None:
    rng = random.Random(board.cells)
    worker = Worker(
        board, SolverSettings(deduce=False, heuristic=True), 0, serving_width(board, Kernels.SOLVER)
    )
    black, white = (worker.links[color].handle for color in Color)
    compared = 0
    while compared < 5:
        position = played(board, rng, rng.randrange(board.cells // 3))
        if position.winner is not None:
            continue
        worker.set_root(position)
        nothing = np.empty(0, np.int32)
        if look(worker.memory, make_store(1, 0), black, white, nothing) != OPEN:
            continue
        (own, black_ohms), (other, white_ohms) = (circuit(links) for links in worker.links.values())
        score = worker.words[worker.header["score"] :][: board.cells].view(np.float64)
        assert np.allclose(score, own + other, rtol=1e-9, atol=1e-9)
        ratio = (
            white_ohms / black_ohms if position.to_move is Color.BLACK else black_ohms / white_ohms
        )
        count = worker.ints[worker.header["fields"] + at.L_COUNT]
        for numbers, first in (("child_phi", ratio**2), ("child_delta", ratio**-2)):
            written = worker.ints[worker.header[numbers] :][:count]
            assert np.allclose(written, min(max(EQUAL * first, 1), LARGEST), atol=1)
        compared += 1
