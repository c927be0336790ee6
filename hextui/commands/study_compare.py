"""``hextui study compare``: two runs beside each other."""

import argparse
from dataclasses import asdict

from hextui.commands.arguments import file_path, json_argument, whole
from hextui.commands.output import complain, say, say_json
from hextui.studies.results import Folder, StudyError, interpreting
from hextui.studies.titles import title


def add_compare_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what it takes."""
    for name in ("first", "second"):
        parser.add_argument(name, type=file_path, metavar="FOLDER", help=f"the {name} run")
    parser.add_argument("--seed", type=whole(0), default=0, metavar="N", help="seed (default: 0)")
    json_argument(parser)


def run_compare(options: argparse.Namespace) -> int:
    """Print the differences of what both runs measured; return the exit code."""
    from hextui.studies.comparing import compared, difference_table

    try:
        with interpreting(f"{options.first}, {options.second}"):
            names = [title(Folder(path).settings()) for path in (options.first, options.second)]
            found = compared(options.first, options.second, options.seed)
    except StudyError as error:
        return complain(error)
    if options.json:
        say_json({"runs": names, "differences": [asdict(one) for one in found]})
        return 0
    say(f"first   {names[0]}\nsecond  {names[1]}\n")
    say(difference_table(found, "first", "second"))
    return 0
