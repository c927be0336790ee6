"""Arguments only: one function call per command, heavy imports inside it."""

import argparse
import sys
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from hextui import __version__

INTERRUPTED = 130

_POSITION_HELP = (
    "a record file, - for standard input, a HexWorld link or fragment, or SGF text that starts "
    "with (;"
)

# name -> (adds its arguments, runs it)
_Command = tuple[Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 bad input, 130 interrupted.

    The first word is a command, or else the FILE or LINK that the workstation opens.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in _COMMANDS:
            add_arguments, run = _COMMANDS[words[0]]
            parser = argparse.ArgumentParser(
                prog=f"hextui {words[0]}", description=_described(words[0])
            )
            add_arguments(parser)
            return run(parser.parse_args(words[1:]))
        parser = _workstation_parser()
        return _workstation(parser.parse_args(words))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has enough of it
        sys.stderr.close()
        return 0


def _described(name: str) -> str:
    return _DESCRIPTIONS[name]


def _workstation_parser() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:<12} {text}" for name, text in _DESCRIPTIONS.items())
    parser = argparse.ArgumentParser(
        prog="hextui",
        description="Analyse Hex in the terminal: open a game record, step through it, edit it.",
        epilog=f"commands (hextui COMMAND --help):\n{commands}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hextui {__version__}")
    parser.add_argument("record", nargs="?", metavar="FILE|LINK", help=_POSITION_HELP)
    parser.add_argument("--sample", action="store_true", help="open the sample game")
    parser.add_argument(
        "--game", type=int, metavar="N", help="game N of the file (default: choose from a list)"
    )
    parser.add_argument("--ply", type=int, metavar="N", help="start after N plies")
    return parser


def _workstation(options: argparse.Namespace) -> int:
    from hextui.commands.workstation import run

    return run(options.record, sample=options.sample, game=options.game, ply=options.ply)


def _position_arguments(
    parser: argparse.ArgumentParser,
    game: Callable[[str], int | str] = int,
    game_help: str = "game N of the file",
) -> None:
    """Add what every command on a POSITION takes."""
    parser.add_argument("position", nargs="?", metavar="POSITION", help=_POSITION_HELP)
    parser.add_argument("--game", type=game, default=1, metavar="N", help=game_help)
    parser.add_argument(
        "--ply", type=int, metavar="N", help="after N plies of the main line (default: the last)"
    )
    parser.add_argument("--to-move", type=_color, metavar="COLOR", help="black or white")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--batch",
        action="store_true",
        help="read a POSITION a line from standard input, print a JSON document a line",
    )


def _color(text: str) -> Any:
    from hextui.engine.board import Color

    try:
        return Color.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _answer(options: argparse.Namespace, make: Any, show: Any) -> int:
    from hextui.commands.documents import Request, answer, complain

    if (options.position is None) != options.batch:
        return complain(ValueError("give a POSITION, or --batch and none"))
    request = Request(options.position, options.game, options.ply, options.to_move)
    return answer(request, make, show, as_json=options.json, batch=options.batch)


def _rank_arguments(parser: argparse.ArgumentParser) -> None:
    _position_arguments(parser)
    parser.add_argument(
        "--evaluator",
        action="append",
        metavar="NAME",
        help="an evaluator (more than once for several; default: all). "
        "Options follow the name: k-paths:1, resistance:plain, shortest-path:seed=7",
    )


def _rank(options: argparse.Namespace) -> int:
    from hextui.commands import rank
    from hextui.commands.documents import complain
    from hextui.engine.evaluators import evaluator, names

    try:
        chosen = [evaluator(name) for name in options.evaluator or names()]
    except ValueError as error:
        return complain(error)
    return _answer(options, rank.maker(chosen), rank.show)


