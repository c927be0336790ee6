"""Records the casts of the README: what a user types in a shell, and what the terminal shows.

Run: ``python -m tests.make_casts``, with a folder to put them elsewhere. ``asciinema play`` shows
them, and so does its player on web pages (https://docs.asciinema.org/manual/asciicast/v2/).
"""

import codecs
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from hextui.locations import cache_folder
from tests.ui.program import Program

ROOT = Path(__file__).parent.parent
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "screenshots"
COLUMNS, ROWS = 100, 30
SHELL = "import os; os.execvp('bash', ['bash', '--norc', '--noprofile'])"
TYPING, LOOKING = 0.06, 2.0  # seconds after a character of a command, and after a key
IDLE = 2.5  # seconds: the longest time without a change that players show
QUIET, LONGEST = 1.5, 30.0  # seconds without output after which a command has done its work
ESCAPE, ENTER = "\x1b", "\r"

CASTS = {
    "review": ["hextui --sample", "p", "p", "n", "D", "w", ENTER, ESCAPE, ESCAPE, "q"],
    "puzzle": ["hextui", "5", "p", ENTER, ENTER, ESCAPE, ESCAPE, "q"],
    "commands": [
        "hextui solve '#6,a1'",
        "hextui rank '#7,d4c5' --evaluator k-paths:1",
        "hextui export '#7,d4c5' --as text",
        "hextui library explore '#11,a2'",
    ],
}
"""Each command line and each key that is typed."""


class Recording:
    """Types into a shell and notes when the terminal shows what, in seconds from the start."""

    def __init__(self, home: Path) -> None:
        os.environ["PS1"] = "$ "
        self._program = Program(home, columns=COLUMNS, rows=ROWS, code=SHELL, colors="truecolor")
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._start = self._last = time.monotonic()
        self.events: list[tuple[float, str, str]] = []

    def type(self, words: str) -> None:
        """Type a command line, or press a key, and wait until all is shown."""
        if len(words) == 1:
            self._program.keys(words.encode())
            self._read(LOOKING)
        else:
            for character in words:
                self._program.keys(character.encode())
                self._read(TYPING)
            self._program.keys(ENTER.encode())
        self._wait()

    def end(self) -> None:
        """End the shell."""
        self._program.keys(b"exit\r")
        self._program.wait()

    def _wait(self) -> None:
        """Read until nothing has been shown for a while."""
        end = time.monotonic() + LONGEST
        self._last = time.monotonic()
        while time.monotonic() < min(end, self._last + QUIET):
            self._read(0.05)

    def _read(self, seconds: float) -> None:
        """Note what is shown in the next seconds."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            self._program.read(rest)
            if text := self._decoder.decode(self._program.output):
                self._last = time.monotonic()
                self.events.append((round(self._last - self._start, 3), "o", text))
            self._program.output = b""


def record(name: str) -> None:
    """Record a cast into a file."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        (home / "cache").symlink_to(cache_folder())  # it holds the compiled kernels
        recording = Recording(home)
        for words in CASTS[name]:
            recording.type(words)
        recording.end()
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "idle_time_limit": IDLE}
    lines = [json.dumps({**header, "title": f"hextui: {name}"})]
    lines += [json.dumps(event, ensure_ascii=False) for event in recording.events]
    (FOLDER / f"{name}.cast").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    for cast in CASTS:
        record(cast)
