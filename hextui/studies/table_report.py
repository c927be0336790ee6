"""What the rows of ``match-table`` say, beside the numbers of the paper.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from hextui.matches.figures import Bars, Figure
from hextui.matches.intervals import Interval, difference, proportion
from hextui.matches.reports import markdown_table
from hextui.matches.results import Document, Table
from hextui.studies.match_table import EVERY_OPENING, FIRST_TABLE, LEVELS, PLAYERS, SECOND_TABLE
from hextui.studies.openings_report import (
    Trend,
    figure,
    openings_text,
    trends,
    trends_text,
    wins_of_first,
)
from hextui.studies.partings import Partings, partings, partings_text, positions_to_solve
from hextui.studies.readings import BY_NAME
from hextui.words.names import counted

PAPER_GAMES = 100
# table 1: wins of E_k in 100 games, by k, as first and as second player
PAPER_WINS = {"first": (95, 94, 97), "second": (50, 55, 56)}
# table 2: every game was won by the second player
PAPER_SIZE = "7x7"
BASE = "E"


@dataclass(frozen=True)
class Cell:
    """A number of table 1: a player's wins against E, ours, the paper's, ours less the paper's.

    ``gain``: ours less the base line, which is E's own share against E. ``paper`` and ``gap``
    are None on other boards than the paper's and for the base line, which the paper lacks.
    """

    reading: str
    player: str
    side: str
    games: int
    ours: Interval
    gain: Interval
    paper: Interval | None
    gap: Interval | None

    @property
    def agrees(self) -> bool | None:
        """Whether the difference's 95 % interval holds 0."""
        return None if self.gap is None else self.gap.low <= 0 <= self.gap.high


def readings(table: Table) -> tuple[str, ...]:
    """Return the names of the readings that the rows hold, in their order."""
    return tuple(dict.fromkeys(table.column("reading")))


def paper_shares(size: str) -> dict[str, list[Interval]] | None:
    """Return the paper's shares of wins by side, a value a k; None on another board."""
    if size != PAPER_SIZE:
        return None
    return {side: [proportion(n, PAPER_GAMES) for n in wins] for side, wins in PAPER_WINS.items()}


def first_table(table: Table, size: str) -> list[Cell]:
    """Return the numbers of table 1 of every reading, the base line before each side's."""
    found = []
    paper = paper_shares(size)
    for reading in readings(table):
        own = table.where("reading", reading).where("table", FIRST_TABLE)
        for side, other in (("first", "second"), ("second", "first")):
            shares = {}
            for player in PLAYERS:
                winners = own.where(side, player).where(other, BASE).column("winner")
                shares[player] = proportion(winners.count(side), len(winners))
                ours = shares[player]
                theirs = (
                    paper[side][PLAYERS.index(player) - 1] if paper and player != BASE else None
                )
                found.append(
                    Cell(
                        reading,
                        player,
                        side,
                        len(winners),
                        ours,
                        difference(ours, shares[BASE]),
                        theirs,
                        difference(ours, theirs) if theirs else None,
                    )
                )
    return found


def second_table(table: Table, reading: str) -> list[list[float]]:
    """Return table 2: the share of the first player's wins, a row for each first player."""
    own = table.where("reading", reading).where("table", SECOND_TABLE)

    def share(first: str, second: str) -> float:
        winners = own.where("first", first).where("second", second).column("winner")
        return fmean(winner == "first" for winner in winners)

    return [[share(f"E_{a}", f"E_{b}") for b in LEVELS] for a in LEVELS]


def trends_of(table: Table, settings: Document, reading: str) -> list[Trend]:
    """Return the trend in k by one reading."""
    chosen = settings["settings"]
    own = table.where("reading", reading)
    return trends(own, paper_shares(chosen["size"]), chosen["seed"])


def partings_of(table: Table, reading: str) -> dict[str, Partings]:
    """Return where games part by one reading, in table 2 and after every first move.

    Nothing where E_k draws lots: games part by them.
    """
    if BY_NAME[reading].draws:
        return {}
    own = table.where("reading", reading).where("first", *PLAYERS[1:]).where("second", *PLAYERS[1:])
    return {name: partings(own.where("table", name)) for name in (SECOND_TABLE, EVERY_OPENING)}