def _connections_arguments(parser: argparse.ArgumentParser) -> None:
    _position_arguments(parser)
    parser.add_argument("--color", type=_color, required=True, help="black or white")
    parser.add_argument("--and-over-edges", action="store_true", help="join at own edges too")
    parser.add_argument(
        "--or-size", type=int, default=0, metavar="N", help="OR(N) by enumeration (0: greedy)"
    )
    parser.add_argument("--full-limit", type=int, default=10, metavar="N", help="fulls a pair")
    parser.add_argument("--semi-limit", type=int, default=20, metavar="N", help="semis a pair")
    parser.add_argument(
        "--cell-full-limit", type=int, default=4, metavar="N", help="fulls a pair of empty cells"
    )
    parser.add_argument(
        "--cell-semi-limit", type=int, default=8, metavar="N", help="semis a pair of empty cells"
    )


def _connections(options: argparse.Namespace) -> int:
    from hextui.commands import connections
    from hextui.commands.documents import complain
    from hextui.engine.connections import ConnectionSettings

    try:
        settings = ConnectionSettings(
            options.and_over_edges,
            options.or_size,
            options.full_limit,
            options.semi_limit,
            options.cell_full_limit,
            options.cell_semi_limit,
        )
    except ValueError as error:
        return complain(error)
    return _answer(options, connections.maker(options.color, settings), connections.show)


def _network_arguments(parser: argparse.ArgumentParser) -> None:
    _position_arguments(parser)
    parser.add_argument("--color", type=_color, required=True, help="black or white")
    parser.add_argument("--links", choices=("none", "virtual"), default="virtual")


def _network(options: argparse.Namespace) -> int:
    from hextui.commands import network

    make = network.maker(options.color, options.links == "virtual")
    return _answer(options, make, network.show)


def _lines_arguments(parser: argparse.ArgumentParser) -> None:
    from hextui.engine.search.line_settings import DEFAULT_EVALUATOR, DEFAULT_WIDTHS, LineSettings

    widths = ",".join(map(str, DEFAULT_WIDTHS))
    _position_arguments(parser)
    parser.add_argument(
        "--evaluator",
        default=DEFAULT_EVALUATOR,
        metavar="NAME",
        help=f"the evaluator that chooses moves and judges (default: {DEFAULT_EVALUATOR})",
    )
    parser.add_argument(
        "--widths",
        default=widths,
        metavar="W,...,0",
        help=f"moves tried at each ply, the last width 0 (default: {widths})",
    )
    parser.add_argument(
        "--count",
        type=int,
        default=LineSettings().count,
        metavar="N",
        help=f"lines (default: {LineSettings().count})",
    )


def _lines(options: argparse.Namespace) -> int:
    from hextui.commands import lines
    from hextui.commands.documents import complain
    from hextui.engine.evaluators import evaluator
    from hextui.engine.search.line_settings import LineSettings, parse_widths

    try:
        chosen = evaluator(options.evaluator)
        settings = LineSettings(parse_widths(options.widths), options.count)
    except ValueError as error:
        return complain(error)
    return _answer(options, lines.maker(chosen, settings), lines.show)


def _solve_arguments(parser: argparse.ArgumentParser) -> None:
    _position_arguments(parser)
    parser.add_argument(
        "--method",
        choices=("dfpn", "mustplay"),
        default="dfpn",
        help="dfpn: the strong solver (default); mustplay: the readable one, for up to 9 empty "
        "cells",
    )
    strong = parser.add_argument_group("the strong solver")
    strong.add_argument("--winner", action="store_true", help="the winner only, not every move")
    strong.add_argument(
        "--fresh", action="store_true", help="without what earlier runs kept on disk"
    )
    strong.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds")
    strong.add_argument("--nodes", type=int, metavar="N", help="stop after N positions")
    strong.add_argument("--threads", type=int, default=1, metavar="N", help="threads (default: 1)")
    strong.add_argument(
        "--memory", type=int, default=256, metavar="MB", help="memory of the table (default: 256)"
    )
    readable = parser.add_argument_group("the readable solver")
    readable.add_argument("--trace", action="store_true", help="print the run as an indented tree")
    readable.add_argument(
        "--remember",
        action="store_true",
        help="keep a dictionary of solved positions, for up to 16 empty cells",
    )
    parser.add_argument(
        "--proof", metavar="FILE", help="write the proof of who wins, which hextui check checks"
    )


