"""What users do on the main screen: each class has the actions of one kind as methods."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from textual.screen import Screen

from hextui.engine.position import IllegalMoveError
from hextui.engines.engine import OpenLane
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.ui.app.workspace import Workspace
from hextui.ui.drawing.overlays import DisplayOptions
from hextui.ui.drawing.palette import Palette
from hextui.ui.record.files import library_players
from hextui.ui.record.session import Session
from hextui.ui.screens.dialogs import PlayerDialog

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class TrainEntry:
    """One way to train: its letter, its label, a line about its state, and what starts it.

    ``words``: other words by which the command palette finds it.
    """

    key: str
    label: str
    state: str
    start: Callable[[], Awaitable[object]]
    words: str = ""


class ActionGroup:
    """Acts on the workspace; its actions are its methods with the decorator `action`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._screen = workspace.screen
        self._live = workspace.live
        self._talk = talk = workspace.records.talk
        self._ask = talk.ask
        self._tell = talk.tell
        self._complain = talk.complain

    @property
    def _session(self) -> Session:
        return self._workspace.session

    @property
    def _shown(self) -> DisplayOptions:
        return self._workspace.shown

    @property
    def _engine_names(self) -> tuple[str, ...]:
        """The names of the attached engines among evaluators and players."""
        return self._workspace.services.attached.evaluators

    @contextmanager
    def _errors_shown(self) -> Iterator[None]:
        """Say in one line which move is illegal, or why a record cannot be read or written."""
        try:
            yield
        except (IllegalMoveError, RecordError) as error:
            self._complain(error)

    async def _ask_player(self, title: str, value: str = "") -> str | None:
        """Ask for a player of the library's games."""
        players = partial(library_players, self._workspace.services.library)
        return await self._ask(PlayerDialog(title, players, value))

    def _with_engine(self, screen: Callable[[S, Palette, OpenLane, Names], T], subject: S) -> T:
        """Return a screen that asks an engine about a subject."""
        open_lane, palette = self._workspace.services.open_lane, self._workspace.palette
        return screen(subject, palette, open_lane, self._shown.names)

    async def _ask_with_engine(
        self, screen: Callable[[S, Palette, OpenLane, Names], Screen[T]], subject: S
    ) -> T | None:
        """Show a screen that asks an engine about a subject, and return what it closes with."""
        return await self._ask(self._with_engine(screen, subject))

    async def _train(self, screen: Screen[T]) -> T | None:
        """Show a screen while the analysis of the position and of the game rests."""
        session = self._session
        live = self._live
        surveys = self._workspace.surveys
        analyses = live.on
        surveyed = surveys.progress is not None
        if analyses:
            live.toggle(session.position)
        surveys.cancel()
        after = await self._ask(screen)
        if analyses:
            live.toggle(self._session.position)
        if surveyed and self._session is session:
            surveys.start(self._workspace.survey)
        return after
