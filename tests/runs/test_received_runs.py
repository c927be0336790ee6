"""Folders of runs that came from elsewhere, or cannot be written."""

import io
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import pytest

from hextui.commands import experiments, main
from hextui.runs import workers
from hextui.runs.reports import Figure, draw
from hextui.runs.results import RunError, RunFolder
from tests.samples import some

STUDIES = {
    "match": ["match", "resistance", "two-distance", "--size", "3", "--games", "6"],
    "losing-moves": ["study", "losing-moves", "resistance", "two-distance", "--size", "2"],
    "match-table": ["study", "match-table", "--size", "2", "--games", "1"],
}


@pytest.fixture(autouse=True)
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run studies in this process and without drawings, which is faster."""
    monkeypatch.setattr(workers, "processes", lambda number: ThreadPoolExecutor(number))
    monkeypatch.setattr(experiments, "can_draw", lambda: False)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each study, finished."""
    folders = {}
    with pytest.MonkeyPatch.context() as patch:
        threads.__wrapped__(patch)  # type: ignore[attr-defined]
        for name, words in STUDIES.items():
            folders[name] = tmp_path_factory.mktemp(name)
            assert main([*words, "--workers", "1", "--out", str(folders[name])]) == 0
    return folders


def begun(done: dict[str, Path], folder: Path, study: str = "match") -> Path:
    """Copy a run as somebody else would have sent it: one task is finished."""
    copytree(done[study], folder)
    settings = json.loads((folder / "settings.json").read_text())
    (folder / "settings.json").write_text(json.dumps({**settings, "done": False}))
    row = RunFolder(done[study]).rows().rows[0]
    (folder / "journal.jsonl").write_text(json.dumps([1, 0.1, [row]]) + "\n")
    (folder / "rows.csv").unlink()
    return folder


@pytest.mark.parametrize("finished", [False, True])
@pytest.mark.parametrize("answer", ["", "n\n", "y\n", "--trust"])
def test_a_run_from_elsewhere_is_continued_only_if_the_user_agrees(
    done: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    finished: bool,
) -> None:
    run = tmp_path / "run"
    copytree(done["match"], run) if finished else begun(done, run)
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    words = [*STUDIES["match"], "--workers", "1", "--out", str(run)]
    trusted = answer == "--trust"
    if answer and not trusted:
        for name, text in (("stdin", answer), ("stderr", "")):
            stream = io.StringIO(text)
            monkeypatch.setattr(stream, "isatty", lambda: True)
            monkeypatch.setattr(sys, name, stream)
    agreed = trusted or answer == "y\n"
    assert main([*words, "--json", *(["--trust"] if trusted else [])]) == (0 if agreed else 2)
    if agreed:
        assert json.loads(capsys.readouterr().out)["done"]
        assert main(words) == 0  # it is a run of this machine now
        return
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before
    if not answer:
        complaint = capsys.readouterr().err
        assert complaint.count("\n") == 1
        assert "--trust" in complaint


def test_a_copied_signature_is_worth_nothing_elsewhere(done: dict[str, Path], tmp_path: Path):
    run = begun(done, tmp_path / "run")
    words = [*STUDIES["match"], "--workers", "1", "--out", str(run)]
    assert main([*words, "--trust"]) == 0
    copytree(run, tmp_path / "copy")
    assert main([*words[:-1], str(tmp_path / "copy")]) == 2


@pytest.mark.skipif(os.name != "posix", reason="no modes of files")
@pytest.mark.parametrize("damage", [lambda key: key.chmod(0o666), lambda key: key.write_bytes(b"")])
def test_a_key_that_others_may_know_is_replaced(tmp_path, monkeypatch, damage) -> None:
    monkeypatch.setattr("hextui.signing.state_folder", lambda: tmp_path / "state")
    key = tmp_path / "state" / "run.key"
    words = [*STUDIES["match"], "--workers", "1", "--out", str(tmp_path / "run")]
    assert main(words) == main(words) == 0
    damage(key)
    assert main(words) == 2
    assert key.stat().st_mode & 0o777 == 0o600
    assert main([*words, "--trust"]) == main(words) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no links and pipes")
