"""Short paths between a colour's edges: the sets S_k, their exact counts, k-contribution.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 3 and 4.1.3. S_k holds the
simple paths of d + k links, d the distance of the edges, k = 0, 1, 2. With virtual links, a path is
accepted unless one path with fewer links uses all the cells that it uses, carriers included.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from hextui.engine.connections import cells_of
from hextui.engine.guards import check_node
from hextui.engine.kernels.connections import state as connection_state
from hextui.engine.kernels.paths import layout as network_memory
from hextui.engine.kernels.paths.counting import count_all
from hextui.engine.kernels.paths.reduction import network_of_arrays
from hextui.engine.limit import TooCostlyError
from hextui.engine.network import Network, PathMemory, link_tables

LEVELS, COUNTED = network_memory.LEVELS, network_memory.COUNTED


@dataclass(frozen=True, eq=False)
class PathCounts:
    """The paths of levels 0 to k in one network; k = 2 where they are counted, not listed.

    ``distance`` d in links, None if the edges are cut off. ``raw[k]`` counts all paths of d + k
    links, ``accepted[k]`` those that the rule accepts. Where ``exact_levels[k]`` is False
    ``accepted[k]`` is an upper bound, by a limit, or ``raw[k]`` is so large (2^53 over the number
    of nodes) that it is rounded. The arrays are read-only float64[k + 1, cells]: ``raw_through[k,
    u]`` and ``accepted_through[k, u]`` count the paths of level k with cell u on them.
    """

    distance: int | None
    raw: tuple[int, ...]
    accepted: tuple[int, ...]
    exact_levels: tuple[bool, ...]
    raw_through: NDArray[np.float64] = field(repr=False)
    accepted_through: NDArray[np.float64] = field(repr=False)
    contribution: NDArray[np.float64] = field(repr=False)
    """k-contribution (eq. 6) float64[k + 1, cells]: the share of the accepted paths of levels 0 to
    k that pass through the cell, 0 to 1; 0 where there are none."""

    @property
    def exact(self) -> bool:
        """Whether all levels are exact."""
        return all(self.exact_levels)

    @property
    def raw_contribution(self) -> NDArray[np.float64]:
        """The same share of all paths, accepted or not."""
        return contributions(np.array(self.raw), self.raw_through)

    def mapped(self, change: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> "PathCounts":
        """Return the counts with each array of numbers by cell changed."""
        return replace(
            self,
            raw_through=change(self.raw_through),
            accepted_through=change(self.accepted_through),
            contribution=change(self.contribution),
        )


def count_paths(
    network: Network,
    memory: PathMemory | None = None,
    k: int = COUNTED - 1,
    *,
    carriers: bool = False,
    disjoint: bool = False,
) -> PathCounts:
    """Count the paths of a network of levels 0 to k, at least 2; may raise TooCostlyError.

    ``carriers``: a path counts for all cells that it uses, not for those alone that it passes.
    ``disjoint``: only paths whose links use no cell twice are paths. Both list all paths, as levels
    above 2 and pairs with several links do. Raises ValueError for memory of another board.
    """
    board = network.board
    k = max(k, COUNTED - 1)
    parallel = network.parallel
    linked, row_of = link_tables(board, network.arrays, parallel)
    links = len(network.arrays.ends)
    most = network_memory.most_links(board.cells + 2)
    if links > most:
        raise TooCostlyError(f"the network has {links:,} links, {most:,} at most")
    listed = k >= COUNTED or carriers or disjoint or parallel
    if listed:
        check_cost([network], k, most=MOST_WALKS // 20)
    memory = memory or PathMemory(board)
    memory.check_fits(board)
    nodes = _node_table(network)
    sets = memory.fitted(network.arrays.carriers)
    network_of_arrays(memory.handle, nodes, linked, row_of, sets, k)
    mode = network_memory.CARRIERS * carriers + network_memory.DISJOINT * disjoint
    mode += network_memory.PARALLEL * parallel
    count_all(memory.handle, mode)

    results = memory.words[: network_memory.RESULTS].view(np.float64).reshape(3, LEVELS)[:, : k + 1]
    raw, refused = results[:2].astype(np.int64)
    exact = tuple(map(bool, results[2].tolist()))
    if listed and not all(exact):
        raise TooCostlyError(f"k = {k} needs more memory here than there is: take a smaller k")
    through = _by_cell(memory, "through", k)
    accepted_through = through - _by_cell(memory, "refused", k)
    contribution = contributions(raw - refused, accepted_through)
    for array in (through, accepted_through, contribution):
        array.flags.writeable = False
    return PathCounts(
        distance=network.distance,
        raw=tuple(raw.tolist()),
        accepted=tuple((raw - refused).tolist()),
        exact_levels=exact,
        raw_through=through,
        accepted_through=accepted_through,
        contribution=contribution,
    )


def _node_table(network: Network) -> NDArray[np.int32]:
    """Return the state and the group of each node of a board, int32[2, N + 2].

    Raises ValueError if the network has nodes that are not on its board.
    """
    board = network.board
    for node in (min(network.nodes), max(network.nodes)):
        check_node(board, node)
    nodes = np.zeros((2, board.cells + 2), np.int32)
    nodes[0, list(network.nodes)] = connection_state.EMPTY_CELL
    nodes[0, board.cells :] = connection_state.OWN_EDGE
    nodes[1] = np.arange(board.cells + 2)
    return nodes


def contributions(counts: NDArray[np.int64], through: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return k-contributions (eq. 6) from the paths of each level, in all and by cell."""
    return np.cumsum(through, axis=0) / np.maximum(np.cumsum(counts), 1)[:, np.newaxis]


