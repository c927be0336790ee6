"""The Studies screen: runs of a folder, their reports and figures."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree

import pytest
from textual.widgets import Button, Input

from hextui.commands import main
from hextui.studies.at_work import worker_of
from hextui.studies.figures import Bars, Curve, Figure, Points, read_figures, write_figures
from hextui.ui.screens import studies
from hextui.ui.screens.dialogs import Box
from hextui.ui.screens.studies import StudiesScreen
from hextui.ui.screens.study_runs import StudyRun
from hextui.ui.widgets.figure import bar_text, thinned
from tests.studies.test_at_work import holding
from tests.ui.helpers import SIZES, press, running, shown, told, until
from tests.ui.resting import threads_go_on


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a rating list, a table of matches, and two that cannot be shown."""
    folder = tmp_path_factory.mktemp("studies")
    ratings = ["study", "ratings", "resistance", "two-distance", "--size", "3", "--workers", "1"]
    assert main([*ratings, "--out", str(folder / "a-ratings")]) == 0
    games = folder / "games.jsonl"
    games.write_text('{"size": 3, "winner": "red", "moves": "b2 a1 b1 a2 b3"}\n')
    quality = ["study", "rank-quality", str(games), "--workers", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hextui.commands.experiments.can_draw", lambda: False)
        assert main([*quality, "--out", str(folder / "b-quality")]) == 0
    begun = folder / "c-begun"
    begun.mkdir()
    settings = json.loads((folder / "b-quality" / "settings.json").read_text())
    settings |= {"done": False, "tasks": 7}
    (begun / "settings.json").write_text(json.dumps(settings))
    (begun / "journal.jsonl").write_text("[0,0.1,[]]\n[1,0.1,[]]\n")
    broken = folder / "d-broken"
    broken.mkdir()
    (broken / "settings.json").write_text("{")
    return folder


async def opened(pilot, folder: Path, wait_for: str) -> StudiesScreen:
    screen = StudiesScreen(folder)
    await pilot.app.push_screen(screen)
    await until_shown(pilot, wait_for)
    return screen


async def until_shown(pilot, text: str) -> None:
    await until(pilot, lambda: text in shown(pilot))


async def choose(pilot, name: str, text: str) -> None:
    """Go through the list to a run, and wait until a text of its report is shown."""
    screen = pilot.app.screen
    names = [run.path.name for run in screen._runs.values()]
    await press(pilot, "home", *["down"] * names.index(name))
    await until_shown(pilot, text)


@pytest.mark.parametrize("size", SIZES)
async def test_reports_and_figures(results: Path, size: tuple[int, int]) -> None:
    async with running(size=size) as pilot:
        await opened(pilot, results, "c-begun")
        await choose(pilot, "a-ratings", "# Ratings on 3x3")
        await press(pilot, "n")
        await until_shown(pilot, "2 of 2")
        text = shown(pilot)
        assert "resistance" in text
        assert "█" in text
        await press(pilot, "n")
        await until_shown(pilot, "# Ratings on 3x3")
        await choose(pilot, "b-quality", "# How high the moves rank")
        await press(pilot, "n")
        await until_shown(pilot, "2 of 8")
        assert "Q, ties middle over turn" in shown(pilot)
        await press(pilot, "p", "p")
        await until_shown(pilot, "8 of 8")
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main


async def test_what_cannot_be_shown_says_why(results: Path) -> None:
    async with running(size=(140, 45)) as pilot:
        await opened(pilot, results, "c-begun")
        await choose(pilot, "c-begun", "Not done: stopped, 2 of 7 games")
        await choose(pilot, "d-broken", "not JSON")


@pytest.mark.parametrize("name", ["missing", "x" * 300])
async def test_a_folder_without_results(tmp_path: Path, results: Path, name: str) -> None:
    async with running(size=(140, 45)) as pilot:
        await opened(pilot, tmp_path, "There are no results")
        assert "hextui study rank-quality" in shown(pilot)
        await press(pilot, "o")
        pilot.app.screen.query_one("Input").value = str(tmp_path / name)
        await press(pilot, "enter")
        await until_shown(pilot, "no such folder")
        pilot.app.screen.query_one("Input").value = str(results)
        await press(pilot, "enter")
        await until_shown(pilot, "a-ratings")


async def test_the_key_opens_it() -> None:
    async with running() as pilot:
        await press(pilot, "U")
        assert isinstance(pilot.app.screen, StudiesScreen)


def test_figures_survive_their_file() -> None:
    figures = (
        Figure("a", "A", "x", "y", points=(Points("p", (1.0, 2.0), (0.5, 0.25)),)),
        Figure(
            "b",
            "B",
            "x",
            "y",
            lines=(Curve("l", (1.0,), (2.0,), (1.0,), (3.0,)),),
            y_range=(0.0, 1.0),
        ),
        Figure(
            "c", "C", "", "y", bars=(Bars("m", ("u", "v"), (1.0, 2.0), (0.5, 1.5), (1.5, 2.5)),)
        ),
    )
    assert read_figures(write_figures(figures)) == figures


@pytest.mark.parametrize("text", ["", "{}x", "3", '[{"name": "a"}]', "[1]"])
def test_what_are_no_figures(text: str) -> None:
    with pytest.raises(ValueError, match=r"no figures|Expecting|Extra"):
        read_figures(text)


def test_thinning_keeps_the_shape() -> None:
    xs = tuple(float(i % 300) for i in range(60_000))
    ys = tuple(float(i % 271) for i in range(60_000))
    (cloud,) = thinned(Figure("a", "A", "x", "y", points=(Points("p", xs, ys),))).points
    assert len(cloud.x) < 10_000
    assert set(zip(cloud.x, cloud.y, strict=True)) <= set(zip(xs, ys, strict=True))
    for kept, whole in ((cloud.x, xs), (cloud.y, ys)):
        assert max(kept) > max(whole) * 0.98
        assert min(kept) < max(whole) * 0.02


def test_bars_of_either_sign() -> None:
    lines = bar_text(
        (Bars("Elo", ("a", "b"), (100.0, -100.0), (50.0, -150.0), (150.0, -50.0)),)
    ).plain
    first, second = lines.splitlines()
    assert first.count("█") == second.count("█") > 5
    assert first.index("█") > second.index("█")
    assert "100 [50, 150]" in first
    assert "-100 [-150, -50]" in second


async def started(pilot, folder: Path, key: str, words: str) -> StudiesScreen:
    """Start a run on the screen, and wait until it is in the list."""
    screen = await opened(pilot, folder, "There are no results")
    await press(pilot, "s", key)
    pilot.app.screen.query_one(Input).value = words
    await press(pilot, "enter")
    await until(pilot, lambda: screen._runs)
    return screen


async def test_a_run_is_watched_stopped_and_gone_on_with(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is at work here holds the lock and does nothing; the next test has the real thing."""
    run = tmp_path / "c-begun"
    copytree(results / "c-begun", run)
    (run / "command.json").write_text(json.dumps({"words": ["match", "a"], "folder": "/"}))
    (run / "partial.md").write_text("a partial report\n")
    begun: list[tuple[list[str], Path]] = []

    class Ended:
        """A process that could not do its run."""

        ended = True

        def __init__(self, words: list[str], folder: Path) -> None:
            begun.append((words, folder))

        def problem(self) -> str:
            return "it is full"

    monkeypatch.setattr(studies, "POLL", 0.1)
    monkeypatch.setattr(studies, "Begun", Ended)
    with holding(run) as process, threads_go_on():  # a thread looks again and again
        async with running(size=(140, 45)) as pilot:
            await opened(pilot, tmp_path, "Now running, 2 of 7 games")
            await until_shown(pilot, "a partial report")
            with open(run / "journal.jsonl", "a") as journal:
                journal.write("[2,0.1,[]]\n")
            await until_shown(pilot, "running, 3 of 7 games, about")
            await press(pilot, "x")
            await until_shown(pilot, "Not done: stopped, 3 of 7 games. g goes on")
            assert process.wait() != 0
            await press(pilot, "g")
            ((words, folder),) = begun
            assert words[:3] == ["match", "a", f"--out={run}"]
            assert words[3] == "--workers"
            assert folder == Path("/")
            await until_shown(pilot, "it is full")


@pytest.mark.slow
async def test_a_match_is_started_stopped_and_gone_on_with(tmp_path: Path) -> None:
    words = "resistance two-distance --size 3 --games 2000 --workers 1"
    async with running(size=(140, 45)) as pilot:
        screen = await started(pilot, tmp_path, "m", words)
        await until_shown(pilot, "Match on 3x3: resistance against two-distance, 2,000 games")
        await until(pilot, lambda: any(run.done for run in screen._runs.values()))
        await until_shown(pilot, "x stops it")
        await until_shown(pilot, "So far:")
        assert "who" in shown(pilot)
        await press(pilot, "x")
        await until_shown(pilot, "g goes on with it")
        (run,) = screen._runs.values()
        assert 0 < run.done < 2000
        assert worker_of(run.path) is None
        await press(pilot, "g")
        await until(pilot, lambda: next(iter(screen._runs.values())).working)
        await until(pilot, lambda: next(iter(screen._runs.values())).done > run.done)
        await press(pilot, "x", "x")  # at once
        await until_shown(pilot, "g goes on with it")


async def test_what_cannot_be_started_says_why(tmp_path: Path) -> None:
    async with running() as pilot:
        await opened(pilot, tmp_path, "There are no results")
        await press(pilot, "g")
        assert "nothing to go on with" in told(pilot)
        await press(pilot, "x")
        assert "Nothing runs here" in told(pilot)
        await press(pilot, "s", "r")
        pilot.app.screen.query_one(Input).value = "nobody --size 3"
        await press(pilot, "enter")
        await until(pilot, lambda: "nobody" in told(pilot))


async def test_what_can_be_begun_is_seen_whole(tmp_path: Path) -> None:
    async with running(size=(80, 24)) as pilot:
        await opened(pilot, tmp_path, "There are no results")
        await press(pilot, "s")
        await until(pilot, lambda: bool(pilot.app.screen.query(Button)))
        box = pilot.app.screen.query_one(Box).content_region
        for button in pilot.app.screen.query(Button):
            assert box.contains_region(button.region), button.label


@pytest.mark.parametrize("size", SIZES)
async def test_two_runs_are_compared(results: Path, size: tuple[int, int]) -> None:
    async with running(size=size) as pilot:
        await opened(pilot, results, "c-begun")
        await choose(pilot, "a-ratings", "# Ratings on 3x3")
        await press(pilot, "c")
        assert "Kept to be compared" in shown(pilot)
        await choose(pilot, "b-quality", "Ranks of the moves in games.jsonl")
        await until(pilot, lambda: len(pilot.app.screen.query(".report")) == 2)
        assert "Ratings on 3x3: resistance, two-distance" in shown(pilot).replace("\n", " ")
        await until_shown(pilot, "Not compared: ratings and rank-quality measure")
        await press(pilot, "c")
        assert len(pilot.app.screen.query(".report")) == 1


async def test_what_cannot_be_compared_says_why(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read, read = threading.Event(), studies._report

    def slowly(run: StudyRun) -> tuple[str, Sequence[Figure]]:
        may_read.wait()
        return read(run)

    monkeypatch.setattr(studies, "_report", slowly)
    copytree(results / "a-ratings", tmp_path / "a-ratings")
    async with running(size=(140, 45)) as pilot:
        try:
            with threads_go_on():
                await opened(pilot, tmp_path, "a-ratings")
                await press(pilot, "c")
                await until(pilot, lambda: "no report here to be compared" in told(pilot))
        finally:
            may_read.set()
        await until_shown(pilot, "# Ratings on 3x3")
        await press(pilot, "c")
        await until_shown(pilot, "Kept to be compared")
        pilot.app.screen.action_refresh()
        pilot.app.screen.action_compare()
        await until(pilot, lambda: "No run is kept" in told(pilot))
        await until_shown(pilot, "# Ratings on 3x3")
        assert "Kept to be compared" not in shown(pilot)


async def test_a_comparison_tells_differences_with_intervals(results: Path, tmp_path: Path) -> None:
    copytree(results / "a-ratings", tmp_path / "again")
    copytree(results / "a-ratings", tmp_path / "once")
    async with running(size=(140, 45)) as pilot:
        await opened(pilot, tmp_path, "Ratings on 3x3")
        await choose(pilot, "again", "# Ratings on 3x3")
        await press(pilot, "c")
        await choose(pilot, "once", "won by resistance")
        text = shown(pilot)
        assert "this less kept" in text
        assert "+0.000 [-0." in text
