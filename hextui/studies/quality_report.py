"""The report of ``rank-quality``: mean Q with intervals, differences, and the paper's figures.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049). Section 4.3 reads from fig. 12,
which has a point a move, Q in the own network to the right and in the opponent's upwards, that
winners heed the opponent's network a little more: more moves above the diagonal than below.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from statistics import correlation, fmean

import numpy as np

from hextui.matches.intervals import Interval, mean_over_games
from hextui.matches.reports import Bars, Figure, RunReport, Series, effort
from hextui.matches.results import Document, RunError, Table
from hextui.studies.games import TIES, collection_name, qualities
from hextui.studies.readings import BY_NAME
from hextui.words.names import Names, counted

OWN, OPPONENT = "contribution-own:1", "contribution-opponent:1"
FEWEST_MOVES = 5
"""Means of turns with fewer moves are not drawn."""
RANGE = (-0.02, 1.02)
DIAGONAL = tuple(step / 20 for step in range(21))
PHASES = ("opening", "middle", "end")
LOW = 0.5
"""A Q below this is a low one."""
PAPER_GAMES = 22
DRAWS = 2000


@dataclass(frozen=True)
class Summary:
    """Statistics of one side's moves by one evaluator, reading and way of ties.

    ``q``: mean Q; ``phases``: by third of the game. Shares of moves: ``low``, with Q below 0.5;
    ``first``, with rank 1; ``exact``, without a limit.
    """

    reading: str
    player: str
    evaluator: str
    ties: str
    moves: int
    q: Interval
    low: float
    phases: tuple[Interval | None, ...]
    first: float
    exact: float


@dataclass(frozen=True)
class Comparison:
    """The mean difference of Q of two evaluators over the same moves, first less second."""

    reading: str
    player: str
    first: str
    second: str
    ties: str
    q: Interval


@dataclass(frozen=True)
class Diagonal:
    """Shares of moves above the diagonal of fig. 12, on it and below it, and the correlation.

    ``like_paper``: of many draws of as many games as the paper has, the share with more moves above
    than below. None: Q is constant in a network, or there are fewer games.
    """

    reading: str
    player: str
    ties: str
    above: float
    on: float
    below: float
    correlation: float | None
    like_paper: float | None


Parts = Sequence[tuple[str, str, Table]]
"""The rows of each reading and player."""


def evaluators(table: Table) -> tuple[str, ...]:
    """Return the evaluators that rows hold."""
    mark = " worst rank"
    return tuple(name[: -len(mark)] for name in table.columns if name.endswith(mark))


def parts(table: Table) -> Parts:
    """Return the rows of each reading and player that there are."""
    players = [name for name in ("winner", "loser") if name in table.distinct("player")]
    return [
        (reading, player, table.where(reading=reading, player=player))
        for reading in table.distinct("reading")
        for player in players
    ]


def _summary(rows: Table, reading: str, player: str, name: str, ties: str, seed: int) -> Summary:
    values = qualities(rows, name, ties)
    thirds = [rows.where(phase=phase) for phase in PHASES]
    means = tuple(_mean(third, name, ties, seed) if third.rows else None for third in thirds)
    q, low = _mean(rows, name, ties, seed), fmean(q < LOW for q in values)
    first = fmean(rank == "1" for rank in rows.column(f"{name} rank"))
    exact = fmean(map(float, rows.column(f"{name} exact")))
    return Summary(reading, player, name, ties, len(values), q, low, means, first, exact)


def _mean(rows: Table, name: str, ties: str, seed: int) -> Interval:
    return mean_over_games(qualities(rows, name, ties), rows.column("game"), seed)


def _comparisons(table: Table, ties: Sequence[str], seed: int) -> list[Comparison]:
    """Return what the paper says in words (sections 4.2, 4.3), as differences with intervals.

    k = 1 against 0, 2 against 1, in each network; the opponent's network against the own one.
    """
    pairs = [
        (f"contribution-{view}:{k}", f"contribution-{view}:{k - 1}")
        for view in ("own", "opponent")
        for k in (1, 2)
    ]
    pairs += [(f"contribution-opponent:{k}", f"contribution-own:{k}") for k in range(3)]
    there = set(evaluators(table))
    return [
        Comparison(reading, player, *pair, way, _difference(rows, *pair, way, seed))
        for reading, player, rows in parts(table)
        for pair in pairs
        if set(pair) <= there
        for way in ties
    ]


def _difference(rows: Table, first: str, second: str, ties: str, seed: int) -> Interval:
    pairs = zip(qualities(rows, first, ties), qualities(rows, second, ties), strict=True)
    return mean_over_games([a - b for a, b in pairs], rows.column("game"), seed)


def _diagonal(rows: Table, reading: str, player: str, ties: str, seed: int) -> Diagonal:
    """Return on which side of the diagonal the moves lie; the rows hold both networks."""
    own, opponent = (qualities(rows, name, ties) for name in (OWN, OPPONENT))
    sides = [(b > a) - (b < a) for a, b in zip(own, opponent, strict=True)]
    above, on, below = (sides.count(side) / len(sides) for side in (1, 0, -1))
    constant = len(set(own)) < 2 or len(set(opponent)) < 2
    found = None if constant else correlation(own, opponent)
    like_paper = _like_paper(sides, rows.column("game"), seed)
    return Diagonal(reading, player, ties, above, on, below, found, like_paper)


def _like_paper(sides: Sequence[int], games: Sequence[str], seed: int) -> float | None:
    """Return in which share of draws of the paper's number of games the sum is above 0."""
    by_game: dict[str, int] = dict.fromkeys(games, 0)
    for side, game in zip(sides, games, strict=True):
        by_game[game] += side
    if len(by_game) < PAPER_GAMES:
        return None
    sums = np.array(list(by_game.values()))
    drawn = np.random.default_rng(seed).integers(0, len(sums), (DRAWS, PAPER_GAMES))
    return float((sums[drawn].sum(axis=1) > 0).mean())


