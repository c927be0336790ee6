"""The part of the application that holds several records: one is shown, the others wait."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from textual import work

from hextui.ui.safety.safe_app import SafeApp
from hextui.ui.session import Session
from hextui.ui.widgets.status import TitleLine

if TYPE_CHECKING:
    from hextui.ui.main.main_screen import MainScreen
    from hextui.ui.screens.ending import EndsOnce

T = TypeVar("T")


class DeskApp(SafeApp):
    """An application with a row of open records."""

    _sessions: list[Session]

    @property
    def main(self) -> "MainScreen":
        """The main screen."""
        raise NotImplementedError

    async def save(self, *, ask: bool = False) -> bool:
        """Save the record that is shown; False if it was not."""
        raise NotImplementedError

    @property
    def session(self) -> Session:
        """The session on the main screen."""
        return self.main.session

    @property
    def sessions(self) -> Sequence[Session]:
        """The sessions that are open, in order."""
        return self._sessions

    def action_command_palette(self) -> None:
        """Offer all commands."""
        from hextui.ui.screens.commands import CommandScreen

        if not isinstance(self.screen, CommandScreen):
            self.push_screen(CommandScreen())

    async def push_screen_wait(  # type: ignore[override]
        self, screen: "EndsOnce[T]", *, mode: str | None = None
    ) -> T:
        """Show a screen and return its result; it goes if whoever asked asks something else."""
        try:
            return await super().push_screen_wait(screen, mode=mode)
        except asyncio.CancelledError:
            if not self._exit:
                screen.withdraw()
            raise

    def open_session(self, session: Session) -> None:
        """Show another session, beside the one that was shown or, if that is untouched, for it."""
        at = self._sessions.index(self.session)
        if self.session.untouched:
            self._sessions[at] = session
        else:
            self._sessions.insert(at + 1, session)
        self._bring(session)

    def replace_session(self, old: Session, new: Session) -> None:
        """Show a session in the place of one that holds no edits."""
        self._sessions[self._sessions.index(old)] = new
        self._bring(new)

    def action_record(self, step: int) -> None:
        """Show the next open record, or the one before."""
        at = self._sessions.index(self.session)
        self.action_show_record((at + step) % len(self._sessions))

    def action_show_record(self, at: int) -> None:
        """Show the open record at this place in the row."""
        self._bring(self._sessions[at])

    @work(exclusive=True, group="dialogs")
    async def action_close_record(self) -> None:
        """Close the record that is shown; the last one makes place for an empty board."""
        from hextui.records.record import Record

        if not await self.may_close():
            return
        session = self.session
        at = self._sessions.index(session)
        self._sessions.remove(session)
        if not self._sessions:
            self._sessions.append(Session(Record(session.board)))
        self.forget(session)
        self._bring(self._sessions[min(at, len(self._sessions) - 1)])

    async def may_close(self) -> bool:
        """Ask what to do with edits of the record that is shown; False to keep it open."""
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog

        if not self.session.record.modified:
            return True
        choices = (Choice("s", "Save", "save"), Choice("d", "Discard", "discard"))
        answer = await self.push_screen_wait(
            ChoiceDialog("Edits are not saved", f"{self.session.name} has changed.", choices)
        )
        if answer == "save":
            return await self.save()
        return answer == "discard"

    async def may_leave(self) -> bool:
        """Show each record with edits and ask what to do with them; False to stay."""
        for session in self._sessions:
            if session.record.modified:
                self._bring(session)
                if not await self.may_close():
                    return False
        return True

    def _bring(self, session: Session) -> None:
        self.main.open(session)
        title = self.main.query_one(TitleLine)
        title.records = tuple(other.name for other in self._sessions)
        title.at = self._sessions.index(session)
