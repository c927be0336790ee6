"""Queries the library in a thread; only the newest question is answered."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread
from typing import TYPE_CHECKING

from hextui.engine.position import Position
from hextui.library.answers import ALL_GAMES, NOTHING, Explored, Filter, GameRow
from hextui.words.names import Names

if TYPE_CHECKING:
    from hextui.library.library import Library

GAMES_SHOWN = 200
_PAUSE = 0.08  # seconds that a position must stay before the library is asked


@dataclass(frozen=True)
class LibraryQuestion:
    """A position, and the games to search."""

    position: Position
    chosen: Filter = ALL_GAMES


@dataclass(frozen=True)
class LibraryAnswer:
    """The moves and the first games at a position; ``problem`` says why there are none."""

    question: LibraryQuestion
    explored: Explored = NOTHING
    games: tuple[GameRow, ...] = ()
    problem: str = ""


class LibraryReader:
    """Answers questions from the library's file, which the first question opens.

    ``path``: None without a library. ``hear`` gets the answers, from any thread. A new question
    replaces the one before, even while that is being answered.
    """

    def __init__(
        self,
        path: Path | None,
        hear: Callable[[LibraryAnswer], None],
        names: Names = Names.RED_BLUE,
    ) -> None:
        self._path = path
        self._hear = hear
        self._names = names
        self._changed = Condition()
        self._question: LibraryQuestion | None = None
        self._library: Library | None = None
        self._thread: Thread | None = None
        self._closed = False
        self._asking: asyncio.TimerHandle | None = None

    def ask_soon(self, question: LibraryQuestion) -> None:
        """Ask this unless another question follows at once."""
        self._drop_timer()
        self._asking = asyncio.get_running_loop().call_later(_PAUSE, self.ask, question)

    def _drop_timer(self) -> None:
        if self._asking is not None:
            self._asking.cancel()

    def ask(self, question: LibraryQuestion) -> None:
        """Ask this instead of what was asked before."""
        if self._path is None:
            self._hear(LibraryAnswer(question, problem="there is none in this run"))
            return
        with self._changed:
            self._question = question
            if self._library is not None:
                self._library.interrupt()
            if self._thread is None:
                self._thread = Thread(target=self._work, name="library", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """End the thread and close the file."""
        self._drop_timer()
        with self._changed:
            self._closed = True
            if self._library is not None:
                self._library.interrupt()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._question is not None or self._closed)
                question, self._question = self._question, None
            if self._closed or question is None:
                break
            answer = self._answer(question)
            with self._changed:
                newest = self._question is None and not self._closed
            if newest:
                self._hear(answer)
        if self._library is not None:
            self._library.close()

    def _answer(self, question: LibraryQuestion) -> LibraryAnswer:
        from hextui.library.schema import LibraryError

        try:
            library = self._opened()
            if library is None:
                return LibraryAnswer(question)
            position, chosen = question.position, question.chosen
            explored = library.explore(position, chosen)
            games = library.games(chosen, position, GAMES_SHOWN) if explored.games else []
            return LibraryAnswer(question, explored, tuple(games))
        except LibraryError as error:
            return LibraryAnswer(question, problem=str(error))

    def _opened(self) -> "Library | None":
        """Return the library; None while there is no file, which an import creates."""
        if self._library is None and self._path is not None and os.path.isfile(self._path):
            from hextui.library.library import Library

            library = Library(self._path, self._names)
            with self._changed:
                self._library = library
        return self._library
