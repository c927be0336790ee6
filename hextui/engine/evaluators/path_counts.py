"""Both colours' short paths after every legal move, which one-ply evaluators compare.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 3, 4.1.3 and 6.1. Up to k =
2 paths are counted without listing (kernels/paths); beyond that walks turn back twice, so paths are
listed, and what would take long is refused.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from hextui.engine.board import Color
from hextui.engine.evaluators.workbench import After, Counts, Workbench
from hextui.engine.kernels.paths import counting
from hextui.engine.kernels.paths.layout import CUT, LEVELS
from hextui.engine.limit import TooCostlyError
from hextui.engine.network import Network, network
from hextui.engine.orientation import Orientation
from hextui.engine.paths import PIECE, PathCounts, PathSets, path_counts

CHUNK_SECONDS = 0.03  # how long a caller may have to wait before it can stop
MOST_WALKS = 300_000  # more walks are not listed: so many take about a quarter of a minute

Result = TypeVar("Result")


def counts_after_moves(bench: Workbench, k: int, fresh: bool = False) -> Iterator[dict[int, After]]:
    """Yield the counts of levels 0 to k after every move by cell, more of them each time.

    ``fresh``: each position after a move is searched from scratch. Counts are kept in the bench.
    Raises TooCostlyError for a k above 2 with too many paths here.
    """
    if k < 0:
        raise ValueError(f"k is 0 or more, not {k}")
    if not bench.position.empties:
        return iter([{}])
    if k >= LEVELS:
        return _listed_after_moves(bench, k, fresh)
    return _searched_after_moves(bench) if fresh else _updated_after_moves(bench, k)


def _updated_after_moves(bench: Workbench, k: int) -> Iterator[dict[int, After]]:
    """Yield counts by updated connections; one serves for cells that a symmetry exchanges."""
    known = [found for level, found in bench.after_moves.items() if level >= k]
    if known:
        yield known[0]
        return
    orientation = bench.oriented(bench.position.to_move).orientation
    rotate = bench.board.rotate
    # as the side to move sees them: so it does not matter how the board is held
    cells = [orientation.cell_of[c] for c in orientation.position.empties]
    if orientation.symmetric:
        cells = cells[: (len(cells) + 1) // 2]  # the second half are the first one's images
    found: dict[int, After] = {}
    done = 0
    for chunk, counted in in_chunks(cells, lambda chunk: _count(bench, chunk, k)):
        found |= counted
        if orientation.symmetric:
            found |= {rotate(cell): after for cell, after in counted.items()}
        done += len(chunk)
        if done == len(cells):
            bench.after_moves[k] = found
        yield found


def _count(bench: Workbench, cells: Sequence[int], k: int) -> dict[int, After]:
    mover = bench.position.to_move
    own, other = bench.oriented(mover), bench.oriented(mover.opponent)
    results = np.zeros((len(cells), 2, counting.FIELDS), np.int64)
    counting.count_after_moves(
        own.search.handle,
        other.search.handle,
        bench.room.handle,
        np.stack([o.orientation.seen_at[list(cells)] for o in (own, other)], axis=1),
        k,
        results,
    )
    refused = slice(counting.REFUSED, counting.REFUSED + LEVELS)
    results[..., refused] = results[..., counting.RAW : counting.REFUSED] - results[..., refused]
    found = {}
    for cell, (mine, theirs) in zip(cells, results.tolist(), strict=True):
        pair = (_of_result(mine), _of_result(theirs))
        found[cell] = After(*pair) if mover is Color.BLACK else After(*pair[::-1])
    return found


def _of_result(result: list[int]) -> Counts:
    """Return the counts of a result in which those accepted have replaced those refused."""
    distance = result[counting.DISTANCE]
    raw = tuple(result[counting.RAW : counting.RAW + LEVELS])
    accepted = tuple(result[counting.REFUSED : counting.REFUSED + LEVELS])
    return Counts(
        None if distance == CUT else distance, raw, accepted, bool(result[counting.EXACT])
    )


def in_chunks(
    cells: Sequence[int], work: Callable[[Sequence[int]], Result]
) -> Iterator[tuple[Sequence[int], Result]]:
    """Yield pieces of the cells with what the work on each gave; their size follows its time."""
    size = 4
    while cells:
        chunk, cells = cells[:size], cells[size:]
        start = time.perf_counter()
        result = work(chunk)
        seconds = time.perf_counter() - start
        size = max(1, int(size * min(8, CHUNK_SECONDS / max(seconds, 1e-6))))
        yield chunk, result


def _searched_after_moves(bench: Workbench) -> Iterator[dict[int, After]]:
    """Yield counts of levels 0 to 2 by fresh searches."""
    found = bench.searched_moves
    yield dict(found)
    for cell in bench.position.empties:
        if cell not in found:
            child = bench.after(cell)
            found[cell] = After(*(_of_paths(child.paths(color)) for color in Color))
            yield dict(found)


def _of_paths(paths: PathCounts) -> Counts:
    return Counts(paths.distance, paths.raw, paths.accepted, paths.exact)


def networks_after(bench: Workbench, cell: int, fresh: bool = False) -> dict[Color, Network]:
    """Return each colour's network, with virtual links, after the mover's stone on a cell."""
    if fresh:
        child = bench.after(cell)
        return {color: child.network(color) for color in Color}
    position = bench.position
    seen = bench.oriented(position.to_move).orientation
    place = int(seen.seen_at[cell])
    # of two cells that change places under a turn the first is counted, and serves for both
    if seen.symmetric and place > seen.position.board.rotate(place):
        turned = Orientation(position.rotated(), turned=True)
        found = _networks(bench, bench.board.rotate(cell))
        return {color: there.carried_back(turned) for color, there in found.items()}
    return _networks(bench, cell)


def _networks(bench: Workbench, cell: int) -> dict[Color, Network]:
    found = {}
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
        found[color] = there.carried_back(orientation)
    return found


def _listed_after_moves(bench: Workbench, k: int, fresh: bool) -> Iterator[dict[int, After]]:
    if k in bench.after_moves and not fresh:
        yield bench.after_moves[k]
        return
    cells = bench.position.empties
    check_cost([bench.network(color) for color in Color], k, len(cells))
    found: dict[int, After] = {}
    for cell in cells:
        networks = networks_after(bench, cell, fresh)
        found = {**found, cell: After(*(_of_paths(list_paths(networks[c], k)) for c in Color))}
        if len(found) == len(cells) and not fresh:
            bench.after_moves[k] = found
        yield found


def contribution_counts(bench: Workbench, color: Color, k: int) -> Iterator[PathCounts | None]:
    """Yield None while paths are listed, then the path counts; may raise TooCostlyError."""
    if k < LEVELS:
        yield bench.paths(color)
        return
    symmetric = bench.oriented(color).orientation.symmetric
    for found in _listing(bench.network(color), k):
        if found is not None and symmetric:
            # of a cell and its image, turned by 180 degrees, each has the mean
            found = found.mapped(lambda values: (values + values[:, ::-1]) / 2)
        yield found


def list_paths(network: Network, k: int) -> PathCounts:
    """Count the paths of levels 0 to k by listing them; may raise TooCostlyError."""
    return next(found for found in _listing(network, k) if found is not None)


def _listing(network: Network, k: int) -> Iterator[PathCounts | None]:
    """Yield None many times while paths are listed, so that a caller can stop, then the counts."""
    check_cost([network], k, 1)
    sets, cells = PathSets(network, most=MOST_WALKS), network.board.cells
    through = np.zeros((2, k + 1, cells))
    counts = np.zeros((2, k + 1), np.int64)
    for level in range(k + 1):
        for _ in sets.listing(level):
            yield None
        for place, path in enumerate(sets.level(level)):
            rows = 1 if sets.refuser(path, level) else 2  # all paths, and those accepted
            counts[:rows, level] += 1
            through[:rows, level, list(path.cells)] += 1
            if place % PIECE == 0:
                yield None
    yield path_counts(network.distance, counts, through, (True,) * (k + 1))


def check_cost(networks: Iterable[Network], k: int, times: int) -> None:
    """Raise TooCostlyError if networks, listed so many times, have too many walks."""
    cost = times * sum(_walks(network, k) for network in networks)
    if cost > MOST_WALKS:
        raise TooCostlyError(
            f"k = {k} lists paths one by one: about {cost:,} walks here, {MOST_WALKS:,} at most; "
            "take k = 2, or a smaller board"
        )


def _walks(network: Network, k: int) -> int:
    """Return how many walks of d to d + k links join the sides: no less than there are paths."""
    if network.distance is None:
        return 0
    first, second = network.board.cells, network.board.cells + 1
    ways, total = {first: 1}, 0
    for length in range(1, network.distance + k + 1):
        longer: dict[int, int] = {}
        for node, count in ways.items():
            for other in network.neighbours[node]:
                if other != first:
                    longer[other] = longer.get(other, 0) + count
        arrived = longer.pop(second, 0)
        total += arrived if length >= network.distance else 0
        ways = longer
    return total
