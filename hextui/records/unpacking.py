"""Packed files, whose contents are unpacked as they are read, and archives, member by member.

What cannot be unpacked ends where it breaks off: what stands before that is read. Members that
systems add, such as ``__MACOSX/._game.sgf``, are passed over without a word.
"""

import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from pathlib import PurePath, PurePosixPath
from typing import Any, BinaryIO

from hextui.records.record_text import RecordError
from hextui.records.summary import PassedKind

Read = Callable[[int], bytes]

PACKED_ENDINGS = (".gz", ".bz2", ".xz", ".zst")
"""The endings of files that are packed alone, behind those that say what they hold."""
_ARCHIVES = (*PACKED_ENDINGS, ".zip", ".tar", ".tgz", ".7z", ".rar")
MACOS = "__MACOSX"
"""The folder that macOS adds to an archive."""
_OF_SYSTEMS = ("thumbs.db", "desktop.ini")


class Unpacked:
    """What a file or a member holds: its name in the archive, '' outside; ``packed`` or not.

    ``error`` says what is wrong where it breaks off, None before. Raises RecordError if it breaks
    off before anything has been read.
    """

    def __init__(self, read: Read, name: str = "", packed: bool = False) -> None:
        self.name = name
        self.packed = packed
        self.error: RecordError | None = None
        self._read = read
        self._begun = False

    def read(self, size: int) -> bytes:
        """Return at most so many bytes, none at the end."""
        if not self.packed:
            return self._read(size)
        if self.error:
            return b""
        try:
            data = self._read(size)
        except MemoryError:
            raise
        except Exception as error:  # each library has errors of its own
            self.error = _cannot_be_unpacked(error)
            if not self._begun:
                raise self.error from None
            return b""
        self._begun = self._begun or bool(data)
        return data


@dataclass(frozen=True)
class Unreadable:
    """A member of an archive that is not read, and why; see ``PassedOver``."""

    name: str
    reason: str
    kind: PassedKind


@dataclass(frozen=True)
class _Packing:
    """How files are packed that begin with ``start``; ``open`` returns a stream."""

    start: bytes
    open: Callable[[BinaryIO], Any]


def _open_gzip(file: BinaryIO) -> Any:
    import gzip  # here, like the others: few files are packed

    return gzip.GzipFile(fileobj=file)


def _open_bzip2(file: BinaryIO) -> Any:
    import bz2

    return bz2.BZ2File(file)


def _open_xz(file: BinaryIO) -> Any:
    import lzma

    return lzma.LZMAFile(file)


def _open_zstandard(file: BinaryIO) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdFile(file)


_PACKINGS = (
    _Packing(b"\x1f\x8b", _open_gzip),
    _Packing(b"BZh", _open_bzip2),
    _Packing(b"\xfd7zXZ", _open_xz),
    _Packing(b"\x28\xb5\x2f\xfd", _open_zstandard),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # with members, and without
_HEAD = 6  # bytes at the start of a file that show how it is packed


def unpacked(file: BufferedReader, endings: Sequence[str]) -> Iterator[Unpacked | Unreadable]:
    """Yield what a file holds. Of an archive only members with these ``endings`` can be read.

    Raises RecordError for what cannot be unpacked at all.
    """
    head = file.peek(_HEAD)
    packing = next(
        (packing_kind for packing_kind in _PACKINGS if head.startswith(packing_kind.start)), None
    )
    if head.startswith(_ZIP):
        yield from _members(file if file.seekable() else BytesIO(file.read()), endings)
    elif packing is not None:
        try:
            stream = packing.open(file)
        except Exception as error:
            raise _cannot_be_unpacked(error) from None
        yield Unpacked(stream.read1, packed=True)
    else:
        yield Unpacked(file.read1)


def _members(file: BinaryIO, endings: Sequence[str]) -> Iterator[Unpacked | Unreadable]:
    try:
        archive = zipfile.ZipFile(file)
        members = archive.infolist()
    except Exception as error:
        raise _cannot_be_unpacked(error) from None
    for member in members:
        name = member.filename
        if member.is_dir() or is_of_system(name):
            continue
        if refusal := not_a_record(name, endings, in_archive=True):
            reason, kind = refusal
            yield Unreadable(name, reason, kind)
            continue
        try:
            stream: Any = archive.open(member)
        except Exception as error:
            yield Unreadable(name, _cannot_be_unpacked(error).what, PassedKind.BROKEN)
            continue
        with stream:
            yield Unpacked(stream.read1, name, packed=True)


def is_of_system(name: str) -> bool:
    """Return whether a file is one that a system adds to a folder or an archive.

    >>> is_of_system("__MACOSX/games/._one.sgf"), is_of_system("games/one.sgf")
    (True, False)
    """
    path = PurePosixPath(name.replace("\\", "/"))
    hidden = path.name.startswith(("._", ".DS_Store"))
    return hidden or MACOS in path.parts or path.name.lower() in _OF_SYSTEMS


def not_a_record(
    name: str, endings: Sequence[str], in_archive: bool = False
) -> tuple[str, PassedKind] | None:
    """Return why a file of this name is no record, and its kind; None if it may be one."""
    ending = PurePath(name).suffix.lower()
    if in_archive and ending in _ARCHIVES:
        return f"an archive in an archive is not unpacked: {ending}", PassedKind.NO_GAMES
    if bare_name(name.lower()).endswith(tuple(endings)) or ending == ".zip":
        return None
    if ending in _ARCHIVES:
        return f"not unpacked: {ending}", PassedKind.NO_GAMES
    return f"not a record: {ending or 'no ending'}", PassedKind.OTHER


def bare_name(name: str) -> str:
    """Return the name of a file without the ending that says how it is packed."""
    path = PurePath(name)
    return path.stem if path.suffix in PACKED_ENDINGS else path.name


def _cannot_be_unpacked(error: Exception) -> RecordError:
    return RecordError(f"cannot be unpacked: {error or type(error).__name__}")
