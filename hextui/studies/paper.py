"""The study ``paper``: what Honjo et al. 2010 claim, and whether it holds under each reading.

Source: https://hdl.handle.net/2115/51049. One run does ``rank-quality`` (section 4), if there are
games, and ``match-table`` (section 6). A claim states a range. It is *confirmed* if the 95%
intervals of all its measures lie within, *contradicted* if one lies outside, else *undecidable*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import product
from math import inf, isnan
from typing import NamedTuple

from hextui.runs.intervals import difference
from hextui.runs.proportions import Interval, proportion
from hextui.runs.reports import RunReport
from hextui.runs.results import Document
from hextui.studies.games import TIES
from hextui.studies.match_table import (
    BASE,
    OTHER,
    PAPER_FIRST_WINS,
    PAPER_GAMES,
    PAPER_PLAYERS,
    PAPER_WINS,
)
from hextui.studies.rank_quality import OPPONENT, OWN
from hextui.studies.readings import Reading, reading_named
from hextui.text import counted

SIGNS = {"confirmed": "+", "contradicted": "-", "undecidable": "?"}
MAIN, MAIN_TIES = "default", "middle"
"""The reading and the way of ties whose verdict comes first."""
PAPER = "the paper"
SAME = 0.05
"""Smaller differences of shares, or of mean Q, count as none."""
NETWORKS = ("own", "opponent")
MOVES = "moves"
TABLES = "tables"
OTHERS = "readings"
INTRODUCTION = """A *reading* settles a point that the paper leaves open; they are listed below.
Verdicts and measures are those of the reading *default*. Where moves tie, Q takes the middle of the
ranks that they share. Each measure has its 95% interval. A claim is *confirmed* if all intervals
lie within the range stated, *contradicted* if one lies outside, else *undecidable*, as it is if
nothing was measured. Section 4 is measured on the games given, not on the paper's 22."""
NO_GAMES = "Without games of people (`--games`) section 4 is undecidable."
DETAILS = """Below: + confirmed, - contradicted, ? undecidable. In section 4 there is a verdict for
each of the ranks that equal moves share: *best*, *middle*, *worst*, and that in row *order*."""
JOINT = """Claims by number in the order above: + confirmed, - contradicted, ? undecidable. *All
together* is confirmed if every claim is, contradicted if one is. Where a reading changes nothing it
has the verdict of the default."""
Measures = dict[str, dict[str, Interval]]
"""By what is measured, and then by network or by who goes first, or by "" if there is one value."""


class Claim(NamedTuple):
    """A sentence of the paper: it holds if the measures lie between ``low`` and ``high``."""

    section: str
    text: str
    measure: str
    low: float
    high: float = inf

    def verdict(self, measures: Measures) -> str:
        """Return what the measures of a reading say."""
        intervals = measures.get(self.measure, {}).values()
        if intervals and all(
            self.low < interval.low and interval.high < self.high for interval in intervals
        ):
            return "confirmed"
        if any(interval.high < self.low or interval.low > self.high for interval in intervals):
            return "contradicted"
        return "undecidable"

    @property
    def criterion(self) -> str:
        """The measure and its range, in words."""
        ends = [f"above {self.low:g}"] if self.low > -inf else []
        ends += [f"below {self.high:g}"] if self.high < inf else []
        return f"{self.measure} {' and '.join(ends)}"


