"""``hextui network``: distance, path counts and contributions of one colour."""

import argparse
from collections.abc import Callable

from hextui.commands.arguments import color, position_arguments
from hextui.commands.documents import Document, answer, number, table
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.wording import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    position_arguments(parser)
    parser.add_argument("--color", type=color, required=True, help="black or white")
    parser.add_argument("--links", choices=("none", "virtual"), default="virtual")


def run(options: argparse.Namespace) -> int:
    """Count the paths of a position; return the exit code."""
    return answer(options, _maker(options.color, options.links == "virtual"), _show)


def _maker(color: Color, links: bool) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position."""
    from hextui.engine.evaluators.benches import bench_of

    def make(position: Position) -> Document:
        bench = bench_of(position.board)
        bench.look_at(position)
        counts = bench.paths(color, links)
        name = position.board.name
        return {
            "color": str(color),
            "distance": "inf" if counts.distance is None else counts.distance,
            "paths": list(counts.raw),
            "accepted": list(counts.accepted),
            "exact": counts.exact,
            "contribution": {
                name(cell): [number(float(v)) for v in counts.contribution[:, cell]]
                for cell in position.empties
            },
        }

    return make


def _show(document: Document) -> str:
    """Return the document for people."""
    exact = "" if document["exact"] else " (not exact: a cap was reached)"
    links = document["distance"]
    distance = "infinite" if links == "inf" else counted(links, "link")
    head = [
        f"{document['color']}: distance {distance}",
        f"paths of d, d+1, d+2 links: {document['paths']}, accepted {document['accepted']}{exact}",
    ]
    cells = sorted(document["contribution"].items(), key=lambda item: [-v for v in item[1]][::-1])
    rows = [[cell, *map(float, values)] for cell, values in cells]
    return "\n".join([*head, table([["cell", "k=0", "k=1", "k=2"], *rows])])
