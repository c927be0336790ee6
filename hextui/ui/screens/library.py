"""The library's screen: browse, sort and search the games, open, import and remove them."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Input, Static

from hextui.engine.warm import WaitForSolver
from hextui.library.answers import ALL_GAMES, Broken, Filter, GameRow, Imported
from hextui.records.text import printable
from hextui.ui.widgets.explorer import filter_text, read_filter
from hextui.ui.widgets.tables import MoveTable
from hextui.wording import counted

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.library.settle import Settled

T = TypeVar("T")

_FIRST_PAGE = 60  # games read at once, when the list is to be there soon
_PAGE = 200  # and when more are asked for
_NEAR = 40  # rows before the end at which more are read
COLUMNS = {
    "black": ("Red", 12), "white": ("Blue", 12), "winner": ("result", 7), "date": ("date", 11),
    "event": ("event", 8), "size": ("size", 6), "plies": ("plies", 6), "id": ("id", 8),
}  # fmt: skip
"""The columns by the order in the library: heading and smallest width."""
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


class LibraryScreen(Screen[int | None]):
    """Lists games, read page by page in a thread; Enter returns the id of one to be opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Back", id="library.back"),
        Binding("slash", "search", "Find", id="library.search"),
        Binding("s", "sort", "Sort", id="library.sort"),
        Binding("r", "turn_order", "Reverse", id="library.reverse"),
        Binding("i", "import", "Import", id="library.import"),
        Binding("w", "settle", "Settle", id="library.settle", tooltip="Solve late positions"),
        Binding("x", "stop", "Stop", id="library.stop"),
        Binding("delete", "remove", "Remove", id="library.remove"),
        Binding("v", "left_out", "Left out", id="library.left-out", tooltip="By the last import"),
        Binding("D", "remove_source", "Remove file's games", id="library.remove-source"),
        Binding("A", "import_again", "Import file again", id="library.import-again"),
    ]
    DEFAULT_CSS = """
    LibraryScreen #head { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; }
    LibraryScreen #state { height: 1; color: $text-muted; padding: 0 1; text-wrap: nowrap; }
    LibraryScreen DataTable { height: 1fr; }
    LibraryScreen Input { display: none; }
    LibraryScreen.-searching Input { display: block; }
    """

    @dataclass
    class Progress(Message):
        """What runs has come further."""

        text: str

        def can_replace(self, message: Message) -> bool:
            """Only the newest is of interest."""
            return isinstance(message, LibraryScreen.Progress)

    def __init__(self, path: Path, wait_for_solver: WaitForSolver | None = None) -> None:
        super().__init__()
        self._path = path
        self._wait_for_solver = wait_for_solver
        self._chosen = ALL_GAMES
        self._order = "id"
        self._descending = True
        self._games: list[GameRow] = []
        self._widths: dict[str, int] = {}
        self._count = 0
        self._reading = False
        self._busy = False
        self._stop = False
        self._left_out: tuple[Broken, ...] = ()
        self.changed = False
        """Whether games were added or removed."""

    def compose(self) -> ComposeResult:
        """Make the lines, the search and the table."""
        yield Static("Library", id="head", markup=False)
        yield Input(placeholder="player=ann event=cup date=2019 size=11")
        yield MoveTable(cursor_type="row", zebra_stripes=True, cell_padding=0)
        yield Static("", id="state", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show the games that came last."""
        self.query_one(MoveTable).focus()
        self._read_anew()

    def on_resize(self, event: Resize) -> None:
        """Fit the columns to the width."""
        widths = fitting(event.size.width - 1)  # the scroll bar has one
        if widths == self._widths:
            return
        self._widths = widths
        table = self.query_one(MoveTable)
        at = table.cursor_row
        table.clear(columns=True)
        for order, width in widths.items():
            table.add_column(COLUMNS[order][0], width=width, key=order)
        self._add(self._games)
        table.move_cursor(row=at)

    # Reading

    def _read_anew(self) -> None:
        self._say("Reading ...")
        self._read(0)

    @work(exclusive=True, group="library-list")
    async def _read(self, offset: int) -> None:
        self._reading = True
        asked = (self._chosen, self._order, self._descending)
        found = await asyncio.to_thread(self._page, asked, offset)
        self._reading = False
        if found.problem:
            self._say(f"The library cannot be read: {found.problem}")
            return
        table = self.query_one(MoveTable)
        with self.app.batch_update():
            if not offset:
                self._games = []
                table.clear()
            self._count = found.count
            self._add(found.games)
            self._games += found.games
        self._head()
        self._say("" if self._count or self._chosen else "The library is empty: i imports games.")

    def _add(self, games: Iterable[GameRow]) -> None:
        table = self.query_one(MoveTable)
        for game in games:
            table.add_row(*_row(game, self._widths), key=str(game.id))

    def _page(self, asked: tuple[Filter, str, bool], offset: int) -> Listed:
        chosen, order, descending = asked
        if not self._path.is_file():
            return Listed((), 0, asked, offset)

        page = _PAGE if offset else _FIRST_PAGE

        def read(library: "Library") -> Listed:
            games = library.games(chosen, None, page, offset, order, descending)
            return Listed(tuple(games), library.count(chosen), asked, offset)

        try:
            return self._with(read)
        except ValueError as error:
            return Listed((), 0, asked, offset, str(error))

    def _with(self, use: "Callable[[Library], T]") -> T:
        """Return what ``use`` makes of the library; any thread. Raises ValueError in one line."""
        from hextui.library.library import Library
        from hextui.library.schema import LibraryError

        try:
            with Library(self._path) as library:
                return use(library)
        except (LibraryError, sqlite3.Error) as error:
            raise ValueError(str(error)) from None

    @on(DataTable.RowHighlighted)
    def _read_on(self, event: DataTable.RowHighlighted) -> None:
        """Read more games before the cursor comes to the last one."""
        near = event.cursor_row + _NEAR > len(self._games)
        if near and len(self._games) < self._count and not self._reading:
            self._read(len(self._games))

    def _head(self) -> None:
        chosen = filter_text(self._chosen)
        name, _ = COLUMNS[self._order]
        way = "down" if self._descending else "up"
        source = f" from {self._chosen.source}" if self._chosen.source else ""
        self.query_one("#head", Static).update(
            f"Library  {counted(self._count, 'game')}{source}  {chosen or ''}  by {name}, {way}",
            layout=False,
        )

    def _say(self, text: str) -> None:
        if not self._busy:
            self.query_one("#state", Static).update(text, layout=False)

    # Choosing

    def action_leave(self) -> None:
        """Close the search, or go back; an import goes on until it is done or stopped."""
        if self.has_class("-searching"):
            self._end_search()
        elif self._busy:
            self._complain("Something is running: x stops it")
        else:
            self.dismiss(None)

    @on(MoveTable.Chosen)
    def _open(self, event: MoveTable.Chosen) -> None:
        if self._busy:
            self._complain("Something is running: x stops it")
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
            self._chosen = read_filter(event.value)
        except ValueError as error:
            self._complain(error)
            return
        self._end_search()
        self._read_anew()

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
        self._read_anew()

    def action_turn_order(self) -> None:
        """Sort the other way round."""
        self._sort_by(self._order)

    # Changing

    @work(exclusive=True, group="dialogs")
    async def action_import(self) -> None:
        """Ask for a file or a folder and import it."""
        from hextui.ui.completion import PathSuggester
        from hextui.ui.screens.dialogs import LineDialog

        if self._busy:
            self._complain("An import is running already")
            return
        hint = "A file or a folder: SGF, hsgf, JSON lines, HexWorld links, plain moves."
        dialog = LineDialog("Import games", hint, _existing, suggester=PathSuggester(()))
        path = await self.app.push_screen_wait(dialog)
        if path is not None:
            self._import(path)

    @work(exclusive=True, group="library-import")
    async def _import(self, path: Path, *, again: bool = False) -> None:
        def run(library: "Library") -> Imported:
            if again:
                library.remove_source(str(path.resolve()))
            return library.import_paths([path], report, lambda: self._stop)

        def report(done: Imported) -> None:
            waiting = f", {done.waiting} read" if done.waiting else ""
            self.post_message(self.Progress(f"Importing: {_told(done)}{waiting}"))

        done = await self._run(f"Importing {path} ...", run)
        if done is None:
            return
        self.notify(_told(done), title="Import", timeout=10, markup=False)
        self._left_out = done.broken
        if done.broken:
            self.notify(
                _reason(done.broken[0]),
                title=f"Left out: {len(done.broken)} (v lists all)",
                severity="warning",
                timeout=15,
                markup=False,
            )

    def action_left_out(self) -> None:
        """List what the last import left out, and why."""
        from hextui.ui.screens.dialogs import TextDialog

        if not self._left_out:
            self._complain("No import left anything out since this screen was opened")
            return
        text = "\n".join(map(_reason, self._left_out))
        self.app.push_screen(TextDialog(f"Left out: {len(self._left_out)}", text))

    @work(exclusive=True, group="library-import")
    async def action_settle(self) -> None:
        """Have the solver make late verdicts certain, until it is done or stopped."""

        def run(library: "Library") -> "Settled":
            from hextui.library.settle import settle_games

            return settle_games(
                library,
                progress=report,
                stop=lambda: self._stop,
                wait_for_solver=self._wait_for_solver,
            )

        def report(done: "Settled") -> None:
            self.post_message(self.Progress(_solving(done)))

        if self._busy:
            self._complain("Something else is running: x stops it")
            return
        done = await self._run("Preparing the solver ...", run)
        if done:
            text = f"{counted(done.positions, 'position')} of {counted(done.games, 'game')} settled"
            text = f"stopped: {text}" if done.stopped else text
            self.notify(text, title="Settle", timeout=10)

    async def _run(self, what: str, run: "Callable[[Library], T]") -> T | None:
        """Run something long in a thread; None if it failed."""
        self._busy, self._stop = True, False
        self.query_one("#state", Static).update(f"{what} - x stops", layout=False)
        done = None
        try:
            done = await asyncio.to_thread(self._with, run)
        except ValueError as error:
            self._complain(error)
        finally:
            self._stop = True  # the screen may be gone: the thread ends with the next game
            self._busy = False
            self.changed = True
        self._read_anew()
        return done

    def on_unmount(self) -> None:
        """End an import with the screen: what was read is added."""
        self._stop = True

    @on(Progress)
    def _show_progress(self, event: Progress) -> None:
        if self._busy and not self._stop:
            self.query_one("#state", Static).update(f"{event.text} - x stops", layout=False)

    def action_stop(self) -> None:
        """Stop what runs; what was read or solved is kept."""
        self._stop = True
        if self._busy:
            self.query_one("#state", Static).update("Stopping ...", layout=False)

    @property
    def _selected(self) -> GameRow | None:
        row = self.query_one(MoveTable).cursor_row
        return self._games[row] if row < len(self._games) else None

    @work(exclusive=True, group="dialogs")
    async def action_remove(self) -> None:
        """Remove the game with the cursor, if the user is sure."""
        game = self._selected
        if game and await self._sure("Remove this game?", f"{game.black} - {game.white}"):
            await self._change(lambda library: library.remove([game.id]))

    @work(exclusive=True, group="dialogs")
    async def action_remove_source(self) -> None:
        """Remove all games that came from the same file, if the user is sure."""
        game = self._selected
        if game and await self._sure("Remove all games of this file?", game.source):
            await self._change(lambda library: library.remove_source(game.source))

    @work(exclusive=True, group="dialogs")
    async def action_import_again(self) -> None:
        """Remove the games of a file and import it again, because it has changed."""
        game = self._selected
        if game is None or self._busy:
            return
        if not Path(game.source).is_file():
            self._complain(f"{game.source} is not there any more")
        elif await self._sure("Import this file again?", game.source):
            self._import(Path(game.source), again=True)

    async def _sure(self, title: str, what: str) -> bool:
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog

        if self._busy:
            self._complain("Something is running: x stops it")
            return False
        choices = (Choice("y", "Yes", "yes"),)
        dialog = ChoiceDialog(title, printable(what), choices)
        return await self.app.push_screen_wait(dialog) == "yes"

    async def _change(self, change: "Callable[[Library], int]") -> None:
        try:
            removed = await asyncio.to_thread(self._with, change)
        except ValueError as error:
            self._complain(error)
            return
        self.changed = True
        self.notify(f"{counted(removed, 'game')} removed", timeout=4)
        self._read_anew()

    def _complain(self, what: object) -> None:
        self.notify(str(what), severity="warning", timeout=4, markup=False)


def _existing(text: str) -> Path:
    if not text:
        raise ValueError("a file or a folder is needed")
    path = Path(text).expanduser()
    if not path.exists():
        raise ValueError(f"{text}: no such file or folder")
    return path


def _told(done: Imported) -> str:
    counts = f"{done.added} added, {done.duplicates} there already, {len(done.broken)} left out"
    return f"stopped: {counts}" if done.stopped else counts


def _solving(done: "Settled") -> str:
    what = "Solving"
    if done.compiling:
        steps, total = done.compiling
        what = f"Preparing the solver (compiling, {steps} of {total})"
    games = f"{done.games} of {counted(done.of, 'game')}"
    return f"{what}: {games}, {counted(done.positions, 'position')} settled"


def _reason(broken: Broken) -> str:
    place = f", game {broken.number}" if broken.number else ""
    return printable(f"{Path(broken.source).name}{place}: {broken.reason}")


def fitting(room: int) -> dict[str, int]:
    """Return the widths of the columns that have room, names and events as wide as it allows."""
    widths = {order: width for order, (_, width) in COLUMNS.items()}
    for order in _DROPPED:
        if sum(widths.values()) > room:
            del widths[order]
    widened = [order for order in _WIDENED if order in widths]
    while sum(widths.values()) + len(widened) <= room and widths["black"] < _WIDEST:
        for order in widened:
            widths[order] += 1
    return widths


def _row(game: GameRow, widths: Mapping[str, int]) -> list[Text]:
    black, white = game.names
    texts = {"black": black, "white": white, "winner": game.result, "date": game.date,
             "event": game.event, "size": str(game.board), "plies": str(game.plies),
             "id": str(game.id)}  # fmt: skip
    return [Text(printable(texts[order])[: width - 1]) for order, width in widths.items()]
