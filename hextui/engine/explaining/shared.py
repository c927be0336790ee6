"""What explanations of several families share: their frame, a source, paintings of path sets."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hextui.engine.board import Color
from hextui.engine.evaluators.base import After, Workbench
from hextui.engine.evaluators.fresh import bench_after
from hextui.engine.explanation import CellSet, Explanation, Painting, Role, Source, Term
from hextui.engine.network import Network
from hextui.engine.path_sets import MOST_PATHS, Path, PathSets
from hextui.engine.paths import LEVELS
from hextui.engine.player_texts import player
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking

LISTED = 20
"""So many paths of a set are listed, and so many refused ones; their number is told."""
LOOKED_AT = 1_000
"""So many paths of a level are looked at to list these."""
LIKELY = 0.001
"""Less likely moves are not painted."""
MINIMISE = "{black} maximises it, {white} minimises it."


@dataclass(frozen=True)
class PathCount:
    """How many paths are accepted and refused of those in question, and the level has in all."""

    accepted: int
    refused: int
    level: int


def honjo(where: str) -> Source:
    """Return the paper of 2010 as a source."""
    return Source(
        "M. Honjo, I. Suzuki, M. Yamamoto, M. Furukawa",
        2010,
        "A proposal of Hex strategies with networks of positions",
        where,
        "https://hdl.handle.net/2115/51049",
    )


def explanation(
    before: Position,
    position: Position,
    move: int,
    ranking: Ranking,
    *,
    sentence: str,
    formula: str,
    direction: str,
    source: Source,
    terms: tuple[Term, ...],
    paintings: tuple[Painting, ...],
    notes: tuple[str, ...] = (),
) -> Explanation:
    """Return an explanation of a move of a final ranking."""
    ranked = ranking.by_cell[move]
    capped = (
        () if ranking.exact else ("A limit stopped a count: there may be fewer accepted paths.",)
    )
    return Explanation(
        ranking.evaluator,
        before,
        position,
        move,
        ranked.value,
        ranked.rank,
        len(ranking.moves),
        sentence,
        formula,
        direction,
        source,
        terms,
        paintings,
        (*capped, *notes),
    )


def likely_moves(ranking: Ranking, judges: str) -> Painting:
    """Return the painting of each move's chance in a ranking; ``judges``: who holds it so."""
    amounts = tuple((move.cell, move.value) for move in ranking.moves if move.value >= LIKELY)
    return Painting("likely moves", f"How likely {judges} each move to be.", amounts=amounts)


def way(network: Network, path: Path) -> str:
    """Return a path in words: the sides and the cells between them."""
    first, second = network.board.cells, network.board.cells + 1
    return "-".join(network.node_name(node) for node in (first, *path.cells, second))


def painting_of(network: Network, path: Path, group: str, text: str) -> Painting:
    """Return the painting of a path: its cells, and what its links use besides."""
    carrier = tuple(sorted(path.carrier))
    used = f" over {names(network, carrier)}" if carrier else ""
    return Painting(
        group,
        f"{text}: {way(network, path)}{used}.",
        network.color,
        (CellSet(Role.WAY, path.cells), CellSet(Role.CARRIER, carrier)),
    )


def names(network: Network, nodes: Iterable[int]) -> str:
    """Return cells and sides by name."""
    return " ".join(map(network.node_name, nodes))


def level_paintings(
    network: Network, level: int, counts: PathCount, through: int | None = None
) -> Iterator[Painting]:
    """Yield paintings of the accepted paths of a level, then of the refused ones.

    ``through``: only those through this cell. Only some are listed; each says which of how many
    it is.
    """
    owner = player(network.color)
    group = f"S_{level} of {owner}"
    if counts.level > MOST_PATHS:
        text = f"Not listed: S_{level} of {owner} has {counts.level:,} paths."
        yield Painting(group, text, network.color)
        return
    sets = PathSets(network)
    kept: list[Path] = []
    refused: list[tuple[Path, int, Path]] = []
    paths = [p for p in sets.level(level) if through is None or through in p.cells]
    wanted = min(counts.accepted, LISTED) + min(counts.refused, LISTED)
    for path in paths[:LOOKED_AT]:
        if min(len(kept), LISTED) + min(len(refused), LISTED) == wanted:
            break
        found = sets.refuser(path, level)
        if found is None:
            kept.append(path)
        else:
            refused.append((path, *found))
    for place, path in enumerate(kept[:LISTED], start=1):
        yield painting_of(network, path, group, f"Path {place} of {counts.accepted:,}")
    for place, (path, lower, other) in enumerate(refused[:LISTED], start=1):
        text = f"Refused {place} of {counts.refused:,}"
        painting = painting_of(network, path, f"refused in {group}", text)
        yield _refused(network, painting, path, lower, other)


def _refused(network: Network, painting: Painting, path: Path, lower: int, other: Path) -> Painting:
    """Return a path's painting with the shorter path, of level ``lower``, that holds it."""
    beside = sorted(set(other.cells) | other.carrier)
    rest = tuple(cell for cell in beside if not path.used >> cell & 1)
    besides = f", with {names(network, rest)} besides." if rest else "."
    return replace(
        painting,
        text=f"{painting.text} All of it is used by the shorter {way(network, other)} "
        f"of S_{lower}{besides}",
        parts=(*painting.parts, CellSet(Role.BESIDE, rest)),
    )


def update_notes(
    bench: Workbench, move: int, told: After, levels: int, raw: bool = False
) -> tuple[str, ...]:
    """Return what the network of the position after a move has otherwise, if anything.

    ``told``: what was counted after an update of the connections, n_0 and on for so many levels;
    ``raw``: all paths, not only accepted ones.
    """
    child, others = bench_after(bench, move), []
    for color, counts in zip(Color, told, strict=True):
        paths = child.paths(color)
        found, known = (
            [each.distance, *(each.raw if raw else each.accepted)[: min(levels, LEVELS)]]
            for each in (paths, counts)
        )
        if found != known:
            symbols = ("d", *(f"n_{level}" for level in range(levels)))
            values = ["cut off" if value is None else f"{value:,}" for value in found]
            terms = ", ".join(f"{s} = {v}" for s, v in zip(symbols, values, strict=False))
            others.append(f"{player(color)} {terms}")
    if not others:
        return ()
    return (
        "Counted from connections updated after the move. The network of the position after it, "
        f"searched afresh (option fresh), has for {'; for '.join(others)}.",
    )


def color_order(mover: Color) -> tuple[Color, Color]:
    """Return the side that moved, and the other."""
    return mover, mover.opponent
