"""A user who trains day by day: games against levels, and puzzles of today's set, by keys.

A day is played in this process, or in one of its own, which can be killed (``python -m``). What has
happened is reported in order, once the program has kept it.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hextui import locations
from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.records.codecs.sgf import write_sgf
from hextui.text import Names
from hextui.train.play_settings import PlaySettings
from hextui.train.puzzle import Puzzle, Theme, puzzle_record
from hextui.ui.screens.play_screen import PlayScreen
from hextui.ui.screens.puzzle_screen import PuzzleScreen
from hextui.ui.screens.puzzles_screen import PuzzlesScreen
from hextui.ui.screens.train_dialogs import TrainScreen
from tests.oracles.winners import Exhaustive
from tests.train.games import weak_game

from . import settling
from .helpers import press, running, shown, until

BOARD = Board(4, 4)
FIRST_DAY = datetime(2026, 3, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1, minutes=5)
"""From one day to the next: a day takes less than the minutes, so whole days lie between tries."""
HARDEST = 9
_LEAST_PLY = 5  # from which the oracle is quick
SIZE = (100, 30)
_READS_THE_CLOCK = (
    "hextui.train.progress",
    "hextui.train.kept_games",
    "hextui.ui.live.background",
    "hextui.ui.screens.puzzles_screen",
)

Event = dict[str, Any]
Report = Callable[[Event], None]


@dataclass(frozen=True)
class Plan:
    """What is to be done on a day: ``turns`` of the user in games, ``games`` and ``tries`` at most.

    ``day``: its number, from 0. ``seed``: of the user's lots.
    """

    day: int
    turns: int
    games: int
    tries: int
    seed: int


@contextmanager
def day_begins(day: int) -> Iterator[None]:
    """Let the program's clock begin at a day."""
    shift = FIRST_DAY + day * DAY - datetime.now(UTC)

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + shift

    patches = [patch(f"{module}.datetime", Shifted) for module in _READS_THE_CLOCK]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


def write_pack(path: Path, count_of: int) -> None:
    """Write puzzles with one to three winning moves, whose positions differ in any orientation."""
    oracle = solver()
    puzzles = dict[str, Puzzle]()
    for seed in count():
        record = weak_game(seed, BOARD)
        position = record.position(record.node_at(_LEAST_PLY + seed % 3))
        wins = tuple(sorted(oracle.winning_moves(position))) if position.winner is None else ()
        if not 1 <= len(wins) <= 3:
            continue
        lines = tuple(Cells(BOARD, (cell,)) for cell in wins)
        puzzle = Puzzle(position, wins, lines, Theme.QUIET, HARDEST, f"puzzle {seed}")
        puzzles.setdefault(puzzle.key, puzzle)
        if len(puzzles) == count_of:
            break
    records = [puzzle_record(puzzle, Names.RED_BLUE) for puzzle in puzzles.values()]
    path.write_text("\n".join(map(write_sgf, records)))


@cache
def solver() -> Exhaustive:
    """Return the oracle of the board."""
    return Exhaustive(BOARD)