CLAIMS = (
    Claim("4.2", "Q is lower for k = 0", "Q for k = 1 less Q for k = 0", 0),
    Claim("4.2", "Q is much the same for k = 2", "Q for k = 2 less Q for k = 1", -SAME, SAME),
    Claim("4.3", "winners' moves rank high", "mean Q, k = 1", 0.5),
    Claim("4.3", "but some rank low", "share of moves with Q below 0.5, k = 1", 0),
    Claim("4.3", "they rank high in both networks", "share with Q >= 0.5 in both, k = 1", 0.5),
    Claim("4.3", "the opponent's network counts more", "Q there less Q in the own one, k = 1", 0),
    Claim("6.3", "going first, E_k nearly always beats E", "share of wins going first", 0.9),
    Claim("6.3", "going second, it wins half or more", "share of wins going second", 0.5),
    Claim("6.3", "E_k plays better than E", "share of wins less that of E against E", 0),
    Claim("6.3", "going first, k hardly matters", "trend in k going first", -SAME, SAME),
    Claim("6.3", "going second, a larger k wins more", "trend in k going second", 0),
    Claim("6.3", "a larger k evaluates better", "trend in k, after every first move", 0),
    Claim("6.3", "E_k knows no winning strategy", "share lost going first", 0),
    Claim(
        "6.3", "E_k against E_k: the second wins", "share of table 2 that the first wins", -inf, 0.5
    ),
    Claim(
        "6.3", "they differ once the win is certain", "share of pairs that part before", -inf, SAME
    ),
)


def measures_of_moves(document: Document, reading: str, ties: str) -> Measures:
    """Return the measures of section 4 by a document of ``rank-quality``."""

    def chosen(table: str) -> list[Document]:
        wanted = (reading, ties, "winner")
        return [e for e in document[table] if (e["reading"], e["ties"], e["player"]) == wanted]

    def gains(k: int) -> dict[str, Interval]:
        name = "contribution-{}:{}".format
        return {view: gaps[name(view, k), name(view, k - 1)] for view in NETWORKS}

    by_name = {entry["evaluator"]: entry for entry in chosen("summary")}
    means = {view: by_name[f"contribution-{view}:1"] for view in NETWORKS}
    gaps = {(e["first"], e["second"]): Interval(**e["q"]) for e in chosen("differences")}
    (diagonal,) = chosen("diagonal")
    return {
        "mean Q, k = 1": {view: Interval(**e["q"]) for view, e in means.items()},
        "share of moves with Q below 0.5, k = 1": {
            view: Interval(**e["low"]) for view, e in means.items()
        },
        "Q for k = 1 less Q for k = 0": gains(1),
        "Q for k = 2 less Q for k = 1": gains(2),
        "share with Q >= 0.5 in both, k = 1": {"": Interval(**diagonal["high_in_both"])},
        "Q there less Q in the own one, k = 1": {"": gaps[OPPONENT, OWN]},
    }


def measures_of_games(document: Document, reading: str) -> Measures:
    """Return the measures of section 6 by a document of ``match-table``; k = 0 to 2 together."""

    def share(side: str, *players: str) -> tuple[int, int]:
        cells = [
            cell
            for cell in document["table_1"]
            if (cell["reading"], cell["side"]) == (reading, side)
            and cell["player"] in players
            and cell["games"]
        ]
        wins = sum(round(cell["games"] * cell["ours"]["value"]) for cell in cells)
        return wins, sum(cell["games"] for cell in cells)

    ours = {side: share(side, *PAPER_PLAYERS) for side in OTHER}
    base = {side: proportion(*share(side, BASE)) for side in OTHER}
    trends = [trend["ours"] for trend in document["trends"][reading]]
    sides = [Interval(**trend) for trend in trends[: len(OTHER)]]
    every = trends[len(OTHER)] if len(trends) > len(OTHER) else None
    table_2 = document["shares_of_table_2"][reading]
    measures = {
        **_table_1(ours, sides),
        "share of wins less that of E against E": {
            side: difference(proportion(*ours[side]), base[side]) for side in OTHER
        },
        "trend in k, after every first move": _one(every),
        "share of table 2 that the first wins": _one(table_2["first_wins"]),
        "share of pairs that part before": _one(table_2["part_before_proof"]),
    }
    return {measure: _with_games(intervals) for measure, intervals in measures.items()}


