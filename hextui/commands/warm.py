"""``hextui warm``: compile the kernels now.

Progress goes to standard error, one line a step, in the form ``width done total label``: the
workstation, which starts this as a child, reads it there.
"""

import argparse
import logging
import time

from hextui.commands.arguments import json_argument, whole
from hextui.commands.output import remark, say, say_json
from hextui.engine.board import MAX_SIDE
from hextui.engine.warm import compile_width
from hextui.engine.widths import WIDTHS, is_all_warm, width_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    json_argument(parser)
    parser.add_argument(
        "--cells",
        type=whole(1, MAX_SIDE**2),
        metavar="N",
        help="for boards of N cells only (default: all sizes)",
    )


def run(options: argparse.Namespace) -> int:
    """Compile for the boards of some number of cells, or for all; return the exit code."""
    cells = options.cells
    logging.getLogger("hextui").setLevel(logging.ERROR)  # the steps say that it compiles
    seconds: dict[int, float] = {}
    for width in WIDTHS if cells is None else (width_of(cells),):
        if is_all_warm(width):
            continue
        start = time.perf_counter()
        for step in compile_width(width):
            remark(f"{step.width} {step.done} {step.total} {step.label}")
        seconds[width] = round(time.perf_counter() - start, 2)
    if options.json:
        say_json({"seconds": {str(width): s for width, s in seconds.items()}})
    else:
        lines = (f"boards of up to {64 * w} cells: {s:.1f} s" for w, s in seconds.items())
        say("\n".join(lines) or "nothing to do: the kernels are compiled")
    return 0
