"""A month of training: what is finished stays, whatever kills the program; all figures are right.

Results, streak, due puzzles and the ladder are computed again from what the user has seen.
"""

import json
import math
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from fsrs import Card, Rating, Scheduler

from hextui.commands import main
from hextui.locations import games_file, training_file
from hextui.train.kept_games import GameStore, KeptGame
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import read_puzzles
from tests.compiling import share_kernels
from tests.ui.month import DAY, FIRST_DAY, Event, Plan, live, write_pack

A_SET = 7  # puzzles of the hardest level in a quarter of an hour
ALL = 100  # more than that
SHARES = (0.78, 0.73, 0.72, 0.68, 0.65, 0.77, 0.72, 0.77)  # of docs/methods.md
NEWEST = 30
A_MINUTE = timedelta(minutes=1)
LEAST_EVENTS = 3  # of a day: a turn, the list of puzzles, a try
LATEST = 0.3  # seconds from an event to the end


@dataclass
class Diary:
    """What the user has seen: games by their begin, tries of puzzles, the days' sets."""

    games: dict[str, Event] = field(default_factory=dict)
    tries: list[Event] = field(default_factory=list)
    sizes: dict[int, int] = field(default_factory=dict)
    day: int = 0

    def write(self, event: Event) -> None:
        """Write what has happened, and compare it with what was before."""
        match event["what"]:
            case "continued":
                before = self.games[event["begun"]]["moves"]
                assert event["moves"][: len(before)] == before
                plies_of_user = 0 if event["color"] == "black" else 1
                answers = 0 if len(before) % 2 == plies_of_user else 1  # the level's, at once
                assert len(event["moves"]) - len(before) == answers
                self.games[event["begun"]] = event
            case "begun" | "turn" | "over":
                self.games[event["begun"]] = event
            case "list":
                self._compare_list(event["counts"])
            case "try":
                self.tries.append({**event, "day": self.day})

    def _compare_list(self, counts: list[str]) -> None:
        """Compare what is due, the set and the streak with what is computed from the tries."""
        due, daily = counts
        tonight = (FIRST_DAY + self.day * DAY).astimezone().replace(hour=23, minute=59, second=59)
        expected = sum(card.due <= tonight for card in self.cards().values())
        assert due.startswith(f"Due today {expected},"), due
        first = self._tried_first(self.day)
        found = re.fullmatch(
            r"Today's set: (\d+) of (\d+) done, (\d+) right; streak (\d+) days?", daily
        )
        assert found, daily
        done, size, right, streak = map(int, found.groups())
        assert (done, right) == (len(first), sum(first.values()))
        assert self.sizes.setdefault(self.day, size) == size
        assert streak == self._streak(), daily

    def _tried_first(self, day: int) -> dict[str, bool]:
        """Return the results of the first tries of a day, by puzzle."""
        first = dict[str, bool]()
        for tried in self.tries:
            if tried["day"] == day:
                first.setdefault(tried["key"], tried["right"])
        return first

    def _streak(self) -> int:
        """Return the days in a row, to this or the last one, on which the whole set was tried."""
        done = {day for day, size in self.sizes.items() if size == len(self._tried_first(day)) > 0}
        day = self.day if self.day in done else self.day - 1
        days = 0
        while day - days in done:
            days += 1
        return days

    def cards(self) -> dict[str, Card]:
        """Return when each puzzle comes back, by the model itself."""
        soon = (A_MINUTE,)
        model = Scheduler(learning_steps=soon, relearning_steps=soon, enable_fuzzing=False)
        cards = dict[str, Card]()
        for tried in self.tries:
            at = datetime.fromisoformat(tried["at"])
            card = cards.get(tried["key"]) or Card(due=at)
            rating = Rating.Good if tried["right"] else Rating.Again
            cards[tried["key"]], _ = model.review_card(card, rating, at)
        return cards

    @property
    def over(self) -> list[Event]:
        """The games that are over, in the order of their begin."""
        return [game for _, game in sorted(self.games.items()) if game["won"] is not None]


