"""Hostile command lines: whatever is written, the program answers or says in one line why not.

    python -m tests.stress.command_lines --seeds FIRST:LAST

A seed makes one command line: a command of the table, its options from its own parser, so that a
new command is attacked without a word here; values that fit and values that cannot; standard
input, streams that are closed, full, narrow or a terminal, an environment. It is run in a child,
forked from a program that has everything loaded, and one seed in ``REAL`` as ``python -m hextui``.

Asked for: an exit code of 0, 1, 2 or 130; no traceback; where it failed, one line that says why;
nothing that a terminal would obey; JSON where JSON was asked for; an end within ``PATIENCE``.

What runs for ever (``serve``, the workstation in a terminal) is ended after a few seconds, and
must not have failed before. Boards have 25 cells at most where kernels work, and ``warm`` is given
``--cells``: the attack is on the command line, not on what a large board or compiling takes.
"""

import argparse
import contextlib
import io
import json
import os
import pty
import random
import re
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import unicodedata
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path

from hextui import locations
from hextui.commands import command_parser, main
from hextui.commands.command_list import COMMANDS
from tests.stress.hostile_words import CONTENTS, FITTING, GAME, NUMBERS, WORDS
from tests.stress.seeds import run_seeds

PATIENCE = 60  # seconds after which a command is taken for hung
REAL = 40  # one seed in so many is a program of its own
FOR_EVER = 2  # seconds that something without an end is watched
MEMORY = 8 << 30  # bytes of addresses that a command may have

HOMES = ("/dev/null", "home/file", "/proc/nothing", "home/\udcff", "home/" + "d" * 300)
POSITIONS = ("position", "record", "source", "through")
READ = (*POSITIONS, "paths", "collection", "proof")
COMPILING = (
    "warm",
    "study",
    "match",
    "puzzles",
)  # in another home they compile their kernels first
FILES = ("convert", "export")  # what they print is a file, and text only on a terminal
STREAMS = ("pipe", "pipe", "pipe", "pipe", "pipe", "full", "closed", "terminal", "ascii")
INPUTS = ("nothing", "nothing", "closed", "writing", "record", "noise", "lines", "proof")
HANGS = "not at an end after"
FATAL = (
    "Traceback (most recent",
    "Exception ignored",
    "Fatal Python error",
    "Error in sys.excepthook",
)
PROGRESS = re.compile(
    r"(.*: )?(whole game|solving|compiling .*): .*|.* of .* games .*|\d+ \d+ \d+ .*"
    r"|(.*: )?no board size is given: .*"
    r"|.* holds several games; .*|(.*: )?the character set is .*: read as .*, a guess"
    r"|.*: solved positions are not kept: .*|(.*: )?read as far as possible: .*"
)


@dataclass(frozen=True)
class Case:
    """One command line with all that surrounds it."""

    words: tuple[str, ...]
    given: str = "nothing"
    out: str = "pipe"
    err: str = "pipe"
    environment: dict[str, str] = field(default_factory=dict)
    real: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """How it ended: exit code (None: it did not end), and what it printed."""

    code: int | None
    out: str
    err: str


# Making a command line


def case_of(seed: int) -> Case:
    """Return the command line of a seed."""
    chance = random.Random(seed)
    name = chance.choice(["", *COMMANDS])
    words = [name] if name else []
    mood = chance.choice(("tame", "tame", "mixed", "mixed", "wild"))
    if chance.random() < 0.02:
        words = [chance.choice(WORDS)]
    else:
        words += written(command_parser(name)[1], chance, mood)
    if mood != "tame" and chance.random() < 0.1:
        words.insert(chance.randrange(len(words) + 1), chance.choice(WORDS))
    if name == "warm" and "--cells" not in words:
        words += ["--cells", "9"]
    if name == "openings":
        words += ["--total", "1"]  # else it goes on until all is decided
    if "match-table" in words:
        words += ["--games", "x"]  # refused: it would play hundreds of games
    environment = {}
    if chance.random() < 0.15:
        environment[chance.choice(("COLUMNS", "LINES"))] = chance.choice(NUMBERS)
    real = seed % REAL == 0
    if not real and name not in COMPILING and chance.random() < 0.15:
        environment["HEXTUI_HOME"] = chance.choice(HOMES)
    if real:
        environment |= chance.choice(
            (
                {},
                {"LC_ALL": "C"},
                {"PYTHONIOENCODING": "ascii"},
                {"PYTHONUTF8": "0", "LC_ALL": "POSIX"},
            )
        )
    return Case(
        tuple(words),
        chance.choice(INPUTS),
        chance.choice(STREAMS),
        chance.choice(STREAMS),
        environment,
        real,
        seed,
    )


