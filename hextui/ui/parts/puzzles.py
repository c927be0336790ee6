"""Actions that show puzzles: the position on the board, the games of a file, or a collection."""

import re
from pathlib import Path

from hextui.engines.limits import cores
from hextui.locations import data_folder, make_private_folder
from hextui.records.text import printable
from hextui.ui.keys import Topic, action
from hextui.ui.parts import NO_ENGINE, ActionGroup, TrainEntry
from hextui.ui.parts.files import FileActions
from hextui.ui.settings import Settings
from hextui.ui.typed_text import read_player
from hextui.ui.workspace import Workspace


class PuzzleActions(ActionGroup):
    """Shows puzzles.

    ``collection``: the file or folder of those to solve, '' for the built-in one; ``as_red``:
    whether all of a collection are shown with Red to move.
    """

    def __init__(self, workspace: Workspace, settings: Settings, files: FileActions) -> None:
        super().__init__(workspace)
        self._files = files
        self.collection = settings.collection or ""
        self.as_red = settings.as_red or False

    @action("puzzle", "Q", "Puzzle", Topic.PLAY, after="resign")
    async def show(self) -> None:
        """Hide the analysis and find the winning move; the solver judges your tries."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen, PuzzleSeries

        first = self._session
        series = PuzzleSeries.of_file(first)
        after = await self._ask_with_engine(PuzzleScreen, series)
        if series.session is not first:
            self._workspace.records.replace(first, series.session)
        await self._go_on(after)

    def entries(self) -> list[TrainEntry]:
        """Return the way to train that this part offers."""
        state = Path(self.collection).name or "The built-in collection"
        words = "practice practise tactics exercise problems solve"
        whose = f"Of the games of {self._files.player or 'a player'} in the library"
        return [
            TrainEntry("z", "Solve puzzles", printable(state), self.choose, words),
            TrainEntry("k", "Make puzzles from my games", printable(whose), self.make, words),
        ]

    async def make(self) -> None:
        """Make puzzles from a player's games in the library, and show them."""
        from hextui.ui.screens.make_puzzles_dialog import MakePuzzlesDialog

        hint = "You: a name in the games of the library, or a part of it."
        before = self._files.player
        player = await self._talk.ask_line("Make puzzles", hint, read_player, before)
        if not player:
            return
        self._files.player = player
        folder = data_folder() / "puzzles"
        with self._errors_shown():
            make_private_folder(folder)
        name = re.sub(r"\W+", "-", player)
        target = folder / f"{name}.sgf"
        if await self._ask(MakePuzzlesDialog(player, target, max(1, cores() - 1))):
            if target.stat().st_size:
                self.collection = str(target)
                await self.choose()
            else:
                self._complain(f"No puzzle was found in the games of {player}")

    async def choose(self) -> None:
        """Choose puzzles of a collection by theme and level, and solve them."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen
        from hextui.ui.screens.puzzles_screen import PuzzlesScreen

        workspace, names = self._workspace, self._shown.names
        if workspace.services.open_lane is None:
            self._complain(NO_ENGINE)
            return
        screen = PuzzlesScreen(
            self.collection,
            self.as_red,
            workspace.training,
            lambda series: self._ask_with_engine(PuzzleScreen, series),
            names,
        )
        chosen = await self._ask(screen)
        self.collection, self.as_red = screen.collection, screen.as_red
        if chosen is not None:
            session, after = chosen
            workspace.records.open(session)
            await self._go_on(after)

    async def _go_on(self, after: str | None) -> None:
        """Explain the win, if the user wants to know why."""
        if after == "why":
            await self._screen.run_action("do('why')")
