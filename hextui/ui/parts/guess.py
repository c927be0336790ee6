"""Guessing the moves of a game, and what would have won at one's own mistakes."""

import asyncio
import os
import random
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.records.text import RecordError, printable
from hextui.ui.parts import ActionGroup, TrainEntry
from hextui.ui.screens.dialogs import Choice, ListDialog
from hextui.ui.session import Session
from hextui.ui.typed_text import read_player

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.train.guess import GuessTurn

_NAME = "A name in the games of the library, or a part of it."


class GuessActions(ActionGroup):
    """Has the user guess moves."""

    def entries(self) -> list[TrainEntry]:
        """Return these ways to train."""
        whose = f"Proved mistakes of {self._workspace.player or 'a player'} in the library"
        return [
            TrainEntry(
                *("g", "Guess the move", "This game, or one of the library", self.guess),
                "practice practise predict strong player study game",
            ),
            TrainEntry(
                *("m", "My mistakes as exercises", whose, self.mistakes),
                "practice practise train blunders learn what would have won",
            ),
        ]

    async def guess(self) -> None:
        """Guess the moves of one side of this game, or of a random game of the library."""
        from hextui.train.guess import guess_turns, random_turns

        hint = "L in Review opens a game of the library first."
        side = await self._ask(ListDialog("Guess the move", hint, self._sides(), 0))
        if side is None:
            return
        player: str | None = ""
        if side == "player":
            player = await self._talk.ask_line("Whose moves?", _NAME, read_player, "")
        if player is None:
            return
        if side in ("player", "winner"):
            of = f" of {player}" if player else " with a winner"
            await self._guess_in_library(
                lambda library, reviews: random_turns(library, reviews, player, random.Random()),
                f"The library has no game{of}",
            )
        else:
            session, color = self._session, Color.parse(side)
            turns = guess_turns(session.record, session.name, color, self._workspace.verdicts)
            await self._begin(turns, "This side has no move to guess in this game")

    async def mistakes(self) -> None:
        """Find the moves that would have won at your proved mistakes in the library's games."""
        from hextui.train.guess import my_mistakes

        player: str | None = self._workspace.player
        if not player:
            player = await self._talk.ask_line("My mistakes", f"You: {_NAME}", read_player, "")
        if player:
            self._workspace.player = name = player
            await self._guess_in_library(
                lambda library, reviews: my_mistakes(library, reviews, name),
                f"No proved mistake of {name} yet: a analyses a game",
            )

    def _sides(self) -> list[Choice]:
        record, names = self._session.record, self._shown.names
        rows = []
        for color in Color:
            side, player = names.player(color), printable(record.player(color))
            won = "won" if record.result.winner is color else ""
            about = ", ".join(filter(None, (player, won)))
            label = f"This game: {side}'s moves{about and f' ({about})'}"
            rows.append((side[0].lower(), label, str(color)))
        rows.append(("g", "A random game of the library: the winner's moves", "winner"))
        rows.append(("p", "A random game of the library: a player's moves ...", "player"))
        return [Choice(key, f"{key}  {label}", result) for key, label, result in rows]

    async def _guess_in_library(
        self, read: "Callable[[Library, ReviewStore], list[GuessTurn]]", nothing: str
    ) -> None:
        """Have moves guessed that ``read`` finds in the library and the reviews, in a thread."""
        from hextui.library.library import Library
        from hextui.library.schema import LibraryError

        path, reviews = self._workspace.services.library, self._workspace.services.reviews
        if path is None or reviews is None or not os.path.isfile(path):
            self._complain("The library is empty: 6 imports games")
            return

        def found() -> "list[GuessTurn]":
            with Library(path) as library, closing(ReviewStore(reviews)) as store:
                return read(library, store)

        try:
            turns = await asyncio.to_thread(found)
        except (LibraryError, RecordError) as error:
            self._complain(error)
        else:
            await self._begin(turns, nothing)

    async def _begin(self, turns: "Sequence[GuessTurn]", nothing: str) -> None:
        """Have moves guessed; then review the moment that the user chooses, if any."""
        from hextui.ui.screens.guess_screen import GuessScreen

        if not turns:
            self._complain(nothing)
            return
        moment = await self._train(GuessScreen, tuple(turns))
        if moment is not None:
            if moment.record is not self._session.record:
                self._workspace.records.open(Session(moment.record, name=moment.name))
            self._session.go_to(moment.here.node)
            self._session.cursor = moment.played
            self._workspace.show()
            await self._screen.run_action("do('activity-review')")
