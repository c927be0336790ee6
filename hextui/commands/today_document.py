"""What ``hextui today`` prints: how far the day is, and what it holds."""

from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path

from hextui.analysis.stored_analysis import ReviewStore
from hextui.commands.documents import Document
from hextui.commands.output import complain
from hextui.engine.entry_file import MEMORY
from hextui.library.library import Library
from hextui.library.syncs import Sync, syncs_of
from hextui.locations import (
    config_file,
    library_file,
    mistakes_file,
    reviews_file,
    state_folder,
    training_file,
)
from hextui.text import Names
from hextui.train.daily import daily_set
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
    question_of,
    turning_point,
    unreviewed_games,
    with_mistakes,
)
from hextui.ui.app.config import load
from hextui.ui.app.settings import UserState


def today_document(named: str, names: Names) -> Document:
    """Return what the day holds, by what is on this machine.

    ``named``: the player, '' for the user. Raises RecordError, LibraryError.
    """
    settings = load(config_file()).settings.over(UserState(state_folder()).settings())
    player = named or settings.player or ""
    with ExitStack() as opened:
        store = opened.enter_context(closing(TrainingStore(_existing(training_file()))))
        reviews = opened.enter_context(closing(ReviewStore(_existing(reviews_file()))))
        today = day_of(store, datetime.now().astimezone().date(), player)
        document = {
            "day": today.day.isoformat(),
            "player": player or None,
            "step": str(today.step),
            "syncs": [_sync(sync) for sync in syncs_of(library_file())],
            **_of_games(today, store, reviews, settings.review_seconds, names),
            "puzzles": _puzzles(today, store, settings.collection or ""),
        }
        for problem in filter(None, (store.problem, reviews.problem)):
            complain(problem)
    return document


def _existing(path: Path) -> Path:
    """Return a file that is there, else memory: nothing is made."""
    return path if path.is_file() else MEMORY


def _sync(sync: Sync) -> Document:
    return {"site": sync.site, "player": sync.name, "last": sync.last or None}


def _of_games(
    today: Today, store: TrainingStore, reviews: ReviewStore, seconds: float, names: Names
) -> Document:
    if not library_file().is_file():
        return {"to_review": [], "turning_point": None}
    with Library(names=names) as library:
        rows = unreviewed_games(library, reviews, today.player, seconds)
        point = None
        if today.point is not None:
            point = asked_point(library, reviews, today.player, today.point)
        elif today.step in (DayStep.SYNC, DayStep.REVIEW, DayStep.STORY):

            def is_new(puzzle: Puzzle) -> bool:
                return store.of(puzzle) is None

            point = turning_point(library, reviews, today.player, is_new, today.games)
    to_review = []
    for row in rows:
        to_review.append({"id": row.id, "players": row.label, "date": row.date})
    return {"to_review": to_review, "turning_point": _point(point, store, names)}


def _point(point: TurningPoint | None, store: TrainingStore, names: Names) -> Document | None:
    """Return the turning point to ask; None without one, and once it is answered."""
    if point is None or store.of(point.puzzle) is not None:
        return None
    game, ply = point.place
    return {"game": game, "ply": ply, "words": question_of(point, names)}


def _puzzles(today: Today, store: TrainingStore, collection: str) -> Document:
    """Return how many of the day's puzzles are due, new, and tried."""
    puzzles = with_mistakes(collection_of(collection), mistakes_file())
    daily = daily_set(store, puzzles, SET, today.day, PUZZLE_SECONDS, plans=False)
    new = sum(store.of(puzzles[place]) is None for place in daily.left)
    return {
        "due": len(daily.left) - new,
        "new": new,
        "tried": len(daily.results),
        "right": sum(daily.results.values()),
    }
