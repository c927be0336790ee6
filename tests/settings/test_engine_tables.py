"""Engines in the settings file: what is read, and one line for what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from hextui.engines.engine_config import AttachedConfig, Dialect
from hextui.settings.engine_tables import read_engines
from hextui.settings.settings_files import SettingError


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
            home / "katahex-files",
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
        (engine(comand=["x"]), "engines.e.comand: there is no such setting; there are command"),
        (engine(command="x"), "engines.e.command: must be a list of texts"),
        (engine(command=[]), "engines.e.command: must be a list of the program"),
        (engine(command=[""]), "engines.e.command: must be a list of the program"),
        (engine(command=["a\0b"]), "engines.e.command: must be a list of texts"),
        (engine(dialect="gtp"), "engines.e.dialect: 'gtp' is not one of htp, kata, kata-hzy"),
        (engine(folder=3), "engines.e.folder: must be the name of a folder"),
        (engine(environment=[]), "engines.e.environment: must be a table"),
        (engine(environment={"A": 1}), "engines.e.environment.A: must be a text"),
        (engine(environment={"A=B": "1"}), "engines.e.environment.A=B: must be a text"),
        (engine(start=["name\nquit"]), "engines.e.start: 'name\\nquit' is no command"),
        (engine(start=[" "]), "engines.e.start: ' ' is no command"),
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
