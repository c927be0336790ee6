"""The whole program in a pseudo terminal, without the analysis, to be killed and broken."""

import contextlib
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

SCRIPT = """
import sys
from hextui.analysis import analyst
from hextui.commands import main
class Silent(analyst.Analyst):
    def __init__(self, hear, **_): super().__init__(hear, open_lane=object)
    def request(self, position, again=False, played=None): return 0
analyst.Analyst = Silent
from hextui.ui.app.app import HextuiApp
HextuiApp.action_next_theme = lambda app: 1 / 0
sys.exit(main([*sys.argv[1:], "--game", "1"]))
"""
WHOLE = """
import runpy
runpy.run_module("hextui", run_name="__main__", alter_sys=True)
"""
CRASH = b"T"
LEAVES = b"\x1b[?1049l"  # back from the alternate screen
PATIENCE = 120  # seconds after which the program is taken for hung, on a busy machine too


class Program:
    """Runs ``hextui``; what it writes is in ``output``."""

    def __init__(self, home, *arguments, columns=80, rows=24, code=SCRIPT, colors=""):
        self.output = b""
        self.code = None
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            told = {"HEXTUI_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": colors}
            environment = {**os.environ, **told}
            for name in ("NO_COLOR", "COLUMNS", "LINES"):  # a size that is told hides the real one
                environment.pop(name, None)
            command = [sys.executable, "-c", code, *map(str, arguments)]
            with contextlib.suppress(BaseException):  # readline sets a size behind Python's back
                os.execve(sys.executable, command, environment)
            os._exit(127)
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.code is None:
            with contextlib.suppress(ProcessLookupError):
                self.kill(9)
        os.close(self.terminal)

    def hang_up(self):
        """Take the terminal away; there is nothing to read from then on."""
        reader, writer = os.pipe()
        os.close(writer)
        os.dup2(reader, self.terminal)
        os.close(reader)

    def keys(self, data):
        os.write(self.terminal, data)

    def read(self, seconds=0.0):
        """Take what the program writes within some time; False at its end."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        try:
            data = os.read(self.terminal, 1 << 16) if ready else b""
        except OSError:  # the other side is closed
            return False
        self.output += data
        return bool(data) or not ready

    def wait_for(self, what, patience=PATIENCE):
        """Read on until ``what()`` holds."""
        end = time.monotonic() + patience
        while not what():
            assert time.monotonic() < end, self.output[-2000:]
            assert self.read(0.02), self.output[-2000:]

    def wait_for_text(self, text):
        self.wait_for(lambda: text in self.output)

    def save_recovered(self, name):
        """Recover the record of this name, which is offered, save it and leave."""
        self.wait_for_text(b"before " + name + b" was saved")
        self.keys(b"r")
        self.wait_for_text(name + b" *")
        self.keys(b"\x13")  # ctrl+s
        self.wait_for_text(b"Saved")
        self.keys(b"q")
        assert self.wait() == 0

    def kill(self, number):
        """Send a signal and wait for the end; returns the exit code, negative for a signal."""
        os.kill(self.pid, number)
        return self.wait()

    def has_ended(self):
        """Return whether the process has ended; its exit code is then known."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def wait(self):
        end = time.monotonic() + PATIENCE
        while not self.has_ended():
            assert time.monotonic() < end, self.output[-2000:]
            if not self.read(0.02):
                time.sleep(0.01)
        while self.read(0.02) and select.select([self.terminal], [], [], 0.02)[0]:
            pass
        return self.code


def read_for(program, seconds):
    """Read what a program writes, as a terminal does, for some time or to its end."""
    end = time.monotonic() + seconds
    while (rest := end - time.monotonic()) > 0 and program.read(min(rest, 0.02)):
        pass
