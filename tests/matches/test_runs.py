"""Runs: the same rows however the work is spread and interrupted; nothing is lost or doubled."""

import contextlib
import json
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from hextui.matches import runs
from hextui.matches.results import Description, Folder, StudyError
from hextui.matches.runs import RunProgress, Task, Work, run

COLUMNS = ("task", "text", "number")


def squares(payload: int) -> list[tuple[int | float | str, ...]]:
    return [(payload, f'a "b",\n{i}', payload * payload / 7) for i in range(payload % 3)]


def dies(payload: int) -> list[tuple[int | float | str, ...]]:
    if payload == 20:
        os._exit(1)
    return squares(payload)


def description(total: int = 30, **settings: object) -> Description:
    return Description("test", {"seed": 1, **settings}, COLUMNS, total, {"note": "x"})


def tasks(total: int = 30) -> list[Task]:
    return [Task(number, number) for number in range(total)]


def complete(
    folder: Folder, executor: Executor, stop_after: int | None = None, work: Work = squares
) -> list[RunProgress]:
    """Run to the end, or as if Ctrl-C came after so many tasks."""
    told: list[RunProgress] = []

    def tell(progress: RunProgress) -> None:
        told.append(progress)
        if progress.done == stop_after:
            raise KeyboardInterrupt

    folder.begin(description())
    run(description(), tasks(), work, executor, folder, tell)
    return told


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = Folder(tmp_path_factory.mktemp("expected"))
    with ThreadPoolExecutor(1) as executor:
        complete(folder, executor)
    return (folder.path / "rows.csv").read_bytes()


class AtOnce(Executor):
    """Does the work when it is handed out."""

    def submit(self, fn, /, *args, **kwargs):
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except ValueError as error:
            future.set_exception(error)
        return future


