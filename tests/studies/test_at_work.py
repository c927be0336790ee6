"""A run that is watched: who is at it, its partial report, how to stop it and go on."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hextui.commands import experiments, main
from hextui.studies import workers
from hextui.studies.at_work import at_work, stop, worker_of
from hextui.studies.partial import PartialReport
from hextui.studies.reports import reporting_of
from hextui.studies.results import PARTIAL, Folder, StudyError
from hextui.studies.titles import title

STUDIES = {
    "match": ["match", "resistance", "two-distance", "--size", "3", "--games", "6"],
    "ratings": ["study", "ratings", "resistance", "two-distance", "--size", "2"],
    "losing-moves": ["study", "losing-moves", "resistance", "two-distance", "--size", "2"],
    "match-table": ["study", "match-table", "--size", "2", "--games", "1"],
}
# begun as in the background of a script, where SIGINT is ignored; and one that comes just before a
# wait is seen after it: so no wait is long
HOLDS = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from pathlib import Path
from select import select
from hextui.studies.at_work import at_work
with at_work(Path(sys.argv[1])):
    print("at work", flush=True)
    while not select([sys.stdin], [], [], 0.1)[0]:
        pass
"""


def holding(folder: Path) -> "subprocess.Popen[str]":
    """A process that is at work in a folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "at work\n"
    return process


def test_one_program_is_at_work(tmp_path: Path) -> None:
    assert worker_of(tmp_path) is None
    with holding(tmp_path) as process:
        assert worker_of(tmp_path) == process.pid
        with pytest.raises(StudyError, match="another program"), at_work(tmp_path):
            pass
        assert stop(tmp_path)
        assert process.wait() != 0
    assert worker_of(tmp_path) is None
    assert not stop(tmp_path)
    with at_work(tmp_path):
        pass


def test_a_killed_program_is_at_work_no_more(tmp_path: Path) -> None:
    with holding(tmp_path) as process:
        process.kill()
        process.wait()
        assert worker_of(tmp_path) is None


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each study done, in this process and without drawings, which is sooner done."""
    folders = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "processes", lambda number: ThreadPoolExecutor(number))
        patch.setattr(experiments, "can_draw", lambda: False)
        for name, words in STUDIES.items():
            folders[name] = tmp_path_factory.mktemp(name)
            assert main([*words, "--workers", "1", "--out", str(folders[name])]) == 0
    return folders


@pytest.mark.parametrize("study", STUDIES)
def test_a_partial_report_is_the_report_of_what_is_done(
    done: dict[str, Path], tmp_path: Path, study: str
) -> None:
    """Its rows go into a journal one by one; the last partial report is the report."""
    table, settings = Folder(done[study]).rows(), Folder(done[study]).settings()
    report = reporting_of(study).report(table, settings, [])
    folder = Folder(tmp_path)
    (tmp_path / "settings.json").write_text(json.dumps({**settings, "done": False}))
    PartialReport(folder).tell()
    assert not (tmp_path / PARTIAL).exists()
    for number, row in enumerate(table.rows):
        with open(tmp_path / "journal.jsonl", "a") as journal:
            journal.write(json.dumps([number, 0.1, [row]]) + "\n")
        PartialReport(folder).tell()
    assert folder.rows_so_far() == table
    assert (tmp_path / PARTIAL).read_text() == report


def test_a_run_tells_how_to_go_on(done: dict[str, Path]) -> None:
    words, folder = Folder(done["match"]).command()
    assert words[:3] == ["match", "resistance", "two-distance"]
    assert folder == Path(os.getcwd())
    assert main(words) == 0
    assert worker_of(done["match"]) is None
    assert not (done["match"] / PARTIAL).exists()


@pytest.mark.parametrize("text", ["", "[]", '{"words": 3, "folder": ""}', '{"words": []}'])
def test_what_is_no_command(tmp_path: Path, text: str) -> None:
    (tmp_path / "command.json").write_text(text)
    with pytest.raises(StudyError, match="command"):
        Folder(tmp_path).command()


def test_titles(done: dict[str, Path]) -> None:
    found = {study: title(Folder(path).settings()) for study, path in done.items()}
    assert found == {
        "match": "Match on 3x3: resistance against two-distance, 6 games",
        "ratings": "Ratings on 2x2: resistance, two-distance",
        "losing-moves": "Lost wins on 2x2: resistance against two-distance",
        "match-table": "Table of matches on 2x2: E_k against E, and each other",
    }
    assert title({"study": "match", "settings": {"first": 3}}) == "match"
    assert title({"study": "else"}) == "else"
    assert title({}) == "None"
