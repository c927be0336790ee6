"""The library's screen: what changes it. Games are imported, removed, and settled by the solver."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from hextui.engines.engine import OpenLane
from hextui.library.answers import Broken, Imported
from hextui.library.sources import source_of
from hextui.locations import named_path
from hextui.records.text import printable
from hextui.ui.screens.browsing import BrowsingScreen
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.library.settle import Settled

T = TypeVar("T")


class LibraryScreen(BrowsingScreen):
    """Changes the library whose games are listed; what takes long runs in a thread."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "import", "Import", id="library.import"),
        Binding("w", "settle", "Settle", id="library.settle", tooltip="Solve late positions"),
        Binding("x", "stop", "Stop", id="library.stop"),
        Binding("delete", "remove", "Remove", id="library.remove"),
        Binding("v", "left_out", "Left out", id="library.left-out", tooltip="By the last import"),
        Binding("D", "remove_source", "Remove file's games", id="library.remove-source"),
        Binding("A", "import_again", "Import file again", id="library.import-again"),
    ]

    @dataclass
    class Progress(Message):
        """What runs has come further."""

        text: str

        def can_replace(self, message: Message) -> bool:
            """Only the newest is of interest."""
            return isinstance(message, LibraryScreen.Progress)

    def __init__(
        self,
        path: Path,
        open_lane: OpenLane | None = None,
        names: Names = Names.RED_BLUE,
    ) -> None:
        super().__init__(path, names)
        self._open_lane = open_lane
        self._stop = False
        self._left_out: tuple[Broken, ...] = ()
        self.changed = False
        """Whether games were added or removed."""

    @work(group="dialogs")
    async def action_import(self) -> None:
        """Ask for a file or a folder and import it."""
        from hextui.ui.completion import PathSuggester
        from hextui.ui.screens.dialogs import LineDialog

        if self.busy:
            self.complain("An import is running already")
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
                library.remove_source(source_of(path))
            return library.import_paths([path], report, lambda: self._stop)

        def report(done: Imported) -> None:
            waiting = f", {done.waiting} read" if done.waiting else ""
            self.post_message(self.Progress(f"Importing: {_told(done)}{waiting}"))

        done = await self._run(f"Importing {path} ...", run, _told)
        if done is None:
            return
        self._left_out = done.broken
        if done.notes:
            more = f" (and {len(done.notes) - 1} more)" if len(done.notes) > 1 else ""
            self.notify(done.notes[0] + more, title="Guessed", timeout=15, markup=False)
        if done.broken:
            self.notify(
                _reason(done.broken[0]),
                title=f"Left out: {len(done.broken)} (v lists all)",
                severity="warning",
                timeout=15,
                markup=False,
            )

    @work(group="dialogs")
    async def action_left_out(self) -> None:
        """List what the last import left out, and why."""
        from hextui.ui.screens.dialogs import TextDialog

        if not self._left_out:
            self.complain("No import left anything out since this screen was opened")
            return
        text = "\n".join(map(_reason, self._left_out))
        await self.app.push_screen_wait(TextDialog(f"Left out: {len(self._left_out)}", text))

    @work(exclusive=True, group="library-import")
    async def action_settle(self) -> None:
        """Have the solver make late verdicts certain, until it is done or stopped."""

        def run(library: "Library") -> "Settled":
            from hextui.library.settle import settle_games

            return settle_games(
                library, progress=report, stop=lambda: self._stop, open_lane=self._open_lane
            )

        def report(done: "Settled") -> None:
            self.post_message(self.Progress(_solving(done)))

        if self.busy:
            self.complain("Something else is running: x stops it")
            return
        await self._run("Preparing the solver ...", run, _settled)

    async def _run(
        self, what: str, run: "Callable[[Library], T]", told: Callable[[T], str]
    ) -> T | None:
        """Run something long in a thread and say how it ended; None if it failed."""
        self.busy, self._stop = True, False
        self.query_one("#state", Static).update(f"{what} - x stops", layout=False)
        done = None
        try:
            done = await asyncio.to_thread(self.with_library, run)
        except ValueError as error:
            self.complain(error)
        finally:
            self._stop = True  # the screen may be gone: the thread ends with the next game
            self.busy = False
            self.changed = True
        self.read_anew("" if done is None else told(done))
        return done

    def on_unmount(self) -> None:
        """End an import with the screen: what was read is added."""
        self._stop = True

    @on(Progress)
    def _show_progress(self, event: Progress) -> None:
        if self.busy and not self._stop:
            self.query_one("#state", Static).update(f"{event.text} - x stops", layout=False)

    def action_stop(self) -> None:
        """Stop what runs; what was read or solved is kept."""
        self._stop = True
        if self.busy:
            self.query_one("#state", Static).update("Stopping ...", layout=False)

    @work(group="dialogs")
    async def action_remove(self) -> None:
        """Remove the game with the cursor, if the user is sure."""
        game = self.selected
        if game and await self._sure("Remove this game?", f"{game.black} - {game.white}"):
            await self._change(lambda library: library.remove([game.id]))

    @work(group="dialogs")
    async def action_remove_source(self) -> None:
        """Remove all games that came from the same file, if the user is sure."""
        game = self.selected
        if game and await self._sure("Remove all games of this file?", game.source):
            await self._change(lambda library: library.remove_source(game.source))

    @work(group="dialogs")
    async def action_import_again(self) -> None:
        """Remove the games of a file and import it again, because it has changed."""
        game = self.selected
        if game is None or self.busy:
            return
        if not os.path.isfile(game.source):
            self.complain(f"{game.source} is not there any more")
        elif await self._sure("Import this file again?", game.source):
            self._import(Path(game.source), again=True)

    async def _sure(self, title: str, what: str) -> bool:
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog

        if self.busy:
            self.complain("Something is running: x stops it")
            return False
        choices = (Choice("y", "Yes", "yes"),)
        dialog = ChoiceDialog(title, printable(what), choices)
        return await self.app.push_screen_wait(dialog) == "yes"

    async def _change(self, change: "Callable[[Library], int]") -> None:
        try:
            removed = await asyncio.to_thread(self.with_library, change)
        except ValueError as error:
            self.complain(error)
            return
        self.changed = True
        self.read_anew(f"{counted(removed, 'game')} removed")


def _existing(text: str) -> Path:
    if not text:
        raise ValueError("a file or a folder is needed")
    path = named_path(text)
    if not os.path.exists(path):
        raise ValueError(f"{text}: no such file or folder")
    return path


def _told(done: Imported) -> str:
    return f"stopped: {done.text}" if done.stopped else done.text


def _settled(done: "Settled") -> str:
    text = f"{counted(done.positions, 'position')} of {counted(done.games, 'game')} settled"
    return f"stopped: {text}" if done.stopped else text


def _solving(done: "Settled") -> str:
    what = "Solving"
    if done.compiling:
        what = f"Preparing the solver (compiling, {done.compiling})"
    games = f"{done.games} of {counted(done.of, 'game')}"
    return f"{what}: {games}, {counted(done.positions, 'position')} settled"


def _reason(broken: Broken) -> str:
    place = f", game {broken.number}" if broken.number else ""
    return printable(f"{Path(broken.source).name}{place}: {broken.reason}")
