"""A share of the hostile command lines; more of them with ``pytest -m slow``."""

import subprocess
import sys

import pytest

from tests.torture.hostile_words import FITTING


def attack(first: int, last: int) -> "subprocess.CompletedProcess[str]":
    """Attack in a program of its own: it forks, which a test run with threads should not."""
    command = [sys.executable, "-m", "tests.torture.command_lines", "--seeds", f"{first}:{last}"]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_few_command_lines() -> None:
    done = attack(1, 40)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_many_command_lines() -> None:
    done = attack(100_001, 101_000)
    assert done.returncode == 0, done.stdout


def test_an_attack_that_goes_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.torture import command_lines

    case = command_lines.Case(("rank", "x"))
    outcomes = {
        None: command_lines.Outcome(None, "", ""),
        "traceback": command_lines.Outcome(1, "", "Traceback (most recent call last):"),
        "code": command_lines.Outcome(3, "", ""),
        "raw": command_lines.Outcome(0, "\x1b[2J", ""),
        "lines": command_lines.Outcome(2, "", ""),
        "unknown line": command_lines.Outcome(0, "", "what is this\n"),
    }
    for outcome in outcomes.values():
        assert command_lines.verdict(case, outcome)
    assert not command_lines.verdict(case, command_lines.Outcome(2, "", "hextui: x: no file\n"))
    assert "position" in FITTING
