"""The workspace: open records, what is known of them, what is shown, and how it gets shown."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.timer import Timer

from hextui.analysis.analyst import Analyst
from hextui.analysis.comparison import Difference, differences
from hextui.engine.position import Position
from hextui.engines.engine import OpenLane
from hextui.engines.registry import AttachedEngines
from hextui.engines.snapshot import Progress, Snapshot, Verdict
from hextui.records.board_view import BoardView, Mode
from hextui.ui.app.screen_widgets import ScreenWidgets
from hextui.ui.app.situation import (
    about_game,
    first_run,
    game_situation_of,
    situation_of,
    status_of,
)
from hextui.ui.drawing.overlays import (
    DisplayOptions,
    Overlay,
    board_view,
    difference_words,
    is_about_swap,
    legend,
    overlay_name,
)
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.live.background import (
    LibraryAnswer,
    LibraryQuestion,
    SwapMap,
    SwapMaps,
    TrainingThread,
    library_answer,
)
from hextui.ui.live.game_review import GameReviews, LineReview
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.panel import Change, PanelInput
from hextui.ui.record.open_records import OpenRecords
from hextui.ui.record.session import Session, scope_words
from hextui.ui.safety.graphics import HALF_BLOCKS, TerminalGraphics
from hextui.words.connections import cell_reason
from hextui.words.verdicts import Situation, contradiction

if TYPE_CHECKING:
    from hextui.analysis.whole_game import GameAnalyst

_REST = 0.2  # seconds between two updates of the panels
_PAUSE = 0.08  # seconds that a position must stay before the library is asked
_DIM = 0.25  # seconds that stale panels wait: a repaint that most new positions make needless


@dataclass(frozen=True)
class Services:
    """An engine for questions, analysts of positions and whole games, the files of the library, of
    the reviews, of the results with puzzles, of the games against the program and of the user's
    mistakes, the attached engines, and how the terminal shows pictures.

    The screen works without analysts and files, and says which is missing.
    """

    open_lane: OpenLane
    make_analyst: Callable[[Callable[[Snapshot], None]], Analyst] | None = None
    make_game_analyst: "Callable[[Callable[[Progress | str], None]], GameAnalyst] | None" = None
    library: Path | None = None
    reviews: Path | None = None
    training: Path | None = None
    games: Path | None = None
    mistakes: Path | None = None
    attached: AttachedEngines = field(default_factory=partial(AttachedEngines, {}))
    graphics: TerminalGraphics = HALF_BLOCKS


class Workspace:
    """Holds the open records, the live analysis and the user's choices, and shows them.

    The actions of the user change these and then call ``changed``. ``bring`` brings
    a panel to the screen, by its id; ``mode_changed`` is called when keys get another meaning.
    ``player`` is the user's name in games, or a part of it, '' until the user is asked.
    """

    player = ""

    def __init__(
        self,
        screen: ScreenWidgets,
        records: OpenRecords,
        services: Services,
        shown: DisplayOptions,
        bring: Callable[[str], None],
        mode_changed: Callable[[], None],
    ) -> None:
        self.screen = screen
        self.records = records
        self.services = services
        self.shown = shown
        self.bring = bring
        self.palette: Palette = DARK
        self.complain = records.talk.complain
        # the newest answer of a kind from another thread replaces others; every error is shown
        make = services.make_analyst or Analyst
        make_game = services.make_game_analyst
        self.live = live = make(
            lambda new: screen.hand_over(self.take, new, None if new.error else "snapshot")
        )
        self.verdicts = live.verdicts
        """All proved positions."""
        hear_of_game = partial(screen.hand_over, self.take_progress, kind="game")
        game_analyst = make_game(hear_of_game) if make_game else None
        complain = partial(screen.hand_over, self.complain)
        self.surveys = GameReviews(game_analyst, live.verdicts, services.reviews, complain)
        self.training = TrainingThread(
            services.training, services.games, services.mistakes, complain
        )
        self._swap_maps = SwapMaps(
            services.open_lane,
            lambda work: screen.run_worker(work, thread=True, group="swap-map"),
            lambda new: screen.hand_over(self.take_swap_map, new, new.board),
        )
        self._mode_changed = mode_changed
        self._mode = Mode.PLAY, False, False
        self._late = False
        self._disputes: set[tuple[Verdict, Verdict]] = set()
        self._problems: set[str] = set()  # of engines, which were reported
        self._panels_due = True  # but not before the first screen is there
        self._rest_timer: Timer | None = None
        self._awaited: LibraryQuestion | None = None

    def close(self) -> None:
        """End the threads."""
        for worker in (self.surveys, self.training, self.live):
            worker.close()
        self._swap_maps.follow(None)

    @property
    def session(self) -> Session:
        """The session that is shown."""
        return self.records.session

    @property
    def snapshot(self) -> Snapshot | None:
        """The analysis of the current position, if there is one."""
        return self.live.of(self.session.position)

    @property
    def survey(self) -> LineReview:
        """The analysis of the current line."""
        return self.surveys.of(self.session, self.live.evaluators)

    @property
    def panel_input(self) -> PanelInput:
        """What the panels are shown."""
        return PanelInput(
            session=self.session,
            snapshot=self.snapshot,
            options=self.shown,
            palette=self.palette,
            verdicts=self.verdicts,
            survey=self.survey,
        )

    @property
    def here(self) -> Situation:
        """How the current position stands, as the line HERE shows it."""
        return situation_of(self.panel_input, self.live)

    @property
    def question(self) -> LibraryQuestion:
        """The question for the library about the current position."""
        return LibraryQuestion(self.session.position, self.shown.library_filter)

    @property
    def tries(self) -> bool:
        """Whether moves on the board are tried against a proof that is explained, not played."""
        session = self.session
        panel = self.screen.query_one(ExplainPanel)
        return session.mode is Mode.PLAY and panel.explains(session.position)

    @property
    def ranked_by(self) -> list[str]:
        """The evaluators that have ranked the current position."""
        snapshot = self.snapshot
        return list(snapshot.rankings) if snapshot else []

    @property
    def evaluators(self) -> list[str]:
        """The evaluators: that in focus, then those after it, or from the one chosen beside it."""
        names = list(dict.fromkeys((*self.live.evaluators, *self.ranked_by)))
        focus, *others = _from(self.shown.evaluator, names) or [""]
        return [focus, *_from(self.shown.second_evaluator, others)]

    def choose(self, **choice: Any) -> None:
        """Change what is shown: fields of `DisplayOptions` by their names."""
        self.shown = replace(self.shown, **choice)
        self.changed(Change.ANALYSIS)

    def begin(self) -> None:
        """Start analysis and panels, which would have delayed the first screen."""
        self._panels_due = False
        self.changed(Change.SESSION)

    @property
    def caught_up(self) -> bool:
        """Whether all panels on the screen show what is known."""
        return not self._panels_due and self.screen.panels.caught_up

    def changed(self, change: Change) -> None:
        """Show what has changed, on the board, the lines around it, and the panels that show it."""
        match change:
            case Change.SESSION:
                self._show_session()
            case Change.ANALYSIS:
                self._show_analysis()
            case Change.LIBRARY:
                self._fill(Change.LIBRARY)
            case Change.CURSOR:
                self._show_board()
                self._show_lines()
            case Change.GAME:
                self._fill(Change.GAME)
                self.changed(Change.CURSOR)
            case Change.COLORS:
                self.changed(Change.CURSOR)
                self._fill(Change.SESSION)
                if self.snapshot:
                    self._fill(Change.ANALYSIS)

    def _fill(self, change: Change) -> None:
        self.screen.panels.show(self.panel_input, change)

    def _show_session(self) -> None:
        """Show the session on the board, then on the panels, and have its position analysed."""
        position = self.session.position
        narrowed = self.live.choose_scope(self.session.search_marks.scope(position))
        if narrowed or position != self.screen.board.view.position:
            self.shown = replace(self.shown, connected=None, line=())
            self._late = True
            self._rest()
            self.screen.panels.discard()
        self.live.look_at(position, self.session.next_cell)
        self.changed(Change.CURSOR)
        if not self._panels_due:
            self._panels_due = True
            self.screen.call_after_refresh(self._show_beside)

    def _show_analysis(self) -> None:
        """Bring board and panels up to what is known; without anything known panels get dimmed."""
        snapshot = self.snapshot
        if snapshot:
            self._keep_focus(snapshot)
        self._show_board()
        self._explore()
        position = self.session.position
        shows_swaps = self.shown.overlay is Overlay.SWAP
        judged = position.board if shows_swaps and is_about_swap(position) else None
        self._swap_maps.follow(judged)
        self._show_lines()
        if snapshot:
            self._fill(Change.ANALYSIS)
        if self.live.stale(position):
            self.screen.set_timer(_DIM, self._dim)
        else:
            self._dim()

    def keep_proof(self, position: Position, verdict: Verdict) -> None:
        """Keep who wins a position, and show it wherever it matters."""
        with self._proofs_shown(position):
            self.verdicts.prove(position, verdict)
        self.changed(Change.ANALYSIS)

    @contextmanager
    def _proofs_shown(self, position: Position) -> Iterator[None]:
        """Show on the panels of the whole game who wins a position, if that gets proved."""
        before = self.verdicts.of(position)
        yield
        if self.verdicts.of(position) != before:
            self._fill(Change.GAME)

    def take(self, snapshot: Snapshot) -> None:
        """Show a snapshot, at most five times a second; the last one is always shown."""
        with self._proofs_shown(snapshot.position):
            current = self.live.take(snapshot)
        if not current:
            return
        if self.surveys.hear(snapshot):
            self._fill(Change.GAME)
        if snapshot.error:
            self.complain(snapshot.error)
        self._tell_problems(snapshot)
        self._late = True
        if self._rest_timer is None:
            self._show_late()

    def take_progress(self, progress: Progress | str) -> None:
        """Show the progress of the analysis of a game, or its failure."""
        if not self.surveys.take(progress):
            return
        if isinstance(progress, str):
            self.complain(progress)
        self.changed(Change.GAME)

    def take_library(self, answer: LibraryAnswer) -> None:
        """Show an answer if the question is still current."""
        if answer.question == self.question:
            self.choose(library=answer)
            self.changed(Change.LIBRARY)

    def ask_library(self) -> None:
        """Ask the library about the current position, unless it is being asked already."""
        if (question := self.question) != self._awaited:
            self._awaited = question
            work: Callable[[], Any] = partial(self._answer, question)
            self.screen.run_worker(work, group="library", exclusive=True)

    async def _answer(self, question: LibraryQuestion) -> None:
        """Show the library's answer, unless another question is asked meanwhile."""
        await asyncio.sleep(_PAUSE)
        library, names = self.services.library, self.shown.names
        answer = await asyncio.to_thread(library_answer, library, question, names)
        self._awaited = None
        self.screen.hand_over(self.take_library, answer)

    def take_swap_map(self, swap_map: SwapMap) -> None:
        """Show what is known of first moves, if the board is shown."""
        if swap_map.board == self.session.board:
            self.choose(swap_map=swap_map)

    def _tell_problems(self, snapshot: Snapshot) -> None:
        """Report each engine problem once: the next move may have the same."""
        for line in {*snapshot.problems.values()} - self._problems:
            self._problems.add(line)
            self.complain(line)
        if snapshot.final and not snapshot.problems:
            self._problems.clear()

    def _show_late(self) -> None:
        self._rest_timer = None
        if self._late:
            self._late = False
            self.changed(Change.ANALYSIS)
            self._rest()

    def _rest(self) -> None:
        """Leave the panels alone for a while: filling them would delay the next key."""
        if self._rest_timer is not None:
            self._rest_timer.stop()
        self._rest_timer = self.screen.set_timer(_REST, self._show_late)

    def _show_beside(self) -> None:
        self._panels_due = False
        if self.live.on and self.surveys.prove_again(self.survey):
            self.records.talk.tell("An earlier version made this review: analysing the game again")
        self._fill(Change.SESSION)
        if self._rest_timer is None:
            self.changed(Change.ANALYSIS)
        elif self.live.stale(self.session.position):
            self.screen.set_timer(_DIM, self._dim)

    @property
    def compared(self) -> list[str]:
        """The evaluators compared in Compare; another one stands in for a late one in focus."""
        if not self.screen.differences.display:
            return []
        focus, *others = self.evaluators
        first = self.snapshot.ranking_for(focus) if self.snapshot else focus
        return [first or focus, *others[: max(self.shown.boards, 2) - 1]]

    def views(
        self, others: Iterable[str], differences: Iterable[Difference]
    ) -> list[tuple[DisplayOptions, BoardView]]:
        """Return what the first board shows and those by other evaluators, and by which options.

        The moves of the ``differences``, which are ranked most differently, are marked.
        """
        verdicts = self.verdicts.moves(self.session.position).by_cell
        differing = frozenset(difference.cell for difference in differences)
        shown, snapshot = self.shown, self.snapshot
        views = [(shown, board_view(self.session, shown, snapshot, verdicts, differing))]
        for name in others:  # none stands in for a late one
            options = replace(shown, overlay=Overlay.EVALUATOR, evaluator=name)
            own = snapshot
            if snapshot is not None:
                rankings = snapshot.rankings
                ranked = {name: rankings[name]} if name in rankings else {}
                own = replace(snapshot, rankings=ranked)
            views.append((options, board_view(self.session, options, own, verdicts, differing)))
        return views

    def differences(self) -> list[Difference]:
        """Return the moves that are ranked most differently, once all evaluators rank them."""
        rankings = self.snapshot.rankings if self.snapshot else {}
        names = self.compared
        if not {*names} <= rankings.keys():
            return []
        return differences([rankings[name] for name in names])

    def _show_board(self) -> None:
        snapshot = self.snapshot
        names = self.compared
        board = self.screen.board
        differences = self.differences()
        views = self.views(names[1 : self.shown.boards], differences)
        words = scope_words(snapshot.scope, snapshot.position) if snapshot else ""
        captions = []
        for name, (shown, view) in zip(names, views, strict=False):
            by_rank = shown.overlay is Overlay.EVALUATOR
            caption = view.ranked_by or name if by_rank else overlay_name(shown)
            captions.append(f"{caption}, {words}" if words else caption)
        board.captions = tuple(captions)
        board.show(*(view for _, view in views))
        if names:
            words = difference_words(self.session.board, names, differences)
            self.screen.differences.text = words

    def _explore(self) -> None:
        """Ask the library about the position if its overlay is on and its answer outdated."""
        answer = self.shown.library
        if self.shown.overlay is Overlay.LIBRARY and (
            answer is None or answer.question != self.question
        ):
            self.ask_library()

    def _dim(self) -> None:
        """Dim what is still not of the position; the status line has said so at once."""
        self.screen.panels.dim(self.live.stale(self.session.position))

    def _keep_focus(self, snapshot: Snapshot) -> None:
        """Focus the first evaluator if the one in focus does not rank, unless it is late."""
        focus = self.shown.evaluator
        there = focus in snapshot.rankings or focus in snapshot.problems
        if not focus or (snapshot.final and not there):
            to_rank = () if snapshot.final else snapshot.evaluators
            first = next(iter((*to_rank, *snapshot.rankings)), "")
            self.shown = replace(self.shown, evaluator=first)

    def _show_lines(self) -> None:
        """Update the lines around the board and the Explain panel for the node and the cursor."""
        panel_input, tries = self.panel_input, self.tries
        tried = self.screen.query_one(ExplainPanel).can_take_back
        if (mode := (self.session.mode, tries, tries and tried)) != self._mode:
            self._mode = mode
            self._mode_changed()
        lines = self.screen.verdict_lines
        lines.game = game_situation_of(panel_input)
        situation = lines.situation = situation_of(panel_input, self.live)
        if situation.dispute and situation.dispute not in self._disputes:
            self._disputes.add(situation.dispute)
            self.complain(contradiction(*situation.dispute, situation.names))
        hides_comment = not self.screen.panels["record"].display
        self.screen.status_line.status = status_of(panel_input, self.live, hides_comment, tries)
        self.screen.query_one(ExplainPanel).point(self.session.position, self.session.cursor)
        text = first_run(self.snapshot, self.session.board) or self._reason_of_cursor()
        self.screen.legend.text = text or legend(
            self.screen.board.view, self.shown, self.palette.spelt
        )
        self._show_title()

    def _show_title(self) -> None:
        title = self.screen.title_line
        session = self.session
        sessions = self.records.sessions
        names = [other.name for other in sessions]
        title.place = sessions.index(session)
        if session.record.modified:
            names[title.place] += " *"
        title.records = tuple(names)
        title.about = about_game(session.record, self.shown.names)

    def _reason_of_cursor(self) -> str:
        """Return why the cell at the cursor is not worth considering, if such cells are shown."""
        snapshot, session = self.snapshot, self.session
        if snapshot is None or not (self.shown.must_play or self.shown.inferior):
            return ""
        return cell_reason(
            session.position, session.cursor, snapshot.threats, snapshot.inferior, self.shown.names
        )


def _from(first: str, names: list[str]) -> list[str]:
    """Return the names in turn from this one on, or as they are without it."""
    place = names.index(first) if first in names else 0
    return names[place:] + names[:place]
