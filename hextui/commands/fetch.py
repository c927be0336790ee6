"""``hextui fetch``: a game of littlegolem.net or playhex.org, printed or saved."""

import argparse

from hextui.commands.arguments import Parser
from hextui.commands.convert import TARGET_HELP, report_conversion
from hextui.records.formats import fetch_game
from hextui.records.writing import convert


def add_arguments(parser: Parser) -> None:
    """Add the arguments."""
    text = "a link to the game, its number at Little Golem, or its id at PlayHex"
    parser.value("game", "GAME", text)
    text = f"{TARGET_HELP} (default: sgf, printed)"
    parser.value("target", "OUT", text, nargs="?", default="sgf")
    parser.shared("--json")


def run(options: argparse.Namespace) -> int:
    """Fetch a game; return the exit code."""
    done = convert(options.game, options.target, text=fetch_game(options.game))
    return report_conversion(done, options.json)