@pytest.mark.parametrize("kind", ["link", "pipe"])
@pytest.mark.parametrize(
    "name", ["run.lock", "settings.json.part", "journal.jsonl", "report.md.part", "games.sgf"]
)
def test_a_link_leads_nothing_out_of_the_folder(tmp_path: Path, name: str, kind: str) -> None:
    target, run = tmp_path / "target", tmp_path / "run"
    target.write_text("mine")
    run.mkdir()
    os.symlink(target, run / name) if kind == "link" else os.mkfifo(run / name)
    assert main([*STUDIES["match"], "--workers", "1", "--out", str(run), "--trust"]) == 1
    assert target.read_text() == "mine"
    assert [path.name for path in run.iterdir()] == [name]


FORGED = ["x", "", "-1", "9" * 400, "../../x", "\ud800"]


@pytest.mark.parametrize("step", some((6, 1), 1))
@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("place", range(len(FORGED)))
def test_forged_rows_are_one_line(done, tmp_path, capsys, study, place, step) -> None:
    """Each column in turn; where the value is a text like another, it may be reported as one.

    With a step of 6 each column gets one of the values.
    """
    value, columns = FORGED[place], len(RunFolder(done[study]).rows().columns)
    for column in range(place % step, columns, step):
        run = begun(done, tmp_path / f"run{column}", study)
        ((number, seconds, (row,)),) = map(json.loads, (run / "journal.jsonl").open())
        row[column] = value
        (run / "journal.jsonl").write_text(json.dumps([number, seconds, [row]]) + "\n")
        words = [*STUDIES[study], "--workers", "1", "--out", str(run), "--trust"]
        failed = main(words) != 0
        said = capsys.readouterr().err.replace("\r", "\n").splitlines()
        assert sum(line.startswith("hextui:") for line in said) == failed


@pytest.mark.parametrize("forged", [{"cpu_seconds": "x"}, {"about": {"x": float("nan")}}])
def test_forged_settings_are_one_line(done, tmp_path, capsys, forged) -> None:
    run = tmp_path / "run"
    copytree(done["losing-moves"], run)
    settings = json.loads((run / "settings.json").read_text())
    (run / "settings.json").write_text(json.dumps(settings | forged))
    assert main([*STUDIES["losing-moves"], "--out", str(run), "--trust", "--json"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_row_names_no_file_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(RunError, match="rows name the file"):
        draw(Figure("../x", "", "", ""), tmp_path)


@pytest.mark.parametrize("cluster", [False, True])
def test_a_run_that_did_not_begin_leaves_no_folder(tmp_path, monkeypatch, capsys, cluster) -> None:
    def refuse(*_: object) -> object:
        raise RunError("the engine does not start")

    monkeypatch.setattr("hextui.matches.match.player", refuse)
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.5)
    more = ["--cluster", "tcp://127.0.0.1:1"] if cluster else ["--workers", "1"]
    assert main([*STUDIES["match"], *more, "--out", str(tmp_path / "run")]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("hextui: ")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("room", "kept"), [(0, False), (100, False), (2000, True)])
def test_a_full_disk_is_one_line_and_the_run_continues(tmp_path, capsys, room, kept) -> None:
    """No file grows beyond so many bytes."""
    resource = pytest.importorskip("resource")
    words = [*STUDIES["match"][:-1], "100", "--workers", "1", "--out", str(tmp_path / "run")]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        assert main(words) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    *_, complaint = capsys.readouterr().err.splitlines()
    assert complaint.endswith("File too large")
    assert (tmp_path / "run").exists() is kept
    if kept:
        assert (tmp_path / "run" / "journal.jsonl").stat().st_size > 1000
    assert main(words) == 0
