"""Pictures of paths and links in a colour's network.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 2.1, 4.1.3, figs. 3-5, 9.
"""

from collections.abc import Iterator
from sys import maxsize

from hextui.engine.board import EMPTY, Color
from hextui.engine.evaluators.workbench import After, Counts, Workbench
from hextui.engine.explanation import CellSet, Illustration, Note, Remark, Role, Shows
from hextui.engine.network import Network
from hextui.engine.paths import MOST_PATHS, Path, PathCounts, PathSets

LISTED = 20  # so many accepted paths of a level are shown, and so many refused ones
MOST_EXAMINED = 1_000  # so many paths of a level are examined to find these
_SIZES = range(maxsize), range(1), range(1, 3), range(3, maxsize)
"""How many cells the links have that are shown together: all, direct links, bridges, others."""


def path_parts(path: Path) -> tuple[CellSet, ...]:
    """Return the cells of a path: those it passes, and what its links use besides."""
    return CellSet(Role.WAY, path.cells), CellSet(Role.CARRIER, tuple(sorted(path.carrier)))


def level_pictures(
    sets: PathSets, level: int, accepted: int, refused: int, total: int, through: int = -1
) -> Iterator[Illustration]:
    """Yield pictures of some accepted paths of a level, then refused ones; ``through`` a cell."""
    color = sets.network.color
    if total > MOST_PATHS:
        yield Illustration(Shows.NOT_LISTED, color, level=level, count=total)
        return
    paths = [p for p in sets.level(level) if through < 0 or sets.counts_for(p, through)]
    wanted = min(accepted, LISTED) + min(refused, LISTED)
    kept, others = _examined(sets, level, paths, wanted)
    for number, path in enumerate(kept[:LISTED], start=1):
        parts = path_parts(path)
        yield Illustration(
            Shows.PATH, color=color, parts=parts, level=level, number=number, count=accepted
        )
    for number, (path, lower, other) in enumerate(others[:LISTED], start=1):
        holding = sorted(set(other.cells) | other.carrier)
        rest = tuple(cell for cell in holding if not path.used >> cell & 1)
        yield Illustration(
            Shows.REFUSED,
            color=color,
            parts=(*path_parts(path), CellSet(Role.BESIDE, rest)),
            level=level,
            number=number,
            count=refused,
            holder_level=lower,
            others=other.cells,
        )


def _examined(
    sets: PathSets, level: int, paths: list[Path], wanted: int
) -> tuple[list[Path], list[tuple[Path, int, Path]]]:
    """Return accepted paths, and refused ones with level and path of their refusers.

    Paths are examined until as many can be listed as ``wanted``.
    """
    kept: list[Path] = []
    others: list[tuple[Path, int, Path]] = []
    for path in paths[:MOST_EXAMINED]:
        if min(len(kept), LISTED) + min(len(others), LISTED) == wanted:
            break
        refusal = sets.refuser(path, level)
        if refusal is None:
            kept.append(path)
        else:
            lower, holder = refusal
            others.append((path, lower, holder))
    return kept, others


def update_notes(
    bench: Workbench, move: int, counted: After, levels: int, raw: bool = False
) -> Iterator[Note]:
    """Yield how a fresh search counts otherwise than ``counted``, all paths if ``raw``."""
    child = bench.after(move)
    last = levels - 1
    for color, counts in zip(Color, counted, strict=True):
        before = _distance_and_counts(counts, levels, raw)
        now = _distance_and_counts(child.paths(color, k=last), levels, raw)
        if before != now:
            yield Note(Remark.UPDATED, color, counts=now)


def _distance_and_counts(
    counts: Counts | PathCounts, levels: int, raw: bool
) -> tuple[int | None, ...]:
    """Return the distance, then the accepted paths of each level, or all of them if ``raw``."""
    paths = counts.raw if raw else counts.accepted
    return (counts.distance, *paths[:levels])


def link_pictures(bench: Workbench, cell: int) -> tuple[Illustration, ...]:
    """Return pictures of an empty cell's links in a colour's network, then of all its links.

    They begin with the side to move. Of a cell with a stone they show the networks alone.
    """
    mover = bench.position.to_move
    networks = [bench.network(color) for color in (mover, mover.opponent)]
    empty = bench.position.stones[cell] == EMPTY
    pictures: list[Illustration] = []
    for network in networks:
        if empty:
            pictures += _links(network, cell)
        pictures += _whole(network)
    return tuple(pictures)


def _links(network: Network, cell: int) -> Iterator[Illustration]:
    carriers: dict[int, tuple[int, ...]] = {}
    for (first, second), carrier in network.links.items():
        if cell in (first, second):
            neighbour = second if first == cell else first
            carriers[neighbour] = tuple(sorted(carrier))

    def linked(*nodes: int) -> CellSet:
        return CellSet(Role.LINKED, tuple(n for n in nodes if n < network.board.cells))

    virtual = [node for node, carrier in carriers.items() if carrier]
    ordered = (*(node for node in carriers if node not in virtual), *virtual)
    yield Illustration(
        Shows.LINKS,
        color=network.color,
        parts=(linked(*carriers),),
        count=len(virtual),
        others=ordered,
    )
    for number, node in enumerate(virtual, start=1):
        parts = (CellSet(Role.CARRIER, carriers[node]), linked(node))
        yield Illustration(
            Shows.LINK,
            color=network.color,
            parts=parts,
            number=number,
            count=len(virtual),
            node=node,
        )


def _whole(network: Network) -> Iterator[Illustration]:
    for level, sizes in enumerate(_SIZES):
        links = tuple(ends for ends, used in network.links.items() if len(used) in sizes)
        yield Illustration(Shows.NETWORK, network.color, level=level, links=links)
