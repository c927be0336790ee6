"""Today: what a day holds, step by step, and how far it is.

New games are fetched and reviewed, the turning point of one is asked again, and puzzles follow.
How far a day is stands beside the results with puzzles, which say what was answered: a program that
is killed continues at the same step. Another day begins at the first step.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from enum import StrEnum
from pathlib import Path
from typing import Any

from hextui.analysis.game_story import story_facts
from hextui.analysis.mistakes import MistakeKind, game_summary
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.limit import TooCostlyError, check_analysed
from hextui.library.answers import GameRow
from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.text import Names, folded
from hextui.train.guess import reviewed
from hextui.train.own_mistakes import OwnMistake, mistakes_in, puzzle_of_turn
from hextui.train.progress import Known, TrainingStore, training_order
from hextui.train.puzzle import BUILT_IN_FILE, Puzzle, read_puzzles
from hextui.words.story import result_sentence, story_text

SYNC_SECONDS = 60.0
"""Of fetching games; the next day fetches the rest."""
REVIEW_GAMES = 10
"""The most games that a day reviews: the newest ones."""
REVIEW_SECONDS = 180.0
"""Of waiting for reviews, which go on beside the later steps."""
PUZZLE_SECONDS = 5 * 60
"""Of the day's puzzles."""
SET = "today"
"""The name of the day's set of puzzles."""
NEWEST = 300
"""The newest games of a player, among which a day looks for what is new."""


class DayStep(StrEnum):
    """The steps of a day, in order."""

    SYNC = "sync"
    REVIEW = "review"
    STORY = "turning point"
    PUZZLES = "puzzles"
    DONE = "done"

    @property
    def after(self) -> "DayStep":
        """The next step; the last one is its own."""
        steps = list(DayStep)
        return steps[min(steps.index(self) + 1, len(steps) - 1)]


@dataclass(frozen=True)
class Today:
    """How far a day of a player is: the ``step`` that is next.

    ``games``: the library's ids of those to review. ``point``: the game and the ply of the turning
    point that is asked, None before it is chosen, or without one. ``notes``: a line about each step
    that is over.
    """

    day: date
    player: str
    step: DayStep = DayStep.SYNC
    games: tuple[int, ...] = ()
    point: tuple[int, int] | None = None
    notes: Mapping[DayStep, str] = field(default_factory=dict)

    def past(self, step: DayStep, note: str, **chosen: Any) -> "Today":
        """Return the day after a step, with a line about it, and what it has ``chosen``."""
        return replace(self, step=step.after, notes={**self.notes, step: note}, **chosen)


def day_of(store: TrainingStore, day: date, player: str) -> Today:
    """Return how far a day is; one that was not begun is at its first step."""
    entry = store.get_entry(_key(day, player), _read)
    begun = Today(day, player)
    return begun if entry is None else replace(begun, **entry)


def keep_day(store: TrainingStore, today: Today) -> None:
    """Keep how far a day is."""
    entry = {"step": today.step, "games": today.games, "point": today.point, "notes": today.notes}
    store.put_entry(_key(today.day, today.player), entry)


def _key(day: date, player: str) -> bytes:
    return f"today {day.isoformat()} {folded(player)}".encode("utf-8", "surrogatepass")


def _read(entry: Any) -> dict[str, Any]:
    """Return the fields of a day. Raises ValueError, TypeError, KeyError: it is none."""
    point = entry["point"]
    if point is not None:
        game, ply = map(int, point)
        point = game, ply
    notes = {DayStep(name): str(note) for name, note in entry["notes"].items()}
    games = tuple(map(int, entry["games"]))
    return {"step": DayStep(entry["step"]), "games": games, "point": point, "notes": notes}


def unreviewed_games(
    library: Library, reviews: ReviewStore, player: str, seconds: float
) -> list[GameRow]:
    """Return those of a player's newest games without a review of so many seconds.

    The newest come first. Games without moves, and of boards too large to analyse, are left out.
    """
    return [
        row
        for row, record in newest_games(library, player)
        if row.plies and _can_be_reviewed(record) and reviews.seconds(record) < seconds
    ]


def unreviewed_of(
    library: Library, reviews: ReviewStore, games: Collection[int], seconds: float
) -> list[int]:
    """Return those of some games, by their ids, without a review of so many seconds."""
    left = []
    for number in games:
        text = library.text(number)
        if text is not None and reviews.seconds(read_record(text)) < seconds:
            left.append(number)
    return left


def newest_games(library: Library, player: str) -> Iterator[tuple[GameRow, Record]]:
    """Yield the newest games of a player, a part of a name; none for no player."""
    if not player:
        return
    for row in library.games(Filter(player=player), limit=NEWEST, order="id", descending=True):
        yield row, read_record(library.text(row.id) or "")


