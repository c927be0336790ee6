"""Slow plain-Python twins of networks and path counts, straight from the definitions of
Honjo et al. 2010 (https://hdl.handle.net/2115/51049).

A network is a dict: for each node its neighbours with the carrier (a frozenset) of the link, or a
list of carriers where pairs have several links.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product

from hextui.engine.board import EMPTY, Color, edges_of
from hextui.engine.position import Position

Links = dict[tuple[int, int], frozenset[int]]
Graph = dict[int, dict[int, frozenset[int]]]
Multigraph = dict[int, dict[int, list[frozenset[int]]]]
NOTHING: frozenset[int] = frozenset()


def node_of_cell(position: Position, color: Color, cell: int) -> int | None:
    """The cell, its own group's first cell, or None for a stone of the opponent."""
    stone = position.stones[cell]
    if stone == EMPTY:
        return cell
    return position.groups.captain[cell] if stone == color else None


def plain_links(position: Position, color: Color) -> Links:
    """Section 2.1, steps 1 to 3, own stones of a group taken together."""
    board = position.board
    links: Links = {}
    for cell in range(board.cells):
        a = node_of_cell(position, color, cell)
        if a is None:
            continue
        for edge, side in enumerate(edges_of(color)):
            if cell in board.edge_cells[side]:
                links[a, board.cells + edge] = NOTHING
        for near in board.neighbours[cell]:
            b = node_of_cell(position, color, near)
            if b is not None and a < b:
                links[a, b] = NOTHING
    return links


def bridge_links(position: Position, color: Color) -> Links:
    """Adjacencies, and links over two common empty neighbours (the first two)."""
    links = plain_links(position, color)
    near: dict[int, set[int]] = {}
    for a, b in links:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    cells = position.board.cells
    for a, b in combinations(sorted(near), 2):
        common = [c for c in near[a] & near[b] if c < cells and position.stones[c] == EMPTY]
        if (a, b) not in links and len(common) >= 2:
            links[a, b] = frozenset(sorted(common)[:2])
    return links


def order(carrier: frozenset[int]) -> tuple[int, int]:
    """Fewest cells first, then the smallest number."""
    return len(carrier), sum(1 << cell for cell in carrier)


def reduced(position: Position, color: Color, links: Links) -> Graph:
    """Section 2.1, steps 4 and 5: own groups are joined through and removed."""
    graph: Graph = {
        cell: {}
        for cell in range(position.board.cells)
        if node_of_cell(position, color, cell) == cell
    }
    graph |= {position.board.cells: {}, position.board.cells + 1: {}}
    for (a, b), carrier in links.items():
        graph[a][b] = graph[b][a] = carrier
    groups = [c for c in graph if c < position.board.cells and position.stones[c] == color]
    for group in groups:
        for a, b in combinations(graph[group], 2):
            joined = (graph[a][group] | graph[b][group]) - {a, b}
            if b not in graph[a] or order(joined) < order(graph[a][b]):
                graph[a][b] = graph[b][a] = joined
        for near in graph.pop(group):
            del graph[near][group]
    return graph


def distance(graph: Graph | Multigraph, start: int, goal: int) -> int | None:
    """The number of links of a shortest path, None if there is no path."""
    return distances(graph, start).get(goal)


def distances(graph: Graph | Multigraph, start: int) -> dict[int, int]:
    found = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for near in graph[node]:
            if near not in found:
                found[near] = found[node] + 1
                queue.append(near)
    return found


def simple_paths(
    graph: Graph | Multigraph, start: int, goal: int, length: int
) -> Iterator[list[int]]:
    """All simple paths with exactly so many links."""
    left = distances(graph, goal)

    def extend(path: list[int], rest: int) -> Iterator[list[int]]:
        if path[-1] == goal:
            if rest == 0:
                yield path
            return
        for near in graph[path[-1]]:
            if near not in path and left.get(near, rest) <= rest - 1:
                yield from extend([*path, near], rest - 1)

    yield from extend([start], length)


@dataclass
class Counts:
    """What hextui.engine.paths counts, as exact numbers; cells as dict keys."""

    distance: int | None
    raw: list[int]
    accepted: list[int]
    raw_through: list[dict[int, int]]
    accepted_through: list[dict[int, int]]
    contribution: list[dict[int, Fraction]]


def counts(
    graph: Graph | Multigraph,
    cells: int,
    levels: int = 3,
    *,
    carriers: bool = False,
    disjoint: bool = False,
) -> Counts:
    """Enumerate S_0, S_1, S_2... and apply the rule of section 4.1.3 to the letter.

    ``carriers``: a cell counts for the paths whose set S holds it. ``disjoint``: paths that use a
    cell twice are left out.
    """
    shortest = distance(graph, cells, cells + 1)
    result = Counts(shortest, [], [], [], [], [])
    shorter: list[frozenset[int]] = []
    total, passing = 0, dict.fromkeys(range(cells), 0)
    for level in range(levels):
        paths = [] if shortest is None else simple_paths(graph, cells, cells + 1, shortest + level)
        raw = [
            (path[1:-1], used_by(path, links))
            for path in paths
            for links in choices_of_links(graph, path)
            if not disjoint or is_disjoint(path, links)
        ]
        lower = set(shorter)
        accepted = [(path, used) for path, used in raw if not any(used <= o for o in lower)]
        shorter += [used for _, used in raw]
        for found, numbers, through in (
            (raw, result.raw, result.raw_through),
            (accepted, result.accepted, result.accepted_through),
        ):
            numbers.append(len(found))
            through.append(
                {c: sum(c in (used if carriers else path) for path, used in found) for c in passing}
            )
        total += len(accepted)
        for cell in range(cells):
            passing[cell] += result.accepted_through[level][cell]
        result.contribution.append(
            {c: Fraction(passing[c], total) if total else Fraction(0) for c in range(cells)}
        )
    return result


def choices_of_links(
    graph: Graph | Multigraph, path: list[int]
) -> Iterator[tuple[frozenset[int], ...]]:
    """The carriers of the links of a path, in every choice where pairs have several."""
    links = (graph[a][b] for a, b in pairwise(path))
    return product(*(each if isinstance(each, list) else [each] for each in links))


def is_disjoint(path: list[int], links: tuple[frozenset[int], ...]) -> bool:
    """Whether no cell is in two carriers, or in a carrier and on the path."""
    parts = [frozenset(path[1:-1]), *links]
    return all(not one & other for one, other in combinations(parts, 2))


def used_by(path: list[int], links: tuple[frozenset[int], ...]) -> frozenset[int]:
    """The set S of a path: interior nodes and the carriers of its links."""
    return frozenset(path[1:-1]).union(*links)


def uses(graph: Graph, path: list[int]) -> frozenset[int]:
    """The set S of a path whose pairs have one link each."""
    (links,) = choices_of_links(graph, path)
    return used_by(path, links)
