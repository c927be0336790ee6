"""The claims of Honjo et al. 2010: when each is confirmed, and one run from games to the report.

The paper: https://hdl.handle.net/2115/51049
"""

import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from math import inf
from pathlib import Path
from typing import Any

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.runs.proportions import Interval
from hextui.studies.paper import CLAIMS, Claim, Measures, measures_of_paper
from hextui.studies.readings import READINGS
from tests.oracles import reports as oracle
from tests.studies.games import random_game, write_games

NAMES = ("contribution-own:1", "contribution-opponent:1")


@pytest.mark.parametrize(
    ("low", "high", "intervals", "verdict"),
    [
        (0, inf, [(0.1, 0.2)], "confirmed"),
        (0, inf, [(-0.1, 0.2)], "undecidable"),
        (0, inf, [(-0.2, -0.1)], "contradicted"),
        (0, inf, [(0.1, 0.2), (-0.1, 0.2)], "undecidable"),
        (0, inf, [(0.1, 0.2), (-0.2, -0.1)], "contradicted"),
        (0, inf, [(0, 0)], "undecidable"),
        (0, inf, [], "undecidable"),
        (-0.05, 0.05, [(-0.01, 0.04)], "confirmed"),
        (-0.05, 0.05, [(-0.01, 0.06)], "undecidable"),
        (-0.05, 0.05, [(0.06, 0.07)], "contradicted"),
        (-inf, 0.5, [(0, 0.3)], "confirmed"),
        (-inf, 0.5, [(0.7, 1)], "contradicted"),
    ],
)
def test_verdicts(
    low: float, high: float, intervals: list[tuple[float, float]], verdict: str
) -> None:
    claim = Claim("4.2", "text", "measure", low, high)
    found = {str(n): Interval((a + b) / 2, a, b) for n, (a, b) in enumerate(intervals)}
    assert claim.verdict({"measure": found}) == verdict


def test_the_papers_own_numbers() -> None:
    """Tables 1 and 2 alone: 286 of 300 won as first, 161 as second; trends of +2 and +6."""
    found: Measures = measures_of_paper()
    verdicts = {c.measure: c.verdict(found) for c in CLAIMS if c.measure in found}
    assert verdicts == {
        "share of wins going first": "confirmed",
        "share of wins going second": "undecidable",
        "trend in k going first": "undecidable",
        "trend in k going second": "undecidable",
        "share lost going first": "confirmed",
        "share of table 2 that the first wins": "confirmed",
    }
    lost, table_2 = (
        found[name][""]
        for name in ("share lost going first", "share of table 2 that the first wins")
    )
    assert (lost.value, lost.low, lost.high) == pytest.approx(oracle.wilson(14, 300))
    assert (table_2.value, table_2.low, table_2.high) == pytest.approx(oracle.wilson(0, 9))


@pytest.fixture(scope="module", autouse=True)
def no_pictures() -> Iterator[None]:
    """Draw nothing: it would take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hextui.commands.experiments.can_draw", lambda: False)
        yield


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the study of six games, by three readings."""
    folder = tmp_path_factory.mktemp("paper")
    games = write_games(folder / "games.jsonl", [random_game(n, Board(4, 4)) for n in range(6)])
    words = ["study", "paper", "--games", str(games), "--size", "3", "--matches", "3"]
    words += ["--most-k", "3", "--reading", "carriers", "--reading", "last", "--workers", "1"]
    assert main([*words, "--out", str(folder / "out")]) == 0
    return folder / "out"


@pytest.fixture(scope="module")
def claims(run: Path) -> dict[str, dict[str, Any]]:
    """The claims of the finished run by their measures, as --json prints them."""
    games = run.parent / "games.jsonl"
    words = ["study", "paper", "--games", str(games), "--size", "3", "--matches", "3", "--json"]
    words += ["--most-k", "3", "--reading", "carriers", "--reading", "last", "--out", str(run)]
    with redirect_stdout(StringIO()) as printed:
        assert main(words) == 0
    document = json.loads(printed.getvalue())
    assert list(document) == ["folder", "claims", "joint", "moves", "tables", "readings"]
    assert document["tables"]["settings"]["most_k"] == 3
    assert document["readings"]["settings"]["most_k"] == 2
    return {
        re.split(" (?:above|below) ", claim["criterion"])[0]: claim for claim in document["claims"]
    }


def test_measures_are_those_of_the_rows(run: Path, claims: dict[str, dict[str, Any]]) -> None:
    found = claims
    moves = oracle.read(run / "moves" / "rows.csv")
    for reading in ("default", "carriers"):
        own = oracle.where(moves, reading=reading)
        for ties in oracle.TIES:
            means = found["mean Q, k = 1"]["readings"][reading][ties]["measures"]
            wanted = [oracle.mean_q(own, name, ties) for name in NAMES]
            assert [one["value"] for one in means.values()] == pytest.approx(wanted)
            gap = found["Q there less Q in the own one, k = 1"]["readings"][reading][ties]
            assert gap["measures"][""]["value"] == pytest.approx(wanted[1] - wanted[0])
    for part, reading in (("tables", "default"), ("readings", "last")):
        games = oracle.where(oracle.read(run / part / "rows.csv"), reading=reading, table="1")
        for side, other in (("first", "second"), ("second", "first")):
            ours = [
                row["winner"] == side
                for row in games
                if row[other] == "E" and row[side] in ("E_0", "E_1", "E_2")
            ]
            entry = found[f"share of wins going {side}"]["readings"][reading][""]
            assert entry["measures"][""]["value"] == pytest.approx(sum(ours) / len(ours))
    assert set(found["mean Q, k = 1"]["readings"]) == {"default", "carriers"}
    assert set(found["share of wins going first"]["readings"]) == {"the paper", "default", "last"}


