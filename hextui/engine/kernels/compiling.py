"""Compile kernels with numba, and keep their code on disk.

A function is a *kernel*, which Python calls, or a *part*, which only compiled code calls. numba
optimises every function with everything it calls, and does so again for each caller. So a part is
only translated here, and optimised and compiled within each kernel that contains it.

numba's public options cannot express that: only this module uses private names of numba. With a
version of numba that they are not tested with (see folders.py), kernels are compiled by public
options alone.

- ``JITCodeLibrary`` and ``Compiler``, for parts. Compiling one width for 11x11 takes 47 s of
  processor time; without them 105 s, and also without skipping unused wrappers 116 s.
- ``_cache`` of a dispatcher, ``_reduce`` and ``_rebuild`` of what it compiles, and ``dumps``, for
  `CodeCache`: numba's own cache trusts its files, and a damaged one can end the program.
- ``_numba_type_``, by which compiled code recognises a part.
"""

import atexit
import hashlib
import logging
import os
import pickle
import secrets
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any, TypeVar

from numba import config, njit

from hextui import locations
from hextui.engine.kernels import folders

Function = TypeVar("Function", bound=Callable[..., Any])

_njit: Any = njit  # its types know only the public options
_OPTIONS: Any = {"nogil": True, "boundscheck": folders.CHECKED}
_REFINED = folders.compiler() is folders.Compiler.REFINED
_DIGEST = 32  # bytes of a SHA-256 digest
_log = logging.getLogger("hextui")

folders.note_use(folders.compiled_folder())
folders.note_use(folders.solver_folder())


def kernel(function: Function) -> Function:
    """Compile a function that Python calls, at its first call, and keep its code on disk.

    Small functions over arrays that other kernels call are faster as kernels too.
    """
    if not _REFINED:
        return _compile_publicly(function)
    dispatcher = _njit(no_cfunc_wrapper=True, **_OPTIONS)(function)
    folder = folders.folder_of(function.__module__)
    dispatcher._cache = CodeCache(function, folder, warn_of_compiling)
    return dispatcher


def part(function: Function) -> Function:
    """Compile a function that only kernels and parts call; called by Python it raises TypeError."""
    return Part(function, inline=False)  # type: ignore[return-value]


def inline_part(function: Function) -> Function:
    """Compile a part that LLVM inlines into every caller: for a piece of an innermost loop."""
    return Part(function, inline=True)  # type: ignore[return-value]


