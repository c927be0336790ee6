"""The folder of a study's results: settings, rows, and the journal of a run that is not done.

``settings.json`` is written when a run begins and when it is done; ``rows.csv`` only when it is
done, and ``report.md`` and ``figures.json`` after it. Until then ``journal.jsonl`` holds one line
a finished task, so that a run that was interrupted at any moment goes on from there. A last line
without its end is ignored. The settings of a run that is done hold the digest of its rows: figures
are never drawn from rows that were damaged. ``command.json`` has the words that began the run, and
where it was begun: the same go on with it. ``partial.md`` is a report of a run that is not done.
"""

import csv
import hashlib
import importlib.metadata
import io
import json
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from hextui.version import __version__

Value = int | float | str
Row = tuple[Value, ...]
Document = dict[str, Any]

SETTINGS = "settings.json"
ROWS = "rows.csv"
JOURNAL = "journal.jsonl"
REPORT = "report.md"
PARTIAL = "partial.md"
COMMAND = "command.json"
FIGURES = "figures.json"
_SETTINGS = {"study": str, "columns": list, "tasks": int, "about": dict}
"""What the settings hold at least."""


class StudyError(Exception):
    """A study cannot go on; the message is one line for the user."""


@dataclass(frozen=True)
class FinishedRun:
    """What a worker returns for a task: its rows, and the CPU seconds they took."""

    task: int
    rows: list[Row]
    seconds: float


@dataclass(frozen=True)
class Description:
    """What a run is: runs with equal descriptions have equal rows.

    ``study``: the study's name. ``settings``: all that the rows depend on. ``about``: what else
    the report tells, such as how many games were left out; it may differ.
    """

    study: str
    settings: Document
    columns: tuple[str, ...]
    tasks: int
    about: Document

    def document(self) -> Document:
        """Return it as JSON, with the versions of what computes."""
        return {
            "study": self.study,
            "settings": self.settings,
            "versions": {
                "hextui": __version__,
                "python": platform.python_version(),
                **{name: importlib.metadata.version(name) for name in ("numpy", "numba")},
            },
            "columns": list(self.columns),
            "tasks": self.tasks,
        }


class Folder:
    """A folder of results. Errors of the file system become StudyError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, description: Description) -> None:
        """Prepare the folder for a run, or for going on with the same run.

        What the report tells of it is brought up to date. Raises StudyError if it holds another
        run's results.
        """
        wanted = description.document()
        with _reported(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            if not (self.path / SETTINGS).exists():
                if (self.path / ROWS).exists() or (self.path / JOURNAL).exists():
                    raise StudyError(f"{self.path}: holds rows of an unknown study")
                document = {**wanted, "about": description.about, "done": False, "cpu_seconds": 0.0}
                self._write(SETTINGS, json.dumps(document, indent=2) + "\n")
                return
        found = self.settings()
        for name, value in wanted.items():
            if found.get(name) != value:
                what = _difference(name, found.get(name), value)
                raise StudyError(f"{self.path}: holds another run ({what}); choose another --out")
        about = found["about"] | description.about
        if about != found["about"]:
            self.write(SETTINGS, json.dumps({**found, "about": about}, indent=2) + "\n")

    def settings(self) -> Document:
        """Return ``settings.json``."""
        path = self.path / SETTINGS
        try:
            document = json.loads(self.read(SETTINGS))
        except (ValueError, RecursionError) as error:
            raise StudyError(f"{path}: not JSON: {error}") from None
        if (
            not isinstance(document, dict)
            or not _SETTINGS.items()
            <= {name: type(value) for name, value in document.items()}.items()
        ):
            raise StudyError(f"{path}: not a study's settings")
        return document

    @property
    def done(self) -> bool:
        """Whether the run is done and its rows are written."""
        return bool(self.settings().get("done")) and (self.path / ROWS).exists()

    def journal(self) -> Iterator[FinishedRun]:
        """Yield the finished tasks of a run that is not done, each once."""
        path = self.path / JOURNAL
        seen: set[int] = set()
        with _reported(path):
            if not path.exists():
                return
            with _opened(path) as lines:
                for number, line in enumerate(lines, start=1):
                    if not line.endswith(b"\n"):
                        return
                    try:
                        finished = _finished(json.loads(line))
                    except (ValueError, TypeError, RecursionError):
                        raise StudyError(f"{path}: line {number} is damaged") from None
                    if finished.task not in seen:
                        seen.add(finished.task)
                        yield finished

    @contextmanager
    def appending(self) -> "Iterator[Appender]":
        """Open the journal for more finished tasks."""
        path = self.path / JOURNAL
        with _reported(path):
            _drop_broken_end(path)
            with open(path, "a", encoding="utf-8") as file:
                yield Appender(file)

    def finish(self, about: Document) -> None:
        """Write the rows in the order of their tasks, and say that the run is done.

        ``about`` is added to what the settings tell about the run.
        """
        finished = sorted(self.journal(), key=lambda f: f.task)
        document = self.settings()
        document["about"] |= about
        document["cpu_seconds"] = round(sum(f.seconds for f in finished), 3)
        document["done"] = True
        rows = self.path / (ROWS + ".part")
        with _reported(rows):
            with open(rows, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(document["columns"])
                for each in finished:
                    writer.writerows(each.rows)
            document["rows_sha256"] = hashlib.sha256(rows.read_bytes()).hexdigest()
            rows.replace(self.path / ROWS)
            self._write(SETTINGS, json.dumps(document, indent=2) + "\n")
            for name in (JOURNAL, PARTIAL):
                (self.path / name).unlink(missing_ok=True)

    def rows_so_far(self) -> "Table":
        """Return the rows of a run that is not done, as far as it is."""
        finished = sorted(self.journal(), key=lambda f: f.task)
        rows = (tuple(map(str, row)) for each in finished for row in each.rows)
        return Table(tuple(self.settings()["columns"]), tuple(rows))

    def command(self) -> tuple[list[str], Path]:
        """Return the words that began the run, and the folder where it was begun.

        Raises StudyError if they are not known.
        """
        path = self.path / COMMAND
        try:
            document = json.loads(self.read(COMMAND))
            words, folder = document["words"], document["folder"]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise StudyError(f"{path}: not a command: {error}") from None
        if type(folder) is not str or type(words) is not list:
            raise StudyError(f"{path}: not a command")
        return [str(word) for word in words], Path(folder)

    def rows(self) -> "Table":
        """Return the rows of a run that is done."""
        path = self.path / ROWS
        text = self.read(ROWS)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if self.settings().get("rows_sha256", digest) != digest:
            raise StudyError(f"{path}: damaged, or changed since the run was done")
        try:
            columns, *rows = csv.reader(io.StringIO(text, newline=""))
        except (ValueError, csv.Error) as error:
            raise StudyError(f"{path}: not rows: {error}") from None
        return Table(tuple(columns), tuple(tuple(row) for row in rows))

    def read(self, name: str) -> str:
        """Return a text file of the folder."""
        path = self.path / name
        with _reported(path), _opened(path) as file:
            try:
                return file.read().decode("utf-8")
            except UnicodeDecodeError as error:
                raise StudyError(f"{path}: not UTF-8: {error}") from None

    def finished_tasks(self) -> int:
        """Return how many tasks of a run that is not done are in its journal."""
        path = self.path / JOURNAL
        with _reported(path):
            if not path.exists():
                return 0
            with _opened(path) as file:
                return file.read().count(b"\n")

    def write(self, name: str, content: str) -> None:
        """Write a text file of the folder, as a whole or not at all."""
        with _reported(self.path / name):
            self._write(name, content)

    def _write(self, name: str, content: str) -> None:
        part = self.path / (name + ".part")
        part.write_text(content, "utf-8")
        part.replace(self.path / name)


class Appender:
    """Appends finished tasks to a journal; each is on disk when ``add`` returns."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def add(self, finished: FinishedRun) -> None:
        """Append a finished task as one line."""
        line = [finished.task, finished.seconds, finished.rows]
        self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._file.flush()