def _can_be_reviewed(record: Record) -> bool:
    try:
        check_analysed(record.board)
    except TooCostlyError:
        return False
    return True


@dataclass(frozen=True)
class TurningPoint:
    """A move of a player that is proved to have given a win away, in a game of the library.

    ``game``: its id. ``lost``: the mistake lost the game, which no other one turned again.
    """

    game: int
    mistake: OwnMistake
    lost: bool

    @property
    def puzzle(self) -> Puzzle:
        """The position, by which it is known whether it was answered."""
        return puzzle_of_turn(self.mistake.turn)

    @property
    def place(self) -> tuple[int, int]:
        """The game and the ply."""
        return self.game, self.mistake.turn.game_position.ply


def turning_point(
    library: Library,
    reviews: ReviewStore,
    player: str,
    is_new: Callable[[Puzzle], bool],
    games: Collection[int] = (),
) -> TurningPoint | None:
    """Return the turning point to ask: of the day's ``games``, or else of the newest with one.

    Of the day's games one that was lost by it comes first. ``is_new``: whether a position was never
    tried. None if no mistake of the player is proved that was not tried.
    """
    of_day: list[TurningPoint] = []
    older: list[TurningPoint] = []
    for row, record in newest_games(library, player):
        if row.id not in games and older:
            continue
        new = [point for point in points_of(row, record, reviews, player) if is_new(point.puzzle)]
        points = of_day if row.id in games else older
        points += new[-1:]
    of_day.sort(key=lambda point: not point.lost)
    return next(iter([*of_day, *older]), None)


def points_of(
    row: GameRow, record: Record, reviews: ReviewStore, player: str
) -> list[TurningPoint]:
    """Return the turning points of a game that its player can be asked, in the order of play.

    A mistake that is one of several moves is none: its place changes as more is proved. Nor is one
    on the empty board, which is no puzzle.
    """
    points = []
    for mistake in mistakes_in(row, record, reviews, player):
        turn = mistake.turn
        beaten = record.result.winner is turn.game_position.player.opponent
        is_puzzle = bool(turn.proved.wins) and any(turn.position.stones)
        if is_puzzle and mistake.kind is not MistakeKind.SEVERAL:
            points.append(TurningPoint(row.id, mistake, lost=mistake.is_last and beaten))
    return points


def asked_point(
    library: Library, reviews: ReviewStore, player: str, place: tuple[int, int]
) -> TurningPoint | None:
    """Return the turning point at a game and ply; None without the game, or its review."""
    game, ply = place
    row = library.row(game)
    if row is None:
        return None
    record = read_record(library.text(game) or "")
    at_ply = (
        point
        for point in points_of(row, record, reviews, player)
        if point.mistake.turn.game_position.ply == ply
    )
    return next(at_ply, None)


def collection_of(name: str) -> list[Puzzle]:
    """Return the puzzles of a file or folder, '' for the built-in collection.

    Raises RecordError.
    """
    return list(read_puzzles(Path(name) if name else BUILT_IN_FILE))


def with_mistakes(collection: Sequence[Puzzle], mistakes: Path | None) -> list[Puzzle]:
    """Return puzzles and the user's mistakes, each position once.

    ``mistakes``: their file, if there is one. Raises RecordError.
    """
    own: Iterable[Puzzle] = ()
    if mistakes is not None and mistakes.is_file():
        own = read_puzzles(mistakes)
    puzzles: dict[str, Puzzle] = {}
    for puzzle in (*collection, *own):
        puzzles.setdefault(puzzle.key, puzzle)
    return list(puzzles.values())


def due_on(day: date, puzzles: Sequence[Puzzle], histories: Known) -> int:
    """Return how many puzzles that were tried are due on a day."""
    tonight = datetime.combine(day, time.max).astimezone()
    order = training_order(puzzles, histories, tonight)
    return sum(histories[place] is not None for place in order)


def question_of(point: TurningPoint, names: Names) -> str:
    """Return how a game ended and which move lost the win, but not what would have won."""
    turn = point.mistake.turn
    board = turn.position.board
    side = names.player(turn.position.to_move)
    move = f"{turn.game_position.ply + 1}. {board.name(turn.played)}"
    lost = f"gave the win away with {move}"
    ended = result_sentence(turn.record.result, names)
    about = f"{turn.name}, {point.mistake.date}" if point.mistake.date else turn.name
    return " ".join(filter(None, [f"{about}.", ended, f"{side} {lost} (proved)."]))


def story_of(point: TurningPoint, reviews: ReviewStore, names: Names) -> str:
    """Return the story of the game of a turning point."""
    record = point.mistake.turn.record
    positions, estimates = reviewed(record, reviews)
    summary = game_summary(positions, estimates, 0.0)
    return story_text(story_facts(positions, summary), summary, record.result, names)
