"""Commands that run experiments over many games: study, match."""

import argparse
from typing import Any

from hextui.cli.arguments import Command, size


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
    quality.add_argument("--size", type=size, metavar="N", help="board size: 11, or 4x5 (columns)")
    quality.add_argument("--event", metavar="TEXT", help="part of the event's name")
    quality.add_argument("--championship", action="store_true", help="championship games only")
    quality.add_argument("--human", action="store_true", help="no games marked as a bot's")
    quality.add_argument("--chain", action="store_true", help="games ended by a chain only")
    _run_arguments(quality)
    tables = studies.add_parser(
        "match-table", help="E_k against E, and against each other, beside the paper's tables"
    )
    tables.add_argument("--size", type=size, default="7", metavar="N", help="board (default: 7)")
    tables.add_argument(
        "--games", type=_count, default=100, metavar="N", help="games a side (default: 100)"
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
    ratings.add_argument("--size", type=size, required=True, metavar="N", help="board size")
    ratings.add_argument(
        "--openings", type=_count, metavar="N", help="first stones, drawn (default: every cell)"
    )
    _run_arguments(ratings)


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


def _match_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "first",
        metavar="A",
        help="a player: an evaluator's name, or a search: minimax(blocking), "
        "minimax(k-paths:0/8,6,4,2,0)",
    )
    parser.add_argument("second", metavar="B", help="the other player")
    parser.add_argument(
        "--size", type=size, required=True, metavar="N", help="board size: 11, or 4x5 (columns)"
    )
    parser.add_argument(
        "--games",
        type=_count,
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


def _workers(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"workers: 1 to 1024, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"games: 1 to 1000000, not {text!r}")
    return int(text)


COMMANDS = {
    "study": Command(_study_arguments, _study),
    "match": Command(_match_arguments, _match),
}
