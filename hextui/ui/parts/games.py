"""Actions on games against the program: begin, continue, review, and count them."""

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hextui.analysis.mistakes import ReviewEntry
from hextui.engine.board import Color
from hextui.engine.position import Move, MoveKind
from hextui.engines.engine import OpenLane
from hextui.engines.levels import SOLVER_PLAYER
from hextui.records.board_view import Mode
from hextui.records.record_text import RecordError
from hextui.settings.engine_config import engine_in
from hextui.text import counted
from hextui.train.kept_games import KeptGame, unfinished
from hextui.train.play_settings import (
    PlaySettings,
    game_record,
    player_name,
    player_words,
    users_color,
)
from hextui.ui.app.keys import Topic, action
from hextui.ui.app.settings import Settings
from hextui.ui.app.workspace import Workspace
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup, TrainEntry
from hextui.ui.parts.panels import PanelActions, WhereAsked
from hextui.ui.record.session import Session

if TYPE_CHECKING:
    from hextui.train.ladder import Ladder
    from hextui.ui.screens.ladder_screen import LadderScreen
    from hextui.ui.screens.play_screen import GameServices, PlayScreen


class GameActions(ActionGroup):
    """Plays games against the program; ``play_settings``: those of the last one."""

    def __init__(self, workspace: Workspace, panels: PanelActions, settings: Settings) -> None:
        super().__init__(workspace)
        self._panels = panels
        self._games: list[KeptGame] = []  # as they were read last
        try:
            self.play_settings = PlaySettings.read(settings.play or {})
        except ValueError:  # kept by another version
            self.play_settings = PlaySettings()

    async def read(self) -> None:
        """Read which games were played."""
        self._games = await self._workspace.training.games()

    def entries(self) -> list[TrainEntry]:
        """Return the way to continue the newest game that goes on, if there is one."""
        left = unfinished(self._games)
        if not left:
            return []
        newest, *others = left
        return [
            TrainEntry(
                key="c",
                label=f"Continue: {newest.words}",
                state=f"and {counted(len(others), 'other game')} after it" if others else "",
                start=partial(self.go_on, newest),
                words="go on resume unfinished game last yesterday",
            )
        ]

    async def mention(self) -> None:
        """Say at the start of the program that a game can be continued."""
        await self.read()
        if left := unfinished(self._games):
            self._tell(f"5, Enter continues your game: {left[0].words}", 8)

    async def play(self) -> None:
        """Play a game on an empty board."""
        await self._ask_and_begin(None)

    async def play_on(self) -> None:
        """Play from the position on the board, in a new record that begins with the line to it."""
        await self._ask_and_begin(self._session)

    async def _ask_and_begin(self, start: Session | None) -> None:
        from hextui.ui.screens.train_dialogs import PlayDialog

        last, names = self.play_settings, self._shown.names
        if start is not None and (color := users_color(start.record)) is not None:
            last = replace(last, color=color)
        dialog = PlayDialog(last, names, self._engine_names, plays_on=start is not None)
        if (chosen := await self._ask(dialog)) is not None:
            await self.begin(chosen, start)

    async def begin_with(self, texts: Mapping[str, str], start: Session) -> None:
        """Play with the last settings but for these, from an empty board or what was opened."""
        chosen = PlaySettings.read({**self.play_settings.texts(), **texts})
        await self.begin(chosen, None if start.untouched else start)

    async def begin(self, chosen: PlaySettings, start: Session | None = None) -> None:
        """Play a game with these settings, from the position that a session shows or the start."""
        if start is not None and start.position.winner is not None:
            self._complain("The game is over here: go back to a position to play on from")
            return
        try:
            chosen = replace(chosen, opponent=player_name(chosen.opponent, self._engine_names))
        except ValueError as error:
            self._complain(error)
            return
        self.play_settings = chosen
        color = chosen.color or random.choice(list(Color))
        line = start.node.line() if start else []
        board = start.board if start else chosen.size
        record = game_record(chosen, color, self._workspace.player, board, line)
        session = Session(record, name=f"vs {player_words(chosen.opponent)}")
        session.last()
        settings = replace(chosen, size=board)
        await self._show(session, KeptGame.new(settings, color, session.node.ply))

    async def go_on(self, game: KeptGame) -> None:
        """Continue a game that was left."""
        try:
            player_name(game.settings.opponent, self._engine_names)
        except ValueError as error:
            self._complain(error)
            return
        session = self._session_of(game)
        if session is not None:
            await self._show(session, game)

    def _session_of(self, game: KeptGame) -> Session | None:
        """Return a session at the ply of a game; None with a complaint if it cannot be read."""
        try:
            record = game.record()
            session = Session(record, name=f"vs {player_words(game.settings.opponent)}")
            session.go_to(record.node_at(game.ply))
        except (ValueError, RecordError) as error:
            self._complain(f"This game cannot be read: {error}")
            return None
        return session

    async def _show(self, session: Session, game: KeptGame) -> None:
        """Play a game, whose record is open from now on, until it is left."""
        from hextui.ui.screens.play_screen import PlayScreen

        before = self._panels.where
        self._panels.forget("game")
        self._workspace.records.open(session)  # so that its edits are kept from now on
        lane = self._workspace.services.open_lane
        engine = engine_in(game.settings.opponent)
        if engine is not None:
            lane = self._workspace.services.attached.engine(engine).lane
        screen = partial(PlayScreen, game=game, services=self._game_services(lane))
        await self._play_on(self._with_engine(screen, session), before)

    def _game_services(self, opponent: OpenLane) -> "GameServices":
        from hextui.ui.screens.play_screen import GameServices

        return GameServices(
            opponent=opponent,
            keep=self._keep,
            first_mistake=self._first_mistake,
            ladder=self._ladder,
            verdicts=self._workspace.verdicts,
        )

    async def _play_on(self, screen: "PlayScreen", before: WhereAsked) -> None:
        """Show a game until it is left; Escape leads back to it from its review."""
        from hextui.ui.screens.play_screen import AfterGame

        session = screen.subject
        session.is_kept_elsewhere = self._workspace.services.games is not None
        after = await self._train(screen)
        session.is_kept_elsewhere = False  # edits of its review are not
        if after in (AfterGame.REVIEW, AfterGame.MISTAKE):
            self._panels.leave("game", partial(self._play_on, screen, before), before)
            await self._review(screen, after is AfterGame.MISTAKE)
            return
        self._panels.return_to(before)
        self._workspace.records.put_away(screen.subject)
        self._workspace.changed(Change.SESSION)
        if after is AfterGame.REMATCH:
            await self.begin(screen.game.rematch())
        elif after is AfterGame.NEXT_LEVEL:
            level = (await self._ladder()).next_level
            await self.begin(replace(screen.game.rematch(), opponent=f"level:{level}"))

    async def _review(self, screen: "PlayScreen", at_mistake: bool) -> None:
        """Show a game in Review, at its end or at the user's first mistake."""
        session = screen.subject
        self._workspace.records.show_session(session)
        mistake, _ = self._first_mistake(session, screen.game.color)
        if at_mistake and mistake is not None:
            session.go_to(mistake.before.node)
            session.cursor = mistake.moves[0].cell
            self._workspace.changed(Change.SESSION)
        await self._screen.run_action("do('activity-review')")

    # What is kept and known of games

    def _keep(self, session: Session, game: KeptGame) -> None:
        """Keep a game on disk; its record then has no edits that could be lost."""
        last = session.record.last_edit

        async def keep() -> None:
            if await self._workspace.training.keep_game(game):
                session.record.mark_saved(last)
                others = [other for other in self._games if other.begun != game.begun]
                self._games = sorted([*others, game], key=lambda game: game.begun)
            else:
                session.is_kept_elsewhere = False

        self._screen.run_worker(keep(), group="games")

    def _first_mistake(self, session: Session, color: Color) -> tuple[ReviewEntry | None, bool]:
        """Return the first mistake that is known of a side, and whether the review is done."""
        surveys = self._workspace.surveys
        survey = surveys.of(session, self._live.evaluators)
        if surveys.analyst is None or survey.summary.finished:
            is_done = True
        else:
            is_done = False
            if surveys.progress is None:
                surveys.start(survey)
        mistakes = survey.final_mistakes(self._shown.evaluator)
        entries = [entry for entry in mistakes if entry.color is color]
        entries.sort(key=lambda entry: entry.before.ply)
        return next(iter(entries), None), is_done

    async def _ladder(self) -> "Ladder":
        from hextui.train.ladder import Ladder

        await self.read()
        return Ladder.of(self._games)

    async def show_ladder(self) -> None:
        """Show your results against the levels, your rating, and the level to play next."""
        from hextui.ui.screens.ladder_screen import LadderScreen

        await self.read()
        await self._show_ladder(LadderScreen(self._games, self._shown.names), self._panels.where)

    async def _show_ladder(self, screen: "LadderScreen", before: WhereAsked) -> None:
        """Show the ladder until it is left; Escape leads back to it from a game in Review."""
        chosen = await self._ask(screen)
        if isinstance(chosen, KeptGame):
            session = self._session_of(chosen)
            if session is None:
                return
            self._workspace.records.open(session)

            async def show_again() -> None:
                self._workspace.records.put_away(session)
                await self._show_ladder(screen, before)

            self._panels.leave("ladder", show_again, before)
            await self._screen.run_action("do('activity-review')")
        elif chosen is not None:
            await self.begin(replace(self.play_settings, opponent=f"level:{chosen}"))

    @action("defend", "9", "Defend this", Topic.ANALYSIS, mode=Mode.PLAY, after="why")
    async def defend(self) -> None:
        """Hold the win that is explained, in a game against the longest resistance."""
        from hextui.ui.screens.defend_screen import DefendScreen
        from hextui.words.proofs import PASSED

        explain = self._screen.query_one(ExplainPanel)
        start = self._session
        line = explain.defended if explain.of == start.position else None
        if line is None or start.position.winner is not None:
            self._complain("No win is explained here to defend: w searches for a proof")
            return
        if line.position.winner is not None:
            self._complain("The win is complete: u takes a try back")
            return
        color = line.tree.winner
        settings = PlaySettings(opponent=SOLVER_PLAYER, color=color, swap=False, size=start.board)
        above = start.node.line()
        record = game_record(settings, color, self._workspace.player, start.board, above)
        session = Session(record, name=f"defending {start.name}")
        session.last()
        for cell in explain.tried_moves:
            session.turn(Move(MoveKind.PASS) if cell == PASSED else Move.play(cell))
        services = self._game_services(self._workspace.services.open_lane)
        services = replace(services, keep=lambda session, game: None)
        game = KeptGame.new(settings, color, session.node.ply)
        screen = partial(DefendScreen, game=game, services=services)
        ended = await self._train(self._with_engine(screen, session))
        if ended is not None:
            self._workspace.records.open(session)
            await self._screen.run_action("do('activity-review')")
        else:
            explain.paint()
