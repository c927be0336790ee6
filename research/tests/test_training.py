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
from hextui.engine.neural.judge import UNCALIBRATED  # noqa: E402
from research.tests.test_game_lines import game, written  # noqa: E402
from research.training.calibrating import save_weights  # noqa: E402
from research.training.data import HeldOut  # noqa: E402
from research.training.network import HexNet, Shape, load_network, planes_of, weights_of  # noqa: E402
from research.training.samples import Samples  # noqa: E402
from research.training.training import Training, _loss, log_losses, train  # noqa: E402

PLAIN = {"squeezed": 0, "pooled": 0, "value_hidden": 4}
SMALL = Shape(blocks=1, channels=8, hidden=3)


def net(seed: int = 1, shape: Shape = SMALL) -> HexNet:
    """A network all of whose weights are at work."""
    torch.manual_seed(seed)
    made = HexNet(shape)
    for weights in made.parameters():
        torch.nn.init.normal_(weights, std=0.2)
    return made


@pytest.mark.parametrize("size", [(1, 1), (3, 3), (4, 7), (11, 11), (19, 19)])
@pytest.mark.parametrize("plain", [False, True])
def test_the_engine_computes_what_the_framework_does(size: tuple[int, int], plain: bool) -> None:
    made = net(shape=Shape(2, 16, 5, **(PLAIN if plain else {})))
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
    save_weights(some._replace(stem=some.stem[:6]), UNCALIBRATED, tmp_path / "six.npz")
    with pytest.raises(ValueError, match="a multiple of 8 channels, not 6"):
        load_network(tmp_path / "six.npz")


def test_a_deeper_network_says_the_same_until_it_learns() -> None:
    made = net(shape=replace(SMALL, **PLAIN))
    deeper = made.enlarged(3)
    assert deeper.shape == Shape(3, 8, 3, squeezed=16, pooled=8, value_hidden=4)
    assert deeper.enlarged(1).shape == deeper.shape
    stones = np.random.default_rng(1).choice(3, (2, 4, 7)).astype(np.uint8)
    planes = planes_of(torch.from_numpy(stones))
    for own, other in zip(made(planes), deeper(planes), strict=True):
        assert (own == other).all()
    torch.cat([part.flatten() for part in deeper(planes)]).sum().backward()
    assert all(block.second.weight.grad.abs().sum() > 0 for block in deeper.blocks)
    assert deeper.blocks[0].gates.weight.grad.abs().sum() > 0
    assert deeper.value_cells.weight.grad.abs().sum() > 0


def test_weights_come_back(tmp_path: Path) -> None:
    made = net()
    save_weights(weights_of(made), UNCALIBRATED, tmp_path / "weights.npz")
    again = load_network(tmp_path / "weights.npz")
    assert again.shape == made.shape
    for own, other in zip(weights_of(made), weights_of(again), strict=True):
        assert (own.astype(np.float16) == other.astype(np.float16)).all()


def cells(move: Any) -> Any:
    """Return the one cell of each position on 3x3, bool[n, 3, 3]."""
    return (np.arange(9) == np.asarray(move)[:, None]).reshape(-1, 3, 3)


def samples(good: Any, stones: Any = None, won: Any = 1, rating: Any = 0, **more: Any) -> Samples:
    """Return positions, on empty boards unless stones are given."""
    count, *shape = good.shape
    return Samples(
        Board(*shape),
        np.zeros(good.shape, np.uint8) if stones is None else stones,
        good,
        np.broadcast_to(won, count).astype(np.float32),
        np.broadcast_to(rating, count).astype(np.int64),
        **more,
    )


CORNER, MIDDLE = samples(cells([0] * 40)), samples(cells([4] * 40))
SELF_PLAY = samples(
    cells([4] * 40), shares=(0.75 * cells([4] * 40) + 0.25 * cells([0] * 40)).astype(np.float32)
)
"""Empty boards on which the corner is to be played once in four times, else the middle."""


