"""Every test runs with a home of its own, but shares one folder of compiled kernels."""

import asyncio
import gc
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from tests.compiling import compile_kernels
from tests.ui.settling import WatchedLoops

ROOT = Path(__file__).parent.parent
NUMBERS = count()

# Run by ``pytest -m quick``: cheap tests of every package.
QUICK = (
    "README.md", "docs", "hextui", "tests/analysis/test_agreement.py",
    "tests/analysis/test_review_notes.py", "tests/commands/test_arguments.py",
    "tests/commands/test_best_move.py", "tests/commands/test_check.py",
    "tests/commands/test_lines.py", "tests/commands/test_output.py", "tests/commands/test_solve.py",
    "tests/engine/solver/test_proof_json.py", "tests/engine/solver/test_proofs.py",
    "tests/engine/test_blocking.py", "tests/engine/test_evaluators.py",
    "tests/engine/test_linear.py", "tests/engine/test_network.py",
    "tests/engine/test_position.py",
    "tests/engines/attached/test_replies.py", "tests/engines/test_limits.py",
    "tests/htp/test_requests_and_clocks.py", "tests/library/test_library_command.py",
    "tests/library/test_schema.py", "tests/runs/test_intervals.py",
    "tests/records/test_convert.py", "tests/records/test_export.py",
    "tests/records/test_hexworld.py", "tests/records/test_littlegolem.py",
    "tests/records/test_markup.py", "tests/records/test_plain.py", "tests/records/test_record.py",
    "tests/settings", "tests/studies/test_partings.py", "tests/studies/test_quality.py",
    "tests/test_api.py", "tests/test_docs.py", "tests/test_examples.py", "tests/test_imports.py",
    "tests/test_wording.py", "tests/ui/test_config.py", "tests/ui/test_geometry.py",
    "tests/ui/test_layout.py", "tests/ui/test_open_records.py", "tests/ui/test_overlays.py",
    "tests/ui/test_painter.py", "tests/ui/test_parts.py", "tests/words",
)  # fmt: skip

LONGER = (
    "test_a_proof_that_takes_too_much_is_refused_in_one_line",
    "test_an_interrupted_import_says_what_it_added",
    "test_every_answer_keeps_the_win_by_exhaustive_play",
    "test_proofs_fit_as_they_are_and_turned",
    "test_the_bar_of_activities_never_wraps_and_a_click_chooses",
    "test_the_commands_of_the_readme_run",
    "test_the_example_runs_in_an_empty_folder",
    "test_the_look_of_an_owner_shows_within_its_extent_alone",
    "test_what_is_below_the_screen_loads_no_library_of_it",
    "test_whatever_is_open_bears_a_terminal_of_a_few_columns",
    "test_whole_files_are_discarded_or_left_for_later_and_broken_ones_set_aside",
)
"""Tests of these files that take a second or more and are not quick."""

# No deadline, because machines differ; derandomised, so that a red run can be repeated.
settings.register_profile("hextui", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("hextui"), max_examples=20)
settings.load_profile("hextui")

asyncio.set_event_loop_policy(WatchedLoops())

# Some hundred processes are started by tests: none is to compile the program's text once more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if "HEXTUI_HOME" not in os.environ:
    os.environ["HEXTUI_HOME"] = os.path.join(tempfile.gettempdir(), "hextui-tests")


def pytest_configure(config: pytest.Config) -> None:
    """Check the list of quick tests; try fewer examples of each property in the daily loop."""
    missing = [name for name in QUICK if not (ROOT / name).exists()]
    assert not missing, f"not there, though QUICK names them: {missing}"
    if config.option.markexpr == "quick":
        settings.load_profile("quick")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile before several processes share the tests (-n): each would do it for itself."""
    if getattr(session.config.option, "numprocesses", None):
        compile_kernels()


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and never among the million imported objects.

    Collections would take a fourth of the CPU time of the screen's tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.fixture(scope="session")
def solved_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all files of solved positions: most tests write none."""
    return tmp_path_factory.mktemp("solved")


@pytest.fixture(autouse=True)
def solved_positions(solved_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Begin without solved positions or reviews on disk, which others found out."""
    path = solved_folder / f"{next(NUMBERS)}.sqlite"
    monkeypatch.setattr("hextui.engine.solver.solution_cache.default_path", lambda: path)
    reviews = path.with_suffix(".reviews")
    monkeypatch.setattr("hextui.locations.reviews_file", lambda: reviews)
    return path


def is_quick(path: Path) -> bool:
    """Return whether the tests of a file belong to the quick ones."""
    inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    return any(inside == quick or inside.startswith(f"{quick}/") for quick in QUICK)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what ``-m quick`` leaves out."""
    left_out = collection_path.is_file() and not is_quick(collection_path)
    return True if config.option.markexpr == "quick" and left_out else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the quick tests."""
    for item in items:
        named = getattr(item, "originalname", item.name) in LONGER
        longer = named or item.get_closest_marker("slow") is not None
        if is_quick(item.path) and not longer:
            item.add_marker("quick")


@pytest.fixture
def not_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of what cannot be read as a file; nothing writes to the pipe."""
    monkeypatch.setattr("hextui.locations.PIPE_SECONDS", 0.0)
    names = ["x" * 3000, "a\0b", str(tmp_path), str(tmp_path / "nothing" / "x" / ("y" * 300))]
    with socket.socket(socket.AF_UNIX) if os.name == "posix" else nullcontext() as talk:
        if talk is not None:
            os.mkfifo(tmp_path / "pipe")
            talk.bind(str(tmp_path / "socket"))
            names += [str(tmp_path / "pipe"), str(tmp_path / "socket"), "/dev/zero"]
        yield names
