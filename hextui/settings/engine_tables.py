"""The user's engines: ``[engines.NAME]`` tables of the settings file."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hextui.engine.board import MAX_SIDE
from hextui.engine.evaluator_names import NAMES
from hextui.engines.attached.engine_config import AttachedConfig, Dialect
from hextui.locations import named_path
from hextui.settings.settings_files import ConfigError, read_toml
from hextui.settings.toml_tables import SettingError, shown, table

TABLE = "engines"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,30}", re.ASCII)
_METHODS = frozenset(name.partition(":")[0] for name in NAMES)
_LONGEST_SECONDS = 86_400.0
_MOST_VISITS = 10**9


def configured_engines(path: Path) -> dict[str, AttachedConfig]:
    """Return the engines of a settings file by name; none without a file. Raises ConfigError."""
    try:
        return read_engines(read_toml(path) or {})
    except SettingError as error:
        raise ConfigError(path, str(error)) from None


def read_engines(document: Mapping[str, Any]) -> dict[str, AttachedConfig]:
    """Return the engines of a settings document by name, in its order. Raises SettingError."""
    return {name: read_engine(name, value) for name, value in table(document, TABLE).items()}


def read_engine(name: str, value: Any) -> AttachedConfig:
    """Return an engine as its table is written. Raises SettingError."""
    key = f"{TABLE}.{name}"
    if not _NAME.fullmatch(name):
        raise SettingError(key, "a name is letters, digits, _ . and -, beginning with a letter")
    if name in _METHODS or name == "minimax":
        raise SettingError(key, "is the name of an evaluator of our own")
    if not isinstance(value, dict):
        raise SettingError(key, "is a table")
    for setting in value:
        if setting not in _READERS:
            raise SettingError(
                f"{key}.{setting}",
                f"there is no such setting; there are {', '.join(_READERS)}",
            )
    if "command" not in value:
        raise SettingError(f"{key}.command", "is missing: the program and its arguments, a list")
    found = {s: _READERS[s](f"{key}.{s}", written) for s, written in value.items()}
    engine = AttachedConfig(name, **found)
    if engine.smallest > engine.largest:
        raise SettingError(f"{key}.smallest", "is greater than largest")
    return engine


def _command(key: str, value: Any) -> tuple[str, ...]:
    words = _texts(key, value)
    if not words or not words[0]:
        raise SettingError(key, 'is a list: the program, then its arguments, ["wolve", "--quiet"]')
    return (os.path.expanduser(words[0]), *words[1:])  # "./x" must not become "x"


def _texts(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and "\0" not in v for v in value):
        raise SettingError(key, "is a list of texts in quotes")
    return tuple(value)


def _lines(key: str, value: Any) -> tuple[str, ...]:
    lines = _texts(key, value)
    for line in lines:
        if not line.strip() or not line.isprintable():
            raise SettingError(key, f"{shown(line)} is no command")
    return lines


def _dialect(key: str, value: Any) -> Dialect:
    if value not in list(Dialect):
        raise SettingError(key, f"{shown(value)} is none of {', '.join(Dialect)}")
    return Dialect(value)


def _folder(key: str, value: Any) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise SettingError(key, "is the name of a folder")
    return named_path(value)


def _environment(key: str, value: Any) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise SettingError(key, "is a table of names and texts")
    for name, text in value.items():
        if not isinstance(text, str) or "=" in name or "\0" in name + text or not name:
            raise SettingError(f"{key}.{name}", "is a text in quotes")
    return dict(value)


def _seconds(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SettingError(key, "is a number of seconds")
    if not 0 < value <= _LONGEST_SECONDS:
        raise SettingError(key, f"is more than 0, and {_LONGEST_SECONDS:g} at most")
    return float(value)


def _whole(most: int) -> Callable[[str, Any], int]:
    def read(key: str, value: Any) -> int:
        if type(value) is not int or not 1 <= value <= most:
            raise SettingError(key, f"is a whole number from 1 to {most}")
        return value

    return read


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "command": _command,
    "dialect": _dialect,
    "folder": _folder,
    "environment": _environment,
    "start": _lines,
    "seconds": _seconds,
    "visits": _whole(_MOST_VISITS),
    "smallest": _whole(MAX_SIDE),
    "largest": _whole(MAX_SIDE),
}
