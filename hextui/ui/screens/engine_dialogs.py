"""Dialogs that add, change and test an attached engine."""

import shlex
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Grid, Horizontal, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static, TextArea

from hextui.engines.attached_searches import last_lines, probe
from hextui.engines.engine import EngineGoneError
from hextui.engines.engine_config import AttachedConfig, Dialect
from hextui.engines.engine_session import EngineSession, RefusedError
from hextui.settings.engine_tables import TABLE, read_engine
from hextui.ui.screens.dialogs import FormDialog, TextDialog

_DIALECTS = {
    Dialect.HTP: "htp: MoHex, Wolve, hextui htp",
    Dialect.KATA: "kata: KataHex",
    Dialect.KATA_HZY: "kata-hzy: KataHex's first version",
}
_FIELDS = {
    "name": ("Name", "katahex"),
    "command": ("Command", "program and arguments, as in a shell"),
    "dialect": ("It speaks", ""),
    "folder": ("Runs in", "a folder; empty: where hextui runs"),
    "environment": ("Environment", "NAME=text NAME=text"),
    "start": ("First sent", "commands, one a line"),
    "seconds": ("Seconds", "10"),
    "visits": ("Visits", "no limit"),
    "smallest": ("Rows, least", "1"),
    "largest": ("Rows, most", "19"),
}
_WHOLE = ("visits", "smallest", "largest")  # settings that are whole numbers
DONE = "The test is done."


@dataclass(frozen=True)
class EngineSettings:
    """An engine's name, and its table in the settings file."""

    name: str
    table: Mapping[str, Any]


class EngineForm(FormDialog[EngineSettings]):
    """Asks for the settings of an engine; ``write`` saves them or raises ValueError."""

    ACCEPT = "Enter saves"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+t", "test", "Test"),
        ("ctrl+s", "accept", "Save"),
    ]
    DEFAULT_CSS = """
    EngineForm > Vertical { width: 78; }
    EngineForm Grid {
        grid-size: 2;
        grid-columns: 12 1fr;
        grid-rows: 1 1 1 1 1 3 1 1;
        height: auto;
    }
    EngineForm Grid Input, EngineForm Grid Label { height: 1; }
    EngineForm Grid TextArea { height: 3; padding: 0; }
    EngineForm Grid .pair { height: 1; align-horizontal: left; }
    EngineForm .pair Input { width: 14; }
    EngineForm .pair Label { width: 14; margin-left: 4; }
    """

    def __init__(
        self,
        title: str,
        name: str,
        settings: Mapping[str, Any],
        write: Callable[[EngineSettings], None],
    ) -> None:
        super().__init__(title)
        self._texts = {"name": name, **texts_of(settings)}
        self._write = write

    def body(self) -> ComposeResult:
        """Make the fields, a place for an error, and the buttons."""
        with Grid():
            for field in ("name", "command", "dialect", "folder", "environment", "start"):
                yield Label(_FIELDS[field][0])
                yield self._field(field)
            for first, second in (("seconds", "visits"), ("smallest", "largest")):
                yield Label(_FIELDS[first][0])
                with Horizontal(classes="pair"):
                    yield self._field(first)
                    yield Label(_FIELDS[second][0])
                    yield self._field(second)
        yield Static(classes="error", markup=False)
        with Horizontal():
            yield Button("Test (^t)", action="screen.test", compact=True)
            yield Button("Save (^s)", action="screen.accept", compact=True)

    def _field(self, field: str) -> Input | TextArea | Select[str]:
        text, hint = self._texts[field], _FIELDS[field][1]
        if field == "dialect":
            choices = [(words, dialect.value) for dialect, words in _DIALECTS.items()]
            return Select(choices, value=text, allow_blank=False, id=field, compact=True)
        if field == "start":
            return TextArea(text, id=field, compact=True, placeholder=hint)
        return Input(text, hint, id=field, compact=True)

    def read(self) -> EngineSettings:
        """Return the settings of the fields, which have been saved."""
        settings = self._settings()
        self._write(settings)
        return settings

    def _settings(self) -> EngineSettings:
        texts = {field.id or "": field.value.strip() for field in self.query(Input)}
        texts["start"] = self.query_one(TextArea).text
        texts["dialect"] = str(self.query_one(Select).value)
        name = texts.pop("name")
        return EngineSettings(name, table_of(name, texts))

    @on(TextArea.Changed)
    def _clear_error_of_text(self) -> None:
        self.complain("")

    @work(group="dialogs")
    async def action_test(self) -> None:
        """Test an engine with these settings."""
        try:
            settings = self._settings()
            config = checked(settings.name, settings.table)
        except ValueError as error:
            self.complain(error)
        else:
            await self.app.push_screen_wait(EngineTestDialog(config))


