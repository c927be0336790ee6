"""``hextui report`` of a folder, a file with ``--all`` or the library: workers review the games.

First every game gets a short review, then each the full one, those first in which a mistake is
proved.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from time import monotonic

from hextui.analysis.review_run import ReviewBudget, ReviewedGame, ReviewRun
from hextui.analysis.stored_analysis import ReviewStore
from hextui.commands.arguments import usage_errors
from hextui.commands.documents import Document, print_document, remark_all, report_passed_over
from hextui.commands.output import FAILED, ProgressLine, complain
from hextui.commands.report_document import game_document
from hextui.commands.report_text import GamesRead, folder_document, folder_text, read_games
from hextui.commands.story_folder import StoryFolder, StoryOptions
from hextui.commands.worker_options import open_workers, window_of
from hextui.engine.entry_file import MEMORY
from hextui.library.schema import LibraryError
from hextui.locations import review_claims_file
from hextui.records.record_text import RecordError
from hextui.runs.claims import Claims
from hextui.runs.results import RunError
from hextui.text import clock, counted

FIRST_SECONDS = 1.0
"""The solver's time for a game in the first pass, which asks no evaluators."""


def report_games(options: argparse.Namespace, names: Sequence[str]) -> int:
    """Report on all games of a file, a folder or the library; return 1 if games were left out.

    An interrupted report prints what is known by then.
    """
    try:
        with usage_errors():
            read = read_games(options)
    except LibraryError as error:
        return complain(error)
    full = ReviewBudget(tuple(names), options.solve)
    stories = None
    if options.html is not None:
        places = [(source, number) for source, number, _ in read.games]
        about = StoryOptions(full, options.names)
        with usage_errors():
            stories = StoryFolder(options.html, places, about)
    with _store(options.fresh) as (store, claims):
        reviews = _Reviews(
            options=options, read=read, full=full, run=ReviewRun(store, claims), stories=stories
        )
        code = reviews.complete()
    document = reviews.report()
    print_document(document, options, partial(folder_text, markdown=options.markdown))
    remark_all(document["notes"])
    report_passed_over(read.summary)
    for broken in document["left_out"]:
        complain(broken)
    if reviews.interrupted:
        kept = "" if options.fresh else "; repeat the command to continue"
        complain(f"interrupted: the report is of what is known{kept}")
        raise KeyboardInterrupt
    return FAILED if document["left_out"] or read.summary.is_broken else code


def close_reviews(store: ReviewStore) -> None:
    """Close the reviews on disk, and report what was wrong with them."""
    store.close()
    if store.problem:
        complain(store.problem)


@contextmanager
def _store(fresh: bool) -> Iterator[tuple[ReviewStore, Claims | None]]:
    """Open the reviews on disk and the claims of those who use them, or ``fresh`` ones."""
    with ExitStack() as opened:
        claims = None
        store = ReviewStore(MEMORY if fresh else None)
        if not fresh and not store.problem:
            claims = _open_claims()
        opened.callback(close_reviews, store)
        if claims is not None:
            opened.callback(claims.close)
        yield store, claims


def _open_claims() -> Claims | None:
    """Open the claims of those who use the reviews on disk; None where that is not possible."""
    path = review_claims_file()
    try:
        return Claims(path)
    except OSError as error:
        complain(f"{path}: the work is not shared: {error.strerror}")
    return None


class _Reviews:
    """The reviews of the games of a folder: what is known becomes complete in two passes."""

    def __init__(
        self,
        options: argparse.Namespace,
        read: GamesRead,
        full: ReviewBudget,
        run: ReviewRun,
        stories: StoryFolder | None,
    ) -> None:
        self._options = options
        self._read = read
        self._records = [record for _, _, record in read.games]
        self._full = full
        self._run = run
        self._stories = stories
        self._code = 0
        self.documents: list[Document] = []
        self.failures: dict[int, str] = {}
        self.interrupted = False

    def complete(self) -> int:
        """Review what is not reviewed; return the exit code. The documents hold what is known."""
        first = ReviewBudget((), min(FIRST_SECONDS, self._full.seconds))
        short = []
        left = []
        with ProgressLine() as line:
            for number, record in enumerate(self._records):
                line.show(f"reviews read: {number} of {counted(len(self._records), 'game')}")
                game = self._run.known(record)
                self.documents.append(self._document(game))
                if not game.is_complete(first):
                    short.append(number)
                else:
                    self._write_page(number, game)
                if not game.is_complete(self._full):
                    left.append(number)
        try:
            self._work(first, short, left)
        except RunError as error:
            complain(error)
            self._code = FAILED
        except KeyboardInterrupt:
            self.interrupted = True
        self._write_index()
        return self._code

    def _work(self, first: ReviewBudget, short: Sequence[int], left: Sequence[int]) -> None:
        """Let workers do the first pass of some games, the full review of others, and the pages."""
        to_do = [self._records[number] for number in left]
        if self._stories is not None:
            to_do += [task.record for task in self._stories.unfinished.values()]
        if not to_do:
            return
        cells = {record.board.cells for record in to_do}
        with open_workers(self._options, cells, len(to_do)) as executor:
            self._pass("first pass", short, first, executor)
            self._write_index()
            certain_first = sorted(left, key=lambda number: not self.documents[number]["mistakes"])
            self._pass("full review", certain_first, self._full, executor)
            self._add_lines(executor)

    def report(self) -> Document:
        """Return the report on all games whose analysis did not fail."""
        read = replace(self._read, games=[], left_out=[*self._read.left_out])
        documents = []
        for number, (source, game, record) in enumerate(self._read.games):
            if number in self.failures:
                read.left_out.append(f"{source}: game {game}: {self.failures[number]}")
            else:
                read.games.append((source, game, record))
                documents.append(self.documents[number])
        return folder_document(read, documents)

    def _pass(
        self, label: str, numbers: Sequence[int], budget: ReviewBudget, executor: Executor
    ) -> None:
        """Review games with a budget, in this order."""
        records = {number: self._records[number] for number in numbers}
        window = window_of(self._options)
        begun = monotonic()
        with ProgressLine() as line:
            line.show(f"{label}: 0 of {len(records)} games")
            reviewed = self._run.reviewed(records, budget, executor, window)
            for done, (number, game) in enumerate(reviewed, start=1):
                self.documents[number] = self._document(game)
                self._write_page(number, game)
                self.failures.pop(number, None)
                if game.failure:
                    self.failures[number] = game.failure
                seconds = monotonic() - begun
                left = seconds / done * (len(records) - done)
                text = f"{label}: {done} of {len(records)} games"
                line.show(f"{text}, {60 * done / seconds:.1f} a minute, about {clock(left)} left")

    # The stories: what cannot be written is said once, and the report goes on

    def _write_page(self, number: int, game: ReviewedGame) -> None:
        with self._writing():
            if self._stories is not None:
                source, place, _ = self._read.games[number]
                self._stories.write((source, place), game)

    def _add_lines(self, executor: Executor) -> None:
        with self._writing():
            if self._stories is not None:
                self._stories.add_lines(executor, window_of(self._options))

    def _write_index(self) -> None:
        with self._writing():
            if self._stories is not None:
                self._stories.write_index(self.report())

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except RecordError as error:
            self._code = complain(error)
            self._stories = None

    def _document(self, game: ReviewedGame) -> Document:
        return game_document(
            game.record,
            game.positions,
            self._full.names,
            game.estimates,
            self._options.names,
            self._options.solve,
        )
