"""The command palette: Textual's, made to bear keys and clicks that arrive in one piece."""

from textual import events, on, work
from textual.app import ComposeResult
from textual.command import CommandInput, CommandList, CommandPalette
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, LoadingIndicator, OptionList

from hextui.ui.screens.ending import EndsOnce
from hextui.ui.widgets.replaced import OptionLines

_search = CommandPalette._gather_commands.__wrapped__  # type: ignore[attr-defined]


class Commands(CommandList, OptionLines):
    """The commands found so far."""


class CommandScreen(CommandPalette, EndsOnce[None]):
    """Runs the command that is chosen, and once only."""

    def compose(self) -> ComposeResult:
        """Make what Textual makes, with another list."""
        with Vertical(id="--container"):
            with Horizontal(id="--input"):
                yield CommandInput(placeholder="Search for commands…", select_on_focus=False)
            with Vertical(id="--results"):
                yield Commands()
                yield LoadingIndicator()

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        """Search, unless the screen has ended before the search began."""
        if self.query(CommandList):
            await _search(self, search_value)

    async def _watch__show_busy(self) -> None:
        """Show that it searches, unless the screen has ended meanwhile."""
        if self.query(LoadingIndicator):
            await super()._watch__show_busy()

    def on_click(self, event: events.Click) -> None:
        """Leave to Textual only clicks on what is still there."""
        if not (self.is_active and self.region.contains_point(event.screen_offset)):
            event.prevent_default()

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _choose(self, event: Message) -> None:
        """Leave to Textual what comes before the end."""
        if not self.is_active:
            event.stop()
            event.prevent_default()
