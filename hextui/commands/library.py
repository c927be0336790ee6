"""``hextui library``: its actions; import, list, count, settle and remove games."""

import argparse
import os
from contextlib import closing
from dataclasses import asdict

from hextui.commands.arguments import POSITION_HELP, Parser, file_path, usage_errors, whole
from hextui.commands.documents import (
    Document,
    print_document,
    read_position,
    remark_all,
    report_passed_over,
    table,
)
from hextui.commands.library_explore import explore
from hextui.commands.library_find import find, find_arguments
from hextui.commands.library_games import (
    FILTER_HELP,
    export_games,
    filter_arguments,
    filter_of_options,
)
from hextui.commands.library_player import player_arguments, show_player
from hextui.commands.library_sync import add_sync_arguments, run_sync
from hextui.commands.library_upkeep import (
    check_library,
    compact_library,
    merge_library,
    repair_library,
)
from hextui.commands.output import BAD_INPUT, FAILED, ProgressLine, complain
from hextui.commands.worker_options import open_workers, worker_arguments
from hextui.engine.board import Color
from hextui.engine.json_values import as_json
from hextui.library.answers import GameRow, Imported, source_of
from hextui.library.filters import without_least
from hextui.library.schema import LibraryError
from hextui.locations import library_claims_file
from hextui.runs.claims import Claims
from hextui.runs.results import RunError
from hextui.text import Names, counted
from hextui.words.files import import_text, importing_text, settled_text, settling_text


def add_arguments(parser: Parser) -> None:
    """Add the actions, and what each takes."""
    made = parser.actions("action", _ACTIONS)
    add = made["import"]
    games = made["games"]
    text = "a record file, or a folder of them"
    add.value("paths", "PATH", text, nargs="+", type=file_path)
    add.flag("--again", "remove what came from these files and folders first")
    add.shared("--size", "--encoding", "--strict", "--as-hex")
    made["explore"].position()
    filter_arguments(made["explore"], "size")  # the position has a board
    games.value("--through", "POSITION", POSITION_HELP)
    games.shared("--ply", help="after N plies of POSITION's main line")
    filter_arguments(games, "least")
    find_arguments(made["find"])
    player_arguments(made["player"])
    games.number("--limit", "list only the first N games", -1, least=0)
    made["export"].value("filter", "FILTER", FILTER_HELP, nargs="*")
    filter_arguments(made["export"], "least")
    text = "the file to write, which ends in .sgf or .jsonl"
    made["export"].value("-o", "FILE", text, type=file_path, dest="output", required=True)
    made["merge"].value("other", "FILE", "the file of another library", type=file_path)
    made["remove"].value("ids", "ID", "id of a game, as games lists it", nargs="*", type=whole(1))
    text = "all games of a file, or of the files in a folder"
    made["remove"].value("--source", "PATH", text, type=file_path)
    add_sync_arguments(made["sync"])
    made["settle"].number(
        "--nodes", "nodes that the solver expands per position (default: 1000)", 1000
    )
    worker_arguments(made["settle"])
    for name in made.keys() - {"explore"}:
        made[name].shared("--json")


def run(options: argparse.Namespace) -> int:
    """Do one action; return the exit code: 1 with one line if the library cannot be used."""
    try:
        code: int = options.act(options)
    except (LibraryError, RunError) as error:
        complain(error)
        return FAILED
    return code


def _import(options: argparse.Namespace) -> int:
    from hextui.library.library import Library

    for path in options.paths:
        if not os.path.lexists(path):
            return complain(f"{path}: no such file or folder")

    def tell(done: Imported) -> None:
        progress.show(importing_text(done))

    with Library() as library:
        if options.again:
            for path in options.paths:
                library.remove_source(source_of(path))
        before = library.count()
        try:
            with ProgressLine() as progress:
                done = library.import_paths(
                    options.paths,
                    tell,
                    board=options.size,
                    strict=options.strict,
                    as_hex=options.as_hex,
                    charset=options.encoding,
                )
        except KeyboardInterrupt:
            added = counted(library.count() - before, "game")
            same = "the same command without --again" if options.again else "the same command"
            complain(f"interrupted: {added} added; {same} adds the rest")
            raise
    return _report_import(done, options)


