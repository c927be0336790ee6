"""The report and figures of rank-quality, recomputed from its CSV with nothing of hextui.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

import json
import re
import struct
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import correlation, fmean
from typing import Any

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.library.answers import Broken
from hextui.runs.reports import RunReport, draw
from hextui.runs.results import RunFolder
from hextui.studies.rank_quality import report
from hextui.text import Names
from tests.oracles import reports as oracle
from tests.studies.games import random_game, write_games

NAMES = (
    *("contribution-own:1", "contribution-opponent:1", "contribution-own:0"),
    *("resistance", "contribution-both:1"),
)
OWN, OPPONENT = NAMES[:2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study of twenty games by two readings, without pictures."""
    folder = tmp_path_factory.mktemp("study")
    games = [random_game(seed, Board(4, 4)) for seed in range(20)]
    path = write_games(folder / "games.jsonl", games)
    words = ["study", "rank-quality", str(path), "--out", str(folder / "out"), "--players", "both"]
    for name in NAMES:
        words += ["--evaluator", name]
    words += ["--ties", "worst", "--reading", "or-2", "--reading", "default", "--workers", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hextui.commands.experiments.can_draw", lambda: False)
        assert main(words) == 0
    return folder / "out"


def rows(run: Path, **wanted: str) -> list[oracle.Row]:
    return oracle.where(oracle.read(run / "rows.csv"), **wanted)


def test_the_oracle_knows_nothing_of_the_program() -> None:
    imports = re.findall(r"^(?:from|import) (\w+)", Path(oracle.__file__).read_text(), re.MULTILINE)
    assert "csv" in imports
    assert not {"hextui", "numpy", "tests"} & set(imports)


def is_low(row: oracle.Row, evaluator: str, ties: str) -> float:
    return float(oracle.q(row, evaluator, ties) < 0.5)


def test_summaries(run: Path) -> None:
    found = made(run, "worst").document["summary"]
    assert len(found) == 2 * 2 * len(NAMES) * len(oracle.TIES)
    for one in found:
        own = rows(run, reading=one["reading"], player=one["player"])
        name, ties, q = one["evaluator"], one["ties"], one["q"]
        assert one["moves"] == len(own)
        assert q["value"] == pytest.approx(oracle.mean_q(own, name, ties))
        ends = oracle.resampled(own, partial(oracle.q, evaluator=name, ties=ties), "game")
        within = 0.15 * (q["high"] - q["low"]) + 1e-3
        assert [q["low"], q["high"]] == pytest.approx(ends, abs=within)
        low = one["low"]
        assert low["value"] == pytest.approx(oracle.low(own, name, ties))
        ends = oracle.resampled(own, partial(is_low, evaluator=name, ties=ties), "game")
        within = 0.15 * (low["high"] - low["low"]) + 5e-3
        assert [low["low"], low["high"]] == pytest.approx(ends, abs=within)
        assert one["first"] == pytest.approx(fmean(r[f"{name} rank"] == "1" for r in own))
        assert one["exact"] == 1


def test_differences_and_the_diagonal(run: Path) -> None:
    document = made(run, "worst", "order").document
    assert len(document["differences"]) == 2 * 2 * 3 * 4
    pairs = {(one["first"], one["second"]) for one in document["differences"]}
    assert pairs == {(OWN, NAMES[2]), (OPPONENT, OWN), ("resistance", "contribution-both:1")}
    for one in document["differences"]:
        own = rows(run, reading=one["reading"], player=one["player"])
        first, second = (oracle.mean_q(own, one[n], one["ties"]) for n in ("first", "second"))
        assert one["q"]["value"] == pytest.approx(first - second)
    assert len(document["diagonal"]) == 2 * 2 * 4
    for one in document["diagonal"]:
        own = rows(run, reading=one["reading"], player=one["player"])
        shares = [one[side] for side in ("above", "on", "below")]
        assert shares == pytest.approx(oracle.diagonal(own, one["ties"]))
        pair = [[oracle.q(row, name, one["ties"]) for row in own] for name in (OWN, OPPONENT)]
        assert one["correlation"] == pytest.approx(correlation(*pair))
        in_both = [float(min(each) >= 0.5) for each in zip(*pair, strict=True)]
        assert one["high_in_both"]["value"] == pytest.approx(fmean(in_both))
        assert one["like_paper"] is None  # 20 games are fewer than the paper's 22


def test_the_report_shows_the_document(run: Path) -> None:
    report = made(run, "middle", "worst")
    text = report.markdown(False)
    assert f"20 games, {len(rows(run, reading='default'))} moves" in text
    summaries = report.document["summary"]
    for reading in ("or-2", "default"):
        section = text.partition(f"## Reading {reading}:")[2].partition("## ")[0]
        lines = [[c.strip() for c in line.split("|")[1:-1]] for line in section.splitlines()]
        for one in (each for each in summaries if each["reading"] == reading):
            shown = [line for line in lines if line[:2] == [one["player"], one["evaluator"]]]
            # Q and low by ties, then the means of the ways chosen
            ties = next(line for line in shown if len(line) == 10)
            at = 2 + oracle.TIES.index(one["ties"])
            assert [ties[at], ties[at + 4]] == [
                f"{one['q']['value']:.3f}",
                f"{one['low']['value']:.3f}",
            ]
            if one["ties"] in ("middle", "worst"):
                means = next(line for line in shown if len(line) == 7)
                mean = "{value:.3f} [{low:.3f}, {high:.3f}]".format(**one["q"])
                assert means[3 + ("middle", "worst").index(one["ties"])] == mean
                assert means[2] == str(one["moves"])
        for one in report.document["differences"]:
            if one["reading"] != reading or one["ties"] not in ("middle", "worst"):
                continue
            pair = [one["player"], f"{one['first']} - {one['second']}"]
            line = next(line for line in lines if line[:2] == pair)
            assert f"{one['q']['value']:+.3f}" in " ".join(line)
        for one in (each for each in report.document["diagonal"] if each["reading"] == reading):
            shares = [f"{one[side]:.3f}" for side in ("above", "on", "below", "correlation")]
            assert [one["player"], one["ties"], *shares, "-"] in lines


def made(run: Path, *ties: str) -> RunReport:
    folder = RunFolder(run)
    settings = folder.settings()
    settings["about"]["ties"] = list(ties)
    settings["settings"]["collection"] = [{"name": "<b>_a_|[x](y).sgf"}]
    return report(folder.rows(), settings, Names.RED_BLUE)


def test_the_figures(run: Path) -> None:
    drawn = {figure.name: asdict(figure) for figure in made(run, "worst").figures}
    assert set(drawn) == {
        f"q-{name}{side}-{reading}"
        for name in ("own-worst", "opponent-worst", "own-opponent-worst", "others-worst", "mean")
        for side in ("", "-loser")
        for reading in ("or-2", "default")
    }
    for name, figure in drawn.items():
        player = "loser" if "-loser" in name else "winner"
        reading = next(each for each in ("or-2", "default") if name.endswith(each))
        check_figure(figure, rows(run, reading=reading, player=player))


def check_figure(figure: dict[str, Any], own: list[oracle.Row]) -> None:
    for line in figure["lines"]:
        name = line["label"].removesuffix(", mean")
        if name != "equal":
            means = oracle.mean_by_turn(own, name, "worst", 5)
            assert dict(zip(line["x"], line["y"], strict=True)) == pytest.approx(means, abs=1e-5)
    for bars in figure["bars"]:
        ties = bars["label"].removeprefix("ties ")
        values = [oracle.mean_q(own, name, ties) for name in bars["places"]]
        shown = [one["value"] for one in bars["intervals"]]
        assert shown == pytest.approx(values, abs=1e-5)
    for cloud in figure["points"]:
        view = "own" if figure["name"].startswith("q-own-worst") else "opponent"
        x = [float(row["ply"]) for row in own]
        if figure["square"]:
            x = [oracle.q(row, OWN, "worst") for row in own]
            above, _, below = oracle.diagonal(own, "worst")
            assert cloud["label"] == f"moves: {above:.0%} above the diagonal, {below:.0%} below"
            assert figure["lines"][0]["x"] == figure["lines"][0]["y"]
        y = [oracle.q(row, f"contribution-{view}:1", "worst") for row in own]
        assert cloud["x"] == pytest.approx(x, abs=1e-5)
        assert cloud["y"] == pytest.approx(y, abs=1e-5)


def test_the_report_shows_figures_of_one_title_side_by_side(run: Path) -> None:
    shown = made(run, "middle", "worst")
    text = shown.markdown(True)
    assert r"moves rank: \<b\>\_a\_\|[x\](y).sgf" in text.splitlines()[0]
    for view in ("own", "opponent", "own-opponent"):
        names = [f"q-{view}-{ties}-default.png" for ties in ("middle", "worst")]
        assert any(all(name in line for name in names) for line in text.splitlines())
    assert all(f"({figure.name}.png)" in text for figure in shown.figures)
    assert ".png" not in shown.markdown(False) + shown.summary(True)


def test_figures_are_the_same_every_time(run: Path, tmp_path: Path) -> None:
    found = {figure.name: figure for figure in made(run, "worst").figures}
    for name in ("q-own-opponent-worst-default", "q-mean-default"):
        svg, png = draw(found[name], tmp_path)
        assert svg.read_text().startswith("<?xml")
        before = svg.read_bytes()
        draw(found[name], tmp_path)
        assert svg.read_bytes() == before
        width, height = struct.unpack(">II", png.read_bytes()[16:24])
        assert (width == height) is found[name].square


def test_a_finished_run_is_only_reported(run: Path, capsys, monkeypatch) -> None:
    """Other ties need no other run: the rows hold all of them."""
    monkeypatch.setattr("hextui.commands.experiments.can_draw", lambda: False)
    stamp = (run / "rows.csv").stat().st_mtime_ns
    words = ["study", "rank-quality", str(run.parent / "games.jsonl"), "--out", str(run)]
    words += ["--players", "both", "--json", "--reading", "or-2", "--reading", "default"]
    for name in NAMES:
        words += ["--evaluator", name]
    kept = {name: (run / name).read_text() for name in ("settings.json", "report.md")}
    assert main([*words, "--ties", "order", "--ties", "best"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (run / "rows.csv").stat().st_mtime_ns == stamp
    assert document["folder"] == str(run)
    assert document["about"]["ties"] == ["order", "best"]
    assert len(document["summary"]) == 2 * 2 * len(NAMES) * 4
    assert document["summary"][0]["evaluator"] == OWN
    assert {d["ties"] for d in document["differences"]} == set(oracle.TIES)
    for name, text in kept.items():
        (run / name).write_text(text)
    assert main([*words, "--evaluator", "two-distance"]) == 1
    assert "choose another --out" in capsys.readouterr().err


def test_a_folder_means_the_records_in_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("hextui.commands.experiments.can_draw", lambda: False)
    games, inner = tmp_path / "games", tmp_path / "games" / "inner"
    inner.mkdir(parents=True)
    (games / "notes.md").write_text("no game")
    files = [games / f"{number}.jsonl" for number in range(3)] + [inner / "last.jsonl"]
    for seed, path in enumerate(files):
        write_games(path, [random_game(seed, Board(3, 3))])
    words = ["study", "rank-quality", "--evaluator", "resistance", "--workers", "1"]
    folder, named = tmp_path / "folder", tmp_path / "named"
    assert main([*words, str(games), "--out", str(folder)]) == 0
    assert main([*words, *map(str, files), "--out", str(named)]) == 0
    assert (folder / "rows.csv").read_text() == (named / "rows.csv").read_text()
    assert RunFolder(folder).settings()["settings"] == RunFolder(named).settings()["settings"]
    heading = (folder / "report.md").read_text().splitlines()[0]
    assert heading.endswith(": 0.jsonl, 1.jsonl, 2.jsonl and 1 more")


def test_a_folder_of_which_a_part_cannot_be_read_is_not_studied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [Broken("inner", None, "cannot be read: Permission denied")]
    monkeypatch.setattr("hextui.commands.study.files_of", lambda _: found)
    assert main(["study", "rank-quality", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == "hextui: inner: cannot be read: Permission denied\n"