def last_cells(count: int) -> Samples:
    """Positions whose mover plays the one corner that is empty beside its stone."""
    first = np.random.default_rng(2).random(count) < 0.5
    stones = np.zeros((count, 3, 3), np.uint8)
    stones[first, 0, 0] = 1
    stones[~first, 0, 2] = 1
    return samples(cells(np.where(first, 1, 5)), stones, first)


def run(
    folder: Path, part: Samples | None = None, steps: int = 60, rate: float = 0.01, **more: Any
) -> HexNet:
    """Train on a kind of positions; ``proved`` and ``apart`` are further ones."""
    others = {name: [more.pop(name)] for name in ("proved", "apart", "start") if name in more}
    start = others.pop("start", [None])[0]
    settings = Training(steps=steps, batch=32, every=20, rate=rate, shape=SMALL, **more)
    return train([part or last_cells(200)], settings, folder, start, **others)


def curve_of(folder: Path) -> Any:
    return json.loads((folder / "curve.json").read_text())


def policy_of(made: HexNet) -> Any:
    """The policy on the empty 3x3, float[9]."""
    with torch.no_grad():
        logits, _ = made(planes_of(torch.zeros(1, 3, 3, dtype=torch.uint8)))
    return logits[0].softmax(0)


def loss_of(part: Samples, **more: Any) -> tuple[float, Any]:
    """The loss where every cell is as likely, by weights of 0, and its sums."""
    alike = HexNet(SMALL)
    for weights in alike.parameters():
        torch.nn.init.zeros_(weights)
    settings = Training(shape=SMALL, batch=len(part), **more)
    found, sums = _loss(alike, part, settings, np.random.default_rng(1))
    return found.item(), sums


def same_weights(one: HexNet, other: HexNet, within: float = 0) -> bool:
    pairs = zip(weights_of(one), weights_of(other), strict=True)
    return all(np.abs(a - b).max() <= within for a, b in pairs)


def test_it_learns_and_writes_its_curve(tmp_path: Path) -> None:
    run(tmp_path, steps=200)
    curve = curve_of(tmp_path)
    assert [point["step"] for point in curve] == [*range(20, 201, 20)]
    assert curve[-1]["move_loss"] < curve[0]["move_loss"] / 2
    assert curve[-1]["top_1"] > 0.9


def test_moves_of_strong_games_can_count_more(tmp_path: Path) -> None:
    strong = np.arange(60) % 2 == 0
    part = samples(cells(np.where(strong, 4, 0)), rating=np.where(strong, 1900, 1899))
    policy = policy_of(run(tmp_path, part, strong_weight=9))
    assert policy[4] > 0.8  # 9 of 10; the corner and its image share the rest
    assert policy[0] < 0.1


def test_moves_of_the_opening_can_count_more() -> None:
    early = np.arange(60) % 2 == 0
    stones = np.zeros((60, 5, 5), np.uint8)
    stones[:, 0], stones[:, 4], stones[:, 1, 0] = 1, 2, 1  # 11 stones are the opening, 12 are not
    stones[~early, 1, 4] = 2
    good = (np.arange(25) == np.where(early, 12, 11)[:, None]).reshape(-1, 5, 5)
    drawn = np.random.default_rng(1).integers(60, size=60) % 2 == 0
    share = float(np.count_nonzero(drawn)) / 60
    for factor in (1.0, 9.0):
        loss, _ = loss_of(samples(good, stones), value_weight=0, opening_weight=factor)
        expected = factor * share * np.log(14) + (1 - share) * np.log(13)
        assert loss == pytest.approx(expected, rel=1e-5)


def test_proved_positions_are_learned_in_their_share(tmp_path: Path) -> None:
    few, many = (
        policy_of(run(tmp_path / str(share), CORNER, proved=MIDDLE, proved_share=share))[4]
        for share in (0.1, 0.9)
    )
    assert few < 0.3
    assert many > 0.7