def _report_import(done: Imported, options: argparse.Namespace) -> int:
    """Print what an import has done; return the exit code."""
    remark_all(done.notes)
    report_passed_over(done.summary)
    broken = []
    for game in done.broken:
        where = game.source if game.number is None else f"{game.source}: game {game.number}"
        complain(f"{where} skipped: {game.reason}")
        broken.append({"source": game.source, "number": game.number, "error": game.reason})
    document = {
        "added": done.added,
        "contradicting": done.contradicting,
        "duplicates": done.duplicates,
        "broken": broken,
        **done.summary.document(),
    }
    print_document(document, options, import_text(done))
    return FAILED if broken or done.summary.is_broken else 0


def _games(options: argparse.Namespace) -> int:
    from hextui.library.library import Library

    with usage_errors():
        position = None
        if options.through is not None:
            position = read_position(options.through, ply=options.ply)
        chosen = without_least(filter_of_options(options))
    with Library(names=options.names) as library:
        documents = [_game(row) for row in library.games(chosen, position, options.limit)]
    print_document({"games": documents}, options, _show_games)
    return 0


def _show_games(document: Document, names: Names) -> str:
    rows: list[list[object]] = [["id", "size", *names.both, "event", "date", "result", "plies"]]
    for game in document["games"]:
        size = "{columns}x{rows}".format(**game["size"])
        result = names.result(game["winner"], game["how"])
        about = [game[name] or "" for name in ("black", "white", "event", "date")]
        rows.append([game["id"], size, *about, result, game["plies"]])
    return table(rows)


def _game(row: GameRow) -> Document:
    return {
        "id": row.id,
        "size": as_json(row.board),
        "black": row.black,
        "white": row.white,
        "event": row.event,
        "title": row.title,
        "date": row.date,
        "winner": None if row.winner is None else str(Color(row.winner)),
        "how": row.how,
        "plies": row.plies,
        "source": row.source,
        "number": row.number,
        "ply": row.ply,
    }


def _stats(options: argparse.Namespace) -> int:
    from hextui.library.library import Library

    with Library() as library:
        stats = library.stats()
    document = asdict(stats) | {"path": str(library.path)}
    print_document(document, options, lambda figures, _: table(figures.items()))
    return 0


def _settle(options: argparse.Namespace) -> int:
    from hextui.library.library import Library
    from hextui.library.settle import Settled
    from hextui.library.settle_run import settle_on_workers

    def tell(done: Settled) -> None:
        progress.show(settling_text(done))

    with Library() as library:
        untried = library.untried(options.nodes)
        done = Settled()
        if untried:
            cells = {board.cells for board in library.boards()}
            with (
                closing(Claims(library_claims_file())) as claims,
                open_workers(options, cells, len(untried)) as executor,
                ProgressLine() as progress,
            ):
                done = settle_on_workers(library, options.nodes, executor, claims, tell)
    document = {"games": done.games, "positions": done.positions}
    print_document(document, options, settled_text(done))
    return 0


def _remove(options: argparse.Namespace) -> int:
    if not options.ids and not options.source:
        return complain("remove needs an ID or --source PATH")
    from hextui.library.library import Library

    with Library() as library:
        missing = [number for number in options.ids if library.text(number) is None]
        removed = library.remove(options.ids)
        if options.source is not None:
            removed += library.remove_source(source_of(options.source))
    for number in missing:
        complain(f"there is no game {number} in the library")
    document = {"removed": removed, "missing": missing}
    print_document(document, options, f"{counted(removed, 'game')} removed")
    return BAD_INPUT if missing else 0


_ACTIONS = {
    "import": (_import, "add the games of files and folders"),
    "sync": (run_sync, "fetch the games of a player at another site that the library lacks"),
    "explore": (
        explore,
        "list the moves played at a position, the most played first (JSON: the best first)",
    ),
    "games": (_games, "list games, all or some"),
    "find": (find, "find a shape in the games, and what was played there next"),
    "player": (show_player, "show the results, openings and mistakes of a player, or of two"),
    "export": (export_games, "write games to a file of SGF or JSON lines"),
    "stats": (_stats, "show how much the library holds"),
    "remove": (_remove, "remove games by their ids (see games), or by source"),
    "settle": (_settle, "prove late positions with the solver"),
    "check": (check_library, "check the file of the library, its counts and its games"),
    "merge": (merge_library, "add the games of another library's file"),
    "compact": (compact_library, "give the free room in the file of the library back to the disk"),
    "repair": (repair_library, "save the games of a damaged library; the damaged file is kept"),
}
"""Each action's function and the one-line description of the help."""
