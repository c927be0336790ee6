"""The compiled code of a kernel on disk, one file for each kernel and its types of arguments.

A file is a checksum and what it is of: the types, the processor, the kernel's own byte code, then
numba's compile result. A file that is damaged, or of another processor, is as good as none:
the kernel is compiled and the file written again, beside and then over the old one.

numba's own cache would find a function only at the path where its source lay, asks for a setting
for the whole process to be kept elsewhere, and does not notice damage.
"""

import hashlib
import logging
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hextui.engine.kernels.folders import folder_of

_CHECKSUM = 32

_dumps: Any = dumps  # pickles what the standard library cannot

logger = logging.getLogger("hextui")


@cache
def say_that_it_compiles() -> None:
    """Say once, by logging, that this takes its time."""
    logger.warning("compiling for the first use: about a minute, then it is kept on disk")


class KeptCode:
    """What numba asks for the compiled code of one function, instead of its own cache."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._folder = folder_of(function.__module__)
        module = function.__module__.removeprefix(f"{__package__}.")
        self._name = f"{module}.{function.__qualname__}"
        self._byte_code = hashlib.sha256(function.__code__.co_code).digest()

    @property
    def cache_path(self) -> str:
        """The folder, which numba shows among its statistics."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compile result for a signature, None if there is none on disk."""
        target.refresh()
        key = self._key(signature, target.codegen())
        found = read_checked(self._path(key))
        if found is not None:
            kept, payload = pickle.loads(found)
            if kept == key:
                return CompileResult._rebuild(target, *payload)  # type: ignore[no-untyped-call]
        say_that_it_compiles()
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compile result; where nothing can be written, do nothing."""
        if compiled.lifted or compiled.library.has_dynamic_globals:
            return  # it holds addresses of this process
        key = self._key(signature, compiled.codegen)
        with suppress(OSError):
            write_checked(self._path(key), _dumps((key, compiled._reduce())))

    def flush(self) -> None:
        """Forget what is kept of this function."""
        for path in self._folder.glob(f"{self._name}-*.code"):
            path.unlink(missing_ok=True)

    def _key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        return signature, codegen.magic_tuple(), self._byte_code

    def _path(self, key: tuple[Any, ...]) -> Path:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return self._folder / f"{self._name}-{digest}.code"


def read_checked(path: Path) -> bytes | None:
    """Return what ``write_checked`` wrote, None if there is nothing or it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    body = content[_CHECKSUM:]
    return body if hashlib.sha256(body).digest() == content[:_CHECKSUM] else None


def write_checked(path: Path, body: bytes) -> None:
    """Write bytes with their checksum, through a file beside; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
        file.write(hashlib.sha256(body).digest() + body)
    os.replace(file.name, path)
