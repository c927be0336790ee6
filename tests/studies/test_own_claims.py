"""``study claims``: claims of one's own, against what an oracle makes of the rows."""

import json
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.studies.claims_file import read_claims
from tests.oracles import reports as oracle
from tests.studies.games import random_game, write_games

FIRST, SECOND = "contribution-both:1", "betweenness"
PAIR = f'evaluators = ["{FIRST}", "{SECOND}"]'
CLAIMS = "\n".join(
    ['games = ["games.jsonl"]']
    + [
        f'[[claim]]\ntext = "{measure} {sign}"\nmeasure = "{measure}"\n{PAIR}\nexpect = "{sign}"'
        for measure in ("Q", "low", "first")
        for sign in "+-0"
    ]
    + [
        f'[[claim]]\ntext = "alone {sign}"\nmeasure = "Q"\nevaluators = ["{SECOND}"]\n'
        f'expect = "{sign}"\nplayer = "loser"\ngames = ["few"]'
        for sign in "+-0"
    ]
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study of claims about games in a file and others in a folder."""
    folder = tmp_path_factory.mktemp("claims")
    write_games(folder / "games.jsonl", [random_game(n, Board(4, 4)) for n in range(12)])
    (folder / "few").mkdir()
    write_games(folder / "few" / "a.jsonl", [random_game(n, Board(3, 3)) for n in range(5)])
    (folder / "claims.toml").write_text(CLAIMS)
    return folder


@pytest.fixture(scope="module")
def judged(run: Path) -> list[dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hextui.commands.experiments.can_draw", lambda: False)
        words = ["study", "claims", str(run / "claims.toml"), "--out", str(run / "out")]
        assert main([*words, "--workers", "1"]) == 0
    text = (run / "out" / "report.md").read_text()
    found = []
    for part in ("games-1", "games-2"):
        assert f"[{part}]({part}/report.md)" in text
        settings = json.loads((run / "out" / part / "settings.json").read_text())
        assert settings["done"]
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 9 and cells[1] in ("confirmed", "contradicted", "undecidable"):
            found.append(
                dict(zip(("claim", "verdict", "criterion", "measured"), cells, strict=False))
            )
    return found


def measured(rows: list[oracle.Row], measure: str, name: str) -> float:
    if measure == "first":
        return fmean(row[f"{name} rank"] == "1" for row in rows)
    if measure == "low":
        return oracle.low(rows, name, "middle")
    return oracle.mean_q(rows, name, "middle")


def test_measures_and_verdicts_are_those_of_the_rows(run: Path, judged: list[Any]) -> None:
    assert len(judged) == 12
    for one in judged:
        what, sign = one["claim"].split()
        part = "games-1" if what == "alone" else "games-2"
        player = "loser" if what == "alone" else "winner"
        rows = oracle.where(oracle.read(run / "out" / part / "rows.csv"), player=player)
        value, low, high = map(float, one["measured"].translate({91: 32, 93: 32, 44: 32}).split())
        if what == "alone":
            assert value == pytest.approx(oracle.mean_q(rows, SECOND, "middle"), abs=6e-4)
            middle = 0.5
            ends = oracle.resampled(
                rows, partial(oracle.q, evaluator=SECOND, ties="middle"), "game"
            )
            assert [low, high] == pytest.approx(ends, abs=0.15 * (high - low) + 2e-3)
        else:
            middle = 0.0
            difference = measured(rows, what, FIRST) - measured(rows, what, SECOND)
            assert value == pytest.approx(difference, abs=6e-4)
        near = middle - 0.05, middle + 0.05
        ranges = {"+": (middle, 9.0), "-": (-9.0, middle), "0": near}
        least, most = ranges[sign]
        expected = "undecidable"
        if least < low and high < most:
            expected = "confirmed"
        elif high < least or low > most:
            expected = "contradicted"
        assert one["verdict"] == expected
    assert len({one["verdict"] for one in judged}) > 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"Q"', '"quality"', "claim 1.measure: 'quality' is not one of Q, low, first"),
        ('"+"', '">"', "claim 1.expect: '>' is not one of +, -, 0"),
        ('games = ["games.jsonl"]', "", "claim 1.games: is missing"),
        ('text = "', 'note = "', "claim 1.note: there is no such key; choose from text, measure"),
        (f'"{FIRST}"', '"nobody"', "claim 1.evaluators: no evaluator 'nobody'"),
        (f'"{FIRST}"', f'"{SECOND}"', "must be one evaluator, or two different ones"),
        ("[[claim]]", "[claims]", "claims: there is no such key; choose from games, claim"),
        ("[[claim]]", "[claim]", "claim: give a table [[claim]] for each claim"),
        ('"Q"', '"low"', "claim 1.evaluators: low compares two: name both"),
        ('games = ["games.jsonl"]', "games = 3", "games: must be a list of texts"),
        ("[[claim]]", "[[claim", "claims.toml: "),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, says: str
) -> None:
    lone = PAIR.replace(f'"{FIRST}", ', "") if new == '"low"' else PAIR
    text = f'games = ["games.jsonl"]\n[[claim]]\ntext = "a"\nmeasure = "Q"\n{lone}\nexpect = "+"\n'
    file = tmp_path / "claims.toml"
    file.write_text(text)
    (claim,) = read_claims(file) if lone == PAIR else ("unread",)
    assert claim
    file.write_text(text.replace(old, new, 1))
    assert main(["study", "claims", str(file), "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "claims.toml: " in err
    assert says in err
