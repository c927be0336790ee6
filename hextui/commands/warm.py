"""``hextui warm``: compile the kernels now.

Progress goes to standard error, one line a step, in the form ``width done total label``: the
workstation, which starts this as a child, reads it there.
"""

import json
import logging
import sys
import time

from hextui.commands.documents import complain
from hextui.engine.board import MAX_SIDE
from hextui.engine.warm import WIDTHS, compile_width, is_solver_warm, is_warm, width_of


def run(cells: int | None, as_json: bool) -> int:
    """Compile for boards of ``cells`` cells, None for all sizes; return the exit code."""
    if cells is not None and not 1 <= cells <= MAX_SIDE**2:
        return complain(ValueError(f"--cells: boards have 1 to {MAX_SIDE**2} cells, not {cells}"))
    logging.getLogger("hextui").setLevel(logging.ERROR)  # the steps say that it compiles
    seconds: dict[int, float] = {}
    for width in WIDTHS if cells is None else (width_of(cells),):
        if is_warm(width) and is_solver_warm(width):
            continue
        start = time.perf_counter()
        for step in compile_width(width):
            print(step.width, step.done, step.total, step.label, file=sys.stderr, flush=True)
        seconds[width] = round(time.perf_counter() - start, 2)
    if as_json:
        print(json.dumps({"seconds": {str(width): s for width, s in seconds.items()}}))
    else:
        lines = (f"boards of up to {64 * w} cells: {s:.1f} s" for w, s in seconds.items())
        print("\n".join(lines) or "nothing to do: the kernels are compiled")
    return 0
