"""Training: learns, goes on where it was stopped, and its weights are those the engine reads."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hextui.engine.board import Board  # noqa: E402
from hextui.engine.kernels.neural import BOTH, run_network  # noqa: E402
from research.tests.test_game_lines import game, written  # noqa: E402
from research.training.data import HeldOut  # noqa: E402
from research.training.network import (  # noqa: E402  # noqa: E402
    HexNet,
    Shape,
    load_network,
    planes_of,
    save_weights,
    weights_of,
)
from research.training.samples import Samples  # noqa: E402
from research.training.training import Training, _loss, train  # noqa: E402

SMALL = Shape(blocks=1, channels=8, hidden=3)


def net(seed: int = 1, shape: Shape = SMALL) -> HexNet:
    """A network all of whose weights are at work."""
    torch.manual_seed(seed)
    made = HexNet(shape)
    for weights in made.parameters():
        torch.nn.init.normal_(weights, std=0.2)
    return made


@pytest.mark.parametrize("size", [(1, 1), (3, 3), (4, 7), (11, 11)])
def test_the_engine_computes_what_the_framework_does(size: tuple[int, int]) -> None:
    made = net(shape=Shape(2, 16, 5))
    stones = np.random.default_rng(1).choice(3, (2, *size)).astype(np.uint8)
    logits = np.empty((2, size[0] * size[1]), np.float32)
    wins = np.empty(2, np.float32)
    run_network(weights_of(made), stones, np.full(2, BOTH, np.uint8), logits, wins)
    seen = torch.from_numpy(stones)
    with torch.no_grad():
        policy, win = made(planes_of(seen))
        turned, turned_win = made(planes_of(seen.flip(1, 2)))
    assert np.abs(logits - ((policy + turned.flip(1)) / 2).numpy()).max() < 1e-4
    assert np.abs(wins - ((win + turned_win) / 2).numpy()).max() < 1e-4


def test_a_number_of_channels_that_the_engine_cannot_compute_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a multiple of 8 channels, not 30"):
        Shape(channels=30)
    some = weights_of(net())
    np.savez(tmp_path / "six.npz", **(some._asdict() | {"stem": some.stem[:6]}))
    with pytest.raises(ValueError, match="a multiple of 8 channels, not 6"):
        load_network(tmp_path / "six.npz")


def test_a_deeper_network_says_the_same_until_it_learns() -> None:
    made = net()
    deeper = made.deepened(3)
    assert deeper.shape == Shape(3, 8, 3)
    assert made.deepened(1).shape == made.shape
    stones = np.random.default_rng(1).choice(3, (2, 4, 7)).astype(np.uint8)
    planes = planes_of(torch.from_numpy(stones))
    for own, other in zip(made(planes), deeper(planes), strict=True):
        assert (own == other).all()
    torch.cat([part.flatten() for part in deeper(planes)]).sum().backward()
    assert all(block.second.weight.grad.abs().sum() > 0 for block in deeper.blocks)


def test_weights_come_back(tmp_path: Path) -> None:
    made = net()
    save_weights(made, tmp_path / "weights.npz")
    again = load_network(tmp_path / "weights.npz")
    assert again.shape == made.shape
    for own, other in zip(weights_of(made), weights_of(again), strict=True):
        assert (own.astype(np.float16) == other.astype(np.float16)).all()


def cells(move: Any) -> Any:
    """Return the one cell of each position on 3x3, bool[n, 3, 3]."""
    return (np.arange(9) == np.asarray(move)[:, None]).reshape(-1, 3, 3)


def last_cells(count: int) -> Samples:
    """Positions whose mover plays the one corner that is empty beside its stone."""
    board = Board(3, 3)
    rng = np.random.default_rng(2)
    stones = np.zeros((count, 3, 3), np.uint8)
    first = rng.random(count) < 0.5
    stones[first, 0, 0] = 1
    stones[~first, 0, 2] = 1
    move = np.where(first, 1, 5).astype(np.int64)
    return Samples(board, stones, cells(move), first.astype(np.float32), np.zeros(count, np.int64))


def run(folder: Path, steps: int = 60, **more: Any) -> HexNet:
    settings = Training(steps=steps, batch=32, every=20, rate=0.01, shape=SMALL, **more)
    return train([last_cells(200)], settings, folder)


def test_it_learns_and_tells_its_curve(tmp_path: Path) -> None:
    run(tmp_path, 200)
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [point["step"] for point in curve] == [*range(20, 201, 20)]
    assert curve[-1]["move_loss"] < curve[0]["move_loss"] / 2
    assert curve[-1]["top_1"] > 0.9


def test_moves_of_strong_games_can_count_more(tmp_path: Path) -> None:
    strong = np.arange(60) % 2 == 0
    split = Samples(
        Board(3, 3),
        np.zeros((60, 3, 3), np.uint8),
        cells(np.where(strong, 4, 0)),
        np.ones(60, np.float32),
        np.where(strong, 1900, 1899).astype(np.int64),
    )
    settings = Training(steps=60, batch=32, rate=0.01, shape=SMALL, strong_weight=9)
    made = train([split], settings, tmp_path)
    with torch.no_grad():
        logits, _ = made(planes_of(torch.zeros(1, 3, 3, dtype=torch.uint8)))
    chances = logits[0].softmax(0)
    assert chances[4] > 0.8  # 9 of 10; the corner and its image share the rest
    assert chances[0] < 0.1


def test_moves_of_the_opening_can_count_more(tmp_path: Path) -> None:
    early = np.arange(60) % 2 == 0
    stones = np.zeros((60, 5, 5), np.uint8)
    stones[:, 0], stones[:, 4], stones[:, 1, 0] = 1, 2, 1  # 11 stones are the opening, 12 are not
    stones[~early, 1, 4] = 2
    good = (np.arange(25) == np.where(early, 12, 11)[:, None]).reshape(-1, 5, 5)
    split = Samples(Board(5, 5), stones, good, np.ones(60, np.float32), np.zeros(60, np.int64))
    losses = []
    for factor in (1.0, 9.0):
        settings = Training(shape=SMALL, batch=60, value_weight=0, opening_weight=factor)
        alike = HexNet(SMALL)  # with weights of 0 every cell is as likely
        for weights in alike.parameters():
            torch.nn.init.zeros_(weights)
        found, _ = _loss(alike, split, settings, np.random.default_rng(1))
        losses.append(found.item())
    drawn = np.random.default_rng(1).integers(60, size=60) % 2 == 0
    share = float(np.count_nonzero(drawn)) / 60
    for factor, loss in zip((1, 9), losses, strict=True):
        expected = factor * share * np.log(14) + (1 - share) * np.log(13)
        assert loss == pytest.approx(expected, rel=1e-5)


def test_proved_positions_are_learned_in_their_share(tmp_path: Path) -> None:
    corner, middle = (
        Samples(
            Board(3, 3),
            np.zeros((40, 3, 3), np.uint8),
            cells([cell] * 40),
            np.ones(40, np.float32),
            np.zeros(40, np.int64),
        )
        for cell in (0, 4)
    )
    chances = []
    for share in (0.1, 0.9):
        settings = Training(steps=60, batch=32, rate=0.01, shape=SMALL, proved_share=share)
        made = train([corner], settings, tmp_path / str(share), proved=[middle])
        with torch.no_grad():
            logits, _ = made(planes_of(torch.zeros(1, 3, 3, dtype=torch.uint8)))
        chances.append(float(logits[0].softmax(0)[4]))
    assert chances[0] < 0.3
    assert chances[1] > 0.7
    with pytest.raises(ValueError, match="give both or none"):
        train([corner], settings, tmp_path / "none")


def own_play() -> Samples:
    """Empty boards on which the corner is to be played once in four times, else the middle."""
    shares = 0.75 * cells([4] * 40) + 0.25 * cells([0] * 40)
    return Samples(
        Board(3, 3),
        np.zeros((40, 3, 3), np.uint8),
        cells([4] * 40),
        np.ones(40, np.float32),
        np.zeros(40, np.int64),
        shares.astype(np.float32),
    )


def test_own_play_is_learned_as_it_is(tmp_path: Path) -> None:
    settings = Training(steps=100, batch=32, rate=0.03, shape=SMALL, own_share=1.0)
    made = train([last_cells(40)], settings, tmp_path, own=[own_play()])
    with torch.no_grad():
        logits, _ = made(planes_of(torch.zeros(1, 3, 3, dtype=torch.uint8)))
    chances = logits[0].softmax(0)
    assert float(chances[4]) == pytest.approx(0.75, abs=0.05)
    assert float(chances[0] + chances[8]) == pytest.approx(0.25, abs=0.05)  # it is turned by lot


def test_the_loss_of_own_play_is_the_cross_entropy() -> None:
    alike = HexNet(SMALL)  # with weights of 0 every cell is as likely
    for weights in alike.parameters():
        torch.nn.init.zeros_(weights)
    own = replace(own_play(), stones=cells([8] * 40).astype(np.uint8))
    chance = np.random.default_rng(1)
    found, sums = _loss(alike, own, Training(shape=SMALL, batch=40), chance)
    assert found.item() == pytest.approx(np.log(8))  # nothing is learned of who wins
    assert sums[2:].tolist() == [40, 0, 0]


def test_shares_that_cannot_be_are_refused(tmp_path: Path) -> None:
    half = Training(shape=SMALL, own_share=0.5)
    with pytest.raises(
        ValueError, match="own play and their share of the steps: give both or none"
    ):
        train([last_cells(4)], half, tmp_path)
    with pytest.raises(ValueError, match="more than 1 together"):
        train(
            [last_cells(4)],
            replace(half, proved_share=0.6),
            tmp_path,
            proved=[last_cells(4)],
            own=[own_play()],
        )


def test_any_of_the_good_moves_will_do(tmp_path: Path) -> None:
    both = cells([0] * 40) | cells([4] * 40)
    whole = np.ones((40, 3, 3), bool)
    blank, won = np.zeros((40, 3, 3), np.uint8), np.ones(40, np.float32)
    settings = Training(steps=120, batch=32, every=20, rate=0.01, shape=SMALL)
    for name, good in (("both", both), ("whole", whole)):
        train(
            [Samples(Board(3, 3), blank, good, won, np.zeros(40, np.int64))],
            settings,
            tmp_path / name,
        )
    curve = json.loads((tmp_path / "both" / "curve.json").read_text())
    assert curve[-1]["move_loss"] < 0.1 < curve[0]["move_loss"]
    assert json.loads((tmp_path / "whole" / "curve.json").read_text())[0]["move_loss"] == 0


def test_a_run_that_was_stopped_ends_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(tmp_path / "whole")
    kept = []

    def stop(*arguments: Any) -> None:
        keep(*arguments)
        kept.append(arguments)
        if len(kept) == 2:
            raise KeyboardInterrupt

    from research.training import training

    keep = training._keep
    monkeypatch.setattr(training, "_keep", stop)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "stopped")
    assert len(kept) == 2
    gone_on = run(tmp_path / "stopped")
    assert len(kept) == 3
    for own, other in zip(weights_of(whole), weights_of(gone_on), strict=True):
        assert (own == other).all()


def test_a_folder_with_another_run_is_refused(tmp_path: Path) -> None:
    run(tmp_path, steps=1)
    with pytest.raises(ValueError, match="other settings"):
        run(tmp_path, steps=1, held_out=HeldOut(every=5))


def test_a_run_can_begin_with_weights(tmp_path: Path) -> None:
    begun = run(tmp_path / "begun", 200)
    settings = Training(steps=1, batch=32, shape=SMALL)  # its rate begins with 0
    again = train([last_cells(200)], settings, tmp_path / "again", begun)
    for own, other in zip(weights_of(begun), weights_of(again), strict=True):
        assert np.abs(own - other).max() < 1e-6


def test_one_command_learns_and_calibrates_by_games_not_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from research.training.__main__ import main

    lines = [game("a5 e4 c3 b3 d2", n, rating=2000) | {"size": 5 + n % 2} for n in range(4)]
    games, folder = written(tmp_path / "games.jsonl", *lines), tmp_path / "run"
    shape = ["--blocks", "1", "--channels", "8", "--steps", "2", "--held-out", "2", "1900"]
    monkeypatch.setattr("sys.argv", ["learn", str(folder), str(games), *shape])
    assert main() == 1  # of four games equal by twos one is held out, one calibrates: none is left
    assert "no game is left to learn from" in capsys.readouterr().err
    games = written(games, *lines, game("a5 e4 c3 b3 d1", 4, rating=1800))
    assert main() == 0
    assert "1 games, 1 held out, 1 to calibrate by; positions: 4 on 5x5" in capsys.readouterr().out
    assert load_network(folder / "weights.npz").shape == Shape(1, 8)


def test_the_mean_of_networks_is_that_of_their_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from research.training.average import main, mean_of

    paths = [tmp_path / f"{seed}.npz" for seed in (1, 2)]
    for seed, path in enumerate(paths):
        save_weights(net(seed), path)
    parts = [weights_of(load_network(path)) for path in paths]
    mean = weights_of(mean_of([load_network(path) for path in paths]))
    for found, first, second in zip(mean, *parts, strict=True):
        assert found == pytest.approx((first + second) / 2, abs=1e-6)
    moves = ("a5 e4 c3 b3 d2 c2 b5 d1", "c3 d2 b4 c4 d5 a3 b2 e1", "b2 d4 c2 c4 a5 b3 e3 d1")
    lines = [game(line, 10 * n + 5, rating=2000) for n, line in enumerate(moves)]
    games = written(tmp_path / "games.jsonl", *lines)
    words = ["average", str(tmp_path / "mean.npz"), str(games), "--of", *map(str, paths)]
    monkeypatch.setattr("sys.argv", words)
    assert main() == 0
    made = weights_of(load_network(tmp_path / "mean.npz"))
    assert made.stem == pytest.approx(mean.stem, abs=1e-3)  # in half precision
    assert np.isfinite(made.value_out).all()
    written(games, game(moves[0], 1, rating=2000))
    assert main() == 1
    assert "no game to calibrate by" in capsys.readouterr().err
    with pytest.raises(ValueError, match="different shapes have no mean"):
        mean_of([net(), net(shape=Shape(2, 8, 3))])
