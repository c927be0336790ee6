"""Actions on the library: filter, browse and open its games."""

import asyncio
from dataclasses import replace

from hextui.ui import files
from hextui.ui.filters import filter_text, read_filter
from hextui.ui.keys import Topic, action
from hextui.ui.parts import ActionGroup


class LibraryActions(ActionGroup):
    """Browses the library, opens its games, and chooses which ones the explorer counts."""

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

        library = self._workspace.services.library
        if library is None:
            self._complain("There is no library in this run")
            return
        open_lane = self._workspace.services.open_lane
        screen = LibraryScreen(library, open_lane, self._shown.names)
        number = await self._ask(screen)
        if screen.changed:
            self._workspace.shown = replace(self._shown, library=None)
            self._workspace.ask_library()
        if number is not None:
            await self.open_game(number)

    async def open_game(self, number: int, ply: int = 0) -> None:
        """Open a game of the library beside the open records, at a ply."""
        library = self._workspace.services.library
        assert library is not None
        with self._errors_shown():
            session = await asyncio.to_thread(files.open_game, library, number, ply)
            self._workspace.records.open(session)
