"""What the rows of ``rank-quality`` say: a summary with intervals, figures, and a report.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import correlation, fmean

from hextui.studies.figures import Bars, Curve, Figure, Points
from hextui.studies.intervals import Interval, mean_over_games
from hextui.studies.rank_quality import PHASES
from hextui.studies.results import Document, StudyError, Table
from hextui.studies.texts import markdown_table
from hextui.wording import counted

OWN, OPPONENT = "contribution-own:1", "contribution-opponent:1"
# where the mean of a turn rests on fewer moves it is not drawn
FEWEST_MOVES = 5


@dataclass(frozen=True)
class Summary:
    """What an evaluator makes of one side's moves.

    ``q``, ``mid_q``: mean quality by competition and by mid rank. ``phases``: mean Q by third
    of the game, None where there are no moves. ``first``: share of moves with rank 1.
    ``exact``: share of exact results.
    """

    player: str
    evaluator: str
    moves: int
    q: Interval
    mid_q: Interval
    phases: tuple[Interval | None, ...]
    first: float
    exact: float


@dataclass(frozen=True)
class Comparison:
    """The mean differences of two evaluators over the same moves, first less second."""

    player: str
    first: str
    second: str
    q: Interval
    mid_q: Interval


def evaluators(table: Table) -> tuple[str, ...]:
    """Return the evaluators that the rows hold."""
    return tuple(name[: -len(" mid Q")] for name in table.columns if name.endswith(" mid Q"))


def players(table: Table) -> tuple[str, ...]:
    """Return whose moves the rows hold: winner, loser, or both."""
    found = set(table.column("player"))
    return tuple(player for player in ("winner", "loser") if player in found)


def summarise(table: Table, seed: int) -> list[Summary]:
    """Return a summary a player and evaluator; ``seed`` draws the bootstrap's games."""
    found = []
    for player in players(table):
        own = table.where("player", player)
        for name in evaluators(table):
            by_phase = [own.where("phase", phase) for phase in PHASES]
            ranks, exact = own.column(f"{name} rank"), own.column(f"{name} exact")
            found.append(
                Summary(
                    player,
                    name,
                    len(own.rows),
                    _mean(own, f"{name} Q", seed),
                    _mean(own, f"{name} mid Q", seed),
                    tuple(_mean(t, f"{name} Q", seed) if t.rows else None for t in by_phase),
                    fmean(rank == "1" for rank in ranks),
                    fmean(map(float, exact)),
                )
            )
    return found


def compare(table: Table, seed: int) -> list[Comparison]:
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
    found: list[Comparison] = []
    for player in players(table):
        own = table.where("player", player)
        found += [
            Comparison(
                player,
                first,
                second,
                _mean_difference(own, f"{first} Q", f"{second} Q", seed),
                _mean_difference(own, f"{first} mid Q", f"{second} mid Q", seed),
            )
            for first, second in pairs
            if {first, second} <= there
        ]
    return found


def _mean_difference(table: Table, first: str, second: str, seed: int) -> Interval:
    pairs = zip(numbers(table, first), numbers(table, second), strict=True)
    return mean_over_games([a - b for a, b in pairs], table.column("game"), seed)


def _mean(table: Table, column: str, seed: int) -> Interval:
    return mean_over_games(numbers(table, column), table.column("game"), seed)


def numbers(table: Table, column: str) -> list[float]:
    """Return a column as numbers."""
    return [float(text) for text in table.column(column)]


def figures(table: Table, seed: int) -> list[Figure]:
    """Return the figures of the paper's section 4.2, and Q by evaluator.

    ``own`` and ``opponent`` are figs. 10 and 11, ``own-opponent`` is fig. 12.
    """
    found = []
    names = evaluators(table)
    for player in players(table):
        own = table.where("player", player)
        suffix = "" if player == "winner" else "-loser"
        for view, number in (("own", 10), ("opponent", 11)):
            shown = [f"contribution-{view}:{k}" for k in range(3)]
            shown = [name for name in shown if name in names]
            if shown:
                title = f"Q of the {player}'s moves, {view} network (paper: fig. {number})"
                found.append(_over_turns(own, f"q-{view}{suffix}", title, shown))
        if OWN in names and OPPONENT in names:
            found.append(_own_against_opponent(own, player, f"q-own-opponent{suffix}"))
        others = [name for name in names if not name.startswith("contribution-")]
        if others:
            title = f"Q of the {player}'s moves"
            found.append(_over_turns(own, f"q-others{suffix}", title, others, cloud=False))
        found.append(_by_evaluator(own, player, f"q-mean{suffix}", seed))
    return found


def _over_turns(
    table: Table, name: str, title: str, shown: Sequence[str], cloud: bool = True
) -> Figure:
    """Return Q over the turn: points of k = 1, and means of all."""
    turns = numbers(table, "ply")
    points: tuple[Points, ...] = ()
    middle = next((s for s in shown if s.endswith(":1")), shown[0])
    if cloud:
        points = (Points(middle, tuple(turns), tuple(numbers(table, f"{middle} Q"))),)
    lines = []
    for each in shown:
        by_turn: dict[float, list[float]] = defaultdict(list)
        for turn, q in zip(turns, numbers(table, f"{each} Q"), strict=True):
            by_turn[turn].append(q)
        kept = sorted(turn for turn, values in by_turn.items() if len(values) >= FEWEST_MOVES)
        if kept:
            means = tuple(fmean(by_turn[turn]) for turn in kept)
            lines.append(Curve(f"{each}, mean", tuple(kept), means))
    return Figure(name, title, "turn", "Q", points, tuple(lines), y_range=(-0.02, 1.02))