class EngineTestDialog(TextDialog):
    """Starts an engine, tests it, and shows what it answers; Escape ends it."""

    DEFAULT_CSS = """
    EngineTestDialog > Vertical { width: 76; }
    """

    def __init__(self, config: AttachedConfig) -> None:
        super().__init__(f"Test of {config.name}", "")
        self._config = config
        self._ended = False
        self._left = threading.Event()
        self._session: EngineSession | None = None

    def body(self) -> ComposeResult:
        """Make the findings, and whether the test goes on."""
        yield from super().body()
        yield Static("It is being started ...", classes="hint", markup=False)

    def on_mount(self) -> None:
        """Begin the test."""
        threading.Thread(target=self._probe, name="engine-test", daemon=True).start()

    def on_unmount(self) -> None:
        """End the engine, if it still runs."""
        self._left.set()
        if self._session is not None and not self._ended:
            self._session.kill()

    def _probe(self) -> None:
        """Test the engine; runs in a thread."""
        name = self._config.name
        end = ""
        try:
            for line in probe(self._config, self._take_session):
                self.call_later(self._show_finding, line[:1].upper() + line[1:])
        except EngineGoneError as error:
            end = "\n".join(filter(None, [f"It fails: {name} {error}", last_lines(error)]))
        except RefusedError as error:
            end = f"It fails: {name} answers: {error}"
        self.call_later(self._show_finding, end, end=True)

    def _take_session(self, session: EngineSession) -> None:
        self._session = session
        if self._left.is_set():
            session.kill()

    def _show_finding(self, line: str, end: bool = False) -> None:
        self._text = "\n".join(filter(None, [self._text, line]))
        self._ended = end
        self.query_one("#text", Static).update(self._text)
        self.query_one(".hint", Static).update(DONE if end else "It goes on ...")
        self.query_one(VerticalScroll).scroll_end(animate=False)


def texts_of(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of the fields for an engine's table; '' where it has no value.

    >>> texts_of({"command": ["a b", "c"], "environment": {"X": "1"}, "seconds": 2.5})["command"]
    "'a b' c"
    """
    environment = settings.get("environment", {})
    return {
        "command": shlex.join(settings.get("command", ())),
        "dialect": settings.get("dialect", Dialect.HTP.value),
        "folder": settings.get("folder", ""),
        "environment": shlex.join(f"{name}={text}" for name, text in environment.items()),
        "start": "\n".join(settings.get("start", ())),
        **{name: str(settings.get(name, "")) for name in ("seconds", *_WHOLE)},
    }


def table_of(name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the table for the texts of the fields. Raises ValueError with one line.

    >>> table_of("one", {"command": "'a b' c", "seconds": "2"})
    {'command': ['a b', 'c'], 'seconds': 2}
    """
    settings: dict[str, Any] = {"command": _words("command", texts.get("command", ""))}
    if not settings["command"]:
        raise ValueError("command: the program is missing")
    if texts.get("dialect", "") not in ("", Dialect.HTP):
        settings["dialect"] = texts["dialect"]
    if folder := texts.get("folder", "").strip():
        settings["folder"] = folder
    if words := _words("environment", texts.get("environment", "")):
        settings["environment"] = dict(map(_assigned, words))
    if lines := [line.strip() for line in texts.get("start", "").splitlines() if line.strip()]:
        settings["start"] = lines
    for key in ("seconds", *_WHOLE):
        if text := texts.get(key, "").strip():
            settings[key] = _number(key, text)
    checked(name, settings)
    return settings


def checked(name: str, settings: Mapping[str, Any]) -> AttachedConfig:
    """Read an engine's table. Raises ValueError with one line, without the table's name."""
    try:
        return read_engine(name, settings)
    except ValueError as error:
        raise ValueError(str(error).removeprefix(f"{TABLE}.{name}").lstrip(".: ")) from None


def _words(key: str, text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{key}: {str(error).lower()}") from None


def _assigned(word: str) -> tuple[str, str]:
    name, equals, text = word.partition("=")
    if not (name and equals):
        raise ValueError(f"environment: {word} is no NAME=text")
    return name, text


def _number(key: str, text: str) -> int | float:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    raise ValueError(f"{key}: {text} is no number")