def figures(table: Table, settings: Document) -> list[Figure]:
    """Return table 1 as bars, ours beside the paper's, and every opening; both for each reading."""
    found = []
    size, seed = settings["settings"]["size"], settings["settings"]["seed"]
    cells = first_table(table, size)
    for reading in readings(table):
        own = [cell for cell in cells if cell.reading == reading and cell.player != BASE]
        bars = [_bars("ours", own, [cell.ours for cell in own])]
        theirs = [cell.paper for cell in own if cell.paper is not None]
        if theirs:
            bars.append(_bars("paper", own, theirs))
        bases = {c.side: c.ours for c in cells if c.reading == reading and c.player == BASE}
        bars.append(_bars("E against E", own, [bases[cell.side] for cell in own]))
        title = f"E_k against E, share of wins, reading {reading}"
        found.append(
            Figure(
                f"table-1-{reading}", title, "", "wins of E_k", bars=tuple(bars), y_range=(0, 1.05)
            )
        )
        found.append(figure(table, reading, seed))
    return found


def _bars(label: str, cells: Sequence[Cell], values: Sequence[Interval]) -> Bars:
    return Bars.of(label, tuple(f"{cell.player} {cell.side}" for cell in cells), values)


def document(table: Table, settings: Document) -> Document:
    """Return tables, openings, trends and partings as JSON."""
    cells = first_table(table, settings["settings"]["size"])
    names = readings(table)
    return {
        "table_1": [{**asdict(cell), "agrees": cell.agrees} for cell in cells],
        "table_2": {name: second_table(table, name) for name in names},
        "openings": {name: wins_of_first(table.where("reading", name)) for name in names},
        "trends": {name: [asdict(t) for t in trends_of(table, settings, name)] for name in names},
        "partings": {
            name: {which: _counts(p) for which, p in partings_of(table, name).items()}
            for name in names
        },
    }


def files(table: Table, settings: Document) -> dict[str, str]:
    """Return ``partings.txt``, if games part unproved: a line a position after such a move."""
    size = settings["settings"]["size"]
    found = [
        each.parted for reading in readings(table) for each in partings_of(table, reading).values()
    ]
    positions = positions_to_solve([parting for parted in found for parting in parted], size)
    return {"partings.txt": "".join(f"{each}\n" for each in positions)} if positions else {}


def _counts(found: Partings) -> dict[str, int]:
    return {
        "pairs": found.pairs,
        "equal": found.equal,
        "parted_proved": found.count(proved=True),
        "parted_not_proved": found.count(proved=False),
        "other_winner": len(found.other_winners),
        "games": found.games,
        "proved_and_lost": found.lost,
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
        parts.append("Table 1: share of wins against E\n\n" + _first(own) + "\n")
        parts.append("Table 2: who wins, E_k against E_k\n\n" + _second(table, name) + "\n")
        parts.append(openings_text(table.where("reading", name)))
        parts.append(trends_text(trends_of(table, settings, name)))
        parts += partings_text(partings_of(table, name), size)
    if len(names) > 1:
        parts.append("## The readings\n\n" + readings_table(table, size) + "\n")
    if drawn:
        parts.append("## Figures\n")
        parts += [f"![{figure.title}]({figure.name}.png)\n" for figure in drawn]
    return "\n".join(parts)


def _first(cells: Sequence[Cell]) -> str:
    there = any(cell.paper for cell in cells)
    rows = []
    for cell in cells:
        gain = "base line" if cell.player == BASE else f"{cell.gain:+.2f}"
        row = [f"{cell.player} {cell.side}", str(cell.games), f"{cell.ours:.2f}", gain]
        if cell.paper is not None and cell.gap is not None:
            row += [f"{cell.paper:.2f}", f"{cell.gap:+.2f}", "no" if cell.agrees else "yes"]
        elif there:
            row += ["-", "-", "-"]
        rows.append(row)
    head = ["player", "games", "ours", "ours - E's", "paper", "ours - paper", "differs"]
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
        own = [cell for cell in cells if cell.reading == name and cell.player != BASE]
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
        shares = [" ".join(f"{n / 100:.2f}" for n in wins) for wins in PAPER_WINS.values()]
        rows.append(["paper", "", "", *shares, "", "0 of 9"])
    head = ["reading", "point", "choice", "E_0 E_1 E_2 first", "second", "differ", "table 2: first"]
    return markdown_table(head, rows)
