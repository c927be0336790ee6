"""What a day does beside the screen: fetch the games of players synced before, review new ones."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from hextui.engines.limits import cores_beside_screen
from hextui.library.sync import sync_games
from hextui.library.sync_sites import SITES
from hextui.library.syncs import Sync, syncs_of
from hextui.locations import PRIVATE
from hextui.records.record_text import RecordError, printable
from hextui.records.saving import save_file
from hextui.text import counted
from hextui.train.today import SYNC_SECONDS
from hextui.ui.live.command_process import CommandProcess, review_options
from hextui.ui.record.files import opened_library

if TYPE_CHECKING:
    from hextui.analysis.review_run import ReviewBudget
    from hextui.library.library import Library

NOBODY = "No player was synced before: y in the library does"
_NOTHING_NEW = "nothing new"


class TodayWork:
    """Fetches games in the calling thread, and has games reviewed by a process of its own.

    Both can be stopped; what was fetched and reviewed is kept. ``budget``: what a review consists
    of. ``line``: what the process reports. ``problem``: why it failed, '' if it did not.
    """

    def __init__(self, library: Path, budget: "ReviewBudget") -> None:
        self._library = library
        self._budget = budget
        self._stopped = False
        self._process: CommandProcess | None = None
        self.line = ""
        self.problem = ""

    @property
    def seconds(self) -> float:
        """The solver's time for a game."""
        return self._budget.seconds

    # Fetching

    def sync(self, tell: Callable[[str], None]) -> str:
        """Fetch games until all are there, it is stopped, or the time is up; return a line.

        The line says why a site gave nothing. ``tell`` gets lines about the progress. Raises
        RecordError if the library cannot be used.
        """
        self._stopped = False
        syncs = syncs_of(self._library)
        if not syncs:
            return NOBODY
        end = monotonic() + SYNC_SECONDS
        lines = []
        with opened_library(self._library) as library:
            for sync in syncs:
                lines.append(self._fetched(library, sync, tell, end))
        return printable("; ".join(lines))

    def _fetched(
        self, library: "Library", sync: Sync, tell: Callable[[str], None], end: float
    ) -> str:
        def stopped() -> bool:
            return self._stopped or monotonic() > end

        site = next(site for site in SITES.values() if site.site.name == sync.site)
        before = library.count()
        try:
            done, _ = sync_games(library, site, sync.name, tell, stopped, patient=False)
        except RecordError as error:
            return f"{error}; on with the games that are here"
        added = library.count() - before
        news = f"{counted(added, 'new game')}" if added else _NOTHING_NEW
        rest = ", the next sync fetches the rest" if done.stopped else ""
        return f"{sync.site}, {sync.name}: {news}{rest}"

    # Reviewing

    @property
    def progress(self) -> str:
        """How far the reviews are, without the time that is left."""
        return self.line.partition(",")[0]

    @property
    def reviews(self) -> bool:
        """Whether games are being reviewed."""
        return self._process is not None

    def review(self, games: Sequence[int]) -> None:
        """Have games of the library reviewed, by their ids, in the background.

        Raises RecordError if the library cannot be used.
        """
        texts = []
        with opened_library(self._library) as library:
            for number in games:
                texts.append(library.text(number) or "")
        path = self._library.with_suffix(".today.sgf")
        save_file(path, "\n".join(texts), PRIVATE)
        words = ["report", str(path), "--all", *review_options(self._budget)]
        words.append(f"--workers={cores_beside_screen()}")
        process = self._process = CommandProcess(words)
        self.line = "reading the games ..."
        threading.Thread(target=self._run, args=(process,), name="review", daemon=True).start()

    def _run(self, process: CommandProcess) -> None:
        self.problem = printable(process.run(self._show))
        self._process = None

    def _show(self, line: str) -> None:
        self.line = printable(line)

    def stop(self) -> None:
        """End both; a sync ends at its next request."""
        self._stopped = True
        if self._process is not None:
            self._process.stop()
