"""Batches on workers: answers are printed in the order of the lines that were read."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hextui.commands.arguments import Parser, UsageError, usage_errors
from hextui.commands.documents import Document, answer_or_error, batch_positions, compile_first
from hextui.commands.output import FAILED, complain, say_json
from hextui.commands.worker_options import open_workers, window_of, worker_arguments
from hextui.engine.position import Position
from hextui.engine.widths import Kernels
from hextui.runs.results import RunError
from hextui.runs.workers import completed

Maker = Callable[[argparse.Namespace], Callable[[Position], Document]]
"""Returns what answers for a position with the options of a command."""


@dataclass(frozen=True)
class BatchTask:
    """A position of a batch, and what a worker needs to answer for it."""

    maker: Maker
    options: argparse.Namespace
    position: Position


def batch_arguments(parser: Parser) -> None:
    """Add the options that say who answers a batch."""
    worker_arguments(parser, "answer a --batch by this many processes (default: this one alone)")


def is_on_workers(options: argparse.Namespace) -> bool:
    """Return whether workers are to answer. Raises UsageError if there is no batch."""
    chosen = options.workers is not None or options.cluster is not None
    if chosen and not options.batch:
        raise UsageError("--workers and --cluster are for --batch")
    return chosen


def answer_on_workers(options: argparse.Namespace, maker: Maker) -> int:
    """Print the document of each position on standard input, in order; return the exit code."""
    if options.position is not None:
        return complain("give a POSITION, or --batch without one")
    answers: dict[int, Document] = {}
    printed = 0
    try:
        with usage_errors(), open_workers(options, set()) as executor:
            tasks = _tasks(options, maker, answers)
            window = 2 * window_of(options)
            for number, document in completed(executor, answer_task, tasks, window):
                answers[number] = document.value
                printed = _print_from(printed, answers)
            _print_from(printed, answers)
    except RunError as error:
        complain(error)
        return FAILED
    return 0


def answer_task(task: BatchTask) -> Document:
    """Answer for a position, in a worker."""
    return answer_or_error(task.maker(task.options), task.position)


def _tasks(
    options: argparse.Namespace, maker: Maker, answers: dict[int, Document]
) -> Iterator[tuple[int, BatchTask]]:
    """Yield a task for each good line; the answer to a bad one goes to ``answers``."""
    for number, position in enumerate(batch_positions(options)):
        if isinstance(position, dict):
            answers[number] = position
            continue
        if options.cluster is None:
            compile_first(position.board, *Kernels)  # once, before all workers need it
        yield number, BatchTask(maker, options, position)


def _print_from(first: int, answers: dict[int, Document]) -> int:
    """Print the answers from a number on; return the number of the first that is missing."""
    while first in answers:
        say_json(answers.pop(first))
        first += 1
    return first
