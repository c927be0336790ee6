"""Random keys, mouse, pastes and sizes, through a real terminal, at the program with its analysis.

    python -m tests.stress.screen --seeds FIRST:LAST [--size ACTIONS]

The program may end only because quitting was chosen; it is then started again. No traceback, no
crash log, no escape sequence of a record on the terminal, no hang; and after it is killed, a
recovery file holds the record as it was. A failure is reported with the fewest bursts of actions
that were found to cause it.
"""

import argparse
import base64
import contextlib
import fcntl
import os
import random
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hextui.ui.safety import recovery
from tests.compiling import share_kernels
from tests.stress.screen_actions import SHOT, Action, Burst, Resize, Send, actions, hostile_record
from tests.stress.seeds import run_seeds
from tests.ui.program import PATIENCE, Program

CHECK_EVERY = 500  # actions
TALL = Resize(100, 70)  # higher than any that an action asks for
PROGRAM = """
import faulthandler, os, runpy, signal, sys
faulthandler.register(signal.SIGUSR1)  # tells where it hangs
os.chdir(sys.argv.pop(1))
runpy.run_module("hextui", run_name="__main__", alter_sys=True)
"""
GAMES = (
    "(;GM[11]SZ[5]PB[Ann]PW[Bob]EV[Cup]DT[2019-05-01]RE[B+R];B[b2];W[a1];B[c3])"
    "(;GM[11]SZ[4]PB[Bob]PW[Cy]DT[2021]RE[W+R];B[b2];W[c1];B[a1];W[c3])"
)
_ESCAPE, _COPY = b"\x1b[27u", b"\x07"
_COPIED = re.compile(rb"\x1b]52;c;([A-Za-z0-9+/=]+)\x07")
_BEGINNINGS = (b"\x1b[", b"\x9b", b"\xc2\x9b", b"\x1b]52;c;", b"\x1bP", b"\xc2\x9d0;")
_FORBIDDEN = (
    *(beginning + SHOT.encode() for beginning in _BEGINNINGS),
    "\u202e".encode(),
    b"Traceback",
)


class FailedError(Exception):
    """What went wrong, in one line, and perhaps a traceback."""


class Session:
    """The program in a terminal; started again whenever quitting was chosen."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._size = Resize(80, 24)
        self._program: Program | None = None
        self._tail = b""
        self._words = 0
        self.quits = 0

    def __enter__(self) -> "Session":
        prepare(self._home)
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _start(self) -> None:
        size = self._size
        self._tail = b""
        self._program = Program(
            self._home, self._home / "work", "one.sgf",
            columns=size.columns, rows=size.rows, code=PROGRAM,
        )  # fmt: skip
        os.set_blocking(self._program.terminal, False)
        _make_plain(self._program.terminal)
        self._answers(b"\x1b[?1049h")

    def _stop(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            children = _children(program.pid)
            program.__exit__()
            for child in children:  # they end by themselves, but perhaps not yet
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

    def play(self, bursts: Sequence[Burst]) -> None:
        """Do all that; raises FailedError."""
        done = 0
        for burst in bursts:
            for data in _pieces(burst):
                self._do(data)
            self._read_for(0.02 if len(burst) == 1 else 0.05)
            before, done = done, done + len(burst)
            if done // CHECK_EVERY != before // CHECK_EVERY:
                self._answers_to_resize()
        self._answers_to_resize()

    def kill(self) -> None:
        """Kill the program a second after an edit; what was edited must be in a recovery file."""
        self._do(Resize(100, 30))
        self._wait(self._commented, "no comment can be written")
        copied = self._copied()
        self._read_for(1.2)
        self._stop()
        kept = [recovery.read(path) for path in recovery.left_behind(self._home / "state/recovery")]
        if copied.strip() not in [rescue.sgf.strip() for rescue in kept]:
            raise FailedError(f"{copied[:200]!r} is in none of {len(kept)} recovery files")

    def _commented(self) -> bool:
        """Leave all screens, write a comment and copy the record; tell whether it was copied."""
        self._words += 1
        word = f"word {self._words}."  # what is copied may be late, and of the time before
        for keys in (*[_ESCAPE] * 5, b"x", _ESCAPE, b"g"):
            self._do(Send(keys))
            self._read_for(0.1)
        self._tail = b""
        self._do(Send(b"c"))
        if self._read_until(lambda: b"Esc keeps" in self._tail, 3):
            self._do(Send(word.encode() + _ESCAPE))
            self._read_for(0.3)  # else it is copied before it is kept
        self._do(Send(_COPY))
        return self._read_until(lambda: word in self._copied(), 3)

    def _copied(self) -> str:
        """Return what was copied last."""
        copied = _COPIED.findall(self._tail)
        return base64.b64decode(copied[-1]).decode() if copied else ""

    def _do(self, action: Action) -> None:
        assert self._program is not None
        if isinstance(action, Resize):
            self._size = action
            size = struct.pack("HHHH", action.rows, action.columns, 0, 0)
            fcntl.ioctl(self._program.terminal, termios.TIOCSWINSZ, size)
            return
        data, end = action.data, time.monotonic() + PATIENCE
        while data:
            if time.monotonic() > end:
                raise FailedError("the program reads nothing any more")
            _, ready, _ = select.select([], [self._program.terminal], [], 0.01)
            with contextlib.suppress(BlockingIOError):
                if ready:
                    data = data[os.write(self._program.terminal, data) :]
            if not self._read(0):
                data = b""  # it ended, and is there again

    def _read(self, seconds: float) -> bool:
        """Take what the program writes; False if it ended and was started again."""
        assert self._program is not None
        program = self._program
        program.output = b""
        going = program.read(seconds)
        if b"Enter returns." in program.output:  # it shows a text that no clipboard took
            os.write(program.terminal, b"\r")
        self._check(program.output)
        if going:
            return True
        code = program.wait()
        self._check(program.output)
        self._judge(code)
        self._stop()
        self.quits += 1
        self._start()
        return False

    def _check(self, output: bytes) -> None:
        self._tail = (self._tail + output)[-(1 << 18) :]
        seen = self._tail[-len(output) - 100 :] if output else b""
        for shot in _FORBIDDEN:
            if shot in seen:
                raise FailedError(
                    f"on the terminal: {shot!r} in {seen[seen.index(shot) - 50 :][:150]!r}"
                )

    def _judge(self, code: int) -> None:
        """Raise FailedError unless the program ended well."""
        logs = [*self._home.glob("state/crash-*.log")]
        if logs:
            raise FailedError(logs[0].read_text())
        if code != 0:
            raise FailedError(f"exit code {code}: {self._tail[-500:]!r}")

    def _read_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            self._read(rest)

    def _read_until(self, true: Callable[[], object], seconds: float) -> bool:
        """Read until something is true; False if it does not become so in time."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                return False
            self._read(0.05)
        return True

    def _wait(self, true: Callable[[], object], otherwise: str) -> None:
        if not self._read_until(true, 3 * PATIENCE):
            raise FailedError(f"{otherwise}:\n{self._where()}")

    def _where(self) -> str:
        """Return where the program is, or hangs."""
        assert self._program is not None
        self._tail = b""
        os.kill(self._program.pid, signal.SIGUSR1)
        self._read_for(1)
        return self._tail.decode(errors="replace").replace("\r", "")[-3000:]

    def _answers(self, text: bytes) -> None:
        self._wait(lambda: text in self._tail, "the program does not start")

    def _answers_to_resize(self) -> None:
        """A higher terminal is painted to its last row, once all that was sent before is done."""
        size = self._size
        last_row = b"\x1b[%d;" % TALL.rows
        self._tail = b""
        self._do(TALL)
        self._wait(lambda: last_row in self._tail, "the program does not answer")
        self._do(size)


