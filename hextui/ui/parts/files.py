"""Actions on files and open records: open, save, copy, export; and on the whole program."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from hextui.locations import named_path
from hextui.records.codecs import is_game
from hextui.records.errors import RecordError
from hextui.records.fetching import SECONDS
from hextui.records.record import Record
from hextui.ui import files
from hextui.ui.files import fetched_session
from hextui.ui.keys import Topic, action
from hextui.ui.parts import ActionGroup
from hextui.ui.session import Session
from hextui.ui.workspace import Workspace


class FileActions(ActionGroup):
    """Opens, saves, copies and exports records, and runs actions of the whole program."""

    def __init__(self, workspace: Workspace, recent: Callable[[], list[str]]) -> None:
        """``recent`` returns the files last used, the newest first."""
        super().__init__(workspace)
        self._recent = recent

    @action("save", "ctrl+s", "Save", "Save the record as SGF", Topic.FILE, False)
    @action(
        "save-as",
        "ctrl+shift+s,S",
        "Save as",
        "Save the record as SGF under another name",
        Topic.FILE,
        True,
    )
    async def save(self, ask: bool) -> None:
        """Save the record as SGF; ``ask`` for another name."""
        await self._workspace.records.save(ask=ask)

    @action(
        "copy-link",
        "ctrl+l",
        "Copy link",
        "Copy the current line as a HexWorld link; pasting a link or SGF opens it",
        Topic.FILE,
        "hexworld",
    )
    @action("copy-sgf", "ctrl+g", "Copy SGF", "Copy the whole record as SGF", Topic.FILE, "sgf")
    def copy(self, form: Literal["hexworld", "sgf"]) -> None:
        """Copy the record in a format: ``hexworld`` (the current line) or ``sgf`` (all of it)."""
        from hextui.records.writing import write_record

        session = self._workspace.session
        try:
            text = write_record(session.record, form, session.node)
        except RecordError as error:
            self._workspace.complain(error)
            return
        self._workspace.screen.app.copy_to_clipboard(text.strip())
        self._workspace.tell(f"Copied as {'a link' if form == 'hexworld' else 'SGF'}", 2)

    def paste(self, text: str) -> None:
        """Open a pasted link or SGF."""
        text = text.strip()
        if not is_game(text):
            self._workspace.complain("What was pasted is neither SGF nor a link to a game")
            return
        try:
            session = files.open_session(text)
        except RecordError as error:
            self._workspace.complain(error)
            return
        self._workspace.records.open(session)

    async def fetch(self, link: str) -> None:
        """Fetch and open the game of a pasted link."""
        self._workspace.tell("The game is being fetched", SECONDS)
        try:
            session = await fetched_session(link)
        except RecordError as error:
            self._workspace.complain(error)
            return
        self._workspace.tell("Game fetched", 2)
        self._workspace.records.open(session)

    @action("open", "ctrl+o", "Open", "Open a record: a file or a link", Topic.FILE)
    async def open(self) -> None:
        """Ask for a file or a link and open it."""
        from hextui.ui.screens.file_dialogs import OpenDialog

        session = await self._workspace.ask(OpenDialog(self._recent()))
        if session is not None:
            await self._open(session)

    @action(
        "game-info",
        "ctrl+e",
        "Game information",
        "Show and change players, event, date, result and rules",
        Topic.FILE,
    )
    async def game_info(self) -> None:
        """Ask for players, event, date, result and rules."""
        from hextui.records.game_info import info_of, set_info
        from hextui.ui.screens.dialogs import GameInfoDialog

        record, names = self._workspace.session.record, self._workspace.shown.names
        texts = await self._workspace.ask(GameInfoDialog(info_of(record, names), names))
        if texts is not None and set_info(record, texts, names):
            self._workspace.show()

    @action(
        "export",
        "X",
        "Export",
        "Save a picture of the position (text, SVG, PNG, HexWiki), or the game as a link",
        Topic.FILE,
    )
    async def export(self) -> None:
        """Ask for a file and save a picture of the position there, or the game as a link."""
        from hextui.records.writing import export_form_of, export_forms, save_export
        from hextui.ui.drawing.overlays import board_view, highlights
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog

        session = self._workspace.session
        forms = ", ".join(
            ending if ending == f".{form}" else f"{ending} {form}"
            for form, ending in export_forms().items()
        )
        hint = f"The ending says what is written: {forms}."
        value = f"{Path(session.name).stem}-{session.node.ply}.svg"
        path = await self._workspace.ask(LineDialog("Export", hint, _read_export, value))
        if path is None:
            return
        if os.path.exists(path):
            choices = (Choice("o", "Overwrite", "overwrite"),)
            dialog = ChoiceDialog("Overwrite?", f"{path} exists already.", choices)
            if await self._workspace.ask(dialog) != "overwrite":
                return
        try:
            shown = self._workspace.shown
            verdicts = self._workspace.verdicts.moves(session.position).by_cell
            view = board_view(session, shown, self._workspace.snapshot, verdicts)
            seen = highlights(view, shown)
            form = export_form_of(path)
            save_export(
                session.record, session.node, path, form, shown.numbers, seen, names=shown.names
            )
        except RecordError as error:
            self._workspace.complain(error)
        else:
            self._workspace.tell(f"Saved {path}", 4)

    @action(
        "next-record",
        "right_curly_bracket",
        "Next record",
        "Show the next open record, or the next game of the file if only one is open",
        Topic.FILE,
        1,
    )
    @action(
        "previous-record",
        "left_curly_bracket",
        "Previous record",
        "Show the previous open record, or the previous game of the file",
        Topic.FILE,
        -1,
    )
    async def step(self, step: int) -> None:
        """Show another open record, or, if only one is open, another game of its file."""
        session = self._workspace.records.session
        origin = session.record.origin
        others = len(self._workspace.records.sessions) > 1
        if others or origin is None or origin.path is None or origin.alone:
            self._workspace.records.step(step)
            return
        number = origin.number + step
        try:
            found = await asyncio.to_thread(files.open_other, origin, number)
        except RecordError as error:
            self._workspace.complain(error)
            return
        if session.record.modified:
            self._workspace.records.open(found)
        else:
            self._workspace.records.replace(session, found)

    @action(
        "close-record",
        "ctrl+w",
        "Close record",
        "Close this record; asks about unsaved edits",
        Topic.FILE,
    )
    async def close(self) -> None:
        """Close the record that is shown."""
        await self._workspace.records.close()

    @action("new", "ctrl+n", "New board", "Start an empty board", Topic.FILE)
    async def new(self) -> None:
        """Ask for a size and start an empty board."""
        from hextui.ui.screens.dialogs import LineDialog

        hint = "Size: 11, or columns x rows: 13x9. Sides are 1 to 19."
        size = files.size_text(self._workspace.records.session.board)
        board = await self._workspace.ask(LineDialog("New board", hint, files.read_size, size))
        if board is not None:
            self._workspace.records.open(Session(Record(board)))

    @action(
        "theme",
        "T",
        "Next theme",
        "Change the colours: dark, light, high contrast",
        Topic.VIEW,
        "app.next_theme",
    )
    @action(
        "help",
        "question_mark",
        "Help",
        "Show all keys and what they do",
        Topic.FILE,
        "app.show_help",
    )
    @action(
        "redraw",
        "ctrl+r",
        "Redraw",
        "Redraw the whole terminal, for example after another program wrote to it",
        Topic.FILE,
        "app.redraw",
    )
    @action("quit", "q", "Quit", "Leave the program", Topic.FILE, "app.quit")
    def run(self, name: str) -> None:
        """Run an action of the application, by its name."""
        screen = self._workspace.screen
        screen.call_later(screen.run_action, name)

    async def open_file(self, name: str) -> None:
        """Open a file last used."""
        try:
            session = files.open_session(name)
        except RecordError as error:
            self._workspace.complain(error)
        else:
            await self._open(session)

    async def begin(self, first: Session, ask: bool) -> None:
        """Begin with the file that the program was started with; ``ask`` for a game of it.

        Records that were open already stay beside what is chosen.
        """
        chosen = await self._choose_game(first) if ask else first
        if chosen is not first or (
            files.is_puzzle(chosen) and chosen is not self._workspace.records.session
        ):
            self._workspace.records.replace(first, chosen)
        await self._opened(chosen)

    async def _open(self, session: Session) -> None:
        chosen = await self._choose_game(session)
        self._workspace.records.open(chosen)
        await self._opened(chosen)

    async def _opened(self, session: Session) -> None:
        """Warn of guesses about a record's file; show a puzzle without its analysis."""
        origin = session.record.origin
        for note in origin.notes if origin else ():
            self._workspace.warn(session.name, note)
        if files.is_puzzle(session):
            await self._workspace.screen.run_action("do('puzzle')")

    async def _choose_game(self, first: Session) -> Session:
        """Ask which game of the file of ``first`` is meant, if it holds several; open that."""
        origin = first.record.origin
        if origin is None or origin.path is None or origin.alone:
            return first
        from hextui.ui.screens.file_dialogs import GamesDialog

        number = await self._workspace.ask(
            GamesDialog(
                origin.path, origin.board, files.is_puzzle(first), self._workspace.shown.names
            )
        )
        if number is None or number == origin.number:
            return first
        try:
            return await asyncio.to_thread(files.open_other, origin, number)
        except RecordError as error:
            self._workspace.complain(error)
            return first


def _read_export(text: str) -> Path:
    from hextui.records.writing import export_form_of

    path = named_path(text)
    export_form_of(path)
    if os.path.isdir(path):  # False also for a name that no system takes
        raise ValueError(f"{text} is a folder")
    return path
