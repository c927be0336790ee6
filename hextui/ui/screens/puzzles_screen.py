"""The puzzles of a collection: which are due and solved, which to solve now; how they are made."""

import os
import random
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from pathlib import Path

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import ItemGrid
from textual.widgets import Static
from textual.worker import get_current_worker

from hextui.locations import named_path
from hextui.records.record_text import RecordError, printable
from hextui.text import Names, counted
from hextui.train.daily import SECONDS, DailySet
from hextui.train.progress import PuzzleProgress, Success, success_by, training_order
from hextui.train.puzzle import BUILT_IN_FILE, Puzzle, read_puzzles
from hextui.train.timed_run import run_order
from hextui.ui.app.settings import PuzzleOptions
from hextui.ui.live.background import TrainingThread
from hextui.ui.live.command_process import CommandProcess
from hextui.ui.panels.value_texts import bar
from hextui.ui.screens.dialogs import Dialog, LineDialog
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.screens.puzzle_screen import PuzzleSeries
from hextui.ui.widgets.frame import ScreenKeys
from hextui.ui.widgets.line_list import DIM, PLAIN, LineList, TextLine
from hextui.ui.widgets.typed_text import read_existing

_ALL = "all"
_KINDS = {"theme": attrgetter("theme"), "level": attrgetter("level")}
"""What puzzles can be chosen by."""
_HINT = (
    "A file of puzzles, or a folder of such files. Empty: the built-in collection, with your own "
    "mistakes that you tried again without success."
)


class PuzzlesScreen(MessageScreen[PuzzleSeries]):
    """Lists themes and levels; Enter returns the puzzles of those with the cursor, due ones first.

    Changes ``options``. ``begins_daily``: today's set is returned as soon as it is read.
    """

    ABOUT = (
        "The puzzles of a collection by theme and level. Start shows those due today, then new "
        "ones by level; failed puzzles come back soon, others later."
    )
    BINDINGS = [
        Binding("enter", "start", "Start", priority=True),
        Binding(
            key="left,right,h,l",
            action="app.focus_next",
            description="Theme or level",
            key_display="left right",
            priority=True,
        ),
        ("d", "daily", "Today's set"),
        ("t", "run", "Five minutes"),
        ("v", "view", "View as Red"),
        ("o", "open", "Collection"),
        ("escape", "dismiss", "Close"),
    ]
    DEFAULT_CSS = """
    PuzzlesScreen #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    PuzzlesScreen ItemGrid { height: 1fr; grid-rows: 1fr; }
    PuzzlesScreen LineList { margin: 0 1; & > .lines--cursor { background: $foreground 25%; } }
    PuzzlesScreen #counts { padding: 1; height: auto; }
    """

    def __init__(
        self,
        options: PuzzleOptions,
        names: Names,
        training: TrainingThread,
        *,
        begins_daily: bool = False,
    ) -> None:
        super().__init__()
        self._begins_daily = begins_daily
        self._daily: DailySet | None = None
        self._options = options
        self._names = names
        self._training = training
        self._lists = {kind: LineList(lambda name: self._show_counts()) for kind in _KINDS}
        self._puzzles: Sequence[Puzzle] = ()
        self._known: Sequence[PuzzleProgress | None] | None = None  # before they are read
        self._is_read = False
        self._starts = False  # as soon as they are
        self._state = ""

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield Static(id="counts", markup=False)
        with ItemGrid(min_column_width=40):
            yield from self._lists.values()
        yield ScreenKeys()

    def on_mount(self) -> None:
        self._begin()

    # The collection

    def _begin(self) -> None:
        name = printable(Path(self._options.collection).name) or "built-in collection"
        self.query_one("#title", Static).update(f"Puzzles: {name}")
        self._puzzles = ()
        self._known = None
        self._is_read = self._starts = False
        self._say("Reading ...")
        self._read()

    @work(thread=True, exclusive=True, group="read")
    def _read(self) -> None:
        worker = get_current_worker()
        puzzles = list[Puzzle]()
        problem = ""
        try:
            for puzzle in (each for path in self._sources for each in read_puzzles(path)):
                if worker.is_cancelled:
                    return
                puzzles.append(puzzle)
        except RecordError as error:
            missing = not self._options.collection and not os.path.exists(BUILT_IN_FILE)
            problem = "There is no built-in collection" if missing else str(error)
        if not worker.is_cancelled:
            self.call_later(self._take, puzzles, problem)

    @property
    def _sources(self) -> list[Path]:
        """The chosen collection, or else the built-in one and the user's mistakes."""
        if self._options.collection:
            return [named_path(self._options.collection)]
        mistakes = self._training.mistakes
        own = [mistakes] if mistakes is not None and mistakes.is_file() else []
        return [BUILT_IN_FILE, *own]

    async def _take(self, puzzles: Sequence[Puzzle], problem: str) -> None:
        self._puzzles = puzzles
        self._is_read = True
        if not puzzles:
            self._say(f"{problem or 'No record in it sets up a position'}. o opens another one.")
            return
        if problem:
            self.complain(problem)
        await self._count()
        if self._starts:
            self.action_start()
        elif self._begins_daily:
            self._begins_daily = False
            self.action_daily()

    async def _count(self) -> None:
        """List the success with the puzzles, and how many are due."""
        puzzles = self._puzzles
        histories = await self._training.known(puzzles)
        if puzzles is not self._puzzles:  # another collection was opened meanwhile
            return
        self._daily = await self._training.daily(puzzles, self._options.collection, SECONDS)
        self._known = histories
        for kind, kind_of in _KINDS.items():
            rows = success_by(puzzles, histories, lambda puzzle: _ALL)
            rows |= success_by(puzzles, histories, kind_of)
            heading = ((f"{kind.capitalize():<17}puzzles  solved", DIM),)
            self._lists[kind].show([_line(*row) for row in rows.items()], heading)
        self._show_counts()

    def _chosen(self) -> list[int]:
        places = list(range(len(self._puzzles)))
        for kind, kind_of in _KINDS.items():
            wanted = self._lists[kind].pointed or _ALL
            if wanted != _ALL:
                places = [
                    place for place in places if str(kind_of(self._puzzles[place]) or "-") == wanted
                ]
        return places

    def _due(self) -> list[int]:
        """Return the places of those to be solved today, in order."""
        chosen = set(self._chosen())
        tonight = datetime.now().astimezone().replace(hour=23, minute=59, second=59)
        order = training_order(self._puzzles, self._known or (), tonight)
        return [place for place in order if place in chosen]

    def _show_counts(self) -> None:
        if (histories := self._known) is not None:
            chosen = self._chosen()
            due = self._due()
            new = sum(histories[place] is None for place in due)
            solved = sum(
                history is not None and history.solved
                for history in map(histories.__getitem__, chosen)
            )
            counts = f"Due today {len(due) - new:,}, new {new:,}"
            self._say(f"{counts}, solved {solved:,} of {counted(len(chosen), 'puzzle')}")

    def _say(self, text: str) -> None:
        self._state = text
        mark = "x" if self._options.as_red else " "
        first = self._names.both[0]
        view = f"[{mark}] Always show the player as {first}, top to bottom"
        daily = f"Today's set: {self._daily.words}" if self._daily else "No set for today"
        self.query_one("#counts", Static).update(f"{text}\n{daily}\n{view}")

    # Actions

    def action_view(self) -> None:
        self._options.as_red = not self._options.as_red
        self._say(self._state)

    @work(group="dialogs")
    async def action_open(self) -> None:
        dialog = LineDialog("Puzzles", _HINT, _read_source, self._options.collection)
        collection = await self.app.push_screen_wait(dialog)
        if collection is not None:
            self._options.collection = collection
            self._begin()

    @on(events.ScreenResume)
    async def _count_again(self) -> None:
        """Count what was solved since the screen was left."""
        if self._known is not None:
            await self._count()

    def action_start(self) -> None:
        if not self.is_active:
            return
        if self._is_read and not self._puzzles:
            self.complain("There is no puzzle here: o opens another collection")
            return
        self._starts = self._known is None
        if self._starts:
            return
        if due := self._due():
            self._show_series(due, "Puzzle", "There is no other puzzle to solve now")
        else:
            self.complain("Nothing is due here, and nothing is new")

    def action_daily(self) -> None:
        """Return what is left of today's set."""
        daily = self._daily
        if daily is None or not daily.places:
            self.complain("There is no set for today")
        elif not daily.left:
            self.complain(f"Today's set is done: {daily.words}")
        else:
            self._show_series(daily.left, "Today's puzzle", "That was the last puzzle of today")

    def action_run(self) -> None:
        """Return puzzles of the themes and levels with the cursor for a run against the clock."""
        chosen = self._chosen()
        if not chosen:
            self.complain("There is no puzzle here")
            return
        order = run_order([self._puzzles[place] for place in chosen], random.getrandbits(32))
        places = [chosen[place] for place in order]
        end = "That was the last puzzle of this collection"
        self._show_series(places, "Puzzle", end, timed=True)

    def _show_series(
        self, places: Sequence[int], name: str, end: str, *, timed: bool = False
    ) -> None:
        """Return puzzles in this order; ``end`` says that there are no more."""
        puzzles = [self._puzzles[place] for place in places]
        if self._options.as_red:
            puzzles = [puzzle.seen_by_black() for puzzle in puzzles]
        series = PuzzleSeries.of(puzzles, self._names, name, end)
        series.timed = timed
        self.set_aside(series)


