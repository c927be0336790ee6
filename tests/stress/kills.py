"""Kills at any moment of whatever writes: what a second before was done is there afterwards.

    python -m tests.stress.kills --seeds FIRST:LAST [--kind=NAME]

A seed chooses a kind of work, starts it in a process of its own, kills that after a time by chance
(SIGKILL, so it can do nothing about it), and looks at what is left: nothing of it is damaged, and
the same work started again goes on to the same end as work that nobody killed.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from unittest.mock import patch

from hextui.engine.board import Board
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.library.library import Library
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.ui.app.settings import UserState
from tests.compiling import share_kernels
from tests.engine.solver.test_solution_cache import WRITER, from_disk, positions, solution
from tests.engine.test_code_cache import SCRIPT as COMPILING
from tests.library.generated import write_games
from tests.stress.seeds import run_seeds
from tests.ui.helpers import game
from tests.ui.program import Program
from tests.ui.test_program import check_kill, plays

GAMES = 1200
TABLES = ("game", "position", "edge", "visit", "total")
MATCH = ("match", "shortest-path", "k-paths:0", "--size", "3", "--games", "60", "--workers", "1")
REMEMBERING = """
import sys
from pathlib import Path
from hextui.ui.app.settings import Settings, UserState
memory = UserState(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(10**9):
    memory.keep(Settings(theme=f"theme {number}", move_numbers=bool(number % 2)))
    memory.use(Path(f"/file-{number}.sgf"))
"""
SAVING = """
import sys
from pathlib import Path
from hextui.records.writing import save
from tests.stress.kills import long_game
path = Path(sys.argv[1])
print("ready", flush=True)
for number in range(10**9):
    save(long_game(number % 50), path)
"""


def killed(
    words: Sequence[object], home: Path, seconds: float, *, ready: bool = False
) -> tuple[bool, str]:
    """Start a process and kill it after some time; returns whether it had ended, what it said."""
    child = subprocess.Popen(
        [sys.executable, *map(str, words)],
        env={**os.environ, "HEXTUI_HOME": str(home)},
        stdout=subprocess.PIPE if ready else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    if child.stdout is not None:
        assert child.stdout.readline() == "ready\n"
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    ended = child.poll() is not None
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert child.stderr is not None
    said = child.stderr.read()
    child.stderr.close()
    if child.stdout is not None:
        child.stdout.close()
    assert "Traceback" not in said, said
    return ended, said


def command(words: Sequence[object], home: Path) -> str:
    """Run a command to its end; returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "hextui", *map(str, words)],
        env={**os.environ, "HEXTUI_HOME": str(home)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


# Kinds of work


def editing(home: Path, chance: random.Random) -> None:
    """Moves are played at the screen; the next start offers them."""
    path = home / "game.sgf"
    path.write_text(write_sgf(game("c3", side=11).record))
    check_kill(home, path, chance.randrange(1 << 30))
    plays(home, path, chance.randrange(1 << 30))
    with Program(home) as program:
        program.save_recovered(b"game.sgf")
    read_record(path)


def importing(home: Path, chance: random.Random) -> None:
    """Games are imported, several times; the library is that of one import."""
    games, whole, seconds = imported()
    words = ("-m", "hextui", "library", "import", games)
    for _ in range(chance.randint(1, 3)):
        killed(words, home, chance.uniform(0.0, 1.2) * seconds)
        path = home / "data" / "library.sqlite"
        if path.exists():
            with Library(path) as library:
                assert library._one("SELECT count(*) FROM game") == library.count() <= GAMES
                integrity = library._database.execute("PRAGMA integrity_check").fetchall()
                assert integrity == [("ok",)]
                library.stats(), library.games(limit=5)
    command(words[2:], home)
    assert contents(home / "data" / "library.sqlite") == contents(whole)


def removing(home: Path, chance: random.Random) -> None:
    """Games are removed; then they are all there, or all gone."""
    _, whole, seconds = imported()
    (home / "data").mkdir(parents=True)
    path = home / "data" / "library.sqlite"
    with sqlite3.connect(whole) as source, sqlite3.connect(path) as target:
        source.backup(target)
    source.close()
    target.close()
    ids = [str(number) for number in sorted(chance.sample(range(1, GAMES), 200))]
    killed(("-m", "hextui", "library", "remove", *ids), home, chance.uniform(0, 1.5) * seconds / 2)
    with Library(path) as library:
        assert library._database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        left = library.count()
        assert left in (games_on_file(), games_on_file() - 200)
        if left == games_on_file():
            assert library.remove(list(map(int, ids))) == 200


def games_on_file() -> int:
    """How many games an import that nobody kills puts on file."""
    with Library(imported()[1]) as library:
        return library.count()


def matching(home: Path, chance: random.Random) -> None:
    """A match is played; its rows are those of one that nobody killed."""
    expected, seconds = matched()
    share_kernels(home)
    out = home / "out"
    words = ("-m", "hextui", *MATCH, "--out", out)
    for _ in range(chance.randint(1, 3)):
        killed(words, home, chance.uniform(0.2, 1.0) * seconds)
    command(words[2:], home)
    assert (out / "rows.csv").read_bytes() == expected


def compiling(home: Path, chance: random.Random) -> None:
    """Functions are compiled; afterwards they are on disk, whole, or compiled again."""
    folder = home / "kernels"
    killed(("-c", COMPILING, folder), home, chance.uniform(0.5, 4.0))
    for hits in (None, 2):
        done = subprocess.run(
            [sys.executable, "-c", COMPILING, str(folder)], capture_output=True, text=True
        )
        three, two, found = done.stdout.split()
        assert (three, two, done.stderr) == ("5", "2.0", ""), done.stderr
        assert hits is None or int(found) == hits


def solving(home: Path, chance: random.Random) -> None:
    """Solutions are kept on disk; whatever is found there is what was put there."""
    path = home / "solved.sqlite"
    killed(("-c", WRITER, path, 10**6), home, chance.uniform(0.0, 0.5), ready=True)
    with patch.dict(os.environ, HEXTUI_HOME=str(home)):  # whose key signs them
        kept = SolutionCache(path)
    for position in positions(Board(4, 4), 200, 7):
        answer = kept.get(position)
        given = from_disk(solution(position, random.Random(position.key)))
        assert answer in (None, given)
    assert kept.problem == ""
    kept.close()


def solving_a_position(home: Path, chance: random.Random) -> None:
    """The command that solves is killed; the next one says the same as one that nobody killed."""
    share_kernels(home)
    words = ("solve", "#5,a1", "--json")
    killed(("-m", "hextui", *words), home, chance.uniform(0.3, 3.0))
    found = json.loads(command(words, home))
    assert found["winner"] == solved_position()


def remembering(home: Path, chance: random.Random) -> None:
    """Settings and recent files are kept; what is there is of one moment."""
    killed(("-c", REMEMBERING, home), home, chance.uniform(0.0, 0.3), ready=True)
    memory = UserState(home)
    settings, recent = memory.settings(), memory.recent()
    assert memory.problem == ""
    newest = int(settings.theme.split()[1]) if settings.theme else 0
    assert settings.theme is None or settings.move_numbers == bool(newest % 2)
    assert not recent or newest - 1 <= int(recent[0][6:-4]) <= newest


def saving(home: Path, chance: random.Random) -> None:
    """A record is saved over and over; the file is always one of them."""
    path = home / "game.sgf"
    killed(("-c", SAVING, path), home, chance.uniform(0.0, 0.3), ready=True)
    if path.exists():
        record = read_record(path)
        assert write_sgf(record) == write_sgf(long_game(record.plies))


KINDS: dict[str, tuple[int, Callable[[Path, random.Random], None]]] = {
    "editing": (20, editing),
    "importing": (15, importing),
    "removing": (5, removing),
    "matching": (12, matching),
    "compiling": (10, compiling),
    "solving": (15, solving),
    "solving-a-position": (5, solving_a_position),
    "remembering": (9, remembering),
    "saving": (9, saving),
}
"""Each with how often it is chosen."""


# What work that nobody kills comes to


def long_game(plies: int) -> Record:
    """Return a record of so many moves, each with a comment."""
    session = game(side=11)
    for cell in range(plies):
        session.play((cell * 37 + 5) % 121)
        session.record.set_comment(session.node, f"move {cell} " * 50)
    return session.record


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="hextui-kills-")


