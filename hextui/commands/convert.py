"""``hextui convert``: convert records between formats."""

import argparse

from hextui.commands.arguments import POSITION_HELP, Parser, UsageError
from hextui.commands.documents import remark_all, report_passed_over
from hextui.commands.output import FAILED, complain, pass_on, say, say_json
from hextui.records.writing import Conversion, convert
from hextui.text import counted
from hextui.words.files import loss_words, summary_text

TARGET_HELP = "a file, whose suffix gives the format, or the name of a format"


def add_arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.value("source", "IN", POSITION_HELP)
    parser.value("target", "OUT", TARGET_HELP, nargs="?")
    parser.output("a file, instead of OUT")
    parser.shared("--size", "--encoding", "--strict", "--as-hex", "--json")


def run(options: argparse.Namespace) -> int:
    """Convert a source to a file or a format; return the exit code: 1 if games were left out."""
    done = convert(
        options.source,
        _target(options),
        options.size,
        strict=options.strict,
        as_hex=options.as_hex,
        charset=options.encoding,
    )
    return report_conversion(done, options.json)


def _target(options: argparse.Namespace) -> str:
    """Return the file or format to convert to; raises UsageError unless there is one."""
    if (options.target is None) == (options.output is None):
        raise UsageError("give OUT or -o FILE, one of them (hextui convert --help)")
    return str(options.target or options.output)


def report_conversion(done: Conversion, as_json: bool) -> int:
    """Print what was converted and what was left out; return the exit code."""
    remark_all(done.notes)
    report_passed_over(done.summary)
    for number, error in done.broken.items():
        complain(f"game {number} skipped: {error}")
    lost = loss_words(done.lost)
    if lost:
        complain(f"left out: {', '.join(lost)}")
    if as_json:
        document = {
            "games": done.games,
            "path": None if done.path is None else str(done.path),
            "text": done.text if done.path is None else None,
            "lost": lost,
            "broken": [{"number": n, "error": str(e)} for n, e in done.broken.items()],
            **done.summary.document(),
        }
        say_json(document)
    elif done.path is None:
        pass_on(done.text.encode(errors="replace"))
    else:
        written = f"{counted(done.games, 'game')} written to {done.path}"
        say(", ".join(filter(None, [written, summary_text(done.summary)])))
    return FAILED if done.broken or done.summary.is_broken else 0
