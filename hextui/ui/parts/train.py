"""Actions that train: playing against the program, puzzles, guessing moves."""

import asyncio
import os
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.engines.limits import cores_beside_screen
from hextui.locations import data_folder, make_private_folder
from hextui.records.record_text import RecordError, printable
from hextui.text import counted, is_part_of
from hextui.train.play_settings import player_words, users_color
from hextui.ui.app.keys import Topic, action
from hextui.ui.app.settings import PuzzleOptions, Settings
from hextui.ui.app.workspace import Workspace
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup, TrainEntry
from hextui.ui.parts.games import GameActions
from hextui.ui.parts.panels import PanelActions, WhereAsked
from hextui.ui.record import files
from hextui.ui.record.session import Session
from hextui.ui.screens.dialogs import Choice, ListDialog
from hextui.words.reviews import MISTAKE_KINDS

if TYPE_CHECKING:
    from hextui.train.guess import GuessTurn
    from hextui.train.kept_games import KeptGame
    from hextui.train.own_mistakes import MistakesOfKind, OwnMistake
    from hextui.train.own_openings import OwnOpening
    from hextui.ui.screens.guess_screen import GuessScreen
    from hextui.ui.screens.puzzle_screen import PuzzleScreen
    from hextui.ui.screens.puzzles_screen import PuzzlesScreen


T = TypeVar("T")


