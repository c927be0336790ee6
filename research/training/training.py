"""Training: from samples to weights, in steps that a stop does not lose.

Each step's positions depend on the seed, the step and the worker alone, so a run that was stopped
and taken up again ends with the weights of one that was not. Workers are processes of one thread
each that average their gradients.
"""

import io
import json
import math
import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn import functional

from hextui.records.saving import save_file
from research.training.data import STRONG, HeldOut
from research.training.network import HexNet, Shape, planes_of
from research.training.samples import Samples

CHECKPOINT = "checkpoint.pt"
CURVE = "curve.json"
SETTINGS = "settings.json"
OPENING = 12
"""With fewer stones a position is one of the opening."""
JUDGED = 2048
"""At most so many positions of each kind set apart are judged for a point of the curve."""
Point = dict[str, float]


@dataclass(frozen=True)
class Training:
    """What a run depends on, besides its games.

    ``steps`` of ``batch`` positions; the rate rises over the first twentieth and falls to 0 by a
    cosine. ``decay``: weights shrink by this times the rate in each step. ``loser_weight`` is what
    a loser's move counts beside a winner's, ``strong_weight`` what a move of a game counts whose
    winner's rating is STRONG or more, beside other games, ``opening_weight`` what a move of the
    opening counts beside later ones, ``value_weight`` what the result counts beside the move.
    ``proved_share`` of the steps learn from proved positions. ``every`` steps the curve gets a
    point and the run is kept. ``start`` is the digest of the weights that the run begins with, ''
    for new ones.
    """

    seed: int = 1
    steps: int = 5000
    batch: int = 256
    rate: float = 3e-3
    decay: float = 0.03
    loser_weight: float = 0.5
    strong_weight: float = 1.0
    opening_weight: float = 1.0
    value_weight: float = 0.5
    proved_share: float = 0.0
    workers: int = 1
    every: int = 100
    start: str = ""
    shape: Shape = field(default_factory=Shape)
    held_out: HeldOut = field(default_factory=HeldOut)


def train(
    samples: list[Samples],
    settings: Training,
    folder: Path,
    start: HexNet | None = None,
    proved: Sequence[Samples] = (),
    apart: Sequence[Samples] = (),
) -> HexNet:
    """Train a network, or go on with the run that the folder holds, and return it.

    ``samples`` are of games, ``proved`` of proved positions. A new run begins with the weights of
    ``start``, if there is one. If there are samples ``apart``, the weights returned are those with
    the least log loss of their results, as the mean over boards. Raises ValueError if the run in
    the folder has other settings, or if proved positions are given and not asked for, or the other
    way round.
    """
    if (settings.proved_share > 0) != bool(proved):
        raise ValueError("proved positions and their share of the steps: give both or none")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = json.dumps(asdict(settings), indent=1) + "\n"
    known = folder / SETTINGS
    if known.exists() and known.read_text() != wanted:
        raise ValueError(f"{known}: this run has other settings; choose another folder")
    save_file(known, wanted)
    first = start.state_dict() if start else None
    kinds = ((samples, 1 - settings.proved_share), (proved, settings.proved_share))
    shares = np.concatenate([share * _shares(kind) for kind, share in kinds])
    parts = list(zip([*samples, *proved], shares.tolist(), strict=True))
    if settings.workers == 1:
        _work(0, parts, apart, settings, folder, first, "")
    else:
        with tempfile.TemporaryDirectory() as place:
            meeting = f"file://{place}/meeting"
            torch.multiprocessing.spawn(
                _work, (parts, apart, settings, folder, first, meeting), nprocs=settings.workers
            )
    net = HexNet(settings.shape)
    net.load_state_dict(torch.load(folder / CHECKPOINT, weights_only=True)["best"])
    return net


