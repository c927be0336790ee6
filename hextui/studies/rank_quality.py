"""The study ``rank-quality``: how high evaluators rank the moves of a collection's players.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4. For every move of the
winner, its place by k-contribution in the own and in the opponent's network with virtual links,
k = 0, 1, 2; on demand, any other evaluator, and the loser's moves. The report has mean Q with
intervals, differences (of others: to k-contribution in both networks), and figs. 10 to 12.

The paper does not say what place a move takes that ties with others. So the rows keep the best and
the worst of the places that they share, and the move's own place in the listing, where equal moves
are in row order.

Section 4.3 reads from fig. 12, which has a point a move, Q in the own network to the right and in
the opponent's upwards, that winners heed the opponent's network a little more: more moves above the
diagonal than below.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from operator import itemgetter
from pathlib import Path
from statistics import correlation, fmean

import numpy as np

from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.ranking import qualities
from hextui.records.codecs.sgf import read_sgf
from hextui.runs.experiment import Experiment
from hextui.runs.intervals import mean_over_games
from hextui.runs.proportions import Interval
from hextui.runs.reports import Bars, Figure, RunReport, Series, effort
from hextui.runs.results import Document, Row, RunError, Table
from hextui.studies.games import (
    TIES,
    Collection,
    Filters,
    GameTask,
    MoveChoice,
    choices,
    collection_name,
    q_of_rows,
)
from hextui.studies.readings import BY_NAME, Reading, reading_named
from hextui.text import Names, counted

PAPER_EVALUATORS = tuple(
    f"contribution-{view}:{k}" for view in ("own", "opponent") for k in range(3)
)
MOVE_COLUMNS = (
    *("reading", "game", "size", "plies"),
    *("ply", "player", "color", "move", "candidates"),
)
MEASURES = ("rank", "worst rank", "place", "exact")
OWN, OPPONENT = "contribution-own:1", "contribution-opponent:1"
FEWEST_MOVES = 5
"""Means of turns with fewer moves are not drawn."""
RANGE = (-0.02, 1.02)
DIAGONAL = tuple(step / 20 for step in range(21))
LOW = 0.5
"""A Q below this is a low one."""
PAPER_GAMES = 22
DRAWS = 2000


@dataclass(frozen=True)
class RankQuality:
    """The work on one game, as a worker gets it; ``losers``: the loser's moves too."""

    evaluators: tuple[str, ...] = PAPER_EVALUATORS
    losers: bool = False
    readings: tuple[Reading, ...] = (BY_NAME["default"],)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the rows: the move, then four measures an evaluator."""
        measures = (f"{name} {measure}" for name in self.evaluators for measure in MEASURES)
        return (*MOVE_COLUMNS, *measures)

    def __call__(self, game: GameTask) -> list[Row]:
        """Return one row a reading and move."""
        moves_chosen = list(choices(read_sgf(game.text)))
        plies = max((choice.ply for choice in moves_chosen), default=0)
        # readings with the same connections share the search of a position
        rows = [
            (place, self._row(reading, game.number, plies, choice))
            for choice in moves_chosen
            if choice.won or self.losers
            for place, reading in enumerate(self.readings)
        ]
        return [row for _, row in sorted(rows, key=itemgetter(0))]

    def _row(self, reading: Reading, number: int, plies: int, choice: MoveChoice) -> Row:
        board, position = choice.position.board, choice.position.without_swap
        bench = bench_at(position, reading.connections)
        player = "winner" if choice.won else "loser"
        color = str(choice.position.to_move)
        turn: Row = (reading.name, number, str(board), plies, choice.ply)
        move: Row = (player, color, board.name(choice.cell), len(choice.position.empties))
        row = [*turn, *move]
        for name in self.evaluators:
            *_, ranking = evaluator(reading.with_options(name)).rank(bench)
            quality = qualities(ranking)[choice.cell]
            place = ranking.moves.index(ranking.by_cell[choice.cell]) + 1
            row += [quality.rank, quality.worst_rank, place, int(ranking.exact)]
        return tuple(row)


def experiment(
    work: RankQuality,
    collection: Collection,
    files: Sequence[tuple[Path, str]],
    filters: Filters,
    ties: Sequence[str],
    seed: int,
) -> Experiment:
    """Return the study of a collection; ``files``: those that it was read from, with digests."""
    settings = {
        "collection": [{"name": path.name, "sha256": digest} for path, digest in files],
        "filters": asdict(filters),
        "evaluators": list(work.evaluators),
        "players": "both" if work.losers else "winner",
        "readings": [asdict(reading) for reading in work.readings],
        "seed": seed,
    }
    about = {
        "read": collection.read,
        "left_out": [list(pair) for pair in collection.reasons],
        "ties": list(ties),
    }
    tasks = {game.number: game for game in collection.games}
    cells = {game.cells for game in collection.games}
    return Experiment(
        study="rank-quality",
        settings=settings,
        columns=work.columns,
        tasks=tasks,
        work=work,
        report=report,
        cells=cells,
        about=about,
    )


@dataclass(frozen=True)
class PlayerMoves:
    """The moves of one reading and player; ``seed`` draws the games of its intervals."""

    reading: str
    player: str
    rows: Table
    seed: int

    @property
    def about(self) -> Document:
        """The fields that say in the JSON document whose moves something is about."""
        return {"reading": self.reading, "player": self.player}

    def q(self, evaluator: str, ties: str) -> list[float]:
        """Return Q of each move by an evaluator."""
        return q_of_rows(self.rows, evaluator, ties)

    def mean(self, evaluator: str, ties: str) -> Interval:
        """Return the mean Q."""
        return mean_over_games(self.q(evaluator, ties), self.rows.column("game"), self.seed)

    def share_low(self, evaluator: str, ties: str) -> Interval:
        """Return the share of moves with a low Q."""
        low = [float(q < LOW) for q in self.q(evaluator, ties)]
        return mean_over_games(low, self.rows.column("game"), self.seed)

    def difference(self, first: str, second: str, ties: str) -> Interval:
        """Return the mean difference of Q of two evaluators over the same moves."""
        both = zip(self.q(first, ties), self.q(second, ties), strict=True)
        return mean_over_games([a - b for a, b in both], self.rows.column("game"), self.seed)


def parts(table: Table, seed: int) -> list[PlayerMoves]:
    """Return the rows of each reading and player that there are."""
    players = [name for name in ("winner", "loser") if name in table.distinct("player")]
    return [
        PlayerMoves(reading, player, table.where(reading=reading, player=player), seed)
        for reading in table.distinct("reading")
        for player in players
    ]


def report(table: Table, document: Document, _names: Names) -> RunReport:
    """Return the report; raises RunError if there are no rows."""
    if not table.rows:
        raise RunError("no moves: the filters leave no game, or no winner is known")
    settings = document["settings"]
    ties = document["about"]["ties"]
    names = settings["evaluators"]
    readings = table.distinct("reading")
    both = {OWN, OPPONENT} <= set(names)
    made = RunReport(
        f"How high the moves rank: {collection_name(settings['collection'])}",
        {"summary": [], "differences": [], "diagonal": []},
    )
    made.text(_games(table, document))
    made.text(
        "Q is 1 for the first of all legal moves and 0 for the last (eq. 7). Where\n"
        "moves tie, a move takes the *best* of the places that they share, the\n"
        "*middle* or the *worst*, or its own in the listing (*order*), where equal\n"
        "moves stand by their cells. Intervals draw whole games (bootstrap). *Exact*\n"
        "is the share of results that no limit cut short."
    )
    each = parts(table, settings["seed"])
    for reading in readings:
        if len(readings) > 1:
            made.heading(f"Reading {reading}: {reading_named(reading).choice}")
        own = [part for part in each if part.reading == reading]
        _add_means(made, own, names, ties)
        _add_differences(made, own, names, ties)
        if both:
            _add_sides(made, own)
    made.pictures([f for part in each for f in _figures(part, names, ties, len(readings) > 1)])
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


@dataclass(frozen=True)
class _Statistics:
    """The statistics of an evaluator over moves; ``mean`` Q and the share of ``low`` Q by ties.

    ``first`` is the share of moves with rank 1, ``exact`` of those ranked without a limit.
    """

    moves: int
    mean: Mapping[str, Interval]
    low: Mapping[str, Interval]
    first: float
    exact: float

    def entry(self, way: str) -> Document:
        """Return the fields of the JSON document for a way of ties."""
        return {
            "moves": self.moves,
            "q": asdict(self.mean[way]),
            "low": asdict(self.low[way]),
            "first": self.first,
            "exact": self.exact,
        }


def _statistics(part: PlayerMoves, name: str) -> _Statistics:
    return _Statistics(
        moves=len(part.rows.rows),
        mean={way: part.mean(name, way) for way in TIES},
        low={way: part.share_low(name, way) for way in TIES},
        first=fmean(rank == "1" for rank in part.rows.column(f"{name} rank")),
        exact=fmean(map(float, part.rows.column(f"{name} exact"))),
    )


def _add_means(
    made: RunReport, each: Sequence[PlayerMoves], names: Sequence[str], ties: Sequence[str]
) -> None:
    """Add statistics of each evaluator, by ties: mean Q and shares of moves."""
    means = []
    shares = []
    for part, name in product(each, names):
        its = _statistics(part, name)
        for way in TIES:
            entry = {**part.about, "evaluator": name, "ties": way, **its.entry(way)}
            made.document["summary"].append(entry)
        who = [part.player, name]
        mean_texts = [f"{its.mean[way]}" for way in ties]
        means.append([*who, str(its.moves), *mean_texts, f"{its.first:.3f}", f"{its.exact:.4f}"])
        values = [*its.mean.values(), *its.low.values()]
        shares.append([*who, *(f"{each.value:.3f}" for each in values)])
    head = ["player", "evaluator", "moves", *(f"ties {way}" for way in ties), "rank 1", "exact"]
    made.table(head, means, "Mean Q with 95% intervals")
    measures = [f"{what} {way}" for what in ("Q", "low") for way in TIES]
    made.table(
        ["player", "evaluator", *measures],
        shares,
        "Mean Q, and the share of moves with Q below 0.5",
    )


def _add_differences(
    made: RunReport, each: Sequence[PlayerMoves], names: Sequence[str], ties: Sequence[str]
) -> None:
    """Add what the paper says in words (sections 4.2, 4.3), as differences with intervals."""
    rows = []
    for part, (first, second) in product(each, _compared(names)):
        if {first, second} <= set(names):
            gaps = {way: part.difference(first, second, way) for way in TIES}
            pair = {**part.about, "first": first, "second": second}
            made.document["differences"] += [
                {**pair, "ties": way, "q": asdict(gap)} for way, gap in gaps.items()
            ]
            shown = [f"{gaps[way]:+.3f}" for way in ties]
            rows.append([part.player, f"{first} - {second}", *shown])
    if rows:
        head = ["player", "difference", *(f"ties {way}" for way in ties)]
        made.table(head, rows, "Differences of mean Q over the same moves")


def _compared(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of evaluators that the paper compares, then others with a contribution.

    The paper: k = 1 with 0, 2 with 1, in each network; the opponent's network with the own one.
    Any other evaluator of the ``names``: with each k-contribution of both networks among them.
    """
    pairs = []
    for view, k in product(("own", "opponent"), (1, 2)):
        pairs.append((f"contribution-{view}:{k}", f"contribution-{view}:{k - 1}"))
    for k in range(3):
        pairs.append((f"contribution-opponent:{k}", f"contribution-own:{k}"))
    both = [name for name in names if name.startswith("contribution-both:")]
    others = [name for name in names if not name.startswith("contribution-")]
    return [*pairs, *product(others, both)]


