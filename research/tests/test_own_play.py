"""Openings of own play: read as told, written to be gone on with, and learned as they are."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from hextui.engine.board import Board
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Position
from research.training.data import OwnPosition, read_own
from research.training.make_games import (
    BORROWED,
    LAST_PLY,
    MOVES,
    REPLIES,
    SUREST,
    by_odds,
    main,
    read_ahead,
)
from research.training.samples import samples_of_own
from tests.engine.positions import images

GAME = {"id": 1, "size": 9, "winner": "red", "moves": "b4 swap-pieces e5 d6 f3 c7 g2 e4"}


def odds(chance: float) -> float:
    inside = min(max(chance, 1 - SUREST), SUREST)
    return inside / (1 - inside)


def test_reading_ahead_follows_its_definition() -> None:
    """Move by move and reply by reply, with nothing judged together."""
    position = Position.empty(Board(9, 9)).play("e5").play("c7").play("f3")
    judge = shipped_judge()
    policy = judge.judge([position]).policy[0]
    likely = sorted(position.empties, key=lambda cell: -policy[cell])[:MOVES]
    chances = []
    for cell in likely:
        after = position.play(cell)
        there = judge.judge([after], one_side=True)
        replies = sorted(after.empties, key=lambda reply: -there.policy[0][reply])[:REPLIES]
        won = [float(judge.judge([after.play(reply)], one_side=True).win[0]) for reply in replies]
        weights = [there.policy[0][r] / odds(w) for r, w in zip(replies, won, strict=True)]
        second = float(np.average(won, weights=weights))
        chances.append((1 - float(there.win[0]) + second) / 2)
    weights = [policy[cell] * odds(chance) for cell, chance in zip(likely, chances, strict=True)]
    found = read_ahead(judge, position)
    assert found.cells.tolist() == likely
    assert found.shares == pytest.approx(np.array(weights) / sum(weights), abs=1e-6)


def test_no_odds_are_without_end() -> None:
    shares = by_odds(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]]))
    assert shares[0] == pytest.approx([0.9801 / 0.9802, 0.0001 / 0.9802])


def test_all_images_of_a_position_are_read_alike() -> None:
    position = Position.empty(Board(9, 9)).play("e5").play("c7").play("f3")
    found = read_ahead(shipped_judge(), position)
    for image in images(position):
        other = read_ahead(shipped_judge(), image.position)
        assert [image.cell_of[cell] for cell in found.cells.tolist()] == other.cells.tolist()
        assert found.shares == pytest.approx(other.shares, abs=1e-6)


def written(
    path: Path, monkeypatch: pytest.MonkeyPatch, count: int, seed: int = 1
) -> list[OwnPosition]:
    games = path.with_name("games.jsonl")
    games.write_text(json.dumps(GAME) + "\n")
    words = ["make_games", str(path), str(games), "--count", str(count), "--seed", str(seed)]
    monkeypatch.setattr("sys.argv", words)
    assert main() == 0
    return read_own([path])


def test_openings_begin_as_games_and_go_on_by_own_play(tmp_path, monkeypatch) -> None:
    own = written(tmp_path / "own.jsonl", monkeypatch, 2)
    lines = [json.loads(line) for line in (tmp_path / "own.jsonl").read_text().splitlines()]
    words = str(GAME["moves"]).split()
    for number in range(2):
        moves = [line["moves"].split() for line in lines if line["id"] == number]
        begun = len(moves[0])
        assert 1 <= begun <= BORROWED
        assert moves[0] == words[:begun]
        assert [len(told) for told in moves] == [*range(begun, LAST_PLY + 1)]
        for before, after in pairwise(moves):
            assert after[:-1] == before
    assert len(own) == len(lines)
    for one in own:
        assert one.position.board == Board(9, 9)
        assert sum(one.shares.values()) == pytest.approx(1)
        read = read_ahead(shipped_judge(), one.position)
        best = int(read.cells[read.shares.argmax()])
        assert one.shares[best] == max(one.shares.values())


def test_a_stopped_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts, whole, other = (tmp_path / f"{name}.jsonl" for name in ("parts", "whole", "other"))
    written(parts, monkeypatch, 1)
    first = parts.read_text()
    written(parts, monkeypatch, 2)
    written(whole, monkeypatch, 2)
    assert parts.read_text() == whole.read_text()
    assert parts.read_text().startswith(first)
    written(other, monkeypatch, 1, seed=2)
    assert other.read_text() != first


def test_games_too_small_to_begin_with_are_refused(tmp_path, monkeypatch, capsys) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(json.dumps(GAME | {"size": 8, "moves": "a1 b2 c3"}) + "\n")
    monkeypatch.setattr("sys.argv", ["make_games", str(tmp_path / "own.jsonl"), str(games)])
    assert main() == 1
    assert "no game of two moves on 9 rows or more" in capsys.readouterr().err


LINE = {"id": 0, "size": 3, "moves": "b1 swap-pieces b2", "shares": {"c1": 1, "a1": 3}}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"shares": {}}, "moves have shares"),
        ({"shares": {"c1": 0}}, "moves have shares"),
        ({"shares": {"b2": 1}}, "on an empty cell"),
        ({"moves": "resign"}, "no move of a game to learn from"),
    ],
)
def test_what_is_no_position_of_own_play_is_refused(wrong, why, tmp_path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(LINE | wrong))
    with pytest.raises(ValueError, match=f"own.jsonl, line 1: .*{why}"):
        read_own([path])


def test_samples_are_seen_by_the_mover(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    lines = [LINE, LINE | {"moves": "b1 b2"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (samples,) = samples_of_own(read_own([path]))
    assert samples.shares is not None
    # after three plies it is Blue's turn, who sees c1 at a3, and its stone, swapped to a2, at b1
    for place, cell in enumerate([(2, 0), (0, 2)]):
        assert samples.shares[place][cell] == 0.25
        assert samples.shares[place][0, 0] == 0.75
        assert np.argwhere(samples.good[place]).tolist() == [[0, 0]]
    assert samples.stones.tolist() == [
        [[0, 1, 0], [0, 2, 0], [0, 0, 0]],
        [[0, 1, 0], [0, 2, 0], [0, 0, 0]],
    ]
