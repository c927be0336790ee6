"""Clients of ``hextui htp``: in a thread of the test, and over the pipes of a real process."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO

from hextui.htp.server import HtpServer
from tests.processes import PATIENCE


class HtpClient:
    """Sends lines and reads answers. ``blocks`` are the graphics that came before the last one."""

    def __init__(self, questions: IO[bytes], answers: IO[bytes]) -> None:
        self._questions, self._answers = questions, answers
        self.blocks: list[str] = []

    def send(self, *lines: str) -> None:
        self._questions.write("".join(f"{line}\n" for line in lines).encode())
        self._questions.flush()

    def read(self) -> str:
        """Return the next answer without its empty line; '' at the end."""
        self.blocks = []
        while (text := self._part()).startswith("gogui-gfx:"):
            self.blocks.append(text)
        return text

    def _part(self) -> str:
        lines: list[bytes] = []
        while (line := self._answers.readline()) not in (b"\n", b""):
            lines.append(line)
        return b"".join(lines).decode("ascii").removesuffix("\n")

    def ask(self, line: str) -> str:
        self.send(line)
        return self.read()

    def done(self, *lines: str) -> None:
        """Send commands that must succeed without a word."""
        for line in lines:
            assert self.ask(line) == "= ", line

    def good(self, line: str) -> str:
        """Return what a command that must succeed says."""
        text = self.ask(line)
        assert text.startswith("= "), f"{line}: {text}"
        return text[2:]

    def bad(self, line: str) -> str:
        """Return the message of a command that must fail, one line."""
        text = self.ask(line)
        assert text.startswith("? "), f"{line}: {text}"
        assert "\n" not in text
        return text[2:]

    def hang_up(self) -> None:
        self._questions.close()


class InThread(HtpClient):
    """A server in a thread of the test."""

    def __init__(self) -> None:
        self.logged: list[str] = []
        (asked, asks), (answers, answered) = os.pipe(), os.pipe()
        super().__init__(os.fdopen(asks, "wb"), os.fdopen(answers, "rb"))
        self.server = HtpServer(asked, answered, self.logged.append)
        self._ours = (asked, answered)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.server.run()
        except BrokenPipeError:
            pass
        finally:
            os.close(self._ours[1])

    def stop_reading(self) -> None:
        self._answers.close()

    def wait(self) -> None:
        """Wait for the server's end."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def close(self) -> None:
        self.hang_up()
        self.wait()
        if not self._answers.closed:
            self._answers.close()


class InProcess(HtpClient):
    """A process of its own, as other programs start it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hextui", "htp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        super().__init__(self.process.stdin, self.process.stdout)

    def end(self) -> tuple[int, bytes, bytes]:
        """Return the exit code and what is left to read, once it has ended."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


Ask = Callable[[str], str]
