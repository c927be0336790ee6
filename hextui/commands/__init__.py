"""The command line: the table of the commands, each a module with its arguments and its work.

A command's module has ``add_arguments(parser)`` and ``run(options)``, which returns the exit code.
It is imported when the command is run, and what needs numpy only by the functions that work: so
help and bad usage are quick.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from hextui.children import set_own_variable
from hextui.commands.arguments import Parser, UsageError
from hextui.commands.output import FAILED, OutputError, complain, take_place_of_closed_streams
from hextui.engine.limit import TooCostlyError
from hextui.locations import config_file
from hextui.words.names import Names, did_you_mean

INTERRUPTED = 130

# name -> (its module, what it does)
COMMANDS = {
    "rank": ("rank", "rank every legal move by one evaluator or several"),
    "connections": ("connections", "list the virtual connections of one colour"),
    "network": ("network", "count short paths of one colour, and each cell's share of them"),
    "lines": ("lines", "find the best lines of play"),
    "solve": ("solve", "find who wins, every winning move, and why"),
    "openings": ("openings", "find which first moves of a board win"),
    "check": ("check", "check a proof of who wins, without the search that found it"),
    "library": ("library", "keep games, and find the best moves in them"),
    "best-move": ("best_move", "find the best move by exhaustive search"),
    "study": ("study", "run an experiment over many games"),
    "match": ("match", "play a match between two players"),
    "report": ("report", "find who gave a win away in a game, and judge its moves"),
    "engine": ("engine", "list other engines, or test whether one works"),
    "htp": ("htp", "run the engine behind the HTP protocol, for HexGui and tournament scripts"),
    "info": ("info", "show or change who played a game, when, and how it ended"),
    "fetch": ("fetch", "fetch a game of littlegolem.net or playhex.org by its link or number"),
    "convert": ("convert", "convert records from one format into another"),
    "export": ("export", "draw a position: text, SVG, PNG, HexWiki; or write a game as a link"),
    "serve": ("serve", "show the workstation in a browser"),
    "warm": ("warm", "compile the engine now, so that the first start is quick"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 bad input, 130 interrupted.

    The first word is a command, or else the FILE or LINK that the workstation opens.
    """
    # numpy, which no command has imported yet, would start threads that nothing here uses: they
    # take a third of the time of its import
    set_own_variable("OPENBLAS_NUM_THREADS", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    take_place_of_closed_streams()
    try:
        return _run(words)
    except (UsageError, TooCostlyError) as error:
        return complain(error)
    except OutputError as error:
        if error.ended:
            return 0
        complain(error)
        return FAILED
    except MemoryError:
        complain("there is not enough memory for this")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: Sequence[str]) -> int:
    if words and words[0] in COMMANDS:
        name, *words = words
        module, description = COMMANDS[name]
        parser = Parser(prog=f"hextui {name}", description=description)
    else:
        module, parser = "workstation", _workstation_parser()
    command = import_module(f"hextui.commands.{module}")
    command.add_arguments(parser)
    if module == "workstation" and words:
        _check_word(words[0])
    try:
        options = parser.parse_args(words)
    except SystemExit:  # it has printed the help
        return 0
    options.names = _names()
    code: int = command.run(options)
    return code


def _check_word(word: str) -> None:
    """Raise UsageError for a first word that looks like a command with a slip."""
    like = did_you_mean(word, COMMANDS)
    if like and word[0].isalpha() and not os.path.lexists(word):
        raise UsageError(f"{word}: no such command or file{like}")


def _names() -> Names:
    """Return what the settings file calls the players; raises UsageError if it cannot be read."""
    file = config_file()
    if not os.path.exists(file):  # no matter why not: who needs the file says so
        return Names.RED_BLUE
    from hextui.settings.settings_files import ConfigError, SettingError, read_toml, shown, table

    try:
        chosen = table(read_toml(file) or {}, "screen").get("players", Names.RED_BLUE.value)
        known = [names.value for names in Names]
        if chosen not in known:
            what = f"{shown(chosen)} is not one of {', '.join(known)}"
            raise SettingError("screen.players", what)
        return Names(chosen)
    except SettingError as error:
        raise UsageError(str(ConfigError(file, str(error)))) from None
    except ConfigError as error:
        raise UsageError(str(error)) from None


def _workstation_parser() -> Parser:
    listed = "\n".join(f"  {name:<12} {text}" for name, (_, text) in COMMANDS.items())
    return Parser(
        prog="hextui",
        description="Analyse Hex in the terminal: open a game record, step through it, edit it.",
        epilog=f"commands (hextui COMMAND --help):\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
