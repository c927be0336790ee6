"""Recovery files: edits that are not saved yet, kept so that they outlive the program.

A running program keeps one file in the folder ``recovery``. Its name says whose it is: the
process, when that started, and a number of its own. A file whose process is gone was left behind
by a crash, and the next start offers it.
"""

import json
import os
import secrets
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from hextui.records.errors import RecordError
from hextui.records.history import Edit
from hextui.records.record import Record
from hextui.records.saving import save_text
from hextui.records.sgf import read_sgf, write_sgf
from hextui.ui.session import Session


@dataclass(frozen=True)
class Rescue:
    """What a recovery file holds.

    ``file`` is the path of the file the record belongs to, '' for none, and ``mark`` what that
    held (see `Session.mark`); ``steps`` leads from the root to the node looked at, child by child.
    """

    sgf: str
    name: str
    file: str
    mark: str | None
    steps: tuple[int, ...]

    @staticmethod
    def of(session: Session) -> "Rescue":
        """Return what there is to keep of a session."""
        steps = tuple(node.index for node in session.node.line() if node.parent)
        path = str(session.path.absolute()) if session.path else ""
        return Rescue(write_sgf(session.record), session.name, path, session.mark, steps)

    def session(self) -> Session:
        """Return the session as it was, its edits not saved. Raises RecordError."""
        record = read_sgf(self.sgf)
        record.history.mark_unsaved()
        session = Session(record, Path(self.file) if self.file else None, self.name)
        session.mark = self.mark
        node = record.root
        for step in self.steps:
            if step < len(node.children):
                node = node.children[step]
        session.go_to(node)
        return session


def left_behind(folder: Path) -> list[Path]:
    """Return the recovery files of programs that run no more, the newest first."""
    found = [path for path in folder.glob("*.json") if not _is_owned(path)]
    return sorted(found, key=_modified, reverse=True)


def read(path: Path) -> Rescue:
    """Read a recovery file. Raises RecordError if it is broken."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        document["steps"] = tuple(map(int, document["steps"]))
        return Rescue(**document)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RecordError(f"no recovery file: {error}", source=str(path)) from None


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_owned(path: Path) -> bool:
    """Whether the process that the file's name tells of is running."""
    process, _, rest = path.stem.partition("-")
    started = rest.partition("-")[0]
    return process.isdigit() and _is_alive(int(process)) and started == _started(int(process))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # it runs for another user, or is no process at all
        return True
    return True


def _started(process: int) -> str:
    """Return when a process started, '0' where the system does not say: numbers are used again."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "0"
    return status.rpartition(")")[2].split()[19]


class Keeper:
    """Keeps the recovery file of this program up to date.

    The disk is written to in a thread, so that a slow one never holds the screen.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        own = os.getpid()
        self.path = folder / f"{own}-{_started(own)}-{secrets.token_hex(4)}.json"
        self.problem = ""
        """Why the last edits could not be kept, '' if they could."""
        self._writer = ThreadPoolExecutor(1, "recovery")
        self._pending: Future[None] | None = None
        self._kept: tuple[Record, Edit | None] | None = None

    def check(self, session: Session) -> None:
        """Have the session's edits written if they are not, or the file removed if all is saved.

        Does nothing while the last writing is under way.
        """
        if self._pending and not self._pending.done():
            return
        state = _state(session) if session.record.modified else None
        if self._kept == state and not self.problem:
            return
        self._kept = state
        self._pending = self._writer.submit(self._write, Rescue.of(session) if state else None)

    def flush(self, session: Session) -> None:
        """Write the session's edits before returning."""
        if self._pending:
            self._pending.result()
        self.check(session)
        if self._pending:
            self._pending.result()

    def take(self, left: Path) -> Rescue:
        """Make a file that was left behind this program's own, and return what it holds.

        Raises RecordError if another program was quicker or the file is broken; a broken one is
        set aside under another name.
        """
        try:
            os.rename(left, self.path)
        except OSError:
            raise RecordError("another program has taken it", source=left.name) from None
        try:
            rescue = read(self.path)
            rescue.session()
        except RecordError as error:
            with suppress(OSError):
                os.rename(self.path, left.with_suffix(".broken"))
            raise error.in_source(str(left.with_suffix(".broken"))) from None
        return rescue

    def forget(self) -> None:
        """Remove the file: the edits are saved or given up."""
        if self._pending:
            self._pending.result()
        self._kept = None
        self._write(None)

    def _write(self, rescue: Rescue | None) -> None:
        try:
            if rescue is None:
                self.path.unlink(missing_ok=True)
            else:
                self.folder.mkdir(parents=True, exist_ok=True)
                save_text(self.path, json.dumps(asdict(rescue)))
            self.problem = ""
        except RecordError as error:
            self.problem = error.what
        except OSError as error:
            self.problem = f"{self.path}: {error.strerror or error}"


def _state(session: Session) -> tuple[Record, Edit | None]:
    done = session.record.history.done
    return session.record, done[-1] if done else None
