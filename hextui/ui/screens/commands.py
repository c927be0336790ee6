"""The command palette: Textual's, with entries found by plain words, each with its key."""

from collections.abc import Callable, Iterable

from rich.text import Text
from textual import on
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.message import Message
from textual.widgets import Input, OptionList

from hextui.ui.plain_words import Entry, found
from hextui.ui.textual_fixes import BaseScreen


class CommandScreen(CommandPalette, BaseScreen[None]):
    """The command palette, which runs the chosen command once."""

    @on(Input.Changed)
    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _ignore_when_closed(self, event: Message) -> None:
        """Ignore late keys, with which Textual would run the command again or search no list."""
        if not self.is_active:
            event.prevent_default()


def provider_of(entries: Callable[[], Iterable[Entry]]) -> type[Provider]:
    """Return a provider class for these entries; Textual makes an instance for each palette."""

    class WordProvider(Provider):
        """Finds entries by plain words."""

        async def discover(self) -> Hits:
            """Yield all entries in their order."""
            for entry in entries():
                yield DiscoveryHit(_title_of(entry), entry.callback, entry.title, entry.help)

        async def search(self, query: str) -> Hits:
            """Yield the entries that match, with their scores."""
            for score, entry in found(query, entries()):
                yield Hit(score, _title_of(entry), entry.callback, entry.title, entry.help)

    return WordProvider


def _title_of(entry: Entry) -> Text:
    title = Text(entry.title)
    return title.append(f"   {entry.key}", "bold") if entry.key else title
