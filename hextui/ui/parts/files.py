"""Actions on files, the library and open records: open, save, copy; and on the whole program."""

import asyncio
import json
import os
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from textual.app import SuspendNotSupported

from hextui.analysis.comparison import comparison_document, comparison_table
from hextui.engine.board import Board
from hextui.library.filters import Filter
from hextui.locations import named_path
from hextui.records.codecs import codec_named, is_game
from hextui.records.fetching import FETCH_SECONDS
from hextui.records.game_info import info_of, set_info
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.ui.app.keys import Topic, action
from hextui.ui.app.settings import UserState
from hextui.ui.app.workspace import Workspace
from hextui.ui.drawing.overlays import for_diagram
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup
from hextui.ui.parts.panels import PanelActions
from hextui.ui.parts.train import PuzzleActions
from hextui.ui.record import files
from hextui.ui.record.session import Session
from hextui.ui.safety import terminal
from hextui.ui.screens.dialogs import GameInfoDialog, TextDialog

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hextui.ui.screens.library_columns import Listing
    from hextui.ui.screens.player_screen import PlayerScreen

_TABLES = (".json", ".csv")  # endings of rankings


class FileActions(ActionGroup):
    """Opens, saves, copies and exports records, and runs actions of the whole program."""

    def __init__(
        self, workspace: Workspace, state: UserState, panels: PanelActions, puzzles: PuzzleActions
    ) -> None:
        super().__init__(workspace)
        self._state = state
        self._panels = panels
        self._puzzles = puzzles
        self._listings: dict[bool, Listing] = {}  # of all games, and of the user's mistakes

    @action("save", "ctrl+s", "Save", Topic.FILE, "Save the record as SGF", False)
    @action(
        "save-as",
        "ctrl+shift+s,S",
        "Save as",
        Topic.FILE,
        "Save the record as SGF under another name",
        True,
    )
    async def save(self, ask: bool) -> None:
        """Save the record; ``ask`` for a name even if it has one."""
        session = self._session
        saved = await self._workspace.records.save(session, ask=ask)
        if saved and session is self._session and self._workspace.survey.is_unwritten:
            self._tell(f"Saved {session.name} without the review; A adds it", 6)

    @action(
        "copy-link",
        "ctrl+l",
        "Copy link",
        Topic.FILE,
        "Copy the current line as a HexWorld link; pasting a link or SGF opens it",
        "hexworld",
    )
    @action("copy-sgf", "ctrl+g", "Copy SGF", Topic.FILE, "Copy the whole record as SGF", "sgf")
    async def copy(self, form: Literal["hexworld", "sgf"]) -> None:
        """Copy the record in a format: ``hexworld`` (the current line) or ``sgf`` (all of it).

        Where nothing says that the clipboard has it, show the text so that it can be selected.
        """
        session, app = self._session, self._screen.app
        with self._errors_shown():
            text = codec_named(form).write(session.record, session.node).strip()
            app.copy_to_clipboard(text)
            copied = self._workspace.services.graphics.copies
            if copied or await asyncio.to_thread(terminal.copy_by_program, text):
                self._tell(f"Copied as {'a link' if form == 'hexworld' else 'SGF'}", 2)
                return
            try:
                with app.suspend():
                    terminal.show_to_select(text)
            except SuspendNotSupported:
                await self._ask(TextDialog("No clipboard was found", text))

    def paste(self, text: str) -> None:
        """Open a pasted link, SGF or numbered list of moves."""
        if not is_game(text.strip()):
            self._complain("The pasted text is neither SGF nor a link nor a numbered list of moves")
            return
        with self._errors_shown():
            session = files.open_session(text.strip())
            self._workspace.records.open(session)
            self._warn(session)

    async def fetch(self, link: str) -> None:
        """Fetch and open the game of a pasted link."""
        self._tell("Fetching the game", FETCH_SECONDS)
        with self._errors_shown():
            session = await files.fetched_session(link)
            self._tell("Game fetched", 2)
            self._workspace.records.open(session)

    @action("open", "ctrl+o", "Open", Topic.FILE)
    async def open(self) -> None:
        """Open a record: a file or a link."""
        from hextui.ui.screens.file_dialogs import OpenDialog

        session = await self._ask(OpenDialog(self._state.recent_files()))
        if session is not None:
            await self._open(session)

    @action("game-info", "ctrl+e", "Game information", Topic.FILE)
    async def game_info(self) -> None:
        """Show and change players, event, date, result and rules."""
        record, names = self._session.record, self._shown.names
        texts = await self._ask(GameInfoDialog(info_of(record, names), names))
        if texts is not None and set_info(record, texts, names):
            self._workspace.changed(Change.SESSION)

    @action("library", "6,L", "Library", Topic.FILE)
    async def browse(self, mine: bool = False) -> None:
        """Browse, search, import and open the games of the library."""
        from hextui.analysis.review_run import ReviewBudget
        from hextui.ui.screens.library_columns import Listing
        from hextui.ui.screens.library_screen import LibraryScreen, NamedPlayer, PuzzleGames

        services, names = self._workspace.services, self._shown.names
        if services.library is None:
            self._complain("The library is disabled")
            return
        budget = None
        if self._workspace.surveys.analyst is not None and services.reviews is not None:
            seconds = self._workspace.surveys.analyst.solve_seconds
            budget = ReviewBudget(self._live.evaluators, seconds)
        screen = LibraryScreen(
            services.library,
            open_lane=services.open_lane,
            names=names,
            reviews=services.reviews,
            budget=budget,
            player=self._workspace.player,
            listing=self._listings.get(mine, Listing(mine)),
        )
        chosen = await self._ask(screen)
        listing = screen.table.listing
        if chosen is not None or listing.mine is mine:
            self._listings[listing.mine] = listing
        self._workspace.player = screen.table.player
        if screen.changed:
            self._workspace.shown = replace(self._shown, library=None)
            self._workspace.ask_library()
        if isinstance(chosen, PuzzleGames):
            await self._puzzles.make_of(chosen.search, chosen.player)
        elif isinstance(chosen, NamedPlayer):
            await self._show_player(self._player_screen(chosen.name), partial(self.browse, mine))
        elif chosen is not None:
            before = self._panels.where
            await self.open_game(chosen.id, chosen.ply)
            self._panels.leave("library", partial(self.browse, mine), before)

    @action("find-shape", "slash", "Find a shape", Topic.FILE)
    async def find_shape(self) -> None:
        """Mark a shape, and find the games of the library that have it."""
        from hextui.ui.screens.library_columns import Listing
        from hextui.ui.screens.shape_screen import ShapeScreen, ShapeSubject

        library = self._filled_library()
        if library is None:
            return
        subject = ShapeSubject(self._session.position, self._session.cursor, library)
        shape = await self._ask_with_engine(ShapeScreen, subject)
        if shape is not None:
            self._listings[False] = Listing(chosen=Filter(shape=shape))
            await self.browse()

    @action("my-mistakes", "U", "My mistakes", Topic.FILE)
    async def mistakes(self) -> None:
        """List your proved mistakes in the games of the library."""
        await self.browse(mine=True)

    @action("player", "dollar_sign", "Player", Topic.FILE)
    async def ask_player(self) -> None:
        """Show the results, openings and mistakes of a player of the library."""
        if self._filled_library() is None:
            return
        player = await self._ask_player("Player", self._workspace.player)
        if player is not None:
            await self._show_player(self._player_screen(player), None)

    def _filled_library(self) -> Path | None:
        """Return the file of the library; None with a message while it is not there."""
        library = self._workspace.services.library
        if library is None or not library.is_file():
            self._complain("The library is empty: L opens it")
            return None
        return library

    def _player_screen(self, player: str) -> "PlayerScreen":
        from hextui.ui.screens.player_screen import PlayerScreen

        services = self._workspace.services
        assert services.library is not None
        return PlayerScreen(services.library, self._shown.names, services.reviews, player)

    async def _show_player(
        self, screen: "PlayerScreen", back: "Callable[[], Awaitable[object]] | None"
    ) -> None:
        """Show a player until the screen is left; ``back`` shows what was there before."""
        chosen = await self._ask(screen)
        if chosen is not None:
            before = self._panels.where
            await self.open_game(chosen.id, chosen.ply)
            self._panels.leave("player", partial(self._show_player, screen, back), before)
        elif back is not None:
            await back()

    async def open_game(self, number: int, ply: int = 0) -> None:
        """Open a game of the library beside the open records, at a ply."""
        library = self._workspace.services.library
        assert library is not None
        with self._errors_shown():
            session = await asyncio.to_thread(files.open_game, library, number, ply)
            self._workspace.records.open(session)

    @action("export", "X", "Export", Topic.FILE)
    async def export(self) -> None:
        """Save a picture of the position (text, SVG, PNG, HexWiki), or the game as a link; in
        Compare a picture of all boards, or the rankings (JSON, CSV).
        """
        from hextui.records.writing import EXPORT_SUFFIXES

        session = self._session
        forms = []
        for form, ending in EXPORT_SUFFIXES.items():
            forms.append(ending if ending == f".{form}" else f"{ending} ({form})")
        hint = f"The suffix chooses the format: {', '.join(forms)}."
        tables = _TABLES if self._workspace.compared else ()
        if tables:
            hint += f" {' or '.join(tables)}: all rankings, and how far they agree."
        value = f"{Path(session.name).stem}-{session.node.ply}.svg"
        read = partial(_read_export, tables=tables)
        path = await self._talk.ask_line("Export", hint, read, value)
        if path is None:
            return
        if os.path.exists(path) and not await self._talk.may_overwrite(f"{path} exists already."):
            return
        with self._errors_shown():
            save_file(path, self._exported(path))
            self._tell(f"Saved {path}", 4)

    def _exported(self, path: Path) -> str | bytes:
        """Return what a file of this name gets. Raises RecordError."""
        from hextui.records.writing import export, export_form_of

        workspace = self._workspace
        session = self._session
        ending = path.suffix.lower()
        if ending not in _TABLES:
            views = workspace.views(workspace.compared[1:], workspace.differences())
            return export(
                session.record,
                session.node,
                export_form_of(path),
                numbers=bool(self._shown.numbers),
                shown=[for_diagram(view, shown) for shown, view in views],
                names=self._shown.names,
            )
        if workspace.snapshot is None:
            raise RecordError("no evaluator has ranked this position yet")
        verdicts = workspace.verdicts.moves(session.position).by_cell
        rankings = workspace.snapshot.rankings
        document = comparison_document(session.position, rankings, verdicts)
        table = comparison_table(document) if ending == ".csv" else json.dumps(document, indent=1)
        return f"{table.rstrip()}\n"

    @action(
        "next-record",
        "right_curly_bracket",
        "Next record",
        Topic.FILE,
        "Show the next open record, or the next game of the file if only one is open",
        1,
    )
    @action(
        "previous-record",
        "left_curly_bracket",
        "Previous record",
        Topic.FILE,
        "Show the previous open record, or the previous game of the file",
        -1,
    )
    async def step(self, step: int) -> None:
        """Show another open record, or, if only one is open, another game of its file."""
        records, session = self._workspace.records, self._session
        origin = session.record.origin
        if len(records.sessions) > 1:
            records.step(step)
            return
        if origin is None or origin.path is None or origin.alone:
            self._complain("No other record is open")
            return
        with self._errors_shown():
            game = await asyncio.to_thread(files.open_other, origin, origin.number + step)
            records.replace(session, game)

    @action("close-record", "ctrl+w", "Close record", Topic.FILE)
    async def close(self) -> None:
        """Close this record; asks about unsaved edits."""
        await self._workspace.records.close()

    @action("new", "ctrl+n", "New board", Topic.FILE)
    async def new(self) -> None:
        """Start an empty board."""
        hint = "Size: 11, or columns x rows: 13x9. Sides are 1 to 19."
        size = str(self._session.board)
        board = await self._talk.ask_line("New board", hint, Board.parse, size)
        if board is not None:
            self._workspace.records.open(Session(Record(board)))

    @action("problems", "apostrophe", "Messages", Topic.FILE)
    async def show_problems(self) -> None:
        """List what went wrong and why keys did nothing, the newest first."""
        lines = [
            f"{message.when:%H:%M:%S}  {message.text}" for message in reversed(self._talk.problems)
        ]
        if lines:
            await self._ask(TextDialog("Messages", "\n".join(lines)))
        else:
            self._complain("No message yet")

    @action(
        "theme",
        "T",
        "Next theme",
        Topic.VIEW,
        "Change the colours: dark, light, high contrast",
        "app.next_theme",
    )
    @action(
        "help",
        "question_mark",
        "Help",
        Topic.FILE,
        "Show all keys and what they do",
        "app.show_help",
    )
    @action(
        "redraw",
        "ctrl+r",
        "Redraw",
        Topic.FILE,
        "Redraw the whole terminal, for example after another program wrote to it",
        "app.redraw",
    )
    @action(
        "suspend",
        "ctrl+z",
        "Suspend",
        Topic.FILE,
        "Return to the shell; its command fg continues",
        "app.suspend_process",
    )
    @action("quit", "q", "Quit", Topic.FILE, "Leave the program", "app.quit")
    def run(self, name: str) -> None:
        """Run an action of the application, by its name."""
        self._screen.call_later(self._screen.run_action, name)

    async def open_file(self, name: str) -> None:
        """Open a file last used."""
        with self._errors_shown():
            await self._open(files.open_session(name))

    async def begin(self, first: Session, ask: bool) -> None:
        """Begin with the file that the program was started with; ``ask`` for a game of it.

        A user who leaves the list of its games begins with an empty board.
        """
        chosen = await self._choose_game(first) if ask else first
        chosen = chosen or Session(Record(first.board))
        if chosen is not first or (files.is_puzzle(chosen) and chosen is not self._session):
            self._workspace.records.replace(first, chosen)
        await self._opened(chosen)

    async def _open(self, session: Session) -> None:
        chosen = await self._choose_game(session)
        if chosen is not None:
            self._workspace.records.open(chosen)
            await self._opened(chosen)

    async def _opened(self, session: Session) -> None:
        """Warn of guesses about a record's file; show a puzzle without its analysis."""
        self._warn(session)
        if files.is_puzzle(session):
            await self._screen.run_action("do('puzzle')")

    def _warn(self, session: Session) -> None:
        """Show what was guessed and what could not be read."""
        origin = session.record.origin
        for note in origin.notes if origin else ():
            self._talk.warn(session.name, note)

    async def _choose_game(self, first: Session) -> Session | None:
        """Ask which game of the file of ``first`` is meant, if it holds several; open that.

        None if the user leaves the list.
        """
        origin = first.record.origin
        if origin is None or origin.path is None or origin.alone:
            return first
        from hextui.ui.screens.file_dialogs import GamesDialog

        is_solved = self._workspace.training.is_solved if files.is_puzzle(first) else None
        dialog = GamesDialog(
            origin.path,
            board=origin.board,
            charset=origin.charset,
            is_solved=is_solved,
            names=self._shown.names,
        )
        number = await self._ask(dialog)
        if number is None:
            return None
        if number == origin.number:
            return first
        with self._errors_shown():
            return await asyncio.to_thread(files.open_other, origin, number)
        return first


def _read_export(text: str, tables: Collection[str]) -> Path:
    from hextui.records.writing import export_form_of

    path = named_path(text)
    if path.suffix.lower() not in tables:
        export_form_of(path, tables)
    if os.path.isdir(path):  # False also for a name that no system takes
        raise ValueError(f"{text} is a folder")
    return path
