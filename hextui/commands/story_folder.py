"""``hextui report FOLDER --html``: a page for each game, and their index.

A page is written as soon as its game is reviewed; workers add the winning lines at the end.
"""

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from hextui.analysis.review_run import ReviewBudget, ReviewedGame
from hextui.analysis.stored_analysis import add_review, review_entry, stored_estimates
from hextui.commands.documents import Document
from hextui.commands.games_page import INDEX, TABLE, games_csv, games_page, page_names
from hextui.commands.output import ProgressLine
from hextui.commands.story_page import GameStory, game_story, pictured, story_page
from hextui.commands.story_proofs import StoryProver
from hextui.engine.limit import Limit
from hextui.locations import open_file
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.runs.workers import completed
from hextui.text import Names

Place = tuple[str, int]
"""Where a game is from: the source, and its number there."""
LINE_LIMIT = Limit(nodes=5000)
"""The solver's limit for each winning line; a number of nodes gives every worker the same line."""


@dataclass(frozen=True)
class StoryOptions:
    """What all stories share: what their reviews consist of, and the names of the players."""

    budget: ReviewBudget
    names: Names


@dataclass(frozen=True)
class StoryTask:
    """A game with its review, as `review_entry` returns it."""

    record: Record
    review: Mapping[str, object]
    options: StoryOptions


def page_with_lines(task: StoryTask) -> str:
    """Return the page about a game with its winning lines, in a worker."""
    positions, estimates = stored_estimates(task.record)
    add_review(task.review, positions, estimates)
    story = _story(ReviewedGame(task.record, positions, estimates), task.options)
    points = pictured(story.summary, task.record.board)
    with closing(StoryProver(task.record.board, LINE_LIMIT, threads=1)) as prover:
        lines = {point.before.ply: prover.winning_line(point) for point in points}
    return story_page(replace(story, lines=lines)) + _mark(story_page(story))


def _mark(page: str) -> str:
    """Return the end of a page that is done, from the page without its winning lines."""
    return f"<!-- {hashlib.sha256(page.encode()).hexdigest()} -->\n"


def _story(game: ReviewedGame, options: StoryOptions) -> GameStory:
    return game_story(
        game.record,
        game.positions,
        game.estimates,
        options.budget.names,
        options.budget.seconds,
        options.names,
    )


class StoryFolder:
    """The folder of the pages; ``places``: source and number of each game, in their order.

    ``unfinished``: the games whose pages lack winning lines. Methods raise RecordError for what
    cannot be written.
    """

    def __init__(self, path: Path, places: Sequence[Place], options: StoryOptions) -> None:
        self.path = path
        self.unfinished: dict[Place, StoryTask] = {}
        self._pages = dict(zip(places, page_names(places), strict=True))
        self._options = options
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"the folder for pages cannot be made: {error.strerror or error}"
            raise RecordError(what, source=str(path)) from None

    def write(self, place: Place, game: ReviewedGame) -> None:
        """Write the page of a game, unless it is there already, of the same review."""
        story = _story(game, self._options)
        page = story_page(story)
        mark = _mark(page)
        self.unfinished.pop(place, None)
        if self._ends_with(self._pages[place], mark):
            return
        if story.summary.blunders:
            review = review_entry(game.positions, game.estimates)
            self.unfinished[place] = StoryTask(game.record, review, self._options)
            self._save(self._pages[place], page)
        else:
            self._save(self._pages[place], page + mark)

    def add_lines(self, executor: Executor, window: int) -> None:
        """Write the unfinished pages again, with their winning lines."""
        tasks = list(self.unfinished.items())
        with ProgressLine() as line:
            line.show(f"winning lines: 0 of {len(tasks)} games")
            made = completed(executor, page_with_lines, tasks, window)
            for done, (place, page) in enumerate(made, start=1):
                self._save(self._pages[place], page.value)
                del self.unfinished[place]
                line.show(f"winning lines: {done} of {len(tasks)} games")

    def write_index(self, document: Document) -> None:
        """Write the index of the games in the report on many, and their table."""
        games = []
        for game in document["games"]:
            page = self._pages[game["source"], game["game"]]
            games.append({**game, "page": page})
        page = games_page({**document, "games": games}, self._options.names)
        self._save(TABLE, games_csv(games))
        self._save(INDEX, page)

    def _ends_with(self, name: str, end: str) -> bool:
        try:
            with open_file(self.path / name) as file:
                return file.read().endswith(end.encode())
        except OSError:
            return False

    def _save(self, name: str, content: str) -> None:
        save_file(self.path / name, content)