def written(parser: argparse.ArgumentParser, chance: random.Random, mood: str) -> list[str]:
    """Return words for a parser: most of what it needs, some of what it takes."""
    words: list[str] = []
    batch = chance.random() < 0.15
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            name = chance.choice(list(action.choices))
            words += [name, *written(action.choices[name], chance, mood)]
        elif not action.option_strings:
            if batch and action.dest == "position":
                words.append("--batch")
            elif chance.random() < (0.97 if action.required else 0.85):
                many = chance.choice((1, 1, 2)) if action.nargs in ("*", "+") else 1
                words += [value(action, chance, mood) for _ in range(many)]
        elif action.dest not in ("help", "batch") and chance.random() < (
            0.97 if action.required else 0.3 if mood == "wild" else 0.12
        ):
            words.append(chance.choice(action.option_strings))
            if action.nargs != 0:
                words.append(value(action, chance, mood))
    return words


def value(action: argparse.Action, chance: random.Random, mood: str) -> str:
    """Return a word for an argument: one that fits, in other moods one that may, or anything."""
    if mood == "tame" or chance.random() < (0.9 if mood == "mixed" else 0.4):
        return tame(action, chance)
    luck = chance.random()
    if luck < 0.4 and action.dest in FITTING:
        return chance.choice(FITTING[action.dest])
    if luck < 0.6:
        return chance.choice(sorted(CONTENTS))
    if luck < 0.8:
        return chance.choice(NUMBERS)
    return chance.choice(WORDS)


def tame(action: argparse.Action, chance: random.Random) -> str:
    """Return a word that fits, as far as one can tell from its place."""
    if action.choices:
        return str(chance.choice(list(action.choices)))
    if action.dest in POSITIONS and chance.random() < 0.6:
        return chance.choice(FITTING["position"][:10])
    if action.dest in READ:
        return chance.choice(sorted(CONTENTS))
    if action.dest in FITTING:
        return chance.choice(FITTING[action.dest][:3])
    return chance.choice(NUMBERS[1:4])


# Running it

GIVEN = {
    "nothing": b"",
    "record": GAME.encode(),
    "noise": bytes(range(256)) * 10,
    "lines": b"#3,b2\n\xff\xfe\n-\n\n(;GM[11]SZ[3];B[a1])\n\0\nmissing.sgf\n#2,",
    "proof": CONTENTS["proof"],
}


def make_files(folder: Path) -> None:
    """Write what the words may name, and a home that shares the compiled kernels."""
    for name, data in CONTENTS.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (folder / "home").mkdir()
    (folder / "home" / "file").write_text("")
    shared = locations.cache_folder()
    shared.mkdir(parents=True, exist_ok=True)
    (folder / "home" / "cache").symlink_to(shared.resolve())


def attack(seed: int) -> str | None:
    """Run the command line of a seed; return what is wrong and the smallest case, None if well."""
    case = case_of(seed)
    wrong = tried(case)
    if wrong is None or wrong.startswith(HANGS):
        return wrong and f"{wrong}\n    {case}"
    small = smallest(case)
    return f"{wrong}\n    {small}\n    {tried(small) or wrong}"


def smallest(case: Case) -> Case:
    """Return a case that still goes wrong, with as little as possible around it and in it."""
    for plain in ({"given": "nothing"}, {"out": "pipe"}, {"err": "pipe"}, {"environment": {}}):
        simpler = replace(case, **plain)
        if simpler != case and tried(simpler):
            case = simpler
    at = 0
    while at < len(case.words):
        simpler = replace(case, words=case.words[:at] + case.words[at + 1 :])
        if tried(simpler):
            case = simpler
        else:
            at += 1
    return case


