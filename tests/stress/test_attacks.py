"""A share of each attack; more of it with ``pytest -m slow``."""

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from hextui.settings.engine_config import AttachedConfig
from tests.engines.attached.trickster import PLAYED, START, config
from tests.processes import wait_for
from tests.stress import closes, command_lines, damaged_files, engine, kills, records, screen
from tests.stress.attached import Walk, Walker, walks
from tests.stress.screen_actions import actions
from tests.stress.seeds import failures

slow = pytest.mark.slow


# Records


@pytest.mark.parametrize(
    "chosen",
    [
        range(1000),
        *(pytest.param(range(n, n + 10_000), marks=slow) for n in range(10_000, 110_000, 10_000)),
    ],
)
def test_altered_records(chosen: range) -> None:
    assert list(failures(chosen, records.attack)) == []


def test_the_attack_finds_what_does_not_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hextui.records.codecs.sgf_syntax._name", lambda word: word.lstrip("xyz"))
    found = list(islice(failures(range(1000), records.attack), 3))
    assert found
    assert all("smallest case" in wrong for _, wrong in found)


# Command lines


@pytest.mark.parametrize("seeds", ["1:12", pytest.param("100001:101000", marks=slow)])
def test_command_lines(seeds: str) -> None:
    """In a program of its own: it forks, which a test run with threads should not."""
    command = [sys.executable, "-m", "tests.stress.command_lines", "--seeds", seeds]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "outcome",
    [
        (None, "", ""),
        (1, "", "Traceback (most recent call last):"),
        (3, "", ""),
        (0, "\x1b[2J", ""),
        (2, "", ""),
        (0, "", "what is this\n"),
    ],
)
def test_a_command_line_that_goes_wrong_is_told(outcome: tuple[int | None, str, str]) -> None:
    case = command_lines.Case(("rank", "x"))
    assert command_lines.verdict(case, command_lines.Outcome(*outcome))
    right = command_lines.Outcome(2, "", "hextui: x: no file\n")
    assert not command_lines.verdict(case, right)


# Damaged files, kills, the engine


@pytest.fixture(scope="module")
def again() -> Iterator[Callable[[], Path]]:
    with damaged_files.homes() as make:
        yield make


QUICK = {"config": 4, "memory": 4, "recovery": 4, "kept": 4, "study": 4, "library": 1}
"""Seeds of a share."""


@pytest.mark.parametrize("kind", QUICK)
def test_a_few_damaged_files(kind: str, again: Callable[[], Path]) -> None:
    attack = partial(damaged_files.attack, again=again, only=kind)
    assert list(failures(range(QUICK[kind]), attack)) == []


@slow
@pytest.mark.parametrize("kind", damaged_files.KINDS)
def test_many_damaged_files(kind: str, again: Callable[[], Path]) -> None:
    attack = partial(damaged_files.attack, again=again, only=kind)
    seeds = range(100, 110 if kind == "compiled" else 150)
    assert list(failures(seeds, attack)) == []


@pytest.mark.parametrize("kind", ["solving", "remembering", "saving"])
def test_a_kill_of_the_quick_kinds(kind: str) -> None:
    assert kills.attack(1, kind) is None


@slow
@pytest.mark.parametrize("kind", kills.KINDS)
def test_some_kills_of_each_kind(kind: str) -> None:
    assert list(failures(range(100, 106), partial(kills.attack, only=kind))) == []


@pytest.mark.parametrize("kind", ["painting", "quitting-attached"])
def test_a_close_of_the_terminal(kind: str) -> None:
    assert closes.attack(1, kind) is None


@slow
@pytest.mark.parametrize("kind", closes.KINDS)
def test_some_closes_at_each_moment(kind: str) -> None:
    assert list(failures(range(100, 125), partial(closes.attack, only=kind))) == []


@pytest.mark.parametrize("kind", engine.KINDS)
@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(1000, 1200), marks=slow)])
def test_connections_and_verdicts(kind: str, seeds: range) -> None:
    assert list(failures(seeds, partial(engine.attack, kind=kind))) == []


# The screen, and engines beside it


@pytest.mark.parametrize(
    ("seed", "count"), [(1, 20), *(pytest.param(seed, 2000, marks=slow) for seed in range(2, 6))]
)
def test_sessions(seed: int, count: int) -> None:
    problem = screen.attack(list(actions(seed, count)))[0]
    assert problem is None, problem


GAME = [START, START.play("c3"), START.play("c3").play("b2"), PLAYED]
ENGINES = [config("plain"), replace(config("htp"), name="benzene")]


def walked(engines: list[AttachedConfig], steps: int, seed: int) -> Walk:
    """Walk so many steps, and rest at the last one until every engine has answered."""
    walker = Walker(engines)
    try:
        for position in islice(walks([GAME], random.Random(seed)), steps):
            walker.rest_at(position, 1 / 30)
        last = PLAYED.play("a5")

        def answered() -> bool:
            walker.rest_at(last, 1 / 30)
            return walker.walk.answered == {engine.name for engine in engines}

        wait_for(answered)
    finally:
        walker.close()
    return walker.walk


def test_a_short_walk_with_two_engines_at_once() -> None:
    walk = walked(ENGINES, 20, 1)
    assert walk.answers >= 2
    assert not walk.wrong
    assert not walk.problems


@slow
@pytest.mark.parametrize("seed", range(3))
def test_long_walks_with_two_engines_and_one_that_crashes(seed: int, tmp_path: Path) -> None:
    crashes = replace(config("crash once", tmp_path / "been here"), name="crashing")
    assert not walked([*ENGINES, crashes], 600, seed).wrong
