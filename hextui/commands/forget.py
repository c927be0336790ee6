"""``hextui forget``: remove what the program keeps on disk, by the names that ``info`` lists."""

import argparse

from hextui.commands.arguments import Parser
from hextui.commands.documents import print_document
from hextui.kept_files import KEPT


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    text = f"what to remove for good: {', '.join(KEPT)} (hextui info shows each)"
    parser.value("kinds", "NAME", text, nargs="+", choices=tuple(KEPT))
    parser.shared("--json")


def run(options: argparse.Namespace) -> int:
    """Remove what is named and print its paths; return the exit code."""
    paths = [str(path) for name in options.kinds for path in KEPT[name].paths()]
    for name in options.kinds:
        KEPT[name].remove()
    text = "\n".join(f"removed {path}" for path in paths) or "nothing to remove"
    print_document({"removed": paths}, options, text)
    return 0
