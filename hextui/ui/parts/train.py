"""Actions that train: playing against the program."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from hextui.engine.board import Color
from hextui.engines.engine_config import engine_in
from hextui.train.play_settings import (
    PlaySettings,
    game_record,
    player_name,
    player_words,
    users_color,
)
from hextui.ui.keys import Topic, action
from hextui.ui.parts import NO_ENGINE, ActionGroup, TrainEntry
from hextui.ui.session import Session
from hextui.ui.settings import Settings
from hextui.ui.workspace import Workspace


class TrainActions(ActionGroup):
    """Offers the ways to train, and plays games against the program.

    ``play_settings``: those of the last game. ``others``: functions that return the entries of
    other parts.
    """

    def __init__(
        self, workspace: Workspace, settings: Settings, *others: Callable[[], Sequence[TrainEntry]]
    ) -> None:
        super().__init__(workspace)
        self._others = others
        try:
            self.play_settings = PlaySettings.read(settings.play or {})
        except ValueError:  # kept by another version
            self.play_settings = PlaySettings()

    @action("train", "5", "Train", Topic.ACTIVITY)
    async def train(self) -> None:
        """Play against the program, solve puzzles, or guess moves."""
        from hextui.ui.screens.train_screen import TrainScreen

        entries = self.entries()
        chosen = await self._ask(TrainScreen(entries))
        for entry in entries:
            if entry.key == chosen:
                await entry.start()

    def entries(self) -> list[TrainEntry]:
        """Return the ways to train, the most usual first."""
        last = self.play_settings
        color = last.texts(self._shown.names)["color"]
        state = f"{player_words(last.opponent)}, {last.size}, {color}"
        return [
            TrainEntry(
                *("p", "Play against the program", state, self.play),
                "practice practise computer opponent level game start new",
            ),
            TrainEntry(
                *("o", "Play on from this position", "A new record; this one stays", self.play_on),
                "practice practise computer opponent level continue against",
            ),
            *(entry for entries in self._others for entry in entries()),
        ]

    async def play(self) -> None:
        """Play a game on an empty board."""
        await self._ask_and_begin(None)

    async def play_on(self) -> None:
        """Play from the position on the board, in a new record that begins with the line to it."""
        await self._ask_and_begin(self._session)

    async def _ask_and_begin(self, start: Session | None) -> None:
        from hextui.ui.screens.train_screen import PlayDialog

        last, names = self.play_settings, self._shown.names
        if start is not None and (color := users_color(start.record)) is not None:
            last = replace(last, color=color)
        dialog = PlayDialog(last, names, self._attached, plays_on=start is not None)
        if (chosen := await self._ask(dialog)) is not None:
            await self.begin(chosen, start)

    @property
    def _attached(self) -> tuple[str, ...]:
        """The names of attached engines as players."""
        attached = self._workspace.services.attached
        return attached.evaluators if attached else ()

    async def begin_with(self, texts: Mapping[str, str], start: Session) -> None:
        """Play with the last settings but for these, from an empty board or what was opened."""
        chosen = PlaySettings.read({**self.play_settings.texts(), **texts})
        await self.begin(chosen, None if start.untouched else start)

    async def begin(self, chosen: PlaySettings, start: Session | None = None) -> None:
        """Play a game with these settings, from the position that a session shows or the start."""
        from hextui.ui.screens.play_screen import PlayScreen

        services = self._workspace.services
        if services.open_lane is None:
            self._complain(NO_ENGINE)
            return
        if start is not None and start.position.winner is not None:
            self._complain("The game is over here: go back to a position to play on from")
            return
        try:
            chosen = replace(chosen, opponent=player_name(chosen.opponent, self._attached))
        except ValueError as error:
            self._complain(error)
            return
        self.play_settings = chosen
        opponent, engine = services.open_lane, engine_in(chosen.opponent)
        if engine is not None and services.attached is not None:
            opponent = services.attached.engine(engine).lane
        color = chosen.color or random.choice(list(Color))
        line = start.node.line() if start else []
        board = start.board if start else chosen.size
        record = game_record(chosen, color, self._workspace.player, board, line)
        session = Session(record, name=f"vs {player_words(chosen.opponent)}")
        session.last()
        self._workspace.records.open(session)  # so that its edits are kept from now on
        screen = partial(PlayScreen, opponent=opponent, settings=chosen, color=color)
        ended = await self._train(screen, session)
        self._workspace.show()
        if ended is not None:
            await self._screen.run_action("do('activity-review')")
