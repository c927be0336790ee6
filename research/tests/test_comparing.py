"""Two runs compared: every number from the rows again, by plain counting."""

import json
import math
import random
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

import pytest

from hextui.runs.intervals import difference
from hextui.runs.proportions import proportion
from hextui.runs.results import FinishedTask, Row, RunError, RunFolder
from research.studies.comparing import (
    RunDifference,
    compared,
    difference_of_means,
    difference_table,
    main,
    title,
)

MATCH = ("game", "black", "white", "first", "seed", "opening", "winner", "plies", "moves")
QUALITY = (
    *("reading", "game", "size", "plies", "ply", "player", "color", "move", "candidates"),
    *(f"resistance {measure}" for measure in ("rank", "worst rank", "place", "exact")),
)


def written(
    path: Path, study: str, settings: dict[str, Any], columns: tuple[str, ...], rows: list[Row]
) -> Path:
    """A run with these rows, a task each."""
    folder = RunFolder(path)
    document = {"study": study, "settings": settings, "columns": columns, "tasks": len(rows)}
    folder.begin(document, {"ties": ["middle"]})
    with folder.shared() as claims:
        for number, row in enumerate(rows):
            folder.journal().append(FinishedTask(number, [row], 0.0), claims)
    return path


def done(path: Path) -> Path:
    RunFolder(path).finish({})
    return path


def match(path: Path, won: int, games: int = 20) -> Path:
    rows: list[Row] = [
        (n, "a", "b", "black", 0, 0, "black" if n < won else "white", 2, f"a1 b{n + 1}")
        for n in range(games)
    ]
    settings = {"first": "a", "second": "b", "board": "5x5", "games": games}
    return written(path, "match", settings, MATCH, rows)


def quality(path: Path, ranks: list[int], digest: str = "x") -> Path:
    rows: list[Row] = [
        ("default", n // 2, "5x5", 9, n, "winner", "black", "a1", 11, rank, rank, rank, 1)
        for n, rank in enumerate(ranks)
    ]
    settings = {"collection": [{"name": "games", "sha256": digest}], "evaluators": ["resistance"]}
    return written(path, "rank-quality", settings, QUALITY, rows)


def by_measure(found: list[RunDifference]) -> dict[str, RunDifference]:
    return {one.measure: one for one in found}


def test_shares_of_wins_differ_by_newcombes_interval(tmp_path: Path) -> None:
    first, second = done(match(tmp_path / "1", 12)), match(tmp_path / "2", 18, 30)
    found = by_measure(compared(first, second))
    overall = found["won by the first player"]
    one, other = proportion(12, 20), proportion(18, 30)
    assert (overall.first, overall.second) == (one, other)
    assert overall.difference == difference(other, one)
    assert set(found) == {"won by the first player", "as Red", "won by Red"}


def test_qualities_of_the_same_moves_are_drawn_together(tmp_path: Path) -> None:
    ranks = [1, 2, 3, 4, 5, 6, 7, 8]
    first = done(quality(tmp_path / "1", ranks))
    second = done(quality(tmp_path / "2", [rank + 1 for rank in ranks]))
    (same,) = compared(first, second)
    # a place of 11 is a tenth of Q
    assert same.first.value == pytest.approx(fmean(1 - (rank - 1) / 10 for rank in ranks))
    for number in (same.difference.value, same.difference.low, same.difference.high):
        assert number == pytest.approx(-0.1)
    (other,) = compared(first, done(quality(tmp_path / "3", ranks, "y")))
    assert other.difference.value == 0
    assert other.difference.low < -0.1 < 0.1 < other.difference.high
    assert compared(first, tmp_path / "3", seed=1) != [other]


def test_runs_without_a_common_measure_are_refused(tmp_path: Path) -> None:
    one, other = match(tmp_path / "1", 3), quality(tmp_path / "2", [1, 2])
    with pytest.raises(RunError, match="match and rank-quality measure different things"):
        compared(one, other)
    with pytest.raises(RunError, match="nothing in common"):
        compared(match(tmp_path / "3", 0, 0), one)


def test_the_command_prints_runs_and_differences(tmp_path, capsys) -> None:
    first, second = done(match(tmp_path / "1", 5)), done(match(tmp_path / "2", 15))
    assert main([str(first), str(second)]) == 0
    told = capsys.readouterr().out
    assert "first   Match on 5x5: a against b, 20 games" in told
    assert difference_table(compared(first, second), "first", "second") in told
    assert "+0.500 [+0.1" in told
    assert main([str(first), str(second), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["differences"][0]["difference"]["value"] == 0.5
    assert main([str(first), str(tmp_path / "none")]) != 0
    assert capsys.readouterr().err.count("\n") == 1


def test_titles() -> None:
    losing = {"size": "2x2", "player": "resistance", "other": "blocking"}
    found = title({"study": "losing-moves", "settings": losing})
    assert found == "Lost wins on 2x2: resistance against blocking"
    assert title({"study": "match", "settings": {"first": 3}}) == "match"
    assert title({"study": "else"}) == "else"


@pytest.mark.parametrize("value", ["x", "", "-1", "9" * 400, "\ud800"])
def test_forged_rows_are_one_line(tmp_path: Path, capsys, value: str) -> None:
    first, second = done(match(tmp_path / "1", 5)), match(tmp_path / "2", 15)
    *_, last = (second / "journal.jsonl").read_text().splitlines()
    number, seconds, (row,) = json.loads(last)
    for column in range(len(row)):
        forged = [*row[:column], value, *row[column + 1 :]]
        (second / "journal.jsonl").write_text(json.dumps([number, seconds, [forged]]) + "\n")
        failed = main([str(first), str(second)]) != 0
        assert capsys.readouterr().err.count("\n") == failed


def test_a_difference_of_means_draws_the_same_games_for_both() -> None:
    rng = random.Random(7)
    games = [str(game) for game in range(30) for _ in range(4)]
    values = [rng.random() for _ in games]
    shuffled = list(zip([v + 0.25 for v in values], games, strict=True))
    rng.shuffle(shuffled)
    more, their_games = map(list, zip(*shuffled, strict=True))
    found = difference_of_means((more, their_games), (values, games), seed=3)
    assert (found.value, found.low, found.high) == pytest.approx((0.25, 0.25, 0.25))


def test_a_difference_of_means_of_other_games_is_as_wide_as_theory_has_it() -> None:
    """Two independent means: the half width is 1.96 roots of the sum of both variances."""
    rng = random.Random(8)
    first, second = ([rng.gauss(0.5, 0.2) for _ in range(200)] for _ in range(2))
    games, others = ([f"{name}{i}" for i in range(200)] for name in "ab")
    found = difference_of_means((first, games), (second, others), seed=4)
    half = 1.96 * math.sqrt(pvariance(first) / 200 + pvariance(second) / 200)
    assert found.value == pytest.approx(fmean(first) - fmean(second))
    assert found.high - found.low == pytest.approx(2 * half, rel=0.12)
