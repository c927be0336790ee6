"""Every path the program uses outside the files a user names, and what ``~`` means in those.

The environment variable ``HEXTUI_HOME`` moves all of them into one folder. What the program writes
there is for the user alone, whatever the umask says: folders of mode 0700, files of mode 0600.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

import platformdirs


def _folder(kind: str) -> Path:
    home = os.environ.get("HEXTUI_HOME")
    if home:
        return Path(home) / kind
    return Path(getattr(platformdirs, f"user_{kind}_path")("hextui", appauthor=False))


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


def named_path(text: str) -> Path:
    """Return the path that a user writes; ``~`` and ``~name`` are home folders where there are any.

    >>> named_path("~nobody-of-this-name/game.sgf").name
    'game.sgf'
    """
    return Path(os.path.expanduser(text))


PRIVATE = 0o600
"""The mode of a new file that is for the user alone."""


def make_private_folder(folder: Path) -> None:
    """Make a folder that only the user can enter.

    One of ours that others can enter, because an earlier version made it, is corrected with all
    that it holds; a folder elsewhere that is there already is the user's own, and stays as it is.
    Raises OSError.
    """
    if _is_ours(folder.parent):
        make_private_folder(folder.parent)
    else:
        folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if _is_ours(folder):
        _correct(folder)


def make_private_file(path: Path) -> None:
    """Make an empty file that only the user can read; one that is there is taken from others.

    Raises OSError.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    except FileExistsError:
        _take_from_others(path)


def correct_older_folders() -> None:
    """Take our folders from others, where an earlier version made them."""
    for folder in (data_folder(), cache_folder(), state_folder()):
        _correct(folder)


def _is_ours(path: Path) -> bool:
    ours = (data_folder(), cache_folder(), state_folder())
    return any(folder == path or folder in path.parents for folder in ours)


def _correct(folder: Path) -> None:
    """Take a folder, with all that it holds, from others, unless they cannot enter it anyway."""
    if not _take_from_others(folder):
        return
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            _take_from_others(Path(place, name))


def _take_from_others(path: Path) -> bool:
    """Leave no right to anybody but the owner; False if none had any. Links are not followed."""
    if os.name != "posix":
        return False
    with suppress(OSError):  # it is somebody else's, or gone
        mode = os.lstat(path).st_mode
        if mode & 0o077 and not stat.S_ISLNK(mode):
            os.chmod(path, stat.S_IMODE(mode) & 0o700)
            return True
    return False
