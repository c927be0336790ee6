"""The action that leads through a day: its steps are screens that there are anyway."""

from functools import partial
from typing import TYPE_CHECKING

from hextui.ui.app.keys import Topic, action
from hextui.ui.app.workspace import Workspace
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup
from hextui.ui.parts.panels import PanelActions
from hextui.ui.parts.train import PuzzleActions, TrainActions
from hextui.ui.record.files import library_players
from hextui.ui.record.session import Session

if TYPE_CHECKING:
    from hextui.analysis.review_run import ReviewBudget
    from hextui.ui.live.today_flow import TodayFlow


class TodayActions(ActionGroup):
    """Leads through a day: games, a turning point, puzzles."""

    def __init__(
        self,
        workspace: Workspace,
        panels: PanelActions,
        puzzles: PuzzleActions,
        train: TrainActions,
    ) -> None:
        super().__init__(workspace)
        self._panels = panels
        self._puzzles = puzzles
        self._train_actions = train
        self._flow: TodayFlow | None = None

    def close(self) -> None:
        """End what the day does in the background."""
        if self._flow is not None:
            self._flow.work.stop()

    @action(
        "today", "minus", "Today", Topic.ACTIVITY, "Ten minutes: new games, a mistake, puzzles due"
    )
    async def today(self, player: str = "") -> None:
        """Lead through the day of a player: '' for the user, who is asked for a name once.

        The first name that is known is kept as the user's.
        """
        workspace = self._workspace
        if not player and not workspace.player and self._has_players():
            player = await self._ask_player("Today: your name in games") or ""
        workspace.player = workspace.player or player
        flow = self._new_flow(player or workspace.player)
        if flow is not None:
            self.close()
            self._flow = flow
            await self._show(flow)

    def _has_players(self) -> bool:
        with self._errors_shown():
            return bool(library_players(self._workspace.services.library))
        return False

    def _new_flow(self, player: str) -> "TodayFlow | None":
        """Return the day of a player; None with a complaint where nothing is kept."""
        from hextui.ui.live.today_flow import TodayFlow
        from hextui.ui.live.today_work import TodayWork

        services = self._workspace.services
        if services.library is None or services.reviews is None or services.training is None:
            self._complain("Nothing is kept here: there is no library, or no training")
            return None
        return TodayFlow(
            training=self._workspace.training,
            library=services.library,
            reviews=services.reviews,
            work=TodayWork(services.library, self._budget()),
            player=player,
            collection=self._puzzles.options.collection,
            names=self._shown.names,
        )

    def _budget(self) -> "ReviewBudget":
        from hextui.analysis.review_run import ReviewBudget
        from hextui.engines.limits import GAME_SECONDS

        analyst = self._workspace.surveys.analyst
        seconds = GAME_SECONDS if analyst is None else analyst.solve_seconds
        return ReviewBudget(self._live.evaluators, seconds)

    async def _show(self, flow: "TodayFlow") -> None:
        """Show the day, and then the step that is next, until it is left."""
        from hextui.train.today import DayStep
        from hextui.ui.screens.today_screen import GAME, TodayScreen

        before = self._panels.where
        chosen = await self._train(TodayScreen(flow, self._shown.names))
        then = partial(self._show, flow)
        if chosen == DayStep.STORY and flow.point is not None:
            await self._train_actions.guess_moves([flow.point.mistake.turn], then)
        elif chosen == DayStep.PUZZLES:
            await self._solve(flow)
        elif chosen == GAME and flow.point is not None:
            turn = flow.point.mistake.turn
            session = Session(turn.record, name=turn.name)
            self._workspace.records.open(session)
            session.go_to(turn.game_position.node)
            session.cursor = turn.played
            self._workspace.changed(Change.SESSION)
            await self._screen.run_action("do('activity-review')")

            async def show_again() -> None:
                self._workspace.records.put_away(session)
                await self._show(flow)

            self._panels.leave("day", show_again, before)
        else:
            flow.work.stop()

    async def _solve(self, flow: "TodayFlow") -> None:
        """Have the day's puzzles solved that were not tried, and show the day again."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen, PuzzleSeries

        if flow.daily is None:
            return
        puzzles = [flow.puzzles[place] for place in flow.daily.left]
        if self._puzzles.options.as_red:
            puzzles = [puzzle.seen_by_black() for puzzle in puzzles]
        end = "That was the last puzzle of today"
        series = PuzzleSeries.of(puzzles, self._shown.names, "Today's puzzle", end)
        series.leads_on = True
        screen = self._with_engine(PuzzleScreen, series)
        await self._puzzles.solve(screen, self._panels.where, partial(self._show, flow))
