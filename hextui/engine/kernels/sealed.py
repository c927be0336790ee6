"""Compiled code on disk, every file under a checksum.

Numba's own cache trusts its files: one that was cut short, as a power cut leaves it, ends the
program with a traceback, and one wrong byte in the machine code may end it without. Here a file
holds the compiled code of one function for one signature, behind its digest. One that does not
match is dropped, and the function is compiled again. Unpickling runs whatever a file says, so one
that somebody else could have written is never loaded. There is no index: a file's name is made of
all that its code depends on, so two programs that compile at once do not lose each other's work.
"""

import hashlib
import logging
import os
import pickle
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hextui.locations import (
    ForeignError,
    UntrustedError,
    check_private_folder,
    make_private_folder,
    new_private_file,
    open_private_file,
)

_log = logging.getLogger(__name__)
_DIGEST = 32  # bytes of a SHA-256 digest


class SealedCache(_Cache):
    """What Numba asks for a function's compiled code, and gives it to be kept.

    ``folder`` belongs to the cache alone. Nothing is raised, whatever lies there and if nothing
    can be written: the function is compiled then, and one line is logged for each folder.
    ``missing`` is called where no code lies that could be loaded.
    """

    def __init__(
        self, function: Callable[..., Any], folder: Path, missing: Callable[[], None] | None = None
    ) -> None:
        self._function = function
        self._missing = missing or (lambda: None)
        self._folder = folder
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def enable(self) -> None:
        """Load and save from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Drop what is kept of the function."""
        for path in self._folder.glob(f"{self._name}-*"):
            _drop(path)

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        """Return the code compiled for a signature, None if there is none that is whole."""
        if not self._enabled:
            return None
        target.refresh()
        path = self._path(signature, target.codegen())
        try:
            check_private_folder(self._folder)
            if not os.path.lexists(path):
                raise FileNotFoundError
        except OSError as error:
            self._missing()
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                _tell(f"{self._folder}: compiled code is not used: {error.strerror}")
            return None
        try:
            code = _checked(path)
            return CompileResult._rebuild(target, *pickle.loads(code))  # type: ignore
        except Exception as error:  # whatever it is, it is of no use
            _drop(path)
            what = "was damaged"
            if isinstance(error, UntrustedError | ForeignError):
                what = f"is not trusted ({error.strerror})"
            _tell(f"{self._folder}: compiled code {what}; it is compiled again")
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for a signature."""
        if not self._enabled or result.library.has_dynamic_globals:
            return
        code = dumps(result._reduce())  # type: ignore[no-untyped-call]
        path = self._path(signature, result.codegen)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            if self._folder.is_file():
                _drop(self._folder)
            make_private_folder(self._folder)
            check_private_folder(self._folder)
            with open(part, "xb", opener=new_private_file) as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(part, path)
        except OSError as error:
            _drop(part)
            _tell(f"{self._folder}: compiled code cannot be kept: {error.strerror or error}")

    @property
    def _name(self) -> str:
        return f"{self._function.__module__}.{self._function.__qualname__}"

    def _path(self, signature: Any, codegen: Any) -> Path:
        code = self._function.__code__
        key = repr((signature, codegen.magic_tuple(), code.co_code, _digest_of(code.co_filename)))
        return self._folder / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.code"


def _checked(path: Path) -> bytes:
    """Return what a file holds behind its digest. Raises OSError, ValueError."""
    with open_private_file(path) as file:
        content = file.read()
    code = content[_DIGEST:]
    if hashlib.sha256(code).digest() != content[:_DIGEST]:
        raise ValueError("it does not match its checksum")
    return code


@cache
def _digest_of(source: str) -> str:
    """Return the digest of a source file: its numbers and names are compiled in."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:  # code that never lay in a file
        return ""


def _drop(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@cache
def _tell(line: str) -> None:
    """Log a line, once."""
    _log.warning("hextui: %s", line)