def _place() -> Path:
    """Return a folder that is there until this process ends."""
    return Path(_folder().name)


@cache
def imported() -> tuple[Path, Path, float]:
    """Return a file of games, the library of one import, and the seconds that it took."""
    games, home = _place() / "games.jsonl", _place() / "imported"
    write_games(games, GAMES, Board(5, 5), seed=4)
    start = time.monotonic()
    command(("library", "import", games), home)
    return games, home / "data" / "library.sqlite", time.monotonic() - start


@cache
def matched() -> tuple[bytes, float]:
    """Return the rows of a match, and the seconds that it took."""
    home = _place() / "matched"
    share_kernels(home)
    start = time.monotonic()
    command((*MATCH, "--out", home / "out"), home)
    return (home / "out" / "rows.csv").read_bytes(), time.monotonic() - start


@cache
def solved_position() -> str:
    """Return who wins the position that is solved."""
    home = _place() / "solved"
    share_kernels(home)
    winner: str = json.loads(command(("solve", "#5,a1", "--json"), home))["winner"]
    return winner


def contents(path: Path) -> dict[str, list[str]]:
    """Return all rows of a library."""
    database = sqlite3.connect(path)
    found = {
        name: sorted(repr(row) for row in database.execute(f"SELECT * FROM {name}"))
        for name in TABLES
    }
    database.close()
    return found


def attack(seed: int, only: str = "") -> str | None:
    """Kill one piece of work; returns what went wrong, None if nothing did."""
    chance = random.Random(seed)
    names = list(KINDS)
    name = chance.choices(names, [KINDS[name][0] for name in names])[0]
    name = only or name
    with tempfile.TemporaryDirectory() as home:
        try:
            KINDS[name][1](Path(home), chance)
        except Exception as error:
            return f"{name}: {error!r:.1500}"
    return None


if __name__ == "__main__":
    sys.exit(run_seeds("kills", lambda seed, options: attack(seed, options.kind), KINDS))
