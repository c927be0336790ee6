"""The arguments that several commands take, and the types of all."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from hextui.commands.output import say
from hextui.engine.board import Board, Color
from hextui.locations import named_path
from hextui.words.names import did_you_mean

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

POSITION_HELP = "a record file, - for standard input, a HexWorld link or fragment, or SGF text"
MOST = 2**63 - 1
"""The largest number: files and compiled code have no more bits."""

_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,30}\s*", re.ASCII)
_UNKNOWN_OPTION = re.compile(r"^unrecognized arguments: (--\S+)")
_UNKNOWN_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)", re.DOTALL)
_LONGEST_TIME = 1e9  # seconds, 31 years: what the system's clocks can wait for


class UsageError(ValueError):
    """A command line that cannot be read; the message says why in one line."""


class Parser(argparse.ArgumentParser):
    """Reads the words of a command. Bad usage raises UsageError, help goes through the door."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError, with what may have been meant."""
        guess = ""
        if unknown := _UNKNOWN_OPTION.search(message):
            guess = did_you_mean(unknown[1], self._option_string_actions)
        elif unknown := _UNKNOWN_CHOICE.search(message):
            guess = did_you_mean(unknown[1], re.findall(r"'([^']*)'", unknown[2]))
        raise UsageError(f"{message}{guess} ({self.prog} --help)")

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print the help on standard output."""
        say(self.format_help().rstrip())


def position_arguments(
    parser: argparse.ArgumentParser,
    game: Callable[[str], int | str] | None = None,
    game_help: str = "game N of the file (default: the first)",
) -> None:
    """Add what every command on a POSITION takes."""
    parser.add_argument("position", nargs="?", metavar="POSITION", help=POSITION_HELP)
    parser.add_argument("--game", type=game or whole(1), metavar="N", help=game_help)
    parser.add_argument(
        "--ply",
        type=whole(0),
        metavar="N",
        help="the position after N plies of the main line (default: the last)",
    )
    parser.add_argument("--to-move", type=color, metavar="COLOR", help="red or blue")
    size_argument(parser)
    json_argument(parser)
    parser.add_argument(
        "--batch",
        action="store_true",
        help="read one POSITION per line from standard input, print one JSON document per line",
    )


def record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the workstation opens: a record, a game of it, a ply."""
    parser.add_argument("record", nargs="?", metavar="FILE|LINK", help=POSITION_HELP)
    parser.add_argument(
        "--game",
        type=whole(1),
        metavar="N",
        help="game N of the file (default: choose from a list)",
    )
    parser.add_argument("--ply", type=whole(0), metavar="N", help="start after N plies")


def json_argument(parser: argparse._ActionsContainer) -> None:
    """Add what every command takes that prints for people or programs."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def size_argument(parser: argparse._ActionsContainer) -> None:
    """Add what every command takes that reads records."""
    parser.add_argument(
        "--size",
        type=size,
        metavar="N",
        help="board size of move lists that do not give one: 11, or 4x5 (columns x rows)",
    )


def memory_argument(parser: argparse._ActionsContainer) -> None:
    """Add what every command takes whose solver can be held to so much memory."""
    parser.add_argument(
        "--memory",
        type=whole(1, 2**40),
        metavar="MB",
        help="memory limit of the solver (default: 256 for its table, plus what else it needs)",
    )


def whole(least: int, most: int = MOST) -> Callable[[str], int]:
    """Return what reads a whole number of a range; it raises ArgumentTypeError.

    >>> whole(1, 9)(" 7 ")
    7
    """

    def read(text: str) -> int:
        if _WHOLE.fullmatch(text) and least <= int(text) <= most:
            return int(text)
        above = "or more" if most == MOST else f"to {most}"
        raise argparse.ArgumentTypeError(f"a whole number, {least} {above}, not {text!r}")

    return read


def duration(text: str) -> float:
    """Read a time of 0 or more; raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= _LONGEST_TIME:
        raise argparse.ArgumentTypeError(
            f"seconds are 0 or more, {_LONGEST_TIME:g} at most, not {text!r}"
        )
    return value


def positive(text: str) -> float:
    """Read a time above 0; raises ArgumentTypeError."""
    if (value := duration(text)) == 0:
        raise argparse.ArgumentTypeError("seconds are more than 0")
    return value


def file_path(text: str) -> Path:
    """Read the name of a file or folder; raises ArgumentTypeError."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"no name of a file: {text!r}")
    return named_path(text)


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
