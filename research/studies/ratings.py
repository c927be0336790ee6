"""``python -m research.studies.ratings``: evaluators play all against all, one ply deep.

Every pair plays every opening twice, with colours exchanged: most evaluators draw no lots, so
without openings they would repeat one game. Ratings are those of the Bradley-Terry model on Elo's
scale: R. A. Bradley and M. E. Terry 1952 (https://doi.org/10.1093/biomet/39.3-4.324), found by the
iteration of D. R. Hunter 2004 (https://doi.org/10.1214/aos/1079120141).
"""

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from hextui.commands.arguments import BOARD_HELP, Parser
from hextui.commands.experiments import MOST_GAMES, conduct, experiment_arguments
from hextui.commands.output import complain
from hextui.engine.board import Board
from hextui.engines.registry import player
from hextui.matches.match import COLUMNS, play
from hextui.runs.experiment import Experiment
from hextui.runs.intervals import percentile_interval
from hextui.runs.proportions import Interval
from hextui.runs.reports import Bars, Figure, RunReport, effort
from hextui.runs.results import Document, Table
from hextui.studies.losing_moves import first_stones, schedule
from hextui.text import Names, counted

PRIOR_GAMES = 1.0
"""A drawn game for each pair: without it a player that never lost has no finite rating."""
SAMPLES = 300
_ITERATIONS = 10_000
_TOLERANCE = 1e-9


def experiment(players: Sequence[str], board: Board, limit: int | None, seed: int) -> Experiment:
    """Return the study of players by name, from all first stones or ``limit`` of them."""
    cells = first_stones(board, limit, seed)
    games = (schedule(pair, board, cells, seed) for pair in combinations(players, 2))
    tasks = dict(enumerate(chain.from_iterable(games)))
    settings = {
        "size": str(board),
        "players": list(players),
        "openings": [board.name(cell) for cell in cells],
        "seed": seed,
    }
    return Experiment("ratings", settings, COLUMNS, tasks, play, report, {board.cells})


def strengths(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Elo ratings float64[n] of mean 0 from a table of wins.

    ``wins[i, j]``: how often i beat j. Between any two that played, one drawn game is added. A
    player without games has rating 0.

    >>> strengths(np.array([[0.0, 75.0], [25.0, 0.0]])).round(0).tolist()
    [94.0, -94.0]
    """
    games = wins + wins.T
    prior = np.where(games > 0, PRIOR_GAMES, 0.0)
    games = games + prior
    won = (wins + prior / 2).sum(axis=1)
    strength = np.ones(len(wins))
    for _ in range(_ITERATIONS):
        expected = (games / (strength[:, np.newaxis] + strength)).sum(axis=1)
        new = np.where(expected > 0, won / np.where(expected > 0, expected, 1), strength)
        new /= math.exp(np.log(new).mean())
        change = np.abs(np.log(new / strength)).max()
        strength = new
        if change < _TOLERANCE:
            break
    elo: NDArray[np.float64] = 400 * np.log10(strength)
    return elo


def ratings(wins: NDArray[np.float64], seed: int) -> list[Interval]:
    """Return each player's Elo rating by number; the 95 % interval draws openings (bootstrap).

    ``wins[opening, i, j]``: how often i beat j.
    """
    values = strengths(wins.sum(axis=0))
    random = np.random.default_rng(seed)
    drawn = [
        strengths(wins[random.integers(0, len(wins), len(wins))].sum(axis=0))
        for _ in range(SAMPLES)
    ]
    each = zip(values, np.array(drawn).T, strict=True)
    return [percentile_interval(float(value), draws) for value, draws in each]


@dataclass(frozen=True)
class PlayerRating:
    """A player's rating, and its wins in its games."""

    player: str
    rating: Interval
    wins: int
    games: int


def _wins(table: Table, players: Sequence[str]) -> NDArray[np.float64]:
    """Return float64[openings, players, players]: how often the second axis beat the third."""
    number = {name: place for place, name in enumerate(players)}
    openings = {name: place for place, name in enumerate(table.distinct("opening"))}
    wins = np.zeros((len(openings), len(players), len(players)))
    for row in table.records():
        other = "white" if row["winner"] == "black" else "black"
        winner, loser = number[row[row["winner"]]], number[row[other]]
        wins[openings[row["opening"]], winner, loser] += 1
    return wins


def report(table: Table, document: Document, _names: Names) -> RunReport:
    """Return the report: the rating list, and who beat whom how often."""
    settings = document["settings"]
    size, players = settings["size"], settings["players"]
    by_opening = _wins(table, players)
    wins = by_opening.sum(axis=0)
    games = wins + wins.T
    found = ratings(by_opening, settings["seed"])
    order = sorted(range(len(players)), key=lambda player: -found[player].value)
    rated = [
        PlayerRating(players[i], found[i], int(wins[i].sum()), int(games[i].sum())) for i in order
    ]
    shares = [
        [None if i == j else float(wins[i, j] / max(games[i, j], 1)) for j in order] for i in order
    ]
    made = RunReport(
        f"Ratings on {size}", {"ratings": [asdict(r) for r in rated], "shares": shares}
    )
    made.text(
        f"{counted(len(table.rows), 'game')}: every pair, "
        f"{counted(len(table.distinct('opening')), 'first stone')}, both colours. "
        f"{effort(document)}"
    )
    made.text(
        "Bradley-Terry ratings on Elo's scale, mean 0; 200 more is three wins of four.\n"
        "A drawn game is added for each pair. 95 % intervals draw openings (bootstrap)."
    )
    made.table(
        ["", "player", "Elo", "wins"],
        [
            (place, r.player, f"{r.rating:+.0f}", f"{r.wins} of {r.games}")
            for place, r in enumerate(rated, start=1)
        ],
    )
    made.text("Share of games that the row won against the column:")
    made.table(
        ["", *range(1, len(rated) + 1)],
        [
            (place, *("-" if share is None else f"{share:.2f}" for share in row))
            for place, row in enumerate(shares, start=1)
        ],
    )
    bars = Bars("Elo", [r.player for r in rated], [r.rating for r in rated])
    title = f"Ratings on {size}, 95 % intervals"
    made.pictures([Figure("ratings", title, "", "Elo, mean 0", bars=(bars,))])
    return made


def shares_of_wins(table: Table, document: Document) -> dict[str, tuple[int, int]]:
    """Return each player's wins and games, by the name of the measure."""
    players = document["settings"]["players"]
    wins = _wins(table, players).sum(axis=0)
    pairs = zip(players, wins.sum(axis=1), (wins + wins.T).sum(axis=1), strict=True)
    return {f"won by {name}": (int(won), int(games)) for name, won, games in pairs if games}


def main(words: Sequence[str] | None = None) -> int:
    """Play the games that are left, print the ratings, and return the exit code."""
    parser = Parser(
        prog="python -m research.studies.ratings",
        description="Let evaluators play all against all, one ply deep, and rate them.",
    )
    parser.value("players", "NAME", "an evaluator", nargs="+")
    parser.shared("--size", required=True, help=BOARD_HELP)
    text = "number of random first stones (default: every cell)"
    parser.number("--openings", text, most=MOST_GAMES)
    experiment_arguments(parser)
    try:
        options = parser.parse_args(words, argparse.Namespace(names=Names.RED_BLUE))
        names = list(dict.fromkeys(player(name).name for name in options.players))
        if len(names) < 2:
            raise ValueError("ratings need two evaluators or more")
        return conduct(experiment(names, options.size, options.openings, options.seed), options)
    except ValueError as error:
        return complain(error)


if __name__ == "__main__":
    sys.exit(main())