def test_rows_are_written_in_the_order_of_tasks(expected: bytes, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    told = complete(folder, AtOnce())
    assert (tmp_path / "rows.csv").read_bytes() == expected
    assert [p.done for p in told] == list(range(31))
    assert told[-1].left == 0
    assert folder.done
    assert not (tmp_path / "journal.jsonl").exists()
    table = folder.rows()
    assert table.columns == COLUMNS
    assert table.column("task") == [str(n) for n in range(30) for _ in range(n % 3)]
    assert table.column("text")[0] == 'a "b",\n0'
    assert [float(text) for text in table.column("number")] == [
        n * n / 7 for n in range(30) for _ in range(n % 3)
    ]


@pytest.mark.parametrize("count", [1, 2])
def test_processes_give_the_same_rows(expected: bytes, tmp_path: Path, count: int) -> None:
    with runs.processes(count) as executor:
        complete(Folder(tmp_path), executor)
    assert (tmp_path / "rows.csv").read_bytes() == expected


@pytest.mark.parametrize("stop_after", [1, 7, 29])
def test_an_interrupted_run_goes_on(expected: bytes, tmp_path: Path, stop_after: int) -> None:
    folder = Folder(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        complete(folder, AtOnce(), stop_after=stop_after)
    assert not folder.done
    told = complete(folder, AtOnce())
    assert told[0].done == stop_after
    assert (tmp_path / "rows.csv").read_bytes() == expected


def test_a_journal_cut_anywhere_is_gone_on_from(expected: bytes, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        complete(folder, AtOnce(), stop_after=6)
    journal = tmp_path / "journal.jsonl"
    whole = journal.read_bytes()
    assert whole
    for cut in range(0, len(whole), 7):
        journal.write_bytes(whole[:cut])
        (tmp_path / "rows.csv").unlink(missing_ok=True)
        complete(folder, AtOnce())
        assert (tmp_path / "rows.csv").read_bytes() == expected


def test_a_task_twice_in_the_journal_counts_once(expected: bytes, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        complete(folder, AtOnce(), stop_after=6)
    journal = tmp_path / "journal.jsonl"
    journal.write_bytes(journal.read_bytes() * 2)
    complete(folder, AtOnce())
    assert (tmp_path / "rows.csv").read_bytes() == expected


def test_a_dead_worker_is_one_line_and_the_run_goes_on(expected: bytes, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.begin(description())
    with (
        pytest.raises(StudyError, match="repeat the command"),
        runs.processes(2) as executor,
    ):
        run(description(), tasks(), dies, executor, folder, lambda _: None)
    with ThreadPoolExecutor(1) as threads:
        complete(folder, threads)
    assert (tmp_path / "rows.csv").read_bytes() == expected


def fails(payload: int) -> list[tuple[int | float | str, ...]]:
    if payload == 20:
        raise ValueError("wrong")
    return squares(payload)


def test_what_was_done_beside_a_failing_task_is_kept(expected: bytes, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    with pytest.raises(ValueError, match="wrong"):
        complete(folder, AtOnce(), work=fails)
    assert complete(folder, AtOnce())[0].done == 29
    assert (tmp_path / "rows.csv").read_bytes() == expected


def test_a_folder_of_another_run_is_left_alone(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    complete(folder, AtOnce())
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(StudyError, match=r"settings seed: 1 there, 2 now.*--out"):
        folder.begin(description(seed=2))
    with pytest.raises(StudyError, match="tasks: 30 there, 31 now"):
        folder.begin(description(31))
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("name", "text"),
    [("settings.json", "{"), ("settings.json", "[]"), ("rows.csv", "x")],
)
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(StudyError, match=str(tmp_path)):
        Folder(tmp_path).begin(description())
    assert (tmp_path / name).read_text() == text


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StudyError, match="file"):
        Folder(tmp_path / "file" / "folder").begin(description())


def test_a_damaged_line_is_reported(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.begin(description())
    (tmp_path / "journal.jsonl").write_text('[0,0.1,[]]\n[1,0.1,[["x"\n[2,0.1,[]]\n')
    with pytest.raises(StudyError, match="line 2 is damaged"):
        list(folder.journal())


def test_settings_tell_versions_and_time(tmp_path: Path) -> None:
    complete(Folder(tmp_path), AtOnce())
    settings = json.loads((tmp_path / "settings.json").read_text())
    assert settings["settings"] == {"seed": 1}
    assert set(settings["versions"]) == {"hextui", "python", "numpy", "numba"}
    assert settings["about"] == {"note": "x"}
    assert settings["done"] is True
    assert settings["cpu_seconds"] >= 0


DAMAGES = [
    b"",
    b"\xff\xfe\n",
    b"\x00\n",
    b"[1]\n",
    b'"x"\n',
    b"[" * 100_000 + b"\n",
    b"9" * 5000 + b"\n",
]


@pytest.mark.parametrize("data", DAMAGES, ids=range(len(DAMAGES)))
@pytest.mark.parametrize("name", ["settings.json", "rows.csv", "journal.jsonl"])
def test_a_damaged_file_is_a_study_error(tmp_path: Path, name: str, data: bytes) -> None:
    folder = Folder(tmp_path)
    with ThreadPoolExecutor(1) as executor, contextlib.suppress(KeyboardInterrupt):
        complete(folder, executor, 5 if name == "journal.jsonl" else None)
    (tmp_path / name).write_bytes(data)
    looks: dict[str, Callable[[], object]] = {
        "settings.json": folder.settings,
        "rows.csv": folder.rows,
        "journal.jsonl": lambda: list(folder.journal()),
    }
    if name == "journal.jsonl" and not data:
        assert list(folder.journal()) == []
        return
    with pytest.raises(StudyError) as caught:
        looks[name]()
    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("name", ["settings.json", "rows.csv", "journal.jsonl"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    folder = Folder(tmp_path)
    with ThreadPoolExecutor(1) as executor:
        complete(folder, executor)
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(StudyError, match="not a file"):
        print(folder.settings(), folder.rows(), list(folder.journal()))
