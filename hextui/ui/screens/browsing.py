"""The games of the library, to be browsed, sorted and searched."""

import asyncio
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.widgets import DataTable, Input, Static

from hextui.library.answers import ALL_GAMES, Filter, GameRow
from hextui.records.text import printable
from hextui.ui.filters import filter_text, read_filter
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.whole_words import within
from hextui.ui.widgets.key_lines import ScreenKeys
from hextui.ui.widgets.move_table import MoveTable
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.library.library import Library

T = TypeVar("T")

_FIRST_PAGE = 60  # games read at once, when the list is to be there soon
_PAGE = 200  # and when more are asked for
_NEAR = 40  # rows before the end at which more are read
COLUMNS = {
    "black": 12, "white": 12, "winner": 10, "date": 11, "event": 8, "size": 6, "plies": 6, "id": 8,
}  # fmt: skip
"""The smallest widths of the columns, by the order in the library."""
_WHOLE_RESULT = 27  # "White won, Black resigned" and a space
_DROPPED = ("event", "id", "size", "plies", "date")  # where there is no room, the first one first
_WIDENED = ("black", "white", "event")
_WIDEST = 40


@dataclass(frozen=True)
class Listed:
    """A page of games, how many there are in all, and what they were asked by."""

    games: tuple[GameRow, ...]
    count: int
    asked: tuple[object, ...]
    offset: int
    problem: str = ""


