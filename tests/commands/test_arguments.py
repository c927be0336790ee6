"""Arguments: whatever is written, one line and exit code 2, or something that fits."""

import argparse
from pathlib import Path
from typing import Any

import pytest

from hextui.commands import command_parser
from hextui.commands.arguments import MOST, duration, file_path, whole
from hextui.commands.command_list import COMMANDS

HOSTILE = (
    "", " ", "-", "--", "-1", "0", "1.5", "1e9", "1e400", "nan", "inf", "-inf", "Infinity",
    str(2**31), str(2**63), str(-(2**63) - 1), str(2**64), "9" * 30, "9" * 5000, "1_000", "٣",
    "0x10", "\0", "\udcff", "x" * 3000, "~nobody-of-this-name/x", "1x" + "9" * 30, "0x0", "x", "1x",
)  # fmt: skip


@pytest.fixture
def actions(monkeypatch) -> list[argparse.Action]:
    """Collects the arguments that are added to any parser or group of one."""
    found: list[argparse.Action] = []
    parser = argparse.ArgumentParser()
    groups = parser.add_argument_group(), parser.add_mutually_exclusive_group()
    kinds: list[Any] = [type(each) for each in (parser, *groups)]
    for kind in kinds:

        def add(self, *names, to=kind.add_argument, **settings):
            found.append(to(self, *names, **settings))
            return found[-1]

        monkeypatch.setattr(kind, "add_argument", add)
    return found


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_argument_type_accepts_or_refuses_hostile_words(command: str, actions) -> None:
    command_parser(command)
    assert actions
    for action in actions:
        if not callable(action.type):
            assert action.type is None
            continue
        assert action.type not in (int, float), action.option_strings
        for text in HOSTILE:
            try:
                value = action.type(text)
            except argparse.ArgumentTypeError:
                continue
            if isinstance(value, int | float):
                assert -MOST <= value <= MOST, (action.option_strings, text)


def test_whole_numbers() -> None:
    assert [whole(0)(text) for text in ("0", " +7 ", str(MOST))] == [0, 7, MOST]
    for text in (str(MOST + 1), "-1", "٣", "1_0", ""):
        with pytest.raises(argparse.ArgumentTypeError, match="a whole number, 0 or more"):
            whole(0)(text)
    with pytest.raises(argparse.ArgumentTypeError, match="1 to 9"):
        whole(1, 9)("10")


def test_durations_and_paths() -> None:
    assert duration("0.5") == 0.5
    for text in ("nan", "inf", "-1", "1e10", "x"):
        with pytest.raises(argparse.ArgumentTypeError, match="seconds"):
            duration(text)
    assert file_path("~nobody-of-this-name/x") == Path("~nobody-of-this-name/x")
    for text in ("", "a\0b"):
        with pytest.raises(argparse.ArgumentTypeError, match="not the name of a file"):
            file_path(text)


LONG = "n" * 3000
READ = (
    ("rank", "{name}"),
    ("check", "{name}"),
    ("convert", "{name}", "sgf"),
    ("library", "import", "{name}"),
    ("study", "rank-quality", "{name}"),
    ("match", "resistance", "two-distance", "--size", "2", "--openings", "{name}"),
    ("{name}",),
)
WRITTEN = (
    ("convert", "#3,a1", "{name}.sgf"),
    ("export", "#3,a1", "-o", "{name}.svg"),
    ("report", "#3,a1", "--evaluator", "resistance", "--solve", "0", "--save", "{name}.sgf"),
    ("solve", "#2,", "--method", "mustplay", "--proof", "{name}"),
    ("match", "resistance", "two-distance", "--size", "2", "--out", "{name}"),
)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        *((words, LONG) for words in (*READ, *WRITTEN)),
        *((words, "~nobody-of-this-name/x") for words in READ),
    ],
)
def test_names_that_no_file_can_have(run, words: tuple[str, ...], name: str) -> None:
    code, _, err = run(*(word.format(name=name) for word in words))
    assert code in (1, 2)
    assert [line.startswith("hextui: ") for line in err.splitlines()].count(True) == 1
    assert len(err) < 1000
