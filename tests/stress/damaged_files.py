"""Damaged files of every kind that the program keeps: none ends it, none is lost without a word.

    python -m tests.stress.damaged_files --seeds FIRST:LAST [--kind=NAME]

A seed chooses a file, damages it, and has the program use it. What the program may do: go on, or
say in one line what is wrong. What it may not do: end with a traceback, hang, send the damage to
the terminal, answer wrongly, or take from the user what cannot be computed again.
"""

import contextlib
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from hextui import commands, locations
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import SolverSettings
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.runs.results import FinishedTask, RunError, RunFolder
from hextui.ui.app.config import load
from hextui.ui.app.settings import Settings, UserState
from hextui.ui.safety import recovery
from tests.library.generated import write_games
from tests.stress.seeds import run_seeds
from tests.ui.helpers import game
from tests.ui.program import Program

COMPILED = locations.cache_folder() / "kernels"
"""Where the code lies that this process uses."""
PATIENCE = 300  # seconds after which the program is taken for hung
CONFIG = """
[keys]
play = ["enter", "="]
[screen]
zoom = "compact"
move-numbers = true
[solver]
seconds = 5
[lines]
widths = [5, 3, 0]
[themes.mine]
primary = "#5b9ee0"
"""


# What can happen to a file. Each takes the file and chance, and says what it did.


def cut(path: Path, chance: random.Random) -> str:
    size = chance.randrange(max(path.stat().st_size, 1))
    os.truncate(path, size)
    return f"cut after {size} bytes"


def emptied(path: Path, chance: random.Random) -> str:
    os.truncate(path, 0)
    return "emptied"


def flipped(path: Path, chance: random.Random) -> str:
    data = bytearray(path.read_bytes())
    count = chance.choice((1, 1, 3, 30)) if data else 0
    places = sorted(chance.randrange(len(data)) for _ in range(count))
    for at in places:
        data[at] ^= chance.randrange(1, 256)
    path.write_bytes(bytes(data))
    return f"bytes changed at {places}"


def zeroed(path: Path, chance: random.Random) -> str:
    data = bytearray(path.read_bytes())
    at = chance.randrange(max(len(data), 1))
    end = min(len(data), at + chance.choice((16, 512, 4096)))
    data[at:end] = bytes(end - at)
    path.write_bytes(bytes(data))
    return f"zeros from {at} to {end}"


def swapped(path: Path, chance: random.Random) -> str:
    data = path.read_bytes()
    size = chance.choice((8, 64, 512, 4096))
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    chance.shuffle(blocks)
    path.write_bytes(b"".join(blocks))
    return f"blocks of {size} bytes shuffled"


def randomised(path: Path, chance: random.Random) -> str:
    path.write_bytes(chance.randbytes(chance.choice((1, 100, 10_000))))
    return "random bytes"


def longer(path: Path, chance: random.Random) -> str:
    with open(path, "ab") as file:
        file.write(chance.randbytes(chance.choice((1, 100, 10_000))))
    return "random bytes at the end"


def deep(path: Path, chance: random.Random) -> str:
    depth = chance.choice((100, 1000, 100_000))
    text = chance.choice(("[{0}]{1}", "a = {0}{1}", '{{"sgf": {0}{1}}}', "{0}"))
    path.write_text(text.format("[" * depth, "]" * depth))
    return f"nested {depth} deep"


def huge_number(path: Path, chance: random.Random) -> str:
    text = path.read_bytes().decode("utf-8", "replace")
    digits = [at for at, character in enumerate(text) if character.isdigit()]
    at = chance.choice(digits or [0])
    path.write_text(
        text[:at] + chance.choice(("9" * 30, "9" * 5000, "-1", "1e999", "NaN")) + text[at + 1 :]
    )
    return f"a number changed at {at}"


def folder(path: Path, chance: random.Random) -> str:
    path.unlink()
    path.mkdir()
    if chance.random() < 0.5:
        (path / "inside").write_text("")
    return "a folder in its place"


def pipe(path: Path, chance: random.Random) -> str:
    path.unlink()
    os.mkfifo(path)
    return "a pipe in its place"


def link(path: Path, chance: random.Random) -> str:
    path.unlink()
    target = chance.choice((path, path.parent, path.parent / "nowhere", "/dev/null", "/dev/zero"))
    path.symlink_to(target)
    return f"a link to {target} in its place"


def locked(path: Path, chance: random.Random) -> str:
    path.chmod(chance.choice((0o000, 0o200, 0o400)))
    return "without rights"


def gone(path: Path, chance: random.Random) -> str:
    path.unlink()
    return "gone"


DAMAGES = [cut, emptied, flipped, flipped, flipped, zeroed, swapped, randomised, longer, deep,
           huge_number, folder, pipe, link, locked, gone]  # fmt: skip


# How the program is tried with what it keeps.


def one_line(text: str, what: str) -> None:
    if not text or len(text) > 1000 or not text.isprintable():
        raise AssertionError(f"{what} is not one line: {text[:300]!r}")