def tried(case: Case) -> str | None:
    """Run a case and return what is wrong, None if nothing is."""
    with tempfile.TemporaryDirectory(prefix="hextui-stress-") as name:
        folder = Path(name)
        make_files(folder)
        return verdict(case, run(case, folder))


def run(case: Case, folder: Path) -> Outcome:
    """Run a case in a folder."""
    files: list[int | None] = []
    readers: dict[int, int] = {}
    for number, kind in ((1, case.out), (2, case.err)):
        if kind == "terminal":
            readers[number], slave = pty.openpty()
            files.append(slave)
        else:
            files.append(open_output(kind, folder / f".output-{number}"))
    try:
        pid = start(case, folder, open_input(case.given, folder), files)
        for file in files:
            if file is not None:
                os.close(file)
        return ended(case, pid, folder, readers)
    finally:
        for reader in readers.values():
            os.close(reader)


def open_output(kind: str, path: Path) -> int | None:
    if kind == "closed":
        return None
    if kind == "full":
        return os.open("/dev/full", os.O_WRONLY)
    return os.open(path, os.O_WRONLY | os.O_CREAT)


def open_input(given: str, folder: Path) -> int | None:
    if given == "closed":
        return None
    if given == "writing":
        return os.open(os.devnull, os.O_WRONLY)
    path = folder / ".input"
    path.write_bytes(GIVEN[given])
    return os.open(path, os.O_RDONLY)


def start(case: Case, folder: Path, given: int | None, files: list[int | None]) -> int:
    """Start the command in a child with its streams; return the child's number."""
    pid = os.fork()
    if pid:
        if given is not None:
            os.close(given)
        return pid
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["HEXTUI_HOME"] = str(folder / "home")
        for name, text in case.environment.items():
            os.environ[name] = str(folder / text) if name == "HEXTUI_HOME" else text
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(PATIENCE + 5)
        if hasattr(os, "sched_setaffinity"):  # one process for what would take one a core
            os.sched_setaffinity(0, {random.choice(sorted(os.sched_getaffinity(0)))})
        for number, file in enumerate((given, *files)):
            place(file, number)
        if case.real:
            os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
            os.execv(sys.executable, [sys.executable, "-m", "hextui", *map(passed, case.words)])
        code = run_here(case)
    finally:
        os._exit(code)


def passed(word: str) -> str:
    """Return a word as a program can be given it."""
    return word.replace("\0", "").replace("\ud800", "\udcff")


def place(file: int | None, number: int) -> None:
    """Give a file the number of a stream, or close that."""
    if file is not None:
        os.dup2(file, number)
    else:
        with contextlib.suppress(OSError):
            os.close(number)


def run_here(case: Case) -> int:
    """Do what Python does for a program: open the streams, run it, write what is left."""
    sys.stdin = stream(0, "r", "utf-8")
    sys.stdout = stream(1, "w", "ascii" if case.out == "ascii" else "utf-8")
    sys.stderr = stream(2, "w", "ascii" if case.err == "ascii" else "utf-8", "backslashreplace")
    sys.__stdin__, sys.__stderr__ = sys.stdin, sys.stderr  # type: ignore[misc]
    try:
        code = main(list(case.words))
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:
        traceback.print_exc()
        code = 1
    for left in (sys.stdout, sys.stderr):
        try:
            if left is not None:
                left.flush()
        except (OSError, ValueError):
            return 120
    return code


def stream(number: int, mode: str, encoding: str, errors: str = "strict") -> io.TextIOWrapper:
    try:
        os.fstat(number)
    except OSError:
        return None  # type: ignore[return-value]
    raw = io.FileIO(number, mode, closefd=False)
    inner = io.BufferedReader(raw) if mode == "r" else io.BufferedWriter(raw)
    return io.TextIOWrapper(inner, encoding, errors, line_buffering=number == 2)


