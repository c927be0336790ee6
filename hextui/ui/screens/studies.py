"""The Studies screen: results of runs, their reports and figures."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, ScrollableContainer
from textual.content import Content
from textual.message import Message
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from hextui.locations import named_path
from hextui.studies.figures import Figure, read_figures
from hextui.studies.results import FIGURES, REPORT, Folder, StudyError, folders
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.screens.ending import EndsOnce
from hextui.ui.widgets.replaced import OptionLines

NOTHING = """There are no results in {folder}.

Studies run from the command line:

  hextui study rank-quality GAMES
  hextui study match-table
  hextui study ratings NAME NAME ... --size 7
  hextui match A B --size 7

With --out FOLDER the results go there; o opens such a folder here."""


@dataclass(frozen=True)
class StudyRun:
    """A run in the list: ``state`` in a word or two; ``problem`` says why it cannot be shown."""

    path: Path
    study: str
    state: str
    problem: str = ""

    @property
    def line(self) -> Text:
        """What stands in the list."""
        text = f"{self.path.name} ({self.study}, {self.state})"
        return Text(text, no_wrap=True, overflow="ellipsis")


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
        Binding("n,right", "page(1)", "Next figure", id="studies.next"),
        Binding("p,left", "page(-1)", "Back", id="studies.previous"),
        Binding("o", "choose_folder", "Folder", id="studies.folder"),
        Binding("R", "refresh", "Read again", id="studies.refresh"),
    ]
    DEFAULT_CSS = """
    StudiesScreen { layout: vertical; }
    StudiesScreen .body { height: 1fr; }
    StudiesScreen.-wide .body { layout: horizontal; }
    StudiesScreen OptionList { border: round $primary; padding: 0; }
    StudiesScreen.-wide OptionList { width: 40; height: 1fr; }
    StudiesScreen.-narrow OptionList { width: 1fr; height: 5; }
    StudiesScreen .page { width: 1fr; height: 1fr; border: round $primary; padding: 0 1; }
    StudiesScreen .page > ScrollableContainer { height: 1fr; }
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

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._runs: dict[str, StudyRun] = {}  # by what they are called in the list
        self._shown: ShownRun | None = None
        self._at = 0

    def compose(self) -> ComposeResult:
        """Make the list, the page beside it, and the keys."""
        with Container(classes="body"):
            yield OptionLines()
            yield Container(classes="page")
        yield Footer()

    def on_mount(self) -> None:
        """Read the folder."""
        self.query_one(OptionList).border_title = "Studies"
        self.action_refresh()

    def action_refresh(self) -> None:
        """Read the folder again."""
        self._say("Reading ...")
        self._list(self._folder)

    @work(thread=True, exclusive=True, group="runs")
    def _list(self, folder: Path) -> None:
        self.post_message(self.Listed([_look(path) for path in folders(folder)]))

    @on(Listed)
    def _show_runs(self, event: Listed) -> None:
        self._runs = {str(run.path): run for run in event.runs}
        runs = self.query_one(OptionList)
        runs.clear_options()
        runs.add_options(Option(run.line, name) for name, run in self._runs.items())
        runs.focus()
        if self._runs:
            runs.highlighted = 0
        else:
            self._say(NOTHING.format(folder=self._folder))

    @on(OptionList.OptionHighlighted)
    def _choose(self, event: OptionList.OptionHighlighted) -> None:
        run = self._runs.get(event.option_id or "")
        if run is None:
            return  # the list has been read again
        if self._shown is None or self._shown.run != run:
            self._shown = None
            self._say("Reading ...")
            self._read(run)

    @work(thread=True, exclusive=True, group="run")
    def _read(self, run: StudyRun) -> None:
        if run.problem:
            self.post_message(self.Ready(run, None, run.problem))
            return
        try:
            folder = Folder(run.path)
            report = folder.read(REPORT).partition("## Figures")[0]
            figures = read_figures(folder.read(FIGURES))
        except (StudyError, ValueError) as error:
            self.post_message(self.Ready(run, None, str(error)))
            return
        # importing this is slow: not on the screen's thread
        from hextui.ui.widgets.figure import thinned

        shown = ShownRun(run, report, tuple(thinned(figure) for figure in figures))
        self.post_message(self.Ready(run, shown))

    @on(Ready)
    def _show_read(self, event: Ready) -> None:
        chosen = self.query_one(OptionList).highlighted_option
        if chosen is None or chosen.id != str(event.run.path):
            return
        self._shown, self._at = event.shown, 0
        if event.shown is None:
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
        page.remove_children()
        if self._at == 0:
            text = Static(self._shown.report, classes="report", markup=False)
            page.mount(ScrollableContainer(text))
        else:
            from hextui.ui.widgets.figure import FigureView

            page.mount(FigureView(self._shown.figures[self._at - 1]))
        page.border_title = Content(self._shown.run.path.name).markup
        page.border_subtitle = f"{self._at + 1} of {1 + len(self._shown.figures)}"

    def _say(self, text: str) -> None:
        page = self.query_one(".page", Container)
        page.remove_children()
        page.mount(Static(text, markup=False))
        page.border_title = page.border_subtitle = ""

    @work(exclusive=True, group="dialogs")
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


def _look(path: Path) -> StudyRun:
    """Return what the list says of a run."""
    folder = Folder(path)
    try:
        settings = folder.settings()
        study, total = str(settings["study"]), settings["tasks"]
        if folder.done:
            return StudyRun(path, study, "done")
        state = f"{folder.finished_tasks()} of {total} games"
    except (StudyError, KeyError) as error:
        return StudyRun(path, "unknown", "broken", str(error))
    return StudyRun(path, study, state, f"This run is not done: {state}. Start it again to go on.")


def _read_folder(text: str) -> Path:
    folder = named_path(text)
    if not folder.is_dir():
        raise ValueError(f"{folder}: no such folder")
    return folder
