"""Both colours' short paths after every legal move, which one-ply evaluators compare.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 3, 4.1.3 and 6.1.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from hextui.engine.board import Color
from hextui.engine.evaluators.workbench import After, Counts, Workbench
from hextui.engine.kernels.paths import counting
from hextui.engine.kernels.paths.layout import CUT
from hextui.engine.limit import TooCostlyError
from hextui.engine.network import Network, network
from hextui.engine.orientation import Orientation
from hextui.engine.paths import COUNTED, PathCounts, check_cost

CHUNK_SECONDS = 0.03  # how long a caller may have to wait before it can stop

Result = TypeVar("Result")


def counts_after_moves(bench: Workbench, k: int, fresh: bool = False) -> Iterator[dict[int, After]]:
    """Yield the counts of levels 0 to k after every move by cell, more of them each time.

    ``fresh``: each position after a move is searched from scratch. Counts are kept in the bench.
    Raises TooCostlyError if k is above 2 and there are too many paths here.
    """
    if k < 0:
        raise ValueError(f"k is 0 or more, not {k}")
    if not bench.position.empties:
        return iter([{}])
    k = max(k, COUNTED - 1) if fresh else k
    if k >= COUNTED:
        check_cost([bench.network(c) for c in Color], k, len(bench.position.empties))
    return _searched_after_moves(bench, k) if fresh else _updated_after_moves(bench, k)


def _updated_after_moves(bench: Workbench, k: int) -> Iterator[dict[int, After]]:
    """Yield counts by updated connections; one serves for cells that a symmetry exchanges."""
    counted_deeper = [counts for level, counts in bench.after_moves.items() if level >= k]
    if counted_deeper:
        yield counted_deeper[0]
        return
    orientation = bench.oriented(bench.position.to_move).orientation
    rotate = bench.board.rotate
    # as the side to move sees them: so it does not matter how the board is held
    cells = [orientation.cell_of[c] for c in orientation.position.empties]
    if orientation.symmetric:
        cells = cells[: (len(cells) + 1) // 2]  # the second half are the first one's images
    counts: dict[int, After] = {}
    done = 0
    for chunk, counted in in_chunks(cells, lambda chunk: _count(bench, chunk, k)):
        counts |= counted
        if orientation.symmetric:
            counts |= {rotate(cell): after for cell, after in counted.items()}
        done += len(chunk)
        if done == len(cells):
            bench.after_moves[k] = counts
        yield counts


def _count(bench: Workbench, cells: Sequence[int], k: int) -> dict[int, After]:
    mover = bench.position.to_move
    own = bench.oriented(mover)
    other = bench.oriented(mover.opponent)
    results = np.zeros((len(cells), 2, counting.FIELDS), np.int64)
    counting.count_after_moves(
        own.search.handle,
        other.search.handle,
        bench.room.handle,
        np.stack([o.orientation.seen_at[list(cells)] for o in (own, other)], axis=1),
        k,
        results,
    )
    if k >= COUNTED and not results[..., counting.EXACT].all():
        raise TooCostlyError(f"k = {k} has more paths than can be compared here: take a smaller k")
    counts = {}
    levels = max(k + 1, COUNTED)
    for cell, (mine, theirs) in zip(cells, results.tolist(), strict=True):
        pair = (_of_result(mine, levels), _of_result(theirs, levels))
        counts[cell] = After(*pair) if mover is Color.BLACK else After(*pair[::-1])
    return counts


def _of_result(result: list[int], levels: int) -> Counts:
    distance = result[counting.DISTANCE]
    raw = tuple(result[counting.RAW : counting.RAW + levels])
    refused = result[counting.REFUSED : counting.REFUSED + levels]
    accepted = tuple(n - r for n, r in zip(raw, refused, strict=True))
    return Counts(
        None if distance == CUT else distance, raw, accepted, bool(result[counting.EXACT])
    )


def in_chunks(
    cells: Sequence[int], work: Callable[[Sequence[int]], Result]
) -> Iterator[tuple[Sequence[int], Result]]:
    """Yield pieces of the cells with what the work on each gave; their size follows its time."""
    size = 4
    while cells:
        chunk = cells[:size]
        cells = cells[size:]
        start = time.perf_counter()
        result = work(chunk)
        seconds = time.perf_counter() - start
        size = max(1, int(size * min(8, CHUNK_SECONDS / max(seconds, 1e-6))))
        yield chunk, result


def _searched_after_moves(bench: Workbench, k: int) -> Iterator[dict[int, After]]:
    """Yield counts of levels 0 to k by fresh searches."""
    searched = bench.searched_moves.setdefault(k, {})
    yield dict(searched)
    for cell in bench.position.empties:
        if cell not in searched:
            child = bench.after(cell)
            searched[cell] = After(*(_of_paths(child.paths(color, k=k)) for color in Color))
            yield dict(searched)


def _of_paths(paths: PathCounts) -> Counts:
    return Counts(paths.distance, paths.raw, paths.accepted, paths.exact)


def networks_after(bench: Workbench, cell: int, fresh: bool = False) -> dict[Color, Network]:
    """Return each colour's network, with virtual links, after the mover's stone on a cell."""
    if fresh:
        child = bench.after(cell)
        return {color: child.network(color) for color in Color}
    position = bench.position
    orientation = bench.oriented(position.to_move).orientation
    place = int(orientation.seen_at[cell])
    # of two cells that change places under a turn the first is counted, and serves for both
    if orientation.symmetric and place > orientation.position.board.rotate(place):
        turned = Orientation(position.rotated(), turned=True)
        networks = _networks(bench, bench.board.rotate(cell))
        return {color: there.back(turned) for color, there in networks.items()}
    return _networks(bench, cell)


def _networks(bench: Workbench, cell: int) -> dict[Color, Network]:
    networks = {}
    for color in Color:
        oriented = bench.oriented(color)
        search, orientation = oriented.search, oriented.orientation
        own = color is bench.position.to_move
        stone = search.color if own else search.color.opponent
        search.play(int(orientation.seen_at[cell]), stone)
        try:
            table = search.table()
        finally:
            search.undo()
        there = network(table.position, search.color, table, bench.room)
        networks[color] = there.back(orientation)
    return networks