def report(table: Table, document: Document, _names: Names) -> RunReport:
    """Return the report; raises RunError if there are no rows."""
    if not table.rows:
        raise RunError("no moves: the filters leave no game, or no winner is known")
    seed, ties = document["settings"]["seed"], document["about"]["ties"]
    names, both = evaluators(table), {OWN, OPPONENT} <= set(evaluators(table))
    each = parts(table)
    summaries = [
        _summary(rows, r, p, n, w, seed) for r, p, rows in each for n in names for w in TIES
    ]
    comparisons = _comparisons(table, ties, seed)
    diagonals = [_diagonal(rows, r, p, way, seed) for r, p, rows in each for way in TIES if both]
    made = RunReport(
        f"How high the moves rank: {collection_name(document['settings']['collection'])}",
        {
            "summary": [asdict(one) for one in summaries],
            "differences": [asdict(one) for one in comparisons],
            "diagonal": [asdict(one) for one in diagonals],
        },
    )
    readings = table.distinct("reading")
    made.text(_games(table, document))
    made.text(
        "Q is 1 for the first of all legal moves and 0 for the last (eq. 7). Where\n"
        "moves tie, a move takes the *best* of the places that they share, the\n"
        "*middle* or the *worst*, or its own in the listing (*order*), where equal\n"
        "moves stand by their cells. Intervals draw whole games (bootstrap). *Exact*\n"
        "is the share of results that no limit cut short."
    )
    for reading in readings:
        if len(readings) > 1:
            made.heading(f"Reading {reading}: {BY_NAME[reading].choice}")
        _tables(made, [s for s in summaries if s.reading == reading], ties)
        _differences(made, [c for c in comparisons if c.reading == reading], ties)
        _sides(made, [d for d in diagonals if d.reading == reading])
    if len(readings) > 1 and both:
        made.heading("The readings")
        _readings(made, each, ties, seed)
    made.pictures(figures(each, names, ties, seed))
    return made


