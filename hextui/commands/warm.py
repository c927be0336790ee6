"""``hextui warm``: compile the kernels now.

Progress goes to standard error, one line per step in the form ``width done total label``, where the
workstation, which starts this command as a child process, reads it.
"""

import argparse
import logging
import time

from hextui.commands.arguments import Parser
from hextui.commands.documents import print_document
from hextui.commands.output import remark
from hextui.engine.board import MAX_SIDE
from hextui.engine.warm import compile_widths
from hextui.engine.widths import WIDTHS, width_of
from hextui.engines.limits import cores


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.shared("--json")
    text = "for boards of N cells only (default: all sizes)"
    parser.number("--cells", text, most=MAX_SIDE**2)


def run(options: argparse.Namespace) -> int:
    """Compile for the boards of some number of cells, or for all; return the exit code."""
    cells = options.cells
    logging.getLogger("hextui").setLevel(logging.ERROR)  # progress lines say that it compiles
    widths = WIDTHS if cells is None else (width_of(cells),)
    start = time.perf_counter()
    seconds: dict[int, float] = {}
    for step in compile_widths(widths, cores()):
        remark(f"{step.width} {step.done} {step.total} {step.label}")
        seconds[step.width] = round(time.perf_counter() - start, 2)
    lines = [f"boards of up to {64 * w} cells: {s:.1f} s" for w, s in sorted(seconds.items())]
    text = "\n".join(lines) or "nothing to do: the kernels are compiled"
    document = {"seconds": {str(width): s for width, s in sorted(seconds.items())}}
    print_document(document, options, text)
    return 0
