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

INTERRUPTED = 130

# name -> (its module, what it does)
COMMANDS = {
    "rank": ("rank", "rank every legal move by one evaluator or several"),
    "connections": ("connections", "list the virtual connections of one colour"),
    "network": ("network", "count short paths of one colour, and each cell's part in them"),
    "lines": ("lines", "find the best lines of play by selective minimax"),
    "solve": ("solve", "find who wins, every winning move, and why"),
    "check": ("check", "check a proof of who wins, without the search that found it"),
    "library": ("library", "keep games, and find the best moves on file"),
    "best-move": ("best_move", "find the best move by looking at every line of play"),
    "study": ("study", "run an experiment over many games"),
    "match": ("match", "let two evaluators play each other"),
    "report": ("report", "tell how well evaluators agree with the moves of a game"),
    "convert": ("convert", "turn records from one format into another"),
    "export": ("export", "draw a position: text, SVG, PNG, HexWiki; or write a game as a link"),
    "serve": ("serve", "show the workstation in a browser"),
    "warm": ("warm", "compile the engine now, so that the first start is quick"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 bad input, 130 interrupted.

    The first word is a command, or else the FILE or LINK that the workstation opens.
    """
    # threads of the linear algebra take longer than systems as small as ours, many times so on a
    # busy machine; numpy reads this when it is imported, which no command has done yet
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in COMMANDS:
            return _run(words[0], words[1:])
        return _open_workstation(words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has enough of it
        sys.stderr.close()
        return 0


def _run(name: str, words: Sequence[str]) -> int:
    module, description = COMMANDS[name]
    command = import_module(f"hextui.commands.{module}")
    parser = argparse.ArgumentParser(prog=f"hextui {name}", description=description)
    command.add_arguments(parser)
    code: int = command.run(parser.parse_args(words))
    return code


def _open_workstation(words: Sequence[str]) -> int:
    from hextui.commands import workstation

    listed = "\n".join(f"  {name:<12} {text}" for name, (_, text) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="hextui",
        description="Analyse Hex in the terminal: open a game record, step through it, edit it.",
        epilog=f"commands (hextui COMMAND --help):\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    workstation.add_arguments(parser)
    return workstation.run(parser.parse_args(words))
