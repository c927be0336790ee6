"""What the rows of ``rank-quality`` say: means with intervals, differences, and a report.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from statistics import fmean

from hextui.matches.figures import Figure
from hextui.matches.intervals import Interval, mean_over_games
from hextui.matches.reports import escape_markdown, markdown_table
from hextui.matches.results import Document, StudyError, Table
from hextui.studies.networks import (
    OPPONENT,
    OWN,
    PAPER_GAMES,
    Diagonal,
    has_both_networks,
    sides_of_diagonal,
)
from hextui.studies.rank_quality import PHASES, evaluators, players, readings
from hextui.studies.readings import BY_NAME
from hextui.studies.ties import TIES, qualities
from hextui.studies.titles import collection_name
from hextui.words.names import counted

LOW = 0.5
"""A Q below this is a low one."""


@dataclass(frozen=True)
class Summary:
    """What an evaluator makes of one side's moves by one reading and one way of ties.

    ``q``: mean Q. ``low``: share of moves with Q below 0.5. ``phases``: mean Q by third of the
    game, None where there are no moves. ``first``: share of moves with rank 1. ``exact``: share
    of exact results.
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


def summarise(table: Table, seed: int) -> list[Summary]:
    """Return a summary a reading, player, evaluator and way of ties.

    ``seed`` draws the bootstrap's games.
    """
    return [
        _summary(own, reading, player, name, ties, seed)
        for reading, player, own in _parts(table)
        for name in evaluators(table)
        for ties in TIES
    ]


def _parts(table: Table) -> Iterator[tuple[str, str, Table]]:
    """Yield the rows of each reading and player."""
    for reading in readings(table):
        for player in players(table):
            yield reading, player, table.where("reading", reading).where("player", player)


def _summary(table: Table, reading: str, player: str, name: str, ties: str, seed: int) -> Summary:
    values = qualities(table, name, ties)
    phases = [table.where("phase", phase) for phase in PHASES]
    return Summary(
        reading,
        player,
        name,
        ties,
        len(values),
        mean_over_games(values, table.column("game"), seed),
        fmean(q < LOW for q in values),
        tuple(_mean(phase, name, ties, seed) if phase.rows else None for phase in phases),
        fmean(rank == "1" for rank in table.column(f"{name} rank")),
        fmean(map(float, table.column(f"{name} exact"))),
    )


def _mean(table: Table, name: str, ties: str, seed: int) -> Interval:
    return mean_over_games(qualities(table, name, ties), table.column("game"), seed)


def compare(table: Table, ties: Sequence[str], seed: int) -> list[Comparison]:
    """Return what the paper says in words (sections 4.2, 4.3), as differences with intervals.

    k = 1 against 0, 2 against 1, each network for itself; the opponent's network against the
    own one. Only of evaluators that the rows hold.
    """
    pairs = [
        (f"contribution-{view}:{k}", f"contribution-{view}:{k - 1}")
        for view in ("own", "opponent")
        for k in (1, 2)
    ]
    pairs += [(f"contribution-opponent:{k}", f"contribution-own:{k}") for k in range(3)]
    there = set(evaluators(table))
    return [
        Comparison(reading, player, *pair, way, _mean_difference(own, *pair, way, seed))
        for reading, player, own in _parts(table)
        for pair in pairs
        if set(pair) <= there
        for way in ties
    ]


def _mean_difference(table: Table, first: str, second: str, ties: str, seed: int) -> Interval:
    pairs = zip(qualities(table, first, ties), qualities(table, second, ties), strict=True)
    return mean_over_games([a - b for a, b in pairs], table.column("game"), seed)


def diagonals(table: Table, seed: int) -> list[tuple[str, str, Diagonal]]:
    """Return reading, player, and on which side of fig. 12's diagonal the moves lie, by ties."""
    if not has_both_networks(table):
        return []
    return [
        (reading, player, sides_of_diagonal(own, ties, seed))
        for reading, player, own in _parts(table)
        for ties in TIES
    ]


def report(table: Table, settings: Document, drawn: Sequence[Figure]) -> str:
    """Return the report in Markdown; raises StudyError if there are no rows."""
    if not table.rows:
        raise StudyError("no moves: the filters leave no game, or no winner is known")
    seed, ties = settings["settings"]["seed"], settings["about"]["ties"]
    name = escape_markdown(collection_name(settings["settings"]["collection"]))
    parts = [f"# How high the moves rank: {name}\n", _about(table, settings)]
    summaries, comparisons = summarise(table, seed), compare(table, ties, seed)
    lying = diagonals(table, seed)
    several = len(readings(table)) > 1
    for reading in readings(table):
        own = [s for s in summaries if s.reading == reading]
        if several:
            parts.append(f"## Reading {reading}: {BY_NAME[reading].choice}\n")
        parts.append("Mean Q with 95 % intervals\n\n" + summary_table(own, ties) + "\n")
        parts.append("Mean Q, and the share of moves with Q below 0.5\n\n" + _ties(own) + "\n")
        for way in ties:
            text = phase_table([s for s in own if s.ties == way])
            parts.append(f"Mean Q by third of the game, ties {way}\n\n{text}\n")
        if differences := [c for c in comparisons if c.reading == reading]:
            text = _comparisons(differences, ties)
            parts.append(f"Differences of mean Q over the same moves\n\n{text}\n")
        if sides := [(player, d) for name, player, d in lying if name == reading]:
            parts.append(_diagonals(sides))
    if several and lying:
        parts.append("## The readings\n\n" + readings_table(table, ties, seed) + "\n")
    if drawn:
        parts += ["## Figures\n", *_pictures(drawn)]
    return "\n".join(parts)


