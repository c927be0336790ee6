"""Actions on the library: filter and browse its games; answers for the explorer."""

import asyncio
from dataclasses import replace

from hextui.library.answers import keep_library_verdicts
from hextui.ui import files
from hextui.ui.filters import filter_text, read_filter
from hextui.ui.keys import Topic, action
from hextui.ui.live.library_reader import LibraryAnswer, LibraryAnswered, LibraryReader
from hextui.ui.parts import ActionGroup
from hextui.ui.workspace import Workspace

_PAUSE = 0.08  # seconds that a position must stay before the library is asked


class LibraryActions(ActionGroup):
    """Asks the library what the explorer and the overlay show, and browses it."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._library = workspace.services.library
        self._librarian: LibraryReader | None = None
        self._asking: asyncio.TimerHandle | None = None

    def ask_soon(self) -> None:
        """Ask once the position has stayed for a moment."""
        if self._asking is not None:
            self._asking.cancel()
        self._asking = asyncio.get_running_loop().call_later(_PAUSE, self._ask_library)

    def take(self, answer: LibraryAnswer) -> None:
        """Keep what an answer proves, and show it if the question is still current."""
        position = answer.question.position
        before = self._workspace.verdicts.of(position)
        keep_library_verdicts(position, answer.explored, self._workspace.verdicts)
        self._workspace.show_proved(position, before)
        if answer.question == self._workspace.question:
            self._workspace.choose(library=answer)
            self._workspace.fill("explorer")

    def close(self) -> None:
        """End the thread that asks."""
        if self._asking is not None:
            self._asking.cancel()
        if self._librarian is not None:
            self._librarian.close()

    @action("filter-library", "F", "Filter games", Topic.ANALYSIS)
    async def filter(self) -> None:
        """Choose which games of the library the explorer counts."""
        hint = "Words, or player=ann event=cup date=2019: parts of names, beginning of the date; "
        hint += "an empty line for all. "
        hint += "results=contradicting: games that end alike with another result. "
        hint += "least=5: only moves of so many games."
        value = filter_text(self._shown.library_filter)
        chosen = await self._talk.ask_line("Filter games", hint, read_filter, value)
        if chosen is not None:
            self._workspace.choose(library_filter=chosen)
            self._workspace.fill("explorer")

    @action("library", "6,L", "Library", Topic.FILE, after="game-info")
    async def browse(self) -> None:
        """Browse, search, import and open the games of the library."""
        from hextui.ui.screens.library_screen import LibraryScreen

        if self._library is None:
            self._complain("There is no library in this run")
            return
        open_lane = self._workspace.services.open_lane
        screen = LibraryScreen(self._library, open_lane, self._shown.names)
        number = await self._ask(screen)
        if screen.changed:
            self._workspace.shown = replace(self._shown, library=None)
            self.ask_soon()
        if number is not None:
            await self.open_game(number)

    async def open_game(self, number: int, ply: int = 0) -> None:
        """Open a game of the library beside the open records, at a ply."""
        assert self._library is not None
        with self._errors_shown():
            session = await asyncio.to_thread(files.open_game, self._library, number, ply)
            self._workspace.records.open(session)

    def _hear(self, answer: LibraryAnswer) -> None:
        """Take an answer from any thread; it comes back by `take`."""
        self._screen.post_message(LibraryAnswered(answer))

    def _ask_library(self) -> None:
        question = self._workspace.question
        if self._library is None:
            self._hear(LibraryAnswer(question, problem="there is none in this run"))
            return
        if self._librarian is None:
            self._librarian = LibraryReader(self._library, self._hear, self._shown.names)
        self._librarian.ask(question)
