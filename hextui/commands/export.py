"""``hextui export``: a position as text, SVG, PNG or HexWiki diagram, or the game as a link."""

import argparse

from hextui.commands.arguments import POSITION_HELP, Parser, usage_errors
from hextui.commands.documents import chosen_game
from hextui.commands.output import complain, pass_on, say, to_terminal
from hextui.records.saving import save_file
from hextui.records.writing import EXPORT_SUFFIXES, export, export_form_of


def add_arguments(parser: Parser) -> None:
    """Add the arguments."""
    endings = ", ".join(f"*{suffix}" for suffix in EXPORT_SUFFIXES.values())
    parser.value("source", "POSITION", POSITION_HELP)
    text = "format (default: by the suffix of FILE, or text)"
    parser.add_argument("--as", dest="form", choices=list(EXPORT_SUFFIXES), help=text)
    parser.output(endings)
    parser.shared("--ply", "--game", "--size")
    parser.flag("--numbers", "write move numbers on the stones")


def run(options: argparse.Namespace) -> int:
    """Write a picture of a position; return the exit code."""
    file = options.output
    with usage_errors():
        record = chosen_game(options.source, options.game, options.size, analysed=False)
        node = record.root.end() if options.ply is None else record.node_at(options.ply)
        form = options.form or ("text" if file is None else export_form_of(file))
        data = export(record, node, form, options.numbers, names=options.names)
    if file is not None:
        save_file(file, data)
        say(f"written to {file}")
        return 0
    if isinstance(data, bytes) and to_terminal():
        return complain("a PNG needs -o FILE")
    pass_on(data if isinstance(data, bytes) else data.encode(errors="replace"))
    return 0