@dataclass(frozen=True)
class Table:
    """Rows read back from ``rows.csv``; every value is a text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> list[str]:
        """Return a column by its name; raises StudyError if there is none."""
        if name not in self.columns:
            raise StudyError(f"the rows have no column {name!r}")
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def where(self, name: str, *values: str) -> "Table":
        """Return the rows whose column holds one of the values."""
        if name not in self.columns:
            raise StudyError(f"the rows have no column {name!r}")
        at = self.columns.index(name)
        return Table(self.columns, tuple(row for row in self.rows if row[at] in values))


def _finished(line: Any) -> FinishedRun:
    """Return what a line of the journal tells. Raises ValueError or TypeError if it is none."""
    task, seconds, rows = line
    if type(task) is not int or type(seconds) not in (int, float):
        raise ValueError("not a task and its seconds")
    return FinishedRun(task, [tuple(row) for row in rows], seconds)


def _opened(path: Path) -> BinaryIO:
    """Open a file to read it, but nothing else: a pipe would be waited for."""
    if path.exists() and not path.is_file():
        raise OSError(None, "it is not a file")
    return open(path, "rb")


def _drop_broken_end(path: Path) -> None:
    """Remove a last line without its end, which a crash left."""
    if not path.exists():
        return
    _opened(path).close()
    with open(path, "rb+") as file:
        data = file.read()
        file.truncate(data.rfind(b"\n") + 1)


def _difference(name: str, old: Any, new: Any) -> str:
    """Say in a few words where two values differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        return _difference(f"{name} {keys[0]}", old.get(keys[0]), new.get(keys[0]))
    return f"{name}: {_short(old)} there, {_short(new)} now"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StudyError(f"{path}: {error.strerror or error}") from None


def folders(parent: Path) -> Sequence[Path]:
    """Return the folders below ``parent``, itself included, that hold a study, newest first."""
    found = []
    for path in (parent, *(sorted(parent.iterdir()) if parent.is_dir() else ())):
        settings = path / SETTINGS
        try:
            found.append((os.stat(settings).st_mtime, path))
        except OSError:
            continue
    return [path for _, path in sorted(found, reverse=True)]
