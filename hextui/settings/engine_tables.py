"""The user's engines, ``[engines.NAME]`` tables of the settings file: reads, writes, opens them.

Writing leaves all else in the file as it is, comments, order and spelling, and happens only if the
new file would read as it should.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from hextui.engine.board import MAX_SIDE
from hextui.engine.evaluators import class_of
from hextui.locations import config_file, open_file
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.settings.engine_config import AttachedConfig
from hextui.settings.settings_files import (
    ConfigError,
    SettingError,
    read_toml,
    read_value,
    shown,
    table,
)

if TYPE_CHECKING:
    pass

TABLE = "engines"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,30}", re.ASCII)
_LONGEST_SECONDS = 86_400.0
_MOST = {"visits": 10**9, "smallest": MAX_SIDE, "largest": MAX_SIDE}
_MARK = "\ufeff"  # some editors begin a file with it


def configured_engines(path: Path) -> dict[str, AttachedConfig]:
    """Return the engines of a settings file by name; none without a file. Raises ConfigError."""
    return read_engines({TABLE: written_engines(path)})


def read_engines(document: Mapping[str, Any]) -> dict[str, AttachedConfig]:
    """Return the engines of a settings document by name, in its order. Raises SettingError."""
    engines = {}
    for name, value in table(document, TABLE).items():
        try:
            engines[name] = read_engine(name, value)
        except SettingError as error:
            error.key = f"{TABLE}.{name}"  # an engine is used as a whole or not at all
            raise
    return engines


def read_engine(name: str, value: Any) -> AttachedConfig:
    """Read an engine from its table. Raises SettingError."""
    key = f"{TABLE}.{name}"
    if not _NAME.fullmatch(name):
        raise SettingError(key, "a name is letters, digits, _ . and -, beginning with a letter")
    if class_of(name) or name == "minimax":
        raise SettingError(key, "is the name of one of hextui's evaluators")
    wanted = get_type_hints(AttachedConfig)
    del wanted["name"]
    for setting in table({key: value}, key):
        if setting not in wanted:
            others = ", ".join(wanted)
            raise SettingError(
                f"{key}.{setting}", f"there is no such setting; choose from {others}"
            )
    if "command" not in value:
        raise SettingError(f"{key}.command", "is missing: the program and its arguments, a list")
    engine = AttachedConfig(
        name,
        **{
            setting: read_value(wanted[setting], f"{key}.{setting}", written, _MOST.get(setting, 0))
            for setting, written in value.items()
        },
    )
    for setting, problem in _problems(engine):
        raise SettingError(f"{key}.{setting}", problem)
    program, *arguments = engine.command
    return replace(
        engine,
        command=(os.path.expanduser(program), *arguments),  # "./x" must not become "x"
        folder=engine.folder and os.path.expanduser(engine.folder),
    )


def _problems(engine: AttachedConfig) -> Iterator[tuple[str, str]]:
    """Yield the settings of an engine that cannot be used, each with its problem."""
    yield from _problems_of_start(engine)
    if not 0 < engine.seconds <= _LONGEST_SECONDS:
        yield "seconds", f"must be more than 0 and at most {_LONGEST_SECONDS:g}"
    if engine.settled is not None and engine.settled <= 0:
        yield "settled", "must be more than 0"
    if engine.smallest > engine.largest:
        yield "smallest", "is greater than largest"


def _problems_of_start(engine: AttachedConfig) -> Iterator[tuple[str, str]]:
    """Yield those settings by which the engine is started, each with its problem."""
    texts = {
        "command": engine.command,
        "folder": [engine.folder or ""],
        "environment": engine.environment.values(),
    }
    for setting, its in texts.items():
        if "\0" in "".join(its):
            yield setting, "has a null character"
    if not engine.command[0]:
        yield "command", "must be a list of the program and its arguments"
    if engine.folder == "":
        yield "folder", "must be the name of a folder"
    for name in engine.environment:
        if not _can_name_variable(name):
            yield f"environment.{name}", "no variable can have this name"
    for line in engine.start:
        if not _is_command(line):
            yield "start", f"{shown(line)} is not a command"


def _is_command(line: str) -> bool:
    return line.strip() != "" and line.isprintable()


def _can_name_variable(name: str) -> bool:
    return name != "" and "=" not in name and "\0" not in name


def configuration(name: str) -> AttachedConfig:
    """Return the settings of the user's engine of a name; raises ValueError, in one line."""
    engines = configured_engines(config_file())
    if name not in engines:
        others = f"choose from {', '.join(engines)}" if engines else "none is configured"
        raise ValueError(f"no engine {name!r} in {config_file()}: {others}")
    return engines[name]


