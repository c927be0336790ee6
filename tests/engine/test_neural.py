"""The network's arithmetic: against pairs that the framework made, in all symmetries."""

import random
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.kernels import neural as convolution
from hextui.engine.kernels.neural import TURNED, UPRIGHT, run_network
from hextui.engine.neural.judge import (
    NeuralJudge,
    read_weights,
    seen_by_mover,
    shipped_judge,
    shipped_weights,
    softmax,
)
from hextui.engine.position import Position
from tests.engine.positions import bench_at, images, played

PAIRS = Path(__file__).parent / "network_pairs.npz"
"""Made by tests/make_network_pairs.py: positions, and what the framework says of them."""


def some_positions(seed: int, board: Board, count: int) -> list[Position]:
    rng = random.Random(seed)
    some = (played(board, rng, rng.randrange((board.cells + 1) // 2)) for _ in range(count))
    return [position.with_to_move(rng.choice(list(Color))) for position in some]


def test_the_arithmetic_is_that_of_the_framework() -> None:
    with np.load(PAIRS) as pairs:
        sizes = sorted({name.split("_")[1] for name in pairs})
        assert len(sizes) >= 5
        for size in sizes:
            board = Board.parse(size)
            positions = [
                Position(board, bytes(stones), Color(int(color)))
                for stones, color in zip(
                    pairs[f"stones_{size}"], pairs[f"mover_{size}"], strict=True
                )
            ]
            policy, win = shipped_judge().judge(positions)
            assert np.abs(policy - pairs[f"policy_{size}"]).max() < 1e-4
            assert np.abs(win - pairs[f"win_{size}"]).max() < 1e-4


@pytest.mark.parametrize("one_side", [False, True])
@pytest.mark.parametrize("size", ["1", "2x3", "3", "4x7", "6", "11", "13", "19"])
def test_all_symmetries_are_judged_alike(size: str, one_side: bool) -> None:
    board = Board.parse(size)
    alike = Position.empty(board).play(0)
    if board.cells > 2:
        alike = alike.play(1).play(board.rotate(0)).play(board.rotate(1))  # its own image
    for position in [*some_positions(3, board, 3), Position.empty(board), alike]:
        policy, win = shipped_judge().judge([position], one_side=one_side)
        for image in images(position):
            other, its_win = shipped_judge().judge([image.position], one_side=one_side)
            assert np.abs(other[0, image.cell_of] - policy[0]).max() < 1e-5
            assert abs(win[0] - its_win[0]) < 1e-5


def test_chances_are_those_of_the_empty_cells() -> None:
    for position in some_positions(4, Board(5, 6), 20):
        policy, win = shipped_judge().judge([position])
        taken = np.frombuffer(position.stones, np.uint8) != 0
        assert (policy[0, taken] == 0).all()
        assert (policy[0, ~taken] > 0).all()
        assert policy.sum() == pytest.approx(1, abs=1e-5)
        assert 0 < win[0] < 1


def test_many_at_once_are_judged_as_one_by_one() -> None:
    positions = some_positions(5, Board(4, 6), 9)
    policy, win = shipped_judge().judge(positions)
    for number, position in enumerate(positions):
        alone = shipped_judge().judge([position])
        assert (alone.policy[0] == policy[number]).all()
        assert alone.win[0] == win[number]


def seen_empty(logits: NDArray[np.float32], stones: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logits [1, cells], -inf where there is a stone."""
    return np.where(stones.flatten() != 0, -np.inf, logits).astype(np.float32)[None]


def test_from_one_side_is_one_of_the_two_looks() -> None:
    weights, _ = read_weights(shipped_weights())
    judge = NeuralJudge(weights)
    some = [p.with_to_move(Color.BLACK) for p in some_positions(6, Board(6, 6), 20)]
    positions = [p for p in some if p.stones != p.stones[::-1]][:8]
    stones = np.stack([seen_by_mover(position) for position in positions])
    looks = []
    for side in (UPRIGHT, TURNED):
        logits, wins = np.empty((8, 36), np.float32), np.empty(8, np.float32)
        run_network(weights, stones, np.full(8, side, np.uint8), logits, wins)
        looks.append((logits, wins))
    policy, win = judge.judge(positions, one_side=True)
    sides = set()
    for n, stone in enumerate(stones):
        alike = [
            side
            for side, (logits, wins) in enumerate(looks)
            if np.allclose(1 / (1 + np.exp(-wins[n])), win[n])
            and np.allclose(softmax(seen_empty(logits[n], stone))[0], policy[n])
        ]
        assert len(alike) == 1
        sides |= set(alike)
    assert sides == {0, 1}
    mean = (looks[0][1] + looks[1][1]) / 2
    assert np.allclose(1 / (1 + np.exp(-mean)), judge.judge(positions).win, atol=1e-5)


def logits_by(calibration: list[list[float]], board: Board) -> NDArray[np.float64]:
    """Return the logits of a win that judges with the shipped weights find on a board."""
    weights, _ = read_weights(shipped_weights())
    judge = NeuralJudge(weights, np.array(calibration, np.float32))
    win = judge.judge(some_positions(7, board, 5)).win.astype(float)
    return np.log(win / (1 - win))


@pytest.mark.parametrize(
    ("size", "stretch", "shift"),
    [("4", 0.5, 0.1), ("5", 0.5, 0.1), ("6", 0.75, 0.0), ("4x9", 0.75, 0.0), ("9", 1.0, -0.1)],
)
def test_win_probabilities_are_calibrated_by_the_size(
    size: str, stretch: float, shift: float
) -> None:
    board = Board.parse(size)
    less_sure = 0.1  # win probabilities near 1 have few digits left
    plain = logits_by([[1, less_sure, 0]], board) / less_sure
    found = logits_by([[5, 0.5 * less_sure, 0.1], [7, less_sure, -0.1]], board)
    assert found == pytest.approx(less_sure * stretch * plain + shift, abs=1e-4)


def test_nothing_and_full_boards_are_judged() -> None:
    assert shipped_judge().judge([]).win.shape == (0,)
    full = Position(Board(2, 2), bytes([1, 2, 2, 1]))
    assert (shipped_judge().judge([full]).policy == 0).all()


def test_positions_of_two_boards_are_refused() -> None:
    positions = [Position.empty(Board(3, 3)), Position.empty(Board(4, 4))]
    with pytest.raises(ValueError, match="the judge is for a 3x3 board, not 4x4"):
        shipped_judge().judge(positions)


def test_softmax_of_large_numbers() -> None:
    found = softmax(np.array([[1000, 1000, -np.inf], [-1000, -np.inf, -np.inf]], np.float32))
    assert found.tolist() == [[0.5, 0.5, 0], [1, 0, 0]]


def test_what_is_no_file_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="weights"):
        read_weights(b"nothing")


def test_the_evaluator_says_what_the_judge_says() -> None:
    position = Position.empty(Board(5, 5)).play("b2").play("c3")
    judgement = shipped_judge().judge([position])
    bench = bench_at(position)
    network = evaluator("network")
    *_, ranking = network.rank(bench)
    assert {move.cell for move in ranking.moves} == set(position.empties)
    for move in ranking.moves:
        assert move.value == float(judgement.policy[0, move.cell])
    assert network.worth(bench, ranking) == float(judgement.win[0])
    assert network.turned(network.worth(bench, ranking)) == 1 - float(judgement.win[0])


@pytest.mark.parametrize("lanes", [8, 16])
def test_it_adds_up_the_seven_cells(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, channels = convolution.VECTORS, 8 if lanes == 16 else 4
    monkeypatch.setattr(convolution, "LANES", lanes)
    monkeypatch.setattr(convolution, "CHANNELS", channels)
    monkeypatch.setattr(convolution, "AT_ONCE", vectors * lanes)
    plain: Any = convolution.add_convolution
    add_convolution: Any = numba.njit(plain.py_func)
    rng, stride, inner = np.random.default_rng(1), 5, 2 * vectors * lanes
    x = rng.normal(size=(3, inner + 2 * stride)).astype(np.float32)
    weights = rng.normal(size=(16, 3, 7)).astype(np.float32)
    before = rng.normal(size=(16, inner + 2 * stride)).astype(np.float32)
    after = before.copy()
    add_convolution(x, weights, after, stride)
    steps = (-stride, 1 - stride, -1, 0, 1, stride - 1, stride)
    seen = np.stack([x[:, stride + s : stride + s + inner] for s in steps], axis=-1)
    expected = before.astype(float)
    expected[:, stride:-stride] += np.einsum("oik,ipk->op", weights.astype(float), seen)
    assert np.abs(after - expected).max() < 1e-5
    assert (after[:, :stride] == before[:, :stride]).all()
    assert (after[:, -stride:] == before[:, -stride:]).all()