def _add_sides(made: RunReport, each: Sequence[PlayerMoves]) -> None:
    """Add the shares of moves above the diagonal of fig. 12, on it and below it, of one reading.

    ``high_in_both``: the share of moves whose Q is not low in either network.
    ``like_paper``: of many draws of as many games as the paper has, the share with more moves above
    than below; None if there are fewer games. ``correlation`` is None if Q is constant in a
    network.
    """
    rows = []
    for part, way in product(each, TIES):
        sides = _sides(part, way)
        own = part.q(OWN, way)
        opponent = part.q(OPPONENT, way)
        above, on, below = (sides.count(side) / len(sides) for side in (1, 0, -1))
        constant = len(set(own)) < 2 or len(set(opponent)) < 2
        numbers = {
            "above": above,
            "on": on,
            "below": below,
            "correlation": None if constant else correlation(own, opponent),
            "like_paper": _like_paper(sides, part.rows.column("game"), part.seed),
        }
        high = [float(min(pair) >= LOW) for pair in zip(own, opponent, strict=True)]
        in_both = mean_over_games(high, part.rows.column("game"), part.seed)
        entry = {**part.about, "ties": way, **numbers, "high_in_both": asdict(in_both)}
        made.document["diagonal"].append(entry)
        row = [part.player, way]
        for value in numbers.values():
            row.append("-" if value is None else f"{value:.3f}")
        rows.append(row)
    games = f"{PAPER_GAMES} games"
    made.table(
        ["player", "ties", "above", "on", "below", "correlation", games],
        rows,
        "Q in the opponent's network above, on or below Q in the own one, k = 1\n"
        f"(fig. 12), and in which share of draws of {games}, as the paper has, more\n"
        "moves lie above than below",
    )