class Part:
    """A function that only kernels and parts call."""

    def __init__(self, function: Callable[..., Any], *, inline: bool) -> None:
        update_wrapper(self, function)
        self.py_func = function
        options = {**_OPTIONS, "forceinline": inline}
        if _REFINED:
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            options["pipeline_class"] = _part_compiler()
        self._dispatcher = _njit(**options)(function)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes a name in compiled code for."""
        return self._dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """Raise TypeError: there may be no machine code to call."""
        raise TypeError(f"{self.py_func.__name__} is a part of kernels: only those can call it")


@cache
def _part_compiler() -> Any:
    """Return the compiler of parts, which leaves optimisation and machine code to kernels."""
    from numba.core import codegen, compiler

    class PartLibrary(codegen.JITCodeLibrary):
        """The code of a part, to be linked into that of kernels; nothing calls it directly."""

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()  # type: ignore[no-untyped-call]
            return 0

        @property
        def codegen(self) -> Any:
            return self  # for `set_env`

        def set_env(self, name: str, env: Any) -> None:
            pass

    class PartCompiler(compiler.Compiler):
        def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
            library = PartLibrary(target.codegen(), "part")  # type: ignore[no-untyped-call]
            super().__init__(typing, target, library, *rest)  # type: ignore[no-untyped-call]

    return PartCompiler


@cache
def warn_of_compiling() -> None:
    """Log a warning that the first use takes time, once."""
    _log.warning("compiling for the first use; the result is kept on disk")


class CodeCache:
    """The compiled code of a function on disk: a file with a checksum for each signature.

    numba calls it as the cache of a dispatcher. A file that does not match its checksum is removed,
    and the function is compiled again. Unpickling runs whatever a file says, so a file that others
    could have written is never loaded. A file's name depends on all that its code depends on, so
    two programs can compile at once. Nothing is raised, whatever lies in ``folder``; one line is
    logged for each folder. ``missing`` is called where there is no code.
    """

    def __init__(
        self, function: Callable[..., Any], folder: Path, missing: Callable[[], None] | None = None
    ) -> None:
        self._function = function
        self._missing = missing or (lambda: None)
        self._folder = folder
        self.cache_path = str(folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the code compiled for a signature, None if there is no intact file."""
        from numba.core.compiler import CompileResult

        target.refresh()
        path = self._path(signature, target.codegen())
        try:
            locations.check_private_folder(self._folder)
            if not os.path.lexists(path):
                raise FileNotFoundError
        except OSError as error:
            self._missing()
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                _report(f"{self._folder}: compiled code is not used: {error.strerror}")
            return None
        try:
            code = pickle.loads(_read_checked(path))
            return CompileResult._rebuild(target, *code)  # type: ignore[no-untyped-call]
        except Exception as error:  # foreign bytes can raise anything
            _remove(path)
            what = "was damaged"
            if isinstance(error, locations.UntrustedError | locations.ForeignError):
                what = f"is not trusted ({error.strerror})"
            _report(f"{self._folder}: compiled code {what}; it is compiled again")
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Store what was compiled for a signature."""
        from numba.core.serialize import dumps

        if result.library.has_dynamic_globals:
            return
        code = dumps(result._reduce())  # type: ignore[no-untyped-call]
        path = self._path(signature, result.codegen)
        unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            if self._folder.is_file():
                _remove(self._folder)
            locations.make_private_folder(self._folder)
            locations.check_private_folder(self._folder)
            with open(unfinished, "xb", opener=locations.new_private_file) as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(unfinished, path)
        except OSError as error:
            _remove(unfinished)
            _report(f"{self._folder}: compiled code cannot be kept: {error.strerror or error}")

    def _path(self, signature: Any, codegen: Any) -> Path:
        code = self._function.__code__
        key = repr((signature, codegen.magic_tuple(), code.co_code, _digest_of(code.co_filename)))
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return self._folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.code"


def _read_checked(path: Path) -> bytes:
    """Return what a file holds after its digest. Raises OSError, ValueError."""
    with locations.open_private_file(path) as file:
        content = file.read()
    code = content[_DIGEST:]
    if hashlib.sha256(code).digest() != content[:_DIGEST]:
        raise ValueError("it does not match its checksum")
    return code


@cache
def _digest_of(source: str) -> str:
    """Return the digest of a source file: its constants and names are part of the code."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:  # code that never was in a file
        return ""


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@cache
def _report(line: str) -> None:
    """Log a line, once."""
    _log.warning("hextui: %s", line)


def _compile_publicly(function: Callable[..., Any]) -> Any:
    """Return numba's dispatcher of a kernel, with numba's own cache in our folder.

    numba reads the setting when it decorates a function: it names our folder for that moment only.
    """
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(_trusted(folders.folder_of(function.__module__)))  # type: ignore[attr-defined]
    try:
        return njit(cache=True, **_OPTIONS)(function)
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


@cache
def _trusted(folder: Path) -> Path:
    """Return a folder for numba's cache: this one, or a temporary one if it cannot be used.

    numba unpickles whatever lies there. So the folder is for the user alone, and is emptied first
    if it holds anything of another user.
    """
    try:
        locations.make_private_folder(folder)
        locations.check_private_folder(folder)
        if any(locations.is_foreign(path.lstat()) for path in folder.rglob("*")):
            shutil.rmtree(folder)
            locations.make_private_folder(folder)
        if os.access(folder, os.W_OK):
            return folder
        reason = "it cannot be written"
    except OSError as error:
        reason = error.strerror or str(error)
    _report(f"{folder}: compiled code is not kept there: {reason}")
    temporary = tempfile.mkdtemp(prefix="hextui-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return Path(temporary)
