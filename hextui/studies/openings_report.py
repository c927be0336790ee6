"""What the games of ``match-table`` after every first move say: scores, and the trend in k.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049). All intervals draw openings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from hextui.matches.figures import Bars, Figure
from hextui.matches.intervals import Interval, difference, mean_over_games, proportion
from hextui.matches.reports import markdown_table
from hextui.matches.results import Table
from hextui.studies.match_table import EVERY_OPENING, FIRST_TABLE, LEVELS, PLAYERS
from hextui.words.names import counted

LOWEST, HIGHEST = f"E_{LEVELS[0]}", f"E_{LEVELS[-1]}"


@dataclass(frozen=True)
class Trend:
    """The share of wins of E_2 less that of E_0, in which games; ``paper``'s where it tells."""

    games: str
    ours: Interval
    paper: Interval | None = None


def wins_of_first(table: Table) -> list[list[int]]:
    """Return how many openings the first player wins: a row for each first player."""
    own = table.where("table", EVERY_OPENING)

    def wins(first: str, second: str) -> int:
        games = own.where("first", first).where("second", second)
        return games.column("winner").count("first")

    return [[wins(first, second) for second in PLAYERS] for first in PLAYERS]


def score(table: Table, player: str, side: str, seed: int) -> Interval:
    """Return a player's share of wins as first or second player, against all, itself too."""
    own = table.where("table", EVERY_OPENING).where(side, player)
    wins = [float(winner == side) for winner in own.column("winner")]
    return mean_over_games(wins, own.column("opening"), seed)


def trends(table: Table, paper: Mapping[str, Sequence[Interval]] | None, seed: int) -> list[Trend]:
    """Return the trend in k in the games of one reading.

    ``paper``: its shares of wins against E by k, as ``first`` and as ``second`` player.
    """
    found = []
    first = table.where("table", FIRST_TABLE)
    for side in ("first", "second"):
        ends = [_share(first, side, name) for name in (HIGHEST, LOWEST)]
        theirs = difference(paper[side][-1], paper[side][0]) if paper else None
        found.append(Trend(f"against E, {side} player", difference(*ends), theirs))
    against_e = _by_opening(table, "E")
    found.append(_trend("against E, every opening, both colours", against_e, seed))
    each_other = _by_opening(table, LOWEST, HIGHEST)
    found.append(
        _trend(f"{HIGHEST} against {LOWEST}, every opening, both colours", each_other, seed)
    )
    return found


def _share(table: Table, side: str, player: str) -> Interval:
    other = "second" if side == "first" else "first"
    winners = table.where(side, player).where(other, "E").column("winner")
    return proportion(winners.count(side), len(winners))


def _by_opening(table: Table, *opponents: str) -> dict[str, float]:
    """Return by opening the share of wins of E_2 less that of E_0, against these opponents.

    Games of a player with itself count for both, and so for neither.
    """
    own = table.where("table", EVERY_OPENING)
    wins: dict[str, dict[str, list[bool]]] = {}
    places = [own.column(name) for name in ("opening", "first", "second", "winner")]
    for opening, first, second, winner in zip(*places, strict=True):
        by_player = wins.setdefault(opening, {HIGHEST: [], LOWEST: []})
        for player, opponent, side in ((first, second, "first"), (second, first, "second")):
            if player in by_player and opponent in opponents and opponent != player:
                by_player[player].append(winner == side)
    played = {o: by for o, by in wins.items() if all(by.values())}
    return {o: fmean(by[HIGHEST]) - fmean(by[LOWEST]) for o, by in played.items()}


def _trend(games: str, values: dict[str, float], seed: int) -> Trend:
    return Trend(games, mean_over_games(list(values.values()), list(values), seed))


def figure(table: Table, reading: str, seed: int) -> Figure:
    """Return every player's share of wins over all openings, as first and as second player."""
    own = table.where("reading", reading)
    bars = []
    for side in ("first", "second"):
        shares = [score(own, player, side, seed) for player in PLAYERS]
        bars.append(Bars.of(f"as {side}", PLAYERS, shares))
    title = f"Share of wins against all, every opening, reading {reading}"
    return Figure(f"openings-{reading}", title, "", "wins", bars=tuple(bars), y_range=(0, 1.05))


def openings_text(table: Table) -> str:
    """Return the wins after every first move in Markdown; ``table`` holds one reading."""
    openings = len(set(table.where("table", EVERY_OPENING).column("opening")))
    rows = [
        [f"{first} first", *map(str, wins)]
        for first, wins in zip(PLAYERS, wins_of_first(table), strict=True)
    ]
    text = markdown_table(["", *(f"{player} second" for player in PLAYERS)], rows)
    return f"Every opening: wins of the first player in {counted(openings, 'game')}\n\n{text}\n"


def trends_text(found: Sequence[Trend]) -> str:
    """Return the trends as a Markdown table, and whether ours is one."""
    there = any(trend.paper for trend in found)
    rows = []
    for trend in found:
        row = [trend.games, f"{trend.ours:+.2f}", _sign(trend.ours)]
        if there:
            row.append(f"{trend.paper:+.2f}" if trend.paper else "-")
        rows.append(row)
    text = markdown_table(["games", "ours", "ours shows", "paper"][: len(rows[0])], rows)
    return f"Trend in k: share of wins of E_2 less that of E_0\n\n{text}\n"


def _sign(interval: Interval) -> str:
    if interval.low <= 0 <= interval.high:
        return "not sure"
    return "more with k" if interval.value > 0 else "less with k"
