"""Records from files, and new boards: what the user is asked before one is opened."""

import asyncio
from collections.abc import Callable

from hextui.records.errors import RecordError
from hextui.records.record import Record
from hextui.ui import files
from hextui.ui.open_records import OpenRecords
from hextui.ui.session import Session
from hextui.words.names import Names


class Filing:
    """Asks what to open; ``recent`` returns the files last used, the newest first.

    ``show_puzzle`` is called when a puzzle was opened: its analysis is hidden.
    """

    def __init__(
        self,
        records: OpenRecords,
        recent: Callable[[], list[str]],
        show_puzzle: Callable[[], None],
        names: Names = Names.RED_BLUE,
    ) -> None:
        self._records = records
        self._talk = records.talk
        self.recent = recent
        self._show_puzzle = show_puzzle
        self._names = names

    async def open(self) -> None:
        """Ask for a file or a link and open it."""
        from hextui.ui.screens.file_dialogs import OpenDialog

        session = await self._talk.ask(OpenDialog(self.recent()))
        if session is not None:
            await self._open(session)

    async def open_file(self, name: str) -> None:
        """Open a file last used."""
        try:
            session = files.open_session(name)
        except RecordError as error:
            self._talk.complain(error)
        else:
            await self._open(session)

    async def begin(self, first: Session, ask: bool) -> None:
        """Begin with the file that the program was started with; ``ask`` for a game of it.

        Records that were open already stay beside what is chosen.
        """
        chosen = await self._choose_game(first) if ask else first
        if chosen is not first or (files.is_puzzle(chosen) and chosen is not self._records.session):
            self._records.replace(first, chosen)
        self._opened(chosen)

    async def step(self, step: int) -> None:
        """Show another open record, or, if only one is open, another game of its file."""
        session = self._records.session
        origin = session.record.origin
        others = len(self._records.sessions) > 1
        if others or origin is None or origin.path is None or origin.alone:
            self._records.step(step)
            return
        number = origin.number + step
        try:
            found = await asyncio.to_thread(files.open_other, origin, number)
        except RecordError as error:
            self._talk.complain(error)
            return
        if session.record.modified:
            self._records.open(found)
        else:
            self._records.replace(session, found)

    async def _open(self, session: Session) -> None:
        chosen = await self._choose_game(session)
        self._records.open(chosen)
        self._opened(chosen)

    def _opened(self, session: Session) -> None:
        """Say what was guessed about a record's file; show a puzzle without its analysis."""
        origin = session.record.origin
        for note in origin.notes if origin else ():
            self._talk.warn(session.name, note)
        if files.is_puzzle(session):
            self._show_puzzle()

    async def new(self) -> None:
        """Ask for a size and start an empty board."""
        from hextui.ui.screens.dialogs import LineDialog

        hint = "Size: 11, or columns x rows: 13x9. Sides are 1 to 19."
        size = files.size_text(self._records.session.board)
        board = await self._talk.ask(LineDialog("New board", hint, files.read_size, size))
        if board is not None:
            self._records.open(Session(Record(board)))

    async def _choose_game(self, first: Session) -> Session:
        """Ask which game of the file of ``first`` is meant, if it holds several; open that."""
        origin = first.record.origin
        if origin is None or origin.path is None or origin.alone:
            return first
        from hextui.ui.screens.file_dialogs import GamesDialog

        number = await self._talk.ask(
            GamesDialog(origin.path, origin.board, files.is_puzzle(first), self._names)
        )
        if number is None or number == origin.number:
            return first
        try:
            return await asyncio.to_thread(files.open_other, origin, number)
        except RecordError as error:
            self._talk.complain(error)
            return first
