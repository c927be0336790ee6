"""The user's settings file, a TOML file; a problem is one line that names the key."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from textual.binding import Keymap
from textual.color import Color, ColorParseError
from textual.keys import KEY_NAME_REPLACEMENTS, Keys
from textual.theme import BUILTIN_THEMES, Theme

from hextui.engine.evaluators import evaluator
from hextui.engine.search.lines import split_literal
from hextui.settings.engine_config import AttachedConfig, engine_in
from hextui.settings.engine_tables import TABLE, read_engines
from hextui.settings.settings_files import (
    ConfigError,
    SettingError,
    read_tables,
    read_toml,
    shown,
    table,
    table_names,
)
from hextui.text import Names
from hextui.train.play_settings import PlaySettings
from hextui.ui.app import keys
from hextui.ui.app.main_screen import all_actions
from hextui.ui.app.settings import Settings
from hextui.ui.drawing.palette import THEMES
from hextui.ui.panels.all_panels import PANEL_IDS

_COLORS = (
    *("primary", "secondary", "accent", "foreground", "background"),
    *("surface", "panel", "success", "warning", "error"),
)
_NEW_NAMES = {
    "two-boards": "activity-compare",
    "next-overlay": "overlays",
    "previous-overlay": "last-overlay",
}
_MOST_PROBLEMS = 20  # lines that cannot be parsed: one with more is no settings file
_KEY_NAMES = {key.value for key in Keys} | set(KEY_NAME_REPLACEMENTS.values())


@dataclass(frozen=True)
class Config:
    """What the file says.

    ``changes`` has a line for each action that was renamed, ``problems`` for what was left out.
    """

    keymap: Keymap = field(default_factory=dict)
    themes: tuple[Theme, ...] = ()
    settings: Settings = field(default_factory=Settings)
    changes: tuple[str, ...] = ()
    engines: Mapping[str, AttachedConfig] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def load(path: Path) -> Config:
    """Read the settings file; what is missing or cannot be used is as it comes."""
    problems: list[str] = []

    def parse(text: str) -> dict[str, Any]:
        while True:
            try:
                return tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                rest = _without_line(text, str(error))
                if rest == text or len(problems) == _MOST_PROBLEMS:
                    raise
                problems.append(ConfigError(path, str(error)).what)
                text = rest

    config = None
    try:
        document = read_toml(path, parse) or {}
        while config is None:
            try:
                config = _config(document)
            except SettingError as error:
                problems.append(ConfigError(path, str(error)).what)
                _leave_out(document, error.key)
    except ConfigError as error:
        problems.append(error.what)
    return replace(config or Config(), problems=tuple(problems))


def _without_line(text: str, error: str) -> str:
    """Return a document without the line that an error names; without the table that it begins."""
    place = re.search(r"at line (\d+)", error)
    if place is None:
        return text
    lines = text.split("\n")
    first = int(place[1]) - 1
    last = first + 1
    if lines[first].startswith("["):
        heads = (n for n in range(last, len(lines)) if lines[n].startswith("["))
        last = next(heads, len(lines))
    lines[first:last] = [""] * (last - first)
    return "\n".join(lines)


def _leave_out(document: dict[str, Any], key: str) -> None:
    """Remove a setting from a document, or the table in which it is missing."""
    name = max((name for name in document if f"{key}.".startswith(f"{name}.")), key=len)
    inner = document[name]
    rest = key[len(name) + 1 :]
    if isinstance(inner, dict) and any(f"{rest}.".startswith(f"{each}.") for each in inner):
        _leave_out(inner, rest)
    else:
        del document[name]


def _config(document: Mapping[str, Any]) -> Config:
    _check_tables(document)
    own = tuple(_theme(name, value) for name, value in table(document, "themes").items())
    settings = read_tables(Settings, document)
    _check_theme(settings.theme, own)
    engines = read_engines(document)
    _check_evaluators("analysis.evaluators", settings.evaluators or (), engines)
    _check_line_evaluators(settings, engines)
    settings.lines()
    try:
        PlaySettings.read(settings.play or {})
    except ValueError as error:
        raise SettingError("train.play", str(error)) from None
    if settings.panel not in (None, *PANEL_IDS):
        panels = ", ".join(PANEL_IDS)
        raise SettingError("screen.panel", f"{shown(settings.panel)} is not one of {panels}")
    written = table(document, "keys")
    names = settings.players or Names.RED_BLUE
    return Config(
        keymap=_keymap(written, names),
        themes=own,
        settings=settings,
        changes=tuple(
            f"The action {name} is now called {_NEW_NAMES[name]}"
            for name in written
            if name in _NEW_NAMES
        ),
        engines=engines,
    )


def _check_tables(document: Mapping[str, Any]) -> None:
    """Raise SettingError if a document has a table that does not exist."""
    tables = {*table_names(Settings), "keys", "themes", TABLE}
    for name in document:
        if name not in tables:
            listed = ", ".join(sorted(tables))
            raise SettingError(name, f"there is no such table; choose from {listed}")


def _check_theme(name: str | None, own: tuple[Theme, ...]) -> None:
    """Raise SettingError if there is no theme of this name; ``own`` are the user's."""
    themes = {*BUILTIN_THEMES, *(theme.name for theme in (*THEMES, *own))}
    if name is not None and name not in themes:
        listed = ", ".join(sorted(themes))
        raise SettingError("screen.theme", f"{shown(name)} is not one of {listed}")


