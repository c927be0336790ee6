"""Records from files, and new boards: what the user is asked before one is opened."""

import asyncio
from collections.abc import Callable

from hextui.records.errors import RecordError
from hextui.records.record import Record
from hextui.ui import files
from hextui.ui.open_records import OpenRecords
from hextui.ui.session import Session


class Filing:
    """Asks what to open; ``recent`` returns the files last used, the newest first."""

    def __init__(self, records: OpenRecords, recent: Callable[[], list[str]]) -> None:
        self._records = records
        self._talk = records.talk
        self.recent = recent

    async def open(self) -> None:
        """Ask for a file or a link and open it."""
        from hextui.ui.screens.opening import OpenDialog

        session = await self._talk.ask(OpenDialog(self.recent()))
        if session is not None:
            self._records.open(await self._choose_game(session))

    async def open_file(self, name: str) -> None:
        """Open a file last used."""
        try:
            session = files.open_session(name)
        except RecordError as error:
            self._talk.complain(error)
        else:
            self._records.open(await self._choose_game(session))

    async def choose_first(self) -> None:
        """Ask for a game of the file that the program was started with."""
        first = self._records.session
        chosen = await self._choose_game(first)
        if chosen is not first:
            self._records.replace(first, chosen)

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
        from hextui.ui.screens.choosing import GamesDialog

        number = await self._talk.ask(GamesDialog(origin.path))
        if number is None or number == origin.number:
            return first
        try:
            return await asyncio.to_thread(files.open_session, str(origin.path), number)
        except RecordError as error:
            self._talk.complain(error)
            return first