def _by_cell(memory: PathMemory, name: str, k: int) -> NDArray[np.float64]:
    """Return a copy of the levels 0 to k of a table of the memory, float64[k + 1, cells]."""
    cells = memory.board.cells
    table = memory.words[memory.net[name] :][: (k + 1) * cells].view(np.float64)
    return table.reshape(k + 1, cells).copy()


MOST_WALKS = 3_000_000_000  # more are refused: so many take about half a minute


def check_cost(networks: Iterable[Network], k: int, times: int = 1, most: int = MOST_WALKS) -> None:
    """Raise TooCostlyError if networks, listed so many times, have too many walks."""
    cost = times * sum(_walks(network, k) for network in networks)
    if cost > most:
        raise TooCostlyError(
            f"k = {k} lists paths one by one: about {cost:,} walks here, {most:,} "
            "at most; take a smaller k, or a smaller board"
        )


def _walks(network: Network, k: int) -> int:
    """Return how many walks of d to d + k links join the sides: no less than there are paths."""
    if network.distance is None:
        return 0
    first = network.board.cells
    second = network.board.cells + 1
    ways = {first: 1}
    total = 0
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


MOST_PATHS = 10_000  # of one level: what has more is not listed


@dataclass(frozen=True)
class Path:
    """A path between a colour's sides: the cells it passes, in order, and all cells it uses.

    ``used`` is S(P), a bit a cell: the cells passed and the carriers of the links.
    """

    cells: tuple[int, ...]
    used: int

    @property
    def carrier(self) -> frozenset[int]:
        """The cells used but not passed."""
        return cells_of(self.used) - frozenset(self.cells)


class _Holders:
    """Paths, found by what they use."""

    def __init__(self) -> None:
        self._paths: list[Path] = []
        self._with_cell: dict[int, int] = {}  # for each cell the paths that use it, a bit a path

    def add(self, path: Path) -> None:
        for cell in cells_of(path.used):
            self._with_cell[cell] = self._with_cell.get(cell, 0) | 1 << len(self._paths)
        self._paths.append(path)

    def holder(self, used: int) -> Path | None:
        """Return the first path that uses all these cells, one bit a cell."""
        holders = (1 << len(self._paths)) - 1
        for cell in cells_of(used):
            holders &= self._with_cell.get(cell, 0)
            if not holders:
                return None
        return self._paths[(holders & -holders).bit_length() - 1] if holders else None


class PathSets:
    """The paths of one network by level, listed when first asked for, up to ``most`` a level.

    ``carriers`` and ``disjoint``: see `count_paths`.
    """

    def __init__(
        self,
        network: Network,
        most: int = MOST_PATHS,
        *,
        carriers: bool = False,
        disjoint: bool = False,
    ) -> None:
        self.network = network
        self._most = most
        self._carriers = carriers
        self._disjoint = disjoint
        self._levels: dict[int, tuple[Path, ...]] = {}
        self._sets: dict[int, _Holders] = {}

    def level(self, level: int) -> tuple[Path, ...]:
        """Return the paths of d + level links, in the order of their cells."""
        if level not in self._levels:
            distance = self.network.distance
            walk = iter(()) if distance is None else self._walk(distance + level)
            self._levels[level] = tuple(islice(walk, self._most))
            if next(walk, None) is not None:
                raise TooCostlyError(f"more than {self._most:,} paths of d + {level} links")
        return self._levels[level]

    def counts_for(self, path: Path, cell: int) -> bool:
        """Return whether a path counts for a cell: it passes or, with ``carriers``, uses it."""
        return bool(path.used >> cell & 1) if self._carriers else cell in path.cells

    def first(self) -> Path:
        """Return one shortest path; raises StopIteration where the sides are cut off."""
        return next(self._walk(self.network.distance or 0))

    def refuser(self, path: Path, level: int) -> tuple[int, Path] | None:
        """Return the shortest path that holds all a path uses, and its level; None if accepted."""
        for lower in range(level):
            other = self._largest(lower).holder(path.used)
            if other is not None:
                return lower, other
        return None

    def _largest(self, level: int) -> "_Holders":
        """Return one path for each set of cells of a level that no other set of it holds."""
        if level not in self._sets:
            kept = self._sets[level] = _Holders()
            for path in sorted(self.level(level), key=lambda path: -path.used.bit_count()):
                if kept.holder(path.used) is None:
                    kept.add(path)
        return self._sets[level]

    def _walk(self, length: int) -> Iterator[Path]:
        """Yield the simple paths of so many links, node after node, by rising numbers."""
        first = self.network.board.cells
        second = self.network.board.cells + 1
        near, far = self.network.links_at, self._to_second
        passed = [first]
        waiting: list[Iterator[tuple[int, int]]] = [iter(near[first])]
        used = [0]
        while waiting:
            rest = length - len(waiting)
            node, link = next(waiting[-1], (-1, 0))
            if node < 0:
                waiting.pop()
                used.pop()
                passed.pop()
                continue
            if far.get(node, length) > rest or node in passed:
                continue
            if node != second:
                link |= 1 << node
            if self._disjoint and link & used[-1]:
                continue
            along = used[-1] | link
            if node == second:
                if rest == 0:
                    yield Path(tuple(passed[1:]), along)
                continue
            passed.append(node)
            used.append(along)
            waiting.append(iter(near[node]))

    @cached_property
    def _to_second(self) -> dict[int, int]:
        """Each node's distance to the second side, in links."""
        second = self.network.board.cells + 1
        distance = {second: 0}
        waiting = deque([second])
        while waiting:
            node = waiting.popleft()
            for other in self.network.neighbours[node]:
                if other not in distance:
                    distance[other] = distance[node] + 1
                    waiting.append(other)
        return distance
