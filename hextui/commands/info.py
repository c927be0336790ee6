"""``hextui info``: players, event, date and result of a game, shown or changed."""

import argparse

from hextui.commands.arguments import POSITION_HELP, Parser, file_path
from hextui.commands.documents import chosen_game, print_document, table
from hextui.commands.output import complain
from hextui.engine.json_values import as_json
from hextui.records.game_info import BY_NAME, FIELDS, info_of, set_info
from hextui.records.writing import save
from hextui.text import did_you_mean


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.value("record", "GAME", POSITION_HELP)
    parser.shared("--game", "--size", "--encoding", "--json")
    text = f"change a field (repeat for several): {', '.join(BY_NAME)}; an empty text removes it"
    parser.value("--set", "FIELD=TEXT", text, action="append", type=_setting, default=[])
    parser.value("--save", "FILE", "write the game with the changes", type=file_path)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in BY_NAME:
        guess = did_you_mean(name, BY_NAME)
        raise argparse.ArgumentTypeError(
            f"expected FIELD=TEXT with a field of the help, not {text!r}{guess}"
        )
    return name, value


def run(options: argparse.Namespace) -> int:
    """Change a game's fields, save it if asked, and print them; return the exit code."""
    if options.set and options.save is None:
        return complain("--set needs --save FILE, which gets the changes")
    how = {"analysed": False, "charset": options.encoding}
    record = chosen_game(options.record, options.game, options.size, **how)
    set_info(record, dict(options.set), options.names)
    if options.save is not None:
        save(record, options.save)
    fields_before = info_of(record, options.names)
    rows = [["Board", str(record.board)], ["Moves", str(record.plies)]]
    rows += [
        [options.names.fill(field.label), fields_before[field.name]]
        for field in FIELDS
        if fields_before[field.name]
    ]
    document = {"size": as_json(record.board), "moves": record.plies, **fields_before}
    print_document(document, options, table(rows))
    return 0
