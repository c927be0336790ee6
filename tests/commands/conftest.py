"""Commands start without solved positions on disk, and are run in this process."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engine.solver import solution_cache


@pytest.fixture(autouse=True)
def nothing_solved_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "default_path", lambda: tmp_path / "solved.sqlite")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command line; return its exit code, output and errors."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def document(run: Callable[..., tuple[int, str, str]]) -> Callable[..., dict]:
    """Run a command line without errors; return its JSON document."""

    def document(*words: str) -> dict:
        code, out, err = run(*words, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return document
