"""``python -m research.training.reinforce``: a network that learns from games of its own.

First it learns from games of people alone. Then in each round it plays games at once on boards of
several sizes (see fast_games.py), small ones first, from first moves and from positions of people's
games, and learns from those of the last rounds, beside those of people and proved positions. What
plays is the moving average of the weights. After a round it plays games against other weights
(--against): those of the round with the most wins are written, uncalibrated (see calibrating.py).

An accelerator is used if there is one. The same command goes on with the run in the folder after
its last round, so a run can be made of pieces (--minutes).
"""

import argparse
import io
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from hextui.engine.neural.judge import UNCALIBRATED
from hextui.records.saving import save_file
from research.training.batch_search import Net, connected, evaluate, seen_by_other
from research.training.calibrating import save_weights
from research.training.data import (
    HeldOut,
    add_held_out,
    read_games,
    read_proofs,
    run_program,
    split_in_three,
)
from research.training.fast_games import Learned, even, first_moves, play_games
from research.training.gate import share_of_wins
from research.training.network import (
    HexNet,
    Shape,
    load_network,
    planes_of,
    quick_opinion,
    weights_of,
)
from research.training.samples import Samples, samples_of, samples_of_proofs
from research.training.training import CHECKPOINT, pace

SHARES = {11: 0.4, 13: 0.28, 14: 0.06, 9: 0.06, 17: 0.05, 19: 0.05, 7: 0.05, 5: 0.02, 15: 0.03}
"""What part of the positions that are learned from are on boards of each size."""
STAGES = (
    (0.1, {9: 0.5, 7: 0.35, 5: 0.15}),
    (0.3, {11: 0.45, 9: 0.3, 13: 0.15, 7: 0.1}),
    (1.0, SHARES),
)
"""Until which part of the rounds of new weights which sizes are learned."""
PEOPLE = 0.35
"""What part of the positions of a size are people's, if there are as many as MANY of them."""
MANY = 10_000
PROVED = 0.05
"""The part of the steps that learn from proved positions, if there are any."""
BORROWED = 0.4
"""What part of the games begin with positions of people's games, if there are MANY."""
EVEN = 0.4
"""What part of the games begin with even positions, at most: see fast_games.py."""
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
GAMES = "games.pt"
GATES = (11, 13, 17)
"""The sizes of the games between networks."""


