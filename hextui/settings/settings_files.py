"""Reads settings files: TOML that a user writes, JSON that a run leaves, into frozen dataclasses.

``[screen]`` with ``zoom = "large"`` is the setting ``screen.zoom``. What is wrong is reported in
one line that names the file and the key.
"""

import enum
import json
import reprlib
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, BinaryIO, TypeVar, get_args, get_origin, get_type_hints

from hextui.locations import open_file, open_private_file
from hextui.records.record_text import printable, shorten

_LONGEST = 1 << 20  # bytes: real settings are far shorter


class ConfigError(ValueError):
    """A settings file that cannot be used; ``str()`` is one line: file, key, problem."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = shorten(" ".join(printable(what).split()), 300)
        super().__init__(f"{printable(str(path))}: {self.what}")


def read_toml(
    path: Path, parse: Callable[[str], dict[str, Any]] = tomllib.loads
) -> dict[str, Any] | None:
    """Return the document of a TOML file, None if there is no file. Raises ConfigError."""
    document: dict[str, Any] | None = _read(path, open_file, parse)
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


# Tables

LARGEST = 1 << 16
"""Numbers in settings are from 1 to this."""

Settings = TypeVar("Settings")


class SettingError(ValueError):
    """A setting that cannot be used; ``str()`` is one line: the key, then the problem."""

    def __init__(self, key: str, what: str) -> None:
        self.key = key
        super().__init__(f"{shorten(printable(key), 80)}: {what}")


def table_names(kind: type) -> frozenset[str]:
    """Return the tables of a class, whose fields have annotations ``table.name``."""
    return frozenset(key.partition(".")[0] for key in _fields(kind))


def read_tables(kind: type[Settings], document: Mapping[str, Any]) -> Settings:
    """Read a class from its tables in a document; raises SettingError."""
    tables: dict[str, Any] = {}
    known_fields = _fields(kind)
    for name in sorted(table_names(kind) & document.keys()):
        for setting, value in table(document, name).items():
            key = f"{name}.{setting}"
            if key not in known_fields:
                others = ", ".join(sorted(k for k in known_fields if k.startswith(f"{name}.")))
                raise SettingError(key, f"there is no such setting; choose from {others}")
            field, wanted = known_fields[key]
            tables[field] = read_value(wanted, key, value)
    return kind(**tables)


def document_of(settings: Any) -> dict[str, dict[str, Any]]:
    """Return the tables that `read_tables` reads, without fields that are None."""
    document: dict[str, dict[str, Any]] = {}
    for key, (field, _) in _fields(type(settings)).items():
        value = getattr(settings, field)
        if value is not None:
            name, _, setting = key.partition(".")
            written = _text_of(value) if isinstance(value, enum.Enum) else value
            document.setdefault(name, {})[setting] = written
    return document


def table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a table of a document, empty if it is missing. Raises SettingError."""
    value = document.get(name, {})
    if not isinstance(value, dict):
        raise SettingError(name, "must be a table")
    return value


def shown(value: Any) -> str:
    """Return a value for an error message: short and on one line."""
    return printable(reprlib.repr(value))


_WORDS = {
    bool: "true or false",
    int: "a whole number from 1 to {most}",
    float: "a number of seconds",
    str: "a text in quotes",
}


def read_value(wanted: Any, key: str, value: Any, most: int = LARGEST) -> Any:
    """Return the value of a key as the type that is wanted; raises SettingError.

    A type is one of `_WORDS` or an enum, a tuple of texts, one at least, or of whole numbers, or a
    mapping of texts to such values; each may be optional. ``most`` is the greatest whole number.
    """
    if get_origin(wanted) is Mapping:
        _, kind = get_args(wanted)
        entries = table({key: value}, key)
        return {name: read_value(kind, f"{key}.{name}", each) for name, each in entries.items()}
    if get_origin(wanted) is tuple:
        kind, _ = get_args(wanted)  # the second is the "..." of tuple[str, ...]
        return _read_list(kind, key, value)
    if NoneType in get_args(wanted):
        (kind,) = [each for each in get_args(wanted) if each is not NoneType]
        return read_value(kind, key, value, most)
    if issubclass(wanted, enum.Enum):
        return _read_member(wanted, key, value)
    return _read_plain(wanted, key, value, most)


def _read_list(kind: type, key: str, value: Any) -> tuple[Any, ...]:
    """Return the values of a list, which are whole numbers, or texts, of which one is needed."""
    right = isinstance(value, list) and all(type(each) is kind for each in value)
    if not right or (kind is str and not value):
        listed = "whole numbers" if kind is int else "texts in quotes, one or more"
        raise SettingError(key, f"must be a list of {listed}")
    return tuple(value)


def _read_member(kind: type[enum.Enum], key: str, value: Any) -> enum.Enum:
    """Return the member of an enum that a text stands for."""
    members = {_text_of(member): member for member in kind}
    if not isinstance(value, str) or value not in members:
        raise SettingError(key, f"{shown(value)} is not one of {', '.join(members)}")
    return members[value]


def _read_plain(kind: type, key: str, value: Any, most: int) -> Any:
    """Return a truth value, a number or a text; a whole number may stand for one of seconds."""
    right = type(value) is kind or (kind is float and type(value) is int)
    if not right or (kind is int and not 1 <= value <= most):
        raise SettingError(key, f"must be {_WORDS[kind].format(most=most)}")
    return kind(value)


def _text_of(member: enum.Enum) -> str:
    """Return what settings have for a member: its value, or the name of a number."""
    return member.value if isinstance(member.value, str) else str(member)


def _fields(kind: type) -> dict[str, tuple[str, Any]]:
    """Return the fields with a place in the file, by that, each with its type."""
    fields_by_name = {}
    for field, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            wanted, key = get_args(hint)
            fields_by_name[key] = (field, wanted)
    return fields_by_name
