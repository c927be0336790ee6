"""Systems of equations against numpy's solution, and resistance without threads of its own."""

import numpy as np
import pytest

from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.kernels.paths.counting import solve_symmetric
from hextui.engine.position import Position


@pytest.mark.parametrize("size", [1, 2, 3, 10, 60])
@pytest.mark.parametrize("wires", [0, 1, 5])
def test_a_solution_is_the_one_of_numpy(size: int, wires: int) -> None:
    rng = np.random.default_rng(size + 100 * wires)
    matrix = np.diag(rng.uniform(0.01, 1, size))
    for _ in range(wires * size):
        a, b = rng.integers(size, size=2)
        if a != b:
            strength = rng.uniform(0.1, 4)
            matrix[[a, b], [a, b]] += strength
            matrix[[a, b], [b, a]] -= strength
    right = rng.normal(size=size)
    expected = np.linalg.solve(matrix, right)
    upper = np.triu(matrix)  # the lower half is not read
    solve_symmetric(upper, right)
    assert right == pytest.approx(expected, rel=1e-9)


def test_resistance_leaves_the_linear_algebra_of_numpy_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def solve(*_: object) -> None:
        raise AssertionError("its threads wait for each other on a busy machine")

    monkeypatch.setattr(np.linalg, "solve", solve)
    bench = Workbench(Board(4, 5))
    bench.look_at(Position.empty(bench.board).play(7))
    *_, ranking = evaluator("resistance").rank(bench)
    assert len(ranking.moves) == 19
