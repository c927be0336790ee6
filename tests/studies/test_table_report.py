"""The report and figures of match-table, recomputed from its CSV with nothing of hextui.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.runs.results import RunFolder
from hextui.studies.match_table import report
from hextui.text import Names
from tests.oracles import reports as oracle

READINGS = ("raw", "default")
SIDES = ("first", "second")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study on 3x3 by two readings, and what was printed."""
    folder = tmp_path_factory.mktemp("study")
    words = ["study", "match-table", "--games", "4", "--size", "3", "--out", str(folder)]
    for reading in READINGS:
        words += ["--reading", reading]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hextui.commands.experiments.can_draw", lambda: False)
        assert main([*words, "--workers", "1"]) == 0
    return folder


@pytest.fixture(scope="module")
def document(run: Path) -> dict[str, Any]:
    """What --json tells of the rows."""
    folder = RunFolder(run)
    found = report(folder.rows(), folder.settings(), Names.RED_BLUE).document
    decoded: dict[str, Any] = json.loads(json.dumps(found))
    return decoded


def rows(run: Path, **wanted: str) -> list[oracle.Row]:
    return oracle.where(oracle.read(run / "rows.csv"), **wanted)


def numbers(interval: dict[str, float]) -> list[float]:
    return [interval[name] for name in ("value", "low", "high")]


def test_the_rows_are_games(run: Path) -> None:
    found = rows(run)
    assert len(found) == 2 * (28 + 9 + 16 * 9)
    for row in found:
        board, position = Board(3, 3), Position.empty(Board(3, 3))
        for move in row["moves"].split():
            position = position.play(board.cell(move))
        assert position.winner is (Color.BLACK if row["winner"] == "first" else Color.WHITE)
        assert int(row["plies"]) == len(row["moves"].split())
        assert row["moves"].startswith(row["opening"])
        assert 0 <= int(row["proved after"]) <= int(row["plies"])


def test_table_1(run: Path, document: dict[str, Any]) -> None:
    cells = document["table_1"]
    assert len(cells) == 2 * 2 * 4
    for cell in cells:
        own = rows(run, reading=cell["reading"])
        wins = {player: oracle.won(own, player, cell["side"]) for player in ("E", cell["player"])}
        shares = {player: oracle.wilson(sum(won), len(won)) for player, won in wins.items()}
        assert cell["games"] == 4
        assert numbers(cell["ours"]) == pytest.approx(shares[cell["player"]])
        gain = oracle.newcombe(shares[cell["player"]], shares["E"])
        assert numbers(cell["gain"]) == pytest.approx(gain)
        # the paper has no numbers for this board
        assert cell["paper"] is cell["gap"] is cell["agrees"] is None


def test_openings_trends_and_partings(run: Path, document: dict[str, Any]) -> None:
    for reading in READINGS:
        own = rows(run, reading=reading)
        assert document["openings"][reading] == oracle.wins_by_opening(own)
        trends = document["trends"][reading]
        for side, trend in zip(SIDES, trends, strict=False):
            wins = [oracle.won(own, player, side) for player in ("E_2", "E_0")]
            gap = oracle.newcombe(*(oracle.wilson(sum(won), len(won)) for won in wins))
            assert numbers(trend["ours"]) == pytest.approx(gap)
        grid = oracle.wins_by_opening(own)
        against_e = [grid[i][0] - grid[0][i] for i in (3, 1)]
        assert trends[2]["ours"]["value"] == pytest.approx((against_e[0] - against_e[1]) / 18)
        # 18 games between them: a win more for one is a win less for the other
        first = grid[3][1] - grid[1][3]
        assert trends[3]["ours"]["value"] == pytest.approx(2 * first / 18)
        for table in ("2", "every opening"):
            found = document["partings"][reading][table]
            expected = oracle.partings(oracle.where(own, table=table))
            shown = ("pairs", "equal", "parted_proved", "parted_not_proved", "other_winner")
            assert [found[name] for name in shown] == list(expected.values())


def test_the_figures(run: Path) -> None:
    made = report(RunFolder(run).rows(), RunFolder(run).settings(), Names.RED_BLUE)
    drawn = {figure.name: asdict(figure) for figure in made.figures}
    assert set(drawn) == {f"table-1-{reading}" for reading in READINGS}
    for reading in READINGS:
        own = rows(run, reading=reading)
        ours, base = drawn[f"table-1-{reading}"]["bars"]
        for series in (ours, base):
            for at, place in enumerate(series["places"]):
                player, side = place.split()
                won = oracle.won(own, "E" if series is base else player, side)
                bar = [*series["intervals"][at].values()]
                assert bar == pytest.approx(oracle.wilson(sum(won), len(won)), abs=1e-5)


def test_the_report_shows_them(run: Path, document: dict[str, Any]) -> None:
    text = (run / "report.md").read_text()
    for reading in READINGS:
        section = text.partition(f"## Reading {reading}:")[2].partition("## ")[0]
        for cell in document["table_1"]:
            if cell["reading"] == reading:
                line = next(
                    line
                    for line in section.splitlines()
                    if line.startswith(f"| {cell['player']} {cell['side']} ")
                )
                assert f"{cell['ours']['value']:.2f} [" in line
        found = document["partings"][reading]["every opening"]
        assert f"| {found['pairs']}   | {found['equal']} " in section
    assert "paper" not in text.lower()
