"""Learning printed weights: where the answer is known, and from games to a text in one command."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from hextui.engine.board import Board
from hextui.engine.evaluators.pattern_terms import TERMS, read_weights_text
from hextui.engine.position import Position
from research.tests.test_game_lines import game, read, written
from research.training.weigh_patterns import Choices, drawn, likeliest, main, measured

MOVES = "a5 e4 c3 b3 d2 c2 b5 d1"


def test_the_likeliest_weights_are_those_of_the_shares() -> None:
    """Of cells with the terms (1, 0), (0, 1) and (0, 0), 6, 3 and 1 of 10 were chosen."""
    terms = np.tile([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], (10, 1))
    starts = np.arange(10) * 3
    chosen = starts + np.array([0] * 6 + [1] * 3 + [2])
    found = likeliest(Choices(terms, starts, chosen), penalty=1e-9)
    assert found == pytest.approx([math.log(6), math.log(3)], abs=1e-3)
    smaller = likeliest(Choices(terms, starts, chosen), penalty=1.0)
    assert (abs(smaller) < abs(found)).all()


def test_what_was_chosen_only_once_of_two_has_a_finite_weight() -> None:
    """Always chosen, a term would weigh without end; the penalty keeps it finite."""
    terms = np.tile([[1.0], [0.0]], (50, 1))
    starts = np.arange(50) * 2
    (weight,) = likeliest(Choices(terms, starts, starts))
    # the slope is nought: what the penalty takes is what the choices give
    assert weight == pytest.approx(50 / (1 + math.exp(weight)), abs=1e-3)


def test_moves_are_drawn_of_winners(tmp_path: Path) -> None:
    games = read(tmp_path, game(MOVES, winner="red"), game(MOVES, 2, winner="blue"))
    found = drawn(games, 100, 1)
    assert sorted(cell for _, cell in found) == sorted(
        Board(5, 5).cell(name) for name in ["c3", "d2", "b5", "b3", "c2", "d1"]
    )
    assert drawn(games, 2, 1) == found[:2]
    assert [cell for _, cell in drawn(games, 100, 2)] != [cell for _, cell in found]
    with pytest.raises(ValueError, match="no move of a winner"):
        drawn(read(tmp_path, game("a1 b1")), 1, 1)


def test_equal_moves_share_their_places() -> None:
    empty = Position.empty(Board(1, 5))
    told = measured([(empty, cell) for cell in range(5)], np.zeros(len(TERMS)))
    assert told["moves"] == 5
    found = told["found"]
    assert isinstance(found, dict)
    assert found["top_1"]["value"] == 0  # of five equal ones each is the third
    assert found["top_5"]["value"] == 1


def test_one_command_turns_games_into_weights(tmp_path, monkeypatch, capsys) -> None:
    rows = [game(MOVES, 10 * number, rating=2000) | {"size": 4 + number} for number in (1, 2)]
    path = written(tmp_path / "games.jsonl", *rows, game(MOVES, 7) | {"size": 7})
    texts = []
    for name in ("first.txt", "again.txt"):
        monkeypatch.setattr("sys.argv", ["weigh_patterns", str(tmp_path / name), str(path)])
        assert main() == 0
        texts.append((tmp_path / name).read_text())
        told = json.loads(capsys.readouterr().out)
        assert told["learned from"] == 3
        assert told["moves"] == 6
    assert texts[0] == texts[1]
    assert len(read_weights_text(texts[0])) == len(TERMS)
    monkeypatch.setattr(
        "sys.argv", ["weigh_patterns", str(tmp_path / "none.txt"), str(tmp_path / "no")]
    )
    assert main() == 1
    assert capsys.readouterr().err.startswith("research.training.weigh_patterns: ")