def test_self_play_is_learned_as_it_is(tmp_path: Path) -> None:
    policy = policy_of(run(tmp_path, SELF_PLAY, steps=100, rate=0.03))
    assert float(policy[4]) == pytest.approx(0.75, abs=0.05)
    assert float(policy[0] + policy[8]) == pytest.approx(0.25, abs=0.05)  # turned at random
    part = replace(SELF_PLAY, stones=cells([8] * 40).astype(np.uint8), won=np.full(40, 0.3))
    loss, sums = loss_of(replace(part, won=part.won.astype(np.float32)))
    assert loss == pytest.approx(np.log(8) + 0.5 * np.log(2))  # the moves' and the value's
    assert sums[2:] == pytest.approx([40, 40 * np.log(2)])


def test_the_best_weights_by_samples_set_apart_are_returned(tmp_path: Path) -> None:
    """It learns the wrong results, so it gets worse in the end."""
    right, wrong = last_cells(200), last_cells(200)
    wrong = replace(wrong, won=1 - wrong.won)
    best = run(tmp_path, wrong, apart=right)
    curve = curve_of(tmp_path)
    losses = [point["log_loss_3x3"] for point in curve]
    assert min(losses) < losses[-1]
    assert log_losses(best, [right])["log_loss_3x3"] == min(losses)


def test_wrong_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="share of the steps: give both or none"):
        run(tmp_path / "none", proved=MIDDLE)
    run(tmp_path, steps=1)
    with pytest.raises(ValueError, match="other settings"):
        run(tmp_path, steps=1, held_out=HeldOut(every=5))


def test_any_of_the_good_moves_will_do(tmp_path: Path) -> None:
    both, whole = cells([0] * 40) | cells([4] * 40), np.ones((40, 3, 3), bool)
    for name, good in (("both", both), ("whole", whole)):
        run(tmp_path / name, samples(good), steps=120)
    curve = curve_of(tmp_path / "both")
    assert curve[-1]["move_loss"] < 0.1 < curve[0]["move_loss"]
    assert curve_of(tmp_path / "whole")[0]["move_loss"] == 0


def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path, monkeypatch) -> None:
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
    continued = run(tmp_path / "stopped")
    assert len(kept) == 3
    assert same_weights(whole, continued)


def test_a_run_can_begin_with_weights(tmp_path: Path) -> None:
    begun = run(tmp_path / "begun", steps=200)
    again = run(tmp_path / "again", steps=1, rate=3e-3, start=begun)  # its rate begins with 0
    assert same_weights(begun, again, 1e-6)


def test_one_command_learns_and_calibrates_by_games_not_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from research.training.__main__ import main

    lines = [game("a5 e4 c3 b3 d2", n, rating=2000) | {"size": 5 + n % 2} for n in range(4)]
    games, folder = written(tmp_path / "games.jsonl", *lines), tmp_path / "run"
    shape = ["--blocks", "1", "--channels", "8", "--steps", "2", "--held-out", "2"]
    words = ["learn", str(folder), str(games), *shape]
    monkeypatch.setattr("sys.argv", words)
    assert main() == 1  # of four games equal by twos one is held out, one calibrates: none is left
    assert "no game is left to learn from" in capsys.readouterr().err
    games = written(games, *lines, game("a5 e4 c3 b3 d1", 6))
    words[-1] = "4"
    assert main() == 0
    assert "1 games, 1 held out, 1 to calibrate by; positions: 4 on 6x6" in capsys.readouterr().out
    assert load_network(folder / "weights.npz").shape == Shape(1, 8)


def test_the_mean_of_networks_is_that_of_their_weights(tmp_path, monkeypatch, capsys) -> None:
    from research.training.average import main, mean_of

    paths = [tmp_path / f"{seed}.npz" for seed in (1, 2)]
    for seed, path in enumerate(paths):
        save_weights(weights_of(net(seed)), UNCALIBRATED, path)
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
