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
from hextui.commands.command_list import COMMANDS, OTHER_NAMES, SUMMARY
from hextui.commands.output import FAILED, OutputError, complain, occupy_closed_streams
from hextui.engine.limit import TooCostlyError
from hextui.engine.numba_settings import NumbaSettingsError
from hextui.locations import config_file
from hextui.records.record_text import RecordError
from hextui.text import Names, did_you_mean

INTERRUPTED = 130


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
    """Raise UsageError for a first word that means a command, or looks like a misspelt one."""
    like = did_you_mean(OTHER_NAMES.get(word, word), COMMANDS)
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
