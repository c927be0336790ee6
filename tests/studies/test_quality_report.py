"""The report and figures of rank-quality, recomputed from its CSV with nothing of hextui."""

import csv
import json
import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.studies.quality_report import figures
from hextui.studies.results import Folder
from tests.studies.games import random_game, write_games


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study of twenty games, and what was printed."""
    folder = tmp_path_factory.mktemp("study")
    games = [random_game(seed, Board(4, 4)) for seed in range(20)]
    path = write_games(folder / "games.jsonl", games)
    words = ["study", "rank-quality", str(path), "--out", str(folder / "out"), "--players", "both"]
    words += ["--evaluator", "contribution-own:1", "--evaluator", "contribution-opponent:1"]
    words += ["--evaluator", "contribution-own:0", "--evaluator", "resistance", "--workers", "2"]
    assert main(words) == 0
    return folder / "out"


def rows(run: Path) -> list[dict[str, str]]:
    with open(run / "rows.csv", newline="") as file:
        return list(csv.DictReader(file))


def cells(line: str) -> list[str]:
    return [word.strip() for word in line.strip("|").split("|")]


def test_the_tables_of_the_report(run: Path) -> None:
    text = (run / "report.md").read_text()
    found = rows(run)
    assert f"20 games, {len(found)} moves" in text
    lines = [cells(line) for line in text.splitlines() if line.startswith("| ")]
    summaries = [line for line in lines if len(line) == 7 and line[0] in ("winner", "loser")]
    assert len(summaries) == 8
    for player, name, moves, q, mid, first, exact in summaries:
        own = [row for row in found if row["player"] == player]
        assert int(moves) == len(own)
        assert float(q.split()[0]) == pytest.approx(
            fmean(float(r[f"{name} Q"]) for r in own), abs=6e-4
        )
        assert float(mid.split()[0]) == pytest.approx(
            fmean(float(r[f"{name} mid Q"]) for r in own), abs=6e-4
        )
        assert float(first) == pytest.approx(fmean(r[f"{name} rank"] == "1" for r in own), abs=6e-4)
        assert float(exact) == 1
    phases = [line for line in lines if len(line) == 5 and line[0] in ("winner", "loser")]
    assert len(phases) == 8
    for player, name, *means in phases:
        for phase, mean in zip(("opening", "middle", "end"), means, strict=True):
            own = [r for r in found if r["player"] == player and r["phase"] == phase]
            expected = fmean(float(r[f"{name} Q"]) for r in own)
            assert float(mean.split()[0]) == pytest.approx(expected, abs=6e-4)
    differences = [line for line in lines if len(line) == 4 and " - " in line[1]]
    assert len(differences) == 4
    for player, pair, q, mid in differences:
        first, second = pair.split(" - ")
        own = [row for row in found if row["player"] == player]
        for measure, shown in (("Q", q), ("mid Q", mid)):
            gaps = [float(r[f"{first} {measure}"]) - float(r[f"{second} {measure}"]) for r in own]
            assert float(shown.split()[0]) == pytest.approx(fmean(gaps), abs=6e-4)


def test_intervals_hold_their_means(run: Path) -> None:
    for value, low, high in re.findall(
        r"([-+]?[0-9.]+) \[([-+]?[0-9.]+), ([-+]?[0-9.]+)\]", (run / "report.md").read_text()
    ):
        assert float(low) <= float(value) <= float(high)


def test_the_figures(run: Path) -> None:
    found = rows(run)
    drawn = {figure.name: figure for figure in figures(Folder(run).rows(), 0)}
    assert set(drawn) == {
        f"q-{name}{side}"
        for name in ("own", "opponent", "own-opponent", "others", "mean")
        for side in ("", "-loser")
    }
    for player, suffix in (("winner", ""), ("loser", "-loser")):
        own = [row for row in found if row["player"] == player]
        for view in ("own", "opponent"):
            figure = drawn[f"q-{view}{suffix}"]
            name = f"contribution-{view}:1"
            expected = [(int(r["ply"]), float(r[f"{name} Q"])) for r in own]
            assert list(zip(figure.points[0].x, figure.points[0].y, strict=True)) == expected
            by_turn = defaultdict(list)
            for turn, q in expected:
                by_turn[turn].append(q)
            line = next(line for line in figure.lines if line.label.startswith(name))
            assert dict(zip(line.x, line.y, strict=True)) == pytest.approx(
                {turn: fmean(values) for turn, values in by_turn.items() if len(values) >= 5}
            )
        cloud = drawn[f"q-own-opponent{suffix}"].points[0]
        assert list(zip(cloud.x, cloud.y, strict=True)) == [
            (float(r["contribution-own:1 Q"]), float(r["contribution-opponent:1 Q"])) for r in own
        ]
        (bars,) = drawn[f"q-mean{suffix}"].bars
        for name, value in zip(bars.places, bars.values, strict=True):
            assert value == pytest.approx(fmean(float(r[f"{name} Q"]) for r in own))


def test_figures_are_files_and_the_same_every_time(run: Path) -> None:
    from hextui.studies.drawing import draw

    pictures = sorted(run.glob("*.svg"))
    assert len(pictures) == len(list(run.glob("*.png"))) == 10
    text = (run / "report.md").read_text()
    for picture in pictures:
        assert f"({picture.stem}.png)" in text
        assert picture.read_text().startswith("<?xml")
    before = {path.name: path.read_bytes() for path in pictures}
    for figure in figures(Folder(run).rows(), 0):
        draw(figure, run)
    assert before == {path.name: path.read_bytes() for path in pictures}


def test_run_again_the_command_only_tells(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = json.loads((run / "settings.json").read_text())
    stamp = (run / "rows.csv").stat().st_mtime_ns
    words = ["study", "rank-quality", str(run.parent / "games.jsonl"), "--out", str(run)]
    words += ["--players", "both", "--json"]
    for name in settings["settings"]["evaluators"]:
        words += ["--evaluator", name]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert (run / "rows.csv").stat().st_mtime_ns == stamp
    assert document["folder"] == str(run)
    assert len(document["summary"]) == 8
    assert document["summary"][0]["evaluator"] == "contribution-own:1"
    assert main([*words, "--evaluator", "two-distance"]) == 1
    assert "choose another --out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["missing.jsonl"], "missing.jsonl"),
        (["GAMES", "--evaluator", "nobody"], "nobody"),
        (["GAMES", "--size", "9"], "20 (another size)"),
        (["GAMES", "--workers", "0"], "workers"),
        (["GAMES", "--cluster", "nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_one_line(
    run: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str, tmp_path: Path
) -> None:
    games = str(run.parent / "games.jsonl")
    words = [games if word == "GAMES" else word for word in words]
    try:
        code = main(["study", "rank-quality", *words, "--out", str(tmp_path)])
    except SystemExit as stop:
        code = int(str(stop.code))
    out, err = capsys.readouterr()
    assert code in (1, 2)
    assert out == ""
    assert says in err.splitlines()[-1]
    assert "Traceback" not in err
