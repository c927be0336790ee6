"""The application: its themes, the command palette, and the objects it holds."""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events, on, work
from textual.app import SuspendNotSupported
from textual.binding import Binding
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widgets import Input, TextArea

from hextui.children import python_command, signal_all_groups
from hextui.records.record_text import printable, shorten
from hextui.ui.app import keys
from hextui.ui.app.command_palette import OTHER_WORDS, CommandScreen, Entry, provider_of
from hextui.ui.app.config import Config
from hextui.ui.app.main_screen import MainScreen, all_actions, screen_actions
from hextui.ui.app.settings import UserState
from hextui.ui.app.talk import Talk
from hextui.ui.app.workspace import Services
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, overlay_name
from hextui.ui.drawing.painter import HARMLESS, of_texts
from hextui.ui.drawing.palette import DEFAULT_THEME, THEMES
from hextui.ui.panels.all_panels import PANEL_TEXTS
from hextui.ui.record.open_records import OpenRecords
from hextui.ui.record.session import Session
from hextui.ui.safety import recovery, terminal
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.textual_fixes import CrashReportingApp
from hextui.ui.widgets.frame import MessageLine

if TYPE_CHECKING:
    from hextui.ui.screens.guess_screen import GuessScreen
    from hextui.ui.screens.puzzle_screen import PuzzleScreen
from hextui.text import Names

_RELEASE = 0.03  # seconds between two keys that were held
_SHOWN_PROBLEMS = 3  # of the settings, in full


