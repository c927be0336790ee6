"""The dialog that adds an engine or changes one: a field for each of its settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Horizontal, Vertical
from textual.widgets import Button, Input, Label, Select, Static, TextArea

from hextui.engines.attached.engine_config import Dialect
from hextui.ui.screens.dialogs import Dialog
from hextui.ui.screens.engine_fields import checked, table_of, texts_of
from hextui.ui.screens.engine_test import EngineTestDialog

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


@dataclass(frozen=True)
class EngineSettings:
    """An engine's name and its table, as it is to be written."""

    name: str
    table: Mapping[str, Any]


class EngineForm(Dialog[EngineSettings]):
    """Asks for the settings of an engine; ``write`` takes them over or raises ValueError."""

    ACCEPT = "Enter saves"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "test", "Test", id="engine.test"),
        Binding("ctrl+s", "accept", "Save", id="engine.save"),
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

    def compose(self) -> ComposeResult:
        """Make the box: the fields, what is wrong, and the buttons."""
        with Vertical() as box:
            self.frame(box)
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
                yield Button("Test (^t)", id="test", compact=True)
                yield Button("Save (^s)", id="save", compact=True)

    def _field(self, field: str) -> Input | TextArea | Select[str]:
        text, hint = self._texts[field], _FIELDS[field][1]
        if field == "dialect":
            choices = [(words, dialect.value) for dialect, words in _DIALECTS.items()]
            return Select(choices, value=text, allow_blank=False, id=field, compact=True)
        if field == "start":
            return TextArea(text, id=field, compact=True, placeholder=hint)
        return Input(text, hint, id=field, compact=True)

    def _read(self) -> EngineSettings:
        """Return what the fields say; raises ValueError."""
        texts = {field.id or "": field.value.strip() for field in self.query(Input)}
        texts["start"] = self.query_one(TextArea).text
        texts["dialect"] = str(self.query_one(Select).value)
        name = texts.pop("name")
        return EngineSettings(name, table_of(name, texts))

    def _complain(self, problem: str) -> None:
        self.query_one(".error", Static).update(problem)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _clear_error(self) -> None:
        self._complain("")

    @on(Button.Pressed, "#save")
    @on(Input.Submitted)
    def action_accept(self) -> None:
        """Save, and close the dialog."""
        try:
            settings = self._read()
            self._write(settings)
        except ValueError as error:
            self._complain(str(error))
        else:
            self.dismiss(settings)

    @on(Button.Pressed, "#test")
    @work(group="dialogs")
    async def action_test(self) -> None:
        """Try out what the fields say."""
        try:
            settings = self._read()
            config = checked(settings.name, settings.table)
        except ValueError as error:
            self._complain(str(error))
        else:
            await self.app.push_screen_wait(EngineTestDialog(config))
