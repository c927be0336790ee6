"""Read standard input, which may be closed, unreadable, endless or not text."""

import errno
import sys
from collections.abc import Iterator
from typing import BinaryIO

from hextui.records.errors import RecordError

NAME = "standard input"
MIB = 1024 * 1024


def read_all(most: int) -> bytes:
    """Return all of it. Raises RecordError if it cannot be read or has more than ``most`` bytes."""
    try:
        data = _stream().read(most + 1)
    except OSError as error:
        raise _unreadable(error) from None
    if len(data) > most:
        raise RecordError(f"more than {most // MIB} MiB", source=NAME)
    return data


def lines(most: int) -> Iterator[str | RecordError]:
    """Yield its lines, without their ends; one of more than ``most`` bytes as a RecordError.

    Bytes that are not UTF-8 become halves of surrogate pairs, as in the words of a command line.
    Raises RecordError if it cannot be read.
    """
    number = 0
    try:
        stream = _stream()
        while line := stream.readline(most + 1):
            number += 1
            if len(line) > most:
                while line and not line.endswith(b"\n"):
                    line = stream.readline(most)
                yield RecordError(f"more than {most // MIB} MiB", number, source=NAME)
            else:
                yield line.rstrip(b"\r\n").decode(errors="surrogateescape")
    except OSError as error:
        raise _unreadable(error) from None


def _stream() -> BinaryIO:
    if sys.stdin is None or sys.stdin.closed:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer


def _unreadable(error: OSError) -> RecordError:
    return RecordError(f"cannot be read: {error.strerror or error}", source=NAME)
