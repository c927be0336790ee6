"""The command line: runs the command that the first word names.

A command is a module named like it, with ``add_arguments(parser)`` and ``run(options)``, which
returns the exit code. It is imported only when it is run, so that help and bad usage are quick.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from hextui.children import set_own_variable
from hextui.commands.arguments import Parser, UsageError
from hextui.commands.output import FAILED, OutputError, complain, occupy_closed_streams
from hextui.engine.limit import TooCostlyError
from hextui.engine.numba_settings import NumbaSettingsError
from hextui.locations import config_file
from hextui.records.record_text import RecordError
from hextui.text import Names, did_you_mean

INTERRUPTED = 130

SUMMARY = "Open the workstation, where you analyse, play and edit games of Hex; or run a command."
COMMANDS = {
    "rank": "rank every legal move by one evaluator or several",
    "connections": "list the virtual connections of one colour",
    "network": "count short paths of one colour, and each cell's share of them",
    "lines": "find the best lines of play",
    "solve": "find who wins, every winning move, and why",
    "openings": "find which first moves of a board win",
    "check": "check a proof of who wins, without the search that found it",
    "library": "keep games, and find the best moves in them",
    "best-move": "find the best move by exhaustive search",
    "study": "run an experiment over many games",
    "match": "play a match between two players",
    "play": "play against the program",
    "ladder": "show your results against the levels, and your rating",
    "puzzles": "make puzzles from games, list and check collections",
    "report": "find the blunders of a game and evaluate its moves",
    "engine": "list other engines, or test whether one works",
    "htp": "run the engine behind the HTP protocol, for HexGui and tournament scripts",
    "info": "show or change who played a game, when, and how it ended",
    "fetch": "fetch a game of littlegolem.net or playhex.org by its link or number",
    "convert": "convert records from one format into another",
    "export": "draw a position: text, SVG, PNG, HexWiki; or write a game as a link",
    "serve": "show the workstation in a browser",
    "completion": "print what makes your shell complete the commands, or the manual page",
    "warm": "compile the engine now, so that the first start is quick",
}
"""The commands, in the order of the help, and the one-line description of each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code: 0 done, 1 failed, 2 bad input, 130 interrupted.

    ``arguments`` are the words after the program's name, by default those of this process.
    """
    # numpy, which no command has imported yet, would start threads that nothing here uses and that
    # take a third of its import time
    set_own_variable("OPENBLAS_NUM_THREADS", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    occupy_closed_streams()
    try:
        return _run(words)
    except (UsageError, RecordError, TooCostlyError, NumbaSettingsError) as error:
        return complain(error)
    except OutputError as error:
        if error.ended:
            return 0
        complain(error)
        return FAILED
    except MemoryError:
        complain(
            "there is not enough memory for this: close other programs, or use a smaller board"
        )
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: Sequence[str]) -> int:
    name = words[0] if words and words[0] in COMMANDS else ""
    command, parser = command_parser(name)
    if name:
        words = words[1:]
    elif words:
        _check_word(words[0])
    try:
        options = parser.parse_args(words)
    except SystemExit:  # after it has printed the help
        return 0
    if name:  # the workstation reads and reports more of the settings by itself
        options.names = _names()
    code: int = command.run(options)
    return code


def command_parser(name: str) -> tuple[ModuleType, Parser]:
    """Import a command's module and return it with its parser; '' is the workstation."""
    if name:
        parser = Parser(prog=f"hextui {name}", description=COMMANDS[name])
    else:
        listed = "\n".join(f"  {name:<12} {text}" for name, text in COMMANDS.items())
        parser = Parser(
            prog="hextui",
            description=SUMMARY,
            epilog=f"commands (hextui COMMAND --help):\n{listed}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    module = import_module(f"hextui.commands.{name.replace('-', '_') or 'workstation'}")
    module.add_arguments(parser)
    return module, parser


def _check_word(word: str) -> None:
    """Raise UsageError for a first word that looks like a misspelt command."""
    like = did_you_mean(word, COMMANDS)
    if like and word[0].isalpha() and not os.path.lexists(word):
        raise UsageError(f"{word}: no such command or file{like}")


def _names() -> Names:
    """Return the names of the players in the settings file; report it if it is invalid."""
    file = config_file()
    if not os.path.exists(file):  # what needs the file reports why it cannot be read
        return Names.RED_BLUE
    from hextui.settings.settings_files import (
        ConfigError,
        SettingError,
        read_toml,
        read_value,
        table,
    )

    try:
        written = table(read_toml(file) or {}, "screen").get("players", Names.RED_BLUE.value)
        names: Names = read_value(Names, "screen.players", written)
    except SettingError as error:
        complain(ConfigError(file, str(error)))
    except ConfigError as error:
        complain(error)
    else:
        return names
    return Names.RED_BLUE
