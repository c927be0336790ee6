"""The line in which the user says which games of the library to list."""

from collections.abc import Callable
from contextlib import suppress

from textual import on
from textual.widgets import Input

from hextui.library.filters import ALL_GAMES, Filter, filter_text, games_filter
from hextui.text import Names
from hextui.ui.screens.library_table import LibraryTable


class LibrarySearch(Input):
    """Narrows a table while the user types; hidden but for a search.

    ``unchanged`` is called where the table lists already what is wanted, ``complain`` with the
    error of a filter.
    """

    DEFAULT_CSS = """
    LibrarySearch { display: none; }
    LibrarySearch.-open { display: block; }
    """

    def __init__(
        self,
        table: LibraryTable,
        names: Names,
        *,
        unchanged: Callable[[], object],
        complain: Callable[[ValueError], object],
    ) -> None:
        super().__init__(placeholder="Words, or player=ann color=red date=2019 size=11")
        self._table = table
        self._names = names
        self._when_unchanged = unchanged
        self._complain = complain
        self._before = ALL_GAMES

    @property
    def is_open(self) -> bool:
        """Whether the user is searching."""
        return self.has_class("-open")

    def begin(self) -> None:
        """Ask which games to list."""
        self._before = self._table.listing.chosen
        self.add_class("-open")
        self.value = filter_text(self._before, self._names)
        self.focus()

    def leave(self) -> None:
        """List what was listed before the search."""
        self._end()
        self._list(self._before)

    def _end(self) -> None:
        self.remove_class("-open")
        self._table.focus()

    def _list(self, chosen: Filter) -> None:
        if not self._table.choose_games(chosen) and not self._table.is_old:
            self._when_unchanged()

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        with suppress(ValueError):  # it is not yet written to the end
            self._list(games_filter(event.value))

    @on(Input.Submitted)
    def _search(self, event: Input.Submitted) -> None:
        try:
            chosen = games_filter(event.value)
        except ValueError as error:
            self._complain(error)
            return
        self._end()
        self._list(chosen)
