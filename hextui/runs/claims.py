"""Claims: which tasks a program works on, so that others on this machine do other ones meanwhile.

A claim is a lock on one byte of a file. It ends with the program, however that ends.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from hextui.locations import make_private_file, make_private_folder

if sys.platform != "win32":
    import fcntl
else:  # without locks programs may do a task twice, which changes no result
    fcntl = None

_POSITION_BYTES = 7  # of a byte in the file, which holds nothing: the largest position has 63 bits
_PRESENT = 1 << 62  # the byte that all programs share, beyond those of keys


class Claims:
    """Claims of one program, by the keys of tasks.

    Only one object of a process may have the file open. Raises OSError if it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        make_private_folder(path.parent)
        make_private_file(path)
        self._file = os.open(path, os.O_RDWR)
        self._claimed: set[bytes] = set()
        if fcntl is not None:
            fcntl.lockf(self._file, fcntl.LOCK_SH, 1, _PRESENT)

    def close(self) -> None:
        """Release all claims."""
        self._claimed.clear()
        os.close(self._file)

    def are_only_ones(self) -> bool:
        """Return whether no other program has the file open; then others wait until this ends."""
        try:
            if fcntl is not None:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _PRESENT)
        except OSError:
            return False
        return True

    def claim(self, key: bytes) -> bool:
        """Claim a task; return False if it is claimed, here or by another program."""
        if key in self._claimed:
            return False
        try:
            self._lock(key, wait=False)
        except OSError:
            return False
        self._claimed.add(key)
        return True

    def release(self, key: bytes) -> None:
        """Release a claim, if there is one."""
        if key in self._claimed:
            self._claimed.remove(key)
            if fcntl is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _position(key))

    def wait(self, key: bytes) -> None:
        """Wait until no other program claims a task."""
        with self.alone(key):
            pass

    @contextmanager
    def alone(self, key: bytes) -> Iterator[None]:
        """Wait until no other program claims a task, and claim it meanwhile."""
        self._lock(key, wait=True)
        self._claimed.add(key)
        try:
            yield
        finally:
            self.release(key)

    def _lock(self, key: bytes, wait: bool) -> None:
        if fcntl is not None:
            how = fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
            fcntl.lockf(self._file, how, 1, _position(key))


def _position(key: bytes) -> int:
    """Return the byte that stands for a key."""
    return int.from_bytes(blake2b(key, digest_size=_POSITION_BYTES).digest())
