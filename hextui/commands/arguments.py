"""The options that several commands take, and the types of all arguments."""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from hextui.commands.output import say
from hextui.engine.board import Board, Color
from hextui.locations import named_path
from hextui.records.decoding import charset_called
from hextui.text import did_you_mean

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

T = TypeVar("T")
POSITION_HELP = "a record file, - for standard input, a HexWorld link or fragment, or SGF text"
MOST = 2**63 - 1
"""The largest number: what fits into 64 bits with a sign."""

_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,30}\s*", re.ASCII)
_OPTION_IN_HELP = re.compile(r"^  (?:-\w, )?(--[\w-]+)", re.MULTILINE)
_UNKNOWN_OPTION = re.compile(r"^unrecognized arguments: (--\S+)")
_UNKNOWN_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)", re.DOTALL)
_LONGEST_TIME = 1e9  # seconds, 31 years: what the system's clocks can wait for


class UsageError(ValueError):
    """An invalid command line; the message says why in one line."""


@contextmanager
def usage_errors() -> Iterator[None]:
    """Raise UsageError for a ValueError about what the user wrote."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from None


class Parser(argparse.ArgumentParser):
    """Parses the words of a command: raises UsageError for bad usage, prints help by `say`."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with a suggestion where a known word is similar."""
        guess = ""
        if unknown := _UNKNOWN_OPTION.search(message):
            guess = did_you_mean(unknown[1], _OPTION_IN_HELP.findall(self.format_help()))
        elif unknown := _UNKNOWN_CHOICE.search(message):
            guess = did_you_mean(unknown[1], re.findall(r"'([^']*)'", unknown[2]))
        raise UsageError(f"{message}{guess} ({self.prog} --help)")

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print the help on standard output."""
        say(self.format_help().rstrip())

    def value(
        self, name: str, metavar: str, text: str, group: Any = None, long: str = "", **settings: Any
    ) -> argparse.Action:
        """Add an argument, or an option with a value, which its help ``text`` calls ``metavar``.

        ``group``: the group of this parser to add it to, here and in the methods below. ``long``: a
        longer name of an option.
        """
        names = filter(None, (name, long))
        action: argparse.Action = (group or self).add_argument(
            *names, metavar=metavar, help=text, **settings
        )
        return action

    def output(self, text: str, required: bool = False) -> None:
        """Add the file that a command writes, the option ``output``; ``text`` is its help."""
        self.value("-o", "FILE", text, long="--output", type=file_path, required=required)

    def flag(self, name: str, text: str, group: Any = None) -> None:
        """Add an option without a value."""
        (group or self).add_argument(name, action="store_true", help=text)

    def number(
        self,
        name: str,
        text: str,
        default: int | None = None,
        least: int = 1,
        most: int = MOST,
        group: Any = None,
    ) -> None:
        """Add an option that takes a whole number, N in its help ``text``."""
        self.value(name, "N", text, group, type=whole(least, most), default=default)

    def shared(self, *names: str, group: Any = None, **changes: Any) -> None:
        """Add options of `SHARED`; ``changes`` replace some of their settings.

        >>> parser = Parser()
        >>> parser.shared("--ply", "--json")
        >>> parser.parse_args(["--ply", "3"])
        Namespace(ply=3, json=False)
        """
        for name in names:
            (group or self).add_argument(name, **(SHARED[name] | changes))

    def actions(self, dest: str, actions: Mapping[str, tuple[object, str]]) -> "dict[str, Parser]":
        """Add subcommands, each with its help and what does it, which is the option ``act``."""
        group = self.add_subparsers(dest=dest, required=True, metavar=dest.upper())
        made = {}
        for name, (act, text) in actions.items():
            made[name] = group.add_parser(name, help=text, description=text)
            made[name].set_defaults(act=act)
        return made

    def position(self, **game: Callable[[str], int | str] | str) -> None:
        """Add what every command on a POSITION takes; ``game`` are settings of ``--game``."""
        self.value("position", "POSITION", POSITION_HELP, nargs="?")
        self.shared("--game", **game)
        self.shared("--ply")
        self.value(
            "--to-move", "COLOR", "side to move: red or blue (default: by the record)", type=color
        )
        self.shared("--size", "--json")
        text = "read one POSITION per line from standard input, print one JSON document per line"
        self.flag("--batch", text)

    def record(self) -> None:
        """Add what the workstation opens: a record, and where in it."""
        self.value("record", "FILE|LINK", POSITION_HELP, nargs="?")
        self.place()

    def place(self) -> None:
        """Add the game of a record and the ply at which the workstation opens it."""
        self.shared("--game", help="game N of the file (default: choose from a list)")
        self.shared("--ply", help="start after N plies")


def whole(least: int, most: int = MOST) -> Callable[[str], int]:
    """Return a function that reads a whole number of a range or raises ArgumentTypeError.

    >>> whole(1, 9)(" 7 ")
    7
    """

    def read(text: str) -> int:
        if _WHOLE.fullmatch(text) and least <= int(text) <= most:
            return int(text)
        above = "or more" if most == MOST else f"to {most}"
        raise argparse.ArgumentTypeError(f"expected a whole number, {least} {above}, not {text!r}")

    return read


def duration(text: str) -> float:
    """Read a time of 0 or more; raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= _LONGEST_TIME:
        raise argparse.ArgumentTypeError(
            f"expected seconds, from 0 to {_LONGEST_TIME:,.0f}, not {text!r}"
        )
    return value


