"""The screen of attached engines: their list, their states, and their log."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hextui.engines.engine_config import evaluator_of
from hextui.engines.engine_session import Direction, TrafficLine
from hextui.settings.engine_tables import (
    AttachedEngines,
    remove_engine,
    write_engine,
    written_engines,
)
from hextui.ui.screens.dialogs import Choice, ChoiceDialog
from hextui.ui.screens.engine_dialogs import EngineForm, EngineSettings, EngineTestDialog
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.key_lines import ScreenKeys
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, LineList, TextLine

POLL = 0.25
"""Seconds between updates of the states and the log."""
NOTHING = """No other engine is attached.

a adds one: MoHex or Wolve, KataHex, or any program that speaks the
Hex Text Protocol, as hextui does with the command  hextui htp

An engine ranks moves beside our own evaluators, and judges lines."""
_STYLES = {Direction.SENT: BOLD, Direction.SAID: PLAIN}


class EnginesScreen(BaseScreen[tuple[str, ...]]):
    """The attached engines of a settings file, above the log of the selected one.

    Returns the evaluators that rank moves: those ``chosen`` before, with the engines checked now.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,7", "close", "Close"),
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
    EnginesScreen OptionList { height: auto; max-height: 40%; padding: 0 1; }
    EnginesScreen OptionList, EnginesScreen .log {
        border: round $secondary;
        &:focus, &:focus-within { border: round $primary; }
    }
    EnginesScreen .log { height: 1fr; padding: 0 1; }
    EnginesScreen .nothing { padding: 1 2; height: 1fr; }
    """

    def __init__(self, engines: AttachedEngines, path: Path, chosen: Sequence[str]) -> None:
        super().__init__()
        self._engines = engines
        self._path = path
        self._chosen = tuple(chosen)
        self._listed: tuple[str, ...] = ()
        self._logged: tuple[str, int] = ("", 0)  # the engine whose log is shown, and how much of it
        self.changed = False
        """Whether an engine was started, stopped, changed or removed."""

    def compose(self) -> ComposeResult:
        """Make the list, the log below it, and the keys."""
        yield OptionList(markup=False)
        yield Static(NOTHING, classes="nothing", markup=False)
        with Container(classes="log"):
            yield LineList()
        yield ScreenKeys()

    def on_mount(self) -> None:
        """Show the engines, and update them regularly."""
        self.query_one(OptionList).border_title = "Engines"
        self._refresh()
        self.query_one(OptionList).focus()
        self.set_interval(POLL, self._refresh)

    def action_close(self) -> None:
        """Go back to the board."""
        self.dismiss(self._chosen)

    # Display

    @property
    def _at(self) -> str | None:
        """The name of the selected engine."""
        option = self.query_one(OptionList).highlighted_option
        return None if option is None else option.id

    def _refresh(self) -> None:
        """Update the engines, their states, and the log."""
        rows, configs = self.query_one(OptionList), self._engines.configs
        names = tuple(config.name for config in configs)
        self.query_one(".nothing").display = not names
        rows.display = self.query_one(".log").display = bool(names)
        if names != self._listed:
            at, self._listed = self._at, names
            rows.clear_options()
            rows.add_options([Option(name, name) for name in names])
            rows.highlighted = names.index(at) if at in names else 0 if names else None
        wide = max(map(len, names), default=0)
        for name, config in zip(names, configs, strict=True):
            made = self._engines.made(name)
            mark = "[x]" if evaluator_of(name) in self._chosen else "[ ]"
            state = made.state if made else "not started"
            row = f"{mark} {name:<{wide}}  {config.dialect:<8}  {state}"
            if str(rows.get_option(name).prompt) != row:
                rows.replace_option_prompt(name, row)
        self._log()

    @on(OptionList.OptionHighlighted)
    def _log(self) -> None:
        """Show the log of the selected engine; its end stays visible."""
        name = self._at
        made = self._engines.made(name) if name else None
        count = made.traffic.count if made else 0
        if name is None or self._logged == (name, count):
            return
        rows = self.query_one(LineList)
        follows = self._logged[0] != name or not rows.lines or rows.pointed == rows.lines[-1].key
        self._logged = (name, count)
        kept = made.traffic.lines() if made else ()
        first = count - len(kept)
        rows.show([_line(first + place, line) for place, line in enumerate(kept)])
        if follows and rows.lines:
            rows.point_at(rows.lines[-1].key)
        title = f"Log of {name}:  > sent  < received  ! standard error  * started, ended"
        self.query_one(".log").border_title = title

    # Actions

    def action_rank(self) -> None:
        """Let the engine rank moves beside our own evaluators, or stop that."""
        if (name := self._at) is not None:
            evaluator = evaluator_of(name)
            others = tuple(one for one in self._chosen if one != evaluator)
            if evaluator not in self._chosen:
                self._chosen = (*others, evaluator)
            elif others:
                self._chosen = others
            else:
                self._complain("Nothing else ranks moves: choose it first (C on the board)")
            self._refresh()

    def action_run(self, on: bool) -> None:
        """Start or restart the engine, or end it: it is not used until it is started."""
        if (name := self._at) is not None:
            engine = self._engines.engine(name)
            if on:
                engine.start()
            else:
                engine.halt()
            self.changed = True
            self._refresh()

    @work(group="dialogs")
    async def action_test(self) -> None:
        """Test the engine in a new process."""
        if (name := self._at) is not None:
            config = self._engines.engine(name).config
            await self.app.push_screen_wait(EngineTestDialog(config))

    @on(OptionList.OptionSelected)
    def _edit_chosen(self) -> None:
        self.action_edit(False)

    @work(group="dialogs")
    async def action_edit(self, new: bool) -> None:
        """Ask for the settings of the engine, or of a new one, and use what is saved."""
        name = "" if new else self._at
        if name is None:
            return

        def write(settings: EngineSettings) -> None:
            configs = write_engine(self._path, settings.name, settings.table, instead_of=name)
            self._engines.configure(configs)
            self.changed = True

        try:
            table = written_engines(self._path).get(name, {}) if name else {}
        except ValueError as error:
            self._complain(error)
            return
        title = f"Settings of {name}" if name else "Add an engine"
        saved = await self.app.push_screen_wait(EngineForm(title, name, table, write))
        if saved is not None:
            before, after = evaluator_of(name), evaluator_of(saved.name)
            self._chosen = tuple(after if one == before else one for one in self._chosen)
            self._refresh()
            self.query_one(OptionList).highlighted = self._listed.index(saved.name)

    @work(group="dialogs")
    async def action_remove(self) -> None:
        """Remove the engine from the settings file, if the user confirms."""
        if (name := self._at) is None:
            return
        choices = [Choice("y", "Remove", "remove"), Choice("n", "Keep", "keep")]
        question = f"Remove {name} from {self._path}?"
        if await self.app.push_screen_wait(ChoiceDialog("Engine", question, choices)) != "remove":
            return
        try:
            self._engines.configure(remove_engine(self._path, name))
        except ValueError as error:
            self._complain(error)
            return
        self.changed = True
        self._chosen = tuple(one for one in self._chosen if one != evaluator_of(name))
        self._refresh()

    def _complain(self, error: object) -> None:
        self.notify(str(error), severity="warning", timeout=8, markup=False)


def _line(key: int, line: TrafficLine) -> TextLine:
    """Return a line of the log: time, direction and text."""
    style = _STYLES.get(line.direction, DIM)
    return TextLine(key, ((f"{line.seconds:9.3f} ", DIM), (f"{line.direction} {line.text}", style)))
