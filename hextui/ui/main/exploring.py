"""The library beside the board: asked about the position, and which games are counted."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from hextui.library.answers import keep_library_verdicts
from hextui.ui import files
from hextui.ui.filters import filter_text, read_filter
from hextui.ui.live.librarian import Librarian, LibraryAnswer
from hextui.ui.main.desk import Desk
from hextui.ui.services import Services

_PAUSE = 0.08  # seconds that a position must stay before the library is asked


class Exploring:
    """Asks the library what the explorer panel and the overlay need. Without one it says so.

    ``hear`` gets the answers, from any thread; they come back by `take`.
    """

    def __init__(
        self, desk: Desk, services: Services, hear: Callable[[LibraryAnswer], None]
    ) -> None:
        self._desk = desk
        self._library = services.library
        self._open_lane = services.open_lane
        self._hear = hear
        self._librarian: Librarian | None = None
        self._asking: asyncio.TimerHandle | None = None

    def ask_soon(self) -> None:
        """Ask when the position has stayed for a moment."""
        if self._asking is not None:
            self._asking.cancel()
        self._asking = asyncio.get_running_loop().call_later(_PAUSE, self._ask)

    def take(self, answer: LibraryAnswer) -> None:
        """Keep what an answer proves, and show it if it is still asked for."""
        position = answer.question.position
        before = self._desk.verdicts.of(position)
        keep_library_verdicts(position, answer.explored, self._desk.verdicts)
        self._desk.show_proved(position, before)
        if answer.question == self._desk.question:
            self._desk.choose(library=answer)
            self._desk.fill("explorer")

    def close(self) -> None:
        """End the thread that asks."""
        if self._asking is not None:
            self._asking.cancel()
        if self._librarian is not None:
            self._librarian.close()

    async def filter(self) -> None:
        """Ask which games of the library are counted."""
        from hextui.ui.screens.dialogs import LineDialog

        hint = "Words, or player=ann event=cup date=2019: parts of names, beginning of the date; "
        hint += "an empty line for all. "
        hint += "results=contradicting: games that end alike with another result. "
        hint += "least=5: only moves of so many games."
        value = filter_text(self._desk.shown.library_filter)
        dialog = LineDialog("Filter games", hint, read_filter, value)
        chosen = await self._desk.ask(dialog)
        if chosen is not None:
            self._desk.choose(library_filter=chosen)
            self._desk.fill("explorer")

    async def browse(self) -> None:
        """Show the library; a game that is chosen there is opened."""
        from hextui.ui.screens.library_screen import LibraryScreen

        if self._library is None:
            self._desk.complain("There is no library in this run")
            return
        screen = LibraryScreen(self._library, self._open_lane, self._desk.shown.names)
        number = await self._desk.ask(screen)
        if screen.changed:
            self._desk.shown = replace(self._desk.shown, library=None)
            self.ask_soon()
        if number is not None:
            await self.open_game(number)

    async def open_game(self, number: int, ply: int = 0) -> None:
        """Open a game of the library beside the open records, at a ply."""
        assert self._library is not None
        try:
            session = await asyncio.to_thread(files.open_game, self._library, number, ply)
        except ValueError as error:
            self._desk.complain(error)
        else:
            self._desk.records.open(session)

    def _ask(self) -> None:
        if self._library is None:
            self._hear(LibraryAnswer(self._desk.question, problem="there is none in this run"))
            return
        if self._librarian is None:
            self._librarian = Librarian(self._library, self._hear, self._desk.shown.names)
        self._librarian.ask(self._desk.question)
