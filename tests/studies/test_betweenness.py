"""``study betweenness``: the same moves by all evaluators, against what an oracle makes of them."""

import json
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.studies.betweenness_claims import CLAIMS
from tests.oracles import reports as oracle
from tests.studies.games import random_game, write_games

NAMES = (
    *("betweenness", "betweenness:local=0", "betweenness:local=1"),
    *("contribution-both:0", "contribution-both:1"),
)


def test_the_claims_are_judged_by_the_same_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hextui.commands.experiments.can_draw", lambda: False)
    games = write_games(tmp_path / "games.jsonl", [random_game(n, Board(4, 4)) for n in range(12)])
    words = ["study", "betweenness", str(games), "--sample", "8", "--workers", "1", "--json"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    document = json.loads(capsys.readouterr().out)
    rows = oracle.read(tmp_path / "out" / "moves" / "rows.csv")
    assert len({row["game"] for row in rows}) == 8
    assert all(row[f"{name} rank"] for row in rows for name in NAMES)
    assert [claim["claim"] for claim in document["claims"]] == [claim.text for claim in CLAIMS]
    for own, claim in zip(CLAIMS, document["claims"], strict=True):
        first, second = (oracle.mean_q(rows, name, "middle") for name in own.evaluators)
        measured = claim["ties"]["middle"]["measured"]
        assert measured["value"] == pytest.approx(first - second)
        assert measured["low"] <= measured["value"] <= measured["high"]
        assert claim["moves"] == len(rows)
    report = (tmp_path / "out" / "report.md").read_text()
    assert all(claim.text in report for claim in CLAIMS)