def ended(case: Case, pid: int, folder: Path, readers: dict[int, int]) -> Outcome:
    """Wait for the end of a child; what runs for ever is interrupted."""
    read: dict[int, bytes] = dict.fromkeys(readers, b"")
    begin = time.monotonic()
    status = None
    asked = False
    while status is None:
        done, found = os.waitpid(pid, os.WNOHANG)
        if done:
            status = found
        drain(readers, read)
        gone = time.monotonic() - begin
        if runs_for_ever(case) and gone > FOR_EVER and not asked:
            asked = True
            os.kill(pid, signal.SIGTERM)
        if gone > PATIENCE:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            break
        if status is None:
            time.sleep(0.002)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # what it has started
    drain(readers, read)
    texts = []
    for number in (1, 2):
        path = folder / f".output-{number}"
        data = read.get(number, b"") or (path.read_bytes() if path.exists() else b"")
        texts.append(data.decode("utf-8", "surrogateescape"))
    if status is None:
        return Outcome(None, *texts)
    code = os.waitstatus_to_exitcode(status)
    return Outcome(0 if asked and code == -signal.SIGTERM else code, *texts)


def drain(readers: dict[int, int], read: dict[int, bytes]) -> None:
    for number, reader in readers.items():
        while select.select([reader], [], [], 0)[0]:
            try:
                data = os.read(reader, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            read[number] += data


def runs_for_ever(case: Case) -> bool:
    return bool(case.words) and case.words[0] == "serve"


# Judging it


def verdict(case: Case, outcome: Outcome) -> str | None:
    """Return what is wrong with an outcome, None if nothing is."""
    out, err = (
        text.replace("\r\n", "\n").replace("\r\x1b[K", "\n") for text in (outcome.out, outcome.err)
    )
    if outcome.code is None:
        return f"{HANGS} {PATIENCE} seconds"
    if any(sign in out + err for sign in FATAL):
        return f"a traceback: {(out + err)[-500:]!r}"
    if outcome.code not in (0, 1, 2, 130):
        return f"exit code {outcome.code}: {err[-300:]!r}"
    if raw(err):
        return f"raw on standard error: {err[:300]!r}"
    contents = case.words[:1] and case.words[0] in FILES and case.out != "terminal"
    if raw(out) and not (contents and not out.startswith("{")) and not runs_for_ever(case):
        return f"raw on standard output: {out[:300]!r}"
    return wrong_lines(case, outcome.code, err) or wrong_json(case, outcome.code, out)


def raw(text: str) -> bool:
    """Whether a terminal would obey any of it."""
    bidi = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    return any((c != "\n" and unicodedata.category(c) in ("Cc", "Cs")) or c in bidi for c in text)


def wrong_lines(case: Case, code: int, err: str) -> str | None:
    if case.err in ("full", "closed"):
        return None
    lines = [line for line in err.splitlines() if line.strip()]
    said = [line for line in lines if line.startswith("hextui: ")]
    other = [line for line in lines if line not in said and not PROGRESS.fullmatch(line)]
    if other and case.err != "terminal":
        return f"lines of no known kind: {other[:3]}"
    if code == 2 and len(said) != 1 and "remove" not in case.words:
        return f"exit code 2 with {len(said)} lines: {said[:3]}"
    if any(len(line) > 1000 for line in said):
        return "a line of more than 1000 characters"
    return None


def wrong_json(case: Case, code: int, out: str) -> str | None:
    if code or case.out not in ("pipe", "ascii") or "--json" not in case.words:
        return None
    if not out or out.startswith("usage: ") or out.startswith("hextui "):
        return None
    for line in out.splitlines():
        try:
            json.loads(line)
        except ValueError:
            return f"not JSON: {line[:200]!r}"
    return None


def prepare() -> None:
    """Load and compile what the children share."""
    for words in (
        ["rank", "#3,b2"],
        ["connections", "#3,b2", "--color", "red"],
        ["lines", "#3,b2"],
        ["solve", "#3,b2", "--fresh"],
        ["check", "missing"],
        ["library", "--help"],
        ["report", "#3,b2", "--evaluator", "resistance", "--solve", "0"],
        ["match", "nobody", "nobody", "--size", "3"],
        ["study", "losing-moves", "nobody", "nobody", "--size", "3"],
        ["export", "#3,b2"],
        ["serve", "--port", "x"],
    ):
        nowhere = io.TextIOWrapper(io.BytesIO())
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            main(words)
    for module in ("hextui.library.library", "hextui.library.settle"):
        import_module(module)


if __name__ == "__main__":
    prepare()
    sys.exit(run_seeds("command_lines", lambda seed, options: attack(seed)))
