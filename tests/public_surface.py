"""Lists what users rely on, a line each: commands, options, JSON fields, actions and their keys.

To compare two versions, run it in the checkout of each and compare what it prints:

    python -m tests.public_surface > after.txt
    diff before.txt after.txt
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hextui.locations import cache_folder
from hextui.ui.app.main_screen import all_actions

GAME = "(;FF[4]GM[11]SZ[5];B[c3];W[b4];B[d2];W[c4];B[e1])"
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
library stats
library check
puzzles make game.sgf -o puzzles.sgf --most 9
puzzles list puzzles.sgf
puzzles check puzzles.sgf
"""
"""Command lines that are asked for JSON, in this order, in a folder with a game."""


def printed(*words: str, folder: str | None = None) -> str:
    """Return what a command prints on standard output, or why it failed."""
    command = [sys.executable, "-P", "-m", "hextui", *words]
    paths = {"PYTHONPATH": str(Path(__file__).parents[1]), "HEXTUI_HOME": f"{folder or ''}/home"}
    environment = {**os.environ, **paths}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
    return done.stdout or f"error: {done.stderr}"


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
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "game.sgf").write_text(GAME)
        Path(folder, "home").mkdir()
        Path(folder, "home", "cache").symlink_to(cache_folder())  # it holds the compiled kernels
        for line in ASKED.strip().splitlines():
            text = printed(*line.split(), "--json", folder=folder)
            try:
                yield from (f"json {line} {path}" for path in fields(json.loads(text)))
            except json.JSONDecodeError:
                yield f"json {line}: {text[:200]!r}"


def main() -> None:
    """Print all lines, sorted."""
    actions = (f"action {one.id} {one.keys} {one.mode or ''}" for one in all_actions())
    print("\n".join(sorted({*commands(), *answers(), *actions})))


if __name__ == "__main__":
    main()
