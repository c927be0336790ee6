"""``python -m research.studies.comparing FIRST SECOND``: how two runs of a study differ.

Prints the differences of what both measured, with 95 % intervals.

Shares of games: each with Wilson's interval, their difference with Newcombe's; the games of the two
runs are taken as independent. Means of Q: percentile bootstrap that draws whole games, the same
ones for both runs if they studied the same games.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from hextui.commands.arguments import Parser, UsageError, file_path
from hextui.commands.documents import print_document
from hextui.commands.output import complain
from hextui.matches.match import scores
from hextui.runs.intervals import (
    Seed,
    difference,
    drawn_means,
    mean_over_games,
    percentile_interval,
)
from hextui.runs.proportions import Interval, proportion
from hextui.runs.reports import markdown_table
from hextui.runs.results import Document, RunError, RunFolder, Table, interpreting
from hextui.studies.games import SHOWN_TIES, collection_name
from hextui.studies.losing_moves import summary
from hextui.studies.rank_quality import parts
from hextui.text import counted
from research.studies.ratings import shares_of_wins


@dataclass(frozen=True)
class RunDifference:
    """A measure of two runs, and the second run's less the first's."""

    measure: str
    first: Interval
    second: Interval
    difference: Interval


Share = tuple[int, int]
"""The number of games with a property, and of all games."""
Qualities = tuple[Sequence[float], Sequence[str]]
"""Q of moves, and the game of each: its collection and its number there."""


def title(document: Document) -> str:
    """Return a run's title by its ``settings.json``; the study's name if settings are missing.

    >>> match = {"first": "resistance", "second": "blocking", "board": "7x7", "games": 20}
    >>> title({"study": "match", "settings": match})
    'Match on 7x7: resistance against blocking, 20 games'
    >>> title({"study": "ratings", "settings": {"size": "5x5", "players": ["a", "b", "c"]}})
    'Ratings on 5x5: a, b, c'
    """
    study = str(document.get("study"))
    try:
        return _TITLES[study](document["settings"])
    except (KeyError, TypeError):  # settings of another version
        return study


_TITLES: Mapping[str, Callable[[Document], str]] = {
    "match": lambda s: (
        f"Match on {s['board']}: {s['first']} against {s['second']}, {counted(s['games'], 'game')}"
    ),
    "ratings": lambda s: f"Ratings on {s['size']}: {', '.join(s['players'])}",
    "match-table": lambda s: f"Table of matches on {s['size']}: E_k against E, and each other",
    "losing-moves": lambda s: f"Lost wins on {s['size']}: {s['player']} against {s['other']}",
    "rank-quality": lambda s: (
        f"Ranks of the moves in {collection_name(s['collection'])} "
        f"by {counted(len(s['evaluators']), 'evaluator')}"
    ),
}


def compared(first: Path, second: Path, seed: int = 0) -> list[RunDifference]:
    """Return all that both runs measured, done or so far; ``seed`` draws the bootstrap's games.

    Raises RunError for what is no run, different studies, and if nothing was measured in common.
    """
    (study, ours, own), (other_study, theirs, other) = _read(first), _read(second)
    if study != other_study:
        raise RunError(f"{study} and {other_study} measure different things")
    if study == "rank-quality":
        mine, yours = _qualities(ours, own), _qualities(theirs, other)
        found = [
            RunDifference(
                name,
                mean_over_games(*mine[name], seed),
                mean_over_games(*yours[name], seed),
                difference_of_means(yours[name], mine[name], seed),
            )
            for name in mine
            if name in yours
        ]
    elif study in _SHARES:
        one, two = _SHARES[study](ours, own), _SHARES[study](theirs, other)
        shares = [(n, proportion(*one[n]), proportion(*two[n])) for n in one if n in two]
        found = [RunDifference(name, a, b, difference(b, a)) for name, a, b in shares]
    else:
        raise RunError(f"runs of {study} are not compared")
    if not found:
        raise RunError("the two runs measured nothing in common")
    return found


def difference_table(found: Sequence[RunDifference], first: str, second: str) -> str:
    """Return differences as a Markdown table, with names for the two runs."""
    rows = [
        [one.measure, f"{one.first}", f"{one.second}", f"{one.difference:+.3f}"] for one in found
    ]
    return markdown_table(["", first, second, f"{second} less {first}"], rows)


def _read(path: Path) -> tuple[str, Table, Document]:
    run = RunFolder(path).so_far()
    return run.settings["study"], run.rows, run.settings


def difference_of_means(first: Qualities, second: Qualities, seed: int = 0) -> Interval:
    """Return the mean of values less that of others, with the interval that draws whole games.

    Where both have the same games, the same are drawn for both. Raises ValueError without values.
    """
    paired = set(first[1]) == set(second[1])
    means = _drawn(first, seed) - _drawn(second, seed if paired else (seed, 1))
    return percentile_interval(fmean(first[0]) - fmean(second[0]), means)


def _drawn(found: Qualities, seed: Seed) -> NDArray[np.float64]:
    """Return bootstrap means, with the games in one order whatever that of the values is."""
    values, games = zip(*sorted(zip(*found, strict=True), key=itemgetter(1)), strict=True)
    return drawn_means(values, games, seed)


def _qualities(table: Table, document: Document) -> dict[str, Qualities]:
    collection = json.dumps([file["sha256"] for file in document["settings"]["collection"]])
    found: dict[str, Qualities] = {}
    for part in parts(table, 0):
        games = [f"{collection} {number}" for number in part.rows.column("game")]
        for name in document["settings"]["evaluators"]:
            for ties in document["about"].get("ties", SHOWN_TIES):
                label = f"Q of the {part.player}'s moves, {name}, {part.reading}, ties {ties}"
                found[label] = part.q(name, ties), games
    return found


def _match(table: Table, _document: Document) -> dict[str, Share]:
    names = ("won by the first player", "as Red", "as Blue", "won by Red")
    found = zip(names, scores(table).values(), strict=True)
    return {name: (score.wins, score.games) for name, score in found if score.games}


def _match_table(table: Table, _document: Document) -> dict[str, Share]:
    found: dict[str, Share] = {}
    for row in table.records():
        players = f"{row['first']} first against {row['second']}"
        name = f"{row['reading']}, {row['table']}: {players}"
        won, games = found.get(name, (0, 0))
        found[name] = won + (row["winner"] == "first"), games + 1
    return found


def _losing_moves(table: Table, _document: Document) -> dict[str, Share]:
    counts = summary(table)
    if not table.rows:
        return {}
    names = {"lost": "lost", "thrown": "lost by a proved losing move"}
    return {name: (counts[key], counts["games"]) for key, name in names.items()}


_SHARES: Mapping[str, Callable[[Table, Document], dict[str, Share]]] = {
    "match": _match,
    "ratings": shares_of_wins,
    "match-table": _match_table,
    "losing-moves": _losing_moves,
}


def main(words: Sequence[str] | None = None) -> int:
    """Print the differences between two runs, and return the exit code."""
    parser = Parser(
        prog="python -m research.studies.comparing",
        description="Print the differences between two runs of a study, finished or not.",
    )
    for name in ("first", "second"):
        parser.value(name, "FOLDER", f"the {name} run", type=file_path)
    parser.shared("--seed", "--json")
    try:
        options = parser.parse_args(words)
        with interpreting(f"{options.first}, {options.second}"):
            names = [title(RunFolder(path).settings()) for path in (options.first, options.second)]
            found = compared(options.first, options.second, options.seed)
    except (RunError, UsageError) as error:
        return complain(error)
    document = {"runs": names, "differences": [asdict(one) for one in found]}
    text = f"first   {names[0]}\nsecond  {names[1]}\n\n{difference_table(found, 'first', 'second')}"
    print_document(document, options, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
