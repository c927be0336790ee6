"""Settings in the tables of a document: ``[screen]`` with ``zoom = "large"`` is ``screen.zoom``."""

import enum
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from hextui.records.text import printable, shorten

LARGEST = 1 << 16
"""Numbers in settings are from 1 to this."""

Settings = TypeVar("Settings")


class SettingError(ValueError):
    """A setting that cannot be used; ``str()`` is one line: the key, then what is wrong."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{shorten(printable(key), 80)}: {what}")


@dataclass(frozen=True)
class Key:
    """Where a field of a frozen dataclass is written: ``table.name``.

    It annotates the field's type: a text, a whole number, a bool, an enum, a tuple of texts or of
    whole numbers, or a mapping of texts to one of these; each may be optional.
    """

    key: str


def table_names(kind: type) -> frozenset[str]:
    """Return the names of the tables that a class is read from."""
    return frozenset(key.partition(".")[0] for key in _fields(kind))


def read_tables(kind: type[Settings], document: Mapping[str, Any]) -> Settings:
    """Return what the tables of a document say; other tables are left alone.

    Raises SettingError.
    """
    found: dict[str, Any] = {}
    known = _fields(kind)
    for name in sorted(table_names(kind) & document.keys()):
        for setting, value in table(document, name).items():
            key = f"{name}.{setting}"
            if key not in known:
                others = ", ".join(sorted(k for k in known if k.startswith(f"{name}.")))
                raise SettingError(key, f"there is no such setting; there are {others}")
            field, read = known[key]
            found[field] = read(key, value)
    return kind(**found)


def document_of(settings: Any) -> dict[str, dict[str, Any]]:
    """Return the tables that `read_tables` reads; what is None is left out."""
    document: dict[str, dict[str, Any]] = {}
    for key, (field, _) in _fields(type(settings)).items():
        value = getattr(settings, field)
        if value is not None:
            name, _, setting = key.partition(".")
            document.setdefault(name, {})[setting] = value
    return document


def table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a table of a document, empty if it is not there. Raises SettingError."""
    value = document.get(name, {})
    if not isinstance(value, dict):
        raise SettingError(name, "is a table")
    return value


def shown(value: Any) -> str:
    """Return a value as an error may show it: short, and on one line."""
    return printable(reprlib.repr(value))


_Reader = Callable[[str, Any], Any]


def _fields(kind: type) -> dict[str, tuple[str, _Reader]]:
    """Return the fields that are settings by their keys, each with what reads its values."""
    found = {}
    for field, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            wanted, key = get_args(hint)
            found[key.key] = (field, _reader(wanted))
    return found


def _reader(wanted: Any) -> _Reader:
    inner = [each for each in get_args(wanted) if each is not NoneType]
    if get_origin(wanted) is tuple:
        return _names if inner[0] is str else _numbers
    if get_origin(wanted) is Mapping:
        return _table_of(_reader(inner[1]))
    if inner:
        return _reader(inner[0])
    if issubclass(wanted, enum.Enum):
        return _choice(wanted)
    return {bool: _truth, int: _number, str: _text}[wanted]


def _choice(kind: type[enum.Enum]) -> _Reader:
    names = [str(member.value) for member in kind]

    def read(key: str, value: Any) -> enum.Enum:
        if value not in names:
            raise SettingError(key, f"{shown(value)} is none of {', '.join(names)}")
        return kind(value)

    return read


def _table_of(read: _Reader) -> _Reader:
    def read_table(key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise SettingError(key, "is a table")
        return {name: read(f"{key}.{name}", each) for name, each in value.items()}

    return read_table


def _names(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise SettingError(key, "is a list of names")
    return tuple(value)


def _numbers(key: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(v) is int for v in value):
        raise SettingError(key, "is a list of whole numbers")
    return tuple(value)


def _number(key: str, value: Any) -> int:
    if type(value) is not int or not 1 <= value <= LARGEST:
        raise SettingError(key, f"is a whole number from 1 to {LARGEST}")
    return value


def _truth(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise SettingError(key, "is true or false")
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise SettingError(key, "is a text in quotes")
    return value
