"""Lists what users rely on, a line each: commands, options, JSON fields, the API, actions.

``tests/stable.txt`` has the lines that later versions keep; to add what is
new with a release:

    python -m tests.public_surface > tests/stable.txt
"""

import inspect
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from unittest.mock import patch

import hextui
from hextui.commands import main as run_command
from hextui.locations import cache_folder
from hextui.ui.app.main_screen import all_actions

GAME = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob];B[c3];W[b4];B[d2];W[c4];B[e1])"
OPTION = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)")
DATA = re.compile(r"[a-z]\d{1,2}|swap-\w+|[a-z]\d+-[a-z]\d+")
"""Keys of JSON objects that are no fields."""
ASKED = """
rank #5,c3 --evaluator k-paths:1 --evaluator resistance
rank #5,c3 --evaluator k-paths:1 --explain b4
rank #5,c3 --evaluator search:visits=50
rank #5,c3 --evaluator network
connections #5,c3 --color black
network #5,c3 --color black
lines #4,c3
solve #5,c3
openings 3
best-move #3,
match shortest-path resistance --size 4 --games 2
report game.sgf
info game.sgf
convert game.sgf out.json
engine list
library import game.sgf
library explore #5,c3
library games
library find RR
library player Ann
library stats
library check
today
ladder
puzzles make game.sgf -o puzzles.sgf --most 9
puzzles list puzzles.sgf
puzzles check puzzles.sgf
"""
"""Command lines that are asked for JSON, in this order, in a folder with a game."""


def printed(*words: str) -> str:
    """Return what a command prints on standard output, or why it failed."""
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors), suppress(SystemExit):
        run_command(list(words))
    return output.getvalue() or f"error: {errors.getvalue()}"


def commands() -> Iterator[str]:
    """Yield each command and subcommand with its options."""
    listed = printed("--help").partition("commands (")[2]
    waiting: list[tuple[str, ...]] = [
        (),
        *((n,) for n in re.findall(r"(?m)^  ([a-z-]+)  ", listed)),
    ]
    while waiting:
        words = waiting.pop(0)
        text = printed(*words, "--help")
        yield f"command {' '.join(words)}"
        yield from (f"option {' '.join(words)} {option}" for option in set(OPTION.findall(text)))
        inner = text.partition("positional arguments:")[2].partition("\n\n")[0]
        waiting += [(*words, name) for name in re.findall(r"(?m)^    ([a-z-]+)(?:  |$)", inner)]


def fields(value: object, path: str = "") -> Iterator[str]:
    """Yield the paths of all fields of a JSON document."""
    if isinstance(value, list):
        for inner in value:
            yield from fields(inner, f"{path}[]")
    elif isinstance(value, dict):
        for key, inner in value.items():
            name = f"{path}.*" if DATA.fullmatch(key) else f"{path}.{key}"
            yield name
            yield from fields(inner, name)


def answers() -> Iterator[str]:
    """Yield the fields of the JSON of each command."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("game.sgf").write_text(GAME)
        Path("home").mkdir()
        Path("home", "cache").symlink_to(cache_folder())  # it holds the compiled kernels
        with patch.dict(os.environ, {"HEXTUI_HOME": f"{folder}/home"}):
            for line in ASKED.strip().splitlines():
                text = printed(*line.split(), "--json")
                yield from (f"json {line} {path}" for path in fields(json.loads(text)))


def api() -> Iterator[str]:
    """Yield each public name, with its parameters if it is a function."""
    for name in hextui.__all__:
        yield f"api {name}"
        value = getattr(hextui, name)
        if inspect.isfunction(value):
            yield from (
                f"api {name} {parameter}" for parameter in inspect.signature(value).parameters
            )


def stable() -> list[str]:
    """Return the lines of what stays, sorted."""
    actions = (f"action {action.id}" for action in all_actions())
    return sorted({*commands(), *answers(), *api(), *actions})


if __name__ == "__main__":
    print("\n".join(stable()))
