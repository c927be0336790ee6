"""Measuring and calibrating: against judges whose answers are known."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from hextui.engine.neural.judge import NeuralJudge, read_weights, shipped_judge, shipped_weights
from research.tests.test_game_lines import game, written
from research.training.calibrating import logits_of
from research.training.calibrating import main as main_of_calibrating
from research.training.data import TrainingGame, read_games
from research.training.measure import MeasuredWins, diagram, estimates, logistic_fit, main, measure

MOVES = "a5 e4 c3 b3 d2 c2 b5 d1"


def games(folder: Path, count: int = 3) -> list[TrainingGame]:
    lines = [game(MOVES, 10 * n, rating=2000) | {"size": 5 + n} for n in range(1, count + 1)]
    return read_games([written(folder / "games.jsonl", *lines)])


def test_places_are_counted_as_a_person_would(tmp_path: Path) -> None:
    found = games(tmp_path)
    seen = estimates(shipped_judge(), found)
    assert len(seen.place) == 3 * 6
    asked = [(p, move.cell) for g in found for p, move in list(g.plies())[2:]]
    for place, win, (position, cell) in zip(seen.place, seen.win, asked, strict=True):
        policy, chance = shipped_judge().judge([position])
        assert place == sum(other > policy[0, cell] for other in policy[0])
        assert win == pytest.approx(chance[0], abs=1e-6)
    assert seen.won.tolist() == [True, False, True, False, True, False] * 3


def test_figures_are_those_of_the_places(tmp_path: Path) -> None:
    found = games(tmp_path)
    seen, figures = estimates(shipped_judge(), found), measure(shipped_judge(), found)
    places = seen.place[::2]  # Red won
    assert (figures.games, figures.moves) == (3, 9)
    assert figures.found[1].value == pytest.approx((places == 0).mean())
    assert figures.found[5].value == pytest.approx((places < 5).mean())
    wins = figures.wins
    assert sum(part.positions for part in wins.bins) == len(seen.win)
    means = sum(part.estimated * part.positions for part in wins.bins) / len(seen.win)
    assert means == pytest.approx(seen.win.mean(), abs=1e-3)
    assert seen.third.tolist() == [0, 1, 1, 1, 2, 2] * 3
    assert len(figures.thirds) == 3


def test_the_cost_of_a_win_probability() -> None:
    found = MeasuredWins.of(np.array([0.8, 0.8, 0.5, 0], np.float32), np.array([1, 0, 1, 0], bool))
    assert found.log_loss == pytest.approx(-np.log([0.8, 0.2, 0.5, 1]).mean(), abs=1e-4)
    assert found.brier == pytest.approx((0.04 + 0.64 + 0.25) / 4, abs=1e-4)
    assert found.error == pytest.approx((2 * 0.3 + 0.5) / 4, abs=1e-4)
    half, surest = diagram(found.bins).splitlines()[1:]
    assert half.split("%")[-1] == " " * 27 + "|" + " " * 24 + "o"
    assert surest.split("%")[-1] == " " * 27 + "o" + " " * 14 + "|"


def test_the_command_measures_what_is_held_out(tmp_path, monkeypatch, capsys) -> None:
    import hextui.engine.neural

    games(tmp_path)
    weights = Path(hextui.engine.neural.__path__[0]) / "weights.npz"
    words = ["measure", str(weights), str(tmp_path / "games.jsonl")]
    monkeypatch.setattr("sys.argv", words)
    assert main() == 0
    figures = json.loads(capsys.readouterr().out)
    assert {board: part["games"] for board, part in figures.items()} == {
        "6x6": 1,
        "7x7": 1,
        "8x8": 1,
    }
    monkeypatch.setattr("sys.argv", [*words, "--diagram"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("6x6, calibration error 0.")
    monkeypatch.setattr("sys.argv", [*words, "--held-out", "7"])
    assert main() == 1
    assert capsys.readouterr().err == "research.training.measure: no game is held out\n"


def test_what_is_too_sure_is_made_less_sure() -> None:
    rng = np.random.default_rng(3)
    true = rng.normal(size=20_000)
    won = rng.random(len(true)) < 1 / (1 + np.exp(-true))
    inputs = np.stack([2 * true + 0.5, np.ones_like(true)], axis=1)
    scale, shift = logistic_fit(inputs, won.astype(float))
    assert scale == pytest.approx(0.5, abs=0.03)
    assert shift == pytest.approx(-0.25, abs=0.05)


LESS_SURE = np.array([[1, 0.1, 0]], np.float32)


def test_weights_are_calibrated_size_by_size(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr("research.training.calibrating.LEAST", 3)
    lines = [
        game(" ".join(words), n, winner) | {"size": size}
        for size in (5, 7)
        for n, (words, winner) in enumerate(
            zip(permutations(MOVES.split(), 8), ("red", "red", "blue", "red"), strict=False)
        )
    ]
    path = written(tmp_path / "games.jsonl", *lines, lines[0] | {"size": 9})
    file = tmp_path / "weights.npz"
    file.write_bytes(shipped_weights())
    monkeypatch.setattr("sys.argv", ["calibrating", str(file), str(path)])
    assert main_of_calibrating() == 0
    assert capsys.readouterr().out.startswith("5x5: the logit of a win times ")
    weights, calibration = read_weights(file.read_bytes())
    assert calibration[:, 0].tolist() == [5, 7]
    found = read_games([path])
    for size, row in ((5, 0), (7, 1), (9, 1)):  # 9x9 has too few games
        _, stretch, shift = calibration[row]
        some = [one for one in found if one.board.rows == size]
        # win probabilities near 1 have few digits left, so these are less sure
        plain = 10 * logits_of(estimates(NeuralJudge(weights, LESS_SURE), some).win)
        fitted = estimates(NeuralJudge(weights, calibration), some).win
        assert fitted == pytest.approx(1 / (1 + np.exp(-plain * stretch - shift)), abs=1e-4)


def test_a_chance_that_is_rounded_to_certainty_has_a_logit() -> None:
    logits = logits_of(np.array([0, 0.3, 1], np.float32))
    assert 1 / (1 + np.exp(-logits)) == pytest.approx([0, 0.3, 1], abs=1e-6)
