"""``hextui network``: one colour's network: links, distance, path counts and contributions."""

import argparse
from functools import partial

from hextui.commands.arguments import Parser
from hextui.commands.documents import Document, answer, compile_first, table
from hextui.commands.output import complain
from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.json_values import as_json
from hextui.engine.position import Position
from hextui.engine.widths import Kernels
from hextui.text import Names, counted


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.position()
    parser.shared("--color")
    text = "links over empty cells: virtual connections (default), or none"
    parser.add_argument("--links", choices=("none", "virtual"), default="virtual", help=text)
    parser.add_argument(
        "--format", choices=tuple(_FORMATS), help="print the network as a graph, without its paths"
    )


def run(options: argparse.Namespace) -> int:
    """Count the paths of a position; return the exit code."""
    if options.format and (options.json or options.batch):
        return complain("--format prints a graph: leave out --json and --batch")
    show = _FORMATS[options.format] if options.format else _show
    make = partial(_document, color=options.color, links=options.links == "virtual")
    return answer(options, make, show)


def _document(position: Position, color: Color, links: bool) -> Document:
    from hextui.engine.evaluators.workbench import bench_at

    compile_first(position.board, Kernels.RANKINGS)
    bench = bench_at(position)
    counts = bench.paths(color, links)
    network = bench.network(color, links)
    name = position.board.name
    contribution = {}
    for cell in position.empties:
        contribution[name(cell)] = as_json(counts.contribution[:, cell].tolist())
    linked = []
    for ends, carrier in network.links.items():
        link = {
            "ends": [network.node_name(end) for end in ends],
            "carrier": list(Cells.of(position.board, carrier)),
        }
        linked.append(link)
    return {
        "size": as_json(position.board),
        "color": str(color),
        "distance": "inf" if counts.distance is None else counts.distance,
        "paths": list(counts.raw),
        "accepted": list(counts.accepted),
        "exact": counts.exact,
        "contribution": contribution,
        "nodes": [network.node_name(node) for node in network.nodes],
        "links": linked,
    }


def _show(document: Document, names: Names) -> str:
    exact = "" if document["exact"] else " (not exact: a cap was reached)"
    links = document["distance"]
    distance = "infinite" if links == "inf" else counted(links, "link")
    virtual = sum(1 for link in document["links"] if link["carrier"])
    head = [
        f"{names.player(document['color'])}: distance {distance}",
        f"{counted(len(document['nodes']), 'node')}, {counted(len(document['links']), 'link')}, "
        f"{virtual} of them with a carrier",
        f"paths of d, d+1, d+2 links: {document['paths']}, accepted {document['accepted']}{exact}",
    ]
    cells = sorted(document["contribution"].items(), key=lambda item: [-v for v in item[1]][::-1])
    rows = [[cell, *map(float, values)] for cell, values in cells]
    return "\n".join([*head, table([["cell", "k=0", "k=1", "k=2"], *rows])])


def _graphml(document: Document, _names: Names) -> str:
    """Return the network as GraphML; a carrier is the names of its cells, with spaces between."""
    import networkx

    graph: networkx.Graph[str] = networkx.Graph(name=_title(document))
    graph.add_nodes_from(document["nodes"])
    for link in document["links"]:
        graph.add_edge(*link["ends"], carrier=" ".join(link["carrier"]))
    return "\n".join(networkx.generate_graphml(graph))


def _dot(document: Document, _names: Names) -> str:
    """Return the network in the DOT language of Graphviz; links with a carrier are dashed."""
    lines = [f'graph "{_title(document)}" {{', *(f'  "{node}";' for node in document["nodes"])]
    for link in document["links"]:
        carrier = " ".join(link["carrier"])
        style = f' [carrier="{carrier}", style=dashed]' if carrier else ""
        lines.append('  "{}" -- "{}"{};'.format(*link["ends"], style))
    return "\n".join([*lines, "}"])


def _title(document: Document) -> str:
    size = document["size"]
    return f"{document['color']} {size['columns']}x{size['rows']}"


_FORMATS = {"graphml": _graphml, "dot": _dot}
