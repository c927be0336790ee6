"""Records to and from the clipboard of the terminal."""

from collections.abc import Callable
from typing import Literal

from hextui.records.errors import RecordError
from hextui.records.fetching import SECONDS
from hextui.ui import files
from hextui.ui.fetched import fetched_session
from hextui.ui.main.desk import Desk


class Copying:
    """Copies the record as a link or as SGF, and opens what is pasted.

    ``put`` puts a text on the clipboard.
    """

    def __init__(self, desk: Desk, put: Callable[[str], None]) -> None:
        self._desk = desk
        self._put = put

    def copy(self, form: Literal["hexworld", "sgf"]) -> None:
        """Copy the record in a format: ``hexworld`` (the line looked at) or ``sgf`` (all of it)."""
        from hextui.records.writing import write_record

        session = self._desk.session
        try:
            text = write_record(session.record, form, session.node)
        except RecordError as error:
            self._desk.complain(error)
            return
        self._put(text.strip())
        self._desk.tell(f"Copied as {'a link' if form == 'hexworld' else 'SGF'}", 2)

    def paste(self, text: str) -> None:
        """Open a pasted link or SGF."""
        text = text.strip()
        if not text.startswith(("(;", "#", "http://", "https://")):
            self._desk.complain("What was pasted is neither SGF nor a link to a game")
            return
        try:
            session = files.open_session(text)
        except RecordError as error:
            self._desk.complain(error)
            return
        self._desk.records.open(session)

    async def fetch(self, link: str) -> None:
        """Open the game of another site that a pasted link leads to."""
        self._desk.tell("The game is being fetched", SECONDS)
        try:
            session = await fetched_session(link)
        except RecordError as error:
            self._desk.complain(error)
            return
        self._desk.tell("The game is here", 2)
        self._desk.records.open(session)
