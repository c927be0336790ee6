"""Every path the program uses outside the files a user names, and what ``~`` means in those.

The environment variable ``HEXTUI_HOME`` moves all of them into one folder.
"""

import os
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
