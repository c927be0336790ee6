"""A day's training: its steps, kept at once, and what is new, asked and solved on it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from hextui.analysis.mistakes import blunders
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.library.library import Library
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.text import Names
from hextui.train.daily import chosen_for, daily_set
from hextui.train.own_mistakes import keep_puzzle
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import Puzzle
from hextui.train.today import (
    PUZZLE_SECONDS,
    SET,
    DayStep,
    Today,
    TurningPoint,
    asked_point,
    collection_of,
    day_of,
    due_on,
    keep_day,
    question_of,
    story_of,
    turning_point,
    unreviewed_games,
    with_mistakes,
)
from tests.train.games import judged, weak_game

DAY = date(2026, 3, 1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOARD = Board(3, 3)
SECONDS = 5.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TrainingStore]:
    with closing(TrainingStore(tmp_path / "training.sqlite")) as opened:
        yield opened


@pytest.fixture
def reviews(tmp_path: Path) -> Iterator[ReviewStore]:
    with closing(ReviewStore(tmp_path / "reviews.sqlite")) as opened:
        yield opened


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.sqlite") as opened:
        yield opened


def add_game(library: Library, tmp_path: Path, seed: int, **texts: str) -> str:
    """Add a game between Ann, who is Black, and another player; return its text."""
    record = weak_game(seed, BOARD)
    winner = record.position(record.main_line()[-1]).winner
    assert winner is not None
    result = "B+" if winner is Color.BLACK else "W+"
    copy = read_record(write_sgf(record))
    copy.set_texts(copy.root, {"PB": "Ann", "PW": f"P{seed}", "RE": result, **texts})
    path = tmp_path / f"{seed}.sgf"
    path.write_text(write_sgf(copy))
    library.import_paths([path])
    return path.read_text()


def review(reviews: ReviewStore, text: str, seconds: float = SECONDS) -> None:
    """Keep the review of a game, in which everything is proved."""
    positions, estimates = judged(read_record(text))
    estimates.keep_spent(positions, seconds)
    reviews.keep(positions, estimates)


def is_new(puzzle: Puzzle) -> bool:
    return True


# How far a day is


def test_the_steps_follow_each_other_and_the_last_one_stays() -> None:
    steps = [DayStep.SYNC]
    while steps[-1] is not DayStep.DONE:
        steps.append(steps[-1].after)
    assert steps == list(DayStep)
    assert DayStep.DONE.after is DayStep.DONE


def test_a_day_is_kept_and_another_day_or_player_begins_at_the_first_step(tmp_path: Path) -> None:
    path = tmp_path / "training.sqlite"
    begun = Today(DAY, "Ann")
    after = begun.past(DayStep.SYNC, "3 new games", games=(7, 5))
    asked = replace(after.past(DayStep.REVIEW, "2 games"), point=(7, 12))
    for today in (begun, after, asked, asked.past(DayStep.STORY, "found")):
        with closing(TrainingStore(path)) as store:
            keep_day(store, today)
        with closing(TrainingStore(path)) as store:
            assert day_of(store, DAY, "Ann") == today
            assert day_of(store, DAY, " ann ").step is today.step
            assert day_of(store, DAY, "Bob") == Today(DAY, "Bob")
            next_day = DAY + timedelta(1)
            assert day_of(store, next_day, "Ann") == Today(next_day, "Ann")


@pytest.mark.parametrize(
    "entry",
    [
        {"step": "tea", "games": [], "point": None, "notes": {}},
        {"step": "sync", "games": ["x"], "point": None, "notes": {}},
        {"step": "sync", "games": [], "point": [1], "notes": {}},
        {"games": []},
    ],
)
def test_a_damaged_day_begins_at_the_first_step(entry: object, store: TrainingStore) -> None:
    keep_day(store, Today(DAY, "Ann", DayStep.PUZZLES))
    store.put_entry(b"today 2026-03-01 ann", entry)
    assert day_of(store, DAY, "Ann") == Today(DAY, "Ann")


# New games and turning points


def test_the_newest_games_without_a_whole_review_are_new(
    library: Library, reviews: ReviewStore, tmp_path: Path
) -> None:
    texts = [add_game(library, tmp_path, seed) for seed in range(4)]
    (tmp_path / "empty.sgf").write_text("(;GM[11]SZ[4]PB[Ann]PW[Bob])")
    (tmp_path / "other.sgf").write_text("(;GM[11]SZ[4]PB[Eve]PW[Bob];B[a1];W[b2])")
    library.import_paths([tmp_path / "empty.sgf", tmp_path / "other.sgf"])
    review(reviews, texts[1])
    review(reviews, texts[2], SECONDS / 2)
    rows = unreviewed_games(library, reviews, "ann", SECONDS)
    assert [row.white for row in rows] == ["P3", "P2", "P0"]
    assert unreviewed_games(library, reviews, "", SECONDS) == []


def plain_points(text: str) -> list[tuple[int, bool]]:
    """Return the plies of Ann's proved mistakes, and whether the game was lost by each.

    The empty board is left out: it cannot come back as a puzzle.
    """
    record = read_record(text)
    positions, estimates = judged(record)
    every = blunders(positions, estimates)
    beaten = record.result.winner is Color.WHITE
    return [
        (each.before.ply, beaten and each is every[-1])
        for each in every
        if each.color is Color.BLACK and each.before.ply
    ]


def test_the_turning_point_is_the_last_mistake_of_a_game_that_was_lost_by_it(
    library: Library, reviews: ReviewStore, tmp_path: Path
) -> None:
    texts = {}
    for seed in range(12):
        text = add_game(library, tmp_path, seed)
        review(reviews, text)
        texts[library.games(order="id", descending=True)[0].id] = text
    plain = {number: plain_points(text) for number, text in texts.items()}
    for games in (tuple(texts), tuple(texts)[:6], tuple(texts)[3:4], ()):
        point = turning_point(library, reviews, "Ann", is_new, games)
        assert point is not None
        of_day = [number for number in games if plain[number]]
        newest_first = sorted(of_day, reverse=True) or [max(n for n in plain if plain[n])]
        lost = [number for number in newest_first if plain[number][-1][1] and of_day]
        best = (lost or newest_first)[0]
        assert point.place == (best, plain[best][-1][0])
        assert point.lost is plain[best][-1][1]
        again = asked_point(library, reviews, "Ann", point.place)
        assert again is not None
        assert (again.place, again.puzzle.key) == (point.place, point.puzzle.key)
    assert asked_point(library, reviews, "Ann", (99, 3)) is None


def test_what_was_tried_is_not_asked_again(
    library: Library, reviews: ReviewStore, store: TrainingStore, tmp_path: Path
) -> None:
    for seed in range(6):
        review(reviews, add_game(library, tmp_path, seed))
    asked = []

    def was_not_tried(puzzle: Puzzle) -> bool:
        return store.of(puzzle) is None

    while point := turning_point(library, reviews, "Ann", was_not_tried):
        asked.append(point.puzzle.key)
        store.add(point.puzzle, len(asked) % 2 == 0, NOON)
    assert len(asked) == len(set(asked)) > 3


def first_point(library: Library, reviews: ReviewStore, tmp_path: Path) -> TurningPoint:
    """Return the turning point of the first game that has one."""
    for seed in count():
        review(reviews, add_game(library, tmp_path, seed, DT="2026-02-03"))
        if (point := turning_point(library, reviews, "Ann", is_new)) is not None:
            return point
    raise AssertionError


def test_the_question_names_no_winning_move_and_the_story_does(
    library: Library, reviews: ReviewStore, tmp_path: Path
) -> None:
    point = first_point(library, reviews, tmp_path)
    turn = point.mistake.turn
    question = question_of(point, Names.RED_BLUE)
    played = f"{turn.game_position.ply + 1}. {BOARD.name(turn.played)}"
    assert f"Red gave the win away with {played} (proved)." in question
    assert question.startswith(f"{turn.name}, 2026-02-03. ")
    wins = {BOARD.name(cell) for cell in turn.proved.wins}
    words = question.replace(".", " ").replace(",", " ").split()
    assert wins
    assert not wins.intersection(words)
    assert wins.intersection(story_of(point, reviews, Names.RED_BLUE).replace(";", " ").split())


# Puzzles


def test_the_puzzles_are_a_collection_and_the_users_mistakes_each_once(
    library: Library, reviews: ReviewStore, tmp_path: Path
) -> None:
    mistakes = tmp_path / "mistakes.sgf"
    own = first_point(library, reviews, tmp_path).puzzle
    collection = [MANY[0], MANY[1], MANY[0]]
    assert with_mistakes(collection, mistakes) == with_mistakes(collection, None) == MANY[:2]
    for puzzle in (own, MANY[1]):
        keep_puzzle(mistakes, puzzle)
    assert [puzzle.key for puzzle in collection_of(str(mistakes))] == [own.key, MANY[1].key]
    keys = [puzzle.key for puzzle in with_mistakes(collection, mistakes)]
    assert keys == [MANY[0].key, MANY[1].key, own.key]


WIDE = Board(13, 13)
MANY = [
    Puzzle(Position.empty(WIDE).play(cell).without_swap, level=4) for cell in range(30)
]  # 70 s each


def test_the_set_fits_its_minutes_and_failed_puzzles_come_first(store: TrainingStore) -> None:
    solved = MANY[:5]
    failed = MANY[5:8]
    for puzzle in solved:
        store.add(puzzle, True, NOON - timedelta(days=40))
    for puzzle in failed:
        store.add(puzzle, False, NOON - timedelta(days=1))
    histories = [store.of(puzzle) for puzzle in MANY]
    places = chosen_for(DAY, MANY, histories, PUZZLE_SECONDS)
    assert len(places) == PUZZLE_SECONDS // 70 == 4
    assert {5, 6, 7} < set(places)
    assert due_on(DAY, MANY, histories) == 8


def test_a_set_is_looked_at_without_being_kept(store: TrainingStore) -> None:
    daily = daily_set(store, MANY, SET, DAY, PUZZLE_SECONDS, plans=False)
    assert store.day(DAY).sets == {}
    assert daily_set(store, MANY, SET, DAY, PUZZLE_SECONDS).places == daily.places
    assert set(store.day(DAY).sets) == {SET}


def test_failed_puzzles_come_back_the_next_day(store: TrainingStore) -> None:
    first = daily_set(store, MANY, SET, DAY, PUZZLE_SECONDS)
    for number, place in enumerate(first.places):
        store.add(MANY[place], number % 2 == 0, NOON)
    same = daily_set(store, MANY, SET, DAY, PUZZLE_SECONDS)
    assert same.places == first.places
    assert same.left == []
    next_day = daily_set(store, MANY, SET, DAY + timedelta(1), PUZZLE_SECONDS)
    assert set(first.places[1::2]) <= set(next_day.left)
    assert not set(first.places[::2]) & set(next_day.left)
