"""The ladder: the user's results against the levels, a rating on their scale, and the next level.

The rating is that of the Bradley-Terry model: who is D Elo points stronger wins a share of
1 / (1 + 10^(-D / 400)) of the games. How much stronger each level is than the one below is known,
so the user's strength alone is estimated, from the newest games and one drawn game against a level
in the middle, without which a user who has won all games would have no finite rating.
"""

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from typing import Any

from hextui.engine.board import Color
from hextui.engines.levels import LEVELS, level_named
from hextui.runs.proportions import LEVEL, Interval
from hextui.text import Names, counted
from hextui.train.kept_games import KeptGame

SHARES_WON = (0.78, 0.73, 0.72, 0.68, 0.65, 0.77, 0.72, 0.77)
"""The share of games that level 2 won against level 1, level 3 against level 2, and so on."""
NEWEST = 30
"""The most games from which a rating is made: users get better."""
FIRST_LEVEL = 3
"""The level of the drawn game, and the one suggested to who has not played yet."""
_ELO = 400 / math.log(10)
_STEP = 10  # Elo points between two strengths that are compared
_BEYOND = 400  # Elo points below the weakest and above the strongest level


def _points(share: float) -> float:
    """Return by how many Elo points a player is stronger who wins a share of the games."""
    return _ELO * math.log(share / (1 - share))


STRENGTHS = tuple(accumulate(map(_points, SHARES_WON), initial=0.0))
"""Of the levels, in Elo points above level 1."""
_GRID = range(-_BEYOND, round(STRENGTHS[-1]) + _BEYOND, _STEP)


@dataclass(frozen=True)
class LadderRow:
    """The results against a level on boards of one size with one colour; ``level`` from 1."""

    level: int
    size: str
    color: Color
    won: int
    games: int


@dataclass(frozen=True)
class Ladder:
    """Results against levels: all that count, their sums, and the ratings after each game.

    Ratings are levels with a fraction, from 0 to one above the highest level. A rating is the
    median of what is likely, with the interval that holds 95% of it.
    """

    games: tuple[KeptGame, ...]
    rows: tuple[LadderRow, ...]
    ratings: tuple[Interval, ...]
    next_level: int

    @property
    def words(self) -> str:
        """The rating, and the key to the level suggested next."""
        if not self.ratings:
            return self.rating_words
        return f"{self.rating_words} l: level {self.next_level}."

    @property
    def rating_words(self) -> str:
        """The rating."""
        if not self.ratings:
            return "No game counts yet: whole games against a level, without help."
        rating = self.ratings[-1]
        interval = f"95% CI {rating.low:.1f}-{rating.high:.1f}"
        games = counted(len(self.games), "game")
        return f"Your rating: level {rating.value:.1f} ({interval}, {games})."

    @staticmethod
    def of(games: Iterable[KeptGame]) -> "Ladder":
        """Return the ladder of games in the order in which they were begun."""
        rated = tuple(filter(is_rated, games))
        ratings = []
        strength = STRENGTHS[FIRST_LEVEL - 1]
        for end in range(1, len(rated) + 1):
            newest = rated[max(0, end - NEWEST) : end]
            estimate = _strength(newest)
            strength = estimate.value
            ends = map(level_of, (estimate.value, estimate.low, estimate.high))
            ratings.append(Interval(*ends))
        return Ladder(rated, _rows(rated), tuple(ratings), nearest_level(strength))


def is_rated(game: KeptGame) -> bool:
    """Return whether a game counts: a whole game against a level, which is over, without help."""
    is_whole = game.start == 0 and game.won is not None
    return is_whole and not game.helped and level_named(game.settings.opponent) is not None


def level_of(strength: float) -> float:
    """Return a strength on the scale of the levels, at least 0 and at most one above the highest.

    >>> level_of(STRENGTHS[2]), level_of((STRENGTHS[2] + STRENGTHS[3]) / 2)
    (3.0, 3.5)
    """
    for level, (below, above) in enumerate(pairwise(STRENGTHS), start=1):
        if strength <= above or level == len(LEVELS) - 1:
            return min(max(level + (strength - below) / (above - below), 0.0), len(LEVELS) + 1.0)
    raise AssertionError("there are at least two levels")


def nearest_level(strength: float) -> int:
    """Return the level against which about half of the games are won."""
    distances = [abs(strength - other) for other in STRENGTHS]
    return distances.index(min(distances)) + 1