def main() -> int:
    """Train as the command line asks and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.reinforce", description=__doc__
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="checkpoint and weights")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument("--proofs", type=Path, nargs="+", default=(), metavar="PROOFS")
    parser.add_argument("--start", type=Path, metavar="WEIGHTS", help="begin with these weights")
    parser.add_argument(
        "--against", type=Path, metavar="WEIGHTS", help="after a round, play against these"
    )
    parser.add_argument("--pairs", type=int, default=100, help="of games against them, a size")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no round after these")
    parser.add_argument("--count", type=int, default=32768, help="games a round on 11x11")
    parser.add_argument("--visits", type=int, default=16, help="of the search, a position")
    parser.add_argument("--steps", type=int, default=1000, help="of learning, a round")
    parser.add_argument("--alone", type=int, default=800, help="steps on games of people first")
    parser.add_argument("--batch", type=int, default=4096, help="positions a step")
    parser.add_argument("--rate", type=float, default=3e-3, help="of learning, at its peak")
    parser.add_argument("--value-weight", type=float, default=1.5, help="of results, beside moves")
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    add_held_out(parser, "learn nothing from games whose number EVERY divides")
    return run_program(parser, _reinforce)


def _reinforce(options: argparse.Namespace) -> None:
    begun = time.monotonic()
    learned, asked, _ = split_in_three(read_games(options.games), HeldOut(options.held_out))
    run = Reinforcement(options, samples_of(learned), samples_of(asked))
    run.learn_proofs(samples_of_proofs(read_proofs(options.proofs)))
    while run.round <= options.rounds and time.monotonic() < begun + 60 * options.minutes:
        run.go_on()


class Reinforcement:
    """A run: the network, its average, what it learns from, and how far it is."""

    def __init__(
        self, options: argparse.Namespace, people: list[Samples], apart: list[Samples]
    ) -> None:
        """``apart``: positions that only measure the network."""
        self._options = options
        self.round = 0
        """That comes next; the first one learns from games of people alone."""
        self._best = -1.0  # the mean share of wins of the weights that are written
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if options.start:
            net = load_network(options.start).enlarged(options.blocks)
        else:
            net = HexNet(Shape(options.blocks, options.channels))
        self._net = net.to(self._device, memory_format=torch.channels_last)
        average = get_ema_multi_avg_fn(AVERAGED)
        self._average = AveragedModel(self._net, multi_avg_fn=average)
        self._against = self._opponent()
        self._optimizer = torch.optim.AdamW(
            self._net.parameters(), lr=options.rate, weight_decay=DECAY, betas=(0.9, 0.99)
        )
        self._people = self._positions(people)
        self._apart = self._positions(apart)
        self._proved: dict[int, Learned] = {}
        self._own: dict[int, list[Learned]] = defaultdict(list)
        if (options.folder / CHECKPOINT).exists():
            self._take_up()

    def learn_proofs(self, proofs: list[Samples]) -> None:
        """Learn from proved positions too."""
        for size, part in self._positions(proofs).items():
            won = part.won > 0
            shares = part.shares / part.shares.sum(1, keepdim=True)
            weight = torch.stack([won, torch.ones_like(won)], 1).half()
            self._proved[size] = Learned(part.stones, shares, part.won, weight)

    def go_on(self) -> None:
        """Play a round's games, learn from them, and write down where the run is."""
        options, begun = self._options, time.perf_counter()
        torch.manual_seed(options.seed + self.round)  # the same after a stop
        steps = options.steps if self.round else options.alone
        if self.round:
            self._play()
        played = time.perf_counter()
        total = options.alone + options.rounds * options.steps
        before = options.alone + (self.round - 1) * options.steps if self.round else 0
        rates = (options.rate * pace((before + step) / total) for step in range(steps))
        losses = [self._learn(rate) for rate in rates]
        learned = time.perf_counter()
        means = torch.stack(losses).mean(0).tolist() if losses else [0.0, 0.0]
        apart = " ".join(f"{n}:{loss:.4f}" for n, loss in self._log_losses().items())
        positions = sum(len(parts[-1]) for parts in self._own.values() if parts)
        print(
            f"round {self.round}: move {means[0]:.4f} result {means[1]:.4f}; apart {apart}; "
            f"{positions} positions in {played - begun:.1f} s, {steps} steps in "
            f"{learned - played:.1f} s",
            flush=True,
        )
        self.round += 1
        self._write_checkpoint()
        self._write_if_best()

    def _play(self) -> None:
        """Play the games of a round on boards of several sizes."""
        self._average.eval()
        for turn, (size, share) in enumerate(self._shares().items()):
            if share < OFTEN:
                if (self.round + turn) % 3:
                    continue
                share *= 3
            # larger boards have more positions a game
            count = int(self._options.count * share / SHARES[11] * (11 / size) ** 2)
            starts = self._starts(max(count, 1), size)
            games = play_games(self._opinion, starts, self._options.visits)
            self._own[size] = [*self._own[size], games][-KEPT:]

    def _shares(self) -> dict[int, float]:
        """Return the sizes of the present stage; a run that began with weights is in the last."""
        if self._options.start:
            return SHARES
        passed = self.round / self._options.rounds
        return next(shares for until, shares in STAGES if passed <= until)

    def _starts(self, count: int, size: int) -> Tensor:
        """Return positions for games: some of people's, even ones, and any first moves."""
        first = first_moves(count, size, self._device)
        even_ones = even(self._opinion, first_moves(count, size, self._device))
        starts = [even_ones[: int(count * EVEN)], first]
        if size in self._people and len(self._people[size]) >= MANY:
            starts = [self._borrowed(size, int(count * BORROWED)), *starts]
        return torch.cat(starts)[:count]

    def _borrowed(self, size: int, count: int) -> Tensor:
        """Return positions of people's games in which nobody has won."""
        people = self._people[size].stones
        drawn = people[torch.randint(len(people), (2 * count,), device=self._device)]
        return drawn[~connected(drawn) & ~connected(seen_by_other(drawn))][:count]

    def _opinion(self, stones: Tensor) -> tuple[Tensor, Tensor]:
        return quick_opinion(self._average.module, stones)

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
        with torch.autocast(self._device.type, torch.bfloat16):
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
        if self._proved and torch.rand(()) < PROVED:
            return self._proved[_one_of({size: len(part) for size, part in self._proved.items()})]
        size = _one_of({size: share for size, share in self._shares().items() if self._own[size]})
        people = self._people.get(size)
        if people and len(people) >= MANY and torch.rand(()) < PEOPLE:
            return people
        games = self._own[size]
        return games[int(torch.randint(len(games), ()))]

    def _log_losses(self) -> dict[int, float]:
        """Return the mean log loss of results of the positions set apart, by size."""
        self._average.eval()
        losses = {}
        for size, part in self._apart.items():
            _, wins = evaluate(self._opinion, part.stones)
            loss = functional.binary_cross_entropy_with_logits(wins, part.won.float())
            losses[size] = loss.item()
        return losses

    def _positions(self, samples: Iterable[Samples]) -> dict[int, Learned]:
        """Return what there is to learn from games of people, by size."""
        positions = {}
        for part in samples:
            shares = torch.from_numpy(part.good).flatten(1).half()
            won = torch.from_numpy(part.won).half()
            moves = torch.where(won > 0, 1, LOSER)
            weight = torch.stack([moves, torch.full_like(moves, RESULT)], 1).half()
            whole = Learned(torch.from_numpy(part.stones), shares, won, weight)
            positions[part.board.rows] = Learned(*(field.to(self._device) for field in whole))
        return positions

    def _opponent(self) -> Net | None:
        """Return the network to play against after each round, if one is named."""
        if self._options.against is None:
            return None
        net = load_network(self._options.against).eval()
        net = net.to(self._device, memory_format=torch.channels_last)
        return partial(quick_opinion, net)

    def _write_if_best(self) -> None:
        """Write the average, unless an earlier one won more games against the opponent."""
        if self._against is not None:
            self._average.eval()
            shares = []
            for size in GATES:
                share = share_of_wins(
                    self._opinion, self._against, size, self._options.pairs, self._device
                )
                print(f"  {size}x{size}: {share} of games", flush=True)
                shares.append(share.value)
            mean = sum(shares) / len(shares)
            if mean < self._best:
                return
            self._best = mean
            self._write_checkpoint()
        net = HexNet(self._net.shape)
        net.load_state_dict(self._average.module.state_dict())
        save_weights(weights_of(net), UNCALIBRATED, self._options.folder / "weights.npz")

    def _take_up(self) -> None:
        """Go on from the checkpoint, with the games of the last rounds if they are there."""
        kept = self._loaded(CHECKPOINT)
        self._net.load_state_dict(kept["net"])
        self._average.load_state_dict(kept["average"])
        self._optimizer.load_state_dict(kept["optimizer"])
        self.round = kept["round"]
        self._best = kept["best"]
        if (self._options.folder / GAMES).exists():
            for size, parts in self._loaded(GAMES).items():
                self._own[size] = [Learned(*part) for part in parts]

    def _loaded(self, name: str) -> Any:
        path = self._options.folder / name
        return torch.load(path, map_location=self._device, weights_only=True)

    def _write_checkpoint(self) -> None:
        folder = self._options.folder
        folder.mkdir(parents=True, exist_ok=True)
        state = {
            "net": self._net.state_dict(),
            "average": self._average.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "round": self.round,
            "best": self._best,
        }
        own = {size: [tuple(part) for part in parts] for size, parts in self._own.items()}
        for name, kept in ((CHECKPOINT, state), (GAMES, own)):
            written = io.BytesIO()
            torch.save(kept, written)
            save_file(folder / name, written.getvalue())


def _one_of(weights: dict[int, float]) -> int:
    """Return a key, drawn by its weight."""
    lot = torch.multinomial(torch.tensor(list(weights.values()), dtype=torch.float), 1)
    return list(weights)[int(lot)]


if __name__ == "__main__":
    sys.exit(main())
