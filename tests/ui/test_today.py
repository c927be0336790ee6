"""Today: by keys, with real reviews and the real solver, alone and day by day with kills."""

import json
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hextui.analysis.review_run import ReviewBudget
from hextui.analysis.stored_analysis import ReviewStore
from hextui.commands import main
from hextui.commands.today_document import today_document
from hextui.engine.board import Color
from hextui.engine.orientation import canonical
from hextui.library.library import Library
from hextui.locations import library_file, mistakes_file, reviews_file, training_file
from hextui.records.formats import read_record
from hextui.text import Names
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import Puzzle, read_puzzles
from hextui.ui.live import today_work
from hextui.ui.live.today_work import TodayWork
from hextui.ui.screens.puzzle_screen import PuzzleScreen
from tests.compiling import share_kernels
from tests.player_sites import PlayerSites, player_sites

from .days import DayPlan, Event, live, site_game
from .helpers import become, press, running, shown, told, until
from .month import solver, write_pack
from .settling import threads_go_on

A_SET = 5 * 60  # seconds
LATEST = 0.3  # seconds from an event to the end


@dataclass
class Week:
    """The days of a user, and what a plain script expects of them."""

    sites: PlayerSites
    pack: Path
    lots: random.Random
    games: int = 0  # that the site has
    answers: list[Event] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    day: int = 0

    def play_games(self, count: int) -> None:
        """Let the site have so many games more."""
        for _ in range(count):
            self.sites.playhex.append(site_game(self.games))
            self.games += 1

    def write(self, event: Event) -> None:
        event = {**event, "day": self.day}
        self.events.append(event)
        if event["what"] in ("question", "puzzle"):
            self.answers.append(event)

    def plan(self, port: int | None = None) -> DayPlan:
        return DayPlan(self.day, port or self.sites.port, self.lots.getrandbits(32))

    async def live(self, port: int | None = None) -> None:
        """Live the rest of a day, and compare what is kept."""
        await live(self.plan(port), self.pack, self.write)
        self.compare_answers(slack=0)

    def be_killed(self, what: str, step: str) -> None:
        """Kill a process that lives the day after an event; what it had reported is kept."""
        plan = json.dumps(asdict(self.plan()))
        words = [sys.executable, "-m", "tests.ui.days", plan, str(self.pack)]
        child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for line in child.stdout:
            event = json.loads(line)
            self.write(event)
            if event["what"] == what and event.get("step", "") == step:
                break
        time.sleep(self.lots.uniform(0, LATEST))
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.readlines()
        child.stdout.close()
        for line in rest:
            if line.endswith("\n"):  # else it was being written
                self.write(json.loads(line))
        assert child.wait() == -signal.SIGKILL
        self.compare_answers(slack=1)

    def compare_answers(self, slack: int) -> None:
        """Compare the answers on disk; a killed program may have kept ``slack`` more."""
        told = Counter(answer["key"] for answer in self.answers)
        more = 0
        with closing(TrainingStore(training_file())) as store:
            for puzzle in self.puzzles():
                progress = store.of(puzzle)
                attempts = progress.attempts if progress else ()
                seen = [a["right"] for a in self.answers if a["key"] == puzzle.key]
                assert list(attempts[: len(seen)]) == seen
                for right in attempts[len(seen) :]:
                    self.write({"what": "puzzle", "key": puzzle.key, "right": right})
                    more += 1
        assert more <= slack, told

    def puzzles(self) -> list[Puzzle]:
        """Return the pack, and every position in which Ann gave a win away."""
        own = [Puzzle(position) for points in self.mistakes().values() for _, position in points]
        return [*read_puzzles(self.pack), *own]

    def mistakes(self) -> dict[int, list[tuple[bool, Any]]]:
        """Return Ann's mistakes in each game of the library by the oracle, in order of play.

        Each is a position, and whether it is the last mistake of a game that she lost.
        """
        points = {}
        with Library() as library:
            for number in library.ids():
                points[number] = plain_mistakes(library.text(number) or "")
        return points

    def of_day(self, what: str) -> list[Event]:
        return [e for e in self.events if e["day"] == self.day and e["what"] == what]

    # What the plain script says of a day

    def compare_day(self, new: int, before: dict[str, bool]) -> None:
        """Compare a day that is over. ``new``: games fetched. ``before``: the last answers."""
        done = self.of_day("done")[-1]
        with Library() as library:
            assert library.count() == self.games
            ids = library.ids()
        expected = sorted(ids, reverse=True)[:new]
        assert list(done["games"]) == expected
        assert done["reviewed"] == len(expected), done["text"]
        assert "That was today" in done["text"]
        self._compare_reviews(ids)
        self._compare_question(expected, before)
        self._compare_puzzles(before)

    def _compare_reviews(self, ids: list[int]) -> None:
        with Library() as library, closing(ReviewStore(reviews_file())) as reviews:
            for number in ids:
                assert reviews.seconds(read_record(library.text(number) or "")) > 0

    def _compare_question(self, games: list[int], before: dict[str, bool]) -> None:
        """Compare the question: the last new mistake of a new game, lost by it if possible."""
        asked = self.of_day("question")
        mistakes = self.mistakes()
        candidates = []
        for number in sorted(mistakes, reverse=True):
            new = [(lost, key_of(p)) for lost, p in mistakes[number] if key_of(p) not in before]
            if new:
                candidates.append((number in games, number in games and new[-1][0], new[-1][1]))
        candidates.sort(key=lambda each: each[:2], reverse=True)  # and by age
        assert [event["key"] for event in asked] == [key for _, _, key in candidates[:1]]

    def _compare_puzzles(self, before: dict[str, bool]) -> None:
        """Compare the day's set: failed ones first, all tried once, within the minutes."""
        sets = {tuple(event["set"]) for event in self.of_day("begins") if "set" in event}
        assert len(sets) == 1, "the set is the same all day"
        (keys,) = sets
        tried = [event["key"] for event in self.of_day("puzzle")]
        assert sorted(tried) == sorted(keys)
        failed = {key for key, right in before.items() if not right}
        levels = {puzzle.key: puzzle.level or 4 for puzzle in self.puzzles()}
        seconds = {key: 30 + 10 * levels[key] for key in {*keys, *failed}}
        assert sum(seconds[key] for key in keys) <= A_SET
        if sum(seconds[key] for key in failed) <= A_SET:
            assert failed <= set(keys), "what was failed comes back the next day"
        else:
            assert len(failed & set(keys)) >= 2
        answered = [event["key"] for event in (*self.of_day("question"), *self.of_day("puzzle"))]
        assert len(answered) == len(set(answered)), "nothing is asked twice a day"
        missed = [e["key"] for e in self.of_day("question") if not e["right"]]
        own = [puzzle.key for puzzle in read_puzzles(mistakes_file())] if missed else []
        assert set(missed) <= set(own)


