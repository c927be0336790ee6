"""The files that settings are read from: TOML that a user writes, JSON that a run leaves."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from hextui.locations import open_file, open_private_file
from hextui.records.text import printable, shorten

_LONGEST = 1 << 20  # bytes: what a person writes, and what we keep, is far shorter


class ConfigError(ValueError):
    """A settings file that cannot be used; ``str()`` is one line: file, key, what is wrong."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = shorten(" ".join(printable(what).split()), 300)
        super().__init__(f"{printable(str(path))}: {self.what}")


def read_toml(path: Path) -> dict[str, Any] | None:
    """Return the document of a TOML file, None if there is no file. Raises ConfigError."""
    document: dict[str, Any] | None = _read(path, open_file, tomllib.loads)
    return document


def read_json(path: Path) -> Any:
    """Return the document of a JSON file of ours, None if there is no file. Raises ConfigError."""
    return _read(path, open_private_file, json.loads)


def _read(path: Path, opened: Callable[[Path], BinaryIO], parse: Callable[[str], Any]) -> Any:
    try:
        with opened(path) as file:
            data = file.read(_LONGEST + 1)
        if len(data) > _LONGEST:
            raise ConfigError(path, f"cannot be read: it has more than {_LONGEST} bytes")
        return parse(data.decode("utf-8-sig"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(path, f"cannot be read: {error.strerror or error}") from None
    except RecursionError:
        raise ConfigError(path, "is nested too deeply") from None
    except ValueError as error:  # not in its language, or not UTF-8
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(path, str(error)) from None
