"""Shells complete every command, option and choice that its own parser takes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hextui.commands import command_parser
from hextui.commands.command_list import COMMANDS

BASH = shutil.which("bash") or ""
COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMPREPLY=()
_shtab_hextui
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(run, tmp_path: Path):
    """What bash offers for the last of some words, in a folder with one file."""
    code, script, _ = run("completion", "bash")
    assert code == 0
    (tmp_path / "script").write_text(script)
    (tmp_path / "game.sgf").touch()

    def offered(*words: str) -> set[str]:
        line = [BASH, "-c", COMPLETE, "bash", "./script", "hextui", *words]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
        return set(done.stdout.split())

    return offered


@pytest.mark.skipif(not BASH, reason="there is no bash")
def test_bash_completes_commands_options_choices_and_files(complete) -> None:
    assert complete("so") == {"solve"}
    assert complete("solve", "--wi") == {"--winner"}
    assert {"make", "list", "check"} <= complete("puzzles", "")
    assert complete("solve", "--method", "m") == {"mustplay"}
    assert complete("check", "ga") == {"game.sgf"}
    assert complete("export", "#3,", "-o", "ga") == {"game.sgf"}
    assert complete("--sa") == {"--sample"}


def _options(command: str) -> set[str]:
    """Return the long options that the help of a command lists."""
    _, parser = command_parser(command)
    return set(re.findall(r"--[a-z][a-z-]+", parser.format_usage()))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "man"])
def test_every_command_and_option_is_there(run, shell: str) -> None:
    code, script, _ = run("completion", shell)
    assert code == 0
    plain = script.replace("\\-", "-")
    for command in COMMANDS:
        assert command in plain
        for option in _options(command):
            assert option.removeprefix("--") in plain, (command, option)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_takes_its_script(run, shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}")
    _, script, _ = run("completion", shell)
    (tmp_path / "script").write_text(script)
    subprocess.run([program, "-n", tmp_path / "script"], check=True)
