"""Runs of studies and matches for the screen: what is known of one, and processes that do them.

A run goes on when the workstation ends; whoever opens its folder later can watch and stop it.
"""

import hashlib
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hextui.engines.budget import cores
from hextui.studies.at_work import worker_of
from hextui.studies.results import Folder, StudyError
from hextui.studies.titles import title


@dataclass(frozen=True)
class StudyRun:
    """A run in the list: what it is called, how far it is; ``problem``: why it cannot be shown.

    ``working``: a process is at work on it now.
    """

    path: Path
    name: str
    done: int = 0
    total: int = 0
    finished: bool = False
    working: bool = False
    problem: str = ""

    @property
    def state(self) -> str:
        """How far it is, in a few words."""
        if self.problem:
            return "broken"
        if self.finished:
            return "done"
        return f"{'running' if self.working else 'stopped'}, {self.done} of {self.total} games"

    @property
    def lines(self) -> str:
        """What stands in the list."""
        return f"{self.name}\n  {self.state} ({self.path.name})"


def look(path: Path) -> StudyRun:
    """Return what is known of the run in a folder."""
    folder = Folder(path)
    try:
        settings = folder.settings()
        name, total = title(settings), int(settings["tasks"])
        if folder.done:
            return StudyRun(path, name, total, total, finished=True)
        working = worker_of(path) is not None
        return StudyRun(path, name, folder.finished_tasks(), total, working=working)
    except StudyError as error:
        return StudyRun(path, "unknown", problem=str(error))


@dataclass(frozen=True)
class Kind:
    """A kind of run: key, name, what it is, command, an example of its words, and a hint."""

    key: str
    label: str
    what: str
    command: tuple[str, ...]
    example: str
    hint: str


KINDS = (
    Kind(
        "m",
        "Match",
        "two players, many games",
        ("match",),
        "k-paths:1 shortest-path --size 5 --games 20",
        "Two players and --size N; --games N, --openings all or FILE, --swap, --seed N.",
    ),
    Kind(
        "r",
        "Ratings",
        "players all against all",
        ("study", "ratings"),
        "k-paths:1 resistance two-distance --size 4",
        "Players, all against all, and --size N; --openings N, --seed N.",
    ),
    Kind(
        "t",
        "Table",
        "E_k against E, and against each other",
        ("study", "match-table"),
        "--size 5 --games 5",
        "Matches of E_k against E, and each other: --size N, --games N, --reading NAME.",
    ),
    Kind(
        "l",
        "Losses",
        "where an evaluator loses games that were won",
        ("study", "losing-moves"),
        "k-paths:1 resistance --size 4",
        "An evaluator and who plays against it, --size N; --openings N, --nodes N, --seed N.",
    ),
    Kind(
        "k",
        "Ranks",
        "how high evaluators rank the moves of games",
        ("study", "rank-quality"),
        "games.sgf --evaluator resistance",
        "A file or folder of games; --evaluator NAME, --players both, --size N, --event TEXT.",
    ),
)


def words_of(kind: Kind, text: str) -> list[str]:
    """Read what the user wrote after a command; raises ValueError if there is nothing to it."""
    words = shlex.split(text)
    if not words:
        raise ValueError(f"say what, such as {kind.example}")
    return [*kind.command, *words]


def placed(words: Sequence[str], folder: Path) -> list[str]:
    """Return a command with a place for its results, and with a core left for the screen.

    The same words have the same place, so they go on with what was begun.
    """
    found = list(words)
    if not any(word.startswith("--out") for word in words):
        kind = next(k for k in KINDS if tuple(words[: len(k.command)]) == k.command)
        digest = hashlib.sha256(shlex.join(words).encode()).hexdigest()[:8]
        found.append(f"--out={folder / f'{kind.command[-1]}-{digest}'}")
    if not any(word.startswith("--workers") for word in words):
        found += ["--workers", str(max(cores() - 1, 1))]
    return found


class Begun:
    """A process that does a run, or tries to."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        """Begin in a folder; raises OSError."""
        self._says: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hextui", *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._says,
            start_new_session=True,
        )

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def problem(self) -> str:
        """Return, once it has ended, the line that says why it failed; '' if it did not."""
        code = self._process.wait()
        self._says.seek(0)
        lines = self._says.read().decode("utf-8", "replace").splitlines()
        self._says.close()
        if code in (0, 130) or code < 0:  # done, or stopped
            return ""
        return lines[-1] if lines else f"the run ended with code {code}"
