"""Saving sessions: what the user is asked, and a thread so that neither disk nor size is felt."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from hextui.records.errors import RecordError
from hextui.ui import files
from hextui.ui.session import Session
from hextui.ui.talk import Talk
from hextui.ui.typed_text import read_path

T = TypeVar("T")


class Saver:
    """Saves one session after another, each as it is when its turn comes.

    Edits that are made meanwhile are not saved: the record stays modified by them. ``saved`` is
    called after each one.
    """

    def __init__(self, talk: Talk, saved: Callable[[], None]) -> None:
        self._talk = talk
        self._saved = saved
        self._thread = ThreadPoolExecutor(1, "saving")
        self._saving: set[asyncio.Future[bool]] = set()

    async def rest(self) -> None:
        """Wait until no session is being saved."""
        while self._saving:
            await asyncio.wait(self._saving)

    async def save(self, session: Session, *, ask: bool = False) -> bool:
        """Save a session, asking for a name if it must; return whether all of it is saved."""
        path = session.path
        if path is None or ask:
            value = str(path or f"{session.board}.sgf")
            path = await self._talk.ask_line("Save as", name_hint(), read_path, value)
        if path is None:
            return False
        destroyed = await self._in_thread(partial(files.overwriting, session, path))
        if destroyed and not await self._talk.may_overwrite(destroyed):
            return False
        try:
            return await self._to_its_end(self._save(session, path))
        except RecordError as error:
            return await self._save_elsewhere(session, error)

    async def _save(self, session: Session, path: Path, as_it_stands: bool = False) -> bool:
        saved, last = await self._in_thread(partial(files.write, session, path, as_it_stands))
        if as_it_stands:
            self._talk.tell(f"Saved {path} as it stands; the record still counts as changed")
            return False
        if not saved.lost:
            session.path = path
            session.mark = saved.digest
            session.record.mark_saved(last)
        left_out = f"; left out: {', '.join(saved.lost)}" if saved.lost else ""
        self._talk.tell(f"Saved {path}{left_out}", 4)
        self._saved()
        return not (saved.lost or session.record.modified)

    async def _save_elsewhere(self, session: Session, error: RecordError) -> bool:
        """Say why a session was not saved and offer another file."""
        from hextui.records.writing import NotReadBackError

        what = f"{error}\nWhat the file held is still there, and no edit is lost."
        if not await self._talk.choose("Not saved", what, ("e", "Save elsewhere", "elsewhere")):
            return False
        if not isinstance(error, NotReadBackError):
            return await self.save(session, ask=True)
        hint = "A new file's name: it may not read back as the same record."
        path = await self._talk.ask_line("Save as it stands", hint, read_path, "")
        if path is not None:
            try:
                await self._to_its_end(self._save(session, path, as_it_stands=True))
            except RecordError as again:
                self._talk.complain(again)
        return False

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _to_its_end(self, saving: Coroutine[None, None, bool]) -> bool:
        """Wait for a saving, which goes on though the one who waits may be cancelled."""
        task = asyncio.ensure_future(saving)
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._tell_failure)
            raise

    def _tell_failure(self, task: asyncio.Future[bool]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self._talk.complain(error)


def name_hint() -> str:
    """Return what the save dialog says about the name of a file: the endings it understands."""
    from hextui.records.codecs import suffixes

    endings = ", ".join(sorted(suffixes(written=True)))
    return f"The file's name; its ending chooses the format ({endings}), SGF by default."
