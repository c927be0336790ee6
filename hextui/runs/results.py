"""The folder of a run: settings, rows, and the journal of a run that is not done.

``settings.json`` is written when a run begins and when it is done; ``rows.csv`` only when it is
done, and ``report.md`` after it. Until then ``journal.jsonl`` holds one line per finished task, so
that an interrupted run can continue. A last line without its end is ignored. The settings of a run
that is done hold the digest of its rows, so that damaged rows are noticed.

A folder may come from somebody else. It never decides what runs or where files are written: the
command line describes the run, links are refused, and ``origin`` in the settings, a signature with
a key of this installation, shows whether the run was started here.
"""

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from operator import attrgetter
from pathlib import Path
from typing import Any

from hextui.locations import open_file
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.runs.claims import Claims
from hextui.signing import Signer

Value = int | float | str
Row = tuple[Value, ...]
Document = dict[str, Any]

SETTINGS = "settings.json"
ROWS = "rows.csv"
JOURNAL = "journal.jsonl"
REPORT = "report.md"
LOCK = "run.lock"
_KEY = "run.key"
_SETTINGS = {"study": str, "columns": list, "tasks": int, "about": dict}  # keys, and their types


class RunError(Exception):
    """A run cannot continue; the message is one line for the user."""


class ForeignRunError(RunError):
    """The run was not started in its folder on this machine, and is not trusted."""


@dataclass(frozen=True)
class FinishedTask:
    """What a worker returns for a task: its rows, and the CPU seconds they took."""

    task: int
    rows: list[Row]
    seconds: float


