"""Streams that are closed, full or not text: one line, and the exit code says it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RANK = ("rank", "#3,b2", "--evaluator", "resistance")
FULL = Path("/dev/full")
GAME = "(;SZ[3]PB[\u00c5sa];B[b2])"


def hextui(
    *words: str, shell: str = "", given: bytes | None = None, **environment: str
) -> tuple[int, bytes, str]:
    """Run a command as a shell does, with redirections; return exit code, output, errors."""
    script = f'exec "$0" -m hextui "$@" {shell}'
    done = subprocess.run(
        ["/bin/sh", "-c", script, sys.executable, *words],
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words", [RANK, ("--help",), ("--version",), ("convert", "#3,a1", "sgf"), (*RANK, "--json")]
)
def test_a_full_device(words: tuple[str, ...]) -> None:
    code, _, err = hextui(*words, shell=">/dev/full")
    assert (code, err) == (1, "hextui: standard output: No space left on device\n")


def test_closed_output() -> None:
    code, _, err = hextui(*RANK, shell=">&-")
    assert (code, err) == (1, "hextui: standard output: it is closed\n")


@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full"])
def test_errors_that_cannot_be_printed_are_in_the_exit_code(shell: str) -> None:
    if "full" in shell and not FULL.exists():
        pytest.skip("needs /dev/full")
    assert hextui("rank", "nonsense", shell=shell) == (2, b"", "")


def test_a_long_task_ends_with_the_program_that_reads_its_progress(tmp_path: Path) -> None:
    games = tmp_path / "games.sgf"
    games.write_text("(;GM[11]SZ[3];B[a1];W[b2];B[c1];W[c2])" * 3)
    out = "-o", str(tmp_path / "p.sgf"), "--out", str(tmp_path / "run")
    command = [sys.executable, "-m", "hextui", "puzzles", "make", str(games), *out]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr
        process.stderr.close()
        assert process.wait() == 130
    assert not (tmp_path / "p.sgf").exists()


@pytest.mark.parametrize("words", [("rank", "-"), ("rank", "--batch"), ("check", "-")])
@pytest.mark.parametrize("shell", ["<&-", "0>/dev/null"])
def test_closed_input(words: tuple[str, ...], shell: str) -> None:
    code, out, err = hextui(*words, shell=shell)
    assert (code, out) == (2, b"")
    assert err.startswith("hextui: standard input: cannot be read: ")
    assert err.count("\n") == 1


def test_a_batch_with_bytes_that_are_no_text() -> None:
    lines = b"#3,b2\nx\xff\xfe\n-\n" + b"(" * 100_000 + b"\n\0\n#2,\n"
    code, out, err = hextui("rank", "--batch", "--evaluator", "resistance", given=lines)
    documents = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert ["error" in document for document in documents] == [False, True, True, True, True, False]


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_narrow_encodings(tmp_path: Path, environment: dict[str, Any]) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(GAME, encoding="utf-8")
    words = ("report", str(path), "--evaluator", "resistance", "--solve", "0")
    code, out, _ = hextui(*words, **environment)
    assert code == 0
    assert out
    code, out, err = hextui("convert", str(path), "sgf", **environment)
    assert (code, err) == (0, "")
    assert "PB[\u00c5sa]" in out.decode("utf-8")


def test_a_reader_that_has_enough() -> None:
    script = '"$0" -m hextui convert "#3,a1" sgf | true; exit ${PIPESTATUS[0]}'
    done = subprocess.run(["/bin/bash", "-c", script, sys.executable], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_files_get_no_number_of_a_closed_stream() -> None:
    code = (
        "import os, sys; from hextui.commands import main; main(['--version']);"
        "sys.exit(os.open(os.devnull, os.O_RDONLY) < 3)"
    )
    done = subprocess.run(["/bin/sh", "-c", f'exec "{sys.executable}" -c "{code}" <&- >&- 2>&-'])
    assert done.returncode == 0
