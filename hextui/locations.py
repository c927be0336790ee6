"""Every path the program uses outside the files a user names, and what ``~`` means in those.

The environment variable ``HEXTUI_HOME`` moves all of them into one folder. What the program writes
there is for the user alone, whatever the umask: folders of mode 0700, files of mode 0600.

It is read back only if nobody else could have written it: file and folders belong to the user or
root, and only the owner may write to them. What others could only read is made private and used;
what they could have written is removed from the cache, renamed elsewhere. The library and the
studies stay, as their readers trust nothing in them. Installed files are exempt.

Where the user has no home, or none that can be written, what would be kept goes into a temporary
folder, which is removed in the end.
"""

import atexit
import errno
import logging
import os
import select
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from io import BufferedReader
from itertools import count
from pathlib import Path
from typing import BinaryIO

import platformdirs

from hextui.children import set_own_variable

if sys.platform != "win32":
    import fcntl
else:
    fcntl = None

_TEMPORARY_HOME = "HEXTUI_TEMPORARY_HOME"
"""The variable that names the temporary folder to our own children."""
_STARTING_SECONDS = 60.0  # no program takes so long from making a folder to locking it
_TUTORIAL = "HEXTUI_TUTORIAL"
"""The variable that names the tutorial's folder to the tutorial and its children."""
_APART = ("data", "state")


def _folder(kind: str) -> Path:
    if _TUTORIAL in os.environ and kind in _APART:
        return Path(os.environ[_TUTORIAL]) / kind
    home = os.environ.get("HEXTUI_HOME")
    if home:
        return Path(home) / kind
    folder = _users_folder(kind)
    if folder is not None and _is_usable(folder, to_write=kind != "config"):
        return folder
    return _temporary_home(folder) / kind


def _users_folder(kind: str) -> Path | None:
    """Return the folder that the system's rules give, None without a home."""
    chosen = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    home = os.environ.get("HOME", "/")
    if os.name == "posix" and not os.path.isabs(chosen) and not os.path.isabs(home):
        return None
    try:
        folder = Path(getattr(platformdirs, f"user_{kind}_path")("hextui", appauthor=False))
    except (RuntimeError, KeyError):  # the system does not know the user
        return None
    return folder if folder.is_absolute() else None


@cache  # paths are asked for often, and must not change while the program runs
def _is_usable(folder: Path, *, to_write: bool) -> bool:
    """Return whether a folder is there, or can be made where it is to be written."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            usable = not to_write or place == folder or os.access(place, os.W_OK | os.X_OK)
            return place.is_dir() and usable
    return False


def _temporary_home(instead_of: Path | None) -> Path:
    """Return the temporary folder of this process and its children, and say once what it means."""
    if _TEMPORARY_HOME not in os.environ:
        reason = f"{instead_of} cannot be made" if instead_of else "this user has no home folder"
        _report(f"{reason}: nothing is kept (HEXTUI_HOME names another folder)")
        try:
            made = new_temporary_folder(tempfile.gettempdir(), "hextui-home-")
            atexit.register(remove_temporary_home)
        except OSError:
            made = os.devnull  # nothing can be made below it
        set_own_variable(_TEMPORARY_HOME, made)
    return Path(os.environ[_TEMPORARY_HOME])


def new_temporary_folder(parent: str, prefix: str) -> str:
    """Make a folder with a name of its own, and remove those of programs that were killed.

    While this process runs, a lock shows that it is in use. Raises OSError.
    """
    oldest = time.time() - _STARTING_SECONDS
    with os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix):
                with suppress(OSError):  # it is locked, another user's, or gone
                    _remove_abandoned(entry, oldest)
    made = tempfile.mkdtemp(prefix=prefix, dir=parent)
    with suppress(OSError):  # without locks no folder is removed as abandoned
        _lock_folder(made)
    return made


def _remove_abandoned(folder: os.DirEntry[str], oldest: float) -> None:
    """Remove a folder that nothing locks, unless it is new; raises OSError if it is locked."""
    if folder.stat(follow_symlinks=False).st_mtime < oldest:
        lock = _lock_folder(folder.path)
        shutil.rmtree(folder.path, ignore_errors=True)
        os.close(lock)


def _lock_folder(folder: str) -> int:
    """Lock a folder until the file descriptor that is returned is closed; raises OSError."""
    if fcntl is None:
        raise OSError(errno.ENOLCK, "the system has no locks")
    file = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise
    return file


def remove_temporary_home() -> None:
    """Remove the temporary folder of a user without a home; done when this process ends."""
    if made := os.environ.get(_TEMPORARY_HOME):
        shutil.rmtree(made, ignore_errors=True)


def use_tutorial_folders() -> None:
    """Give this process and its children data and state apart from the user's.

    Settings and cache remain the user's. Relative paths of folders become absolute.
    """
    if home := os.environ.get("HEXTUI_HOME"):
        os.environ["HEXTUI_HOME"] = os.path.abspath(home)
    set_own_variable(_TUTORIAL, str(state_folder() / "tutorial"))


def config_file() -> Path:
    """Return the path of the user's settings, a TOML file that may not exist."""
    return _folder("config") / "config.toml"


