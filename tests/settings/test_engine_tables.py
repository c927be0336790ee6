"""Engines in the settings file: read, or refused in one line, and written; all else stays."""

import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.settings.engine_config import AttachedConfig, Dialect
from hextui.settings.engine_tables import (
    configured_engines,
    read_engines,
    remove_engine,
    write_engine,
    written_engines,
)
from hextui.settings.settings_files import ConfigError, SettingError


def test_an_engine_with_everything() -> None:
    table = {
        "command": ["~/katahex", "gtp", "-model", "a b.bin"],
        "dialect": "kata",
        "folder": "~/katahex-files",
        "environment": {"OMP_NUM_THREADS": "1"},
        "start": ["kata-time_settings none"],
        "seconds": 2.5,
        "visits": 400,
        "smallest": 3,
        "largest": 13,
    }
    home = Path.home()
    assert read_engines({"engines": {"kata": table}}) == {
        "kata": AttachedConfig(
            "kata",
            (str(home / "katahex"), "gtp", "-model", "a b.bin"),
            Dialect.KATA,
            str(home / "katahex-files"),
            {"OMP_NUM_THREADS": "1"},
            ("kata-time_settings none",),
            2.5,
            400,
            3,
            13,
        )
    }


def test_little_is_enough() -> None:
    assert read_engines({}) == {}
    found = read_engines({"engines": {"wolve": {"command": ["wolve"]}, "b": {"command": ["c"]}}})
    assert list(found) == ["wolve", "b"]
    assert found["wolve"] == AttachedConfig("wolve", ("wolve",))


