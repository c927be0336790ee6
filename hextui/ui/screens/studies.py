"""The Studies screen: runs are started, watched, stopped and compared; reports and figures."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, ScrollableContainer
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hextui.locations import named_path
from hextui.studies.at_work import stop
from hextui.studies.figures import Figure, read_figures
from hextui.studies.results import FIGURES, PARTIAL, REPORT, Folder, StudyError, folders
from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog
from hextui.ui.screens.ending import EndsOnce
from hextui.ui.screens.study_runs import KINDS, Begun, StudyRun, look, placed, words_of
from hextui.ui.widgets.replaced import OptionLines
from hextui.ui.widgets.screen_keys import ScreenKeys
from hextui.wording import clock

NOTHING = """There are no results in {folder}.

s starts a match or a study here. The same from the command line:

  hextui match A B --size 7
  hextui study ratings NAME NAME ... --size 7
  hextui study match-table
  hextui study rank-quality GAMES

With --out FOLDER the results go there; o opens such a folder here."""
POLL = 1.0
"""Seconds between two looks at runs that go on."""


@dataclass(frozen=True)
class ShownRun:
    """What is read of a run: its report as text and its figures, thinned out."""

    run: StudyRun
    report: str
    figures: tuple[Figure, ...]


class StudiesScreen(EndsOnce[None]):
    """A list of runs beside the report and figures of one; reading is done in threads."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,U", "close", "Close", id="studies.close"),
        Binding("n,right", "page(1)", "Figure", id="studies.next"),
        Binding("p,left", "page(-1)", "Back", id="studies.previous"),
        Binding("o", "choose_folder", "Folder", id="studies.folder"),
        Binding("R", "refresh", "Read again", id="studies.refresh", show=False),
        Binding("s", "begin", "Start", id="studies.start"),
        Binding("x", "stop", "Stop", id="studies.stop"),
        Binding("g", "go_on", "Go on", id="studies.go-on"),
        Binding("c", "compare", "Compare", id="studies.compare"),
    ]
    DEFAULT_CSS = """
    StudiesScreen { layout: vertical; }
    StudiesScreen .body { height: 1fr; }
    StudiesScreen.-wide .body { layout: horizontal; }
    StudiesScreen OptionList { border: round $primary; padding: 0; }
    StudiesScreen.-wide OptionList { width: 40; height: 1fr; }
    StudiesScreen.-narrow OptionList { width: 1fr; height: 8; }
    StudiesScreen .page { width: 1fr; height: 1fr; border: round $primary; padding: 0 1; }
    StudiesScreen .pair > ScrollableContainer { height: 1fr; }
    StudiesScreen .other { border-top: solid $primary; }
    StudiesScreen.-narrow .pair > ScrollableContainer { height: 3fr; }
    StudiesScreen.-narrow .pair > .other { height: 2fr; }
    StudiesScreen .report { width: auto; height: auto; }
    """

    class Listed(Message):
        """The runs of the folder are known."""

        def __init__(self, runs: list[StudyRun]) -> None:
            self.runs = runs
            super().__init__()

    class Ready(Message):
        """A run has been read; ``problem`` says why not."""

        def __init__(self, run: StudyRun, shown: ShownRun | None, problem: str = "") -> None:
            self.run = run
            self.shown = shown
            self.problem = problem
            super().__init__()

    class Compared(Message):
        """By how much the run shown differs from the one that was kept, or why nobody can say."""

        def __init__(self, kept: ShownRun, shown: ShownRun, text: str) -> None:
            self.kept = kept
            self.shown = shown
            self.text = text
            super().__init__()

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._runs: dict[str, StudyRun] = {}  # by what they are called in the list
        self._shown: ShownRun | None = None
        self._other: ShownRun | None = None  # to be compared with
        self._difference: StudiesScreen.Compared | None = None  # the last one asked for
        self._at = 0
        self._begun: list[Begun] = []
        self._stopping: set[Path] = set()
        self._pace: dict[Path, tuple[float, int]] = {}  # since when it is watched, and from where
        self._awaited: str | None = None  # the folder of a run that has just been begun

    def compose(self) -> ComposeResult:
        """Make the list, the page beside it, and the keys."""
        with Container(classes="body"):
            yield OptionLines()
            yield Container(classes="page")
        yield ScreenKeys()

    def on_mount(self) -> None:
        """Read the folder, and look again while something runs."""
        self.query_one(OptionList).border_title = "Studies and matches"
        self.action_refresh()
        self.set_interval(POLL, self._poll)

    def action_refresh(self) -> None:
        """Read the folder again."""
        self._say("Reading ...")
        self._shown = None
        self._list(self._folder)

    def _poll(self) -> None:
        """Look again at what runs, and at what was begun."""
        for begun in [begun for begun in self._begun if begun.ended]:
            self._begun.remove(begun)
            self.query_one(OptionList).border_subtitle = ""
            if problem := begun.problem():
                self.notify(problem, severity="error", timeout=10, markup=False)
            self._list(self._folder)
        if self._begun or any(run.working for run in self._runs.values()):
            self._list(self._folder)

    @work(thread=True, exclusive=True, group="runs")
    def _list(self, folder: Path) -> None:
        self.post_message(self.Listed([look(path) for path in folders(folder)]))

    @on(Listed)
    def _show_runs(self, event: Listed) -> None:
        before, self._runs = self._runs, {str(run.path): run for run in event.runs}
        runs = self.query_one(OptionList)
        if before.keys() == self._runs.keys() and runs.option_count == len(before):
            for name, run in self._runs.items():
                if run != before[name]:
                    runs.replace_option_prompt(name, run.lines)
                    self._read(run)
        else:
            chosen = runs.highlighted_option
            runs.clear_options()
            runs.add_options(Option(run.lines, name) for name, run in self._runs.items())
            kept = chosen is not None and chosen.id in self._runs
            runs.highlighted = list(self._runs).index(str(chosen.id)) if chosen and kept else 0
            if not kept:
                runs.focus()
        if self._awaited in self._runs:
            runs.highlighted = list(self._runs).index(self._awaited)
            self._awaited, runs.border_subtitle = None, ""
        if not self._runs:
            self._say(NOTHING.format(folder=self._folder))
        elif self._shown is None and (chosen := runs.highlighted_option) is not None:
            self._read(self._runs[str(chosen.id)])

    @property
    def _chosen(self) -> StudyRun | None:
        """The run with the cursor."""
        option = self.query_one(OptionList).highlighted_option
        return None if option is None else self._runs.get(str(option.id))

    @on(OptionList.OptionHighlighted)
    def _choose(self, event: OptionList.OptionHighlighted) -> None:
        run = self._runs.get(event.option_id or "")
        if run is None:
            return  # the list has been read again
        if self._shown is None or self._shown.run.path != run.path:
            self._shown = None
            self._say("Reading ...")
            self._read(run)

    @work(thread=True, group="run")
    def _read(self, run: StudyRun) -> None:
        if run.problem:
            self.post_message(self.Ready(run, None, run.problem))
            return
        try:
            report, found = _report(run)
        except (StudyError, ValueError) as error:
            self.post_message(self.Ready(run, None, str(error)))
            return
        # importing this is slow: not on the screen's thread
        from hextui.ui.widgets.figure import thinned

        shown = ShownRun(run, report, tuple(thinned(figure) for figure in found))
        self.post_message(self.Ready(run, shown))

    @on(Ready)
    def _show_read(self, event: Ready) -> None:
        if self._runs.get(str(event.run.path)) != event.run:
            return  # it has come further, and is read again
        if event.shown and self._other and self._other.run.path == event.run.path:
            self._other = event.shown
        elif self._chosen != event.run:
            return
        if self._chosen == event.run:
            pages = 1 + len(event.shown.figures) if event.shown else 1
            same = self._shown is not None and self._shown.run.path == event.run.path
            self._at = self._at if same and self._at < pages else 0
            self._shown = event.shown
        if self._shown is None:
            self._say(event.problem)
        else:
            self._turn()

    def action_page(self, step: int) -> None:
        """Go to another figure; the report comes first."""
        if self._shown is not None:
            self._at = (self._at + step) % (1 + len(self._shown.figures))
            self._turn()

    def _turn(self) -> None:
        assert self._shown is not None
        page = self.query_one(".page", Container)
        page.border_title = Content(self._shown.run.path.name).markup
        page.border_subtitle = f"{self._at + 1} of {1 + len(self._shown.figures)}"
        if self._at == 0:
            compared = self._other is not None and self._other.run.path != self._shown.run.path
            texts = [self._text(self._shown)]
            if compared and self._other:
                difference = self._told_difference(self._other, self._shown)
                texts = [self._text(self._shown, f"{difference}\n\n"), self._text(self._other)]
            there = list(page.query(".report").results(Static))
            if len(there) == len(texts):  # their place is kept where they are scrolled to
                for report, text in zip(there, texts, strict=True):
                    report.update(text)
                return
            page.remove_children()
            reports = (Static(text, classes="report", markup=False) for text in texts)
            places = [ScrollableContainer(report) for report in reports]
            places[-1].set_class(compared, "other")
            page.mount(Container(*places, classes="pair"))
        else:
            page.remove_children()
            from hextui.ui.widgets.figure import FigureView

            page.mount(FigureView(self._shown.figures[self._at - 1]))

    def _told_difference(self, kept: ShownRun, shown: ShownRun) -> str:
        """Return by how much two runs differ, once that is known."""
        known = self._difference
        if known is None or known.kept is not kept or known.shown is not shown:
            known = self._difference = self.Compared(kept, shown, "Comparing ...")
            self._compare(kept, shown)
        return known.text

    @work(thread=True, exclusive=True, group="difference")
    def _compare(self, kept: ShownRun, shown: ShownRun) -> None:
        # importing this is slow: not on the screen's thread
        from hextui.studies.comparing import compared, difference_lines

        try:
            found = compared(kept.run.path, shown.run.path)
        except StudyError as error:
            text = f"Not compared: {error}."
        else:
            text = difference_lines(found, "kept", "this")
        self.post_message(self.Compared(kept, shown, text))

    @on(Compared)
    def _show_difference(self, event: Compared) -> None:
        if event.kept is self._other and event.shown is self._shown:
            self._difference = event
            self._turn()

    def _text(self, shown: ShownRun, difference: str = "") -> str:
        """Return the report of a run: how far it is, how it differs from another, what it found."""
        alone = shown is self._other and shown is self._shown
        kept = "Kept to be compared: choose another run, or c again.\n" if alone else ""
        return f"{shown.run.name}\n{self._told(shown.run)}\n{kept}\n{difference}{shown.report}"

    def _told(self, run: StudyRun) -> str:
        """Return how far a run is, and what can be done with it."""
        if run.finished:
            return "Done."
        if not run.working:
            self._pace.pop(run.path, None)
            return f"Not done: {run.state}. g goes on with it."
        if run.path in self._stopping:
            told = "The games begun are played to their end; x again stops at once."
            return f"Stopping: {run.state}.\n{told}"
        since, before = self._pace.setdefault(run.path, (time.monotonic(), run.done))
        left = ""
        if run.done > before:
            pace = (time.monotonic() - since) / (run.done - before)
            left = f", about {clock(pace * (run.total - run.done))} left"
        return f"Now {run.state}{left}.\nx stops it; what is done is kept."

    def _say(self, text: str) -> None:
        page = self.query_one(".page", Container)
        page.remove_children()
        page.mount(Static(text, markup=False))
        page.border_title = page.border_subtitle = ""

    # Runs

    @work(group="dialogs")
    async def action_begin(self) -> None:
        """Ask what is to be run, and begin it in a process of its own."""
        choices = [Choice(kind.key, kind.label, kind.label) for kind in KINDS]
        listed = "\n".join(f"{kind.key}  {kind.label}: {kind.what}" for kind in KINDS)
        question = f"{listed}\n\nIt runs beside the workstation, and goes on when that ends."
        label = await self.app.push_screen_wait(ChoiceDialog("Start a run", question, choices))
        kind = next((kind for kind in KINDS if kind.label == label), None)
        if kind is None:
            return
        dialog = LineDialog(kind.label, kind.hint, partial(words_of, kind), kind.example)
        words = await self.app.push_screen_wait(dialog)
        if words is not None:
            self._begin(placed(words, self._folder), Path.cwd())

    def action_go_on(self) -> None:
        """Go on with the run with the cursor, where it was stopped."""
        run = self._chosen
        if run is None or run.finished or run.working or run.problem:
            self._complain("There is nothing to go on with: choose a run that was stopped")
            return
        try:
            words, folder = Folder(run.path).command()
        except StudyError as error:
            self._complain(f"{error}; start it with the same words again")
            return
        self._begin(placed([*words, f"--out={run.path}"], self._folder), folder)

    def _begin(self, words: list[str], folder: Path) -> None:
        try:
            self._begun.append(Begun(words, folder))
        except OSError as error:
            self._complain(f"{folder}: {error.strerror or error}")
        else:
            self._awaited = next((w[6:] for w in words if w.startswith("--out=")), None)
            self.query_one(OptionList).border_subtitle = "starting ..."

    def action_stop(self) -> None:
        """Stop the run with the cursor; at once, if it is stopping already."""
        run = self._chosen
        if run is None or not run.working:
            self._complain("Nothing runs here")
            return
        stop(run.path, at_once=run.path in self._stopping)
        self._stopping.add(run.path)
        self._read(run)

    def action_compare(self) -> None:
        """Keep this run beside those that are chosen next; once more: no longer."""
        kept, self._other = self._other, None if self._other else self._shown
        if self._shown is not None:
            self._turn()
        elif kept is not None:
            self._complain("No run is kept to be compared any more")
        else:
            self._complain("There is no report here to be compared yet")

    def _complain(self, text: str) -> None:
        self.notify(text, severity="warning", timeout=6, markup=False)

    @work(group="dialogs")
    async def action_choose_folder(self) -> None:
        """Ask for another folder of results."""
        hint = "A folder of results, or one that holds such folders."
        dialog = LineDialog("Results", hint, _read_folder, str(self._folder))
        folder = await self.app.push_screen_wait(dialog)
        if folder is not None:
            self._folder, self._shown = folder, None
            self.action_refresh()

    def action_close(self) -> None:
        """Go back to the board."""
        self.dismiss()


def _report(run: StudyRun) -> tuple[str, Sequence[Figure]]:
    """Return the report of a run as text, or of what is done of it, and its figures."""
    folder = Folder(run.path)
    if run.finished:
        report = folder.read(REPORT).partition("## Figures")[0]
        return report, read_figures(folder.read(FIGURES))
    if not (run.path / PARTIAL).exists():
        return "No results yet.", ()
    return "So far:\n\n" + folder.read(PARTIAL), ()


def _read_folder(text: str) -> Path:
    folder = named_path(text)
    if not os.path.isdir(folder):  # False also for a name that no system takes
        raise ValueError(f"{folder}: no such folder")
    return folder
