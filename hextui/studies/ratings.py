"""The study ``ratings``: evaluators play each other, all against all, one ply deep.

Goes beyond Honjo et al. 2010 (docs/methods.md#references). Every pair plays every opening twice,
with colours exchanged: most evaluators draw no lots, so without openings they would repeat one
game. Ratings are those of the Bradley-Terry model on Elo's scale: R. A. Bradley and M. E. Terry
1952 (https://doi.org/10.1093/biomet/39.3-4.324), found by the iteration of D. R. Hunter 2004
(https://doi.org/10.1214/aos/1079120141).
"""

import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board
from hextui.matches.intervals import LEVEL, Interval
from hextui.matches.match import ScheduledGame, derived_seed
from hextui.matches.reports import Bars, Figure, RunReport, effort
from hextui.matches.results import Document, Row, Table
from hextui.matches.runs import Experiment
from hextui.words.names import Names, counted

COLUMNS = ("opening", "black", "white", "seed", "winner", "plies", "moves")
PRIOR_GAMES = 1.0
"""A drawn game for each pair: without it a player that never lost has no finite rating."""
SAMPLES = 300
_ITERATIONS = 10_000
_TOLERANCE = 1e-9


def openings(board: Board, limit: int | None, seed: int) -> list[int]:
    """Return the cells of the first stones: all of them, or so many drawn by the seed."""
    cells = list(range(board.cells))
    if limit is None or limit >= board.cells:
        return cells
    return sorted(random.Random(seed).sample(cells, limit))


def schedule(
    players: Sequence[str], board: Board, cells: Sequence[int], seed: int
) -> list[ScheduledGame]:
    """Return all games: opening by opening, pair by pair, each colour once."""
    return [
        ScheduledGame(
            board, black, white, derived_seed(seed, black, white, cell), (board.name(cell),)
        )
        for cell in cells
        for pair in combinations(players, 2)
        for black, white in (pair, pair[::-1])
    ]


def experiment(players: Sequence[str], board: Board, limit: int | None, seed: int) -> Experiment:
    """Return the study of players by name, from all first stones or ``limit`` of them."""
    cells = openings(board, limit, seed)
    tasks = dict(enumerate(schedule(players, board, cells, seed)))
    settings = {
        "size": str(board),
        "players": list(players),
        "openings": [board.name(cell) for cell in cells],
        "seed": seed,
    }
    return Experiment("ratings", settings, COLUMNS, tasks, play, report, {board.cells})


def play(scheduled: ScheduledGame) -> list[Row]:
    """Play a game; return its row."""
    game, (opening,) = scheduled.play(), scheduled.opening
    players = scheduled.black, scheduled.white
    return [(opening, *players, scheduled.seed, str(game.winner), len(game.moves), game.text)]


@dataclass(frozen=True)
class RatedGame:
    """A game by the numbers of its players; games of one ``block`` are resampled together."""

    winner: int
    loser: int
    block: int


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


def ratings(players: int, games: Sequence[RatedGame], seed: int) -> list[Interval]:
    """Return each player's Elo rating by number; the 95 % interval draws blocks (bootstrap)."""
    blocks = sorted({game.block for game in games})
    place = {block: i for i, block in enumerate(blocks)}
    wins = np.zeros((len(blocks), players, players))
    for game in games:
        wins[place[game.block], game.winner, game.loser] += 1
    values = strengths(wins.sum(axis=0))
    random = np.random.default_rng(seed)
    drawn = [
        strengths(wins[random.integers(0, len(blocks), len(blocks))].sum(axis=0))
        for _ in range(SAMPLES)
    ]
    tail = (1 - LEVEL) / 2
    ends = np.quantile(np.array(drawn), (tail, 1 - tail), axis=0)
    return [Interval(*map(float, each)) for each in zip(values, *ends, strict=True)]


@dataclass(frozen=True)
class PlayerRating:
    """A player's rating, and its wins in its games."""

    player: str
    rating: Interval
    wins: int
    games: int


def rating_list(table: Table, document: Document) -> list[PlayerRating]:
    """Return the players, the strongest first."""
    players = document["settings"]["players"]
    number = {name: i for i, name in enumerate(players)}
    blocks = {opening: i for i, opening in enumerate(table.distinct("opening"))}
    games = [
        RatedGame(number[winner], number[loser], blocks[opening])
        for opening, winner, loser in _games(table)
    ]
    found = ratings(len(players), games, document["settings"]["seed"])
    wins = _wins(table, players)
    rated = [PlayerRating(name, found[i], *wins[name]) for i, name in enumerate(players)]
    return sorted(rated, key=lambda r: -r.rating.value)


def _wins(table: Table, players: Sequence[str]) -> dict[str, tuple[int, int]]:
    pairs = [(winner, loser) for _, winner, loser in _games(table)]
    return {
        name: (sum(winner == name for winner, _ in pairs), sum(name in pair for pair in pairs))
        for name in players
    }


def _games(table: Table) -> list[tuple[str, str, str]]:
    """Return opening, winner and loser of each game."""
    found = []
    for row in table.records():
        black, white = row["black"], row["white"]
        pair = (black, white) if row["winner"] == "black" else (white, black)
        found.append((row["opening"], *pair))
    return found


def _shares(table: Table, players: Sequence[str]) -> list[list[float | None]]:
    """Return the share of games that the row's player won against the column's."""
    pairs = [(winner, loser) for _, winner, loser in _games(table)]
    wins = {(a, b): pairs.count((a, b)) for a in players for b in players}
    return [
        [None if a == b else wins[a, b] / max(wins[a, b] + wins[b, a], 1) for b in players]
        for a in players
    ]


def report(table: Table, document: Document, _names: Names) -> RunReport:
    """Return the report: the rating list, and who beat whom how often."""
    size = document["settings"]["size"]
    rated = rating_list(table, document)
    names = [r.player for r in rated]
    shares = _shares(table, names)
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
    bars = Bars.of("Elo", names, [r.rating for r in rated])
    title = f"Ratings on {size}, 95 % intervals"
    made.pictures([Figure("ratings", title, "", "Elo, mean 0", bars=(bars,))])
    return made


def shares_of_wins(table: Table, document: Document) -> dict[str, tuple[int, int]]:
    """Return each player's wins and games, by the name of the measure."""
    wins = _wins(table, document["settings"]["players"])
    return {f"won by {name}": (won, games) for name, (won, games) in wins.items() if games}
