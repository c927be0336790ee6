"""The library on the main screen: asked about the position, and which games are counted."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from textual import on, work
from textual.message import Message
from textual.timer import Timer

from hextui.engines.engine import OpenLane
from hextui.ui import files
from hextui.ui.desk import DeskApp
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.live.librarian import Answer, Librarian, Question
from hextui.ui.main.session_screen import SessionScreen
from hextui.ui.widgets.explorer import ExplorerPanel, filter_text, read_filter

_PAUSE = 0.08  # seconds that a position must stay before the library is asked


@dataclass
class Answered(Message):
    """The library has answered; a newer answer that waits behind it takes its place."""

    answer: Answer

    def can_replace(self, message: Message) -> bool:
        """Only the newest answer is of interest."""
        return isinstance(message, Answered)


class ExploringScreen(SessionScreen):
    """Asks the library what the explorer panel and the overlay need. Without one it says so."""

    library: Path | None = None
    open_lane: OpenLane | None = None
    _librarian: Librarian | None = None
    _asking: Timer | None = None

    def explore(self) -> None:
        """Have the library asked about the position, if its overlay is on and it has not been."""
        answer = self.shown.library
        if self.shown.overlay is Overlay.LIBRARY and (
            answer is None or answer.question != self._question
        ):
            self._ask_soon()

    def forget_library(self) -> None:
        """Ask again: the library has changed."""
        self.shown = replace(self.shown, library=None)
        self._ask_soon()

    def close_library(self) -> None:
        """End the thread that asks."""
        if self._librarian:
            self._librarian.close()

    @property
    def _question(self) -> Question:
        return Question(self.session.position, self.shown.library_filter)

    @on(ExplorerPanel.Wanted)
    def _ask_soon(self) -> None:
        if self._asking is not None:
            self._asking.stop()
        self._asking = self.set_timer(_PAUSE, self._ask)

    def _ask(self) -> None:
        if self.library is None:
            self._hear_answer(Answer(self._question, problem="there is none in this run"))
            return
        if self._librarian is None:
            self._librarian = Librarian(self.library, self._hear_answer)
        self._librarian.ask(self._question)

    def _hear_answer(self, answer: Answer) -> None:
        """Take an answer from any thread."""
        self.post_message(Answered(answer))

    @on(Answered)
    def _take_answer(self, event: Answered) -> None:
        if event.answer.question == self._question:
            self.choose(library=event.answer)
            self.query_one(ExplorerPanel).show(self.sight)

    @on(ExplorerPanel.FilterWanted)
    @work(exclusive=True, group="dialogs")
    async def action_filter_library(self) -> None:
        """Ask which games of the library are counted."""
        from hextui.ui.screens.dialogs import LineDialog

        hint = "player=ann event=cup date=2019: parts of names, beginning of the date; '' for all."
        value = filter_text(self.shown.library_filter)
        chosen = await self.app.push_screen_wait(
            LineDialog("Games that are counted", hint, read_filter, value)
        )
        if chosen is not None:
            self.choose(library_filter=chosen)
            self.query_one(ExplorerPanel).show(self.sight)

    @work(exclusive=True, group="dialogs")
    async def action_library(self) -> None:
        """Show the library; a game that is chosen there is opened."""
        from hextui.ui.screens.library import LibraryScreen

        if self.library is None:
            self.complain("There is no library in this run")
            return
        screen = LibraryScreen(self.library, self.open_lane)
        number = await self.app.push_screen_wait(screen)
        if screen.changed:
            self.forget_library()
        if number is not None:
            self.open_game(number)

    @on(ExplorerPanel.GameChosen)
    def _open_explored(self, event: ExplorerPanel.GameChosen) -> None:
        self.open_game(event.game.id, event.game.ply)

    @work(exclusive=True, group="library")
    async def open_game(self, number: int, ply: int = 0) -> None:
        """Open a game of the library beside the open records, at a ply."""
        assert self.library is not None
        assert isinstance(self.app, DeskApp)
        try:
            session = await asyncio.to_thread(files.open_game, self.library, number, ply)
        except ValueError as error:
            self.complain(error)
        else:
            self.app.open_session(session)
