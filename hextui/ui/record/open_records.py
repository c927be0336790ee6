"""The open records: one is shown, the others wait; and how they are saved.

A thread saves them, so that neither disk nor size is felt.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

from hextui.records.record import Edit, Record
from hextui.records.record_text import RecordError
from hextui.ui.app.talk import Talk
from hextui.ui.record import files
from hextui.ui.record.session import Session
from hextui.ui.widgets.typed_text import read_path
from hextui.words.files import loss_words


class OpenRecords:
    """Opens, shows, saves and closes sessions; ``forget`` gets those that are closed.

    ``changed`` is called whenever another session is shown, or one was saved.
    """

    def __init__(self, first: Session, talk: Talk, forget: Callable[[Session], None]) -> None:
        self.sessions = [first]
        self._at = 0
        self.talk = talk
        self._forget = forget
        self._writing = asyncio.Lock()
        self.changed: Callable[[], None] = lambda: None

    @property
    def session(self) -> Session:
        """The session that is shown."""
        return self.sessions[self._at]

    def open(self, session: Session) -> None:
        """Show another session: beside the one that was shown, or for it if that is untouched."""
        if self.session.untouched:
            self.sessions[self._at] = session
        else:
            self._at += 1
            self.sessions.insert(self._at, session)
        self.changed()

    def replace(self, old: Session, new: Session) -> None:
        """Show a session in the place of another, or beside it if that has edits."""
        self._at = self.sessions.index(old)
        if not old.record.modified:
            self.sessions[self._at] = new
            self.changed()
        else:
            self.open(new)

    def put_away(self, session: Session) -> None:
        """Close a session that has no edits, unless it is the only one."""
        if session in self.sessions and len(self.sessions) > 1 and not session.record.modified:
            shown = self.session
            place = self.sessions.index(session)
            self.sessions.remove(session)
            self._forget(session)
            if shown is session:
                self.show(max(place - 1, 0))
            else:
                self.show(self.sessions.index(shown))

    def show_session(self, session: Session) -> None:
        """Show a session: the one that is open, or else beside the one that was shown."""
        if session in self.sessions:
            self.show(self.sessions.index(session))
        else:
            self.open(session)

    def show(self, place: int) -> None:
        """Show the open record at this place in the row."""
        self._at = place
        self.changed()

    def step(self, step: int) -> None:
        """Show the next open record, or the one before."""
        self.show((self._at + step) % len(self.sessions))

    async def close(self) -> None:
        """Close the record that is shown; the last one makes place for an empty board."""
        session = self.session  # while it is being saved another one may be shown
        if not await self._may_close(session):
            return
        place = self.sessions.index(session)
        self.sessions.remove(session)
        if not self.sessions:
            self.sessions.append(Session(Record(session.board)))
        self._forget(session)
        self.show(min(place, len(self.sessions) - 1))

    async def may_leave(self) -> bool:
        """Ask about each record with edits, also those edited meanwhile; False to stay."""
        given_up: dict[Session, Edit | None] = {}
        while True:
            left = [s for s in self.sessions if s.record.modified]
            left = [s for s in left if given_up.get(s, s) is not s.record.last_edit]
            if not left:
                return True
            if not await self._may_close(left[0]):
                return False
            given_up[left[0]] = left[0].record.last_edit

    async def _may_close(self, session: Session) -> bool:
        """Show a record with edits and ask what to do with them; False to keep it open."""
        async with self._writing:
            pass  # the session may be saved by now
        if session not in self.sessions or not session.record.modified:
            return True
        self.show(self.sessions.index(session))
        choices = ("s", "Save", "save"), ("d", "Discard", "discard")
        question = f"{session.name} has changed."
        answer = await self.talk.choose("Edits are not saved", question, *choices)
        if answer == "save":
            return await self.save(session)
        return answer == "discard"

    async def save(self, session: Session, *, ask: bool = False) -> bool:
        """Save a session as it is when its turn comes; return whether all of it is saved.

        ``ask``: ask for a name even if it has one.
        """
        path = session.path
        if path is None or ask:
            value = str(path or f"{session.board}.sgf")
            path = await self.talk.ask_line("Save as", name_hint(), read_path, value)
        if path is None:
            return False
        destroyed = await asyncio.to_thread(files.overwriting, session, path)
        if destroyed and not await self.talk.may_overwrite(destroyed):
            return False
        try:
            return await self._save(session, path)
        except RecordError as error:
            return await self._save_elsewhere(session, error)

    async def _save(self, session: Session, path: Path, as_it_stands: bool = False) -> bool:
        async with self._writing:
            saved, last = await asyncio.to_thread(files.write, session, path, as_it_stands)
        if as_it_stands:
            self.talk.tell(f"Saved {path} without a check; the record stays marked as changed")
            return False
        if not saved.lost:
            session.path = path
            session.mark = saved.digest
            session.record.mark_saved(last)
        left_out = f"; left out: {', '.join(loss_words(saved.lost))}" if saved.lost else ""
        self.talk.tell(f"Saved {path}{left_out}", 4)
        self.changed()
        return not (saved.lost or session.record.modified)

    async def _save_elsewhere(self, session: Session, error: RecordError) -> bool:
        from hextui.records.writing import NotReadBackError

        what = f"{error}\nThe file is unchanged and no edit is lost."
        if not await self.talk.choose("Not saved", what, ("e", "Save elsewhere", "elsewhere")):
            return False
        if not isinstance(error, NotReadBackError):
            return await self.save(session, ask=True)
        hint = "A new file's name: it may not read back as the same record."
        path = await self.talk.ask_line("Save anyway", hint, read_path, "")
        if path is not None:
            try:
                await self._save(session, path, as_it_stands=True)
            except RecordError as again:
                self.talk.complain(again)
        return False


def name_hint() -> str:
    """Return what the save dialog says about the name of a file: the endings it understands."""
    from hextui.records.codecs import suffixes

    endings = ", ".join(sorted(suffixes(written=True)))
    return f"The file's name; its suffix chooses the format ({endings}), SGF by default."
