"""An engine's settings as texts in fields, and back: a command as a shell would be given it."""

import shlex
from collections.abc import Mapping
from typing import Any

from hextui.engines.attached.engine_config import AttachedConfig, Dialect
from hextui.settings.engine_tables import TABLE, read_engine

WHOLE = ("visits", "smallest", "largest")
"""Settings that are whole numbers."""


def texts_of(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of an engine as its table is written; '' where nothing is.

    >>> texts_of({"command": ["a b", "c"], "environment": {"X": "1"}, "seconds": 2.5})["command"]
    "'a b' c"
    """
    environment = settings.get("environment", {})
    return {
        "command": shlex.join(settings.get("command", ())),
        "dialect": settings.get("dialect", Dialect.HTP.value),
        "folder": settings.get("folder", ""),
        "environment": shlex.join(f"{name}={text}" for name, text in environment.items()),
        "start": "\n".join(settings.get("start", ())),
        **{name: str(settings.get(name, "")) for name in ("seconds", *WHOLE)},
    }


def table_of(name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the table that fields stand for; raises ValueError, in one line, for what is wrong.

    >>> table_of("one", {"command": "'a b' c", "seconds": "2"})
    {'command': ['a b', 'c'], 'seconds': 2}
    """
    settings: dict[str, Any] = {"command": _words("command", texts.get("command", ""))}
    if not settings["command"]:
        raise ValueError("command: the program is missing")
    if texts.get("dialect", "") not in ("", Dialect.HTP):
        settings["dialect"] = texts["dialect"]
    if folder := texts.get("folder", "").strip():
        settings["folder"] = folder
    if words := _words("environment", texts.get("environment", "")):
        settings["environment"] = dict(map(_assigned, words))
    if lines := [line.strip() for line in texts.get("start", "").splitlines() if line.strip()]:
        settings["start"] = lines
    for key in ("seconds", *WHOLE):
        if text := texts.get(key, "").strip():
            settings[key] = _number(key, text)
    checked(name, settings)
    return settings


def checked(name: str, settings: Mapping[str, Any]) -> AttachedConfig:
    """Return the engine of a table; raises ValueError, in one line without the table's name."""
    try:
        return read_engine(name, settings)
    except ValueError as error:
        raise ValueError(str(error).removeprefix(f"{TABLE}.{name}").lstrip(".: ")) from None


def _words(key: str, text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{key}: {str(error).lower()}") from None


def _assigned(word: str) -> tuple[str, str]:
    name, equals, text = word.partition("=")
    if not (name and equals):
        raise ValueError(f"environment: {word} is no NAME=text")
    return name, text


def _number(key: str, text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{key}: {text} is no number") from None