class RunFolder:
    """A folder of results. Methods turn errors of the file system into RunError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, wanted: Document, about: Document, trusted: bool = False) -> None:
        """Prepare the folder for a run, or for continuing the same run; updates ``about``.

        Runs of equal documents (see `Experiment.document`) have equal rows; ``about`` is what else
        their reports need, such as how many games were left out.

        Raises RunError if it holds another run or a link, ForeignRunError if the run was not begun
        here on this machine, unless it is ``trusted``, which signs it.
        """
        origin = self._signature(wanted)
        with _reported(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self._refuse_links()
            if not (self.path / SETTINGS).exists():
                if (self.path / ROWS).exists() or (self.path / JOURNAL).exists():
                    raise RunError(f"{self.path}: holds rows of an unknown study")
                state = {"done": False, "cpu_seconds": 0.0, "origin": origin}
                document = {**wanted, "about": about, **state}
                try:
                    self._write_settings(document)
                except RunError:
                    with suppress(OSError):  # it was not empty before
                        self.path.rmdir()
                    raise
                return
        settings_there = self.settings()
        for name, value in wanted.items():
            if settings_there.get(name) != value:
                what = _difference(name, settings_there.get(name), value)
                raise RunError(f"{self.path}: holds another run ({what}); choose another --out")
        if settings_there.get("origin") != origin and not trusted:
            raise ForeignRunError(
                f"{self.path}: this run was not started in this folder on this machine"
            )
        document = {**settings_there, "about": settings_there["about"] | about, "origin": origin}
        if document != settings_there:
            self._write_settings(document)

    def _refuse_links(self) -> None:
        """Raise RunError for a link or a pipe: the run would write elsewhere, or wait."""
        for path in self.path.iterdir():
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise RunError(f"{path}: a link, or not a file; choose another --out")

    def _signature(self, document: Document) -> str:
        """Sign a run in this folder with the key of this installation."""
        return Signer(_KEY).sign(os.path.realpath(self.path), document)

    @contextmanager
    def shared(self) -> Iterator[Claims]:
        """Work on the run, which has begun, beside other programs, which claim other tasks.

        An error before the first finished task removes the run, unless others work on it.
        """
        path = self.path / LOCK
        with _reported(path):
            claims = Claims(path)
        try:
            if not path.exists():  # the last program that worked on it has failed
                raise RunError(f"{self.path}: another program has removed this run; repeat it")
            yield claims
        except BaseException:
            if claims.are_only_ones():
                with suppress(RunError):
                    self._drop_if_empty()
            raise
        finally:
            claims.close()

    def _drop_if_empty(self) -> None:
        if self.done or any(self.journal().new_tasks()):
            return
        with _reported(self.path):
            for name in (JOURNAL, SETTINGS, LOCK):
                (self.path / name).unlink(missing_ok=True)
            self.path.rmdir()

    def settings(self) -> Document:
        """Return ``settings.json``."""
        path = self.path / SETTINGS
        try:
            document = json.loads(self.read(SETTINGS))
        except (ValueError, RecursionError) as error:
            raise RunError(f"{path}: not JSON: {error}") from None
        kinds = {}
        if type(document) is dict:
            kinds = {name: type(value) for name, value in document.items()}
        if not _SETTINGS.items() <= kinds.items():
            raise RunError(f"{path}: not a study's settings")
        settings: Document = document
        return settings

    @property
    def done(self) -> bool:
        """Whether the run is done and its rows are written."""
        return bool(self.settings().get("done")) and (self.path / ROWS).exists()

    def journal(self) -> "Journal":
        """Return the journal of a run that is not done."""
        return Journal(self.path / JOURNAL)

    def finish(self, about: Document) -> None:
        """Write the rows in the order of their tasks, add ``about``, and mark the run as done."""
        finished = self._finished()
        document = self._with_effort(finished)
        document["about"] |= about
        document["done"] = True
        rows = io.StringIO(newline="")
        with _reported(self.path / ROWS), interpreting(self.path / JOURNAL):
            writer = csv.writer(rows, lineterminator="\n")
            writer.writerow(document["columns"])
            for each in finished:
                writer.writerows(each.rows)
            document["rows_sha256"] = hashlib.sha256(rows.getvalue().encode()).hexdigest()
            self.write(ROWS, rows.getvalue())
            self._write_settings(document)
            (self.path / JOURNAL).unlink(missing_ok=True)

    def _finished(self) -> list[FinishedTask]:
        """Return the tasks of the journal in their order."""
        return sorted(self.journal().new_tasks(), key=attrgetter("task"))

    def _with_effort(self, finished: Sequence[FinishedTask]) -> Document:
        """Return the settings with the time that these tasks took."""
        return {**self.settings(), "cpu_seconds": round(sum(f.seconds for f in finished), 3)}

    def so_far(self) -> "RunSoFar":
        """Return what is finished of a run, done or not."""
        if self.done:
            settings = self.settings()
            return RunSoFar(self.rows(), settings, settings["tasks"])
        finished = self._finished()
        rows = tuple(tuple(map(str, row)) for each in finished for row in each.rows)
        settings = self._with_effort(finished)
        return RunSoFar(Table(tuple(settings["columns"]), rows), settings, len(finished))

    def rows(self) -> "Table":
        """Return the rows of a run that is done."""
        path = self.path / ROWS
        text = self.read(ROWS)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if self.settings().get("rows_sha256", digest) != digest:
            raise RunError(f"{path}: damaged, or changed since the run was done")
        try:
            columns, *rows = csv.reader(io.StringIO(text, newline=""))
        except (ValueError, csv.Error) as error:
            raise RunError(f"{path}: not rows: {error}") from None
        return Table(tuple(columns), tuple(tuple(row) for row in rows))

    def read(self, name: str) -> str:
        """Return a text file of the folder."""
        path = self.path / name
        with _reported(path), open_file(path) as file:
            try:
                return file.read().decode("utf-8")
            except UnicodeDecodeError as error:
                raise RunError(f"{path}: not UTF-8: {error}") from None

    def write(self, name: str, content: str) -> None:
        """Write a text file of the folder atomically."""
        try:
            save_file(self.path / name, content)
        except RecordError as error:
            raise RunError(str(error)) from None

    def _write_settings(self, document: Document) -> None:
        self.write(SETTINGS, json.dumps(document, indent=2) + "\n")


class Journal:
    """The finished tasks of a run, one a line; several programs may append to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tasks: set[int] = set()
        self._lines = 0
        self._bytes = 0

    def new_tasks(self) -> Iterator[FinishedTask]:
        """Yield the tasks that were finished since the last call, each once."""
        with _reported(self._path):
            if not self._path.exists():
                return
            with open_file(self._path) as lines:
                lines.seek(self._bytes)
                for line in lines:
                    if not line.endswith(b"\n"):
                        return
                    finished = self._read(line)
                    if finished.task not in self._tasks:
                        self._tasks.add(finished.task)
                        yield finished

    def _read(self, line: bytes) -> FinishedTask:
        """Return the task of the next line."""
        self._lines += 1
        self._bytes += len(line)
        try:
            return _finished(json.loads(line))
        except (ValueError, TypeError, RecursionError):
            raise RunError(f"{self._path}: line {self._lines} is damaged") from None

    def append(self, finished: FinishedTask, claims: Claims) -> None:
        """Write a task, while no other program writes; it is on disk when this returns."""
        line = [finished.task, finished.seconds, finished.rows]
        data = memoryview(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        with (
            _reported(self._path),
            claims.alone(b"journal"),
            open(self._path, "ab+", buffering=0) as file,
        ):
            _drop_broken_end(file)
            while data:
                data = data[file.write(data) :]


@dataclass(frozen=True)
class Table:
    """Rows read back from ``rows.csv``; every value is a string."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> list[str]:
        """Return a column by its name; raises RunError if there is none."""
        place = self._place(name)
        return [row[place] for row in self.rows]

    def where(self, **wanted: str | Sequence[str]) -> "Table":
        """Return the rows whose columns hold the values wanted, each one of several."""
        table = self
        for name, values in wanted.items():
            place = self._place(name)
            allowed = {values} if isinstance(values, str) else set(values)
            table = Table(self.columns, tuple(row for row in table.rows if row[place] in allowed))
        return table

    def records(self) -> list[dict[str, str]]:
        """Return the rows as dictionaries by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def distinct(self, name: str) -> tuple[str, ...]:
        """Return the different values of a column in the order of their first rows."""
        return tuple(dict.fromkeys(self.column(name)))

    def _place(self, name: str) -> int:
        if name not in self.columns:
            raise RunError(f"the rows have no column {name!r}")
        return self.columns.index(name)


@dataclass(frozen=True)
class RunSoFar:
    """The rows of a run's finished tasks, its settings, and how many tasks are finished."""

    rows: Table
    settings: Document
    finished: int


def _finished(line: Any) -> FinishedTask:
    """Return the task of a line of the journal. Raises ValueError or TypeError if it is none."""
    task, seconds, rows = line
    if type(task) is not int or type(seconds) not in (int, float):
        raise ValueError("not a task and its seconds")
    return FinishedTask(task, [tuple(row) for row in rows], seconds)


def _drop_broken_end(file: FileIO) -> None:
    """Remove an incomplete last line, which a program that ended while it wrote has left."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return
    file.seek(size - 1)
    if file.read(1) != b"\n":
        file.seek(0)
        file.truncate(file.readall().rfind(b"\n") + 1)


def _difference(name: str, old: Any, new: Any) -> str:
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        return _difference(f"{name} {keys[0]}", old.get(keys[0]), new.get(keys[0]))
    return f"{name}: {_short(old)} there, {_short(new)} now"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


@contextmanager
def interpreting(source: object) -> Iterator[None]:
    """Turn the errors that damaged or forged rows and settings cause into RunError."""
    try:
        yield
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise RunError(f"{source}: not the results of a study ({reason})") from None


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}") from None