def _solve(options: argparse.Namespace) -> int:
    from hextui.commands import solve
    from hextui.commands.documents import complain
    from hextui.engine.limit import Limit
    from hextui.engine.solver.dfpn import SolverSettings

    if options.batch and options.proof:
        return complain(ValueError("--proof is for one position, not for --batch"))
    if options.method == "mustplay":
        make = solve.readable_maker(options.remember, options.trace, options.proof)
        return _answer(options, make, solve.show)
    if options.trace or options.remember:
        return complain(ValueError("--trace and --remember are for --method mustplay"))
    try:
        wanted = solve.Wanted(
            Limit(options.seconds, options.nodes),
            SolverSettings(table_bytes=options.memory << 20, threads=options.threads),
            not options.winner,
            options.fresh,
            options.proof,
        )
    except ValueError as error:
        return complain(error)
    return _answer(options, solve.maker(wanted), solve.show)


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("proof", metavar="PROOF", help="a file of solve --proof, - standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _check(options: argparse.Namespace) -> int:
    from hextui.commands.check import run

    return run(options.proof, options.json)


def _library_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("import", help="add the games of files and folders")
    add.add_argument("paths", nargs="+", metavar="PATH", help="a record file, or a folder of them")
    add.add_argument(
        "--again", action="store_true", help="remove what came from these files and folders first"
    )
    explore = actions.add_parser("explore", help="the moves on file at a position, the best first")
    _position_arguments(explore)
    games = actions.add_parser("games", help="list games")
    games.add_argument("--through", metavar="POSITION", help=_POSITION_HELP)
    games.add_argument("--ply", type=int, metavar="N", help="after N plies of that POSITION's line")
    games.add_argument("--player", metavar="TEXT", help="part of a player's name")
    games.add_argument("--event", metavar="TEXT", help="part of the event's name")
    games.add_argument("--date", metavar="TEXT", help="how the date begins: 2019, 2019-05")
    games.add_argument("--size", type=_size, metavar="N", help="board size: 11, or 4x5 (columns)")
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


def _size(text: str) -> Any:
    from hextui.engine.board import Board

    columns, _, rows = text.lower().partition("x")
    try:
        return Board(int(rows or columns), int(columns))
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a board size: {text!r} (11, or 4x5)") from None


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
                return _answer(options, library.explorer(opened), library.show_explored)
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


def _best_move_arguments(parser: argparse.ArgumentParser) -> None:
    _position_arguments(
        parser,
        _game,
        "game N of the file, or tic-tac-toe: POSITION is a STATE such as X.O/.X./..O",
    )


def _game(text: str) -> int | str:
    if text == "tic-tac-toe":
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"neither tic-tac-toe nor a number: {text!r}") from None


def _best_move(options: argparse.Namespace) -> int:
    from hextui.commands import best_move
    from hextui.commands.documents import complain

    if options.game != "tic-tac-toe":
        return _answer(options, best_move.make_hex, best_move.show)
    if options.ply is not None or options.to_move is not None or options.batch:
        return complain(ValueError("--ply, --to-move and --batch are for positions of Hex"))
    if options.position is None:
        return complain(ValueError("give a STATE such as X.O/.X./..O"))
    return best_move.run_tic_tac_toe(options.position, options.json)