def positive(text: str) -> float:
    """Read a time above 0; raises ArgumentTypeError."""
    if (value := duration(text)) == 0:
        raise argparse.ArgumentTypeError("expected more than 0 seconds")
    return value


def file_path(text: str) -> Path:
    """Read the name of a file or folder; raises ArgumentTypeError."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"not the name of a file: {text!r}")
    return named_path(text)


def _parsed(parse: Callable[[str], T]) -> Callable[[str], T]:
    """Return a function that raises ArgumentTypeError where ``parse`` raises ValueError."""

    def read(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def charset(text: str) -> str:
    """Read the name of a character set; raises ArgumentTypeError."""
    charset = charset_called(text)
    if charset is None:
        what = f"expected a character set such as gbk, big5, shift_jis or cp1252, not {text!r}"
        raise argparse.ArgumentTypeError(what)
    return charset


color = _parsed(Color.parse)
size = _parsed(Board.parse)
SHARED: dict[str, dict[str, Any]] = {
    "--game": {"type": whole(1), "metavar": "N", "help": "game N of the file (default: the first)"},
    "--ply": {
        "type": whole(0),
        "metavar": "N",
        "help": "the position after N plies of the main line (default: the last)",
    },
    "--size": {
        "type": size,
        "metavar": "N",
        "help": "board size of games that do not give one: 11, or 4x5 (columns x rows)",
    },
    "--encoding": {
        "type": charset,
        "metavar": "NAME",
        "help": "character set of the file: gbk, shift_jis, ... (default: as declared, or guessed)",
    },
    "--color": {"type": color, "required": True, "help": "the colour: red or blue"},
    "--memory": {
        "type": whole(1, 2**40),
        "metavar": "MB",
        "help": "memory limit of the solver (default: 256 for its table, plus what else it needs)",
    },
    "--seed": {"type": whole(0), "default": 0, "metavar": "N", "help": "random seed (default: 0)"},
    "--strict": {"action": "store_true", "help": "skip games that have errors"},
    "--as-hex": {"action": "store_true", "help": "read SGF of other games (GM[1]) as Hex"},
    "--json": {"action": "store_true", "help": "print one JSON document instead of text"},
}
"""Options that several commands take, as arguments of ``add_argument``."""
BOARD_HELP = "board size: 11, or 4x5 (columns x rows)"
"""Help for a ``--size`` that chooses the board to play or search on."""
