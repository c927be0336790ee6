"""``hextui info``: players, event, date and result of a game, shown or changed."""

import argparse

from hextui.commands.arguments import POSITION_HELP, Parser, UsageError, file_path
from hextui.commands.documents import chosen_game, print_document, table
from hextui.commands.output import complain
from hextui.engine.json_values import as_json
from hextui.kept_files import KEPT
from hextui.records.game_info import BY_NAME, FIELDS, info_of, set_info
from hextui.records.writing import save
from hextui.text import did_you_mean
from hextui.version import __version__


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    text = f"{POSITION_HELP} (default: show what hextui keeps on disk)"
    parser.value("record", "GAME", text, nargs="?")
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
    """Show what we keep, or a game's fields, changed and saved if asked; return the exit code."""
    if options.record is None:
        return _show_kept(options)
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


def _show_kept(options: argparse.Namespace) -> int:
    """Print the version, and the name, size and place of all that is kept on disk."""
    if options.set or options.save:
        raise UsageError("--set and --save need a GAME")
    kept = []
    rows = []
    for name, kind in KEPT.items():
        size = kind.bytes
        folder = str(kind.folder())
        kept.append({"name": name, "bytes": size, "folder": folder, "holds": kind.text})
        rows.append([name, f"{size / 1e6:.1f} MB", kind.text, folder])
    lines = [f"hextui {__version__} keeps:", table(rows), "hextui forget NAME ... removes it."]
    print_document({"version": __version__, "kept": kept}, options, "\n".join(lines))
    return 0