def key_of(position: Any) -> str:
    return canonical(position).position.key.hex()


def plain_mistakes(text: str) -> list[tuple[bool, Any]]:
    """Return the positions in which Red gave a win away, and whether that lost the game.

    The empty board is left out: it cannot come back as a puzzle.
    """
    record = read_record(text)
    oracle = solver()
    line = [record.position(node).without_swap for node in record.main_line()]
    winners = [position.winner or oracle.winner(position) for position in line]
    turns = [ply for ply in range(len(line) - 1) if winners[ply] is not winners[ply + 1]]
    beaten = winners[-1] is Color.WHITE
    return [
        (beaten and ply == turns[-1], line[ply])
        for ply in turns
        if line[ply].to_move is Color.BLACK and ply
    ]


@pytest.fixture
def week(tmp_path, monkeypatch):
    """Give the program a home and a site; return a week before its first day."""
    share_kernels(tmp_path)
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    with player_sites(monkeypatch) as sites:
        yield Week(sites, tmp_path / "pack.sgf", random.Random(1))


def offline() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port: int = closed.getsockname()[1]
        return port


def last_answers(week: Week) -> dict[str, bool]:
    return {answer["key"]: answer["right"] for answer in week.answers}


def synced(week: Week) -> TodayWork:
    """Let the user sync once with a site of one game; return the work of a day."""
    week.play_games(1)
    assert main(["library", "sync", "playhex", "ann"]) == 0
    week.sites.asked.clear()
    return TodayWork(library_file(), ReviewBudget((), 1.0))