def engine(**settings: Any) -> dict[str, Any]:
    return {"engines": {"e": {"command": ["x"], **settings}}}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"engines": 1}, "engines: must be a table"),
        ({"engines": {"e": 1}}, "engines.e: must be a table"),
        ({"engines": {"a b": {}}}, "engines.a b: a name is letters"),
        ({"engines": {"resistance": {}}}, "is the name of one of hextui's evaluators"),
        ({"engines": {"minimax": {}}}, "is the name of one of hextui's evaluators"),
        ({"engines": {"e": {}}}, "engines.e.command: is missing"),
        (engine(comand=["x"]), "engines.e.comand: there is no such setting; choose from command"),
        (engine(command="x"), "engines.e.command: must be a list of texts"),
        (engine(command=[]), "engines.e.command: must be a list of texts"),
        (engine(command=[""]), "engines.e.command: must be a list of the program"),
        (engine(command=["a\0b"]), "engines.e.command: has a null character"),
        (engine(dialect="gtp"), "engines.e.dialect: 'gtp' is not one of htp, kata, kata-hzy"),
        (engine(folder=3), "engines.e.folder: must be a text"),
        (engine(folder=""), "engines.e.folder: must be the name of a folder"),
        (engine(environment=[]), "engines.e.environment: must be a table"),
        (engine(environment={"A": 1}), "engines.e.environment.A: must be a text"),
        (engine(environment={"A=B": "1"}), "engines.e.environment.A=B: no variable can have this"),
        (engine(environment={"": "1"}), "engines.e.environment.: no variable can have this"),
        (engine(environment={"A": "\0"}), "engines.e.environment: has a null character"),
        (engine(folder="a\0b"), "engines.e.folder: has a null character"),
        (engine(start=["name\nquit"]), "engines.e.start: 'name\\nquit' is not a command"),
        (engine(start=[" "]), "engines.e.start: ' ' is not a command"),
        (engine(seconds=0), "engines.e.seconds: must be more than 0"),
        (engine(seconds=True), "engines.e.seconds: must be a number"),
        (engine(seconds=float("nan")), "engines.e.seconds: must be more than 0"),
        (engine(visits=0), "engines.e.visits: must be a whole number from 1"),
        (engine(largest=20), "engines.e.largest: must be a whole number from 1 to 19"),
        (engine(smallest=9, largest=5), "engines.e.smallest: is greater than largest"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(document: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as error:
        read_engines(document)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


# Writing

WOLVE = {"command": ["wolve", "--quiet"], "seconds": 3}
OTHERS = """# mine
[keys]
next = [ "n",   '+' ]   # two keys

[screen]
theme = 'hextui-light'  # by day
"""
ENGINES = """
[engines.kata]   # the strong one
# with the small network
command = ["kata", "gtp"]
dialect = "kata"
folder = '~/kata'  # where it lies

[engines.htp]
command = ["hextui", "htp"]
"""
TAIL = """
[lines] # last
count = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "config.toml"


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode())
    return file


def test_the_first_engine_makes_the_file(file: Path) -> None:
    engines = write_engine(file, "wolve", WOLVE)
    assert engines["wolve"].command == ("wolve", "--quiet")
    assert file.read_text() == '[engines.wolve]\ncommand = ["wolve", "--quiet"]\nseconds = 3\n'
    assert configured_engines(file) == engines


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_all_else_stays_to_the_letter(file: Path, ends: str, mark: str) -> None:
    text = (mark + OTHERS + ENGINES + TAIL).replace("\n", ends)
    written(file, text)
    write_engine(file, "wolve", WOLVE)
    after = file.read_bytes().decode()
    added = [line for line in after.splitlines() if line not in text.splitlines()]
    assert added == ["[engines.wolve]", 'command = ["wolve", "--quiet"]', "seconds = 3"]
    assert [line for line in text.splitlines() if line not in after.splitlines()] == []
    remove_engine(file, "wolve")
    left = file.read_bytes().decode()
    assert left.split() == text.split()
    assert tomllib.loads(left.removeprefix(mark)) == tomllib.loads(text.removeprefix(mark))


def test_one_is_changed_where_it_stands(file: Path) -> None:
    written(file, OTHERS + ENGINES + TAIL)
    table = {**written_engines(file)["kata"], "seconds": 20.5}
    engines = write_engine(file, "kata", table, instead_of="kata")
    assert engines["kata"].seconds == 20.5
    assert (
        file.read_text()
        == OTHERS + ENGINES.replace("it lies\n", "it lies\nseconds = 20.5\n") + TAIL
    )
    del table["folder"]
    write_engine(file, "kata", table, instead_of="kata")
    assert "folder" not in file.read_text()
    assert "# with the small network" in file.read_text()


def test_one_gets_another_name_and_keeps_its_comments(file: Path) -> None:
    written(file, OTHERS + ENGINES + TAIL)
    table = written_engines(file)["kata"]
    engines = write_engine(file, "katahex", table, instead_of="kata")
    assert set(engines) == {"katahex", "htp"}
    assert "# with the small network" in file.read_text()
    with pytest.raises(SettingError, match=r"engines\.htp: there is an engine of this name"):
        write_engine(file, "htp", table, instead_of="katahex")
    with pytest.raises(SettingError, match="there is an engine of this name"):
        write_engine(file, "htp", table)


@pytest.mark.parametrize(
    "text",
    [
        'engines.kata.command = ["kata"]\n[screen]\ntheme = "textual-dark"\n',
        '[engines]\nkata = { command = ["kata"] }\n[screen]\ntheme = "textual-dark"\n',
        '[engines]\n[engines.kata]\ncommand = ["kata"]\n',
        '[engines.kata]\ncommand = ["kata"]\n[screen]\nzoom = "large"\n'
        '[engines.htp]\ncommand = ["h"]\n',
        '[engines."kata"]\ncommand = ["""\n[engines.wolve]\n"""]\n',
    ],
)
def test_every_way_to_write_tables_is_changed_rightly(file: Path, text: str) -> None:
    written(file, text)
    before = tomllib.loads(text)
    write_engine(file, "wolve", WOLVE)
    after = tomllib.loads(file.read_text())
    assert after == {**before, "engines": {**before["engines"], "wolve": WOLVE}}
    write_engine(file, "kata", {"command": ["other"]}, instead_of="kata")
    assert tomllib.loads(file.read_text())["engines"]["kata"] == {"command": ["other"]}
    remove_engine(file, "kata")
    remove_engine(file, "wolve")
    left = tomllib.loads(file.read_text())
    assert left.get("engines", {}) == {k: v for k, v in before["engines"].items() if k != "kata"}
    assert {k: v for k, v in left.items() if k != "engines"} == {
        k: v for k, v in before.items() if k != "engines"
    }


def test_tables_in_one_line_are_left_to_the_user(file: Path) -> None:
    text = 'engines = { kata = { command = ["kata"] } }\n'
    written(file, text)
    with pytest.raises(ConfigError, match="cannot be changed by the program"):
        write_engine(file, "wolve", WOLVE)
    assert file.read_text() == text


@given(words=st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8")), min_size=1))
def test_any_argument_is_read_back(tmp_path_factory: pytest.TempPathFactory, words) -> None:
    file = tmp_path_factory.mktemp("settings") / "config.toml"
    command = ["program", *words]
    write_engine(file, "one", {"command": command, "environment": {"A": words[0]}})
    assert written_engines(file) == {"one": {"command": command, "environment": {"A": words[0]}}}


@pytest.mark.parametrize(
    ("name", "settings", "what"),
    [
        ("2nd", WOLVE, "engines.2nd: a name is letters"),
        ("wolve", {}, "engines.wolve.command: is missing"),
        ("wolve", {**WOLVE, "seconds": 0}, "engines.wolve.seconds: must be more than 0"),
        ("wolve", {**WOLVE, "smallest": 12, "largest": 5}, "is greater than largest"),
    ],
)
def test_what_cannot_be_used_is_not_written(file: Path, name, settings, what: str) -> None:
    with pytest.raises(SettingError, match=what):
        write_engine(file, name, settings)
    assert not file.exists()


def test_a_broken_file_is_left_alone(file: Path) -> None:
    written(file, "[engines\n")
    with pytest.raises(ConfigError, match=r"config\.toml"):
        write_engine(file, "wolve", WOLVE)
    assert file.read_text() == "[engines\n"


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_links_and_permissions_stay(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text(OTHERS)
    real.chmod(0o600)
    file.parent.mkdir()
    file.symlink_to(real)
    write_engine(file, "wolve", WOLVE)
    assert file.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert real.read_text().startswith(OTHERS)