def document(table: Table, settings: Document) -> Document:
    """Return summary, differences and the sides of the diagonal as JSON."""
    seed, ties = settings["settings"]["seed"], settings["about"]["ties"]
    return {
        "summary": [asdict(summary) for summary in summarise(table, seed)],
        "differences": [asdict(comparison) for comparison in compare(table, ties, seed)],
        "diagonal": [
            {"reading": reading, "player": player, **asdict(diagonal)}
            for reading, player, diagonal in diagonals(table, seed)
        ],
    }


def _about(table: Table, settings: Document) -> str:
    about = settings["about"]
    games = len(set(table.column("game")))
    moves = len(table.rows) // len(readings(table))
    lines = [
        f"{counted(games, 'game')}, {counted(moves, 'move')}. "
        f"{counted(about['read'], 'game')} read; left out: "
        + (", ".join(f"{n} ({reason})" for reason, n in about["left_out"]) or "none")
        + ".",
        f"CPU time {settings['cpu_seconds']:.0f} s. hextui {settings['versions']['hextui']}.",
        "",
        "Q is 1 for the first of all legal moves and 0 for the last (eq. 7). Where",
        "moves tie, a move takes the *best* of the places that they share, the",
        "*middle* or the *worst*, or its own in the listing (*order*), where equal",
        "moves stand by their cells. Intervals draw whole games (bootstrap). *Exact*",
        "is the share of results that no limit cut short.",
    ]
    return "\n".join(lines) + "\n"


def summary_table(summaries: Sequence[Summary], ties: Sequence[str]) -> str:
    """Return mean Q by player and evaluator for these ways of ties, as a Markdown table."""
    rows = []
    for same in _by_evaluator(summaries):
        one = same[ties[0]]
        means = [f"{same[way].q}" for way in ties]
        ends = [f"{one.first:.3f}", f"{one.exact:.4f}"]
        rows.append([one.player, one.evaluator, str(one.moves), *means, *ends])
    head = ["player", "evaluator", "moves", *(f"ties {way}" for way in ties), "rank 1", "exact"]
    return markdown_table(head, rows)


def _ties(summaries: Sequence[Summary]) -> str:
    rows = [
        [
            same[TIES[0]].player,
            same[TIES[0]].evaluator,
            *(f"{same[way].q.value:.3f}" for way in TIES),
            *(f"{same[way].low:.3f}" for way in TIES),
        ]
        for same in _by_evaluator(summaries)
    ]
    head = ["player", "evaluator", *(f"Q {way}" for way in TIES), *(f"low {way}" for way in TIES)]
    return markdown_table(head, rows)


def _by_evaluator(summaries: Sequence[Summary]) -> Iterator[dict[str, Summary]]:
    """Yield the summaries of each player and evaluator by ties."""
    for _, same in groupby(summaries, key=lambda s: (s.player, s.evaluator)):
        yield {summary.ties: summary for summary in same}


def phase_table(summaries: Sequence[Summary]) -> str:
    """Return mean Q by player, evaluator and third of the game, as a Markdown table."""
    rows = [
        [s.player, s.evaluator, *("-" if p is None else f"{p}" for p in s.phases)]
        for s in summaries
    ]
    return markdown_table(["player", "evaluator", *PHASES], rows)


def _comparisons(comparisons: Sequence[Comparison], ties: Sequence[str]) -> str:
    rows = []
    for (player, first, second), same in groupby(
        comparisons, key=lambda c: (c.player, c.first, c.second)
    ):
        rows.append([player, f"{first} - {second}", *(f"{c.q:+.3f}" for c in same)])
    return markdown_table(["player", "difference", *(f"ties {way}" for way in ties)], rows)


def _diagonals(sides: Sequence[tuple[str, Diagonal]]) -> str:
    rows = [
        [
            player,
            d.ties,
            *(f"{share:.3f}" for share in (d.above, d.on, d.below)),
            "-" if d.correlation is None else f"{d.correlation:.3f}",
            "-" if d.like_paper is None else f"{d.like_paper:.3f}",
        ]
        for player, d in sides
    ]
    games = f"{PAPER_GAMES} games"
    head = ["player", "ties", "above", "on", "below", "correlation", games]
    return (
        "Q in the opponent's network above, on or below Q in the own one, k = 1\n"
        f"(fig. 12), and in which share of draws of {games}, as the paper has, more\n"
        "moves lie above than below\n\n" + markdown_table(head, rows) + "\n"
    )


def readings_table(table: Table, ties: Sequence[str], seed: int) -> str:
    """Return mean Q for k = 1 in both networks, and their difference, by reading and ties."""
    rows = []
    for reading, player, own in _parts(table):
        for way in ties:
            means = [fmean(qualities(own, name, way)) for name in (OWN, OPPONENT)]
            gap = _mean_difference(own, OPPONENT, OWN, way, seed)
            row = [reading, BY_NAME[reading].choice, player, way]
            rows.append([*row, *(f"{mean:.3f}" for mean in means), f"{gap:+.3f}"])
    head = ["reading", "choice", "player", "ties", "own:1", "opponent:1", "opponent - own"]
    return markdown_table(head, rows)


def _pictures(drawn: Sequence[Figure]) -> Iterator[str]:
    """Yield figures of one title side by side."""
    for title, same in groupby(drawn, key=lambda figure: figure.title):
        pictures = [f"![{figure.y_label}]({figure.name}.png)" for figure in same]
        rule = "|" + "---|" * len(pictures)
        yield f"{title}\n\n| {' | '.join(pictures)} |\n{rule}\n"
