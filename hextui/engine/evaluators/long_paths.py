"""Path sets S_3 and above, counted one by one: for small boards.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 3 and 4.1.3. Up to k = 2
paths are counted without being listed (kernels/paths). Beyond that walks of d + k links run in
triangles and turn back twice, so paths are listed, and where that would take long it is refused.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.evaluators.after import networks_after
from hextui.engine.evaluators.base import After, Counts, Workbench
from hextui.engine.limit import TooCostlyError
from hextui.engine.network import Network
from hextui.engine.path_sets import PIECE, PathSets
from hextui.engine.paths import PathCounts

MOST_K = 9
MOST_WALKS = 300_000
"""So many walks are looked through at most: about a quarter of a minute."""


def list_paths(network: Network, k: int) -> PathCounts:
    """Count the paths of levels 0 to k of a network, and those through each cell, by listing them.

    Raises TooCostlyError if they are too many.
    """
    return next(found for found in listing(network, k) if found is not None)


def listing(network: Network, k: int) -> Iterator[PathCounts | None]:
    """Yield None many times while paths are listed, for whoever may want to stop, then the counts.

    Raises TooCostlyError if they are too many.
    """
    check_cost([network], k, 1)
    yield from _listing(network, k)


def with_image(found: PathCounts) -> PathCounts:
    """Return counts where each cell has the mean of itself and its image turned by 180 degrees."""
    return replace(
        found,
        raw_through=_mean(found.raw_through),
        accepted_through=_mean(found.accepted_through),
        contribution=_mean(found.contribution),
    )


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return (values + values[:, ::-1]) / 2


def list_after_moves(bench: Workbench, k: int, fresh: bool = False) -> Iterator[dict[int, After]]:
    """Yield the counts of levels 0 to k after every move by cell; the last has all.

    ``fresh``: see `networks_after`. Raises TooCostlyError if the paths are too many.
    """
    if k in bench.after_moves and not fresh:
        yield bench.after_moves[k]
        return
    cells = bench.position.empties
    check_cost([bench.network(color) for color in Color], k, len(cells))
    found: dict[int, After] = {}
    for cell in cells:
        networks = networks_after(bench, cell, fresh)
        black, white = (_counts(list_paths(networks[color], k)) for color in Color)
        found = {**found, cell: After(black, white)}
        if len(found) == len(cells) and not fresh:
            bench.after_moves[k] = found
        yield found


def check_cost(networks: Iterable[Network], k: int, times: int) -> None:
    """Raise TooCostlyError if networks, listed so many times, have too many walks."""
    cost = times * sum(walks(network, k) for network in networks)
    if cost > MOST_WALKS:
        raise TooCostlyError(
            f"k = {k} lists paths one by one: about {cost:,} walks here, {MOST_WALKS:,} at most; "
            "take k = 2, or a smaller board"
        )


def walks(network: Network, k: int) -> int:
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


def _listing(network: Network, k: int) -> Iterator[PathCounts | None]:
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
    sums = np.maximum(np.cumsum(counts[1]), 1)
    contribution = np.cumsum(through[1], axis=0) / sums[:, np.newaxis]
    for array in (through, contribution):
        array.flags.writeable = False
    raw, accepted = (tuple(row) for row in counts.tolist())
    exact = (True,) * (k + 1)
    yield PathCounts(network.distance, raw, accepted, exact, through[0], through[1], contribution)


def _counts(found: PathCounts) -> Counts:
    return Counts(found.distance, found.raw, found.accepted, True)
