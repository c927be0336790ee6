"""``hextui study``: experiments over many games, with a folder of results.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

import argparse
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from hextui.commands.arguments import file_path, json_argument, size, whole
from hextui.commands.experiments import GAMES, conduct, experiment_arguments, options_of
from hextui.commands.output import complain, say, say_json
from hextui.library.answers import Broken
from hextui.library.imported_files import files_of
from hextui.matches.results import Description, Folder, StudyError, interpreting
from hextui.matches.runs import Task, Work
from hextui.records.errors import RecordError
from hextui.studies.games import Filters, collect
from hextui.studies.ties import SHOWN_TIES, TIES
from hextui.studies.titles import title


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the studies, and what each takes."""
    studies = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    quality = studies.add_parser(
        "rank-quality", help="how high evaluators rank the moves of the players of a collection"
    )
    quality.add_argument(
        "collection",
        nargs="+",
        type=file_path,
        metavar="COLLECTION",
        help="a file of games, any format, or a folder of such files",
    )
    quality.add_argument(
        "--evaluator",
        action="append",
        default=[],
        metavar="NAME",
        help="an evaluator (repeat for several; default: contribution, k = 0, 1, 2, in "
        "the own and in the opponent's network)",
    )
    quality.add_argument(
        "--players", choices=("winner", "both"), default="winner", help="whose moves"
    )
    quality.add_argument(
        "--ties",
        action="append",
        choices=TIES,
        help="the rank that a tied move gets, of those that the tie spans; order: its place in "
        "the list (repeat for several; default: middle and worst)",
    )
    _reading_argument(quality)
    quality.add_argument("--size", type=size, metavar="N", help="board size: 11, or 4x5 (columns)")
    quality.add_argument("--event", metavar="TEXT", help="part of the event's name")
    quality.add_argument("--championship", action="store_true", help="championship games only")
    quality.add_argument("--human", action="store_true", help="no games marked as a bot's")
    quality.add_argument("--chain", action="store_true", help="games ended by a chain only")
    tables = studies.add_parser(
        "match-table", help="E_k against E, and against each other, beside the paper's tables"
    )
    tables.add_argument("--size", type=size, default="7", metavar="N", help="board (default: 7)")
    tables.add_argument(
        "--games", type=GAMES, default=100, metavar="N", help="games per side (default: 100)"
    )
    _reading_argument(tables)
    ratings = studies.add_parser("ratings", help="evaluators all against all, as a rating list")
    ratings.add_argument("players", nargs="+", metavar="NAME", help="an evaluator")
    ratings.add_argument("--size", type=size, required=True, metavar="N", help="board size")
    ratings.add_argument(
        "--openings",
        type=GAMES,
        metavar="N",
        help="number of random first stones (default: every cell)",
    )
    losing = studies.add_parser(
        "losing-moves", help="the moves by which an evaluator loses won games, found by the solver"
    )
    losing.add_argument("player", metavar="NAME", help="an evaluator, such as k-paths:1")
    losing.add_argument("other", metavar="OTHER", help="the player against it")
    losing.add_argument("--size", type=size, required=True, metavar="N", help="board size")
    losing.add_argument(
        "--openings",
        type=GAMES,
        metavar="N",
        help="number of random first stones (default: every cell)",
    )
    losing.add_argument(
        "--nodes",
        type=GAMES,
        default=2000,
        metavar="N",
        help="nodes that the solver expands per ply (default: 2000)",
    )
    for study in (quality, tables, ratings, losing):
        experiment_arguments(study)
    _compare_arguments(studies.add_parser("compare", help="the differences between two runs"))


def _reading_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--reading",
        action="append",
        metavar="NAME",
        help="a reading of the paper, or all (repeat for several; default: default)",
    )


def run(options: argparse.Namespace) -> int:
    """Run a study, or what is left of it; return the exit code."""
    studies = {
        "rank-quality": _rank_quality,
        "match-table": _match_table,
        "ratings": _ratings,
        "losing-moves": _losing_moves,
        "compare": _compare,
    }
    return studies[options.study](options)


