"""Commands on whole games: report, convert, export."""

import argparse
from math import inf

from hextui.cli.arguments import POSITION_HELP, Command


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    from hextui.engines.budget import PLY_SECONDS

    parser.add_argument("record", metavar="GAME", help=POSITION_HELP)
    parser.add_argument("--game", type=int, default=1, metavar="N", help="game N of the file")
    parser.add_argument(
        "--evaluator",
        action="append",
        metavar="NAME",
        help="an evaluator (more than once for several; default: those that the workstation shows)",
    )
    parser.add_argument(
        "--solve",
        type=_limit_seconds,
        default=PLY_SECONDS,
        metavar="SECONDS",
        help=f"let the solver look so long who wins at a ply, from the last to the first, as if "
        f"nobody swaps, until four plies in a row stay unknown, and at most 24 times as long in "
        f"all; 0 for not at all (default: {PLY_SECONDS:g})",
    )
    parser.add_argument("--save", metavar="FILE", help="write the game with the results, as SGF")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _limit_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = inf
    if not 0 <= seconds < inf:
        raise argparse.ArgumentTypeError(f"seconds are 0 or more, not {text!r}")
    return seconds


def _report(options: argparse.Namespace) -> int:
    from hextui.commands.report import run

    return run(
        options.record,
        options.game,
        options.evaluator,
        options.save,
        options.json,
        options.solve,
    )


def _convert_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help=POSITION_HELP)
    parser.add_argument(
        "target", metavar="OUT", help="a file, its ending says the format, or a format's name"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _convert(options: argparse.Namespace) -> int:
    from hextui.commands.convert import run

    return run(options.source, options.target, options.json)


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    from hextui.records.export import FORMS

    parser.add_argument("source", metavar="POSITION", help=POSITION_HELP)
    parser.add_argument("--as", dest="form", choices=FORMS, help="default: text, or by FILE's end")
    parser.add_argument("--output", "-o", metavar="FILE", help="*.txt, *.svg, *.png, *.wiki, *.url")
    parser.add_argument("--ply", type=int, metavar="N", help="after N plies of the main line")
    parser.add_argument("--game", type=int, default=1, metavar="N", help="game N of the file")
    parser.add_argument("--numbers", action="store_true", help="write move numbers on the stones")


def _export(options: argparse.Namespace) -> int:
    from hextui.commands.export import run

    return run(
        options.source, options.form, options.output, options.ply, options.game, options.numbers
    )


COMMANDS = {
    "report": Command(_report_arguments, _report),
    "convert": Command(_convert_arguments, _convert),
    "export": Command(_export_arguments, _export),
}
