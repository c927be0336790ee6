"""Fast games of self-play keep the rules, and a run that was stopped goes on."""

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hextui.engine.neural.judge import read_weights  # noqa: E402
from research.training import batch_search, calibrate_by_search, fast_games, reinforce  # noqa: E402
from research.training.gate import share_of_wins  # noqa: E402

NEAR = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))
SHIPPED = Path(str(files("hextui.engine.neural").joinpath("weights.npz")))
CPU = torch.device("cpu")


def joins(stones: np.ndarray) -> bool:
    """Say whether stones 1 join top and bottom, cell by cell."""
    rows, columns = stones.shape
    todo = [(0, column) for column in range(columns) if stones[0, column] == 1]
    seen = set(todo)
    while todo:
        row, column = todo.pop()
        if row == rows - 1:
            return True
        for down, right in NEAR:
            cell = row + down, column + right
            inside = 0 <= cell[0] < rows and 0 <= cell[1] < columns
            if inside and stones[cell] == 1 and cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return False


def mirrored(stones: np.ndarray) -> np.ndarray:
    return np.where(stones == 0, 0, 3 - stones).T


def no_opinion(stones: Any) -> Any:
    return torch.zeros(stones.flatten(1).shape), torch.zeros(len(stones))


@pytest.mark.parametrize("size", [1, 3, 6, 13])
def test_connections_are_found(size: int) -> None:
    chance = np.random.default_rng(size)
    boards = chance.choice(3, size=(300, size, size), p=(0.1, 0.55, 0.35)).astype(np.uint8)
    expected = [joins(board) for board in boards]
    assert 0 < sum(expected) < 300
    assert batch_search.connected(torch.from_numpy(boards)).tolist() == expected


def test_games_are_played_to_their_ends() -> None:
    torch.manual_seed(3)
    games = fast_games.play_games(no_opinion, fast_games.first_moves(200, 3, CPU), visits=8)
    ends = 0
    for stones, shares, won, (move, _) in zip(*(part.numpy() for part in games), strict=True):
        assert not joins(stones)
        assert not joins(mirrored(stones))
        assert (stones == 2).sum() - (stones == 1).sum() in (0, 1)
        assert shares.sum() == pytest.approx(1, abs=1e-2)
        assert not shares[stones.ravel() != 0].any()
        if not move:  # the search was sure before, and only the result is learned
            assert won in (0, 1)
            continue
        last = [stones.ravel() + (np.arange(9) == cell) for cell in np.flatnonzero(shares)]
        winning = [joins(board.reshape(3, 3)) for board in last]
        if any(winning):
            ends += 1
            assert won > 0.8
            assert winning[shares[shares > 0].argmax()]
    assert ends > 50


def test_the_stronger_network_wins_more_games() -> None:
    def central(stones: Any) -> Any:
        far = torch.linspace(-1, 1, 5).abs()
        near = -3 * (far[:, None] + far).flatten()
        return near.expand(len(stones), 25), torch.zeros(len(stones))

    share = share_of_wins(central, no_opinion, 5, 20, CPU)
    assert share.low > 0.5
    assert share == share_of_wins(central, no_opinion, 5, 20, CPU)
    assert share_of_wins(no_opinion, no_opinion, 5, 20, CPU).value == 0.5


def run(folder: Path, rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "a5 e1 b4 d2 c3 d1 b3 c2 a4"
    games = folder.with_name("games.jsonl")
    played = {1: words, 5: f"{words} b1"}
    lines = [{"id": n, "size": 5, "winner": "red", "moves": moves} for n, moves in played.items()]
    games.write_text("".join(json.dumps(line) + "\n" for line in lines))
    proofs = folder.with_name("proofs.jsonl")
    proof = {"id": 1, "size": 5, "winner": "red", "moves": "c3 a1", "winning": "b4 c4"}
    proofs.write_text(json.dumps(proof) + "\n")
    monkeypatch.setattr(reinforce, "SHARES", {11: 0.5, 5: 0.5})
    monkeypatch.setattr(reinforce, "STAGES", ((1.0, reinforce.SHARES),))
    monkeypatch.setattr(reinforce, "MANY", 5)
    monkeypatch.setattr(reinforce, "GATES", (5,))
    numbers = {"rounds": rounds, "count": 1, "steps": 2, "alone": 2, "batch": 8}
    numbers |= {"blocks": 1, "channels": 8, "visits": 2, "pairs": 2}
    options = [f"--{name}={number}" for name, number in numbers.items()]
    if (folder / "weights.npz").exists():
        against = folder.with_name("against.npz")
        against.write_bytes((folder / "weights.npz").read_bytes())
        options += ["--against", str(against)]
    options += ["--proofs", str(proofs)]
    monkeypatch.setattr("sys.argv", ["reinforce", str(folder), str(games), *options])
    assert reinforce.main() == 0


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys) -> None:
    run(tmp_path / "run", 1, monkeypatch)
    assert [line[:7] for line in capsys.readouterr().out.splitlines()] == ["round 0", "round 1"]
    first = torch.load(tmp_path / "run" / "checkpoint.pt")["average"]
    run(tmp_path / "run", 2, monkeypatch)
    round_2, gate = capsys.readouterr().out.splitlines()
    assert round_2.startswith("round 2")
    assert gate.startswith("  5x5: ")
    second = torch.load(tmp_path / "run" / "checkpoint.pt")["average"]
    assert any(not torch.equal(first[name], second[name]) for name in first)


def test_serious_games_have_the_results_of_their_movers() -> None:
    torch.manual_seed(4)
    starts = fast_games.first_moves(100, 2, CPU)
    stones, won = fast_games.play_seriously(no_opinion, starts, visits=4)
    for board, has_won in zip(stones.numpy(), won.tolist(), strict=True):
        own = board == 1
        if (board == 0).sum() == 1:  # the mover has one move left
            assert has_won == joins(np.where(board == 0, 1, board))
        assert not joins(own.astype(np.uint8))


def test_weights_are_calibrated_by_games_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = tmp_path / "weights.npz"
    shutil.copy(SHIPPED, weights)
    monkeypatch.setattr(calibrate_by_search, "SIZES", (5, 6))
    command = ["calibrate", str(weights), "--count", "60", "--visits", "4"]
    monkeypatch.setattr("sys.argv", command)
    assert calibrate_by_search.main() == 0
    assert capsys.readouterr().out.count("the logit of a win times") == 2
    before, _ = read_weights(SHIPPED.read_bytes())
    after, calibration = read_weights(weights.read_bytes())
    assert all((a == b).all() for a, b in zip(before, after, strict=True))
    assert calibration[:, 0].tolist() == [5, 6]
    assert (calibration[:, 1] > 0).all()  # who seems to win wins more often
