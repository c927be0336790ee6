"""What the rows of ``match-table`` say, beside the numbers of the paper.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from hextui.studies.figures import Bars, Figure
from hextui.studies.intervals import Interval, difference, proportion
from hextui.studies.match_table import LEVELS
from hextui.studies.readings import BY_NAME
from hextui.studies.results import Document, Table
from hextui.studies.texts import markdown_table
from hextui.wording import counted

PAPER_GAMES = 100
# table 1: wins of E_k in 100 games, by k, as first and as second player
PAPER_FIRST = (95, 94, 97)
PAPER_SECOND = (50, 55, 56)
# table 2: every game was won by the second player
PAPER_SIZE = "7x7"


@dataclass(frozen=True)
class Cell:
    """A number of table 1: E_k's wins against E, ours, the paper's, ours less the paper's.

    ``paper`` and ``gap`` are None on other boards than the paper's.
    """

    reading: str
    k: int
    side: str
    games: int
    ours: Interval
    paper: Interval | None
    gap: Interval | None

    @property
    def agrees(self) -> bool | None:
        """Whether the difference's 95 % interval holds 0."""
        return None if self.gap is None else self.gap.low <= 0 <= self.gap.high


def readings(table: Table) -> tuple[str, ...]:
    """Return the names of the readings that the rows hold, in their order."""
    return tuple(dict.fromkeys(table.column("reading")))


def first_table(table: Table, size: str) -> list[Cell]:
    """Return the numbers of table 1 of every reading."""
    found = []
    for reading in readings(table):
        own = table.where("reading", reading).where("table", "1")
        for side, paper in (("first", PAPER_FIRST), ("second", PAPER_SECOND)):
            for k in LEVELS:
                winners = own.where(side, f"E_{k}").column("winner")
                ours = proportion(winners.count(side), len(winners))
                theirs = proportion(paper[k], PAPER_GAMES) if size == PAPER_SIZE else None
                gap = difference(ours, theirs) if theirs else None
                found.append(Cell(reading, k, side, len(winners), ours, theirs, gap))
    return found


def second_table(table: Table, reading: str) -> list[list[float]]:
    """Return table 2: the share of the first player's wins, a row for each first player."""
    own = table.where("reading", reading).where("table", "2")

    def share(first: str, second: str) -> float:
        winners = own.where("first", first).where("second", second).column("winner")
        return fmean(winner == "first" for winner in winners)

    return [[share(f"E_{a}", f"E_{b}") for b in LEVELS] for a in LEVELS]


def figures(table: Table, settings: Document) -> list[Figure]:
    """Return table 1 as bars, ours beside the paper's, a figure for each reading."""
    found = []
    cells = first_table(table, settings["settings"]["size"])
    for reading in readings(table):
        own = [cell for cell in cells if cell.reading == reading]
        bars = [_bars("ours", own, [cell.ours for cell in own])]
        theirs = [cell.paper for cell in own if cell.paper is not None]
        if theirs:
            bars.append(_bars("paper", own, theirs))
        title = f"E_k against E, share of wins, reading {reading}"
        found.append(
            Figure(
                f"table-1-{reading}", title, "", "wins of E_k", bars=tuple(bars), y_range=(0, 1.05)
            )
        )
    return found


def _bars(label: str, cells: Sequence[Cell], values: Sequence[Interval]) -> Bars:
    return Bars(
        label,
        tuple(f"E_{cell.k} {cell.side}" for cell in cells),
        tuple(v.value for v in values),
        tuple(v.low for v in values),
        tuple(v.high for v in values),
    )


def document(table: Table, settings: Document) -> Document:
    """Return both tables as JSON."""
    cells = first_table(table, settings["settings"]["size"])
    return {
        "table_1": [{**asdict(cell), "agrees": cell.agrees} for cell in cells],
        "table_2": {name: second_table(table, name) for name in readings(table)},
    }


def report(table: Table, settings: Document, drawn: Sequence[Figure]) -> str:
    """Return the report in Markdown."""
    size = settings["settings"]["size"]
    cells = first_table(table, size)
    names = readings(table)
    parts = [f"# E_k against E, and against each other, on {size}\n"]
    about = f"{counted(len(table.rows), 'game')}, CPU time {settings['cpu_seconds']:.0f} s"
    parts.append(f"{about}. hextui {settings['versions']['hextui']}. Intervals are 95 %.\n")
    for name in names:
        own = [cell for cell in cells if cell.reading == name]
        if len(names) > 1:
            parts.append(f"## Reading {name}: {BY_NAME[name].choice}\n")
        parts.append("Table 1: wins of E_k against E\n\n" + _first(own) + "\n")
        parts.append("Table 2: who wins, E_k against E_k\n\n" + _second(table, name) + "\n")
    if len(names) > 1:
        parts.append("## The readings\n\n" + readings_table(table, size) + "\n")
    if drawn:
        parts.append("## Figures\n")
        parts += [f"![{figure.title}]({figure.name}.png)\n" for figure in drawn]
    return "\n".join(parts)


def _first(cells: Sequence[Cell]) -> str:
    rows = []
    for cell in cells:
        row = [f"E_{cell.k} {cell.side}", str(cell.games), f"{cell.ours:.2f}"]
        if cell.paper is not None and cell.gap is not None:
            verdict = "no" if cell.agrees else "yes"
            row += [f"{cell.paper:.2f}", f"{cell.gap:+.2f}", verdict]
        rows.append(row)
    head = ["E_k is", "games", "ours", "paper", "ours - paper", "differs"]
    return markdown_table(head[: len(rows[0])], rows)


def _second(table: Table, reading: str) -> str:
    shares = second_table(table, reading)
    rows = [[f"E_{a} first", *(_winner(share) for share in shares[a])] for a in LEVELS]
    return markdown_table(["", *(f"E_{b} second" for b in LEVELS)], rows)


def _winner(share: float) -> str:
    """Say who wins: one player, or how often the first."""
    return {0.0: "second", 1.0: "first"}.get(share, f"first {share:.2f}")


def readings_table(table: Table, size: str) -> str:
    """Return one row a reading: table 1, how much of it differs, and table 2, in short."""
    cells = first_table(table, size)
    rows = []
    for name in readings(table):
        own = [cell for cell in cells if cell.reading == name]
        wins = sum(sum(row) for row in second_table(table, name))
        rows.append(
            [
                name,
                BY_NAME[name].point,
                BY_NAME[name].choice,
                *(
                    " ".join(f"{cell.ours.value:.2f}" for cell in own if cell.side == side)
                    for side in ("first", "second")
                ),
                str(sum(cell.agrees is False for cell in own)),
                f"{wins:.3g} of 9",
            ]
        )
    if size == PAPER_SIZE:
        shares = [" ".join(f"{n / 100:.2f}" for n in side) for side in (PAPER_FIRST, PAPER_SECOND)]
        rows.append(["paper", "", "", *shares, "", "0 of 9"])
    head = ["reading", "point", "choice", "E_0 E_1 E_2 first", "second", "differ", "table 2: first"]
    return markdown_table(head, rows)
