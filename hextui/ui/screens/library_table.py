"""The library's games in a list: read page by page in a thread, sorted, narrowed, pointed at."""

from collections.abc import Callable

from textual import work

from hextui.engine.board import Color
from hextui.library.answers import GameRow
from hextui.library.filters import ALL_GAMES, Filter
from hextui.text import Names
from hextui.ui.screens.library_columns import ORDERS, LibraryColumns, Listing
from hextui.ui.screens.library_reader import LibraryReader
from hextui.ui.widgets.columns import Columns
from hextui.ui.widgets.line_list import LineList

_FIRST_PAGE = 60  # games read at once, so that the list appears soon
_PAGE = 200  # games read when the cursor comes near the end
_NEAR = 40  # rows before the end at which more are read


class LibraryTable(LineList):
    """The games of a ``listing``; each change of it reads them again.

    ``player``: whose mistakes are listed, a part of a name. ``choose`` is called with the game to
    open, ``reading`` when games are to be read, ``listed`` when they are, with the text that was
    given with the change, ``failed`` with the error, ``empty`` where Enter has no game to open.
    """

    def __init__(
        self,
        reader: LibraryReader,
        names: Names,
        listing: Listing,
        player: str,
        *,
        choose: Callable[[GameRow], object],
        reading: Callable[[], object],
        listed: Callable[[str], object],
        failed: Callable[[ValueError], object],
        empty: Callable[[], object],
    ) -> None:
        super().__init__(
            point=lambda game: self._read_on(),
            choose=self._choose_game,
            sort=self._sort_by_heading,
            empty=empty,
            striped=True,
        )
        self.listing = listing
        self.player = player
        self.count = 0
        """The games of the listing, read or not."""
        self.is_old = False
        """Whether the table still lists what was chosen before."""
        self._reader = reader
        self._names = names
        self._choose = choose
        self._when_reading = reading
        self._when_listed = listed
        self._when_failed = failed
        self._games: list[GameRow] = []
        self.columns = Columns({}, {})
        self._is_reading = False
        self._opens_first = False  # Enter was pressed meanwhile: open what will be listed

    @property
    def game(self) -> GameRow | None:
        """The game with the cursor."""
        game: GameRow | None = self.pointed
        return game

    @property
    def unnamed(self) -> list[Color]:
        """The sides without a name in the game with the cursor."""
        game = self.game
        if game is None:
            return []
        names = {Color.BLACK: game.black, Color.WHITE: game.white}
        return [color for color, name in names.items() if not name]

    # What is listed

    def choose_games(self, chosen: Filter) -> bool:
        """List the games of a filter; return whether they are not listed, or read, already."""
        is_new = chosen != self.listing.chosen
        if is_new:
            self.listing = self.listing._replace(chosen=chosen)
            self.read_again()
        return is_new

    def show_all(self) -> None:
        """List all games."""
        self.listing = self.listing._replace(chosen=ALL_GAMES, mine=False)
        self.read_again()

    def show_mistakes(self, player: str) -> None:
        """List the proved mistakes of a player, a part of a name."""
        self.player = player
        self.listing = self.listing._replace(mine=True)
        self.read_again()

    def sort_on(self, step: int) -> None:
        """Sort by the column so many on; none reverses the order."""
        self._sort_by(ORDERS[(ORDERS.index(self.listing.order) + step) % len(ORDERS)])

    def _sort_by_heading(self, column: int) -> None:
        order = self.columns.name_at(column)
        if order in ORDERS:
            self._sort_by(order)

    def _sort_by(self, order: str) -> None:
        before = self.listing
        descending = not before.descending if order == before.order else order == "id"
        self.listing = before._replace(order=order, descending=descending)
        self.read_again()

    def _choose_game(self, game: GameRow) -> None:
        if self.is_old:
            self._opens_first = True
        else:
            self._choose(game)

    # Pages

    def read_again(self, news: str = "", row: int = 0) -> None:
        """Read the games from the first on, with ``news`` for ``listed``; point at a row."""
        self.is_old = True
        self._opens_first = False
        self._when_reading()
        self._read(0, news, row)

    def _read_on(self) -> None:
        """Read more games before the cursor reaches the last one."""
        listed = len(self._games)
        if self.place + _NEAR > listed and listed < self.count and not self._is_reading:
            self._read(listed)

    @work(exclusive=True, group="library-list")
    async def _read(self, offset: int, news: str = "", row: int = 0) -> None:
        limit = _PAGE if offset else _FIRST_PAGE + row
        self._is_reading = True
        try:
            games, count = await self._reader.page(self.listing, self.player, limit, offset)
        except ValueError as error:
            self._is_reading = self.is_old = False
            self._when_failed(error)
            return
        self._is_reading = False
        self._games = [*self._games[:offset], *games]
        self.count = count
        if offset:
            self._list_games(offset)
        else:
            self._list_first(news, row)

    def _list_first(self, news: str, row: int) -> None:
        """List the first page, with the cursor in a row."""
        games = self._games
        self.start_again()
        self._list_games(0)
        if row and games:
            self.point_at(games[min(row, len(games) - 1)])
        self.is_old = False
        self._when_listed(news)
        if self._opens_first and games:
            self._choose(games[0])

    def _list_games(self, kept: int) -> None:
        """List the games; ``kept`` lines still hold, unless the columns are others now."""
        columns = LibraryColumns(self.room, self._games, self.listing, self._names)
        if columns.widths != self.columns.widths:
            kept = 0
        self.columns = columns
        lines = self.lines[:kept]
        self.show([*lines, *map(columns.line, self._games[kept:])], columns.heading)

    def on_resize(self) -> None:
        self._list_games(len(self._games))
