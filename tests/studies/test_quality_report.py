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
from hextui.matches.figures import draw
from hextui.matches.reports import RunReport
from hextui.matches.results import RunFolder
from hextui.studies.quality_report import report
from hextui.words.names import Names
from tests.oracles import reports as oracle
from tests.studies.games import random_game, write_games

NAMES = ("contribution-own:1", "contribution-opponent:1", "contribution-own:0", "resistance")
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


def tables(run: Path, columns: int) -> list[list[str]]:
    """The lines of all tables of the report with so many columns, heads too."""
    lines = (run / "report.md").read_text().splitlines()
    found = [[word.strip() for word in line.strip("|").split("|")] for line in lines if "|" in line]
    return [line for line in found if len(line) == columns and set(line[0]) != {"-"}]


def interval(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"[-+]?[0-9.]+", text)]


def test_the_oracle_knows_nothing_of_the_program() -> None:
    imports = re.findall(r"^(?:from|import) (\w+)", Path(oracle.__file__).read_text(), re.MULTILINE)
    assert "csv" in imports
    assert not {"hextui", "numpy", "tests"} & set(imports)


def test_mean_q_and_its_interval(run: Path) -> None:
    assert f"20 games, {len(rows(run, reading='default'))} moves" in (run / "report.md").read_text()
    lines = [line for line in tables(run, 6) if line[0] in ("winner", "loser")]
    assert len(lines) == 2 * 2 * len(NAMES)
    for number, (player, name, moves, worst, first, exact) in enumerate(lines):
        reading = ("or-2", "default")[number // 8]
        own = rows(run, reading=reading, player=player)
        assert int(moves) == len(own)
        value, low, high = interval(worst)
        assert value == pytest.approx(oracle.mean_q(own, name, "worst"), abs=6e-4)
        ends = oracle.resampled(own, partial(oracle.q, evaluator=name, ties="worst"), "game")
        assert [low, high] == pytest.approx(ends, abs=0.15 * (high - low) + 1e-3)
        assert float(first) == pytest.approx(fmean(r[f"{name} rank"] == "1" for r in own), abs=6e-4)
        assert float(exact) == 1


def test_every_way_of_ties(run: Path) -> None:
    lines = [line for line in tables(run, 10) if line[0] in ("winner", "loser")]
    assert len(lines) == 2 * 2 * len(NAMES)
    for number, (player, name, *shown) in enumerate(lines):
        own = rows(run, reading=("or-2", "default")[number // 8], player=player)
        expected = [oracle.mean_q(own, name, ties) for ties in oracle.TIES]
        expected += [oracle.low(own, name, ties) for ties in oracle.TIES]
        assert [float(value) for value in shown] == pytest.approx(expected, abs=6e-4)
        best, middle, worst, order = expected[:4]
        assert best >= middle >= worst
        assert best >= order >= worst


def test_thirds_and_differences(run: Path) -> None:
    phases = [line for line in tables(run, 5) if line[0] in ("winner", "loser")]
    assert len(phases) == 2 * 2 * len(NAMES)
    for number, (player, name, *means) in enumerate(phases):
        reading = ("or-2", "default")[number // 8]
        for phase, mean in zip(("opening", "middle", "end"), means, strict=True):
            own = rows(run, reading=reading, player=player, phase=phase)
            assert interval(mean)[0] == pytest.approx(oracle.mean_q(own, name, "worst"), abs=6e-4)
    differences = [line for line in tables(run, 3) if line[0] in ("winner", "loser")]
    assert len(differences) == 2 * 2 * 2
    for number, (player, pair, shown) in enumerate(differences):
        first, second = pair.split(" - ")
        own = rows(run, reading=("or-2", "default")[number // 4], player=player)
        gap = oracle.mean_q(own, first, "worst") - oracle.mean_q(own, second, "worst")
        assert interval(shown)[0] == pytest.approx(gap, abs=6e-4)


def test_the_diagonal_and_the_readings(run: Path) -> None:
    lines = [line for line in tables(run, 7) if line[0] in ("winner", "loser")]
    assert len(lines) == 2 * 2 * 4
    for number, (player, ties, *shares, r, like_paper) in enumerate(lines):
        own = rows(run, reading=("or-2", "default")[number // 8], player=player)
        assert [float(s) for s in shares] == pytest.approx(oracle.diagonal(own, ties), abs=6e-4)
        pair = [[oracle.q(row, name, ties) for row in own] for name in (OWN, OPPONENT)]
        assert float(r) == pytest.approx(correlation(*pair), abs=6e-4)
        # 20 games are fewer than the paper's 22
        assert like_paper == "-"
    compared = [line for line in tables(run, 7) if line[0] in ("or-2", "default")]
    assert len(compared) == 4
    for reading, _, player, ties, own_q, opponent_q, gap in compared:
        own = rows(run, reading=reading, player=player)
        means = [oracle.mean_q(own, name, ties) for name in (OWN, OPPONENT)]
        assert [float(own_q), float(opponent_q)] == pytest.approx(means, abs=6e-4)
        assert interval(gap)[0] == pytest.approx(means[1] - means[0], abs=6e-4)


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
        assert bars["values"] == pytest.approx(values, abs=1e-5)
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


def test_run_again_the_command_only_tells(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert {d["ties"] for d in document["differences"]} == {"order", "best"}
    for name, text in kept.items():
        (run / name).write_text(text)
    assert main([*words, "--evaluator", "two-distance"]) == 1
    assert "choose another --out" in capsys.readouterr().err


def test_a_folder_stands_for_the_records_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["missing.jsonl"], "missing.jsonl"),
        (["GAMES", "--evaluator", "nobody"], "nobody"),
        (["GAMES", "--size", "9"], "20 (another size)"),
        (["GAMES", "--workers", "0"], "workers"),
        (["GAMES", "--ties", "none"], "ties"),
        (["GAMES", "--reading", "nodes"], "there are all, default, or-2"),
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
