"""Figures and tables of study reports, recomputed from rows.csv in plain Python.

Nothing of the program is used: a row is a dict of texts, as csv.DictReader gives it. The paper
is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

import csv
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean

Row = dict[str, str]
TIES = ("best", "middle", "worst", "order")
Z = 1.959963984540054
PLAYERS = ("E", "E_0", "E_1", "E_2")


def read(path: Path) -> list[Row]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def where(rows: Iterable[Row], **wanted: str) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def q(row: Row, evaluator: str, ties: str) -> float:
    """Eq. 7 of the paper, for one of the places that equal moves share."""
    best, worst = int(row[f"{evaluator} rank"]), int(row[f"{evaluator} worst rank"])
    places = {"best": best, "worst": worst, "middle": (best + worst) / 2}
    places["order"] = int(row[f"{evaluator} place"])
    n = int(row["candidates"])
    return 1.0 if n == 1 else 1 - (places[ties] - 1) / (n - 1)


def mean_q(rows: Sequence[Row], evaluator: str, ties: str) -> float:
    return fmean(q(row, evaluator, ties) for row in rows)


def low(rows: Sequence[Row], evaluator: str, ties: str) -> float:
    return fmean(q(row, evaluator, ties) < 0.5 for row in rows)


def mean_by_turn(rows: Sequence[Row], evaluator: str, ties: str, fewest: int) -> dict[int, float]:
    by_turn: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        by_turn[int(row["ply"])].append(q(row, evaluator, ties))
    return {turn: fmean(v) for turn, v in by_turn.items() if len(v) >= fewest}


def diagonal(rows: Sequence[Row], ties: str) -> tuple[float, float, float]:
    """Shares of moves above, on and below the diagonal of fig. 12."""
    pairs = [
        (q(r, "contribution-own:1", ties), q(r, "contribution-opponent:1", ties)) for r in rows
    ]
    return (
        fmean(y > x for x, y in pairs),
        fmean(y == x for x, y in pairs),
        fmean(y < x for x, y in pairs),
    )


def resampled(
    rows: Sequence[Row], value: Callable[[Row], float], group: str, samples: int = 1000
) -> tuple[float, float]:
    """The 95% percentile interval of a mean, drawing whole groups of rows."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[row[group]].append(value(row))
    lists, rng = list(groups.values()), random.Random(1)
    means = []
    for _ in range(samples):
        drawn = rng.choices(lists, k=len(lists))
        means.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    means.sort()
    return means[round(0.025 * samples)], means[round(0.975 * samples) - 1]


def wilson(wins: int, games: int) -> tuple[float, float, float]:
    """A share with the ends that solve |share - p| = z sqrt(p (1 - p) / n)."""
    share = wins / games
    a, b, c = 1 + Z * Z / games, -(2 * share + Z * Z / games), share * share
    root = math.sqrt(b * b - 4 * a * c)
    return share, max(0.0, (-b - root) / (2 * a)), min(1.0, (-b + root) / (2 * a))


def newcombe(one: tuple[float, float, float], two: tuple[float, float, float]) -> list[float]:
    """The difference of two shares and the ends of its interval."""
    gap = one[0] - two[0]
    down = math.sqrt((one[0] - one[1]) ** 2 + (two[2] - two[0]) ** 2)
    up = math.sqrt((one[2] - one[0]) ** 2 + (two[0] - two[1]) ** 2)
    return [gap, gap - down, gap + up]


def won(rows: Sequence[Row], player: str, side: str) -> list[bool]:
    """Of the games of table 1 against E, whether the player won."""
    other = {"first": "second", "second": "first"}[side]
    own = where(rows, table="1", **{side: player, other: "E"})
    return [row["winner"] == side for row in own]


def wins_by_opening(rows: Sequence[Row]) -> list[list[int]]:
    """How many openings the first player wins, by first and by second player."""
    own = where(rows, table="every opening", winner="first")
    return [
        [len(where(own, first=first, second=second)) for second in PLAYERS] for first in PLAYERS
    ]


def partings(rows: Sequence[Row]) -> dict[str, int]:
    """How pairs of games part that differ in the k of one player."""
    found = dict.fromkeys(("pairs", "equal", "proved", "not proved", "other winner"), 0)
    games = [r for r in rows if "E" not in (r["first"], r["second"])]
    for one, two in product(games, games):
        differ = (one["first"] != two["first"]) + (one["second"] != two["second"])
        before = (one["first"], one["second"]) < (two["first"], two["second"])
        if one["opening"] != two["opening"] or differ != 1 or not before:
            continue
        found["pairs"] += 1
        if one["moves"] == two["moves"]:
            found["equal"] += 1
            continue
        a, b = one["moves"].split(), two["moves"].split()
        shared = next(i for i in range(len(a)) if a[i] != b[i])
        found["proved" if shared >= int(one["proved after"]) else "not proved"] += 1
        found["other winner"] += one["winner"] != two["winner"]
    return found
