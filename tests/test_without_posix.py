"""Commands without what POSIX alone has, which is taken away before hextui is loaded."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hextui.runs import claims
from hextui.runs.claims import Claims

WITHOUT_POSIX = """
import asyncio, concurrent.futures.process, ctypes, multiprocessing, sqlite3, subprocess, tempfile
import urllib.request  # all these choose by the system while they are loaded
import numba, networkx, platformdirs
import os, select, signal, sys

sys.platform = "win32"
for module in ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource"):
    sys.modules[module] = None
for name in (
    "killpg", "setpriority", "PRIO_PROCESS", "nice", "fork", "geteuid", "getuid", "getsid",
    "getpgrp", "tcgetpgrp", "chown", "fchmod", "set_blocking", "O_NOFOLLOW", "sched_getaffinity",
):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGTSTP", "SIGCONT", "SIGSTOP"):
    delattr(signal, name)
del select.poll

from hextui.__main__ import start

sys.exit(start())
"""


def _run(*words: str) -> str:
    """Return what a command prints, which must end well."""
    command = [sys.executable, "-c", WITHOUT_POSIX, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_engine_answers() -> None:
    solved = json.loads(_run("solve", "#4,", "--json"))
    assert solved["winning_moves"] == ["d1", "c2", "b3", "a4"]
    assert "contribution" in _run("rank", "#4,b2", "--evaluator", "contribution-both:1")


def test_files_are_read_written_and_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    file = tmp_path / "game.sgf"
    _run("convert", "#4,b2c3", "-o", str(file))
    _run("convert", "#4,b2c3d1", "-o", str(file))  # keeps the rights of what it replaces
    assert "1 added" in _run("library", "import", str(file))
    assert "library" in _run("info")


def test_without_locks_each_program_does_all_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "fcntl", None)
    first, second = Claims(tmp_path / "claims"), Claims(tmp_path / "claims")
    assert first.claim(b"a")
    assert second.claim(b"a")
    second.wait(b"a")
    first.release(b"a")
    assert first.are_only_ones()
    for program in (first, second):
        program.close()
