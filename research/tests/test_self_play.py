"""Games of self-play: played by the rules, written to be continued, and learned from."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from research.training.data import TrainingGame, read_games
from research.training.samples import samples_of
from research.training.self_play import BORROWED, LISTED, SelfPlay, main

OPENING = {"id": 1, "size": 5, "winner": "red", "moves": "b4 swap-pieces a5 e1 d4"}


def play(path: Path, monkeypatch: pytest.MonkeyPatch, *, first: int = 0, count: int, seed: int = 1):
    games = path.with_name("games.jsonl")
    games.write_text(json.dumps(OPENING) + "\n" + json.dumps(OPENING | {"size": 6}) + "\n")
    words = ["--size", "5", "--first", str(first), "--count", str(count), "--seed", str(seed)]
    more = ["--visits", "20", "--nodes", "2", "--held-out", "7"]
    monkeypatch.setattr("sys.argv", ["self_play", str(path), str(games), *words, *more])
    assert main() == 0
    return path.read_text()


def winner_of(position: Position) -> Color | None:
    solver = Solver(position.board, SolverSettings(table_bytes=1 << 20))
    *_, solution = solver.solve(position)
    solver.close()
    return solution.winner


def test_games_are_searched_from_an_opening_to_a_proof(tmp_path, monkeypatch) -> None:
    play(tmp_path / "own.jsonl", monkeypatch, count=8)
    lines = [json.loads(line) for line in (tmp_path / "own.jsonl").read_text().splitlines()]
    games = read_games([tmp_path / "own.jsonl"])
    assert [game.number for game in games] == list(range(8))
    words = str(OPENING["moves"]).split()
    for line, game in zip(lines, games, strict=True):
        moves, found = line["moves"].split(), game.searched
        assert found is not None
        if game.number % 4 >= 2:
            borrowed = found.begun - (moves[1:2] == ["swap-pieces"] and found.begun == 2)
            assert 1 <= borrowed <= BORROWED
            assert moves[:borrowed] == words[:borrowed]
        else:
            assert moves[0] == Board(5, 5).name(game.number // 4 * 2 + game.number % 2)
            assert found.begun == 1 + ("swap-pieces" in moves)
        plies = list(game.plies())
        for ply in range(found.proved, len(plies)):
            assert winner_of(plies[ply][0]) is game.winner
        assert all(len(shares) <= LISTED for shares in found.shares)


def test_a_strong_first_move_is_taken_over() -> None:
    central, corner = 28, 0  # numbers of games that begin with c3 and a1
    for number, swapped in ((central, True), (corner, False)):
        line = SelfPlay(Board(6, 6), (), number, 1).play(20, 2)
        assert ("swap-pieces" in str(line["moves"]).split()) is swapped
        assert line["begun"] == 1 + swapped


def test_a_game_depends_on_seed_and_number_alone(tmp_path, monkeypatch) -> None:
    whole = play(tmp_path / "whole.jsonl", monkeypatch, count=4).splitlines()
    part = tmp_path / "part.jsonl"
    assert play(part, monkeypatch, first=1, count=1).splitlines() == whole[1:2]
    assert play(part, monkeypatch, first=1, count=3).splitlines() == whole[1:]
    other = play(tmp_path / "other.jsonl", monkeypatch, count=4, seed=2).splitlines()
    assert other != whole


LINE: dict[str, Any] = {
    "id": 0,
    "size": 3,
    "winner": "blue",
    "moves": "b1 swap-pieces b2 a1",
    "begun": 2,
    "proved": 3,
    "values": "40 90",
    "visits": "c1:1 b2:3,a1:10",
}


def read(folder: Path, line: dict[str, Any]) -> list[TrainingGame]:
    path = folder / "own.jsonl.gz"
    path.write_bytes(gzip.compress((json.dumps(line) + "\n").encode()))
    return read_games([path])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"visits": ",a1:10"}, "moves have visits"),
        ({"visits": "c1:0,a1:10"}, "moves have visits, each above 0"),
        ({"visits": "c1:1,b2:10"}, "on an empty cell"),
        ({"visits": "c1:1"}, "has a value and visits"),
        ({"values": "40"}, "has a value and visits"),
        ({"values": "40 101"}, "0 to 100 percent"),
    ],
)
def test_an_invalid_game_is_reported(wrong, why, tmp_path) -> None:
    with pytest.raises(ValueError, match=f"own.jsonl.gz, line 1: .*{why}"):
        read(tmp_path, LINE | wrong)


def test_a_game_won_by_its_opening_has_no_samples(tmp_path: Path) -> None:
    won_at_once = {"moves": "b2", "begun": 1, "proved": 0, "values": "", "visits": ""}
    assert samples_of(read(tmp_path, LINE | won_at_once)) == []


def test_results_are_mixed_with_values_until_they_are_proved(tmp_path: Path) -> None:
    (samples,) = samples_of(read(tmp_path, LINE))
    assert samples.shares is not None
    # Red moves, with Blue's stone, swapped, at a2; then Blue, who wins, and sees Red's b2
    assert samples.won == pytest.approx([0.2, 1.0])
    assert samples.stones.tolist() == [
        [[0, 0, 0], [2, 0, 0], [0, 0, 0]],
        [[0, 1, 0], [0, 2, 0], [0, 0, 0]],
    ]
    assert samples.shares[0][1, 1] == 0.75
    assert samples.shares[0][0, 2] == 0.25
    assert np.argwhere(samples.good[0]).tolist() == [[1, 1]]
    assert np.argwhere(samples.shares[1]).tolist() == [[0, 0]]
