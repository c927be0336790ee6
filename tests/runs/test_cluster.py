"""The same rows from a Dask cluster on loopback, though one of its workers is killed."""

import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hextui.analysis.stored_analysis import ReviewStore
from hextui.commands import main
from hextui.engine.board import Board
from hextui.matches.match import experiment
from hextui.runs import workers
from hextui.runs.experiment import RunProgress, run
from hextui.runs.results import RunError, RunFolder

LocalCluster = pytest.importorskip("distributed").LocalCluster

GAMES = 40
START_SECONDS = 60


@contextmanager
def started(log: Path, ready: str, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start one of Dask's programs; yields it, and what its log says when it is ready."""
    with open(log, "wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", *words, "--dashboard-address", "127.0.0.1:0"], stderr=errors
        )
    try:
        end = time.monotonic() + START_SECONDS
        while not (found := re.search(ready, log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield process, found[1]
    finally:
        process.kill()
        process.wait()


def worker(folder: Path, address: str) -> AbstractContextManager[tuple[Any, str]]:
    """Start a worker of a scheduler."""
    log = folder / f"worker {len(list(folder.iterdir()))}"
    words = ("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny")
    return started(log, r"Registered to: *(\S+)", *words)


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and two workers on loopback; yields them, the scheduler last."""
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    ready = r"Scheduler at: *(tcp://\S+)"
    with (
        started(folder / "scheduler", ready, *scheduler) as (head, address),
        worker(folder, address) as (first, _),
        worker(folder, address) as (second, _),
    ):
        yield address, [first, second, head]


def test_no_row_is_lost_or_doubled_when_a_worker_is_killed(tmp_path: Path) -> None:
    match = experiment("k-paths:0", "shortest-path", Board(4, 4), GAMES)
    alive: list[subprocess.Popen[bytes]] = []

    def tell(progress: RunProgress) -> None:
        if progress.done == GAMES // 4 and alive:
            alive.pop().kill()

    def rows(name: str, opened: AbstractContextManager[Executor]) -> bytes:
        folder = RunFolder(tmp_path / name)
        folder.begin(match.document(), match.about)
        with opened as executor, folder.shared() as claims:
            run(match, executor, folder, claims, workers.WINDOW, tell)
        return (folder.path / "rows.csv").read_bytes()

    expected = rows("processes", workers.processes(1))
    assert len(set(expected.splitlines())) == expected.count(b"\n") == GAMES + 1
    with cluster(tmp_path) as (address, running):
        alive += running[:1]
        assert rows("cluster", workers.cluster(address)) == expected
        assert running[0].wait() == -9
        assert running[1].poll() is None


@pytest.mark.slow
def test_a_scheduler_that_dies_is_one_line_and_finished_games_are_kept(tmp_path: Path) -> None:
    words = ["match", "k-paths:0", "resistance", "--size", "5", "--games", "400"]
    words += ["--out", str(tmp_path / "run")]
    journal = tmp_path / "run" / "journal.jsonl"
    with cluster(tmp_path) as (address, running):
        with open(tmp_path / "errors", "w") as errors:
            program = subprocess.Popen(
                [sys.executable, "-m", "hextui", *words, "--cluster", address],
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        while not (journal.exists() and journal.stat().st_size):
            assert program.poll() is None
            time.sleep(0.05)
        running[2].kill()
        assert program.wait(60) == 1
    *progress, told = (tmp_path / "errors").read_text().splitlines()
    assert re.fullmatch("hextui: the cluster at .* has ended: repeat the command.*", told)
    assert all(re.match("[0-9]+ of 400", line) for line in progress)
    assert journal.stat().st_size


@pytest.mark.slow
def test_a_report_on_many_games_is_the_same_whoever_reviews_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One worker is killed during the first run on the cluster, the scheduler during the second."""
    games = tmp_path / "games.sgf"
    moves = [f"B[c3];W[{second}];B[{third}];W[d4];B[d5]" for second, third in pairs(8)]
    games.write_text("".join(f"(;GM[11]SZ[5];{line})" for line in moves))
    doomed: list[subprocess.Popen[bytes]] = []
    keep = ReviewStore.keep

    def keep_and_kill(self: ReviewStore, *game: Any) -> None:
        keep(self, *game)
        if doomed:
            doomed.pop().kill()

    monkeypatch.setattr(ReviewStore, "keep", keep_and_kill)

    def report(*words: str) -> tuple[int, str, str, dict[str, str]]:
        budget = ("--evaluator", "resistance", "--solve", "2")
        target = tmp_path / f"stories {len(list(tmp_path.iterdir()))}"
        arguments = [str(games), "--all", "--json", *budget, "--html", str(target), *words]
        code = main(["report", *arguments])
        pages = {path.name: path.read_text() for path in target.iterdir()}
        return code, *capsys.readouterr(), pages

    expected = report("--fresh", "--workers", "1")
    assert (expected[0], len(json.loads(expected[1])["games"])) == (0, 8)
    assert any("Winning line" in page for page in expected[3].values())
    assert report("--fresh", "--workers", "2") == expected
    with cluster(tmp_path) as (address, running):
        doomed += running[:1]
        assert report("--fresh", "--cluster", address) == expected
        assert running[0].wait() == -9
        doomed.append(running[2])
        code, printed, said, _ = report("--cluster", address)
    assert code == 1
    assert re.fullmatch("hextui: the cluster at .* has ended: repeat the command.*\n", said)
    assert len(json.loads(printed)["games"]) == 8
    assert report("--workers", "1") == expected


@pytest.mark.slow
@pytest.mark.skipif("HEXTUI_TEST_DATA" not in os.environ, reason="needs the real games")
def test_real_games_are_reviewed_alike_though_workers_are_killed_ten_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A worker is killed, and another one started, after ten of the reviews of two passes."""
    games = tmp_path / "games.jsonl"
    source = Path(os.environ["HEXTUI_TEST_DATA"], "human_11x11.jsonl")
    games.write_text("".join(source.open().readlines()[:20]))

    def report(*words: str) -> str:
        budget = ("--evaluator", "resistance", "--solve", "0.2")
        assert main(["report", str(games), "--all", "--json", "--fresh", *budget, *words]) == 0
        return capsys.readouterr().out

    expected = report("--workers", "1")
    assert len(json.loads(expected)["games"]) == 20
    assert report("--workers", "2") == expected
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        assert report("--cluster", local.scheduler_address) == expected
    draw = random.Random(1)
    kills = draw.sample(range(40), 10)
    kept = count()
    keep = ReviewStore.keep
    with cluster(tmp_path) as (address, running), ExitStack() as others:
        alive = running[:2]

        def keep_and_kill(self: ReviewStore, *game: Any) -> None:
            keep(self, *game)
            if next(kept) in kills:
                alive.pop(draw.randrange(2)).kill()
                alive.append(others.enter_context(worker(tmp_path, address))[0])

        monkeypatch.setattr(ReviewStore, "keep", keep_and_kill)
        assert report("--cluster", address) == expected
        assert next(kept) == 40


def pairs(count: int) -> list[tuple[str, str]]:
    """Return the second and third moves of so many games on 5x5."""
    rows = range(1, 6)
    return [(f"a{row}", f"e{other}") for row in rows for other in rows][:count]


def test_a_worker_of_another_version_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers find the metadata of another version first."""
    other = tmp_path / "other" / "hextui-9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Name: hextui\nVersion: 9.9\n")
    monkeypatch.setenv("PYTHONPATH", str(other.parent))
    with cluster(tmp_path) as (address, _):
        words = ["match", "k-paths:0", "resistance", "--size", "3", "--games", "2"]
        assert main([*words, "--out", str(tmp_path / "run"), "--cluster", address]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert re.match(
        "hextui: the worker tcp://.* has hextui 9.9, this program has .*: install", said
    )
    assert not (tmp_path / "run").exists()


def test_a_worker_refuses_the_task_of_another_version() -> None:
    with pytest.raises(RunError, match=r"a worker has hextui .*, this program has 9\.9: install"):
        workers.do(len, "task", "9.9")


def test_no_scheduler_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.5)
    with pytest.raises(RunError, match="no cluster at tcp:"), workers.cluster("tcp://127.0.0.1:1"):
        pass
