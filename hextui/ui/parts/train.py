"""Actions that train: playing against the program."""

import random
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

from hextui.engine.board import Color
from hextui.records.record import Record
from hextui.records.text import escape
from hextui.records.tree import Node
from hextui.settings.settings_files import SettingError
from hextui.train.play_settings import PlaySettings, color_text, player_words
from hextui.ui.keys import Topic, action
from hextui.ui.parts import NO_ENGINE, ActionGroup, TrainEntry
from hextui.ui.session import Session
from hextui.ui.settings import Settings
from hextui.ui.workspace import Workspace


class TrainActions(ActionGroup):
    """Offers the ways to train, and plays games against the program.

    ``play_settings``: those of the last game. ``player`` returns the user's name in records, ''
    if it is not known. ``others``: functions that return the entries of other parts.
    """

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        player: Callable[[], str],
        *others: Callable[[], Sequence[TrainEntry]],
    ) -> None:
        super().__init__(workspace)
        self._player = player
        self._others = others
        try:
            self.play_settings = settings.play()
        except SettingError:  # kept by another version
            self.play_settings = PlaySettings()

    @action("train", "5", "Train", Topic.ACTIVITY)
    async def train(self) -> None:
        """Train: play against the program."""
        from hextui.ui.screens.train_screen import TrainScreen

        entries = self.entries()
        chosen = await self._ask(TrainScreen(entries))
        for entry in entries:
            if entry.key == chosen:
                await entry.start()

    def entries(self) -> list[TrainEntry]:
        """Return the ways to train, the most usual first."""
        last = self.play_settings
        color = color_text(last.color, self._shown.names)
        rows = f"{last.board}, {'random colour' if last.color is None else color}"
        opponent = player_words(last.opponent)
        state = f"{opponent[:1].upper()}{opponent[1:]}, {rows}"
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
        chosen = await self._ask_settings(plays_on=False)
        if chosen is not None:
            await self.begin(chosen)

    async def play_on(self) -> None:
        """Play from the position on the board, in a new record that begins with the line to it."""
        if self._session.position.winner is not None:
            self._complain("The game is over here: go back to a position to play on from")
        elif (chosen := await self._ask_settings(plays_on=True)) is not None:
            await self.begin(chosen, self._session)

    async def _ask_settings(self, *, plays_on: bool) -> PlaySettings | None:
        from hextui.ui.screens.train_screen import PlayDialog

        engines, names = self._workspace.services.attached, self._shown.names
        known = engines.evaluators if engines else ()
        last = self.play_settings
        return await self._ask(PlayDialog(last, names, known, plays_on=plays_on))

    async def begin(self, chosen: PlaySettings, start: Session | None = None) -> None:
        """Play a game with these settings, from the position that a session shows or the start."""
        from hextui.train.opponent import opponent
        from hextui.ui.screens.play_screen import PlayScreen

        services = self._workspace.services
        if services.open_lane is None:
            self._complain(NO_ENGINE)
            return
        self.play_settings, lots = chosen, random.Random()
        try:
            other = opponent(
                chosen.opponent, lots.getrandbits(32), services.open_lane, services.attached
            )
        except ValueError as error:
            self._complain(error)
            return
        color = chosen.color_drawn(lots)
        session = game_session(chosen, color, self._player(), start)
        live = self._live
        analysing = live.on
        if analysing:  # the opponent gets the processors
            live.toggle(session.position)
        self._workspace.records.open(session)  # so that its edits are kept from now on
        screen = partial(PlayScreen, opponent=other, settings=chosen, color=color)
        ended = await self._ask_with_engine(screen, session)
        if analysing:
            live.toggle(self._session.position)
        self._workspace.show()
        if ended is not None:
            await self._screen.run_action("do('activity-review')")


def game_session(
    settings: PlaySettings, color: Color, player: str, start: Session | None = None
) -> Session:
    """Return the session of a new game, with the players in its record.

    ``start``: the game begins with the line to this session's node, whose record stays as it is.
    """
    words = player_words(settings.opponent)
    names = [escape(player or "Player"), escape(f"hextui {words}")]
    black, white = names if color is Color.BLACK else reversed(names)
    about = {"PB": (black,), "PW": (white,), "DT": (date.today().isoformat(),)}
    if settings.time is not None:
        about["TM"] = (str(60 * settings.time.minutes),)
        about["OT"] = (f"{settings.time.increment} fischer",)
    line = start.node.line() if start else [Node()]
    root = Node(setup=line[0].setup, properties=about)
    record = Record(start.board if start else settings.board, root)
    node = root
    for one in line[1:]:
        node = record.append(node, one.turn, one.setup)
    session = Session(record, name=f"game against {words}")
    session.go_to(node)
    return session