class HextuiApp(CrashReportingApp):
    """The workstation, opened on one session.

    ``state`` is the folder for what one run leaves to the next; without one nothing is kept.
    ``ask_game``: if the session's file holds several games, ask which one is meant. ``typed``: the
    keys that were pressed before the app began to read them. ``play``: settings of a game to begin
    at once, as texts. ``today``: whose day is begun at once, '' for the user's.
    """

    TITLE = "hextui"
    BINDINGS = [
        Binding("ctrl+q", action="quit", show=False, system=True, priority=True),
        Binding("ctrl+r", action="redraw", show=False, system=True, priority=True, id="redraw"),
        Binding(
            "ctrl+z", action="suspend_process", show=False, system=True, priority=True, id="suspend"
        ),
    ]
    CSS = """
    VerticalScroll { scrollbar-size: 1 1; }
    ToastRack { margin-bottom: 2; }
    SearchIcon { display: none; }
    /* no text is wrapped in less than a column, whatever padding and scrollbars take */
    OptionList, VerticalScroll > Static { min-width: 10; }
    """

    def __init__(
        self,
        session: Session,
        config: Config,
        services: Services,
        state: Path | None = None,
        *,
        ask_game: bool = False,
        typed: str = "",
        play: Mapping[str, str] | None = None,
        today: str | None = None,
    ) -> None:
        super().__init__()
        self._config = config
        self._services = services
        self._ask_game = ask_game
        self._typed = typed
        self._play = play
        self._today = today
        self._leaving = False
        self._held: deque[events.Key] = deque()
        talk = Talk(self, lambda: self.message_line)
        self.crash = recovery.Crash(state)
        self.guard = recovery.Guard(state, talk)
        self._user_state = UserState(state)
        self.records = OpenRecords(session, talk, self.guard.forget)
        self._settings = self._config.settings.over(self._user_state.settings())
        self._names = self._settings.players or Names.RED_BLUE
        self._themes = (*THEMES, *self._config.themes)
        for theme in self._themes:
            self.register_theme(theme)
        wanted = self._settings.theme
        self.theme = wanted if wanted in self.available_themes else DEFAULT_THEME
        self.set_keymap(self._config.keymap)

    def get_default_screen(self) -> Screen[Any]:
        """Return the main screen, whose keys are those of the user's keymap.

        The bindings belong to a class made here: Textual's own keymaps allow a key one binding, but
        actions of different modes may share a key.
        """
        settings, keymap = self._settings, self._config.keymap
        bindings = [action.binding(keymap) for action in screen_actions(self._names)]
        made: type[MainScreen] = type("KeyedMainScreen", (MainScreen,), {"BINDINGS": bindings})
        return made(self.records, self._user_state, self._services, settings, keymap)

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        screen = self.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def message_line(self) -> MessageLine:
        """The line for messages of the uppermost screen that has one."""
        for screen in reversed(self.screen_stack):
            if isinstance(screen, MessageScreen):
                return screen.message_line
        return self.main.status_line

    # Keys and palette

    def palette_entries(self) -> Iterator[Entry]:
        """Yield what the command palette offers: actions, overlays, files last used, themes."""
        keymap = self._config.keymap
        keys_of = dict[str, str]()
        actions = sorted(screen_actions(self._names), key=lambda action: action.id != "today")
        for action in actions:
            keys_of[action.id] = action.keys_in(keymap)[0]
            yield Entry(
                title=action.label,
                help=action.tooltip,
                callback=partial(self.run_action, action.call, self.main),
                key=keys_of[action.id],
                words=OTHER_WORDS.get(action.id, ""),
            )
        for way in self.main.train_actions.entries():
            yield Entry(
                title=way.label,
                help=way.state,
                callback=partial(self.main.work_on, "train", way.start),
                key=f"{keys_of['train']} {way.key}",
                words=way.words,
            )
        for overlay in Overlay:
            yield Entry(
                title=f"Overlay: {overlay_name(DisplayOptions(overlay=overlay))}",
                help="Show this on the board",
                callback=partial(self.main.analysis_actions.take_overlay, overlay),
                words="heat colours winning moves",
            )
        for name in self._user_state.recent_files():
            path = Path(name)
            file = printable(path.name)
            folder = printable(str(path.parent))
            yield Entry(f"Open {file}", f"Last used, in {folder}", partial(self._open, name))
        yield Entry("Theme", "Choose from all themes", self.action_change_theme)
        yield from self.tutorial_entries()

    def tutorial_entries(self) -> Iterator[Entry]:
        """Yield what the command palette offers of the tutorial."""
        yield Entry(
            title="Tutorial",
            help="Learn Hex and the workstation in ten short steps",
            callback=self.action_tutorial,
            words="lesson guide introduction beginner first start rules help how",
        )

    @work(group="dialogs")
    async def action_tutorial(self) -> None:
        """Run the tutorial, which has records and settings of its own, and come back here."""
        self.main.record_actions.keep_comment()
        try:
            with self.suspend():
                await terminal.run_in_terminal(python_command("hextui", "tutorial"))
        except SuspendNotSupported:
            self.records.talk.complain("The tutorial needs a terminal of its own: hextui tutorial")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of all that is painted; no text may command the terminal."""
        return (*map(of_texts, super().get_line_filters()), HARMLESS)

    def get_key_display(self, binding: Binding) -> str:
        """Write keys in plain characters, of which no terminal doubts the width."""
        return binding.key_display or keys.shown(binding.key).replace("ctrl+", "^")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Open no second palette, and leave Ctrl+Z to a text that is edited."""
        if action == "suspend_process":
            return not isinstance(self.focused, Input | TextArea)
        return action != "command_palette" or not isinstance(self.screen, CommandScreen)

    def action_command_palette(self) -> None:
        """Show the command palette: all that can be done here."""
        if self.screen is self.main:
            entries = self.palette_entries
        else:
            entries = partial(self._entries_of, self.screen)
        self.push_screen(CommandScreen([provider_of(entries)]))

    def _entries_of(self, screen: Screen[Any]) -> Iterator[Entry]:
        """Yield what can be done on another screen than the board's."""
        from hextui.ui.screens.help_screen import screen_keys

        for keys_of_action, text, action in screen_keys(screen):
            yield Entry(text, "", partial(screen.run_action, action), keys_of_action)
        yield Entry("Next theme", "Change the colours", self.action_next_theme)
        yield Entry("Redraw", "Redraw the whole terminal", self.action_redraw, "^r")

    def action_show_record(self, place: int) -> None:
        """Show the open record at this place in the row: its name was clicked."""
        if place < len(self.records.sessions):  # it may have been closed since
            self.records.show(place)

    @work(group="dialogs")
    async def action_quit(self) -> None:  # type: ignore[override]
        """Leave, from whatever screen; edits that are not saved are asked about first."""
        if self._leaving:
            return
        self._leaving = True
        try:
            self.main.record_actions.keep_comment()
            if await self.records.may_leave():
                self._remember()
                self.guard.give_up()
                self.exit()
        finally:
            self._leaving = False

    def action_suspend_process(self) -> None:
        """Stop the program and return to the shell, which continues it with ``fg``."""
        returns = terminal.can_return_to_shell() and not self.is_web
        if returns and hasattr(signal, "SIGTSTP"):
            os.kill(os.getpid(), signal.SIGTSTP)
        else:
            self.records.talk.complain(
                "No shell started the program: there is nothing to return to"
            )

    def action_redraw(self) -> None:
        """Repaint the whole terminal: another program may have written to it."""
        self.screen.refresh()

    def _open(self, name: str) -> None:
        self.main.work_on("open", partial(self.main.file_actions.open_file, name))

    def action_next_theme(self) -> None:
        """Take the next of the themes made for the board."""
        names = [theme.name for theme in self._themes]
        place = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(place + 1) % len(names)]

    def action_show_help(self) -> None:
        """Show the help."""
        self.main.work_on("help", self._show_help)

    async def _show_help(self) -> None:
        """Explain the screen, or the panel that has the focus; on the board show all keys."""
        from hextui.ui.screens import help_screen

        actions = all_actions(self._names)
        keymap = self._config.keymap
        everything = help_screen.all_topics(actions, keymap, self._names)
        panel = self.main.panels.focused
        if self.screen is not self.main:
            topics = help_screen.screen_topics(self.screen)
            shown = help_screen.HelpScreen("This screen", topics, everything)
        elif panel:
            text = PANEL_TEXTS[panel]
            topics = help_screen.panel_topics(text, actions, keymap, self._names)
            shown = help_screen.HelpScreen(panel.capitalize(), topics, everything)
        else:
            shown = help_screen.HelpScreen("Keys", everything)
        await self.push_screen_wait(shown)

    # The start and the end

    def on_mount(self) -> None:
        """Start to keep edits, offer those that a crash has left, and tell what is wrong."""
        self.app_suspend_signal.subscribe(self, self._pause, immediate=True)
        self.app_resume_signal.subscribe(self, self._go_on, immediate=True)
        if self.guard.keeps:
            self.set_interval(recovery.KEEP_SECONDS, self._keep)
        for change in self._config.changes:
            self.records.talk.warn("Keys", change)
        if problems := self._config.problems:
            lines = [shorten(problem, 100) for problem in problems[:_SHOWN_PROBLEMS]]
            if more := len(problems) - len(lines):
                lines.append(f"and {more} more")
            self.records.talk.warn("Left out of config.toml", "\n".join(lines))
        # a dialog that covers the main screen before it is painted holds up its analysis
        self.main.call_after_refresh(self._begin)

    @work(group="dialogs")
    async def _begin(self) -> None:
        await self.begin()
        for key in filter(str.isalnum, self._typed):
            self.simulate_key(key)

    async def begin(self) -> None:
        """Ask about edits left behind, and then about the file that the program begins with."""
        first = self.records.session
        await self.guard.offer(self.records.open)
        if self._play is not None:
            await self.main.game_actions.read()
            await self.main.game_actions.begin_with(self._play, first)
        else:
            await self.main.file_actions.begin(first, self._ask_game)
            await self.main.game_actions.mention()
        if self._today is not None:
            self.main.work_on("today", partial(self.main.today_actions.today, self._today))

    def on_unmount(self) -> None:
        """Write the last edits to disk, whatever ends the program."""
        self._keep_last()

    def get_driver_class(self) -> type[Driver]:
        """Return the driver of a terminal or a page that ends with it; else Textual's own."""
        driver = super().get_driver_class()
        if sys.platform != "win32" and driver.__name__ == "LinuxDriver":
            from hextui.ui.safety.terminal_driver import TerminalDriver

            return TerminalDriver
        if driver.__name__ == "WebDriver":
            from hextui.ui.safety.page_driver import PageDriver

            return PageDriver
        return driver

    def start_watchdog(self, loop: asyncio.AbstractEventLoop) -> None:
        """End with the terminal, and when the system asks for it; ``loop`` will run the app."""
        if sys.platform != "win32":
            from hextui.ui.safety.watchdog import Watchdog

            Watchdog(self._end, self._keep_last).start(loop)

    def _pause(self, _: object) -> None:
        """Stop the engines while the program is stopped."""
        if hasattr(signal, "SIGSTOP"):
            signal_all_groups(signal.SIGSTOP)

    def _go_on(self, _: object) -> None:
        if hasattr(signal, "SIGCONT"):
            signal_all_groups(signal.SIGCONT)
        self.action_redraw()

    def _keep_last(self) -> None:
        self.guard.keep_last(self.records.sessions)

    def _keep(self) -> None:
        self.guard.keep(self.records.sessions)
        self._remember()

    def _remember(self) -> None:
        if self.screen_stack:
            self._user_state.keep(self.main.chosen)
        session = self.records.session
        origin = session.record.origin
        if path := session.path or (origin and origin.path):
            self._user_state.use(path)
        if self._user_state.problem:
            self.records.talk.warn_once("Settings", self._user_state.problem)

    def on_key(self, event: events.Key) -> None:
        """Hold keys that are typed ahead for a dialog; the screen behind must not take them."""
        if self.screen is self.main:
            self.main.status_line.next_key()
            self.main.say_why_not(event.key)
        if self.main.opens:
            event.prevent_default()
            self._held.append(event)

    @on(events.DescendantFocus)
    def _keep_still(self, event: events.DescendantFocus) -> None:
        """Let no cursor blink if the user wants no animations: TEXTUAL_ANIMATIONS=none."""
        if self.animation_level == "none" and isinstance(event.widget, Input | TextArea):
            event.widget.cursor_blink = False

    @on(MainScreen.Opened)
    def _release_keys(self) -> None:
        """Press the keys held, one by one: each may open or close a dialog."""
        if self._held:
            self.screen.call_after_refresh(self._release_key)

    def _release_key(self) -> None:
        if self._held and not self.main.opens:
            event = self._held.popleft()
            self.post_message(events.Key(event.key, event.character))
            self.set_timer(_RELEASE, self._release_keys)

    def on_message_screen_complained(self, event: MessageScreen.Complained) -> None:
        """List why something was not done on another screen."""
        self.records.talk.keep(event.why)

    def on_puzzle_screen_tried(self, event: "PuzzleScreen.Tried") -> None:
        """Keep whether the first move tried in a puzzle was right."""
        self.main.workspace.training.add(event.puzzle, event.right)

    def on_guess_screen_tried(self, event: "GuessScreen.Tried") -> None:
        """Keep whether a better move was found; a position where it was not is a puzzle now."""
        from hextui.train.own_mistakes import puzzle_of_turn

        training = self.main.workspace.training
        puzzle = puzzle_of_turn(event.turn)
        if not event.right:
            training.keep_mistake(puzzle)  # before its result, which says that it was asked
        training.add(puzzle, event.right)

    def _end(self, number: int) -> None:
        self._keep_last()
        if terminal.has_hung_up():
            terminal.drop_output()
        self.exit(return_code=128 + number)

    def handle_crash(self, error: Exception) -> bool:
        """Write the log of an error that nobody caught, and the last edits, to disk."""
        if not self.crash.note(error):
            return False
        self._keep_last()
        return True
