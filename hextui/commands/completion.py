"""``hextui completion``: scripts by which a shell completes our words, and the manual page."""

import argparse
from importlib import import_module
from typing import Any

import shtab
from argparse_manpage.manpage import Manpage

from hextui.commands.arguments import Parser, file_path
from hextui.commands.command_list import COMMANDS, SUMMARY
from hextui.commands.output import say
from hextui.commands.workstation import add_options

MANUAL = "man"
_FILES = {"COLLECTION", "FILE", "FOLDER", "GAME", "IN", "OUT", "POSITION", "PROOF"}
"""What a help text calls the arguments that name a file, by which a shell completes them."""


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    text = "the shell: bash, zsh or fish; or man for the manual page"
    parser.value("shell", "SHELL", text, choices=("bash", "zsh", "fish", MANUAL))


def run(options: argparse.Namespace) -> int:
    """Print the script, or the manual page; return the exit code."""
    parser = _whole_parser()
    if options.shell == MANUAL:
        page = Manpage(parser, {"manual_title": "hextui", "description": "analyse Hex"})
        say(str(page).rstrip())
    else:
        say(_script(parser, options.shell))
    return 0


def _script(parser: Parser, shell: str) -> str:
    """Return the script of a shell, which completes the first word as a file, too."""
    script: str = shtab.complete(parser, shell).rstrip()
    match shell:
        case "bash":
            return f"{script}\ncomplete -o bashdefault -o default -F _shtab_hextui hextui"
        case "zsh":
            commands = "_describe 'hextui commands' _commands"
            return script.replace(commands, f"{commands}\n  _files")
        case _:
            return f"{script}\ncomplete -c hextui -n __fish_use_subcommand -F"


class _CompletedParser(Parser):
    """Tells the shell which arguments are names of files; its subcommands do likewise."""

    def value(
        self, name: str, metavar: str, text: str, group: Any = None, long: str = "", **settings: Any
    ) -> argparse.Action:
        action = super().value(name, metavar, text, group, long, **settings)
        if settings.get("type") is file_path or not _FILES.isdisjoint(metavar.split("|")):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        return action


def _whole_parser() -> Parser:
    """Return a parser with every command, and the options of the workstation.

    The file that the workstation opens is left out: a parser cannot have a file and a command both
    as its first word.
    """
    usage = "hextui [options] [FILE|LINK | COMMAND ...]"
    parser = _CompletedParser(prog="hextui", description=SUMMARY, usage=usage)
    add_options(parser)
    group = parser.add_subparsers(metavar="COMMAND")
    for name, text in COMMANDS.items():
        command = import_module(f"hextui.commands.{name.replace('-', '_')}")
        command.add_arguments(group.add_parser(name, help=text, description=text))
    return parser
