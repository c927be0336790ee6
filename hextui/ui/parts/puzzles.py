"""Actions that show puzzles: the position on the board, the games of a file, or a collection."""

import re
from functools import partial
from pathlib import Path

from hextui.engines.limits import cores
from hextui.locations import data_folder, make_private_folder
from hextui.records.text import printable
from hextui.ui import files
from hextui.ui.keys import Topic, action
from hextui.ui.parts import ActionGroup, TrainEntry
from hextui.ui.settings import PuzzleOptions, Settings
from hextui.ui.typed_text import read_player
from hextui.ui.workspace import Workspace


class PuzzleActions(ActionGroup):
    """Shows puzzles; ``options`` are what the user chose last."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        super().__init__(workspace)
        self.options = PuzzleOptions(settings.collection or "", settings.as_red or False)

    @action("puzzle", "Q", "Puzzle", Topic.PLAY, after="resign")
    async def show(self) -> None:
        """Hide the analysis and find the winning move; the solver judges your tries."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen, PuzzleSeries

        first = self._session
        series, origin = PuzzleSeries(first), first.record.origin
        if origin is not None and origin.path is not None and not origin.alone:
            series = PuzzleSeries(first, partial(files.open_other, origin), origin.number)
        after = await self._train(PuzzleScreen, series)
        if series.session is not first:
            self._workspace.records.replace(first, series.session)
        if after == "why":
            await self._screen.run_action("do('why')")

    def entries(self) -> list[TrainEntry]:
        """Return the way to train that this part offers."""
        state = Path(self.options.collection).name or "The built-in collection"
        words = "practice practise tactics exercise problems solve"
        whose = f"Of the games of {self._workspace.player or 'a player'} in the library"
        return [
            TrainEntry("z", "Solve puzzles", printable(state), self.choose, words),
            TrainEntry("k", "Make puzzles from my games", printable(whose), self.make, words),
        ]

    async def make(self) -> None:
        """Make puzzles from a player's games in the library, and show them."""
        hint = "You: a name in the games of the library, or a part of it."
        before = self._workspace.player
        player = await self._talk.ask_line("Make puzzles", hint, read_player, before)
        if player:
            self._workspace.player = player
            await self.make_of(player=player)

    async def make_of(self, search: str = "", player: str = "") -> None:
        """Make puzzles from games of the library, and show them.

        ``search``: those that its list finds. ``player``: only what this player had to find.
        """
        from hextui.ui.screens.make_puzzles_dialog import MakePuzzlesDialog

        folder, whose = data_folder() / "puzzles", " ".join(filter(None, (search, player)))
        with self._errors_shown():
            make_private_folder(folder)
        name = re.sub(r"[^\w=]+", "-", whose)[:100] or "library"
        target = folder / f"{name}.sgf"
        games = f"games with {search}" if search else "all games of the library"
        if player:
            games = f"the games of {player}"
        options = [f"--search={search}"] * bool(search) + [f"--player={player}"] * bool(player)
        dialog = MakePuzzlesDialog(games, options, target, max(1, cores() - 1))
        if await self._ask(dialog):
            if target.stat().st_size:
                self.options.collection = str(target)
                await self.choose()
            else:
                self._complain(f"No puzzle was found in {games}")

    async def choose(self) -> None:
        """Choose puzzles of a collection by theme and level, and solve them."""
        from hextui.ui.screens.puzzles_screen import PuzzlesScreen

        screen = partial(PuzzlesScreen, training=self._workspace.training)
        chosen = await self._train(screen, self.options)
        if chosen is not None:
            session, after = chosen
            self._workspace.records.open(session)
            if after == "why":
                await self._screen.run_action("do('why')")
