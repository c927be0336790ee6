"""The command line that all attacks share: a range of seeds, progress, failures."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator


def seeds(text: str) -> range:
    """Read ``FIRST:LAST``, both included. Raises argparse.ArgumentTypeError."""
    try:
        first, last = map(int, text.split(":"))
    except ValueError:
        raise argparse.ArgumentTypeError("seeds are FIRST:LAST") from None
    return range(first, last + 1)


def failures(chosen: range, attack: Callable[[int], str | None]) -> Iterator[tuple[int, str]]:
    """Yield each seed whose attack went wrong, with what went wrong."""
    for seed in chosen:
        wrong = attack(seed)
        if wrong is not None:
            yield seed, wrong


def run_seeds(
    name: str, attack: Callable[[int, str], str | None], kinds: Iterable[str] = ()
) -> int:
    """Attack with the seeds of the command line; prints failures, returns 1 if there are any.

    ``attack`` takes a seed and the only kind of attack that is wanted, '' for any.
    """
    parser = argparse.ArgumentParser(prog=f"python -m tests.torture.{name}")
    parser.add_argument("--seeds", type=seeds, required=True, metavar="FIRST:LAST")
    parser.add_argument("--kind", choices=sorted(kinds), default="", help="this kind only")
    options = parser.parse_args()
    chosen = options.seeds
    done = failed = 0

    def counting(seed: int) -> str | None:
        nonlocal done
        done += 1
        if done % 20 == 0:
            print(f"\r{done} of {len(chosen)}, {failed} failed", end="", file=sys.stderr)
        return attack(seed, options.kind)

    for seed, wrong in failures(chosen, counting):
        failed += 1
        print(f"seed {seed}: {wrong}", flush=True)
    print(f"{name}: {len(chosen)} seeds, {failed} failed")
    return 1 if failed else 0
