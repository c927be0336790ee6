"""Dialogs that choose a file or link to open, and a game of a file."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from hextui.engine.board import Board
from hextui.records.fetching import FETCH_SECONDS
from hextui.records.formats import is_game_link, read_collection
from hextui.records.record import Record
from hextui.records.record_text import RecordError, printable
from hextui.records.summary import ReadSummary
from hextui.text import Names, counted
from hextui.train.puzzle import Puzzle, puzzle_of
from hextui.ui.record import files
from hextui.ui.record.session import Session
from hextui.ui.screens.dialogs import Dialog, OfferDialog
from hextui.ui.widgets.columns import Columns
from hextui.ui.widgets.line_list import LineList, TextLine
from hextui.ui.widgets.typed_text import PathSuggester
from hextui.words.files import summary_text

_HINT = (
    "A file (the right arrow completes it), or a link of hexworld.org, littlegolem.net or "
    "playhex.org."
)
_COLUMNS = {"": 6, "Game": 33, "Date": 12, "Result": 12, "Plies": 6}
_PUZZLE_COLUMNS = {"": 6, "Puzzle": 33, "Size": 9, "To move": 9, "Solved": 7}
_BATCH = 100  # games read between two messages to the screen, at least


class OpenDialog(OfferDialog[Session]):
    """Asks for a file or a link; lists the files last used that contain what is typed."""

    def __init__(self, recent: Sequence[str]) -> None:
        super().__init__(
            "Open a record",
            _HINT,
            files.open_session,
            suggester=PathSuggester(recent),
            offered=recent,
            heading="Files last used:",
        )

    def option_text(self, text: str) -> Text:
        return _file_line(Path(text))

    def submit(self) -> None:
        if is_game_link(self.wanted):
            work: Callable[[], Any] = partial(self._fetch, self.wanted)
            self.run_worker(work, exclusive=True)
        else:
            super().submit()

    async def _fetch(self, link: str) -> None:
        hint = self.query_one(".hint", Static)
        self.complain("")
        hint.update(f"Fetching the game: {FETCH_SECONDS:g} seconds at most.")
        try:
            session = await files.fetched_session(link)
        except RecordError as error:
            hint.update(_HINT)
            self.complain(error)
        else:
            self.dismiss(session)


def _file_line(path: Path) -> Text:
    """Return a file's name first: its folder is cut if there is no room."""
    name = Text(printable(path.name), no_wrap=True, overflow="ellipsis")
    return name.append(f"  {printable(str(path.parent))}", "dim")


_ListedGame = tuple[str, TextLine]
"""All that is searched of a game of a file, and its line."""


class GamesDialog(Dialog[int]):
    """Lists the games or puzzles of a file while they are read; Enter returns the number of one."""

    ACCEPT = "Enter opens"
    BINDINGS = [
        ("up", "cursor(-1)", "Up"),
        ("down", "cursor(1)", "Down"),
        ("pageup", "page(-1)", "Page up"),
        ("pagedown", "page(1)", "Page down"),
    ]
    DEFAULT_CSS = """
    GamesDialog > Vertical { width: 90; height: 80%; }
    GamesDialog.hiding { background: $background; }
    GamesDialog LineList > .lines--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold;
    }
    """

    def __init__(
        self,
        path: Path,
        board: Board | None = None,
        charset: str | None = None,
        is_solved: Callable[[Puzzle], bool] | None = None,
        names: Names = Names.RED_BLUE,
    ) -> None:
        """``board``: of games without a size; ``charset``: of the file (default: guessed).

        ``is_solved``: for a file of puzzles; called in another thread. The screen behind their list
        is covered: it shows the analysis of one.
        """
        super().__init__(printable(path.name))
        self.set_class(is_solved is not None, "hiding")
        self._is_solved = is_solved
        self._columns = Columns(_COLUMNS if is_solved is None else _PUZZLE_COLUMNS, {})
        self._path = path
        self._names = names
        self._board = board
        self._charset = charset
        self._list = LineList(
            choose=self.dismiss,
            empty=lambda: self._say("None is listed: nothing to open"),
            striped=True,
        )
        self._list.can_focus = False  # the input keeps the focus
        self._games: list[_ListedGame] = []
        self._end: str | None = None  # '' or what went wrong, once all games are read

    def body(self) -> ComposeResult:
        yield Input(placeholder="Type to narrow the list", compact=True)
        yield self._list
        yield Static(classes="hint", markup=False)

    def on_mount(self) -> None:
        self._read()

    @work(thread=True)
    def _read(self) -> None:
        worker = get_current_worker()
        games: list[_ListedGame] = []
        problem = ""
        summary = ReadSummary()
        try:
            read = read_collection(self._path, self._board, charset=self._charset, summary=summary)
            for number, game in enumerate(read, start=1):
                games.append(self._listed(number, game))
                if worker.is_cancelled:
                    return
                if len(games) >= max(_BATCH, number // 10):
                    self.call_later(self._take, games, None)
                    games = []
        except RecordError as error:
            problem = str(error)
        self.call_later(self._take, games, problem or summary_text(summary))

    def _listed(self, number: int, game: object) -> _ListedGame:
        texts = str(number), *map(printable, self._texts(game))
        cells = dict(zip(self._columns.widths, texts, strict=True))
        line = self._columns.fitted(number, cells)
        return " ".join(texts).casefold(), line

    def _texts(self, game: object) -> tuple[str, str, str, str]:
        """Return the texts of the columns for a game, except its number in the file."""
        if not isinstance(game, Record):
            return "cannot be read", "", "", ""
        players = [game.info("PB"), game.info("PW")]
        name = game.info("GN")
        if any(players):
            name = " - ".join(player or "?" for player in players)
        if self._is_solved is not None:
            position = game.position(files.first_stones(game))
            puzzle = puzzle_of(game)
            solved = "yes" if puzzle is not None and self._is_solved(puzzle) else ""
            return name, str(game.board), self._names.player(position.to_move), solved
        result = self._names.result(game.result.winner) or game.result.how
        return name, game.info("DT"), result, str(game.plies)

    def _take(self, games: list[_ListedGame], end: str | None) -> None:
        self._end = end
        self._games += games
        self._list_games()

    def _list_games(self) -> None:
        """List the games that have all the words typed."""
        words = self.query_one(Input).value.casefold().split()
        lines = [line for text, line in self._games if all(map(text.__contains__, words))]
        self._list.show(lines, self._columns.heading)
        count = counted(len(self._games), "game" if self._is_solved is None else "puzzle")
        if words:
            count = f"{len(lines):,} of {count}"
        state = "  reading ..." if self._end is None else f"  {self._end}".rstrip()
        self._say(f"{count}{state}")

    def _say(self, text: str) -> None:
        self.query_one(".hint", Static).update(text)

    @on(Input.Changed)
    def _narrow(self) -> None:
        self._list.start_again()
        self._list_games()

    def action_cursor(self, steps: int) -> None:
        self._list.action_cursor(steps)

    def action_page(self, pages: int) -> None:
        self._list.action_page(pages)

    @on(Input.Submitted)
    def action_accept(self) -> None:
        self._list.action_choose()
