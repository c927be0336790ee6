"""Measure our players against a network of another program in an ONNX file.

    python -m tests.benchmarks.against_network FILE FOLDER [--games N] [--seconds S] [--visits N]

Three matches without the swap rule, each opening with both colours: `network` and `search` against
the first choice of FILE, and `search` with each of the two networks at equal time. The openings are
single stones of the two outer lines, which are neither hopeless nor won, at equal steps. FOLDER
gets a folder for each match; what is done there is not done again.
"""

import argparse
from pathlib import Path

from hextui.commands import main as hextui
from hextui.engine.board import Board
from hextui.engine.neural.onnx_judge import onnx_judge

LINES = 2  # outer ones


def openings(board: Board, count: int) -> list[str]:
    """Return cells of the outer lines, in row order and at equal steps."""
    outer = []
    for cell in range(board.cells):
        row, column = divmod(cell, board.columns)
        inner_rows = LINES <= row < board.rows - LINES
        inner_columns = LINES <= column < board.columns - LINES
        if not (inner_rows and inner_columns):
            outer.append(board.name(cell))
    return [outer[place * len(outer) // count] for place in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--games", type=int, default=40, help="of each match; even")
    parser.add_argument("--seconds", type=float, default=1.0, help="of a move at equal time")
    parser.add_argument("--visits", type=int, default=400, help="of search against one choice")
    options = parser.parse_args()
    board = onnx_judge(options.file).only_board
    assert board is not None
    options.folder.mkdir(parents=True, exist_ok=True)
    lines = options.folder / "openings.txt"
    lines.write_text("\n".join(openings(board, options.games // 2)) + "\n")
    theirs = f"onnx({options.file})"
    timed = f"search:seconds={options.seconds:g}"
    matches = {
        "network": ("network", theirs),
        "search": (f"search:visits={options.visits}", theirs),
        "equal-time": (timed, f"{timed},network={options.file}"),
    }
    for name, (first, second) in matches.items():
        print(f"\n{first} against {second}")
        where = ["--openings", str(lines), "--out", str(options.folder / name)]
        size = ["--size", str(board), "--games", str(options.games)]
        hextui(["match", first, second, *size, *where, "--workers", "1"])


if __name__ == "__main__":
    main()
