"""What the rows of ``ratings`` say: a rating list, and who beat whom how often."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from hextui.matches.figures import Bars, Figure
from hextui.matches.intervals import Interval
from hextui.matches.reports import markdown_table
from hextui.matches.results import Document, Table
from hextui.studies.rating import RatedGame, ratings
from hextui.words.names import counted


@dataclass(frozen=True)
class PlayerRating:
    """A player's rating, and its wins in its games."""

    player: str
    rating: Interval
    wins: int
    games: int


def rating_list(table: Table, settings: Document) -> list[PlayerRating]:
    """Return the players, the strongest first."""
    players = settings["settings"]["players"]
    number = {name: i for i, name in enumerate(players)}
    blocks = {opening: i for i, opening in enumerate(dict.fromkeys(table.column("opening")))}
    outcomes = []
    for opening, winner, loser in _games(table):
        outcomes.append(RatedGame(number[winner], number[loser], blocks[opening]))
    found = ratings(len(players), outcomes, settings["settings"]["seed"])
    rated = [
        PlayerRating(
            name,
            found[i],
            sum(outcome.winner == i for outcome in outcomes),
            sum(i in (outcome.winner, outcome.loser) for outcome in outcomes),
        )
        for i, name in enumerate(players)
    ]
    return sorted(rated, key=lambda r: -r.rating.value)


def _games(table: Table) -> list[tuple[str, str, str]]:
    """Return opening, winner and loser of each game."""
    columns = (table.column(name) for name in ("opening", "black", "white", "winner"))
    return [
        (opening, black, white) if winner == "black" else (opening, white, black)
        for opening, black, white, winner in zip(*columns, strict=True)
    ]


def crosses(table: Table, players: Sequence[str]) -> list[list[float | None]]:
    """Return the share of games that the row's player won against the column's."""
    games = _games(table)
    wins = {
        (a, b): sum((winner, loser) == (a, b) for _, winner, loser in games)
        for a in players
        for b in players
    }
    return [
        [None if a == b else wins[a, b] / max(wins[a, b] + wins[b, a], 1) for b in players]
        for a in players
    ]


def figures(table: Table, settings: Document) -> list[Figure]:
    """Return the rating list as bars."""
    rated = rating_list(table, settings)
    bars = Bars(
        "Elo",
        tuple(r.player for r in rated),
        tuple(r.rating.value for r in rated),
        tuple(r.rating.low for r in rated),
        tuple(r.rating.high for r in rated),
    )
    title = f"Ratings on {settings['settings']['size']}, 95 % intervals"
    return [Figure("ratings", title, "", "Elo, mean 0", bars=(bars,))]


def document(table: Table, settings: Document) -> Document:
    """Return the rating list and the shares as JSON."""
    rated = rating_list(table, settings)
    return {
        "ratings": [asdict(r) for r in rated],
        "shares": crosses(table, [r.player for r in rated]),
    }


def report(table: Table, settings: Document, drawn: Sequence[Figure]) -> str:
    """Return the report in Markdown."""
    wanted = settings["settings"]
    rated = rating_list(table, settings)
    openings = len(set(table.column("opening")))
    rows = [
        [str(place), r.player, f"{r.rating:+.0f}", f"{r.wins} of {r.games}"]
        for place, r in enumerate(rated, start=1)
    ]
    names = [r.player for r in rated]
    shares = [
        [str(place), *("-" if share is None else f"{share:.2f}" for share in row)]
        for place, row in enumerate(crosses(table, names), start=1)
    ]
    parts = [
        f"# Ratings on {wanted['size']}\n",
        f"{counted(len(table.rows), 'game')}: every pair, {counted(openings, 'first stone')}, "
        f"both colours. CPU time {settings['cpu_seconds']:.0f} s. "
        f"hextui {settings['versions']['hextui']}.\n",
        "Bradley-Terry ratings on Elo's scale, mean 0; 200 more is three wins of four.\n"
        "A drawn game is added for each pair. 95 % intervals draw openings (bootstrap).\n",
        markdown_table(["", "player", "Elo", "wins"], rows) + "\n",
        "Share of games that the row won against the column:\n",
        markdown_table(["", *(str(i + 1) for i in range(len(names)))], shares) + "\n",
    ]
    if drawn:
        parts.append("## Figures\n")
        parts += [f"![{figure.title}]({figure.name}.png)\n" for figure in drawn]
    return "\n".join(parts)
