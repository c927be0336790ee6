"""By how much what two runs of a study measured differs, with 95 % intervals.

Shares of games: each with Wilson's interval, their difference with Newcombe's, the games of the
two runs being taken as independent. Means of Q: percentile bootstrap that draws whole games, the
same ones for both runs where both looked at the same games.
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
from hextui.matches.match_report import result
from hextui.matches.reports import markdown_table
from hextui.matches.results import Document, Folder, StudyError, Table
from hextui.studies.losing_report import summary
from hextui.studies.rank_quality import evaluators, players, readings
from hextui.studies.ties import SHOWN_TIES, qualities


@dataclass(frozen=True)
class RunDifference:
    """A measure of two runs, and the second run's less the first's."""

    measure: str
    first: Interval
    second: Interval
    difference: Interval


Share = tuple[int, int]
"""Games that something is true of, and all games."""
Qualities = tuple[list[float], list[str]]
"""Q of moves, and the game of each: its collection and its number there."""


def compared(first: Path, second: Path, seed: int = 0) -> list[RunDifference]:
    """Return all that both runs measured, done or so far, in the order of the first run.

    ``seed`` draws the bootstrap's games. Raises StudyError for folders that hold no run, for runs
    of different studies, and if they measured nothing in common.
    """
    (study, ours, own), (other_study, theirs, other) = _read(first), _read(second)
    if study != other_study:
        raise StudyError(f"{study} and {other_study} measure different things")
    if study == "rank-quality":
        mine, yours = _qualities(ours, own), _qualities(theirs, other)
        found = [_of_means(name, mine[name], yours[name], seed) for name in mine if name in yours]
    elif study in _SHARES:
        wins, losses = _SHARES[study](ours, own), _SHARES[study](theirs, other)
        found = [_of_shares(name, wins[name], losses[name]) for name in wins if name in losses]
    else:
        raise StudyError(f"runs of {study} are not compared")
    if not found:
        raise StudyError("the two runs measured nothing in common")
    return found


def difference_table(found: Sequence[RunDifference], first: str, second: str) -> str:
    """Return differences as a table; ``first`` and ``second`` say which run is which."""
    rows = [
        [one.measure, f"{one.first}", f"{one.second}", f"{one.difference:+.3f}"] for one in found
    ]
    return markdown_table(["", first, second, f"{second} less {first}"], rows)


def _read(path: Path) -> tuple[str, Table, Document]:
    folder = Folder(path)
    settings = folder.settings()
    table = folder.rows() if folder.done else folder.rows_so_far()
    return settings["study"], table, settings


def _of_means(name: str, first: Qualities, second: Qualities, seed: int) -> RunDifference:
    return RunDifference(
        name,
        mean_over_games(*first, seed),
        mean_over_games(*second, seed),
        difference_of_means(*second, *first, seed),
    )


def _of_shares(name: str, first: Share, second: Share) -> RunDifference:
    one, other = proportion(*first), proportion(*second)
    return RunDifference(name, one, other, difference(other, one))


def _qualities(table: Table, document: Document) -> dict[str, Qualities]:
    collection = json.dumps([file["sha256"] for file in document["settings"]["collection"]])
    found = {}
    for reading in readings(table):
        for player in players(table):
            own = table.where("reading", reading).where("player", player)
            games = [f"{collection} {number}" for number in own.column("game")]
            for name in evaluators(table):
                for ties in document["about"].get("ties", SHOWN_TIES):
                    label = f"Q of the {player}'s moves, {name}, {reading}, ties {ties}"
                    found[label] = qualities(own, name, ties), games
    return found


def _match(table: Table, document: Document) -> dict[str, Share]:
    played = result(table, document["settings"])
    scores = {
        "won by the first player": played.overall,
        "as Red": played.as_black,
        "as Blue": played.as_white,
        "won by Red": played.black,
    }
    return {name: (score.wins, score.games) for name, score in scores.items() if score.games}


def _ratings(table: Table, document: Document) -> dict[str, Share]:
    columns = (table.column(name) for name in ("black", "white", "winner"))
    games = list(zip(*columns, strict=True))
    found = {}
    for name in document["settings"]["players"]:
        own = [
            winner == ("black" if black == name else "white")
            for black, white, winner in games
            if name in (black, white)
        ]
        if own:
            found[f"won by {name}"] = sum(own), len(own)
    return found


def _match_table(table: Table, _document: Document) -> dict[str, Share]:
    columns = (table.column(name) for name in ("reading", "table", "first", "second", "winner"))
    found: dict[str, Share] = {}
    for reading, part, first, second, winner in zip(*columns, strict=True):
        name = f"{reading}, {part}: {first} first against {second}"
        won, games = found.get(name, (0, 0))
        found[name] = won + (winner == "first"), games + 1
    return found


def _losing_moves(table: Table, _document: Document) -> dict[str, Share]:
    counts = summary(table)
    if not counts.games:
        return {}
    return {
        "lost": (counts.lost, counts.games),
        "lost by a proved losing move": (counts.thrown, counts.games),
    }


_SHARES: Mapping[str, Callable[[Table, Document], dict[str, Share]]] = {
    "match": _match,
    "ratings": _ratings,
    "match-table": _match_table,
    "losing-moves": _losing_moves,
}
