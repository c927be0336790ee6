"""The command line that all attacks share: seeds, processes, progress, failures."""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.processes import memory_of

Attack = Callable[..., str | None]
"""Attacks with a seed and ``options``; returns what is wrong, None if nothing is."""


def seeds(text: str) -> range:
    """Read ``FIRST:LAST``, both included. Raises argparse.ArgumentTypeError."""
    try:
        first, last = map(int, text.split(":"))
    except ValueError:
        raise argparse.ArgumentTypeError("seeds are FIRST:LAST") from None
    return range(first, last + 1)


def failures(
    chosen: Iterable[int], attack: Callable[[int], str | None]
) -> Iterator[tuple[int, str]]:
    """Yield each seed whose attack went wrong, with what went wrong."""
    for seed in chosen:
        wrong = attack(seed)
        if wrong is not None:
            yield seed, wrong


def run_seeds(
    name: str,
    attack: Attack,
    kinds: Iterable[str] = (),
    add_options: Callable[[argparse.ArgumentParser], object] = lambda parser: None,
) -> int:
    """Attack with the seeds of the command line; prints failures, returns 1 if there are any.

    ``kinds``: those that ``--kind`` takes. The attack is given all options.
    """
    parser = argparse.ArgumentParser(prog=f"python -m tests.stress.{name}")
    parser.add_argument("--seeds", type=seeds, required=True, metavar="FIRST:LAST")
    parser.add_argument("--kind", choices=sorted(kinds), default="", help="this kind only")
    add_options(parser)
    options = parser.parse_args()
    begun, before = time.monotonic(), memory()
    failed = 0
    for done, (seed, wrong) in enumerate(_attacked(attack, options), start=1):
        if wrong is not None:
            failed += 1
            print(f"seed {seed}: {wrong}", flush=True)
        if done % 20 == 0:
            print(f"\r{done} of {len(options.seeds)}, {failed} failed", end="", file=sys.stderr)
    rate = len(options.seeds) / (time.monotonic() - begun)
    print(
        f"{name}: {len(options.seeds)} seeds, {failed} failed, {rate:.1f} a second, "
        f"memory {before} MiB at the start and {memory()} at the end"
    )
    return 1 if failed else 0


def _attacked(attack: Attack, options: argparse.Namespace) -> Iterator[tuple[int, str | None]]:
    """Yield each seed with what went wrong."""
    one, processes = partial(attack, options=options), getattr(options, "processes", 1)
    if processes == 1:
        yield from ((seed, one(seed)) for seed in options.seeds)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from zip(options.seeds, pool.map(one, options.seeds, chunksize=100), strict=True)


def memory() -> int:
    """Return the MiB of memory that this process and its largest child hold."""
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # in KiB, on Linux
    return round(memory_of() + largest / 1024)