def _keymap(written: dict[str, Any], names: Names) -> Keymap:
    """Return the keys of actions; a SettingError names the action as the file does."""
    actions = all_actions(names)
    ids = {action.id for action in actions}
    keymap = {}
    written_names = {}  # by the names that actions have now
    for written_name, value in written.items():
        name = _NEW_NAMES.get(written_name, written_name)
        if name not in ids:
            raise SettingError(f"keys.{written_name}", "unknown action; press ? for the list")
        if name in keymap:
            raise SettingError(
                f"keys.{written_name}", f"is the former name of {name}, which is there too"
            )
        keymap[name] = _keys(f"keys.{written_name}", value)
        written_names[name] = written_name
    for problem in keys.problems(keymap, actions):
        last = [name for name in keymap if name in problem.split()][-1]
        raise SettingError(f"keys.{written_names[last]}", problem)
    return keymap


def _keys(setting: str, value: Any) -> str:
    """Return the keys of an action with commas between, by the names that Textual has for them."""
    words = value if isinstance(value, list) else [value]
    if not words or not all(isinstance(word, str) and word for word in words):
        raise SettingError(setting, "must be a key or a list of keys")
    return ",".join(_key(setting, word) for word in words)


def _key(setting: str, text: str) -> str:
    """Return the name that Textual has for a key, with its modifiers."""
    modifiers, plus, last = text.rpartition("+") if len(text) > 1 else ("", "", text)
    if len(last) == 1 and not last.isalnum():
        last = unicodedata.name(last, last).lower().replace("-", "_").replace(" ", "_")
        last = KEY_NAME_REPLACEMENTS.get(last, last)
    exists = len(last) == 1 or last in _KEY_NAMES or _is_character(last)
    if not exists or not set(modifiers.split("+")) <= {"", "ctrl", "shift", "alt"}:
        raise SettingError(setting, f"there is no key {shown(text)}")
    return f"{modifiers}{plus}{last}"


def _is_character(name: str) -> bool:
    try:
        unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return False
    return True


def _theme(name: str, value: Any) -> Theme:
    key = f"themes.{name}"
    if not isinstance(value, dict):
        raise SettingError(key, "must be a table")
    for part, color in value.items():
        if part == "dark":
            if not isinstance(color, bool):
                raise SettingError(f"{key}.dark", "must be true or false")
        elif part not in _COLORS:
            raise SettingError(f"{key}.{part}", f"is not one of dark, {', '.join(_COLORS)}")
        elif not _is_color(color):
            raise SettingError(f"{key}.{part}", f"{shown(color)} is not a colour")
    if "primary" not in value:
        raise SettingError(f"{key}.primary", "is missing")
    return Theme(name=name, **value)


def _is_color(value: Any) -> bool:
    try:
        Color.parse(value)
    except (ColorParseError, TypeError, AttributeError):
        return False
    return True


def _check_line_evaluators(settings: Settings, engines: Mapping[str, AttachedConfig]) -> None:
    chosen = {"lines.evaluator": settings.lines_by, "lines.minimax": settings.minimax_by}
    for setting, name in chosen.items():
        if name:
            _check_evaluators(setting, (split_literal(name)[0],), engines)


def _check_evaluators(
    setting: str, names: tuple[str, ...], engines: Mapping[str, AttachedConfig]
) -> None:
    """Make each evaluator once; that imports the engine, so it is done only if names are given."""
    for name in names:
        attached = engine_in(name)
        if attached is not None:
            if attached not in engines:
                raise SettingError(setting, f"there is no table [{TABLE}.{attached}]")
            continue

        try:
            evaluator(name)
        except ValueError as error:
            raise SettingError(setting, str(error)) from None
