"""A user who opens Today day by day, by keys: in this process, or in one that can be killed.

What has happened is reported in order, once the program has kept it (``python -m`` prints it).
"""

import json
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hextui.engine.board import Color
from hextui.library import sync_sites
from hextui.locations import (
    games_file,
    library_file,
    mistakes_file,
    reviews_file,  # the program's own, which the process that reviews uses too
    state_folder,
    training_file,
)
from hextui.train.puzzle import Puzzle
from hextui.train.today import DayStep
from hextui.ui.live import today_flow
from hextui.ui.screens.guess_screen import GuessScreen
from hextui.ui.screens.puzzle_screen import PuzzleScreen
from hextui.ui.screens.today_screen import TodayScreen
from tests.player_sites import playhex_game
from tests.sites import sites_at
from tests.train.games import weak_game

from . import settling
from .helpers import become, press, running, shown
from .month import BOARD, SIZE, day_begins, solver

PLAYER = "Ann"
Event = dict[str, Any]
Report = Callable[[Event], None]


@dataclass(frozen=True)
class DayPlan:
    """``day``: its number, from 0. ``port``: of the site. ``seed``: of the user's lots."""

    day: int
    port: int
    seed: int


def site_game(number: int) -> dict[str, object]:
    """Return a game that Ann, who is Red, played on a small board, as the site answers it."""
    record = weak_game(number, BOARD)
    winner = record.position(record.main_line()[-1]).winner
    return playhex_game(
        number,
        boardsize=BOARD.rows,
        swapRule=False,
        moves=[turn.name(BOARD) for turn in record.turns()],
        winner=0 if winner is Color.BLACK else 1,
        outcome="path",
    )


class User:
    """Goes through a day by the keys of a program that runs."""

    def __init__(self, pilot: Any, plan: DayPlan, report: Report) -> None:
        self.pilot = pilot
        self._report = report
        self._lots = random.Random(plan.seed)

    @property
    def _screen(self) -> Any:
        return self.pilot.app.screen

    async def live(self) -> None:
        """Open Today, and go on until the day is over."""
        await press(self.pilot, "minus")
        await self._become(lambda: isinstance(self._screen, TodayScreen))
        flow = self._screen._flow
        for step in (DayStep.SYNC, DayStep.REVIEW):
            await self._become(lambda: flow.today is not None)
            await self._become(partial(self._is_at, flow, step))
            if flow.today.step is step:
                self._report({"what": "begins", "step": step})
        await self._become(lambda: self._waits)
        while flow.today.step is not DayStep.DONE:
            await self._do(flow)
        await self._become(lambda: "That was today" in shown(self.pilot))
        event = {"what": "done", "notes": dict(flow.today.notes), "games": flow.today.games}
        self._report({**event, "reviewed": flow.reviewed, "text": shown(self.pilot)})
        await press(self.pilot, "enter")

    @property
    def _waits(self) -> bool:
        return isinstance(self._screen, TodayScreen) and self._screen._waits

    def _is_at(self, flow: Any, step: DayStep) -> bool:
        return flow.today.step is step or self._waits

    async def _become(self, true: Callable[[], bool]) -> None:
        await become(self.pilot, true, seconds=900)

    async def _do(self, flow: Any) -> None:
        """Do the step that is next, and come back to the day."""
        step = flow.today.step
        keys = [flow.puzzles[place].key for place in flow.daily.places]
        event = {"what": "begins", "step": step, "games": flow.today.games, "set": keys}
        self._report({**event, "point": flow.today.point})
        await press(self.pilot, "enter")
        if step is DayStep.STORY:
            await self._become(lambda: isinstance(self._screen, GuessScreen))
            await self._guess()
        else:
            await self._become(lambda: isinstance(self._screen, PuzzleScreen))
            while isinstance(self._screen, PuzzleScreen):
                await self._try()
        await self._become(lambda: self._waits)

    def _move(self, puzzle: Puzzle) -> tuple[int, bool]:
        """Return a move, right or wrong by lot."""
        wins = sorted(solver().winning_moves(puzzle.position))
        others = sorted({*puzzle.position.empties} - {*wins})
        right = not others or self._lots.random() < 0.6
        return self._lots.choice(wins if right else others), right

    async def _guess(self) -> None:
        from hextui.train.own_mistakes import puzzle_of_turn

        screen = self._screen
        puzzle = puzzle_of_turn(screen._turn)
        cell, right = self._move(puzzle)
        screen.point(cell)
        await press(self.pilot, "enter")
        await self._become(lambda: screen._judged)
        assert (screen._guesses[0].points > 0) is right
        await self._kept("question", puzzle, right)
        await press(self.pilot, "enter")

    async def _try(self) -> None:
        screen = self._screen
        puzzle = screen._puzzle
        cell, right = self._move(puzzle)
        screen.point(cell)
        await press(self.pilot, "enter")
        await self._become(lambda: screen._tried is not None)
        await self._kept("puzzle", puzzle, right)
        await press(self.pilot, "n")
        await self._become(lambda: self._screen is not screen or screen._puzzle is not puzzle)

    async def _kept(self, what: str, puzzle: Puzzle, right: bool) -> None:
        """Report an answer, once the thread that writes has done all before."""
        await self.pilot.app.main.workspace.training.games()
        self._report({"what": what, "key": puzzle.key, "right": right})


async def live(plan: DayPlan, pack: Path, report: Report) -> None:
    """Start the program, go through Today, and quit."""
    files = {
        "library": library_file(),
        "reviews": reviews_file(),
        "training": training_file(),
        "games": games_file(),
        "mistakes": mistakes_file(),
        "state": state_folder(),
    }
    with day_begins(plan.day), pytest.MonkeyPatch.context() as patched:
        sites_at(patched, plan.port)
        patched.setattr(sync_sites, "PAUSE_SECONDS", 0.0)
        patched.setattr(today_flow, "REVIEW_SECONDS", 900.0)  # all games are reviewed
        async with running(None, SIZE, **files) as pilot:
            pilot.app.main.workspace.player = PLAYER
            pilot.app.main.puzzle_actions.options.collection = str(pack)
            with settling.threads_go_on():
                await User(pilot, plan, report).live()
            await press(pilot, "q")
            assert not pilot.app.is_running, shown(pilot)


def _print(event: Event) -> None:
    print(json.dumps(event), flush=True)


if __name__ == "__main__":
    day = DayPlan(**json.loads(sys.argv[1]))
    settling.run_alone(live(day, Path(sys.argv[2]), _print))