def _read_source(text: str) -> str:
    """Return the absolute path of a file or folder, '' for the built-in collection."""
    return str(read_existing(text).absolute()) if text else ""


def _line(name: str, success: Success) -> TextLine:
    share = success.solved / success.tried if success.tried else 0.0
    solved = f"{success.solved}/{success.tried}" if success.tried else ""
    text = f"{name:<17}{success.puzzles:>7,} {solved:>7} {bar(share)}"
    return TextLine(name, ((text, PLAIN),))


class MakePuzzlesDialog(Dialog[bool]):
    """Shows how far it is; returns whether the puzzles are written. What was done is kept.

    ``games`` names the games, which the command's ``options`` choose.
    """

    CANCEL = "Escape stops; the next time it goes on from there"

    def __init__(self, games: str, options: Sequence[str], target: Path, workers: int) -> None:
        super().__init__(printable(f"Puzzles from {games}"))
        words = ["puzzles", "make", "--library", *options, "--workers", str(workers)]
        self._command = CommandProcess([*words, "-o", str(target)])

    def body(self) -> ComposeResult:
        yield Static("Starting ...", id="progress", markup=False)

    def on_mount(self) -> None:
        self._make()

    def on_unmount(self) -> None:
        self._command.stop()

    @work(thread=True)
    def _make(self) -> None:
        problem = self._command.run(partial(self.app.call_from_thread, self._show))
        self.app.call_from_thread(self._end, problem)

    def _show(self, line: str) -> None:
        if self.is_mounted:
            self.query_one("#progress", Static).update(line)

    def _end(self, problem: str) -> None:
        if problem:
            self._show(problem)
        elif self.is_current:
            self.dismiss(True)
