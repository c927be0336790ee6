"""Use of the library's file by its screen, in threads: pages of games, a player's mistakes."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hextui.analysis.stored_analysis import ReviewStore
from hextui.library.answers import GameRow
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.ui.record.files import opened_library
from hextui.ui.screens.library_columns import Listing, decided_rows, mistake_rows

if TYPE_CHECKING:
    from hextui.library.library import Library

T = TypeVar("T")


class LibraryReader:
    """Reads the library's file and the user's reviews, if there are any; ``names`` as in `Library`.

    Methods raise ValueError in one line.
    """

    def __init__(self, path: Path, names: Names, reviews: Path | None) -> None:
        self.path = path
        self._names = names
        self._reviews = reviews
        self._reading = _Reading()

    @property
    def _stored_reviews(self) -> Path | None:
        """The file of reviews if it is there."""
        there = self._reviews is not None and os.path.isfile(self._reviews)
        return self._reviews if there else None

    async def use(self, use: "Callable[[Library], T]") -> T:
        """Return what ``use`` makes of the library in a thread."""
        return await asyncio.to_thread(self._used, use)

    def _used(self, use: "Callable[[Library], T]") -> T:
        with opened_library(self.path, self._names) as library:
            return use(library)

    async def page(
        self, listing: Listing, player: str, limit: int, offset: int
    ) -> tuple[list[GameRow], int]:
        """Return so many games of a listing from ``offset`` on, and how many it has in all.

        A player's mistakes are all returned. What was being read before is read no further.
        """
        self.stop()
        reading = self._reading = _Reading()

        def read(library: "Library") -> tuple[list[GameRow], int]:
            with reading.of(library):
                if listing.mine:
                    return self._mistakes(library, listing, player, reading)
                _, chosen, order, descending, _ = listing
                games, count = library.page(chosen, limit, offset, order, descending)
                return self._with_reviews(reading.each(games), library), count

        def read_if_there() -> tuple[list[GameRow], int]:
            return self._used(read) if os.path.isfile(self.path) else ([], 0)

        return await asyncio.to_thread(read_if_there)

    def stop(self) -> None:
        """End the reading of a page, if one is read."""
        self._reading.stop()

    def _mistakes(
        self, library: "Library", listing: Listing, player: str, reading: "_Reading"
    ) -> tuple[list[GameRow], int]:
        chosen = replace(listing.chosen, player=player)
        if self._stored_reviews is None:
            return [], 0
        games = library.games(chosen, None, -1, 0, listing.order, listing.descending)
        mistakes = self._with_reviews(reading.each(games), library, player)
        return mistakes, len(mistakes)

    def _with_reviews(
        self, games: Iterable[GameRow], library: "Library", player: str | None = None
    ) -> list[GameRow]:
        """Return the games and what decided them, or the mistakes of a player in them."""
        reviews = self._stored_reviews
        if reviews is None:
            return list(games)
        with closing(ReviewStore(reviews)) as store:
            if player is None:
                return list(decided_rows(games, library, store))
            return list(mistake_rows(games, library, store, player))


class _Reading:
    """The reading of a page in a thread, which another thread can stop."""

    def __init__(self) -> None:
        self._stopped = False
        self._library: Library | None = None
        self._lock = threading.Lock()

    @contextmanager
    def of(self, library: "Library") -> Iterator[None]:
        """Note which library is read meanwhile."""
        self.check()
        with self._lock:
            self._library = library
        try:
            yield
        finally:
            with self._lock:  # a library that is closed cannot be interrupted
                self._library = None

    def check(self) -> None:
        """Raise RecordError if the reading is to end, in between two queries."""
        if self._stopped:
            raise RecordError("stopped")

    def each(self, games: Iterable[GameRow]) -> Iterator[GameRow]:
        """Yield games until the reading is to end; raises RecordError then."""
        for game in games:
            self.check()
            yield game

    def stop(self) -> None:
        self._stopped = True
        with self._lock:
            if self._library is not None:
                self._library.interrupt()
