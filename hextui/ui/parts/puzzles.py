"""Actions that show puzzles: the position on the board, the games of a file, or a collection."""

from pathlib import Path

from hextui.records.text import printable
from hextui.ui.keys import Topic, action
from hextui.ui.parts import NO_ENGINE, ActionGroup, TrainEntry
from hextui.ui.settings import Settings
from hextui.ui.workspace import Workspace


class PuzzleActions(ActionGroup):
    """Shows puzzles.

    ``collection``: the file or folder of those to solve, '' for the built-in one; ``as_red``:
    whether all of a collection are shown with Red to move.
    """

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        super().__init__(workspace)
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
        return [TrainEntry("z", "Solve puzzles", printable(state), self.choose, words)]

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