def rating_of(results: list[tuple[int, bool]]) -> float:
    """Return the level at the median of what is likely, by the Bradley-Terry model; plain sums."""
    strengths = [0.0]
    for share in SHARES:
        strengths.append(strengths[-1] + 400 * math.log10(share / (1 - share)))
    likely = {}
    for strength in range(-400, round(strengths[-1]) + 401):
        beats = [1 / (1 + 10 ** ((other - strength) / 400)) for other in strengths]
        share = math.sqrt(beats[2] * (1 - beats[2]))
        for level, won in results[-NEWEST:]:
            share *= beats[level - 1] if won else 1 - beats[level - 1]
        likely[strength] = share
    half = sum(likely.values()) / 2
    median = 0
    for strength, share in likely.items():
        half -= share
        if half <= 0:
            median = strength
            break
    level = 1
    while level < 8 and strengths[level] < median:
        level += 1
    step = strengths[level] - strengths[level - 1]
    return min(max(level + (median - strengths[level - 1]) / step, 0), 10)


@dataclass
class Month:
    """The days of a user in a home; ``kills``: those on which the program is killed."""

    pack: Path
    lots: random.Random
    kills: tuple[int, ...]
    diary: Diary = field(default_factory=Diary)

    async def live(self, day: int, turns: int, games: int, tries: int) -> None:
        """Live a day, on which the program may be killed and started again."""
        self.diary.day = day
        plan = Plan(day=day, turns=turns, games=games, tries=tries, seed=self.lots.getrandbits(32))
        if day in self.kills:
            over, tried = len(self.diary.over), len(self.diary.tries)
            self.be_killed(plan)
            plan = replace(
                plan,
                games=games - len(self.diary.over) + over,
                tries=tries - len(self.diary.tries) + tried,
                seed=plan.seed + 1,
            )
        await live(plan, self.pack, self.diary.write)
        self.compare_games(slack=0)
        self.compare_puzzles(slack=0)

    def be_killed(self, plan: Plan) -> None:
        """Kill a process that lives a day at some moment; what it had reported is kept."""
        words = [sys.executable, "-m", "tests.ui.month", json.dumps(asdict(plan)), str(self.pack)]
        child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        lines = list(islice(child.stdout, self.lots.randint(1, LEAST_EVENTS)))
        time.sleep(self.lots.uniform(0, LATEST))
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.readlines()
        child.stdout.close()
        for line in lines:
            if line.endswith("\n"):  # else it was being written
                self.diary.write(json.loads(line))
        assert child.wait() == -signal.SIGKILL
        self.compare_games(slack=2)
        self.compare_puzzles(slack=1)
        self.take_over()

    def take_over(self) -> None:
        """Write what was kept but not reported any more."""
        for game in _games():
            event = {
                "begun": game.begun,
                "level": int(game.settings.opponent.removeprefix("level:")),
                "color": str(game.color),
                "moves": _moves(game),
                "won": game.won,
                "helped": game.helped,
            }
            self.diary.games[game.begun] = event
        now = (FIRST_DAY + self.diary.day * DAY).isoformat()
        with closing(TrainingStore(training_file())) as store:
            for puzzle in read_puzzles(self.pack):
                progress = store.of(puzzle)
                tries = [tried for tried in self.diary.tries if tried["key"] == puzzle.key]
                if progress is not None and len(progress.attempts) > len(tries):
                    right = progress.attempts[-1]
                    self.diary.write({"what": "try", "key": puzzle.key, "right": right, "at": now})

    def compare_games(self, slack: int) -> None:
        """Compare the games on disk; a killed program may have kept ``slack`` moves more."""
        kept = _games()
        begun = {game.begun for game in kept}
        assert self.diary.games.keys() <= begun
        assert len(begun - self.diary.games.keys()) <= (1 if slack else 0)
        for game in kept:
            seen = self.diary.games.get(game.begun)
            if seen is None:
                continue
            moves = _moves(game)
            assert moves[: len(seen["moves"])] == seen["moves"]
            assert game.ply - len(seen["moves"]) in range(slack + 1)
            if seen["won"] is not None:
                assert (game.won, game.helped) == (seen["won"], seen["helped"])

    def compare_puzzles(self, slack: int) -> None:
        """Compare the results on disk; a killed program may have kept ``slack`` tries more."""
        tries = Counter(tried["key"] for tried in self.diary.tries)
        cards = self.diary.cards()
        more = 0
        with closing(TrainingStore(training_file())) as store:
            for puzzle in read_puzzles(self.pack):
                progress = store.of(puzzle)
                attempts = progress.attempts if progress else ()
                seen = [t["right"] for t in self.diary.tries if t["key"] == puzzle.key]
                assert list(attempts[: len(seen)]) == seen
                more += len(attempts) - tries[puzzle.key]
                if progress is not None and len(attempts) == len(seen):
                    assert abs(progress.due - cards[puzzle.key].due) < A_MINUTE
        assert more <= slack