def _own_against_opponent(table: Table, player: str, name: str) -> Figure:
    own, opponent = numbers(table, f"{OWN} Q"), numbers(table, f"{OPPONENT} Q")
    title = f"Q of the {player}'s moves, k = 1 (paper: fig. 12)"
    points = (Points("moves", tuple(own), tuple(opponent)),)
    return Figure(
        name, title, "Q, own network", "Q, opponent's network", points, y_range=(-0.02, 1.02)
    )


def _by_evaluator(table: Table, player: str, name: str, seed: int) -> Figure:
    names = evaluators(table)
    means = [_mean(table, f"{each} Q", seed) for each in names]
    bars = Bars(
        "mean",
        names,
        tuple(m.value for m in means),
        tuple(m.low for m in means),
        tuple(m.high for m in means),
    )
    title = f"Mean Q of the {player}'s moves, 95 % intervals"
    return Figure(name, title, "", "mean Q", bars=(bars,), y_range=(0.0, 1.0))


def own_opponent_correlation(table: Table) -> float | None:
    """Return the correlation of Q in both networks, k = 1; None if one of them is constant."""
    own, opponent = numbers(table, f"{OWN} Q"), numbers(table, f"{OPPONENT} Q")
    if len(set(own)) < 2 or len(set(opponent)) < 2:
        return None
    return correlation(own, opponent)


def report(table: Table, settings: Document, drawn: Sequence[Figure]) -> str:
    """Return the report in Markdown; raises StudyError if there are no rows."""
    if not table.rows:
        raise StudyError("no moves: the filters leave no game, or no winner is known")
    seed = settings["settings"]["seed"]
    names = [file["name"] for file in settings["settings"]["collection"]]
    parts = [f"# How high the moves rank: {', '.join(names)}\n"]
    parts.append(_about(table, settings))
    found = summarise(table, seed)
    parts.append("## Mean Q with 95 % intervals\n\n" + summary_table(found) + "\n")
    parts.append("## By phase (thirds of the game), mean Q\n\n" + phase_table(found) + "\n")
    if comparisons := compare(table, seed):
        parts.append("## Differences over the same moves\n\n" + _comparisons(comparisons) + "\n")
    for player in players(table):
        own = table.where("player", player)
        if {OWN, OPPONENT} <= set(evaluators(table)):
            r = own_opponent_correlation(own)
            if r is not None:
                what = f"Correlation of Q in the own and the opponent's network, k = 1, {player}"
                parts.append(f"{what}: {r:.3f}.\n")
    if drawn:
        parts.append("## Figures\n")
        parts += [f"![{figure.title}]({figure.name}.png)\n" for figure in drawn]
    return "\n".join(parts)


def document(table: Table, seed: int) -> Document:
    """Return summary and differences as JSON."""
    return {
        "summary": [asdict(summary) for summary in summarise(table, seed)],
        "differences": [asdict(comparison) for comparison in compare(table, seed)],
    }


def _about(table: Table, settings: Document) -> str:
    about = settings["about"]
    games = len(set(table.column("game")))
    lines = [
        f"{counted(games, 'game')}, {counted(len(table.rows), 'move')}. "
        f"{counted(about['read'], 'game')} read; left out: "
        + (", ".join(f"{n} ({reason})" for reason, n in about["left_out"]) or "none")
        + ".",
        f"CPU time {settings['cpu_seconds']:.0f} s. hextui {settings['versions']['hextui']}.",
        "",
        "Q is 1 for the first of all legal moves and 0 for the last (eq. 7). *Q* takes the",
        "competition rank, one more than the number of better moves; *mid Q* the mean place of",
        "the moves that tie. Intervals draw whole games (bootstrap). *Exact* is the share of",
        "results that no limit cut short.",
    ]
    return "\n".join(lines) + "\n"


def summary_table(summaries: Sequence[Summary]) -> str:
    """Return mean Q by player and evaluator, as a Markdown table."""
    rows = [
        [
            s.player,
            s.evaluator,
            str(s.moves),
            f"{s.q}",
            f"{s.mid_q}",
            f"{s.first:.3f}",
            f"{s.exact:.4f}",
        ]
        for s in summaries
    ]
    head = ["player", "evaluator", "moves", "Q", "mid Q", "rank 1", "exact"]
    return markdown_table(head, rows)


def phase_table(summaries: Sequence[Summary]) -> str:
    """Return mean Q by player, evaluator and third of the game, as a Markdown table."""
    rows = [
        [s.player, s.evaluator, *("-" if p is None else f"{p}" for p in s.phases)]
        for s in summaries
    ]
    return markdown_table(["player", "evaluator", *PHASES], rows)


def _comparisons(comparisons: Sequence[Comparison]) -> str:
    rows = [
        [c.player, f"{c.first} - {c.second}", f"{c.q:+.3f}", f"{c.mid_q:+.3f}"] for c in comparisons
    ]
    return markdown_table(["player", "difference", "Q", "mid Q"], rows)
