"""``hextui study``: experiments over many games, with a folder of results.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

import argparse
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.commands.arguments import BOARD_HELP, Parser, file_path, usage_errors
from hextui.commands.experiments import MOST_GAMES, conduct, conduct_parts, experiment_arguments
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.k_paths import MOST_K, PAPER_K
from hextui.library.answers import Broken, files_of
from hextui.records.record_text import RecordError
from hextui.runs.experiment import Experiment
from hextui.runs.reports import RunReport
from hextui.studies.games import SHOWN_TIES, TIES, Filters, collect

if TYPE_CHECKING:  # numpy, which --help does without
    from hextui.studies.match_table import MatchBounds
    from hextui.studies.rank_quality import RankQuality

_SAMPLE = "number of random games whose moves are ranked (default: all)"
_TABLE_1 = "games of table 1 for each player and side (default: 100)"
_TABLE_2 = "games of table 2 for each pair that draws lots (default: 100; others play one)"
_OPENINGS = "number of random first moves after which all play each other (default: every one)"

Parts = tuple[dict[str, Experiment], Callable[[Mapping[str, RunReport]], RunReport]]
"""Several runs, each by the name of its folder, and what joins their reports."""


def add_arguments(parser: Parser) -> None:
    """Add the studies and their arguments."""
    made = parser.actions("study", _STUDIES)
    quality = made["rank-quality"]
    tables = made["match-table"]
    losing = made["losing-moves"]
    paper = made["paper"]
    _collection_argument(quality)
    text = "an evaluator (repeat for several; default: contribution, k = 0, 1, 2, in the own and "
    text += "in the opponent's network)"
    quality.value("--evaluator", "NAME", text, action="append", default=[])
    choices = ("winner", "both")
    quality.add_argument(
        "--players",
        choices=choices,
        default="winner",
        help="whose moves are ranked (default: winner)",
    )
    text = "the rank that a tied move gets, of those that the tie spans; order: its place in the "
    text += "list (repeat for several; default: middle and worst)"
    quality.add_argument("--ties", action="append", choices=TIES, help=text)
    _reading_argument(quality, "default")
    quality.shared("--size", help=BOARD_HELP)
    quality.value("--event", "TEXT", "only games of events with this in their name")
    quality.flag("--championship", "only championship games")
    quality.flag("--human", "no games that are marked as a bot's")
    quality.flag("--chain", "only games that ended with a chain")
    tables.shared("--size", default="7", help="board size (default: 7)")
    tables.number("--games", _TABLE_1, 100, most=MOST_GAMES)
    tables.number("--pair-games", _TABLE_2, 100, most=MOST_GAMES)
    tables.number("--openings", _OPENINGS, least=0, most=MOST_GAMES)
    text = "largest k of E_k (default: 2, as in the paper)"
    tables.number("--most-k", text, PAPER_K, most=MOST_K)
    _reading_argument(tables, "default")
    losing.value("player", "NAME", "an evaluator, such as k-paths:1")
    losing.value("other", "OTHER", "the player that it plays against")
    losing.shared("--size", required=True, help=BOARD_HELP)
    text = "number of random first stones (default: every cell)"
    losing.number("--openings", text, most=MOST_GAMES)
    text = "nodes that the solver expands per ply (default: 2000)"
    losing.number("--nodes", text, 2000, most=MOST_GAMES)
    text = "files or folders of games for section 4 (default: none, section 6 alone)"
    paper.value("--games", "FILE|FOLDER", text, nargs="+", default=[], type=file_path)
    paper.shared("--size", default="7", help="board size for section 6 (default: 7)")
    paper.number("--sample", _SAMPLE, most=MOST_GAMES)
    paper.number("--matches", _TABLE_1, 100, most=MOST_GAMES)
    paper.number("--pair-games", _TABLE_2, 100, most=MOST_GAMES)
    paper.number("--openings", _OPENINGS, least=0, most=MOST_GAMES)
    text = "--matches of the readings but default (default: the same)"
    paper.number("--other-matches", text, most=MOST_GAMES)
    text = "--openings of the readings but default (default: the same)"
    paper.number("--other-openings", text, least=0, most=MOST_GAMES)
    text = "largest k of E_k, for the reading default (default: 4; other readings: 2)"
    paper.number("--most-k", text, 4, most=MOST_K)
    _reading_argument(paper, "all")
    _collection_argument(made["betweenness"])
    made["betweenness"].number("--sample", _SAMPLE, most=MOST_GAMES)
    text = "a file of claims: docs/studies.md#claims"
    made["claims"].value("file", "FILE", text, type=file_path)
    for study in made.values():
        experiment_arguments(study)


def _collection_argument(parser: Parser) -> None:
    text = "a file of games, any format, or a folder of such files"
    parser.value("collection", "COLLECTION", text, nargs="+", type=file_path)


def _reading_argument(parser: Parser, default: str) -> None:
    text = f"a reading of the paper, several joined by commas, or all (repeat; default: {default})"
    parser.value("--reading", "NAME", text, action="append")


def run(options: argparse.Namespace) -> int:
    """Run a study, or what is left of it; return the exit code."""
    with usage_errors():
        outcome = options.act(options)
    if isinstance(outcome, Experiment):
        return conduct(outcome, options)
    parts, join = outcome
    return conduct_parts(options.study, parts, join, options)


def _rank_quality(options: argparse.Namespace) -> Experiment:
    from hextui.studies.rank_quality import PAPER_EVALUATORS, RankQuality
    from hextui.studies.readings import READINGS, chosen_readings

    filters = Filters(
        size=options.size,
        event=options.event,
        championship=options.championship,
        human=options.human,
        chain=options.chain,
    )
    names = tuple(dict.fromkeys(evaluator(n).name for n in options.evaluator))
    ranking = [reading for reading in READINGS if reading.affects_rankings]
    readings = chosen_readings(options.reading or ["default"], ranking)
    work = RankQuality(names or PAPER_EVALUATORS, options.players == "both", readings)
    ties = tuple(dict.fromkeys(options.ties or SHOWN_TIES))
    return _of_games(work, options.collection, filters, ties, options.seed)


def _of_games(
    work: "RankQuality", named: Sequence[Path], filters: Filters, ties: Sequence[str], seed: int
) -> Experiment:
    """Return the study of the games in these files and folders; raises ValueError for none."""
    from hextui.studies.rank_quality import experiment

    paths = list(_files(named))
    collection = collect(paths, filters, seed)
    if not collection.games:
        reasons = ", ".join(f"{n} ({reason})" for reason, n in collection.reasons)
        raise ValueError(f"no game is left; left out: {reasons or 'none'}")
    files = [(path, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths]
    return experiment(work, collection, files, filters, ties, seed)


def _files(named: Sequence[Path]) -> Iterator[Path]:
    """Yield the files, and those in folders; raises RecordError for a folder it cannot read."""
    for file in files_of(named):
        if isinstance(file, Broken):
            raise RecordError(file.reason, source=file.source)
        yield file


def _match_table(options: argparse.Namespace) -> Experiment:
    from hextui.studies.match_table import MatchBounds, experiment
    from hextui.studies.readings import READINGS, chosen_readings

    playing = [reading for reading in READINGS if reading.affects_games]
    readings = chosen_readings(options.reading or ["default"], playing)
    bounds = MatchBounds(
        games=options.games,
        pair_games=options.pair_games,
        openings=options.openings,
        most_k=options.most_k,
    )
    return experiment(readings, options.size, options.seed, bounds)


def _losing_moves(options: argparse.Namespace) -> Experiment:
    from hextui.engines.registry import player
    from hextui.studies.losing_moves import experiment

    name, other = evaluator(options.player).name, player(options.other).name
    if name == other:
        raise ValueError("losing-moves need two different players")
    return experiment(name, other, options.size, options.openings, options.nodes, options.seed)


def _claims(options: argparse.Namespace) -> Parts:
    from hextui.studies import own_claims
    from hextui.studies.claims_file import read_claims

    parts = {}
    groups = own_claims.by_games(read_claims(options.file))
    for number, claims in enumerate(groups, start=1):
        games = [options.file.parent / name for name in claims[0].games]
        work = own_claims.work_on(claims)
        study = _of_games(work, games, Filters(), SHOWN_TIES, options.seed)
        parts[f"games-{number}"] = own_claims.with_claims(study, claims)
    return parts, own_claims.report


def _betweenness(options: argparse.Namespace) -> Parts:
    from hextui.studies import own_claims
    from hextui.studies.betweenness_claims import CLAIMS

    work = own_claims.work_on(CLAIMS)
    filters = Filters(sample=options.sample)
    study = _of_games(work, options.collection, filters, SHOWN_TIES, options.seed)
    return {"moves": own_claims.with_claims(study, CLAIMS)}, own_claims.report


def _other_bounds(bounds: "MatchBounds", options: argparse.Namespace) -> "MatchBounds":
    """Return the bounds for readings other than the default, with the paper's k."""
    games = bounds.games if options.other_matches is None else options.other_matches
    openings = bounds.openings if options.other_openings is None else options.other_openings
    return replace(bounds, games=games, openings=openings, most_k=PAPER_K)