def _sides(part: PlayerMoves, ties: str) -> list[int]:
    """Return 1 for a move above the diagonal of fig. 12, 0 for one on it, -1 below it."""
    both = zip(part.q(OWN, ties), part.q(OPPONENT, ties), strict=True)
    return [_side(own, opponent) for own, opponent in both]


def _side(own: float, opponent: float) -> int:
    if opponent == own:
        return 0
    return 1 if opponent > own else -1


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


def _figures(
    part: PlayerMoves, names: Sequence[str], ties: Sequence[str], several: bool
) -> Iterator[Figure]:
    """Yield the figures of the paper's section 4.2 for each way of ties, and mean Q.

    ``q-own`` and ``q-opponent`` are figs. 10 and 11, ``q-own-opponent`` is fig. 12; the rest of a
    file's name tells ties, the loser, and the reading if there are several. Figures of one title
    stand side by side.
    """
    whose = f"{part.player}'s moves"
    suffix = "" if part.player == "winner" else "-loser"
    if several:
        whose += f", reading {part.reading}"
        suffix += f"-{part.reading}"
    figures = _MoveFigures(part, ties, whose, suffix)
    for view, number in (("own", 10), ("opponent", 11)):
        yield from figures.of_network(view, number, names)
    if {OWN, OPPONENT} <= set(names):
        yield from figures.of_both_networks()
    yield from figures.of_others(names)
    yield figures.of_means(names)