def data_folder() -> Path:
    """Return the folder of what the user would miss: the library of games."""
    return _folder("data")


def library_file() -> Path:
    """Return the path of the user's library, which the first import makes."""
    return data_folder() / "library.sqlite"


def cache_folder() -> Path:
    """Return the folder of what can be computed again: compiled kernels, solved positions."""
    return _folder("cache")


def state_folder() -> Path:
    """Return the folder of what one run leaves to the next: recovery files, recent files, logs."""
    return _folder("state")


def reviews_file() -> Path:
    """Return the path of the user's reviews, which the first one makes."""
    return state_folder() / "reviews.sqlite"


def library_claims_file() -> Path:
    """Return the path of the claims on games of the library whose positions are being proved."""
    return library_file().with_suffix(".claims")


def review_claims_file() -> Path:
    """Return the path of the claims on games that are being reviewed."""
    return reviews_file().with_suffix(".claims")


def training_file() -> Path:
    """Return the path of the user's results with puzzles, which the first one makes."""
    return state_folder() / "training.sqlite"


def mistakes_file() -> Path:
    """Return the path of the collection of the user's mistakes, which the first one makes."""
    return data_folder() / "puzzles" / "mistakes.sgf"


def games_file() -> Path:
    """Return the path of the user's games against the program, which the first one makes."""
    return state_folder() / "games.sqlite"


def studies_folder() -> Path:
    """Return the folder of the studies that are not stored elsewhere."""
    return data_folder() / "studies"


def named_path(text: str) -> Path:
    """Return the path that a user writes; ``~`` and ``~name`` are home folders where there are any.

    >>> named_path("~nobody-of-this-name/game.sgf").name
    'game.sgf'
    """
    return Path(os.path.expanduser(text))


def open_file(path: Path) -> BufferedReader:
    """Open a file to read it, but no pipe or device, which would wait; raises OSError."""
    try:
        if is_pipe(path):  # opening and closing it would end its writer
            raise OSError(None, "it is not a file")
        file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115
    except ValueError as error:  # a null character
        raise OSError(None, str(error)) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(None, "it is not a file")
    return file


PIPE_SECONDS = 5.0
"""How long a pipe may be without a writer."""


def is_pipe(path: Path) -> bool:
    """Return whether there is a pipe of this name, as ``<(...)`` in a shell makes one."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def open_file_or_pipe(path: Path) -> BufferedReader:
    """Open what a user names to be read once: a file, or a pipe, whose writer may be slow.

    Raises OSError, also for a pipe that nothing writes to within ``PIPE_SECONDS``.
    """
    if not is_pipe(path):
        return open_file(path)
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115
    try:
        if not select.select([file], [], [], PIPE_SECONDS)[0]:
            with suppress(BlockingIOError):  # which says that there is a writer
                os.read(file.fileno(), 1)
                raise OSError(None, "nothing is written to this pipe")
        if hasattr(os, "set_blocking"):
            os.set_blocking(file.fileno(), True)
    except BaseException:
        file.close()
        raise
    return file


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _open_no_link(path: str, flags: int) -> int:
    return _open_at_once(path, flags | getattr(os, "O_NOFOLLOW", 0))


PRIVATE = 0o600
"""The mode of a new file that is for the user alone."""
_OTHERS_READ = 0o077
_OTHERS_WRITE = 0o022
_log = logging.getLogger(__name__)


class UntrustedError(OSError):
    """Others could have written a file, or to one of our folders around it."""


class ForeignError(PermissionError):
    """A file or folder in the place of ours belongs to another user."""


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, that only the user can enter.

    One of ours that others can enter is made private with all that it holds. A folder elsewhere
    stays as it is. Raises OSError, ForeignError.
    """
    if _is_ours(folder.parent) or not folder.parent.exists():
        make_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    if _is_ours(folder):
        _make_private(folder)
        _check_owner(os.stat(folder), folder)


def make_private_file(path: Path) -> None:
    """Make an empty file, or one that is there, private; raises OSError."""
    try:
        os.close(new_private_file(path, os.O_WRONLY))
    except FileExistsError:
        _make_private(path)


