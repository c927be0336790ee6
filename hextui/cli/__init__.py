"""The command line, arguments only: one function call a command, heavy imports inside it.

The commands of a family share a module, which is imported when one of them is run.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from hextui.cli import workstation

INTERRUPTED = 130

# name -> (the module of its family, what it does)
COMMANDS = {
    "rank": ("analysis", "rank every legal move by one evaluator or several"),
    "connections": ("analysis", "list the virtual connections of one colour"),
    "network": ("analysis", "count short paths of one colour, and each cell's part in them"),
    "lines": ("analysis", "find the best lines of play by selective minimax"),
    "solve": ("solving", "find who wins, every winning move, and why"),
    "check": ("solving", "check a proof of who wins, without the search that found it"),
    "library": ("library", "keep games, and find the best moves on file"),
    "best-move": ("solving", "find the best move by looking at every line of play"),
    "study": ("studies", "run an experiment over many games"),
    "match": ("studies", "let two evaluators play each other"),
    "report": ("games", "tell how well evaluators agree with the moves of a game"),
    "convert": ("games", "turn records from one format into another"),
    "export": ("games", "draw a position: text, SVG, PNG, HexWiki; or write a game as a link"),
    "serve": ("workstation", "show the workstation in a browser"),
    "warm": ("workstation", "compile the engine now, so that the first start is quick"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 bad input, 130 interrupted.

    The first word is a command, or else the FILE or LINK that the workstation opens.
    """
    # numpy, which no command has imported yet, would start threads that nothing here uses: they
    # take a third of the time of its import
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in COMMANDS:
            return _run(words[0], words[1:])
        described = {name: description for name, (_, description) in COMMANDS.items()}
        return workstation.run(workstation.parser(described).parse_args(words))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has enough of it
        sys.stderr.close()
        return 0


def _run(name: str, words: Sequence[str]) -> int:
    family, description = COMMANDS[name]
    command = import_module(f"hextui.cli.{family}").COMMANDS[name]
    parser = argparse.ArgumentParser(prog=f"hextui {name}", description=description)
    command.add_arguments(parser)
    code: int = command.run(parser.parse_args(words))
    return code
