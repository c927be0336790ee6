"""Options of the commands whose work can be spread: how many processes, or which cluster."""

import argparse
from collections.abc import Set
from concurrent.futures import Executor
from contextlib import AbstractContextManager

from hextui.commands.arguments import Parser
from hextui.commands.output import remark
from hextui.engines.limits import cores
from hextui.runs import workers

PROCESSES = "number of processes (default: one per core)"


def worker_arguments(parser: Parser, processes: str = PROCESSES) -> None:
    """Add the options that say who works; ``processes`` is the help for their number."""
    parser.number("--workers", processes, most=1024)
    text = "scheduler of a Dask cluster: tcp://HOST:8786"
    parser.value("--cluster", "ADDRESS", text)


def open_workers(
    options: argparse.Namespace, cells: Set[int], most: int = 1024
) -> AbstractContextManager[Executor]:
    """Open the workers for boards of these numbers of cells, at most ``most`` processes.

    On this machine only after the kernels are compiled. Raises RunError.
    """
    from hextui.engine.warm import compile_widths
    from hextui.engine.widths import width_of

    if options.cluster is not None:
        return workers.cluster(options.cluster)
    widths = sorted({width_of(number) for number in cells})
    for step in compile_widths(widths, cores()):
        remark(f"compiling {step.label}: {step.done} of {step.total}")
    return workers.processes(min(options.workers or cores(), most))


def window_of(options: argparse.Namespace) -> int:
    """Return how many tasks are handed out at once, so that another program can do the rest."""
    return workers.WINDOW if options.cluster is not None else options.workers or cores()