class BrowsingScreen(BaseScreen[int | None]):
    """Lists games, read page by page in a thread; Enter returns the id of one to be opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Back", id="library.back"),
        Binding("slash", "search", "Find", id="library.search"),
        Binding(
            "backspace",
            "all_games",
            "All",
            key_display="bksp",
            id="library.all",
            tooltip="Clear the search",
        ),
        Binding("s", "sort", "Sort", id="library.sort"),
        Binding("r", "turn_order", "Reverse", id="library.reverse"),
    ]
    DEFAULT_CSS = """
    BrowsingScreen #head { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; }
    BrowsingScreen #state { height: 1; color: $text-muted; padding: 0 1; text-wrap: nowrap; }
    BrowsingScreen DataTable { height: 1fr; }
    BrowsingScreen Input { display: none; }
    BrowsingScreen.-searching Input { display: block; }
    """

    def __init__(self, path: Path, names: Names = Names.RED_BLUE) -> None:
        super().__init__()
        self._path = path
        self._names = names
        self._chosen = ALL_GAMES
        self._order = "id"
        self._descending = True
        self._games: list[GameRow] = []
        self._widths: dict[str, int] = {}
        self._count = 0
        self._reading = False
        self.busy = False
        """Whether something runs: until it is done the screen is not left."""

    def compose(self) -> ComposeResult:
        """Make the lines, the search and the table."""
        yield Static("Library", id="head", markup=False)
        yield Input(placeholder="Words, or player=ann event=cup date=2019 size=11")
        yield MoveTable(cursor_type="row", zebra_stripes=True, cell_padding=0)
        yield Static("", id="state", markup=False)
        yield ScreenKeys()

    def on_mount(self) -> None:
        """Show the games that came last."""
        self.query_one(MoveTable).focus()
        self.read_anew()

    def on_resize(self, event: Resize) -> None:
        """Fit the columns to the width."""
        self._fit()

    def _fit(self) -> bool:
        """Give the columns the room there is; return whether the list was made anew for it."""
        unused = _unused(self._games) - {self._order}
        widths = fitting(self.size.width - 1, unused)  # the scroll bar has one
        if widths == self._widths:
            return False
        self._widths = widths
        table = self.query_one(MoveTable)
        at = table.cursor_row
        table.clear(columns=True)
        for order, width in widths.items():
            table.add_column(heading(order, self._names), width=width, key=order)
        self._add(self._games)
        table.move_cursor(row=at)
        return True

    # Reading

    def read_anew(self, news: str = "") -> None:
        """List the games again, from the first one, and say below the list what changed them."""
        self.say("Reading ...")
        self._read(0, news)

    @work(exclusive=True, group="library-list")
    async def _read(self, offset: int, news: str = "") -> None:
        self._reading = True
        asked = (self._chosen, self._order, self._descending)
        found = await asyncio.to_thread(self._page, asked, offset)
        self._reading = False
        if found.problem:
            self.say(f"The library cannot be read: {found.problem}")
            return
        table = self.query_one(MoveTable)
        with self.app.batch_update():
            if not offset:
                self._games = []
                table.clear()
            self._count = found.count
            self._games += found.games
            if not self._fit():
                self._add(found.games)
        self._head()
        if offset:
            return  # what is said below the list still holds
        if self._count or news:
            self.say(news)
        elif self._chosen:
            self.say(f"No game has this: {filter_text(self._chosen)}. Backspace lists all games.")
        else:
            self.say("The library is empty: i imports games.")

    def _add(self, games: Iterable[GameRow]) -> None:
        table = self.query_one(MoveTable)
        for game in games:
            table.add_row(*_row(game, self._widths, self._names), key=str(game.id))

    def _page(self, asked: tuple[Filter, str, bool], offset: int) -> Listed:
        chosen, order, descending = asked
        if not os.path.isfile(self._path):
            return Listed((), 0, asked, offset)

        page = _PAGE if offset else _FIRST_PAGE

        def read(library: "Library") -> Listed:
            games = library.games(
                chosen, limit=page, offset=offset, order=order, descending=descending
            )
            return Listed(tuple(games), library.count(chosen), asked, offset)

        try:
            return self.with_library(read)
        except ValueError as error:
            return Listed((), 0, asked, offset, str(error))

    def with_library(self, use: "Callable[[Library], T]") -> T:
        """Return what ``use`` makes of the library; any thread. Raises ValueError in one line."""
        from hextui.library.library import Library
        from hextui.library.schema import LibraryError

        try:
            with Library(self._path, self._names) as library:
                return use(library)
        except LibraryError as error:
            raise ValueError(str(error)) from None

    @on(DataTable.RowHighlighted)
    def _read_on(self, event: DataTable.RowHighlighted) -> None:
        """Read more games before the cursor comes to the last one."""
        near = event.cursor_row + _NEAR > len(self._games)
        if near and len(self._games) < self._count and not self._reading:
            self._read(len(self._games))

    def _head(self) -> None:
        chosen = f"  {filter_text(self._chosen)}" if self._chosen else ""
        name = heading(self._order, self._names)
        way = "down" if self._descending else "up"
        source = f" from {self._chosen.source}" if self._chosen.source else ""
        head = self.query_one("#head", Static)
        text = f"Library  {counted(self._count, 'game')}{source}{chosen}  by {name}, {way}"
        head.update(within(text, head.content_size.width), layout=False)

    def say(self, text: str) -> None:
        """Say something below the list, unless something runs, which says there how far it is."""
        if not self.busy:
            state = self.query_one("#state", Static)
            state.update(within(text, state.content_size.width), layout=False)

    # Choosing

    def action_leave(self) -> None:
        """Close the search, or go back; an import goes on until it is done or stopped."""
        if self.has_class("-searching"):
            self._end_search()
        elif self.busy:
            self.complain("Something is running: x stops it")
        else:
            self.dismiss(None)

    @on(MoveTable.Chosen)
    def _open(self, event: MoveTable.Chosen) -> None:
        if self.busy:
            self.complain("Something is running: x stops it")
        else:
            self.dismiss(int(event.key))

    def action_search(self) -> None:
        """Ask which games are to be listed."""
        self.add_class("-searching")
        search = self.query_one(Input)
        search.value = filter_text(self._chosen)
        search.focus()

    @on(Input.Submitted)
    def _search(self, event: Input.Submitted) -> None:
        try:
            chosen = read_filter(event.value)
            if chosen.least > 1:
                raise ValueError("least= is about moves: it belongs to the explorer")
            self._chosen = chosen
        except ValueError as error:
            self.complain(error)
            return
        self._end_search()
        self.read_anew()

    def action_all_games(self) -> None:
        """List all games again."""
        if self._chosen:
            self._chosen = ALL_GAMES
            self.read_anew()

    def _end_search(self) -> None:
        self.remove_class("-searching")
        self.query_one(MoveTable).focus()

    def action_sort(self) -> None:
        """Sort by the next column."""
        orders = list(COLUMNS)
        self._sort_by(orders[(orders.index(self._order) + 1) % len(orders)])

    @on(DataTable.HeaderSelected)
    def _sort_by_heading(self, event: DataTable.HeaderSelected) -> None:
        self._sort_by(event.column_key.value or "id")

    def _sort_by(self, order: str) -> None:
        self._descending = not self._descending if order == self._order else order == "id"
        self._order = order
        self.read_anew()

    def action_turn_order(self) -> None:
        """Sort the other way round."""
        self._sort_by(self._order)

    @property
    def selected(self) -> GameRow | None:
        """The game with the cursor, if there are any."""
        row = self.query_one(MoveTable).cursor_row
        return self._games[row] if 0 <= row < len(self._games) else None

    def complain(self, what: object) -> None:
        """Tell the user what went wrong."""
        self.notify(str(what), severity="warning", timeout=4, markup=False)


def heading(order: str, names: Names) -> str:
    """Return what the column of an order is called.

    Of games without players the columns of their names hold those of file and game.
    """
    black, white = names.both
    titles = {"black": f"{black}/file", "white": f"{white}/game", "winner": "result"}
    return titles.get(order, order)


def fitting(room: int, unused: Collection[str] = ()) -> dict[str, int]:
    """Return the widths of the columns that have room, names and events as wide as it allows.

    ``unused``: columns that have nothing to show.
    """
    widths = {order: width for order, width in COLUMNS.items() if order not in unused}
    for order in _DROPPED:
        if sum(widths.values()) > room:
            widths.pop(order, None)
    if sum(widths.values()) - widths["winner"] + _WHOLE_RESULT <= room:
        widths["winner"] = _WHOLE_RESULT
    widened = [order for order in _WIDENED if order in widths]
    while sum(widths.values()) + len(widened) <= room and widths["black"] < _WIDEST:
        for order in widened:
            widths[order] += 1
    return widths


def _unused(games: Sequence[GameRow]) -> set[str]:
    """Return the columns that none of the games has anything for, if there are games."""
    used = {"date": any(game.date for game in games), "event": any(game.event for game in games)}
    return {order for order, has_text in used.items() if games and not has_text}


def _row(game: GameRow, widths: Mapping[str, int], names: Names) -> list[Text]:
    black, white = game.names
    result = names.result(game.winner, game.how)
    if len(result) >= widths["winner"]:
        result = names.result(game.winner) or game.how
    texts = {"black": black, "white": white, "winner": result, "date": game.date,
             "event": game.event, "size": str(game.board), "plies": str(game.plies),
             "id": str(game.id)}  # fmt: skip
    return [Text(within(printable(texts[order]), width - 1)) for order, width in widths.items()]