@dataclass(frozen=True)
class _MoveFigures:
    """Figures about one player's moves: ``whose``, in titles; ``suffix`` ends their names."""

    part: PlayerMoves
    ties: Sequence[str]
    whose: str
    suffix: str

    def of_network(self, view: str, number: int, names: Sequence[str]) -> Iterator[Figure]:
        """Yield Q over the turns by contribution in one network, as in a figure of the paper."""
        shown = [name for name in names if name.startswith(f"contribution-{view}:")]
        if not shown:
            return
        title = f"Q of the {self.whose}, {view} network (paper: fig. {number})"
        cloud = next((name for name in shown if name.endswith(":1")), shown[0])
        for way in self.ties:
            name = f"q-{view}-{way}{self.suffix}"
            yield _over_turns(self.part, name, title, shown, way, cloud)

    def of_both_networks(self) -> Iterator[Figure]:
        """Yield Q in the opponent's network against Q in the own one."""
        for way in self.ties:
            name = f"q-own-opponent-{way}{self.suffix}"
            yield _own_against_opponent(self.part, name, self.whose, way)

    def of_others(self, names: Sequence[str]) -> Iterator[Figure]:
        """Yield Q over the turns by all other evaluators, if there are any."""
        others = [name for name in names if not name.startswith("contribution-")]
        if not others:
            return
        for way in self.ties:
            name = f"q-others-{way}{self.suffix}"
            yield _over_turns(self.part, name, f"Q of the {self.whose}", others, way)

    def of_means(self, names: Sequence[str]) -> Figure:
        """Return the mean Q by each evaluator and way of ties."""
        bars = []
        for way in TIES:
            means = [self.part.mean(name, way) for name in names]
            bars.append(Bars(f"ties {way}", names, means))
        return Figure(
            name=f"q-mean{self.suffix}",
            title=f"Mean Q of the {self.whose}, 95% intervals",
            x_label="",
            y_label="mean Q",
            bars=tuple(bars),
            y_range=(0.0, 1.0),
        )


def _over_turns(
    part: PlayerMoves,
    name: str,
    title: str,
    shown: Sequence[str],
    ties: str,
    cloud: str | None = None,
) -> Figure:
    """Return the means of Q over the turn, and the points of the evaluator ``cloud``."""
    turns = tuple(float(ply) for ply in part.rows.column("ply"))
    points = (Series(cloud, turns, tuple(part.q(cloud, ties))),) if cloud else ()
    lines = []
    for each in shown:
        by_turn: dict[float, list[float]] = defaultdict(list)
        for turn, q in zip(turns, part.q(each, ties), strict=True):
            by_turn[turn].append(q)
        kept = sorted(turn for turn, values in by_turn.items() if len(values) >= FEWEST_MOVES)
        if kept:
            means = tuple(fmean(by_turn[turn]) for turn in kept)
            lines.append(Series(f"{each}, mean", tuple(kept), means))
    return Figure(
        name=name,
        title=title,
        x_label="turn",
        y_label=f"Q, ties {ties}",
        points=points,
        lines=tuple(lines),
        y_range=RANGE,
    )


def _own_against_opponent(part: PlayerMoves, name: str, whose: str, ties: str) -> Figure:
    sides = _sides(part, ties)
    above, below = (sides.count(side) / len(sides) for side in (1, -1))
    label = f"moves: {above:.0%} above the diagonal, {below:.0%} below"
    return Figure(
        name=name,
        title=f"Q of the {whose}, k = 1 (paper: fig. 12)",
        x_label=f"Q, own network, ties {ties}",
        y_label=f"Q, opponent's network, ties {ties}",
        points=(Series(label, tuple(part.q(OWN, ties)), tuple(part.q(OPPONENT, ties))),),
        lines=(Series("equal", DIAGONAL, DIAGONAL),),
        y_range=RANGE,
        square=True,
    )
