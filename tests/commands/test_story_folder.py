"""``hextui report FOLDER --html``: a page for each game, their index and a table."""

import csv
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hextui.runs import workers
from tests.commands.test_games_page import rows_in
from tests.commands.test_story_page import GAME, strict

QUICK = ("--evaluator", "resistance", "--solve", "20")
OTHER = "(;GM[11]SZ[4];B[a1];W[d4];B[d1];W[a4];B[a2];W[d3];B[b3])"
WITHOUT_MISTAKE = "(;GM[11]SZ[3]PB[Eve];B[b2];W[a1])"


@pytest.fixture(autouse=True)
def workers_are_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "processes", lambda number: ThreadPoolExecutor(1))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "two games.sgf").write_text(GAME + OTHER)
    (folder / "one.sgf").write_text(WITHOUT_MISTAKE)
    return folder


def test_each_game_gets_a_page_and_a_row_of_the_index(tmp_path: Path, games: Path, run) -> None:
    target = tmp_path / "new" / "stories"
    code, text, _ = run("report", str(games), *QUICK, "--html", str(target))
    assert code == 0
    pages = ["one-1.html", "two-games-1.html", "two-games-2.html"]
    assert sorted(path.name for path in target.iterdir()) == ["games.csv", "index.html", *pages]
    for name in pages:
        strict((target / name).read_text())
    assert "Winning line: 3. a1" in (target / pages[1]).read_text()
    links, rows = rows_in((target / "index.html").read_text())
    assert links == pages
    for row in rows:  # the terminal shows the same
        assert re.search(r"\s+".join(map(re.escape, filter(None, row))), text)
    table = list(csv.DictReader((target / "games.csv").open()))
    assert [row["page"] for row in table] == pages


def written(target: Path) -> dict[str, tuple[int, int]]:
    """Return when each page was written, and which file it is."""
    files = [(path.name, path.stat()) for path in target.glob("*-*.html")]
    return {name: (status.st_ino, status.st_mtime_ns) for name, status in files}


def test_pages_that_are_done_stay_and_those_of_changed_games_are_written_again(
    tmp_path: Path, games: Path, run
) -> None:
    target = tmp_path / "stories"
    command = ("report", str(games), *QUICK, "--html", str(target))
    run(*command)
    first = written(target)
    assert len(first) == 3
    run(*command)
    assert written(target) == first
    (games / "two games.sgf").write_text(GAME.replace("Ann", "Zoe") + OTHER)
    run(*command)
    changed = {name for name, stamp in written(target).items() if stamp != first[name]}
    assert changed == {"two-games-1.html"}
    assert "Winning line: 3. a1" in (target / "two-games-1.html").read_text()
    assert "Zoe" in (target / "index.html").read_text()


def test_pages_that_cannot_be_written_lose_no_report(tmp_path: Path, games: Path, run) -> None:
    busy = tmp_path / "busy"
    busy.touch()
    code, text, said = run("report", str(games), *QUICK, "--html", str(busy))
    assert (code, text) == (2, "")
    assert said.count("\n") == 1
    target = tmp_path / "stories"
    (target / "two-games-1.html").mkdir(parents=True)
    code, text, said = run("report", str(games), *QUICK, "--html", str(target))
    assert code == 2
    assert text.startswith("Proved mistakes in 3 games\n")
    assert said.count("cannot be saved") == 1
