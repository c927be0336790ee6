"""What gives the command palette its entries: found by plain words, each with its key."""

from collections.abc import Callable, Iterable

from rich.text import Text
from textual.command import DiscoveryHit, Hit, Hits, Provider

from hextui.ui.plain_words import Entry, found


def provider_of(entries: Callable[[], Iterable[Entry]]) -> type[Provider]:
    """Return a provider of these entries: Textual makes one of its own each time it searches."""

    class WordProvider(Provider):
        """Finds entries by plain words."""

        async def discover(self) -> Hits:
            """Yield all entries in their order."""
            for entry in entries():
                yield DiscoveryHit(_titled(entry), entry.callback, entry.title, entry.help)

        async def search(self, query: str) -> Hits:
            """Yield what is found."""
            for score, entry in found(query, entries()):
                yield Hit(score, _titled(entry), entry.callback, entry.title, entry.help)

    return WordProvider


def _titled(entry: Entry) -> Text:
    title = Text(entry.title)
    return title.append(f"   {entry.key}", "bold") if entry.key else title
