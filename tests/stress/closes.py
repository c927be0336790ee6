"""Terminals that are closed at any moment: the program ends, with all that it has started.

    python -m tests.stress.closes --seeds FIRST:LAST [--kind=NAME]

A seed chooses a moment: the program starts, compiles, is idle, shows a dialog, paints, asks an
attached engine, or quits. It then closes the real pseudo terminal, now and then one that no longer
reads, and sometimes one whose end no signal tells. Within `SECONDS` no process of it is left, and
edits that were a second old are in a recovery file.
"""

import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hextui.ui.safety import recovery
from tests.compiling import share_kernels
from tests.processes import session_of
from tests.stress.seeds import run_seeds
from tests.ui.program import WHOLE, Program, read_for

SECONDS = 5.0
SETTLING = 30.0  # seconds after which a process that is left is not waited for any more
ENGINE = Path(__file__).parents[1] / "engines" / "attached" / "stubborn.py"
CONFIG = """
[analysis]
evaluators = ["engine(stubborn)", "resistance"]
[engines.stubborn]
command = [{python!r}, "-I", "-S", {engine!r}]
dialect = "kata"
"""
# a process gets no signal when a terminal closes that is not its own
DETACHED = """
import fcntl, signal, termios
signal.signal(signal.SIGHUP, signal.SIG_IGN)
fcntl.ioctl(0, termios.TIOCNOTTY)
"""


def starting(program: Program, chance: random.Random) -> None:
    """Close it while modules are loaded and the first screen is painted."""
    read_for(program, chance.uniform(0.0, 2.5))


def compiling(program: Program, chance: random.Random) -> None:
    """Close it while the engine compiles for the first use."""
    program.wait_for_text(b"untitled")
    read_for(program, chance.uniform(0.5, 6.0))


def idle(program: Program, chance: random.Random) -> None:
    """Close it some time after a move was played."""
    play(program)
    read_for(program, chance.uniform(1.0, 3.0))


def dialog(program: Program, chance: random.Random) -> None:
    """Close it while a dialog is open, or opens."""
    play(program)
    read_for(program, 1.0)
    program.keys(chance.choice((b"\x0f", b"\x10", b"?", b"q", b"7")))
    read_for(program, chance.uniform(0.0, 0.6))


def painting(program: Program, chance: random.Random) -> None:
    """Close it while held keys have it paint."""
    play(program)
    read_for(program, 1.0)
    for _ in range(chance.randint(20, 200)):
        program.keys(chance.choice((b"\x1b[C", b"\x1b[D", b"\t", b"z", b"m")))
        program.read()
    read_for(program, chance.uniform(0.0, 0.2))


def quitting(program: Program, chance: random.Random) -> None:
    """Close it just after it was asked to quit."""
    program.wait_for_text(b"untitled")
    read_for(program, chance.uniform(0.2, 2.0))
    program.keys(b"\x11")
    read_for(program, chance.uniform(0.0, 0.4))


KINDS: dict[str, Callable[[Program, random.Random], None]] = {
    "starting": starting,
    "compiling": compiling,
    "idle": idle,
    "dialog": dialog,
    "painting": painting,
    "attached": painting,
    "quitting": quitting,
    "quitting-attached": quitting,
}
EDITED = ("idle", "dialog", "painting", "attached")
"""Kinds in which a move is at least a second old."""


def play(program: Program) -> None:
    """Play a move."""
    program.wait_for_text(b"untitled")
    program.keys(b"\x1b[C\r")
    program.wait_for_text(b"untitled *")


def close(home: Path, name: str, chance: random.Random) -> float:
    """Close the terminal of a program; return the seconds until nothing of it was left."""
    code = DETACHED * (chance.random() < 0.25) + WHOLE
    with Program(home, "--size", "13", columns=120, rows=36, code=code) as program:
        KINDS[name](program, chance)
        if chance.random() < 0.25:  # its output fills the terminal, which nobody reads
            program.keys(b"z" * chance.randint(1, 30))
            time.sleep(chance.uniform(0.0, 1.0))
        program.hang_up()
        begun = time.monotonic()
        while session_of(program.pid):
            if time.monotonic() > begun + SETTLING:
                break
            time.sleep(0.02)
            program.has_ended()
        seconds = time.monotonic() - begun
        for process in session_of(program.pid):
            os.kill(process, signal.SIGKILL)
        program.wait()
    return seconds


def attack(seed: int, only: str = "") -> str | None:
    """Close one terminal; returns what went wrong, None if nothing did."""
    chance = random.Random(seed)
    name = only or chance.choice(list(KINDS))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if name != "compiling":
            share_kernels(home)
        if "attached" in name:
            (home / "config").mkdir()
            config = CONFIG.format(python=sys.executable, engine=str(ENGINE))
            (home / "config" / "config.toml").write_text(config)
        try:
            seconds = close(home, name, chance)
            if seconds > SECONDS:
                return f"{name}: it took {seconds:.1f} s to end"
            if name in EDITED and not recovery.left_behind(home / "state" / "recovery"):
                return f"{name}: the edit is lost"
        except Exception as error:
            return f"{name}: {error!r:.1500}"
        if logs := list((home / "state").glob("crash-*.log")):
            return f"{name}: {logs[0].read_text():.3000}"
    return None


if __name__ == "__main__":
    sys.exit(run_seeds("closes", lambda seed, options: attack(seed, options.kind), KINDS))