class PuzzleActions(ActionGroup):
    """Shows puzzles; ``options`` are what the user chose last."""

    def __init__(self, workspace: Workspace, panels: PanelActions, settings: Settings) -> None:
        super().__init__(workspace)
        self._panels = panels
        self.options = PuzzleOptions(settings.collection or "", settings.as_red or False)

    @action("puzzle", "Q", "Puzzle", Topic.PLAY, after="resign")
    async def show(self) -> None:
        """Hide the analysis and find the winning move; the solver judges your tries."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen, PuzzleSeries

        first = self._session
        series = PuzzleSeries(first)
        origin = first.record.origin
        if origin is not None and origin.path is not None and not origin.alone:
            series = PuzzleSeries(first, partial(files.open_other, origin), origin.number)
        await self.solve(self._with_engine(PuzzleScreen, series), self._panels.where)
        if series.session is not first:
            self._workspace.records.replace(first, series.session)

    async def solve(
        self,
        screen: "PuzzleScreen",
        before: WhereAsked,
        then: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """Show puzzles until they are left; Escape leads back to them from their analysis.

        ``before``: where the board was. ``then``: what is shown after the puzzles.
        """
        after = await self._train(screen)
        if not after:
            if then is not None:
                await then()
            return
        shown = screen.subject.session

        async def show_again() -> None:
            if shown is not before.session:
                self._workspace.records.put_away(shown)
            await self.solve(screen, before, then)

        self._workspace.records.show_session(shown)
        self._panels.leave("puzzle", show_again, before, explains=after == "why")
        if after == "why":
            await self._screen.run_action("do('why')")

    async def make(self) -> None:
        """Make puzzles from a player's games in the library, and show them."""
        player = await self._ask_player("Make puzzles", self._workspace.player)
        if player:
            self._workspace.player = player
            await self.make_of(player=player)

    async def make_of(self, search: str = "", player: str = "") -> None:
        """Make puzzles from games of the library, and show them.

        ``search``: those that its list finds. ``player``: only what this player had to find.
        """
        from hextui.ui.screens.puzzles_screen import MakePuzzlesDialog

        folder = data_folder() / "puzzles"
        whose = " ".join(filter(None, (search, player)))
        with self._errors_shown():
            make_private_folder(folder)
        name = re.sub(r"[^\w=]+", "-", whose)[:100] or "library"
        target = folder / f"{name}.sgf"
        games = f"games with {search}" if search else "all games of the library"
        if player:
            games = f"the games of {player}"
        options = []
        if search:
            options.append(f"--search={search}")
        if player:
            options.append(f"--player={player}")
        dialog = MakePuzzlesDialog(games, options, target, cores_beside_screen())
        if await self._ask(dialog):
            if target.stat().st_size:
                self.options.collection = str(target)
                await self.choose()
            else:
                self._complain(f"No puzzle was found in {games}")

    async def choose(self, *, begins_daily: bool = False) -> None:
        """Choose puzzles of a collection by theme and level, and solve them.

        ``begins_daily``: today's set comes first.
        """
        from hextui.ui.screens.puzzles_screen import PuzzlesScreen

        training, names = self._workspace.training, self._shown.names
        listed = PuzzlesScreen(self.options, names, training, begins_daily=begins_daily)
        await self._choose_from(listed)

    async def _choose_from(self, screen: "PuzzlesScreen") -> None:
        """Show the list of a collection, and then the puzzles chosen, until the list is left."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen
        from hextui.ui.screens.run_screen import RunScreen

        series = await self._train(screen)
        if series is not None:
            puzzle = self._with_engine(RunScreen if series.timed else PuzzleScreen, series)
            await self.solve(puzzle, self._panels.where, partial(self._choose_from, screen))


def _kind_line(group: "MistakesOfKind") -> str:
    """Return a line about mistakes of a kind: how many, how many were found, and the dates."""
    kind = "All" if group.kind is None else MISTAKE_KINDS[group.kind]
    dates = " - ".join(dict.fromkeys(filter(None, (group.first, group.latest))))
    return f"{kind:<22}{len(group.mistakes):>3} {group.solved:>5}  {dates}"


def _ply(turn: "GuessTurn") -> int:
    return turn.game_position.ply


class TrainActions(ActionGroup):
    """Offers the ways to train, and has moves guessed."""

    def __init__(
        self, workspace: Workspace, panels: PanelActions, puzzles: PuzzleActions, games: GameActions
    ) -> None:
        super().__init__(workspace)
        self._panels = panels
        self._puzzles = puzzles
        self._games = games

    @action("train", "5", "Train", Topic.ACTIVITY)
    async def train(self) -> None:
        """Play against the program, solve puzzles, or guess moves."""
        from hextui.ui.screens.train_dialogs import TrainScreen

        entries = [self._today_entry(), *self.entries()]
        place = 1 if self._games.entries() else 0  # a game that goes on waits for Enter
        chosen = await self._ask(TrainScreen(entries, place))
        for entry in entries:
            if entry.key == chosen:
                await entry.start()

    def _today_entry(self) -> TrainEntry:
        """Return the way to train that is an action of its own."""
        return TrainEntry(
            key="t",
            label="Today",
            state="Ten minutes: new games, a mistake of yours, puzzles due",
            start=partial(self._screen.run_action, "do('today')"),
        )

    def entries(self) -> list[TrainEntry]:
        """Return the other ways to train, the most usual first."""
        games = self._games
        last = games.play_settings
        puzzles = self._puzzles
        color = last.texts(self._shown.names)["color"]
        collection = Path(puzzles.options.collection).name or "The built-in collection"
        whose = printable(self._workspace.player or "a player")
        puzzle_words = "practice practise tactics exercise problems solve"
        return [
            *games.entries(),
            TrainEntry(
                key="p",
                label="Play against the program",
                state=f"{player_words(last.opponent)}, {last.size}, {color}",
                start=games.play,
                words="practice practise computer opponent level game start new",
            ),
            TrainEntry(
                key="o",
                label="Play on from this position",
                state="A new record; this one stays",
                start=games.play_on,
                words="practice practise computer opponent level continue against",
            ),
            TrainEntry(
                key="z",
                label="Solve puzzles",
                state=printable(collection),
                start=puzzles.choose,
                words=puzzle_words,
            ),
            TrainEntry(
                key="d",
                label="Today's puzzles",
                state="A set for a quarter of an hour, the same all day",
                start=partial(puzzles.choose, begins_daily=True),
                words=f"{puzzle_words} daily day streak",
            ),
            TrainEntry(
                key="k",
                label="Make puzzles from my games",
                state=f"Of the games of {whose} in the library",
                start=puzzles.make,
                words=puzzle_words,
            ),
            TrainEntry(
                key="g",
                label="Guess the move",
                state="This game, or one of the library",
                start=self.guess,
                words="practice practise predict strong player study game",
            ),
            TrainEntry(
                key="m",
                label="My mistakes as exercises",
                state=f"Of {whose} in the library, and against the program",
                start=self.mistakes,
                words="practice practise train blunders learn what would have won",
            ),
            TrainEntry(
                key="r",
                label="My opening positions",
                state=f"Those that {whose} met most in the library",
                start=self.openings,
                words="practice practise repertoire opening joseki positions often",
            ),
            TrainEntry(
                key="l",
                label="Ladder",
                state="Your results against the levels, and your rating",
                start=games.show_ladder,
                words="rating elo score statistics strength level results progress",
            ),
        ]

    # Guessing moves

    async def guess(self) -> None:
        """Guess the moves of one side of this game, or of a random game of the library."""
        from hextui.train.guess import guess_turns

        hint = "L in Review opens a game of the library first."
        side = await self._ask(ListDialog("Guess the move", hint, self._sides(), 0))
        if side is None:
            return
        player: str | None = ""
        if side == "player":
            player = await self._ask_player("Whose moves?")
        if player is None:
            return
        if side in ("player", "winner"):
            of = f" of {player}" if player else " with a winner"
            turns = await self._random_turns(player)
            nothing = f"The library has no game{of}"
        else:
            session = self._session
            color = Color.parse(side)
            turns = guess_turns(session.record, session.name, color, self._workspace.verdicts)
            nothing = "This side has no move to guess in this game"
        if turns:
            await self.guess_moves(turns)
        elif turns is not None:
            self._complain(nothing)

    async def mistakes(self) -> None:
        """Find the moves that would have won at your proved mistakes in games.

        The games are those against the program, and those of the library under your name, which
        is asked for where there are no others.
        """
        name = self._workspace.player if self._has_library else ""
        mistakes = await self._read_mistakes(name)
        if mistakes:
            await self._choose_kind(mistakes, name)
        elif mistakes is not None and self._has_library:
            await self._mistakes_of_player()
        elif mistakes is not None:
            self._complain("No proved mistake yet: a analyses a game")

    async def _mistakes_of_player(self) -> None:
        """Ask whose games of the library are yours, and for the mistakes in them."""
        name = await self._ask_player("My mistakes", self._workspace.player)
        if not name:
            return
        self._workspace.player = name
        mistakes = await self._read_mistakes(name)
        if mistakes:
            await self._choose_kind(mistakes, name)
        elif mistakes is not None:
            self._complain(f"No proved mistake of {name} yet: a analyses a game")

    async def _read_mistakes(self, name: str) -> "list[OwnMistake] | None":
        """Return your mistakes; ``name``: yours in the library. None with a complaint."""
        games = await self._workspace.training.games()
        return await self._read(partial(self._own_mistakes, games, name))

    async def _choose_kind(self, mistakes: "Sequence[OwnMistake]", name: str) -> None:
        """Have mistakes of a kind tried again; ``name``: whose they are in the library."""
        from hextui.train.own_mistakes import by_kind, puzzle_of_turn

        puzzles = [puzzle_of_turn(mistake.turn) for mistake in mistakes]
        groups = by_kind(mistakes, await self._workspace.training.known(puzzles))
        rows = [Choice("", _kind_line(group), str(place)) for place, group in enumerate(groups)]
        if self._has_library:
            rows.append(Choice("p", "p  Games of a player in the library ...", "player"))
        title = f"Mistakes of {printable(name)}" if name else "Your mistakes"
        hint = f"{'':<22}all found  first and latest game\nEnter or a click tries them again."
        chosen = await self._ask(ListDialog(title, hint, rows, 0))
        if chosen == "player":
            await self._mistakes_of_player()
        elif chosen is not None:
            await self.guess_moves([each.turn for each in groups[int(chosen)].mistakes])

    def _own_mistakes(self, games: "Sequence[KeptGame]", name: str) -> "list[OwnMistake]":
        """Return the mistakes in games against the program, and a player's in the library.

        ``name``: '' for none. Raises RecordError if the library cannot be read.
        """
        from hextui.train.own_mistakes import mistakes_against_program, my_mistakes

        services = self._workspace.services
        if services.reviews is None:
            return []
        with closing(ReviewStore(services.reviews)) as reviews:
            mistakes = mistakes_against_program(games, reviews)
            if name and services.library is not None:
                with files.opened_library(services.library) as library:
                    mistakes += my_mistakes(library, reviews, name)
        return mistakes

    async def openings(self) -> None:
        """Find moves in the positions of your games that you met most, those due first."""
        from hextui.train.progress import training_order
        from hextui.ui.screens.own_openings_screen import OwnOpeningsScreen

        name = self._workspace.player or await self._ask_player("My opening positions")
        if not name:
            return
        self._workspace.player = name
        positions = await self._read(partial(self._openings_of, name))
        if not positions:
            if positions is not None:
                self._complain(f"{name} met no early position in two games: 6 imports games")
            return
        puzzles = [met.puzzle for met in positions]
        tonight = datetime.now().astimezone().replace(hour=23, minute=59, second=59)
        histories = await self._workspace.training.known(puzzles)
        order = training_order(puzzles, histories, tonight)
        if not order:
            self._complain(f"Nothing is due of {counted(len(positions), 'position')}")
            return
        asked = [positions[place] for place in order]
        await self._puzzles.solve(self._with_engine(OwnOpeningsScreen, asked), self._panels.where)

    def _openings_of(self, name: str) -> "list[OwnOpening]":
        """Return the positions that a player met most. Raises RecordError."""
        from hextui.train.own_openings import own_openings

        path = self._workspace.services.library
        if path is None or not self._has_library:
            return []
        with files.opened_library(path) as library:
            return own_openings(library, name)

    @action("try-again", "equals_sign", "Try again", Topic.ANALYSIS, after="worst-move")
    async def try_again(self) -> None:
        """Find better moves at the mistakes of one side; what came after them is hidden."""
        from hextui.train.own_mistakes import mistake_turns

        survey = self._workspace.survey
        session = self._session
        mistakes = survey.final_mistakes(self._shown.evaluator)
        turns = mistake_turns(
            mistakes, survey.positions, session.record, session.name, survey.estimates
        )
        if not turns:
            if mistakes:
                self._complain(
                    "Only a swap was wrong: the other answer to the first stone is right"
                )
            else:
                self._complain("No mistake to try again is known: a analyses the game")
            return
        ways = self._ways_to_try(turns)
        rows = []
        for key, label in enumerate(ways, start=1):
            rows.append(Choice(str(key), f"{key}  {label}", label))
        hint = "What came after each mistake is hidden."
        chosen = await self._ask(ListDialog("Try mistakes again", hint, rows, 0))
        if chosen is not None:
            await self.guess_moves(ways[chosen])

    def _ways_to_try(self, worst_first: "Sequence[GuessTurn]") -> "dict[str, list[GuessTurn]]":
        """Return the mistakes of each side in both orders, by words for that."""
        ways = {}
        for color in self._own_side_first():
            own = [turn for turn in worst_first if turn.game_position.player is color]
            if own:
                whose = f"{counted(len(own), 'mistake')} of {self._shown.names.player(color)}"
                ways[f"{whose}, worst first"] = own
                ways[f"{whose}, in order"] = sorted(own, key=_ply)
        return ways

    def _own_side_first(self) -> list[Color]:
        """Return both sides, first the user's, or the one to move where that is not known."""
        record = self._session.record
        player = self._workspace.player
        own = users_color(record)
        for color in Color:
            if own is None and player and is_part_of(player, record.player(color)):
                own = color
        own = own or self._session.position.to_move
        return [own, own.opponent]

    def _sides(self) -> list[Choice]:
        record, names = self._session.record, self._shown.names
        rows = []
        for color in Color:
            side = names.player(color)
            player = printable(record.player(color))
            won = "won" if record.result.winner is color else ""
            label = f"This game: {side}'s moves"
            if about := ", ".join(filter(None, (player, won))):
                label += f" ({about})"
            rows.append((side[0].lower(), label, str(color)))
        rows.append(("g", "A random game of the library: the winner's moves", "winner"))
        rows.append(("p", "A random game of the library: a player's moves ...", "player"))
        return [Choice(key, f"{key}  {label}", result) for key, label, result in rows]

    @property
    def _has_library(self) -> bool:
        path = self._workspace.services.library
        return path is not None and os.path.isfile(path)

    async def _random_turns(self, player: str) -> "list[GuessTurn] | None":
        """Return the turns to guess of a random game; ``player``: '' for the winner's.

        None with a complaint if there is no library, or if it cannot be read.
        """
        from hextui.train.guess import random_turns

        path, reviews = self._workspace.services.library, self._workspace.services.reviews
        if path is None or reviews is None or not self._has_library:
            self._complain("The library is empty: 6 imports games")
            return None

        def read_turns() -> "list[GuessTurn]":
            with files.opened_library(path) as library, closing(ReviewStore(reviews)) as store:
                return random_turns(library, store, player, random.Random())

        return await self._read(read_turns)

    async def _read(self, read: Callable[[], list[T]]) -> list[T] | None:
        """Return what ``read`` finds in a thread, None with a complaint if it cannot read."""
        try:
            return await asyncio.to_thread(read)
        except RecordError as error:
            self._complain(error)
            return None

    async def guess_moves(
        self, turns: "Sequence[GuessTurn]", then: Callable[[], Awaitable[object]] | None = None
    ) -> None:
        """Have moves guessed; then review the moment that the user chooses, if any.

        ``then``: what is shown after the guesses, in place of their summary.
        """
        from hextui.ui.screens.guess_screen import GuessScreen

        screen = self._with_engine(GuessScreen, tuple(turns))
        screen.sums_up = then is None
        await self._guess_on(screen, self._panels.where, then)

    async def _guess_on(
        self,
        screen: "GuessScreen",
        before: WhereAsked,
        then: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """Show guesses until they are left; Escape leads back to them from a moment in Review."""
        moment = await self._train(screen)
        if moment is None:
            if then is not None:
                await then()
            return
        records = self._workspace.records
        shown = (open for open in records.sessions if open.record is moment.record)
        session = next(shown, None) or Session(moment.record, name=moment.name)
        records.show_session(session)
        session.go_to(moment.game_position.node)
        session.cursor = moment.played
        self._workspace.changed(Change.SESSION)
        await self._screen.run_action("do('activity-review')")
        self._panels.leave("guesses", partial(self._guess_on, screen, before, then), before)
