"""The application: themes, the command palette, files, and leaving without losing edits."""

import asyncio
import gc
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType, Keymap
from textual.message import Message
from textual.screen import Screen
from textual.theme import Theme

from hextui.engine.board import Board
from hextui.engines.engine import OpenLane
from hextui.locations import data_folder
from hextui.records.errors import RecordError
from hextui.records.record import Record
from hextui.records.text import printable
from hextui.ui import files, keys
from hextui.ui.desk import DeskApp
from hextui.ui.drawing import themes
from hextui.ui.live.analyst import MakeAnalyst
from hextui.ui.live.survey import MakeGameAnalyst
from hextui.ui.main.main_screen import MainScreen
from hextui.ui.session import Session
from hextui.ui.settings import Settings

WAY_SECONDS = 0.02
"""For so long after a key or a click nothing is done but what it asks for."""
_PRESSED = (events.Key, events.MouseDown, events.MouseScrollDown, events.MouseScrollUp)


class HextuiApp(DeskApp):
    """The workstation, opened on one session.

    ``ask_game``: if that session's file holds several games, ask which one is meant.
    """

    TITLE = "hextui"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, system=True)]
    CSS = """
    DataTable, VerticalScroll { scrollbar-size: 1 1; }
    ToastRack { margin-bottom: 2; }
    SearchIcon { display: none; }
    Footer.-compact FooterKey.-command-palette { margin-right: 0; }
    """

    def __init__(
        self,
        session: Session | None = None,
        make_analyst: MakeAnalyst | None = None,
        keymap: Keymap | None = None,
        state: Path | None = None,
        settings: Settings | None = None,
        own_themes: Sequence[Theme] = (),
        library: Path | None = None,
        make_game_analyst: MakeGameAnalyst | None = None,
        open_lane: OpenLane | None = None,
        ask_game: bool = False,
    ) -> None:
        super().__init__(state)
        self._ask_game = ask_game
        self._make_game_analyst = make_game_analyst
        self._open_lane = open_lane
        self._make_analyst = make_analyst
        self.library = library
        self.keymap = keymap or {}
        self._first_session = session or Session(Record(Board(11, 11)))
        self._sessions = [self._first_session]
        self._own_themes = tuple(own_themes)
        for theme in (*themes.THEMES, *self._own_themes):
            self.register_theme(theme)
        kept = self._memory.settings() if self._memory else Settings()
        self._settings = (settings or Settings()).over(kept)
        wanted = self._settings.theme
        self.theme = wanted if wanted in self.available_themes else themes.DEFAULT
        self.set_keymap(self.keymap)

    def get_default_screen(self) -> Screen[Any]:
        """Return the main screen."""
        return MainScreen(
            self._first_session,
            self._make_analyst,
            self._settings,
            self.library,
            self._make_game_analyst,
            self._open_lane,
        )

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        screen = self.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    async def on_event(self, event: events.Event) -> None:
        """Handle an event; until what a key or a click changes is painted, nothing else is done."""
        if isinstance(event, _PRESSED) and not event.is_forwarded:
            self._make_way()
        await super().on_event(event)

    def on_unmount(self) -> None:
        """Look for garbage again, though a key was pressed only just now."""
        gc.enable()

    def _make_way(self) -> None:
        """Let analysis, panels and garbage collection rest for a moment."""
        gc.disable()
        asyncio.get_running_loop().call_later(WAY_SECONDS, gc.enable)
        if self.screen_stack:
            self.main.give_way(time.monotonic() + WAY_SECONDS)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer every action, and what Textual brings, in the command palette."""
        for action in keys.ACTIONS:
            run = partial(self.run_action, action.call, self.main)
            yield SystemCommand(action.label, action.tooltip, run)
        for name in self._recent_files():
            path = Path(name)
            label = f"Open {printable(path.name)}"
            found = f"Last used, in {printable(str(path.parent))}"
            yield SystemCommand(label, found, partial(self._open_file, name))
        yield SystemCommand("Theme", "Choose from all themes", self.action_change_theme)

    def get_key_display(self, binding: Binding) -> str:
        """Write keys in plain characters, of which no terminal doubts the width."""
        return binding.key_display or keys.shown(binding.key).replace("ctrl+", "^")

    @dataclass
    class EngineDied(Message):
        """The engine's process has died."""

        line: str

    def hear_of_death(self, line: str) -> None:
        """Take word of the engine's death, from any thread."""
        self.post_message(self.EngineDied(line))

    @on(EngineDied)
    def _tell_of_death(self, event: EngineDied) -> None:
        self.main.complain(event.line)

    def on_mount(self) -> None:
        """Say what is wrong with the user's keymap."""
        for problem in keys.problems(self.keymap):
            self.notify(problem, title="Keys", severity="warning", markup=False)
        if self._ask_game:
            self._choose_first()

    def action_next_theme(self) -> None:
        """Take the next of the themes made for the board."""
        names = [theme.name for theme in (*themes.THEMES, *self._own_themes)]
        at = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(at + 1) % len(names)]

    def action_help_keys(self) -> None:
        """Show all keys."""
        from hextui.ui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.keymap))

    def action_studies(self) -> None:
        """Show results of studies."""
        from hextui.ui.screens.studies import StudiesScreen

        self.push_screen(StudiesScreen(data_folder() / "studies"))

    @property
    def chosen(self) -> Settings:
        """What the user chose, for the next start."""
        return self.main.chosen

    # Records

    @work(exclusive=True, group="dialogs")
    async def action_open(self) -> None:
        """Ask for a file or a link and open it."""
        from hextui.ui.screens.opening import OpenDialog

        session = await self.push_screen_wait(OpenDialog(self._recent_files()))
        if session is not None:
            self.open_session(await self._choose_game(session))

    @work(exclusive=True, group="dialogs")
    async def _open_file(self, name: str) -> None:
        """Open a file last used."""
        try:
            session = files.open_session(name)
        except RecordError as error:
            self.main.complain(error)
        else:
            self.open_session(await self._choose_game(session))

    def _recent_files(self) -> list[str]:
        """Return the files last used that are still there, the newest first."""
        names = self._memory.recent() if self._memory else []
        return [name for name in names if Path(name).is_file()]

    @work(group="games")
    async def _choose_first(self) -> None:
        """Ask for a game of the file the program was started with."""
        first = self._first_session
        chosen = await self._choose_game(first)
        if chosen is not first:
            self.replace_session(first, chosen)

    async def _choose_game(self, first: Session) -> Session:
        """Ask which game of the file of ``first`` is meant, if it holds several; open that."""
        origin = first.record.origin
        if origin is None or origin.path is None or origin.alone:
            return first
        from hextui.ui.screens.choosing import GamesDialog

        number = await self.push_screen_wait(GamesDialog(origin.path))
        if number is None or number == origin.number:
            return first
        try:
            return await asyncio.to_thread(files.open_session, str(origin.path), number)
        except RecordError as error:
            self.main.complain(error)
            return first

    @work(exclusive=True, group="dialogs")
    async def action_new(self) -> None:
        """Ask for a size and start an empty board."""
        from hextui.ui.screens.dialogs import LineDialog

        hint = "Size: 11, or columns x rows: 13x9. Sides are 1 to 19."
        size = files.size_text(self.session.board)
        board = await self.push_screen_wait(LineDialog("New board", hint, files.read_size, size))
        if board is not None:
            self.open_session(Session(Record(board)))

    @work(exclusive=True, group="dialogs")
    async def action_save(self) -> None:
        """Save the record where it came from, or ask for a name."""
        await self.save()

    @work(exclusive=True, group="dialogs")
    async def action_save_as(self) -> None:
        """Save the record under another name."""
        await self.save(ask=True)

    @work(exclusive=True, group="dialogs")
    async def action_quit(self) -> None:  # type: ignore[override]
        """Leave; edits that are not saved are asked about first."""
        self.main.keep_comment()
        if await self.may_leave():
            self.leave()

    async def _may_overwrite(self, destroyed: str) -> bool:
        """Ask whether a file may be replaced."""
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog

        choices = (Choice("o", "Overwrite", "overwrite"),)
        answer = await self.push_screen_wait(ChoiceDialog("Overwrite?", destroyed, choices))
        return answer == "overwrite"

    async def save(self, *, ask: bool = False) -> bool:
        """Save, and ask for a name if there is none or ``ask`` is set; False if it was not."""
        from hextui.ui.screens.dialogs import LineDialog

        session = self.session
        path = session.path
        if path is None or ask:
            value = str(path or f"{session.board}.sgf")
            path = await self.push_screen_wait(
                LineDialog(
                    "Save as",
                    "The file's name; its ending chooses the format, SGF by default.",
                    files.read_path,
                    value,
                )
            )
        if path is None:
            return False
        destroyed = files.overwriting(session, path)
        if destroyed and not await self._may_overwrite(destroyed):
            return False
        try:
            lost = files.save_session(session, path)
        except RecordError as error:
            self.main.complain(error)
            return False
        self.main.show()
        left_out = f"; left out: {', '.join(lost)}" if lost else ""
        self.notify(f"Saved {path}{left_out}", timeout=4, markup=False)
        return not lost
