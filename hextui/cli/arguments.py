"""What a command is, and the arguments that several commands take."""

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

POSITION_HELP = (
    "a record file, - for standard input, a HexWorld link or fragment, or SGF text that starts "
    "with (;"
)


class Command(NamedTuple):
    """What adds the arguments of a command, and what runs it: one call elsewhere."""

    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


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
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--batch",
        action="store_true",
        help="read a POSITION a line from standard input, print a JSON document a line",
    )


def color(text: str) -> Any:
    """Read a colour; raises ArgumentTypeError."""
    from hextui.engine.board import Color

    try:
        return Color.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def size(text: str) -> Any:
    """Read a board of some size, ``11`` or ``4x5`` (columns x rows); raises ArgumentTypeError."""
    from hextui.engine.board import Board

    columns, _, rows = text.lower().partition("x")
    try:
        return Board(int(rows or columns), int(columns))
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a board size: {text!r} (11, or 4x5)") from None


def answer(options: argparse.Namespace, make: Any, show: Any) -> int:
    """Answer for the POSITION of the options, or for each of a batch; return the exit code."""
    from hextui.commands.documents import Request, answer, complain

    if (options.position is None) != options.batch:
        return complain(ValueError("give a POSITION, or --batch and none"))
    request = Request(options.position, options.game, options.ply, options.to_move)
    return answer(request, make, show, as_json=options.json, batch=options.batch)