def _games(table: Table, document: Document) -> str:
    """Return how many games and moves there are, and how long the ranking took."""
    about = document["about"]
    games = counted(len(table.distinct("game")), "game")
    moves = counted(len(table.rows) // len(table.distinct("reading")), "move")
    left_out = ", ".join(f"{n} ({reason})" for reason, n in about["left_out"]) or "none"
    return (
        f"{games}, {moves}. {counted(about['read'], 'game')} read; left out: {left_out}.\n"
        f"{effort(document)}"
    )


def _tables(made: RunReport, summaries: Sequence[Summary], ties: Sequence[str]) -> None:
    """Add mean Q, the share of low Q, and mean Q by third of the game, of one reading."""
    groups = [
        {summary.ties: summary for summary in group}
        for _, group in groupby(summaries, key=lambda s: (s.player, s.evaluator))
    ]
    means, shares = [], []
    for group in groups:
        one = group[ties[0]]
        name = [one.player, one.evaluator]
        ends = [f"{one.first:.3f}", f"{one.exact:.4f}"]
        means.append([*name, str(one.moves), *(f"{group[way].q}" for way in ties), *ends])
        values = [group[way].q.value for way in TIES] + [group[way].low for way in TIES]
        shares.append([*name, *(f"{value:.3f}" for value in values)])
    head = ["player", "evaluator", "moves", *(f"ties {way}" for way in ties), "rank 1", "exact"]
    made.table(head, means, "Mean Q with 95 % intervals")
    head = ["player", "evaluator", *(f"{what} {way}" for what in ("Q", "low") for way in TIES)]
    made.table(head, shares, "Mean Q, and the share of moves with Q below 0.5")
    for way in ties:
        rows = [
            [one.player, one.evaluator, *("-" if p is None else f"{p}" for p in one.phases)]
            for one in (group[way] for group in groups)
        ]
        caption = f"Mean Q by third of the game, ties {way}"
        made.table(["player", "evaluator", *PHASES], rows, caption)


def _differences(made: RunReport, comparisons: Sequence[Comparison], ties: Sequence[str]) -> None:
    rows = [
        [player, f"{first} - {second}", *(f"{one.q:+.3f}" for one in group)]
        for (player, first, second), group in groupby(
            comparisons, key=lambda c: (c.player, c.first, c.second)
        )
    ]
    if rows:
        head = ["player", "difference", *(f"ties {way}" for way in ties)]
        made.table(head, rows, "Differences of mean Q over the same moves")


def _sides(made: RunReport, diagonals: Sequence[Diagonal]) -> None:
    """Add on which side of fig. 12's diagonal the moves of one reading lie, if that is known."""
    rows = [
        [
            one.player,
            one.ties,
            *(f"{share:.3f}" for share in (one.above, one.on, one.below)),
            *("-" if x is None else f"{x:.3f}" for x in (one.correlation, one.like_paper)),
        ]
        for one in diagonals
    ]
    if rows:
        games = f"{PAPER_GAMES} games"
        made.table(
            ["player", "ties", "above", "on", "below", "correlation", games],
            rows,
            "Q in the opponent's network above, on or below Q in the own one, k = 1\n"
            f"(fig. 12), and in which share of draws of {games}, as the paper has, more\n"
            "moves lie above than below",
        )


def _readings(made: RunReport, each: Parts, ties: Sequence[str], seed: int) -> None:
    """Add mean Q for k = 1 in both networks, and their difference, by reading and ties."""
    lines = []
    for reading, player, rows in each:
        for way in ties:
            means = [f"{fmean(qualities(rows, name, way)):.3f}" for name in (OWN, OPPONENT)]
            gap = f"{_difference(rows, OPPONENT, OWN, way, seed):+.3f}"
            lines.append([reading, BY_NAME[reading].choice, player, way, *means, gap])
    head = ["reading", "choice", "player", "ties", "own:1", "opponent:1", "opponent - own"]
    made.table(head, lines)


# Figures


def figures(parts: Parts, names: Sequence[str], ties: Sequence[str], seed: int) -> list[Figure]:
    """Return the figures of the paper's section 4.2 for each way of ties, and mean Q.

    ``q-own`` and ``q-opponent`` are figs. 10 and 11, ``q-own-opponent`` is fig. 12; the rest of a
    file's name tells ties, the loser, and the reading. Figures of one title stand side by side.
    """
    several = len({reading for reading, _, _ in parts}) > 1
    found: list[Figure] = []
    for reading, player, rows in parts:
        whose = f"{player}'s moves" + (f", reading {reading}" if several else "")
        suffix = ("" if player == "winner" else "-loser") + (f"-{reading}" if several else "")
        found += _of_moves(rows, names, ties, whose, suffix, seed)
    return found


def _of_moves(
    rows: Table, names: Sequence[str], ties: Sequence[str], whose: str, suffix: str, seed: int
) -> Iterator[Figure]:
    for view, number in (("own", 10), ("opponent", 11)):
        shown = [name for name in names if name.startswith(f"contribution-{view}:")]
        if shown:
            title = f"Q of the {whose}, {view} network (paper: fig. {number})"
            for way in ties:
                yield _over_turns(rows, f"q-{view}-{way}{suffix}", title, shown, way)
    if {OWN, OPPONENT} <= set(names):
        for way in ties:
            yield _own_against_opponent(rows, f"q-own-opponent-{way}{suffix}", whose, way)
    others = [name for name in names if not name.startswith("contribution-")]
    if others:
        for way in ties:
            name, title = f"q-others-{way}{suffix}", f"Q of the {whose}"
            yield _over_turns(rows, name, title, others, way, cloud=False)
    bars = [
        Bars(f"ties {way}", names, [_mean(rows, name, way, seed) for name in names]) for way in TIES
    ]
    title = f"Mean Q of the {whose}, 95 % intervals"
    yield Figure(f"q-mean{suffix}", title, "", "mean Q", bars=tuple(bars), y_range=(0.0, 1.0))


def _over_turns(
    rows: Table, name: str, title: str, shown: Sequence[str], ties: str, cloud: bool = True
) -> Figure:
    """Return Q over the turn: points of k = 1, and means of all."""
    turns = tuple(float(ply) for ply in rows.column("ply"))
    points: tuple[Series, ...] = ()
    if cloud:
        middle = next((each for each in shown if each.endswith(":1")), shown[0])
        points = (Series(middle, turns, tuple(qualities(rows, middle, ties))),)
    lines = []
    for each in shown:
        by_turn: dict[float, list[float]] = defaultdict(list)
        for turn, q in zip(turns, qualities(rows, each, ties), strict=True):
            by_turn[turn].append(q)
        kept = sorted(turn for turn, values in by_turn.items() if len(values) >= FEWEST_MOVES)
        if kept:
            means = tuple(fmean(by_turn[turn]) for turn in kept)
            lines.append(Series(f"{each}, mean", tuple(kept), means))
    return Figure(name, title, "turn", f"Q, ties {ties}", points, tuple(lines), y_range=RANGE)


def _own_against_opponent(rows: Table, name: str, whose: str, ties: str) -> Figure:
    own, opponent = (tuple(qualities(rows, each, ties)) for each in (OWN, OPPONENT))
    above = fmean(b > a for a, b in zip(own, opponent, strict=True))
    below = fmean(b < a for a, b in zip(own, opponent, strict=True))
    label = f"moves: {above:.0%} above the diagonal, {below:.0%} below"
    return Figure(
        name,
        f"Q of the {whose}, k = 1 (paper: fig. 12)",
        f"Q, own network, ties {ties}",
        f"Q, opponent's network, ties {ties}",
        (Series(label, own, opponent),),
        (Series("equal", DIAGONAL, DIAGONAL),),
        y_range=RANGE,
        square=True,
    )
