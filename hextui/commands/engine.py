"""``hextui engine``: the engines in the settings file, and whether they work."""

import argparse

from hextui.commands.arguments import Parser, usage_errors
from hextui.commands.documents import print_document
from hextui.commands.output import FAILED, ProgressLine, complain, remark, say
from hextui.locations import config_file
from hextui.settings.engine_config import AttachedConfig
from hextui.settings.engine_tables import TABLE, configuration, configured_engines

REMARK_SECONDS = 5.0  # between two lines of progress where standard error is no terminal


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    commands = parser.add_subparsers(dest="subcommand", required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list the engines in the settings file")
    listing.shared("--json")
    testing = commands.add_parser("test", help="start an engine and report what it can do")
    testing.value("name", "NAME", "an engine in the settings file")


def run(options: argparse.Namespace) -> int:
    """List engines or test one; return the exit code."""
    with usage_errors():
        if options.subcommand == "list":
            return _list(configured_engines(config_file()), options)
        config = configuration(options.name)
    return _test(config)


def _list(engines: dict[str, AttachedConfig], options: argparse.Namespace) -> int:
    configs = engines.values()
    lines = [f"{e.name}  {e.dialect}  {' '.join(e.command)}" for e in configs]
    text = "\n".join(lines) or f"no engines: write a table [{TABLE}.NAME] into {config_file()}"
    rows = [
        {"name": e.name, "dialect": str(e.dialect), "command": list(e.command)} for e in configs
    ]
    print_document({"engines": rows}, options, text)
    return 0


def _test(config: AttachedConfig) -> int:
    from hextui.engines.attached_searches import EngineTestError, probe

    try:
        with ProgressLine(first=REMARK_SECONDS, pause=REMARK_SECONDS) as progress:
            for finding in probe(config):
                if isinstance(finding, str):
                    progress.end()
                    say(finding)
                else:
                    progress.show(f"{finding.label} ({finding.amount})")
    except EngineTestError as error:
        problem, *others = str(error).split("\n")
        complain(problem)
        for line in others:
            remark(line)
        return FAILED
    return 0
