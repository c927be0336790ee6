"""What child processes get: ours nothing from the current directory, engines the user's world."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hextui.children import end_group, set_own_variable, signal_all_groups, start_group
from hextui.commands import main, serve
from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.warm import _compile_in_children
from hextui.engines.engine_session import EngineSession, Traffic
from hextui.engines.process import EngineProcess
from hextui.engines.questions import WhoWins
from hextui.engines.warmup import _Child
from hextui.runs.workers import processes
from hextui.settings.engine_config import AttachedConfig
from tests.processes import on_linux, state_of, wait_for
from tests.samples import some

ROOT = Path(__file__).parent.parent
IMPORTED = """
import pathlib
pathlib.Path({note!r}).open("a").write(__name__ + " ")
raise SystemExit("a module of the current directory was imported")
"""
MODULES = ("hextui", "multiprocessing", "runpy", "site", "numpy", "numba", "textual", "logging")


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory full of modules that write their names into a file if imported."""
    folder, note = tmp_path / "from a stranger", tmp_path / "imported"
    for name in MODULES:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(IMPORTED.format(note=str(note)))
    monkeypatch.chdir(folder)
    return note


def test_python_would_import_from_the_current_directory(note: Path) -> None:
    for words in (("-m", "hextui"), ("-c", "import multiprocessing.spawn")):
        subprocess.run([sys.executable, *words], stderr=subprocess.DEVNULL)
    assert note.read_text().split() == ["hextui", "multiprocessing"]


def ask_engine(folder: Path) -> None:
    engine = EngineProcess(folder / "engine.log")
    try:
        question = WhoWins(Position.empty(Board(2, 2)), Limit(seconds=60))
        assert list(engine.lane().answers(question))
    finally:
        engine.close()


def compile_ahead(folder: Path) -> None:
    child = _Child(Board(3, 3))
    assert child.ended.wait(120)
    assert child.process.returncode == 0


def compile_several(folder: Path) -> None:
    last = {step.width: step for step in _compile_in_children((1, 2), 2)}
    assert all(step.done == step.total for step in last.values())
    assert sorted(last) == [1, 2]


def work(folder: Path) -> None:
    with processes(1) as executor:
        assert executor.submit(sum, (1, 2)).result(120) == 3


def serve_pages(folder: Path) -> None:
    commands: list[str] = []

    class Server:
        def serve(self) -> None:
            pass

    def make_server(command: str, *_: object, **__: object) -> Server:
        commands.append(command)
        return Server()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "make_server", make_server)
        assert main(["serve"]) == 0
    words = [*shlex.split(commands[0]), "--help"]
    assert "hextui" in subprocess.run(words, check=True, capture_output=True, text=True).stdout


def run_command(folder: Path) -> None:
    command = Path(sysconfig.get_path("scripts"), "hextui")
    subprocess.run([command, "rank", "#2,"], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(
    "start", some([ask_engine, compile_ahead, work, serve_pages, run_command, compile_several], 5)
)
def test_no_child_of_ours_imports_from_the_current_directory(
    start: Callable[[Path], None], note: Path, tmp_path: Path
) -> None:
    start(tmp_path)
    assert not note.exists(), note.read_text()


ENGINE = """
import json, os, sys
import beside
json.dump([beside.NUMBER, dict(os.environ)], open("heard", "w"))
"""


def attach(folder: Path) -> dict[str, str]:
    """Start an engine that imports a module beside its script; return its environment."""
    (folder / "engine.py").write_text(ENGINE)
    (folder / "beside.py").write_text("NUMBER = 11")
    heard = folder / "heard"
    config = AttachedConfig("engine", (sys.executable, "engine.py"), folder=str(folder))
    EngineSession(config, Traffic())
    wait_for(lambda: heard.exists() and heard.stat().st_size)
    number, environment = json.loads(heard.read_text())
    assert number == 11
    return environment


def test_an_attached_engine_gets_the_users_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    user = dict(os.environ)
    set_own_variable("OPENBLAS_NUM_THREADS", "1")
    assert attach(tmp_path) == user
    (tmp_path / "heard").unlink()
    with processes(1) as executor:
        assert executor.submit(attach, tmp_path).result(120) == user
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    assert dict(os.environ) == user


@on_linux
def test_a_program_that_is_just_started_is_stopped_with_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs, started = threading.Event(), []
    actual = subprocess.Popen

    def slow(*arguments: Any, **options: Any) -> "subprocess.Popen[bytes]":
        process = actual(*arguments, **options)
        runs.set()
        time.sleep(0.3)
        return process

    def start() -> None:
        command = [sys.executable, "-c", "input()"]
        started.append(start_group(command, errors=subprocess.DEVNULL, environment=os.environ))

    monkeypatch.setattr(subprocess, "Popen", slow)
    starting = threading.Thread(target=start)
    starting.start()
    runs.wait()
    signal_all_groups(signal.SIGSTOP)
    starting.join()
    wait_for(lambda: state_of(started[0].pid) == "T")
    end_group(started[0])
    started[0].communicate()


def test_python_is_started_in_one_place() -> None:
    sources = {path: path.read_text() for path in (ROOT / "hextui").rglob("*.py")}
    outside_examples = re.compile(r"^(?!\s*>>>).*sys\.executable", re.MULTILINE)
    starting = {path.name for path, text in sources.items() if outside_examples.search(text)}
    assert starting == {"children.py"}
