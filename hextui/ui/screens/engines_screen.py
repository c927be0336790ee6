"""The screen of attached engines: their list, states and log; the forms that set and test them."""

import shlex
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, Grid, Horizontal, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static, TextArea

from hextui.engines.attached_engine import STOPPED
from hextui.engines.attached_searches import EngineTestError, probe
from hextui.engines.engine_session import Direction, EngineSession, TrafficLine
from hextui.engines.registry import AttachedEngines
from hextui.settings.engine_config import AttachedConfig, Dialect, evaluator_of
from hextui.settings.engine_tables import (
    TABLE,
    read_engine,
    remove_engine,
    write_engine,
    written_engines,
)
from hextui.ui.screens.dialogs import Choice, ChoiceDialog, FormDialog, TextDialog
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.widgets.frame import ScreenKeys
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, LineList, TextLine

POLL = 0.25
"""Seconds between updates of the states and the log."""
NOTHING = """No other engine is attached.

a adds one: MoHex or Wolve, KataHex, or any program that speaks the
Hex Text Protocol, as hextui does with the command  hextui htp

An attached engine ranks moves beside our evaluators and searches lines."""
_STYLES = {Direction.SENT: BOLD, Direction.SAID: PLAIN}
_DIALECTS = {
    Dialect.HTP: "htp: MoHex, Wolve, hextui htp",
    Dialect.KATA: "kata: KataHex",
    Dialect.KATA_HZY: "kata-hzy: KataHex's first version",
}
_FIELDS = {
    "name": ("Name", "katahex"),
    "command": ("Command", "program and arguments, as in a shell"),
    "dialect": ("Dialect", ""),
    "folder": ("Folder", "where it runs; empty: where hextui runs"),
    "environment": ("Environment", "NAME=text NAME=text"),
    "start": ("At start", "commands to send, one a line"),
    "seconds": ("Seconds", "10"),
    "visits": ("Visits", "no limit"),
    "settled": ("Settled for", "never"),
    "smallest": ("Fewest rows", "1"),
    "largest": ("Most rows", "19"),
}
_NUMBERS = ("seconds", "visits", "settled", "smallest", "largest")
DONE = "The test is done."


