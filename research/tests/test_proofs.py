"""Proved positions: written by the solver, true by exhaustive play, learned from and measured."""

import json
from pathlib import Path

import numpy as np
import pytest

from hextui.engine.board import Board
from hextui.engine.neural.judge import NeuralJudge, read_weights, shipped_judge, shipped_weights
from hextui.engine.position import Position
from research.training.calibrating import calibrate, logits_of
from research.training.data import HeldOut, ProvedPosition, read_proofs, split
from research.training.make_proofs import main
from research.training.measure import measure_proofs
from research.training.samples import samples_of_proofs
from tests.engine.positions import images
from tests.oracles.play import winning_moves


def written(path: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> list[ProvedPosition]:
    words = ["make_proofs", str(path), "--size", "3", "--count", str(count)]
    monkeypatch.setattr("sys.argv", words)
    assert main() == 0
    return read_proofs([path])


def test_they_are_true_by_exhaustive_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = written(tmp_path / "proofs.jsonl", 60, monkeypatch)
    assert len(proofs) > 30
    for proof in proofs:
        assert proof.winning == winning_moves(proof.position)
        assert proof.winning < set(proof.position.empties)
    assert {bool(proof.winning) for proof in proofs} == {True, False}


def test_a_stopped_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = tmp_path / "parts.jsonl"
    written(parts, 9, monkeypatch)
    first = parts.read_text()
    written(parts, 20, monkeypatch)
    written(tmp_path / "whole.jsonl", 20, monkeypatch)
    assert parts.read_text() == (tmp_path / "whole.jsonl").read_text()
    assert parts.read_text().startswith(first)


@pytest.mark.parametrize(
    "wrong",
    [
        {"winning": "a1"},  # taken
        {"winning": "", "winner": "blue"},
        {"winner": "red"},
        {"size": 1},
        {"moves": "a1 a1"},
    ],
)
def test_what_is_no_proof_is_refused(wrong: dict[str, object], tmp_path: Path) -> None:
    line = {"id": 1, "size": 3, "moves": "a1", "winner": "blue", "winning": "b2"}
    path = tmp_path / "proofs.jsonl"
    path.write_text(json.dumps(line))
    assert read_proofs([path])[0].winning == {4}
    path.write_text(json.dumps(line) + "\n" + json.dumps(line | wrong))
    with pytest.raises(ValueError, match=r"proofs\.jsonl, line 2: "):
        read_proofs([path])


def proved(number: int, position: Position) -> ProvedPosition:
    winning = winning_moves(position)
    winner = position.to_move if winning else position.to_move.opponent
    return ProvedPosition(number, position, winner, winning)


def test_images_are_held_out_together() -> None:
    position = Position.empty(Board(3, 3)).play("a1").play("c2")
    proofs = [proved(n, image.position) for n, image in enumerate(images(position), start=1)]
    other = proved(11, Position.empty(Board(3, 3)).play("b2"))
    learned, kept = split([*proofs, other], HeldOut(3))
    assert learned == [other]
    assert [proof.number for proof in kept] == [3]


def test_samples_mark_what_wins_as_the_mover_sees_it() -> None:
    lost = proved(1, Position.empty(Board(3, 3)).play("b2"))
    won = proved(2, Position.empty(Board(3, 3)).play("a1"))
    (found,) = samples_of_proofs([lost, won])
    assert found.won.tolist() == [0, 1]
    assert (found.good[0] == (found.stones[0] == 0)).all()
    seen = {Board(3, 3).mirror(cell) for cell in won.winning}
    assert set(found.good[1].flatten().nonzero()[0]) == seen
    assert found.rating.tolist() == [0, 0]


def test_figures_of_proofs_are_those_of_the_judge() -> None:
    position = Position.empty(Board(3, 3))
    proofs = [proved(n, position.play(cell)) for n, cell in enumerate(position.empties)]
    figures = measure_proofs(shipped_judge(), proofs)
    told = [shipped_judge().judge([proof.position]) for proof in proofs]
    won = [bool(proof.winning) for proof in proofs]
    assert (figures.positions, figures.won) == (9, sum(won))
    right = [
        int(opinions.policy[0].argmax()) in proof.winning
        for opinions, proof in zip(told, proofs, strict=True)
    ]
    assert figures.first.value == pytest.approx(sum(right) / sum(won))
    likelier = [float(opinions.win[0]) > 0.5 for opinions in told]
    assert figures.winner.value == pytest.approx(np.mean(np.array(likelier) == won))
    assert sum(part.positions for part in figures.bins) == 9


def test_proofs_calibrate_sizes_without_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("research.training.calibrating.LEAST", 9)
    weights, _ = read_weights(shipped_weights())
    position = Position.empty(Board(3, 3))
    positions = [position.play(cell) for cell in position.empties]
    # with some wrong ones no stretch is without end
    proofs = [
        ProvedPosition(n, one, one.to_move, frozenset({0} if n % 2 else ()))
        for n, one in enumerate(positions)
    ]
    ((size, stretch, shift),) = calibrate(weights, [], proofs).tolist()
    assert size == 3
    win = [float(NeuralJudge(weights).judge([one]).win[0]) for one in positions]
    fitted = 1 / (1 + np.exp(-stretch * logits_of(np.array(win, np.float32)) - shift))
    assert fitted.mean() == pytest.approx(4 / 9, abs=1e-3)  # as many as won
    assert calibrate(weights, [], proofs[1:]).tolist() == [[1, 1, 0]]
