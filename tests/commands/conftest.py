"""Commands start without solved positions on disk."""

from pathlib import Path

import pytest

from hextui.engine.solver import solution_cache


@pytest.fixture(autouse=True)
def nothing_solved_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "default_path", lambda: tmp_path / "solved.sqlite")