def new_private_file(path: os.PathLike[str] | str, flags: int) -> int:
    """Make a file that only the user can read, an ``opener`` for `open`; raises OSError."""
    return os.open(path, flags | os.O_CREAT | os.O_EXCL, PRIVATE)


def open_private_file(path: Path) -> BinaryIO:
    """Open a file, but no link, that only the user could have written; raises OSError."""
    check_private_file(path)
    file = open(path, "rb", opener=_open_no_link)  # noqa: SIM115
    try:
        # of the open file: another one may have its name by now
        status = os.fstat(file.fileno())
        _check_file(status, path)
        if hasattr(os, "fchmod") and status.st_mode & _OTHERS_READ:
            with suppress(OSError):  # root's, or on a disk that cannot be written
                os.fchmod(file.fileno(), stat.S_IMODE(status.st_mode) & 0o700)
    except BaseException:
        file.close()
        raise
    return file


def check_private_file(path: Path) -> None:
    """Check that nobody else could have written a file or its folder, without opening it.

    For databases: SQLite loses its locks if the same process closes the file elsewhere. Raises
    OSError.
    """
    check_private_folder(path.parent)
    _check_file(os.lstat(path), path)


def check_private_folder(folder: Path) -> None:
    """Check that others cannot write to a folder or ours around it; raises OSError."""
    around = [place for place in folder.parents if _is_ours(place)]
    for place in (*reversed(around), folder):
        _check_owner(os.lstat(place), place)  # that of a link too
        _check(os.stat(place), place)


def is_foreign(status: os.stat_result) -> bool:
    """Return whether a file belongs neither to the user nor to root."""
    return hasattr(os, "geteuid") and status.st_uid not in (os.geteuid(), 0)


def correct_older_folders() -> None:
    """Make our folders private, where an earlier version made them."""
    for folder in (data_folder(), cache_folder(), state_folder()):
        _make_private(folder)


def _is_ours(path: Path) -> bool:
    ours = (data_folder(), cache_folder(), state_folder())
    return any(folder == path or folder in path.parents for folder in ours)


def _check_file(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        what = "a symbolic link, not a file" if stat.S_ISLNK(status.st_mode) else "not a file"
        raise OSError(errno.EINVAL, f"it is {what}", str(path))
    _check(status, path)


def _check(status: os.stat_result, path: Path) -> None:
    _check_owner(status, path)
    if os.name == "posix" and status.st_mode & _OTHERS_WRITE:
        raise UntrustedError(errno.EPERM, "other users could have written it", str(path))


def _check_owner(status: os.stat_result, path: Path) -> None:
    if is_foreign(status):
        what = f"it belongs to another user (uid {status.st_uid})"
        raise ForeignError(errno.EPERM, what, str(path))


def _make_private(path: Path, exposed: bool = False) -> None:
    """Leave no right to anybody but the owner, in a folder for all that it holds.

    ``exposed``: others could have put it there. A file that others could have written is discarded,
    if it is in our folders and not the user's data.
    """
    if os.name != "posix":
        return
    with suppress(OSError):  # it is gone, or cannot be written
        status = os.lstat(path)
        mode = stat.S_IMODE(status.st_mode)
        link = stat.S_ISLNK(status.st_mode)
        private = link or not mode & _OTHERS_READ
        exposed = exposed or (not link and bool(mode & _OTHERS_WRITE))
        if not private or exposed:
            _close_to_others(path, status, exposed)


def _close_to_others(path: Path, status: os.stat_result, exposed: bool) -> None:
    """Take the rights of others away; discard what they could have put there."""
    mode = stat.S_IMODE(status.st_mode)
    own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    if stat.S_ISDIR(status.st_mode) and own:
        os.chmod(path, mode & 0o700)
        for child in sorted(path.iterdir()):
            _make_private(child, exposed)
    elif exposed and _is_discardable(path):
        _discard(path)
    elif stat.S_ISREG(status.st_mode) and own:  # a device is not for us alone
        os.chmod(path, mode & 0o700)


def _is_discardable(path: Path) -> bool:
    library = path.parent == data_folder() and path.name.startswith(library_file().name)
    return _is_ours(path) and not library and studies_folder() not in (path, *path.parents)


def _discard(path: Path) -> None:
    """Remove a file of the cache that others could have written; rename another one."""
    if cache_folder() in path.parents:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
        _report(f"{path.parent}: other users could have written to it; files in it were removed")
        return
    names = (path.with_name(f"{path.name}.untrusted{number or ''}") for number in count())
    aside = next(name for name in names if not os.path.lexists(name))
    os.rename(path, aside)
    _report(f"{path}: other users could have written it; it is not used, and is now {aside.name}")


@cache
def _report(line: str) -> None:
    """Log a line, once."""
    _log.warning("hextui: %s", line)
