"""Two runs compared: the differences of what both measured, with 95 % intervals.

Shares of games: each with Wilson's interval, their difference with Newcombe's; the games of the two
runs are taken as independent. Means of Q: percentile bootstrap that draws whole games, the same
ones for both runs if they studied the same games.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hextui.matches.intervals import (
    Interval,
    difference,
    difference_of_means,
    mean_over_games,
    proportion,
)
from hextui.matches.match import scores
from hextui.matches.reports import markdown_table
from hextui.matches.results import Document, RunError, RunFolder, Table
from hextui.studies.games import SHOWN_TIES, collection_name, qualities
from hextui.studies.losing_moves import shares_of_losses
from hextui.studies.quality_report import evaluators, parts
from hextui.studies.ratings import shares_of_wins
from hextui.words.names import counted


@dataclass(frozen=True)
class RunDifference:
    """A measure of two runs, and the second run's less the first's."""

    measure: str
    first: Interval
    second: Interval
    difference: Interval


Share = tuple[int, int]
"""The number of games with a property, and of all games."""
Qualities = tuple[list[float], list[str]]
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
                difference_of_means(*yours[name], *mine[name], seed),
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
    folder = RunFolder(path)
    settings = folder.settings()
    table = folder.rows() if folder.done else folder.rows_so_far()
    return settings["study"], table, settings


def _qualities(table: Table, document: Document) -> dict[str, Qualities]:
    collection = json.dumps([file["sha256"] for file in document["settings"]["collection"]])
    found = {}
    for reading, player, rows in parts(table):
        games = [f"{collection} {number}" for number in rows.column("game")]
        for name in evaluators(table):
            for ties in document["about"].get("ties", SHOWN_TIES):
                label = f"Q of the {player}'s moves, {name}, {reading}, ties {ties}"
                found[label] = qualities(rows, name, ties), games
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


_SHARES: Mapping[str, Callable[[Table, Document], dict[str, Share]]] = {
    "match": _match,
    "ratings": shares_of_wins,
    "match-table": _match_table,
    "losing-moves": shares_of_losses,
}
