"""``hextui engine``: the engines in the settings file, and whether they work."""

import argparse

from hextui.commands.arguments import add_shared, add_value
from hextui.commands.documents import print_document
from hextui.commands.output import FAILED, complain, remark, say
from hextui.engines.engine_config import AttachedConfig
from hextui.locations import config_file
from hextui.settings.engine_tables import TABLE, configured_engines
from hextui.settings.settings_files import ConfigError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    commands = parser.add_subparsers(dest="subcommand", required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list the engines in the settings file")
    add_shared(listing, "--json")
    testing = commands.add_parser("test", help="start an engine and report what it can do")
    add_value(testing, "name", "NAME", "an engine in the settings file")


def run(options: argparse.Namespace) -> int:
    """List engines or test one; return the exit code."""
    try:
        engines = configured_engines(config_file())
    except ConfigError as error:
        return complain(error)
    if options.subcommand == "list":
        return _list(engines, options)
    if options.name not in engines:
        known = f"there are {', '.join(engines)}" if engines else "there are none"
        return complain(f"no engine {options.name!r} in {config_file()}: {known}")
    return _test(engines[options.name])


def _list(engines: dict[str, AttachedConfig], options: argparse.Namespace) -> int:
    found = engines.values()
    lines = [f"{e.name}  {e.dialect}  {' '.join(e.command)}" for e in found]
    text = "\n".join(lines) or f"no engines: write a table [{TABLE}.NAME] into {config_file()}"
    rows = [{"name": e.name, "dialect": str(e.dialect), "command": list(e.command)} for e in found]
    print_document({"engines": rows}, options, text)
    return 0


def _test(config: AttachedConfig) -> int:
    from hextui.engines.attached_searches import last_lines, probe
    from hextui.engines.engine import EngineGoneError
    from hextui.engines.engine_session import RefusedError

    try:
        for line in probe(config):
            say(line)
    except EngineGoneError as error:
        complain(f"{config.name} {error}")
        if lines := last_lines(error):
            for line in lines.split("\n"):
                remark(line)
        return FAILED
    except RefusedError as error:
        complain(f"{config.name} answers: {error}")
        return FAILED
    return 0
