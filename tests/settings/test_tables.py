"""Settings of any owner, read from the tables of a document."""

import enum
import json
import os
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from hextui.settings.settings_files import (
    ConfigError,
    SettingError,
    document_of,
    read_json,
    read_tables,
    read_toml,
    table_names,
)


class Speed(enum.StrEnum):
    SLOW = "slow"
    FAST = "fast"


@dataclass(frozen=True)
class Owned:
    name: Annotated[str, "car.name"] = "a name"
    speed: Annotated[Speed, "car.top-speed"] = Speed.SLOW
    wheels: Annotated[int | None, "car.wheels"] = None
    loud: Annotated[bool | None, "sound.loud"] = None
    tunes: Annotated[tuple[str, ...], "sound.tunes"] = ()
    hours: Annotated[tuple[int, ...] | None, "sound.hours"] = None
    derived: int = 7


ALL: dict[str, Any] = {
    "car": {"name": "x", "top-speed": "fast", "wheels": 4},
    "sound": {"loud": False, "tunes": ["a", "b"], "hours": [1, 0]},
}


def test_defaults_are_the_owners() -> None:
    assert read_tables(Owned, {}) == Owned()
    assert read_tables(Owned, {"other": 1}) == Owned()
    assert table_names(Owned) == {"car", "sound"}


def test_every_kind_is_read_and_written() -> None:
    read = read_tables(Owned, ALL)
    assert read == Owned("x", Speed.FAST, 4, False, ("a", "b"), (1, 0))
    assert read_tables(Owned, json.loads(json.dumps(document_of(read)))) == read
    assert document_of(Owned()) == {
        "car": {"name": "a name", "top-speed": "slow"},
        "sound": {"tunes": ()},
    }


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        ("car", "name", 1),
        ("car", "top-speed", "faster"),
        ("car", "top-speed", {}),
        ("car", "wheels", True),
        ("car", "wheels", 0),
        ("car", "wheels", 2**70),
        ("car", "wheels", "4"),
        ("sound", "loud", 1),
        ("sound", "tunes", []),
        ("sound", "tunes", ["a", 1]),
        ("sound", "hours", [True]),
        ("sound", "hours", 5),
        ("car", "doors", 4),
        ("car", "two\nlines\x1b", 4),
    ],
)
def test_an_error_names_the_key_in_one_short_line(table: str, name: str, value: Any) -> None:
    with pytest.raises(SettingError) as caught:
        read_tables(Owned, {table: {name: value}})
    line = str(caught.value)
    assert line.startswith(
        f"{table}.{name}: " if name.isascii() and "\n" not in name else "car.two"
    )
    assert line.isprintable()
    assert len(line) < 300


def test_a_value_that_is_nested_too_deeply_to_be_shown() -> None:
    value: Any = "x"
    for _ in range(DEEP):
        value = {"a": value}
    with pytest.raises(SettingError, match=r"car\.top-speed: .* is not one of slow, fast"):
        read_tables(Owned, {"car": {"top-speed": value}})


@pytest.mark.parametrize("value", [1, [], None, "x"])
def test_a_table_is_a_table(value: Any) -> None:
    with pytest.raises(SettingError, match="car: must be a table"):
        read_tables(Owned, {"car": value})


DEEP = 100_000


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_toml, "a = " + "[" * DEEP + "]" * DEEP),
        (read_toml, "a = " + "{b=" * DEEP + "1" + "}" * DEEP),
        (read_toml, "a = " + "9" * DEEP),
        (read_toml, "a = 1\na = 2"),
        (read_json, "[" * DEEP + "]" * DEEP),
        (read_json, '{"a":' * DEEP + "1" + "}" * DEEP),
        (read_json, "9" * DEEP),
        (read_json, " " * (1 << 21)),
        (read_json, ""),
    ],
    ids=[f"text{number}" for number in range(9)],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, read, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read(path)
    line = str(caught.value)
    assert line.startswith(f"{path}: ")
    assert line.isprintable()
    assert len(line) < 400


@pytest.mark.parametrize("read", [read_toml, read_json])
def test_what_is_no_file_is_not_read(tmp_path, read) -> None:
    assert read(tmp_path / "missing") is None
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/zero")
    for name in ("pipe", "null", "."):
        with pytest.raises(ConfigError, match=r"not a file|directory"):
            read(tmp_path / name)
