"""The command on the library of games, and its actions."""

import argparse

from hextui.cli.arguments import POSITION_HELP, Command, answer, position_arguments, size


def _library_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("import", help="add the games of files and folders")
    add.add_argument("paths", nargs="+", metavar="PATH", help="a record file, or a folder of them")
    add.add_argument(
        "--again", action="store_true", help="remove what came from these files and folders first"
    )
    explore = actions.add_parser("explore", help="the moves on file at a position, the best first")
    position_arguments(explore)
    games = actions.add_parser("games", help="list games")
    games.add_argument("--through", metavar="POSITION", help=POSITION_HELP)
    games.add_argument("--ply", type=int, metavar="N", help="after N plies of that POSITION's line")
    games.add_argument("--player", metavar="TEXT", help="part of a player's name")
    games.add_argument("--event", metavar="TEXT", help="part of the event's name")
    games.add_argument("--date", metavar="TEXT", help="how the date begins: 2019, 2019-05")
    games.add_argument("--size", type=size, metavar="N", help="board size: 11, or 4x5 (columns)")
    games.add_argument("--limit", type=int, default=-1, metavar="N", help="the first N only")
    stats = actions.add_parser("stats", help="how much the library holds")
    remove = actions.add_parser(
        "remove", help="remove games by their ids (see games), or by source"
    )
    remove.add_argument("ids", nargs="*", type=int, metavar="ID")
    remove.add_argument(
        "--source", metavar="PATH", help="all games of a file, or of the files in a folder"
    )
    settle = actions.add_parser("settle", help="have the solver make late verdicts certain")
    settle.add_argument(
        "--nodes", type=int, default=1000, metavar="N", help="nodes for a position (1000)"
    )
    for action in (add, games, stats, remove, settle):
        action.add_argument("--json", action="store_true", help="print one JSON document")


def _library(options: argparse.Namespace) -> int:
    from hextui.commands import library

    return library.guarded(lambda: _library_action(options))


def _library_action(options: argparse.Namespace) -> int:
    from hextui.commands import library
    from hextui.commands.documents import Request, complain
    from hextui.library.answers import Filter
    from hextui.library.library import Library

    match options.action:
        case "import":
            return library.import_games(options.paths, options.again, options.json)
        case "explore":
            with Library() as opened:
                return answer(options, library.explorer(opened), library.show_explored)
        case "games":
            position = None
            if options.through is not None:
                try:
                    position = Request(None, 1, options.ply, None).position(options.through)
                except ValueError as error:
                    return complain(error)
            chosen = Filter(options.player, options.event, options.date, options.size)
            return library.list_games(chosen, position, options.limit, options.json)
        case "stats":
            return library.show_stats(options.json)
        case "settle":
            return library.settle(options.nodes, options.json)
    if not options.ids and not options.source:
        return complain(ValueError("remove needs ids of games, or --source PATH"))
    return library.remove_games(options.ids, options.source, options.json)


COMMANDS = {
    "library": Command(_library_arguments, _library),
}
