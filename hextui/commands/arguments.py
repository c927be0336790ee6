"""The arguments that several commands take."""

import argparse
from collections.abc import Callable

from hextui.engine.board import Board, Color

POSITION_HELP = (
    "a record file, - for standard input, a HexWorld link or fragment, or SGF text that starts "
    "with (;"
)


def position_arguments(
    parser: argparse.ArgumentParser,
    game: Callable[[str], int | str] = int,
    game_help: str = "game N of the file",
) -> None:
    """Add what every command on a POSITION takes."""
    parser.add_argument("position", nargs="?", metavar="POSITION", help=POSITION_HELP)
    parser.add_argument("--game", type=game, default=1, metavar="N", help=game_help)
    parser.add_argument(
        "--ply", type=int, metavar="N", help="after N plies of the main line (default: the last)"
    )
    parser.add_argument("--to-move", type=color, metavar="COLOR", help="black or white")
    json_argument(parser)
    parser.add_argument(
        "--batch",
        action="store_true",
        help="read a POSITION a line from standard input, print a JSON document a line",
    )


def json_argument(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes that prints for people or programs."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def color(text: str) -> Color:
    """Read a colour; raises ArgumentTypeError."""
    try:
        return Color.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def size(text: str) -> Board:
    """Read a board of some size, ``11`` or ``4x5`` (columns x rows); raises ArgumentTypeError."""
    columns, _, rows = text.lower().partition("x")
    try:
        return Board(int(rows or columns), int(columns))
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a board size: {text!r} (11, or 4x5)") from None
