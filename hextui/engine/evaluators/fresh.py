"""Both colours' path counts after every move, each position after a move searched afresh.

So they are those of that position's networks, however one came there. It takes longer than an
update of the connections (docs/methods.md#orientation).
"""

from collections.abc import Iterator

from hextui.engine.board import Color
from hextui.engine.evaluators.base import After, Counts, Workbench


def bench_after(bench: Workbench, cell: int) -> Workbench:
    """Return the bench's second one, at the position after the mover's stone on a cell."""
    return bench.elsewhere(bench.position.play(cell))


def search_after_moves(bench: Workbench) -> Iterator[dict[int, After]]:
    """Yield the counts of levels 0 to 2 after every move by cell; the last has all.

    What was counted at this position is not counted again.
    """
    found = bench.searched_moves
    yield dict(found)
    for cell in bench.position.empties:
        if cell not in found:
            child = bench_after(bench, cell)
            found[cell] = After(*(_counts(child, color) for color in Color))
            yield dict(found)


def _counts(child: Workbench, color: Color) -> Counts:
    paths = child.paths(color)
    return Counts(paths.distance, paths.raw, paths.accepted, paths.exact)