def written_engines(path: Path) -> dict[str, dict[str, Any]]:
    """Return the tables of engines as written, by name. Raises ConfigError."""
    try:
        engines = table(read_toml(path) or {}, TABLE)
        read_engines({TABLE: engines})
    except SettingError as error:
        raise ConfigError(path, str(error)) from None
    return engines


def write_engine(
    path: Path, name: str, settings: Mapping[str, Any], instead_of: str = ""
) -> dict[str, AttachedConfig]:
    """Write an engine's table, a new one or that of ``instead_of``; return all engines.

    Raises SettingError for unusable settings or another engine's name, ConfigError if the file
    cannot be read or written.
    """
    read_engine(name, settings)
    before = written_engines(path)
    if name != instead_of and name in before:
        raise SettingError(f"{TABLE}.{name}", "there is an engine of this name")
    after = {}
    for key, value in before.items():
        after[name if key == instead_of else key] = value
    return _save(path, {**after, name: dict(settings)}, {instead_of: name})


def remove_engine(path: Path, name: str) -> dict[str, AttachedConfig]:
    """Remove an engine's table; return the other engines. Raises ConfigError."""
    others = {key: value for key, value in written_engines(path).items() if key != name}
    return _save(path, others, {})


def _save(
    path: Path, after: Mapping[str, Mapping[str, Any]], renamed: Mapping[str, str]
) -> dict[str, AttachedConfig]:
    """Change the tables of engines, which keep their comments, to read as ``after``; save them."""
    from tomlkit.exceptions import TOMLKitError

    old = _text(path)
    mark, text = (_MARK, old[1:]) if old.startswith(_MARK) else ("", old)
    try:
        new = _changed(text, after, renamed)
        read = tomllib.loads(new)
    except (TOMLKitError, ValueError, TypeError, AttributeError) as error:
        raise ConfigError(path, f"cannot be changed by the program: {error}") from None
    if read != {**tomllib.loads(text), TABLE: after} and (after or TABLE in read):
        raise ConfigError(path, "cannot be changed by the program: edit it by hand")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(path, (mark + new).encode())
    except (OSError, RecordError) as error:
        raise ConfigError(path, f"cannot be saved: {error}") from None
    return read_engines(read)


def _changed(text: str, after: Mapping[str, Mapping[str, Any]], renamed: Mapping[str, str]) -> str:
    """Return the text of a settings file with the tables of engines changed to ``after``."""
    import tomlkit

    document = tomlkit.parse(text)
    if TABLE not in document:
        document[TABLE] = tomlkit.table(is_super_table=True)
    tables = document[TABLE]
    for old_name in [name for name in tables if name not in after]:
        kept = tables.pop(old_name)
        if old_name in renamed:
            tables[renamed[old_name]] = kept
    for name, settings in after.items():
        if name not in tables:
            tables[name] = tomlkit.table()
        _change_table(tables[name], settings)
    if not document[TABLE]:
        del document[TABLE]
    return document.as_string()


def _change_table(written: Any, settings: Mapping[str, Any]) -> None:
    """Change a table to hold these settings; those that are equal stay as they are written."""
    for key in [key for key in written if key not in settings]:
        del written[key]
    for key, value in settings.items():
        if key not in written or written[key] != value:
            written[key] = value


def _text(path: Path) -> str:
    """Return the text of the file, '' if there is none."""
    try:
        with open_file(path) as file:
            return file.read().decode()
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise ConfigError(path, f"cannot be read: {error}") from None
