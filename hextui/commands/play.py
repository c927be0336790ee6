"""``hextui play``: the workstation, in a game against the program."""

import argparse

from hextui.commands import workstation
from hextui.commands.arguments import BOARD_HELP, Parser, size, usage_errors
from hextui.train.play_settings import PlaySettings, player_name


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.record()
    workstation.set_defaults(parser)
    group = parser.add_mutually_exclusive_group()
    parser.number("--level", "play against level N, 1 to 9", most=9, group=group)
    text = "play against a player of hextui match: resistance, search, engine(NAME)"
    parser.value("--opponent", "NAME", text, group=group)
    parser.value("--size", "N", BOARD_HELP, type=size)
    parser.value("--color", "COLOR", "your colour: red, blue or random")
    parser.flag("--no-swap", "play without the swap rule")
    text = "minutes for each player, and seconds added after each move; or none"
    parser.value("--clock", "MIN+INC", text)


def run(options: argparse.Namespace) -> int:
    """Play from a position, by default from the start; return the exit code."""
    chosen = {
        "opponent": options.opponent or (options.level and f"level:{options.level}"),
        "size": options.size and str(options.size),
        "color": options.color,
        "swap": "no" if options.no_swap else None,
        "clock": options.clock,
    }
    options.play = {name: text for name, text in chosen.items() if text is not None}
    with usage_errors():
        PlaySettings.read(options.play)
        if options.opponent is not None:  # the workstation knows which engines are configured
            player_name(options.opponent, [options.opponent])
    return workstation.run(options)