def test_shares_of_table_2_and_of_games_lost(run: Path, claims: dict[str, dict[str, Any]]) -> None:
    """Each has an interval; none counts games of E_3."""

    def measured(name: str, reading: str) -> list[float]:
        (claim,) = [each for what, each in claims.items() if what.startswith(name)]
        interval = claim["readings"][reading][""]["measures"][""]
        return [interval[end] for end in ("value", "low", "high")]

    for part, reading in (("tables", "default"), ("readings", "last")):
        rows = oracle.where(oracle.read(run / part / "rows.csv"), reading=reading)
        lost = [not won for k in range(3) for won in oracle.won(rows, f"E_{k}", "first")]
        wanted = oracle.wilson(sum(lost), len(lost))
        assert measured("share lost going first", reading) == pytest.approx(wanted)
        table_2 = [
            row
            for row in oracle.where(rows, table="2")
            if "E_3" not in (row["first"], row["second"])
        ]
        firsts = sum(row["winner"] == "first" for row in table_2)
        wanted = oracle.wilson(firsts, 9)
        assert measured("share of table 2", reading) == pytest.approx(wanted)
        parted = oracle.partings(table_2)
        value, low, high = measured("share of pairs", reading)
        assert value == pytest.approx(parted["not proved"] / parted["pairs"])
        assert (parted["pairs"], low <= value <= high, low < high) == (18, True, True)


def test_every_share_has_an_interval(claims: dict[str, dict[str, Any]]) -> None:
    """So few games can leave the trends without one: those draw openings that all agree."""
    shares = [claim for name, claim in claims.items() if name.startswith("share")]
    assert len(shares) == 8
    for claim in shares:
        for by_ties in claim["readings"].values():
            for entry in by_ties.values():
                assert entry["measures"]
                for interval in entry["measures"].values():
                    assert interval["low"] < interval["high"], claim["criterion"]


def test_the_report_says_claim_by_claim(run: Path, claims: dict[str, dict[str, Any]]) -> None:
    found = claims
    text = (run / "report.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    for claim in found.values():
        row = next(row for row in rows if row[1:2] == [claim["claim"]])
        assert row[:3] == [claim["section"], claim["claim"], claim["verdict"]]
        assert f"## Section {claim['section']}: {claim['claim']}" in text
    for part in ("moves", "tables", "readings"):
        assert f"({part}/report.md)" in text
        assert (run / part / "report.md").exists()
    named = {row[0] for row in rows if row} & {reading.name for reading in READINGS}
    assert named == {"default", "carriers", "last"}


def test_all_claims_together_by_reading(run: Path, claims: dict[str, dict[str, Any]]) -> None:
    text = (run / "report.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    signs = {"+": "confirmed", "-": "contradicted", "?": "undecidable"}
    for reading in ("default", "carriers", "last"):
        (row,) = [row for row in rows if len(row) == len(CLAIMS) + 2 and row[0] == reading]
        wanted = []
        for claim in claims.values():
            by_ties = claim["readings"].get(reading, claim["readings"]["default"])
            wanted.append(by_ties.get("middle", by_ties.get(""))["verdict"])
        assert [signs[sign] for sign in row[1:-1]] == wanted
        worst = [verdict for verdict in ("contradicted", "undecidable") if verdict in wanted]
        assert row[-1] == (worst or ["confirmed"])[0]


def test_without_games_section_4_is_undecidable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["study", "paper", "--size", "2", "--matches", "1", "--reading", "default"]
    assert main([*words, "--workers", "1", "--out", str(tmp_path / "out"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    verdicts = {c["verdict"] for c in document["claims"] if c["section"].startswith("4")}
    assert verdicts == {"undecidable"}
    assert "Without games of people" in (tmp_path / "out" / "report.md").read_text()


def test_the_docs_say_what_the_report_says() -> None:
    """The figures of docs/studies.md are those of research/paper.md, which the study wrote."""
    root = Path(__file__).parent.parent.parent
    report = (root / "research" / "paper.md").read_text(encoding="utf-8")
    docs = (root / "docs" / "studies.md").read_text(encoding="utf-8")
    told = docs.partition("## paper")[2].partition("\n## ")[0]
    by_verdict: dict[str, list[str]] = {}
    for row in re.findall(r"^\| ([46]\.\d) +\| (.*?) +\| (\w+) ", report, re.MULTILINE):
        by_verdict.setdefault(row[2], []).append(f"{row[0]} {row[1]}")
    assert sum(map(len, by_verdict.values())) == len(CLAIMS)
    for verdict in ("contradicted", "undecidable"):
        assert f"| {verdict} | {'; '.join(by_verdict[verdict])} |" in told
    assert (len(by_verdict["confirmed"]), "| confirmed | nine others |" in told) == (9, True)
    assert {claim.text for claim in CLAIMS} == set(
        re.findall(r"^## Section \S+ (.*)$", report, re.MULTILINE)
    )
    intervals = re.findall(r"-?\d\.\d{3} \[.*?\]", told)
    assert len(intervals) == 2
    assert all(interval in report for interval in intervals)
    (games,) = re.findall(r"Over (\d+) games", told)
    assert f"winners of {games} games" in report
