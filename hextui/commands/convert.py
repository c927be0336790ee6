"""``hextui convert``: records from one format into another."""

import argparse
import json
import sys

from hextui.commands.arguments import POSITION_HELP, json_argument
from hextui.commands.documents import complain
from hextui.records.convert import convert
from hextui.records.errors import RecordError
from hextui.wording import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("source", metavar="IN", help=POSITION_HELP)
    parser.add_argument(
        "target", metavar="OUT", help="a file, its ending says the format, or a format's name"
    )
    json_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Convert a source to a file or a format; return the exit code: 1 if games were left out."""
    try:
        done = convert(options.source, options.target)
    except RecordError as error:
        return complain(error)
    for game in done.broken:
        print(f"hextui: game {game.number} left out: {game.error}", file=sys.stderr)
    if done.lost:
        print(f"hextui: left out: {', '.join(done.lost)}", file=sys.stderr)
    if options.json:
        document = {
            "games": done.games,
            "path": None if done.path is None else str(done.path),
            "text": done.text if done.path is None else None,
            "lost": list(done.lost),
            "broken": [{"number": g.number, "error": str(g.error)} for g in done.broken],
        }
        print(json.dumps(document))
    elif done.path is None:
        print(done.text, end="")
    else:
        print(f"{counted(done.games, 'game')} written to {done.path}")
    return 1 if done.broken else 0
