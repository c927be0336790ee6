"""``python -m research.training.reinforce``: a network that learns from games of its own.

First it learns from games of people alone. Then in each round it plays games at once on boards of
all sizes (see fast_games.py), from first moves and from positions of people's games, and learns
from those of the last rounds, beside those of people. What plays, and what is written, is the
moving average of the weights. An accelerator is used if there is one. The same command goes on
with the run in the folder after its last round; the games of the last rounds are played again then.
The weights are written uncalibrated: see calibrating.py.
"""

import argparse
import io
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from hextui.engine.neural.judge import UNCALIBRATED
from hextui.records.saving import save_file
from research.training.calibrating import save_weights
from research.training.data import HeldOut, add_held_out, read_games, run_program, split_in_three
from research.training.fast_games import (
    Learned,
    connected,
    evaluate,
    first_moves,
    play_games,
    seen_by_other,
)
from research.training.network import HexNet, Shape, load_network, planes_of, weights_of
from research.training.samples import Samples, samples_of
from research.training.training import CHECKPOINT, pace

SHARES = {11: 0.4, 13: 0.28, 14: 0.06, 9: 0.06, 17: 0.05, 19: 0.05, 7: 0.05, 5: 0.02, 15: 0.03}
"""What part of the positions that are learned from are on boards of each size."""
PEOPLE = 0.35
"""What part of the positions of a size are people's, if there are as many as MANY of them."""
MANY = 10_000
BORROWED = 0.5
"""What part of the games of such a size begin with positions of people's games."""
LOSER = 0.5
"""What a move of the loser of a people's game counts, beside one of the winner."""
RESULT = 0.3
"""What the result of a people's game counts, beside that of a game of self-play."""
KEPT = 4
"""The games of so many rounds are learned from."""
OFTEN = 0.2
"""Sizes with a smaller share have games in every third round alone, three times as many."""
AVERAGED = 0.998
"""The moving average of the weights keeps this part in each step."""
DECAY = 0.03


