"""Writes the user's engines into the settings file, and leaves all else there as it stands.

Comments, order and spelling of the file stay. It is written only when what comes of it reads as
it should.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable

from hextui.engines.attached.engine_config import AttachedConfig
from hextui.locations import open_file
from hextui.records.errors import RecordError
from hextui.records.saving import save_bytes
from hextui.settings.engine_tables import TABLE, read_engine, read_engines
from hextui.settings.settings_files import ConfigError, read_toml
from hextui.settings.toml_tables import SettingError, table

_MARK = "\ufeff"  # some editors begin a file with it


def written_engines(path: Path) -> dict[str, dict[str, Any]]:
    """Return the tables of engines as they are written, by name. Raises ConfigError."""
    try:
        found = table(read_toml(path) or {}, TABLE)
        read_engines({TABLE: found})
    except SettingError as error:
        raise ConfigError(path, str(error)) from None
    return found


def write_engine(
    path: Path, name: str, settings: Mapping[str, Any], instead_of: str = ""
) -> dict[str, AttachedConfig]:
    """Write an engine's table, a new one or that of ``instead_of``; return all engines.

    Raises SettingError for settings that cannot be used, and for a name that another engine has;
    ConfigError if the file cannot be read or written.
    """
    read_engine(name, settings)
    before = written_engines(path)
    if name != instead_of and name in before:
        raise SettingError(f"{TABLE}.{name}", "there is an engine of this name")
    after = {(name if key == instead_of else key): value for key, value in before.items()}
    after[name] = dict(settings)
    return _change(path, after, lambda tables: _put(tables, name, settings, instead_of))


def remove_engine(path: Path, name: str) -> dict[str, AttachedConfig]:
    """Take an engine's table away; return the engines that are left. Raises ConfigError."""
    after = {key: value for key, value in written_engines(path).items() if key != name}
    return _change(path, after, lambda tables: tables.pop(name, None))


def _put(tables: AbstractTable, name: str, settings: Mapping[str, Any], instead_of: str) -> None:
    """Put settings into a table, beside what comments stand there."""
    kept = tables.pop(instead_of, None) if instead_of != name else tables.get(name)
    own = kept if kept is not None else tomlkit.table()
    for key in [key for key in own if key not in settings]:
        del own[key]
    for key, value in settings.items():
        if key not in own or own[key] != value:
            own[key] = value
    if name not in tables:
        tables[name] = own


def _change(
    path: Path, after: dict[str, Any], change: Callable[[AbstractTable], object]
) -> dict[str, AttachedConfig]:
    """Change the tables of engines so that they read as ``after``, and save the file."""
    old = _text(path)
    mark, text = (_MARK, old[1:]) if old.startswith(_MARK) else ("", old)
    try:
        document = tomlkit.parse(text)
        if TABLE not in document:
            document[TABLE] = tomlkit.table(is_super_table=True)
        change(document[TABLE])
        if not document[TABLE]:
            del document[TABLE]
        new = document.as_string()
        read = tomllib.loads(new)
    except (TOMLKitError, ValueError, TypeError, AttributeError) as error:
        raise ConfigError(path, f"cannot be changed by the program: {error}") from None
    if read != {**tomllib.loads(text), TABLE: after} and (after or TABLE in read):
        raise ConfigError(path, "cannot be changed by the program: edit it by hand")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_bytes(path, (mark + new).encode())
    except (OSError, RecordError) as error:
        raise ConfigError(path, f"cannot be saved: {error}") from None
    return read_engines(read)


def _text(path: Path) -> str:
    """Return the file as it is written, '' if there is none."""
    try:
        with open_file(path) as file:
            return file.read().decode()
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise ConfigError(path, f"cannot be read: {error}") from None
