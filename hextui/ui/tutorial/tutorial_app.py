"""The tutorial: the workstation with a bar that leads through the steps."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual import on
from textual.binding import Binding
from textual.screen import Screen

from hextui.locations import PRIVATE, make_private_folder
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.settings.settings_files import ConfigError, read_json
from hextui.ui.app.app import HextuiApp
from hextui.ui.app.command_palette import Entry
from hextui.ui.app.config import Config
from hextui.ui.app.layout import Activity
from hextui.ui.app.main_screen import screen_actions
from hextui.ui.app.settings import UserState
from hextui.ui.app.workspace import Services
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.record.session import Session
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.tutorial.bar import BarText, TutorialBar, with_keys
from hextui.ui.tutorial.steps import RULES, STEPS, Step, StepState, files_here
from hextui.ui.widgets.frame import Hint

_LOOK = 0.2  # seconds between two looks at what the user has done
_LINES = 3  # of the bar above the board, at least: the heading and two sentences
NEXT = Hint(")", "next", "app.step(1)")
BACK = Hint("(", "back", "app.step(-1)")
SKIP = Hint("_", "skip the rules", "app.skip_rules")
LEAVE = Hint("q", "leave", "app.quit")
TO_BOARD = Hint("esc", "to the board")
_ELSEWHERE = ("{escape} leads back to the board.",)


class TutorialPlace:
    """Keeps which step is shown in a file of a folder, if there is one."""

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / "place.json"

    def read(self) -> int:
        """Return the step that was shown last, the first one where nothing valid was kept."""
        if self._path is None:
            return 0
        try:
            step = read_json(self._path)
        except ConfigError:
            return 0
        return step if type(step) is int and 0 <= step < len(STEPS) else 0

    def keep(self, step: int) -> None:
        """Write which step is shown; raises RecordError, OSError."""
        if self._path is not None:
            make_private_folder(self._path.parent)
            save_file(self._path, json.dumps(step), PRIVATE)


class TutorialApp(HextuiApp):
    """The workstation, which shows one step after another and sees what the user does.

    The current folder is the tutorial's. The record of a step is closed without a question, and no
    setting is kept.
    """

    BINDINGS = [
        Binding("right_parenthesis", "step(1)", "Next step", show=False),
        Binding("left_parenthesis", "step(-1)", "Step back", show=False),
        Binding("underscore", "skip_rules", "Skip the rules", show=False),
    ]

    def __init__(
        self,
        session: Session,
        config: Config,
        services: Services,
        state: Path | None = None,
        **options: Any,
    ) -> None:
        super().__init__(session, config, services, state, **options)
        self._user_state = UserState(None)
        self._place = TutorialPlace(state)
        self._at = self._place.read()
        self.is_done = False
        """Whether the user has done the present step."""
        self._session: Session | None = None  # of the step
        self._step_state: StepState | None = None
        keymap = config.keymap
        actions = screen_actions(self._names)
        self._keys = {action.id: action.keys_in(keymap)[0] for action in actions}

    @property
    def step(self) -> Step:
        """The present step."""
        return STEPS[self._at]

    def on_mount(self) -> None:
        """Put the bar above the board."""
        self.main.mount(TutorialBar(), before=0)

    def on_resize(self) -> None:
        """Give the bar its lines again."""
        self._make_room()

    async def begin(self) -> None:
        """Begin with the step that was shown last."""
        self._show_step(self._at)
        self.set_interval(_LOOK, self._look)

    # Steps

    def action_step(self, steps: int) -> None:
        """Show the next step (1) or the one before (-1)."""
        target = self._at + steps
        if self.screen is not self.main:
            self.records.talk.complain("Escape leads to the board, where the steps change")
        elif 0 <= target < len(STEPS):
            self._show_step(target)
        else:
            self.records.talk.complain(
                "This is the last step: q leaves" if steps > 0 else "This is the first step"
            )

    def action_skip_rules(self) -> None:
        """Show the first step after the rules."""
        if self._at < RULES:
            self.action_step(RULES - self._at)
        else:
            self.records.talk.complain("The rules are behind you: ( leads back")

    def _show_step(self, place: int) -> None:
        """Show the record of a step in Review, as if nothing had been done before."""
        self._at = place
        self.is_done = False
        self._keep_place(place)
        self._open_record(self.step.start())
        self._arrange()
        self.step.prepare(self.main)
        self._step_state = StepState(
            main=self.main,
            explain=self.main.query_one(ExplainPanel),
            screens=tuple(self.screen_stack),
            first=self.records.session.node,
            files=files_here(),
        )
        self._show_bars()

    def _open_record(self, session: Session) -> None:
        """Open the record of a step in place of that of the last one."""
        last = self._session
        self._session = session
        session.is_kept_elsewhere = True
        if session.last_move is not None:
            session.cursor = session.last_move
        self.records.open(session)
        if last is not None:
            last.record.mark_saved(last.record.last_edit)
            self.records.put_away(last)

    def _arrange(self) -> None:
        """Arrange the screen as at the start, with the analysis on."""
        workspace = self.main.workspace
        panels = self.main.panel_actions
        while way_back := panels.way_back:
            panels.forget(way_back)
        if workspace.live.possible and not workspace.live.on:
            workspace.live.toggle(workspace.session.position)
        workspace.shown = replace(self._settings.shown(), boards=workspace.shown.boards)
        panels.choose(Activity.REVIEW)
        self.main.board.focus()

    def _keep_place(self, place: int) -> None:
        try:
            self._place.keep(place)
        except (RecordError, OSError) as error:
            self.records.talk.warn_once("Tutorial", f"The place is not kept: {error}")

    def _look(self) -> None:
        """See whether the user has done the step."""
        if self._step_state is None or self.is_done or not self.screen_stack:
            return
        now = replace(self._step_state, screens=tuple(self.screen_stack))
        if self.step.is_done(now):
            self.is_done = True
            if self.step is STEPS[-1]:
                self._keep_place(0)
            self._show_bars()

    # The bar

    @on(MessageScreen.Shown)
    async def _show_bar_on_screen(self, event: MessageScreen.Shown) -> None:
        screen = event.screen
        if not screen.query(TutorialBar):
            await screen.mount(TutorialBar(), before=0)
            self._show_bars()

    def _show_bars(self) -> None:
        for screen in self.screen_stack:
            for bar in screen.query(TutorialBar):
                bar.shown = self._text_on(screen)

        self._make_room()

    def _make_room(self) -> None:
        """Keep the lines free that the bar needs above the board."""
        panels = self.main.panel_actions
        for bar in self.main.query(TutorialBar):
            panels.lines_above = max(_LINES, len(bar.lines(self.size.width - 2)))
            panels.share_room()

    def _text_on(self, screen: Screen[Any]) -> BarText:
        """Return what the bar says on a screen."""
        step = self.step
        sentences = step.text
        keys = [NEXT, BACK, LEAVE]
        if self._at < RULES:
            keys.insert(0, SKIP)
        if screen is not self.main:
            sentences = step.elsewhere.get(type(screen), _ELSEWHERE)
            keys = [TO_BOARD] if self.is_done else []
        return BarText(
            heading=self._heading,
            sentences=tuple(map(self.in_words, sentences)),
            keys=tuple(keys),
            is_done=self.is_done,
        )

    def in_words(self, sentence: str) -> str:
        """Return a sentence of a step with the players' names and the user's keys."""
        for name, player in zip(("{black}", "{white}"), self._names.both, strict=True):
            sentence = sentence.replace(name, player)
        return with_keys(sentence, self._keys)

    @property
    def _heading(self) -> str:
        if self._at < RULES:
            return f"Rules {self._at + 1} of {RULES}: {self.step.title}"
        return f"Step {self._at - RULES + 1} of {len(STEPS) - RULES}: {self.step.title}"

    # The program

    def tutorial_entries(self) -> Iterator[Entry]:
        """Yield what the tutorial adds to the command palette."""
        yield Entry("Next step", "Go on with the tutorial", lambda: self.action_step(1), ")")
        yield Entry("Step back", "Go back in the tutorial", lambda: self.action_step(-1), "(")

    async def action_quit(self) -> None:  # type: ignore[override]
        """Leave; the tutorial's own record is not asked about."""
        if self._session is not None:
            self._session.record.mark_saved(self._session.record.last_edit)
        super().action_quit()

    def action_suspend_process(self) -> None:
        """Refuse: the workstation that may have started the tutorial waits for its end."""
        self.records.talk.complain("The tutorial cannot be suspended: q leaves it")
