"""From the key to the list: how long the library's screen takes to open, in a terminal.

``python -m tests.benchmarks.library_screen LIBRARY [RUNS]``: the file of a library, such as
``tests.benchmarks.library_growth`` makes. The first opening imports what later ones have.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.test_bench_latency import Terminal, pressed


def main(library: Path, runs: int) -> None:
    """Open and leave the screen, then sort it by each column in turn."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["HEXTUI_HOME"] = home
        data = Path(home) / "data"
        data.mkdir()
        (data / "library.sqlite").symlink_to(library.resolve())
        terminal = Terminal()
        terminal.wait_for("to move")
        os.write(terminal.file, b" ")  # no analysis: the screen is measured
        terminal.drain(3)
        times = []
        for _ in range(runs):
            times += [spent.clock for spent in pressed(terminal, [("L", "by id, down")], [0.0])]
            terminal.drain(0.5)
            os.write(terminal.file, b"q")
            terminal.drain(1)
        later = times[1:]
        print(
            f"opened: first {times[0]:.0f} ms, then median {statistics.median(later):.0f}, "
            f"worst {max(later):.0f} ms"
        )
        pressed(terminal, [("L", "by id, down")], [0.0])
        for name in ("Red", "Blue", "result", "date", "event", "size", "plies"):
            terminal.drain(1)
            (spent,) = pressed(terminal, [("s", f"by {name}, up")], [0.0])
            print(f"sorted by {name}: {spent.clock:.0f} ms")
        os.write(terminal.file, b"q")
        terminal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 9)