def _rows(games: Sequence[KeptGame]) -> tuple[LadderRow, ...]:
    played = Counter[tuple[int, str, Color]]()
    won = Counter[tuple[int, str, Color]]()
    for game in games:
        key = (_level(game), str(game.settings.size), game.color)
        played[key] += 1
        if game.won:
            won[key] += 1
    return tuple(LadderRow(*key, won=won[key], games=played[key]) for key in sorted(played))


def _level(game: KeptGame) -> int:
    level = level_named(game.settings.opponent)
    assert level is not None
    return level


def _log_share(strength: float, other: float) -> float:
    """Return the logarithm of the share of games that a player wins against another one."""
    return -math.log1p(math.exp((other - strength) / _ELO))


def _strength(games: Sequence[KeptGame]) -> Interval:
    """Return the strength in Elo points above level 1 at which the results are likely."""
    results = Counter((_level(game), game.won is True) for game in games)
    drawn = STRENGTHS[FIRST_LEVEL - 1]
    logs = []
    for strength in _GRID:
        log = (_log_share(strength, drawn) + _log_share(drawn, strength)) / 2
        for (level, won), count in results.items():
            sides = (strength, STRENGTHS[level - 1])
            log += count * _log_share(*(sides if won else sides[::-1]))
        logs.append(log)
    most = max(logs)
    weights = list(accumulate(math.exp(log - most) for log in logs))
    tail = (1 - LEVEL) / 2
    return Interval(*(_quantile(weights, share) for share in (0.5, tail, 1 - tail)))


def _quantile(weights: Sequence[float], share: float) -> float:
    """Return the strength below which a share of the weights lies; they are summed up."""
    place = next(place for place, sum in enumerate(weights) if sum >= share * weights[-1])
    return float(_GRID[place])


COLUMNS = (
    "begun",
    "opponent",
    "size",
    "color",
    "swap",
    "clock",
    "plies",
    "won",
    "helped",
    "rated",
    "rating",
    "low",
    "high",
)


@dataclass(frozen=True)
class LadderGame:
    """A game that is over, with the rating after it if it counts."""

    game: KeptGame
    rating: Interval | None


def finished_games(games: Sequence[KeptGame], ladder: Ladder) -> list[LadderGame]:
    """Return the games that are over, in the same order; ``ladder`` is theirs."""
    ratings = dict(zip((game.begun for game in ladder.games), ladder.ratings, strict=True))
    over = [game for game in games if game.won is not None]
    return [LadderGame(game, ratings.get(game.begun)) for game in over]


def ladder_csv(games: Sequence[KeptGame]) -> str:
    """Return all games that are over as CSV, with the rating after each that counts."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for finished in finished_games(games, Ladder.of(games)):
        game = finished.game
        rating = finished.rating
        settings = game.settings.texts(Names.BLACK_WHITE)
        about = [settings[name] for name in ("opponent", "size")]
        rules = [settings[name] for name in ("swap", "clock")]
        values = (rating.value, rating.low, rating.high) if rating else ()
        yes_no = [_yes(each) for each in (game.won is True, game.helped, rating is not None)]
        written = [f"{value:.2f}" for value in values] or [""] * 3
        writer.writerow([game.begun, *about, game.color, *rules, game.ply, *yes_no, *written])
    return text.getvalue()


def ladder_json(games: Sequence[KeptGame]) -> dict[str, Any]:
    """Return the ladder and all games that are over as a JSON document."""
    ladder = Ladder.of(games)
    return {
        "rating": _rating_json(ladder.ratings[-1] if ladder.ratings else None),
        "next_level": ladder.next_level,
        "results": [{**asdict(row), "color": str(row.color)} for row in ladder.rows],
        "games": list(map(_game_json, finished_games(games, ladder))),
    }


def _game_json(finished: LadderGame) -> dict[str, Any]:
    game = finished.game
    settings = game.settings.texts(Names.BLACK_WHITE)
    return {
        "begun": game.begun,
        "opponent": game.settings.opponent,
        "size": settings["size"],
        "color": str(game.color),
        "swap": game.settings.swap,
        "clock": settings["clock"],
        "plies": game.ply,
        "won": game.won,
        "helped": game.helped,
        "rating": _rating_json(finished.rating),
    }


def _rating_json(rating: Interval | None) -> dict[str, float] | None:
    if rating is None:
        return None
    return {"value": rating.value, "low": rating.low, "high": rating.high}


def _yes(value: bool) -> str:
    return "yes" if value else "no"
