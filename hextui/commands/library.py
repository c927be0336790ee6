"""``hextui library``: import games, explore positions, list, count, remove, check and repair."""

import argparse
import os
from contextlib import closing
from dataclasses import asdict

from hextui.commands.arguments import POSITION_HELP, Parser, file_path, usage_errors, whole
from hextui.commands.documents import (
    Document,
    answer,
    print_document,
    read_position,
    remark_all,
    report_passed_over,
    table,
)
from hextui.commands.library_games import filter_arguments, filter_of_options
from hextui.commands.output import BAD_INPUT, FAILED, ProgressLine, complain
from hextui.commands.worker_options import open_workers, worker_arguments
from hextui.engine.board import Color
from hextui.engine.json_values import as_json
from hextui.engine.position import Position
from hextui.library.answers import ExploredMove, GameCounts, GameRow, Imported, source_of
from hextui.library.filters import without_least
from hextui.library.schema import LibraryError
from hextui.locations import library_claims_file, library_file
from hextui.runs.claims import Claims
from hextui.runs.results import RunError
from hextui.text import Names, counted
from hextui.words.files import import_text, settled_text, settling_text


def add_arguments(parser: Parser) -> None:
    """Add the actions, and what each takes."""
    made = parser.actions("action", _ACTIONS)
    add = made["import"]
    explore = made["explore"]
    games = made["games"]
    text = "a record file, or a folder of them"
    add.value("paths", "PATH", text, nargs="+", type=file_path)
    add.flag("--again", "remove what came from these files and folders first")
    add.shared("--size", "--encoding", "--strict", "--as-hex")
    explore.position()
    filter_arguments(explore, "size")  # the position has a board
    games.value("--through", "POSITION", POSITION_HELP)
    games.shared("--ply", help="after N plies of POSITION's main line")
    filter_arguments(games, "least")
    games.number("--limit", "list only the first N games", -1, least=0)
    made["remove"].value("ids", "ID", "id of a game, as games lists it", nargs="*", type=whole(1))
    text = "all games of a file, or of the files in a folder"
    made["remove"].value("--source", "PATH", text, type=file_path)
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
        read = done.added + done.duplicates + done.waiting
        progress.show(f"{read:,} read, {done.added:,} added")

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


def _explore(options: argparse.Namespace) -> int:
    from hextui.library.library import Library

    def make(position: Position) -> Document:
        explored = library.explore(position, chosen)
        board = position.board
        swap = {"swap_legal": position.swap_legal, "other_swap_legal": explored.others}
        return {
            "games": explored.games,
            "ended": asdict(explored.ended),
            "moves": [_move_document(move) for move in explored.moves],
            "best": explored.moves[0].move if explored.moves else None,
            "line": [move.name(board) for move in explored.line],
            "line_games": explored.line_games,
            "rare": explored.rare,
            **(swap if explored.others else {}),
        }

    chosen = filter_of_options(options)
    with Library(names=options.names) as library:
        return answer(options, make, _show_explored)


def _move_document(explored: ExploredMove) -> Document:
    return {
        "move": explored.move,
        "games": explored.games,
        "black_wins": explored.black_wins,
        "white_wins": explored.white_wins,
        "verdict": "winning" if explored.winning else "losing",
        "certain": explored.certain,
        "supported": explored.supported,
        "agreeing": explored.agreeing,
        "moves_to_end": explored.value.moves,
        "last_year": explored.last_year,
        "refutation": explored.refutation,
        "swapped": explored.swapped,
        "ended": asdict(explored.ended),
    }


def _show_explored(document: Document, names: Names) -> str:
    lines = [counted(document["games"], "game"), *_ends("here", document["ended"], names)]
    if others := document.get("other_swap_legal"):
        # a stone that was swapped, or set up, is another position than the first move
        may = ("may no longer", "may") if document["swap_legal"] else ("may", "may no longer")
        lines[0] += f" where the opponent {may[1]} swap; {others:,} where it {may[0]}"
    if document["line"]:
        ends = counted(document["line_games"], "game")
        lines.append(f"best line ({ends})  {' '.join(document['line'])}")
    lines.append(table(_explored_rows(document, names)))
    if document["rare"]:
        lines.append(f"{counted(document['rare'], 'move')} with fewer games left out")
    for m in document["moves"]:
        if GameCounts(**m["ended"]).contradicting:
            lines += _ends(f"with {m['move']}", m["ended"], names)
    return "\n".join(lines)