def _games() -> list[KeptGame]:
    with closing(GameStore(games_file())) as store:
        return store.games()


def _moves(game: KeptGame) -> list[str]:
    record = game.record()
    return [turn.name(record.board) for turn in record.turns(record.node_at(game.ply))]


def compare_ladder(diary: Diary, capsys: Any) -> None:
    """Compare the ladder of the command with one computed from the results alone."""
    assert main(["ladder", "--json"]) == 0
    ladder = json.loads(capsys.readouterr().out)
    played, won = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    results = []
    for game, listed in zip(diary.over, ladder["games"], strict=True):
        assert (listed["begun"], listed["won"]) == (game["begun"], game["won"])
        assert listed["opponent"] == f"level:{game['level']}"
        if game["helped"]:
            assert listed["rating"] is None
            continue
        played[game["level"], game["color"]] += 1
        won[game["level"], game["color"]] += game["won"]
        results.append((game["level"], game["won"]))
        assert listed["rating"]["value"] == pytest.approx(rating_of(results), abs=0.1)
    rows = {(row["level"], row["color"]): (row["won"], row["games"]) for row in ladder["results"]}
    assert rows == {key: (won[key], games) for key, games in played.items()}
    assert ladder["next_level"] == min(max(round(rating_of(results)), 1), 9)


async def live_days(
    days: int, games: int, tries: int, kills: int, lots: random.Random, pack: Path
) -> Diary:
    """Live days on which so many games end and puzzles are tried, and the program is killed."""
    write_pack(pack, tries)
    killed_on = tuple(sorted(lots.sample(range(days // 2), kills)))
    month = Month(pack, lots, killed_on)
    diary = month.diary
    for day in range(days):
        is_last = day == days - 1
        over = max(1, games * (day + 1) // days - len(diary.over))
        turns = 1000 if is_last else lots.randint(2, 6)
        left = tries - len(diary.tries)
        wanted = min(left, lots.choice([1, 1, 1, 3, ALL]))
        if left > A_SET * (days - 1 - day):
            wanted = left
        await month.live(day, turns, min(over, games - len(diary.over)), wanted)
    assert (len(diary.over), len(diary.tries)) == (games, tries)
    return diary


@pytest.fixture
def pack(tmp_path, monkeypatch):
    """Give the program a home; return where the puzzles will be."""
    share_kernels(tmp_path)
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    return tmp_path / "pack.sgf"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
async def test_a_month_loses_nothing_and_its_figures_are_right(seed, pack, capsys):
    diary = await live_days(30, games=20, tries=60, kills=3, lots=random.Random(seed), pack=pack)
    compare_ladder(diary, capsys)


async def test_two_days_lose_nothing_and_their_figures_are_right(pack, capsys):
    diary = await live_days(2, games=1, tries=4, kills=1, lots=random.Random(1), pack=pack)
    compare_ladder(diary, capsys)
