"""Queries the library in a thread; only the newest question is answered."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
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
        self._thread = ThreadPoolExecutor(1, "library")
        self._library: Library | None = None
        self._asked = 0  # the number of the newest question
        self._awaited: LibraryQuestion | None = None
        self._timer: asyncio.TimerHandle | None = None

    def ask_soon(self, question: LibraryQuestion) -> None:
        """Ask this unless another question follows at once, or it is being answered."""
        if question == self._awaited:
            return
        self._drop_question()
        self._awaited = question
        self._timer = asyncio.get_running_loop().call_later(_PAUSE, self.ask, question)

    def ask(self, question: LibraryQuestion) -> None:
        """Ask this instead of what was asked before."""
        self._drop_question()
        self._thread.submit(self._work, question, self._asked)

    def close(self) -> None:
        """End the thread and close the file."""
        self._drop_question()
        self._thread.submit(self._close)
        self._thread.shutdown()

    def _drop_question(self) -> None:
        self._asked += 1
        if self._timer is not None:
            self._timer.cancel()
        if self._library is not None:
            self._library.interrupt()

    def _work(self, question: LibraryQuestion, number: int) -> None:
        if number == self._asked:
            answer = self._answer(question)
            if number == self._asked:
                self._awaited = None
                self._hear(answer)

    def _close(self) -> None:
        if self._library is not None:
            self._library.close()

    def _answer(self, question: LibraryQuestion) -> LibraryAnswer:
        from hextui.library.schema import LibraryError

        if self._path is None:
            return LibraryAnswer(question, problem="it is disabled")
        try:
            library = self._opened(self._path)
            if library is None:
                return LibraryAnswer(question)
            position, chosen = question.position, question.chosen
            explored = library.explore(position, chosen)
            games = library.games(chosen, position, GAMES_SHOWN) if explored.games else []
            return LibraryAnswer(question, explored, tuple(games))
        except LibraryError as error:
            return LibraryAnswer(question, problem=str(error))

    def _opened(self, path: Path) -> "Library | None":
        """Return the library; None while there is no file, which an import creates."""
        if self._library is None and os.path.isfile(path):
            from hextui.library.library import Library

            self._library = Library(path, self._names)
        return self._library