def test_nothing_is_fetched_that_was_not_asked_for(week):
    week.play_games(1)
    work = TodayWork(library_file(), ReviewBudget((), 1.0))
    assert work.sync(lambda line: None).startswith("No player was synced before")
    assert week.sites.asked == []


def test_a_site_that_fails_is_asked_once_and_the_line_says_why(week):
    work = synced(week)
    week.sites.faults["/api"] = ["503"] * 9
    line = work.sync(lambda line: None)
    assert len(week.sites.asked) == 1
    assert "503" in line
    assert line.endswith("on with the games that are here")
    assert len(line.splitlines()) == 1


def test_a_sync_ends_after_its_share_of_the_minutes(week, monkeypatch):
    work = synced(week)
    monkeypatch.setattr(today_work, "SYNC_SECONDS", 0.0)
    assert work.sync(lambda line: None).endswith("the next sync fetches the rest")
    monkeypatch.setattr(today_work, "SYNC_SECONDS", 60.0)
    week.play_games(2)
    assert work.sync(lambda line: None) == "playhex.org, Ann: 2 new games"
    assert work.sync(lambda line: None) == "playhex.org, Ann: nothing new"


async def test_without_games_there_are_puzzles_and_what_is_left_out_stays_so(week):
    write_pack(week.pack, 2)
    files = {
        "library": library_file(),
        "reviews": reviews_file(),
        "training": training_file(),
        "mistakes": mistakes_file(),
    }
    async with running(None, (80, 24), **files) as pilot:
        pilot.app.main.puzzle_actions.options.collection = str(week.pack)
        await press(pilot, "5", "t")
        await until(pilot, lambda: "Enter: 2 puzzles to solve." in shown(pilot))
        assert "no game to review" in shown(pilot)
        await press(pilot, "g")
        assert told(pilot) == "There is no turning point today"
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        await press(pilot, "n", "n")
        await until(pilot, lambda: "0 of 2 tried" in shown(pilot))
        await press(pilot, "n")
        await until(
            pilot, lambda: "That was today. Tomorrow: no puzzle comes back." in shown(pilot)
        )
        await press(pilot, "enter")
        assert pilot.app.screen is pilot.app.main
        await press(pilot, "minus")
        await until(pilot, lambda: "0 of 2 tried, left out" in shown(pilot))
        await press(pilot, "n")
        assert told(pilot) == "Today is done"
    assert week.sites.asked == []


async def test_a_collection_that_is_gone_is_said_and_the_day_goes_on(week, tmp_path):
    files = {"library": library_file(), "reviews": reviews_file(), "training": training_file()}
    async with running(None, (140, 45), **files) as pilot:
        pilot.app.main.puzzle_actions.options.collection = str(tmp_path / "gone.sgf")
        with threads_go_on():  # one reads hundreds of puzzles
            await press(pilot, "minus")
        await become(pilot, lambda: "puzzles to solve" in shown(pilot), seconds=120)
        assert "gone.sgf" in told(pilot)
        assert told(pilot).endswith("the built-in puzzles come instead")


async def test_a_day_fetches_reviews_asks_and_brings_puzzles(week):
    write_pack(week.pack, 3)
    week.play_games(1)
    assert main(["library", "sync", "playhex", "ann"]) == 0
    week.play_games(1)
    await week.live()
    week.compare_day(2, {})
    assert today_document("Ann", Names.RED_BLUE)["to_review"] == []


KILLS = {2: ("begins", "sync"), 3: ("begins", "review"), 4: ("begins", "turning point"),
         5: ("puzzle", "")}  # fmt: skip
OFFLINE = 6


@pytest.mark.slow
async def test_seven_days_lose_nothing_and_ask_nothing_twice(week):
    write_pack(week.pack, 12)
    week.play_games(2)
    assert main(["library", "sync", "playhex", "ann"]) == 0
    for day in range(7):
        week.day = day
        before = last_answers(week)
        new = 0 if day == OFFLINE else 1 + day % 2
        if new:
            week.play_games(new)
        if day in KILLS:
            week.be_killed(*KILLS[day])
        await week.live(offline() if day == OFFLINE else None)
        if day == OFFLINE:
            assert "cannot be reached" in week.of_day("done")[-1]["notes"]["sync"]
        week.compare_day(new + 2 * (day == 0), before)