class User:
    """Plays by the keys of a program that runs."""

    def __init__(self, pilot: Any, plan: Plan, pack: Path, report: Report) -> None:
        self.pilot = pilot
        self._plan = plan
        self._pack = pack
        self._report = report
        self._lots = random.Random(plan.seed)

    async def _kept(self, event: Event) -> None:
        """Report what has happened, once the thread that writes has done all before."""
        await self.pilot.app.main.workspace.training.games()
        self._report(event)

    # Games

    async def play(self) -> None:
        """Play turns; the last game is left as it stands."""
        turns, games = self._plan.turns, self._plan.games
        while turns > 0 and games > 0:
            if not isinstance(self.pilot.app.screen, PlayScreen):
                await self._begin()
            turns -= 1
            if await self._turn():
                games -= 1
        if isinstance(self.pilot.app.screen, PlayScreen):
            await press(self.pilot, "escape", "l")

    async def _begin(self) -> None:
        """Continue the game that goes on, or begin one."""
        await press(self.pilot, "5")
        await until(self.pilot, lambda: isinstance(self.pilot.app.screen, TrainScreen))
        if "c  Continue" in shown(self.pilot):
            await press(self.pilot, "enter")
            await self._first_turn("continued")
            return
        await press(self.pilot, "escape")
        level = self._lots.randint(1, 4)
        color = self._lots.choice(list(Color))
        settings = PlaySettings(f"level:{level}", BOARD, color, swap=False, coach=False)
        main = self.pilot.app.main
        main.work_on("train", lambda: main.game_actions.begin(settings))
        await until(self.pilot, lambda: isinstance(self.pilot.app.screen, PlayScreen))
        await self._first_turn("begun")

    async def _first_turn(self, what: str) -> None:
        """Wait for the level if it moves first, and report the game, which is then kept."""
        await self._waits_for_user()
        if self.pilot.app.screen.subject.node.ply:
            await self._report_game(what)

    async def _waits_for_user(self) -> None:
        screen = self.pilot.app.screen
        await until(self.pilot, lambda: screen._users_turn or screen._over)

    async def _turn(self) -> bool:
        """Move, take back or resign; return whether the game is over."""
        await self._waits_for_user()
        screen = self.pilot.app.screen
        position = screen.subject.position
        what = self._lots.random()
        if what < 0.03:
            await press(self.pilot, "R", "r")
        elif what < 0.06 and screen.subject.node.ply > 1:
            await press(self.pilot, "u")
        else:
            moves = list(position.empties)
            if screen.subject.node.ply >= _LEAST_PLY and what < 0.7:
                moves = sorted(solver().winning_moves(position)) or moves
            screen.point(self._lots.choice(moves))
            await press(self.pilot, "enter")
        await self._waits_for_user()
        await self._report_game("over" if screen._over else "turn")
        if not screen._over:
            return False
        await press(self.pilot, after := self._lots.choice(["escape", "r"]))
        if after == "r":
            await self._first_turn("begun")
        return True

    async def _report_game(self, what: str) -> None:
        screen = self.pilot.app.screen
        game = screen.game
        record = screen.subject.record
        winner = record.result.winner
        event = {
            "what": what,
            "begun": game.begun,
            "level": int(game.settings.opponent.removeprefix("level:")),
            "color": str(game.color),
            "moves": [turn.name(BOARD) for turn in record.turns(screen.subject.node)],
            "won": None if winner is None else winner is game.color,
            "helped": game.helped,
        }
        await self._kept(event)

    # Puzzles

    async def solve(self) -> None:
        """Look at the list of the pack, and solve puzzles of today's set."""
        main = self.pilot.app.main
        main.puzzle_actions.options.collection = str(self._pack)
        await press(self.pilot, "5", "z")
        await until(self.pilot, lambda: "Today's set" in shown(self.pilot))
        screen = self.pilot.app.screen
        assert isinstance(screen, PuzzlesScreen)
        lines = [line.strip() for line in shown(self.pilot).splitlines()]
        counts = [line for line in lines if line.startswith(("Due today", "Today's set"))]
        await self._kept({"what": "list", "counts": counts})
        daily = screen._daily
        assert daily is not None
        tries = min(self._plan.tries, len(daily.left))
        if not tries:
            return
        await press(self.pilot, "d")
        await until(self.pilot, lambda: isinstance(self.pilot.app.screen, PuzzleScreen))
        for number in range(tries):
            if number:
                await press(self.pilot, "n")
            await self._try()
        await press(self.pilot, "escape", "escape")

    async def _try(self) -> None:
        """Try a move, right or wrong by lot, and wait until it is proved."""
        screen = self.pilot.app.screen
        puzzle = screen._puzzle
        others = sorted({*puzzle.position.empties} - {*puzzle.wins})
        right = not others or self._lots.random() < 0.7
        screen.point(self._lots.choice(list(puzzle.wins) if right else others))
        await press(self.pilot, "enter")
        await until(self.pilot, lambda: screen._tried is not None)
        now = sys.modules["hextui.train.progress"].datetime.now(UTC)  # the program's
        event = {"what": "try", "key": puzzle.key, "right": right, "at": now.isoformat()}
        await self._kept(event)


async def live(plan: Plan, pack: Path, report: Report) -> None:
    """Start the program, train for a day, and quit."""
    random.seed(plan.seed)  # the levels' lots
    files = {
        "training": locations.training_file(),
        "games": locations.games_file(),
        "mistakes": locations.mistakes_file(),
        "state": locations.state_folder(),
    }
    with day_begins(plan.day):
        async with running(None, SIZE, **files) as pilot:
            user = User(pilot, plan, pack, report)
            await user.play()
            await user.solve()
            await press(pilot, "q")
            assert not pilot.app.is_running, shown(pilot)


def _print(event: Event) -> None:
    print(json.dumps(event), flush=True)


if __name__ == "__main__":
    day = Plan(**json.loads(sys.argv[1]))
    settling.run_alone(live(day, Path(sys.argv[2]), _print))