def _work(
    worker: int,
    parts: list[tuple[Samples, float]],
    apart: Sequence[Samples],
    settings: Training,
    folder: Path,
    first: dict[str, Tensor] | None,
    meeting: str,
) -> None:
    """Train as one of the workers; the first one keeps the run.

    ``parts``: samples, and in which share of the steps they are learned from.
    """
    torch.set_num_threads(1)
    if meeting:
        threading.Thread(target=_end_with_parent, daemon=True).start()
        dist.init_process_group(
            "gloo", init_method=meeting, rank=worker, world_size=settings.workers
        )
    torch.manual_seed(settings.seed)
    net = HexNet(settings.shape).to(memory_format=torch.channels_last)
    if first:
        net.load_state_dict(first)
    optimizer = torch.optim.AdamW(
        net.parameters(), lr=settings.rate, weight_decay=settings.decay, betas=(0.9, 0.99)
    )
    begun, curve, best = _taken_up(folder, net, optimizer)
    shares = [share for _, share in parts]
    sums, since = np.zeros(4), time.process_time()
    for step in range(begun, settings.steps):
        # all workers draw the same board, each its own positions
        lot = np.random.default_rng((settings.seed, step))
        chosen, _ = parts[lot.choice(len(parts), p=shares)]
        chance = np.random.default_rng((settings.seed, step, worker))
        loss, told = _loss(net, chosen, settings, chance)
        optimizer.zero_grad()
        loss.backward()
        if meeting:
            _average(net, settings.workers)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * pace(step / settings.steps)
        optimizer.step()
        sums += told
        if (step + 1) % settings.every == 0 or step + 1 == settings.steps:
            now = time.process_time()
            curve.append(_point(step + 1, sums, now - since))
            sums, since = np.zeros(4), now
            if worker == 0:
                losses = log_losses(net, apart)
                curve[-1] |= losses
                print(curve[-1], flush=True)
                if not losses or _mean_loss(curve[-1]) <= min(map(_mean_loss, curve)):
                    best = {name: part.clone() for name, part in net.state_dict().items()}
                _keep(folder, net, optimizer, step + 1, curve, best)
    if meeting:
        dist.destroy_process_group()


def _shares(samples: Sequence[Samples]) -> Any:
    """Return the shares of the positions that the samples have, float[samples]."""
    counts = np.array([len(part) for part in samples], float)
    return counts / counts.sum() if len(counts) else counts


