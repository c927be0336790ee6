"""``hextui connections``: the virtual connections of one colour."""

import argparse
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING

from hextui.commands.arguments import Parser, usage_errors
from hextui.commands.documents import Document, answer, compile_first, table
from hextui.engine.board import Board
from hextui.engine.connection import Connection
from hextui.engine.json_values import as_json
from hextui.engine.position import Position
from hextui.engine.widths import Kernels
from hextui.text import Names
from hextui.words.connections import connection_sentence

if TYPE_CHECKING:
    from hextui.engine.connections import ConnectionTable

_LIMITS = (
    ("--or-size", 0, "apply the OR rule to all sets of up to N connections (default: 0, greedily)"),
    ("--full-limit", 10, "keep at most N full connections per pair of ends (default: 10)"),
    ("--semi-limit", 20, "keep at most N semi connections per pair of ends (default: 20)"),
    ("--cell-full-limit", 4, "the same of full ones per pair of empty cells (default: 4)"),
    ("--cell-semi-limit", 8, "the same of semi ones per pair of empty cells (default: 8)"),
    (
        "--cell-size-limit",
        0,
        "most cells of a carrier between two empty cells (default: 0, no limit)",
    ),
)


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.position()
    parser.shared("--color")
    parser.flag("--and-over-edges", "apply the AND rule over own edges too")
    parser.flag("--captured", "let connections share captured pairs of cells")
    parser.flag("--templates", "look up edge templates of two stones as well")
    for name, default, text in _LIMITS:
        parser.number(name, text, default, least=0, most=1000)


def run(options: argparse.Namespace) -> int:
    """Find the connections of a position; return the exit code."""
    from hextui.engine.connections import ConnectionSettings
    from hextui.engine.network import PathMemory
    from hextui.engine.oriented import OrientedSearch

    names = {field.name for field in fields(ConnectionSettings)}
    with usage_errors():
        settings = ConnectionSettings(**{n: v for n, v in vars(options).items() if n in names})

    @lru_cache(maxsize=1)
    def search_on(board: Board) -> OrientedSearch:
        compile_first(board, Kernels.CONNECTIONS)
        return OrientedSearch(board, options.color, PathMemory(board), settings)

    tables: list[ConnectionTable] = []

    def make(position: Position) -> Document:
        tables[:] = [search_on(position.board).search(position).table]
        return _document(tables[0])

    return answer(options, make, lambda _, names: _text(tables[0], names))


def _document(table: "ConnectionTable") -> Document:
    live = {c.id: c for c in table}
    premises = sorted(_premises(table, live) - live.keys())
    listed = [*live.values(), *(table.connection(row) for row in premises)]
    document: Document = {
        "color": str(table.color),
        "connections": [_connection(connection) for connection in listed],
    }
    return document if table.complete else document | {"complete": False}


def _text(listed: "ConnectionTable", names: Names) -> str:
    position = listed.position
    stopped = "" if listed.complete else ", stopped at the limit of rows"
    head = f"{names.player(listed.color)}: {listed.fulls} full, {listed.semis} semi{stopped}"
    rows = [
        [connection_sentence(position, listed.color, c, names), c.rule, str(c.carrier) or "-"]
        for c in listed
    ]
    return f"{head}\n{table([['connection', 'rule', 'carrier'], *rows])}"


def _premises(table: "ConnectionTable", live: dict[int, Connection]) -> set[int]:
    """Return the ids of all connections that the live ones were derived from."""
    needed: set[int] = set()
    waiting = [p for c in live.values() for p in c.premises]
    while waiting:
        row = waiting.pop()
        if row not in needed:
            needed.add(row)
            waiting.extend(table.connection(row).premises)
    return needed


def _connection(connection: Connection) -> Document:
    document: Document = as_json(
        {
            "id": connection.id,
            "ends": connection.ends,
            "carrier": connection.carrier,
            "kind": connection.kind,
            "rule": connection.rule,
            "key": connection.key,
            "premises": connection.premises,
            "live": connection.live,
        }
    )
    if connection.captured:
        document["captured"] = as_json(connection.captured)
    return document