def prepare(home: Path) -> None:
    """Make a home with the compiled kernels of this one's, and a folder of files to work in."""
    share_kernels(home)
    work = home / "work"
    work.mkdir()
    (work / "games.sgf").write_text(GAMES)
    (work / "one.sgf").write_text(hostile_record(random.Random(0)))


def _make_plain(terminal: int) -> None:
    """Have the system make nothing of what is typed after the end: no echo, signal or pause."""
    attributes = termios.tcgetattr(terminal)
    attributes[0] &= ~termios.IXON
    attributes[3] &= ~(termios.ECHO | termios.ISIG)
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)


def _pieces(burst: Burst) -> Iterator[Action]:
    """Put what is sent without a pause into one piece."""
    data = b""
    for action in burst:
        if isinstance(action, Send):
            data += action.data
            continue
        if data:
            yield Send(data)
        yield action
        data = b""
    if data:
        yield Send(data)


def _children(pid: int) -> list[int]:
    """Return the processes below one."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, path.read_text().split()):
                found += [child, *_children(child)]
    return found


def attack(bursts: Sequence[Burst]) -> tuple[str | None, Session]:
    """Do all that in a new home; return what went wrong, if anything did."""
    with tempfile.TemporaryDirectory(prefix="hextui-stress-") as folder:
        session = Session(Path(folder) / "home")
        try:
            with session:
                session.play(bursts)
                session.kill()
        except (FailedError, AssertionError) as error:
            return str(error), session
    return None, session


def shrunk(bursts: Sequence[Burst], patience: float = 600) -> Sequence[Burst]:
    """Return the fewest bursts that were found to fail too, by leaving parts out."""
    end = time.monotonic() + patience
    part = max(len(bursts) // 2, 1)
    while time.monotonic() < end:
        starts = deque(range(0, len(bursts), part))
        while starts and time.monotonic() < end:
            start = starts.popleft()
            fewer = [*bursts[:start], *bursts[start + part :]]
            if fewer and attack(fewer)[0] is not None:
                bursts = fewer
                starts = deque(range(start, len(bursts), part))
        if part == 1:
            break
        part = max(part // 2, 1)
    return bursts


def attack_seed(seed: int, options: argparse.Namespace) -> str | None:
    """Play the session of a seed; return what went wrong, with the fewest bursts that cause it."""
    bursts = list(actions(seed, options.size))
    began = time.monotonic()
    wrong, session = attack(bursts)
    done = f"seed {seed}: {options.size} actions, {session.quits} quits"
    print(f"{done}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    if wrong is None or options.no_shrinking:
        return wrong
    return "\n  ".join([wrong, *map(str, shrunk(bursts))])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what only this attack takes."""
    parser.add_argument("--size", type=int, default=2000, metavar="ACTIONS")
    parser.add_argument("--no-shrinking", action="store_true", help="only tell the seeds that fail")


if __name__ == "__main__":
    sys.exit(run_seeds("screen", attack_seed, add_options=add_options))
