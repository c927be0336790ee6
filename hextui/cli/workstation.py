"""Commands that open the workstation or prepare it: no command at all, serve, warm."""

import argparse
import gc
from collections.abc import Mapping

from hextui import __version__
from hextui.cli.arguments import POSITION_HELP, Command


def parser(commands: Mapping[str, str]) -> argparse.ArgumentParser:
    """Return what reads the words that are no command; its help lists ``commands``."""
    listed = "\n".join(f"  {name:<12} {text}" for name, text in commands.items())
    parser = argparse.ArgumentParser(
        prog="hextui",
        description="Analyse Hex in the terminal: open a game record, step through it, edit it.",
        epilog=f"commands (hextui COMMAND --help):\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hextui {__version__}")
    parser.add_argument("record", nargs="?", metavar="FILE|LINK", help=POSITION_HELP)
    parser.add_argument("--sample", action="store_true", help="open the sample game")
    parser.add_argument(
        "--game", type=int, metavar="N", help="game N of the file (default: choose from a list)"
    )
    parser.add_argument("--ply", type=int, metavar="N", help="start after N plies")
    return parser


def run(options: argparse.Namespace) -> int:
    """Open the workstation."""
    gc.disable()  # until the first screen is there
    try:
        from hextui.commands.workstation import run

        return run(options.record, sample=options.sample, game=options.game, ply=options.ply)
    finally:
        gc.enable()


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", nargs="?", metavar="FILE|LINK", help=POSITION_HELP)
    parser.add_argument("--host", default="127.0.0.1", help="address (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port (default: 8000)")


def _serve(options: argparse.Namespace) -> int:
    from hextui.commands.serve import run

    return run(options.record, options.host, options.port)


def _warm_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--cells", type=int, metavar="N", help="for boards of N cells only (default: all sizes)"
    )


def _warm(options: argparse.Namespace) -> int:
    from hextui.commands.warm import run

    return run(options.cells, options.json)


COMMANDS = {
    "serve": Command(_serve_arguments, _serve),
    "warm": Command(_warm_arguments, _warm),
}
