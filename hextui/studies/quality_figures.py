"""The figures of ``rank-quality``: Q over the turn, and in one network against the other.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049). Figures that differ only in the
way of ties share their title, so that the report shows them side by side.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from hextui.matches.figures import Bars, Curve, Figure, Points
from hextui.matches.intervals import mean_over_games
from hextui.matches.results import Table
from hextui.studies.ties import TIES, qualities

OWN, OPPONENT = "contribution-own:1", "contribution-opponent:1"
FEWEST_MOVES = 5
"""Means of turns with fewer moves are not drawn."""
RANGE = (-0.02, 1.02)
DIAGONAL = tuple(step / 20 for step in range(21))


def figures(
    parts: Sequence[tuple[str, str, Table]], names: Sequence[str], ties: Sequence[str], seed: int
) -> list[Figure]:
    """Return the figures of the paper's section 4.2 for each way of ties, and mean Q.

    ``parts``: the rows of each reading and player; ``names``: the evaluators. ``q-own`` and
    ``q-opponent`` are figs. 10 and 11, ``q-own-opponent`` is fig. 12; the rest of a file's name
    tells ties, the loser, and the reading where there are several.
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
    """Yield the figures of one side's moves by one reading."""
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
    games = rows.column("game")
    bars = [
        Bars.of(
            f"ties {way}",
            names,
            [mean_over_games(qualities(rows, name, way), games, seed) for name in names],
        )
        for way in TIES
    ]
    title = f"Mean Q of the {whose}, 95 % intervals"
    yield Figure(f"q-mean{suffix}", title, "", "mean Q", bars=tuple(bars), y_range=(0.0, 1.0))


def _over_turns(
    rows: Table, name: str, title: str, shown: Sequence[str], ties: str, cloud: bool = True
) -> Figure:
    """Return Q over the turn: points of k = 1, and means of all."""
    turns = tuple(float(ply) for ply in rows.column("ply"))
    points: tuple[Points, ...] = ()
    if cloud:
        middle = next((each for each in shown if each.endswith(":1")), shown[0])
        points = (Points(middle, turns, tuple(qualities(rows, middle, ties))),)
    lines = []
    for each in shown:
        by_turn: dict[float, list[float]] = defaultdict(list)
        for turn, q in zip(turns, qualities(rows, each, ties), strict=True):
            by_turn[turn].append(q)
        kept = sorted(turn for turn, values in by_turn.items() if len(values) >= FEWEST_MOVES)
        if kept:
            means = tuple(fmean(by_turn[turn]) for turn in kept)
            lines.append(Curve(f"{each}, mean", tuple(kept), means))
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
        (Points(label, own, opponent),),
        (Curve("equal", DIAGONAL, DIAGONAL),),
        y_range=RANGE,
        square=True,
    )
