"""The long tasks of the library's screen: import, sync, settle and review.

Each runs on a `TaskLine`, which shows its progress and stops it, and raises ValueError.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from hextui.engines.engine import OpenLane
from hextui.library.answers import Imported, source_of
from hextui.library.filters import Filter, filter_text
from hextui.records.record_text import printable
from hextui.ui.live.command_process import review_options
from hextui.ui.screens.library_reader import LibraryReader
from hextui.ui.screens.library_task import TaskLine
from hextui.words.files import importing_text, settling_text

if TYPE_CHECKING:
    from hextui.analysis.review_run import ReviewBudget
    from hextui.library.library import Library
    from hextui.library.settle import Settled


async def import_file(
    task: TaskLine, reader: LibraryReader, path: Path, again: bool = False
) -> Imported:
    """Add the games of a file or folder; ``again``: in place of those that were."""

    def run(library: "Library") -> Imported:
        if again:
            library.remove_source(source_of(path))
        return library.import_paths([path], report, lambda: task.stopping)

    def report(done: Imported) -> None:
        task.show_progress(f"Importing: {importing_text(done)}")

    return await task.run_in_library(f"Importing {path} ...", reader, run)


async def sync_player(task: TaskLine, reader: LibraryReader, site: str, player: str) -> Imported:
    """Fetch the games of a player at a site that the library lacks."""

    def run(library: "Library") -> Imported:
        from hextui.library.sync import sync_games
        from hextui.library.sync_sites import SITES

        return sync_games(library, SITES[site], player, report, lambda: task.stopping)[0]

    def report(line: str) -> None:
        task.show_progress(f"Fetching: {printable(line)}")

    what = f"Fetching the games of {printable(player)} ..."
    return await task.run_in_library(what, reader, run)


async def settle_library(task: TaskLine, reader: LibraryReader, open_lane: OpenLane) -> "Settled":
    """Solve late positions, so that their verdicts become certain."""

    def run(library: "Library") -> "Settled":
        from hextui.library.settle import settle_games

        return settle_games(
            library, report=report, stopped=lambda: task.stopping, open_lane=open_lane
        )

    def report(done: "Settled") -> None:
        compiling = f"Preparing the solver (compiling, {done.compiling})"
        what = compiling if done.compiling else "Solving"
        task.show_progress(f"{what}: {settling_text(done)}")

    return await task.run_in_library("Preparing the solver ...", reader, run)


async def review_games(task: TaskLine, chosen: Filter, budget: "ReviewBudget") -> str:
    """Review the games of a filter, each briefly before any fully; return what failed, or ''."""
    words = ["report", "--library", f"--search={filter_text(chosen)}"]
    words += review_options(budget)
    return await task.run_command("Reviewing: reading the games ...", words, "Reviewing")
