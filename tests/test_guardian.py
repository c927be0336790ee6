"""The programs that we start end with us, and what they start with them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hextui.children import end_group, signal_all_groups, start_group
from hextui.engines.engine_session import EngineSession
from hextui.settings.engine_config import AttachedConfig, Dialect
from tests.processes import gone, on_linux, state_of, wait_for

pytestmark = on_linux
STUBBORN = Path(__file__).parent / "engines" / "attached" / "stubborn.py"
STARTS = """
import os, subprocess, sys
from hextui.children import end_group, start_group
ended, *left = [
    start_group([sys.executable, "-IS", {stubborn!r}, folder], errors=2, environment=os.environ)
    for folder in sys.argv[1:]
]
end_group(ended)
ended.wait()
print("ready", flush=True)
sys.stdin.read()
"""


def started(folder: Path) -> list[int]:
    """Return the numbers of a stubborn engine and of its child, once they are there."""
    file = folder / "started"
    wait_for(lambda: file.exists() and len(file.read_text().split()) == 2)
    return [int(number) for number in file.read_text().split()]


def test_programs_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("ended", "left", "too")]
    for folder in folders:
        folder.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", STARTS.format(stubborn=str(STUBBORN)), *map(str, folders)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert parent.stdin
    assert parent.stdout
    with parent.stdin, parent.stdout:
        assert parent.stdout.readline() == b"ready\n"
        left = started(folders[1]) + started(folders[2])
        assert not any(map(gone, left))
        parent.kill()
        parent.wait()
    for process in left:
        wait_for(lambda process=process: gone(process))  # type: ignore[misc]


@pytest.mark.parametrize("at_once", [False, True])
def test_what_an_engine_has_started_ends_with_it(at_once: bool, tmp_path: Path) -> None:
    command = (sys.executable, "-I", "-S", str(STUBBORN), str(tmp_path), "--quits")
    session = EngineSession(AttachedConfig("stubborn", command, Dialect.KATA))
    session.begin()
    engine, child = started(tmp_path)
    session.close(at_once=at_once)
    assert gone(engine)
    wait_for(lambda: gone(child))


def test_all_programs_pause_and_go_on() -> None:
    sleeps = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"]
    process = start_group(sleeps, errors=subprocess.DEVNULL, environment=os.environ)

    try:
        signal_all_groups(signal.SIGSTOP)
        wait_for(lambda: state_of(process.pid) == "T")
        signal_all_groups(signal.SIGCONT)
        wait_for(lambda: state_of(process.pid) != "T")
    finally:
        end_group(process)
    assert process.wait() == -signal.SIGKILL