def use_config(home: Path) -> None:
    for problem in load(locations.config_file()).problems:
        one_line(problem, "the problem")


def use_memory(home: Path) -> None:
    for _ in range(2):
        memory = UserState(locations.state_folder())
        for look in (memory.settings, memory.recent):
            look()
            if memory.problem:
                one_line(memory.problem, "the problem")
        memory.keep(Settings(theme="x"))
        memory.use(Path("/b.sgf"))


def use_recovery(home: Path) -> None:
    place = locations.state_folder() / "recovery"
    before = len(list(place.iterdir()))
    found, aside = recovery.find_left_behind(place)
    for path, rescue in found:
        rescue.session()
        recovery.Keeper(place).take(path)
    if len(list(place.iterdir())) != before:
        raise AssertionError(f"{before} files, then {found} and {aside}")


def use_kept(home: Path) -> None:
    expected = solved()
    for _ in range(2):
        kept = SolutionCache()
        for position, solution in expected.items():
            found = kept.get(position)
            if found is not None and (found.winner, found.line) != (solution.winner, solution.line):
                raise AssertionError("a wrong answer")
            kept.put(solution)
        if kept.problem:
            one_line(kept.problem, "the problem")
        kept.close()


REPORT = ["report", "#4,a2b3c1", "--evaluator", "shortest-path", "--solve", "0", "--json"]


def use_reviews(home: Path) -> None:
    """Report twice: the report does not depend on what the store can still tell."""
    for _ in range(2):
        command(REPORT)


def use_library(home: Path) -> None:
    wanted = home.parent / "more.jsonl"
    for words in (
        ["stats", "--json"],
        ["games", "--json", "--limit", "50"],
        ["games", "--through", "#5,a1"],
        ["explore", "#5"],
        ["explore", "#5,e5", "--json"],
        ["import", str(wanted)],
        ["remove", "3", "4"],
        ["settle", "--nodes", "1"],
        ["stats"],
    ):
        command(["library", *words])


