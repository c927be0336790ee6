"""The figures of ``rank-quality``: Q over the turn, and in one network against the other.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049). Figures that differ in what
ties take have one title, so that a report can put them side by side.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from hextui.matches.figures import Bars, Curve, Figure, Points
from hextui.matches.intervals import mean_over_games
from hextui.matches.results import Table
from hextui.studies.networks import OPPONENT, OWN, has_both_networks, sides_of_diagonal
from hextui.studies.rank_quality import evaluators, players, readings
from hextui.studies.ties import TIES, qualities

# where the mean of a turn rests on fewer moves it is not drawn
FEWEST_MOVES = 5
RANGE = (-0.02, 1.02)
DIAGONAL = tuple(step / 20 for step in range(21))


def figures(table: Table, ties: Sequence[str], seed: int) -> list[Figure]:
    """Return the figures of the paper's section 4.2 for each way of ties, and mean Q.

    ``q-own`` and ``q-opponent`` are figs. 10 and 11, ``q-own-opponent`` is fig. 12; further
    words of a name tell ties, the loser, and the reading where there are several.
    """
    several = len(readings(table)) > 1
    found: list[Figure] = []
    for reading in readings(table):
        for player in players(table):
            own = table.where("reading", reading).where("player", player)
            whose = f"{player}'s moves" + (f", reading {reading}" if several else "")
            suffix = ("" if player == "winner" else "-loser") + (f"-{reading}" if several else "")
            found += _of_moves(own, ties, whose, suffix, seed)
    return found


def _of_moves(
    table: Table, ties: Sequence[str], whose: str, suffix: str, seed: int
) -> Iterator[Figure]:
    """Yield the figures of one side's moves by one reading."""
    names = evaluators(table)
    for view, number in (("own", 10), ("opponent", 11)):
        shown = [name for name in names if name.startswith(f"contribution-{view}:")]
        if shown:
            title = f"Q of the {whose}, {view} network (paper: fig. {number})"
            for way in ties:
                yield _over_turns(table, f"q-{view}-{way}{suffix}", title, shown, way)
    if has_both_networks(table):
        for way in ties:
            yield _own_against_opponent(table, f"q-own-opponent-{way}{suffix}", whose, way)
    others = [name for name in names if not name.startswith("contribution-")]
    if others:
        title = f"Q of the {whose}"
        for way in ties:
            yield _over_turns(table, f"q-others-{way}{suffix}", title, others, way, cloud=False)
    yield _by_evaluator(table, f"q-mean{suffix}", whose, seed)


def _over_turns(
    table: Table, name: str, title: str, shown: Sequence[str], ties: str, cloud: bool = True
) -> Figure:
    """Return Q over the turn: points of k = 1, and means of all."""
    turns = [float(ply) for ply in table.column("ply")]
    points: tuple[Points, ...] = ()
    middle = next((s for s in shown if s.endswith(":1")), shown[0])
    if cloud:
        points = (Points(middle, tuple(turns), tuple(qualities(table, middle, ties))),)
    lines = []
    for each in shown:
        by_turn: dict[float, list[float]] = defaultdict(list)
        for turn, q in zip(turns, qualities(table, each, ties), strict=True):
            by_turn[turn].append(q)
        kept = sorted(turn for turn, values in by_turn.items() if len(values) >= FEWEST_MOVES)
        if kept:
            means = tuple(fmean(by_turn[turn]) for turn in kept)
            lines.append(Curve(f"{each}, mean", tuple(kept), means))
    return Figure(name, title, "turn", f"Q, ties {ties}", points, tuple(lines), y_range=RANGE)


def _own_against_opponent(table: Table, name: str, whose: str, ties: str) -> Figure:
    sides = sides_of_diagonal(table, ties)
    label = f"moves: {sides.above:.0%} above the diagonal, {sides.below:.0%} below"
    own, opponent = (tuple(qualities(table, each, ties)) for each in (OWN, OPPONENT))
    return Figure(
        name,
        f"Q of the {whose}, k = 1 (paper: fig. 12)",
        f"Q, own network, ties {ties}",
        f"Q, opponent's network, ties {ties}",
        (Points(label, own, opponent),),
        (Curve("equal", DIAGONAL, DIAGONAL),),
        y_range=RANGE,
        square=True,
    )


def _by_evaluator(table: Table, name: str, whose: str, seed: int) -> Figure:
    names, games = evaluators(table), table.column("game")
    bars = []
    for ties in TIES:
        means = [mean_over_games(qualities(table, each, ties), games, seed) for each in names]
        bars.append(Bars.of(f"ties {ties}", names, means))
    title = f"Mean Q of the {whose}, 95 % intervals"
    return Figure(name, title, "", "mean Q", bars=tuple(bars), y_range=(0.0, 1.0))