def measures_of_paper() -> Measures:
    """Return the measures of tables 1 and 2 of the paper."""
    ours = {side: (sum(wins), len(wins) * PAPER_GAMES) for side, wins in PAPER_WINS.items()}
    trends = [
        difference(proportion(wins[-1], PAPER_GAMES), proportion(wins[0], PAPER_GAMES))
        for wins in PAPER_WINS.values()
    ]
    table_2 = proportion(PAPER_FIRST_WINS, len(PAPER_PLAYERS) ** 2)
    return {**_table_1(ours, trends), "share of table 2 that the first wins": {"": table_2}}


def _table_1(wins: Mapping[str, tuple[int, int]], trends: Sequence[Interval]) -> Measures:
    """Return what both the paper and our games have: wins and games, and trends, by side."""
    won, games = wins["first"]
    measures: Measures = {"share lost going first": {"": proportion(games - won, games)}}
    for side, trend in zip(OTHER, trends, strict=True):
        measures[f"share of wins going {side}"] = {"": proportion(*wins[side])}
        measures[f"trend in k going {side}"] = {"": trend}
    return measures


def _with_games(intervals: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return the intervals but those that no game was played for."""
    return {what: each for what, each in intervals.items() if not isnan(each.value)}


def _one(interval: Document | None) -> dict[str, Interval]:
    """Return the only measure of a claim, nothing if it was not measured."""
    return {} if interval is None else {"": Interval(**interval)}


def report(parts: Mapping[str, RunReport]) -> RunReport:
    """Return the claims with their verdicts, by the reports of MOVES, if any, TABLES and OTHERS."""
    documents = {part: made.document for part, made in parts.items()}
    measured = _measured(documents)
    claims = [_judged(claim, measured) for claim in CLAIMS]
    made = RunReport(
        "Honjo et al. 2010: do its claims hold?", {"claims": claims, "joint": {}, **documents}
    )
    links = ", ".join(f"[{part}]({part}/report.md)" for part in parts)
    made.text(f"The paper: <https://hdl.handle.net/2115/51049>. Reports with figures: {links}.")
    made.text("  \n".join(_measured_in(part, document) for part, document in documents.items()))
    made.text(INTRODUCTION if MOVES in parts else f"{INTRODUCTION}\n\n{NO_GAMES}")
    head = ["section", "claim", "verdict", "holds if", "measured", PAPER, "other readings"]
    made.table(head, map(_row, claims))
    names = dict.fromkeys(name for name, _ in measured)
    _add_all_readings(made, claims, [reading_named(name) for name in names if name != PAPER])
    made.text(DETAILS)
    for claim in claims:
        _add_readings(made, claim)
    return made


def _measured(documents: Mapping[str, Document]) -> dict[tuple[str, str], Measures]:
    """Return the measures of the paper and of the parts, by reading and way of ties."""
    measured = {(PAPER, ""): measures_of_paper()}
    for part, document in documents.items():
        if part == MOVES:
            readings = dict.fromkeys(entry["reading"] for entry in document["summary"])
            for reading, ties in product(readings, TIES):
                measured[reading, ties] = measures_of_moves(document, reading, ties)
        else:
            for reading in document["trends"]:
                measured[reading, ""] = measures_of_games(document, reading)
    return measured


def _measured_in(part: str, document: Document) -> str:
    """Return how many moves or games a part measured."""
    settings = document["settings"]
    if part == MOVES:
        moves = document["summary"][0]["moves"]
        return f"Section 4: {moves:,} moves of the winners of {document['tasks']:,} games."
    openings = settings["openings"]
    drawn = "every first move" if openings is None else counted(openings, "first move")
    games = (
        f"{settings['games']} games a side in table 1, {settings['pair_games']} a pair of table 2 "
        f"that draws lots, all against all after {drawn}, k = 0 to {settings['most_k']}"
    )
    return f"Section 6, {part}: {settings['size']}, {games}."


def _judged(claim: Claim, measured: Mapping[tuple[str, str], Measures]) -> Document:
    """Return a claim as JSON, with verdict and measures by each reading and way of ties."""
    readings: Document = {}
    for (reading, ties), measures in measured.items():
        if claim.measure in measures:
            intervals = {
                what: asdict(interval) for what, interval in measures[claim.measure].items()
            }
            entry = {"verdict": claim.verdict(measures), "measures": intervals}
            readings.setdefault(reading, {})[ties] = entry
    verdict = _main(readings[MAIN])["verdict"] if MAIN in readings else "undecidable"
    return {
        "section": claim.section,
        "claim": claim.text,
        "criterion": claim.criterion,
        "verdict": verdict,
        "readings": readings,
    }


def _main(by_ties: Document) -> Document:
    """Return the entry of a reading that counts first."""
    entry: Document = by_ties.get(MAIN_TIES) or by_ties[""]
    return entry


def _row(claim: Document) -> list[str]:
    """Return a claim's row of the first table."""
    readings = claim["readings"]
    shown = []
    for name in (MAIN, PAPER):
        shown.append(_shown(_main(readings[name])) if name in readings else "-")
    about = (claim[key] for key in ("section", "claim", "verdict", "criterion"))
    return [*about, *shown, "; ".join(_other_verdicts(claim)) or "same"]


def _other_verdicts(claim: Document) -> list[str]:
    """Return the verdicts that differ from the claim's own, with the readings that give them."""
    names_by_verdict: dict[str, list[str]] = {verdict: [] for verdict in SIGNS}
    for name, by_ties in claim["readings"].items():
        if name not in (MAIN, PAPER):
            names_by_verdict[_main(by_ties)["verdict"]].append(name)
    return [
        f"{verdict}: {', '.join(names)}"
        for verdict, names in names_by_verdict.items()
        if names and verdict != claim["verdict"]
    ]


def _shown(entry: Document) -> str:
    """Return the measures of an entry."""
    texts = []
    for what, each in entry["measures"].items():
        interval = Interval(**each)
        text = f"{interval.value:g}" if interval.low == interval.high else f"{interval}"
        texts.append(f"{what} {text}".lstrip())
    return ", ".join(texts) or "-"


def _add_all_readings(
    made: RunReport, claims: Sequence[Document], readings: Sequence[Reading]
) -> None:
    """Add what the readings are, and a table of all readings against all claims.

    Claims about what a reading does not change have the verdict of the default.
    """
    choices = []
    verdicts = []
    for reading in readings:
        its = [_verdict(claim, reading) for claim in claims]
        joint = _joint(its)
        made.document["joint"][reading.name] = joint
        choices.append([reading.name, reading.point, reading.choice])
        verdicts.append([reading.name, *(SIGNS[verdict] for verdict in its), joint])
    made.table(["reading", "point", "choice"], choices, "Readings")
    made.table(["reading", *range(1, len(claims) + 1), "all together"], verdicts, JOINT)


def _verdict(claim: Document, reading: Reading) -> str:
    """Return the verdict on a claim by a reading, the default's where that changes nothing."""
    if claim["section"].startswith("4"):
        affected = reading.affects_rankings
    else:
        affected = reading.affects_games
    by_ties = claim["readings"].get(reading.name if affected else MAIN)
    verdict: str = _main(by_ties)["verdict"] if by_ties else "undecidable"
    return verdict


def _joint(verdicts: Sequence[str]) -> str:
    """Return the verdict on several claims together: the worst one of them."""
    for verdict in ("contradicted", "undecidable"):
        if verdict in verdicts:
            return verdict
    return "confirmed"


def _add_readings(report: RunReport, claim: Document) -> None:
    """Add the measures and verdicts of a claim, a row for each reading."""
    report.heading(f"Section {claim['section']}: {claim['claim']}")
    criterion = f"Holds if: {claim['criterion']}"
    if MAIN not in claim["readings"]:
        report.text(f"{criterion}. Not measured.")
        return
    ways = list(claim["readings"][MAIN])
    rows = []
    for name, intervals in claim["readings"].items():
        signs = [SIGNS[intervals[way]["verdict"]] for way in ways if way in intervals]
        rows.append([name, _shown(_main(intervals)), *signs])
    report.table(["reading", "measured", *(way or "verdict" for way in ways)], rows, criterion)
