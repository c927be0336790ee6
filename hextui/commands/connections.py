"""``hextui connections``: the virtual connections of one colour."""

import argparse
from typing import TYPE_CHECKING

from hextui.commands.arguments import add_shared, position_arguments, whole
from hextui.commands.documents import Document, answer, compile_first, table
from hextui.commands.output import complain
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.widths import Kernels
from hextui.words.connections import connection_sentence
from hextui.words.names import Names

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engine.connections import ConnectionSettings, ConnectionTable
    from hextui.engine.oriented import OrientedSearch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    position_arguments(parser)
    add_shared(parser, "--color")
    parser.add_argument(
        "--and-over-edges", action="store_true", help="apply the AND rule over own edges too"
    )
    parser.add_argument(
        "--captured", action="store_true", help="let connections share captured pairs of cells"
    )
    parser.add_argument(
        "--templates", action="store_true", help="look up edge templates of two stones as well"
    )
    for name, default, text in (
        ("--or-size", 0, "OR(N) by enumeration (0: greedy)"),
        ("--full-limit", 10, "full connections per pair of ends"),
        ("--semi-limit", 20, "semi connections per pair of ends"),
        ("--cell-full-limit", 4, "full connections per pair of empty cells"),
        ("--cell-semi-limit", 8, "semi connections per pair of empty cells"),
        ("--cell-size-limit", 0, "cells in a carrier between two empty cells (0: no limit)"),
    ):
        parser.add_argument(name, type=whole(0, 1000), default=default, metavar="N", help=text)


def run(options: argparse.Namespace) -> int:
    """Find the connections of a position; return the exit code."""
    from hextui.engine.connections import ConnectionSettings

    try:
        settings = ConnectionSettings(
            options.and_over_edges,
            options.or_size,
            options.full_limit,
            options.semi_limit,
            options.cell_full_limit,
            options.cell_semi_limit,
            options.cell_size_limit,
            options.captured,
            options.templates,
        )
    except ValueError as error:
        return complain(error)
    finder = _Finder(options.color, settings)
    return answer(options, finder.document, finder.text)


class _Finder:
    """Finds the connections of one colour, and describes them: as JSON, or for people."""

    def __init__(self, color: Color, settings: "ConnectionSettings") -> None:
        self._color, self._settings = color, settings
        self._search: OrientedSearch | None = None
        self._board: Board | None = None
        self._found: ConnectionTable | None = None

    def document(self, position: Position) -> Document:
        """Return the document of a position."""
        from hextui.engine.network import PathMemory
        from hextui.engine.oriented import OrientedSearch

        board = position.board
        if self._search is None or self._board != board:
            compile_first(board, Kernels.CONNECTIONS)
            self._board = board
            self._search = OrientedSearch(board, self._color, PathMemory(board), self._settings)
        self._found = found = self._search.search(position).table
        live = {c.id: c for c in found.live()}
        premises = sorted(_premises(found, live) - live.keys())
        listed = [*live.values(), *(found.connection(row) for row in premises)]
        document: Document = {
            "color": str(self._color),
            "connections": [_connection(found, c) for c in listed],
        }
        if not found.complete:
            document["complete"] = False
        return document

    def text(self, document: Document, names: Names) -> str:
        """Return the last document for people: one line for each live connection."""
        assert self._found is not None
        position, name = self._found.position, self._found.position.board.name
        live = list(self._found.live())
        counts = {kind: sum(c.kind == kind for c in live) for kind in ("full", "semi")}
        stopped = "" if document.get("complete", True) else ", stopped at the limit of rows"
        player = names.player(self._color)
        head = f"{player}: {counts['full']} full, {counts['semi']} semi{stopped}"
        rows = [
            [
                connection_sentence(position, self._color, c, names),
                c.rule,
                " ".join(map(name, sorted(c.carrier))) or "-",
            ]
            for c in live
        ]
        return f"{head}\n{table([['connection', 'rule', 'carrier'], *rows])}"


def _premises(found: "ConnectionTable", live: "dict[int, Connection]") -> set[int]:
    """Return the ids of all connections that the live ones were derived from."""
    needed: set[int] = set()
    waiting = [p for c in live.values() for p in c.premises]
    while waiting:
        row = waiting.pop()
        if row not in needed:
            needed.add(row)
            waiting.extend(found.connection(row).premises)
    return needed


def _connection(found: "ConnectionTable", connection: "Connection") -> Document:
    name = found.position.board.name
    captured = [[name(cell) for cell in pair] for pair in connection.captured]
    return {
        "id": connection.id,
        "ends": [found.node_name(end) for end in connection.ends],
        "carrier": [name(cell) for cell in sorted(connection.carrier)],
        "kind": str(connection.kind),
        "rule": str(connection.rule),
        "key": None if connection.key is None else name(connection.key),
        "premises": list(connection.premises),
        "live": connection.live,
        **({"captured": captured} if captured else {}),
    }