def command(words: list[str]) -> None:
    """Run a command; a code it may return, and one line if it failed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = commands.main(words)
    said = err.getvalue()
    lines = said.splitlines()
    if code not in (0, 1, 2) or (code and not lines):
        raise AssertionError(f"{words} ended with {code} and {said[:300]!r}")
    for line in lines:
        one_line(line.replace("\r", ""), f"what {words} said")
    if code and len(lines) > 1 and "left out" not in said:
        raise AssertionError(f"{words} said {len(lines)} lines: {said[:500]!r}")


def use_study(home: Path) -> None:
    for path in (locations.data_folder() / "studies").iterdir():
        study = RunFolder(path)
        for look in (
            lambda study=study: study.begin(STUDY, {"note": "x"}, trusted=True),
            lambda study=study: study.finish({}) if not study.done else study.rows(),
            lambda study=study: list(study.journal().new_tasks()),
        ):
            try:
                look()
            except RunError as error:
                one_line(str(error), "the complaint")


def use_compiled(home: Path) -> None:
    """Rank with damaged code: the answer is that of whole code, and the next run finds it whole."""
    for damaged in (True, False):
        done = subprocess.run(RANK, capture_output=True, text=True, timeout=PATIENCE)
        said = [line for line in done.stderr.splitlines() if "compiling for the first" not in line]
        if done.returncode or json.loads(done.stdout) != json.loads(ranked()) or len(said) > 2:
            raise AssertionError(f"ended with {done.returncode} and {done.stderr[-500:]!r}")
        for line in said:
            one_line(line, "what it said")
        if said and not damaged:
            raise AssertionError(f"not healed: {said}")


@cache
def ranked() -> str:
    """Return what the whole code answers."""
    return subprocess.run(RANK, capture_output=True, text=True, check=True).stdout


def use_program(home: Path) -> None:
    """Start the whole program and leave it: with 0, or with one line on what is wrong."""
    with Program(home, columns=100, rows=30) as program:
        first = time.monotonic()
        while b" to move" not in program.output and program.read(0.05):
            if time.monotonic() - first > PATIENCE:
                raise AssertionError(f"no screen: {program.output[-500:]!r}")
        if b" to move" in program.output:
            shown = program.output
            for keys in (b"\x1b", b"\x1b", b"q"):
                time.sleep(0.3)
                program.keys(keys)
                program.read(0.05)
            code = program.wait()
            if code or b"Traceback" in program.output or b"crashed" in program.output:
                raise AssertionError(f"ended with {code}: {program.output[len(shown) :][-700:]!r}")
        else:
            code = program.wait()
            said = program.output.decode("utf-8", "replace").strip()
            one_line(said, "what it said")
            if code != 2 or not said.startswith("hextui: "):
                raise AssertionError(f"ended with {code}: {said!r}")
    if list(locations.state_folder().glob("crash-*")):
        raise AssertionError("a crash was logged")


KINDS: dict[str, tuple[int, tuple[str, ...], Callable[[Path], None]]] = {
    "config": (40, ("config/config.toml",), use_config),
    "memory": (40, ("state/*.json",), use_memory),
    "recovery": (60, ("state/recovery/*.json",), use_recovery),
    "kept": (60, ("cache/solved.sqlite*",), use_kept),
    "reviews": (60, ("state/reviews.sqlite*",), use_reviews),
    "library": (80, ("data/library.sqlite*",), use_library),
    "study": (60, ("data/studies/*/*",), use_study),
    "program": (
        50,
        ("config/*.toml", "state/*.json", "state/recovery/*.json", "data/*.sqlite*"),
        use_program,
    ),
    "compiled": (10, ("cache/kernels/**/*",), use_compiled),
}
"""Each with how often it is chosen, its files, and how the program is tried with them."""
RANK = [sys.executable, "-m", "hextui", "rank", "#4,b2", "--json", "--evaluator", "shortest-path"]
STUDY = {"study": "test", "settings": {"seed": 1}, "columns": ["task", "number"], "tasks": 4}
_SOLVED: dict[Position, Solution] = {}


def solved() -> dict[Position, Solution]:
    """Return some positions with their solutions."""
    if not _SOLVED:
        from hextui.engine.solver.dfpn import Solver

        solver = Solver(Board(3, 3), SolverSettings(table_bytes=1 << 20))
        for cell in range(9):
            position = Position.empty(Board(3, 3)).play(cell)
            *_, _SOLVED[position] = solver.solve(position, all_moves=True)
        solver.close()
    return _SOLVED


def make_home(home: Path) -> None:
    """Have the program keep one of everything."""
    locations.config_file().parent.mkdir(parents=True)
    locations.config_file().write_text(CONFIG)
    memory = UserState(locations.state_folder())
    memory.keep(Settings(theme="hextui-dark", move_numbers=True))
    memory.use(Path("/a.sgf"))
    for number, names in enumerate((("a1", "b2"), ("c3",))):
        session = game(*names)
        session.play(5)
        keeper = recovery.Keeper(locations.state_folder() / "recovery")
        keeper.path = keeper.folder / f"{2**22 + number}-1-abcd.json"
        keeper.flush(session)
    kept = SolutionCache()
    for solution in solved().values():
        kept.put(solution)
    kept.close()
    command(REPORT)
    write_games(home.parent / "games.jsonl", 60, Board(5, 5), seed=4)
    write_games(home.parent / "more.jsonl", 10, Board(5, 5), seed=5)
    command(["library", "import", str(home.parent / "games.jsonl")])
    for name, done in (("begun", 2), ("done", 4)):
        study = RunFolder(locations.data_folder() / "studies" / name)
        study.begin(STUDY, {"note": "x"})
        with study.shared() as claims:
            for number in range(done):
                finished = FinishedTask(number, [(number, number / 7)], 0.5)
                study.journal().append(finished, claims)
        if done == STUDY["tasks"]:
            study.finish({})
            study.write("report.md", "# Report\n")


@contextlib.contextmanager
def homes() -> Iterator[Callable[[], Path]]:
    """Yield what makes a home like the first one again, undamaged."""
    before = os.environ.get("HEXTUI_HOME")
    with tempfile.TemporaryDirectory() as place:
        solved(), ranked()  # with the kernels that are compiled already
        whole = Path(place, "whole")
        os.environ["HEXTUI_HOME"] = str(whole)
        make_home(whole)
        used = Path(place, "used")

        def again() -> Path:
            shutil.rmtree(used, ignore_errors=True)
            shutil.copytree(whole, used)
            os.environ["HEXTUI_HOME"] = str(used)
            return used

        try:
            yield again
        finally:
            if before is None:
                del os.environ["HEXTUI_HOME"]
            else:
                os.environ["HEXTUI_HOME"] = before


def attack(seed: int, again: Callable[[], Path], only: str = "") -> str | None:
    """Damage a file of a kind; returns what went wrong, None if nothing did."""
    chance = random.Random(seed)
    name = only or chance.choices(list(KINDS), [weight for weight, _, _ in KINDS.values()])[0]
    _, patterns, use = KINDS[name]
    home = again()
    if name == "compiled":
        shutil.copytree(COMPILED, home / "cache" / "kernels")
    found = [path for pattern in patterns for path in sorted(home.glob(pattern)) if path.is_file()]
    path = chance.choice(found)
    what = chance.choice(DAMAGES)(path, chance)
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(PATIENCE)
    try:
        use(home)
    except (Exception, SystemExit) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"{name}, {path.name}: {what}: {error!r:.400} ({where.filename}:{where.lineno})"
    finally:
        signal.alarm(0)
    return None


def _hangs(*_: object) -> None:
    raise AssertionError("it hangs")


def main() -> int:
    """Attack with the seeds of the command line."""
    sqlite3.enable_callback_tracebacks(False)
    with homes() as again:
        return run_seeds(
            "damaged_files", lambda seed, options: attack(seed, again, options.kind), KINDS
        )


if __name__ == "__main__":
    sys.exit(main())
