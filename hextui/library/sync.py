"""Fetch the games of a player at another site that a library lacks, and note when.

Each answer's games are in the library before the site is asked again, so what was fetched is kept
whenever a sync ends. What was fetched so far, and when a sync was complete, stands in a file beside
the library.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from hextui.engine.limit import StoppedError
from hextui.library.answers import Broken, Imported
from hextui.library.game import Game, game_of
from hextui.library.library import Library
from hextui.library.sync_sites import Asker, FetchedGame, SyncSite
from hextui.library.syncs import Sync, note_sync, noted_sync
from hextui.records.fetching import FetchError
from hextui.records.record_text import RecordError
from hextui.text import counted


def sync_games(
    library: Library,
    site: SyncSite,
    player: str,
    tell: Callable[[str], None] = lambda text: None,
    stopped: Callable[[], bool] = lambda: False,
    *,
    patient: bool = True,
) -> tuple[Imported, Sync]:
    """Fetch the finished games of a player that the library lacks.

    ``tell`` gets lines about the progress. ``patient``: the site is asked again after an error that
    may pass. Raises RecordError where the site cannot be used, with the number of games that were
    added before, and LibraryError.
    """
    run = _Run(library, site, tell)
    try:
        run.fetch(player, Asker(site.site, tell, stopped, patient=patient))
    except StoppedError:
        run.done = replace(run.done, stopped=True)
    except FetchError as error:
        if not run.done.added:
            raise
        added = counted(run.done.added, "game")
        what = f"{error.what}; {added} added before, and the next sync fetches the rest"
        raise FetchError(what, source=error.source) from None
    assert run.sync is not None or run.done.stopped
    return run.done, run.sync or Sync(site.site.name, player, player)


class _Run:
    """One sync: what it has done, and what is noted of it."""

    def __init__(self, library: Library, site: SyncSite, tell: Callable[[str], None]) -> None:
        self._library = library
        self._site = site
        self._tell = tell
        self.done = Imported()
        self.sync: Sync | None = None

    def fetch(self, name: str, asker: Asker) -> None:
        """Fetch all games; raises StoppedError, RecordError, LibraryError."""
        self._library.add_games(())  # which checks the pages of the file
        who = self._site.player(name, asker)
        sync = Sync(self._site.site.name, who.id, who.name)
        if self._library.count():  # of an empty library nothing was fetched
            sync = noted_sync(self._library.path, sync)
        stored = sync.passed | self._stored()
        for portion in self._site.portions(who, sync.mark, stored, asker):
            passed = self._add(portion.games, f"{sync.site}: {who.name}")
            sync = replace(sync, mark=portion.mark, passed=sync.passed | passed, name=who.name)
            if passed or portion.mark:
                note_sync(self._library.path, sync)
            left = "" if portion.left is None else f", {portion.left:,} to fetch"
            self._tell(f"{sync.site}: {self.done.added:,} added{left}")
        self.sync = replace(sync, last=datetime.now(UTC).isoformat(timespec="seconds"))
        note_sync(self._library.path, self.sync)

    def _add(self, fetched: Sequence[FetchedGame], source: str) -> set[str]:
        """Add games; return the ids of those that are not in the library as such."""
        passed = set()
        new: list[tuple[str, tuple[str, Game]]] = []
        for game in fetched:
            if isinstance(game.record, RecordError):
                self._skip(game.id, source, game.record)
                continue
            try:
                new.append((game.id, (source, game_of(game.record))))
            except RecordError as error:
                self._skip(game.id, source, error)
                passed.add(game.id)
        added = Imported()
        if new:
            added = self._library.add_batch([entry for _, entry in new])
        self.done = replace(
            self.done,
            added=self.done.added + added.added,
            contradicting=self.done.contradicting + added.contradicting,
            duplicates=self.done.duplicates + added.duplicates,
        )
        if added.duplicates:
            passed |= {number for number, _ in new} - self._stored()
        return passed

    def _stored(self) -> set[str]:
        """Return the ids of the site's games in the library."""
        texts = self._library.texts_with(self._site.mark_in_text)
        return {self._site.id_in(text) for text in texts}

    def _skip(self, game: str, source: str, error: RecordError) -> None:
        broken = Broken(f"{source}: {game}", None, error.what)
        self.done = replace(self.done, broken=(*self.done.broken, broken))
