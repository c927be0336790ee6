"""Compile the kernels for the tests."""

from pathlib import Path

import pytest

from hextui.engine.kernels import folders
from hextui.engine.warm import compile_widths
from hextui.engines.limits import cores
from hextui.locations import cache_folder

WIDTHS = (1,) if folders.CHECKED else (1, 2)
"""Nearly all tests are of boards of these widths; checked ones of small boards alone."""


def use_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Use another home, with its own folder of compiled kernels."""
    monkeypatch.setenv("HEXTUI_HOME", str(home))
    monkeypatch.setattr(folders, "kernels_folder", lambda: home / "cache" / "kernels")


def compile_kernels() -> None:
    """Compile for the boards of the tests."""
    for _ in compile_widths(WIDTHS, cores()):
        pass


def share_kernels(home: Path) -> None:
    """Let another home use the code that is compiled already."""
    kernels = cache_folder() / "kernels"
    kernels.mkdir(parents=True, exist_ok=True)
    (home / "cache").mkdir(parents=True)
    (home / "cache" / "kernels").symlink_to(kernels)
