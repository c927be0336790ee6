"""The row of open records: one is shown, the others wait."""

from collections.abc import Callable, Sequence

from hextui.records.record import Edit, Record
from hextui.ui.saver import Saver
from hextui.ui.session import Session
from hextui.ui.talk import Talk


class OpenRecords:
    """Opens, shows, saves and closes sessions; ``forget`` gets those that are saved or closed."""

    def __init__(self, first: Session, talk: Talk, forget: Callable[[Session], None]) -> None:
        self._sessions = [first]
        self._at = 0
        self.talk = talk
        self._forget = forget
        self._saver = Saver(talk, self._changed)
        self._watchers: list[Callable[[], None]] = []

    @property
    def session(self) -> Session:
        """The session that is shown."""
        return self._sessions[self._at]

    @property
    def sessions(self) -> Sequence[Session]:
        """The sessions that are open, in order."""
        return tuple(self._sessions)

    def watch(self, changed: Callable[[], None]) -> None:
        """Have this called whenever another session is shown, or the one shown was saved."""
        self._watchers.append(changed)

    def open(self, session: Session) -> None:
        """Show another session: beside the one that was shown, or for it if that is untouched."""
        if self.session.untouched:
            self._sessions[self._at] = session
        else:
            self._at += 1
            self._sessions.insert(self._at, session)
        self._changed()

    def replace(self, old: Session, new: Session) -> None:
        """Show a session in the place of another, or beside it if that has edits."""
        self._at = self._sessions.index(old)
        if not old.record.modified:
            self._sessions[self._at] = new
            self._changed()
        else:
            self.open(new)

    def show(self, at: int) -> None:
        """Show the open record at this place in the row."""
        self._at = at
        self._changed()

    def step(self, step: int) -> None:
        """Show the next open record, or the one before."""
        self.show((self._at + step) % len(self._sessions))

    async def close(self) -> None:
        """Close the record that is shown; the last one makes place for an empty board."""
        session = self.session  # while it is being saved another one may be shown
        if not await self._may_close(session):
            return
        at = self._sessions.index(session)
        self._sessions.remove(session)
        if not self._sessions:
            self._sessions.append(Session(Record(session.board)))
        self._forget(session)
        self.show(min(at, len(self._sessions) - 1))

    async def may_leave(self) -> bool:
        """Ask about each record with edits, also those edited meanwhile; False to stay."""
        given_up: dict[Session, Edit | None] = {}
        await self._saver.rest()
        while True:
            left = [s for s in self._sessions if s.record.modified]
            left = [s for s in left if given_up.get(s, s) is not s.record.last_edit]
            if not left:
                return True
            if not await self._may_close(left[0]):
                return False
            given_up[left[0]] = left[0].record.last_edit

    async def save(self, *, ask: bool = False) -> bool:
        """Save the record that is shown (see `Saver.save`)."""
        return await self._saver.save(self.session, ask=ask)

    async def _may_close(self, session: Session) -> bool:
        """Show a record with edits and ask what to do with them; False to keep it open."""
        await self._saver.rest()
        if session not in self._sessions or not session.record.modified:
            return True
        self.show(self._sessions.index(session))
        choices = ("s", "Save", "save"), ("d", "Discard", "discard")
        question = f"{session.name} has changed."
        answer = await self.talk.choose("Edits are not saved", question, *choices)
        if answer == "save":
            return await self._saver.save(session)
        return answer == "discard"

    def _changed(self) -> None:
        for changed in self._watchers:
            changed()