def _paper(options: argparse.Namespace) -> Parts:
    from hextui.studies import paper
    from hextui.studies.match_table import MatchBounds, experiment
    from hextui.studies.rank_quality import RankQuality
    from hextui.studies.readings import READINGS, chosen_readings

    default, *others = chosen_readings(["default", *(options.reading or ["all"])], READINGS)
    size, seed = options.size, options.seed
    parts: dict[str, Experiment] = {}
    if options.games:
        ranking = (default, *(reading for reading in others if reading.affects_rankings))
        work = RankQuality(readings=ranking)
        parts[paper.MOVES] = _of_games(
            work, options.games, Filters(sample=options.sample), SHOWN_TIES, seed
        )
    bounds = MatchBounds(
        games=options.matches,
        pair_games=options.pair_games,
        openings=options.openings,
        most_k=options.most_k,
    )
    parts[paper.TABLES] = experiment([default], size, seed, bounds)
    if playing := [reading for reading in others if reading.affects_games]:
        parts[paper.OTHERS] = experiment(playing, size, seed, _other_bounds(bounds, options))
    return parts, paper.report


_STUDIES = {
    "paper": (_paper, "check which claims of the 2010 paper hold, under every reading"),
    "claims": (_claims, "judge a file of your own claims about evaluators, as those of the paper"),
    "betweenness": (_betweenness, "compare betweenness with k-contribution on the same games"),
    "rank-quality": (_rank_quality, "measure how high evaluators rank the moves of games"),
    "match-table": (_match_table, "play E_k against E and against itself, as in tables 1 and 2"),
    "losing-moves": (_losing_moves, "find the moves with which an evaluator loses won games"),
}
"""Each study's function that returns its run, and the one-line description of the help."""
