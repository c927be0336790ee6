"""The library's screen: the table of games, its search, and what can be done with them."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Static

from hextui.engines.engine import OpenLane
from hextui.library.answers import Broken, GameRow
from hextui.library.filters import filter_text
from hextui.records.summary import PassedKind
from hextui.text import Names, counted
from hextui.ui.drawing.whole_words import within
from hextui.ui.record.files import library_players
from hextui.ui.screens import library_changes, library_dialogs
from hextui.ui.screens.dialogs import PlayerDialog
from hextui.ui.screens.library_columns import Listing, head_text, nothing_text
from hextui.ui.screens.library_reader import LibraryReader
from hextui.ui.screens.library_search import LibrarySearch
from hextui.ui.screens.library_table import LibraryTable
from hextui.ui.screens.library_task import TaskLine, TaskResult
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.widgets.frame import ScreenKeys
from hextui.words.files import import_text, settled_text

if TYPE_CHECKING:
    from hextui.analysis.review_run import ReviewBudget
    from hextui.library.library import Library

_NO_GAME = "No game is listed"


class PuzzleGames(NamedTuple):
    """Which games to make puzzles of; ``player``: who had to find the moves, '' for both sides."""

    search: str
    player: str


class NamedPlayer(NamedTuple):
    """A player to show, by the whole name."""

    name: str


class LibraryScreen(MessageScreen[GameRow | PuzzleGames | NamedPlayer | None]):
    """Lists games; Enter returns the one to open, at its ply.

    ``p`` returns the games to make puzzles of: those that are listed; ``P`` a player to show.

    ``reviews``: the file of the user's reviews. ``budget``: what a review of a game consists of,
    None without an analysis. ``player``: whose mistakes *My mistakes* lists, a
    part of a name. ``listing``: what is listed at first; the table has what was when the screen was
    left.
    """

    ABOUT = (
        "The games that you have imported. Enter opens one on the board; Escape there leads "
        "back to this list."
    )
    BINDINGS = [
        ("escape", "leave", "Back"),
        ("slash", "search", "Find"),
        ("m", "my_mistakes", "My mistakes"),
        Binding("backspace", "all_games", "All", key_display="bksp"),
        ("s", "sort(1)", "Sort"),
        ("r", "sort(0)", "Reverse"),
        ("i", "import", "Import"),
        ("y", "sync", "Sync with a site"),
        ("M", "mine", "Mark as mine"),
        ("a", "review", "Review"),
        ("w", "settle", "Prove late positions"),
        ("p", "puzzles", "Make puzzles"),
        ("P", "player", "Player"),
        ("x", "stop", "Stop"),
        ("delete", "remove(False)", "Remove"),
        ("v", "left_out", "Skipped"),
        ("D", "remove(True)", "Remove file's games"),
        ("A", "import_again", "Import file again"),
    ]
    DEFAULT_CSS = """
    LibraryScreen #head { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; }
    """

    def __init__(
        self,
        path: Path,
        open_lane: OpenLane,
        names: Names,
        reviews: Path | None,
        budget: "ReviewBudget | None",
        player: str,
        listing: Listing,
    ) -> None:
        super().__init__()
        self._reader = LibraryReader(path, names, reviews)
        self._task_line = TaskLine()
        self._budget = budget
        self._asks_player = listing.mine and not player
        self._path = path
        self._open_lane = open_lane
        self._names = names
        self.table = LibraryTable(
            reader=self._reader,
            names=names,
            listing=listing._replace(mine=listing.mine and bool(player)),
            player=player,
            choose=self._open,
            reading=self._show_reading,
            listed=self._show_listed,
            failed=lambda error: self._task_line.show(f"The library cannot be read: {error}"),
            empty=lambda: self.complain(_NO_GAME),
        )
        self._search = LibrarySearch(
            self.table, names, unchanged=self._show_found, complain=self.complain
        )
        self._left_out: tuple[Broken, ...] = ()
        self.changed = False
        """Whether games were added or removed."""

    def compose(self) -> ComposeResult:
        yield Static("Library", id="head", markup=False)
        yield self._search
        yield self.table
        yield self._task_line
        yield ScreenKeys()

    def on_mount(self) -> None:
        self.table.focus()
        self.table.read_again(row=self.table.listing.row)
        if self._asks_player:
            self.action_my_mistakes()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Leave out what is about a game while none is listed."""
        game = self.table.game
        if action == "mine" and game is not None and not self.table.unnamed:
            return "Both players of this game have names"
        if action == "player" and game is not None and not game.is_named:
            return "No player of this game has a name: M names you"
        needs_game = action in ("remove", "import_again", "mine", "player")
        return _NO_GAME if needs_game and game is None else ""

    def on_unmount(self) -> None:
        """Stop what is read, and the long task; an import adds what was read."""
        self._reader.stop()
        self._task_line.stop()

    # What is listed

    def _show_reading(self) -> None:
        doing = "Searching" if self.table.listing.chosen else "Reading"
        self._task_line.show(f"{doing} ... (Escape leaves)")

    def _show_listed(self, news: str) -> None:
        self.refresh_bindings()
        head = self.query_one("#head", Static)
        text = head_text(self.table.listing, self.table.count, self.table.player, self._names)
        head.update(within(text, head.content_size.width), layout=False)
        self._show_found(news)

    def _show_found(self, news: str = "") -> None:
        """Show the news below the list, or why no game is listed and what to do."""
        table = self.table
        if not (table.count or news):
            searches = self._search.is_open
            news = nothing_text(table.listing, table.player, self._names, searches)
        self._task_line.show(news)

    def action_search(self) -> None:
        """Ask which games to list, and list them while the user types."""
        self._search.begin()

    def action_sort(self, step: int) -> None:
        """Sort by the column so many on; none reverses the order."""
        self.table.sort_on(step)

    def action_all_games(self) -> None:
        if self.table.listing.chosen or self.table.listing.mine:
            self.table.show_all()
        else:
            self.complain("All games are listed")

    @work(group="dialogs")
    async def action_my_mistakes(self) -> None:
        """List the proved mistakes of a player, who is asked for once, or again from the list."""
        player: str | None = self.table.player
        if self.table.listing.mine or not player:
            dialog = PlayerDialog("My mistakes", partial(library_players, self._path), player or "")
            player = await self.app.push_screen_wait(dialog)
        if player is not None:
            self.table.show_mistakes(player)

    # The way out

    def action_leave(self) -> None:
        """Leave the search, which lists what was listed before, or go back unless a task runs."""
        if self._search.is_open:
            self._search.leave()
        elif not self._refuses():
            self._close(None)

    def _open(self, game: GameRow) -> None:
        if not self._refuses():
            self._close(game)

    def action_puzzles(self) -> None:
        """Make puzzles of the games listed: of a player's moves where mistakes are."""
        if self._is_ready():
            player = self.table.player if self.table.listing.mine else ""
            self._close(PuzzleGames(filter_text(self.table.listing.chosen), player))

    @work(group="dialogs")
    async def action_player(self) -> None:
        """Show a player of the game with the cursor; ask which if both have names."""
        game = self.table.game
        if game is None or self._refuses():
            return
        name = await library_dialogs.ask_player(self.app, game, self._names)
        if name is not None:
            self._close(NamedPlayer(name))

    def _close(self, chosen: GameRow | PuzzleGames | NamedPlayer | None) -> None:
        self.table.listing = self.table.listing._replace(row=self.table.place)
        self.dismiss(chosen)

    # Long tasks

    def _refuses(self, why: str = "Something is running: x stops it") -> bool:
        """Return whether a long task runs; then show why nothing else can be done."""
        if self._task_line.busy:
            self.complain(why)
        return self._task_line.busy

    def _is_ready(self) -> bool:
        """Return whether something can be done with the games listed; else show why not."""
        if not self.table.count:
            self.complain(_NO_GAME)
            return False
        return not self.table.is_old and not self._refuses()

    @work(group="dialogs")
    async def action_import(self) -> None:
        if self._refuses("An import is running already"):
            return
        path = await library_dialogs.ask_import(self.app)
        if path is not None:
            await self._import(path)

    @work(group="dialogs")
    async def action_import_again(self) -> None:
        game = self.table.game
        if game is None or self._refuses():
            return
        if not os.path.isfile(game.source):
            self.complain(f"{game.source} no longer exists")
        elif await library_dialogs.confirm(self.app, "Import this file again?", game.source):
            await self._import(Path(game.source), again=True)

    async def _import(self, path: Path, *, again: bool = False) -> None:
        task = library_changes.import_file(self._task_line, self._reader, path, again)
        done = await self._run(task, import_text)
        if done is None:
            return
        passed = [file for file in done.summary.passed_over if file.kind is not PassedKind.OTHER]
        self._left_out = (
            *done.broken,
            *(Broken(file.source, None, file.reason) for file in passed),
        )
        if done.notes:
            more = f" (and {len(done.notes) - 1} more)" if len(done.notes) > 1 else ""
            self.complain(f"Import: {done.notes[0]}{more}")
        if self._left_out:
            self.complain(library_dialogs.skipped_text(self._left_out))

    @work(group="dialogs")
    async def action_sync(self) -> None:
        """Ask for a player at another site, and fetch the games that the library lacks."""
        if self._refuses():
            return
        chosen = await library_dialogs.ask_player_of_site(self.app, self._path)
        if chosen is None:
            return
        task = library_changes.sync_player(self._task_line, self._reader, *chosen)
        done = await self._run(task, import_text)
        if done is not None and done.broken:
            self._left_out = done.broken
            self.complain(library_dialogs.skipped_text(self._left_out))

    def action_left_out(self) -> None:
        if self._left_out:
            self.app.push_screen(library_dialogs.skipped_dialog(self._left_out))
        else:
            self.complain("No import has skipped anything since this screen was opened")

    @work(group="library-import")
    async def action_settle(self) -> None:
        """Solve late positions, so that their verdicts become certain, until done or stopped."""
        if not self._refuses("Something else is running: x stops it"):
            task = library_changes.settle_library(self._task_line, self._reader, self._open_lane)
            await self._run(task, settled_text)

    @work(group="library-import")
    async def action_review(self) -> None:
        """Review the games listed, each briefly before any fully, until done or stopped."""
        table = self.table
        if self._budget is None:
            self.complain("There is no analysis here")
            return
        if not self._is_ready():
            return
        chosen = table.listing.chosen
        if table.listing.mine:
            chosen = replace(chosen, player=table.player)
        problem = await library_changes.review_games(self._task_line, chosen, self._budget)
        self.changed = True
        ended = f"{counted(table.count, 'game')} reviewed"
        if self._task_line.stopped:
            ended = "stopped: what is reviewed is kept, a goes on"
        if problem:
            self.complain(problem)
        table.read_again("" if problem else ended)

    async def _run(
        self, task: Awaitable[TaskResult], in_words: Callable[[TaskResult], str]
    ) -> TaskResult | None:
        """Wait for a long task and show how it ended; return None if it failed."""
        done = None
        try:
            done = await task
        except ValueError as error:
            self.complain(error)
        finally:
            self.changed = True
        stopped = "stopped: " if done is not None and done.stopped else ""
        self.table.read_again("" if done is None else f"{stopped}{in_words(done)}")
        return done

    def action_stop(self) -> None:
        """Stop the long task; what was read, reviewed or solved is kept."""
        if not self._task_line.busy:
            self.complain("Nothing is running")
        self._task_line.stop()

    # Changes of single games

    @work(group="dialogs")
    async def action_remove(self, whole_file: bool) -> None:
        game = self.table.game
        if game is None or self._refuses():
            return
        title = "Remove this game?"
        what = f"{game.black} - {game.white}"
        if whole_file:
            title, what = "Remove all games of this file?", game.source

        def remove(library: "Library") -> str:
            removed = (
                library.remove_source(game.source) if whole_file else library.remove([game.id])
            )
            return f"{counted(removed, 'game')} removed"

        if await library_dialogs.confirm(self.app, title, what):
            await self._change(remove)

    @work(group="dialogs")
    async def action_mine(self) -> None:
        """Name the user as a player of a game, on a side that has no name."""
        game = self.table.game
        if game is None or self._refuses():
            return
        color = await library_dialogs.ask_side(self.app, self.table.unnamed, self._names)
        if color is None:
            return
        player = self.table.player or await library_dialogs.ask_own_name(self.app)
        if player is None:
            return
        self.table.player = player

        def name(library: "Library") -> str:
            library.name_player(game.id, color, player)
            return f"{self._names.player(color)} is {player} now"

        await self._change(name)

    async def _change(self, change: "Callable[[Library], str]") -> None:
        """Change the library in a thread, and list it again below what was done."""
        try:
            news = await self._reader.use(change)
        except ValueError as error:
            self.complain(error)
        else:
            self.changed = True
            self.table.read_again(news, self.table.place)
