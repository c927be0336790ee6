"""The library's screen: lists, finds, imports, removes, reviews and settles games."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, Static

from hextui.engine.board import Color
from hextui.engines.engine import OpenLane
from hextui.library.answers import Broken, GameRow, Imported, source_of
from hextui.library.filters import ALL_GAMES, Filter, filter_text, games_filter
from hextui.library.syncs import SITE_NAMES, syncs_of
from hextui.records.record_text import printable
from hextui.records.summary import PassedKind
from hextui.text import Names, counted
from hextui.ui.drawing.whole_words import within
from hextui.ui.record.files import library_players
from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog, PlayerDialog, TextDialog
from hextui.ui.screens.library_columns import ORDERS, LibraryColumns, Listing, heading
from hextui.ui.screens.library_reader import LibraryReader
from hextui.ui.screens.library_task import TaskLine, TaskResult
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.widgets.columns import Columns
from hextui.ui.widgets.frame import ScreenKeys
from hextui.ui.widgets.line_list import LineList
from hextui.ui.widgets.typed_text import PathSuggester, read_existing
from hextui.words.files import import_text, importing_text, settled_text, settling_text

if TYPE_CHECKING:
    from hextui.analysis.review_run import ReviewBudget
    from hextui.library.library import Library
    from hextui.library.settle import Settled


_NO_GAME = "No game is listed"
_FIRST_PAGE = 60  # games read at once, so that the list appears soon
_PAGE = 200  # games read when the cursor comes near the end
_NEAR = 40  # rows before the end at which more are read


class PuzzleGames(NamedTuple):
    """Which games to make puzzles of; ``player``: who had to find the moves, '' for both sides."""

    search: str
    player: str


class LibraryScreen(MessageScreen[GameRow | PuzzleGames | None]):
    """Lists games, read page by page in a thread; Enter returns the one to open, at its ply.

    ``p`` returns the games to make puzzles of: those that are listed.

    ``reviews``: the file of the user's reviews. ``budget``: what a review of a game consists of,
    None without an analysis. ``player``: whose mistakes *My mistakes* lists, a
    part of a name. ``listing``: what is listed at first, and was when the screen was left.
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
        ("x", "stop", "Stop"),
        ("delete", "remove(False)", "Remove"),
        ("v", "left_out", "Skipped"),
        ("D", "remove(True)", "Remove file's games"),
        ("A", "import_again", "Import file again"),
    ]
    DEFAULT_CSS = """
    LibraryScreen #head { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; }
    LibraryScreen Input { display: none; }
    LibraryScreen.-searching Input { display: block; }
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
        self.player = player
        self.listing = listing._replace(mine=listing.mine and bool(player))
        self._asks_player = listing.mine and not player
        self._path = path
        self._open_lane = open_lane
        self._names = names
        self._games: list[GameRow] = []
        self._columns = Columns({}, {})
        self._list = LineList(
            point=lambda game: self._read_on(),
            choose=self._open,
            sort=self._sort_by_heading,
            empty=lambda: self.complain(_NO_GAME),
            striped=True,
        )
        self._count = 0
        self._reading = False
        self._is_old = False  # the table lists what was chosen before
        self._opens_found = False  # Enter was pressed meanwhile: open what will be found
        self._before = ALL_GAMES  # chosen when the search began
        self._left_out: tuple[Broken, ...] = ()
        self.changed = False
        """Whether games were added or removed."""

    def compose(self) -> ComposeResult:
        yield Static("Library", id="head", markup=False)
        yield Input(placeholder="Words, or player=ann color=red date=2019 size=11")
        yield self._list
        yield self._task_line
        yield ScreenKeys()

    def on_mount(self) -> None:
        self._list.focus()
        self._read_again(row=self.listing.row)
        if self._asks_player:
            self.action_my_mistakes()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Leave out what is about a game while none is listed."""
        needs_game = action in ("remove", "import_again", "mine")
        if action == "mine" and self._game is not None and not self._unnamed:
            return "Both players of this game have names"
        return _NO_GAME if needs_game and self._game is None else ""

    @property
    def _unnamed(self) -> list[Color]:
        """The sides without a name in the game with the cursor."""
        game = self._game
        if game is None:
            return []
        names = {Color.BLACK: game.black, Color.WHITE: game.white}
        return [color for color, name in names.items() if not name]

    def on_unmount(self) -> None:
        """Stop what is read, and the long task; an import adds what was read."""
        self._reader.stop()
        self._task_line.stop()

    @property
    def _game(self) -> GameRow | None:
        """The game with the cursor."""
        game: GameRow | None = self._list.pointed
        return game

    # The list

    def _read_again(self, news: str = "", row: int = 0) -> None:
        """List the games, with the cursor in a row, and show ``news`` below the list."""
        doing = "Searching" if self.listing.chosen else "Reading"
        self._task_line.show(f"{doing} ... (Escape leaves)")
        self._is_old = True
        self._opens_found = False
        self._read(0, news, row)

    @work(exclusive=True, group="library-list")
    async def _read(self, offset: int, news: str = "", row: int = 0) -> None:
        limit = _PAGE if offset else _FIRST_PAGE + row
        self._reading = True
        try:
            games, count = await self._reader.page(self.listing, self.player, limit, offset)
        except ValueError as error:
            self._reading = self._is_old = False
            self._task_line.show(f"The library cannot be read: {error}")
            return
        self._reading = False
        self._games = [*self._games[:offset], *games]
        if not offset:
            self._list.start_again()
        self._list_games(offset)
        if row and games:
            self._list.point_at(games[min(row, len(games) - 1)])
        self._count = count
        self.refresh_bindings()
        self._show_head()
        if offset:
            return  # the text below the list still holds
        self._is_old = False
        self._show_found(news)
        if self._opens_found and games:
            self._open(games[0])

    def _list_games(self, kept: int) -> None:
        """List the games; ``kept`` lines still hold, unless the columns are others now."""
        room = self.size.width - 1  # the scroll bar takes one column
        columns = LibraryColumns(room, self._games, self.listing, self._names)
        if columns.widths != self._columns.widths:
            kept = 0
        self._columns = columns
        lines = self._list.lines[:kept]
        self._list.show([*lines, *map(columns.line, self._games[kept:])], columns.heading)

    def on_resize(self) -> None:
        self._list_games(len(self._games))

    def _show_found(self, news: str = "") -> None:
        """Show the news below the list, or why no game is listed and what to do."""
        does = "Ctrl+U clears the search" if self._searches else "Backspace lists all games"
        if self._count or news:
            self._task_line.show(news)
        elif self.listing.mine:
            self._task_line.show(f"No proved mistake of {self.player} yet. {does}.")
        elif chosen := self.listing.chosen:
            self._task_line.show(f"No game matches {filter_text(chosen, self._names)}. {does}.")
        else:
            self._task_line.show("The library is empty: i imports games.")

    @property
    def _searches(self) -> bool:
        return self.has_class("-searching")

    def _read_on(self) -> None:
        """Read more games before the cursor reaches the last one."""
        listed = len(self._games)
        if self._list.place + _NEAR > listed and listed < self._count and not self._reading:
            self._read(listed)

    def _show_head(self) -> None:
        mine, chosen, order, descending, _ = self.listing
        words = f"  {filter_text(chosen, self._names)}" if chosen else ""
        by = f"{heading(order, self._names)}, {'descending' if descending else 'ascending'}"
        head = self.query_one("#head", Static)
        what = f"Library  {counted(self._count, 'game')}"
        if mine:
            what = f"My mistakes  {counted(self._count, 'mistake')} of {self.player}"
        text = f"{what}{words}  by {by}"
        head.update(within(text, head.content_size.width), layout=False)

    def action_leave(self) -> None:
        """Leave the search, which lists what was listed before, or go back unless a task runs."""
        if self._searches:
            self._end_search()
            self._choose(self._before)
        elif not self._refuses():
            self._close(None)

    def _close(self, chosen: GameRow | PuzzleGames | None) -> None:
        self.listing = self.listing._replace(row=self._list.place)
        self.dismiss(chosen)

    def _open(self, game: GameRow) -> None:
        if self._is_old:
            self._opens_found = True
        elif not self._refuses():
            self._close(game)

    def action_search(self) -> None:
        """Ask which games to list, and list them while the user types."""
        self._before = self.listing.chosen
        self.add_class("-searching")
        search = self.query_one(Input)
        search.value = filter_text(self._before, self._names)
        search.focus()

    @on(Input.Submitted)
    def _search(self, event: Input.Submitted) -> None:
        try:
            chosen = games_filter(event.value)
        except ValueError as error:
            self.complain(error)
            return
        self._end_search()
        self._choose(chosen)

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        with suppress(ValueError):  # it is not yet written to the end
            self._choose(games_filter(event.value))

    def _choose(self, chosen: Filter) -> None:
        if chosen != self.listing.chosen:
            self.listing = self.listing._replace(chosen=chosen)
            self._read_again()
        elif not self._is_old:
            self._show_found()

    def action_all_games(self) -> None:
        if self.listing.chosen or self.listing.mine:
            self.listing = self.listing._replace(chosen=ALL_GAMES, mine=False)
            self._read_again()
        else:
            self.complain("All games are listed")

    @work(group="dialogs")
    async def action_my_mistakes(self) -> None:
        """List the proved mistakes of a player, who is asked for once, or again from the list."""
        if self.listing.mine or not self.player:
            dialog = PlayerDialog("My mistakes", partial(library_players, self._path), self.player)
            player = await self.app.push_screen_wait(dialog)
            if player is None:
                return
            self.player = player
        self.listing = self.listing._replace(mine=True)
        self._read_again()

    def _end_search(self) -> None:
        self.remove_class("-searching")
        self._list.focus()

    def action_sort(self, step: int) -> None:
        """Sort by the column so many on; none reverses the order."""
        self._sort_by(ORDERS[(ORDERS.index(self.listing.order) + step) % len(ORDERS)])

    def _sort_by_heading(self, column: int) -> None:
        order = self._columns.name_at(column)
        if order in ORDERS:
            self._sort_by(order)

    def _sort_by(self, order: str) -> None:
        before = self.listing
        descending = not before.descending if order == before.order else order == "id"
        self.listing = before._replace(order=order, descending=descending)
        self._read_again()

    def _refuses(self, why: str = "Something is running: x stops it") -> bool:
        """Return whether a long task runs; then show why nothing else can be done."""
        if self._task_line.busy:
            self.complain(why)
        return self._task_line.busy

    def _is_ready(self) -> bool:
        """Return whether something can be done with the games listed; else show why not."""
        if not self._count:
            self.complain(_NO_GAME)
            return False
        return not self._is_old and not self._refuses()

    def action_puzzles(self) -> None:
        """Make puzzles of the games listed: of a player's moves where mistakes are."""
        if self._is_ready():
            player = self.player if self.listing.mine else ""
            self._close(PuzzleGames(filter_text(self.listing.chosen), player))

    # Changes

    @work(group="dialogs")
    async def action_import(self) -> None:
        if self._refuses("An import is running already"):
            return
        hint = "A file or a folder: SGF, hsgf, JSON lines, HexWorld links, plain moves."
        dialog = LineDialog("Import games", hint, read_existing, suggester=PathSuggester(()))
        path = await self.app.push_screen_wait(dialog)
        if path is not None:
            self._import(path)

    @work(exclusive=True, group="library-import")
    async def _import(self, path: Path, *, again: bool = False) -> None:
        def run(library: "Library") -> Imported:
            if again:
                library.remove_source(source_of(path))
            return library.import_paths([path], report, lambda: self._task_line.stopping)

        def report(done: Imported) -> None:
            self._task_line.show_progress(f"Importing: {importing_text(done)}")

        done = await self._run(f"Importing {path} ...", run, import_text)
        if done is None:
            return
        passed = [file for file in done.summary.passed_over if file.kind is not PassedKind.OTHER]
        unread = [Broken(file.source, None, file.reason) for file in passed]
        self._left_out = (*done.broken, *unread)
        if done.notes:
            more = f" (and {len(done.notes) - 1} more)" if len(done.notes) > 1 else ""
            self.complain(f"Import: {done.notes[0]}{more}")
        if self._left_out:
            count = len(self._left_out)
            first = _reason(self._left_out[0])
            self.complain(f"Skipped {count:,} (v lists all): {first}")

    @work(group="dialogs")
    async def action_sync(self) -> None:
        """Ask for a player at another site, and fetch the games that the library lacks."""
        if self._refuses():
            return
        last = next(iter(syncs_of(self._path)), None)
        hint = "playhex NAME, or littlegolem NAME or NUMBER. One request a second."
        words = ""
        if last is not None:
            words = f"{last.site.partition('.')[0]} {last.name}"
            hint += f"\nLast sync: {last.last[:16].replace('T', ' ') or 'not complete'} UTC."
        dialog = LineDialog("Sync with a site", hint, _read_player, words)
        chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None:
            self._sync(*chosen)

    @work(exclusive=True, group="library-import")
    async def _sync(self, site: str, player: str) -> None:
        def run(library: "Library") -> Imported:
            from hextui.library.sync import sync_games
            from hextui.library.sync_sites import SITES

            return sync_games(
                library, SITES[site], player, report, lambda: self._task_line.stopping
            )[0]

        def report(line: str) -> None:
            self._task_line.show_progress(f"Fetching: {printable(line)}")

        done = await self._run(f"Fetching the games of {printable(player)} ...", run, import_text)
        if done is not None and done.broken:
            self._left_out = done.broken
            self.complain(f"Skipped {len(done.broken):,} (v lists all): {_reason(done.broken[0])}")

    def action_left_out(self) -> None:
        if self._left_out:
            text = "\n".join(map(_reason, self._left_out))
            self.app.push_screen(TextDialog(f"Skipped: {len(self._left_out):,}", text))
        else:
            self.complain("No import has skipped anything since this screen was opened")

    @work(exclusive=True, group="library-import")
    async def action_settle(self) -> None:
        """Solve late positions, so that their verdicts become certain, until done or stopped."""

        def run(library: "Library") -> "Settled":
            from hextui.library.settle import settle_games

            return settle_games(
                library,
                report=report,
                stopped=lambda: self._task_line.stopping,
                open_lane=self._open_lane,
            )

        def report(done: "Settled") -> None:
            compiling = f"Preparing the solver (compiling, {done.compiling})"
            what = compiling if done.compiling else "Solving"
            self._task_line.show_progress(f"{what}: {settling_text(done)}")

        if not self._refuses("Something else is running: x stops it"):
            await self._run("Preparing the solver ...", run, settled_text)

    def action_review(self) -> None:
        """Review the games listed, each briefly before any fully, until done or stopped."""
        if self._budget is None:
            self.complain("There is no analysis here")
        elif self._is_ready():
            chosen = self.listing.chosen
            if self.listing.mine:
                chosen = replace(chosen, player=self.player)
            self._review(chosen, self._budget)

    @work(exclusive=True, group="library-import")
    async def _review(self, chosen: Filter, budget: "ReviewBudget") -> None:
        words = ["report", "--library", f"--search={filter_text(chosen)}"]
        words += [f"--evaluator={name}" for name in budget.names]
        words.append(f"--solve={budget.seconds:g}")
        task = self._task_line
        problem = await task.run_command("Reviewing: reading the games ...", words, "Reviewing")
        self.changed = True
        ended = "stopped: what is reviewed is kept, a goes on" if task.stopped else ""
        if problem:
            self.complain(problem)
        elif not ended:
            ended = f"{counted(self._count, 'game')} reviewed"
        self._read_again(ended)

    async def _run(
        self,
        what: str,
        run: "Callable[[Library], TaskResult]",
        in_words: Callable[[TaskResult], str],
    ) -> TaskResult | None:
        """Run a long task in a thread and show how it ended; return None if it failed."""
        done = None
        try:
            done = await self._task_line.run_in_library(what, self._reader, run)
        except ValueError as error:
            self.complain(error)
        finally:
            self.changed = True
        stopped = "stopped: " if done is not None and done.stopped else ""
        self._read_again("" if done is None else f"{stopped}{in_words(done)}")
        return done

    def action_stop(self) -> None:
        """Stop the long task; what was read, reviewed or solved is kept."""
        if not self._task_line.busy:
            self.complain("Nothing is running")
        self._task_line.stop()

    @work(group="dialogs")
    async def action_remove(self, whole_file: bool) -> None:
        game = self._game
        if game is None:
            return
        title = "Remove this game?"
        what = f"{game.black} - {game.white}"
        if whole_file:
            title, what = "Remove all games of this file?", game.source

        def remove(library: "Library") -> int:
            return library.remove_source(game.source) if whole_file else library.remove([game.id])

        if await self._confirmed(title, what):
            try:
                removed = await self._reader.use(remove)
            except ValueError as error:
                self.complain(error)
            else:
                self.changed = True
                self._read_again(f"{counted(removed, 'game')} removed", self._list.place)

    @work(group="dialogs")
    async def action_mine(self) -> None:
        """Name the user as a player of a game, on a side that has no name."""
        game = self._game
        if game is None or self._refuses():
            return
        sides = {str(color): self._names.player(color) for color in self._unnamed}
        choices = [Choice(side[0].lower(), side, color) for color, side in sides.items()]
        question = "Which side did you play?"
        chosen = await self.app.push_screen_wait(ChoiceDialog("Mark as mine", question, choices))
        if chosen is None:
            return
        if not self.player:
            hint = "It is written into this game, and into those that you mark later."
            dialog = LineDialog("Your name", hint, _read_name)
            player = await self.app.push_screen_wait(dialog)
            if player is None:
                return
            self.player = player
        name = partial(_name_player, game.id, Color.parse(chosen), self.player)
        try:
            await self._reader.use(name)
        except ValueError as error:
            self.complain(error)
        else:
            self.changed = True
            self._read_again(f"{sides[chosen]} is {self.player} now", self._list.place)

    @work(group="dialogs")
    async def action_import_again(self) -> None:
        game = self._game
        if game is None or self._refuses():
            return
        if not os.path.isfile(game.source):
            self.complain(f"{game.source} no longer exists")
        elif await self._confirmed("Import this file again?", game.source):
            self._import(Path(game.source), again=True)

    async def _confirmed(self, title: str, what: str) -> bool:
        if self._refuses():
            return False
        dialog = ChoiceDialog(title, printable(what), (Choice("y", "Yes", "yes"),))
        return await self.app.push_screen_wait(dialog) == "yes"


def _name_player(number: int, color: Color, player: str, library: "Library") -> bool:
    return library.name_player(number, color, player)


def _read_player(text: str) -> tuple[str, str]:
    site, _, player = text.partition(" ")
    site = site.lower().removesuffix(".org").removesuffix(".net")
    if site not in SITE_NAMES or not player.strip():
        raise ValueError(f"expected {' or '.join(SITE_NAMES)}, and a player")
    return site, player.strip()


def _read_name(text: str) -> str:
    if not text:
        raise ValueError("a name is needed")
    return text


def _reason(broken: Broken) -> str:
    place = f", game {broken.number}" if broken.number else ""
    return printable(f"{Path(broken.source).name}{place}: {broken.reason}")
