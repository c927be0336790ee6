"""Dialogs that choose a file or link to open, and a game of a file."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import DataTable, Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from hextui.engine.board import Board
from hextui.records.formats import FETCH_SECONDS, is_game_link, read_collection
from hextui.records.record import Record
from hextui.records.record_text import RecordError, printable
from hextui.records.summary import ReadSummary
from hextui.text import Names, counted
from hextui.train.puzzle import Puzzle, puzzle_of
from hextui.ui.drawing.whole_words import within
from hextui.ui.record import files
from hextui.ui.record.session import Session
from hextui.ui.screens.dialogs import Dialog, LineDialog
from hextui.ui.widgets.typed_text import PathSuggester
from hextui.words.files import summary_text

_HINT = (
    "A file (the right arrow completes it), or a link of hexworld.org, littlegolem.net or "
    "playhex.org."
)
_COLUMNS = (("", 5), ("Game", 31), ("Date", 10), ("Result", 10), ("Plies", 5))
_PUZZLE_COLUMNS = (("", 5), ("Puzzle", 31), ("Size", 7), ("To move", 7), ("Solved", 6))
_MOVES: list[BindingType] = [
    ("up", "move('cursor_up')", "Up"),
    ("down", "move('cursor_down')", "Down"),
    ("pageup", "move('page_up')", "Page up"),
    ("pagedown", "move('page_down')", "Page down"),
]
"""Keys of the list below an input, which keeps the focus."""
_BATCH = 100  # games read between two messages to the screen
_SHOWN = 1000  # rows of the table; typing brings the others


class OpenDialog(LineDialog[Session]):
    """Asks for a file or a link; lists the files last used that contain what is typed."""

    BINDINGS = _MOVES
    DEFAULT_CSS = """
    OpenDialog OptionList { height: auto; max-height: 10; background: transparent; border: none; }
    """

    def __init__(self, recent: Sequence[str]) -> None:
        super().__init__(
            "Open a record", _HINT, files.open_session, suggester=PathSuggester(recent)
        )
        self._recent = recent

    def body(self) -> ComposeResult:
        yield from super().body()
        table = OptionList(compact=True)
        table.can_focus = False  # the input keeps the focus
        yield Static("Files last used:", id="last-used", classes="hint")
        yield table

    def on_mount(self) -> None:
        self._offer("")

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._offer(event.value.strip())

    def _offer(self, typed: str) -> None:
        offered = [name for name in self._recent if typed.casefold() in name.casefold()]
        table = self.query_one(OptionList)
        table.clear_options()
        table.add_options([Option(_file_line(Path(name)), name) for name in offered])
        table.display = self.query_one("#last-used").display = bool(offered)

    def action_move(self, action: str) -> None:
        getattr(self.query_one(OptionList), f"action_{action}")()

    @on(OptionList.OptionSelected)
    def _choose(self) -> None:
        self.submit()

    def read(self) -> Session:
        return files.open_session(self._wanted)

    @property
    def _wanted(self) -> str:
        option = self.query_one(OptionList).highlighted_option
        return (option and option.id) or self.query_one(Input).value.strip()

    def submit(self) -> None:
        if is_game_link(self._wanted):
            work: Callable[[], Any] = partial(self._fetch, self._wanted)
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


class GamesDialog(Dialog[int]):
    """Lists the games or puzzles of a file while they are read; Enter returns the number of one."""

    ACCEPT = "Enter opens"
    BINDINGS = _MOVES
    DEFAULT_CSS = """
    GamesDialog > Vertical { width: 90; height: 80%; }
    GamesDialog.hiding { background: $background; }
    GamesDialog DataTable { height: 1fr; }
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
        self._columns = _COLUMNS if is_solved is None else _PUZZLE_COLUMNS
        self._path = path
        self._names = names
        self._board = board
        self._charset = charset
        self._lines: list[tuple[str, ...]] = []
        self._matching = 0
        self._words: list[str] = []
        self._end: str | None = None  # '' or what went wrong, once all games are read

    def body(self) -> ComposeResult:
        table: DataTable[Text] = DataTable(cursor_type="row", zebra_stripes=True)
        table.can_focus = False  # the input keeps the focus
        yield Input(placeholder="Type to narrow the list", compact=True)
        yield table
        yield Static(classes="hint", markup=False)

    def on_mount(self) -> None:
        for name, width in self._columns:
            self._table.add_column(name, width=width)
        self._read()

    @property
    def _table(self) -> DataTable[Text]:
        return self.query_one(DataTable)

    @work(thread=True)
    def _read(self) -> None:
        worker = get_current_worker()
        lines: list[tuple[str, ...]] = []
        problem = ""
        summary = ReadSummary()
        try:
            games = read_collection(self._path, self._board, charset=self._charset, summary=summary)
            for number, game in enumerate(games, start=1):
                lines.append(self._line(number, game))
                if worker.is_cancelled:
                    return
                if len(lines) == _BATCH:
                    self.call_later(self._list_games, lines, None)
                    lines = []
        except RecordError as error:
            problem = str(error)
        self.call_later(self._list_games, lines, problem or summary_text(summary))

    def _line(self, number: int, game: object) -> tuple[str, ...]:
        """Return the texts of the columns for the game with this number in its file, from 1."""
        if not isinstance(game, Record):
            return str(number), "cannot be read", "", "", ""
        players = [game.info("PB"), game.info("PW")]
        name = game.info("GN")
        if any(players):
            name = " - ".join(player or "?" for player in players)
        result = self._names.result(game.result.winner) or game.result.how
        texts = name, game.info("DT"), result, str(game.plies)
        if self._is_solved is not None:
            position = game.position(files.first_stones(game))
            puzzle = puzzle_of(game)
            solved = "yes" if puzzle is not None and self._is_solved(puzzle) else ""
            texts = name, str(game.board), self._names.player(position.to_move), solved
        return str(number), *map(printable, texts)

    def _list_games(self, lines: list[tuple[str, ...]], end: str | None) -> None:
        self._end = end
        self._lines += lines
        self._add(lines)

    def _add(self, lines: Sequence[tuple[str, ...]]) -> None:
        table = self._table
        for line in lines:
            text = " ".join(line).casefold()
            if all(word in text for word in self._words):
                self._matching += 1
                if self._matching <= _SHOWN:
                    fitting = map(within, line, (width for _, width in self._columns))
                    table.add_row(*map(Text, fitting), key=line[0])
        count = counted(len(self._lines), "game" if self._is_solved is None else "puzzle")
        if self._words:
            count = f"{self._matching:,} of {count}"
        more = f", the first {_SHOWN:,} are shown" if self._matching > _SHOWN else ""
        state = "  reading ..." if self._end is None else f"  {self._end}".rstrip()
        self.query_one(".hint", Static).update(f"{count}{more}{state}")

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._words = event.value.casefold().split()
        self._matching = 0
        self._table.clear()
        self._add(self._lines)

    def action_move(self, action: str) -> None:
        getattr(self._table, f"action_{action}")()

    @on(Input.Submitted)
    def action_accept(self) -> None:
        rows = self._table.ordered_rows
        place = self._table.cursor_row
        if 0 <= place < len(rows):
            self.dismiss(int(rows[place].key.value or 1))
        else:
            self.query_one(".hint", Static).update("None is listed: nothing to open")

    @on(DataTable.RowSelected)
    def _choose_by_click(self) -> None:
        self.action_accept()
