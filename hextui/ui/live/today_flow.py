"""The course of a day on the screen: what is done by itself, and what waits for the user."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from hextui.analysis.stored_analysis import ReviewStore
from hextui.records.record_text import RecordError
from hextui.text import Names, counted
from hextui.train.daily import DailySet
from hextui.train.puzzle import Puzzle
from hextui.train.today import (
    PUZZLE_SECONDS,
    REVIEW_GAMES,
    REVIEW_SECONDS,
    SET,
    DayStep,
    Today,
    TurningPoint,
    asked_point,
    collection_of,
    due_on,
    story_of,
    turning_point,
    unreviewed_games,
    unreviewed_of,
    with_mistakes,
)
from hextui.ui.live.background import TrainingThread
from hextui.ui.live.today_work import TodayWork
from hextui.ui.record.files import opened_library

if TYPE_CHECKING:
    from hextui.library.library import Library

T = TypeVar("T")
LEFT_OUT = "left out"
_NONE_PROVED = "no new mistake of yours is proved yet"
_TICK = 0.1  # seconds between two looks at the review


class TodayFlow:
    """Leads through a day of a player, whose state is kept after each step.

    ``library`` and ``reviews``: their files. ``work``: fetches and reviews games. ``line``: what is
    done now. ``point``: the turning point, ``story`` of its game. ``daily``: the day's ``puzzles``.
    ``problem``: why the user's collection cannot be read.
    """

    def __init__(
        self,
        training: TrainingThread,
        library: Path,
        reviews: Path,
        work: TodayWork,
        player: str,
        collection: str,
        names: Names,
    ) -> None:
        self.work = work
        self.line = ""
        self.today: Today | None = None
        self.point: TurningPoint | None = None
        self.story = ""
        self.puzzles: list[Puzzle] = []
        self.daily: DailySet | None = None
        self.reviewed = 0
        self.due_tomorrow = 0
        self._training = training
        self._library = library
        self._reviews = reviews
        self._player = player
        self._collection = collection
        self._collected: list[Puzzle] = []
        self.problem = ""
        self._names = names
        self._is_hurried = False
        self._has_begun_reviews = False

    # What the user does

    def hurry(self) -> None:
        """Wait no longer for games and their reviews; the reviews go on."""
        self._is_hurried = True
        if self.today is not None and self.today.step is DayStep.SYNC:
            self.work.stop()

    async def skip(self) -> None:
        """Leave out the step that waits for the user."""
        if self.today is not None and self.today.step is not DayStep.DONE:
            await self._pass(self.today, LEFT_OUT)

    # What is done by itself

    async def advance(self) -> None:
        """Do what needs no user, until one is needed or the day is over. Raises RecordError."""
        self._is_hurried = False
        self.line = ""
        today = self.today = await self._training.today(self._player)
        self.puzzles = await asyncio.to_thread(self._read_puzzles)
        # the set is planned before a turning point can be missed, which is for tomorrow
        self.daily = await self._training.daily(self.puzzles, SET, PUZZLE_SECONDS)
        if today.step is DayStep.SYNC:
            today = await self._sync(today)
        if today.step is DayStep.REVIEW:
            today = await self._choose_games(today)
        await self._go_on_reviewing(today)
        if today.step is DayStep.REVIEW:
            today = await self._wait_for_reviews(today)
        today = await self._come_to_story(today)
        if today.step is DayStep.PUZZLES:
            today = await self._look_for_tries(today)
        if today.step is DayStep.DONE and today.notes[DayStep.STORY] == _NONE_PROVED:
            await self._look_again(today)
        await self._count()

    def _read_puzzles(self) -> list[Puzzle]:
        """Return the puzzles; only the user's mistakes become more during a day."""
        if not self._collected:
            try:
                self._collected = collection_of(self._collection)
            except RecordError as error:
                self.problem = f"{error}; the built-in puzzles come instead"
                self._collected = collection_of("")
        return with_mistakes(self._collected, self._training.mistakes)

    async def _look_again(self, today: Today) -> None:
        """Come back to the turning point if the reviews have proved one meanwhile."""
        again = await self._come_to_story(replace(today, step=DayStep.STORY))
        if again.step is not DayStep.STORY:
            await self._keep(today)

    async def _come_to_story(self, today: Today) -> Today:
        """Choose and show the turning point, and go on if there is none or it was answered."""
        if today.step is DayStep.STORY:
            today = await self._choose_point(today)
        await self._show_point(today)
        if today.step is DayStep.STORY:
            today = await self._look_for_answer(today)
        return today

    async def _pass(self, today: Today, note: str) -> Today:
        return await self._keep(today.past(today.step, note))

    async def _keep(self, today: Today) -> Today:
        await self._training.keep_today(today)
        self.today = today
        return today

    async def _sync(self, today: Today) -> Today:
        self.line = "asking ..."
        try:
            note = await asyncio.to_thread(self.work.sync, self._show)
        except RecordError as error:
            note = str(error)
        self._is_hurried = False
        return await self._pass(today, note)

    def _show(self, line: str) -> None:
        self.line = line

    async def _choose_games(self, today: Today) -> Today:
        """Choose the games to review, unless they were chosen before."""
        if today.games:
            return today
        self.line = "looking for new games ..."
        seconds = self.work.seconds
        find = partial(unreviewed_games, player=today.player, seconds=seconds)
        rows = await asyncio.to_thread(self._with_reviews, find, [])
        if not rows:
            return await self._pass(today, "no game to review")
        chosen = tuple(row.id for row in rows[:REVIEW_GAMES])
        return await self._keep(replace(today, games=chosen))

    async def _go_on_reviewing(self, today: Today) -> None:
        """Have the day's games reviewed that are not, once."""
        left = await self._count_reviews(today)
        if left and not self._has_begun_reviews:
            self._has_begun_reviews = True
            await asyncio.to_thread(self.work.review, left)

    async def _count_reviews(self, today: Today) -> list[int]:
        """Count the day's games that are reviewed; return the ids of the others."""
        find = partial(unreviewed_of, games=today.games, seconds=self.work.seconds)
        left = await asyncio.to_thread(self._with_reviews, find, [])
        self.reviewed = len(today.games) - len(left)
        return left

    async def _wait_for_reviews(self, today: Today) -> Today:
        end = monotonic() + REVIEW_SECONDS
        while self.work.reviews and monotonic() < end and not self._is_hurried:
            self.line = self.work.progress
            await asyncio.sleep(_TICK)
        await self._count_reviews(today)
        return await self._pass(today, counted(len(today.games), "game"))

    async def _choose_point(self, today: Today) -> Today:
        """Choose the turning point to ask, unless it was chosen before."""
        if today.point is not None:
            return today
        self.line = "looking for one ..."

        def find(library: "Library", reviews: ReviewStore) -> TurningPoint | None:
            player = today.player
            return turning_point(library, reviews, player, self._training.is_new, today.games)

        point = await asyncio.to_thread(self._with_reviews, find, None)
        if point is None:
            return await self._pass(today, _NONE_PROVED)
        return await self._keep(replace(today, point=point.place))

    async def _show_point(self, today: Today) -> None:
        """Read the turning point and the story of its game, if one was chosen."""
        self.point = None
        self.story = ""
        place = today.point
        if place is None:
            return

        def read(library: "Library", reviews: ReviewStore) -> None:
            self.point = asked_point(library, reviews, today.player, place)
            if self.point is not None:
                self.story = story_of(self.point, reviews, self._names)

        await asyncio.to_thread(self._with_reviews, read, None)

    async def _look_for_answer(self, today: Today) -> Today:
        """Go on if the turning point was answered, or is there no more."""
        if self.point is None:
            return await self._pass(today, "its game or review was removed")
        (answer,) = await self._training.known([self.point.puzzle])
        if answer is None:
            return today
        return await self._pass(today, "found" if answer.attempts[0] else "missed; it comes back")

    async def _look_for_tries(self, today: Today) -> Today:
        """Go on if all puzzles were tried."""
        if self.daily is None or not self.daily.left:
            has_any = self.daily is not None and self.daily.places
            return await self._pass(today, "all tried" if has_any else "none is due")
        return today

    async def _count(self) -> None:
        """Count the puzzles that are due tomorrow."""
        if self.today is not None and self.today.step is DayStep.DONE:
            tomorrow = self.today.day + timedelta(1)
            histories = await self._training.known(self.puzzles)
            self.due_tomorrow = due_on(tomorrow, self.puzzles, histories)

    def _with_reviews(self, read: "Callable[[Library, ReviewStore], T]", nothing: T) -> T:
        """Return what is read of the library and the reviews; ``nothing`` without a library."""
        if not self._library.is_file():
            return nothing
        with (
            opened_library(self._library, self._names) as library,
            closing(ReviewStore(self._reviews)) as reviews,
        ):
            return read(library, reviews)
