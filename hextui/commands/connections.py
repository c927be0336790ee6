"""``hextui connections``: the virtual connections of one colour."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from hextui.commands.arguments import color, position_arguments, whole
from hextui.commands.documents import Document, answer, table
from hextui.commands.output import complain
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.wording import player_name

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engine.connections import ConnectionSettings, ConnectionTable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    position_arguments(parser)
    parser.add_argument("--color", type=color, required=True, help="red or blue")
    parser.add_argument("--and-over-edges", action="store_true", help="join at own edges too")
    for name, default, text in (
        ("--or-size", 0, "OR(N) by enumeration (0: greedy)"),
        ("--full-limit", 10, "fulls a pair"),
        ("--semi-limit", 20, "semis a pair"),
        ("--cell-full-limit", 4, "fulls a pair of empty cells"),
        ("--cell-semi-limit", 8, "semis a pair of empty cells"),
        ("--cell-size-limit", 0, "cells in a carrier of such a pair (0: any number)"),
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
        )
    except ValueError as error:
        return complain(error)
    return answer(options, _maker(options.color, settings), _show)


def _maker(color: Color, settings: "ConnectionSettings") -> Callable[[Position], Document]:
    """Return the function that makes the document of a position."""
    from hextui.engine.network import PathRoom
    from hextui.engine.outlook import Seat

    seats: dict[Board, Seat] = {}

    def make(position: Position) -> Document:
        board = position.board
        if board not in seats:
            seats.clear()
            seats[board] = Seat(board, color, PathRoom(board), settings)
        found = seats[board].look_at(position).table
        live = {c.id: c for c in found.live()}
        premises = sorted(_premises(found, live) - live.keys())
        listed = [*live.values(), *(found.connection(row) for row in premises)]
        document: Document = {
            "color": str(color),
            "connections": [_connection(found, c) for c in listed],
        }
        if not found.complete:
            document["complete"] = False
        return document

    return make


def _premises(found: "ConnectionTable", live: "dict[int, Connection]") -> set[int]:
    """Return the ids of all that the live connections rest on."""
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
    return {
        "id": connection.id,
        "ends": [found.node_name(end) for end in connection.ends],
        "carrier": [name(cell) for cell in sorted(connection.carrier)],
        "kind": str(connection.kind),
        "rule": str(connection.rule),
        "key": None if connection.key is None else name(connection.key),
        "premises": list(connection.premises),
        "live": connection.live,
    }


def _show(document: Document) -> str:
    """Return the document for people: one line a connection in force."""
    live = [c for c in document["connections"] if c["live"]]
    counts = {kind: sum(c["kind"] == kind for c in live) for kind in ("full", "semi")}
    stopped = "" if document.get("complete", True) else ", stopped at the limit of rows"
    head = (
        f"{player_name(document['color'])}: {counts['full']} full, {counts['semi']} semi{stopped}"
    )
    rows = [
        ["-".join(c["ends"]), c["kind"], c["rule"], c["key"] or "", " ".join(c["carrier"]) or "-"]
        for c in live
    ]
    return f"{head}\n{table([['ends', 'kind', 'rule', 'key', 'carrier'], *rows])}"