def log_losses(net: HexNet, apart: Sequence[Samples]) -> Point:
    """Return the mean log loss of the results of samples by ``log_loss_BOARD``."""
    found: dict[str, list[float]] = {}
    for part in apart:
        rows = np.unique(np.linspace(0, len(part) - 1, JUDGED).astype(int))
        losses = found.setdefault(f"log_loss_{part.board}", [])
        for some in np.array_split(rows, -(-len(rows) // 256)):
            with torch.no_grad():
                _, wins = net(planes_of(torch.from_numpy(part.stones[some])))
            won = torch.from_numpy(part.won[some])
            each = functional.binary_cross_entropy_with_logits(wins, won, reduction="none")
            losses += each.tolist()
    return {name: round(float(np.mean(losses)), 4) for name, losses in found.items()}


def _mean_loss(point: Point) -> float:
    return float(np.mean([loss for name, loss in point.items() if name.startswith("log_loss_")]))


def _taken_up(
    folder: Path, net: nn.Module, optimizer: Any
) -> tuple[int, list[Point], dict[str, Tensor]]:
    """Set network and optimizer to what the folder keeps; return steps, curve and best weights."""
    if not (folder / CHECKPOINT).exists():
        return 0, [], {}
    kept = torch.load(folder / CHECKPOINT, weights_only=True)
    net.load_state_dict(kept["net"])
    optimizer.load_state_dict(kept["optimizer"])
    return kept["step"], kept["curve"], kept["best"]


def _point(step: int, sums: Any, seconds: float) -> Point:
    """Return a point of the curve: means over the steps since the last one, of one worker."""
    moves, found, count, values = sums.tolist()
    return {
        "step": step,
        "move_loss": round(moves / count, 4),
        "win_loss": round(values / count, 4),
        "top_1": round(found / count, 4),
        "seconds": round(seconds, 1),
    }


def _end_with_parent() -> None:
    """End the worker when the process that started it has gone, whatever took it away."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _loss(
    net: HexNet, samples: Samples, settings: Training, chance: np.random.Generator
) -> tuple[Tensor, Any]:
    """Return the loss of a batch, and sums over it.

    They are the loss of moves, moves found, positions, and the loss of results.
    """
    size = settings.batch // settings.workers
    rows = chance.integers(len(samples), size=size)
    turned = (chance.random(size) < 0.5)[:, None, None]
    stones = _held(samples.stones, rows, turned)
    seen, chosen = torch.from_numpy(stones), _flat(samples.good, rows, turned)
    won = torch.from_numpy(samples.won[rows])
    logits, wins = net(planes_of(seen))
    logits = logits.masked_fill(seen.flatten(1) != 0, -torch.inf)
    if samples.shares is None:
        right = logits.masked_fill(~chosen, -torch.inf).logsumexp(1)
    else:
        share = _flat(samples.shares, rows, turned)
        right = torch.where(share > 0, share * logits, 0).sum(1)
    moves = logits.logsumexp(1) - right
    strong = samples.rating[rows] >= STRONG
    weight = torch.where(won > 0, 1.0, settings.loser_weight)
    weight *= torch.from_numpy(np.where(strong, settings.strong_weight, 1.0))
    opening = np.count_nonzero(stones, axis=(1, 2)) < OPENING
    weight *= torch.from_numpy(np.where(opening, settings.opening_weight, 1.0))
    loss = (moves * weight).mean()
    found = chosen.gather(1, logits.argmax(1, keepdim=True)).sum()
    values = functional.binary_cross_entropy_with_logits(wins, won, reduction="sum")
    loss = loss + settings.value_weight * values / size
    return loss, np.array([moves.sum().item(), found.item(), size, values.item()])


def _held(boards: Any, rows: Any, turned: Any) -> Any:
    """Return boards by their rows, some of them turned by 180 degrees: that is the same game."""
    return np.where(turned, boards[rows, ::-1, ::-1], boards[rows])


def _flat(boards: Any, rows: Any, turned: Any) -> Tensor:
    """Return the same, [positions, cells]."""
    return torch.from_numpy(_held(boards, rows, turned)).flatten(1)


def _average(net: nn.Module, workers: int) -> None:
    """Replace each worker's gradients by the mean of all."""
    gradients = [p.grad for p in net.parameters() if p.grad is not None]
    together = torch.cat([gradient.flatten() for gradient in gradients])
    dist.all_reduce(together)
    together /= workers
    parts = together.split([gradient.numel() for gradient in gradients])
    for gradient, part in zip(gradients, parts, strict=True):
        gradient.copy_(part.view_as(gradient))


def pace(done: float) -> float:
    """Return what part of the full rate is used when a part of the steps is done.

    >>> [round(pace(done), 2) for done in (0, 0.025, 0.05, 0.525, 1)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    rising = 0.05
    if done < rising:
        return done / rising
    return (1 + math.cos(math.pi * (done - rising) / (1 - rising))) / 2


def _keep(
    folder: Path,
    net: nn.Module,
    optimizer: Any,
    step: int,
    curve: list[Point],
    best: dict[str, Tensor],
) -> None:
    """Write down where the run is."""
    state = {
        "net": net.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
        "curve": curve,
        "best": best,
    }
    written = io.BytesIO()
    torch.save(state, written)
    save_file(folder / CHECKPOINT, written.getvalue())
    rows = ",\n".join(json.dumps(row) for row in curve)
    save_file(folder / CURVE, f"[\n{rows}\n]\n")