def _study_arguments(parser: argparse.ArgumentParser) -> None:
    studies = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    quality = studies.add_parser(
        "rank-quality", help="how high evaluators rank the moves of the players of a collection"
    )
    quality.add_argument(
        "collection", nargs="+", metavar="COLLECTION", help="a file of games, any format"
    )
    quality.add_argument(
        "--evaluator",
        action="append",
        default=[],
        metavar="NAME",
        help="an evaluator (more than once for several; default: contribution, k = 0, 1, 2, in "
        "the own and in the opponent's network)",
    )
    quality.add_argument(
        "--players", choices=("winner", "both"), default="winner", help="whose moves"
    )
    quality.add_argument("--size", type=_size, metavar="N", help="board size: 11, or 4x5 (columns)")
    quality.add_argument("--event", metavar="TEXT", help="part of the event's name")
    quality.add_argument("--championship", action="store_true", help="championship games only")
    quality.add_argument("--human", action="store_true", help="no games marked as a bot's")
    quality.add_argument("--chain", action="store_true", help="games ended by a chain only")
    _run_arguments(quality)
    tables = studies.add_parser(
        "match-table", help="E_k against E, and against each other, beside the paper's tables"
    )
    tables.add_argument("--size", type=_size, default="7", metavar="N", help="board (default: 7)")
    tables.add_argument(
        "--games", type=_games, default=100, metavar="N", help="games a side (default: 100)"
    )
    tables.add_argument(
        "--reading",
        action="append",
        metavar="NAME",
        help="a reading of the paper, or all (more than once for several; default: default)",
    )
    _run_arguments(tables)
    ratings = studies.add_parser("ratings", help="evaluators all against all, as a rating list")
    ratings.add_argument("players", nargs="+", metavar="NAME", help="an evaluator")
    ratings.add_argument("--size", type=_size, required=True, metavar="N", help="board size")
    ratings.add_argument(
        "--openings", type=_games, metavar="N", help="first stones, drawn (default: every cell)"
    )
    _run_arguments(ratings)


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every study takes."""
    parser.add_argument(
        "--out", metavar="FOLDER", help="folder of the results (default: one of the program's own)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed (default: 0)")
    parser.add_argument(
        "--workers", type=_workers, metavar="N", help="processes (default: one a core)"
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="scheduler of a Dask cluster: tcp://HOST:8786"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _workers(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"workers: 1 to 1024, not {text!r}")
    return int(text)


def _run_options(options: argparse.Namespace) -> Any:
    from pathlib import Path

    from hextui.commands.study import Options
    from hextui.studies.workers import cores

    return Options(
        Path(options.out).expanduser() if options.out else None,
        options.workers or cores(),
        options.cluster,
        options.seed,
        options.json,
    )


def _study(options: argparse.Namespace) -> int:
    from hextui.commands import study
    from hextui.studies.games import Filters

    common = _run_options(options)
    if options.study == "match-table":
        readings = options.reading or ["default"]
        return study.match_table(readings, options.size, options.games, common)
    if options.study == "ratings":
        return study.rating_list(options.players, options.size, options.openings, common)
    filters = Filters(
        options.size, options.event, options.championship, options.human, options.chain
    )
    return study.rank_quality(
        options.collection, filters, options.evaluator, options.players, common
    )


def _limit_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = inf
    if not 0 <= seconds < inf:
        raise argparse.ArgumentTypeError(f"seconds are 0 or more, not {text!r}")
    return seconds


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    from hextui.analysis.budget import PLY_SECONDS

    parser.add_argument("record", metavar="GAME", help=_POSITION_HELP)
    parser.add_argument("--game", type=int, default=1, metavar="N", help="game N of the file")
    parser.add_argument(
        "--evaluator",
        action="append",
        metavar="NAME",
        help="an evaluator (more than once for several; default: those that the workstation shows)",
    )
    parser.add_argument(
        "--solve",
        type=_limit_seconds,
        default=PLY_SECONDS,
        metavar="SECONDS",
        help=f"let the solver look so long who wins at a ply, from the last to the first, as if "
        f"nobody swaps, until four plies in a row stay unknown, and at most 24 times as long in "
        f"all; 0 for not at all (default: {PLY_SECONDS:g})",
    )
    parser.add_argument("--save", metavar="FILE", help="write the game with the results, as SGF")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _report(options: argparse.Namespace) -> int:
    from hextui.commands.report import run

    return run(
        options.record,
        options.game,
        options.evaluator,
        options.save,
        options.json,
        options.solve,
    )


def _match_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "first",
        metavar="A",
        help="a player: an evaluator's name, or a search: minimax(blocking), "
        "minimax(k-paths:0/8,6,4,2,0)",
    )
    parser.add_argument("second", metavar="B", help="the other player")
    parser.add_argument(
        "--size", type=_size, required=True, metavar="N", help="board size: 11, or 4x5 (columns)"
    )
    parser.add_argument(
        "--games",
        type=_games,
        metavar="N",
        help="how many (default: 100, or each opening with both colours)",
    )
    parser.add_argument(
        "--openings",
        metavar="all|FILE",
        help="all: every first move; or a file with a list of moves a line (default: none)",
    )
    parser.add_argument("--swap", action="store_true", help="with the swap rule")
    _run_arguments(parser)


def _games(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"games: 1 to 1000000, not {text!r}")
    return int(text)


def _match(options: argparse.Namespace) -> int:
    from hextui.commands import match

    wanted = match.Wanted(
        options.first,
        options.second,
        options.size,
        options.games,
        options.openings,
        options.swap,
    )
    return match.run(wanted, _run_options(options))


def _convert_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help=_POSITION_HELP)
    parser.add_argument(
        "target", metavar="OUT", help="a file, its ending says the format, or a format's name"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _convert(options: argparse.Namespace) -> int:
    from hextui.commands.convert import run

    return run(options.source, options.target, options.json)


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    from hextui.records.export import FORMS

    parser.add_argument("source", metavar="POSITION", help=_POSITION_HELP)
    parser.add_argument("--as", dest="form", choices=FORMS, help="default: text, or by FILE's end")
    parser.add_argument("--output", "-o", metavar="FILE", help="*.txt, *.svg, *.png, *.wiki, *.url")
    parser.add_argument("--ply", type=int, metavar="N", help="after N plies of the main line")
    parser.add_argument("--game", type=int, default=1, metavar="N", help="game N of the file")
    parser.add_argument("--numbers", action="store_true", help="write move numbers on the stones")


def _export(options: argparse.Namespace) -> int:
    from hextui.commands.export import run

    return run(
        options.source, options.form, options.output, options.ply, options.game, options.numbers
    )


def _warm_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--cells", type=int, metavar="N", help="for boards of N cells only (default: all sizes)"
    )


def _warm(options: argparse.Namespace) -> int:
    from hextui.commands.warm import run

    return run(options.cells, options.json)


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", nargs="?", metavar="FILE|LINK", help=_POSITION_HELP)
    parser.add_argument("--host", default="127.0.0.1", help="address (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port (default: 8000)")


def _serve(options: argparse.Namespace) -> int:
    from hextui.commands.serve import run

    return run(options.record, options.host, options.port)


_COMMANDS: dict[str, _Command] = {
    "rank": (_rank_arguments, _rank),
    "connections": (_connections_arguments, _connections),
    "network": (_network_arguments, _network),
    "lines": (_lines_arguments, _lines),
    "solve": (_solve_arguments, _solve),
    "check": (_check_arguments, _check),
    "library": (_library_arguments, _library),
    "best-move": (_best_move_arguments, _best_move),
    "study": (_study_arguments, _study),
    "match": (_match_arguments, _match),
    "report": (_report_arguments, _report),
    "convert": (_convert_arguments, _convert),
    "export": (_export_arguments, _export),
    "serve": (_serve_arguments, _serve),
    "warm": (_warm_arguments, _warm),
}

_DESCRIPTIONS = {
    "rank": "rank every legal move by one evaluator or several",
    "connections": "list the virtual connections of one colour",
    "network": "count short paths of one colour, and each cell's part in them",
    "lines": "find the best lines of play by selective minimax",
    "solve": "find who wins, every winning move, and why",
    "check": "check a proof of who wins, without the search that found it",
    "library": "keep games, and find the best moves on file",
    "best-move": "find the best move by looking at every line of play",
    "study": "run an experiment over many games",
    "match": "let two evaluators play each other",
    "report": "tell how well evaluators agree with the moves of a game",
    "convert": "turn records from one format into another",
    "export": "draw a position: text, SVG, PNG, HexWiki; or write a game as a link",
    "serve": "show the workstation in a browser",
    "warm": "compile the engine now, so that the first start is quick",
}
