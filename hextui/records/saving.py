"""Write files atomically: at every moment either the old or the new file is there, whole."""

import contextlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from hextui.records.record_text import RecordError

_UNFINISHED = re.compile(r"\.hextui-[0-9a-f]{16}\.tmp")
_OLD_SECONDS = 600.0  # no save takes so long


def save_file(path: Path, content: str | bytes | Iterable[str], mode: int | None = None) -> None:
    """Make the file at ``path`` hold bytes, or text in UTF-8; if that fails the old file stays.

    The text, or its parts as they come, goes to a new file in the same folder, which takes the old
    one's place when it has reached the disk. A symbolic link stays one, and so do the permissions
    and, if possible, the owner. With ``mode`` a new file of that mode takes the place of whatever
    file or link was there. Raises RecordError if the file is read-only or is none, if the disk is
    full...
    """
    parts = [content] if isinstance(content, str | bytes) else content
    data = map(_bytes_of, parts)
    try:
        _replace(Path(os.path.realpath(path) if mode is None else path), data, mode)
    except (OSError, ValueError) as error:  # the latter for a name that no file has
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordError(f"cannot be saved: {reason}", source=str(path)) from None


def _bytes_of(part: str | bytes) -> bytes:
    # Half a surrogate pair, which UTF-8 cannot hold, becomes a question mark.
    return part.encode(errors="replace") if isinstance(part, str) else part


def _replace(target: Path, data: Iterable[bytes], mode: int | None) -> None:
    old = _status(target)
    status = old if mode is None else None
    _remove_unfinished(target.parent)
    new = target.with_name(f".hextui-{secrets.token_hex(8)}.tmp")
    # Private until it is complete: the file that it replaces may be private.
    first = (mode or 0o666) if status is None else 0o600
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), first)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.writelines(data)
            stream.flush()
            os.fsync(stream.fileno())
        if status is not None:
            if hasattr(os, "chown"):
                for owner, group in ((-1, status.st_gid), (status.st_uid, -1)):
                    with contextlib.suppress(OSError):  # the user may not
                        os.chown(new, owner, group)
            os.chmod(new, stat.S_IMODE(status.st_mode))
        os.replace(new, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise
    _sync_folder(target.parent)


@cache
def _remove_unfinished(folder: Path) -> None:
    """Remove the new files of saves that were killed, before the first save into a folder."""
    oldest = time.time() - _OLD_SECONDS
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _UNFINISHED.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):  # another program was quicker
                    if entry.stat(follow_symlinks=False).st_mtime < oldest:
                        os.unlink(entry)


def _status(target: Path) -> os.stat_result | None:
    """Return the status of a file, None if there is none; raises OSError if it is not writable."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(None, "it is not a file") from None
    if not os.access(target, os.W_OK):
        raise PermissionError(None, "it is read-only")
    return status


def _sync_folder(folder: Path) -> None:
    """Flush the new name to the disk too, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