class EnginesScreen(MessageScreen[tuple[str, ...]]):
    """The attached engines of a settings file, above the log of the selected one.

    Returns the evaluators that rank moves: those ``chosen`` before, with the engines checked now.
    """

    ABOUT = (
        "Other programs that play Hex. They rank moves beside our evaluators, search lines, and "
        "play against you."
    )
    BINDINGS = [
        ("escape", "close", "Close"),
        ("space", "rank", "Ranks"),
        ("a", "edit(True)", "Add"),
        ("e", "edit(False)", "Edit"),
        ("t", "test", "Test"),
        ("s", "run(True)", "Start"),
        ("x", "run(False)", "Stop"),
        ("delete", "remove", "Remove"),
    ]
    DEFAULT_CSS = """
    EnginesScreen { layout: vertical; }
    EnginesScreen Container {
        height: 1fr; border: round $secondary; padding: 0 1;
        &:focus-within { border: round $primary; }
    }
    EnginesScreen .engines { max-height: 40%; }
    EnginesScreen LineList > .lines--cursor { background: $foreground 25%; }
    EnginesScreen .nothing { padding: 1 2; height: 1fr; }
    """

    def __init__(self, engines: AttachedEngines, path: Path, chosen: Sequence[str]) -> None:
        super().__init__()
        self._engines = engines
        self._path = path
        self._chosen = tuple(chosen)
        self._list = LineList(
            point=lambda name: self._show_log(), choose=lambda name: self.action_edit(False)
        )
        self._log = LineList(id="log")
        self._listed: tuple[str, ...] = ()
        self._logged: tuple[str, int] = ("", 0)  # the engine whose log is shown, and how much of it
        self.changed = False
        """Whether an engine was started, stopped, changed or removed."""

    def compose(self) -> ComposeResult:
        with Container(classes="engines") as box:
            box.border_title = "Engines"
            yield self._list
        yield Static(NOTHING, classes="nothing", markup=False)
        with Container(classes="log"):
            yield self._log
        yield ScreenKeys()

    def on_mount(self) -> None:
        self._refresh()
        self._list.focus()
        self.set_interval(POLL, self._refresh)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Leave out what is about an engine while there is none."""
        needs_engine = action in ("rank", "test", "run", "remove") or parameters == (False,)
        return "" if self._listed or not needs_engine else "No engine is attached: a adds one"

    def action_close(self) -> None:
        self.dismiss(self._chosen)

    # Display

    def _refresh(self) -> None:
        configs = self._engines.configs
        names = tuple(config.name for config in configs)
        if names != self._listed:
            self._listed = names
            self.query_one(".engines").styles.height = len(names) + 2  # and the border
            self.refresh_bindings()
        self.query_one(".nothing").display = not names
        for box in self.query(Container):
            box.display = bool(names)
        wide = max(map(len, names), default=0)
        self._list.show([self._engine_line(config, wide) for config in configs])
        self._show_log()

    def _engine_line(self, config: AttachedConfig, wide: int) -> TextLine:
        name = config.name
        made = self._engines.made(name)
        mark = "[x]" if evaluator_of(name) in self._chosen else "[ ]"
        state = made.state if made else "not started"
        return TextLine(name, ((f"{mark} {name:<{wide}}  {config.dialect:<8}  {state}", PLAIN),))

    def _show_log(self) -> None:
        """Show the log of the engine with the cursor; its end stays visible."""
        name = self._list.pointed
        made = self._engines.made(name) if name else None
        count = made.traffic.count if made else 0
        if name is None or self._logged == (name, count):
            return
        log = self._log
        follows = self._logged[0] != name or self._shows_end
        self._logged = (name, count)
        kept = made.traffic.lines() if made else ()
        first = count - len(kept)
        log.show([_log_line(first + place, line) for place, line in enumerate(kept)])
        if follows and log.lines:
            log.point_at(log.lines[-1].key)
        title = f"Log of {name}:  > sent  < received  ! standard error  * started, ended"
        self.query_one(".log").border_title = title

    @property
    def _shows_end(self) -> bool:
        """Whether the cursor is on the last line of the log, or there is none."""
        return not self._log.lines or self._log.place == len(self._log.lines) - 1

    # Actions

    def action_rank(self) -> None:
        if (name := self._list.pointed) is not None:
            evaluator = evaluator_of(name)
            others = tuple(other for other in self._chosen if other != evaluator)
            if evaluator not in self._chosen:
                self._chosen = (*others, evaluator)
            elif others:
                self._chosen = others
            else:
                self.complain(
                    "Nothing else ranks moves: choose an evaluator first (C on the board)"
                )
            self._refresh()

    def action_run(self, on: bool) -> None:
        """Start or restart the engine, or end it: it is not used until it is started."""
        if (name := self._list.pointed) is not None:
            engine = self._engines.engine(name)
            if on:
                engine.start()
            elif engine.state == STOPPED:
                self.complain(f"{name} is stopped already")
                return
            else:
                engine.halt()
            self.changed = True
            self._refresh()

    @work(group="dialogs")
    async def action_test(self) -> None:
        if (name := self._list.pointed) is not None:
            config = self._engines.engine(name).config
            await self.app.push_screen_wait(EngineTestDialog(config))

    @work(group="dialogs")
    async def action_edit(self, new: bool) -> None:
        name = "" if new else self._list.pointed
        if name is None:
            return

        def write(new_name: str, table: Mapping[str, Any]) -> None:
            configs = write_engine(self._path, new_name, table, instead_of=name)
            self._engines.configure(configs)
            self.changed = True

        try:
            table = written_engines(self._path).get(name, {}) if name else {}
        except ValueError as error:
            self.complain(error)
            return
        title = f"Settings of {name}" if name else "Add an engine"
        saved = await self.app.push_screen_wait(EngineForm(title, name, table, write))
        if saved is not None:
            renamed = {evaluator_of(name): evaluator_of(saved)}
            self._chosen = tuple(renamed.get(other, other) for other in self._chosen)
            self._refresh()
            self._list.point_at(saved)
            self._show_log()

    @work(group="dialogs")
    async def action_remove(self) -> None:
        if (name := self._list.pointed) is None:
            return
        choices = [Choice("y", "Remove", "remove"), Choice("n", "Keep", "keep")]
        question = f"Remove {name} from {self._path}?"
        if await self.app.push_screen_wait(ChoiceDialog("Engine", question, choices)) != "remove":
            return
        try:
            self._engines.configure(remove_engine(self._path, name))
        except ValueError as error:
            self.complain(error)
            return
        self.changed = True
        self._chosen = tuple(other for other in self._chosen if other != evaluator_of(name))
        self._refresh()


def _log_line(key: int, line: TrafficLine) -> TextLine:
    style = _STYLES.get(line.direction, DIM)
    return TextLine(key, ((f"{line.seconds:9.3f} ", DIM), (f"{line.direction} {line.text}", style)))


class EngineForm(FormDialog[str]):
    """Asks for the settings of an engine; returns its name.

    ``write`` saves the name and the engine's table, or raises ValueError.
    """

    ACCEPT = "Enter saves"
    BINDINGS = [("ctrl+t", "test", "Test"), ("ctrl+s", "accept", "Save")]
    DEFAULT_CSS = """
    EngineForm > Vertical { width: 78; }
    EngineForm Grid {
        grid-size: 2;
        grid-columns: 12 1fr;
        grid-rows: 1 1 1 1 1 3 1 1 1;
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
        write: Callable[[str, Mapping[str, Any]], None],
    ) -> None:
        super().__init__(title)
        self._texts = {"name": name, **texts_of(settings)}
        self._write = write

    def body(self) -> ComposeResult:
        with Grid():
            for field in ("name", "command", "dialect", "folder", "environment", "start"):
                yield Label(_FIELDS[field][0])
                yield self._field(field)
            for first, *others in (("seconds", "visits"), ("smallest", "largest"), ("settled",)):
                yield Label(_FIELDS[first][0])
                with Horizontal(classes="pair"):
                    yield self._field(first)
                    for second in others:
                        yield Label(_FIELDS[second][0])
                        yield self._field(second)
        yield Static(classes="error", markup=False)
        with Horizontal():
            yield Button("Test (^t)", action="screen.test", compact=True)
            yield Button("Save (^s)", action="screen.accept", compact=True)

    def _field(self, field: str) -> Input | TextArea | Select[str]:
        text = self._texts[field]
        hint = _FIELDS[field][1]
        if field == "dialect":
            choices = [(words, dialect.value) for dialect, words in _DIALECTS.items()]
            return Select(choices, value=text, allow_blank=False, id=field, compact=True)
        if field == "start":
            return TextArea(text, id=field, compact=True, placeholder=hint)
        return Input(text, hint, id=field, compact=True)

    def read(self) -> str:
        name, table = self._settings()
        self._write(name, table)
        return name

    def _settings(self) -> tuple[str, dict[str, Any]]:
        texts = {field.id or "": field.value.strip() for field in self.query(Input)}
        texts["start"] = self.query_one(TextArea).text
        texts["dialect"] = str(self.query_one(Select).value)
        name = texts.pop("name")
        return name, table_of(name, texts)

    @on(TextArea.Changed)
    def _clear_error_of_text(self) -> None:
        self.complain("")

    @work(group="dialogs")
    async def action_test(self) -> None:
        try:
            config = checked(*self._settings())
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
        yield from super().body()
        yield Static("Starting ...", classes="hint", markup=False)

    def on_mount(self) -> None:
        threading.Thread(target=self._probe, name="engine-test", daemon=True).start()

    def on_unmount(self) -> None:
        self._left.set()
        if self._session is not None and not self._ended:
            self._session.kill()

    def _probe(self) -> None:
        """Test the engine; runs in a thread."""
        end = ""
        try:
            for finding in probe(self._config, self._take_session):
                if isinstance(finding, str):
                    self.call_later(self._show_finding, finding[:1].upper() + finding[1:])
                else:
                    self.call_later(self._show_hint, f"Running: {finding.label} ({finding.amount})")
        except EngineTestError as error:
            end = f"Failed: {error}"
        self.call_later(self._show_finding, end, end=True)

    def _take_session(self, session: EngineSession) -> None:
        self._session = session
        if self._left.is_set():
            session.kill()

    def _show_finding(self, line: str, end: bool = False) -> None:
        self._text = "\n".join(filter(None, [self._text, line]))
        self._ended = end
        self.query_one("#text", Static).update(self._text)
        if end:
            self._show_hint(DONE)
        self.query_one(VerticalScroll).scroll_end(animate=False)

    def _show_hint(self, text: str) -> None:
        self.query_one(".hint", Static).update(text)


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
        **{name: str(settings.get(name, "")) for name in _NUMBERS},
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
    for key in _NUMBERS:
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
        raise ValueError(f"environment: {word} is not NAME=text")
    return name, text


def _number(key: str, text: str) -> int | float:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    raise ValueError(f"{key}: {text} is not a number")