def _explored_rows(document: Document, names: Names) -> list[list[object]]:
    """Return a heading and a row for each move, the most played first."""
    swaps = any(move["swapped"] is not None for move in document["moves"])
    heading = ["move", f"{names.player(Color.BLACK)} won", "games", "95% CI"]
    if swaps:
        heading.append("swapped")
    rows: list[list[object]] = [[*heading, "verdict", "reply", "last played"]]
    for move in sorted(document["moves"], key=lambda move: -int(move["games"])):
        decided = move["black_wins"] + move["white_wins"]
        share = _share(move["black_wins"], decided)
        row = [move["move"], share, f"{move['games']:,}", _interval(move, decided)]
        if swaps:
            row.append(_share(move["swapped"], move["games"]))
        reply = move["refutation"] if move["supported"] else None
        rows.append([*row, _verdict(move), reply or "", move["last_year"] or ""])
    return rows


def _share(part: int, of: int) -> str:
    """Return a share in per cent, '' of nothing."""
    return f"{100 * part / of:.0f}%" if of else ""


def _interval(move: Document, decided: int) -> str:
    """Return the 95% interval of the share that Black won, '' without decided games."""
    if not decided:
        return ""
    from hextui.runs.proportions import proportion

    share = proportion(move["black_wins"], decided)
    return f"{100 * share.low:.0f}-{100 * share.high:.0f}%"


def _verdict(move: Document) -> str:
    """Return the verdict of a move with its evidence, '' if nothing supports one."""
    if not move["supported"]:
        return ""
    if not move["certain"]:
        return f"possibly {move['verdict']}, {counted(move['agreeing'], 'game')}"
    return f"{move['verdict']}, {counted(move['moves_to_end'], 'move')}"


def _ends(where: str, ended: Document, names: Names) -> list[str]:
    """Return a line about the games that end at a place, or none without such games."""
    if not ended["games"]:
        return []
    end = "ends" if ended["games"] == 1 else "end"
    won = zip(names.both, (ended["black_wins"], ended["white_wins"]), strict=True)
    text = f"{counted(ended['games'], 'game')} {end} {where}: "
    text += ", ".join(f"{name} won {games}" for name, games in won)
    return [f"{text} (contradicting)" if GameCounts(**ended).contradicting else text]


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


def _check(options: argparse.Namespace) -> int:
    from hextui.library.integrity import check

    path = library_file()
    with ProgressLine() as progress:
        problems = check(path, lambda games: progress.show(f"{games:,} games read"))
    document = {"path": str(path), "games": problems.games, "problems": problems.problems}
    text = "\n".join(problems.problems) or f"{counted(problems.games, 'game')} can be read"
    print_document(document, options, text)
    if not problems.problems:
        return 0
    complain(f"{path}: damaged; `hextui library repair` saves the games that can be read")
    return FAILED


def _repair(options: argparse.Namespace) -> int:
    from hextui.library.integrity import repair

    path = library_file()
    with ProgressLine() as progress:
        done = repair(path, lambda games: progress.show(f"{games:,} games read"))
    document = {
        "path": str(path),
        "saved": done.saved,
        "counted": done.counted,
        "kept": None if done.kept is None else str(done.kept),
    }
    saved = counted(done.saved, "game")
    if done.kept:
        text = f"{saved} saved; the damaged file is now {done.kept}"
    else:
        text = f"{path} is sound: {saved}, nothing to repair"
    print_document(document, options, text)
    if done.kept is None or done.saved == done.counted:
        return 0
    count_told = (
        "does not say how many it held" if done.counted is None else f"counted {done.counted:,}"
    )
    complain(f"games may be missing: the damaged file {count_told}")
    return FAILED


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
    "explore": (
        _explore,
        "list the moves played at a position, the most played first (JSON: the best first)",
    ),
    "games": (_games, "list games, all or some"),
    "stats": (_stats, "show how much the library holds"),
    "remove": (_remove, "remove games by their ids (see games), or by source"),
    "settle": (_settle, "prove late positions with the solver"),
    "check": (_check, "check the file of the library, its counts and its games"),
    "repair": (_repair, "save the games of a damaged library; the damaged file is kept"),
}
"""Each action's function and the one-line description of the help."""