def _rank_quality(options: argparse.Namespace) -> int:
    """Run the study of section 4 on a collection."""
    from hextui.engine.evaluators import evaluator
    from hextui.studies.rank_quality import PAPER_EVALUATORS, RankQuality, tasks
    from hextui.studies.readings import READINGS, chosen_readings

    filters = Filters(
        options.size, options.event, options.championship, options.human, options.chain
    )
    try:
        names = tuple(dict.fromkeys(evaluator(n).name for n in options.evaluator))
        ranking = [reading for reading in READINGS if reading.ranks]
        readings = chosen_readings(options.reading or ["default"], ranking)
        paths = [path for named in options.collection for path in _files(named)]
        collection = collect(paths, filters)
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    except (RecordError, ValueError) as error:
        return complain(error)
    if not collection.games:
        reasons = ", ".join(f"{n} ({reason})" for reason, n in collection.reasons)
        return complain(f"no game is left; left out: {reasons or 'none'}")
    names = names or PAPER_EVALUATORS
    work = RankQuality(names, options.players == "both", readings)
    description = Description(
        "rank-quality",
        {
            "collection": [
                {"name": path.name, "sha256": digest}
                for path, digest in zip(paths, digests, strict=True)
            ],
            "filters": asdict(filters),
            "evaluators": list(names),
            "players": options.players,
            "readings": [asdict(reading) for reading in readings],
            "seed": options.seed,
        },
        work.columns,
        len(collection.games),
        {
            "read": collection.read,
            "left_out": [list(pair) for pair in collection.reasons],
            "ties": list(dict.fromkeys(options.ties or SHOWN_TIES)),
        },
    )
    sizes = {game.cells for game in collection.games}
    return _conduct(description, tasks(collection.games), work, sizes, options)


def _files(named: Path) -> Iterator[Path]:
    """Yield the file named, or those in a folder; raises RecordError if that cannot be read."""
    if not os.path.isdir(named):
        yield named
        return
    for file in files_of([named]):
        if isinstance(file, Broken):
            raise RecordError(file.reason, source=file.source)
        yield file


def _match_table(options: argparse.Namespace) -> int:
    """Play the matches of section 6.2 by the named readings."""
    from hextui.studies import match_table
    from hextui.studies.readings import READINGS, chosen_readings

    board = options.size
    try:
        chosen = chosen_readings(options.reading or ["default"], READINGS)
    except ValueError as error:
        return complain(error)
    todo = match_table.encounters(chosen, board, options.games, options.seed)
    description = Description(
        "match-table",
        {
            "size": str(board),
            "games": options.games,
            "readings": [asdict(reading) for reading in chosen],
            "seed": options.seed,
        },
        match_table.COLUMNS,
        len(todo),
        {},
    )
    work, sizes = match_table.play_encounter, {board.cells}
    return _conduct(description, todo, work, sizes, options)


def _ratings(options: argparse.Namespace) -> int:
    """Let evaluators play all against all."""
    from hextui.matches.players import player
    from hextui.studies import round_robin

    board = options.size
    try:
        names = list(dict.fromkeys(player(name).name for name in options.players))
    except ValueError as error:
        return complain(error)
    if len(names) < 2:
        return complain("ratings need two evaluators or more")
    cells = round_robin.openings(board, options.openings, options.seed)
    todo = round_robin.meetings(names, board, cells, options.seed)
    description = Description(
        "ratings",
        {
            "size": str(board),
            "players": names,
            "openings": [board.name(cell) for cell in cells],
            "seed": options.seed,
        },
        round_robin.COLUMNS,
        len(todo),
        {},
    )
    work, sizes = round_robin.play_meeting, {board.cells}
    return _conduct(description, todo, work, sizes, options)


def _losing_moves(options: argparse.Namespace) -> int:
    """Look for the moves by which an evaluator loses won games."""
    from hextui.engine.evaluators import evaluator
    from hextui.matches.players import player
    from hextui.studies import losing_moves, round_robin

    board = options.size
    try:
        name, other = evaluator(options.player).name, player(options.other).name
    except ValueError as error:
        return complain(error)
    if name == other:
        return complain("losing-moves need two different players")
    cells = round_robin.openings(board, options.openings, options.seed)
    todo = losing_moves.trials(name, other, board, cells, options.nodes, options.seed)
    description = Description(
        "losing-moves",
        {
            "size": str(board),
            "player": name,
            "other": other,
            "openings": [board.name(cell) for cell in cells],
            "nodes": options.nodes,
            "seed": options.seed,
        },
        losing_moves.COLUMNS,
        len(todo),
        {},
    )
    work, sizes = losing_moves.try_game, {board.cells}
    return _conduct(description, todo, work, sizes, options)


def _conduct(
    description: Description,
    todo: Sequence[Task],
    work: Work,
    sizes: Iterable[int],
    options: argparse.Namespace,
) -> int:
    from hextui.studies.study_reports import reporting_of

    reporting = reporting_of(description.study, options.names)
    return conduct(description, todo, work, sizes, options_of(options), reporting)


def _compare_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what it takes."""
    for name in ("first", "second"):
        parser.add_argument(name, type=file_path, metavar="FOLDER", help=f"the {name} run")
    parser.add_argument("--seed", type=whole(0), default=0, metavar="N", help="seed (default: 0)")
    json_argument(parser)


def _compare(options: argparse.Namespace) -> int:
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
