"""Runs: the same rows however the work is spread and interrupted; nothing is lost or doubled."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from hextui.runs.experiment import Experiment, RunProgress, Work, run
from hextui.runs.reports import RunReport
from hextui.runs.results import RunError, RunFolder
from hextui.runs.workers import WINDOW, processes

COLUMNS = ("task", "text", "number")
OTHER_PROGRAM = """
import json, sys
from pathlib import Path
from hextui.runs.results import FinishedTask, RunFolder
folder = RunFolder(Path(sys.argv[1]))
with folder.shared() as claims:
    assert claims.claim(b"20")
    print("ready", flush=True)
    rows = json.loads(sys.stdin.readline())
    folder.journal().append(FinishedTask(20, rows, 0.1), claims)
"""


def squares(payload: int) -> list[tuple[int | float | str, ...]]:
    return [(payload, f'a "b",\n{i}', payload * payload / 7) for i in range(payload % 3)]


def dies(payload: int) -> list[tuple[int | float | str, ...]]:
    if payload == 20:
        os._exit(1)
    return squares(payload)


def fails(payload: int) -> list[tuple[int | float | str, ...]]:
    if payload == 20:
        raise ValueError("wrong")
    return squares(payload)


def experiment(total: int = 30, work: Work = squares, **settings: object) -> Experiment:
    tasks, wanted = dict(enumerate(range(total))), {"seed": 1, **settings}
    made = RunReport("", {})
    return Experiment("test", wanted, COLUMNS, tasks, work, lambda *_: made, set(), {"note": "x"})


def begin(folder: RunFolder, wanted: Experiment) -> None:
    folder.begin(wanted.document(), wanted.about)


def complete(
    path: Path, executor: Executor, stop_after: int | None = None, work: Work = squares
) -> list[RunProgress]:
    """Run to the end, or as if Ctrl-C came after so many tasks."""
    told: list[RunProgress] = []

    def tell(progress: RunProgress) -> None:
        told.append(progress)
        if progress.done == stop_after:
            raise KeyboardInterrupt

    folder = RunFolder(path)
    begin(folder, experiment())
    with folder.shared() as claims:
        run(experiment(work=work), executor, folder, claims, WINDOW, tell)
    return told


def interrupted(path: Path, after: int) -> Path:
    """Begin a run and interrupt it; return its journal."""
    with pytest.raises(KeyboardInterrupt):
        complete(path, AtOnce(), after)
    return path / "journal.jsonl"


def check(path: Path, expected: bytes) -> list[RunProgress]:
    """Continue a run to its end and check its rows."""
    told = complete(path, AtOnce())
    assert (path / "rows.csv").read_bytes() == expected
    return told


class AtOnce(Executor):
    """Does the work when it is handed out."""

    def submit(self, fn, /, *args, **kwargs):
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except ValueError as error:
            future.set_exception(error)
        return future


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("expected")
    with ThreadPoolExecutor(1) as executor:
        complete(path, executor)
    return (path / "rows.csv").read_bytes()


def test_rows_are_in_the_order_of_tasks(expected: bytes, tmp_path: Path) -> None:
    told = check(tmp_path, expected)
    assert [p.done for p in told] == list(range(31))
    assert told[-1].left == 0
    folder = RunFolder(tmp_path)
    assert folder.done
    assert not (tmp_path / "journal.jsonl").exists()
    table = folder.rows()
    assert table.columns == COLUMNS
    assert table.column("task") == [str(n) for n in range(30) for _ in range(n % 3)]
    assert table.column("text")[0] == 'a "b",\n0'
    numbers = [n * n / 7 for n in range(30) for _ in range(n % 3)]
    assert [float(text) for text in table.column("number")] == numbers
    settings = folder.settings()
    assert (settings["settings"], settings["about"]) == ({"seed": 1}, {"note": "x"})
    assert set(settings["versions"]) == {"hextui", "python", "numpy", "numba"}
    assert settings["cpu_seconds"] >= 0


@pytest.mark.parametrize("count", [1, 2])
def test_processes_give_the_same_rows(expected: bytes, tmp_path: Path, count: int) -> None:
    with processes(count) as executor:
        complete(tmp_path, executor)
    assert (tmp_path / "rows.csv").read_bytes() == expected


@pytest.mark.parametrize("stop_after", [1, 7, 29])
def test_an_interrupted_run_continues(expected: bytes, tmp_path: Path, stop_after: int) -> None:
    interrupted(tmp_path, stop_after)
    assert not RunFolder(tmp_path).done
    assert check(tmp_path, expected)[0].done == stop_after


def test_a_run_continues_from_any_journal(expected: bytes, tmp_path: Path) -> None:
    """Cut anywhere, and with a task twice."""
    journal = interrupted(tmp_path, 6)
    whole = journal.read_bytes()
    for data in (whole * 2, *(whole[:cut] for cut in range(0, len(whole), 7))):
        journal.write_bytes(data)
        (tmp_path / "rows.csv").unlink(missing_ok=True)
        check(tmp_path, expected)


def test_a_dead_worker_is_one_line_and_the_run_continues(expected: bytes, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="repeat the command"), processes(2) as executor:
        complete(tmp_path, executor, work=dies)
    check(tmp_path, expected)


def test_what_was_done_beside_a_failing_task_is_kept(expected: bytes, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="wrong"):
        complete(tmp_path, AtOnce(), work=fails)
    assert check(tmp_path, expected)[0].done == 29


@contextlib.contextmanager
def other_program(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a program that claims task 20 of a run, and does it when it gets the rows."""
    begin(RunFolder(path), experiment())
    words = [sys.executable, "-c", OTHER_PROGRAM, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        yield other
        other.kill()


@pytest.mark.parametrize("killed", [False, True])
def test_two_programs_do_different_tasks_of_a_run(
    expected: bytes, tmp_path: Path, killed: bool
) -> None:
    """What a program that is killed had claimed is done by the other one."""
    pytest.importorskip("fcntl")
    told: list[RunProgress] = []
    with other_program(tmp_path) as other:

        def tell(progress: RunProgress) -> None:
            told.append(progress)
            if progress.done == 29 and killed:
                other.kill()
            elif progress.done == 29:
                assert other.stdin is not None
                other.stdin.write(json.dumps(squares(20)) + "\n")
                other.stdin.flush()

        folder = RunFolder(tmp_path)
        work = squares if killed else fails
        with folder.shared() as claims:
            run(experiment(work=work), AtOnce(), folder, claims, 1, tell)
    assert (tmp_path / "rows.csv").read_bytes() == expected
    assert told[-1].done == (30 if killed else 29)


def test_a_run_that_fails_stays_while_another_program_works_on_it(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")

    def begin_and_fail() -> None:
        begin(RunFolder(tmp_path / "run"), experiment())
        with pytest.raises(ValueError, match="wrong"), RunFolder(tmp_path / "run").shared():
            raise ValueError("wrong")

    with other_program(tmp_path / "run"):
        begin_and_fail()
        assert (tmp_path / "run" / "settings.json").exists()
    begin_and_fail()
    assert not (tmp_path / "run").exists()


def test_a_folder_of_another_run_is_left_alone(tmp_path: Path) -> None:
    complete(tmp_path, AtOnce())
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(RunError, match=r"settings seed: 1 there, 2 now.*--out"):
        begin(RunFolder(tmp_path), experiment(seed=2))
    with pytest.raises(RunError, match="tasks: 30 there, 31 now"):
        begin(RunFolder(tmp_path), experiment(31))
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("name", "text"), [("settings.json", "{"), ("settings.json", "[]"), ("rows.csv", "x")]
)
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(RunError, match=str(tmp_path)):
        begin(RunFolder(tmp_path), experiment())
    assert (tmp_path / name).read_text() == text
    with pytest.raises(RunError, match=name):  # nor can a folder be made below a file
        begin(RunFolder(tmp_path / name / "folder"), experiment())


READERS: dict[str, Callable[[RunFolder], object]] = {
    "settings.json": RunFolder.settings,
    "rows.csv": RunFolder.rows,
    "journal.jsonl": lambda folder: list(folder.journal().new_tasks()),
}
DAMAGES = [
    b"",
    b"\xff\xfe\n",
    b"\x00\n",
    b"[1]\n",
    b'"x"\n',
    b"[" * 100_000 + b"\n",
    b"9" * 5000 + b"\n",
    b'[0,0.1,[]]\n[1,0.1,[["x"\n[2,0.1,[]]\n',
    None,  # a pipe
]


@pytest.mark.parametrize("data", DAMAGES, ids=range(len(DAMAGES)))
@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_one_line(tmp_path: Path, name: str, data: bytes | None) -> None:
    with contextlib.suppress(KeyboardInterrupt):
        complete(tmp_path, AtOnce(), 5 if name == "journal.jsonl" else None)
    if data is None:
        (tmp_path / name).unlink(missing_ok=True)
        pytest.importorskip("posix").mkfifo(tmp_path / name)
    else:
        (tmp_path / name).write_bytes(data)
    if name == "journal.jsonl" and data == b"":
        assert READERS[name](RunFolder(tmp_path)) == []
        return
    with pytest.raises(RunError) as caught:
        READERS[name](RunFolder(tmp_path))
    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    begin(RunFolder(tmp_path), experiment())
    (tmp_path / "journal.jsonl").write_bytes(DAMAGES[-2] or b"")
    with pytest.raises(RunError, match="line 2 is damaged"):
        list(RunFolder(tmp_path).journal().new_tasks())
    assert json.loads((tmp_path / "settings.json").read_text())["done"] is False