def main() -> int:
    """Train as the command line asks and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.reinforce", description=__doc__
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="checkpoint and weights")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument("--start", type=Path, metavar="WEIGHTS", help="begin with these weights")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--count", type=int, default=32768, help="games a round on 11x11")
    parser.add_argument("--steps", type=int, default=1000, help="of learning, a round")
    parser.add_argument("--alone", type=int, default=800, help="steps on games of people first")
    parser.add_argument("--batch", type=int, default=4096, help="positions a step")
    parser.add_argument("--rate", type=float, default=3e-3, help="of learning, at its peak")
    parser.add_argument("--value-weight", type=float, default=1.5, help="of results, beside moves")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    add_held_out(parser, "learn nothing from games whose number EVERY divides")
    return run_program(parser, _reinforce)


def _reinforce(options: argparse.Namespace) -> None:
    torch.manual_seed(options.seed)
    learned, asked, _ = split_in_three(read_games(options.games), HeldOut(options.held_out))
    run = Reinforcement(options, samples_of(learned), samples_of(asked))
    while run.round <= options.rounds:
        run.go_on()


class Reinforcement:
    """A run: the network, its average, the games it learns from, and how far it is."""

    def __init__(
        self, options: argparse.Namespace, people: list[Samples], apart: list[Samples]
    ) -> None:
        """``apart``: positions that only measure the network."""
        self._options = options
        self.round = 0
        """That comes next; the first one learns from games of people alone."""
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        net = load_network(options.start) if options.start else None
        net = net or HexNet(Shape(options.blocks, options.channels))
        self._net = net.to(self._device, memory_format=torch.channels_last)
        average = get_ema_multi_avg_fn(AVERAGED)
        self._average = AveragedModel(self._net, multi_avg_fn=average)
        self._optimizer = torch.optim.AdamW(
            self._net.parameters(), lr=options.rate, weight_decay=DECAY, betas=(0.9, 0.99)
        )
        self._people = self._positions(people)
        self._apart = self._positions(apart)
        self._own: dict[int, list[Learned]] = defaultdict(list)
        kept = options.folder / CHECKPOINT
        if kept.exists():
            self._take_up(torch.load(kept, map_location=self._device, weights_only=True))

    def go_on(self) -> None:
        """Play a round's games, learn from them, and write down where the run is."""
        options, begun = self._options, time.perf_counter()
        steps = options.steps if self.round else options.alone
        if self.round:
            self._play()
            while len(self._own[11]) < min(self.round, KEPT):
                self._play()
        played = time.perf_counter()
        total = options.alone + options.rounds * options.steps
        before = options.alone + (self.round - 1) * options.steps if self.round else 0
        rates = (options.rate * pace((before + step) / total) for step in range(steps))
        losses = [self._learn(rate) for rate in rates]
        learned = time.perf_counter()
        means = torch.stack(losses).mean(0).tolist() if losses else [0.0, 0.0]
        apart = " ".join(f"{n}:{loss:.4f}" for n, loss in self._log_losses().items())
        print(
            f"round {self.round}: move {means[0]:.4f} result {means[1]:.4f}; apart {apart}; "
            f"{sum(len(part[-1]) for part in self._own.values() if part)} positions in "
            f"{played - begun:.1f} s, {steps} steps in {learned - played:.1f} s",
            flush=True,
        )
        self.round += 1
        self._write()

    def _play(self) -> None:
        """Play the games of a round on boards of all sizes."""
        self._average.eval()
        for turn, (size, share) in enumerate(SHARES.items()):
            if share < OFTEN:
                if (self.round + turn) % 3:
                    continue
                share *= 3
            # larger boards have more positions a game
            count = int(self._options.count * share / SHARES[11] * (11 / size) ** 2)
            starts = first_moves(max(count, 1), size, self._device)
            if size in self._people and len(self._people[size]) >= MANY:
                starts[: int(count * BORROWED)] = self._borrowed(size, int(count * BORROWED))
            self._own[size] = [*self._own[size], play_games(self._opinion, starts)][-KEPT:]

    def _borrowed(self, size: int, count: int) -> Tensor:
        """Return positions of people's games in which nobody has won."""
        people = self._people[size].stones
        found = people[torch.randint(len(people), (2 * count,), device=self._device)]
        return found[~connected(found) & ~connected(seen_by_other(found))][:count]

    def _opinion(self, stones: Tensor) -> tuple[Tensor, Tensor]:
        with torch.autocast(self._device.type, torch.float16, enabled=self._fast):
            logits, wins = self._average.module(planes_of(stones))
        return logits.float(), wins.float()

    @property
    def _fast(self) -> bool:
        return self._device.type == "cuda"

    def _learn(self, rate: float) -> Tensor:
        """Make one step and return the mean losses of moves and of results."""
        options = self._options
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        chosen = self._drawn()
        rows = torch.randint(len(chosen), (options.batch,), device=self._device)
        stones, shares, won, weight = (part[rows] for part in chosen)
        turned = torch.rand(len(rows), device=self._device) < 0.5
        stones = torch.where(turned[:, None, None], stones.flip(1, 2), stones)
        shares = torch.where(turned[:, None], shares.flip(1), shares).float()
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._fast):
            logits, wins = self._net(planes_of(stones))
        logits = logits.float().masked_fill(stones.flatten(1) != 0, -1e4)
        moves = -(shares * logits.log_softmax(1)).sum(1)
        results = functional.binary_cross_entropy_with_logits(
            wins.float(), won.float(), reduction="none"
        )
        loss = (moves * weight[:, 0]).mean()
        loss = loss + options.value_weight * (results * weight[:, 1]).mean()
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
        self._optimizer.step()
        self._average.update_parameters(self._net)
        return torch.stack([moves.detach().mean(), results.detach().mean()])

    def _drawn(self) -> Learned:
        """Return positions to draw a step's from."""
        if not self.round:
            sizes = {size: len(part) ** 0.5 for size, part in self._people.items()}
            return self._people[_one_of(sizes)]
        size = _one_of({size: share for size, share in SHARES.items() if self._own[size]})
        people = self._people.get(size)
        if people and len(people) >= MANY and torch.rand(()) < PEOPLE:
            return people
        games = self._own[size]
        return games[int(torch.randint(len(games), ()))]

    def _log_losses(self) -> dict[int, float]:
        """Return the mean log loss of results of the positions set apart, by size."""
        self._average.eval()
        found = {}
        for size, part in self._apart.items():
            _, wins = evaluate(self._opinion, part.stones)
            loss = functional.binary_cross_entropy_with_logits(wins, part.won.float())
            found[size] = loss.item()
        return found

    def _positions(self, samples: Iterable[Samples]) -> dict[int, Learned]:
        """Return what there is to learn from games of people, by size."""
        found = {}
        for part in samples:
            shares = torch.from_numpy(part.good).flatten(1).half()
            won = torch.from_numpy(part.won).half()
            moves = torch.where(won > 0, 1, LOSER)
            weight = torch.stack([moves, torch.full_like(moves, RESULT)], 1).half()
            whole = Learned(torch.from_numpy(part.stones), shares, won, weight)
            found[part.board.rows] = Learned(*(one.to(self._device) for one in whole))
        return found

    def _take_up(self, kept: dict[str, Any]) -> None:
        self._net.load_state_dict(kept["net"])
        self._average.load_state_dict(kept["average"])
        self._optimizer.load_state_dict(kept["optimizer"])
        self.round = kept["round"]

    def _write(self) -> None:
        folder = self._options.folder
        folder.mkdir(parents=True, exist_ok=True)
        state = {
            "net": self._net.state_dict(),
            "average": self._average.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "round": self.round,
        }
        written = io.BytesIO()
        torch.save(state, written)
        save_file(folder / CHECKPOINT, written.getvalue())
        net = HexNet(self._net.shape)
        net.load_state_dict(self._average.module.state_dict())
        save_weights(weights_of(net), UNCALIBRATED, folder / "weights.npz")


def _one_of(weights: dict[int, float]) -> int:
    """Return a key, drawn by its weight."""
    lot = torch.multinomial(torch.tensor(list(weights.values())), 1)
    return list(weights)[int(lot)]


if __name__ == "__main__":
    sys.exit(main())
