"""``hextui today``: the workstation, in the day's training; or what today holds."""

import argparse
from collections.abc import Sequence

from hextui.commands import workstation
from hextui.commands.arguments import Parser
from hextui.commands.documents import Document, print_document
from hextui.commands.output import FAILED, complain
from hextui.library.schema import LibraryError
from hextui.text import Names, counted


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    text = "a player of the library's games, or a part of the name (default: your name there)"
    parser.value("player", "NAME", text, nargs="?", default="")
    parser.shared("--json", help="print what today holds, and change nothing")
    workstation.set_defaults(parser)


def run(options: argparse.Namespace) -> int:
    """Begin or continue the day, or print what it holds; return the exit code."""
    if not options.json and workstation.in_terminal():
        options.today = options.player
        return workstation.run(options)
    from hextui.commands.today_document import today_document

    try:
        document = today_document(options.player, options.names)
    except LibraryError as error:
        complain(error)
        return FAILED
    print_document(document, options, _text)
    return 0


def _text(document: Document, names: Names) -> str:
    player = document["player"] or "no name yet: hextui today NAME"
    puzzles = document["puzzles"]
    point = document["turning_point"]
    lines = [
        f"{document['day']}, {player}; next step: {document['step']}",
        f"sync: {_sync_words(document['syncs'])}",
        f"review: {counted(len(document['to_review']), 'game')}",
        f"turning point: {point['words'] if point else 'none to ask'}",
        f"puzzles: {puzzles['due']} due, {puzzles['new']} new, "
        f"{puzzles['tried']} tried ({puzzles['right']} right)",
    ]
    return "\n".join(lines)


def _sync_words(syncs: Sequence[Document]) -> str:
    players = [f"{sync['player']} ({sync['site']})" for sync in syncs]
    return ", ".join(players) or "no player was synced before: hextui library sync"
